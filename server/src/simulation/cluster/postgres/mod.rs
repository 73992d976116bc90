//! A model of PostgreSQL: what the real `storage/postgres` connects to, over the real protocol, with the real client.
//!
//! | file | what it is |
//! |---|---|
//! | `tables` | rows, and transactions that are under way |
//! | `statements` | what each statement does |
//! | `server` | a primary, its standby, and what is written, replicated and visible |
//! | `backend` | one connection |
//! | `wire` | the protocol |
//!
//! Deliberately absent: see each file. A statement that is not known ends the run, so that nothing is answered by chance.

mod backend;
mod server;
mod statements;
mod tables;
mod wire;

pub(super) use server::Postgres;
pub(super) use tables::{Changes, Key, Value};
