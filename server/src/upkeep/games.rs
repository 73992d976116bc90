//! The check of games: those in the archive, and the rows of live ones.

use std::collections::{HashMap, HashSet};

use rusqlite::Row as SqlRow;
use zeitnot_protocol::GameId;
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::GameSetup;

use super::check::Checked;
use super::corrections::{self, LastCorrections};
use super::resting;
use super::rows::{Table, each};
use super::search_index::SearchIndex;
use crate::storage::encoding::{self, Row, WholeGame, result_tags};
use crate::storage::heartbeat::Heartbeats;
use crate::storage::sqlite::{Scan, Segment, Segments, game_of};
use crate::storage::{EndedGame, GameFacts, Rebuild};

/// Checks all games. What is in order is saved; so are the rows of live games that are not, as rows that are set aside.
pub(super) fn check(at: &mut Checked<'_>, rebuild: &mut dyn Rebuild) {
    let corrections = corrections::check(at);
    let archived = archive(at, rebuild, &corrections);
    let at_rest = resting::check(at, rebuild);
    live(at, rebuild, &archived, &at_rest);
    kept(at);
    starts(at);
}

/// A game as a report names it.
pub(super) fn shown(game: &[u8]) -> String {
    game_of(game).map_or_else(|| "a game whose id is damaged".to_owned(), |id| format!("the game {id}"))
}

/// Why the records of a row are not those of the game in its column, or make no game.
pub(super) fn fault_of(whole: &WholeGame, column: &[u8], rebuild: &mut dyn Rebuild) -> Option<String> {
    if whole.game.as_bytes()[..] != *column {
        return Some("has the records of another one".to_owned());
    }
    let replayed = rebuild.all(whole.game, &whole.records);
    rebuild.forget(whole.game);
    replayed.err().map(|why| format!("cannot be replayed: {why}"))
}

/// Whether the columns name the players of a game, White first.
pub(super) fn are_players(setup: &GameSetup, columns: &[Vec<u8>; 2]) -> bool {
    let ByColor { white, black } = setup.players.map(u128::to_be_bytes);
    *columns == [white, black]
}

/// A row of the archive.
struct Ended {
    id: i64,
    game: Vec<u8>,
    unix_ms: i64,
    players: [Vec<u8>; 2],
    result: [i64; 2],
    records: Vec<u8>,
    sum: Option<i64>,
    is_sound: bool,
}

impl Ended {
    fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            game: row.get(1)?,
            unix_ms: row.get(2)?,
            players: [row.get(3)?, row.get(4)?],
            result: [row.get(5)?, row.get(6)?],
            records: row.get(7)?,
            sum: row.get(8)?,
            is_sound: row.get(9)?,
        })
    }

    /// What it is found by, or what is wrong with it.
    fn facts(&self, rebuild: &mut dyn Rebuild, corrections: &LastCorrections) -> Result<GameFacts, String> {
        if !self.is_sound {
            return Err("is not as it was written".to_owned());
        }
        let whole = match encoding::decode(&self.records) {
            Ok(Row::Archived(whole)) => whole,
            Ok(_) => return Err("is no finished game".to_owned()),
            Err(error) => return Err(format!("cannot be decoded: {error}")),
        };
        if let Some(why) = fault_of(&whole, &self.game, rebuild) {
            return Err(why);
        }
        let WholeGame { game, records } = whole;
        let Some(ended) = EndedGame::of(&records, corrections.get(&game).copied()) else {
            return Err("has no beginning or no end".to_owned());
        };
        let (score, reason) = result_tags(ended.played);
        let is_same =
            are_players(ended.setup, &self.players) && [i64::from(score), i64::from(reason)] == self.result;
        if !is_same {
            return Err("is listed with other players or another result".to_owned());
        }
        Ok(GameFacts::of_ended(&ended))
    }
}

/// The ids of the games in the archive, damaged or not.
fn archive(
    at: &mut Checked<'_>,
    rebuild: &mut dyn Rebuild,
    corrections: &LastCorrections,
) -> HashSet<Vec<u8>> {
    let columns = if at.has_sums() {
        "id, game, ended_unix_ms, white, black, score, reason, records, sum, \
         sum IS NULL OR sum = row_sum(game, ended_unix_ms, white, black, score, reason)"
    } else {
        "id, game, ended_unix_ms, white, black, score, reason, records, NULL, 1"
    };
    let (source, mut found, mut sound) = (at.source, HashSet::new(), 0_u64);
    let mut index = SearchIndex::begin(at);
    let error = each(source, Table { name: "archive", columns, key: "id" }, &mut |row| {
        let Ok(ended) = Ended::read(row) else {
            return at.report.damaged("finished games", "a row of the archive cannot be read".to_owned());
        };
        match ended.facts(rebuild, corrections) {
            Err(why) => at.report.damaged("finished games", format!("{} {why}", shown(&ended.game))),
            Ok(facts) => {
                sound += 1;
                index.expect(ended.id, &facts);
                let sql = "INSERT INTO archive (id, game, ended_unix_ms, white, black, score, reason, records, sum) \
                           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
                let Ended { id, game, unix_ms, players, result, records, sum, .. } = &ended;
                at.save(
                    sql,
                    &[id, game, unix_ms, &players[0], &players[1], &result[0], &result[1], records, sum],
                );
            }
        }
        found.insert(ended.game);
    });
    at.unreadable("the archive", error);
    at.report.in_order(format!("finished games: {sound}"));
    lost(at, &mut found);
    if found.len() as u64 == sound {
        index.compare(at);
    }
    found
}

/// Names games that are in the index of the archive and whose rows were not found.
fn lost(at: &mut Checked<'_>, found: &mut HashSet<Vec<u8>>) {
    let Ok(mut statement) =
        at.source.prepare("SELECT game FROM archive INDEXED BY sqlite_autoindex_archive_1")
    else {
        return;
    };
    let Ok(rows) = statement.query_map([], |row| row.get::<_, Vec<u8>>(0)) else { return };
    for game in rows.map_while(Result::ok) {
        if !found.contains(&game) {
            at.report.damaged("finished games", format!("the row of {} cannot be found", shown(&game)));
            found.insert(game);
        }
    }
}

/// A row of a segment.
type JournalRow = (u64, Vec<u8>, i64, Vec<u8>);

fn journal_row(row: &SqlRow<'_>) -> rusqlite::Result<JournalRow> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
}

/// What was read of the segments.
#[derive(Default)]
struct Journal {
    rows: Vec<(Segment, JournalRow)>,
    /// The first row after each part that could not be read.
    gaps: Vec<u64>,
}

fn live(
    at: &mut Checked<'_>,
    rebuild: &mut dyn Rebuild,
    archived: &HashSet<Vec<u8>>,
    at_rest: &HashSet<GameId>,
) {
    let segments = match Segments::load(at.source) {
        Ok(segments) => segments,
        Err(error) => return at.unreadable("the list of segments", Some(error)),
    };
    let mut journal = Journal::default();
    for segment in &segments.0 {
        read_segment(at, *segment, &mut journal);
    }
    let mut scan = Scan::new(Heartbeats::default(), at_rest.clone(), rebuild);
    for (segment, (id, game, _, record)) in &journal.rows {
        scan.row(*id, *segment, game, record);
    }
    let mut aside: HashSet<Vec<u8>> = HashSet::new();
    let mut sound = 0;
    match scan.finish(at.source) {
        Ok(scanned) => {
            sound = scanned.live_count();
            for (game, why) in scanned.set_aside {
                at.report.damaged("live games", format!("the game {game}: {why}"));
                aside.insert(game.as_bytes().to_vec());
            }
        }
        Err(error) => at.unreadable("the archive", Some(error)),
    }
    let elsewhere =
        |game: &[u8]| archived.contains(game) || game_of(game).is_some_and(|game| at_rest.contains(&game));
    for game in perhaps_cut(&journal, elsewhere) {
        if aside.insert(game.clone()) {
            sound = sound.saturating_sub(1);
            at.report.damaged("live games", format!("{}: its last rows may be lost", shown(&game)));
        }
    }
    at.report.in_order(format!("live games: {sound}"));
    save(at, &segments, &journal, &aside);
}

fn read_segment(at: &mut Checked<'_>, segment: Segment, journal: &mut Journal) {
    let name = format!("journal_{}", segment.number);
    let (mut rows, mut bad) = (Vec::new(), None);
    let table = Table { name: &name, columns: "id, game, seq, record", key: "id" };
    let error = each(at.source, table, &mut |row| match journal_row(row) {
        Ok(read) => rows.push((segment, read)),
        Err(error) => bad = Some(error),
    });
    rows.sort_by_key(|(_, (id, ..))| *id);
    if error.is_some() || bad.is_some() {
        // Ids are without gaps, so where one is missing a row was not found; or rows are missing at the end.
        let before = journal.rows.last().map_or(segment.first_id, |(_, (id, ..))| id + 1);
        let mut expected = before;
        for (_, (id, ..)) in &rows {
            if *id != expected {
                journal.gaps.push(*id);
            }
            expected = id.saturating_add(1);
        }
        journal.gaps.push(expected);
    }
    journal.rows.append(&mut rows);
    at.unreadable("the rows of live games", error.or(bad));
}

/// The games whose last row comes before a part that could not be read: later rows may have been there.
fn perhaps_cut(journal: &Journal, is_elsewhere: impl Fn(&[u8]) -> bool) -> Vec<Vec<u8>> {
    let Some(last_gap) = journal.gaps.iter().max() else { return Vec::new() };
    let mut last: HashMap<&[u8], u64> = HashMap::new();
    for (_, (id, game, ..)) in &journal.rows {
        last.insert(game, *id);
    }
    let cut = last.into_iter().filter(|(game, id)| !game.is_empty() && !is_elsewhere(game) && id < last_gap);
    cut.map(|(game, _)| game.to_vec()).collect()
}

fn save(at: &mut Checked<'_>, segments: &Segments, journal: &Journal, aside: &HashSet<Vec<u8>>) {
    let Some(saving) = at.saving else { return };
    for segment in &segments.0 {
        if let Err(error) = saving.segment(*segment) {
            at.report.damaged("not saved", error.to_string());
        }
    }
    for (segment, (id, game, seq, record)) in &journal.rows {
        let table =
            if aside.contains(game) { "set_aside".to_owned() } else { format!("journal_{}", segment.number) };
        at.save(&format!("INSERT INTO {table} VALUES (?1, ?2, ?3, ?4)"), &[id, game, seq, record]);
    }
}

/// The rows that were set aside at earlier starts.
fn kept(at: &mut Checked<'_>) {
    let (source, mut games) = (at.source, HashSet::new());
    let table = Table { name: "set_aside", columns: "id, game, seq, record", key: "id" };
    let error = each(source, table, &mut |row| {
        if let Ok((id, game, seq, record)) = journal_row(row) {
            at.save("INSERT OR IGNORE INTO set_aside VALUES (?1, ?2, ?3, ?4)", &[&id, &game, &seq, &record]);
            games.insert(game);
        }
    });
    at.unreadable("the rows that were set aside", error);
    if !games.is_empty() {
        at.report.in_order(format!("games that were set aside at an earlier start: {}", games.len()));
    }
}

fn starts(at: &mut Checked<'_>) {
    let source = at.source;
    // Before version 4 nothing depended on the third one.
    let columns = if at.has_rest() { "at, unix_ms, idle" } else { "at, unix_ms, 1000000" };
    let error = each(source, Table { name: "starts", columns, key: "at" }, &mut |row| match (
        row.get::<_, u64>(0),
        row.get::<_, u64>(1),
        row.get::<_, u64>(2),
    ) {
        (Ok(instant), Ok(unix_ms), Ok(idle)) => {
            at.save("INSERT INTO starts VALUES (?1, ?2, ?3)", &[&instant, &unix_ms, &idle]);
        }
        _ => at.report.damaged("starts", "a row of the starts is not as it was written".to_owned()),
    });
    at.unreadable("the starts", error);
}
