//! The running turn and other facts that are never recorded: when it started, who is there, how long a round trip takes.
//!
//! Whoever takes a game up again observes them anew. A turn's facts belong to the event that began it: when a later event
//! begins another turn they count no more, without being cleared.

use super::state::{Stage, days_per_move};
use super::time_control::Bonus;
use super::{Game, GameInstant, Micros, Seq, TimeControl, clock, lag};
use crate::board::{ByColor, Color};

/// The longest time for a side's first move where a profile has a soft start. It holds where there is a real-time clock:
/// with days per move the days run from the start, and without a clock there is no limit (ours).
const FIRST_MOVE_LIMIT: Micros = Micros::from_secs(30);

/// Something that is true now and is not recorded. Its consequences are.
///
/// Who takes a game up again knows its recorded state only and observes: what the interrupted turn had taken
/// ([`Fact::TurnCarried`]), that it goes on ([`Fact::TurnStarted`]), who is away from now on, and the round trips as they
/// are measured. What is forgiven in that turn is fixed anew at its new start, from the same recorded bank: as much as that
/// allows where no round trip is measured yet, so that nobody is charged more than without the interruption.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// The position is on its way to the player to move: from here the clock runs. Only the first one of a turn counts.
    TurnStarted {
        /// When.
        at: GameInstant,
    },
    /// The running turn was interrupted by a restart, and had taken this long before: it counts as time of the turn, as
    /// if the turn had started that much earlier. The last one of a turn counts. However much it is, the turn has 1 µs left
    /// when it goes on: its flag falls after its start, and what is stamped before that still stands.
    TurnCarried {
        /// The time of the turn so far.
        spent: Micros,
    },
    /// A player has a connection.
    Present {
        /// Which.
        seat: Color,
        /// Since when.
        at: GameInstant,
    },
    /// A player has no connection any more, or none yet. While it stays so, only the first one counts.
    Absent {
        /// Which.
        seat: Color,
        /// Since when.
        at: GameInstant,
    },
    /// How long a round trip to a player takes. Counts from that player's next turn on for what is forgiven.
    RoundTrip {
        /// Which.
        seat: Color,
        /// The smoothed measurement; `None` while there is none, which forgives nothing but in a turn that was interrupted.
        smoothed: Option<Micros>,
    },
}

/// What was observed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transient {
    started: Option<TurnStart>,
    carried: Option<TurnCarried>,
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

#[derive(Clone, Copy, Debug)]
struct TurnStart {
    turn: Seq,
    at: GameInstant,
    allowance: Micros,
}

#[derive(Clone, Copy, Debug)]
struct TurnCarried {
    turn: Seq,
    spent: Micros,
}

/// Whether a player is there.
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

/// How the running turn is timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Timing {
    /// No clock.
    None,
    /// A side's first move in a soft start: the clock stands, and the move has a limit of its own.
    FirstMove,
    /// Days per move.
    Days(Micros),
    /// A running clock with what the move gives.
    Clock(Bonus),
}

impl Game {
    /// The only writer of transient state.
    pub fn observe(&mut self, fact: Fact) {
        let turn = self.recorded.turn;
        match fact {
            Fact::TurnStarted { at } if self.awaits_turn_start() => {
                let allowance = self.allowance_now();
                self.transient.started = Some(TurnStart { turn, at, allowance });
            }
            Fact::TurnStarted { .. } => {}
            Fact::TurnCarried { spent } => self.transient.carried = Some(TurnCarried { turn, spent }),
            Fact::Present { seat, .. } => self.transient.presence[seat] = Presence::Here,
            Fact::Absent { seat, at } => {
                if self.transient.presence[seat].away_since().is_none() {
                    self.transient.presence[seat] = Presence::Away { since: at };
                }
            }
            Fact::RoundTrip { seat, smoothed } => self.transient.round_trip[seat] = smoothed,
        }
    }

    /// Whether a turn waits for its [`Fact::TurnStarted`]: until then no clock runs and nothing is due.
    #[must_use]
    pub fn awaits_turn_start(&self) -> bool {
        !self.is_over() && self.turn_start().is_none()
    }

    /// The next instant at which [`Input::Deadline`](super::Input::Deadline) has something to do: the flag of the side to
    /// move falls, or its first move is late. `None` without a clock, before the turn has started, and when the game is
    /// over.
    #[must_use]
    pub fn deadline(&self) -> Option<GameInstant> {
        if self.is_over() {
            return None;
        }
        let start = self.turn_start()?;
        Some(start.at + self.turn_limit(start.allowance)?.saturating_sub(self.carried(start.allowance)))
    }

    /// Whose clock is running: `None` without clocks, before the turn has started, during a first move that the clock
    /// does not count, and when the game is over.
    #[must_use]
    pub fn running(&self) -> Option<Color> {
        if self.is_over() || self.turn_start().is_none() {
            return None;
        }
        match self.timing() {
            Timing::Days(_) | Timing::Clock(_) => Some(self.turn()),
            Timing::None | Timing::FirstMove => None,
        }
    }

    /// Both clocks as they are shown at `at`; 0 only for a flag that has fallen or is about to. `None` without clocks.
    #[must_use]
    pub fn clocks_at(&self, at: GameInstant) -> Option<ByColor<Micros>> {
        let mut clocks = self.clocks()?;
        if self.recorded.stage == Stage::Playing {
            let seat = self.turn();
            clocks[seat] = self.left(clocks[seat], self.spent_until(at).counted());
        }
        Some(clocks)
    }

    /// What the side to move has left after `counted`, with nothing earned.
    pub(super) fn left(&self, remaining: Micros, counted: Micros) -> Micros {
        match self.timing() {
            Timing::None | Timing::FirstMove => remaining,
            Timing::Days(_) => clock::left(remaining, Bonus::None, counted),
            Timing::Clock(bonus) => clock::left(remaining, bonus, counted),
        }
    }

    /// What the running turn has taken until `at`, and how much of it is forgiven. Nothing before it has started.
    pub(super) fn spent_until(&self, at: GameInstant) -> clock::Spent {
        match self.turn_start() {
            None => clock::Spent::new(self.carried(Micros::ZERO), Micros::ZERO),
            Some(start) => {
                let took = self.carried(start.allowance) + at.since(start.at);
                clock::Spent::new(took, start.allowance)
            }
        }
    }

    /// What the running turn may take until its deadline, allowance included. `None` without a limit.
    pub(super) fn turn_limit(&self, allowance: Micros) -> Option<Micros> {
        let remaining = self.clocks()?[self.turn()];
        match self.timing() {
            Timing::None => None,
            Timing::FirstMove => Some(FIRST_MOVE_LIMIT),
            Timing::Days(_) => Some(remaining),
            Timing::Clock(bonus) => Some(clock::flag_after(remaining, bonus, allowance)),
        }
    }

    /// What was fixed at the start of the running turn to be forgiven; nothing before it has started.
    pub(super) fn allowance(&self) -> Micros {
        self.turn_start().map_or(Micros::ZERO, |start| start.allowance)
    }

    /// How the running turn is timed.
    pub(super) fn timing(&self) -> Timing {
        let seat = self.turn();
        match &self.setup().time_control {
            TimeControl::Unlimited => Timing::None,
            TimeControl::DaysPerMove { days } => Timing::Days(days_per_move(*days)),
            TimeControl::Clock(_) if self.setup().profile.soft_start && self.moves_of(seat) == 0 => {
                Timing::FirstMove
            }
            TimeControl::Clock(_) => Timing::Clock(self.bonus(seat)),
        }
    }

    fn turn_start(&self) -> Option<TurnStart> {
        self.transient.started.filter(|start| start.turn == self.recorded.turn)
    }

    fn turn_carried(&self) -> Option<TurnCarried> {
        self.transient.carried.filter(|carried| carried.turn == self.recorded.turn)
    }

    /// What the turn had taken before it was interrupted, but less than it may take. A command may be stamped before the
    /// turn goes on, and so before the flag, whatever was carried: it must find a clock that runs.
    fn carried(&self, allowance: Micros) -> Micros {
        let Some(TurnCarried { spent, .. }) = self.turn_carried() else { return Micros::ZERO };
        self.turn_limit(allowance).map_or(spent, |limit| spent.min(limit.saturating_sub(Micros(1))))
    }

    fn allowance_now(&self) -> Micros {
        match (self.timing(), &self.recorded.clocks) {
            (Timing::Clock(_), Some(clocks)) => {
                let seat = self.turn();
                // Of a turn that was interrupted the allowance is not known any more: never too little is forgiven.
                let unknown = self.turn_carried().map(|_| lag::ALLOWANCE_MAX);
                lag::allowance(clocks.bank[seat], self.transient.round_trip[seat].or(unknown))
            }
            (Timing::None | Timing::FirstMove | Timing::Days(_), _) | (Timing::Clock(_), None) => {
                Micros::ZERO
            }
        }
    }
}
