//! The relaxed search: every position that can still arise, with some pieces abstracted away.
//!
//! With a wall of pawns a handful of bishops can stand in millions of ways that all come to
//! nothing. Such pieces are *abstracted*: in every position each of them may be anywhere that
//! [`Reach`](super::reach::Reach) allows, and may be there or not, as it suits the winner. The
//! rest, a [`Skeleton`](skeleton::Skeleton) of kings, pawns and the other *concrete* pieces, is
//! searched exhaustively.
//!
//! Nothing that can happen is missing, so finding no checkmate here proves that there is none; a
//! checkmate found here proves nothing. To see that, take a real game and leave the abstracted
//! pieces out. Each of its half-moves is then one of these, and all of them are allowed:
//! - A concrete piece moves as pieces move, and abstracted pieces are never in its way. A pawn also
//!   captures wherever an abstracted enemy piece can be.
//! - A side with abstracted pieces may pass, or capture any piece but the king wherever one of them
//!   can ever go.
//! - After a half-move the mover's king must not be attacked along a line on which no abstracted
//!   piece could stand.
//!
//! A real checkmate is recognised too. The piece that gives check is a concrete piece that attacks
//! the king, or an abstracted one; the latter only if an abstracted piece has just moved, or if the
//! piece that moved may have uncovered the check. The rest is the static test, in which the
//! concrete pieces stay on their squares.

mod abstraction;
mod distance_table;
mod mate_test;
mod search;
mod skeleton;
mod successors;

pub(super) use self::abstraction::Abstraction;
pub(super) use self::distance_table::DistanceTable;
use self::search::Search;
use super::limits::{Found, Limits};
use crate::board::{Color, Position};

/// Looks for a checkmate by `winner`, in at most `nodes` positions.
///
/// `Found::Nothing` is a proof. A checkmate that is found here is none, so everything else is
/// `Found::Undecided`.
pub(super) fn search(
    position: &Position,
    winner: Color,
    abstraction: Abstraction,
    nodes: u32,
    limits: &Limits<'_>,
) -> Found {
    if !position.castling_rights().is_empty() || position.en_passant().is_some() {
        return Found::Undecided(0);
    }
    match Search::new(position, winner, abstraction) {
        Some(mut search) => search.run(nodes, limits),
        None => Found::Undecided(0),
    }
}
