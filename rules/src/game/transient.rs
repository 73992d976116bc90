//! Facts that are never recorded: when the turn started, who is present, how long a round trip
//! takes.
//!
//! A server that recovers a game observes them anew. The facts of a turn carry the seq of the event
//! that began it: once a later event begins another turn they no longer count, and need not be
//! cleared. Deliberately absent: what follows from the facts; that is `turn_clock`.

use super::{GameInstant, Micros, Seq};
use crate::board::{ByColor, Color};

/// Something that is true and is not recorded. Its consequences are.
///
/// A server that recovers a game knows only its recorded state. It then observes what the
/// interrupted turn had taken ([`Fact::TurnCarried`]), that the turn goes on
/// ([`Fact::TurnStarted`]), who is absent from then on, and the round trips as they are measured.
/// The allowance of that turn is fixed again at its new start, from the same recorded bank. Where
/// no round trip is measured yet, it is as much as the bank allows, so that nobody is charged more
/// than without the interruption.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// The position is on its way to the player to move: from here the clock runs. Only the first
    /// such fact of a turn counts, until the turn is stopped.
    TurnStarted {
        /// When.
        at: GameInstant,
    },
    /// The running turn was interrupted by a restart after it had taken this long. That counts as
    /// time of the turn, as if the turn had started that much earlier. The last such fact of a turn
    /// counts. However long it is, the turn has 1 µs left when it goes on: the flag falls after the
    /// new start, and a command that is stamped before that still counts.
    TurnCarried {
        /// The time of the turn so far.
        spent: Micros,
    },
    /// The running turn stops: what becomes of its player cannot be known for a while. What it had taken is carried as by
    /// [`Fact::TurnCarried`], until the turn goes on.
    TurnStopped {
        /// Until when it ran. An instant before its start is its start.
        at: GameInstant,
    },
    /// A player has a connection.
    Present {
        /// Which.
        seat: Color,
        /// Since when.
        at: GameInstant,
    },
    /// A player has lost every connection, or has none yet. Until the player is present, only the
    /// first such fact counts.
    Absent {
        /// Which.
        seat: Color,
        /// Since when.
        at: GameInstant,
    },
    /// How long a round trip to a player takes. It decides the allowance from that player's next
    /// turn on.
    RoundTrip {
        /// Which.
        seat: Color,
        /// The smoothed measurement; `None` while there is none. Without one there is no allowance,
        /// except in a turn that was interrupted.
        smoothed: Option<Micros>,
    },
}

/// What was observed. [`Game::observe`](super::Game::observe) is the only writer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transient {
    pub(super) started: Option<TurnStart>,
    pub(super) carried: Option<TurnCarried>,
    pub(super) presence: ByColor<Presence>,
    pub(super) round_trip: ByColor<Option<Micros>>,
}

impl Transient {
    /// Nothing was observed.
    pub(super) const NOTHING: Self = Self {
        started: None,
        carried: None,
        presence: ByColor { white: Presence::NeverObserved, black: Presence::NeverObserved },
        round_trip: ByColor { white: None, black: None },
    };
}

/// When the turn that the event `turn` began was started, and what was fixed then to be forgiven.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnStart {
    pub(super) turn: Seq,
    pub(super) at: GameInstant,
    pub(super) allowance: Micros,
}

/// What the turn that the event `turn` began had taken before it was interrupted.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnCarried {
    pub(super) turn: Seq,
    pub(super) spent: Micros,
}

/// Whether a player has a connection.
#[derive(Clone, Copy, Debug)]
pub(super) enum Presence {
    NeverObserved,
    Here,
    Away { since: GameInstant },
}

impl Presence {
    pub(super) fn away_since(self) -> Option<GameInstant> {
        match self {
            Self::Away { since } => Some(since),
            Self::NeverObserved | Self::Here => None,
        }
    }
}
