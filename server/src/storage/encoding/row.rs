//! Whole rows: what stands in a segment's column `record`, and in the archive's.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, GameId};

use super::list;
use super::reader::{DecodeError, FORMAT, FORMAT_OLDEST, Read, Reader};
use super::writer as write;
use crate::storage::{Record, StoreInstant, TurnMark};

const RECORD: u8 = 1;
const CARRIED: u8 = 2;
const HEARTBEAT: u8 = 3;
const TURN: u8 = 4;
const ARCHIVED: u8 = 5;

const HAS_ACCOUNT: u8 = 1;
const HAS_COMMAND: u8 = 2;

const CHECKSUM_BYTES: usize = 4;

/// One row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Row {
    /// One record, committed at `at`. `previous` is the row in front of it in the same game, 0 for
    /// its first.
    Record {
        /// When its transaction began.
        at: StoreInstant,
        /// The game's row before.
        previous: u64,
        /// The record.
        record: Arc<Record>,
    },
    /// Everything of a game until now, so that no row before this one is needed.
    Carried {
        /// When its transaction began.
        at: StoreInstant,
        /// The running turn.
        mark: TurnMark,
        /// The game.
        game: GameId,
        /// All of its records.
        records: Vec<Arc<Record>>,
    },
    /// The process was alive then.
    Heartbeat(StoreInstant),
    /// The running turn of a game was interrupted, or goes on.
    Turn {
        /// When its transaction began.
        at: StoreInstant,
        /// The game.
        game: GameId,
        /// The running turn.
        mark: TurnMark,
    },
    /// A game that has ended, with all of its records.
    Archived {
        /// The game.
        game: GameId,
        /// All of its records.
        records: Vec<Arc<Record>>,
    },
}

/// Appends a row to `out`.
pub fn encode(row: &Row, out: &mut Vec<u8>) {
    match row {
        Row::Record { at, previous, record } => encode_record(*at, *previous, record, out),
        Row::Carried { at, mark, game, records } => frame(out, CARRIED, |out| {
            write::number(out, at.0);
            put_mark(out, *mark);
            list::put(out, *game, records.iter().map(Arc::as_ref));
        }),
        Row::Heartbeat(at) => frame(out, HEARTBEAT, |out| write::number(out, at.0)),
        Row::Turn { at, game, mark } => frame(out, TURN, |out| {
            write::number(out, at.0);
            list::put_game(out, *game);
            put_mark(out, *mark);
        }),
        Row::Archived { game, records } => {
            frame(out, ARCHIVED, |out| list::put(out, *game, records.iter().map(Arc::as_ref)));
        }
    }
}

/// Appends the row of one record to `out`: the path of every move, without a copy of the record.
pub fn encode_record(at: StoreInstant, previous: u64, record: &Record, out: &mut Vec<u8>) {
    frame(out, RECORD, |out| {
        write::number(out, at.0);
        write::number(out, previous);
        list::put_game(out, record.game);
        write::number(out, record.first_seq.into());
        write::number(out, record.at.0);
        let account = if record.account.is_some() { HAS_ACCOUNT } else { 0 };
        let command = if record.command.is_some() { HAS_COMMAND } else { 0 };
        write::byte(out, account | command);
        if let Some(account) = record.account {
            write::account(out, account.as_u128());
        }
        if let Some(command) = &record.command {
            list::put_command(out, command);
        }
        list::put_events(out, &record.events);
    });
}

fn frame(out: &mut Vec<u8>, kind: u8, body: impl FnOnce(&mut Vec<u8>)) {
    let begin = out.len();
    write::byte(out, FORMAT);
    write::byte(out, kind);
    body(out);
    let checksum = crc32c::crc32c(&out[begin..]);
    write::bytes(out, &checksum.to_le_bytes());
}

/// Reads a row.
///
/// # Errors
/// When the bytes are not exactly one row that this version knows.
pub fn decode(bytes: &[u8]) -> Result<Row, DecodeError> {
    // The version first: a later one may have another checksum.
    match bytes.first() {
        None => return Err(DecodeError::Truncated),
        Some(FORMAT_OLDEST..=FORMAT) => {}
        Some(&version) => return Err(DecodeError::UnknownVersion(version)),
    }
    let (body, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(DecodeError::Truncated)?;
    if crc32c::crc32c(body) != u32::from_le_bytes(*checksum) {
        return Err(DecodeError::Checksum);
    }
    let mut reader = Reader::new(body);
    reader.version = reader.byte()?;
    let row = match reader.byte()? {
        RECORD => get_record(&mut reader)?,
        CARRIED => {
            let (at, mark) = (instant(&mut reader)?, get_mark(&mut reader)?);
            let (game, records) = list::get(&mut reader)?;
            Row::Carried { at, mark, game, records }
        }
        HEARTBEAT => Row::Heartbeat(instant(&mut reader)?),
        TURN => Row::Turn {
            at: instant(&mut reader)?,
            game: list::get_game(&mut reader)?,
            mark: get_mark(&mut reader)?,
        },
        ARCHIVED => {
            let (game, records) = list::get(&mut reader)?;
            Row::Archived { game, records }
        }
        tag => return Err(DecodeError::UnknownTag { what: "row", tag }),
    };
    reader.finish()?;
    Ok(row)
}

fn instant(reader: &mut Reader<'_>) -> Read<StoreInstant> {
    reader.number().map(StoreInstant)
}

fn get_record(reader: &mut Reader<'_>) -> Read<Row> {
    let (at, previous) = (instant(reader)?, reader.number()?);
    let game = list::get_game(reader)?;
    let (first_seq, game_at) = (reader.small("seq")?, reader.instant()?);
    let flags = reader.byte()?;
    if flags & !(HAS_ACCOUNT | HAS_COMMAND) != 0 {
        return Err(DecodeError::UnknownTag { what: "sender", tag: flags });
    }
    let account = if flags & HAS_ACCOUNT == 0 { None } else { Some(AccountId::from_u128(reader.account()?)) };
    let command = if flags & HAS_COMMAND == 0 { None } else { Some(list::get_command(reader)?) };
    let events = list::get_events(reader)?;
    let record = Record { game, first_seq, at: game_at, account, command, events };
    list::next_seq(&record)?;
    Ok(Row::Record { at, previous, record: Arc::new(record) })
}

/// 1 since, 2 runs, 3 stands.
fn put_mark(out: &mut Vec<u8>, mark: TurnMark) {
    match mark {
        TurnMark::Since(at) => {
            write::byte(out, 1);
            write::number(out, at.0);
        }
        TurnMark::Runs { at, spent } => {
            write::byte(out, 2);
            write::number(out, at.0);
            write::micros(out, spent);
        }
        TurnMark::Stands { spent } => {
            write::byte(out, 3);
            write::micros(out, spent);
        }
    }
}

fn get_mark(reader: &mut Reader<'_>) -> Read<TurnMark> {
    Ok(match reader.byte()? {
        1 => TurnMark::Since(instant(reader)?),
        2 => TurnMark::Runs { at: instant(reader)?, spent: reader.micros()? },
        3 => TurnMark::Stands { spent: reader.micros()? },
        tag => return Err(DecodeError::UnknownTag { what: "mark", tag }),
    })
}
