//! Rule 14E of US Chess: insufficient material to win on time.
//!
//! A forced win, where the rule asks for one, is a checkmate against every defence that a bounded
//! search finds. If the search finds none, there is none for the rule.

use super::forced_win::has_forced_win;
use super::material::{has_at_most_a_minor_piece, has_only_two_knights};
use crate::board::{Color, Position, Role};

/// How many positions are looked at for a forced win.
pub const FORCED_WIN_NODES: u32 = 100_000;

/// Whether the fall of `flagged`'s flag is a draw by 14E.
///
/// It is when the opponent has only a king (14E1), only a king and one bishop or one knight without
/// a forced win (14E2), or only a king and two knights, `flagged` has no pawn, and there is no
/// forced win (14E3). A forced win is one that is found within [`FORCED_WIN_NODES`] positions: that
/// can take a tenth of a second.
#[must_use]
pub fn draw_on_time(position: &Position, flagged: Color) -> bool {
    let opponent = !flagged;
    let is_one_of_them = has_at_most_a_minor_piece(position, opponent)
        || has_only_two_knights(position, opponent) && position.pieces(flagged, Role::Pawn).is_empty();
    let is_bare = !position.by_color(opponent).more_than_one();
    is_one_of_them && (is_bare || !has_forced_win(position, opponent, FORCED_WIN_NODES))
}
