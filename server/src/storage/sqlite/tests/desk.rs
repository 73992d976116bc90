//! A committer on a folder of its own, its records, and who looks at what a restart finds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::oneshot;
use zeitnot_protocol::{AccountId, EpochId, GameId};
use zeitnot_rules::board::{ByColor, Color, Move, Position};
use zeitnot_rules::game::{
    Charge, Event, GameInstant, GameSetup, Micros, Profile, Seq, TimeControl, Variant,
};
use zeitnot_rules::verdict::{Outcome, Reason};

use crate::storage::sqlite::committer::{Now, SegmentSettings};
use crate::storage::sqlite::game_rows;
use crate::storage::sqlite::open::{Loaded, load};
use crate::storage::sqlite::recovery::Rebuild;
use crate::storage::sqlite::requests::Request;
use crate::storage::{AppendAnswer, JournalOffset, Record, StoreInstant};

/// Segments that never end.
pub(super) const ONE_SEGMENT: SegmentSettings = SegmentSettings { rows: u64::MAX, carried_per_commit: 1 };

/// Keeps the records it is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Collected(pub(super) BTreeMap<GameId, Vec<Record>>);

impl Rebuild for Collected {
    fn record(&mut self, record: &Record) -> Result<(), String> {
        self.0.entry(record.game).or_default().push(record.clone());
        Ok(())
    }

    fn all(&mut self, game: GameId, records: &[Arc<Record>]) -> Result<(), String> {
        self.0.insert(game, records.iter().map(|record| Record::clone(record)).collect());
        Ok(())
    }

    fn forget(&mut self, game: GameId) {
        self.0.remove(&game);
    }
}

/// See the module.
pub(super) struct Desk {
    pub(super) folder: TempDir,
    pub(super) loaded: Loaded,
    pub(super) collected: Collected,
    pub(super) now: StoreInstant,
    /// What was answered with `Ok`, by game.
    pub(super) acked: Collected,
    /// While this is there, no answer has had its effect.
    pub(super) kept: Option<Arc<()>>,
}

pub(super) fn game(number: u128) -> GameId {
    GameId::from_random(number)
}

pub(super) fn epoch(number: u128) -> EpochId {
    EpochId::from_random(number)
}

pub(super) fn database(folder: &Path) -> PathBuf {
    folder.join("zeitnot.db")
}

pub(super) fn started(game: GameId) -> Record {
    let setup = GameSetup {
        variant: Variant::Standard,
        start: Position::standard(),
        time_control: TimeControl::fischer(Micros::from_secs(180), Micros::from_secs(2)),
        profile: Profile::fide_online(),
        players: ByColor { white: 1, black: 2 },
        names: ByColor::default(),
        by_lot: false,
        began_unix_ms: 1_763_000_000_000,
    };
    let events = vec![Event::Started(Box::new(setup))];
    Record { game, first_seq: 1, at: GameInstant::START, account: None, command: None, events }
}

/// A record with a move in it. Not one that the rules would make: here only its bytes count.
pub(super) fn moved(game: GameId, seq: Seq) -> Record {
    let mv = Move::new("e2".parse().unwrap(), "e4".parse().unwrap());
    let charge = Charge {
        seat: Color::White,
        took: Micros(u64::from(seq) * 1_234),
        credit: Micros::ZERO,
        remaining: ByColor::both(Micros::from_secs(170)),
        bank: Micros(5),
    };
    let (at, account) =
        (GameInstant(u64::from(seq) * 1_000_000), Some(AccountId::from_u128(1 + u128::from(seq % 2))));
    let events = vec![Event::MovePlayed { mv, charge: Some(charge) }];
    Record { game, first_seq: seq, at, account, command: format!("c{seq}").parse().ok(), events }
}

pub(super) fn ended(game: GameId, seq: Seq) -> Record {
    let outcome = Outcome::win(Color::White, Reason::Arbiter);
    Record { events: vec![Event::Ended { outcome, charge: None }], ..moved(game, seq) }
}

impl Desk {
    pub(super) fn new(settings: SegmentSettings) -> Self {
        Self::on(tempfile::tempdir().unwrap(), settings)
    }

    /// As a start does it.
    pub(super) fn on(folder: TempDir, settings: SegmentSettings) -> Self {
        let mut collected = Collected::default();
        let loaded = load(&database(folder.path()), settings, epoch(1), &mut collected).unwrap();
        let now = loaded.start;
        Self { folder, loaded, collected, now, acked: Collected::default(), kept: None }
    }

    /// The process dies and another one starts. Nothing is flushed or closed but by the system.
    pub(super) fn crash(self) -> Self {
        let settings = self.loaded.committer.state.settings;
        let acked = self.acked;
        drop(self.loaded);
        Self { acked, ..Self::on(self.folder, settings) }
    }

    /// One transaction with these records behind their games' last ones; its answers.
    pub(super) fn commit(&mut self, records: Vec<Record>) -> Vec<AppendAnswer> {
        self.commit_after(records.into_iter().map(|record| (record.first_seq - 1, record)).collect())
    }

    /// One transaction with these records behind those with these last seqs.
    pub(super) fn commit_after(&mut self, records: Vec<(Seq, Record)>) -> Vec<AppendAnswer> {
        let (mut requests, mut answers) = (Vec::new(), Vec::new());
        for (after, record) in records {
            let (answer, answered) = oneshot::channel();
            let (after, record) = (JournalOffset(after.into()), Arc::new(record));
            answers.push((answered, Arc::clone(&record)));
            let kept = self.kept.as_ref().map_or_else(Weak::new, Arc::downgrade);
            requests.push(Request::Append { after, record, answer, kept });
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

    pub(super) fn run(&mut self, requests: &mut Vec<Request>) {
        let now = Now { at: self.now, unix_ms: 1_763_000_000_000 };
        self.loaded.committer.commit(now, requests).unwrap();
    }

    /// Time passes; as the writer does, it looks who has begun before it looks at the clock.
    pub(super) fn pass(&mut self, span: Duration) {
        self.loaded.committer.look_who_has_begun();
        self.now = self.now.after(span);
    }

    /// What the rows of a live game say now.
    pub(super) fn read(&self, game: GameId) -> Option<Vec<Record>> {
        let state = &self.loaded.committer.state;
        let head = state.games.get(&game)?.head;
        let chain =
            game_rows::read(&self.loaded.committer.connection, &state.segments, game, head, 1).unwrap();
        Some(chain.records.iter().map(|record| Record::clone(record)).collect())
    }
}
