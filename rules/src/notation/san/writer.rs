//! Writes a legal move in standard algebraic notation.
//!
//! Disambiguation looks back from the target square; no move list is made.

use super::SanText;
use crate::board::{
    Bitboard, CastlingSide, Move, Position, Role, Square, bishop_attacks, knight_attacks, line,
    queen_attacks, rook_attacks,
};
use crate::notation::text::MoveText;

/// Writes a legal move of `position`, with `+` for check and `#` for checkmate (5.1.1).
///
/// It plays the move on a copy to see the check; [`write_after`] does without.
///
/// # Panics
/// When no piece of the side to move stands on `mv.from`. For another illegal move the text means
/// nothing.
#[must_use]
pub fn write(mv: Move, position: &Position) -> SanText {
    let mut after = position.clone();
    after.play_unchecked(mv);
    write_after(mv, position, &after)
}

/// Writes the legal move that led from `before` to `after`.
///
/// # Panics
/// When no piece of the side to move stands on `mv.from`. For another illegal move the text means
/// nothing.
#[must_use]
#[inline]
pub fn write_after(mv: Move, before: &Position, after: &Position) -> SanText {
    let mut text = MoveText::default();
    let role = before.piece_at(mv.from).expect("a legal move moves a piece").role;
    match role {
        Role::Pawn => write_pawn(mv, &mut text),
        Role::King if before.by_color(before.side_to_move()).contains(mv.to) => {
            write_castling(mv, &mut text);
        }
        _ => write_piece(role, mv, before, &mut text),
    }
    if after.in_check() {
        text.push(if after.has_legal_move() { b'+' } else { b'#' });
    }
    SanText(text)
}

#[inline]
fn write_pawn(mv: Move, text: &mut MoveText) {
    if mv.from.file() != mv.to.file() {
        push_file(mv.from, text);
        text.push(b'x');
    }
    push_square(mv.to, text);
    if let Some(role) = mv.promotion {
        text.push(b'=');
        text.push(role.letter().to_ascii_uppercase() as u8);
    }
}

/// Castling is the king onto its rook: the rook's side is the goal's side.
fn write_castling(mv: Move, text: &mut MoveText) {
    let side = if mv.to > mv.from { CastlingSide::King } else { CastlingSide::Queen };
    let castling: &[u8] = match side {
        CastlingSide::King => b"O-O",
        CastlingSide::Queen => b"O-O-O",
    };
    castling.iter().for_each(|&ascii| text.push(ascii));
}

#[inline]
fn write_piece(role: Role, mv: Move, before: &Position, text: &mut MoveText) {
    text.push(role.letter().to_ascii_uppercase() as u8);
    let others = others(role, mv, before);
    if others.any() {
        let on_file = others & Bitboard::from_file(mv.from.file());
        let on_rank = others & Bitboard::from_rank(mv.from.rank());
        if on_file.is_empty() {
            push_file(mv.from, text);
        } else if on_rank.is_empty() {
            push_rank(mv.from, text);
        } else {
            push_square(mv.from, text);
        }
    }
    if before.occupied().contains(mv.to) {
        text.push(b'x');
    }
    push_square(mv.to, text);
}

/// The other pieces of the mover's kind that could legally go to the same square.
///
/// The move itself is legal, so whatever check there is, a piece of the same kind on that square
/// answers it. Only a pin can forbid another to go there.
#[inline]
fn others(role: Role, mv: Move, before: &Position) -> Bitboard {
    let us = before.side_to_move();
    let mut others = before.pieces(us, role).without(mv.from);
    if others.is_empty() {
        return others;
    }
    others &= match role {
        Role::Knight => knight_attacks(mv.to),
        Role::Bishop => bishop_attacks(mv.to, before.occupied()),
        Role::Rook => rook_attacks(mv.to, before.occupied()),
        Role::Queen => queen_attacks(mv.to, before.occupied()),
        Role::Pawn | Role::King => Bitboard::EMPTY,
    };
    if others.any() {
        let king = before.king(us);
        let pinned = others & before.pinned();
        for square in pinned {
            if !line(king, square).contains(mv.to) {
                others = others.without(square);
            }
        }
    }
    others
}

#[inline]
fn push_file(square: Square, text: &mut MoveText) {
    text.push(square.file().letter() as u8);
}

#[inline]
fn push_rank(square: Square, text: &mut MoveText) {
    text.push(square.rank().digit() as u8);
}

#[inline]
fn push_square(square: Square, text: &mut MoveText) {
    push_file(square, text);
    push_rank(square, text);
}
