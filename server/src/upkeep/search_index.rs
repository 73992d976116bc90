//! The check of the tables that the archive is searched by: whether they have exactly the rows that follow from it.
//!
//! Rows are compared by the sum of their hashes, so that a million games need no room: what is missing, is there twice or
//! has another value changes the sum.
//!
//! Deliberately absent: which row it is. All of them can be made again, so the report says how.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher as _};

use rusqlite::Row;
use rusqlite::types::Value;

use super::check::Checked;
use super::rows::{Table, each};
use crate::storage::GameFacts;
use crate::storage::seats_of;
use crate::storage::sqlite::{player_key, unindexed};

/// How many rows, and the sum of their hashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Rows {
    count: u64,
    sum: u64,
}

impl Rows {
    fn add(&mut self, row: impl Hash) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(hash(row));
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A player by what the table of players has for one.
fn hash_of(who: &Value) -> u64 {
    match who {
        Value::Blob(bytes) => hash((0, bytes)),
        Value::Text(text) => hash((1, text)),
        Value::Null | Value::Integer(_) | Value::Real(_) => 0,
    }
}

/// The rows of all tables.
#[derive(PartialEq, Eq, Debug, Default)]
struct Tables {
    facets: BTreeMap<i64, u64>,
    by_facet: Rows,
    by_player: Rows,
    by_position: Rows,
}

/// The tables as they should be.
#[derive(Debug)]
pub(super) struct SearchIndex {
    /// Games up to this row of the archive are not in them.
    unindexed: i64,
    expected: Tables,
}

impl SearchIndex {
    pub(super) fn begin(at: &mut Checked<'_>) -> Self {
        let unindexed = if at.has_search() { unindexed(at.source) } else { Ok(i64::MAX) };
        let unindexed = unindexed.unwrap_or_else(|error| {
            at.unreadable("the facts", Some(error));
            i64::MAX
        });
        Self { unindexed, expected: Tables::default() }
    }

    /// A game of the archive should be in them.
    pub(super) fn expect(&mut self, id: i64, facts: &GameFacts) {
        if id <= self.unindexed {
            return;
        }
        let facet = i64::from(facts.facet.0);
        *self.expected.facets.entry(facet).or_default() += 1;
        self.expected.by_facet.add((facet, id));
        let player = |who: &Option<_>| who.as_ref().map(|who| hash_of(&player_key(who)));
        let players = &facts.players;
        for (seats, player, opponent) in seats_of(player(&players.white), player(&players.black)) {
            self.expected.by_player.add((player, id, seats, facet, opponent.unwrap_or_default()));
        }
        for position in &facts.positions {
            self.expected.by_position.add((position.0, id, facet));
        }
    }

    /// Compares them with what is there.
    pub(super) fn compare(&self, at: &mut Checked<'_>) {
        if !at.has_search() {
            return;
        }
        let found = read(at);
        if found == self.expected {
            return at.report.in_order(format!("games that searches find: {}", found.by_facet.count));
        }
        let what = "they are not as the archive says. The games are in order: a server that starts from what --save \
                    writes makes these tables anew";
        at.report.damaged("the tables for searches", what.to_owned());
    }
}

/// What is there. Players are known by what they are, since their numbers say nothing.
fn read(at: &mut Checked<'_>) -> Tables {
    let (mut found, mut players) = (Tables::default(), HashMap::from([(0, 0)]));
    let table = Table { name: "players", columns: "id, who, sum = row_sum(id, who)", key: "id" };
    scan(at, table, &mut |row| {
        if row.get(2)? {
            players.insert(row.get::<_, i64>(0)?, hash_of(&row.get(1)?));
        }
        Ok(())
    });
    let table = Table { name: "facets", columns: "facet, games, sum = row_sum(facet, games)", key: "facet" };
    scan(at, table, &mut |row| {
        if row.get(2)? {
            found.facets.insert(row.get(0)?, row.get(1)?);
        }
        Ok(())
    });
    let table = Table { name: "games_by_facet", columns: "facet, id", key: "facet" };
    scan(at, table, &mut |row| {
        found.by_facet.add((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
        Ok(())
    });
    let columns = "player, id, seats, facet, opponent";
    let table = Table { name: "games_by_player", columns, key: "player" };
    scan(at, table, &mut |row| {
        let known = |number: i64| players.get(&number).copied().unwrap_or(u64::MAX);
        let [player, id, seats, facet, opponent] = integers(row)?;
        found.by_player.add((known(player), id, seats, facet, known(opponent)));
        Ok(())
    });
    let table = Table { name: "games_by_position", columns: "position, id, facet", key: "position" };
    scan(at, table, &mut |row| {
        let [position, id, facet] = integers(row)?;
        found.by_position.add((position, id, facet));
        Ok(())
    });
    found
}

fn integers<const N: usize>(row: &Row<'_>) -> rusqlite::Result<[i64; N]> {
    let mut values = [0; N];
    for (column, value) in values.iter_mut().enumerate() {
        *value = row.get(column)?;
    }
    Ok(values)
}

/// Reads a table. A row whose values are of another type is missing in what was found.
fn scan(at: &mut Checked<'_>, table: Table<'_>, read: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<()>) {
    let error = each(at.source, table, &mut |row| drop(read(row)));
    at.unreadable("the tables for searches", error);
}
