//! Whether a side can still checkmate, whether a position is dead, and the guard before that
//! question.

mod constructed;
mod enumeration;
mod guard;
mod named;
mod sample;
