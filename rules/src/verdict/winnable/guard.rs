//! The cheap question after every move: can this position be dead at all?
//!
//! It is never a search, always the same few dozen set operations. "Not dead" is the answer only
//! where both sides have moves to spare and some queen, rook or pawn is free, so that a checkmate
//! can be helped along. Positions that are locked, that have little material, or in which a side is
//! about to run out of moves are passed on. This is the only answer about dead positions without a
//! proof of its own; tests compare it with every dead position known, and with those around them.

use super::setwise_attacks;
use crate::board::{
    Bitboard, Color, Position, Role, bishop_attacks, knight_attacks, queen_attacks, rook_attacks,
};

/// The answer of the guard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guard {
    /// The position is not dead.
    NotDead,
    /// It may be: [`dead`](super::dead) says.
    Ask,
}

/// With this many moves of pieces and pawns it is certain enough that a side does not run out of
/// moves; with this many pieces on the board, that no exchange leaves too little material.
const PLENTY: u32 = 8;

/// How many legal moves the side to move needs, and how many moves the other side needs where there
/// is not [`PLENTY`].
const ENOUGH: u32 = 4;

/// Whether it is worth asking if the position is dead. It takes a microsecond or two at most, and
/// nearly always far less.
///
/// A position is not dead if any position that can follow it is not: that settles most checks.
#[must_use]
#[inline]
pub fn guard(position: &Position) -> Guard {
    if is_alive(position) || has_few_moves(position) && leads_to_life(position) {
        Guard::NotDead
    } else {
        Guard::Ask
    }
}

/// Whether both sides have moves to spare, the side to move is not in check, and one side has the
/// force to checkmate.
#[inline]
fn is_alive(position: &Position) -> bool {
    if position.in_check() {
        return false;
    }
    let us = position.side_to_move();
    let (own, theirs) = (Side::of(position, us), Side::of(position, !us));
    let pawns_move = own.pushes + theirs.pushes > 0 || has_open_file(position.by_role(Role::Pawn));
    if !own.has_free_force(pawns_move) && !theirs.has_free_force(pawns_move) {
        return false;
    }
    let plenty = own.moves >= PLENTY && theirs.moves >= PLENTY && position.occupied().count() >= PLENTY;
    (plenty || theirs.moves >= ENOUGH) && has_moves(position, ENOUGH)
}

/// Whether it is cheap to look at all positions that follow.
fn has_few_moves(position: &Position) -> bool {
    position.in_check() || !has_moves(position, ENOUGH)
}

#[cold]
fn leads_to_life(position: &Position) -> bool {
    position.for_each_piece_moves(|bunch| {
        bunch.into_iter().any(|mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            is_alive(&next)
        })
    })
}

/// What the guard counts of one side.
struct Side {
    /// How many moves its queens and rooks have.
    room: u32,
    has_queen_or_rook: bool,
    /// How many pawns can advance.
    pushes: u32,
    /// Whether a pawn has nothing ahead of it up to its last rank.
    has_free_pawn: bool,
    /// How many moves pieces and pawns have. Moves of the king, captures by pawns, and pins are
    /// ignored.
    moves: u32,
}

impl Side {
    fn of(position: &Position, color: Color) -> Self {
        let own = position.by_color(color);
        let free = !position.occupied();
        let pieces = |role: Role| own & position.by_role(role);
        let (mut room, mut moves) = (0, 0);
        for square in pieces(Role::Queen) {
            room += (queen_attacks(square, !free) & !own).count();
        }
        for square in pieces(Role::Rook) {
            room += (rook_attacks(square, !free) & !own).count();
        }
        for square in pieces(Role::Knight) {
            moves += (knight_attacks(square) & !own).count();
        }
        for square in pieces(Role::Bishop) {
            moves += (bishop_attacks(square, !free) & !own).count();
        }
        let pawns = pieces(Role::Pawn);
        let pushes = (setwise_attacks::push(color, pawns) & free).count();
        let mut before = position.occupied();
        for _ in 0..6 {
            before |= setwise_attacks::push(!color, before);
        }
        Self {
            room,
            has_queen_or_rook: (pieces(Role::Queen) | pieces(Role::Rook)).any(),
            pushes,
            has_free_pawn: (pawns & !setwise_attacks::push(!color, before)).any(),
            moves: moves + room + pushes,
        }
    }

    /// Whether there is a queen or rook with room while not all pawns are locked, or a pawn that
    /// can become one.
    fn has_free_force(&self, pawns_move: bool) -> bool {
        self.room >= 6 && pawns_move || self.has_queen_or_rook && self.pushes >= 3 || self.has_free_pawn
    }
}

fn has_open_file(pawns: Bitboard) -> bool {
    let mut files = pawns.0;
    for shift in [32, 16, 8] {
        files |= files >> shift;
    }
    files & 0xff != 0xff
}

/// Whether the side to move has at least this many legal moves, with promotions counted once.
fn has_moves(position: &Position, needed: u32) -> bool {
    let mut count = 0;
    position.for_each_piece_moves(|bunch| {
        count += bunch.to().count();
        count >= needed
    })
}
