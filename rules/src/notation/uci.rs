//! Moves in the notation of the Universal Chess Interface: `e2e4`, `e7e8q`, and castling in its two
//! forms.
//!
//! Standard chess writes castling as the king's two steps (`e1g1`) and reads that and the king onto
//! its own rook (`e1h1`). Chess960 writes and reads the king onto its own rook only: there `e1g1`
//! is a king's step, or castling with a rook on g1.
//!
//! Reading is strict otherwise: lower case, no spaces, no `0000` (a null move is not a move).
//!
//! ```
//! use zeitnot_rules::board::Position;
//! use zeitnot_rules::game::Variant;
//! use zeitnot_rules::notation::uci;
//!
//! let position = Position::standard();
//! let mv = uci::parse("g1f3", &position, Variant::Standard)?;
//! assert_eq!(uci::write(mv, &position, Variant::Standard).as_str(), "g1f3");
//! # Ok::<(), uci::UciError>(())
//! ```

use thiserror::Error;

use super::text::{MoveText, move_text};
use crate::board::{File, Move, Position, Rank, Role, Square};
use crate::game::Variant;

/// Why a text is not a move that can be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum UciError {
    /// Not of the form `e2e4` or `e7e8q`.
    #[error("not a UCI move: expected two squares, and n, b, r or q for a promotion, as in e7e8q")]
    Malformed,
    /// The form of a move, but the Laws do not allow it here. The null move `0000` is one of these.
    #[error("not a legal move in this position")]
    Illegal,
}

/// A move in UCI notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct UciText(MoveText);

move_text!(UciText);

impl UciText {
    /// The text as bytes, with 0 for the promotion that is not there.
    #[must_use]
    #[inline]
    pub const fn padded(&self) -> [u8; 5] {
        self.0.first_five()
    }
}

/// Reads a move and makes sure that it is legal.
///
/// # Errors
/// [`UciError::Malformed`] when `text` is not a UCI move at all, [`UciError::Illegal`] when it is
/// one that cannot be played in `position`.
#[inline]
pub fn parse(text: &str, position: &Position, variant: Variant) -> Result<Move, UciError> {
    let mv = variant.normalized(read(text.as_bytes())?, position);
    if position.is_legal(mv) { Ok(mv) } else { Err(UciError::Illegal) }
}

/// Writes a legal move.
#[must_use]
#[inline]
pub fn write(mv: Move, position: &Position, variant: Variant) -> UciText {
    let mut to = mv.to;
    if variant == Variant::Standard
        && mv.from.file() == CASTLING_KING_FILE
        && let Some(side) = position.castling_side(mv)
    {
        to = side.king_goal(position.side_to_move());
    }
    let mut text = MoveText::of_squares(mv.from, to);
    if let Some(role) = mv.promotion {
        text.push(role.letter() as u8);
    }
    UciText(text)
}

/// A king castles by two steps only from here; from elsewhere (a Chess960 start played as standard
/// chess) the two steps could also be a king's move, and castling is the king onto its rook.
const CASTLING_KING_FILE: File = File::E;

fn read(text: &[u8]) -> Result<Move, UciError> {
    let (squares, promotion) = match *text {
        [a, b, c, d] => ([a, b, c, d], None),
        [a, b, c, d, letter] => ([a, b, c, d], Some(promotion(letter).ok_or(UciError::Malformed)?)),
        _ => return Err(UciError::Malformed),
    };
    if squares == *b"0000" && promotion.is_none() {
        return Err(UciError::Illegal);
    }
    let [from_file, from_rank, to_file, to_rank] = squares;
    match (square(from_file, from_rank), square(to_file, to_rank)) {
        (Some(from), Some(to)) => Ok(Move { from, to, promotion }),
        _ => Err(UciError::Malformed),
    }
}

fn square(file: u8, rank: u8) -> Option<Square> {
    Some(Square::new(File::from_letter(file as char)?, Rank::from_digit(rank as char)?))
}

const fn promotion(letter: u8) -> Option<Role> {
    match letter {
        b'n' => Some(Role::Knight),
        b'b' => Some(Role::Bishop),
        b'r' => Some(Role::Rook),
        b'q' => Some(Role::Queen),
        _ => None,
    }
}
