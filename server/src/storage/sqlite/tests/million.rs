//! A measurement: an archive of a million games, and how long searches in it take.
//!
//! ```text
//! DIR=/somewhere GAMES=1000000 cargo test --release -p zeitnot-server --lib million -- --ignored --nocapture
//! ```
//!
//! The folder is filled when it is empty, and kept. Players and openings are as uneven as in life: a few players have
//! many games, and half of the games begin with the same move.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use rusqlite::Connection;
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color, Move, Position, Square};
use zeitnot_rules::game::{Category, Event, Micros, TimeControl, Variant};
use zeitnot_rules::verdict::{Outcome, Reason, Score};

use super::harness::{Collected, epoch, moved, started};
use crate::storage::encoding::{self, Row, WholeGame};
use crate::storage::sqlite::schema::{self, row_sum};
use crate::storage::sqlite::{DataFolder, Fatal, SegmentSettings, SqliteStore, archive};
use crate::storage::{
    FacetFilter, GameFacts, INDEXED_PLIES, JournalOffset, NoRatings, PositionKey, Record, Search, Store, Who,
    sqlite::search_index,
};
use crate::time::ServiceClock;

/// How long a measurement takes.
struct Stopwatch(Instant);

#[expect(clippy::disallowed_methods, reason = "a measurement is about the machine's time")]
impl Stopwatch {
    fn start() -> Self {
        Self(Instant::now())
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

const PLIES: usize = 80;
const PLAYERS: f64 = 100_000.0;
/// When the first game ended, and how far the ends are apart.
const BEGIN_MS: u64 = 1_700_000_000_000;
const STEP_MS: u64 = 30_000;

/// A number below `PLAYERS`, small ones more often: the first player has one game in eleven.
fn player(rng: &mut StdRng) -> u128 {
    1 + PLAYERS.powf(rng.random::<f64>()) as u128
}

/// A move that many games share: each position has an order of its moves, and each has half the odds of the one before.
fn usual_move(position: &Position, rng: &mut StdRng) -> Option<Move> {
    let mut moves = position.legal_moves();
    let number = |mv: &Move| (mv.from.index() * 64 + mv.to.index()) as u64;
    moves.sort_unstable_by_key(|mv| (position.zobrist() ^ number(mv)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let place = rng.random::<u32>().leading_zeros() as usize;
    moves.get(place.min(moves.len().saturating_sub(1))).copied()
}

/// What comes later only takes room: it is no game that the rules would allow.
fn any_move(rng: &mut StdRng) -> Move {
    let [from, to] = [(); 2].map(|()| Square::from_index(rng.random_range(0..64)));
    Move::new(from, to)
}

fn records(id: GameId, rng: &mut StdRng) -> Vec<Arc<Record>> {
    let mut first = started(id);
    let Event::Started(setup) = &mut first.events[0] else { panic!("no start") };
    setup.players = ByColor { white: player(rng), black: player(rng) };
    let base = [60, 180, 180, 300, 600, 1_800][rng.random_range(0..6)];
    setup.time_control = TimeControl::fischer(Micros::from_secs(base), Micros::from_secs(2));
    if rng.random_range(0..12) == 0 {
        setup.variant = Variant::Chess960;
    }
    let (mut records, mut position) = (vec![Arc::new(first)], Position::standard());
    while records.len() <= PLIES {
        let mv = match (records.len() <= INDEXED_PLIES).then(|| usual_move(&position, rng)).flatten() {
            Some(mv) => {
                position.play_unchecked(mv);
                mv
            }
            None => any_move(rng),
        };
        let mut record = moved(id, records.len() as u32 + 1);
        let Event::MovePlayed { mv: played, charge: Some(charge) } = &mut record.events[0] else { continue };
        (*played, charge.took) = (mv, Micros(rng.random_range(300_000..9_000_000)));
        records.push(Arc::new(record));
    }
    let (score, reason) = match rng.random_range(0..100) {
        0..30 => (Score::WhiteWins, Reason::Resignation),
        30..55 => (Score::BlackWins, Reason::Resignation),
        55..68 => (Score::WhiteWins, Reason::FlagFall),
        68..80 => (Score::BlackWins, Reason::FlagFall),
        80..88 => (Score::WhiteWins, Reason::Checkmate),
        88..94 => (Score::Draw, Reason::Agreement),
        94..97 => (Score::Draw, Reason::ThreefoldRepetition),
        97..99 => (Score::NoResult, Reason::Aborted),
        _ => (Score::Draw, Reason::Stalemate),
    };
    let outcome = Outcome { score, reason, proof: None };
    let seq = records.len() as u32 + 1;
    records.push(Arc::new(Record { events: vec![Event::Ended { outcome, charge: None }], ..moved(id, seq) }));
    records
}

fn put(connection: &Connection, number: u64, rng: &mut StdRng) {
    let game = GameId::from_random(rng.random());
    let records = records(game, rng);
    let mut encoded = Vec::new();
    encoding::encode(&Row::Archived(WholeGame { game, records: records.clone() }), &mut encoded);
    archive::put(connection, game, BEGIN_MS + number * STEP_MS, &records, &encoded).unwrap();
}

/// Fills a folder that is empty.
fn fill(path: &Path, games: u64) {
    let folder = DataFolder::take(path).unwrap();
    let mut connection = schema::connect(&folder.database()).unwrap();
    schema::migrate(&mut connection, schema::STEPS).unwrap();
    let there: u64 = connection.query_row("SELECT count(*) FROM archive", [], |row| row.get(0)).unwrap();
    connection
        .execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -3000000")
        .unwrap();
    let (mut rng, begin) = (StdRng::seed_from_u64(there), Stopwatch::start());
    for number in there..games {
        if number % 10_000 == 0 {
            println!("{number} games, {:?}", begin.elapsed());
        }
        if number == there || number % 10_000 == 0 {
            drop(connection.execute_batch("COMMIT"));
            connection.execute_batch("BEGIN").unwrap();
        }
        put(&connection, number, &mut rng);
    }
    drop(connection.execute_batch("COMMIT"));
}

/// What each table and index takes, for each game.
fn sizes(connection: &Connection, games: u64) {
    let sql = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC";
    let Ok(mut statement) = connection.prepare(sql) else { return println!("no dbstat") };
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, u64>(1)?))).unwrap();
    for (name, bytes) in rows.map(Result::unwrap).filter(|(_, bytes)| *bytes > games) {
        println!("{name:32} {:6} bytes a game", bytes / games);
    }
}

/// Twenty kinds of searches, each about somebody or something else each time.
fn search(kind: usize, games: u64, rng: &mut StdRng) -> Search {
    let none = FacetFilter::default();
    let one = |rng: &mut StdRng| Some(Who::Account(AccountId::from_u128(player(rng))));
    let busy = Some(Who::Account(AccountId::from_u128(1)));
    let opening = |plies: u32, rng: &mut StdRng| {
        let mut position = Position::standard();
        for _ in 0..plies {
            let mv = usual_move(&position, rng).unwrap();
            position.play_unchecked(mv);
        }
        vec![PositionKey::of(&position)]
    };
    let day = BEGIN_MS + rng.random_range(0..games) * STEP_MS;
    let of = |kind: FacetFilter| Search { kind, ..Search::default() };
    match kind {
        0 => Search::default(),
        1 => Search { player: one(rng), ..Search::default() },
        2 => Search { player: one(rng), seat: Some(Color::White), ..Search::default() },
        3 => Search { player: one(rng), opponent: one(rng), ..Search::default() },
        4 => Search { player: busy, opponent: one(rng), ..Search::default() },
        5 => Search { player: busy, ..of(FacetFilter { score: Some(Score::Draw), ..none }) },
        6 => Search { player: busy, ..of(FacetFilter { reason: Some(Reason::Stalemate), ..none }) },
        7 => of(FacetFilter { category: Some(Category::Chess960), ..none }),
        8 => of(FacetFilter { score: Some(Score::Draw), ..none }),
        9 => of(FacetFilter { rated: Some(false), reason: Some(Reason::Checkmate), ..none }),
        10 => of(FacetFilter { rated: Some(true), ..none }),
        11 => Search { positions: opening(2, rng), ..Search::default() },
        12 => Search { positions: opening(8, rng), ..Search::default() },
        13 => Search { positions: opening(24, rng), ..Search::default() },
        14 => Search {
            positions: opening(1, rng),
            ..of(FacetFilter { reason: Some(Reason::Stalemate), ..none })
        },
        15 => Search { positions: opening(4, rng), player: one(rng), ..Search::default() },
        16 => Search { positions: opening(6, rng), player: busy, ..Search::default() },
        17 => Search { since_unix_ms: Some(day), until_unix_ms: Some(day + 86_400_000), ..Search::default() },
        18 => Search { until_unix_ms: Some(day), player: one(rng), ..Search::default() },
        _ => Search {
            until_unix_ms: Some(day),
            positions: opening(3, rng),
            ..of(FacetFilter { category: Some(Category::Bullet), score: Some(Score::Draw), ..none })
        },
    }
}

const KINDS: usize = 20;

fn print_times(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{what:24} p50 {:>9.1?}  p99 {:>9.1?}  max {:>9.1?}", at(0.5), at(0.99), at(1.0));
}

async fn measure(store: &Arc<dyn Store>, what: &str, games: u64) {
    let mut rng = StdRng::seed_from_u64(5);
    let (mut pages, mut counts) = (Vec::new(), Vec::new());
    let mut of_kind = vec![Vec::new(); KINDS];
    for _ in 0..50 {
        for (kind, times) in of_kind.iter_mut().enumerate() {
            let wanted = search(kind, games, &mut rng);
            let begin = Stopwatch::start();
            store.search(wanted.clone(), None, 50).await.unwrap();
            times.push(begin.elapsed());
            pages.push(begin.elapsed());
            let begin = Stopwatch::start();
            store.count(wanted).await.unwrap();
            counts.push(begin.elapsed());
        }
    }
    for (kind, times) in of_kind.iter_mut().enumerate() {
        print_times(&format!("{what}, kind {kind}"), times);
    }
    print_times(&format!("{what}, pages"), &mut pages);
    print_times(&format!("{what}, counts"), &mut counts);
}

/// Plays 200 moves a second, so that a game ends every 400 ms; how long they waited for their commits.
async fn play(store: Arc<dyn Store>, until: Arc<AtomicBool>) -> Vec<Duration> {
    let (mut rng, mut waited) = (StdRng::from_os_rng(), Vec::new());
    let mut ticks = tokio::time::interval(Duration::from_millis(5));
    while !until.load(Ordering::Relaxed) {
        let mut after = JournalOffset::NONE;
        for record in records(GameId::from_random(rng.random()), &mut rng) {
            ticks.tick().await;
            let begin = Stopwatch::start();
            after = store.append(after, record).await.unwrap();
            waited.push(begin.elapsed());
        }
    }
    waited
}

/// What the index costs the transaction that ends a game: time and bytes of the log.
fn ending(path: &Path) {
    let connection = schema::connect(&path.join("zeitnot.db")).unwrap();
    row_sum::register(&connection).unwrap();
    let log = || std::fs::metadata(path.join("zeitnot.db-wal")).map_or(0, |log| log.len());
    let (mut rng, games) = (StdRng::from_os_rng(), 200);
    for with_index in [false, true] {
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        let (mut took, last) = (Duration::ZERO, 1 << 40);
        for number in 0..games {
            let records = records(GameId::from_random(rng.random()), &mut rng);
            let begin = Stopwatch::start();
            connection.execute_batch("BEGIN IMMEDIATE").unwrap();
            if with_index {
                let facts = GameFacts::of(&records, None).unwrap();
                search_index::add(&connection, last + number, &facts).unwrap();
            } else {
                connection
                    .execute("INSERT OR REPLACE INTO facts VALUES ('measured', ?1)", [number.to_string()])
                    .unwrap();
            }
            connection.execute_batch("COMMIT").unwrap();
            took += begin.elapsed();
        }
        let bytes = log() / games as u64;
        println!("a commit, with index {with_index}: {:?}, {bytes} bytes of the log", took / games as u32);
    }
    for (table, column) in [("games_by_facet", "id"), ("games_by_player", "id"), ("games_by_position", "id")]
    {
        connection.execute(&format!("DELETE FROM {table} WHERE {column} >= {}", 1_i64 << 40), []).unwrap();
    }
}

#[ignore = "a measurement, which takes minutes and gigabytes"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_million_games_are_searched() {
    let variable = |name: &str| std::env::var(name).ok();
    let games: u64 = variable("GAMES").map_or(1_000_000, |games| games.parse().unwrap());
    let temporary = tempfile::tempdir().unwrap();
    let path = variable("DIR").map_or_else(|| temporary.path().to_owned(), Into::into);
    fill(&path, games);
    let connection = schema::connect(&path.join("zeitnot.db")).unwrap();
    sizes(&connection, games);
    drop(connection);
    let begin = Stopwatch::start();
    let (folder, clock) = (DataFolder::take(&path).unwrap(), ServiceClock::start().unwrap());
    let fatal = Fatal::with(folder.path(), |_| {});
    let mut collected = Collected::default();
    let opened = SqliteStore::open(
        folder,
        SegmentSettings::SERVICE,
        &NoRatings,
        fatal,
        &clock,
        epoch(1),
        &mut collected,
    )
    .unwrap();
    println!("started in {:?}", begin.elapsed());
    let store = opened.store;
    measure(&store, "cold", games).await;
    measure(&store, "idle", games).await;
    let end = Arc::new(AtomicBool::new(false));
    #[expect(clippy::disallowed_methods, reason = "a test's own tasks are not the server's")]
    let player = tokio::spawn(play(Arc::clone(&store), Arc::clone(&end)));
    measure(&store, "200 moves/s", games).await;
    end.store(true, Ordering::Relaxed);
    print_times("a move's commit", &mut player.await.unwrap());
    store.close();
    drop(store);
    ending(&path);
}
