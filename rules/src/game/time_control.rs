//! How much time a game gives: periods, increments and delays, days per move, or no clock at all.
//!
//! A description only. Deliberately absent: how much time is left; counting down is the job of
//! `clock`.
//!
//! Invariant: a [`TimeControl`] that passed [`TimeControl::validate`] has at least one period a
//! side, every number within its stated range, and time for a first move.

use thiserror::Error;

use super::Micros;
use crate::board::{ByColor, Color};

/// The time both sides have.
///
/// ```
/// use zeitnot_rules::board::ByColor;
/// use zeitnot_rules::game::{Bonus, Micros, Period, Speed, TimeControl, TimeControlError};
///
/// let blitz = TimeControl::fischer(Micros::from_secs(180), Micros::from_secs(2));
/// assert_eq!(blitz.speed(), Speed::Blitz);
///
/// // 40 moves in 90 minutes, then 30 minutes for the rest, with 30 s for each move.
/// let bonus = Bonus::Increment(Micros::from_secs(30));
/// let first = Period { moves: Some(40), base: Micros::from_secs(90 * 60), bonus };
/// let second = Period { moves: None, base: Micros::from_secs(30 * 60), bonus };
/// let classical = TimeControl::Clock(ByColor::both(vec![first, second]));
/// assert_eq!(classical.validate(), Ok(()));
///
/// // Every period but the last needs a number of moves.
/// let endless = TimeControl::Clock(ByColor::both(vec![second, first]));
/// assert_eq!(endless.validate(), Err(TimeControlError::Moves));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TimeControl {
    /// No clock: no flag falls, and an absent opponent cannot be claimed against.
    Unlimited,
    /// `days` x 24 h of service time for each move, counted from the opponent's move.
    DaysPerMove {
        /// 1 to [`TimeControl::DAYS_MAX`].
        days: u8,
    },
    /// A clock a side, possibly different for the two.
    Clock(ByColor<Periods>),
}

/// The periods of one side's clock, first to last: 1 to [`TimeControl::PERIODS_MAX`] of them.
pub type Periods = Vec<Period>;

/// One period of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Period {
    /// How many moves the player must make in this period, 1 to [`TimeControl::MOVES_MAX`]. `None`,
    /// in the last period only, means the rest of the game. A last period with a number repeats.
    pub moves: Option<u16>,
    /// The time added when the period begins, 0 to [`TimeControl::BASE_MAX`].
    pub base: Micros,
    /// What each move gives.
    pub bonus: Bonus,
}

/// What a move gives, 0 to [`TimeControl::BONUS_MAX`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bonus {
    /// Nothing.
    None,
    /// Added after each move.
    Increment(Micros),
    /// The clock waits this long before it counts (US delay).
    SimpleDelay(Micros),
    /// What the move took is given back, up to this much.
    Bronstein(Micros),
}

impl Bonus {
    /// The length of the increment or delay, zero for none.
    #[must_use]
    pub const fn amount(self) -> Micros {
        match self {
            Self::None => Micros(0),
            Self::Increment(amount) | Self::SimpleDelay(amount) | Self::Bronstein(amount) => amount,
        }
    }
}

/// How fast a game is (docs/laws.md: by base + 40 x increment or delay in seconds).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Speed {
    /// Under 180 s.
    Bullet,
    /// Under 480 s.
    Blitz,
    /// Under 1,500 s.
    Rapid,
    /// 1,500 s and more.
    Classical,
    /// Days per move, or no clock.
    Correspondence,
}

/// Why a time control cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum TimeControlError {
    /// No period, or more than [`TimeControl::PERIODS_MAX`].
    #[error("a clock has 1 to 8 periods")]
    PeriodCount,
    /// A period before the last has no number of moves, or a number is out of range.
    #[error("every period but the last has 1 to 200 moves")]
    Moves,
    /// The base is over [`TimeControl::BASE_MAX`], or the first move could not be made in time at
    /// all.
    #[error("the base is at most 24 h, and the first period gives some time")]
    Base,
    /// The increment or delay is over [`TimeControl::BONUS_MAX`].
    #[error("the increment or delay is at most 1 h")]
    Bonus,
    /// Days per move out of range.
    #[error("days per move are 1 to 30")]
    Days,
}

impl TimeControl {
    /// The most periods a side.
    pub const PERIODS_MAX: usize = 8;
    /// The most moves in a period.
    pub const MOVES_MAX: u16 = 200;
    /// The longest base of a period.
    pub const BASE_MAX: Micros = Micros::from_secs(24 * 3600);
    /// The longest increment or delay.
    pub const BONUS_MAX: Micros = Micros::from_secs(3600);
    /// The most days per move.
    pub const DAYS_MAX: u8 = 30;

    /// The most a clock can hold: 1,000 h, so that it always fits the wire's u32 milliseconds. Time
    /// beyond that is lost (our choice).
    pub const CLOCK_MAX: Micros = Micros::from_secs(1_000 * 3600);
    /// The number of moves for which the speed of a game is worked out.
    const MOVES_OF_SPEED: u64 = 40;

    /// One period for the whole game, the same for both sides.
    #[must_use]
    pub fn fischer(base: Micros, increment: Micros) -> Self {
        let bonus = if increment == Micros::ZERO { Bonus::None } else { Bonus::Increment(increment) };
        Self::Clock(ByColor::both(vec![Period { moves: None, base, bonus }]))
    }

    /// Whether a game can be played with this time control.
    ///
    /// # Errors
    /// The first number that is out of its range.
    pub fn validate(&self) -> Result<(), TimeControlError> {
        match self {
            Self::Unlimited => Ok(()),
            Self::DaysPerMove { days } if (1..=Self::DAYS_MAX).contains(days) => Ok(()),
            Self::DaysPerMove { .. } => Err(TimeControlError::Days),
            Self::Clock(sides) => Color::ALL.into_iter().try_for_each(|seat| validate_periods(&sides[seat])),
        }
    }

    /// The time `seat` has for its first `moves` moves: every base once, and what each of the moves
    /// gives. `None` without a clock, or with days per move.
    #[must_use]
    pub fn estimate(&self, seat: Color, moves: u64) -> Option<Micros> {
        let Self::Clock(sides) = self else { return None };
        let periods = &sides[seat];
        let bases = periods.iter().fold(Micros::ZERO, |sum, period| sum + period.base);
        let last = periods.last()?;
        let (mut bonuses, mut left) = (Micros::ZERO, moves);
        for period in periods {
            let here = period.moves.map_or(left, u64::from).min(left);
            bonuses += period.bonus.amount().saturating_mul(here);
            left -= here;
        }
        Some(bases + bonuses + last.bonus.amount().saturating_mul(left))
    }

    /// How fast the game is, by the side that has more time if the two differ (our choice).
    #[must_use]
    pub fn speed(&self) -> Speed {
        match self.longest_estimate(Self::MOVES_OF_SPEED) {
            None => Speed::Correspondence,
            Some(time) if time < Micros::from_secs(180) => Speed::Bullet,
            Some(time) if time < Micros::from_secs(480) => Speed::Blitz,
            Some(time) if time < Micros::from_secs(1_500) => Speed::Rapid,
            Some(_) => Speed::Classical,
        }
    }

    /// The time that `seat` is expected to need at most for a whole game of 40 moves.
    pub(super) fn expected_length(&self, seat: Color) -> Option<Micros> {
        self.estimate(seat, Self::MOVES_OF_SPEED)
    }

    /// The estimate for the side that has more time.
    pub(super) fn longest_estimate(&self, moves: u64) -> Option<Micros> {
        self.estimate(Color::White, moves).max(self.estimate(Color::Black, moves))
    }
}

fn validate_periods(periods: &[Period]) -> Result<(), TimeControlError> {
    let Some((last, others)) = periods.split_last() else { return Err(TimeControlError::PeriodCount) };
    if periods.len() > TimeControl::PERIODS_MAX {
        return Err(TimeControlError::PeriodCount);
    }
    let in_range = |moves: u16| (1..=TimeControl::MOVES_MAX).contains(&moves);
    if !others.iter().all(|period| period.moves.is_some_and(in_range)) || !last.moves.is_none_or(in_range) {
        return Err(TimeControlError::Moves);
    }
    if periods[0].base == Micros::ZERO || periods.iter().any(|period| period.base > TimeControl::BASE_MAX) {
        return Err(TimeControlError::Base);
    }
    if periods.iter().any(|period| period.bonus.amount() > TimeControl::BONUS_MAX) {
        return Err(TimeControlError::Bonus);
    }
    Ok(())
}

/// Where a side stands in its periods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PeriodStanding<'a> {
    /// The period's rule.
    pub(super) period: &'a Period,
    /// Which period it is, from 1. A last period that repeats goes on counting.
    pub(super) number: u32,
    /// How many moves it still asks for, the next one included; `None` for the rest of the game.
    pub(super) moves_left: Option<u32>,
    /// Whether it is the last one, for the rest of the game.
    pub(super) is_last: bool,
}

impl<'a> PeriodStanding<'a> {
    /// Where a side stands after it has made `moves` moves. The opponent's moves do not count.
    ///
    /// # Panics
    /// When `periods` is empty: a validated time control has at least one.
    pub(super) fn after(periods: &'a [Period], moves: u32) -> Self {
        let (last, others) =
            periods.split_last().expect("a validated time control has at least one period a side");
        let mut made = moves;
        for (period, number) in others.iter().zip(1..) {
            let asked = period.moves.map_or(u32::MAX, u32::from);
            if made < asked {
                return Self { period, number, moves_left: Some(asked - made), is_last: false };
            }
            made -= asked;
        }
        let number = periods.len() as u32;
        match last.moves.map(u32::from) {
            None => Self { period: last, number, moves_left: None, is_last: true },
            Some(asked) => Self {
                period: last,
                number: number + made / asked,
                moves_left: Some(asked - made % asked),
                is_last: false,
            },
        }
    }
}
