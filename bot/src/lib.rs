//! A computer opponent for Zeitnot.
//!
//! [`search`] finds moves on the rules of this project, at eight levels; [`mod@matches`] lets players play
//! against each other; [`uci`] drives engines of others; [`Line`] is a game as a thinker gets it.
//!
//! Deliberately absent: rules of chess, which `zeitnot-rules` has.
#![deny(missing_docs)]

mod line;
pub mod matches;
pub mod search;
mod stopwatch;
pub mod uci;

pub use line::Line;
pub use stopwatch::Stopwatch;
