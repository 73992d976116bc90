//! The Zeitnot server: tokio, sockets and storage around `zeitnot-rules`.
//!
//! [`run`] is the whole server on a given listener, until a given future ends: the binary and the tests call the same.
//! Each socket has one task ([`session`]), each live game one actor ([`games`]); HTTP, lobby and accounts stand around
//! them. Time, randomness and tasks come from [`time`], [`entropy`] and [`tasks`] alone.
//!
//! Invariants: nobody is told of an event that is not durable; nothing in here decides about chess.

mod accounts;
mod allowance;
mod config;
pub mod entropy;
mod file_limit;
pub mod games;
mod guests;
mod http;
pub mod listener;
mod lobby;
mod naming;
mod runtime;
mod server;
pub mod session;
pub mod shutdown;
pub mod storage;
pub mod tasks;
pub mod telemetry;
pub mod time;
pub mod verdicts;

pub use config::{Act, Config, JournalKind, Patience};
pub use file_limit::raise_file_limit;
pub use http::{Network, NotANetwork, NotAnOrigin, Origin};
pub use runtime::runtime;
pub use server::{Ready, RunError, open, run};
