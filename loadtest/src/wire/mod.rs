//! RFC 6455 from the client's side, written by hand.
//!
//! The generator needs it because its own cost must stay small beside the server's, and
//! `invalid-input` because it must send what no library would.
//!
//! Deliberately absent: the protocol inside the frames, extensions, TLS. [`crate::client`] uses a
//! library instead, so that the server's frames are also read by code that is not ours.

mod frame;
mod keep_alive;
mod poll;
mod socket;

pub use frame::{Frame, FrameError, FrameReader, Opcode, client_frame, client_frame_into};
pub(crate) use keep_alive::connect_all;
pub use poll::{Poll, Token};
pub use socket::{Received, Socket, SocketError};
pub(crate) use socket::{begin_to_connect, connect, connect_from};
