//! Tests of accounts on a store in memory.

mod guests;
mod registered;
