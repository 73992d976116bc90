//! How much a half-move costs on the way to a checkmate on a certain square.
//!
//! Guidance only. A best-first search by this cost follows progress for free and tries what costs
//! more only when there is no progress left. It finds long helpmates of many quiet moves, in which
//! no position looks any better than the one before.

use super::goal::{Goal, distances};
use super::setwise_attacks;
use super::static_test::{MateZone, ring};
use crate::board::{Bitboard, Color, Move, Position, Role, bishop_attacks, king_attacks, knight_attacks};

/// A square for checkmate, and the distance of every piece that matters from it.
#[derive(Clone, Debug)]
pub(super) struct PathCost {
    defending_king: Goal,
    /// The distances of the winner's king from the squares where it could guard flight squares.
    attacking_king: [u8; 64],
    knights: [u8; 64],
    /// The distances of bishops from the goal and the squares beside it; `None` for a search in
    /// which neither bishops nor opening the position count as progress.
    bishops: Option<[u8; 64]>,
}

/// What a half-move is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PathStep {
    /// It leads on: it costs nothing, and neither does a quiet move after it.
    Progress,
    /// It changes nothing that this search counts.
    Quiet,
    /// A capture or pawn move by the loser that does not lead on: it uses up material or moves that
    /// a checkmate may need.
    Setback,
}

impl PathCost {
    /// The costs on the way to a checkmate on the square of `goal`.
    pub(super) fn new(goal: Goal, zone: &MateZone, bishops: bool) -> Self {
        let near = setwise_attacks::kings(Bitboard::from_square(goal.square)).with(goal.square);
        let knights = distances(near, Bitboard::EMPTY, knight_attacks);
        let immovable = zone.immovable;
        let bishops = bishops.then(|| distances(near, immovable, |from| bishop_attacks(from, immovable)));
        let guards = ring(goal.square) & zone.attacking_king;
        let attacking_king = distances(guards, !zone.attacking_king, king_attacks);
        Self { defending_king: goal, attacking_king, knights, bishops }
    }

    /// What a legal move is worth in `position`.
    pub(super) fn step(&self, position: &Position, mv: Move, winner: Color) -> PathStep {
        let us = position.side_to_move();
        let Some(piece) = position.piece_at(mv.from) else { return PathStep::Quiet };
        let is_capture = position.is_capture(mv);
        let is_push = piece.role == Role::Pawn && !is_capture;
        let comes_nearer = self.comes_nearer(piece.role, mv, us == winner);
        if us == winner {
            return if is_capture || is_push || comes_nearer { PathStep::Progress } else { PathStep::Quiet };
        }
        let takes_part_of_wall = piece.role == Role::Pawn || position.by_role(Role::Pawn).contains(mv.to);
        let opens =
            self.bishops.is_some() && is_capture && takes_part_of_wall && position.occupied().count() > 5;
        let heavy =
            position.by_role(Role::Pawn) | position.by_role(Role::Rook) | position.by_role(Role::Queen);
        let hems_in = is_push && (position.by_color(winner) & heavy).is_empty();
        if opens || hems_in || comes_nearer {
            PathStep::Progress
        } else if is_capture || is_push {
            PathStep::Setback
        } else {
            PathStep::Quiet
        }
    }

    fn comes_nearer(&self, role: Role, mv: Move, is_winner: bool) -> bool {
        let by = |distances: &[u8; 64]| distances[mv.to.index()] < distances[mv.from.index()];
        match role {
            Role::King if is_winner => by(&self.attacking_king),
            Role::King => by(&self.defending_king.distances),
            Role::Knight => by(&self.knights),
            Role::Bishop => self.bishops.as_ref().is_some_and(by),
            _ => false,
        }
    }
}
