//! Where each piece can ever stand, an over-approximation.
//!
//! For each piece on the board [`Reach`] has the least set of squares that is closed under every
//! move that could be legal in any position the game can still come to. The sets are too large on
//! purpose, and never too small.
//!
//! A piece is *immovable* when it never moves and is never captured where it stands. Closed means:
//! - a piece goes where its moves take it through squares without immovable pieces, but not onto an
//!   immovable piece of its own side and not onto an immovable king;
//! - a pawn advances onto squares without an immovable piece, and captures where some enemy piece
//!   other than the king can ever stand, or en passant where that is possible now (later on, the
//!   captured pawn could also have stood on the target square);
//! - a pawn that stays on its file does not push past an enemy pawn ahead of it that stays on that
//!   file too and is never captured;
//! - on its last rank a pawn becomes a queen and a knight at once;
//! - a king does not step where an immovable enemy piece attacks permanently;
//! - a side with a castling right may arrive on the squares where castling ends.
//!
//! With a [`Case`], the sets hold only for the series of moves of that case, and are smaller.
//!
//! Why nothing is missing: suppose that some game leaves the sets, and take its first move that
//! does. Everything before that move kept to the sets, so the immovable pieces stand where they
//! stood, and one of the rules above allows the move. So there is no such move.

mod case;
mod unit;

pub(super) use self::unit::Unit;
use self::unit::{ahead, promoted_attacks};
use super::setwise_attacks;
use crate::board::{Bitboard, CastlingSide, Color, Position, Role, Square};

/// What is assumed about a series of moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    /// The side that checkmates at its end.
    pub(super) winner: Color,
    /// The pieces on these squares are not captured before they have moved.
    pub(super) spared: Bitboard,
    /// The pieces on these squares never move and are captured where they stand.
    pub(super) taken: Bitboard,
}

/// Where each piece of a position can ever stand.
pub(super) struct Reach {
    pub(super) units: Vec<Unit>,
    /// The squares of the immovable pieces.
    pub(super) immovable: Bitboard,
    /// By colour: where its pieces other than the king can ever stand.
    pub(super) pieces: [Bitboard; 2],
    /// Where kings and rooks come from and arrive by castling.
    castling: Vec<(Square, Square)>,
    /// The pawn that can be captured en passant now.
    en_passant_pawn: Bitboard,
    case: Option<Case>,
    /// Where the moves of [`Reach::dead_end_moves`] arrive, which no set contains.
    dead_ends: Bitboard,
    /// The pieces that could first be captured before they could move.
    pub(super) first_taken: Bitboard,
}

impl Reach {
    /// The least closed sets.
    pub(super) fn of(position: &Position) -> Self {
        Self::within(position, None)
    }

    /// The least closed sets for the series of moves of a case.
    pub(super) fn within(position: &Position, case: Option<Case>) -> Self {
        let mut reach = Self {
            units: units(position),
            immovable: position.occupied(),
            pieces: [Bitboard::EMPTY; 2],
            castling: castling_arrivals(position),
            en_passant_pawn: Bitboard::EMPTY,
            case,
            dead_ends: Bitboard::EMPTY,
            first_taken: Bitboard::EMPTY,
        };
        for color in Color::ALL {
            reach.pieces[color.index()] = position.by_color(color).without(position.king(color));
        }
        if let Some(target) = position.en_passant() {
            let them = !position.side_to_move();
            reach.en_passant_pawn = setwise_attacks::push(them, Bitboard::from_square(target));
            reach.pieces[them.index()] |= Bitboard::from_square(target);
            reach.immovable &= !reach.en_passant_pawn;
        }
        reach.bar();
        while reach.grow() {}
        reach
    }

    /// Applies every rule once to every piece. Returns whether anything grew.
    fn grow(&mut self) -> bool {
        let mut grew = false;
        let guarded = Color::ALL.map(|color| self.permanently_attacked(color));
        let own = Color::ALL.map(|color| self.immovable_of(color));
        let king = self.immovable_king();
        let spared = Color::ALL.map(|color| self.spared(!color));
        let taken = self.case.map_or(Bitboard::EMPTY, |case| case.taken);
        for nth in 0..self.units.len() {
            let mut unit = self.units[nth];
            if (unit.home & taken).any() {
                continue;
            }
            let dead_end = self.dead_end_moves(&unit);
            let dead_ends = self.dead_ends | unit.attacks(!self.immovable) & dead_end;
            grew |= dead_ends != self.dead_ends;
            self.dead_ends = dead_ends;
            let closed = own[unit.color.index()] | king | spared[unit.color.index()] | dead_end;
            let guarded = guarded[(!unit.color).index()];
            let before = (unit.stands, unit.promoted, unit.arrives);
            self.grow_unit(&mut unit, closed, guarded);
            if before != (unit.stands, unit.promoted, unit.arrives) {
                grew = true;
                self.units[nth] = unit;
                if unit.role != Role::King {
                    self.pieces[unit.color.index()] |= unit.squares();
                }
            }
        }
        if grew {
            self.release_movable();
            self.bar();
        }
        grew
    }

    /// Works out which squares each pawn is barred from by an enemy pawn ahead of it that never
    /// leaves the file.
    fn bar(&mut self) {
        let capture_squares = Color::ALL.map(|color| self.capture_squares(color));
        let mut barred = [Bitboard::EMPTY; 64];
        for (nth, unit) in self.units.iter().enumerate().filter(|(_, unit)| unit.role == Role::Pawn) {
            if !unit.stays_on_its_file() {
                continue;
            }
            for other in
                self.units.iter().filter(|other| other.role == Role::Pawn && other.color != unit.color)
            {
                let stays = other.stays_on_its_file()
                    && (other.stands & capture_squares[unit.color.index()]).is_empty()
                    && (other.home & self.en_passant_pawn).is_empty();
                let file = ahead(unit.color, unit.home);
                if stays && (other.home & file).any() {
                    barred[nth] |= other.home | ahead(unit.color, other.home);
                }
            }
        }
        for (unit, barred) in self.units.iter_mut().zip(barred) {
            unit.barred = barred;
        }
    }

    /// Where `color` can ever capture.
    fn capture_squares(&self, color: Color) -> Bitboard {
        let own = self.units.iter().filter(|unit| unit.color == color);
        own.fold(Bitboard::EMPTY, |all, unit| all | unit.capture_squares())
    }

    fn grow_unit(&self, unit: &mut Unit, closed: Bitboard, guarded: Bitboard) {
        let free = !self.immovable;
        for &(from, to) in &self.castling {
            if unit.home.contains(from) {
                unit.arrives |= Bitboard::from_square(to);
                unit.stands |= Bitboard::from_square(to);
            }
        }
        loop {
            let before = unit.squares();
            match unit.role {
                Role::Pawn => self.grow_pawn(unit, closed),
                Role::King => unit.arrives |= unit.attacks(free) & !closed & !guarded,
                _ => unit.arrives |= unit.attacks(free) & !closed,
            }
            if unit.role != Role::Pawn {
                unit.stands |= unit.arrives;
            }
            if unit.squares() == before {
                return;
            }
        }
    }

    fn grow_pawn(&self, unit: &mut Unit, closed: Bitboard) {
        let pushes = setwise_attacks::push(unit.color, unit.stands) & !self.immovable & !unit.barred;
        let targets = if self.spares_the_last(!unit.color) {
            Bitboard::EMPTY
        } else {
            self.pieces[(!unit.color).index()]
        };
        let captures = setwise_attacks::pawns(unit.color, unit.stands) & targets & !closed;
        let arrives = pushes | captures;
        let last = Bitboard::from_rank((!unit.color).back_rank());
        unit.stands |= arrives & !last;
        unit.promoted |= arrives & last;
        unit.arrives |= arrives;
        if unit.promoted.any() {
            let more = promoted_attacks(unit.promoted, !self.immovable) & !closed;
            unit.promoted |= more;
            unit.arrives |= more;
        }
    }

    /// Removes the squares of pieces that can move or be captured from the immovable ones.
    fn release_movable(&mut self) {
        let arrivals = Color::ALL.map(|color| {
            let own = self.units.iter().filter(|unit| unit.color == color);
            own.fold(Bitboard::EMPTY, |all, unit| all | unit.arrives)
        });
        let mut taken = Bitboard::EMPTY;
        for unit in &self.units {
            let captured = unit.role != Role::King && (arrivals[(!unit.color).index()] & unit.home).any();
            if captured && unit.arrives.is_empty() {
                taken |= unit.home & self.immovable;
            }
            if unit.arrives.any() || captured {
                self.immovable &= !unit.home;
            }
        }
        if self.first_taken.is_empty() {
            self.first_taken = taken;
        }
    }

    fn immovable_of(&self, color: Color) -> Bitboard {
        let own = self.units.iter().filter(|unit| unit.color == color);
        own.fold(Bitboard::EMPTY, |all, unit| all | unit.home) & self.immovable
    }

    fn immovable_king(&self) -> Bitboard {
        let kings = self.units.iter().filter(|unit| unit.role == Role::King);
        kings.fold(Bitboard::EMPTY, |all, unit| all | unit.home) & self.immovable
    }

    /// The squares that the immovable pieces of `color` attack permanently: sliders only through
    /// squares where nothing but the enemy king can ever stand.
    fn permanently_attacked(&self, color: Color) -> Bitboard {
        let own_king = self.units.iter().find(|unit| unit.role == Role::King && unit.color == color);
        let king = own_king.map_or(Bitboard::EMPTY, |unit| unit.stands);
        let empty = !(self.pieces[0] | self.pieces[1] | self.dead_ends | king);
        let immovable =
            self.units.iter().filter(|unit| unit.color == color && (unit.home & self.immovable).any());
        immovable.fold(Bitboard::EMPTY, |all, unit| all | unit.attacks(empty))
    }
}

fn units(position: &Position) -> Vec<Unit> {
    let mut units = Vec::with_capacity(32);
    for color in Color::ALL {
        for role in Role::ALL {
            let fixed = |square| Unit::fixed(color, role, square);
            units.extend(position.pieces(color, role).into_iter().map(fixed));
        }
    }
    units
}

/// From where to where king and rook go by castling, for each right.
fn castling_arrivals(position: &Position) -> Vec<(Square, Square)> {
    let rights = position.castling_rights();
    let mut arrivals = Vec::new();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let Some(rook) = rights.rook(color, side) {
                arrivals.push((position.king(color), side.king_goal(color)));
                arrivals.push((rook, side.rook_goal(color)));
            }
        }
    }
    arrivals
}
