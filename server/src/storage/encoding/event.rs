//! Events: a tag, then the fields in their order.

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{AbsenceWish, AdjustmentCause, Charge, Event};

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
