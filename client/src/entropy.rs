//! The only file of the client that draws random numbers from the system.
//!
//! Everything else takes them from a generator that was given a seed, so a test's run can be repeated.

use rand::Rng as _;

/// The seed of a client: of the jitter of its reconnects, and of the text that its command ids begin with.
pub(crate) fn seed() -> u64 {
    rand::rng().random()
}
