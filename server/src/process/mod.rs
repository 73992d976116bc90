//! The process around a server: its runtime, listening socket, open files, signals, threads of low priority, what it
//! uses of the machine, and its end when it cannot go on.
//!
//! Deliberately absent: what a server does when it stops (`server`).

mod clock_sync;
mod core_share;
mod end;
pub mod listener;
mod priority;
mod runtime;
pub mod shutdown;
mod usage;

pub(crate) use clock_sync::is_clock_synchronised;
pub(crate) use core_share::CoreShare;
pub(crate) use end::end;
pub use end::try_to_say;
pub(crate) use priority::{Priority, lower_priority};
pub use runtime::{raise_file_limit, runtime};
pub(crate) use shutdown::{DRAIN_WITHIN, STOP_WITHIN};
pub(crate) use usage::{kib_of, usage};
