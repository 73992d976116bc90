//! What goes over the bus, as bytes: datagrams from node to node, announcements from one to all, and the
//! messages about games, their chats and the lobby that links carry.
//!
//! The encoding is postcard's. It names no fields, so its version stands before all: a payload of
//! another version is rejected whole. Nodes of one version need not distrust each other, but bytes may be
//! damaged or of something else, so whatever cannot be read is rejected with an error.
//!
//! Deliberately absent: what the messages lead to (`link`, `mirror`).
//!
//! Invariants: what is written is read the same; nothing is left over after a value; a payload is at most
//! [`PAYLOAD_BYTES_MAX`], so what is read of it takes little more.

mod act;
mod announcement;
mod chat;
mod game;
mod lobby;
#[cfg(test)]
pub(super) mod samples;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::link::Datagram;
use super::node::Node;
pub(crate) use act::Act;
pub(crate) use announcement::{Announcement, Hint};
pub(crate) use chat::{ChatMessage, ChatNews, SentLine, SentPost};
pub(crate) use game::{
    Attach, Attached, Clock, FrameText, FromMirror, FromOwner, GameMessage, SentCommand, SentNotice,
    TakenSeat, TurnStart,
};
pub(crate) use lobby::{FromLobby, LobbyCommand, LobbyMessage, Playing, SentConnection, ToLobby};

/// The first byte of every payload. It is counted up when anything changes in what is written.
const VERSION: u8 = 8;
/// The longest payload: a NATS server takes no longer one by default.
pub(crate) const PAYLOAD_BYTES_MAX: usize = 1 << 20;

/// What links carry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
pub(crate) enum LinkMessage {
    Game(GameMessage),
    Lobby(LobbyMessage),
    Chat(ChatMessage),
}

/// Whether a message is about the lobby: what it is about is its first byte.
pub(crate) fn is_about_lobby(message: &[u8]) -> bool {
    message.first() == Some(&1)
}

/// Why bytes are no payload of ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("longer than a payload can be")]
    TooLong,
    #[error("of version {0}, and this is version {VERSION}")]
    Version(u8),
    #[error("not what a payload consists of")]
    Malformed,
}

/// A datagram with its sender.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
pub(crate) struct Envelope {
    pub(crate) from: Node,
    pub(crate) datagram: Datagram,
}

/// A payload: the version, then the value.
pub(crate) fn payload<T: Serialize>(value: &T) -> Bytes {
    postcard::to_extend(value, vec![VERSION]).expect("memory takes whatever is written").into()
}

/// The value of a payload.
pub(crate) fn read_payload<T: DeserializeOwned>(payload: &[u8]) -> Result<T, Unreadable> {
    if payload.len() > PAYLOAD_BYTES_MAX {
        return Err(Unreadable::TooLong);
    }
    match payload.split_first() {
        Some((&VERSION, value)) => read(value),
        Some((&other, _)) => Err(Unreadable::Version(other)),
        None => Err(Unreadable::Malformed),
    }
}

/// A message as a link carries it: of the version of the payload that it is in.
pub(crate) fn message<T: Serialize>(value: &T) -> Bytes {
    postcard::to_allocvec(value).expect("memory takes whatever is written").into()
}

/// The value of a message.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unreadable> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok(_) | Err(_) => Err(Unreadable::Malformed),
    }
}
