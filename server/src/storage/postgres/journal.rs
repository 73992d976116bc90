//! The task that writes the journal: it takes what is queued, appends all records of different games in one statement, and
//! answers.
//!
//! A connection that is lost is no failure. The records are kept; on the next connection, behind its barrier, the same
//! statement runs again, and a record that does not go in then is ours if the journal has the same bytes.
//!
//! Invariants: a record is appended after the game's last one or not at all, and a rejected one fails alone; nothing is
//! answered before it is durable; a record that may have been appended is never answered as rejected.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use uuid::Uuid;
use zeitnot_protocol::GameId;
use zeitnot_rules::game::Event;

use super::appends::{self, Put};
use super::claims;
use super::connection::{Database, Failure, Link};
use super::endings::{Endings, read_all};
use super::game_rows::Live;
use super::keeper::Keeper;
use super::nodes::LobbyEpoch;
use super::people;
use super::queue::Queue;
use super::requests::{Beside, Request};
use super::segments::{SegmentSettings, Segments};
use crate::seeded_bugs::bug;
use crate::storage::append::EffectWatch;
use crate::storage::completions::Completion;
use crate::storage::encoding::{self, Row};
use crate::storage::heartbeat::{BEAT_EVERY, Heartbeats, UnsettledTurns, begins_turn};
use crate::storage::instant::TurnAxis;
use crate::storage::writer_state::WriterState;
use crate::storage::{AppendError, JournalOffset, Rater, Record, StoreInstant, TurnMark};
use crate::telemetry::metrics;
use crate::time::{ServiceClock, unix_now_ms};

/// Records in one statement: some milliseconds of work.
const BATCH_MAX: usize = 1_024;
/// How often the task wakes while a heartbeat waits for turns to begin.
const WORK_EVERY: Duration = Duration::from_millis(20);

/// What the task runs with.
pub(super) struct Journal {
    pub(super) database: Arc<Database>,
    pub(super) keeper: Keeper,
    pub(super) queue: Arc<Queue<Request>>,
    pub(super) writer: Arc<WriterState>,
    pub(super) clock: ServiceClock,
    pub(super) rater: &'static dyn Rater,
    /// The number of this process.
    pub(super) node: i32,
    /// The lobby in which the games are agreed that begin here.
    pub(super) lobby: LobbyEpoch,
    /// This process's place on the axis of service time.
    pub(super) start: StoreInstant,
    pub(super) games: HashMap<GameId, Live>,
    /// How many games are at rest.
    pub(super) resting: usize,
    pub(super) heartbeats: Heartbeats,
    pub(super) last_beat: StoreInstant,
    pub(super) unsettled_turns: UnsettledTurns,
    pub(super) turn_axis: TurnAxis,
    /// How far other processes' axes may be from this one's.
    pub(super) axes_apart: Duration,
    pub(super) settings: SegmentSettings,
    pub(super) segments: Segments,
    pub(super) completions: Vec<Completion>,
}

/// When a statement runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now {
    pub(super) at: StoreInstant,
    pub(super) unix_ms: u64,
}

impl Journal {
    /// Writes until the queue is closed and empty, or this process may not serve any longer.
    pub(super) async fn run(mut self) {
        let mut requests = Vec::new();
        while self.queue.take_many(&mut requests, BATCH_MAX, self.patience()).await {
            self.writer.set_writing_since(Some(self.clock.now()));
            let written = self.write(std::mem::take(&mut requests)).await;
            self.writer.completions.answer(&mut self.completions);
            if let Err(failure) = written {
                // What waits is not answered, which means: unknown.
                self.queue.abandon();
                if !matches!(failure, Failure::Dead | Failure::Lost) {
                    self.database.halt.rejected("writing games", &failure.to_string());
                }
                return;
            }
            self.writer.set_writing_since(None);
        }
        self.leave().await;
    }

    fn now(&self) -> Now {
        let service = Duration::from_micros(self.clock.now().0);
        Now { at: self.start.after(service), unix_ms: unix_now_ms() }
    }

    fn patience(&self) -> Duration {
        if !self.has_turns() || self.turn_axis.is_stopped() {
            return self.settings.look_every;
        }
        let since = Duration::from_micros(self.now().at.0.saturating_sub(self.last_beat.0));
        let least = if self.unsettled_turns.is_empty() { Duration::from_millis(1) } else { WORK_EVERY };
        BEAT_EVERY.saturating_sub(since).max(least)
    }

    /// Writes what is asked for, in its order: records that follow each other go together.
    async fn write(&mut self, requests: Vec<Request>) -> Result<(), Failure> {
        // Before the clock is read: a turn that has begun by now has begun at a heartbeat of that instant.
        self.unsettled_turns.settle();
        let now = self.now();
        let metrics = metrics();
        metrics.journal_requests.increment(requests.len() as u64);
        let (mut puts, mut turns, mut jobs) = (Vec::new(), Vec::new(), Vec::new());
        let (mut among, mut confirms) = (HashSet::new(), Vec::new());
        for request in requests {
            let appends_to = match &request {
                Request::Append { record, .. } => Some(record.game),
                _ => None,
            };
            // Has no order with the others.
            let is_confirm = matches!(request, Request::Other(Beside::Confirm(_)));
            // A game's last record may be in the statement.
            if !is_confirm && !appends_to.is_some_and(|game| among.insert(game)) {
                self.append_all(&mut puts, now).await?;
                among.clear();
                among.extend(appends_to);
            }
            if !is_confirm && !matches!(request, Request::Turn { .. }) {
                self.note_turns(&mut turns, now).await?;
            }
            if !matches!(request, Request::Other(_)) {
                people::write(&mut self.keeper, std::mem::take(&mut jobs)).await?;
            }
            match request {
                Request::Append { after, record, answer, effect } => {
                    puts.extend(self.accept(now, after, record, answer, effect));
                }
                Request::Turn { game, time } => turns.push((game, time)),
                Request::Other(Beside::Write(job)) => jobs.push(job),
                Request::Other(Beside::Release { games, answer }) => {
                    self.release(&games).await?;
                    self.completions.push(Completion::of(answer, ()));
                }
                Request::Other(Beside::SetAside { game, why, answer }) => {
                    self.set_aside(game, &why).await?;
                    self.completions.push(Completion::of(answer, ()));
                }
                Request::Other(Beside::Owns(games)) => self.games.extend(games),
                Request::Other(Beside::Confirm(answer)) => confirms.push(answer),
                Request::Rest { game, after, mark, at, answer } => {
                    let rests = self.rest(game, after, mark, at).await?;
                    self.completions.push(Completion::of(answer, rests));
                }
                Request::Wake { game, at, answer } => {
                    let woken = self.wake(game, at, now.at).await?;
                    self.completions.push(Completion::of(answer, woken));
                }
                Request::StopTurns => self.stop_turns(now.at).await?,
            }
        }
        self.append_all(&mut puts, now).await?;
        self.note_turns(&mut turns, now).await?;
        people::write(&mut self.keeper, jobs).await?;
        self.confirm(confirms).await?;
        self.beat(now.at).await?;
        self.work_on_segments(now.at).await
    }

    /// Says that nobody has taken this process's games over: one barrier for all who asked before it.
    async fn confirm(&mut self, confirms: Vec<oneshot::Sender<()>>) -> Result<(), Failure> {
        if !confirms.is_empty() {
            self.keeper.barrier().await?;
        }
        self.completions.extend(confirms.into_iter().map(|answer| Completion::of(answer, ())));
        Ok(())
    }

    /// A record that may go in, or its answer.
    fn accept(
        &mut self,
        now: Now,
        after: JournalOffset,
        record: Arc<Record>,
        answer: oneshot::Sender<crate::storage::AppendAnswer>,
        effect: EffectWatch,
    ) -> Option<Put> {
        let (game, last_seq, ends) = (record.game, record.last_seq(), record.ends_game());
        let live = self.games.get(&game).copied();
        let (last_n, known_seq) = live.map_or((0, 0), |live| (live.n, live.last_seq));
        let is_next = u64::try_from(last_n) == Ok(after.0) && record.first_seq == known_seq + 1;
        let begins = match (live, record.events.first()) {
            (None, Some(Event::Started(setup))) if !ends => Some(setup.players.map(Uuid::from_u128)),
            _ => None,
        };
        if !is_next || (live.is_none() && begins.is_none()) {
            self.completions.push(Completion::Appended(answer, Err(AppendError::Conflict)));
            return None;
        }
        let mark = match live {
            Some(live) if !record.events.iter().any(begins_turn) => live.mark,
            Some(_) | None => TurnMark::Since(now.at),
        };
        let segment = live.map_or(self.segments.newest, |live| live.segment);
        let mut row = Vec::new();
        encoding::encode(&Row::Record { at: now.at, previous: after.0, record }, &mut row);
        Some(Put { game, segment, n: last_n + 1, row, begins, ends, last_seq, mark, answer, effect })
    }

    /// Appends these records, of different games, and answers.
    async fn append_all(&mut self, puts: &mut Vec<Put>, now: Now) -> Result<(), Failure> {
        while !puts.is_empty() {
            let (batch, endings, later) = self.with_endings(std::mem::take(puts), now).await?;
            metrics().journal_commits.increment(1);
            self.append_batch(batch, &endings, now).await?;
            *puts = later;
        }
        Ok(())
    }

    /// The records of the next statement in the order of their keys, what follows from those that end games, and the records
    /// that must wait for the statement after it.
    async fn with_endings(
        &mut self,
        puts: Vec<Put>,
        now: Now,
    ) -> Result<(Vec<Put>, Endings, Vec<Put>), Failure> {
        let ending: Vec<_> = puts.iter().filter(|put| put.ends).map(|put| (put.segment, put.game)).collect();
        loop {
            let link = self.keeper.link().await?;
            let gathered = gather(&link, self.rater, &ending, &puts, now).await;
            let (endings, waiting, broken) = match gathered {
                Ok(gathered) => gathered,
                Err(Failure::Lost) => {
                    self.keeper.lose();
                    continue;
                }
                Err(Failure::Again) => {
                    self.keeper.pause().await;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            let (mut batch, mut later) = (Vec::new(), Vec::new());
            for put in puts {
                if let Some((_, why)) = broken.iter().find(|(game, _)| *game == put.game) {
                    self.set_aside(put.game, why).await?;
                    let failed = AppendError::Failed("the game is set aside".to_owned());
                    self.completions.push(Completion::Appended(put.answer, Err(failed)));
                } else if waiting.contains(&put.game) {
                    later.push(put);
                } else {
                    batch.push(put);
                }
            }
            batch.sort_unstable_by_key(|put| (put.segment, put.game, put.n));
            return Ok((batch, endings, later));
        }
    }

    async fn append_batch(&mut self, batch: Vec<Put>, endings: &Endings, now: Now) -> Result<(), Failure> {
        if batch.is_empty() {
            return Ok(());
        }
        let written = match self.put_until_known(&batch, endings).await {
            Err(Failure::NoSegment) if batch.len() > 1 && endings.is_empty() => {
                // One record for a segment that was dropped rejects all.
                for put in batch {
                    Box::pin(self.append_batch(vec![put], endings, now)).await?;
                }
                return Ok(());
            }
            Err(Failure::NoSegment) => HashSet::new(),
            written => written?,
        };
        for put in batch {
            let appended = if written.contains(&put.game) {
                self.unsettled_turns.add(now.at, put.effect);
                self.segments.rows += 1;
                let Put { game, n, last_seq, segment, mark, .. } = put;
                if put.ends {
                    self.games.remove(&game);
                } else {
                    self.games.insert(game, Live { n, last_seq, segment, mark });
                }
                Ok(JournalOffset(n.unsigned_abs().into()))
            } else {
                // Another node has claimed it, and says from now on what its turn takes.
                self.games.remove(&put.game);
                Err(AppendError::Conflict)
            };
            self.completions.push(Completion::Appended(put.answer, appended));
        }
        Ok(())
    }

    /// Runs the statement until it is known which records are in.
    async fn put_until_known(
        &mut self,
        batch: &[Put],
        endings: &Endings,
    ) -> Result<HashSet<GameId>, Failure> {
        let mut is_first = true;
        loop {
            let link = self.keeper.link().await?;
            let lobby = self.lobby.get();
            bug!(LobbyWithoutEpoch => let lobby = None);
            let mut written = appends::put(&link, self.node, lobby, batch, endings).await;
            if let (false, Ok(games)) = (is_first, &mut written) {
                let missing: Vec<_> = batch.iter().filter(|put| !games.contains(&put.game)).collect();
                match appends::there(&link, &missing).await {
                    Ok(ours) => games.extend(ours),
                    Err(failure) => written = Err(failure),
                }
            }
            match written {
                Err(Failure::Lost) => {
                    is_first = false;
                    self.keeper.lose();
                }
                Err(Failure::Again) => self.keeper.pause().await,
                written => return written,
            }
        }
    }

    /// Nobody owns these games from here on. What was asked for before is written.
    async fn release(&mut self, games: &[GameId]) -> Result<(), Failure> {
        let names: Vec<String> = games.iter().map(GameId::to_string).collect();
        let node = self.node;
        let release = |link: Arc<Link>| {
            let names = names.clone();
            async move { claims::release(&link, node, &names).await }
        };
        self.keeper.transact(release).await?;
        for game in games {
            self.games.remove(game);
        }
        Ok(())
    }

    /// Whether turns run, in games that are live or at rest.
    pub(super) fn has_turns(&self) -> bool {
        !self.games.is_empty() || self.resting > 0
    }
}

/// What follows from the records that end games, the games that must wait, and those that cannot be read.
type Gathered = (Endings, HashSet<GameId>, Vec<(GameId, String)>);

async fn gather(
    link: &super::connection::Link,
    rater: &dyn Rater,
    ending: &[(i32, GameId)],
    puts: &[Put],
    now: Now,
) -> Result<Gathered, Failure> {
    let (mut endings, mut waiting, mut broken) = (Endings::default(), HashSet::new(), Vec::new());
    if ending.is_empty() {
        return Ok((endings, waiting, broken));
    }
    let mut known = read_all(link, ending).await?;
    for put in puts.iter().filter(|put| put.ends) {
        let read = known.remove(&put.game).unwrap_or_else(|| Err("its rows are missing".to_owned()));
        let last = encoding::decode(&put.row);
        let (mut records, Ok(Row::Record { record, .. })) = (
            match read {
                Ok(records) => records,
                Err(why) => {
                    broken.push((put.game, why));
                    continue;
                }
            },
            last,
        ) else {
            return Err(Failure::Rejected("a row that was just written cannot be read".to_owned()));
        };
        records.push(record);
        if endings.must_wait(rater, &records) {
            waiting.insert(put.game);
        } else {
            endings.add(link, rater, put.game, records, now.unix_ms).await?;
        }
    }
    Ok((endings, waiting, broken))
}

impl Journal {
    /// Nothing is left to write: the next process need not wait for this one.
    async fn leave(&mut self) {
        if let Ok(link) = self.keeper.link().await
            && let Err(failure) = super::nodes::leave(&self.database, &link).await
        {
            tracing::warn!(%failure, "the database was not told that this process has ended");
        }
    }
}
