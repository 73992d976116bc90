//! Bots and measurements that speak the protocol as any client would.
//!
//! - [`replay`]: real games through a server, every message compared with what the rules say.
//! - [`mod@bench`]: what moves, deliveries, connections and games cost, beside a reference.
//! - [`abuse`]: bad frames and forbidden commands by the hundred thousand, each answered as documented.
//! - [`siege`]: thousands of connections that are slow, silent, deaf or a flood, beside games that must not notice.
//! - [`pairing`]: bots that join the pools of quick pairing, each pairing judged.
//! - [`crash`]: the server killed, paused, out of disk and after a power cut: every move that was acked is still there.
//!
//! Deliberately absent: anything that only our own server could answer; it depends on the protocol and the rules, never
//! on the server (which its tests start). One stopwatch reads the clock, and no task is spawned: the games of a replay,
//! the clients of a crash test and the bots of a pairing are futures of one task, the benches one thread with epoll, the siege two; what watches the log in `bench pace` is one more.
#![deny(missing_docs)]

pub mod abuse;
pub mod bench;
pub mod client;
pub mod crash;
pub mod endpoint;
mod pace;
pub mod pairing;
mod pinning;
pub mod replay;
pub mod report;
pub mod server_process;
pub mod siege;
pub mod stopwatch;
pub mod wire;
