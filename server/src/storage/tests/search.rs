//! Searches, over each store: whatever is looked for, alone and in pairs, is what a look at every game finds.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use rusqlite::Connection;
use tempfile::TempDir;
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color, Position};
use zeitnot_rules::game::{Category, Event, Micros, Tags, TimeControl, Variant};
use zeitnot_rules::verdict::{Outcome, Reason, Score};
use zeitnot_test_servers::TestDatabase;

use super::samples::{Collected, epoch, game, moved, started};
use crate::games::RecoveredGames;
use crate::storage::postgres::tests::open as open_database;
use crate::storage::sqlite::{DataFolder, Fatal, SegmentSettings, SqliteStore, database_in};
use crate::storage::{
    Corrected, Correction, Counts, FacetFilter, FinishedGame, GameFacts, JournalOffset, MemoryStore,
    NoRatings, PositionKey, ReadError, Record, Search, Store, Who,
};
use crate::time::ServiceClock;
use crate::upkeep::{ExportError, Exported, check, export};

/// Somebody who plays, by a small number.
fn account(number: u128) -> AccountId {
    AccountId::from_u128(number)
}

fn open(folder: &TempDir) -> Arc<dyn Store> {
    open_at(folder.path())
}

fn open_at(path: &std::path::Path) -> Arc<dyn Store> {
    let (clock, folder) = (ServiceClock::start().unwrap(), DataFolder::take(path).unwrap());
    let fatal = Fatal::with(folder.path(), |_| {});
    let mut collected = Collected::default();
    SqliteStore::open(folder, SegmentSettings::SERVICE, &NoRatings, fatal, &clock, epoch(1), &mut collected)
        .unwrap()
        .store
}

/// A whole game that somebody may have played: few players and few moves, so that games have much in common.
fn random_game(id: GameId, rng: &mut StdRng) -> Vec<Record> {
    let mut first = started(id);
    let Event::Started(setup) = &mut first.events[0] else { panic!("no start") };
    let white = rng.random_range(1..=5);
    setup.players = ByColor { white, black: (white + rng.random_range(0..5)) % 5 + 1 };
    let base = [60, 180, 600, 3_600][rng.random_range(0..4)];
    setup.time_control = match rng.random_range(0..8) {
        0 => TimeControl::DaysPerMove { days: 3 },
        _ => TimeControl::fischer(Micros::from_secs(base), Micros::ZERO),
    };
    if rng.random_range(0..4) == 0 {
        setup.variant = Variant::Chess960;
    }
    let mut records = vec![first];
    let mut position = Position::standard();
    for seq in 2..2 + rng.random_range(0..6) {
        let moves = position.legal_moves();
        let mv = moves[rng.random_range(0..moves.len().min(3))];
        position.play(mv).unwrap();
        records.push(Record { events: vec![Event::MovePlayed { mv, charge: None }], ..moved(id, seq) });
    }
    let reasons = [Reason::Resignation, Reason::FlagFall, Reason::Agreement, Reason::Aborted];
    let (score, reason) = (SCORES[rng.random_range(0..4)], reasons[rng.random_range(0..4)]);
    let outcome = Outcome { score, reason, proof: None };
    let seq = records.len() as u32 + 1;
    records.push(Record { events: vec![Event::Ended { outcome, charge: None }], ..moved(id, seq) });
    records
}

const SCORES: [Score; 4] = [Score::WhiteWins, Score::BlackWins, Score::Draw, Score::NoResult];

/// Plays this many games to their ends, one after the other.
async fn play(store: &Arc<dyn Store>, numbers: std::ops::Range<u128>, rng: &mut StdRng) {
    for number in numbers {
        let mut after = JournalOffset::NONE;
        for record in random_game(game(number), rng) {
            after = store.append(after, Arc::new(record)).await.unwrap();
        }
    }
}

/// One filter of each kind, with a value that some games have.
fn filters(all: &[FinishedGame]) -> Vec<Search> {
    let kind = |kind: FacetFilter| Search { kind, ..Search::default() };
    let none = FacetFilter::default();
    let key = |text: &[&str]| {
        let mut position = Position::standard();
        for uci in text {
            position
                .play(zeitnot_rules::notation::uci::parse(uci, &position, Variant::Standard).unwrap())
                .unwrap();
        }
        Search { positions: vec![PositionKey::of(&position)], ..Search::default() }
    };
    let first_move = Position::standard().legal_moves()[0];
    let mut after = Position::standard();
    after.play(first_move).unwrap();
    let player = Some(Who::Account(account(2)));
    let mut filters = vec![
        Search { player: player.clone(), ..Search::default() },
        Search { player: player.clone(), seat: Some(Color::White), ..Search::default() },
        Search { player: player.clone(), seat: Some(Color::Black), ..Search::default() },
        Search { player: player.clone(), opponent: Some(Who::Account(account(4))), ..Search::default() },
        Search { player: player.clone(), opponent: player, ..Search::default() },
        Search { player: Some(Who::Account(account(77))), ..Search::default() },
        Search { player: Some(Who::Name("nobody".to_owned())), ..Search::default() },
        key(&[]),
        key(&["h2h4", "h7h5"]),
        Search { positions: vec![PositionKey::of(&after)], ..Search::default() },
        // A game that has had both is found once.
        Search {
            positions: [Position::standard(), after].iter().map(PositionKey::of).collect(),
            ..Search::default()
        },
        Search { since_unix_ms: Some(all[all.len() / 3].ended_unix_ms), ..Search::default() },
        Search { until_unix_ms: Some(all[all.len() / 2].ended_unix_ms), ..Search::default() },
        kind(FacetFilter { rated: Some(false), ..none }),
        kind(FacetFilter { rated: Some(true), ..none }),
        kind(FacetFilter { imported: Some(false), ..none }),
        kind(FacetFilter { reason: Some(Reason::FlagFall), ..none }),
    ];
    filters.extend(SCORES.map(|score| kind(FacetFilter { score: Some(score), ..none })));
    filters.extend(Category::ALL.map(|category| kind(FacetFilter { category: Some(category), ..none })));
    filters
}

/// Both together; of two values for the same the second.
fn both(one: &Search, two: &Search) -> Search {
    Search {
        player: two.player.clone().or(one.player.clone()),
        seat: two.seat.or(one.seat),
        opponent: two.opponent.clone().or(one.opponent.clone()),
        kind: FacetFilter {
            score: two.kind.score.or(one.kind.score),
            reason: two.kind.reason.or(one.kind.reason),
            category: two.kind.category.or(one.kind.category),
            rated: two.kind.rated.or(one.kind.rated),
            imported: two.kind.imported.or(one.kind.imported),
        },
        positions: if two.positions.is_empty() { one.positions.clone() } else { two.positions.clone() },
        since_unix_ms: two.since_unix_ms.or(one.since_unix_ms),
        until_unix_ms: two.until_unix_ms.or(one.until_unix_ms),
    }
}

/// Every game that fits, by pages of this size.
async fn pages(store: &Arc<dyn Store>, search: &Search, size: usize) -> Vec<FinishedGame> {
    let (mut found, mut before) = (Vec::new(), None);
    loop {
        let page = store.search(search.clone(), before, size).await.unwrap();
        assert!(page.games.len() <= size && !page.is_indexing);
        found.extend(page.games);
        match page.next {
            Some(next) => before = Some(next),
            None => return found,
        }
    }
}

/// Every filter alone and each pair of them, against a look at every game.
async fn check_all(store: &Arc<dyn Store>) {
    let all = pages(store, &Search::default(), 50).await;
    assert!(all.windows(2).all(|pair| pair[0].place > pair[1].place), "the last one to end first");
    let facts: Vec<_> =
        all.iter().map(|game| GameFacts::of(&game.records, game.correction).unwrap()).collect();
    let filters = filters(&all);
    let mut nonempty = 0;
    for (index, one) in filters.iter().enumerate() {
        for two in &filters[..=index] {
            let search = both(one, two);
            let fits = all.iter().zip(&facts).filter(|(game, facts)| search.takes(facts, game.ended_unix_ms));
            let expected: Vec<_> = fits.clone().map(|(game, _)| game.game).collect();
            let found = pages(store, &search, 7).await;
            let found: Vec<_> = found.iter().map(|found| found.game).collect();
            assert_eq!(found, expected, "{search:?}");
            let mut counts = Counts::default();
            fits.for_each(|(_, facts)| counts.add(facts.facet, 1));
            assert_eq!(store.count(search).await.unwrap(), counts);
            nonempty += usize::from(!expected.is_empty());
        }
    }
    assert!(nonempty > 100, "{nonempty} searches found something");
}

async fn every_search_finds_what_a_look_at_every_game_finds(store: Arc<dyn Store>) {
    let mut rng = StdRng::seed_from_u64(7);
    play(&store, 1..250, &mut rng).await;
    check_all(&store).await;
}

/// Corrects the results of some of these games, of some twice, of some back.
async fn correct(store: &Arc<dyn Store>, numbers: std::ops::Range<u128>, rng: &mut StdRng) {
    for _ in 0..2 * (numbers.end - numbers.start) / 3 {
        let id = game(rng.random_range(numbers.clone()));
        let score = [Score::WhiteWins, Score::BothLose, Score::NoResult][rng.random_range(0..3)];
        let corrected = store.correct(id, Correction { score, at_unix_ms: 5 }).await.unwrap();
        assert!(matches!(corrected, Corrected::From { .. } | Corrected::Same), "{corrected:?}");
    }
}

async fn every_search_finds_what_a_look_at_every_game_finds_when_results_were_corrected(
    store: Arc<dyn Store>,
) {
    let mut rng = StdRng::seed_from_u64(17);
    play(&store, 1..200, &mut rng).await;
    correct(&store, 1..200, &mut rng).await;
    play(&store, 200..210, &mut rng).await;
    check_all(&store).await;
    let kind = FacetFilter { score: Some(Score::BothLose), ..FacetFilter::default() };
    let found = pages(&store, &Search { kind, ..Search::default() }, 50).await;
    assert!(found.len() > 10 && found.iter().all(|found| found.ended().unwrap().correction.is_some()));
}

async fn a_cursor_meets_every_game_once_while_games_end(store: Arc<dyn Store>) {
    let mut rng = StdRng::seed_from_u64(8);
    play(&store, 1..60, &mut rng).await;
    let search = Search { player: Some(Who::Account(account(1))), ..Search::default() };
    let before = pages(&store, &search, 50).await;
    let (mut met, mut cursor, mut next_game) = (Vec::new(), None, 60);
    loop {
        let page = store.search(search.clone(), cursor, 3).await.unwrap();
        met.extend(page.games);
        play(&store, next_game..next_game + 2, &mut rng).await;
        next_game += 2;
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(met, before);
    assert!(pages(&store, &search, 50).await.len() > before.len());
}

async fn a_game_that_has_not_ended_is_not_found(store: Arc<dyn Store>) {
    store.append(JournalOffset::NONE, Arc::new(started(game(1)))).await.unwrap();
    assert_eq!(store.search(Search::default(), None, 9).await.unwrap().games, []);
    assert_eq!(store.count(Search::default()).await, Ok(Counts::default()));
}

async fn players_without_accounts_are_found_by_how_their_names_begin(store: Arc<dyn Store>) {
    let pairs = [("Zoë, A.", "zo"), ("Zoë, A.", "Zob Ert"), ("zoé", "Z"), ("Zo 🂡", "Zp")];
    for ((white, black), number) in pairs.iter().zip(1..) {
        let mut records = random_game(game(number), &mut StdRng::seed_from_u64(11));
        let Event::Started(setup) = &mut records[0].events[0] else { panic!("no start") };
        setup.players = ByColor::both(0);
        let tags = [("White", *white), ("Black", *black)];
        setup.imported = Some(Tags::of(tags));
        let mut after = JournalOffset::NONE;
        for record in records {
            after = store.append(after, Arc::new(record)).await.unwrap();
        }
    }
    play(&store, 9..15, &mut StdRng::seed_from_u64(12)).await;
    let found = async |prefix: &str, most| store.names_by_prefix(prefix.to_owned(), most).await.unwrap();
    assert_eq!(found("zo", 9).await, ["zo", "zobert", "zoé", "zoë,a.", "zo🂡"]);
    assert_eq!(found("zo", 2).await, ["zo", "zobert"]);
    assert_eq!(found("zoë", 9).await, ["zoë,a."]);
    assert_eq!(found("z", 9).await.len(), 7, "each once, and no accounts");
    assert_eq!(found("y", 9).await, [""; 0]);
}

macro_rules! over_every_store {
    ($($test:ident)*) => {
        mod sqlite {
            $(#[tokio::test] async fn $test() {
                let folder = tempfile::tempdir().unwrap();
                super::$test(super::open(&folder)).await;
            })*
        }

        mod postgres {
            $(#[tokio::test] #[ignore = "needs PostgreSQL: scripts/test cluster"]
            async fn $test() {
                let database = super::TestDatabase::new();
                super::$test(super::open_database(&database).0.store).await;
            })*
        }

        mod memory {
            $(#[tokio::test] async fn $test() {
                super::$test(std::sync::Arc::new(super::MemoryStore::default())).await;
            })*
        }
    };
}

over_every_store! {
    every_search_finds_what_a_look_at_every_game_finds
    every_search_finds_what_a_look_at_every_game_finds_when_results_were_corrected
    a_cursor_meets_every_game_once_while_games_end
    a_game_that_has_not_ended_is_not_found
    players_without_accounts_are_found_by_how_their_names_begin
}

/// A folder with these games, closed.
async fn folder_with(games: u128) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    play(&store, 1..games + 1, &mut StdRng::seed_from_u64(9)).await;
    store.close();
    folder
}

fn connection(folder: &std::path::Path) -> Connection {
    let connection = Connection::open(database_in(folder)).unwrap();
    connection.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    connection
}

#[tokio::test]
async fn a_check_finds_damage_to_the_tables_for_searches_and_what_it_saves_is_indexed_anew() {
    let folder = folder_with(40).await;
    let report = check(folder.path(), None, &mut RecoveredGames::default()).unwrap();
    assert!(report.is_in_order() && report.to_string().contains("games that searches find: 40"), "{report}");
    let damages = [
        "DELETE FROM games_by_facet WHERE id = 7",
        "UPDATE games_by_player SET seats = 3 - seats WHERE id = 8",
        "UPDATE games_by_player SET facet = facet + 1 WHERE id = 9",
        "UPDATE OR REPLACE games_by_position SET position = position + 1 WHERE id = 10",
        "INSERT INTO games_by_position VALUES (5, 5, 5)",
        "UPDATE facets SET games = games + 1",
        "DELETE FROM players WHERE id = 1",
    ];
    for damage in damages {
        let damaged = folder_with(40).await;
        connection(damaged.path()).execute_batch(damage).unwrap();
        let saved = damaged.path().join("saved");
        let report = check(damaged.path(), Some(&saved), &mut RecoveredGames::default()).unwrap();
        assert!(report.to_string().contains("the tables for searches"), "{damage}: {report}");
        let store = open_at(&saved);
        while store.count(Search::default()).await.unwrap().is_indexing {
            tokio::task::yield_now().await;
        }
        assert_eq!(pages(&store, &Search::default(), 50).await.len(), 40);
        store.close();
        let report = check(&saved, None, &mut RecoveredGames::default()).unwrap();
        assert!(report.is_in_order(), "{damage}: {report}");
    }
}

#[tokio::test]
async fn a_check_knows_corrections_saves_those_in_order_and_names_the_others() {
    let folder = folder_with(30).await;
    let store = open(&folder);
    correct(&store, 1..31, &mut StdRng::seed_from_u64(3)).await;
    let exported = |path: &std::path::Path| {
        let mut games = Vec::new();
        export(path, None, &mut |found| {
            games.push((found.game, found.ended().unwrap().outcome.score));
            Ok(())
        })
        .unwrap();
        games
    };
    let games = exported(folder.path());
    let mut shown = pages(&store, &Search::default(), 50).await;
    shown.reverse();
    assert_eq!(
        games,
        shown.iter().map(|game| (game.game, game.ended().unwrap().outcome.score)).collect::<Vec<_>>()
    );
    drop(store);

    let saved = folder.path().join("saved");
    let report = check(folder.path(), Some(&saved), &mut RecoveredGames::default()).unwrap();
    assert!(report.is_in_order() && report.to_string().contains("corrections: "), "{report}");
    let store = open_at(&saved);
    // What a game is found by is made again, with its correction.
    while store.count(Search::default()).await.unwrap().is_indexing {
        tokio::task::yield_now().await;
    }
    check_all_scores(&store).await;
    assert_eq!(exported(&saved), games);
    store.close();
    assert!(check(&saved, None, &mut RecoveredGames::default()).unwrap().is_in_order());

    let last = "(SELECT max(id) FROM corrections)";
    connection(folder.path())
        .execute_batch(&format!("UPDATE corrections SET score = 9 WHERE id = {last}"))
        .unwrap();
    let report = check(folder.path(), None, &mut RecoveredGames::default()).unwrap().to_string();
    assert!(report.contains("DAMAGED, corrections: 1"), "{report}");
    let store = open(&folder);
    let found = pages(&store, &Search::default(), 50).await;
    assert_eq!(found.len(), 29, "the game is not shown as it may not count");
    let hidden = (1..31).map(game).find(|id| found.iter().all(|found| found.game != *id)).unwrap();
    assert!(matches!(store.tail(hidden, 1).await, Err(ReadError::Damaged(_))));
    let again = Correction { score: Score::Draw, at_unix_ms: 6 };
    assert_eq!(store.correct(hidden, again).await, Ok(Corrected::Damaged));
}

/// The searches by result alone.
async fn check_all_scores(store: &Arc<dyn Store>) {
    let all = pages(store, &Search::default(), 50).await;
    for score in [Score::WhiteWins, Score::BlackWins, Score::Draw, Score::BothLose, Score::NoResult] {
        let kind = FacetFilter { score: Some(score), ..FacetFilter::default() };
        let found = pages(store, &Search { kind, ..Search::default() }, 50).await;
        let counts = all.iter().filter(|game| game.ended().unwrap().outcome.score == score);
        assert_eq!(found, counts.cloned().collect::<Vec<_>>(), "{score:?}");
    }
}

#[tokio::test]
async fn a_game_that_a_damaged_index_names_is_not_shown_for_another() {
    let folder = folder_with(30).await;
    let wrong_player = "UPDATE OR IGNORE games_by_player SET player = 1 WHERE id = 12";
    connection(folder.path()).execute_batch(wrong_player).unwrap();
    connection(folder.path())
        .execute_batch("UPDATE OR IGNORE games_by_position SET id = 31 - id WHERE id < 5")
        .unwrap();
    let store = open(&folder);
    for search in filters(&pages(&store, &Search::default(), 50).await) {
        for found in pages(&store, &search, 50).await {
            assert!(
                search.takes(&GameFacts::of(&found.records, found.correction).unwrap(), found.ended_unix_ms),
                "{search:?}"
            );
        }
    }
}

#[tokio::test]
async fn games_are_exported_in_the_order_of_their_ends_also_while_a_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    play(&store, 1..251, &mut StdRng::seed_from_u64(9)).await;
    let exported = |since| {
        let mut games = Vec::new();
        let done = export(folder.path(), since, &mut |found| {
            games.push(found.clone());
            Ok(())
        });
        (done.unwrap(), games)
    };
    let (done, games) = exported(None);
    assert_eq!(done, Exported { games: 250, damaged: 0 });
    let mut newest_first = pages(&store, &Search::default(), 50).await;
    newest_first.reverse();
    assert_eq!(games, newest_first);
    let since = games[100].ended_unix_ms;
    let (_, later) = exported(Some(since));
    assert_eq!(later, games.iter().filter(|game| game.ended_unix_ms >= since).cloned().collect::<Vec<_>>());
    connection(folder.path()).execute_batch("UPDATE archive SET records = x'00' WHERE id = 7").unwrap();
    assert_eq!(exported(None).0, Exported { games: 249, damaged: 1 });
    let nothing = export(&folder.path().join("no"), None, &mut |_| Ok(()));
    assert!(matches!(nothing, Err(ExportError::NoDatabase(_))));
}
