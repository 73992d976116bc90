//! Events: a tag, then the fields in their order.

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{AbsenceWish, AdjustmentCause, Charge, Event};

use super::reader::{DecodeError, Read, Reader};
use super::writer as write;
use super::{outcome, setup};

const STARTED: u8 = 1;
const MOVE_PLAYED: u8 = 2;
const DRAW_OFFERED: u8 = 3;
const DRAW_DECLINED: u8 = 4;
const DRAW_CLAIMED: u8 = 5;
const ABSENCE_CLAIMED: u8 = 6;
const TAKEBACK_OFFERED: u8 = 7;
const TAKEBACK_DECLINED: u8 = 8;
const TAKEN_BACK: u8 = 9;
const TIME_ADJUSTED: u8 = 10;
const ILC_ASKED: u8 = 11;
const ILC_REMEDIED: u8 = 12;
const FLAG_FELL: u8 = 13;
const RESIGNED: u8 = 14;
const ENDED: u8 = 15;

pub(super) fn put(out: &mut Vec<u8>, event: &Event) {
    match event {
        Event::Started(game) => {
            write::byte(out, STARTED);
            setup::put(out, game);
        }
        Event::MovePlayed { mv, charge } => {
            write::byte(out, MOVE_PLAYED);
            write::mv(out, *mv);
            put_charge(out, charge.as_ref());
        }
        Event::DrawOffered { by } => put_by(out, DRAW_OFFERED, *by),
        Event::DrawDeclined { by } => put_by(out, DRAW_DECLINED, *by),
        Event::DrawClaimed { by, intended, found } => {
            put_by(out, DRAW_CLAIMED, *by);
            write::option(out, *intended, write::mv);
            write::byte(out, found.map_or(0, outcome::reason_tag));
        }
        Event::AbsenceClaimed { by, wish, charge } => {
            put_by(out, ABSENCE_CLAIMED, *by);
            let wish = match wish {
                AbsenceWish::Win => 1,
                AbsenceWish::Draw => 2,
            };
            write::byte(out, wish);
            put_charge(out, charge.as_ref());
        }
        Event::TakebackOffered { by, plies } => {
            put_by(out, TAKEBACK_OFFERED, *by);
            write::byte(out, *plies);
        }
        Event::TakebackDeclined { by } => put_by(out, TAKEBACK_DECLINED, *by),
        Event::TakenBack { plies, charge } => {
            write::byte(out, TAKEN_BACK);
            write::byte(out, *plies);
            put_charge(out, charge.as_ref());
        }
        Event::TimeAdjusted { cause, remaining } => {
            write::byte(out, TIME_ADJUSTED);
            put_cause(out, *cause);
            write::both(out, *remaining);
        }
        Event::IlcAsked { by } => put_by(out, ILC_ASKED, *by),
        Event::IlcRemedied { by, charge, bonus, remaining } => {
            put_by(out, ILC_REMEDIED, *by);
            put_charge(out, charge.as_ref());
            setup::put_bonuses(out, *bonus);
            write::both(out, *remaining);
        }
        Event::FlagFell { seat, charge } => {
            put_by(out, FLAG_FELL, *seat);
            put_charge(out, charge.as_ref());
        }
        Event::Resigned { seat, charge } => {
            put_by(out, RESIGNED, *seat);
            put_charge(out, charge.as_ref());
        }
        Event::Ended { outcome, charge } => {
            write::byte(out, ENDED);
            outcome::put(out, outcome);
            put_charge(out, charge.as_ref());
        }
    }
}

pub(super) fn get(reader: &mut Reader<'_>) -> Read<Event> {
    Ok(match reader.byte()? {
        STARTED => Event::Started(Box::new(setup::get(reader)?)),
        MOVE_PLAYED => Event::MovePlayed { mv: reader.mv()?, charge: get_charge(reader)? },
        DRAW_OFFERED => Event::DrawOffered { by: reader.color()? },
        DRAW_DECLINED => Event::DrawDeclined { by: reader.color()? },
        DRAW_CLAIMED => Event::DrawClaimed {
            by: reader.color()?,
            intended: reader.option(Reader::mv)?,
            found: match reader.byte()? {
                0 => None,
                tag => Some(outcome::reason(tag)?),
            },
        },
        ABSENCE_CLAIMED => Event::AbsenceClaimed {
            by: reader.color()?,
            wish: match reader.byte()? {
                1 => AbsenceWish::Win,
                2 => AbsenceWish::Draw,
                tag => return Err(DecodeError::UnknownTag { what: "wish", tag }),
            },
            charge: get_charge(reader)?,
        },
        TAKEBACK_OFFERED => Event::TakebackOffered { by: reader.color()?, plies: reader.byte()? },
        TAKEBACK_DECLINED => Event::TakebackDeclined { by: reader.color()? },
        TAKEN_BACK => Event::TakenBack { plies: reader.byte()?, charge: get_charge(reader)? },
        TIME_ADJUSTED => Event::TimeAdjusted { cause: get_cause(reader)?, remaining: reader.both()? },
        ILC_ASKED => Event::IlcAsked { by: reader.color()? },
        ILC_REMEDIED => Event::IlcRemedied {
            by: reader.color()?,
            charge: get_charge(reader)?,
            bonus: setup::get_bonuses(reader)?,
            remaining: reader.both()?,
        },
        FLAG_FELL => Event::FlagFell { seat: reader.color()?, charge: get_charge(reader)? },
        RESIGNED => Event::Resigned { seat: reader.color()?, charge: get_charge(reader)? },
        ENDED => Event::Ended { outcome: outcome::get(reader)?, charge: get_charge(reader)? },
        tag => return Err(DecodeError::UnknownTag { what: "event", tag }),
    })
}

fn put_by(out: &mut Vec<u8>, tag: u8, by: Color) {
    write::byte(out, tag);
    write::color(out, by);
}

/// 0 none, 1 White's clock, 2 Black's.
fn put_charge(out: &mut Vec<u8>, charge: Option<&Charge>) {
    let Some(Charge { seat, took, credit, remaining, bank }) = charge else { return write::byte(out, 0) };
    write::byte(out, seat.index() as u8 + 1);
    write::micros(out, *took);
    write::micros(out, *credit);
    write::both(out, *remaining);
    write::micros(out, *bank);
}

fn get_charge(reader: &mut Reader<'_>) -> Read<Option<Charge>> {
    let seat = match reader.byte()? {
        0 => return Ok(None),
        1 => Color::White,
        2 => Color::Black,
        tag => return Err(DecodeError::UnknownTag { what: "charge", tag }),
    };
    let (took, credit) = (reader.micros()?, reader.micros()?);
    Ok(Some(Charge { seat, took, credit, remaining: reader.both()?, bank: reader.micros()? }))
}

/// 1 given time, 2 a wrong claim, 3 the arbiter.
fn put_cause(out: &mut Vec<u8>, cause: AdjustmentCause) {
    match cause {
        AdjustmentCause::GiveTime { by } => put_by(out, 1, by),
        AdjustmentCause::WrongClaim { by } => put_by(out, 2, by),
        AdjustmentCause::Arbiter => write::byte(out, 3),
    }
}

fn get_cause(reader: &mut Reader<'_>) -> Read<AdjustmentCause> {
    Ok(match reader.byte()? {
        1 => AdjustmentCause::GiveTime { by: reader.color()? },
        2 => AdjustmentCause::WrongClaim { by: reader.color()? },
        3 => AdjustmentCause::Arbiter,
        tag => return Err(DecodeError::UnknownTag { what: "cause", tag }),
    })
}
