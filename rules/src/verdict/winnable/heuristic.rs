//! How far a position looks from checkmate when both sides help: lower is nearer.
//!
//! Guidance only: it decides in which order positions are visited, never what the answer is.

use super::goal::Goal;
use super::path_cost::PathCost;
use super::relaxation::DistanceTable;
use super::setwise_attacks;
use crate::board::{Bitboard, Color, Position, Role, Square, king_attacks};

/// What the order of a search depends on: weights, and tables where it has them.
#[derive(Clone, Debug)]
pub(super) struct Heuristic {
    /// Where the loser's king is to be checkmated; anywhere if `None`.
    pub(super) goal: Option<Goal>,
    /// How many half-moves weigh as much as one point.
    pub(super) patience: u32,
    /// The weight of each of the loser's pieces besides king and pawns.
    pub(super) extra_pieces: u32,
    /// The weight of each pawn on the board.
    pub(super) pawns: u32,
    /// The weight of each pair of pawns that block each other, and of every side without a target
    /// for its pawns.
    pub(super) walls: u32,
    /// The distances in the game of kings and pawns alone.
    pub(super) distance_table: Option<DistanceTable>,
    /// The costs on the way to one goal; where there are any, no weight but `patience` counts.
    pub(super) path_cost: Option<Box<PathCost>>,
}

/// The score of a position that was reached in `depth` half-moves.
pub(super) fn score(position: &Position, winner: Color, depth: u16, heuristic: &Heuristic) -> u8 {
    let loser = !winner;
    let (attacking_king, defending_king) = (position.king(winner), position.king(loser));
    let attacked = position.attacked_by(winner, position.occupied().without(defending_king));
    let mut score = 10 + missing_force(position, winner);
    score += match (&heuristic.distance_table, &heuristic.goal) {
        (Some(table), _) => table.distance(position).map_or(200, |distance| 3 * u32::from(distance).min(60)),
        (None, None) => {
            let flights = (king_attacks(defending_king) & !position.by_color(loser) & !attacked).count();
            3 * flights
                + 2 * edge_distance(defending_king)
                + king_distance(attacking_king, defending_king).saturating_sub(2)
        }
        (None, Some(goal)) => distance_to_goal(position, winner, goal, attacked),
    };
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

/// How far the loser's king is from the goal, and how much its flight squares there still need.
fn distance_to_goal(position: &Position, winner: Color, goal: &Goal, attacked: Bitboard) -> u32 {
    let loser = !winner;
    let (attacking_king, defending_king) = (position.king(winner), position.king(loser));
    let own = position.by_color(loser).without(defending_king);
    let mut distance = 3 * u32::from(goal.distances[defending_king.index()]);
    for open in king_attacks(goal.square) & !(attacked | own) {
        let by_king = king_distance(attacking_king, open).saturating_sub(1);
        let by_blocker = moves_to_block(own & position.by_role(Role::Pawn), own, loser, open);
        distance += 1 + by_king.min(by_blocker);
    }
    distance
}

/// How far the pawns are from capturing something and opening the position.
fn closedness(position: &Position, winner: Color, attacked: Bitboard) -> u32 {
    let pawns = |color: Color| position.pieces(color, Role::Pawn);
    let ahead = setwise_attacks::push(Color::White, pawns(Color::White)) & pawns(Color::Black);
    let mut closed = 2 * ahead.count();
    for color in Color::ALL {
        let captures = setwise_attacks::pawns(color, pawns(color));
        let targets = position.by_color(!color).without(position.king(!color));
        let near =
            if !color == winner { attacked } else { position.attacked_by(!color, position.occupied()) };
        closed += match ((captures & targets).any(), (captures & near & !targets).any()) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
    }
    closed
}

/// How far the loser's pieces are from blocking a square: counted for pawns straight ahead, guessed
/// for all others.
fn moves_to_block(pawns: Bitboard, pieces: Bitboard, loser: Color, square: Square) -> u32 {
    let on_file = Bitboard::from_file(square.file()) & pawns;
    let straight = on_file.into_iter().filter_map(|pawn| match loser {
        Color::White => square.rank().index().checked_sub(pawn.rank().index()),
        Color::Black => pawn.rank().index().checked_sub(square.rank().index()),
    });
    let straight = straight.min().map_or(9, |steps| steps as u32);
    let any = if (pieces & !pawns).any() { 3 } else { 9 };
    straight.min(any)
}

/// How far `color` is from the material with which one checkmates.
fn missing_force(position: &Position, color: Color) -> u32 {
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

/// The steps to the last rank, with a surcharge for each piece in the way.
fn moves_to_promotion(position: &Position, color: Color, pawn: Square) -> u32 {
    let file = Bitboard::from_file(pawn.file()).0;
    let (steps, ahead) = match color {
        Color::White => (7 - pawn.rank().index(), file & !((2 << pawn.index()) - 1)),
        Color::Black => (pawn.rank().index(), file & ((1 << pawn.index()) - 1)),
    };
    let in_the_way = Bitboard(ahead) & position.occupied();
    4 + 2 * steps as u32 + 2 * in_the_way.count() + 3 * (in_the_way & position.by_role(Role::Pawn)).count()
}

fn edge_distance(square: Square) -> u32 {
    let (file, rank) = (square.file().index() as u32, square.rank().index() as u32);
    file.min(7 - file) + rank.min(7 - rank)
}

fn king_distance(a: Square, b: Square) -> u32 {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks) as u32
}
