//! From one segment to the next: the next is opened, the live games are carried forward a few per
//! commit, the old one is dropped.
//!
//! Each step is part of a transaction, so a crash at any point finds all of it or nothing.

use rusqlite::{Connection, params};

use super::committer::CommitterState;
use super::game_rows::Segment;
use crate::storage::StoreInstant;
use crate::storage::encoding::{self, Row, WholeGame};

/// Makes the table of a segment.
pub(crate) fn create(connection: &Connection, segment: Segment) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "CREATE TABLE journal_{} (id INTEGER PRIMARY KEY, game BLOB NOT NULL, seq INTEGER NOT NULL, record BLOB NOT NULL) \
         STRICT",
        segment.number
    ))?;
    connection.execute("INSERT INTO segments VALUES (?1, ?2)", params![segment.number, segment.first_id])?;
    Ok(())
}

pub(super) fn insert_sql(segment: Segment) -> String {
    format!("INSERT INTO journal_{} VALUES (?1, ?2, ?3, ?4)", segment.number)
}

impl CommitterState {
    /// Takes one step, if there is one to take.
    pub(super) fn work_on_segments(
        &mut self,
        connection: &Connection,
        at: StoreInstant,
    ) -> rusqlite::Result<()> {
        if self.segments.0.len() > 1 {
            if self.to_carry.is_empty() { self.drop_old(connection) } else { self.carry_some(connection, at) }
        } else if self.next_id - self.segments.newest().first_id >= self.settings.rows {
            self.open_next(connection)
        } else {
            Ok(())
        }
    }

    fn open_next(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let next = Segment { number: self.segments.newest().number + 1, first_id: self.next_id };
        create(connection, next)?;
        self.segments.0.push(next);
        self.insert = insert_sql(next);
        self.to_carry = self.games.keys().copied().collect();
        self.shared.set_segments(&self.segments);
        tracing::debug!(segment = next.number, games = self.to_carry.len(), "a new segment is opened");
        Ok(())
    }

    fn carry_some(&mut self, connection: &Connection, at: StoreInstant) -> rusqlite::Result<()> {
        let newest = self.segments.newest().number;
        for _ in 0..self.settings.carried_per_commit {
            // A game that has ended since then is not carried.
            let Some(game) = self.to_carry.pop() else { break };
            if self.games.get(&game).is_none_or(|live| live.base == newest) {
                continue;
            }
            let Some(records) = self.read_whole(connection, game)? else { continue };
            let Some(live) = self.games.get(&game).copied() else { continue };
            let mark = self.heartbeats.carried(live.mark, at);
            let whole = WholeGame { game, records };
            encoding::encode(&Row::Carried { at, mark, whole }, &mut self.buffer);
            let head = self.insert(connection, game.as_bytes(), live.last_seq)?;
            self.games.insert(game, super::committer::Live { head, base: newest, mark, ..live });
            self.changes.push((game, Some(head)));
        }
        Ok(())
    }

    /// Drops the old segment, of which nothing is needed any more, and forgets the heartbeats that
    /// no game needs.
    fn drop_old(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let old = self.segments.0.remove(0);
        // A cached statement would keep the table from being dropped.
        connection.flush_prepared_statement_cache();
        connection.execute_batch(&format!("DROP TABLE journal_{}", old.number))?;
        connection.execute("DELETE FROM segments WHERE number = ?1", [old.number])?;
        let earliest = self.games.values().filter_map(|live| live.mark.earliest()).min();
        self.heartbeats.forget_before(earliest.unwrap_or(self.last_beat));
        // The next start must find the last heartbeat, which may have been in that segment.
        encoding::encode(&Row::Heartbeat(self.last_beat), &mut self.buffer);
        self.insert(connection, &[], 0)?;
        self.shared.set_segments(&self.segments);
        tracing::debug!(segment = old.number, "an old segment is dropped");
        Ok(())
    }
}
