//! How far a position looks from checkmate when both sides help: lower is nearer.
//!
//! Guidance only: it decides in which order positions are looked at, never what the answer is.

use crate::board::{Bitboard, Color, Position, Role, Square, king_attacks};

/// What a search hopes for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taste {
    /// A queen or rook and a king with little room.
    Hunt,
    /// The same, but shorter ways first.
    Broad,
}

/// The score of a position that was reached in `depth` half-moves.
pub(super) fn score(position: &Position, winner: Color, depth: u16, taste: Taste) -> u8 {
    let loser = !winner;
    let (hunter, prey) = (position.king(winner), position.king(loser));
    let attacked = position.attacked_by(winner, position.occupied().without(prey));
    let flights = (king_attacks(prey) & !position.by_color(loser) & !attacked).count();
    let mut score = 20 + 3 * flights + 2 * edge_distance(prey) + king_distance(hunter, prey).saturating_sub(2);
    score += force(position, winner);
    score += (position.by_color(loser) & !position.by_role(Role::Pawn)).count();
    if position.side_to_move() == loser && !position.in_check() {
        score += 1;
    }
    score += match taste {
        Taste::Hunt => u32::from(depth) / 8,
        Taste::Broad => u32::from(depth),
    };
    score.min(255) as u8
}

/// How far `color` is from the force that mates.
fn force(position: &Position, color: Color) -> u32 {
    let own = position.by_color(color);
    if (own & (position.by_role(Role::Queen) | position.by_role(Role::Rook))).any() {
        return 0;
    }
    let pawns = own & position.by_role(Role::Pawn);
    let minors = (own & (position.by_role(Role::Knight) | position.by_role(Role::Bishop))).count();
    let promotion = pawns.into_iter().map(|pawn| way_to_promotion(position, color, pawn)).min();
    let by_minors = match minors {
        0 => 60,
        1 => 20,
        _ => 6,
    };
    promotion.unwrap_or(60).min(by_minors)
}

/// Steps to the last rank, pieces on the way counted more than once.
fn way_to_promotion(position: &Position, color: Color, pawn: Square) -> u32 {
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

fn king_distance(a: Square, b: Square) -> u32 {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks) as u32
}
