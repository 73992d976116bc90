//! The Zeitnot server: tokio, sockets and storage around `zeitnot-rules`.
//!
//! [`run`] is the whole server on a given listener, until a given future ends: the binary and the tests call the same.
//! Each socket has one task ([`session`]), each live game one actor ([`games`]); HTTP, lobby and accounts stand around
//! them. Time, randomness and tasks come from [`time`], [`entropy`] and [`tasks`] alone.
//!
//! Invariants: an event is durable before anybody is told of it; nothing in here decides about
//! chess.

mod accounts;
mod admin;
mod analysis;
mod archive;
pub mod bounds;
mod cluster;
mod computer;
mod config;
pub mod connections;
pub mod entropy;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod games;
mod http;
mod lichess_api;
mod lobby;
mod net;
mod openings;
mod pictures;
mod process;
mod rate;
pub mod ratings;
mod recent;
mod seeded_bugs;
mod server;
pub mod session;
#[cfg(test)]
mod simulation;
pub mod storage;
mod sync;
pub mod tasks;
pub mod telemetry;
pub mod time;
pub mod upkeep;
pub mod verdicts;

pub use admin::{AdminAct, AskError, ask};
pub use cluster::{BusRejection, BusUrl};
pub use config::{Act, Config, ExportFormat, JournalKind, LogFormat};
pub use net::{Network, NotANetwork, NotAnOrigin, Origin};
pub use process::{listener, raise_file_limit, runtime, shutdown, try_to_say};
pub use server::{RunError, Server, run};
