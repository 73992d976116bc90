//! Names: chosen, told, kept, and written where games are.

use serde_json::json;
use zeitnot_protocol::{Code, Limits, ServerMessage};
use zeitnot_server::Config;

use super::player::Player;
use super::table::{self, Table, accept, blitz, challenge, ok, snapshot, with};
use super::test_server::TestServer;

/// As many as an account may ask for at once.
const NAMES: u32 = Limits::STANDARD.names_per_account_per_minute;

/// The next `name`.
pub(crate) async fn told(player: &mut Player) -> String {
    player
        .until(|message| match message {
            ServerMessage::Name(name) => Some(name.name.clone()),
            _ => None,
        })
        .await
}

/// Says `set_name` and waits for the answer.
async fn name(player: &mut Player, wanted: &str) -> Result<(), Code> {
    player.say("set_name", json!({"name": wanted, "id": "n"})).await;
    player
        .until(|message| match message {
            ServerMessage::Ok(ok) if ok.id.is_some() => Some(Ok(())),
            ServerMessage::Rejected(rejected) => Some(Err(rejected.code)),
            _ => None,
        })
        .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_connection_is_told_and_who_comes_later_is_welcomed_by_name() {
    let server = TestServer::open().await;
    let mut rook = Player::guest(&server).await;
    let mut tab = rook.tab(&server).await;
    rook.player.say("set_name", json!({"name": "Rook_And_Roll", "id": "n1"})).await;
    assert_eq!(told(&mut rook.player).await, "Rook_And_Roll");
    ok(&mut rook.player).await;
    assert_eq!(told(&mut tab).await, "Rook_And_Roll");
    let (_, welcome) = Player::hello(&server, json!({"token": rook.token})).await;
    assert_eq!(welcome.name.as_deref(), Some("Rook_And_Roll"));
    let bearer = [("Authorization", &*format!("Bearer {}", rook.token))];
    let me = server.ask_with("GET", "/api/me", &bearer).await;
    assert_eq!(me.json()["name"], "Rook_And_Roll");

    // What the tab offers carries the name that it was told; what is open takes the next one.
    let open = challenge(&mut tab, blitz()).await;
    assert_eq!(name(&mut tab, "Castle").await, Ok(()));
    let shown = server.get(&format!("/api/challenges/{open}")).await;
    assert_eq!((shown.status, &shown.json()["by"]["name"]), (200, &json!("Castle")));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_that_cannot_be_had() {
    let server = TestServer::open().await;
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    for bad in [
        "",
        "x",
        "no spaces",
        "9lives",
        "Guest-12345",
        "guest-me",
        "admin",
        "Root",
        "Zeitnot",
        "White",
        "null",
        "abcdefghijklmnopqrstu",
        "Zoë",
    ] {
        assert_eq!(name(&mut one.player, bad).await, Err(Code::BadName), "{bad}");
    }
    assert_eq!(name(&mut one.player, "Castle").await, Ok(()));
    assert_eq!(name(&mut two.player, "castle").await, Err(Code::NameTaken));
    assert_eq!(name(&mut one.player, "Castle").await, Ok(()), "sent again");
    assert_eq!(name(&mut one.player, "Bishop").await, Ok(()));
    assert_eq!(name(&mut two.player, "CASTLE").await, Ok(()), "it was given up");
    let mut watcher = Player::watcher(&server).await;
    assert_eq!(name(&mut watcher, "Knight").await, Err(Code::NoAccount));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_names_in_a_row_the_last_one_stands_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let mut rook = Player::guest(&server).await;
    let mut tab = rook.tab(&server).await;
    for number in 0..NAMES {
        rook.player.say("set_name", json!({"name": format!("Rook{number}")})).await;
    }
    for _ in 0..NAMES {
        ok(&mut rook.player).await;
    }
    let last = async |player: &mut Player| {
        let heard = player.pong().await;
        heard.into_iter().rev().find_map(|message| match message {
            ServerMessage::Name(name) => Some(name.name),
            _ => None,
        })
    };
    assert_eq!(last(&mut tab).await.as_deref(), Some(&*format!("Rook{}", NAMES - 1)));
    let (_, welcome) = Player::hello(&server, json!({"token": rook.token})).await;
    assert_eq!(welcome.name.as_deref(), Some(&*format!("Rook{}", NAMES - 1)));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_asks_for_only_so_many_names() {
    let other_limits = Limits { names_per_account_per_minute: 2, ..Limits::STANDARD };
    let server = TestServer::with(Config { other_limits, ..Config::for_tests() }).await;
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    for _ in 0..5 {
        assert_eq!(name(&mut one.player, "not a name").await, Err(Code::BadName), "it costs nothing");
    }
    assert_eq!(name(&mut one.player, "Rook").await, Ok(()));
    assert_eq!(name(&mut one.player, "Castle").await, Ok(()));
    assert_eq!(name(&mut one.tab(&server).await, "Tower").await, Err(Code::TooFast));
    assert_eq!(name(&mut two.player, "CASTLE").await, Err(Code::NameTaken));
    assert_eq!(name(&mut two.player, "Tower").await, Ok(()));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_and_a_challenge_in_one_breath() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let mut rook = Player::guest(&server).await;
    for number in 0..NAMES {
        let wanted = format!("Rook{number}");
        rook.player.say("set_name", json!({"name": wanted})).await;
        rook.player.say("create_challenge", blitz()).await;
        let (mut is_named, mut open) = (false, None);
        while !is_named || open.is_none() {
            match rook.player.next().await {
                ServerMessage::Name(name) => is_named = name.name == wanted,
                ServerMessage::Challenge(challenge) => open = Some(challenge.challenge),
                _ => {}
            }
        }
        let shown = server.get(&format!("/api/challenges/{}", open.unwrap())).await.json();
        assert_eq!(shown["by"]["name"], wanted);
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_keeps_the_names_it_began_with_and_a_restart_keeps_all() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let mut rook = Player::guest(&server).await;
    let mut other = Player::guest(&server).await;
    assert_eq!(name(&mut rook.player, "Rook").await, Ok(()));
    let open = challenge(&mut rook.player, blitz()).await;
    let game = accept(&mut other.player, &open).await;
    assert_eq!(name(&mut rook.player, "Castle").await, Ok(()));
    let mut watcher = Player::watcher(&server).await;
    watcher.say("watch", json!({"game": game})).await;
    let seen = snapshot(&mut watcher, game).await;
    assert_eq!(seen.players.white.name, "Rook");
    assert!(seen.players.black.name.starts_with("Guest-"));
    server.kill();

    let server = TestServer::process(folder.path());
    let (mut rook_again, welcome) = Player::hello(&server, json!({"token": rook.token})).await;
    assert_eq!(welcome.name.as_deref(), Some("Castle"));
    assert_eq!(snapshot(&mut rook_again, game).await.players, seen.players);
    assert_eq!(name(&mut other.tab(&server).await, "CASTLE").await, Err(Code::NameTaken));
    rook_again.say("resign", json!({"game": game})).await;
    table::events_to_the_end(&mut rook_again).await;
    let pgn = server.get(&format!("/api/games/{game}/pgn")).await.body;
    assert!(pgn.contains("[White \"Rook\"]"), "{pgn}");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_is_challenged_by_name() {
    let server = TestServer::open().await;
    let Table { mut white, mut black, .. } = Table::set(&server).await;
    assert_eq!(name(&mut black.player, "Bishop").await, Ok(()));
    white.player.say("create_challenge", with(blitz(), json!({"to_name": "nobody_has_it"}))).await;
    assert_eq!(white.player.rejection().await.0, Code::UnknownAccount);
    white.player.say("create_challenge", with(blitz(), json!({"to_name": "no name"}))).await;
    assert_eq!(white.player.rejection().await.0, Code::UnknownAccount);
    let both = json!({"to_name": "Bishop", "to": black.account});
    white.player.say("create_challenge", with(blitz(), both)).await;
    assert_eq!(white.player.rejection().await.0, Code::BadField);
    white.player.say("create_challenge", with(blitz(), json!({"to_name": "bishop"}))).await;
    let to = black
        .player
        .until(|message| match message {
            ServerMessage::Challenge(challenge) => Some(challenge.to),
            _ => None,
        })
        .await;
    assert_eq!(to, Some(black.account));
    server.ended().await;
}
