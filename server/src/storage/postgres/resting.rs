//! Live games at rest: one row each, with all their records, outside the journal, so that no segment is kept for them.
//!
//! A game that comes to rest leaves the journal, and comes back as one row in the newest segment. Each is one transaction, so a
//! game is in one place or in the other. Its last number stays what it was.
//!
//! Their turns go on at rest, on an axis of their own ([`TurnAxis`](crate::storage::instant::TurnAxis)): time for which nobody
//! is charged does not exist there, so neither a restart nor a crash changes a row.

use std::sync::Arc;
use std::time::Duration;

use tokio_postgres::Row as SqlRow;
use zeitnot_protocol::GameId;
use zeitnot_rules::board::ByColor;

use super::accounts::account_of;
use super::connection::{Failure, Link};
use super::endings::read_all;
use super::game_rows::{Live, game_of};
use super::journal::Journal;
use crate::storage::encoding::{self, Row, WholeGame};
use crate::storage::{JournalOffset, RestMark, RestingGame, StoreInstant, TurnInstant, TurnMark, WokenGame};
use crate::telemetry::metrics;

/// How far apart the axes of two processes may be that serve at the same time. One begins where the others have last said that
/// they are, and whoever has not said so for that long is declared dead.
pub(super) const AXES_APART: Duration = Duration::from_secs(10);

impl Journal {
    /// Moves a live game out of the journal. `false` when it is not live, or has another last record.
    pub(super) async fn rest(
        &mut self,
        game: GameId,
        after: JournalOffset,
        mark: RestMark,
        at: StoreInstant,
    ) -> Result<bool, Failure> {
        let Some(live) = self.games.get(&game).copied() else { return Ok(false) };
        if u64::try_from(live.n) != Ok(after.0) {
            return Ok(false);
        }
        let since = self.turn_axis.at(at);
        let due = since.after(mark.due.since(mark.at));
        let node = self.node;
        let resting = |link: Arc<Link>| async move { rest(&link, node, game, live, mark, since, due).await };
        match self.keeper.transact(resting).await? {
            Ok(rests) => {
                if rests {
                    self.games.remove(&game);
                    self.resting += 1;
                }
                Ok(rests)
            }
            Err(why) => {
                self.set_aside(game, &why).await?;
                Ok(false)
            }
        }
    }

    /// Moves a game at rest into the newest segment. `None` when it does not rest, or is damaged.
    pub(super) async fn wake(
        &mut self,
        game: GameId,
        at: StoreInstant,
        now: StoreInstant,
    ) -> Result<Option<WokenGame>, Failure> {
        let (at, segment) = (self.turn_axis.at(at), self.segments.newest);
        // Another one may have put it to rest whose axis is behind. Too little is charged then, never too much.
        let at = at.before(self.axes_apart);
        let node = self.node;
        let waking = |link: Arc<Link>| async move { wake(&link, node, game, at, now, segment).await };
        match self.keeper.transact(waking).await? {
            None => Ok(None),
            Some(Ok((live, woken))) => {
                self.games.insert(game, live);
                self.resting = self.resting.saturating_sub(1);
                self.segments.rows += 1;
                Ok(Some(woken))
            }
            Some(Err(why)) => {
                self.set_aside(game, &why).await?;
                Ok(None)
            }
        }
    }

    /// Nothing is added to a game from here on, and nobody reads it. What is kept of it stays where it is.
    pub(super) async fn set_aside(&mut self, game: GameId, why: &str) -> Result<(), Failure> {
        tracing::error!(%game, why, "a game is set aside: it cannot be played on, its rows are kept");
        metrics().games_set_aside.increment(1);
        self.games.remove(&game);
        let (why, node) = (why.to_owned(), self.node);
        let keep = |link: Arc<Link>| {
            let why = why.clone();
            async move { set_aside(&link, node, game, &why).await }
        };
        self.keeper.transact(keep).await
    }
}

/// Notes why a game cannot be played on, unless another node has claimed it. Nobody owns it from here on.
pub(super) async fn set_aside(link: &Link, node: i32, game: GameId, why: &str) -> Result<(), Failure> {
    let sql = "UPDATE live SET aside = $3, owner = NULL WHERE game = $2 AND coalesce(owner, $1) = $1";
    link.run(sql, &[&node, &game.as_str(), &why]).await?;
    Ok(())
}

async fn rest(
    link: &Link,
    node: i32,
    game: GameId,
    live: Live,
    mark: RestMark,
    since: TurnInstant,
    due: TurnInstant,
) -> Result<Result<bool, String>, Failure> {
    let read = read_all(link, &[(live.segment, game)]).await?.remove(&game);
    let records = match read.unwrap_or_else(|| Err("its rows are missing".to_owned())) {
        Ok(records) => records,
        Err(why) => return Ok(Err(why)),
    };
    if records.last().map(|record| record.last_seq()) != Some(live.last_seq) {
        return Ok(Ok(false));
    }
    let mut row = Vec::new();
    encoding::encode(&Row::Resting { since, mark, whole: WholeGame { game, records } }, &mut row);
    let due = i64::try_from(due.0).unwrap_or(i64::MAX);
    let sql = "UPDATE live SET resting = true, segment = NULL, mark = NULL, mark_n = NULL, owner = NULL, n = $2, due_us = $3, \
               rest = $4 WHERE game = $1 AND NOT resting AND aside IS NULL AND owner = $5";
    if link.run(sql, &[&game.as_str(), &live.n, &due, &row, &node]).await? == 0 {
        return Ok(Ok(false));
    }
    let sql = "DELETE FROM journal WHERE segment = $1 AND game = $2";
    link.run(sql, &[&live.segment, &game.as_str()]).await?;
    Ok(Ok(true))
}

async fn wake(
    link: &Link,
    node: i32,
    game: GameId,
    at: TurnInstant,
    now: StoreInstant,
    segment: i32,
) -> Result<Option<Result<(Live, WokenGame), String>>, Failure> {
    let sql = "SELECT n, rest FROM live WHERE game = $1 AND resting AND aside IS NULL FOR UPDATE";
    let Some(row) = link.row(sql, &[&game.as_str()]).await? else { return Ok(None) };
    let (n, bytes): (i32, Vec<u8>) = (row.try_get(0)?, row.try_get(1)?);
    let (since, mark, records) = match encoding::decode(&bytes) {
        Ok(Row::Resting { since, mark, whole }) if whole.game == game => (since, mark, whole.records),
        Ok(_) => return Ok(Some(Err("its row at rest is another one".to_owned()))),
        Err(error) => return Ok(Some(Err(format!("its row at rest is bad: {error}")))),
    };
    let rested = at.since(since);
    let last_seq = records.last().map_or(0, |record| record.last_seq());
    let turn = TurnMark::Runs { at: now, spent: mark.took + rested };
    let mut carried = Vec::new();
    let whole = WholeGame { game, records: records.clone() };
    encoding::encode(&Row::Carried { at: now, mark: turn, whole }, &mut carried);
    let sql = "INSERT INTO journal (segment, game, n, row) VALUES ($1, $2, $3, $4)";
    link.run(sql, &[&segment, &game.as_str(), &n, &carried]).await?;
    let sql = "UPDATE live SET resting = false, segment = $2, n = NULL, due_us = NULL, rest = NULL, owner = $3 \
               WHERE game = $1";
    link.run(sql, &[&game.as_str(), &segment, &node]).await?;
    let offset = JournalOffset(n.unsigned_abs().into());
    let live = Live { n, last_seq, segment, mark: turn };
    Ok(Some(Ok((live, WokenGame { records, offset, mark, rested }))))
}

/// The games at rest that are due, the earliest first.
pub(super) async fn due(link: &Link, until: TurnInstant, most: usize) -> Result<Vec<GameId>, Failure> {
    let sql =
        "SELECT game FROM live WHERE resting AND aside IS NULL AND due_us <= $1 ORDER BY due_us LIMIT $2";
    let until = i64::try_from(until.0).unwrap_or(i64::MAX);
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    link.rows(sql, &[&until, &most]).await?.iter().map(|row| game_of(row.try_get(0)?)).collect()
}

/// All games at rest.
pub(super) async fn all(link: &Link) -> Result<Vec<RestingGame>, Failure> {
    let sql = "SELECT game, white, black FROM live WHERE resting AND aside IS NULL ORDER BY game";
    let resting = |row: &SqlRow| {
        let players = ByColor { white: account_of(row.try_get(1)?), black: account_of(row.try_get(2)?) };
        Ok(RestingGame { game: game_of(row.try_get(0)?)?, players })
    };
    link.rows(sql, &[]).await?.iter().map(resting).collect()
}
