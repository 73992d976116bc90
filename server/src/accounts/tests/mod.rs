//! Tests of accounts on a store in memory.

pub(super) mod guests;
mod registered;
