//! Threads that read, so that no read delays the writer and no thread of the runtime waits for a
//! disk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use rusqlite::Connection;
use zeitnot_protocol::GameId;
use zeitnot_rules::game::Seq;

use super::folder::{OpenError, is_damage};
use super::game_rows::{self, RowsError};
use super::queue::Queue;
use super::shared::Shared;
use super::{archive, corrections, resting, schema};
use crate::process::{CoreShare, Priority, lower_priority};
use crate::storage::{JournalOffset, ReadError, Tail};
use crate::time::ServiceClock;

/// Threads that read games which are to go on: somebody waits to play.
const GAME_THREADS: usize = 1;
/// Threads that read games which somebody looks at: one can read a short game while the other reads a long one.
const HISTORY_THREADS: usize = 2;
/// Threads that find accounts, tokens and names: a login waits behind other logins, and behind no game.
const ACCOUNT_THREADS: usize = 1;
/// Threads that search the archive: a search may take longer than many games, and no game waits behind one.
const SEARCH_THREADS: usize = 1;
/// Reads of each kind that may wait: one for every socket of a process.
const WAITING_MAX: usize = 32_768;
/// A game's rows may move once while they are read, hardly twice.
const TRIES: u8 = 3;

/// Reads something and answers.
pub(super) type Job = Box<dyn FnOnce(&Connection) + Send>;

impl From<rusqlite::Error> for ReadError {
    fn from(error: rusqlite::Error) -> Self {
        if is_damage(&error) {
            Self::Damaged(error.to_string())
        } else {
            Self::Unavailable(error.to_string())
        }
    }
}

/// What waits to be read.
pub(super) struct Reads {
    /// Games that are to go on.
    pub(super) games: Arc<Queue<Job>>,
    /// Games that somebody looks at.
    pub(super) histories: Arc<Queue<Job>>,
    pub(super) accounts: Arc<Queue<Job>>,
    pub(super) searches: Arc<Queue<Job>>,
}

impl Reads {
    /// Nothing waits.
    pub(super) fn new() -> Self {
        let [games, histories, accounts, searches] = [(); 4].map(|()| Arc::new(Queue::new(WAITING_MAX)));
        Self { games, histories, accounts, searches }
    }

    /// Starts the threads. They end when the queues are closed and empty.
    pub(super) fn start(
        &self,
        database: &Path,
        clock: &ServiceClock,
    ) -> Result<Vec<JoinHandle<()>>, OpenError> {
        let share = || Pace::Share(clock.clone());
        let mut threads = start(database, &self.games, GAME_THREADS, || Pace::Low, "journal-reader")?;
        threads.extend(start(database, &self.histories, HISTORY_THREADS, share, "history-reader")?);
        threads.extend(start(database, &self.accounts, ACCOUNT_THREADS, || Pace::Full, "account-reader")?);
        threads.extend(start(database, &self.searches, SEARCH_THREADS, || Pace::Spare, "archive-search")?);
        Ok(threads)
    }

    /// Takes no more. What waits is still read.
    pub(super) fn close(&self) {
        self.games.close();
        self.histories.close();
        self.accounts.close();
        self.searches.close();
    }
}

/// What a thread takes of the processor.
enum Pace {
    /// What it needs.
    Full,
    /// What it needs, at a low priority.
    Low,
    /// What others leave over.
    Spare,
    /// The same, and its share of a core at most.
    Share(ServiceClock),
}

impl Pace {
    /// Takes this pace on for the calling thread.
    fn begin(self) -> Option<CoreShare> {
        match self {
            Self::Full => {}
            Self::Low => lower_priority(Priority::Low),
            Self::Spare | Self::Share(_) => lower_priority(Priority::Spare),
        }
        match self {
            Self::Share(clock) => Some(CoreShare::new(clock)),
            Self::Full | Self::Low | Self::Spare => None,
        }
    }
}

fn start(
    database: &Path,
    queue: &Arc<Queue<Job>>,
    count: usize,
    pace: impl Fn() -> Pace,
    name: &str,
) -> Result<Vec<JoinHandle<()>>, OpenError> {
    let mut threads = Vec::new();
    for _ in 0..count {
        let (connection, jobs) = (schema::connect_reader(database)?, Arc::clone(queue));
        let pace = pace();
        let run = move || {
            let mut share = pace.begin();
            let mut next = Vec::new();
            while jobs.take_many(&mut next, 1, None) {
                let Some(job) = next.pop() else { continue };
                // This one read is answered with an error; the thread serves the others.
                if catch_unwind(AssertUnwindSafe(|| job(&connection))).is_err() {
                    tracing::error!("a read of the store died of a bug");
                }
                if let Some(share) = &mut share {
                    share.rest();
                }
            }
        };
        let thread = std::thread::Builder::new().name(name.to_owned());
        threads.push(thread.spawn(run).map_err(OpenError::Thread)?);
    }
    Ok(threads)
}

/// The tail of a game, live or ended.
pub(super) fn tail(
    connection: &Connection,
    shared: &Shared,
    game: GameId,
    from: Seq,
) -> Result<Tail, ReadError> {
    let mut last = None;
    for _ in 0..TRIES {
        if shared.set_aside.contains(&game) {
            return Err(ReadError::Damaged(format!("the game {game} is set aside")));
        }
        let Some(head) = shared.heads.get(&game).map(|head| *head) else {
            let tail = elsewhere(connection, game, from)?;
            // It may have been woken in between.
            if tail.last == JournalOffset::NONE && shared.heads.contains_key(&game) {
                continue;
            }
            return Ok(tail);
        };
        // One view of all rows. Otherwise each row would be a read transaction of its own, which takes locks that the
        // writer needs, and forgets the pages that the last one has read when a commit came in between.
        let view = connection.unchecked_transaction()?;
        let rows = game_rows::read(&view, &shared.segments(), game, head, from);
        drop(view);
        match rows {
            Ok(rows) => {
                let last = JournalOffset(rows.last_seq.into());
                return Ok(Tail { records: rows.records, last, correction: None });
            }
            Err(error) if error.is_final() => {
                return Err(ReadError::Damaged(format!("of the game {game} {error}")));
            }
            Err(error) => last = Some(error),
        }
        // A game that is being woken has its head before the commit.
        let tail = elsewhere(connection, game, from)?;
        if tail.last != JournalOffset::NONE {
            return Ok(tail);
        }
    }
    Err(match last {
        Some(RowsError::Sqlite(error)) => error.into(),
        last => ReadError::Unavailable(last.as_ref().map_or_else(String::new, RowsError::to_string)),
    })
}

/// The tail of a game that has ended, or is at rest.
fn elsewhere(connection: &Connection, game: GameId, from: Seq) -> Result<Tail, ReadError> {
    // One view of both: between two reads the game could move from the one to the other.
    let view = connection.unchecked_transaction()?;
    let mut records = match (archive::get(&view, game)?, resting::get(&view, game)?) {
        (None, None) => return Ok(Tail { records: Vec::new(), last: JournalOffset::NONE, correction: None }),
        (Some(Err(error)), _) => {
            return Err(ReadError::Damaged(format!(
                "the row of the game {game} in the archive is bad: {error}"
            )));
        }
        (None, Some(Err(why))) => return Err(ReadError::Damaged(format!("of the game {game} {why}"))),
        (Some(Ok(records)), _) => records,
        (None, Some(Ok(found))) => found.records,
    };
    let last = records.last().map_or(0, |record| record.last_seq());
    let wanted = records.partition_point(|record| record.last_seq() < from);
    let correction = corrections::last_of(&view, game)?;
    Ok(Tail { records: records.split_off(wanted), last: JournalOffset(last.into()), correction })
}
