//! The Laws of Chess as pure functions.
//!
//! Four modules: [`board`] (positions and moves), [`notation`] (FEN, UCI, SAN, PGN), [`verdict`]
//! (what a position or a history means under the Laws) and [`game`] (a match as a deterministic
//! state machine).
//!
//! What this crate deliberately does not do: no I/O, no clock reading, no randomness, no async
//! runtime, no serialisation. Everything is a function of its arguments, so a recorded game always
//! replays to the same result.
#![deny(missing_docs)]

pub mod board;
pub mod game;
pub mod notation;
pub mod verdict;
