//! Which pieces the relaxed search leaves out.

use crate::board::{Color, Position, Role};
use crate::verdict::winnable::reach::Unit;

/// Which pieces are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::verdict::winnable) enum Abstraction {
    /// Knights, bishops, rooks and queens that can ever move.
    AllPieces,
    /// Every knight, bishop, rook and queen.
    EveryPiece,
    /// Bishops.
    Bishops,
    /// Knights, bishops, rooks and queens.
    Pieces,
    /// The loser's pieces, and its pawns that may promote.
    Losers,
    /// Those, and the winner's bishops.
    LosersAndBishops,
    /// Knights, bishops, rooks and queens that have several moves now.
    Free,
}

impl Abstraction {
    /// In the order in which they are tried.
    pub(in crate::verdict::winnable) const ALL: [Self; 6] =
        [Self::AllPieces, Self::Bishops, Self::Pieces, Self::Losers, Self::LosersAndBishops, Self::Free];

    /// Whether `unit` is left out. It must have moves now: what is shut in matters where it stands.
    pub(super) fn includes(self, unit: &Unit, position: &Position, winner: Color) -> bool {
        if self == Self::EveryPiece {
            return !matches!(unit.role, Role::King | Role::Pawn);
        }
        if self == Self::AllPieces {
            return !matches!(unit.role, Role::King | Role::Pawn) && unit.squares().more_than_one();
        }
        let moves = unit.attacks_from_home(!position.occupied()) & !position.by_color(unit.color);
        if self == Self::Free {
            return !matches!(unit.role, Role::King | Role::Pawn) && moves.count() > 2;
        }
        let roams = moves.any() && unit.squares().count() > 3;
        let by_role = match (self, unit.role) {
            (_, Role::King)
            | (Self::Bishops | Self::Pieces | Self::AllPieces | Self::EveryPiece, Role::Pawn) => false,
            (Self::Losers | Self::LosersAndBishops, Role::Pawn) => {
                return unit.color != winner && unit.promoted.any();
            }
            (Self::Bishops, role) => role == Role::Bishop,
            (Self::AllPieces | Self::EveryPiece | Self::Pieces, _) => true,
            (Self::Losers | Self::Free, _) => unit.color != winner,
            (Self::LosersAndBishops, role) => unit.color != winner || role == Role::Bishop,
        };
        by_role && roams
    }
}
