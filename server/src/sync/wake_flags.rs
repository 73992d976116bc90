//! Up to eight flags that wake one task when they are raised.
//!
//! Invariants: raising a flag that is up costs one atomic operation and wakes nobody; whatever is raised after
//! [`WakeFlags::register`] wakes the task that registered last.

use std::sync::atomic::{AtomicU8, Ordering};
use std::task::Waker;

use futures_util::task::AtomicWaker;

/// The flags of one task, one bit each.
#[derive(Debug, Default)]
pub(crate) struct WakeFlags {
    waker: AtomicWaker,
    flags: AtomicU8,
}

impl WakeFlags {
    /// Names the task to wake. To be called at every poll, before [`WakeFlags::take`].
    pub(crate) fn register(&self, waker: &Waker) {
        self.waker.register(waker);
    }

    /// Raises `flag` and wakes the task, unless the flag was up: then a wake is under way.
    pub(crate) fn raise(&self, flag: u8) {
        if self.flags.fetch_or(flag, Ordering::AcqRel) & flag == 0 {
            self.waker.wake();
        }
    }

    /// Raises `flag` and wakes nobody.
    pub(crate) fn raise_silently(&self, flag: u8) {
        self.flags.fetch_or(flag, Ordering::AcqRel);
    }

    /// All flags that are up; those in `lowered` are down afterwards.
    pub(crate) fn take(&self, lowered: u8) -> u8 {
        let flags = self.flags.load(Ordering::Acquire);
        if flags & lowered == 0 { flags } else { self.flags.fetch_and(!lowered, Ordering::AcqRel) }
    }

    /// Whether `flag` is up.
    pub(crate) fn is_up(&self, flag: u8) -> bool {
        self.flags.load(Ordering::Acquire) & flag != 0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;
    use std::task::Wake;

    use super::*;

    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn a_flag_wakes_once_until_it_is_taken() {
        let (flags, wakes) = (WakeFlags::default(), Arc::new(Wakes::default()));
        flags.register(&Waker::from(Arc::clone(&wakes)));
        flags.raise(1);
        flags.raise(1);
        assert_eq!(wakes.0.load(Ordering::SeqCst), 1);
        assert_eq!(flags.take(1), 1);
        assert_eq!(flags.take(1), 0);
        flags.register(&Waker::from(Arc::clone(&wakes)));
        flags.raise(1);
        assert_eq!(wakes.0.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn a_flag_that_is_not_lowered_stays_up() {
        let flags = WakeFlags::default();
        flags.raise_silently(2);
        flags.raise(1);
        assert_eq!(flags.take(1), 3);
        assert_eq!(flags.take(1), 2);
        assert!(flags.is_up(2) && !flags.is_up(1));
    }
}
