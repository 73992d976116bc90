//! Which pieces a relaxed search leaves out.
//!
//! Every choice is sound. The more pieces are left out, the smaller the search becomes, and the
//! more checkmates appear that do not exist.

use crate::board::{Color, Position, Role};
use crate::verdict::winnable::reach::Unit;

/// Which pieces are left out. "Pieces" are knights, bishops, rooks and queens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::verdict::winnable) enum Abstraction {
    /// All pieces, also those that can never move.
    Everything,
    /// Pieces that can ever move.
    Movable,
    /// Bishops that roam: they have a move now and can ever stand on more than three squares.
    Bishops,
    /// Pieces that roam.
    Pieces,
    /// The loser's pieces that roam, and its pawns that may promote.
    Losers,
    /// The same, and the winner's bishops that roam.
    LosersAndBishops,
    /// Pieces that have at least three moves now.
    Mobile,
}

impl Abstraction {
    /// In the order in which they are tried.
    pub(in crate::verdict::winnable) const ALL: [Self; 6] =
        [Self::Movable, Self::Bishops, Self::Pieces, Self::Losers, Self::LosersAndBishops, Self::Mobile];

    /// Whether `unit` is left out.
    pub(super) fn includes(self, unit: &Unit, position: &Position, winner: Color) -> bool {
        let is_losers = unit.color != winner;
        match unit.role {
            Role::King => return false,
            Role::Pawn => {
                let includes_pawns = matches!(self, Self::Losers | Self::LosersAndBishops);
                return includes_pawns && is_losers && unit.promoted.any();
            }
            Role::Knight | Role::Bishop | Role::Rook | Role::Queen => {}
        }
        // A piece that is shut in matters where it stands, so most choices want it to have a move.
        let moves = unit.attacks_from_home(!position.occupied()) & !position.by_color(unit.color);
        let roams = moves.any() && unit.squares().count() > 3;
        let is_bishop = unit.role == Role::Bishop;
        match self {
            Self::Everything => true,
            Self::Movable => unit.squares().more_than_one(),
            Self::Mobile => moves.count() > 2,
            Self::Pieces => roams,
            Self::Bishops => roams && is_bishop,
            Self::Losers => roams && is_losers,
            Self::LosersAndBishops => roams && (is_losers || is_bishop),
        }
    }
}
