//! The queue of one session, and the flags that wake its task.
//!
//! One shared object a session, a few hundred bytes while idle: a tokio channel would allocate 32 slots for each idle
//! connection. The [`Inbox`] belongs to the session's task; games, lobby and [`Connections`](super::Connections) hold
//! [`Outbox`]es.
//!
//! Invariants: at most [`QUEUE_MAX`] messages wait; a sender that finds the queue full marks the session as overflowed,
//! and the session closes its socket with "come back" instead of losing a message silently; whatever happens after
//! [`Inbox::register`] wakes the task.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Waker;

use super::ToSession;
use crate::sync::{WakeFlags, unpoisoned};

/// The most messages that wait for one session. A player's game sends three or four a turn, so a session that is
/// this far behind has stopped reading.
pub const QUEUE_MAX: usize = 256;

/// A drained queue keeps this much room, so that the common turn allocates nothing.
const ROOM_KEPT: usize = 8;

const NOTIFIED: u8 = 1;
const QUEUED: u8 = 1 << 1;
const STOP: u8 = 1 << 2;
const OVERFLOWED: u8 = 1 << 3;
const CLOSED: u8 = 1 << 4;

#[derive(Debug, Default)]
struct Shared {
    flags: WakeFlags,
    queue: Mutex<VecDeque<ToSession>>,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, VecDeque<ToSession>> {
        unpoisoned(self.queue.lock())
    }
}

/// Why a message was not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendError {
    /// Too many wait: the session closes its socket with "come back".
    Full,
    /// The task that takes them has ended.
    Closed,
}

/// The sending side. Clones reach the same session.
#[derive(Clone, Debug)]
pub struct Outbox(Arc<Shared>);

impl PartialEq for Outbox {
    /// Whether both reach the same session.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Outbox {
    /// Queues a message and wakes the session.
    ///
    /// # Errors
    /// When the queue is full or the session has ended. Nothing was queued then.
    pub fn try_send(&self, message: ToSession) -> Result<(), SendError> {
        if self.is_closed() {
            return Err(SendError::Closed);
        }
        {
            let mut queue = self.0.queue();
            if queue.len() >= QUEUE_MAX {
                drop(queue);
                self.0.flags.raise(OVERFLOWED);
                return Err(SendError::Full);
            }
            queue.push_back(message);
        }
        self.0.flags.raise(QUEUED);
        Ok(())
    }

    /// Says that something the session subscribes to is new. Notifying it again before it looked costs one atomic
    /// operation.
    pub fn notify(&self) {
        self.0.flags.raise(NOTIFIED);
    }

    /// Asks the session to close its socket because the server stops.
    pub fn stop(&self) {
        self.0.flags.raise(STOP);
    }

    /// Whether the session has ended.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.0.flags.is_up(CLOSED)
    }
}

/// Why a session was woken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signals {
    /// Something the session subscribes to is new.
    pub notified: bool,
    /// Messages are queued.
    pub queued: bool,
    /// The server stops.
    pub stop: bool,
    /// A message did not fit: the socket must be closed.
    pub overflowed: bool,
}

/// The receiving side. Dropping it ends the session for all senders.
#[derive(Debug, Default)]
pub struct Inbox(Arc<Shared>);

impl Inbox {
    /// A new sending side.
    #[must_use]
    pub fn outbox(&self) -> Outbox {
        Outbox(Arc::clone(&self.0))
    }

    /// Names the task to wake. To be called before looking, at every poll.
    pub fn register(&self, waker: &Waker) {
        self.0.flags.register(waker);
    }

    /// Why the task was woken since it last asked. `stop` and `overflowed` are told again and again.
    #[must_use]
    pub fn signals(&self) -> Signals {
        let flags = self.0.flags.take(NOTIFIED | QUEUED);
        Signals {
            notified: flags & NOTIFIED != 0,
            queued: flags & QUEUED != 0,
            stop: flags & STOP != 0,
            overflowed: flags & OVERFLOWED != 0,
        }
    }

    /// The oldest message.
    #[must_use]
    pub fn pop(&self) -> Option<ToSession> {
        let mut queue = self.0.queue();
        let message = queue.pop_front();
        if queue.is_empty() && queue.capacity() > ROOM_KEPT {
            *queue = VecDeque::new();
        }
        message
    }

    /// Says that messages were left in the queue on purpose: the next [`Inbox::signals`] reports them again.
    pub fn keep_queued(&self) {
        self.0.flags.raise_silently(QUEUED);
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        self.0.flags.raise_silently(CLOSED);
        self.0.queue().clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    use super::*;

    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn message(n: u32) -> ToSession {
        ToSession::Text(n.to_string().into())
    }

    fn number(message: &ToSession) -> u32 {
        let ToSession::Text(text) = message else { panic!("{message:?}") };
        text.parse().unwrap()
    }

    fn listening() -> (Inbox, Outbox, Arc<Wakes>) {
        let (inbox, wakes) = (Inbox::default(), Arc::new(Wakes::default()));
        inbox.register(&Waker::from(Arc::clone(&wakes)));
        let outbox = inbox.outbox();
        (inbox, outbox, wakes)
    }

    #[test]
    fn messages_come_in_order_and_wake_once() {
        let (inbox, outbox, wakes) = listening();
        for n in 0..3 {
            outbox.try_send(message(n)).unwrap();
        }
        assert_eq!(wakes.0.load(Ordering::SeqCst), 1);
        assert!(inbox.signals().queued);
        assert_eq!(
            std::iter::from_fn(|| inbox.pop()).map(|message| number(&message)).collect::<Vec<_>>(),
            [0, 1, 2]
        );
        assert!(!inbox.signals().queued);
    }

    #[test]
    fn a_second_notification_wakes_only_after_the_first_was_taken() {
        let (inbox, outbox, wakes) = listening();
        outbox.notify();
        outbox.notify();
        assert_eq!(wakes.0.load(Ordering::SeqCst), 1);
        assert!(inbox.signals().notified);
        let again = Arc::new(Wakes::default());
        inbox.register(&Waker::from(Arc::clone(&again)));
        outbox.notify();
        assert_eq!(again.0.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_full_queue_rejects_and_tells_the_session() {
        let (inbox, outbox, _) = listening();
        for n in 0..QUEUE_MAX {
            outbox.try_send(message(n as u32)).unwrap();
        }
        assert_eq!(outbox.try_send(message(0)), Err(SendError::Full));
        assert!(inbox.signals().overflowed);
        assert!(inbox.signals().overflowed, "an overflow is not forgotten");
    }

    #[test]
    fn an_ended_session_takes_nothing() {
        let (inbox, outbox, _) = listening();
        drop(inbox);
        assert!(outbox.is_closed());
        assert_eq!(outbox.try_send(message(1)), Err(SendError::Closed));
    }

    #[test]
    fn stop_stays_up_and_what_was_left_is_reported_again() {
        let (inbox, outbox, _) = listening();
        outbox.try_send(message(1)).unwrap();
        outbox.stop();
        assert!(inbox.signals().stop && inbox.signals().stop);
        assert!(!inbox.signals().queued);
        inbox.keep_queued();
        assert!(inbox.signals().queued);
    }

    #[test]
    fn a_drained_queue_gives_its_memory_back() {
        let (inbox, outbox, _) = listening();
        for n in 0..100 {
            outbox.try_send(message(n)).unwrap();
        }
        while inbox.pop().is_some() {}
        assert!(inbox.0.queue().capacity() <= ROOM_KEPT);
    }
}
