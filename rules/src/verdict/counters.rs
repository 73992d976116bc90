//! The counts of articles 9.2, 9.3 and 9.6 and the reasons that go with them.
//!
//! The plies since the last pawn move or capture are kept by the position itself
//! ([`halfmove_clock`](crate::board::Position::halfmove_clock)); occurrences are counted by
//! `repetition`.

use super::Reason;

/// How often a position has stood when a draw can be claimed (9.2).
pub const CLAIM_REPETITIONS: u16 = 3;

/// How many plies have passed without pawn move or capture when a draw can be claimed (9.3): 50
/// moves of each side.
pub const CLAIM_QUIET_PLIES: u16 = 100;

/// The reason of a draw that is automatic at this number of occurrences: 9.2 up to the claim's
/// count, 9.6.1 above.
pub(super) const fn repetition_reason(automatic: u16) -> Reason {
    if automatic > CLAIM_REPETITIONS { Reason::FivefoldRepetition } else { Reason::ThreefoldRepetition }
}

/// The reason of a draw that is automatic at this number of plies: 9.3 up to the claim's count,
/// 9.6.2 above.
pub(super) const fn quiet_plies_reason(automatic: u16) -> Reason {
    if automatic > CLAIM_QUIET_PLIES { Reason::SeventyFiveMoves } else { Reason::FiftyMoves }
}
