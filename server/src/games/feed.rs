//! A game's public events as frames: the last of them, shared by everybody who follows the game.
//!
//! A session holds a cursor, the seq that it has written last, and pulls what came after it. A
//! cursor that fell out of the ring takes a snapshot and goes on after it. The actor is the only
//! writer and does not know the readers.
//!
//! Deliberately absent: waking the readers, and older events, which come from storage.
//!
//! Invariants: the ring holds consecutive events up to the head, at most [`RING_FRAMES`] and about
//! [`RING_BYTES`]; a clock reading is given out only when it belongs to the head; the ring goes on
//! after every snapshot that is given out.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

use zeitnot_rules::game::Seq;

use super::ClockReading;
use crate::connections::{Frame, FrameRing};
use crate::seeded_bugs::bug;
use crate::sync::unpoisoned;

/// The most frames kept. A reader that is further behind gets a snapshot, which is smaller.
const RING_FRAMES: usize = 32;
/// The most frames kept while only the players follow: they are notified of each event, so they are
/// hardly ever behind.
const RING_FRAMES_OF_PLAYERS: usize = 4;
/// The most bytes kept, but for one frame, which is always kept while the game is busy.
const RING_BYTES: usize = 16 * 1024;

/// The public events of one game.
#[derive(Debug)]
pub struct Feed {
    /// The seq of the last event published, for a look without the lock.
    head: AtomicU32,
    /// How often a clock began to run without an event.
    clock_starts: AtomicU32,
    closed: AtomicBool,
    comes_back: AtomicBool,
    has_chat: AtomicBool,
    /// The published number of spectators, and in the upper half how often it was published.
    watchers: AtomicU64,
    /// What the end has done to ratings.
    rated: OnceLock<Frame>,
    ring: Mutex<Ring>,
}

#[derive(Debug)]
struct Ring {
    events: FrameRing,
    face: ClockReading,
    /// A snapshot that a spectator asked for, as long as the ring goes on after it.
    snapshot: Option<Frame>,
}

impl Ring {
    fn drop_useless_snapshot(&mut self) {
        let first = self.events.first();
        self.snapshot.take_if(|snapshot| snapshot.seq() + 1 < first);
    }
}

/// What a pull came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pull {
    /// There is nothing new.
    UpToDate,
    /// Every frame after the cursor was handed over.
    Frames {
        /// The cursor now.
        cursor: Seq,
        /// Whether a `clock` is due, and what it shows.
        clock: ClockDue,
    },
    /// The cursor fell out of the ring: a snapshot, or for an exact tail the journal, goes on.
    Fell,
}

/// Whether a session has to write `clock` after the frames it pulled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockDue {
    /// It need not.
    No,
    /// It has to, with this.
    Now(ClockReading),
    /// It has to, but the turn is just being started: ask again with `wants_clock` at the next
    /// wake, which is near.
    Later,
}

/// How many watch, as last published.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WatcherCount {
    /// Which publication this is: a session that has written it waits for another one.
    pub version: u32,
    /// Connections that watch, players not counted.
    pub count: u32,
}

impl Feed {
    /// The feed of a game that stands after event `head`. That event and earlier ones are not in
    /// the ring.
    pub(super) fn new(head: Seq, face: ClockReading) -> Self {
        let ring = Ring { events: FrameRing::after_head(head), face, snapshot: None };
        Self {
            head: AtomicU32::new(head),
            clock_starts: AtomicU32::new(0),
            closed: AtomicBool::new(false),
            comes_back: AtomicBool::new(false),
            has_chat: AtomicBool::new(false),
            watchers: AtomicU64::new(0),
            rated: OnceLock::new(),
            ring: Mutex::new(ring),
        }
    }

    /// A panic while the lock was held cannot leave the ring inconsistent for readers: the actor
    /// that panicked closes the feed.
    fn ring(&self) -> MutexGuard<'_, Ring> {
        unpoisoned(self.ring.lock())
    }

    /// The seq of the last event published.
    pub fn head(&self) -> Seq {
        self.head.load(Ordering::Acquire)
    }

    /// Hands every frame after `cursor` to `each`, in order, under a short lock: `each` copies
    /// bytes and does nothing else. With `wants_clock` the clocks come along, also when there is
    /// nothing new.
    pub fn pull(&self, cursor: Seq, wants_clock: bool, mut each: impl FnMut(&Frame)) -> Pull {
        if !wants_clock && cursor >= self.head() {
            return Pull::UpToDate;
        }
        let ring = self.ring();
        // A tail from the journal may be ahead of the feed by the record that is just being
        // published.
        let head = ring.events.head();
        if cursor > head {
            return Pull::UpToDate;
        }
        if cursor + 1 < ring.events.first() {
            return Pull::Fell;
        }
        let mut clock_due = wants_clock;
        bug!(RingOffByOne => let cursor = cursor + Seq::from(cursor + 1 < head));
        for frame in ring.events.after(cursor) {
            each(frame);
            clock_due |= frame.clock_follows();
        }
        let clock = match clock_due {
            false => ClockDue::No,
            true if ring.face.seq == head => ClockDue::Now(ring.face),
            true => ClockDue::Later,
        };
        Pull::Frames { cursor: head, clock }
    }

    /// A snapshot after which the ring goes on, if there is one.
    pub(super) fn snapshot(&self) -> Option<Frame> {
        self.ring().snapshot.clone()
    }

    /// The clocks, as long as they belong to the last event published.
    pub(crate) fn clock(&self) -> Option<ClockReading> {
        let ring = self.ring();
        Some(ring.face).filter(|face| face.seq == ring.events.head())
    }

    /// How often a clock began to run without an event. A session writes `clock` whenever this
    /// number has changed.
    pub fn clock_starts(&self) -> u32 {
        self.clock_starts.load(Ordering::Acquire)
    }

    /// How many watch, as last published.
    pub fn watchers(&self) -> WatcherCount {
        let packed = self.watchers.load(Ordering::Acquire);
        WatcherCount { version: (packed >> 32) as u32, count: packed as u32 }
    }

    /// What the end of the game has done to ratings, once that is known. Whoever finds it here finds the end in the ring.
    pub fn rated(&self) -> Option<&Frame> {
        self.rated.get()
    }

    /// Whether the feed is closed: the game ended a while ago, or must be recovered.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Whether the game of a closed feed goes on in another one, after its recovery.
    pub fn comes_back(&self) -> bool {
        self.comes_back.load(Ordering::Acquire)
    }

    /// Whether the game has a chat: see [`Games::chat`](super::Games::chat).
    pub fn has_chat(&self) -> bool {
        self.has_chat.load(Ordering::Acquire)
    }

    /// The game has a chat. Whether it had none before.
    pub(super) fn open_chat(&self) -> bool {
        !self.has_chat.swap(true, Ordering::AcqRel)
    }

    /// Adds the frame of the next event. `is_watched` says whether others than the players follow.
    pub(super) fn publish(&self, frame: Frame, is_watched: bool) {
        let mut ring = self.ring();
        ring.events.push(frame, if is_watched { RING_FRAMES } else { RING_FRAMES_OF_PLAYERS }, RING_BYTES);
        ring.drop_useless_snapshot();
        self.head.store(ring.events.head(), Ordering::Release);
    }

    /// Goes on after event `head`, without those in between.
    pub(super) fn skip_to(&self, head: Seq) {
        let mut ring = self.ring();
        ring.events = FrameRing::after_head(head);
        ring.drop_useless_snapshot();
        self.head.store(head, Ordering::Release);
    }

    /// The clocks after the last event published.
    pub(super) fn set_clock(&self, face: ClockReading) {
        self.ring().face = face;
    }

    /// The frame of what the end has done to ratings. It comes once.
    pub(super) fn set_rated(&self, frame: Frame) {
        // A second one would say the same.
        self.rated.get_or_init(|| frame);
    }

    /// A clock began to run without an event. The clocks are set.
    pub(super) fn clock_started(&self) {
        self.clock_starts.fetch_add(1, Ordering::AcqRel);
    }

    /// Keeps a snapshot for all who ask.
    pub(super) fn keep_snapshot(&self, snapshot: Frame) {
        let mut ring = self.ring();
        ring.snapshot = Some(snapshot);
        ring.drop_useless_snapshot();
    }

    /// Publishes the number of spectators.
    pub(super) fn publish_watchers(&self, count: u32) {
        let version = self.watchers().version.wrapping_add(1);
        self.watchers.store(u64::from(version) << 32 | u64::from(count), Ordering::Release);
    }

    /// Gives back the memory of frames that nobody has asked for in a while: the game is at rest.
    pub(super) fn trim(&self) {
        let mut ring = self.ring();
        ring.events.clear();
        ring.snapshot = None;
    }

    /// Nothing comes any more.
    pub(super) fn close(&self, comes_back: bool) {
        self.comes_back.store(comes_back, Ordering::Release);
        self.closed.store(true, Ordering::Release);
    }
}
