//! Rule 14E of US Chess: insufficient material to win on time.
//!
//! Where the rule asks for a forced win, none is looked for: not found is none.

use super::material::{has_at_most_a_minor_piece, has_only_two_knights};
use crate::board::{Color, Position, Role};

/// Whether the fall of `flagged`'s flag is a draw by 14E.
///
/// It is when the opponent has only a king (14E1), only a king and one bishop or one knight without a forced win (14E2),
/// or only a king and two knights, `flagged` has no pawn, and there is no forced win (14E3).
#[must_use]
pub fn draw_on_time(position: &Position, flagged: Color) -> bool {
    has_at_most_a_minor_piece(position, !flagged)
        || has_only_two_knights(position, !flagged) && position.pieces(flagged, Role::Pawn).is_empty()
}
