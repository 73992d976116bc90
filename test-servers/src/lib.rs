//! What tests and the load test need that use a real PostgreSQL or NATS: databases of their own, servers of their own with
//! standbys, a pooler, and NATS servers.
//!
//! `scripts/with-postgres` starts the server that all tests share, and says in `ZEITNOT_POSTGRES_URL` where it is and in
//! `ZEITNOT_POSTGRES_BIN` where PostgreSQL's programs are. Servers of one's own need neither.
//!
//! Deliberately absent: what a store keeps there, and what is said over the bus. Everything here panics when it fails: it is for tests, and the load test
//! makes an error of it.
#![expect(clippy::unwrap_used, reason = "all of this is test code")]

mod nats_server;
mod own_server;
mod pooler;
mod test_database;

pub use nats_server::NatsServer;
pub use own_server::OwnServer;
pub use pooler::Pooler;
pub use test_database::{Held, TestDatabase, find_programs, hold, sql, until};
