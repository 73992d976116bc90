//! Moves in standard algebraic notation: `Nf3`, `exd5`, `R1e2+`, `e8=Q#`, `O-O`.
//!
//! [`write()`] gives the shortest text that names one legal move: where several pieces of a kind
//! can *legally* reach the square, the file tells them apart, else the rank, else both. Castling is
//! `O-O` towards the h file and `O-O-O` towards the a file, in Chess960 too.
//!
//! [`parse`] also accepts what other programs write: more disambiguation than is needed (`Ng1f3`,
//! `e2-e4`, `Pe4`), wrong or missing marks (`+`, `#`, `++`, `x`), `e8Q` for `e8=Q`, `0-0` for
//! `O-O`, `e.p.`, and any of `!?` after the move. It rejects a text that fits no legal move or more
//! than one, and null moves (`--`, `Z0`, `0000`).
//!
//! ```
//! use zeitnot_rules::board::Position;
//! use zeitnot_rules::notation::san;
//!
//! let position = Position::standard();
//! let mv = san::parse("Ng1-f3!?", &position)?;
//! assert_eq!(san::write(mv, &position).as_str(), "Nf3");
//! # Ok::<(), san::SanError>(())
//! ```

mod reader;
mod writer;

use thiserror::Error;

use super::text::{MoveText, move_text};

pub use reader::parse;
pub use writer::{write, write_after};

/// A move in standard algebraic notation, with its `+` or `#`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SanText(MoveText);

move_text!(SanText);

/// Why a text does not name one legal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum SanError {
    /// Not a move at all.
    #[error("not a move in standard algebraic notation")]
    Malformed,
    /// A null move: no player may pass.
    #[error("a null move is not a move")]
    NullMove,
    /// No legal move fits.
    #[error("no legal move fits")]
    Illegal,
    /// More than one legal move fits.
    #[error("more than one legal move fits")]
    Ambiguous,
}
