//! Events: a tag, then the fields in their order; outcomes: score, reason, proof; and charges.
//!
//! Alone, a charge is written in full. In a list it is mostly known before it is read: the list's
//! [`Forecast`] follows from the charges before, and only what is not as expected is written. A
//! forecast is arithmetic on what was recorded, and every charge can be written: a remarkable one
//! takes some bytes more. Of the rules it uses that a credit is mostly half more than the round trip
//! that a move adds to the bank; where that does not hold, rows are longer and mean the same. Whole
//! numbers wrap. What a turn took is always written.

use std::num::Wrapping;

use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{AbsenceWish, AdjustmentCause, Charge, Event, Micros};
use zeitnot_rules::verdict::{Outcome, Proof, Reason, Score};

use super::field::{DecodeError, Field, Read, Reader, Writer, layout};

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
    outcome.put(&mut Writer::new(&mut out));
    (out[0], out[1])
}

/// What the next charge of a list is expected to say.
#[derive(Clone, Default, Debug)]
pub(super) struct Forecast(ByColor<Side>);

/// What the last charge of a side left.
#[derive(Clone, Default, Debug)]
struct Side {
    remaining: Wrapping<u64>,
    bank: Wrapping<u64>,
    /// What its clock got beside what was counted: expected to be the same in the next one.
    gain: Wrapping<u64>,
    /// What its bank got beside the credit.
    refill: Wrapping<u64>,
}

impl Side {
    fn expected_credit(&self) -> Wrapping<u64> {
        self.refill + self.refill / Wrapping(2)
    }
}

fn expected_refill(credit: Wrapping<u64>) -> Wrapping<u64> {
    credit - credit / Wrapping(3)
}

/// By how much more than expected: the credit, what the clock and the bank of that side got, and the
/// other clock.
type Surprises = [Wrapping<u64>; 4];

impl Forecast {
    /// How `charge` differs from what is expected.
    fn surprises(&self, charge: &Charge) -> Surprises {
        let Charge { seat, took, credit, remaining, bank } = charge;
        let (side, other) = (&self.0[*seat], &self.0[!*seat]);
        let (took, credit) = (Wrapping(took.0), Wrapping(credit.0));
        let gain = Wrapping(remaining[*seat].0) - (side.remaining - (took - credit));
        let refill = Wrapping(bank.0) - (side.bank - credit);
        let elsewhere = Wrapping(remaining[!*seat].0) - other.remaining;
        [credit - side.expected_credit(), gain - side.gain, refill - expected_refill(credit), elsewhere]
    }

    /// The charge that differs so from what is expected. From then on it is the last one.
    fn charge(&mut self, seat: Color, took: Micros, surprises: Surprises) -> Charge {
        let [credit, gain, refill, elsewhere] = surprises;
        self.0[!seat].remaining += elsewhere;
        let side = &mut self.0[seat];
        let credit = side.expected_credit() + credit;
        side.gain += gain;
        side.refill = expected_refill(credit) + refill;
        side.remaining = side.remaining - (Wrapping(took.0) - credit) + side.gain;
        side.bank = side.bank - credit + side.refill;
        let bank = Micros(side.bank.0);
        let remaining = ByColor { white: &self.0.white, black: &self.0.black };
        let remaining = remaining.map(|side| Micros(side.remaining.0));
        Charge { seat, took, credit: Micros(credit.0), remaining, bank }
    }
}

/// In a list, bits 2 to 5 of a charge's first byte say which surprises there are.
const SURPRISE: u8 = 4;
const ALL_SURPRISES: u8 = 0xf * SURPRISE;

fn seat(side: u8) -> Read<Color> {
    match side {
        1 => Ok(Color::White),
        2 => Ok(Color::Black),
        tag => Err(DecodeError::UnknownTag { what: "charge", tag }),
    }
}

/// 1 White's clock, 2 Black's; then what the turn took. Then the other times; or, in a list, the
/// surprises.
impl Field for Charge {
    const NEVER_0: bool = true;

    fn put(&self, out: &mut Writer<'_>) {
        let Self { seat, took, credit, remaining, bank } = self;
        let side = seat.index() as u8 + 1;
        let Some(forecast) = &mut out.forecast else {
            out.push(side);
            took.put(out);
            credit.put(out);
            remaining.put(out);
            bank.put(out);
            return;
        };
        let surprises = forecast.surprises(self);
        forecast.charge(*seat, *took, surprises);
        let there_are = surprises.iter().zip(0..).filter(|(surprise, _)| surprise.0 != 0);
        out.push(there_are.fold(side, |byte, (_, place)| byte | SURPRISE << place));
        took.put(out);
        surprises.iter().filter(|surprise| surprise.0 != 0).for_each(|surprise| (surprise.0 as i64).put(out));
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        let byte = reader.byte()?;
        let Some(mut forecast) = reader.forecast.take() else {
            let (seat, took) = (seat(byte)?, Field::get(reader)?);
            let (credit, remaining) = (Field::get(reader)?, Field::get(reader)?);
            return Ok(Self { seat, took, credit, remaining, bank: Field::get(reader)? });
        };
        let (seat, took) = (seat(byte & !ALL_SURPRISES)?, Field::get(reader)?);
        let mut surprises = Surprises::default();
        for (place, surprise) in surprises.iter_mut().enumerate() {
            if byte & SURPRISE << place != 0 {
                *surprise = Wrapping(i64::get(reader)? as u64);
                if surprise.0 == 0 {
                    return Err(DecodeError::BadValue("charge"));
                }
            }
        }
        let charge = forecast.charge(seat, took, surprises);
        reader.forecast = Some(forecast);
        Ok(charge)
    }
}
