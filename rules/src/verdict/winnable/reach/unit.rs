//! One piece of a position and the squares where it can ever be.
//!
//! A piece keeps its identity when a pawn is promoted. Deliberately absent: which squares those
//! are; [`Reach`](super::Reach) works that out.

use crate::board::{Bitboard, Color, Role, Square};
use crate::verdict::winnable::setwise_attacks;

/// One piece and where it can ever be.
#[derive(Clone, Copy)]
pub(in crate::verdict::winnable) struct Unit {
    pub(in crate::verdict::winnable) color: Color,
    pub(in crate::verdict::winnable) role: Role,
    pub(super) home: Bitboard,
    /// The squares where it can ever stand as what it is now, its home among them.
    pub(in crate::verdict::winnable) stands: Bitboard,
    /// For a pawn: the squares where it can ever stand as a queen or a knight.
    pub(in crate::verdict::winnable) promoted: Bitboard,
    /// The squares that it can ever move to.
    pub(super) arrives: Bitboard,
    /// For a pawn: the squares that it may never push onto while it stays on its file.
    pub(super) barred: Bitboard,
}

impl Unit {
    /// A piece that is on `square` and nowhere else.
    pub(in crate::verdict::winnable) fn fixed(color: Color, role: Role, square: Square) -> Self {
        let home = Bitboard::from_square(square);
        let none = Bitboard::EMPTY;
        Self { color, role, home, stands: home, promoted: none, arrives: none, barred: none }
    }

    /// Whether it can never move.
    pub(in crate::verdict::winnable) fn is_fixed(&self) -> bool {
        self.arrives.is_empty()
    }

    /// The square where it stands now.
    pub(in crate::verdict::winnable) fn home(&self) -> Bitboard {
        self.home
    }

    /// Every square where it can ever stand.
    pub(in crate::verdict::winnable) fn squares(&self) -> Bitboard {
        self.stands | self.promoted
    }

    /// Forgets where it can go. It still counts as a piece that can move.
    pub(in crate::verdict::winnable) fn reset_to_home(&mut self) {
        (self.stands, self.promoted, self.arrives) = (self.home, Bitboard::EMPTY, self.home);
    }

    /// Lets a piece that is neither king nor pawn pass through `free` squares and arrive anywhere
    /// but on `closed` ones. Returns whether it came to new squares.
    pub(in crate::verdict::winnable) fn spread(&mut self, free: Bitboard, closed: Bitboard) -> bool {
        let before = self.arrives;
        loop {
            let more = self.stands | self.attacks(free) & !closed;
            if more == self.stands {
                break;
            }
            self.stands = more;
        }
        self.arrives |= self.stands;
        before != self.arrives
    }

    /// What it attacks now, when only `free` squares let sliders pass.
    pub(in crate::verdict::winnable) fn attacks_from_home(&self, free: Bitboard) -> Bitboard {
        Self { stands: self.home, promoted: Bitboard::EMPTY, ..*self }.attacks(free)
    }

    /// Every square where it can ever capture.
    pub(in crate::verdict::winnable) fn capture_squares(&self) -> Bitboard {
        match self.role {
            Role::Pawn => setwise_attacks::pawns(self.color, self.stands) | self.promoted,
            _ => self.arrives,
        }
    }

    /// Every square that it can ever attack, when only `free` squares let sliders pass.
    pub(in crate::verdict::winnable) fn attacks(&self, free: Bitboard) -> Bitboard {
        let from = self.stands;
        match self.role {
            Role::Pawn if self.promoted.is_empty() => setwise_attacks::pawns(self.color, from),
            Role::Pawn => setwise_attacks::pawns(self.color, from) | promoted_attacks(self.promoted, free),
            Role::Knight => setwise_attacks::knights(from),
            Role::Bishop => setwise_attacks::bishops(from, free),
            Role::Rook => setwise_attacks::rooks(from, free),
            Role::Queen => setwise_attacks::rooks(from, free) | setwise_attacks::bishops(from, free),
            Role::King => setwise_attacks::kings(from),
        }
    }

    pub(super) fn stays_on_its_file(&self) -> bool {
        (self.squares() & !file_of(self.home)).is_empty()
    }
}

/// What pieces attack that are queens and knights at once.
pub(super) fn promoted_attacks(from: Bitboard, free: Bitboard) -> Bitboard {
    setwise_attacks::rooks(from, free) | setwise_attacks::bishops(from, free) | setwise_attacks::knights(from)
}

/// The squares of its file that lie ahead of a pawn.
pub(super) fn ahead(color: Color, pawn: Bitboard) -> Bitboard {
    file_of(pawn)
        & match color {
            Color::White => !Bitboard(pawn.0 | (pawn.0 - 1)),
            Color::Black => Bitboard(pawn.0 - 1),
        }
}

/// The file of a set of one square.
fn file_of(home: Bitboard) -> Bitboard {
    home.first().map_or(Bitboard::EMPTY, |square| Bitboard::from_file(square.file()))
}
