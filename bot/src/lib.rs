//! A computer opponent for Zeitnot.
//!
//! [`search`] finds moves on the rules of this project, at eight levels, and a [`Pool`] of threads does so
//! for many games; [`uci`] drives engines of others. [`account`] plays with either as a bot account of a
//! server, and [`computer`] as all accounts of a server's own opponent. [`mod@matches`] lets players play
//! against each other without a server. [`Line`] is a game as a thinker gets it.
//!
//! Deliberately absent: rules of chess, which `zeitnot-rules` has, and the wire, which `zeitnot-client` has.
#![deny(missing_docs)]

pub mod account;
pub mod computer;
mod line;
pub mod matches;
mod pool;
pub mod search;
mod stopwatch;
mod thinker;
pub mod uci;

pub use line::Line;
pub use pool::{MOST_WAITING, Pool};
pub use stopwatch::Stopwatch;
pub use thinker::Brain;
