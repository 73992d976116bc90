//! The lobby as clients see it: seeks, pools, games in progress, and who is notified of them.

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use zeitnot_protocol::{
    Challenge, GameId, Lobby, LobbyNews, PoolId, ServerMessage, Snapshot, Waiting, WireColor,
};

use super::player::{Player, frame};
use super::table::{Table, accept, blitz, challenge, ok, with};
use super::test_server::TestServer;

const BLITZ: PoolId = PoolId::ThreePlusTwo;

fn seek() -> Value {
    with(blitz(), json!({"seek": true}))
}

async fn lobby(player: &mut Player) -> Lobby {
    player
        .until(|message| match message {
            ServerMessage::Lobby(lobby) => Some(lobby.clone()),
            ServerMessage::Rejected(rejected) => panic!("{rejected:?}"),
            _ => None,
        })
        .await
}

/// Enters the lobby: how it stands.
async fn enter(player: &mut Player) -> Lobby {
    player.say("enter_lobby", json!({"id": "l1"})).await;
    let lobby = lobby(player).await;
    assert_eq!(lobby.id.unwrap().as_str(), "l1");
    lobby
}

/// The next news in which `wanted` finds something.
async fn news<T>(player: &mut Player, wanted: impl Fn(&LobbyNews) -> Option<T>) -> T {
    player
        .until(|message| match message {
            ServerMessage::LobbyNews(news) => wanted(news),
            ServerMessage::Lobby(lobby) => panic!("{lobby:?}"),
            _ => None,
        })
        .await
}

async fn new_seek(player: &mut Player) -> Challenge {
    news(player, |news| news.seeks.first().cloned()).await
}

async fn gone_seek(player: &mut Player) -> String {
    news(player, |news| news.gone.first().map(ToString::to_string)).await
}

async fn waiting(player: &mut Player) -> Waiting {
    player
        .until(|message| match message {
            ServerMessage::Waiting(waiting) => Some(waiting.clone()),
            ServerMessage::Rejected(rejected) => panic!("{rejected:?}"),
            _ => None,
        })
        .await
}

/// Joins a pool and waits for the answer.
async fn join(player: &mut Player, pool: PoolId) {
    player.say("join_pool", json!({"pool": pool, "id": "j1"})).await;
    assert_eq!(waiting(player).await, Waiting { pool: Some(pool), game: None });
}

/// Waits until the pool has led to a game.
async fn paired(player: &mut Player) -> GameId {
    let waiting = waiting(player).await;
    assert_eq!(waiting.pool, None);
    waiting.game.unwrap()
}

/// The same, and the game's snapshot: either may come first.
async fn paired_with_snapshot(player: &mut Player) -> Snapshot {
    let (mut game, mut shown) = (None, None);
    while game.is_none() || shown.is_none() {
        match player.next().await {
            ServerMessage::Waiting(waiting) => game = Some(waiting.game.unwrap()),
            ServerMessage::Snapshot(snapshot) => shown = Some(snapshot),
            _ => {}
        }
    }
    let shown = shown.unwrap();
    assert_eq!(Some(shown.game), game);
    shown
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seek_is_listed_for_all_until_it_is_accepted() {
    let server = TestServer::open().await;
    let (mut owner, mut other) = (Player::guest(&server).await, Player::guest(&server).await);
    let mut watcher = Player::watcher(&server).await;
    let empty = enter(&mut watcher).await;
    assert!(empty.seeks.is_empty() && empty.live.games.is_empty() && empty.live.featured.is_none());
    assert_eq!(empty.pools.len(), PoolId::ALL.len());
    let id = challenge(&mut owner.player, seek()).await;
    let told = new_seek(&mut watcher).await;
    assert_eq!((told.challenge.to_string(), told.by.account, told.seek), (id.clone(), owner.account, true));
    let seeks = enter(&mut other.player).await.seeks;
    assert_eq!(seeks, [Challenge { id: None, ..told }], "who comes later sees it too");
    accept(&mut other.player, &id).await;
    assert_eq!(gone_seek(&mut watcher).await, id);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seek_goes_when_it_is_withdrawn_and_with_its_owner() {
    let server = TestServer::open().await;
    let (mut owner, mut watcher) = (Player::guest(&server).await, Player::watcher(&server).await);
    enter(&mut watcher).await;
    let first = challenge(&mut owner.player, seek()).await;
    new_seek(&mut watcher).await;
    owner.player.say("cancel_challenge", json!({"challenge": first})).await;
    ok(&mut owner.player).await;
    assert_eq!(gone_seek(&mut watcher).await, first);
    let second = challenge(&mut owner.player, seek()).await;
    new_seek(&mut watcher).await;
    let mut tab = owner.tab(&server).await;
    owner.player.leave().await;
    tab.pong().await;
    assert_eq!(enter(&mut watcher).await.seeks.len(), 1, "the other tab is open");
    tab.leave().await;
    assert_eq!(gone_seek(&mut watcher).await, second, "not after the grace of other challenges");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seek_is_for_anybody() {
    let server = TestServer::open().await;
    let (mut owner, other) = (Player::guest(&server).await, Player::guest(&server).await);
    for to in [json!({"to": other.account}), json!({"to_name": "Somebody"})] {
        owner.player.say("create_challenge", with(seek(), to)).await;
        assert_eq!(owner.player.rejection().await.0.as_str(), "bad_options");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_in_a_pool_get_a_game_on_all_their_connections() {
    let server = TestServer::open().await;
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    let mut tab = one.tab(&server).await;
    let mut watcher = Player::watcher(&server).await;
    enter(&mut watcher).await;
    join(&mut one.player, BLITZ).await;
    assert_eq!(waiting(&mut tab).await.pool, Some(BLITZ));
    let mut late = one.tab(&server).await;
    assert_eq!(waiting(&mut late).await.pool, Some(BLITZ), "it is told to who comes later");
    let in_pool = |count: u32| {
        move |news: &LobbyNews| {
            news.pools.iter().any(|view| view.pool == BLITZ && view.waiting == count).then_some(())
        }
    };
    news(&mut watcher, in_pool(1)).await;
    join(&mut two.player, BLITZ).await;
    let mut games = Vec::new();
    for player in [&mut one.player, &mut two.player, &mut tab, &mut late] {
        let snapshot = paired_with_snapshot(player).await;
        games.push(snapshot.game);
        let players = [snapshot.players.white.account, snapshot.players.black.account];
        assert!(players.contains(&one.account) && players.contains(&two.account));
        assert_eq!((snapshot.white_ms, snapshot.black_ms), (Some(180_000), Some(180_000)));
        assert_eq!(serde_json::to_value(&snapshot.time_control).unwrap(), blitz()["time_control"]);
    }
    games.dedup();
    assert_eq!(games.len(), 1);
    news(&mut watcher, in_pool(0)).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_waits_in_one_pool_until_it_leaves_or_its_last_connection_closes() {
    let server = TestServer::open().await;
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    join(&mut one.player, BLITZ).await;
    join(&mut one.player, PoolId::OneMinute).await;
    join(&mut two.player, BLITZ).await;
    one.player.say("leave_pool", json!({"id": "x"})).await;
    ok(&mut one.player).await;
    assert_eq!(waiting(&mut one.player).await, Waiting { pool: None, game: None });
    one.player.say("leave_pool", json!({"id": "x"})).await;
    assert!(!one.player.pong().await.iter().any(|message| matches!(message, ServerMessage::Waiting(_))));
    join(&mut one.player, PoolId::OneMinute).await;
    let token = one.token;
    one.player.leave().await;
    two.player.pong().await;
    let (mut again, _) = Player::hello(&server, json!({"token": token})).await;
    assert!(!again.pong().await.iter().any(|message| matches!(message, ServerMessage::Waiting(_))));
    join(&mut again, BLITZ).await;
    assert_eq!(paired(&mut again).await, paired(&mut two.player).await);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_ends_waiting_and_seeking() {
    let server = TestServer::open().await;
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    let mut watcher = Player::watcher(&server).await;
    enter(&mut watcher).await;
    join(&mut one.player, BLITZ).await;
    let seek = challenge(&mut one.player, seek()).await;
    new_seek(&mut watcher).await;
    join(&mut two.player, PoolId::OneMinute).await;
    let id = challenge(&mut one.player, blitz()).await;
    let game = accept(&mut two.player, &id).await;
    assert_eq!(waiting(&mut one.player).await, Waiting { pool: None, game: None });
    assert_eq!(gone_seek(&mut watcher).await, seek);
    assert_eq!(enter(&mut watcher).await.pools.iter().map(|pool| pool.waiting).sum::<u32>(), 0);
    two.player.say("resign", json!({"game": game})).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_in_progress_are_shown_with_their_boards() {
    let server = TestServer::open().await;
    let mut watcher = Player::watcher(&server).await;
    enter(&mut watcher).await;
    let mut table = Table::set(&server).await;
    table.play(&["e2e4", "e7e5", "e1e2"]).await;
    let live = news(&mut watcher, |news| news.live.clone().filter(|live| live.games[0].ply_count == 3)).await;
    assert_eq!((live.total, live.featured), (1, Some(table.game)));
    let shown = &live.games[0];
    assert_eq!(shown.game, table.game);
    assert_eq!(shown.last.unwrap().as_str(), "e1e2");
    assert_eq!(shown.fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 1 2");
    assert_eq!(shown.players.white.account, table.white.account);
    let mut second = Player::watcher(&server).await;
    second.say("watch", json!({"game": table.game})).await;
    news(&mut watcher, |news| news.live.clone().filter(|live| live.games[0].watchers == 1)).await;
    table.white.player.say("resign", json!({"game": table.game})).await;
    let live = news(&mut watcher, |news| news.live.clone().filter(|live| live.total == 0)).await;
    assert!(live.games.is_empty() && live.featured.is_none());
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_has_left_gets_no_more_of_it() {
    let server = TestServer::open().await;
    let mut owner = Player::guest(&server).await;
    let (mut stays, mut leaves) = (Player::watcher(&server).await, Player::watcher(&server).await);
    enter(&mut stays).await;
    enter(&mut leaves).await;
    leaves.say("leave_lobby", json!({"id": "x"})).await;
    ok(&mut leaves).await;
    challenge(&mut owner.player, seek()).await;
    new_seek(&mut stays).await;
    let heard = leaves.pong().await;
    assert!(heard.is_empty(), "{heard:?}");
    assert_eq!(enter(&mut leaves).await.seeks.len(), 1, "one may enter again");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_only_watches_may_look_but_not_wait() {
    let server = TestServer::open().await;
    let mut watcher = Player::watcher(&server).await;
    enter(&mut watcher).await;
    for t in ["join_pool", "leave_pool"] {
        watcher.say(t, json!({"pool": "3+2", "id": "x"})).await;
        let (code, id) = watcher.rejection().await;
        assert_eq!((code.as_str(), id.as_deref()), ("no_account", Some("x")));
    }
    let mut silent = Player::connect(&server).await;
    silent.say("enter_lobby", json!({})).await;
    assert_eq!(silent.rejection().await.0.as_str(), "hello_first");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn however_often_one_enters_every_time_is_answered() {
    let server = TestServer::open().await;
    let period = json!({"base_ms": 86_400_000, "increment_ms": 3_600_000, "moves": 200});
    let periods = vec![period; 8];
    let clocks = json!({"kind": "clock", "periods": periods, "black_periods": periods});
    let mut owners = Vec::new();
    for _ in 0..6 {
        let mut owner = Player::guest(&server).await;
        for _ in 0..3 {
            challenge(&mut owner.player, json!({"time_control": clocks, "seek": true})).await;
        }
        owners.push(owner);
    }
    let mut watcher = Player::watcher(&server).await;
    for number in 0..60 {
        watcher.say("enter_lobby", json!({"id": format!("l{number}")})).await;
    }
    // In one breath, so that one of them waits for room when the lobby is left.
    let enter = |number| format!(r#"{{"t":"enter_lobby","d":{{"id":"l{number}"}}}}"#);
    let leave = r#"{"t":"leave_lobby","d":{}}"#.to_owned();
    let breath = [enter(60), enter(61), enter(62), leave].map(|text| frame(0x81, text.as_bytes())).concat();
    watcher.stream().write_all(&breath).await.unwrap();
    let (mut answers, mut has_left) = (0, false);
    // The whole lobby is long: it waits for room, and other answers do not.
    while answers < 63 || !has_left {
        match watcher.next().await {
            ServerMessage::Lobby(lobby) => {
                assert!(!lobby.seeks.is_empty() && lobby.seeks.len() < 18, "the newest that fit");
                answers += u32::from(lobby.id.is_some());
            }
            ServerMessage::Rejected(rejected) => {
                assert_eq!(rejected.code.as_str(), "unavailable");
                answers += 1;
            }
            ServerMessage::Ok(_) => has_left = true,
            other => panic!("{other:?}"),
        }
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_as_many_games_as_one_may_is_not_paired() {
    let server = TestServer::without_rates().await;
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    for _ in 0..64 {
        let id = challenge(&mut one.player, blitz()).await;
        accept(&mut two.player, &id).await;
    }
    one.player.say("join_pool", json!({"pool": BLITZ, "id": "x"})).await;
    let (code, id) = one.player.rejection().await;
    assert_eq!((code.as_str(), id.as_deref()), ("too_many_games", Some("x")));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn seeks_and_places_do_not_outlive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let mut owner = Player::guest(&server).await;
    challenge(&mut owner.player, seek()).await;
    let kept = challenge(&mut owner.player, blitz()).await;
    join(&mut owner.player, BLITZ).await;
    server.kill();
    let server = TestServer::process(folder.path());
    let mut again = owner.tab(&server).await;
    let told = again.pong().await;
    let [ServerMessage::Challenge(challenge)] = &told[..] else { panic!("{told:?}") };
    assert_eq!(challenge.challenge.as_str(), kept);
    assert!(enter(&mut again).await.seeks.is_empty());
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_who_seek_each_other_get_one_game() {
    let server = TestServer::open().await;
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    let (ones, twos) = (challenge(&mut one.player, seek()).await, challenge(&mut two.player, seek()).await);
    one.player.say("accept_challenge", json!({"challenge": twos})).await;
    two.player.say("accept_challenge", json!({"challenge": ones})).await;
    let mut answers = Vec::new();
    for player in [&mut one.player, &mut two.player] {
        let answer = player.until(|message| match message {
            ServerMessage::Ok(_) => Some(None),
            ServerMessage::Rejected(rejected) => Some(Some(rejected.code.as_str())),
            _ => None,
        });
        answers.push(answer.await);
    }
    answers.sort_unstable();
    assert_eq!(answers, [None, Some("unknown_challenge")], "the second one's owner has a game already");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lobby_shows_how_many_people_are_here() {
    let server = TestServer::open().await;
    let mut watcher = Player::watcher(&server).await;
    assert_eq!(enter(&mut watcher).await.here, 0, "who watches without an account is nobody");
    let guest = Player::guest(&server).await;
    assert_eq!(news(&mut watcher, |news| news.here).await, 1);
    let second = guest.tab(&server).await;
    let other = Player::guest(&server).await;
    assert_eq!(news(&mut watcher, |news| news.here).await, 2, "two tabs are one");
    other.player.leave().await;
    assert_eq!(news(&mut watcher, |news| news.here).await, 1);
    second.leave().await;
    guest.player.leave().await;
    assert_eq!(news(&mut watcher, |news| news.here).await, 0);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_small_board_has_clocks_and_says_whose_runs() {
    let server = TestServer::open().await;
    let mut watcher = Player::watcher(&server).await;
    enter(&mut watcher).await;
    let mut table = Table::set(&server).await;
    table.play(&["e2e4", "e7e5"]).await;
    let runs = |news: &LobbyNews| {
        let game = news.live.as_ref()?.games.first().cloned()?;
        (game.ply_count == 2 && game.running.is_some()).then_some(game)
    };
    let game = news(&mut watcher, runs).await;
    assert_eq!((game.running, game.black_ms), (Some(WireColor::White), Some(180_000)));
    assert!(game.white_ms.is_some_and(|left| left <= 180_000), "{game:?}");
    let again = enter(&mut watcher).await.live.games.remove(0);
    assert!(again.white_ms <= game.white_ms && again.running == game.running, "{again:?}");
    server.ended().await;
}
