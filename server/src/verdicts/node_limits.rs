//! How far a question is searched, and how much a game may ask for.
//!
//! Each round begins again from nothing, so the bounds grow fast: all before the last cost a twentieth of it. A search uses
//! 50 to 60 bytes a position, twice that at worst, so the last one is also what bounds a thread's memory: 300 MB.

/// The bounds of the rounds, in positions for each side that is asked about. The first takes a few milliseconds and decides
/// five positions in six of those that were collected because they are hard; the last two seconds at worst.
pub(super) const BOUNDS: [u32; 3] = [5_000, 100_000, 2_500_000];

/// What a game may have searched for dead positions at once: three of them through all rounds.
pub(super) const ALLOWANCE_MAX: u64 = 3 * (BOUNDS[0] + BOUNDS[1] + BOUNDS[2]) as u64;

/// What each question about a dead position adds to it: more than a first round costs, so that is always made.
pub(super) const REFILL: u64 = 25_000;

/// The most questions about dead positions that wait, of all games together: a few hundred bytes each.
pub(super) const WAITING_MAX: usize = 10_000;
