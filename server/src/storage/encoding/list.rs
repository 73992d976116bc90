//! All records of a game from its first on, in less room than single rows take: game and seqs
//! follow from the place, instants are differences, and players are named by their seat.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, CommandId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Event, GameInstant, Seq};

use super::event;
use super::reader::{DecodeError, Read, Reader};
use super::writer as write;
use crate::storage::Record;

/// The sender of the command: nobody, a player, or another account, which follows. With [`HAS_ID`]
/// the command's id follows.
const NOBODY: u8 = 0;
const WHITE: u8 = 1;
const BLACK: u8 = 2;
const OTHER: u8 = 3;
const HAS_ID: u8 = 4;

pub(super) fn put_game(out: &mut Vec<u8>, game: GameId) {
    write::bytes(out, game.as_bytes());
}

pub(super) fn get_game(reader: &mut Reader<'_>) -> Read<GameId> {
    let bad = DecodeError::BadValue("game");
    let text = std::str::from_utf8(reader.bytes(zeitnot_protocol::ID_CHARS)?).map_err(|_| bad)?;
    text.parse().map_err(|_| bad)
}

pub(super) fn put_command(out: &mut Vec<u8>, command: &CommandId) {
    write::byte(out, command.as_str().len() as u8);
    write::bytes(out, command.as_str().as_bytes());
}

pub(super) fn get_command(reader: &mut Reader<'_>) -> Read<CommandId> {
    let bad = DecodeError::BadValue("command id");
    let length = usize::from(reader.byte()?);
    let text = std::str::from_utf8(reader.bytes(length)?).map_err(|_| bad)?;
    text.parse().map_err(|_| bad)
}

pub(super) fn put_events(out: &mut Vec<u8>, events: &[Event]) {
    write::number(out, events.len() as u64);
    events.iter().for_each(|one| event::put(out, one));
}

/// At least one.
pub(super) fn get_events(reader: &mut Reader<'_>) -> Read<Vec<Event>> {
    let count = reader.count()?;
    if count == 0 {
        return Err(DecodeError::BadValue("count"));
    }
    // Nearly every record has one or two events; a lying count allocates no more than that.
    let mut events = Vec::with_capacity(count.min(4));
    for _ in 0..count {
        events.push(event::get(reader)?);
    }
    Ok(events)
}

/// The players of a game by its first record; none when that record begins no game.
fn players(first: Option<&Record>) -> Option<ByColor<u128>> {
    match first?.events.first()? {
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

/// The records of `game` from its first on, without gaps.
pub(super) fn put<'a>(out: &mut Vec<u8>, game: GameId, records: impl ExactSizeIterator<Item = &'a Record>) {
    put_game(out, game);
    write::number(out, records.len() as u64);
    let (mut seated, mut at) = (None, GameInstant::START);
    for (place, record) in records.enumerate() {
        write::difference(out, record.at.0.wrapping_sub(at.0) as i64);
        at = record.at;
        let who = who(record.account, seated);
        write::byte(out, who | if record.command.is_some() { HAS_ID } else { 0 });
        if let (OTHER, Some(account)) = (who, record.account) {
            write::account(out, account.as_u128());
        }
        if let Some(command) = &record.command {
            put_command(out, command);
        }
        put_events(out, &record.events);
        if place == 0 {
            seated = players(Some(record));
        }
    }
}

pub(super) fn get(reader: &mut Reader<'_>) -> Read<(GameId, Vec<Arc<Record>>)> {
    let game = get_game(reader)?;
    let count = reader.count()?;
    if count == 0 {
        return Err(DecodeError::BadValue("count"));
    }
    let mut records: Vec<Arc<Record>> = Vec::new();
    let (mut seated, mut at, mut first_seq) = (None, GameInstant::START, 1);
    for _ in 0..count {
        at = GameInstant(at.0.wrapping_add(reader.difference()? as u64));
        let tag = reader.byte()?;
        let account = get_who(reader, tag & !HAS_ID, seated)?;
        let command = if tag & HAS_ID == 0 { None } else { Some(get_command(reader)?) };
        let events = get_events(reader)?;
        let record = Record { game, first_seq, at, account, command, events };
        first_seq = next_seq(&record)?;
        if records.is_empty() {
            seated = players(Some(&record));
        }
        records.push(Arc::new(record));
    }
    Ok((game, records))
}

fn get_who(reader: &mut Reader<'_>, tag: u8, players: Option<ByColor<u128>>) -> Read<Option<AccountId>> {
    let seat = match tag {
        NOBODY => return Ok(None),
        WHITE => Color::White,
        BLACK => Color::Black,
        OTHER => {
            let account = AccountId::from_u128(reader.account()?);
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
