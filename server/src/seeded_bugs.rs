//! Bugs that tests seed on purpose, to show that the checks catch them. They do not exist outside tests.
//!
//! One switch per thread: the test holds a [`Seeding`] as long as the bug is to be there. The code that has the bug asks
//! [`is_seeded`], so that nothing has to be handed through.

use std::cell::Cell;

macro_rules! bugs {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// A bug that a test can seed.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum SeededBug {
            $($(#[doc = $doc])+ $name,)+
        }

        impl SeededBug {
            /// All of them.
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)+];
        }
    };
}

bugs! {
    /// An event becomes the state, and is published, before it is durable.
    EvolveBeforeCommit,
    /// A deadline is decided without waiting for what was stamped before it.
    FlagWithoutFence,
    /// What is forgiven for the network is forgotten.
    DeadlineWithoutAllowance,
    /// A move is played again on whatever position stands now.
    ReplayAfterTakeback,
    /// A session answers a fence before it has handed over what it read.
    FenceBeforeHandOver,
    /// `ok` is said when the record is on its way to the journal.
    OkBeforeDurable,
    /// The cursor behind a snapshot stands one event too far.
    SnapshotSkipsAnEvent,
    /// Who is more than one event behind is not given the first of them.
    RingOffByOne,
    /// The answers of a game are not found again in its records.
    AnswersOnlyInMemory,
    /// After an unknown outcome the record is appended again, whatever the tail says.
    AppendedAgainAfterUnknown,
    /// A conflict is taken for a success.
    ConflictIgnored,
    /// A turn starts when its record is sent to the journal: the disk is charged to the player.
    TurnStartsBeforeCommit,
    /// The service clock goes on while the process is stopped.
    ClockRunsInAStop,
    /// The move that ends the game earns its increment.
    IncrementOnTheLastMove,
    /// An offer that is answered again is answered again.
    OfferAnsweredTwice,
    /// Only the tab that moved hears of the end.
    SecondTabNotTold,
    /// The time until a game is taken up again is charged to the player to move.
    DowntimeCharged,
    /// A deadline is decided although the clocks have stopped.
    DeadlineAfterTheEnd,
    /// A deadline that passes during an append is decided before what was stamped before it.
    StampsIgnored,
}

impl SeededBug {
    /// The bug of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|bug| format!("{bug:?}") == name)
    }
}

thread_local! {
    static SEEDED: Cell<Option<SeededBug>> = const { Cell::new(None) };
}

/// A bug is seeded on this thread as long as this lives.
#[derive(Debug)]
#[must_use]
pub(crate) struct Seeding(());

impl Seeding {
    /// Plants a bug, or none.
    pub(crate) fn with(bug: impl Into<Option<SeededBug>>) -> Self {
        SEEDED.set(bug.into());
        Self(())
    }
}

impl Drop for Seeding {
    fn drop(&mut self) {
        SEEDED.set(None);
    }
}

/// Whether this bug is seeded on this thread.
pub(crate) fn is_seeded(bug: SeededBug) -> bool {
    SEEDED.get() == Some(bug)
}

/// Whether the service clock goes on while the process is stopped.
pub(crate) fn clock_runs_in_a_stop() -> bool {
    is_seeded(SeededBug::ClockRunsInAStop)
}
