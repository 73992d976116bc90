//! Files of games into folders, and out again.

use std::io::Read;

use zeitnot_rules::game::{Category, GameSetup};

use super::*;
use crate::games::{ExportFormat, RecoveredGames};
use crate::ratings::Glicko;
use crate::storage::{EndedGame, FinishedGame};
use crate::upkeep::{check, export, verify_ratings};

/// Games as other programs write them, in the order in which they were played: without clocks, with clocks of which some are
/// missing, without a time control, with one that nobody can read, of Chess960, from a position, and with days for each move.
const ELSEWHERE: &str = include_str!("../../../tests/data/elsewhere.pgn");

/// The games of [`ELSEWHERE`].
const GAMES: u64 = 5;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn imported(data: &Path, text: &str) -> Imported {
    imported_from(data, text.as_bytes()).unwrap()
}

fn imported_from(data: &Path, from: impl Read) -> Result<Imported, ImportError> {
    // Several commits, and a part of one at the end.
    let mut writer = ArchiveWriter::open(data, 2)?;
    let imported = add_all(BufReader::new(from), &mut writer, Path::new("games.pgn"))?;
    writer.finish()?;
    Ok(imported)
}

fn count(added: u64, known: u64) -> Imported {
    Imported { added, known, ..Imported::default() }
}

fn games(data: &Path) -> Vec<FinishedGame> {
    let mut games = Vec::new();
    let exported = export(data, None, &mut |game| {
        games.push(game.clone());
        Ok(())
    });
    assert_eq!(exported.unwrap().damaged, 0);
    games
}

fn pgn_of(data: &Path) -> String {
    let mut text = String::new();
    games(data).iter().for_each(|game| ExportFormat::Pgn.write(game, None, &mut text));
    text
}

fn setup_of(game: &FinishedGame) -> GameSetup {
    EndedGame::of(&game.records, None).unwrap().setup.clone()
}

#[test]
fn what_was_imported_comes_out_with_its_tags_and_clocks_and_goes_in_as_the_same_games() {
    let (first, second) = (folder(), folder());
    assert_eq!(imported(first.path(), ELSEWHERE), count(GAMES, 0));
    let written = pgn_of(first.path());
    for (was, is) in pgn::games(ELSEWHERE).zip(pgn::games(&written)) {
        let (was, is) = (was.unwrap(), is.unwrap());
        for (name, value) in was.tags.iter().filter(|(_, value)| value != "?") {
            assert_eq!(is.tag(name), Some(&**value), "{name} in\n{written}");
        }
        assert_eq!((was.moves, was.start, was.result), (is.moves, is.start, is.result));
        let tenths = |clocks: Vec<Option<zeitnot_rules::game::Micros>>| {
            clocks.into_iter().map(|clock| clock.map(|clock| clock.0 / 100_000)).collect::<Vec<_>>()
        };
        assert_eq!(tenths(was.clocks), tenths(is.clocks), "{written}");
    }
    assert_eq!(imported(second.path(), &written), count(GAMES, 0));
    assert_eq!(pgn_of(second.path()), written, "with the same ids, too");
    let mut lines = String::new();
    games(second.path()).iter().for_each(|game| ExportFormat::Ndjson.write(game, None, &mut lines));
    assert_eq!(lines.lines().filter(|line| line.contains("\"origin\":{\"event\":")).count() as u64, GAMES);
}

#[test]
fn a_game_says_what_is_known_of_it() {
    let data = folder();
    imported(data.path(), ELSEWHERE);
    let games = games(data.path());
    let setups: Vec<_> = games.iter().map(setup_of).collect();
    let categories = [
        Category::Correspondence,
        Category::Chess960,
        Category::Classical,
        Category::Correspondence,
        Category::Blitz,
    ];
    assert!(setups.iter().map(GameSetup::category).eq(categories));
    let began = [0, 79_660_800_000, 0, 1_339_977_600_000, 1_795_266_855_000];
    assert!(setups.iter().map(|setup| setup.began_unix_ms).eq(began));
    assert!(setups.iter().all(|setup| setup.imported.is_some() && !setup.rated));
    assert!(setups[4].bots.black && !setups[4].bots.white);
    assert_eq!(setups[4].ratings.black.map(|shown| shown.rating), Some(1_623));
    let whole = |game: &FinishedGame| {
        let mut text = String::new();
        ExportFormat::Ndjson.write(game, None, &mut text);
        text
    };
    assert!(whole(&games[4]).contains("\"reason\":\"flag_fall\""), "{}", whole(&games[4]));
    assert!(whole(&games[0]).contains("\"reason\":\"checkmate\""), "{}", whole(&games[0]));
    assert!(whole(&games[4]).contains("\"clocks_ms\":[180000,179500,178000,160250]"), "{}", whole(&games[4]));
}

#[test]
fn a_folder_with_imported_games_is_in_order_and_can_be_saved() {
    let (data, saved) = (folder(), folder());
    imported(data.path(), ELSEWHERE);
    let to = saved.path().join("saved");
    let report = check(data.path(), Some(&to), &mut RecoveredGames::default()).unwrap();
    assert!(report.is_in_order(), "{report}");
    assert!(report.to_string().contains("finished games: 5"), "{report}");
    assert!(verify_ratings(data.path(), &Glicko).unwrap().is_in_order());
    assert_eq!(pgn_of(&to), pgn_of(data.path()));
    assert!(check(&to, None, &mut RecoveredGames::default()).unwrap().is_in_order());
    assert_eq!(imported(&to, ELSEWHERE), count(0, GAMES));
}

#[test]
fn the_same_game_is_added_once() {
    let data = folder();
    let twice = format!("{ELSEWHERE}\n{ELSEWHERE}");
    assert_eq!(imported(data.path(), &twice), count(GAMES, GAMES));
    assert_eq!(imported(data.path(), ELSEWHERE), count(0, GAMES));
    let other = ELSEWHERE.replace("Round \"3\"", "Round \"4\"").replace("Broadcast", "Another name");
    assert_eq!(imported(data.path(), &other), count(1, GAMES - 1));
}

/// Gives some bytes, and then fails.
struct Breaks<'a>(&'a [u8]);

impl Read for Breaks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() { Err(io::Error::other("gone")) } else { self.0.read(buffer) }
    }
}

#[test]
fn an_import_that_broke_off_is_completed_by_another() {
    let data = folder();
    let part = &ELSEWHERE[..ELSEWHERE.find("[Event \"Rated").unwrap()];
    // Three games were read to their ends, two of them are durable.
    let broken = imported_from(data.path(), Breaks(part.as_bytes()));
    assert!(matches!(broken, Err(ImportError::File { .. })), "{broken:?}");
    assert_eq!(games(data.path()).len(), 2);
    assert!(check(data.path(), None, &mut RecoveredGames::default()).unwrap().is_in_order());
    assert_eq!(imported(data.path(), ELSEWHERE), count(3, 2));
    assert_eq!(games(data.path()).len() as u64, GAMES);
}

#[test]
fn a_bad_game_is_named_by_line_and_reason_and_the_next_is_read() {
    let long = format!("[Event \"long\"]\n\n{{{}}} 1-0\n", "x".repeat(texts::TEXT_BYTES_MAX));
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(5_001);
    let bad = [
        ("[Event \"illegal\"]\n\n1. e4 e5\n2. Ke3 1-0\n", 4, "as half-move 3"),
        ("[Event \"variant\"]\n[Variant \"Atomic\"]\n\n1. e4 1-0\n", 2, "\"Atomic\""),
        ("[Event \"start\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1-0\n", 2, "the FEN tag"),
        ("[Event \"over\"]\n[FEN \"7k/6Q1/5K2/8/8/8/8/8 b - - 0 1\"]\n\n1-0\n", 1, "over before it began"),
        ("[Event \"castling\"]\n[FEN \"1r2k3/8/8/8/8/8/8/1R2K3 w Qq - 0 1\"]\n\n1-0\n", 1, "Chess960"),
        ("[Event \"runs\"]\n\n1. e4 e5 *\n", 1, "no result"),
        ("[Event \"without\"]\n\n1. e4 e5\n", 1, "no result"),
        ("[Event \"comment\"]\n\n1. e4 {e5 1-0\n", 3, "not closed"),
        ("[Event \"tag]\n\n1. e4 1-0\n", 1, "expected a tag"),
        (&*long, 1, "longer than 1048576 bytes"),
        (&*format!("[Event \"endless\"]\n\n{shuffle} 1-0\n"), 1, "more than 20000 half-moves"),
    ];
    let data = folder();
    let (mut file, mut expected) = (String::new(), Vec::new());
    for (text, line, why) in bad {
        expected.push((file.lines().count() + line, why));
        file.push_str(text);
        file.push_str("\n[Event \"good\"]\n[Round \"");
        file.push_str(&expected.len().to_string());
        file.push_str("\"]\n\n1. d4 1-0\n\n");
    }
    let imported = imported(data.path(), &file);
    assert_eq!((imported.added, imported.known), (expected.len() as u64, 0), "{imported}");
    assert!(!imported.is_whole());
    assert_eq!(imported.named.len(), expected.len(), "{imported}");
    for ((at, named), (line, why)) in imported.named.iter().zip(expected) {
        assert!(*at == line as u64 && named.contains(why), "line {at}: {named}; expected line {line}: {why}");
    }
}

#[test]
fn of_many_bad_games_some_are_named_and_all_are_counted() {
    let data = folder();
    let imported = imported(data.path(), &"[Event \"a\"]\n\n1. e5 1-0\n\n".repeat(NAMED_MAX + 7));
    assert_eq!((imported.rejected, imported.named.len()), (NAMED_MAX as u64 + 7, NAMED_MAX));
    assert!(imported.to_string().ends_with("  and 7 more\n"), "{imported}");
}

#[test]
fn a_game_that_ended_here_without_a_result_is_imported_and_one_without_moves() {
    let data = folder();
    let aborted =
        "[Event \"a\"]\n[Result \"*\"]\n[Termination \"unterminated\"]\n[Reason \"aborted\"]\n\n*\n";
    assert_eq!(imported(data.path(), aborted), count(1, 0));
    assert_eq!(imported(data.path(), "[White \"a\"]\n\n1-0\n"), count(1, 0));
    let written = pgn_of(data.path());
    assert_eq!(imported(data.path(), &written), count(0, 2), "{written}");
}
