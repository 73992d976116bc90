//! Whether a side can still checkmate by any series of legal moves (articles 5.1.2, 5.2.2, 6.9).
//!
//! Such a series obeys articles 3.1 to 3.9 only: repetition, counters and clocks are ignored. The answer is sound: "cannot"
//! is said only with a proof, and "can" only with a line that the rules replay to checkmate. Asked in this order: is it over,
//! which moves are forced, what the material allows, where the pieces can ever stand, and an exact search within limits.

mod cloud;
mod fixed;
mod floods;
mod frontier;
mod guard;
mod plans;
mod reach;
mod score;
mod search;
mod visited;

pub use self::guard::{Guard, guard};
use self::search::Found;
use super::{Proof, material};
use crate::board::{Color, Move, Position, Role};

/// How far a question may go.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// How many positions each search may see.
    pub nodes: u32,
    /// Asked now and then: `false` ends the search undecided.
    pub keep_going: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

impl Limits<'_> {
    /// So many positions, and never told to stop.
    #[must_use]
    pub const fn nodes(nodes: u32) -> Self {
        Self { nodes, keep_going: &|| true }
    }
}

/// Whether a side can still checkmate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Winnable {
    /// It can: this line ends with checkmate.
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
        /// How many positions were looked at.
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
    let Some(zone) = fixed::zone(position, color) else {
        return Winnable::CannotMate { proof: Proof::Static };
    };
    let mut seen = 0;
    for (nth, (plan, prunes, nodes)) in plans::plans(position, color, &zone).enumerate() {
        if nth == 3 {
            for roaming in cloud::Roaming::ALL {
                let nodes = limits.nodes.min(50_000);
                if let Some(positions) = cloud::rules_out_mate(position, color, roaming, nodes, limits) {
                    return Winnable::CannotMate { proof: Proof::Exhaustive { positions } };
                }
            }
        }
        match search::search(position, color, &plan, prunes, nodes.min(limits.nodes), limits) {
            Found::Mate(line) => return Winnable::CanMate { line },
            Found::Nothing(positions) => {
                return Winnable::CannotMate { proof: Proof::Exhaustive { positions } };
            }
            Found::Undecided(nodes) => seen += nodes,
        }
    }
    Winnable::Unknown { nodes: seen }
}

/// Whether the position is dead (5.2.2): neither side can checkmate by any series of legal moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dead {
    /// It is, and this proves it: the weaker of the proofs for the two sides.
    Yes(Proof),
    /// A side can checkmate.
    No,
    /// Not decided within the limits, for a side that may still be able to. It counts as not dead.
    Unknown {
        /// How many positions were looked at.
        nodes: u32,
    },
}

/// Whether the position is dead, within `limits` for each side.
#[must_use]
pub fn dead(position: &Position, limits: &Limits<'_>) -> Dead {
    // The side with more to checkmate with is more likely to settle it at once.
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
    9 * count(Role::Queen) + 5 * count(Role::Rook) + 4 * count(Role::Pawn) + count(Role::Bishop) + count(Role::Knight)
}

/// The proof by the material alone that `color` cannot checkmate by any series of legal moves, or `None`.
///
/// Immediate. What is not certain by the material is for [`winnable()`].
#[must_use]
#[inline]
pub fn cannot_checkmate(position: &Position, color: Color) -> Option<Proof> {
    material::cannot_checkmate(position, color).then_some(Proof::Material)
}

/// The proof by the material alone that the position is dead (5.2.2), or `None`.
///
/// Immediate. What is not certain by the material is for [`guard()`] and [`dead()`].
#[must_use]
#[inline]
pub fn is_dead(position: &Position) -> Option<Proof> {
    cannot_checkmate(position, Color::White)?;
    cannot_checkmate(position, Color::Black)
}
