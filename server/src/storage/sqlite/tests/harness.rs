//! A committer on a folder of its own, what a restart finds there, and what was answered before.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::oneshot;
use zeitnot_protocol::{AccountId, EpochId, GameId};
use zeitnot_rules::game::Seq;

use crate::ratings::Glicko;
use crate::storage::sqlite::committer::{Now, SegmentSettings};
use crate::storage::sqlite::open::Loaded;
use crate::storage::sqlite::requests::Request;
use crate::storage::sqlite::{OpenError, game_rows, open, schema};
pub(super) use crate::storage::tests::samples::{Collected, ended, epoch, game, moved, rest_mark, started};
use crate::storage::{
    AppendAnswer, EffectToken, JournalOffset, Person, Rebuild, Record, StoreInstant, WokenGame,
};

/// Segments that never end.
pub(super) const ONE_SEGMENT: SegmentSettings = SegmentSettings { rows: u64::MAX, carried_per_commit: 1 };

/// A committer whose commits a test makes one by one.
pub(super) struct Harness {
    pub(super) folder: TempDir,
    pub(super) loaded: Loaded,
    pub(super) collected: Collected,
    pub(super) now: StoreInstant,
    /// What was answered with `Ok`, by game.
    pub(super) acked: Collected,
    /// While a test holds this, no answer has had its effect.
    pub(super) effect: Option<Arc<EffectToken>>,
}

/// An account without a name.
pub(super) fn guest(id: AccountId) -> Person {
    Person::guest(id)
}

pub(super) fn database(folder: &Path) -> PathBuf {
    folder.join("zeitnot.db")
}

/// Reads a database as a start does.
pub(super) fn load(
    database: &Path,
    settings: SegmentSettings,
    new_epoch: EpochId,
    rebuild: &mut dyn Rebuild,
) -> Result<Loaded, OpenError> {
    open::load(schema::connect(database)?, settings, &Glicko, new_epoch, rebuild)
}

impl Harness {
    pub(super) fn new(settings: SegmentSettings) -> Self {
        Self::on(tempfile::tempdir().unwrap(), settings)
    }

    /// As a start does it.
    pub(super) fn on(folder: TempDir, settings: SegmentSettings) -> Self {
        let mut collected = Collected::default();
        let loaded = load(&database(folder.path()), settings, epoch(1), &mut collected).unwrap();
        let now = loaded.start;
        Self { folder, loaded, collected, now, acked: Collected::default(), effect: None }
    }

    /// The process dies and another one starts. Nothing is flushed or closed but by the system.
    pub(super) fn crash(self) -> Self {
        let settings = self.loaded.committer.state.settings;
        let acked = self.acked;
        drop(self.loaded);
        Self { acked, ..Self::on(self.folder, settings) }
    }

    /// One transaction with these records after their games' last ones; its answers.
    pub(super) fn commit(&mut self, records: Vec<Record>) -> Vec<AppendAnswer> {
        self.commit_after(records.into_iter().map(|record| (record.first_seq - 1, record)).collect())
    }

    /// One transaction with these records after those with these last seqs.
    pub(super) fn commit_after(&mut self, records: Vec<(Seq, Record)>) -> Vec<AppendAnswer> {
        let (mut requests, mut answers) = (Vec::new(), Vec::new());
        for (after, record) in records {
            let (answer, answered) = oneshot::channel();
            let (after, record) = (JournalOffset(after.into()), Arc::new(record));
            answers.push((answered, Arc::clone(&record)));
            let effect = self.effect.as_ref().map(|token| token.watch()).unwrap_or_default();
            requests.push(Request::Append { after, record, answer, effect });
        }
        self.run(&mut requests);
        let mut told = Vec::new();
        for (mut answered, record) in answers {
            let answer = answered.try_recv().unwrap();
            if answer.is_ok() {
                self.acked.0.entry(record.game).or_default().push(Record::clone(&record));
            }
            told.push(answer);
        }
        told
    }

    /// Puts a game to rest, in a transaction of its own.
    pub(super) fn rest(&mut self, game: GameId, last_seq: Seq) -> bool {
        let (answer, mut answered) = oneshot::channel();
        let (after, at) = (JournalOffset(last_seq.into()), self.now);
        self.run(&mut vec![Request::Rest { game, after, mark: rest_mark(), at, answer }]);
        answered.try_recv().unwrap()
    }

    /// Wakes a game, in a transaction of its own.
    pub(super) fn wake(&mut self, game: GameId) -> Option<WokenGame> {
        let (answer, mut answered) = oneshot::channel();
        let at = self.now;
        self.run(&mut vec![Request::Wake { game, at, answer }]);
        answered.try_recv().unwrap()
    }

    /// The games that the last start found at rest.
    pub(super) fn resting(&self) -> Vec<GameId> {
        self.loaded.found.resting.iter().map(|resting| resting.game).collect()
    }

    pub(super) fn run(&mut self, requests: &mut Vec<Request>) {
        let now = Now { at: self.now, unix_ms: 1_763_000_000_000 };
        self.loaded.committer.commit(now, requests).unwrap();
    }

    /// Time passes. As the writer does, this settles the turns before it reads the clock.
    pub(super) fn pass(&mut self, span: Duration) {
        self.loaded.committer.settle_turns();
        self.now = self.now.after(span);
    }

    /// What the rows of a live game say now.
    pub(super) fn read(&self, game: GameId) -> Option<Vec<Record>> {
        let state = &self.loaded.committer.state;
        let head = state.games.get(&game)?.head;
        let rows =
            game_rows::read(&self.loaded.committer.connection, &state.segments, game, head, 1).unwrap();
        Some(rows.records.iter().map(|record| Record::clone(record)).collect())
    }
}
