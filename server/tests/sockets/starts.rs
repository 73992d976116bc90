//! How many games begin: of one account, from one address, on the whole server.

use serde_json::json;
use zeitnot_protocol::{Code, ServerMessage};
use zeitnot_server::Config;

use super::player::Player;
use super::table::{Table, accept, blitz, challenge};
use super::test_server::TestServer;

/// Says `accept_challenge`: why the game does not begin.
async fn rejected(player: &mut Player, challenge: &str) -> Code {
    player.say("accept_challenge", json!({"challenge": challenge})).await;
    player.rejection().await.0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_guests_at_one_address_begin_only_so_many_games() {
    // Of this rate nothing comes back while the test runs.
    let server = TestServer::with(Config { games_per_address_per_minute: 2, ..Config::for_tests() }).await;
    let mut guests = Vec::new();
    for _ in 0..4 {
        guests.push(Player::guest(&server).await);
    }
    let mut owner = Player::guest(&server).await;
    for guest in &mut guests[..2] {
        let id = challenge(&mut owner.player, blitz()).await;
        accept(&mut guest.player, &id).await;
    }
    let id = challenge(&mut owner.player, blitz()).await;
    for guest in &mut guests[2..] {
        assert_eq!(rejected(&mut guest.player, &id).await, Code::TooManyNewGames);
    }
    assert_eq!(server.get(&format!("/api/challenges/{id}")).await.status, 200, "it is open as before");
    guests[3].player.say("join_pool", json!({"pool": "3+2"})).await;
    assert_eq!(guests[3].player.rejection().await.0, Code::TooManyNewGames);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_begins_only_so_many_games_and_a_rematch_is_one() {
    let server = TestServer::with(Config { games_per_account_per_minute: 1, ..Config::for_tests() }).await;
    let Table { game, mut white, mut black } = Table::set(&server).await;
    let mut third = Player::guest(&server).await;
    let id = challenge(&mut third.player, blitz()).await;
    assert_eq!(rejected(&mut white.player, &id).await, Code::TooManyNewGames);
    white.player.say("resign", json!({"game": game})).await;
    black.player.until(|message| matches!(message, ServerMessage::Ended(_)).then_some(())).await;
    white.player.say("offer_rematch", json!({"game": game})).await;
    let offer = |message: &ServerMessage| match message {
        ServerMessage::Challenge(challenge) => Some(challenge.rematch_of),
        _ => None,
    };
    assert_eq!(black.player.until(offer).await, Some(game));
    black.player.say("offer_rematch", json!({"game": game})).await;
    assert_eq!(black.player.rejection().await.0, Code::TooManyNewGames);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_server_begins_a_game_when_another_has_ended() {
    let server = TestServer::with(Config { live_games_max: 1, ..Config::for_tests() }).await;
    let Table { game, mut white, mut black } = Table::set(&server).await;
    let id = challenge(&mut white.player, blitz()).await;
    assert_eq!(rejected(&mut black.player, &id).await, Code::ServerFull);
    white.player.say("abort", json!({"game": game})).await;
    // The actor of a game that has ended counts for a moment more.
    loop {
        black.player.say("accept_challenge", json!({"challenge": id})).await;
        let begun = black.player.until(|message| match message {
            ServerMessage::Ok(_) => Some(true),
            ServerMessage::Rejected(rejected) => {
                assert_eq!(rejected.code, Code::ServerFull);
                Some(false)
            }
            _ => None,
        });
        if begun.await {
            break;
        }
    }
    server.ended().await;
}
