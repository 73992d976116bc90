//! Writes a position as X-FEN with six fields.
//!
//! A FEN is written for every half-move played, so the text is built on the stack and copied once.

use crate::board::{CastlingSide, Color, Piece, Position, Role, Square};

/// Writes a position.
#[must_use]
pub fn write(position: &Position) -> String {
    let mut text = String::with_capacity(FenText::CAPACITY);
    write_into(position, &mut text);
    text
}

/// Writes a position at the end of `text`.
pub fn write_into(position: &Position, text: &mut String) {
    let mut fen = FenText { bytes: [0; FenText::CAPACITY], length: 0 };
    fen.push_board(position);
    fen.push_bytes(match position.side_to_move() {
        Color::White => b" w ",
        Color::Black => b" b ",
    });
    fen.push_castling(position);
    fen.push(b' ');
    match position.en_passant() {
        None => fen.push(b'-'),
        Some(square) => fen.push_bytes(&[square.file().letter() as u8, square.rank().digit() as u8]),
    }
    fen.push(b' ');
    fen.push_number(position.halfmove_clock());
    fen.push(b' ');
    fen.push_number(position.fullmove_number());
    text.push_str(std::str::from_utf8(&fen.bytes[..fen.length]).expect("only ASCII is pushed"));
}

/// A FEN that grows from left to right.
struct FenText {
    bytes: [u8; Self::CAPACITY],
    length: usize,
}

impl FenText {
    /// Room for the longest FEN, which has 93 characters: a board of 71, the side, 4 castling
    /// rights, a square, two numbers of 5 digits, and 5 spaces.
    const CAPACITY: usize = 96;

    fn push(&mut self, ascii: u8) {
        self.bytes[self.length] = ascii;
        self.length += 1;
    }

    fn push_bytes(&mut self, ascii: &[u8]) {
        self.bytes[self.length..self.length + ascii.len()].copy_from_slice(ascii);
        self.length += ascii.len();
    }

    fn push_board(&mut self, position: &Position) {
        let letters = letters(position);
        let occupied = position.occupied().0;
        for rank in (0..8).rev() {
            let mut pieces = (occupied >> (8 * rank)) & 0xff;
            let mut file = 0;
            while pieces != 0 {
                let next = pieces.trailing_zeros() as usize;
                self.push_gap(next - file);
                self.push(letters[8 * rank + next]);
                file = next + 1;
                pieces &= pieces - 1;
            }
            self.push_gap(8 - file);
            if rank > 0 {
                self.push(b'/');
            }
        }
    }

    /// The number of empty squares, if there are any.
    fn push_gap(&mut self, squares: usize) {
        if squares > 0 {
            self.push(b'0' + squares as u8);
        }
    }

    fn push_castling(&mut self, position: &Position) {
        let rights = position.castling_rights();
        if rights.is_empty() {
            self.push(b'-');
            return;
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = rights.rook(color, side) {
                    let letter = match (is_outermost(position, color, side, rook), side) {
                        (true, CastlingSide::King) => 'k',
                        (true, CastlingSide::Queen) => 'q',
                        (false, _) => rook.file().letter(),
                    };
                    let letter = if color == Color::White { letter.to_ascii_uppercase() } else { letter };
                    self.push(letter as u8);
                }
            }
        }
    }

    fn push_number(&mut self, number: u16) {
        let mut digits = [0; 5];
        let mut rest = number;
        let mut first = digits.len();
        loop {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.push_bytes(&digits[first..]);
    }
}

/// The letter of the piece on each square that has one.
fn letters(position: &Position) -> [u8; 64] {
    let mut letters = [0; 64];
    for color in Color::ALL {
        for role in Role::ALL {
            let letter = Piece { color, role }.letter() as u8;
            for square in position.pieces(color, role) {
                letters[square.index()] = letter;
            }
        }
    }
    letters
}

/// Whether no own rook stands farther out on the back rank than this one.
fn is_outermost(position: &Position, color: Color, side: CastlingSide, rook: Square) -> bool {
    let rooks = position.pieces(color, Role::Rook);
    let outwards = if side == CastlingSide::King { 1 } else { -1 };
    let mut beyond = rook.offset(outwards, 0);
    while let Some(square) = beyond {
        if rooks.contains(square) {
            return false;
        }
        beyond = square.offset(outwards, 0);
    }
    true
}
