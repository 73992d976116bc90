//! How positions, moves and games are written: FEN, UCI, SAN and PGN (docs/laws.md, section
//! Notation).
//!
//! Reading accepts any text and returns a value or a typed error, and never panics. Writing never
//! fails. Nothing here decides legality: that is asked of a [`Position`](crate::board::Position).
//!
//! Invariant: whatever is written here is read back as the same value.

mod text;

pub mod fen;
pub mod pgn;
pub mod san;
pub mod uci;
