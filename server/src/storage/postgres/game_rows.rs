//! The rows of one game, and what they come to.
//!
//! A live game has one row for each record, numbered from 1; a game that was woken begins with one row that has all records
//! until then, under the number of the last of them. A claim is a row among them, under a number of its own.
//!
//! Deliberately absent: what a record means (`games` rebuilds from them).

use std::sync::Arc;

use zeitnot_protocol::GameId;
use zeitnot_rules::game::{Micros, Seq};

use super::connection::{Database, Failure, Link};
use crate::storage::encoding::{self, Row};
use crate::storage::heartbeat::begins_turn;
use crate::storage::{JournalOffset, Record, StoreInstant, Tail, TurnMark};

/// A row of a game, under its number.
pub(super) type NumberedRow = (i32, Vec<u8>);

/// All records of a game by its rows in their order, or why they cannot be read.
pub(super) fn records(game: GameId, rows: &[NumberedRow]) -> Result<Vec<Arc<Record>>, String> {
    let mut read = Read::default();
    for (n, bytes) in rows {
        read.row(game, *n, bytes)?;
    }
    Ok(read.records)
}

/// What is known of a game while its rows are read.
#[derive(Default)]
struct Read {
    records: Vec<Arc<Record>>,
    n: i32,
}

/// What a row adds.
enum Added {
    Record(StoreInstant),
    /// Where the turn stands, whatever was before.
    Mark(TurnMark),
}

impl Read {
    fn last_seq(&self) -> Seq {
        self.records.last().map_or(0, |record| record.last_seq())
    }

    fn follows(&self, n: i32) -> bool {
        Some(n) == self.n.checked_add(1)
    }

    /// The next row.
    fn row(&mut self, game: GameId, n: i32, bytes: &[u8]) -> Result<Added, String> {
        let row = encoding::decode(bytes).map_err(|error| format!("its row {n} is bad: {error}"))?;
        let added = match row {
            Row::Record { at, previous, record }
                if record.game == game
                    && self.follows(n)
                    && u64::try_from(self.n) == Ok(previous)
                    && record.first_seq == self.last_seq() + 1 =>
            {
                self.records.push(record);
                Added::Record(at)
            }
            Row::Carried { mark, whole, .. } if whole.game == game && self.n == 0 => {
                self.records = whole.records;
                Added::Mark(mark)
            }
            Row::Claim { game: claimed, mark, .. } if claimed == game && self.follows(n) && self.n > 0 => {
                Added::Mark(mark)
            }
            _ => return Err(format!("its row {n} does not belong there")),
        };
        self.n = n;
        Ok(added)
    }
}

/// What is kept of a live game, as whoever claims it reads it.
#[derive(Debug)]
pub(super) struct StoredGame {
    pub(super) game: GameId,
    pub(super) segment: i32,
    /// Whose it was.
    pub(super) owner: Option<i32>,
    /// What its running turn had taken after which row, if that was noted.
    pub(super) noted: Option<(i32, Vec<u8>)>,
    pub(super) rows: Vec<NumberedRow>,
}

/// A live game as the journal's task knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Live {
    /// The number of its last row.
    pub(super) n: i32,
    pub(super) last_seq: Seq,
    pub(super) segment: i32,
    pub(super) mark: TurnMark,
}

impl Live {
    /// What its running turn has taken, as far as its mark says so.
    pub(super) fn spent(&self) -> Micros {
        match self.mark {
            TurnMark::Stands { spent } | TurnMark::Runs { spent, .. } => spent,
            TurnMark::Since(_) => Micros::ZERO,
        }
    }
}

impl StoredGame {
    /// The records, and what the journal's task must know.
    ///
    /// # Errors
    /// Why it cannot be played on.
    pub(super) fn read(&self) -> Result<(Vec<Arc<Record>>, Live), String> {
        let Self { game, segment, ref noted, ref rows, .. } = *self;
        let noted = noted.as_ref().map(|(n, bytes)| Ok::<_, String>((*n, noted_mark(game, bytes)?)));
        let noted = noted.transpose()?;
        let (mut read, mut found) = (Read::default(), None);
        for (n, bytes) in rows {
            let known = read.records.len();
            let mark = match read.row(game, *n, bytes)? {
                Added::Mark(mark) => mark,
                Added::Record(at) => {
                    let record = &read.records[known];
                    if record.ends_game() {
                        return Err(format!("it is live, and ends with its row {n}"));
                    }
                    let begins = record.events.iter().any(begins_turn);
                    found.filter(|_| !begins).unwrap_or(TurnMark::Since(at))
                }
            };
            found = Some(noted.filter(|(after, _)| after == n).map_or(mark, |(_, mark)| mark));
        }
        let mark = found.ok_or_else(|| "its rows are missing".to_owned())?;
        let live = Live { n: read.n, last_seq: read.last_seq(), segment, mark };
        Ok((read.records, live))
    }
}

/// The mark in a note.
fn noted_mark(game: GameId, bytes: &[u8]) -> Result<TurnMark, String> {
    match encoding::decode(bytes) {
        Ok(Row::Turn { game: noted, mark, .. }) if noted == game => Ok(mark),
        Ok(_) => Err("what is noted of its turn is another game's".to_owned()),
        Err(error) => Err(format!("what is noted of its turn is bad: {error}")),
    }
}

/// The game that a column names; a damaged one is an error.
pub(super) fn game_of(column: &str) -> Result<GameId, Failure> {
    column.parse().map_err(|_| Failure::Damaged("a game has a name that is none".to_owned()))
}

/// All that is kept of a game, wherever it is: 0 are its rows, 1 is its row at rest, 2 that of the archive, with 1 if it ended
/// less than ten minutes ago, 3 why it is set aside. One statement is one view.
const EVERYWHERE: &str = "SELECT 0 AS place, journal.n, row FROM live JOIN journal USING (segment, game) \
     WHERE game = $1 AND NOT resting AND aside IS NULL \
     UNION ALL SELECT 1, n, rest FROM live WHERE game = $1 AND resting AND aside IS NULL \
     UNION ALL SELECT 2, (ended_unix_ms > 1000 * extract(epoch FROM now()) - 600000)::int, records FROM archive \
     WHERE game = $1 \
     UNION ALL SELECT 3, 0, NULL FROM live WHERE game = $1 AND aside IS NOT NULL \
     ORDER BY place, n";

/// The tail of a game, live or ended. A new end is behind a barrier: its row is seen before a standby has it, if the wait of
/// whoever wrote it was cut short, and nobody else waits for it. The live rows of other nodes are shown by their owners alone.
pub(super) async fn tail(database: &Database, link: &Link, game: GameId, from: Seq) -> Result<Tail, Failure> {
    let damaged = |why: String| Failure::Damaged(format!("of the game {game} {why}"));
    let found = link.rows(EVERYWHERE, &[&game.as_str()]).await?;
    let Some(first) = found.first() else {
        return Ok(Tail { records: Vec::new(), last: JournalOffset::NONE, correction: None });
    };
    let bytes = |row: &tokio_postgres::Row| row.try_get::<_, Vec<u8>>(2);
    let (place, last_n): (i32, i32) = (first.try_get(0)?, found.last().map_or(0, |row| row.get(1)));
    let mut correction = None;
    let (records, last) = match place {
        0 => {
            let rows = found.iter().map(|row| Ok((row.try_get(1)?, bytes(row)?)));
            let rows = rows.collect::<Result<Vec<_>, tokio_postgres::Error>>()?;
            (records(game, &rows).map_err(damaged)?, last_n)
        }
        1 => match encoding::decode(&bytes(first)?) {
            Ok(Row::Resting { whole, .. }) if whole.game == game => (whole.records, last_n),
            Ok(_) => return Err(damaged("its row at rest is another one".to_owned())),
            Err(error) => return Err(damaged(format!("its row at rest is bad: {error}"))),
        },
        2 => {
            if last_n == 1 {
                database.barrier(link).await?;
            }
            correction = super::archive::last_correction(link, game).await?;
            let records = archived(game, &bytes(first)?).map_err(damaged)?;
            let last = i32::try_from(records.len()).unwrap_or(i32::MAX);
            (records, last)
        }
        _ => return Err(Failure::Damaged(format!("the game {game} is set aside"))),
    };
    let wanted = records.partition_point(|record| record.last_seq() < from);
    let records = records[wanted..].to_vec();
    Ok(Tail { records, last: JournalOffset(u64::try_from(last).unwrap_or_default()), correction })
}

/// The records in a row of the archive.
pub(super) fn archived(game: GameId, bytes: &[u8]) -> Result<Vec<Arc<Record>>, String> {
    match encoding::decode(bytes) {
        Ok(Row::Archived(whole)) if whole.game == game => Ok(whole.records),
        Ok(_) => Err("its row in the archive is another one".to_owned()),
        Err(error) => Err(format!("its row in the archive is bad: {error}")),
    }
}
