//! The automatic ends of a game, in the order in which they are tested (docs/laws.md, "After every
//! move").

use super::counters::{quiet_plies_reason, repetition_reason};
use super::winnable::is_dead;
use super::{Outcome, Reason};
use crate::board::Position;

/// The counts at which a profile draws a game without a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AutomaticDraws {
    /// How often a position may stand: 3 (9.2) or 5 (9.6.1).
    pub repetitions: u16,
    /// How many plies may pass without pawn move or capture: 100 (9.3) or 150 (9.6.2).
    pub quiet_plies: u16,
}

/// The end that a game has come to when `position` stands on the board, or `None` while it goes on.
///
/// The first of these that holds: checkmate, stalemate, dead position, repetition, move count.
/// `occurrences` says how often the position has stood, this time included; it is asked only when
/// nothing before it holds.
#[must_use]
#[inline]
pub fn after_move(
    position: &Position,
    occurrences: impl FnOnce() -> u16,
    automatic: AutomaticDraws,
) -> Option<Outcome> {
    if !position.has_legal_move() {
        return Some(if position.in_check() {
            Outcome::win(!position.side_to_move(), Reason::Checkmate)
        } else {
            Outcome::draw(Reason::Stalemate)
        });
    }
    if let Some(proof) = is_dead(position) {
        return Some(Outcome { proof: Some(proof), ..Outcome::draw(Reason::DeadPosition) });
    }
    if occurrences() >= automatic.repetitions {
        return Some(Outcome::draw(repetition_reason(automatic.repetitions)));
    }
    if position.halfmove_clock() >= automatic.quiet_plies {
        return Some(Outcome::draw(quiet_plies_reason(automatic.quiet_plies)));
    }
    None
}
