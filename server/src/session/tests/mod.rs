//! Tests of sessions, and what tests elsewhere run them with.
//!
//! `machine` tests the state machine alone; `lag` what lag compensation forgives; `rfc6455` sends bytes to an `echo` over TCP; `simulated` is a session without a
//! socket, which the simulation and the tests of games drive.

pub(super) mod echo;
mod lag;
mod machine;
mod rfc6455;
pub(crate) mod simulated;
