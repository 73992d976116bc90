//! One socket, one session, one task.
//!
//! `logic` says what a connection may do and when, as a plain state machine; `following` keeps its place in each game it
//! plays or watches; `socket` moves bytes; `task` runs them. The rest of the server reaches a session through its
//! [`Outbox`].
//!
//! Deliberately absent: chess, and anything that waits for an actor.

mod buffers;
mod closing;
#[cfg(test)]
mod echo;
mod following;
mod frame_scan;
mod lobby;
mod logic;
mod output;
mod perform;
mod pulse;
mod refusal;
#[cfg(test)]
mod rfc6455;
mod saying;
#[cfg(test)]
pub(crate) mod simulated;
mod socket;
mod task;
mod welcome;

#[cfg(test)]
pub(crate) use echo::spawn as spawn_echo;
pub(crate) use logic::Bounds;
pub(crate) use task::spawn;
