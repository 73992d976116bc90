//! Live games at rest: rows of a table of their own, outside the segments, so that nothing carries them
//! forward.
//!
//! A game that comes to rest leaves the segments with all of its records, and comes back as one row, as
//! a game does that is carried forward. Each is one transaction, so a game is in one place or in the
//! other: what the segments still have of a game in this table is out of date.
//!
//! Their turns go on at rest, on an axis of their own ([`TurnAxis`](crate::storage::instant::TurnAxis)): time for which nobody is charged
//! does not exist there, so neither a restart nor a crash changes a row.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, params};
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Event;

use super::committer::{CommitterState, Live};
use super::folder::is_damage;
use super::game_rows::game_of;
use crate::storage::encoding::{self, Row, WholeGame};
use crate::storage::{
    JournalOffset, Record, RestMark, RestingGame, StoreInstant, TurnInstant, TurnMark, WokenGame,
};

impl CommitterState {
    /// Moves a live game out of the segments. `false` when it is not live, or has another last record.
    pub(super) fn rest(
        &mut self,
        connection: &Connection,
        game: GameId,
        after: JournalOffset,
        mark: RestMark,
        at: StoreInstant,
    ) -> rusqlite::Result<bool> {
        if self.games.get(&game).is_none_or(|live| u64::from(live.last_seq) != after.0) {
            return Ok(false);
        }
        let Some(records) = self.read_whole(connection, game)? else { return Ok(false) };
        let Some(Event::Started(setup)) = records.first().and_then(|record| record.events.first()) else {
            panic!("the records of a game begin with its start")
        };
        let players = setup.players.map(u128::to_be_bytes);
        let since = self.turn_axis.at(at);
        let due = since.after(mark.due.since(mark.at));
        let due = i64::try_from(due.0).unwrap_or(i64::MAX);
        encoding::encode(&Row::Resting { since, mark, whole: WholeGame { game, records } }, &mut self.buffer);
        let sql = "INSERT INTO resting (game, white, black, due, record, sum) \
                   VALUES (?1, ?2, ?3, ?4, ?5, row_sum(?1, ?2, ?3, ?4))";
        connection.prepare_cached(sql)?.execute(params![
            game.as_bytes(),
            players.white,
            players.black,
            due,
            &self.buffer
        ])?;
        self.buffer.clear();
        self.games.remove(&game);
        self.resting += 1;
        self.changes.push((game, None));
        Ok(true)
    }

    /// Moves a game at rest into the newest segment. `None` when it does not rest, or is damaged.
    pub(super) fn wake(
        &mut self,
        connection: &Connection,
        game: GameId,
        at: StoreInstant,
        now: StoreInstant,
    ) -> rusqlite::Result<Option<WokenGame>> {
        if self.set_aside.contains(&game) {
            return Ok(None);
        }
        let found = match get(connection, game) {
            Ok(Some(Ok(found))) => found,
            Ok(None) => return Ok(None),
            Ok(Some(Err(why))) => return Ok(self.set_resting_aside(game, &why)),
            Err(error) if is_damage(&error) => return Ok(self.set_resting_aside(game, &error.to_string())),
            Err(error) => return Err(error),
        };
        let Found { id, since, mark, records } = found;
        let rested = self.turn_axis.at(at).since(since);
        let last_seq = records.last().map_or(0, |record| record.last_seq());
        let turn = TurnMark::Runs { at: now, spent: mark.took + rested };
        connection.prepare_cached("DELETE FROM resting WHERE id = ?1")?.execute([id])?;
        let whole = WholeGame { game, records: records.clone() };
        encoding::encode(&Row::Carried { at: now, mark: turn, whole }, &mut self.buffer);
        let head = self.insert(connection, game.as_bytes(), last_seq)?;
        let base = self.segments.newest().number;
        self.games.insert(game, Live { last_seq, head, base, mark: turn });
        self.resting = self.resting.saturating_sub(1);
        // Before the commit, so that no reader finds the game in neither place.
        self.shared.heads.insert(game, head);
        Ok(Some(WokenGame { records, offset: JournalOffset(last_seq.into()), mark, rested }))
    }

    /// The row of a game at rest cannot be read. It stays where it is.
    fn set_resting_aside(&mut self, game: GameId, why: &str) -> Option<WokenGame> {
        tracing::error!(%game, why, "a game at rest is set aside: it cannot be played on, its row is kept");
        self.set_aside(game);
        None
    }
}

/// The row of a game at rest.
#[derive(Debug)]
pub(super) struct Found {
    id: i64,
    since: TurnInstant,
    mark: RestMark,
    pub(super) records: Vec<Arc<Record>>,
}

/// The row of a game at rest, or why it cannot be read; `None` when it does not rest.
pub(super) fn get(connection: &Connection, game: GameId) -> rusqlite::Result<Option<Result<Found, String>>> {
    let mut statement = connection.prepare_cached("SELECT id, record FROM resting WHERE game = ?1")?;
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, encoding::decode(row.get_ref(1)?.as_blob()?)));
    let row = statement.query_row([game.as_bytes()], read).optional()?;
    Ok(row.map(|(id, row)| match row {
        Ok(Row::Resting { since, mark, whole }) if whole.game == game => {
            Ok(Found { id, since, mark, records: whole.records })
        }
        Ok(_) => Err("its row at rest is another one".to_owned()),
        Err(error) => Err(format!("its row at rest is bad: {error}")),
    }))
}

/// The games at rest that are due, the earliest first.
pub(super) fn due(connection: &Connection, until: TurnInstant, most: usize) -> rusqlite::Result<Vec<GameId>> {
    let sql = "SELECT game FROM resting WHERE due <= ?1 ORDER BY due LIMIT ?2";
    let until = i64::try_from(until.0).unwrap_or(i64::MAX);
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![until, most])?;
    let mut games = Vec::new();
    while let Some(row) = rows.next()? {
        games.extend(game_of(row.get_ref(0)?.as_blob().unwrap_or_default()));
    }
    Ok(games)
}

/// All games at rest, by the index alone, and what its entries that are not as they were written name.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<(Vec<RestingGame>, Vec<Option<GameId>>)> {
    let sql = "SELECT game, white, black, sum = row_sum(game, white, black, due) FROM resting \
               INDEXED BY resting_by_game ORDER BY game";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    let (mut games, mut bad) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        let bytes = |column| row.get_ref(column).map(|value| value.as_blob().unwrap_or_default());
        let (game, white, black) = (game_of(bytes(0)?), account_of(bytes(1)?), account_of(bytes(2)?));
        match (game, white.zip(black), row.get(3)?) {
            (Some(game), Some((white, black)), true) => {
                games.push(RestingGame { game, players: ByColor { white, black } });
            }
            (game, ..) => bad.push(game),
        }
    }
    Ok((games, bad))
}

fn account_of(bytes: &[u8]) -> Option<AccountId> {
    Some(AccountId::from_u128(u128::from_be_bytes(bytes.try_into().ok()?)))
}
