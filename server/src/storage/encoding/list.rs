//! All records of a game from its first on, in less room than single rows take: game and seqs
//! follow from the place, players are named by their seat, and of instants, charges and command ids
//! only that is written which does not follow from the records before.
//!
//! A usual move is its tag, the two bytes of the move, what the turn took, and the few microseconds
//! by which credit, bank and instant are not as expected. Most clients number their command ids; what
//! an id means is its client's affair, and here a number is no more than decimal digits at its end.

use std::io::Write as _;
use std::sync::Arc;

use zeitnot_protocol::{AccountId, COMMAND_ID_CHARS, CommandId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Event, GameInstant, Seq};

use super::event::Forecast;
use super::field::{DecodeError, Field, Read, Reader, Writer, put_number};
use crate::storage::Record;

/// All records of a game from its first on, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WholeGame {
    /// The game.
    pub game: GameId,
    /// Its records, without gaps.
    pub records: Vec<Arc<Record>>,
}

/// Bits 0 and 1 of a record's tag, the sender of the command: nobody, a player, or another account,
/// which follows.
const WHO: u8 = 3;
const NOBODY: u8 = 0;
const WHITE: u8 = 1;
const BLACK: u8 = 2;
const OTHER: u8 = 3;

/// Bits 2 and 3, the command's id: none; it follows; it counts on from the same sender's last id by
/// as much as that one did, or by 1; or by another difference, which follows.
const ID: u8 = 0xc;
const NO_ID: u8 = 0;
const NEW_ID: u8 = 4;
const NEXT_ID: u8 = 8;
const COUNTED_ID: u8 = 0xc;

/// Bit 4: its events are one move, without count and tag.
const ONE_MOVE: u8 = 0x10;

/// What the records before say of the next one.
#[derive(Default)]
struct Before {
    /// The players, if the first record begins a game.
    players: Option<ByColor<u128>>,
    /// The last id of each sender, and by how much the next one is expected to count on.
    ids: [Option<(Numbered, i64)>; 4],
    /// When the last record was made.
    at: GameInstant,
}

/// How a record is told after those before it. There is one way.
struct Told {
    tag: u8,
    id: Option<Numbered>,
    /// By how much the id counts on.
    difference: Option<i64>,
}

impl Before {
    fn tell(&self, record: &Record) -> Told {
        let who = who(record.account, self.players);
        let id = record.command.and_then(Numbered::of);
        let last = self.ids[usize::from(who)].as_ref();
        let difference = last.zip(id.as_ref()).and_then(|((last, _), id)| last.difference(id));
        let id_form = match (&record.command, difference) {
            (None, _) => NO_ID,
            (Some(_), None) => NEW_ID,
            (Some(_), by) if by == last.map(|(_, by)| *by) => NEXT_ID,
            (Some(_), Some(_)) => COUNTED_ID,
        };
        let events = if matches!(record.events[..], [Event::MovePlayed { .. }]) { ONE_MOVE } else { 0 };
        Told { tag: who | id_form | events, id, difference }
    }

    /// The instant of these events, if they come as long after the record before as the turn took.
    fn expected_at(&self, events: &[Event]) -> GameInstant {
        let charges = events.iter().filter_map(Event::charge);
        GameInstant(charges.fold(self.at.0, |at, charge| at.wrapping_add(charge.took.0)))
    }

    fn note(&mut self, told: &Told, record: &Record) {
        if record.first_seq == 1 {
            self.players = players(record);
        }
        if record.command.is_some() {
            let by = told.difference.unwrap_or(1);
            self.ids[usize::from(told.tag & WHO)] = told.id.map(|id| (id, by));
        }
        self.at = record.at;
    }

    fn put(&mut self, record: &Record, out: &mut Writer<'_>) {
        let told = self.tell(record);
        out.push(told.tag);
        if let (OTHER, Some(account)) = (told.tag & WHO, record.account) {
            account.as_u128().put(out);
        }
        match (told.tag & ID, &record.command, told.difference) {
            (NEW_ID, Some(id), _) => id.put(out),
            (COUNTED_ID, _, Some(difference)) => difference.put(out),
            _ => {}
        }
        match &record.events[..] {
            [Event::MovePlayed { mv, charge }] => {
                mv.put(out);
                charge.put(out);
            }
            _ => record.events.put(out),
        }
        (record.at.0.wrapping_sub(self.expected_at(&record.events).0) as i64).put(out);
        self.note(&told, record);
    }

    fn get(&mut self, game: GameId, first_seq: Seq, reader: &mut Reader<'_>) -> Read<Record> {
        let tag = reader.byte()?;
        let account = account(reader, tag & WHO, self.players)?;
        let command = self.get_id(tag, reader)?;
        let events = if tag & ONE_MOVE == 0 {
            Field::get(reader)?
        } else {
            vec![Event::MovePlayed { mv: Field::get(reader)?, charge: Field::get(reader)? }]
        };
        let at = self.expected_at(&events).0.wrapping_add(i64::get(reader)? as u64);
        let record = Record { game, first_seq, at: GameInstant(at), account, command, events };
        let told = self.tell(&record);
        if told.tag != tag {
            return Err(DecodeError::UnknownTag { what: "record", tag });
        }
        self.note(&told, &record);
        Ok(record)
    }

    fn get_id(&self, tag: u8, reader: &mut Reader<'_>) -> Read<Option<CommandId>> {
        let last = self.ids[usize::from(tag & WHO)].as_ref();
        let counted_on = match tag & ID {
            NO_ID => return Ok(None),
            NEW_ID => return Field::get(reader).map(Some),
            NEXT_ID => last.and_then(|(last, by)| last.counted_on(*by)),
            _ => {
                let by = Field::get(reader)?;
                last.and_then(|(last, _)| last.counted_on(by))
            }
        };
        counted_on.ok_or(DecodeError::BadValue("command id")).map(Some)
    }
}

impl Field for WholeGame {
    fn put(&self, out: &mut Writer<'_>) {
        self.game.put(out);
        put_number(out, self.records.len() as u64);
        out.forecast = Some(Forecast::default());
        let mut before = Before::default();
        self.records.iter().for_each(|record| before.put(record, out));
        out.forecast = None;
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        if reader.version < 3 {
            return get_older(reader);
        }
        let game = Field::get(reader)?;
        let count = reader.count()?;
        if count == 0 {
            return Err(DecodeError::BadValue("count"));
        }
        reader.forecast = Some(Forecast::default());
        let (mut before, mut first_seq, mut records) = (Before::default(), 1, Vec::new());
        for _ in 0..count {
            let record = before.get(game, first_seq, reader)?;
            first_seq = next_seq(&record)?;
            records.push(Arc::new(record));
        }
        reader.forecast = None;
        Ok(Self { game, records })
    }
}

/// The players of a game by its first record; none when that record begins no game.
fn players(first: &Record) -> Option<ByColor<u128>> {
    match first.events.first()? {
        Event::Started(setup) => Some(setup.players),
        _ => None,
    }
}

/// The number of a sender. One account on both seats is White.
fn who(account: Option<AccountId>, players: Option<ByColor<u128>>) -> u8 {
    let Some(account) = account else { return NOBODY };
    match players {
        Some(players) if players.white == account.as_u128() => WHITE,
        Some(players) if players.black == account.as_u128() => BLACK,
        Some(_) | None => OTHER,
    }
}

/// The account of a sender's number.
fn account(reader: &mut Reader<'_>, number: u8, players: Option<ByColor<u128>>) -> Read<Option<AccountId>> {
    let seat = match number {
        NOBODY => return Ok(None),
        WHITE => Color::White,
        BLACK => Color::Black,
        OTHER => {
            let account = AccountId::from_u128(u128::get(reader)?);
            let is_shortest = who(Some(account), players) == OTHER;
            return if is_shortest { Ok(Some(account)) } else { Err(DecodeError::BadValue("account")) };
        }
        tag => return Err(DecodeError::UnknownTag { what: "sender", tag }),
    };
    let account = AccountId::from_u128(players.ok_or(DecodeError::BadValue("account"))?[seat]);
    if who(Some(account), players) == number {
        Ok(Some(account))
    } else {
        Err(DecodeError::BadValue("account"))
    }
}

/// The seq that follows a record's last one.
pub(super) fn next_seq(record: &Record) -> Read<Seq> {
    let count = Seq::try_from(record.events.len()).map_err(|_| DecodeError::BadValue("count"))?;
    record.first_seq.checked_add(count).ok_or(DecodeError::BadValue("seq"))
}

/// With the sender: the command's id follows.
const HAS_ID: u8 = 4;

/// The list as versions 1 and 2 wrote it: with every charge in full.
fn get_older(reader: &mut Reader<'_>) -> Read<WholeGame> {
    let game = Field::get(reader)?;
    let count = reader.count()?;
    if count == 0 {
        return Err(DecodeError::BadValue("count"));
    }
    let mut records: Vec<Arc<Record>> = Vec::new();
    let (mut seated, mut at, mut first_seq) = (None, GameInstant::START, 1);
    for _ in 0..count {
        at = GameInstant(at.0.wrapping_add(i64::get(reader)? as u64));
        let tag = reader.byte()?;
        let account = account(reader, tag & !HAS_ID, seated)?;
        let command = if tag & HAS_ID == 0 { None } else { Some(Field::get(reader)?) };
        let record = Record { game, first_seq, at, account, command, events: Field::get(reader)? };
        first_seq = next_seq(&record)?;
        if records.is_empty() {
            seated = players(&record);
        }
        records.push(Arc::new(record));
    }
    Ok(WholeGame { game, records })
}

/// An id that ends in a number.
#[derive(Clone, Copy, Debug)]
struct Numbered {
    id: CommandId,
    /// Where the number begins.
    place: usize,
    number: u64,
}

impl Numbered {
    /// `None` for an id without a number.
    fn of(id: CommandId) -> Option<Self> {
        let text = id.as_str();
        let place = text.trim_end_matches(|character: char| character.is_ascii_digit()).len();
        let digits = &text[place..];
        let number = digits.parse().ok()?;
        // "007" is not how 7 is written.
        (digits == "0" || !digits.starts_with('0')).then_some(Self { id, place, number })
    }

    fn stem(&self) -> &str {
        &self.id.as_str()[..self.place]
    }

    /// How far `next` counts on from this one. `None` when they differ in more than the number.
    fn difference(&self, next: &Self) -> Option<i64> {
        (self.stem() == next.stem()).then_some(next.number.wrapping_sub(self.number) as i64)
    }

    /// The id that counts on by `difference`. `None` when it were too long.
    fn counted_on(&self, difference: i64) -> Option<CommandId> {
        let mut text = [0; COMMAND_ID_CHARS];
        let mut left = &mut text[..];
        write!(left, "{}{}", self.stem(), self.number.wrapping_add(difference as u64)).ok()?;
        let length = COMMAND_ID_CHARS - left.len();
        std::str::from_utf8(&text[..length]).ok()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> CommandId {
        text.parse().unwrap()
    }

    #[track_caller]
    fn check(last: &str, next: &str, expected: Option<i64>) {
        let (last, next) = (id(last), id(next));
        let numbered = Numbered::of(last).zip(Numbered::of(next));
        assert_eq!(numbered.and_then(|(last, next)| last.difference(&next)), expected);
        if let (Some((last, _)), Some(difference)) = (numbered, expected) {
            assert_eq!(last.counted_on(difference), Some(next));
        }
    }

    #[test]
    fn ids_with_numbers_count_on_in_both_directions() {
        check("m9", "m10", Some(1));
        check("m10", "m0", Some(-10));
        check("17", "18", Some(1));
        check("3f09-a-7", "3f09-a-7", Some(0));
        check("0", "18446744073709551615", Some(-1));
        check("a18446744073709551615", "a1", Some(2));
    }

    #[test]
    fn other_ids_do_not() {
        check("m9", "n10", None);
        check("m", "m1", None);
        check("m1", "m", None);
        check("m01", "m2", None);
        check("m1", "m02", None);
        check("m00", "m1", None);
        check("m1", "m18446744073709551616", None);
    }

    #[test]
    fn no_id_is_too_long() {
        for (longest, difference) in
            [("abcdefghijklmnopqrstuvwxyz-99999", 1), ("abcdefghijklmnopqrstuvwxyz_1-0", -1)]
        {
            assert_eq!(Numbered::of(id(longest)).unwrap().counted_on(difference), None);
        }
    }
}
