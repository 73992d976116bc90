//! The tables that the archive is searched by: what the writer puts into them.
//!
//! A game gets its rows in the transaction that ends it. The games of an older version get theirs while the server runs,
//! the last one first, a few per commit: [`Backlog`].
//!
//! Deliberately absent: searching (`search`). Rows of games have no checksum: they would take as much room again, and all
//! of them follow from the archive. `zeitnot check` compares them with it, and what `check --save` writes has none of
//! them, so that the server that starts from there makes them anew.
//!
//! Invariant: of the rows of the archive above the fact `unindexed` all are in these tables, of the others none.

use rusqlite::{Connection, OptionalExtension as _, params};
use zeitnot_protocol::GameId;

use super::corrections::{self, RowError};
use super::schema;
use crate::storage::encoding::{self, Row};
use crate::storage::facts::seats_of;
use crate::storage::{Correction, Facet, GameFacts, StoreInstant, Who};

/// Games that are indexed in one commit: some milliseconds of work.
const GAMES_PER_STEP: usize = 4;
/// Between two such commits, in microseconds: games come first.
const STEP_EVERY_US: u64 = 20_000;

/// The key of the fact.
const UNINDEXED: &str = "unindexed";

/// Enters a game of the archive. A row that damage has left in its place is replaced: a game ends whatever became of these
/// tables.
pub(super) fn add(connection: &Connection, id: i64, facts: &GameFacts) -> rusqlite::Result<()> {
    let facet = facts.facet.0;
    let sql = "INSERT INTO facets (facet, games, sum) VALUES (?1, 1, row_sum(?1, 1)) ON CONFLICT (facet) \
               DO UPDATE SET games = games + 1, sum = row_sum(facet, games + 1)";
    connection.prepare_cached(sql)?.execute([facet])?;
    connection
        .prepare_cached("INSERT OR REPLACE INTO games_by_facet VALUES (?1, ?2)")?
        .execute(params![facet, id])?;
    let players = [&facts.players.white, &facts.players.black];
    let [white, black] = players.map(|who| who.as_ref().map(|who| player(connection, who)).transpose());
    let (white, black) = (white?, black?);
    let mut insert =
        connection.prepare_cached("INSERT OR REPLACE INTO games_by_player VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for (seats, player, opponent) in seats_of(white, black) {
        insert.execute(params![player, id, seats, facet, opponent.unwrap_or_default()])?;
    }
    let mut insert =
        connection.prepare_cached("INSERT OR REPLACE INTO games_by_position VALUES (?1, ?2, ?3)")?;
    for position in &facts.positions {
        insert.execute(params![position.0, id, facet])?;
    }
    Ok(())
}

/// A game of the archive is of another kind from now on. One that is not indexed yet is of that kind when it is.
pub(super) fn change(connection: &Connection, id: i64, was: Facet, is: &GameFacts) -> rusqlite::Result<()> {
    if id <= unindexed(connection)? {
        return Ok(());
    }
    let sql = "DELETE FROM games_by_facet WHERE facet = ?1 AND id = ?2";
    connection.prepare_cached(sql)?.execute(params![was.0, id])?;
    let sql = "UPDATE facets SET games = games - 1, sum = row_sum(facet, games - 1) WHERE facet = ?1";
    connection.prepare_cached(sql)?.execute([was.0])?;
    connection.prepare_cached("DELETE FROM facets WHERE facet = ?1 AND games < 1")?.execute([was.0])?;
    // The rows by player and by position have no kind in their keys: they are replaced.
    add(connection, id, is)
}

/// The last correction of a game. Without it, where it is damaged, the game is found as it was played out; whoever reads
/// the game finds the damage.
fn correction(connection: &Connection, game: GameId) -> rusqlite::Result<Option<Correction>> {
    match corrections::last_of(connection, game) {
        Ok(correction) => Ok(correction),
        Err(RowError::Damaged(_)) => Ok(None),
        Err(RowError::Sqlite(error)) => Err(error),
    }
}

/// The number of a player, who gets one with the first game.
fn player(connection: &Connection, who: &Who) -> rusqlite::Result<i64> {
    if let Some(known) = player_number(connection, who)? {
        return Ok(known);
    }
    let sql = "INSERT INTO players (id, who, sum) SELECT next, ?1, row_sum(next, ?1) \
               FROM (SELECT coalesce(max(id), 0) + 1 AS next FROM players) RETURNING id";
    connection.prepare_cached(sql)?.query_row([key(who)], |row| row.get(0))
}

/// The number of a player; `None` for somebody who has finished no game.
pub(super) fn player_number(connection: &Connection, who: &Who) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT id FROM players WHERE who = ?1";
    connection.prepare_cached(sql)?.query_row([key(who)], |row| row.get(0)).optional()
}

/// The first names of players without accounts that begin so. Accounts are bytes, which come after all text.
pub(super) fn names_by_prefix(
    connection: &Connection,
    prefix: &str,
    most: usize,
) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT who FROM players WHERE who >= ?1 AND who < ?2 ORDER BY who LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let names =
        statement.query_map(params![prefix, format!("{prefix}{}", char::MAX), most], |row| row.get(0))?;
    names.collect()
}

/// A player as the table has one.
pub(crate) fn key(who: &Who) -> rusqlite::types::Value {
    match who {
        Who::Account(account) => account.as_u128().to_be_bytes().to_vec().into(),
        Who::Name(name) => name.clone().into(),
    }
}

/// The last row of the archive that is not indexed; 0 when all are.
pub(crate) fn unindexed(connection: &Connection) -> rusqlite::Result<i64> {
    let stored = schema::fact(connection, UNINDEXED)?;
    Ok(stored.and_then(|text| text.parse().ok()).unwrap_or_default())
}

/// From now on no row of the archive is indexed, so that the next server indexes all.
pub(crate) fn forget(connection: &Connection) -> rusqlite::Result<()> {
    let last: i64 = connection.query_row("SELECT coalesce(max(id), 0) FROM archive", [], |row| row.get(0))?;
    schema::set_fact(connection, UNINDEXED, &last.to_string())
}

/// The games that are not indexed yet.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    /// The fact, as the writer knows it.
    unindexed: i64,
    last_step: StoreInstant,
}

impl Backlog {
    /// What a start finds.
    pub(super) fn load(connection: &Connection) -> rusqlite::Result<Self> {
        let unindexed = unindexed(connection)?;
        if unindexed > 0 {
            tracing::info!(games = unindexed, "games are indexed for searches while the server runs");
        }
        Ok(Self { unindexed, last_step: StoreInstant::default() })
    }

    /// Whether there are any.
    pub(super) const fn is_empty(&self) -> bool {
        self.unindexed == 0
    }

    /// Indexes some, if it is time.
    pub(super) fn step(&mut self, connection: &Connection, at: StoreInstant) -> rusqlite::Result<()> {
        if self.is_empty() || at.0 < self.last_step.0.saturating_add(STEP_EVERY_US) {
            return Ok(());
        }
        self.last_step = at;
        let sql = "SELECT id, records FROM archive WHERE id <= ?1 ORDER BY id DESC LIMIT ?2";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query(params![self.unindexed, GAMES_PER_STEP])?;
        let mut lowest = 0;
        while let Some(row) = rows.next()? {
            lowest = row.get(0)?;
            // A damaged row is found by whoever reads the game, and by `zeitnot check`.
            if let Ok(Row::Archived(whole)) = encoding::decode(row.get_ref(1)?.as_blob().unwrap_or_default())
                && let Some(facts) = GameFacts::of(&whole.records, correction(connection, whole.game)?)
            {
                add(connection, lowest, &facts)?;
            }
        }
        self.unindexed = (lowest - 1).max(0);
        schema::set_fact(connection, UNINDEXED, &self.unindexed.to_string())?;
        if self.is_empty() {
            tracing::info!("all games are indexed for searches");
        }
        Ok(())
    }
}
