//! The two primitives that sessions, actors and crowds wait and lock with.
//!
//! [`WakeFlags`] wakes one task and says why; [`unpoisoned`] takes a lock although a thread panicked
//! in it. Deliberately absent: queues, which belong to the modules that bound them.

mod wake_flags;

use std::sync::LockResult;

pub(crate) use wake_flags::WakeFlags;

/// The guard of a lock, also after a panic in a critical section.
///
/// Every critical section of this crate is a handful of statements that change their data in one step, so a panic in
/// one leaves the data whole. The panic itself is reported where it is caught.
pub(crate) fn unpoisoned<G>(result: LockResult<G>) -> G {
    result.unwrap_or_else(std::sync::PoisonError::into_inner)
}
