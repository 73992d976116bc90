//! The Lichess API, as its programs use it: their manners, the shapes that the strictest of them demand, and the bounds.

mod addresses;
mod answers;
mod client;
mod faults;
mod games;
mod letting_in;
mod manners;
mod streams;
mod strict;
mod watching;

/// A casual game of three minutes.
const CASUAL: &str = "clock.limit=180&clock.increment=2&rated=false";

/// The same, rated.
const RATED: &str = "clock.limit=180&clock.increment=2&rated=true";
