//! A start: the database is brought up to date, every row is read, and a committer goes on from
//! there.
//!
//! Reading is one transaction, so a start that is killed has changed nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use rusqlite::{Connection, TransactionBehavior};
use zeitnot_protocol::{EpochId, GameId};

use super::committer::{Committer, CommitterState, Live, SegmentSettings};
use super::folder::OpenError;
use super::game_rows::{Segment, Segments};
use super::resting;
use super::scan::{Scan, Scanned};
use super::search_index::Backlog;
use super::shared::Shared;
use super::{admins, archive, challenges, contacts, rollover, schema};
use crate::storage::heartbeat::{Heartbeats, START_GAP, UnsettledTurns};
use crate::storage::instant::TurnAxis;
use crate::storage::{
    Block, Found, FoundGame, JournalOffset, NoRatings, OpenChallenge, Rater, Rebuild, Restrictions,
    StoreInstant, TurnMark,
};
use crate::telemetry::metrics;
use crate::time::unix_now_ms;

/// A committer on what was found, before any thread.
pub(crate) struct Loaded {
    pub(crate) committer: Committer,
    pub(crate) start: StoreInstant,
    pub(crate) epoch: EpochId,
    pub(crate) found: Found,
    pub(crate) challenges: Vec<OpenChallenge>,
    pub(crate) restrictions: Restrictions,
    pub(crate) blocks: Vec<Block>,
}

/// Brings a database up to date and reads everything: all that a start does, but for the lock of
/// the folder. A test may give a database in memory; what a crash leaves of a [`Committer`] is its
/// connection.
pub(crate) fn load(
    mut connection: Connection,
    settings: SegmentSettings,
    rater: &'static dyn Rater,
    new_epoch: EpochId,
    rebuild: &mut dyn Rebuild,
) -> Result<Loaded, OpenError> {
    schema::migrate(&mut connection, schema::STEPS)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let epoch = schema::epoch(&transaction, new_epoch)?;
    let segments = segments(&transaction)?;
    check_pages(&transaction, &segments)?;
    let (resting, bad) = resting::all(&transaction)?;
    tell_bad(&bad);
    let at_rest = resting.iter().map(|resting| resting.game).chain(bad.iter().copied().flatten()).collect();
    let mut scan = Scan::new(Heartbeats::new(starts(&transaction)?), at_rest, rebuild);
    scan.read(&transaction, &segments)?;
    let (start, next_id) = (scan.latest.after(START_GAP), scan.next_id);
    let idle = start.since(scan.heartbeats.latest());
    let Scanned { mut live, mut set_aside, heartbeats } = scan.finish(&transaction)?;
    set_aside.extend(bad.into_iter().flatten().map(|game| (game, BAD_REST.to_owned())));
    for (game, why) in &set_aside {
        tracing::error!(%game, why, "a game is set aside: it cannot be played on, its rows are kept");
        archive::keep_rows(&transaction, &segments, *game)?;
        metrics().games_set_aside.increment(1);
    }
    transaction.execute("INSERT INTO starts VALUES (?1, ?2, ?3)", [start.0, unix_now_ms(), idle.0])?;
    let idle = transaction.query_row("SELECT sum(idle) FROM starts", [], |row| row.get(0))?;
    let challenges = challenges::all(&transaction)?;
    let restrictions = admins::restrictions(&transaction)?;
    let blocks = contacts::blocks(&transaction)?;
    let backlog = Backlog::load(&transaction)?;
    transaction.commit()?;
    let found = Found { live: interrupt_turns(&mut live, &heartbeats), resting, set_aside };
    let state = state(settings, segments, next_id, start, TurnAxis::after_idle(idle), live, &found);
    let state = CommitterState { rater, backlog, ..state };
    let committer = Committer { connection, state };
    Ok(Loaded { committer, start, epoch, found, challenges, restrictions, blocks })
}

/// Why a game at rest is set aside at a start.
const BAD_REST: &str = "its entry in the index of games at rest is not as it was written";

/// Says that entries of the index of games at rest name no game.
fn tell_bad(bad: &[Option<GameId>]) {
    let nameless = bad.iter().filter(|game| game.is_none()).count();
    if nameless > 0 {
        tracing::error!(nameless, "games at rest cannot be named: `zeitnot check` finds their rows");
    }
}

/// Rejects a segment with a page that is not as it was written. A damaged page may hide its last rows, and each of them
/// may be a move that was acknowledged: no checksum of a row says that a row is missing.
fn check_pages(connection: &Connection, segments: &Segments) -> rusqlite::Result<()> {
    for Segment { number, .. } in &segments.0 {
        let sql = format!("PRAGMA quick_check(journal_{number})");
        let found: String = connection.query_row(&sql, [], |row| row.get(0))?;
        if found != "ok" {
            let corrupt = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
            let what = format!("the journal is damaged: {found}");
            return Err(rusqlite::Error::SqliteFailure(corrupt, Some(what)));
        }
    }
    Ok(())
}

/// The segments. In a new database the first one is made.
fn segments(connection: &Connection) -> rusqlite::Result<Segments> {
    let mut segments = Segments::load(connection)?;
    if segments.0.is_empty() {
        let first = Segment { number: 1, first_id: 1 };
        rollover::create(connection, first)?;
        segments.0.push(first);
    }
    Ok(segments)
}

fn starts(connection: &Connection) -> rusqlite::Result<Vec<StoreInstant>> {
    let mut statement = connection.prepare("SELECT at FROM starts")?;
    statement.query_map([], |row| row.get(0).map(StoreInstant))?.collect()
}

/// Stops every running turn until its game is recovered, and says what it has taken.
fn interrupt_turns(live: &mut BTreeMap<GameId, Live>, heartbeats: &Heartbeats) -> Vec<FoundGame> {
    let found = live.iter_mut().map(|(game, live)| {
        let spent = heartbeats.spent(live.mark);
        live.mark = TurnMark::Stands { spent };
        FoundGame { game: *game, offset: JournalOffset(live.last_seq.into()), spent }
    });
    found.collect()
}

fn state(
    settings: SegmentSettings,
    segments: Segments,
    next_id: u64,
    start: StoreInstant,
    turn_axis: TurnAxis,
    live: BTreeMap<GameId, Live>,
    found: &Found,
) -> CommitterState {
    let newest = segments.newest();
    let old = live.iter().filter(|(_, live)| live.base != newest.number).map(|(game, _)| *game);
    let state = CommitterState {
        settings,
        rater: &NoRatings,
        to_carry: old.collect(),
        set_aside: found.set_aside.iter().map(|(game, _)| *game).collect(),
        insert: rollover::insert_sql(newest),
        shared: Arc::new(Shared::new(segments.clone())),
        segments,
        next_id,
        heartbeats: Heartbeats::new(vec![start]),
        last_beat: StoreInstant::default(),
        unsettled_turns: UnsettledTurns::default(),
        resting: found.resting.len(),
        backlog: Backlog::default(),
        turn_axis,
        games: live.into_iter().collect(),
        buffer: Vec::new(),
        completions: Vec::new(),
        changes: Vec::new(),
    };
    for (game, live) in &state.games {
        state.shared.heads.insert(*game, live.head);
    }
    for game in &state.set_aside {
        state.shared.set_aside.insert(*game);
    }
    state
}
