//! How the rest of the server reaches a session: a bounded queue, a bell and a stop flag that wake one task.
//!
//! One shared object a session, a few hundred bytes at rest: a tokio channel would allocate 32 slots for each idle
//! connection. The [`Inbox`] belongs to the session task; [`Outbox`]es are what games, lobby and directory hold.
//!
//! Invariants: a queue never holds more than [`QUEUE_MAX`] messages; a sender that finds it full marks the session
//! as overflowed, and the session closes its socket with "come back" instead of losing a message silently. Whatever
//! happens after [`Inbox::register`] wakes the task.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use futures_util::task::AtomicWaker;

/// The most messages that wait for one session. A player's game sends three or four a turn, so a session that is
/// this far behind has stopped reading.
pub const QUEUE_MAX: usize = 256;

/// A drained queue keeps this much room, so that the common turn allocates nothing.
const ROOM_KEPT: usize = 8;

const RUNG: u8 = 1;
const QUEUED: u8 = 1 << 1;
const STOP: u8 = 1 << 2;
const OVERFLOWED: u8 = 1 << 3;
const CLOSED: u8 = 1 << 4;

#[derive(Debug)]
struct Shared<T> {
    waker: AtomicWaker,
    flags: AtomicU8,
    queue: Mutex<VecDeque<T>>,
}

impl<T> Shared<T> {
    /// A panic while the lock was held cannot leave the queue half changed: every critical section is one call.
    fn queue(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets `flag` and wakes the task unless it was set already: then a wake is under way.
    fn raise(&self, flag: u8) {
        if self.flags.fetch_or(flag, Ordering::AcqRel) & flag == 0 {
            self.waker.wake();
        }
    }
}

/// Why a message was not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendError {
    /// The queue is full; the session will close its socket.
    Full,
    /// The session has ended.
    Closed,
}

/// The sending side. Clones reach the same session.
#[derive(Debug)]
pub struct Outbox<T>(Arc<Shared<T>>);

impl<T> Clone for Outbox<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> PartialEq for Outbox<T> {
    /// Whether both reach the same session.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Outbox<T> {
    /// Queues a message and wakes the session.
    ///
    /// # Errors
    /// When the queue is full or the session has ended. Nothing was queued then.
    pub fn try_send(&self, message: T) -> Result<(), SendError> {
        if self.is_closed() {
            return Err(SendError::Closed);
        }
        {
            let mut queue = self.0.queue();
            if queue.len() >= QUEUE_MAX {
                drop(queue);
                self.0.raise(OVERFLOWED);
                return Err(SendError::Full);
            }
            queue.push_back(message);
        }
        self.0.raise(QUEUED);
        Ok(())
    }

    /// Says that a feed the session follows has something new. Ringing again before the session looked costs one
    /// atomic operation.
    pub fn ring(&self) {
        self.0.raise(RUNG);
    }

    /// Asks the session to close its socket because the server stops.
    pub fn stop(&self) {
        self.0.raise(STOP);
    }

    /// Whether the session has ended.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.0.flags.load(Ordering::Acquire) & CLOSED != 0
    }
}

/// What there is to look at since the session last looked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct News {
    /// A followed feed has something new.
    pub rung: bool,
    /// Messages are queued.
    pub queued: bool,
    /// The server stops.
    pub stop: bool,
    /// A message did not fit: the socket must be closed.
    pub overflowed: bool,
}

/// The receiving side. Dropping it ends the session for all senders.
#[derive(Debug)]
pub struct Inbox<T>(Arc<Shared<T>>);

impl<T> Default for Inbox<T> {
    fn default() -> Self {
        Self(Arc::new(Shared {
            waker: AtomicWaker::new(),
            flags: AtomicU8::new(0),
            queue: Mutex::new(VecDeque::new()),
        }))
    }
}

impl<T> Inbox<T> {
    /// A new sending side.
    #[must_use]
    pub fn outbox(&self) -> Outbox<T> {
        Outbox(Arc::clone(&self.0))
    }

    /// Names the task to wake. To be called before looking, at every poll.
    pub fn register(&self, waker: &Waker) {
        self.0.waker.register(waker);
    }

    /// Takes the flags down and says what they were. `stop` and `overflowed` stay up.
    #[must_use]
    pub fn news(&self) -> News {
        let mut flags = self.0.flags.load(Ordering::Acquire);
        if flags & (RUNG | QUEUED) != 0 {
            flags = self.0.flags.fetch_and(!(RUNG | QUEUED), Ordering::AcqRel);
        }
        News {
            rung: flags & RUNG != 0,
            queued: flags & QUEUED != 0,
            stop: flags & STOP != 0,
            overflowed: flags & OVERFLOWED != 0,
        }
    }

    /// The oldest message.
    #[must_use]
    pub fn pop(&self) -> Option<T> {
        let mut queue = self.0.queue();
        let message = queue.pop_front();
        if queue.is_empty() && queue.capacity() > ROOM_KEPT {
            *queue = VecDeque::new();
        }
        message
    }

    /// Says that messages were left in the queue on purpose: the next [`Inbox::news`] reports them again.
    pub fn keep_queued(&self) {
        self.0.flags.fetch_or(QUEUED, Ordering::AcqRel);
    }
}

impl<T> Drop for Inbox<T> {
    fn drop(&mut self) {
        self.0.flags.fetch_or(CLOSED, Ordering::AcqRel);
        self.0.queue().clear();
    }
}

#[cfg(test)]
mod tests {
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

    fn listening() -> (Inbox<u32>, Outbox<u32>, Arc<Wakes>) {
        let (inbox, wakes) = (Inbox::default(), Arc::new(Wakes::default()));
        inbox.register(&Waker::from(Arc::clone(&wakes)));
        let outbox = inbox.outbox();
        (inbox, outbox, wakes)
    }

    #[test]
    fn messages_come_in_order_and_wake_once() {
        let (inbox, outbox, wakes) = listening();
        for n in 0..3 {
            outbox.try_send(n).unwrap();
        }
        assert_eq!(wakes.0.load(Ordering::SeqCst), 1);
        assert!(inbox.news().queued);
        assert_eq!(std::iter::from_fn(|| inbox.pop()).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(!inbox.news().queued);
    }

    #[test]
    fn a_bell_rung_again_wakes_only_after_it_was_heard() {
        let (inbox, outbox, wakes) = listening();
        outbox.ring();
        outbox.ring();
        assert_eq!(wakes.0.load(Ordering::SeqCst), 1);
        assert!(inbox.news().rung);
        let again = Arc::new(Wakes::default());
        inbox.register(&Waker::from(Arc::clone(&again)));
        outbox.ring();
        assert_eq!(again.0.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_full_queue_refuses_and_says_so_to_the_session() {
        let (inbox, outbox, _) = listening();
        for n in 0..QUEUE_MAX {
            outbox.try_send(n as u32).unwrap();
        }
        assert_eq!(outbox.try_send(0), Err(SendError::Full));
        assert!(inbox.news().overflowed);
        assert!(inbox.news().overflowed, "an overflow is not forgotten");
    }

    #[test]
    fn an_ended_session_takes_nothing() {
        let (inbox, outbox, _) = listening();
        drop(inbox);
        assert!(outbox.is_closed());
        assert_eq!(outbox.try_send(1), Err(SendError::Closed));
    }

    #[test]
    fn stop_stays_up_and_what_was_left_is_reported_again() {
        let (inbox, outbox, _) = listening();
        outbox.try_send(1).unwrap();
        outbox.stop();
        assert!(inbox.news().stop && inbox.news().stop);
        assert!(!inbox.news().queued);
        inbox.keep_queued();
        assert!(inbox.news().queued);
    }

    #[test]
    fn a_drained_queue_gives_its_memory_back() {
        let (inbox, outbox, _) = listening();
        for n in 0..100 {
            outbox.try_send(n).unwrap();
        }
        while inbox.pop().is_some() {}
        assert!(inbox.0.queue().capacity() <= ROOM_KEPT);
    }
}
