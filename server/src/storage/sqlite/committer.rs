//! One transaction after the other: the state of the writer without its thread, so that a test can
//! stop it anywhere.
//!
//! Invariants: a record is appended after the game's last one or not at all, and a rejected one
//! fails alone; the record that ends a game writes its archive row, and what it does to ratings, in the same transaction;
//! nothing is answered before the commit; after an error the committer is useless and the process is about
//! to end. Offsets are seqs, so that carrying a game forward changes none.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rusqlite::{Connection, params};
use zeitnot_protocol::GameId;
use zeitnot_rules::game::Seq;

use super::game_rows::{self, RowsError, Segments};
use super::requests::Request;
use super::search_index::Backlog;
use super::shared::Shared;
use super::{archive, challenges, ratings};
use crate::storage::completions::Completion;
use crate::storage::encoding::{self, Row, WholeGame};
use crate::storage::heartbeat::{BEAT_EVERY, Heartbeats, UnsettledTurns, begins_turn};
use crate::storage::instant::TurnAxis;
use crate::storage::{
    AppendAnswer, AppendError, JournalOffset, Rater, Record, StoreInstant, TurnMark, TurnTime,
};
use crate::telemetry::metrics;

/// A live game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Live {
    pub(super) last_seq: Seq,
    /// Its last row.
    pub(super) head: u64,
    /// The number of the segment with its first row, or the one with which it was carried.
    pub(super) base: u32,
    pub(super) mark: TurnMark,
}

/// When a transaction happens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    pub(crate) at: StoreInstant,
    pub(crate) unix_ms: u64,
}

/// How segments are changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentSettings {
    /// A segment with so many rows is followed by the next.
    pub rows: u64,
    /// Live games carried forward in one commit.
    pub carried_per_commit: usize,
}

impl SegmentSettings {
    /// Those of a server: measured to be small enough to drop at once and large enough to be rare.
    pub const SERVICE: Self = Self { rows: 250_000, carried_per_commit: 4 };
}

/// Commits one transaction after the other on its connection.
pub(crate) struct Committer {
    pub(crate) connection: Connection,
    pub(super) state: CommitterState,
}

/// What the writer knows beside the database.
pub(super) struct CommitterState {
    pub(super) settings: SegmentSettings,
    pub(super) rater: &'static dyn Rater,
    pub(super) games: HashMap<GameId, Live>,
    pub(super) set_aside: HashSet<GameId>,
    pub(super) segments: Segments,
    pub(super) next_id: u64,
    /// Live games whose first row is in the older of two segments.
    pub(super) to_carry: Vec<GameId>,
    pub(super) heartbeats: Heartbeats,
    pub(super) last_beat: StoreInstant,
    pub(super) unsettled_turns: UnsettledTurns,
    pub(super) shared: Arc<Shared>,
    pub(super) insert: String,
    /// How many games are at rest.
    pub(super) resting: usize,
    /// Games of the archive that are not found by searches yet.
    pub(super) backlog: Backlog,
    /// Once it has stopped, a heartbeat would charge a player for time in which the server stops.
    pub(super) turn_axis: TurnAxis,
    /// The next row; reused.
    pub(super) buffer: Vec<u8>,
    pub(super) completions: Vec<Completion>,
    /// What the readers are shown after the commit: the last rows of games, `None` for one that is
    /// no longer live.
    pub(super) changes: Vec<(GameId, Option<u64>)>,
}

impl Committer {
    /// Whether a commit without requests has something to do at `at`.
    pub(crate) fn has_work(&self, at: StoreInstant) -> bool {
        self.state.segments.0.len() > 1 || !self.state.backlog.is_empty() || self.state.beat_is_due(at)
    }

    /// Notices which turns have begun. To be called before the clock is read for
    /// [`Committer::commit`]: such a turn has begun at any heartbeat from then on.
    pub(crate) fn settle_turns(&mut self) {
        self.state.unsettled_turns.settle();
    }

    /// Writes what is asked for in one transaction and answers. The transaction also holds a
    /// heartbeat when one is due, and a step of work on the segments and on the indexes.
    ///
    /// # Errors
    /// When SQLite fails. Nothing was answered then, nothing more may be answered, and it is
    /// unknown what is durable.
    pub(crate) fn commit(&mut self, now: Now, requests: &mut Vec<Request>) -> rusqlite::Result<()> {
        let Self { connection, state } = self;
        let metrics = metrics();
        metrics.journal_commits.increment(1);
        metrics.journal_requests.increment(requests.len() as u64);
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for request in requests.drain(..) {
            state.put(connection, now, request)?;
        }
        state.beat(connection, now.at)?;
        state.work_on_segments(connection, now.at)?;
        state.backlog.step(connection, now.at)?;
        connection.prepare_cached("COMMIT")?.execute([])?;
        state.publish();
        Ok(())
    }
}

impl CommitterState {
    fn put(&mut self, connection: &Connection, now: Now, request: Request) -> rusqlite::Result<()> {
        match request {
            Request::Append { after, record, answer, effect } => {
                let appended = self.append(connection, now, after, record)?;
                if appended.is_ok() {
                    self.unsettled_turns.add(now.at, effect);
                }
                self.completions.push(Completion::Appended(answer, appended));
            }
            Request::Turn { game, time } => self.note_turn(connection, now.at, game, time)?,
            Request::Other(write) => self.completions.push(Completion::Other(write(connection)?)),
            Request::Rest { game, after, mark, at, answer } => {
                let rests = self.rest(connection, game, after, mark, at)?;
                self.completions.push(Completion::of(answer, rests));
            }
            Request::Wake { game, at, answer } => {
                let woken = self.wake(connection, game, at, now.at)?;
                self.completions.push(Completion::of(answer, woken));
            }
            Request::StopTurns if !self.turn_axis.is_stopped() => {
                if self.unsettled_turns.allows_beat(now.at) {
                    self.write_beat(connection, now.at)?;
                }
                self.turn_axis.stop(now.at);
            }
            Request::StopTurns => {}
        }
        Ok(())
    }

    /// Shows the commit to the readers, then answers.
    fn publish(&mut self) {
        for (game, head) in self.changes.drain(..) {
            match head {
                Some(head) => self.shared.heads.insert(game, head),
                None => self.shared.heads.remove(&game).map(|(_, head)| head),
            };
        }
        self.shared.writer.completions.answer(&mut self.completions);
    }

    /// Adds the row in the buffer to the newest segment.
    pub(super) fn insert(&mut self, connection: &Connection, game: &[u8], seq: Seq) -> rusqlite::Result<u64> {
        let id = self.next_id;
        connection.prepare_cached(&self.insert)?.execute(params![id, game, seq, &self.buffer])?;
        self.next_id += 1;
        self.buffer.clear();
        Ok(id)
    }

    fn append(
        &mut self,
        connection: &Connection,
        now: Now,
        after: JournalOffset,
        record: Arc<Record>,
    ) -> rusqlite::Result<AppendAnswer> {
        let (game, first_seq, ends_game) = (record.game, record.first_seq, record.ends_game());
        if self.set_aside.contains(&game) {
            return Ok(Err(AppendError::Failed("the game is set aside".to_owned())));
        }
        let live = self.games.get(&game);
        let last_seq = live.map_or(0, |live| live.last_seq);
        if after.0 != u64::from(last_seq) || first_seq != last_seq + 1 {
            return Ok(Err(AppendError::Conflict));
        }
        let base = live.map_or_else(|| self.segments.newest().number, |live| live.base);
        let mark = match live {
            Some(live) if !record.events.iter().any(begins_turn) => live.mark,
            Some(_) | None => TurnMark::Since(now.at),
        };
        let previous = live.map_or(0, |live| live.head);
        let last_seq = record.last_seq();
        encoding::encode(&Row::Record { at: now.at, previous, record }, &mut self.buffer);
        let head = self.insert(connection, game.as_bytes(), first_seq)?;
        self.games.insert(game, Live { last_seq, head, base, mark });
        self.changes.push((game, Some(head)));
        if ends_game {
            self.archive(connection, now, game)?;
        }
        if after == JournalOffset::NONE {
            challenges::close(connection, game.as_bytes())?;
        }
        Ok(Ok(JournalOffset(last_seq.into())))
    }

    /// Moves a game that has ended into the archive, and changes the ratings of its players if it counts.
    fn archive(&mut self, connection: &Connection, now: Now, game: GameId) -> rusqlite::Result<()> {
        let Some(records) = self.read_whole(connection, game)? else { return Ok(()) };
        let row = Row::Archived(WholeGame { game, records: records.clone() });
        encoding::encode(&row, &mut self.buffer);
        archive::put(connection, game, now.unix_ms, &records, &self.buffer)?;
        if let Some(counted) = self.rater.counts(&records, None) {
            ratings::put(connection, self.rater, game, &counted, now.unix_ms)?;
        }
        self.buffer.clear();
        self.games.remove(&game);
        self.changes.push((game, None));
        Ok(())
    }

    /// All records of a live game; `None` when they cannot be read, and then the game is set aside.
    pub(super) fn read_whole(
        &mut self,
        connection: &Connection,
        game: GameId,
    ) -> rusqlite::Result<Option<Vec<Arc<Record>>>> {
        let Some(live) = self.games.get(&game).copied() else { return Ok(None) };
        match game_rows::read(connection, &self.segments, game, live.head, 1) {
            Ok(rows) => Ok(Some(rows.records)),
            Err(RowsError::Sqlite(error)) => Err(error),
            Err(error) => {
                tracing::error!(%game, %error, "a game is set aside: it cannot be played on, its rows are kept");
                archive::keep_rows(connection, &self.segments, game)?;
                self.games.remove(&game);
                self.set_aside(game);
                self.changes.push((game, None));
                Ok(None)
            }
        }
    }

    /// Nothing is added to a game from here on, and nobody reads it.
    pub(super) fn set_aside(&mut self, game: GameId) {
        metrics().games_set_aside.increment(1);
        self.set_aside.insert(game);
        self.shared.set_aside.insert(game);
    }

    fn note_turn(
        &mut self,
        connection: &Connection,
        at: StoreInstant,
        game: GameId,
        time: TurnTime,
    ) -> rusqlite::Result<()> {
        let Some(live) = self.games.get_mut(&game) else { return Ok(()) };
        live.mark = match time {
            TurnTime::Runs { spent } => TurnMark::Runs { at, spent },
            TurnTime::Stands { spent } => TurnMark::Stands { spent },
        };
        let (mark, seq) = (live.mark, live.last_seq);
        encoding::encode(&Row::Turn { at, game, mark }, &mut self.buffer);
        self.insert(connection, game.as_bytes(), seq)?;
        Ok(())
    }

    /// Whether turns run, in games that are live or at rest.
    pub(super) fn has_turns(&self) -> bool {
        !self.games.is_empty() || self.resting > 0
    }

    fn beat_is_due(&self, at: StoreInstant) -> bool {
        !self.turn_axis.is_stopped()
            && self.has_turns()
            && at >= self.last_beat.after(BEAT_EVERY)
            && self.unsettled_turns.allows_beat(at)
    }

    fn beat(&mut self, connection: &Connection, at: StoreInstant) -> rusqlite::Result<()> {
        if self.beat_is_due(at) { self.write_beat(connection, at) } else { Ok(()) }
    }

    fn write_beat(&mut self, connection: &Connection, at: StoreInstant) -> rusqlite::Result<()> {
        self.last_beat = at;
        self.heartbeats.beat(at);
        encoding::encode(&Row::Heartbeat(at), &mut self.buffer);
        self.insert(connection, &[], 0)?;
        Ok(())
    }
}
