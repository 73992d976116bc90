//! Moves and squares as text, stored inline: a list of legal moves is one allocation.
//!
//! Only the form is checked here. Deliberately absent: whether a move is legal, and what `e1g1`
//! means on a Chess960 board; the rules decide both.

use std::fmt;
use std::str::FromStr;

use serde::de::Deserializer;
use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;
use zeitnot_rules::board::{Move, ParseSquareError, Role, Square};
use zeitnot_rules::notation::san::SanText;
use zeitnot_rules::notation::uci::UciText;

use crate::ids::from_text;

/// The text is not in the form of a UCI move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a move in UCI: two squares, then q, r, b or n for a promotion, as in e2e4 or e7e8q")]
pub struct ParseUciError;

/// The text cannot be a move in SAN.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a move in SAN: 2 to 7 printable ASCII characters")]
pub struct ParseSanError;

/// A move in UCI: `e2e4`, `e7e8q`; castling in Chess960 is the king's square, then its rook's.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
pub struct Uci {
    // The fifth byte is 0 if the move is not a promotion.
    text: [u8; 5],
}

impl Uci {
    /// The 4 or 5 characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).expect("only ASCII gets in")
    }

    /// The same as bytes.
    pub(crate) const fn as_bytes(&self) -> &[u8] {
        if self.text[4] == 0 { self.text.split_at(4).0 } else { &self.text }
    }
}

impl FromStr for Uci {
    type Err = ParseUciError;

    fn from_str(text: &str) -> Result<Self, ParseUciError> {
        let (squares, promotion) = match *text.as_bytes() {
            [a, b, c, d] => ([a, b, c, d], 0),
            [a, b, c, d, promotion @ (b'q' | b'r' | b'b' | b'n')] => ([a, b, c, d], promotion),
            _ => return Err(ParseUciError),
        };
        let [a, b, c, d] = squares;
        let on_board = |file: u8, rank: u8| (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
        if on_board(a, b) && on_board(c, d) {
            Ok(Self { text: [a, b, c, d, promotion] })
        } else {
            Err(ParseUciError)
        }
    }
}

impl From<Uci> for Move {
    /// The squares and the promotion, whether or not such a move is legal. Castling stays as it was written.
    fn from(uci: Uci) -> Self {
        let [from_file, from_rank, to_file, to_rank, promotion] = uci.text;
        let square = |file: u8, rank: u8| Square::from_index(usize::from((rank - b'1') * 8 + (file - b'a')));
        let promotion = match promotion {
            b'q' => Some(Role::Queen),
            b'r' => Some(Role::Rook),
            b'b' => Some(Role::Bishop),
            b'n' => Some(Role::Knight),
            _ => None,
        };
        Self { from: square(from_file, from_rank), to: square(to_file, to_rank), promotion }
    }
}

impl From<UciText> for Uci {
    /// Costs a copy: a turn holds dozens of moves, and the rules write them in this form only.
    fn from(uci: UciText) -> Self {
        debug_assert!(uci.as_str().parse::<Self>().is_ok(), "{uci} is not in the form of a move");
        Self { text: uci.padded() }
    }
}

/// A move in SAN: `Nf3`, `exd8=Q+`, `O-O-O#`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
pub struct San {
    // Unused bytes are 0.
    text: [u8; 7],
    length: u8,
}

impl San {
    /// The 2 to 7 characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.text[..usize::from(self.length)]).expect("only ASCII gets in")
    }
}

impl FromStr for San {
    type Err = ParseSanError;

    fn from_str(text: &str) -> Result<Self, ParseSanError> {
        if !(2..=7).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ParseSanError);
        }
        let mut san = Self { text: [0; 7], length: text.len() as u8 };
        san.text[..text.len()].copy_from_slice(text.as_bytes());
        Ok(san)
    }
}

impl From<SanText> for San {
    fn from(san: SanText) -> Self {
        let bytes = san.as_bytes();
        let mut text = [0; 7];
        text[..bytes.len()].copy_from_slice(bytes);
        Self { text, length: bytes.len() as u8 }
    }
}

/// A square by its name, `a1` to `h8`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
pub struct WireSquare([u8; 2]);

impl WireSquare {
    /// The file's letter and the rank's digit.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("only ASCII gets in")
    }
}

impl From<Square> for WireSquare {
    fn from(square: Square) -> Self {
        Self([square.file().letter() as u8, square.rank().digit() as u8])
    }
}

impl FromStr for WireSquare {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        text.parse().map(|square: Square| square.into())
    }
}

macro_rules! as_text {
    ($name:ident, $expected:literal) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                from_text(deserializer, $expected)
            }
        }
    };
}

as_text!(Uci, "a move in UCI");
as_text!(San, "a move in SAN");
as_text!(WireSquare, "a square such as e4");
