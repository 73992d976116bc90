//! What a series of captures on one square wins: each side takes with its smallest piece, and stops when
//! to go on would lose.
//!
//! Deliberately absent: pins, checks, and everything that happens on other squares. The answer orders
//! moves and leaves bad ones out; no score depends on it alone.

use zeitnot_rules::board::{
    Bitboard, Color, Move, Position, Role, Square, bishop_attacks, king_attacks, knight_attacks,
    pawn_attacks, queen_attacks, rook_attacks,
};

use super::eval::{captured, price};

/// Above every sum of prices on one square: a king is never given.
const KING: i32 = 10_000;

/// What a legal move wins on the square that it goes to, in centipawns; negative when it loses something.
pub(super) fn exchange(position: &Position, mv: Move) -> i32 {
    let us = position.side_to_move();
    if position.by_color(us).contains(mv.to) {
        return 0; // Castling.
    }
    let is_capture = position.is_capture(mv);
    let role = position.piece_at(mv.from).map_or(Role::Pawn, |piece| piece.role);
    let mut won = captured(position, mv.to, is_capture).map_or(0, price);
    let mut occupied = position.occupied().without(mv.from).with(mv.to);
    if is_capture && position.en_passant() == Some(mv.to) && role == Role::Pawn {
        occupied = occupied.without(Square::new(mv.to.file(), mv.from.rank()));
    }
    let arrived = mv.promotion.unwrap_or(role);
    won += mv.promotion.map_or(0, |promoted| price(promoted) - price(Role::Pawn));
    won - Captures { position, square: mv.to }.recapture(!us, occupied, worth(arrived))
}

/// The price of a piece that may be taken.
fn worth(role: Role) -> i32 {
    if role == Role::King { KING } else { price(role) }
}

/// The captures on one square.
struct Captures<'a> {
    position: &'a Position,
    square: Square,
}

impl Captures<'_> {
    /// What `side` wins by taking a piece of this price with its smallest piece; 0 when it better does not.
    fn recapture(&self, side: Color, occupied: Bitboard, price: i32) -> i32 {
        let Some((from, role)) = self.smallest(side, occupied) else { return 0 };
        (price - self.recapture(!side, occupied.without(from), worth(role))).max(0)
    }

    /// The smallest piece of `side` that attacks the square, of those that still stand.
    fn smallest(&self, side: Color, occupied: Bitboard) -> Option<(Square, Role)> {
        let square = self.square;
        let standing = self.position.by_color(side) & occupied;
        Role::ALL.into_iter().find_map(|role| {
            let of_role = standing & self.position.by_role(role);
            if of_role.is_empty() {
                return None;
            }
            let reach = match role {
                Role::Pawn => pawn_attacks(!side, square),
                Role::Knight => knight_attacks(square),
                Role::Bishop => bishop_attacks(square, occupied),
                Role::Rook => rook_attacks(square, occupied),
                Role::Queen => queen_attacks(square, occupied),
                Role::King => king_attacks(square),
            };
            (of_role & reach).first().map(|from| (from, role))
        })
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_rules::game::Variant;
    use zeitnot_rules::notation::{fen, uci};

    use super::*;

    #[track_caller]
    fn wins(text: &str, mv: &str, pieces: &[(i32, Role)]) {
        let position = fen::parse(text).expect("a position");
        let mv = uci::parse(mv, &position, Variant::Standard).expect("a legal move");
        let wanted: i32 = pieces.iter().map(|(times, role)| times * price(*role)).sum();
        assert_eq!(exchange(&position, mv), wanted, "{text}");
    }

    #[test]
    fn a_piece_that_nothing_protects_is_won() {
        wins("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", &[(1, Role::Pawn)]);
        wins("4k3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d5", &[]);
    }

    #[test]
    fn a_piece_that_is_taken_back_is_counted() {
        wins("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", &[(1, Role::Pawn), (-1, Role::Rook)]);
        wins("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "d1d5", &[(1, Role::Knight), (-1, Role::Rook)]);
        // To stand where a pawn takes loses the piece.
        wins("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5", &[(-1, Role::Rook)]);
    }

    #[test]
    fn pieces_behind_others_take_part() {
        // Rook behind rook: two against one.
        wins("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", &[(1, Role::Pawn)]);
        wins("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", &[(1, Role::Pawn), (-1, Role::Rook)]);
        // A bishop behind a pawn.
        wins("4k3/2n5/8/3p4/4P3/5B2/8/4K3 w - - 0 1", "e4d5", &[(1, Role::Pawn)]);
    }

    #[test]
    fn a_king_takes_only_what_is_not_protected() {
        wins("8/8/4k3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", &[(1, Role::Pawn), (-1, Role::Rook)]);
        wins("8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", &[(1, Role::Pawn)]);
    }

    #[test]
    fn en_passant_promotions_and_castling_are_counted() {
        wins("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", &[(1, Role::Pawn)]);
        // The pawn that is taken en passant opens the file for the rook that takes back.
        wins("3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", &[]);
        wins("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", &[(1, Role::Queen), (-1, Role::Pawn)]);
        wins("7r/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", &[(-1, Role::Pawn)]);
        wins("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", &[]);
    }
}
