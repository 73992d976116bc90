//! The process around a server: its runtime, listening socket, open files, and signals.
//!
//! Deliberately absent: what a server does when it stops (`server`).

pub mod listener;
mod runtime;
pub mod shutdown;

pub use runtime::{raise_file_limit, runtime};
pub(crate) use shutdown::STOP_WITHIN;
