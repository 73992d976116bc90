//! The server's own computer opponent: for whom its games count, with another engine, and a server without it.

use serde_json::{Value, json};
use zeitnot_protocol::{ChallengeGone, Code, DeclineReason, ServerMessage, WireReason, WireScore};
use zeitnot_server::Config;

use super::player::{Player, upgrade};
use super::table::{blitz, challenge, play, with};
use super::test_server::{TestServer, guarded};

/// A new guest at this address challenges the weakest level: what became of that.
async fn challenge_from(server: &TestServer, address: &str) -> (Player, ChallengeGone) {
    let request = upgrade(server).header("X-Forwarded-For", address);
    let mut player = Player::connect_with(server, request).await.unwrap();
    player.say("hello", json!({"guest": true})).await;
    player.welcome().await;
    player.say("create_challenge", with(blitz(), json!({"to_name": "Computer-1"}))).await;
    let gone = |message: &ServerMessage| match message {
        ServerMessage::ChallengeGone(gone) => Some(gone.clone()),
        _ => None,
    };
    let gone = player.until(gone).await;
    (player, gone)
}

async fn status(server: &TestServer) -> Value {
    server.get("/api/users/status?ids=Computer-1").await.json()
}

/// A server whose computer is here. It trusts this address as a proxy: otherwise the requests that ask for the computer use up
/// the connections that the address may open, and the computer has the same one.
async fn with_computer(config: Config) -> TestServer {
    let server = TestServer::with(Config {
        no_computer: false,
        trusted_proxy: vec!["127.0.0.0/8".parse().unwrap()],
        http_cost_per_minute: 1_000_000,
        ..config
    })
    .await;
    let waiting = async { while status(&server).await[0]["online"] != json!(true) {} };
    guarded("the computer", waiting).await;
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_with_the_computer_counts_for_the_person_alone() {
    let server = with_computer(Config {
        games_per_address_per_minute: 1,
        games_per_account_per_minute: 1,
        ..Config::for_tests()
    })
    .await;
    let mut players = Vec::new();
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
        let (player, gone) = challenge_from(&server, address).await;
        assert!(gone.game.is_some(), "{address}: {gone:?}");
        players.push(player);
    }
    let (_, gone) = challenge_from(&server, "192.0.2.2").await;
    assert_eq!(
        (gone.game, gone.declined),
        (None, Some(DeclineReason::Later)),
        "one a minute from an address"
    );
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_plays_in_place_of_the_searcher() {
    let engine = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/engine.sh");
    let server = with_computer(Config { computer_engine: Some(engine.into()), ..Config::for_tests() }).await;
    let mut player = Player::guest(&server).await.player;
    let wanted = with(blitz(), json!({"to_name": "Computer-8", "color": "white"}));
    let game = challenge(&mut player, wanted).await.parse().unwrap();
    for uci in ["f2f3", "g2g4"] {
        play(&mut player, game, uci).await;
    }
    let ended = player.until(|message| match message {
        ServerMessage::Ended(ended) => Some((ended.outcome.score, ended.outcome.reason)),
        _ => None,
    });
    assert_eq!(ended.await, (WireScore::BlackWins, WireReason::Checkmate));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_the_computer_has_no_such_account() {
    let server = TestServer::open().await;
    assert_eq!(status(&server).await, json!([]));
    let mut player = Player::guest(&server).await.player;
    player.say("create_challenge", with(blitz(), json!({"to_name": "Computer-1"}))).await;
    assert_eq!(player.rejection().await.0, Code::UnknownAccount);
    server.ended().await;
}
