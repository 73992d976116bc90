//! Tests of `notation`: one for each sentence of docs/laws.md about FEN, UCI, SAN and PGN, and
//! properties of random games.
//!
//! Random tests print the input that fails; that is all that is needed to run them again.

mod archive;
mod fen;
mod pgn_read;
mod pgn_write;
mod playout;
mod properties;
mod san;
mod uci;
