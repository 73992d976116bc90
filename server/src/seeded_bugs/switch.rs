//! The list of seeded bugs, and the switch that turns one of them on.
//!
//! There is one switch per thread, and a test holds a [`Seeding`] for as long as the bug is to be there.

use std::cell::Cell;

macro_rules! bugs {
    ($($(#[doc = $list_doc:literal])+ $list:ident: { $($(#[doc = $doc:literal])+ $name:ident,)+ })+) => {
        /// A bug that a test can seed.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum SeededBug {
            $($($(#[doc = $doc])+ $name,)+)+
        }

        impl SeededBug {
            $(
                $(#[doc = $list_doc])+
                pub(crate) const $list: &[Self] = &[$(Self::$name,)+];
            )+
        }
    };
}

bugs! {
    /// Those that the simulation finds.
    IN_GAMES: {
        /// An event becomes the state, and is published, before it is durable.
        EvolveBeforeCommit,
        /// A deadline is decided without waiting for what was stamped before it.
        FlagWithoutFence,
        /// Lag compensation is left out.
        DeadlineWithoutAllowance,
        /// A move is played again on whatever position stands now.
        ReplayAfterTakeback,
        /// A session answers a fence before it has handed over what it read.
        FenceBeforeHandOver,
        /// `ok` is sent when the record is on its way to storage.
        OkBeforeDurable,
        /// The cursor after a snapshot stands one event too far.
        SnapshotSkipsAnEvent,
        /// A session that is more than one event behind misses the first of them.
        RingOffByOne,
        /// A recovered game has lost its answers.
        AnswersOnlyInMemory,
        /// After an unknown outcome the record is appended again, whatever the tail says.
        AppendedAgainAfterUnknown,
        /// A conflict counts as a success.
        ConflictIgnored,
        /// A turn is charged for the time between its actor's end and a crash.
        TurnRunsWithoutActor,
        /// The turn of a game at rest stands still.
        TurnStandsAtRest,
        /// A turn starts when its record is sent to storage, so the player pays for the disk.
        TurnStartsBeforeCommit,
        /// The service clock goes on while the process is stopped.
        ClockRunsInAStop,
        /// The move that ends the game earns its increment.
        IncrementOnTheLastMove,
        /// A draw offer can be declined twice.
        OfferAnsweredTwice,
        /// Only the tab that moved is notified of what the command led to.
        SecondTabNotTold,
        /// The downtime before a game is recovered is charged to the player to move.
        DowntimeCharged,
        /// A deadline is decided although the clocks have stopped.
        DeadlineAfterTheEnd,
        /// A deadline that passes during an append is decided before what was stamped before it.
        StampsIgnored,
    }

    /// Those that the lobby's random test finds.
    IN_LOBBY: {
        /// A second account can accept a challenge whose game is being started.
        AcceptedTwice,
        /// A challenge is announced when it is sent to the store.
        AnnouncedBeforeDurable,
        /// The end of a challenge is told when it is sent to the store.
        EndedBeforeDurable,
        /// A request to accept again is forgotten.
        RepeatNotAnswered,
        /// An account is paired although a game of it is being started.
        PairedWhileStarting,
        /// A place in a pool outlives its game.
        PlaceKept,
        /// Seeks outlive their owner's next game.
        SeekOutlivesTheNextGame,
        /// Offers of rematches outlive their owner's next game.
        RematchOutlivesTheNextGame,
        /// Seeks outlive their owner's last connection.
        SeekOutlivesTheConnection,
        /// A seek that could not be played is open again although it had ended meanwhile.
        SeekReopenedAfterItsEnd,
        /// Games that are being started do not count for the limit.
        StartsNotCounted,
        /// An account may have one challenge more than the limit.
        OneChallengeTooMany,
        /// An account may have several challenges to the same account.
        PairFillsTheList,
        /// An account makes challenges as often as it likes.
        RateNotKept,
        /// Games begin however many have begun before.
        StartsWithoutLimit,
        /// A bot waits in a pool of people.
        BotsInPools,
        /// Challenges stay for ever.
        NeverExpires,
        /// A challenge can be accepted after its end, until it is swept.
        AcceptedAfterItsEnd,
        /// A game with clocks begins although the player who offered it is away.
        OwnerNeverAway,
        /// A challenge that was accepted while its owner was away becomes a game although one of the two is away.
        BeginsWhileOneIsAway,
        /// Two of whom one has blocked the other are paired, or accept each other's challenges.
        BlockIgnored,
        /// That a challenge was accepted while its owner was away is told before it is durable.
        AcceptedBeforeDurable,
    }

    /// Those that the random test of links finds.
    IN_LINKS: {
        /// A packet is taken although one before it is missing.
        PacketAcrossGap,
        /// A packet of a link that was closed is taken as one of the next link.
        OldLinkIdTaken,
    }

    /// Those for the simulation of several nodes, beside those of links and mirrors.
    IN_CLUSTER: {
        /// What a transaction was to do counts although its end is not known: games are served before they are claimed.
        ServeBeforeClaim,
        /// What a new connection reads counts before what it shows is known to be replicated.
        ReadBeforeBarrier,
        /// A wait for the standby that was given up is taken for a success.
        WarningTakenForOk,
        /// A row in the place of one that may be in counts as that one, whatever it says.
        RetryWithoutComparing,
        /// A node that was declared dead goes on.
        DeadBootGoesOn,
        /// The lobby of a node that has lost it begins games.
        LobbyWithoutEpoch,
        /// A player who was on a lost node and has another connection loses on time.
        FlagWithLostSecondConnection,
        /// Nodes give up although none reaches the bus.
        AllLostTheBusAndGiveUp,
        /// A command is rejected from a state that may not be the newest.
        RejectedUnconfirmed,
    }

    /// Those that the random test of mirrors finds.
    IN_MIRRORS: {
        /// A command that cannot be known again has no id when it is sent again.
        CommandWithoutIdSentAgain,
    }

    /// Those that the tests of a game on two nodes find.
    ACROSS_NODES: {
        /// A mirror answers a fence without asking its sessions.
        FenceUnaskedAtMirror,
    }
}

impl SeededBug {
    /// The bug of this name, of those that a simulation may find.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let several = [Self::IN_CLUSTER, Self::IN_LINKS, Self::IN_MIRRORS, Self::ACROSS_NODES].concat();
        let all = [Self::IN_GAMES, &several].concat();
        all.iter().copied().find(|bug| format!("{bug:?}") == name)
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
    /// Seeds a bug, or none.
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

/// Seeds each bug, and runs one seed after the other until the checker says what is wrong.
///
/// # Panics
/// When no seed below `seeds` finds a bug.
pub(crate) fn assert_found<T>(bugs: &[SeededBug], seeds: u64, run: impl Fn(u64) -> Result<T, String>) {
    for bug in bugs {
        let seeding = Seeding::with(*bug);
        let found = (0..seeds).find_map(|seed| Some((seed, run(seed).err()?)));
        drop(seeding);
        match found {
            Some((seed, error)) => println!("{bug:?}: seed {seed}: {error}"),
            None => panic!("{bug:?} was not found in {seeds} seeds"),
        }
    }
}

/// Whether this bug is seeded on this thread.
pub(crate) fn is_seeded(bug: SeededBug) -> bool {
    SEEDED.get() == Some(bug)
}
