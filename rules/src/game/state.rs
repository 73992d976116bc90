//! A match: its recorded state, its transient state, and what can be asked of both.
//!
//! Nothing is decided or changed here. Recorded state is what `evolve` makes of the events.
//! Transient state is what `observe` was given, and is lost in a restart.

use std::sync::Arc;

use super::move_history::MoveHistory;
use super::offers::Offers;
use super::time_control::Bonus;
use super::transient::Transient;
use super::{
    ClaimRule, DrawOffer, GameInstant, GameSetup, Micros, PlayedMove, Seq, TakebackOffer, TimeControl,
    Variant,
};
use crate::board::{ByColor, Color, Move, Position};
use crate::verdict::{CLAIM_QUIET_PLIES, CLAIM_REPETITIONS, Outcome, Reason};

/// A match.
///
/// The [module](crate::game) has an example of a move with clocks. Here a player resigns: the event
/// stops the clocks, and the answer to the open question ends the game.
///
/// ```
/// use zeitnot_rules::board::{ByColor, Color};
/// use zeitnot_rules::game::{Command, Game, GameInstant, GameSetup, Input, Profile, TimeControl};
/// use zeitnot_rules::verdict::{Limits, Score};
///
/// let players = ByColor { white: 1, black: 2 };
/// let setup = GameSetup::casual(players, TimeControl::Unlimited, Profile::fide_online(), 0);
/// let mut game = Game::replay(&Game::start(&setup)?);
///
/// let resign = Input::Player { seat: Color::White, command: Command::Resign };
/// for event in game.decide(GameInstant::START, &resign)? {
///     game.evolve(&event);
/// }
/// let question = game.question().expect("can Black still checkmate?");
///
/// let answer = question.answer(&Limits::nodes(100_000));
/// let input = Input::Answer { about: question.about, outcome: answer.outcome };
/// for event in game.decide(GameInstant::START, &input)? {
///     game.evolve(&event);
/// }
/// assert_eq!(game.outcome().map(|outcome| outcome.score), Some(Score::BlackWins));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) recorded: Recorded,
    pub(super) transient: Transient,
}

/// What the events of a match add up to: equal for the live and the replayed game, in every field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    pub(super) setup: Arc<GameSetup>,
    /// The last event.
    pub(super) seq: Seq,
    /// The event that made the position on the board.
    pub(super) on: Seq,
    /// The event since which the running turn is uncharged: a move, a takeback, a remedy, or the
    /// start.
    pub(super) turn: Seq,
    pub(super) position: Position,
    pub(super) history: MoveHistory,
    /// `None` in a game without clocks.
    pub(super) clocks: Option<Clocks>,
    pub(super) offers: Offers,
    /// The position (its `on`) on which a draw was last claimed.
    pub(super) claimed_on: Option<Seq>,
    /// The move with which a draw was rightly claimed.
    pub(super) claimed_move: Option<Move>,
    pub(super) stage: Stage,
}

/// The stage of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// It is being played.
    Playing,
    /// The clocks have stopped and the verdict is missing.
    Stopped {
        /// The event that stopped them.
        about: Seq,
        why: Stop,
    },
    /// It has ended.
    Ended(Outcome),
}

/// What stopped the clocks before the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    FlagFall { seat: Color },
    Resignation { seat: Color },
    AbsenceClaim { by: Color },
}

/// The recorded part of the clocks. With days per move `remaining` is what the side to move, or
/// next to move, has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clocks {
    /// As of the start of the running turn's uncharged part.
    pub(super) remaining: ByColor<Micros>,
    /// The lag bank of each side: what is left to forgive for the network.
    pub(super) bank: ByColor<Micros>,
    /// For how many periods each side has been given the base. Never falls, so that a takeback
    /// gives no base twice.
    pub(super) periods_begun: ByColor<u32>,
    /// How much time each side has given away.
    pub(super) given: ByColor<Micros>,
    /// What each move gives since a remedy for insufficient losing chances, in place of the time
    /// control.
    pub(super) remedy: Option<ByColor<Bonus>>,
}

/// Reading the recorded state.
impl Game {
    /// Everything the events add up to, for comparison.
    #[must_use]
    pub fn recorded(&self) -> &Recorded {
        &self.recorded
    }

    /// What the game started from. It never changes, so others may share it.
    #[must_use]
    pub fn setup(&self) -> &Arc<GameSetup> {
        &self.recorded.setup
    }

    /// Standard or Chess960.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.setup().variant
    }

    /// The position on the board.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.recorded.position
    }

    /// The side to move, also in a game that is over.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.position().side_to_move()
    }

    /// The seq of the last event.
    #[must_use]
    pub fn seq(&self) -> Seq {
        self.recorded.seq
    }

    /// The seq of the event that made the position on the board: the `on` of a move or a claim.
    #[must_use]
    pub fn position_seq(&self) -> Seq {
        self.recorded.on
    }

    /// How many half-moves stand on the board.
    #[must_use]
    pub fn ply_count(&self) -> u32 {
        self.recorded.history.len()
    }

    /// The half-moves on the board from the `from`-th on; 1 is the first.
    pub fn moves_from(&self, from: u32) -> impl Iterator<Item = PlayedMove> + '_ {
        let first = self.setup().start.side_to_move();
        self.recorded.history.played(from, first, self.start_clocks())
    }

    /// The half-moves on the board.
    pub fn moves(&self) -> impl Iterator<Item = PlayedMove> + '_ {
        self.moves_from(1)
    }

    /// How often the position on the board has stood, this time included (9.2.3).
    #[must_use]
    pub fn occurrences(&self) -> u16 {
        self.recorded.history.occurrences_of_last(self.position(), &self.setup().start)
    }

    /// How many moves `seat` has made that stand on the board.
    #[must_use]
    pub fn moves_of(&self, seat: Color) -> u32 {
        self.moves_made(seat, self.ply_count())
    }

    /// Whether both sides have made a move that stands on the board.
    #[must_use]
    pub fn both_have_moved(&self) -> bool {
        self.ply_count() >= 2
    }

    /// Whether the game takes no more commands: it has ended, or its clocks have stopped for a
    /// verdict.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.recorded.stage != Stage::Playing
    }

    /// Whether the game has ended: no event follows.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.outcome().is_some()
    }

    /// The intended move of the claim that ended the game in a draw. It is not played.
    #[must_use]
    pub fn claimed_move(&self) -> Option<Move> {
        self.recorded.claimed_move
    }

    /// How the game ended.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.recorded.stage {
            Stage::Ended(outcome) => Some(outcome),
            Stage::Playing | Stage::Stopped { .. } => None,
        }
    }

    /// The open draw offer, also one that came with a wrong claim or with insufficient losing
    /// chances.
    #[must_use]
    pub fn open_draw_offer(&self) -> Option<DrawOffer> {
        self.offers().draw
    }

    /// How many half-moves stood on the board when each side last offered a draw, if it has.
    #[must_use]
    pub fn draw_offered_at(&self) -> ByColor<Option<u32>> {
        self.offers().draw_at
    }

    /// The open takeback offer.
    #[must_use]
    pub fn open_takeback(&self) -> Option<TakebackOffer> {
        self.offers().takeback
    }

    /// Whether a player may abort now: the profile allows it, and not both sides have moved.
    #[must_use]
    pub fn may_abort(&self) -> bool {
        !self.is_over() && self.setup().profile.soft_start && !self.both_have_moved()
    }

    /// The draw that the side to move can claim on the position on the board (9.2, 9.3), if the
    /// profile has such a claim. A claim that was already made in this position is ignored.
    #[must_use]
    pub fn claimable_draw(&self) -> Option<Reason> {
        if self.is_over() {
            return None;
        }
        self.claim_on_board()
    }

    /// What each move gives since a remedy for insufficient losing chances.
    #[must_use]
    pub fn remedy(&self) -> Option<ByColor<Bonus>> {
        self.recorded.clocks?.remedy
    }

    /// Both clocks as recorded: as of the start of the running turn, or as they stopped. `None`
    /// without clocks.
    #[must_use]
    pub fn clocks(&self) -> Option<ByColor<Micros>> {
        Some(self.recorded.clocks?.remaining)
    }
}

impl Game {
    pub(super) fn offers(&self) -> &Offers {
        &self.recorded.offers
    }

    /// How many of the first `plies` half-moves `seat` makes.
    pub(super) fn moves_made(&self, seat: Color, plies: u32) -> u32 {
        if seat == self.setup().start.side_to_move() { plies.div_ceil(2) } else { plies / 2 }
    }

    pub(super) fn claim_on_board(&self) -> Option<Reason> {
        let profile = &self.setup().profile;
        let knows = |claim: ClaimRule| claim != ClaimRule::None;
        if knows(profile.repetition.claim) && self.occurrences() >= CLAIM_REPETITIONS {
            return Some(Reason::ThreefoldRepetition);
        }
        let quiet = self.position().halfmove_clock() >= CLAIM_QUIET_PLIES;
        (knows(profile.quiet_plies.claim) && quiet).then_some(Reason::FiftyMoves)
    }

    /// The clocks before the first move.
    pub(super) fn start_clocks(&self) -> Option<ByColor<Micros>> {
        match &self.setup().time_control {
            TimeControl::Unlimited => None,
            TimeControl::DaysPerMove { days } => Some(ByColor::both(days_per_move(*days))),
            TimeControl::Clock(sides) => Some(ByColor::from_fn(|seat| sides[seat][0].base)),
        }
    }

    /// Whether the clocks are real-time clocks.
    pub(super) fn has_real_time(&self) -> bool {
        matches!(self.setup().time_control, TimeControl::Clock(_))
    }

    /// When `seat` may claim against its absent opponent; `None` if the profile has no such claim
    /// or the opponent is present.
    #[must_use]
    pub fn absence_claimable_at(&self, seat: Color) -> Option<GameInstant> {
        let grace = self.absence_grace()?;
        Some(self.away_since(!seat)? + grace)
    }
}

/// The time for a move of a game with days per move.
pub(super) fn days_per_move(days: u8) -> Micros {
    Micros::from_secs(u64::from(days) * 24 * 3600)
}
