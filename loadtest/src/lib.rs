//! Bots and measurements for the Zeitnot server.
//!
//! - [`replay`]: plays the games of a PGN file through a server and compares every message with
//!   what the rules say.
//! - [`mod@bench`]: measures what moves, deliveries, connections and games cost, beside a reference
//!   server.
//! - [`invalid_input`]: sends malformed frames and forbidden commands; each must be answered as
//!   documented.
//! - [`dos`]: slow, silent, unread and flooding connections by the thousand, beside games that must
//!   not suffer.
//! - [`overload`]: twice as much of everything as one core can do; games must go on.
//! - [`pairing`]: bots join the pools of quick pairing; every pairing is checked.
//! - [`programs`]: bots of the Lichess API and of our own protocol in one pool; every reader must show the same games.
//! - [`report`]: what every command records, as a page and as JSON; two runs beside each other.
//! - [`crash`]: kills or pauses the server, fills its disk or cuts its power; every acknowledged
//!   move must survive.
//! - [`cluster`]: three nodes on one PostgreSQL, of which nodes, database and bus are broken in turns; the same holds.
//!
//! Deliberately absent: anything that only our own server could answer. The package depends on the
//! protocol and the rules; only its tests start the server in their own process.
//!
//! Concurrency is kept simple so that the generator stays cheap. The games of a replay, the clients
//! of a crash or cluster test and the bots of `pairing` and `programs` are futures of one task. A bench is one thread with
//! epoll, `dos` is two, `overload` has one more for games in hard positions, and `bench latency` has one more that watches the journal's log.
//! Two threads look on once a second: one draws the bar on the terminal, one samples what servers use.
//! [`stopwatch`] is the only module that reads a clock.
#![deny(missing_docs)]

pub mod account_requests;
pub mod bench;
pub mod client;
pub mod cluster;
pub mod conditions;
pub mod crash;
pub mod dos;
pub mod endpoint;
pub mod invalid_input;
mod long_game;
mod measured_moves;
pub mod overload;
pub mod pairing;
mod player;
mod process;
pub mod programs;
pub mod replay;
pub mod report;
pub mod rng;
mod schedule;
pub mod server_process;
pub mod sign_in_timing;
pub mod stopwatch;
pub mod wire;
