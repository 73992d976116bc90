//! Tests of the trait `Store`: one suite, over every implementation.

pub(super) mod samples;
mod suite;
