//! Whole rows: what stands in a segment's column `record`, and in the archive's.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, GameId};

use super::field::{DecodeError, FORMAT, FORMAT_OLDEST, Field, Read, Reader, Writer, layout};
use super::list::{WholeGame, next_seq};
use crate::storage::{Record, RestMark, StoreInstant, TurnInstant, TurnMark};

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
        /// The game until now.
        whole: WholeGame,
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
    /// A game that has ended.
    Archived(WholeGame),
    /// A live game at rest.
    Resting {
        /// When it came to rest.
        since: TurnInstant,
        /// Where it stood then.
        mark: RestMark,
        /// All of it.
        whole: WholeGame,
    },
    /// A node owns a game from here on: nothing that an owner before it appends goes in any more.
    Claim {
        /// When its transaction began, on the axis of that node. So are the instants of all rows up to the next claim.
        at: StoreInstant,
        /// The game.
        game: GameId,
        /// The number of the node.
        node: u32,
        /// The running turn.
        mark: TurnMark,
    },
}

layout! { Row, "row" {
    1: Record { at, previous, record },
    2: Carried { at, mark, whole },
    3: Heartbeat(at),
    4: Turn { at, game, mark },
    5: Archived(whole),
    6: Resting { since, mark, whole },
    7: Claim { at, game, node, mark },
} }

layout! { RestMark { at, took, away_since, due } }

layout! { TurnMark, "mark" {
    1: Since(at),
    2: Runs { at, spent },
    3: Stands { spent },
} }

/// Appends a row to `out`.
pub fn encode(row: &Row, out: &mut Vec<u8>) {
    let begin = out.len();
    out.push(FORMAT);
    row.put(&mut Writer::new(out));
    let checksum = crc32c::crc32c(&out[begin..]);
    out.extend_from_slice(&checksum.to_le_bytes());
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
    let row = Row::get(&mut reader)?;
    reader.finish()?;
    Ok(row)
}

/// When the transaction of a row in a segment began, of a row that is otherwise not wanted; `None` for a row of
/// another kind, or one that cannot be decoded.
pub(crate) fn instant(bytes: &[u8]) -> Option<StoreInstant> {
    match decode(bytes).ok()? {
        Row::Record { at, .. }
        | Row::Carried { at, .. }
        | Row::Heartbeat(at)
        | Row::Turn { at, .. }
        | Row::Claim { at, .. } => Some(at),
        Row::Archived(_) | Row::Resting { .. } => None,
    }
}

impl Field for Arc<Record> {
    fn put(&self, out: &mut Writer<'_>) {
        let Record { game, first_seq, at, account, command, events } = &**self;
        game.put(out);
        first_seq.put(out);
        at.put(out);
        let has_account = if account.is_some() { HAS_ACCOUNT } else { 0 };
        let has_command = if command.is_some() { HAS_COMMAND } else { 0 };
        out.push(has_account | has_command);
        if let Some(account) = account {
            account.as_u128().put(out);
        }
        if let Some(command) = command {
            command.put(out);
        }
        events.put(out);
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        let game = Field::get(reader)?;
        let (first_seq, at) = (Field::get(reader)?, Field::get(reader)?);
        let flags = reader.byte()?;
        if flags & !(HAS_ACCOUNT | HAS_COMMAND) != 0 {
            return Err(DecodeError::UnknownTag { what: "sender", tag: flags });
        }
        let account =
            if flags & HAS_ACCOUNT == 0 { None } else { Some(AccountId::from_u128(Field::get(reader)?)) };
        let command = if flags & HAS_COMMAND == 0 { None } else { Some(Field::get(reader)?) };
        let record = Record { game, first_seq, at, account, command, events: Field::get(reader)? };
        next_seq(&record)?;
        Ok(Self::new(record))
    }
}
