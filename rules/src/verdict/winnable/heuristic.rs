//! How far a position looks from checkmate when both sides help: lower is nearer.
//!
//! Guidance only: it decides in which order positions are looked at, never what the answer is.

use super::path_cost::PathCost;
use super::relaxation::DistanceTable;
use crate::board::{Bitboard, Color, Position, Role, Square, king_attacks};

/// What a search hopes for.
#[derive(Clone, Debug)]
pub(super) struct Heuristic {
    /// Where the loser's king is to be checkmated, with its distance from every square; anywhere if `None`.
    pub(super) goal: Option<Goal>,
    /// How many half-moves weigh as much as one point.
    pub(super) patience: u32,
    /// What each piece of the loser's besides king and pawns weighs.
    pub(super) extra_pieces: u32,
    /// What each pawn on the board weighs.
    pub(super) pawns: u32,
    /// What it weighs that no piece stands where an enemy pawn could take it, and each pawn that faces another.
    pub(super) walls: u32,
    /// The way for kings and pawns.
    pub(super) distance_table: Option<DistanceTable>,
    /// The cheapest way to a checkmate; where there is one, nothing else of the heuristic counts.
    pub(super) path_cost: Option<Box<PathCost>>,
}

/// A square for checkmate.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub(super) square: Square,
    pub(super) distances: [u8; 64],
}

impl Goal {
    /// The goal on `square` of a king that can only ever stand on `roads`.
    pub(super) fn new(square: Square, roads: Bitboard) -> Self {
        let mut distances = [20; 64];
        let mut frontier = Bitboard::from_square(square);
        let mut seen = frontier;
        for distance in 0..20 {
            for reached in frontier {
                distances[reached.index()] = distance;
            }
            frontier = super::setwise_attacks::kings(frontier) & roads & !seen;
            seen |= frontier;
        }
        Self { square, distances }
    }
}

/// The score of a position that was reached in `depth` half-moves.
pub(super) fn score(position: &Position, winner: Color, depth: u16, heuristic: &Heuristic) -> u8 {
    let loser = !winner;
    let (attacking_king, defending_king) = (position.king(winner), position.king(loser));
    let attacked = position.attacked_by(winner, position.occupied().without(defending_king));
    let mut score = 10 + force(position, winner);
    match &heuristic.goal {
        _ if heuristic.distance_table.is_some() => {
            let distance = heuristic
                .distance_table
                .as_ref()
                .and_then(|distance_table| distance_table.distance(position));
            score += distance.map_or(200, |distance| 3 * u32::from(distance).min(60));
        }
        None => {
            let flights = (king_attacks(defending_king) & !position.by_color(loser) & !attacked).count();
            score += 3 * flights
                + 2 * edge_distance(defending_king)
                + king_distance(attacking_king, defending_king).saturating_sub(2);
        }
        Some(goal) => {
            score += 3 * u32::from(goal.distances[defending_king.index()]);
            let own = position.by_color(loser).without(defending_king);
            for open in king_attacks(goal.square) & !(attacked | own) {
                let by_king = king_distance(attacking_king, open).saturating_sub(1);
                score +=
                    1 + by_king.min(moves_to_block(own & position.by_role(Role::Pawn), own, loser, open));
            }
        }
    }
    score += heuristic.extra_pieces * (position.by_color(loser) & !position.by_role(Role::Pawn)).count();
    score += heuristic.pawns * position.by_role(Role::Pawn).count();
    if heuristic.walls > 0 {
        score += heuristic.walls * closedness(position, winner, attacked);
    }
    if position.side_to_move() == loser && !position.in_check() {
        score += 1;
    }
    score += u32::from(depth) / heuristic.patience;
    score.min(255) as u8
}

/// How far pawns are from taking something and opening the position.
fn closedness(position: &Position, winner: Color, attacked: Bitboard) -> u32 {
    let pawns = |color: Color| position.pieces(color, Role::Pawn);
    let ahead = super::setwise_attacks::push(Color::White, pawns(Color::White)) & pawns(Color::Black);
    let mut closed = 2 * ahead.count();
    for color in Color::ALL {
        let takes = super::setwise_attacks::pawns(color, pawns(color));
        let targets = position.by_color(!color).without(position.king(!color));
        let near =
            if !color == winner { attacked } else { position.attacked_by(!color, position.occupied()) };
        closed += match ((takes & targets).any(), (takes & near & !targets).any()) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
    }
    closed
}

/// How far the loser's pieces are from holding a square: pawns straight ahead, all others guessed.
fn moves_to_block(pawns: Bitboard, pieces: Bitboard, loser: Color, square: Square) -> u32 {
    let behind = Bitboard::from_file(square.file()) & pawns;
    let straight = behind.into_iter().filter_map(|pawn| match loser {
        Color::White => square.rank().index().checked_sub(pawn.rank().index()),
        Color::Black => pawn.rank().index().checked_sub(square.rank().index()),
    });
    let straight = straight.min().map_or(9, |steps| steps as u32);
    let any = if (pieces & !pawns).any() { 3 } else { 9 };
    straight.min(any)
}

/// How far `color` is from the force that mates.
fn force(position: &Position, color: Color) -> u32 {
    let own = position.by_color(color);
    if (own & (position.by_role(Role::Queen) | position.by_role(Role::Rook))).any() {
        return 0;
    }
    let pawns = own & position.by_role(Role::Pawn);
    let minors = (own & (position.by_role(Role::Knight) | position.by_role(Role::Bishop))).count();
    let promotion = pawns.into_iter().map(|pawn| moves_to_promotion(position, color, pawn)).min();
    let by_minors = match minors {
        0 => 60,
        1 => 20,
        _ => 6,
    };
    promotion.unwrap_or(60).min(by_minors)
}

/// Steps to the last rank, pieces on the way counted more than once.
fn moves_to_promotion(position: &Position, color: Color, pawn: Square) -> u32 {
    let file = Bitboard::from_file(pawn.file()).0;
    let (steps, way) = match color {
        Color::White => (7 - pawn.rank().index(), file & !((2 << pawn.index()) - 1)),
        Color::Black => (pawn.rank().index(), file & ((1 << pawn.index()) - 1)),
    };
    let way = Bitboard(way) & position.occupied();
    4 + 2 * steps as u32 + 2 * way.count() + 3 * (way & position.by_role(Role::Pawn)).count()
}

fn edge_distance(square: Square) -> u32 {
    let (file, rank) = (square.file().index() as u32, square.rank().index() as u32);
    file.min(7 - file) + rank.min(7 - rank)
}

pub(super) fn king_distance(a: Square, b: Square) -> u32 {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks) as u32
}
