//! The client against the whole server, over real loopback sockets.
//!
//! No test sleeps: each waits for what the server says, under a guard that only fires when something is broken. The
//! server runs in this process; where it is killed, it is this test program once more.
#![expect(clippy::unwrap_used, reason = "all of this is test code")]

mod faults;
mod play;
mod process;
mod proxy;
mod server;
mod table;
