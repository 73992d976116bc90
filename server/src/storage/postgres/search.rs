//! The rows that the archive is searched by, and searching by them, whatever is looked for.
//!
//! A search is one statement, made of the conditions that it has. PostgreSQL decides which index it begins with.
//!
//! A game gets the rows by which it is found in the statement that ends it; a correction changes what kind of game they say it
//! was.
//!
//! Invariant: a statement that takes too long is given up (`readers`), and a count ends at [`COUNTED_MAX`].

use serde::Serialize;
use tokio_postgres::types::ToSql;
use zeitnot_protocol::GameId;

use super::archive::correction_of;
use super::connection::{Failure, Link};
use super::game_rows::{archived, game_of};
use super::ratings;
use crate::storage::damage_log::DamageLog;
use crate::storage::facts::{BOTH_SEATS, Facet, seat_bit, seats_of};
use crate::storage::search::COUNTED_MAX;
use crate::storage::{Counts, FinishedGame, FoundPage, GameFacts, Search, Who};

/// The conditions of a search, with their values.
struct Conditions {
    from: String,
    all: Vec<String>,
    values: Vec<Box<dyn ToSql + Sync + Send>>,
}

impl Conditions {
    fn of(search: &Search) -> Self {
        let mut conditions = Self { from: "archive a".to_owned(), all: Vec::new(), values: Vec::new() };
        if let Some(player) = &search.player {
            conditions.from.push_str(" JOIN games_by_player p ON p.id = a.id");
            conditions.add("p.who = ", player_key(player));
            let seats = search.seat.map_or(BOTH_SEATS, seat_bit);
            conditions.add("0 <> p.seats & ", i16::try_from(seats).unwrap_or(i16::MAX));
            if let Some(opponent) = &search.opponent {
                conditions.add("p.opponent = ", player_key(opponent));
            }
        }
        // A game may have had several of them, and is found once.
        if !search.positions.is_empty() {
            let keys: Vec<i64> = search.positions.iter().map(|key| key.0).collect();
            conditions.values.push(Box::new(keys));
            let place = conditions.values.len();
            conditions.all.push(format!(
                "EXISTS (SELECT FROM games_by_position q WHERE q.id = a.id AND q.position = ANY(${place}))"
            ));
        }
        let mask = search.kind.mask();
        if !mask.takes_all() {
            let [bits, values] = [mask.bits, mask.values].map(|bits| i16::try_from(bits).unwrap_or(i16::MAX));
            conditions.values.push(Box::new(bits));
            let place = conditions.values.len();
            conditions.add(&format!("a.facet & ${place} = "), values);
        }
        if let Some(since) = search.since_unix_ms {
            conditions.add("a.ended_unix_ms >= ", column(since));
        }
        if let Some(until) = search.until_unix_ms {
            conditions.add("a.ended_unix_ms < ", column(until));
        }
        conditions
    }

    /// One more condition, which ends with a value.
    fn add(&mut self, condition: &str, value: impl ToSql + Sync + Send + 'static) {
        self.values.push(Box::new(value));
        self.all.push(format!("{condition}${}", self.values.len()));
    }

    fn sql(&self, columns: &str, after: &str) -> String {
        let conditions = if self.all.is_empty() { "true".to_owned() } else { self.all.join(" AND ") };
        format!("SELECT {columns} FROM {} WHERE {conditions} {after}", self.from)
    }

    fn params(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect()
    }
}

fn column(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A page of at most `most` games below the place `before`. A row that cannot be read is left out, and noted.
pub(super) async fn page(
    link: &Link,
    damage: &DamageLog,
    search: &Search,
    before: Option<u64>,
    most: usize,
) -> Result<FoundPage, Failure> {
    let mut conditions = Conditions::of(search);
    conditions.add("a.id < ", before.map_or(i64::MAX, column));
    let columns = "a.id, a.game, a.ended_unix_ms, a.records, \
                   (SELECT id FROM corrections c WHERE c.game = a.game ORDER BY id DESC LIMIT 1)";
    let found = conditions.sql(columns, &format!("ORDER BY a.id DESC LIMIT {}", most + 1));
    let sql = format!(
        "SELECT f.id, f.game, f.ended_unix_ms, f.records, c.score, c.at_unix_ms \
         FROM ({found}) AS f(id, game, ended_unix_ms, records, corrected) \
         LEFT JOIN corrections c ON c.id = f.corrected ORDER BY f.id DESC"
    );
    let rows = link.query(&sql, &conditions.params()).await?;
    let mut page = FoundPage::default();
    for row in rows.iter().take(most) {
        let place = row.try_get::<_, i64>(0)?.unsigned_abs();
        if rows.len() > most {
            page.next = Some(place);
        }
        match finished(place, row, search) {
            Ok(game) => page.games.push(game),
            Err(Failure::Damaged(why)) => damage.note(&format!("of row {place} of the archive, {why}")),
            Err(failure) => return Err(failure),
        }
    }
    if most == 0 && !rows.is_empty() {
        page.next = before.or(Some(u64::MAX >> 1));
    }
    add_ratings(link, damage, &mut page.games).await?;
    Ok(page)
}

/// Adds what games have done to ratings, in one statement for all. A game whose rows of that are damaged is shown without it.
async fn add_ratings(link: &Link, damage: &DamageLog, games: &mut [FinishedGame]) -> Result<(), Failure> {
    let rated = games.iter().filter(|game| game.is_rated());
    let rated: Vec<String> = rated.map(|found| found.game.to_string()).collect();
    if rated.is_empty() {
        return Ok(());
    }
    let mut changes = ratings::changes_of(link, damage, &rated).await?;
    for found in games {
        found.ratings = changes.remove(&found.game);
    }
    Ok(())
}

fn finished(place: u64, row: &tokio_postgres::Row, search: &Search) -> Result<FinishedGame, Failure> {
    let game = game_of(row.try_get(1)?)?;
    let records = archived(game, row.try_get(3)?).map_err(Failure::Damaged)?;
    let correction = match row.try_get::<_, Option<i16>>(4)? {
        Some(_) => Some(correction_of(row, 4)?),
        None => None,
    };
    if !GameFacts::of(&records, correction).is_some_and(|facts| search.takes_game(&facts)) {
        return Err(Failure::Damaged("it is indexed as another game".to_owned()));
    }
    let ended_unix_ms = row.try_get::<_, i64>(2)?.unsigned_abs();
    Ok(FinishedGame { place, game, ended_unix_ms, records, correction, ratings: None })
}

/// How many games fit.
pub(super) async fn count(link: &Link, search: &Search) -> Result<Counts, Failure> {
    let conditions = Conditions::of(search);
    let found = conditions.sql("a.facet", &format!("LIMIT {}", COUNTED_MAX + 1));
    let sql = format!("SELECT facet, count(*) FROM ({found}) AS f(facet) GROUP BY facet");
    let mut counts = Counts::default();
    for row in link.query(&sql, &conditions.params()).await? {
        let facet = Facet(row.try_get::<_, i16>(0)?.unsigned_abs());
        counts.add(facet, row.try_get::<_, i64>(1)?.unsigned_abs());
    }
    counts.are_more = counts.total() > COUNTED_MAX;
    Ok(counts)
}

/// The first names of players without accounts that begin so: a step of the index for each, however many games it has.
pub(super) async fn names_by_prefix(
    link: &Link,
    prefix: String,
    most: usize,
) -> Result<Vec<String>, Failure> {
    let first = player_key(&Who::Name(prefix));
    // No byte of a name is so high.
    let end = [&first[..], &[u8::MAX]].concat();
    let sql = "WITH RECURSIVE found(who) AS ( \
           (SELECT who FROM games_by_player WHERE who >= $1 AND who < $2 ORDER BY who LIMIT 1) \
           UNION ALL SELECT (SELECT p.who FROM games_by_player p WHERE p.who > found.who AND p.who < $2 \
             ORDER BY p.who LIMIT 1) FROM found WHERE found.who IS NOT NULL) \
         SELECT who FROM found WHERE who IS NOT NULL LIMIT $3";
    let rows = link.query(sql, &[&first, &end, &(most as i64)]).await?;
    let name = |row: &tokio_postgres::Row| {
        Ok(String::from_utf8_lossy(&row.try_get::<_, Vec<u8>>(0)?[1..]).into_owned())
    };
    rows.iter().map(name).collect()
}

/// A row of `games_by_player`, as JSON; the game stands for its place in the archive.
#[derive(Debug, Serialize)]
pub(super) struct PlayerRow {
    game: String,
    who: String,
    seats: i64,
    facet: u16,
    opponent: Option<String>,
}

/// A row of `games_by_position`, as JSON.
#[derive(Debug, Serialize)]
pub(super) struct PositionRow {
    game: String,
    position: i64,
    facet: u16,
}

/// Writes rows of games that are `done`; `$ROWS` stands for the rows.
pub(super) const PUT_PLAYERS: &str = "INSERT INTO games_by_player (who, id, seats, facet, opponent) \
     SELECT p.who, done.id, p.seats, p.facet, p.opponent FROM jsonb_to_recordset($ROWS::jsonb) \
     AS p(game text, who bytea, seats smallint, facet smallint, opponent bytea) JOIN done USING (game)";

/// The same of positions.
pub(super) const PUT_POSITIONS: &str = "INSERT INTO games_by_position (position, id, facet) \
     SELECT p.position, done.id, p.facet FROM jsonb_to_recordset($ROWS::jsonb) \
     AS p(game text, position bigint, facet smallint) JOIN done USING (game)";

pub(super) fn player_rows(game: GameId, facts: &GameFacts) -> impl Iterator<Item = PlayerRow> {
    let (white, black) = (facts.players.white.as_ref(), facts.players.black.as_ref());
    let facet = facts.facet.0;
    seats_of(white, black).map(move |(seats, who, opponent)| PlayerRow {
        game: game.to_string(),
        who: hexadecimal(&player_key(who)),
        seats,
        facet,
        opponent: opponent.map(|opponent| hexadecimal(&player_key(opponent))),
    })
}

pub(super) fn position_rows(game: GameId, facts: &GameFacts) -> impl Iterator<Item = PositionRow> {
    let facet = facts.facet.0;
    facts.positions.iter().map(move |key| PositionRow { game: game.to_string(), position: key.0, facet })
}

/// A player as the tables have one: an account or a name, each with a letter before it.
pub(super) fn player_key(who: &Who) -> Vec<u8> {
    match who {
        Who::Account(account) => [&b"a"[..], &account.as_u128().to_be_bytes()].concat(),
        Who::Name(name) => [b"n", name.as_bytes()].concat(),
    }
}

/// Bytes as PostgreSQL reads them in JSON.
fn hexadecimal(bytes: &[u8]) -> String {
    format!("\\x{}", data_encoding::HEXLOWER.encode(bytes))
}

/// A game of the archive is of the kind that these facts say from now on.
pub(super) async fn change(link: &Link, game: GameId, facts: &GameFacts) -> Result<(), Failure> {
    let sql = "WITH done AS (UPDATE archive SET facet = $2 WHERE game = $1 RETURNING id), \
               by_player AS (UPDATE games_by_player p SET facet = $2 FROM done \
                WHERE p.id = done.id AND p.who = ANY($3)) \
               UPDATE games_by_position p SET facet = $2 FROM done WHERE p.id = done.id AND p.position = ANY($4)";
    let Facet(facet) = facts.facet;
    let facet =
        i16::try_from(facet).map_err(|_| Failure::Rejected("a kind of game has twelve bits".to_owned()))?;
    let players = [&facts.players.white, &facts.players.black];
    let players: Vec<Vec<u8>> = players.into_iter().flatten().map(player_key).collect();
    let positions: Vec<i64> = facts.positions.iter().map(|key| key.0).collect();
    link.run(sql, &[&game.as_str(), &facet, &players, &positions]).await?;
    Ok(())
}
