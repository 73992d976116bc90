//! Where rows are: the segments, and a game's rows from its last one back.
//!
//! There is no index by game. Each record's row names the game's row before it, so a game is read
//! from its end with one look-up by row id for each row, until its first record or the row with
//! which it was carried into a newer segment.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _};
use zeitnot_protocol::GameId;
use zeitnot_rules::game::Seq;

use crate::storage::Record;
use crate::storage::encoding::{self, DecodeError, Row};

/// One table `journal_N`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) number: u32,
    /// Its rows have this id and later ones, until the next segment's first.
    pub(crate) first_id: u64,
}

/// The segments that exist, oldest first: one, or two while games are carried forward.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Segments(pub(crate) Vec<Segment>);

impl Segments {
    /// The segment that has, or would have, a row.
    pub(super) fn of(&self, id: u64) -> Option<Segment> {
        self.0.iter().rev().find(|segment| segment.first_id <= id).copied()
    }

    /// The one that is written.
    pub(super) fn newest(&self) -> Segment {
        *self.0.last().expect("there is always a segment")
    }

    pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Self> {
        let mut statement = connection.prepare("SELECT number, first_id FROM segments ORDER BY number")?;
        let read = |row: &rusqlite::Row<'_>| Ok(Segment { number: row.get(0)?, first_id: row.get(1)? });
        Ok(Self(statement.query_map([], read)?.collect::<Result<_, _>>()?))
    }
}

/// The game that a column names; `None` when its bytes are not an id.
pub(crate) fn game_of(column: &[u8]) -> Option<GameId> {
    std::str::from_utf8(column).ok()?.parse().ok()
}

/// Why a game's rows could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowsError {
    /// SQLite did not give a row.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// A row is missing. A reader sees this also when the row's segment was dropped a moment ago.
    #[error("its row {0} is missing")]
    Missing(u64),
    /// A row cannot be decoded.
    #[error("its row {id} is bad: {error}")]
    Bad {
        /// Which.
        id: u64,
        /// Why.
        error: DecodeError,
    },
    /// Rows do not follow from each other.
    #[error("its row {0} does not belong there")]
    Gap(u64),
}

impl RowsError {
    /// Whether the rows themselves are bad, so that reading again would not help.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::Bad { .. } | Self::Gap(_))
    }
}

/// A game's records from some seq on.
#[derive(Debug)]
pub(super) struct GameRows {
    pub(super) records: Vec<Arc<Record>>,
    /// The seq of the game's last event, also when `records` is empty.
    pub(super) last_seq: Seq,
}

/// The records of a game with events of seq `from` and later, read back from its row `head`.
pub(super) fn read(
    connection: &Connection,
    segments: &Segments,
    game: GameId,
    head: u64,
    from: Seq,
) -> Result<GameRows, RowsError> {
    let mut backwards: Vec<Arc<Record>> = Vec::new();
    let mut id = head;
    while id != 0 && backwards.last().is_none_or(|record| record.first_seq > from) {
        let segment = segments.of(id).ok_or(RowsError::Missing(id))?;
        let sql = format!("SELECT record FROM journal_{} WHERE id = ?1", segment.number);
        let mut statement = connection.prepare_cached(&sql)?;
        let decode = |row: &rusqlite::Row<'_>| Ok(encoding::decode(row.get_ref(0)?.as_blob()?));
        let row = statement.query_row([id], decode).optional()?.ok_or(RowsError::Missing(id))?;
        let next_seq = backwards.last().map(|record| record.first_seq);
        let follows = |record: &Record| {
            record.game == game && next_seq.is_none_or(|next| record.last_seq().checked_add(1) == Some(next))
        };
        match row.map_err(|error| RowsError::Bad { id, error })? {
            Row::Record { previous, record, .. } if follows(&record) && previous < id => {
                backwards.push(record);
                id = previous;
            }
            Row::Carried { whole, .. } if whole.records.last().is_some_and(|last| follows(last)) => {
                backwards.extend(whole.records.into_iter().rev());
                id = 0;
            }
            _ => return Err(RowsError::Gap(id)),
        }
    }
    let last_seq = backwards.first().map_or(0, |record| record.last_seq());
    backwards.reverse();
    if from <= 1 && backwards.first().is_some_and(|first| first.first_seq != 1) {
        return Err(RowsError::Gap(head));
    }
    let wanted = backwards.partition_point(|record| record.last_seq() < from);
    Ok(GameRows { records: backwards.split_off(wanted), last_seq })
}
