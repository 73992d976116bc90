//! The server's own computer opponent: for whom its games count.

use serde_json::json;
use zeitnot_protocol::{ChallengeGone, DeclineReason, ServerMessage};
use zeitnot_server::Config;

use super::player::{Player, upgrade};
use super::table::{blitz, with};
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_with_the_computer_counts_for_the_person_alone() {
    let server = TestServer::with(Config {
        no_computer: false,
        trusted_proxy: vec!["127.0.0.0/8".parse().unwrap()],
        http_cost_per_minute: 1_000_000,
        games_per_address_per_minute: 1,
        games_per_account_per_minute: 1,
        ..Config::for_tests()
    })
    .await;
    let is_here = async || {
        let status = server.get("/api/users/status?ids=Computer-1").await.json();
        status[0]["online"] == json!(true)
    };
    guarded("the computer", async { while !is_here().await {} }).await;
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
