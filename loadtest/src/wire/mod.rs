//! RFC 6455 from the client's side, by hand: for the generator, whose own cost must not hide the server's, and for
//! abuse, which must be able to write what no library would.
//!
//! Deliberately absent: the protocol inside the frames, extensions, TLS. [`crate::client`] is the client that uses a
//! library instead, so that the server's frames are also read by code that is not ours.

mod frame;
mod poll;
mod socket;

pub use frame::{Frame, FrameError, FrameReader, Opcode, client_frame, client_frame_into};
pub use poll::{Poll, Token};
pub(crate) use socket::connect;
pub use socket::{Received, Socket, SocketError};
