//! How much a half-move costs on the way to a checkmate on a certain square.
//!
//! Guidance only. A search that looks at the cheapest ways first goes on as long as it makes progress, for nothing, and only
//! then tries what costs more: it finds long helpmates of many quiet moves, for which no position on the way looks any
//! better than another.

use super::heuristic::Goal;
use super::static_test::MateZone;
use crate::board::{
    Bitboard, Color, Move, Position, Role, Square, bishop_attacks, king_attacks, knight_attacks,
};

/// A square for checkmate, and how far from it everything is.
#[derive(Clone, Debug)]
pub(super) struct PathCost {
    king: Goal,
    /// The distances of the winner's king from where it could guard flight squares.
    attacking_king: [u8; 64],
    knights: [u8; 64],
    /// The distances of bishops from the square and those beside it; `None` where bishops do not count, nor walls.
    bishops: Option<[u8; 64]>,
}

/// What a half-move is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// It leads on and costs nothing, nor does the next one.
    Progress,
    Quiet,
    /// It gives away what the other side's king could be held with.
    Setback,
}

impl PathCost {
    /// The way to a checkmate on the square of `king`, through squares that are not `immovable`.
    pub(super) fn new(king: Goal, zone: &MateZone, bishops: bool) -> Self {
        let near = super::setwise_attacks::kings(Bitboard::from_square(king.square)).with(king.square);
        let knights = distances(near, Bitboard::EMPTY, knight_attacks);
        let immovable = zone.immovable;
        let bishops = bishops.then(|| distances(near, immovable, |from| bishop_attacks(from, immovable)));
        let ring = super::static_test::ring(king.square) & zone.attacking_king;
        let attacking_king = distances(ring, !zone.attacking_king, king_attacks);
        Self { king, attacking_king, knights, bishops }
    }

    /// What a legal move is worth in `position`.
    pub(super) fn step(&self, position: &Position, mv: Move, winner: Color) -> Step {
        let us = position.side_to_move();
        let Some(piece) = position.piece_at(mv.from) else { return Step::Quiet };
        let is_capture = position.is_capture(mv);
        let is_push = piece.role == Role::Pawn && !is_capture;
        let comes_nearer = self.comes_nearer(piece.role, mv, us == winner);
        if us == winner {
            return if is_capture || is_push || comes_nearer { Step::Progress } else { Step::Quiet };
        }
        let wall = piece.role == Role::Pawn || position.by_role(Role::Pawn).contains(mv.to);
        let opens = self.bishops.is_some() && is_capture && wall && position.occupied().count() > 5;
        let heavy =
            position.by_role(Role::Pawn) | position.by_role(Role::Rook) | position.by_role(Role::Queen);
        let hems_in = is_push && (position.by_color(winner) & heavy).is_empty();
        if opens || hems_in || comes_nearer {
            Step::Progress
        } else if is_capture || is_push {
            Step::Setback
        } else {
            Step::Quiet
        }
    }

    fn comes_nearer(&self, role: Role, mv: Move, is_winner: bool) -> bool {
        let by = |distances: &[u8; 64]| distances[mv.to.index()] < distances[mv.from.index()];
        match role {
            Role::King if is_winner => by(&self.attacking_king),
            Role::King => by(&self.king.distances),
            Role::Knight => by(&self.knights),
            Role::Bishop => self.bishops.as_ref().is_some_and(by),
            _ => false,
        }
    }
}

/// How many moves every square is from `goals` for a piece that does not stand on `closed` squares.
fn distances(goals: Bitboard, closed: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> [u8; 64] {
    let mut distances = [u8::MAX; 64];
    let (mut frontier, mut seen) = (goals, goals);
    for distance in 0..u8::MAX {
        if frontier.is_empty() {
            break;
        }
        frontier.into_iter().for_each(|square| distances[square.index()] = distance);
        let next = frontier.into_iter().fold(Bitboard::EMPTY, |next, square| next | attacks(square));
        frontier = next & !closed & !seen;
        seen |= frontier;
    }
    distances
}
