//! Games on their way from a data folder into a database: finished ones, live ones, and those at rest.
//!
//! A live game becomes one row with all its records, as one does that is woken; its running turn stands at what it had taken.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::Connection;
use zeitnot_protocol::GameId;
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Event;

use super::super::corrections;
use super::MoveError;
use crate::storage::encoding::{self, Row, WholeGame};
use crate::storage::postgres::{Archived, Cell, Filling, Form, SEGMENT};
use crate::storage::{FoundGame, Rebuild, Record, StoreInstant, TurnMark};

/// Finished games of one statement: some megabytes.
const AT_ONCE: usize = 200;

/// Writes the finished games in the order of their ends; how many.
pub(super) fn finished(source: &Connection, filling: &mut Filling) -> Result<u64, MoveError> {
    let (all, _) = corrections::all(source)?;
    let last: HashMap<_, _> = all.into_iter().map(|placed| (placed.game, placed.correction)).collect();
    let mut statement = source.prepare("SELECT id, ended_unix_ms, records FROM archive ORDER BY id")?;
    let mut rows = statement.query([])?;
    let (mut batch, mut count) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let (id, encoded): (i64, Vec<u8>) = (row.get(0)?, row.get(2)?);
        let Ok(Row::Archived(whole)) = encoding::decode(&encoded) else {
            return Err(MoveError::Row(format!("row {id} of the archive is bad")));
        };
        let correction = last.get(&whole.game).copied();
        batch.push(Archived { id, ended_unix_ms: row.get(1)?, whole, encoded, correction });
        count += 1;
        if batch.len() >= AT_ONCE {
            filling.archive(std::mem::take(&mut batch))?;
        }
    }
    filling.archive(batch)?;
    Ok(count)
}

/// What a start finds of live games: their records.
#[derive(Debug, Default)]
pub(super) struct LiveGames(HashMap<GameId, Vec<Arc<Record>>>);

impl Rebuild for LiveGames {
    fn record(&mut self, record: &Record) -> Result<(), String> {
        self.0.entry(record.game).or_default().push(Arc::new(record.clone()));
        Ok(())
    }

    fn all(&mut self, game: GameId, records: &[Arc<Record>]) -> Result<(), String> {
        self.0.insert(game, records.to_vec());
        Ok(())
    }

    fn forget(&mut self, game: GameId) {
        self.0.remove(&game);
    }
}

impl LiveGames {
    /// Writes those that can be played on; how many.
    pub(super) fn copy(
        mut self,
        found: &[FoundGame],
        at: StoreInstant,
        filling: &mut Filling,
    ) -> Result<u64, MoveError> {
        let (mut live, mut journal) = (Vec::new(), Vec::new());
        for FoundGame { game, spent, .. } in found.iter().copied() {
            let records = self.0.remove(&game).unwrap_or_default();
            let (players, name) = (players(&records)?, Cell::Text(game.to_string()));
            let number = last_number(&records);
            live.push(vec![name.clone(), Cell::Number(SEGMENT.into()), players.white, players.black]);
            let (mark, whole) = (TurnMark::Stands { spent }, WholeGame { game, records });
            let mut row = Vec::new();
            encoding::encode(&Row::Carried { at, mark, whole }, &mut row);
            journal.push(vec![Cell::Number(SEGMENT.into()), name, number, Cell::Bytes(row)]);
        }
        let columns = [("segment", Form::Int), ("game", Form::Text), ("n", Form::Int), ("row", Form::Bytes)];
        filling.copy("journal", &columns, journal.into_iter().map(Ok::<_, MoveError>))?;
        let columns = [
            ("game", Form::Text),
            ("segment", Form::Int),
            ("white", Form::Account),
            ("black", Form::Account),
        ];
        filling.copy("live", &columns, live.into_iter().map(Ok::<_, MoveError>))
    }
}

/// Writes the games at rest; how many.
pub(super) fn resting(source: &Connection, filling: &mut Filling) -> Result<u64, MoveError> {
    let mut statement = source.prepare("SELECT due, record FROM resting ORDER BY game")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let columns = [
        ("game", Form::Text),
        ("white", Form::Account),
        ("black", Form::Account),
        ("resting", Form::Bool),
        ("n", Form::Int),
        ("due_us", Form::Number),
        ("rest", Form::Bytes),
    ];
    let rows = rows.map(|row| {
        let (due, record): (i64, Vec<u8>) = row?;
        let Ok(Row::Resting { whole: WholeGame { game, records }, .. }) = encoding::decode(&record) else {
            return Err(MoveError::Row("a row of a game at rest is bad".to_owned()));
        };
        let ByColor { white, black } = players(&records)?;
        let name = Cell::Text(game.to_string());
        let n = last_number(&records);
        Ok(vec![name, white, black, Cell::Number(1), n, Cell::Number(due), Cell::Bytes(record)])
    });
    filling.copy("live", &columns, rows)
}

/// The number of the last of these records.
fn last_number(records: &[Arc<Record>]) -> Cell {
    Cell::Number(i64::try_from(records.len()).unwrap_or(i64::MAX))
}

/// The players of a game with these records.
fn players(records: &[Arc<Record>]) -> Result<ByColor<Cell>, MoveError> {
    match records.first().and_then(|record| record.events.first()) {
        Some(Event::Started(setup)) => {
            Ok(setup.players.map(|player| Cell::Bytes(player.to_be_bytes().to_vec())))
        }
        _ => Err(MoveError::Row("the records of a live game do not begin with its start".to_owned())),
    }
}
