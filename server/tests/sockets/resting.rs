//! Games that nobody follows leave memory, and are there again for whoever comes.

use serde_json::json;
use zeitnot_protocol::{Code, LiveGames, ServerMessage};
use zeitnot_server::Config;
use zeitnot_server::time::{ServiceClock, ServiceInstant, unix_now_ms};

use super::player::Player;
use super::table::{self, Table, snapshot, turn};
use super::test_server::TestServer;

/// Somebody who sees in the lobby how many games are in memory.
struct Lobby(Player);

impl Lobby {
    async fn enter(server: &TestServer) -> (Self, LiveGames) {
        let mut player = Player::watcher(server).await;
        player.say("enter_lobby", json!({})).await;
        let live = player.until(|message| match message {
            ServerMessage::Lobby(lobby) => Some(lobby.live.clone()),
            _ => None,
        });
        let live = live.await;
        (Self(player), live)
    }

    async fn until_there_are(&mut self, count: u32) {
        let news = self.0.until(|message| match message {
            ServerMessage::LobbyNews(news) => news.live.clone().filter(|live| live.total == count),
            _ => None,
        });
        news.await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_both_have_left_rests_over_a_kill_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process_that_rests(folder.path());
    let mut table = Table::set(&server).await;
    table.play(&["e2e4", "e7e5"]).await;
    assert_eq!(turn(&mut table.white.player, table.game).await.on, 3, "the last move is stored");
    let (mut lobby, _) = Lobby::enter(&server).await;
    let Table { game, white, black } = table;
    drop((white.player, black.player));
    lobby.until_there_are(0).await;
    server.kill();

    let server = TestServer::process_that_rests(folder.path());
    let (mut lobby, live) = Lobby::enter(&server).await;
    assert_eq!(live.total, 0, "a start leaves it at rest");
    let (mut white, _) = Player::hello(&server, json!({"token": white.token})).await;
    assert_eq!(snapshot(&mut white, game).await.ply_count, 2);
    let on = turn(&mut white, game).await;
    lobby.until_there_are(1).await;
    table::send_move(&mut white, game, on.on, "g1f3").await;
    let (mut black, _) = Player::hello(&server, json!({"token": black.token})).await;
    assert_eq!(turn(&mut black, game).await.on, on.on + 1);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spectator_wakes_a_game_and_follows_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process_that_rests(folder.path());
    let Table { game, white, black } = Table::set(&server).await;
    let (mut lobby, _) = Lobby::enter(&server).await;
    drop((white.player, black.player));
    lobby.until_there_are(0).await;
    // A look over HTTP does not wake it.
    assert_eq!(server.get(&format!("/api/games/{game}")).await.status, 200);
    assert_eq!(Lobby::enter(&server).await.1.total, 0);
    let mut spectator = Player::watcher(&server).await;
    spectator.say("watch", json!({"game": game, "id": "w1"})).await;
    assert_eq!(snapshot(&mut spectator, game).await.ply_count, 0);
    let (mut white, _) = Player::hello(&server, json!({"token": white.token})).await;
    table::play(&mut white, game, "e2e4").await;
    let seen = spectator.until(|message| match message {
        ServerMessage::Move(played) => Some(played.uci.to_string()),
        _ => None,
    });
    assert_eq!(seen.await, "e2e4");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spectators_wake_no_game_while_memory_is_full_and_players_do() {
    let server = TestServer::with(Config { rest_after_s: 1, live_games_max: 1, ..Config::for_tests() }).await;
    let Table { game, white, black } = Table::set(&server).await;
    let (mut lobby, _) = Lobby::enter(&server).await;
    drop((white.player, black.player));
    lobby.until_there_are(0).await;
    let _other = Table::set(&server).await;
    let mut spectator = Player::watcher(&server).await;
    spectator.say("watch", json!({"game": game})).await;
    assert_eq!(spectator.rejection().await.0, Code::Unavailable);
    let (mut white, _) = Player::hello(&server, json!({"token": white.token})).await;
    snapshot(&mut white, game).await;
    // Now it is there for everybody.
    spectator.say("watch", json!({"game": game})).await;
    snapshot(&mut spectator, game).await;
    server.ended().await;
}

/// What a million games at rest cost. Run with
/// `cargo test --release --test sockets -- --ignored --nocapture a_million_games_at_rest`; `RESTING` is another number.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
#[ignore = "it takes minutes, and tells nothing without optimisation"]
async fn a_million_games_at_rest() {
    let count = std::env::var("RESTING").map_or(1_000_000, |count| count.parse().unwrap());
    let (empty, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let clock = ServiceClock::start().unwrap();
    let since = |began: ServiceInstant| clock.now().since(began);
    figures::make(folder.path(), count).await;
    eprintln!("{count} games made and put to rest in {:.0?}", since(ServiceInstant::default()));
    let due = figures::due(folder.path());

    let server = TestServer::process(empty.path());
    let before = server.resident_kib();
    server.ended().await;
    let (began, started_unix_ms) = (clock.now(), unix_now_ms());
    let server = TestServer::process(folder.path());
    let start = since(began);
    let more = (server.resident_kib() - before) / 1024;
    eprintln!("start to ready {start:.2?}; {more} MiB more than without games ({before} KiB)");
    let waits = figures::wake(&server, count, &clock).await;
    let at = |share: usize| waits[(waits.len() - 1) * share / 1000];
    eprintln!("{} woken: p50 {:.2?}, p99 {:.2?}, longest {:.2?}", waits.len(), at(500), at(990), at(1000));
    figures::until_the_due_have_ended(&server).await;
    server.ended().await;
    let (number, latest) = figures::lateness(folder.path(), &due, started_unix_ms);
    eprintln!("{number} flags, recorded at their instants, told at most {latest} ms after");
}

/// Making the games, and measuring.
mod figures {
    use std::collections::HashMap;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Duration;

    use futures_util::future::join_all;
    use rusqlite::Connection;
    use serde_json::json;
    use zeitnot_protocol::{AccountId, EpochId, GameId};
    use zeitnot_rules::board::ByColor;
    use zeitnot_rules::game::{Game, GameInstant, GameSetup, Micros, Profile, TimeControl};
    use zeitnot_server::games::RecoveredGames;
    use zeitnot_server::storage::{
        self, JournalOffset, Location, NoRatings, Opened, Record, RestMark, Store,
    };
    use zeitnot_server::time::ServiceClock;

    use crate::player::Player;
    use crate::table::snapshot;
    use crate::test_server::TestServer;

    /// Games whose flag falls while the server runs, after this many seconds, one after the other.
    const DUE: u64 = 1_000;
    const DUE_FROM: Duration = Duration::from_secs(30);
    const DUE_EVERY: Duration = Duration::from_millis(10);
    const AT_ONCE: u64 = 4_096;
    const DAY: u64 = 24 * 3_600;

    fn id(number: u64) -> GameId {
        GameId::from_random(u128::from(number))
    }

    /// A game that has been left alone for ten minutes: one with a clock that is due, or without.
    fn game(number: u64) -> (Record, RestMark) {
        let is_due = number < DUE;
        let time_control = if is_due { TimeControl::DaysPerMove { days: 1 } } else { TimeControl::Unlimited };
        let players = ByColor { white: 2 * u128::from(number), black: 2 * u128::from(number) + 1 }
            .map(|account| AccountId::from_u128(account << 64).as_u128());
        let setup = GameSetup::casual(players, time_control, Profile::fide_online(), 1_763_000_000_000);
        let events = Game::start(&setup).unwrap();
        let at = GameInstant(600_000_000);
        let left = DUE_FROM + DUE_EVERY * u32::try_from(number.min(DUE)).unwrap();
        let day = Micros::from_secs(DAY);
        let (took, due) = if is_due {
            let left = Micros(u64::try_from(left.as_micros()).unwrap());
            (day.saturating_sub(left), at + left)
        } else {
            (Micros::from_secs(600), at + Micros::from_secs(30 * DAY))
        };
        let record = Record {
            game: id(number),
            first_seq: 1,
            at: GameInstant::START,
            account: None,
            command: None,
            events,
        };
        (record, RestMark { at, took, away_since: ByColor::both(GameInstant::START), due })
    }

    async fn rest(store: &Arc<dyn Store>, numbers: std::ops::Range<u64>, clock: &ServiceClock) {
        let games: Vec<_> = numbers.map(game).collect();
        let appends =
            games.iter().map(|(record, _)| store.append(JournalOffset::NONE, Arc::new(record.clone())));
        let offsets = join_all(appends).await;
        let at = clock.now();
        let rests = games
            .iter()
            .zip(offsets)
            .map(|((record, mark), offset)| store.rest(record.game, offset.unwrap(), *mark, at));
        assert!(join_all(rests).await.into_iter().all(|rests| rests == Ok(true)));
    }

    /// A data folder with so many games at rest. Those that are due come last, so that they are due
    /// after the start.
    pub(super) async fn make(folder: &Path, count: u64) {
        let clock = ServiceClock::start().unwrap();
        let mut recovered = RecoveredGames::default();
        let Opened { store, .. } = storage::open(
            Location::Folder(folder),
            &NoRatings,
            &clock,
            EpochId::from_random(1),
            &mut recovered,
        )
        .unwrap();
        let mut next = DUE;
        while next < count {
            let end = (next + AT_ONCE).min(count);
            rest(&store, next..end, &clock).await;
            next = end;
        }
        rest(&store, 0..DUE, &clock).await;
        store.stop_turns();
        store.flush().await.unwrap();
        store.close();
    }

    /// Five hundred games, one after the other, which is less than an address may wake in a minute: how long a spectator
    /// waits for each snapshot.
    pub(super) async fn wake(server: &TestServer, count: u64, clock: &ServiceClock) -> Vec<Duration> {
        let (mut waits, step) = (Vec::new(), (count - DUE) / 500);
        for part in 0..10 {
            let mut spectator = Player::watcher(server).await;
            for number in 0..50 {
                let game = id(DUE + step * (50 * part + number));
                let began = clock.now();
                spectator.say("watch", json!({"game": game})).await;
                snapshot(&mut spectator, game).await;
                waits.push(clock.now().since(began));
            }
        }
        waits.sort_unstable();
        waits
    }

    pub(super) async fn until_the_due_have_ended(server: &TestServer) {
        for number in (0..DUE).rev() {
            while server.get(&format!("/api/games/{}", id(number))).await.json()["state"]["outcome"].is_null()
            {
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            // The last one is due last; a few more are looked at.
            if number + 3 < DUE {
                break;
            }
        }
    }

    /// The games that are due, and when on the folder's axis of turns.
    pub(super) fn due(folder: &Path) -> HashMap<Vec<u8>, i64> {
        let database = Connection::open(folder.join("zeitnot.db")).unwrap();
        let mut statement = database.prepare("SELECT game, due FROM resting ORDER BY due LIMIT ?1").unwrap();
        let rows = statement.query_map([DUE], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    }

    /// How many flags fell, and how long after its instant one was recorded at most, in ms, by a
    /// process that was started at `started_unix_ms`. That counts the time until it read its clock.
    pub(super) fn lateness(folder: &Path, due: &HashMap<Vec<u8>, i64>, started_unix_ms: u64) -> (usize, i64) {
        let database = Connection::open(folder.join("zeitnot.db")).unwrap();
        let sql = "SELECT at - (SELECT sum(idle) FROM starts) FROM starts ORDER BY at DESC LIMIT 1";
        let began: i64 = database.query_row(sql, [], |row| row.get(0)).unwrap();
        let mut statement = database.prepare("SELECT game, ended_unix_ms FROM archive").unwrap();
        let ended = statement.query_map([], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, i64>(1)?)));
        let late = ended.unwrap().map(Result::unwrap).map(|(game, ended)| {
            let due_unix_ms = i64::try_from(started_unix_ms).unwrap() + (due[&game] - began) / 1_000;
            ended - due_unix_ms
        });
        let late: Vec<_> = late.collect();
        (late.len(), late.into_iter().max().unwrap_or_default())
    }
}
