//! How positions, moves and games are written: FEN, UCI, SAN and PGN (laws.md, section Notation).
//!
//! Reading takes any text whatever and answers with a value or a typed error, never a panic. Writing never fails.
//! Nothing here decides legality: that is asked of a [`Position`](crate::board::Position).
//!
//! Invariant: what is written here is read back here as the same value.

mod text;

pub mod fen;
pub mod pgn;
pub mod san;
pub mod uci;
