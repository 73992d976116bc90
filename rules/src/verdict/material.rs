//! What the remaining material allows.
//!
//! Only certain answers are given: "cannot" means that no position with this material, or with any
//! that can arise from it, is a checkmate. Everything else is left open.

use crate::board::{Bitboard, Color, Position, Role};

/// The dark squares, a1 among them.
const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

/// Whether `color` can never checkmate, whatever both sides play, because of the material alone.
///
/// - A bare king cannot checkmate.
/// - A king and one knight need an enemy piece that blocks a flight square and cannot capture the
///   knight: a pawn, a knight, a bishop or a rook. A queen beside her king always can capture it.
/// - A king and bishops on squares of one colour need an enemy piece that blocks a flight square of
///   the other colour and can neither capture the bishop nor step between: a pawn (also for what it
///   may become), a knight, or a bishop on the other colour. Rooks and queens always can. Two such
///   bishops that give check at once are left open: no move leads to that, but a game could start
///   there.
#[inline]
pub(super) fn cannot_checkmate(position: &Position, color: Color) -> bool {
    let strong = position.by_role(Role::Pawn) | position.by_role(Role::Rook) | position.by_role(Role::Queen);
    if (position.by_color(color) & strong).any() {
        return false;
    }
    lacks_material(position, color)
}

fn lacks_material(position: &Position, color: Color) -> bool {
    let knights = position.pieces(color, Role::Knight);
    let bishops = position.pieces(color, Role::Bishop);
    let theirs = |role: Role| position.pieces(!color, role);
    if knights.any() {
        let blockers = theirs(Role::Pawn) | theirs(Role::Knight) | theirs(Role::Bishop) | theirs(Role::Rook);
        return bishops.is_empty() && !knights.more_than_one() && blockers.is_empty();
    }
    if bishops.any() {
        let all_bishops = bishops | theirs(Role::Bishop);
        let one_colour = (all_bishops & DARK).is_empty() || (all_bishops & !DARK).is_empty();
        return one_colour
            && !position.checkers().more_than_one()
            && (theirs(Role::Pawn) | theirs(Role::Knight)).is_empty();
    }
    true
}

/// Whether the pieces of `color` beside its king are exactly one bishop or one knight, or none at
/// all.
pub(super) fn has_at_most_a_minor_piece(position: &Position, color: Color) -> bool {
    let pieces = position.by_color(color).without(position.king(color));
    let minor = position.by_role(Role::Bishop) | position.by_role(Role::Knight);
    !pieces.more_than_one() && (pieces & !minor).is_empty()
}

/// Whether the pieces of `color` beside its king are exactly two knights.
pub(super) fn has_only_two_knights(position: &Position, color: Color) -> bool {
    let pieces = position.by_color(color).without(position.king(color));
    pieces.count() == 2 && (pieces & !position.by_role(Role::Knight)).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    #[test]
    fn a1_is_dark_and_h1_is_light() {
        assert!(DARK.contains(Square::from_index(0)));
        assert!(!DARK.contains(Square::from_index(7)));
        assert_eq!(DARK.count(), 32);
    }
}
