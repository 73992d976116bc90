//! What follows from the end of a game: its row in the archive, those by which it is found, and what it does to ratings.
//!
//! All of it goes with the record that ends the game, in one statement: a record that is not appended has no effect.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color};

use super::connection::{Failure, Link};
use super::game_rows::{NumberedRow, game_of, records};
use super::ratings::{self, EventRow, event_rows};
use super::search::{PlayerRow, PositionRow, player_rows, position_rows};
use crate::storage::encoding::{self, Row, WholeGame, result_tags};
use crate::storage::rating::events;
use crate::storage::{EndedGame, GameFacts, Rater, Record};

/// What games of one statement leave when they end.
#[derive(Debug, Default)]
pub(super) struct Endings {
    archived: Vec<ArchiveRow>,
    /// The encoded records of each, in the same order.
    pub(super) records: Vec<Vec<u8>>,
    players: Vec<PlayerRow>,
    positions: Vec<PositionRow>,
    events: Vec<EventRow>,
    /// Whose ratings change: each account by one game of a statement at most.
    rated: HashSet<AccountId>,
}

/// A row of `archive` but for the records, as JSON.
#[derive(Debug, Serialize)]
struct ArchiveRow {
    place: usize,
    game: String,
    ended_unix_ms: u64,
    white: String,
    black: String,
    score: u8,
    reason: u8,
    facet: u16,
}

impl Endings {
    pub(super) fn is_empty(&self) -> bool {
        self.archived.is_empty()
    }

    /// Whether a game with these records must wait for another statement.
    pub(super) fn must_wait(&self, rater: &dyn Rater, records: &[Arc<Record>]) -> bool {
        let counted = rater.counts(records, None);
        let has = |account| self.rated.contains(&account);
        counted.is_some_and(|counted| Color::ALL.into_iter().any(|color| has(counted.players[color])))
    }

    /// A game has ended with these records.
    ///
    /// # Panics
    /// When the records do not begin a game and end it.
    pub(super) async fn add(
        &mut self,
        link: &Link,
        rater: &dyn Rater,
        game: GameId,
        records: Vec<Arc<Record>>,
        ended_unix_ms: u64,
    ) -> Result<(), Failure> {
        if let Some(counted) = rater.counts(&records, None) {
            let (players, category) = (counted.players, counted.category);
            let white = ratings::standing(link, players.white, category).await?;
            let before = ByColor { white, black: ratings::standing(link, players.black, category).await? };
            let events = events(rater, game, &counted, before, ended_unix_ms);
            self.rated.extend([players.white, players.black]);
            self.events.extend(event_rows(players, category, 0, &events));
        }
        let ended = EndedGame::of(&records, None).expect("these records begin a game and end it");
        let facts = GameFacts::of_ended(&ended);
        let players = ended.setup.players.map(AccountId::from_u128);
        let (score, reason) = result_tags(ended.outcome);
        self.archived.push(ArchiveRow {
            place: self.archived.len() + 1,
            game: game.to_string(),
            ended_unix_ms,
            white: players.white.to_string(),
            black: players.black.to_string(),
            score,
            reason,
            facet: facts.facet.0,
        });
        self.players.extend(player_rows(game, &facts));
        self.positions.extend(position_rows(game, &facts));
        let mut bytes = Vec::new();
        encoding::encode(&Row::Archived(WholeGame { game, records }), &mut bytes);
        self.records.push(bytes);
        Ok(())
    }

    /// The rows as JSON: of the archive, of players, of positions, of ratings.
    pub(super) fn as_json(&self) -> Result<[Value; 4], Failure> {
        let failed = |error: serde_json::Error| Failure::Rejected(error.to_string());
        Ok([
            serde_json::to_value(&self.archived).map_err(failed)?,
            serde_json::to_value(&self.players).map_err(failed)?,
            serde_json::to_value(&self.positions).map_err(failed)?,
            serde_json::to_value(&self.events).map_err(failed)?,
        ])
    }
}

/// All records of these games, by their rows in these segments, or why they cannot be read.
pub(super) async fn read_all(
    link: &Link,
    games: &[(i32, GameId)],
) -> Result<HashMap<GameId, Result<Vec<Arc<Record>>, String>>, Failure> {
    let sql = "SELECT game, n, row FROM journal JOIN unnest($1::int[], $2::text[]) AS wanted(segment, game) \
               USING (segment, game) ORDER BY game, n";
    let segments: Vec<i32> = games.iter().map(|(segment, _)| *segment).collect();
    let names: Vec<&str> = games.iter().map(|(_, game)| game.as_str()).collect();
    let mut rows: HashMap<GameId, Vec<NumberedRow>> = HashMap::new();
    for row in link.rows(sql, &[&segments, &names]).await? {
        rows.entry(game_of(row.try_get(0)?)?).or_default().push((row.try_get(1)?, row.try_get(2)?));
    }
    Ok(rows.into_iter().map(|(game, rows)| (game, records(game, &rows))).collect())
}
