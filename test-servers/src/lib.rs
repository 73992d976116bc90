//! What tests and the load test need that use a real PostgreSQL: databases of their own, servers of their own with
//! standbys, and a pooler.
//!
//! `scripts/with-postgres` starts the server that all tests share, and says in `ZEITNOT_POSTGRES_URL` where it is and in
//! `ZEITNOT_POSTGRES_BIN` where PostgreSQL's programs are. Servers of one's own need neither.
//!
//! Deliberately absent: what a store keeps there. Everything here panics when it fails: it is for tests, and the load test
//! makes an error of it.
#![expect(clippy::unwrap_used, reason = "all of this is test code")]

mod own_server;
mod pooler;
mod test_database;

pub use own_server::OwnServer;
pub use pooler::Pooler;
pub use test_database::{Held, TestDatabase, find_programs, hold, sql, until};
