//! One statement that appends many records, with all that follows from them.
//!
//! The key (segment, game, n) is what keeps two writers of a game apart: a record whose place is taken does not go in, and
//! nothing that follows from it happens. Rows are in the order of their keys, so that two such statements never wait for each
//! other in a ring. A game begins with its owner, unless that is dead, or has lost the lobby in which the game was agreed.
//!
//! Deliberately absent: which records go into a statement (`journal`).

use std::collections::HashSet;
use std::sync::LazyLock;

use tokio::sync::oneshot;
use uuid::Uuid;
use zeitnot_protocol::GameId;
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Seq;

use super::connection::{Failure, Link};
use super::endings::Endings;
use super::game_rows::game_of;
use super::ratings::PUT_STANDINGS;
use super::search::{PUT_PLAYERS, PUT_POSITIONS};
use crate::seeded_bugs::bug;
use crate::storage::append::EffectWatch;
use crate::storage::{AppendAnswer, TurnMark};

/// A record that is to be appended.
pub(super) struct Put {
    pub(super) game: GameId,
    pub(super) segment: i32,
    /// Its number.
    pub(super) n: i32,
    pub(super) row: Vec<u8>,
    /// The players of a game that begins with it.
    pub(super) begins: Option<ByColor<Uuid>>,
    pub(super) ends: bool,
    pub(super) last_seq: Seq,
    pub(super) mark: TurnMark,
    pub(super) answer: oneshot::Sender<AppendAnswer>,
    pub(super) effect: EffectWatch,
}

/// Records alone: nearly all statements.
const PLAIN: &str = "INSERT INTO journal (segment, game, n, row) \
     SELECT * FROM unnest($1::int[], $2::text[], $3::int[], $4::bytea[]) ON CONFLICT DO NOTHING RETURNING game";

/// Records of which some begin or end games.
static WHOLE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH u AS (SELECT * FROM unnest($1::int[], $2::text[], $3::int[], $4::bytea[]) AS u(segment, game, n, row)), \
         lobby AS (SELECT 1 FROM leases WHERE name = 'lobby' AND owner = $14 AND epoch = $15 FOR SHARE), \
         made AS (INSERT INTO live (game, segment, white, black, owner) \
          SELECT m.*, $14::int FROM unnest($5::text[], $6::int[], $7::uuid[], $8::uuid[]) AS m(game, segment, white, black) \
          WHERE NOT EXISTS (SELECT FROM archive WHERE archive.game = m.game) \
          AND EXISTS (SELECT FROM nodes WHERE node = $14 AND NOT dead) \
          AND ($15::bigint IS NULL OR EXISTS (SELECT FROM lobby)) \
          ORDER BY m.game ON CONFLICT DO NOTHING RETURNING game), \
         accepted AS (DELETE FROM challenges USING made WHERE challenges.challenge = made.game), \
         put AS (INSERT INTO journal (segment, game, n, row) \
          SELECT segment, game, n, row FROM u WHERE n > 1 OR game IN (SELECT game FROM made) \
          ORDER BY segment, game, n ON CONFLICT DO NOTHING RETURNING game), \
         over AS (SELECT e.*, r.records FROM jsonb_to_recordset($9::jsonb) \
           AS e(place int, game text, ended_unix_ms bigint, white uuid, black uuid, score smallint, reason smallint, \
             facet smallint) \
          JOIN unnest($10::bytea[]) WITH ORDINALITY AS r(records, place) ON r.place = e.place JOIN put USING (game)), \
         gone AS (DELETE FROM live USING over WHERE live.game = over.game), \
         done AS (INSERT INTO archive (game, ended_unix_ms, white, black, score, reason, facet, records) \
          SELECT game, ended_unix_ms, white, black, score, reason, facet, records FROM over ORDER BY place \
          RETURNING id, game), \
         by_player AS ({players}), by_position AS ({positions}), \
         changes AS (SELECT r.* FROM jsonb_populate_recordset(NULL::rating_events, $13::jsonb) r JOIN put USING (game)), \
         events AS (INSERT INTO rating_events (account, category, number, cause, game, change, color, opponent, \
           opponent_points, opponent_deviation, opponent_volatility, score, before_points, before_deviation, \
           before_volatility, after_points, after_deviation, after_volatility, games, at_unix_ms) \
          SELECT account, category, number, cause, game, change, color, opponent, \
           opponent_points, opponent_deviation, opponent_volatility, score, before_points, before_deviation, \
           before_volatility, after_points, after_deviation, after_volatility, games, at_unix_ms FROM changes), \
         standing AS ({PUT_STANDINGS}) \
         SELECT game FROM put",
        players = PUT_PLAYERS.replace("$ROWS", "$11"),
        positions = PUT_POSITIONS.replace("$ROWS", "$12"),
    )
});

/// Appends these records, which are in the order of their keys, for a node that owns the games or begins them, in the lobby of
/// this epoch if it has one. The answer is the games whose records went in.
pub(super) async fn put(
    link: &Link,
    node: i32,
    lobby: Option<i64>,
    puts: &[Put],
    endings: &Endings,
) -> Result<HashSet<GameId>, Failure> {
    let segments: Vec<i32> = puts.iter().map(|put| put.segment).collect();
    let games: Vec<&str> = puts.iter().map(|put| put.game.as_str()).collect();
    let numbers: Vec<i32> = puts.iter().map(|put| put.n).collect();
    let rows: Vec<&[u8]> = puts.iter().map(|put| put.row.as_slice()).collect();
    let heard = link.warnings();
    let begun = || puts.iter().filter_map(|put| Some((put, put.begins?)));
    let found = if endings.is_empty() && begun().next().is_none() {
        link.rows(PLAIN, &[&segments, &games, &numbers, &rows]).await?
    } else {
        let new: Vec<&str> = begun().map(|(put, _)| put.game.as_str()).collect();
        let new_segments: Vec<i32> = begun().map(|(put, _)| put.segment).collect();
        let white: Vec<Uuid> = begun().map(|(_, players)| players.white).collect();
        let black: Vec<Uuid> = begun().map(|(_, players)| players.black).collect();
        let [archived, players, positions, events] = endings.as_json()?;
        link.rows(
            &WHOLE,
            &[
                &segments,
                &games,
                &numbers,
                &rows,
                &new,
                &new_segments,
                &white,
                &black,
                &archived,
                &endings.records,
                &players,
                &positions,
                &events,
                &node,
                &lobby,
            ],
        )
        .await?
    };
    bug!(WarningTakenForOk => let heard = link.warnings());
    if link.warnings() != heard {
        // It is written there, and it is unknown whether the standby has it.
        return Err(Failure::Lost);
    }
    found.iter().map(|row| game_of(row.try_get(0)?)).collect()
}

/// The games of which the journal has exactly these rows: an earlier attempt has written them.
pub(super) async fn there(link: &Link, puts: &[&Put]) -> Result<HashSet<GameId>, Failure> {
    let sql = "SELECT game, row FROM journal JOIN unnest($1::int[], $2::text[], $3::int[]) AS w(segment, game, n) \
               USING (segment, game, n)";
    let segments: Vec<i32> = puts.iter().map(|put| put.segment).collect();
    let games: Vec<&str> = puts.iter().map(|put| put.game.as_str()).collect();
    let numbers: Vec<i32> = puts.iter().map(|put| put.n).collect();
    let mut ours = HashSet::new();
    for row in link.rows(sql, &[&segments, &games, &numbers]).await? {
        let (game, bytes): (GameId, Vec<u8>) = (game_of(row.try_get(0)?)?, row.try_get(1)?);
        let is_ours = puts.iter().any(|put| put.game == game && put.row == bytes);
        bug!(RetryWithoutComparing => let is_ours = true);
        if is_ours {
            ours.insert(game);
        }
    }
    Ok(ours)
}
