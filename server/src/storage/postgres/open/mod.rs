//! A start: the database is checked and brought up to date, the process before is dead, every live game is claimed, and a
//! journal goes on from there.

pub(super) mod checks;

use std::collections::HashMap;
use std::sync::{Arc, mpsc};

use zeitnot_protocol::{EpochId, GameId};

use super::beats::Beats;
use super::claims::{self, Batch, Claimer};
use super::connection::{Database, Failure, Link, say};
use super::game_rows::{Live, game_of};
use super::keeper::Keeper;
use super::segments::{self, Segments};
use super::{admins, beats, challenges, contacts, nodes, resting, schema};
use crate::storage::heartbeat::START_GAP;
use crate::storage::instant::TurnAxis;
use crate::storage::{
    Block, Found, FoundGame, JournalOffset, Nodes, OpenChallenge, Rebuild, Record, Restrictions, StoreInstant,
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
        "another zeitnot (node {node}) serves from this database: stop that one, give this one another database with \
         --cluster, or have all of them reach each other with --bus"
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

/// What became of the games when they were rebuilt.
#[derive(Debug, Default)]
pub(super) struct Rebuilt {
    set_aside: Vec<(GameId, String)>,
}

impl Rebuilt {
    /// Rebuilds games as they come, until none comes.
    pub(super) fn of(games: &mpsc::Receiver<Vec<Rebuildable>>, rebuild: &mut dyn Rebuild) -> Self {
        let mut rebuilt = Self::default();
        for (game, records) in games.iter().flatten() {
            if let Err(why) = rebuild.all(game, &records) {
                rebuild.forget(game);
                rebuilt.set_aside.push((game, format!("its records make no game: {why}")));
            }
        }
        rebuilt
    }
}

/// A game with all its records.
pub(super) type Rebuildable = (GameId, Vec<Arc<Record>>);

/// What a journal goes on from.
pub(super) struct Loaded {
    pub(super) keeper: Keeper,
    pub(super) node: i32,
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
    nodes: Nodes,
    new_epoch: EpochId,
    games: mpsc::SyncSender<Vec<Rebuildable>>,
    rebuilt: mpsc::Receiver<Rebuilt>,
) -> Result<Loaded, OpenError> {
    let link = database.connect().await?;
    checks::no_pooler(&database, &link).await?;
    checks::settings(&link).await?;
    schema::migrate(&link).await?;
    let node = nodes::join(&database, &link, nodes).await?;
    database.barrier(&link).await?;
    let epoch = schema::epoch(&link, new_epoch).await?;
    let (start, turn_axis) = begin(&link, node).await?;
    let segments = newest_segment(&link, start).await?;
    let resting = resting::all(&link).await?;
    let challenges = challenges::all(&link).await?;
    let (restrictions, blocks) = (admins::restrictions(&link).await?, contacts::blocks(&link).await?);
    let (dead, beats) = (claims::dead_owners(&link).await?.into(), Arc::new(Beats::all(&link).await?));
    let mut keeper = Keeper::new(database, Some(Arc::new(link)));
    let claimer = Claimer { node, at: start, dead, beats, waits: true };
    let mut live = match nodes {
        Nodes::One => claim_all(&mut keeper, &claimer, games).await?,
        // What nobody owns is claimed as it is later: once this node is known to live.
        Nodes::Several => {
            drop(games);
            HashMap::new()
        }
    };
    let Ok(Rebuilt { set_aside }) = rebuilt.recv() else {
        return Err(OpenError::Failed("the games were not rebuilt".to_owned()));
    };
    let link = keeper.link().await?;
    for (game, why) in &set_aside {
        live.remove(game);
        log_set_aside(*game, why);
        resting::set_aside(&link, node, *game, why).await?;
    }
    let found = Found { live: found(&live), resting, set_aside: all_set_aside(&link).await? };
    Ok(Loaded {
        keeper,
        node,
        start,
        turn_axis,
        games: live,
        segments,
        epoch,
        found,
        challenges,
        restrictions,
        blocks,
    })
}

/// This process begins to serve: where its time begins.
pub(super) async fn begin(link: &Link, node: i32) -> Result<(StoreInstant, TurnAxis), OpenError> {
    let latest = beats::latest(link).await?;
    // Beside another node its time goes on. Before the only one there was none.
    let start = if nodes::is_beside_others(link, node).await? { latest } else { latest.after(START_GAP) };
    Ok((start, TurnAxis::after_idle(serves(link, node, start, start.since(latest).0).await?)))
}

/// Claims all live games, and hands them over to be rebuilt.
async fn claim_all(
    keeper: &mut Keeper,
    claimer: &Claimer,
    games: mpsc::SyncSender<Vec<Rebuildable>>,
) -> Result<HashMap<GameId, Live>, OpenError> {
    let (mut live, mut after) = (HashMap::new(), None);
    loop {
        let claiming = |link: Arc<Link>| async move { claims::claim(&link, claimer, after).await };
        let Batch { games: claimed, set_aside, last } = keeper.transact(claiming).await?;
        set_aside.iter().for_each(|(game, why)| log_set_aside(*game, why));
        live.extend(claimed.iter().map(|claimed| (claimed.game, claimed.live)));
        // Whoever rebuilds them and has died of a bug says so.
        games.send(claimed.into_iter().map(|claimed| (claimed.game, claimed.records)).collect()).ok();
        if last.is_none() {
            return Ok(live);
        }
        after = last;
    }
}

/// Says that a game cannot be played on.
pub(super) fn log_set_aside(game: GameId, why: &str) {
    tracing::error!(%game, why, "a game is set aside: it cannot be played on, its rows are kept");
    metrics().games_set_aside.increment(1);
}

/// The games as those who play them on need them.
fn found(live: &HashMap<GameId, Live>) -> Vec<FoundGame> {
    let found = live.iter().map(|(game, live)| FoundGame {
        game: *game,
        offset: JournalOffset(live.n.unsigned_abs().into()),
        spent: live.spent(),
    });
    let mut found: Vec<_> = found.collect();
    found.sort_unstable_by_key(|found| found.game);
    found
}

/// The games that were set aside at this start or at an earlier one, and why.
async fn all_set_aside(link: &Link) -> Result<Vec<(GameId, String)>, Failure> {
    let rows = link.rows("SELECT game, aside FROM live WHERE aside IS NOT NULL ORDER BY game", &[]).await?;
    rows.iter().map(|row| Ok((game_of(row.try_get(0)?)?, row.try_get(1)?))).collect()
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
            let first = segments::after(link, 0, start).await?;
            link.batch_execute("COMMIT").await?;
            first
        }
    };
    let sql = "SELECT count(*) FROM journal WHERE segment = $1";
    let rows = link.row(sql, &[&newest]).await?.map_or(0, |row| row.get::<_, i64>(0).unsigned_abs());
    Ok(Segments { newest, made, rows, looked: start })
}
