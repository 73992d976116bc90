//! From the wire's values to the rules' and back.
//!
//! A value that both sides can express is converted without change, with one exception: a period
//! with an increment or delay of 0 comes back without one, because it gives nothing. A value that
//! only one side can express is a typed error.

use thiserror::Error;
use zeitnot_rules::board;
use zeitnot_rules::game::{
    self, AbsenceWish, Bonus, IlcRule, Micros, Profile, ProfileError, ProfileName, StartError,
    TimeControlError, Variant,
};
use zeitnot_rules::notation::uci;
use zeitnot_rules::verdict::{Outcome, Proof, Reason, Score};

use crate::{
    AdjustmentCause, ByColor, Code, DrawOrWin, GameOptions, OutcomeView, Period, TimeControl, Uci, WireBonus,
    WireCategory, WireColor, WireIlc, WireProfile, WireProof, WireReason, WireScore, WireVariant,
};

/// A time of the rules that the wire cannot express: not in whole milliseconds, or too long for a
/// `u32`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a time of {0:?} is not a whole number of milliseconds below 2^32")]
pub struct NotOnTheWire(pub Micros);

/// Why a time control from the wire cannot be played. The code is `bad_time_control`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TimeControlRejection {
    /// More than one of the three ways in which a move gives time.
    #[error("a period has at most one of increment_ms, delay_ms and bronstein_ms")]
    TwoBonuses,
    /// The rules reject it.
    #[error(transparent)]
    Rules(#[from] TimeControlError),
}

/// Conversions between two enums with the same values.
macro_rules! same {
    ($wire:ident = $rules:ty { $($left:ident = $right:path,)+ }) => {
        impl From<$rules> for $wire {
            fn from(value: $rules) -> Self {
                match value {
                    $($right => Self::$left,)+
                }
            }
        }

        impl From<$wire> for $rules {
            fn from(value: $wire) -> Self {
                match value {
                    $($wire::$left => $right,)+
                }
            }
        }
    };
}

same!(WireColor = board::Color { White = board::Color::White, Black = board::Color::Black, });
same!(WireVariant = Variant { Standard = Variant::Standard, Chess960 = Variant::Chess960, });
same!(WireCategory = game::Category {
    Bullet = game::Category::Bullet,
    Blitz = game::Category::Blitz,
    Rapid = game::Category::Rapid,
    Classical = game::Category::Classical,
    Correspondence = game::Category::Correspondence,
    Chess960 = game::Category::Chess960,
});
same!(DrawOrWin = AbsenceWish { Draw = AbsenceWish::Draw, Win = AbsenceWish::Win, });

impl WireProof {
    /// The proof as the wire has it. The moves of a helpmate begin at `position`, the last position
    /// on the board.
    #[must_use]
    pub fn of(proof: &Proof, position: &board::Position, variant: Variant) -> Self {
        match proof {
            Proof::Material => Self::Material,
            Proof::Static => Self::Static,
            Proof::Exhaustive { positions } => Self::Exhaustive { positions: *positions },
            Proof::Helpmate { line } => {
                let mut position = position.clone();
                let written = line.iter().map(|&mv| {
                    let text = uci::write(mv, &position, variant);
                    position.play_unchecked(mv);
                    Uci::from(text)
                });
                Self::Helpmate(written.collect())
            }
        }
    }
}

same!(WireIlc = IlcRule { Off = IlcRule::Off, FideIii4 = IlcRule::FideIii4, Us14h = IlcRule::Us14H, });
same!(WireProfile = ProfileName {
    FideOnline = ProfileName::FideOnline,
    FideBoard = ProfileName::FideBoard,
    UsChess = ProfileName::UsChess,
    Casual = ProfileName::Casual,
});
same!(WireScore = Score {
    WhiteWins = Score::WhiteWins,
    BlackWins = Score::BlackWins,
    Draw = Score::Draw,
    BothLose = Score::BothLose,
    HalfToWhite = Score::HalfToWhite,
    HalfToBlack = Score::HalfToBlack,
    NoResult = Score::NoResult,
});
same!(WireReason = Reason {
    Checkmate = Reason::Checkmate,
    Resignation = Reason::Resignation,
    Stalemate = Reason::Stalemate,
    DeadPosition = Reason::DeadPosition,
    Agreement = Reason::Agreement,
    FlagFall = Reason::FlagFall,
    ThreefoldRepetition = Reason::ThreefoldRepetition,
    FiftyMoves = Reason::FiftyMoves,
    FivefoldRepetition = Reason::FivefoldRepetition,
    SeventyFiveMoves = Reason::SeventyFiveMoves,
    Abandonment = Reason::Abandonment,
    Aborted = Reason::Aborted,
    FirstMoveLimit = Reason::FirstMoveLimit,
    BothAway = Reason::BothAway,
    Arbiter = Reason::Arbiter,
});

impl<T, U: From<T>> From<board::ByColor<T>> for ByColor<U> {
    fn from(value: board::ByColor<T>) -> Self {
        Self { white: value.white.into(), black: value.black.into() }
    }
}

impl From<game::AdjustmentCause> for AdjustmentCause {
    fn from(cause: game::AdjustmentCause) -> Self {
        match cause {
            game::AdjustmentCause::GiveTime { by } => Self::GiveTime { by: by.into() },
            game::AdjustmentCause::WrongClaim { by } => Self::WrongClaim { by: by.into() },
            game::AdjustmentCause::Arbiter => Self::Arbiter,
        }
    }
}

impl From<AdjustmentCause> for game::AdjustmentCause {
    fn from(cause: AdjustmentCause) -> Self {
        match cause {
            AdjustmentCause::GiveTime { by } => Self::GiveTime { by: by.into() },
            AdjustmentCause::WrongClaim { by } => Self::WrongClaim { by: by.into() },
            AdjustmentCause::Arbiter => Self::Arbiter,
        }
    }
}

impl OutcomeView {
    /// The outcome of a game that ended with `position` on the board.
    #[must_use]
    pub fn of(outcome: &Outcome, position: &board::Position, variant: Variant) -> Self {
        Self {
            score: outcome.score.into(),
            reason: outcome.reason.into(),
            proof: outcome.proof.as_ref().map(|proof| WireProof::of(proof, position, variant)),
            played_out: None,
        }
    }
}

impl From<&Profile> for GameOptions {
    fn from(profile: &Profile) -> Self {
        Self {
            profile: profile.name.into(),
            ilc: profile.ilc.into(),
            no_draw_offer_before_move: u32::from(profile.no_draw_offer_before_move),
        }
    }
}

impl TryFrom<GameOptions> for Profile {
    type Error = ProfileError;

    /// Gives only what [`Profile::validate`] accepts. Whether the rules allow these clocks is
    /// checked by [`GameSetup::validate`](game::GameSetup::validate).
    fn try_from(options: GameOptions) -> Result<Self, ProfileError> {
        let moves =
            u16::try_from(options.no_draw_offer_before_move).map_err(|_| ProfileError::DrawOfferMove)?;
        let profile = Self::named(options.profile.into())
            .with_ilc(options.ilc.into())
            .with_no_draw_offer_before_move(moves);
        profile.validate()?;
        Ok(profile)
    }
}

impl From<TimeControlRejection> for Code {
    fn from(_: TimeControlRejection) -> Self {
        Self::BadTimeControl
    }
}

impl From<ProfileError> for Code {
    fn from(_: ProfileError) -> Self {
        Self::BadOptions
    }
}

impl From<StartError> for Code {
    fn from(error: StartError) -> Self {
        match error {
            StartError::TimeControl(_) => Self::BadTimeControl,
            StartError::Profile(_) | StartError::IlcInBlitz => Self::BadOptions,
            StartError::AlreadyOver(_) | StartError::CastlingNeedsChess960 => Self::BadPosition,
        }
    }
}

fn whole_ms(time: Micros) -> Result<u32, NotOnTheWire> {
    if !time.0.is_multiple_of(1000) {
        return Err(NotOnTheWire(time));
    }
    u32::try_from(time.0 / 1000).map_err(|_| NotOnTheWire(time))
}

fn micros(ms: u32) -> Micros {
    Micros(u64::from(ms) * 1000)
}

impl TryFrom<Bonus> for WireBonus {
    type Error = NotOnTheWire;

    fn try_from(bonus: Bonus) -> Result<Self, NotOnTheWire> {
        let none = Self::default();
        Ok(match bonus {
            Bonus::None => none,
            Bonus::Increment(time) => Self { increment_ms: Some(whole_ms(time)?), ..none },
            Bonus::SimpleDelay(time) => Self { delay_ms: Some(whole_ms(time)?), ..none },
            Bonus::Bronstein(time) => Self { bronstein_ms: Some(whole_ms(time)?), ..none },
        })
    }
}

impl TryFrom<WireBonus> for Bonus {
    type Error = TimeControlRejection;

    fn try_from(bonus: WireBonus) -> Result<Self, TimeControlRejection> {
        Ok(match (bonus.increment_ms, bonus.delay_ms, bonus.bronstein_ms) {
            (None | Some(0), None, None) | (None, Some(0), None) | (None, None, Some(0)) => Self::None,
            (Some(ms), None, None) => Self::Increment(micros(ms)),
            (None, Some(ms), None) => Self::SimpleDelay(micros(ms)),
            (None, None, Some(ms)) => Self::Bronstein(micros(ms)),
            _ => return Err(TimeControlRejection::TwoBonuses),
        })
    }
}

impl TryFrom<game::Period> for Period {
    type Error = NotOnTheWire;

    fn try_from(period: game::Period) -> Result<Self, NotOnTheWire> {
        let WireBonus { increment_ms, delay_ms, bronstein_ms } = period.bonus.try_into()?;
        let base_ms = whole_ms(period.base)?;
        Ok(Self { moves: period.moves.map(u32::from), base_ms, increment_ms, delay_ms, bronstein_ms })
    }
}

impl TryFrom<Period> for game::Period {
    type Error = TimeControlRejection;

    fn try_from(period: Period) -> Result<Self, TimeControlRejection> {
        let Period { moves, base_ms, increment_ms, delay_ms, bronstein_ms } = period;
        let moves = moves.map(u16::try_from).transpose().map_err(|_| TimeControlError::Moves)?;
        let bonus = WireBonus { increment_ms, delay_ms, bronstein_ms }.try_into()?;
        Ok(Self { moves, base: micros(base_ms), bonus })
    }
}

fn to_wire(periods: &[game::Period]) -> Result<Vec<Period>, NotOnTheWire> {
    periods.iter().map(|&period| period.try_into()).collect()
}

fn to_rules(periods: &[Period]) -> Result<Vec<game::Period>, TimeControlRejection> {
    periods.iter().map(|&period| period.try_into()).collect()
}

impl TryFrom<&game::TimeControl> for TimeControl {
    type Error = NotOnTheWire;

    fn try_from(control: &game::TimeControl) -> Result<Self, NotOnTheWire> {
        Ok(match control {
            game::TimeControl::Unlimited => Self::Unlimited,
            game::TimeControl::DaysPerMove { days } => Self::Days { days: u32::from(*days) },
            game::TimeControl::Clock(board::ByColor { white, black }) => {
                let black_periods = if black == white { None } else { Some(to_wire(black)?) };
                Self::Clock { periods: to_wire(white)?, black_periods }
            }
        })
    }
}

impl TryFrom<&TimeControl> for game::TimeControl {
    type Error = TimeControlRejection;

    /// Gives only what [`game::TimeControl::validate`] accepts.
    fn try_from(control: &TimeControl) -> Result<Self, TimeControlRejection> {
        let control = match control {
            TimeControl::Unlimited => Self::Unlimited,
            TimeControl::Days { days } => {
                Self::DaysPerMove { days: u8::try_from(*days).map_err(|_| TimeControlError::Days)? }
            }
            TimeControl::Clock { periods, black_periods } => {
                let white = to_rules(periods)?;
                let black = black_periods.as_deref().map_or_else(|| Ok(white.clone()), to_rules)?;
                Self::Clock(board::ByColor { white, black })
            }
        };
        control.validate()?;
        Ok(control)
    }
}
