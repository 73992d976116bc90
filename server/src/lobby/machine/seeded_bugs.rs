//! Bugs that tests seed in the machine, to show that the checker would catch them.
//!
//! `bug!(Name => …)` is one line in the code that would have the bug, and nothing outside tests.

/// Does something wrong while the named bug is seeded.
macro_rules! bug {
    ($name:ident => $wrong:expr) => {
        #[cfg(test)]
        if $crate::lobby::machine::seeded_bugs::is_seeded(
            $crate::lobby::machine::seeded_bugs::LobbyBug::$name,
        ) {
            $wrong
        }
    };
}
pub(super) use bug;

/// A bug that can be seeded.
#[cfg(test)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LobbyBug {
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
    /// Seeks outlive their owner's last connection.
    SeekOutlivesTheConnection,
    /// A seek that could not be played is open again although it had ended meanwhile.
    SeekReopenedAfterItsEnd,
    /// Games that are being started do not count for the limit.
    StartsNotCounted,
    /// An account may have one challenge more than the limit.
    OneChallengeTooMany,
    /// Challenges stay for ever when their owner does.
    NeverExpires,
}

#[cfg(test)]
thread_local! {
    static SEEDED: std::cell::Cell<Option<LobbyBug>> = const { std::cell::Cell::new(None) };
}

/// Seeds a bug for this thread, or none.
#[cfg(test)]
pub(super) fn seed(bug: Option<LobbyBug>) {
    SEEDED.set(bug);
}

#[cfg(test)]
pub(super) fn is_seeded(bug: LobbyBug) -> bool {
    SEEDED.get() == Some(bug)
}
