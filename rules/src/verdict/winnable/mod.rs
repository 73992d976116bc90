//! Whether a side can still checkmate by any series of legal moves (articles 5.1.2, 5.2.2, 6.9).
//!
//! Such a series obeys articles 3.1 to 3.9 only: repetition, counters and clocks are ignored. The
//! answer is sound: "cannot" is given only with a proof, and "can" only with a series of moves that
//! the rules replay to checkmate. The stages are: is the game over, what the material allows, where
//! the pieces can ever stand, and searches within limits. README.md beside this file explains them.

mod frontier;
mod goal;
mod guard;
mod heuristic;
mod limits;
mod path_cost;
mod reach;
mod relaxation;
mod search;
mod search_schedule;
mod setwise_attacks;
mod static_test;
mod visited;

pub use self::guard::{Guard, guard};
use self::limits::Found;
pub use self::limits::Limits;
use self::relaxation::DistanceTable;
use self::search_schedule::Attempt;
use super::{Proof, material};
use crate::board::{Color, Move, Position, Role};

/// Whether a side can still checkmate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Winnable {
    /// It can: these moves lead to checkmate.
    CanMate {
        /// The moves of both sides; empty when it is checkmate already.
        line: Vec<Move>,
    },
    /// It cannot.
    CannotMate {
        /// Why.
        proof: Proof,
    },
    /// Not decided within the limits.
    Unknown {
        /// How many positions were visited.
        nodes: u32,
    },
}

/// Whether `color` can checkmate by any series of legal moves.
#[must_use]
pub fn winnable(position: &Position, color: Color, limits: &Limits<'_>) -> Winnable {
    if !position.has_legal_move() {
        if position.in_check() && position.side_to_move() != color {
            return Winnable::CanMate { line: Vec::new() };
        }
        return Winnable::CannotMate { proof: Proof::Exhaustive { positions: 1 } };
    }
    if material::cannot_checkmate(position, color) {
        return Winnable::CannotMate { proof: Proof::Material };
    }
    let Some(zone) = static_test::mate_zone(position, color) else {
        return Winnable::CannotMate { proof: Proof::Static };
    };
    search_for(position, color, &zone, limits)
}

/// Makes one attempt after the other until the limit is used up.
fn search_for(
    position: &Position,
    color: Color,
    zone: &static_test::MateZone,
    limits: &Limits<'_>,
) -> Winnable {
    let mut seen = 0;
    for attempt in search_schedule::attempts(position, color, zone) {
        let nodes = attempt.nodes().min(limits.nodes.saturating_sub(seen));
        let found = match &attempt {
            Attempt::Search { heuristic, prunes, .. } => {
                search::search(position, color, heuristic, *prunes, nodes, limits)
            }
            Attempt::Cases { trials } => {
                if static_test::is_hopeless_by_cases(position, color, *trials) {
                    return Winnable::CannotMate { proof: Proof::Static };
                }
                continue;
            }
            Attempt::Guided { .. } => search_guided(position, color, nodes, limits),
            Attempt::Relaxed { abstraction } => {
                relaxation::search(position, color, *abstraction, nodes, limits)
            }
        };
        match found {
            Found::Mate(line) if leads_to_checkmate(position, color, &line) => {
                return Winnable::CanMate { line };
            }
            Found::Mate(_) => debug_assert!(false, "a line that was found is legal and ends with checkmate"),
            Found::Nothing(positions) => {
                return Winnable::CannotMate { proof: Proof::Exhaustive { positions } };
            }
            Found::Undecided(nodes) => seen += nodes,
        }
        if seen >= limits.nodes || !(limits.keep_going)() {
            break;
        }
    }
    Winnable::Unknown { nodes: seen }
}

/// Makes the searches of [`Attempt::Guided`], each with a part of `nodes`.
fn search_guided(position: &Position, color: Color, nodes: u32, limits: &Limits<'_>) -> Found {
    let mut seen = nodes / 4;
    let Some(distance_table) = DistanceTable::new(position, color, seen, limits) else {
        return Found::Undecided(seen);
    };
    for heuristic in search_schedule::guided_searches(&distance_table) {
        match search::search(position, color, &heuristic, false, nodes / 5, limits) {
            Found::Undecided(more) => seen += more,
            found => return found,
        }
    }
    Found::Undecided(seen)
}

/// Whether every move of `line` is legal and the last one is checkmate by `winner`.
fn leads_to_checkmate(position: &Position, winner: Color, line: &[Move]) -> bool {
    let mut position = position.clone();
    line.iter().all(|mv| position.play(*mv).is_ok())
        && position.side_to_move() != winner
        && position.in_check()
        && !position.has_legal_move()
}

/// Whether the position is dead (5.2.2): neither side can checkmate by any series of legal moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dead {
    /// It is, and this proves it: of the proofs for the two sides, the one that took more work.
    Yes(Proof),
    /// A side can checkmate.
    No,
    /// Not decided within the limits for at least one side. It counts as not dead.
    Unknown {
        /// How many positions were visited.
        nodes: u32,
    },
}

/// Whether the position is dead, within `limits` for each side.
#[must_use]
pub fn dead(position: &Position, limits: &Limits<'_>) -> Dead {
    // The side with more material is more likely to settle the question at once.
    let first = if force(position, Color::White) >= force(position, Color::Black) {
        Color::White
    } else {
        Color::Black
    };
    let mut proofs = Vec::with_capacity(2);
    let mut unknown = None;
    for color in [first, !first] {
        match winnable(position, color, limits) {
            Winnable::CanMate { .. } => return Dead::No,
            Winnable::CannotMate { proof } => proofs.push(proof),
            Winnable::Unknown { nodes } => unknown = Some(unknown.unwrap_or(0) + nodes),
        }
    }
    if let Some(nodes) = unknown {
        return Dead::Unknown { nodes };
    }
    proofs.into_iter().reduce(Proof::and).map_or(Dead::No, Dead::Yes)
}

fn force(position: &Position, color: Color) -> u32 {
    let count = |role: Role| position.pieces(color, role).count();
    9 * count(Role::Queen)
        + 5 * count(Role::Rook)
        + 4 * count(Role::Pawn)
        + count(Role::Bishop)
        + count(Role::Knight)
}

/// The proof by the material alone that `color` cannot checkmate by any series of legal moves, or
/// `None`.
///
/// Immediate. What the material does not decide is for [`winnable()`].
#[must_use]
#[inline]
pub fn cannot_checkmate(position: &Position, color: Color) -> Option<Proof> {
    material::cannot_checkmate(position, color).then_some(Proof::Material)
}

/// The proof by the material alone that the position is dead (5.2.2), or `None`.
///
/// Immediate. What the material does not decide is for [`guard()`] and [`dead()`].
#[must_use]
#[inline]
pub fn is_dead(position: &Position) -> Option<Proof> {
    cannot_checkmate(position, Color::White)?;
    cannot_checkmate(position, Color::Black)
}
