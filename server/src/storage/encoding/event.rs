//! Events: a tag, then the fields in their order; and outcomes: score, reason, proof.

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{AbsenceWish, AdjustmentCause, Charge, Event};
use zeitnot_rules::verdict::{Outcome, Proof, Reason, Score};

use super::field::{DecodeError, Field, Read, Reader, layout};

layout! { Event, "event" {
    1: Started(setup),
    2: MovePlayed { mv, charge },
    3: DrawOffered { by },
    4: DrawDeclined { by },
    5: DrawClaimed { by, intended, found },
    6: AbsenceClaimed { by, wish, charge },
    7: TakebackOffered { by, plies },
    8: TakebackDeclined { by },
    9: TakenBack { plies, charge },
    10: TimeAdjusted { cause, remaining },
    11: IlcAsked { by },
    12: IlcRemedied { by, charge, bonus, remaining },
    13: FlagFell { seat, charge },
    14: Resigned { seat, charge },
    15: Ended { outcome, charge },
} }

layout! { AbsenceWish, "wish" { 1: Win, 2: Draw } }

layout! { AdjustmentCause, "cause" {
    1: GiveTime { by },
    2: WrongClaim { by },
    3: Arbiter,
} }

/// 1 White's clock, 2 Black's, then the times.
impl Field for Charge {
    const NEVER_0: bool = true;

    fn put(&self, out: &mut Vec<u8>) {
        let Self { seat, took, credit, remaining, bank } = self;
        out.push(seat.index() as u8 + 1);
        took.put(out);
        credit.put(out);
        remaining.put(out);
        bank.put(out);
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        let seat = match reader.byte()? {
            1 => Color::White,
            2 => Color::Black,
            tag => return Err(DecodeError::UnknownTag { what: "charge", tag }),
        };
        let (took, credit) = (Field::get(reader)?, Field::get(reader)?);
        Ok(Self { seat, took, credit, remaining: Field::get(reader)?, bank: Field::get(reader)? })
    }
}

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
    15: BothAway,
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
