//! All records of a game from its first on, in less room than single rows take: game and seqs
//! follow from the place, instants are differences, and players are named by their seat.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Event, GameInstant, Seq};

use super::field::{DecodeError, Field, Read, Reader, put_number};
use crate::storage::Record;

/// All records of a game from its first on, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WholeGame {
    /// The game.
    pub game: GameId,
    /// Its records, without gaps.
    pub records: Vec<Arc<Record>>,
}

/// The sender of the command: nobody, a player, or another account, which follows. With [`HAS_ID`]
/// the command's id follows.
const NOBODY: u8 = 0;
const WHITE: u8 = 1;
const BLACK: u8 = 2;
const OTHER: u8 = 3;
const HAS_ID: u8 = 4;

/// The players of a game by its first record; none when that record begins no game.
fn players(first: &Record) -> Option<ByColor<u128>> {
    match first.events.first()? {
        Event::Started(setup) => Some(setup.players),
        _ => None,
    }
}

fn who(account: Option<AccountId>, players: Option<ByColor<u128>>) -> u8 {
    let Some(account) = account else { return NOBODY };
    match players {
        Some(players) if players.white == account.as_u128() => WHITE,
        Some(players) if players.black == account.as_u128() => BLACK,
        Some(_) | None => OTHER,
    }
}

impl Field for WholeGame {
    fn put(&self, out: &mut Vec<u8>) {
        self.game.put(out);
        put_number(out, self.records.len() as u64);
        let (mut seated, mut at) = (None, GameInstant::START);
        for (place, record) in self.records.iter().enumerate() {
            (record.at.0.wrapping_sub(at.0) as i64).put(out);
            at = record.at;
            let who = who(record.account, seated);
            out.push(who | if record.command.is_some() { HAS_ID } else { 0 });
            if let (OTHER, Some(account)) = (who, record.account) {
                account.as_u128().put(out);
            }
            if let Some(command) = &record.command {
                command.put(out);
            }
            record.events.put(out);
            if place == 0 {
                seated = players(record);
            }
        }
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
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
            let account = get_who(reader, tag & !HAS_ID, seated)?;
            let command = if tag & HAS_ID == 0 { None } else { Some(Field::get(reader)?) };
            let record = Record { game, first_seq, at, account, command, events: Field::get(reader)? };
            first_seq = next_seq(&record)?;
            if records.is_empty() {
                seated = players(&record);
            }
            records.push(Arc::new(record));
        }
        Ok(Self { game, records })
    }
}

fn get_who(reader: &mut Reader<'_>, tag: u8, players: Option<ByColor<u128>>) -> Read<Option<AccountId>> {
    let seat = match tag {
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
    // One account on both seats is written as White.
    if who(Some(account), players) == tag { Ok(Some(account)) } else { Err(DecodeError::BadValue("account")) }
}

/// The seq that follows a record's last one.
pub(super) fn next_seq(record: &Record) -> Read<Seq> {
    let count = Seq::try_from(record.events.len()).map_err(|_| DecodeError::BadValue("count"))?;
    record.first_seq.checked_add(count).ok_or(DecodeError::BadValue("seq"))
}
