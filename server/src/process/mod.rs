//! The process around a server: its runtime, listening socket, open files, signals, and threads of low priority.
//!
//! Deliberately absent: what a server does when it stops (`server`).

pub mod listener;
mod priority;
mod runtime;
pub mod shutdown;

pub(crate) use priority::lower_priority;
pub use runtime::{raise_file_limit, runtime};
pub(crate) use shutdown::STOP_WITHIN;
