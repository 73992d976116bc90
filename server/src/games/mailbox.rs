//! How sessions reach a game's actor: a bounded queue for the players, and flags for everybody.
//!
//! One small shared object a game: a tokio channel would allocate 32 slots for each of 10,000 idle
//! games. Players' messages keep their order. Spectators have no queue: what they want of the
//! actor (a snapshot, a new count) is the same for all of them, so it is a flag, and no crowd can
//! delay a move.
//!
//! Invariants: at most [`COMMANDS_MAX`] commands and joins wait; answers to fences, leaves, round
//! trips and verdicts are always taken, as there are few of them; a closed mailbox takes nothing;
//! after [`Mailbox::register`] whatever is sent or raised wakes the actor.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::task::Waker;

use crate::connections::SendError;
use crate::sync::{WakeFlags, unpoisoned};

/// The most commands and joins that wait for a game. Two players with eight connections each would
/// have to send 16 commands from each at once.
pub(crate) const COMMANDS_MAX: usize = 256;

/// A drained queue keeps this much room while the game is busy.
const ROOM_KEPT: usize = 4;

const QUEUED: u8 = 1;
const SNAPSHOT_WANTED: u8 = 1 << 1;
const WATCHERS_CHANGED: u8 = 1 << 2;
const STOP: u8 = 1 << 3;
const CLOSED: u8 = 1 << 4;

/// The flags that the actor found raised, and took down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Raised {
    pub(crate) queued: bool,
    pub(crate) snapshot_wanted: bool,
    pub(crate) watchers_changed: bool,
    /// The server stops. It stays up.
    pub(crate) stop: bool,
}

#[derive(Debug)]
struct Queue<T> {
    messages: VecDeque<T>,
    /// How many of them count against [`COMMANDS_MAX`].
    counted: usize,
}

/// The mailbox of one game. `T` is what players' sessions send.
#[derive(Debug)]
pub(crate) struct Mailbox<T> {
    flags: WakeFlags,
    queue: Mutex<Queue<T>>,
}

impl<T> Mailbox<T> {
    pub(crate) fn new() -> Self {
        let queue = Queue { messages: VecDeque::new(), counted: 0 };
        Self { flags: WakeFlags::default(), queue: Mutex::new(queue) }
    }

    fn queue(&self) -> MutexGuard<'_, Queue<T>> {
        unpoisoned(self.queue.lock())
    }

    /// Queues a command or a join.
    pub(crate) fn send(&self, message: T) -> Result<(), SendError> {
        {
            let mut queue = self.queue();
            if self.is_closed() {
                return Err(SendError::Closed);
            }
            if queue.counted >= COMMANDS_MAX {
                return Err(SendError::Full);
            }
            queue.counted += 1;
            queue.messages.push_back(message);
        }
        self.flags.raise(QUEUED);
        Ok(())
    }

    /// Queues what has its place reserved. A closed mailbox needs none of it.
    pub(crate) fn send_reserved(&self, message: T) {
        {
            let mut queue = self.queue();
            if self.is_closed() {
                return;
            }
            queue.messages.push_back(message);
        }
        self.flags.raise(QUEUED);
    }

    pub(crate) fn want_snapshot(&self) {
        self.flags.raise(SNAPSHOT_WANTED);
    }

    pub(crate) fn watchers_changed(&self) {
        self.flags.raise(WATCHERS_CHANGED);
    }

    pub(crate) fn stop(&self) {
        self.flags.raise(STOP);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.flags.is_up(CLOSED)
    }

    /// Names the task to wake. To be called before looking, at every poll.
    pub(crate) fn register(&self, waker: &Waker) {
        self.flags.register(waker);
    }

    /// Takes the flags down and says what they were.
    pub(crate) fn raised(&self) -> Raised {
        let flags = self.flags.take(QUEUED | SNAPSHOT_WANTED | WATCHERS_CHANGED);
        Raised {
            queued: flags & QUEUED != 0,
            snapshot_wanted: flags & SNAPSHOT_WANTED != 0,
            watchers_changed: flags & WATCHERS_CHANGED != 0,
            stop: flags & STOP != 0,
        }
    }

    /// Takes all that waits by swapping it with `empty`, whose room is used again.
    pub(crate) fn take(&self, empty: &mut VecDeque<T>) {
        debug_assert!(empty.is_empty(), "what was taken before is done");
        let mut queue = self.queue();
        std::mem::swap(&mut queue.messages, empty);
        queue.counted = 0;
    }

    /// Gives back the room of a queue that is empty.
    pub(crate) fn trim(&self) {
        let mut queue = self.queue();
        if queue.messages.is_empty() {
            queue.messages = VecDeque::new();
        }
    }

    /// Takes nothing any more, and gives back what waits.
    pub(crate) fn close(&self) -> VecDeque<T> {
        let mut queue = self.queue();
        self.flags.raise_silently(CLOSED);
        std::mem::take(&mut queue.messages)
    }
}

/// The room that a busy actor keeps for its next batch.
pub(crate) fn keep_little<T>(queue: &mut VecDeque<T>) {
    if queue.capacity() > ROOM_KEPT {
        queue.shrink_to(ROOM_KEPT);
    }
}
