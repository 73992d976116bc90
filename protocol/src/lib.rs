//! The wire protocol: the messages of clients and of the server, and nothing else.
//!
//! One WebSocket at `/ws`, subprotocol [`SUBPROTOCOL`], text frames of JSON
//! `{"t":"<type>","d":{...}}`. Version 1 only grows: types and fields are added, never changed or
//! removed, and clients ignore unknown ones.
//!
//! Deliberately absent: sockets, sessions, and every decision about chess. `docs/protocol.md`
//! describes the protocol for people; a test compares it with these types.
#![deny(missing_docs)]

mod analysis;
#[cfg(test)]
mod bindings;
mod client;
mod close;
mod codes;
mod decode;
mod encode;
mod events;
mod fen;
mod game;
mod ids;
mod limits;
mod lobby;
mod moves;
mod object;
mod players;
mod rules_values;
mod scope;
mod server;
mod time_control;

pub use analysis::*;
pub use client::*;
pub use close::{CloseCode, CloseReason};
pub use codes::{Code, UnknownCode};
pub use decode::{DecodeError, decode_client, decode_server};
pub use events::*;
pub use fen::FenReason;
pub use game::*;
pub use ids::*;
pub use limits::Limits;
pub use lobby::*;
pub use moves::{ParseSanError, ParseUciError, San, Uci, WireSquare};
pub use players::*;
pub use rules_values::{NotOnTheWire, TimeControlRejection};
pub use scope::{Needs, Scope, Scopes, UnknownScope};
pub use server::*;
pub use time_control::{Period, TimeControl, WireBonus};

/// The JSON Schema of the messages and of the bodies of HTTP answers; the types are in its `$defs`.
pub const SCHEMA: &str = include_str!("../bindings/protocol.schema.json");

/// The WebSocket subprotocol of version 1. A client that offers none always gets this one.
pub const SUBPROTOCOL: &str = "zeitnot.v1.json";
