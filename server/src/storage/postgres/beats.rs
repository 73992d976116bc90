//! Heartbeats as rows, and what is noted of running turns. What a turn is charged follows from them: `heartbeat`.

use std::collections::HashMap;
use std::time::Duration;

use zeitnot_protocol::GameId;
use zeitnot_rules::game::Micros;

use super::connection::{Failure, Link};
use super::game_rows::Live;
use super::journal::{Journal, Now};
use crate::storage::encoding::{self, Row};
use crate::storage::heartbeat::{BEAT_EVERY, Heartbeats};
use crate::storage::{StoreInstant, TurnMark, TurnTime};

/// How long heartbeats are kept beyond what the running turns need. A turn that has run for so long has what it took noted.
const KEPT: Duration = Duration::from_secs(3_600);
/// Turns that are noted in one statement.
const NOTED_AT_ONCE: usize = 1_024;

/// Under which the processes stand that had no numbers here, because they served before version 2 of the schema.
const BEFORE: i32 = 0;

/// The heartbeats of nodes, each on its own axis.
#[derive(Debug, Default)]
pub(super) struct Beats(HashMap<i32, Heartbeats>);

impl Beats {
    /// Those of all nodes.
    pub(super) async fn all(link: &Link) -> Result<Self, Failure> {
        let starts = link.rows("SELECT start_us FROM nodes WHERE start_us IS NOT NULL", &[]).await?;
        let starts = starts.iter().map(|row| StoreInstant(row.get::<_, i64>(0).unsigned_abs()));
        // Processes that served one after the other are told apart by where they began.
        let mut beats = HashMap::from([(BEFORE, Heartbeats::new(starts.collect()))]);
        for row in link.rows("SELECT node, at_us FROM beats ORDER BY node, at_us", &[]).await? {
            let (node, at): (i32, i64) = (row.try_get(0)?, row.try_get(1)?);
            beats.entry(node).or_default().beat(StoreInstant(at.unsigned_abs()));
        }
        Ok(Self(beats))
    }

    /// What a running turn has certainly taken, of a game with this owner.
    pub(super) fn spent(&self, owner: Option<i32>, mark: TurnMark) -> Micros {
        match self.0.get(&owner.unwrap_or(BEFORE)) {
            Some(heartbeats) => heartbeats.spent(mark),
            None => Heartbeats::default().spent(mark),
        }
    }
}

/// The latest instant that is known of any node.
pub(super) async fn latest(link: &Link) -> Result<StoreInstant, Failure> {
    let sql =
        "SELECT greatest((SELECT max(greatest(start_us, at_us)) FROM nodes), (SELECT max(at_us) FROM beats))";
    let latest = link.row(sql, &[]).await?.and_then(|row| row.get::<_, Option<i64>>(0));
    Ok(StoreInstant(latest.unwrap_or_default().unsigned_abs()))
}

/// Forgets the heartbeats of this node before an instant, and those of dead nodes that own no game.
async fn forget(link: &Link, node: i32, before: StoreInstant) -> Result<(), Failure> {
    link.run("DELETE FROM beats WHERE node = $1 AND at_us < $2", &[&node, &column(before)]).await?;
    let sql = "DELETE FROM beats WHERE (node = $1 OR node IN (SELECT node FROM nodes WHERE dead)) \
               AND NOT EXISTS (SELECT FROM live WHERE coalesce(owner, $1) = beats.node AND NOT resting)";
    link.run(sql, &[&BEFORE]).await?;
    Ok(())
}

fn column(at: StoreInstant) -> i64 {
    i64::try_from(at.0).unwrap_or(i64::MAX)
}

impl Journal {
    /// Writes a heartbeat, if it is time for one and it would be true.
    pub(super) async fn beat(&mut self, at: StoreInstant) -> Result<(), Failure> {
        let is_due = !self.turn_axis.is_stopped()
            && self.has_turns()
            && at >= self.last_beat.after(BEAT_EVERY)
            && self.unsettled_turns.allows_beat(at);
        if is_due { self.write_beat(at).await } else { Ok(()) }
    }

    async fn write_beat(&mut self, at: StoreInstant) -> Result<(), Failure> {
        let (sql, node) =
            ("INSERT INTO beats (node, at_us) VALUES ($1, $2) ON CONFLICT DO NOTHING", self.node);
        self.keeper.transact(|link| async move { link.run(sql, &[&node, &column(at)]).await }).await?;
        self.last_beat = at;
        self.heartbeats.beat(at);
        Ok(())
    }

    /// The running turns are charged up to here and no further.
    pub(super) async fn stop_turns(&mut self, at: StoreInstant) -> Result<(), Failure> {
        if !self.turn_axis.is_stopped() {
            if self.unsettled_turns.allows_beat(at) {
                self.write_beat(at).await?;
            }
            self.turn_axis.stop(at);
        }
        Ok(())
    }

    /// Notes what running turns have taken.
    pub(super) async fn note_turns(
        &mut self,
        turns: &mut Vec<(GameId, TurnTime)>,
        now: Now,
    ) -> Result<(), Failure> {
        // The last one of a game counts.
        let mut marks = HashMap::new();
        for (game, time) in turns.drain(..) {
            let mark = match time {
                TurnTime::Runs { spent } => TurnMark::Runs { at: now.at, spent },
                TurnTime::Stands { spent } => TurnMark::Stands { spent },
            };
            if let Some(live) = self.games.get_mut(&game) {
                live.mark = mark;
                marks.insert(game, *live);
            }
        }
        self.keep_marks(marks, now.at).await
    }

    async fn keep_marks(&mut self, marks: HashMap<GameId, Live>, at: StoreInstant) -> Result<(), Failure> {
        let mut marks: Vec<_> = marks.into_iter().collect();
        marks.sort_unstable_by_key(|(game, _)| *game);
        for some in marks.chunks(NOTED_AT_ONCE) {
            let games: Vec<String> = some.iter().map(|(game, _)| game.to_string()).collect();
            let after: Vec<i32> = some.iter().map(|(_, live)| live.n).collect();
            let rows = some.iter().map(|(game, live)| {
                let mut row = Vec::new();
                encoding::encode(&Row::Turn { at, game: *game, mark: live.mark }, &mut row);
                row
            });
            let with = (games, rows.collect::<Vec<_>>(), after);
            let sql = "UPDATE live SET mark = u.mark, mark_n = u.n \
                       FROM unnest($1::text[], $2::bytea[], $3::int[]) AS u(game, mark, n) \
                       WHERE live.game = u.game AND live.owner = $4";
            let node = self.node;
            let note = |link: std::sync::Arc<Link>| {
                let (games, rows, after) = with.clone();
                async move { link.run(sql, &[&games, &rows, &after, &node]).await }
            };
            self.keeper.transact(note).await?;
        }
        Ok(())
    }

    /// Forgets the heartbeats that no turn needs, after what the older turns have taken is noted.
    pub(super) async fn shorten_beats(&mut self, at: StoreInstant) -> Result<(), Failure> {
        let old = StoreInstant(at.0.saturating_sub(u64::try_from(KEPT.as_micros()).unwrap_or(u64::MAX)));
        let is_old = |mark: TurnMark| mark.earliest().is_some_and(|earliest| earliest < old);
        let mut carried = HashMap::new();
        for (game, live) in self.games.iter_mut().filter(|(_, live)| is_old(live.mark)) {
            live.mark = self.heartbeats.carried(live.mark, at);
            carried.insert(*game, *live);
        }
        self.keep_marks(carried, at).await?;
        let earliest = self.games.values().filter_map(|live| live.mark.earliest()).min();
        // The next start must find the last heartbeat.
        let needed = earliest.unwrap_or(old).min(old).min(self.last_beat);
        let node = self.node;
        let forget = |link: std::sync::Arc<Link>| async move { forget(&link, node, needed).await };
        self.keeper.transact(forget).await?;
        self.heartbeats.forget_before(needed);
        Ok(())
    }
}
