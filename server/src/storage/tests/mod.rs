//! Tests of the trait `Store`: one suite, over every implementation; and a folder with flipped bits.

mod flips;
pub(crate) mod samples;
mod search;
mod suite;
