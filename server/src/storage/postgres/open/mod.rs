//! A start: the database is checked and brought up to date, the process before is dead, every live game is read, and a journal
//! goes on from there.

pub(super) mod checks;

use std::collections::HashMap;
use std::sync::{Arc, mpsc};

use futures_util::{TryStreamExt as _, pin_mut};
use zeitnot_protocol::{EpochId, GameId};

use super::connection::{Database, Failure, Link, say};
use super::game_rows::{Live, StoredGame, game_of};
use super::keeper::Keeper;
use super::segments::{self, Segments};
use super::{admins, beats, challenges, contacts, nodes, resting, schema};
use crate::storage::heartbeat::{Heartbeats, START_GAP};
use crate::storage::instant::TurnAxis;
use crate::storage::{
    Block, Found, FoundGame, JournalOffset, OpenChallenge, Rebuild, Restrictions, StoreInstant, TurnMark,
};
use crate::telemetry::metrics;

/// Why a database cannot be served from. Each says what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It cannot be reached, or fails.
    #[error("the database cannot be used: {0}. Look after PostgreSQL and the URL of --cluster")]
    Failed(String),
    /// Another process serves from it.
    #[error(
        "another zeitnot (node {node}) serves from this database, and this version has one node: stop that one, or give \
         this one another database with --cluster"
    )]
    InUse {
        /// Its row in `nodes`.
        node: i32,
    },
    /// Something is in it already.
    #[error(
        "a zeitnot has served from this database, or a data folder was moved into it: name an empty one with --cluster"
    )]
    NotEmpty,
    /// It was written by a newer server.
    #[error(
        "the database was written by a newer zeitnot (its schema is version {found}, this program knows up to {known}): \
         start that one, or restore a backup that this one made"
    )]
    Newer {
        /// The version of the database.
        found: usize,
        /// The latest version that is known here.
        known: usize,
    },
    /// It has tables of somebody else.
    #[error("the database has a table `facts` that no zeitnot has written: give it one of its own")]
    NotOurs,
    /// A pooler is between, and shares connections between transactions.
    #[error(
        "between this server and PostgreSQL is a pooler that gives each transaction another connection: name PostgreSQL \
         itself in --cluster, or set the pooler to session mode"
    )]
    Pooled,
    /// The server is too old.
    #[error("PostgreSQL {version} is too old: version 14 or later is needed")]
    TooOld {
        /// Its version.
        version: String,
    },
    /// The server may lose what it has answered.
    #[error("PostgreSQL runs with {setting} = off, and may lose moves that were confirmed: set it to on")]
    Unsafe {
        /// The setting.
        setting: &'static str,
    },
    /// A thread does not start.
    #[error("a thread of the store does not start: {0}")]
    Thread(#[source] std::io::Error),
}

impl From<tokio_postgres::Error> for OpenError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Failed(say(&error))
    }
}

impl From<Failure> for OpenError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure.to_string())
    }
}

/// Games that are handed over at once while a start reads them.
const GAMES_AT_ONCE: usize = 64;

/// What became of the games when they were rebuilt.
#[derive(Debug, Default)]
pub(super) struct Rebuilt {
    live: HashMap<GameId, Live>,
    set_aside: Vec<(GameId, String)>,
    latest: StoreInstant,
}

impl Rebuilt {
    /// Rebuilds games as they come, until none comes.
    pub(super) fn of(games: &mpsc::Receiver<Vec<StoredGame>>, rebuild: &mut dyn Rebuild) -> Self {
        let mut rebuilt = Self::default();
        for stored in games.iter().flatten() {
            match stored.rebuild(rebuild) {
                Ok((live, latest)) => {
                    rebuilt.live.insert(stored.game, live);
                    rebuilt.latest = rebuilt.latest.max(latest);
                }
                Err(why) => {
                    rebuild.forget(stored.game);
                    rebuilt.set_aside.push((stored.game, why));
                }
            }
        }
        rebuilt.set_aside.sort_unstable();
        rebuilt
    }
}

/// What a journal goes on from.
pub(super) struct Loaded {
    pub(super) keeper: Keeper,
    pub(super) start: StoreInstant,
    pub(super) turn_axis: TurnAxis,
    pub(super) games: HashMap<GameId, Live>,
    pub(super) segments: Segments,
    pub(super) epoch: EpochId,
    pub(super) found: Found,
    pub(super) challenges: Vec<OpenChallenge>,
    pub(super) restrictions: Restrictions,
    pub(super) blocks: Vec<Block>,
}

/// Does all that a start does. Live games go through `games` to be rebuilt, and what became of them comes through `rebuilt`.
pub(super) async fn load(
    database: Arc<Database>,
    new_epoch: EpochId,
    games: mpsc::SyncSender<Vec<StoredGame>>,
    rebuilt: mpsc::Receiver<Rebuilt>,
) -> Result<Loaded, OpenError> {
    database.look_for_the_primary().await;
    let link = database.connect().await?;
    checks::no_pooler(&database, &link).await?;
    checks::settings(&link).await?;
    schema::migrate(&link).await?;
    let node = nodes::join(&database, &link).await?;
    database.barrier(&link).await?;
    let epoch = schema::epoch(&link, new_epoch).await?;
    let heartbeats = heartbeats(&link).await?;
    let resting = resting::all(&link).await?;
    read_games(&link, games).await?;
    let Ok(Rebuilt { live: mut games, set_aside, latest }) = rebuilt.recv() else {
        return Err(OpenError::Failed("the games were not rebuilt".to_owned()));
    };
    for (game, why) in &set_aside {
        tracing::error!(%game, why, "a game is set aside: it cannot be played on, its rows are kept");
        metrics().games_set_aside.increment(1);
        resting::set_aside(&link, *game, why).await?;
    }
    let set_aside = all_set_aside(&link).await?;
    let start = heartbeats.latest().max(latest).after(START_GAP);
    let idle = start.since(heartbeats.latest());
    let found = Found { live: interrupt_turns(&mut games, &heartbeats), resting, set_aside };
    let turn_axis = TurnAxis::after_idle(serves(&link, node, start, idle.0).await?);
    let segments = newest_segment(&link, start).await?;
    let challenges = challenges::all(&link).await?;
    let (restrictions, blocks) = (admins::restrictions(&link).await?, contacts::blocks(&link).await?);
    let keeper = Keeper::new(database, Some(Arc::new(link)));
    Ok(Loaded { keeper, start, turn_axis, games, segments, epoch, found, challenges, restrictions, blocks })
}

/// Reads the rows of all live games that do not rest, each once.
async fn read_games(link: &Link, games: mpsc::SyncSender<Vec<StoredGame>>) -> Result<(), OpenError> {
    let sql = "SELECT game, segment, mark_n, mark, n, row FROM \
               (SELECT game, segment, mark_n, mark FROM live WHERE NOT resting AND aside IS NULL) AS live \
               LEFT JOIN journal USING (segment, game) ORDER BY game, journal.n";
    let none: [&str; 0] = [];
    let rows = link.query_raw(sql, none).await?;
    pin_mut!(rows);
    let mut batch: Vec<StoredGame> = Vec::new();
    while let Some(row) = rows.try_next().await? {
        let game = game_of(row.try_get(0)?)?;
        if batch.last().is_none_or(|last| last.game != game) {
            if batch.len() >= GAMES_AT_ONCE {
                // The caller has died of a bug, and says so.
                games.send(std::mem::take(&mut batch)).ok();
            }
            let noted = row.try_get::<_, Option<i32>>(2)?.zip(row.try_get(3)?);
            batch.push(StoredGame { game, segment: row.try_get(1)?, noted, rows: Vec::new() });
        }
        let row = row.try_get::<_, Option<i32>>(4)?.zip(row.try_get(5)?);
        if let Some(last) = batch.last_mut() {
            last.rows.extend(row);
        }
    }
    games.send(batch).ok();
    Ok(())
}

/// The games that were set aside at this start or at an earlier one, and why.
async fn all_set_aside(link: &Link) -> Result<Vec<(GameId, String)>, Failure> {
    let rows = link.rows("SELECT game, aside FROM live WHERE aside IS NOT NULL ORDER BY game", &[]).await?;
    rows.iter().map(|row| Ok((game_of(row.try_get(0)?)?, row.try_get(1)?))).collect()
}

async fn heartbeats(link: &Link) -> Result<Heartbeats, Failure> {
    let sql = "SELECT start_us FROM nodes WHERE start_us IS NOT NULL";
    let starts = link.rows(sql, &[]).await?;
    let starts = starts.iter().map(|row| StoreInstant(row.get::<_, i64>(0).unsigned_abs()));
    let mut heartbeats = Heartbeats::new(starts.collect());
    beats::all(link).await?.into_iter().for_each(|beat| heartbeats.beat(beat));
    Ok(heartbeats)
}

/// Notes that this process begins to serve. The answer is the time until then for which nobody is charged.
async fn serves(link: &Link, node: i32, start: StoreInstant, idle_us: u64) -> Result<u64, Failure> {
    let [start, idle] = [start.0, idle_us].map(|us| i64::try_from(us).unwrap_or(i64::MAX));
    let sql = "UPDATE nodes SET start_us = $2, idle_us = $3 WHERE node = $1";
    link.run(sql, &[&node, &start, &idle]).await?;
    let sum = link.row("SELECT sum(idle_us)::bigint FROM nodes", &[]).await?;
    Ok(sum.and_then(|row| row.get::<_, Option<i64>>(0)).unwrap_or_default().unsigned_abs())
}

/// The newest segment. In a new database the first one is made.
async fn newest_segment(link: &Link, start: StoreInstant) -> Result<Segments, OpenError> {
    let (newest, made) = match segments::newest(link).await? {
        Some(newest) => newest,
        None => {
            link.batch_execute("BEGIN").await?;
            segments::create(link, 1, start).await?;
            link.batch_execute("COMMIT").await?;
            (1, start)
        }
    };
    let sql = "SELECT count(*) FROM journal WHERE segment = $1";
    let rows = link.row(sql, &[&newest]).await?.map_or(0, |row| row.get::<_, i64>(0).unsigned_abs());
    Ok(Segments { newest, made, rows, looked: start })
}

/// Stops every running turn until its game is recovered, and says what it has taken.
fn interrupt_turns(live: &mut HashMap<GameId, Live>, heartbeats: &Heartbeats) -> Vec<FoundGame> {
    let found = live.iter_mut().map(|(game, live)| {
        let spent = heartbeats.spent(live.mark);
        live.mark = TurnMark::Stands { spent };
        FoundGame { game: *game, offset: JournalOffset(live.n.unsigned_abs().into()), spent }
    });
    let mut found: Vec<_> = found.collect();
    found.sort_unstable_by_key(|found| found.game);
    found
}
