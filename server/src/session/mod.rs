//! One socket, one session, one task.
//!
//! | file | what it decides |
//! |---|---|
//! | `task` | in which order a session looks at its queue, its feeds, its socket and its timer |
//! | `machine` | what a connection may send and when, as a state machine; `keepalive` is its pings, `rejection` one `rejected` |
//! | `request` | which part of the server a message is for |
//! | `effects` | how each effect of the machine is carried out, and which part of the server answers a message |
//! | `handshake` | from a token or cookie to an account, and what is said first |
//! | `subscriptions` | the games and chats a session follows, and how far each is written |
//! | `lobby`, `chat` | the commands that are answered by the lobby and by a chat |
//! | `socket`, `buffers`, `output` | the bytes: read, lent to one turn, written |
//! | `decoder`, `frame_scan` | what was read, as messages |
//! | `stream` | a TCP connection, or a pipe inside the process |
//! | `tcp_info` | what the kernel knows of the round trip |
//! | `sessions` | what all sessions share |
//! | `closing` | the close frame, and the time the other end gets to read it |
//!
//! The rest of the server reaches a session through its [`Outbox`](crate::connections::Outbox).
//!
//! Deliberately absent: chess, and anything that waits for an actor.

mod buffers;
mod chat;
mod closing;
mod decoder;
mod effects;
mod frame_scan;
mod handshake;
mod keepalive;
mod lobby;
mod machine;
mod output;
mod rejection;
pub(crate) mod request;
mod sessions;
mod socket;
mod stream;
mod subscriptions;
mod task;
mod tcp_info;
#[cfg(test)]
pub(crate) mod tests;

/// What reads frames, for the fuzz targets.
#[cfg(any(test, fuzzing))]
pub(crate) mod frames {
    pub(crate) use super::buffers::{Buffers, INPUT_BYTES};
    pub(crate) use super::decoder::{Broken, Decoder, Incoming};
    pub(crate) use super::frame_scan::BYTES_PER_FRAME;
}

pub(crate) use chat::tell_chats_begun;
pub(crate) use sessions::{SessionSettings, Sessions};
pub(crate) use socket::FarEnd;
#[cfg(test)]
pub(crate) use tests::echo::start_echo;
