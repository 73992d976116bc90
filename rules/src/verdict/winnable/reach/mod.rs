//! Where each piece can ever stand, from above.
//!
//! The least sets of squares, one for each piece on the board, that are closed under every move that could be legal in any
//! position the game can still come to. They are too large on purpose, never too small.
//!
//! A piece is *immovable* when its sets never grow: it never moves and is never captured where it stands. Closed means:
//! - a piece goes where its moves take it through squares without immovable pieces, onto no immovable piece of its own side, and
//!   not onto a immovable king;
//! - a pawn advances onto squares without a immovable piece, and captures where some piece of the enemy's, not the king,
//!   can ever stand, or en passant where that is possible now (later, the en_passant_pawn pawn could have stood there);
//! - a pawn that keeps to its file does not push past an enemy pawn ahead that keeps to it too and is never captured;
//! - on its last rank a pawn is a queen and a knight at once;
//! - a king does not step where a immovable piece of the enemy's attacks for ever;
//! - whoever has a castling right may arrive on the goals of castling.
//!
//! Asked for a [`Case`], the sets hold for the series of moves of that case alone and are smaller.
//!
//! Why nothing is missing: take the first move of some game that leaves the sets. Everything before it kept to them, so the
//! immovable pieces stand where they stood, and every rule above allows the move. So there is no such move.

mod case;

pub(super) use self::case::Case;
use super::setwise_attacks;
use crate::board::{Bitboard, CastlingSide, Color, Position, Role, Square};

/// One piece and where it can ever be.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) color: Color,
    pub(super) role: Role,
    home: Bitboard,
    /// The squares that it can ever stand on as what it is now, its home among them.
    pub(super) stands: Bitboard,
    /// For a pawn: the squares that it can ever stand on as a queen or a knight.
    pub(super) promoted: Bitboard,
    /// The squares that it can ever move to.
    arrives: Bitboard,
    /// For a pawn: what it may never push onto, while it keeps to its file.
    barred: Bitboard,
}

impl Unit {
    /// The squares that it can ever stand on.
    pub(super) fn squares(&self) -> Bitboard {
        self.stands | self.promoted
    }

    /// A piece that is on `square` and nowhere else.
    pub(super) fn fixed(color: Color, role: Role, square: Square) -> Self {
        let home = Bitboard::from_square(square);
        let none = Bitboard::EMPTY;
        Self { color, role, home, stands: home, promoted: none, arrives: none, barred: none }
    }

    /// Whether it can never move.
    pub(super) fn is_fixed(&self) -> bool {
        self.arrives.is_empty()
    }

    /// Forgets where it can go; it counts as a piece that can move all the same.
    pub(super) fn reset_to_home(&mut self) {
        (self.stands, self.promoted, self.arrives) = (self.home, Bitboard::EMPTY, self.home);
    }

    /// Lets a piece that is neither king nor pawn go through `free` squares and arrive anywhere but on `closed` ones.
    /// Returns whether it came to new squares.
    pub(super) fn spread(&mut self, free: Bitboard, closed: Bitboard) -> bool {
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

    /// Where it stands now.
    pub(super) fn home(&self) -> Bitboard {
        self.home
    }

    /// What it attacks now, when only `free` squares let sliders pass.
    pub(super) fn attacks_from_home(&self, free: Bitboard) -> Bitboard {
        Self { stands: self.home, promoted: Bitboard::EMPTY, ..*self }.attacks(free)
    }

    /// Where it can ever capture.
    pub(super) fn capture_squares(&self) -> Bitboard {
        match self.role {
            Role::Pawn => setwise_attacks::pawns(self.color, self.stands) | self.promoted,
            _ => self.arrives,
        }
    }

    fn keeps_to_its_file(&self) -> bool {
        (self.squares() & !file_of(self.home)).is_empty()
    }

    /// Every square that it can ever attack, when only `free` squares let sliders pass.
    pub(super) fn attacks(&self, free: Bitboard) -> Bitboard {
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
}

/// The file of a set of one square.
fn file_of(home: Bitboard) -> Bitboard {
    home.first().map_or(Bitboard::EMPTY, |square| Bitboard::from_file(square.file()))
}

/// The squares of its file that lie before a pawn.
fn ahead(color: Color, pawn: Bitboard) -> Bitboard {
    file_of(pawn)
        & match color {
            Color::White => !Bitboard(pawn.0 | (pawn.0 - 1)),
            Color::Black => Bitboard(pawn.0 - 1),
        }
}

/// Queens and knights at once.
fn promoted_attacks(from: Bitboard, free: Bitboard) -> Bitboard {
    setwise_attacks::rooks(from, free) | setwise_attacks::bishops(from, free) | setwise_attacks::knights(from)
}

/// Where each piece of a position can ever stand.
pub(super) struct Reach {
    pub(super) units: Vec<Unit>,
    /// The squares of the immovable pieces.
    pub(super) immovable: Bitboard,
    /// By colour: where its pieces other than the king can ever stand.
    pub(super) pieces: [Bitboard; 2],
    castling: Vec<(Square, Square)>,
    /// The pawn that can be captured en passant now.
    en_passant_pawn: Bitboard,
    case: Option<Case>,
    /// Where a move of the loser's may end the series, so that no set has it.
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
            let last = self.dead_end_moves(&unit);
            let dead_ends = self.dead_ends | unit.attacks(!self.immovable) & last;
            grew |= dead_ends != self.dead_ends;
            self.dead_ends = dead_ends;
            let closed = own[unit.color.index()] | king | spared[unit.color.index()] | last;
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

    /// Works out which squares pawns are barred from by enemy pawns ahead of them that never leave the file.
    fn bar(&mut self) {
        let capture_squares = Color::ALL.map(|color| self.capture_squares(color));
        let mut barred = [Bitboard::EMPTY; 64];
        for (nth, unit) in self.units.iter().enumerate().filter(|(_, unit)| unit.role == Role::Pawn) {
            if !unit.keeps_to_its_file() {
                continue;
            }
            for other in
                self.units.iter().filter(|other| other.role == Role::Pawn && other.color != unit.color)
            {
                let stays = other.keeps_to_its_file()
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

    /// What can leave its square, or be captured there, is not immovable.
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

    /// The squares that the immovable pieces of `color` attack for ever: sliders through squares where nothing but the
    /// enemy's king can ever stand.
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

/// Where king and rook arrive by castling, for each right.
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
