//! The read of all rows at a start: each once, in order. The records go to a [`Rebuild`], which
//! makes games of them.
//!
//! A row that cannot be decoded, does not belong to the game of its column, or does not follow from
//! the game's row before it sets that game aside: its rows are kept, and the other games are
//! served. A row whose predecessors were in a dropped segment waits for the row with which its game
//! was carried forward, or for the game's end.

use std::collections::{BTreeMap, HashMap, HashSet};

use rusqlite::Connection;
use zeitnot_protocol::GameId;

use super::archive;
use super::committer::Live;
use super::game_rows::{Segment, Segments, game_of};
use crate::storage::encoding::{self, Row, WholeGame};
use crate::storage::heartbeat::{Heartbeats, begins_turn};
use crate::storage::{Rebuild, Record, StoreInstant, TurnMark};

/// What is known of a game while rows are read.
#[derive(Debug)]
enum Seen {
    /// All of its rows until here.
    Whole(Live),
    /// Only rows whose predecessors are gone; it should be carried or end later.
    Orphan,
    /// It has ended.
    Over,
    /// It cannot be read.
    Bad(String),
}

/// The result of a scan.
pub(crate) struct Scanned {
    pub(super) live: BTreeMap<GameId, Live>,
    pub(crate) set_aside: Vec<(GameId, String)>,
    pub(super) heartbeats: Heartbeats,
}

impl Scanned {
    /// How many games can be played on.
    pub(crate) fn live_count(&self) -> usize {
        self.live.len()
    }
}

/// A scan of all rows under way.
pub(crate) struct Scan<'a> {
    rebuild: &'a mut dyn Rebuild,
    pub(super) heartbeats: Heartbeats,
    games: HashMap<GameId, Seen>,
    /// What the segments still have of these is out of date.
    at_rest: HashSet<GameId>,
    pub(super) next_id: u64,
    /// The latest instant in any row.
    pub(super) latest: StoreInstant,
}

impl<'a> Scan<'a> {
    /// `heartbeats` knows the starts. The rows of the games `at_rest` are not read.
    pub(crate) fn new(
        heartbeats: Heartbeats,
        at_rest: HashSet<GameId>,
        rebuild: &'a mut dyn Rebuild,
    ) -> Self {
        let latest = heartbeats.latest();
        Self { rebuild, latest, heartbeats, games: HashMap::new(), at_rest, next_id: 1 }
    }

    /// Reads all rows.
    pub(super) fn read(&mut self, connection: &Connection, segments: &Segments) -> rusqlite::Result<()> {
        for segment in &segments.0 {
            self.next_id = self.next_id.max(segment.first_id);
            let sql = format!("SELECT id, game, record FROM journal_{} ORDER BY id", segment.number);
            let mut statement = connection.prepare(&sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let id: u64 = row.get(0)?;
                self.next_id = id + 1;
                // Of a damaged row the value may have another type: then it is no row of any game.
                let bytes = |column| row.get_ref(column).map(|value| value.as_blob().unwrap_or_default());
                self.row(id, *segment, bytes(1)?, bytes(2)?);
            }
        }
        Ok(())
    }

    /// Reads one row. Rows come in the order of their ids.
    pub(crate) fn row(&mut self, id: u64, segment: Segment, column: &[u8], bytes: &[u8]) {
        let named = game_of(column);
        if named.is_some_and(|game| self.at_rest.contains(&game)) {
            return self.latest = self.latest.max(encoding::instant(bytes).unwrap_or_default());
        }
        let row = match encoding::decode(bytes) {
            Ok(row) => row,
            Err(error) => return self.bad(named, &format!("its row {id} is bad: {error}")),
        };
        let (game, at) = match &row {
            Row::Heartbeat(at) => (None, Some(*at)),
            Row::Record { record, at, .. } => (Some(record.game), Some(*at)),
            Row::Carried { whole, at, .. } => (Some(whole.game), Some(*at)),
            Row::Turn { game, at, .. } | Row::Claim { game, at, .. } => (Some(*game), Some(*at)),
            Row::Archived(whole) | Row::Resting { whole, .. } => (Some(whole.game), None),
        };
        self.latest = self.latest.max(at.unwrap_or_default());
        if game != named {
            let why = format!("its row {id} names another game");
            self.bad(game, &why);
            return self.bad(named, &why);
        }
        match row {
            Row::Heartbeat(at) => self.heartbeats.beat(at),
            Row::Record { at, previous, record } => self.record(id, segment, at, previous, &record),
            Row::Carried { mark, whole, .. } => self.carried(id, segment, mark, &whole),
            Row::Turn { game, mark, .. } => {
                if let Some(Seen::Whole(live)) = self.games.get_mut(&game) {
                    live.mark = mark;
                }
            }
            Row::Archived(_) => self.bad(named, &format!("its row {id} belongs into the archive")),
            Row::Resting { .. } => self.bad(named, &format!("its row {id} belongs to the games at rest")),
            Row::Claim { .. } => self.bad(named, &format!("its row {id} belongs into a database")),
        }
    }

    fn record(&mut self, id: u64, segment: Segment, at: StoreInstant, previous: u64, record: &Record) {
        let game = record.game;
        let mark = match self.games.get(&game) {
            Some(Seen::Bad(_)) => return,
            Some(Seen::Over) => return self.bad(Some(game), &format!("its row {id} comes after its end")),
            Some(Seen::Orphan) => return self.orphan(record),
            None if previous != 0 && previous < segment.first_id => return self.orphan(record),
            None if previous != 0 || record.first_seq != 1 => {
                return self.bad(Some(game), &format!("its row {id} is its first but begins nothing"));
            }
            Some(Seen::Whole(live)) if live.head != previous || record.first_seq != live.last_seq + 1 => {
                return self.bad(Some(game), &format!("a row is missing before its row {id}"));
            }
            Some(Seen::Whole(live)) if !record.events.iter().any(begins_turn) => live.mark,
            Some(Seen::Whole(_)) | None => TurnMark::Since(at),
        };
        let base = match self.games.get(&game) {
            Some(Seen::Whole(live)) => live.base,
            _ => segment.number,
        };
        if record.ends_game() {
            self.rebuild.forget(game);
            self.games.insert(game, Seen::Over);
            return;
        }
        if let Err(why) = self.rebuild.record(record) {
            return self.bad(Some(game), &format!("its row {id} does not follow: {why}"));
        }
        self.games.insert(game, Seen::Whole(Live { last_seq: record.last_seq(), head: id, base, mark }));
    }

    fn orphan(&mut self, record: &Record) {
        let seen = if record.ends_game() { Seen::Over } else { Seen::Orphan };
        self.games.insert(record.game, seen);
    }

    fn carried(&mut self, id: u64, segment: Segment, mark: TurnMark, whole: &WholeGame) {
        let WholeGame { game, ref records } = *whole;
        let last_seq = records.last().map_or(0, |record| record.last_seq());
        match self.games.get(&game) {
            Some(Seen::Bad(_)) => return,
            Some(Seen::Over) => return self.bad(Some(game), &format!("its row {id} comes after its end")),
            Some(Seen::Whole(live)) if live.last_seq != last_seq => {
                return self.bad(Some(game), &format!("its row {id} does not hold all of it"));
            }
            Some(Seen::Whole(_) | Seen::Orphan) | None => {}
        }
        if let Err(why) = self.rebuild.all(game, records) {
            return self.bad(Some(game), &format!("its row {id} holds no game: {why}"));
        }
        self.games.insert(game, Seen::Whole(Live { last_seq, head: id, base: segment.number, mark }));
    }

    /// Sets a game aside. Of several reasons the first counts.
    fn bad(&mut self, game: Option<GameId>, why: &str) {
        let Some(game) = game else {
            tracing::warn!(why, "a row that belongs to no game is skipped");
            return;
        };
        if !matches!(self.games.get(&game), Some(Seen::Bad(_))) {
            self.rebuild.forget(game);
            self.games.insert(game, Seen::Bad(why.to_owned()));
        }
    }

    /// The live games by id, with what is known of them, and those that cannot be played on.
    pub(crate) fn finish(self, connection: &Connection) -> rusqlite::Result<Scanned> {
        let (mut live, mut set_aside) = (BTreeMap::new(), Vec::new());
        for (game, seen) in self.games {
            let why = match seen {
                Seen::Over => continue,
                // Its end may be in a part that cannot be read any more: the archive has it.
                Seen::Whole(_) if archive::has(connection, game)? => {
                    self.rebuild.forget(game);
                    continue;
                }
                Seen::Whole(found) => {
                    live.insert(game, found);
                    continue;
                }
                Seen::Orphan => "its first rows are missing".to_owned(),
                Seen::Bad(why) => why,
            };
            // A game in the archive has all its records there, so its rows do not matter.
            if !archive::has(connection, game)? {
                set_aside.push((game, why));
            }
        }
        set_aside.sort_unstable();
        Ok(Scanned { live, set_aside, heartbeats: self.heartbeats })
    }
}
