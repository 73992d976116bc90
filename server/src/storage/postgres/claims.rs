//! How a node comes to own live games: by a row in each, its claim.
//!
//! A claim takes the number after the game's last row, on which every append of the owner before it is rejected. Games are
//! claimed some at a time. What a batch has claimed is played on only after its transaction was confirmed, so that whoever
//! serves a game has written to it: what is only seen after a crash may be on no other machine.
//!
//! Deliberately absent: which nodes are dead, and what becomes of the games that were claimed.
//!
//! Invariants: nobody claims a game whose owner is not in the list of the dead; a game to which its old owner has written
//! after it was read is not claimed, and is there to be claimed again.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use uuid::Uuid;
use zeitnot_protocol::{AccountId, GameId};

use super::beats::Beats;
use super::connection::{Failure, Link};
use super::game_rows::{Live, StoredGame, game_of};
use crate::storage::encoding::{self, Row};
use crate::storage::{NodeNumber, Owner, Record, StoreInstant, TurnMark};

/// Games of one transaction: some milliseconds, in which an append of theirs may have to wait.
pub(super) const CLAIMED_AT_ONCE: i64 = 200;

/// Who claims, and whose games.
#[derive(Clone, Debug)]
pub(super) struct Claimer {
    /// The node that claims.
    pub(super) node: i32,
    /// Now, on its axis.
    pub(super) at: StoreInstant,
    /// The nodes that are dead.
    pub(super) dead: Arc<[i32]>,
    /// Their heartbeats.
    pub(super) beats: Arc<Beats>,
    /// Whether games that somebody has locked are waited for; if not, they are left for another time.
    pub(super) waits: bool,
}

/// A game that this node owns from here on.
#[derive(Debug)]
pub(super) struct Claimed {
    pub(super) game: GameId,
    pub(super) records: Vec<Arc<Record>>,
    pub(super) live: Live,
}

/// What came of a batch.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) games: Vec<Claimed>,
    /// Games that cannot be played on, and why. That is noted.
    pub(super) set_aside: Vec<(GameId, String)>,
    /// The last game that was looked at: the next batch is of those after it. `None` when there was none.
    pub(super) last: Option<GameId>,
}

/// The nodes that own live games, each once: found one after the other in the index, however many games they own.
pub(super) const OWNERS: &str = "owners(owner) AS (SELECT min(owner) FROM live WHERE NOT resting AND aside IS NULL \
     UNION ALL SELECT (SELECT min(live.owner) FROM live WHERE live.owner > owners.owner AND NOT resting AND aside IS NULL) \
     FROM owners WHERE owners.owner IS NOT NULL)";

static DEAD_OWNERS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH RECURSIVE {OWNERS} SELECT node FROM owners JOIN nodes ON nodes.node = owners.owner WHERE dead ORDER BY node"
    )
});

/// Live games that nobody owns any more, locked: `$1` are the dead.
const FREE: &str = "SELECT game, segment, owner, mark_n, mark FROM live \
     WHERE NOT resting AND aside IS NULL AND (owner IS NULL OR owner = ANY($1)) AND game > $2 \
     ORDER BY game LIMIT $3 FOR UPDATE";
const FREE_UNLESS_LOCKED: &str = "SELECT game, segment, owner, mark_n, mark FROM live \
     WHERE NOT resting AND aside IS NULL AND (owner IS NULL OR owner = ANY($1)) AND game > $2 \
     ORDER BY game LIMIT $3 FOR UPDATE SKIP LOCKED";

const SET_ASIDE: &str = "UPDATE live SET aside = $2, owner = NULL WHERE game = $1";

const PUT: &str = "WITH put AS (INSERT INTO journal (segment, game, n, row) \
      SELECT * FROM unnest($1::int[], $2::text[], $3::int[], $4::bytea[]) ON CONFLICT DO NOTHING RETURNING game) \
     UPDATE live SET owner = $5, mark = NULL, mark_n = NULL FROM put WHERE live.game = put.game RETURNING live.game";

/// The dead nodes that own live games.
pub(super) async fn dead_owners(link: &Link) -> Result<Vec<i32>, Failure> {
    link.rows(&DEAD_OWNERS, &[]).await?.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// Claims some of the games after this one, in a transaction of the caller's. Nothing of the answer counts before that is
/// confirmed.
pub(super) async fn claim(link: &Link, claimer: &Claimer, after: Option<GameId>) -> Result<Batch, Failure> {
    let stored = free(link, claimer, after).await?;
    let mut batch = Batch { last: stored.last().map(|stored| stored.game), ..Batch::default() };
    for stored in &stored {
        match stored.read() {
            Ok((records, live)) => batch.games.push(claimer.claimed(stored, records, live)),
            Err(why) => {
                link.run(SET_ASIDE, &[&stored.game.as_str(), &why]).await?;
                batch.set_aside.push((stored.game, why));
            }
        }
    }
    // In the order of their keys, as appends.
    batch.games.sort_unstable_by_key(|claimed| (claimed.live.segment, claimed.game));
    let claimed = claimer.put(link, &batch.games).await?;
    batch.games.retain(|game| claimed.contains(&game.game));
    Ok(batch)
}

/// The next games that nobody owns, with their rows.
async fn free(link: &Link, claimer: &Claimer, after: Option<GameId>) -> Result<Vec<StoredGame>, Failure> {
    let after = after.map(|game| game.to_string()).unwrap_or_default();
    let sql = if claimer.waits { FREE } else { FREE_UNLESS_LOCKED };
    let found = link.rows(sql, &[&&*claimer.dead, &after, &CLAIMED_AT_ONCE]).await?;
    let mut stored = Vec::with_capacity(found.len());
    for row in &found {
        let noted = row.try_get::<_, Option<i32>>(3)?.zip(row.try_get(4)?);
        let (game, segment) = (game_of(row.try_get(0)?)?, row.try_get(1)?);
        stored.push(StoredGame { game, segment, owner: row.try_get(2)?, noted, rows: Vec::new() });
    }
    let places: HashMap<GameId, usize> =
        stored.iter().enumerate().map(|(at, game)| (game.game, at)).collect();
    let segments: Vec<i32> = stored.iter().map(|stored| stored.segment).collect();
    let games: Vec<&str> = stored.iter().map(|stored| stored.game.as_str()).collect();
    let sql = "SELECT game, n, row FROM journal JOIN unnest($1::int[], $2::text[]) AS wanted(segment, game) \
               USING (segment, game) ORDER BY game, n";
    for row in link.rows(sql, &[&segments, &games]).await? {
        if let Some(place) = places.get(&game_of(row.try_get(0)?)?) {
            stored[*place].rows.push((row.try_get(1)?, row.try_get(2)?));
        }
    }
    Ok(stored)
}

/// Gives up those of these games that this node owns: whoever comes first claims them.
pub(super) async fn release(link: &Link, node: i32, games: &[String]) -> Result<(), Failure> {
    let sql =
        "UPDATE live SET owner = NULL WHERE game = ANY($1) AND owner = $2 AND NOT resting AND aside IS NULL";
    link.run(sql, &[&games, &node]).await?;
    Ok(())
}

/// Where a live game is; `None` when there is none that can be played on.
pub(super) async fn owner(link: &Link, own: i32, game: GameId) -> Result<Option<Owner>, Failure> {
    let sql = "SELECT owner, resting, EXISTS (SELECT FROM nodes WHERE node = owner AND NOT dead) \
               FROM live WHERE game = $1 AND aside IS NULL";
    let row = link.row(sql, &[&game.as_str()]).await?;
    Ok(row.map(|row| match (row.get::<_, Option<i32>>(0), row.get(1), row.get(2)) {
        (_, true, _) => Owner::Rests,
        (Some(owner), _, _) if owner == own => Owner::Own,
        (Some(owner), _, true) => Owner::Other(NodeNumber(owner.unsigned_abs())),
        _ => Owner::Nobody,
    }))
}

/// The live games of an account.
pub(super) async fn live_of(link: &Link, account: AccountId) -> Result<Vec<GameId>, Failure> {
    let sql = "SELECT game FROM live WHERE (white = $1 OR black = $1) AND aside IS NULL ORDER BY game";
    let rows = link.rows(sql, &[&Uuid::from_u128(account.as_u128())]).await?;
    rows.iter().map(|row| game_of(row.try_get(0)?)).collect()
}

impl Claimer {
    /// A game as it is once this claim is in: its turn stands until it is recovered.
    fn claimed(&self, stored: &StoredGame, records: Vec<Arc<Record>>, live: Live) -> Claimed {
        let mark = TurnMark::Stands { spent: self.beats.spent(stored.owner, live.mark) };
        Claimed { game: stored.game, records, live: Live { n: live.n.saturating_add(1), mark, ..live } }
    }

    /// Writes the claims of these games, which are in the order of their keys. The answer is which went in.
    async fn put(&self, link: &Link, games: &[Claimed]) -> Result<HashSet<GameId>, Failure> {
        if games.is_empty() {
            return Ok(HashSet::new());
        }
        let rows = games.iter().map(|claimed| {
            let Claimed { game, live: Live { mark, .. }, .. } = *claimed;
            let mut row = Vec::new();
            encoding::encode(
                &Row::Claim { at: self.at, game, node: self.node.unsigned_abs(), mark },
                &mut row,
            );
            row
        });
        let rows: Vec<Vec<u8>> = rows.collect();
        let segments: Vec<i32> = games.iter().map(|claimed| claimed.live.segment).collect();
        let names: Vec<&str> = games.iter().map(|claimed| claimed.game.as_str()).collect();
        let numbers: Vec<i32> = games.iter().map(|claimed| claimed.live.n).collect();
        let claimed = link.rows(PUT, &[&segments, &names, &numbers, &rows, &self.node]).await?;
        claimed.iter().map(|row| game_of(row.try_get(0)?)).collect()
    }
}
