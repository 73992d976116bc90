//! Outcomes: score, reason, proof.

use zeitnot_rules::verdict::{Outcome, Proof, Reason, Score};

use super::field::{DecodeError, Field, Read, Reader, layout};

layout! { Outcome { score, reason, proof } }

layout! { Score, "score" {
    1: WhiteWins,
    2: BlackWins,
    3: Draw,
    4: BothLose,
    5: HalfToWhite,
    6: HalfToBlack,
    7: NoResult,
} }

layout! { Reason, "reason" {
    1: Checkmate,
    2: Resignation,
    3: Stalemate,
    4: DeadPosition,
    5: Agreement,
    6: FlagFall,
    7: ThreefoldRepetition,
    8: FiftyMoves,
    9: FivefoldRepetition,
    10: SeventyFiveMoves,
    11: Abandonment,
    12: Aborted,
    13: FirstMoveLimit,
    14: Arbiter,
} }

layout! { Proof, "proof" {
    1: Material,
    2: Static,
    3: Exhaustive { positions },
    4: Helpmate { line },
} }

/// The numbers of score and reason: in records, and in the archive's columns `score` and `reason`.
pub(crate) fn result_tags(outcome: &Outcome) -> (u8, u8) {
    let mut out = Vec::new();
    outcome.put(&mut out);
    (out[0], out[1])
}
