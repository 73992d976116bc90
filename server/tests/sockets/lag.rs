//! Lag compensation over real connections: what a client gains that answers pings late.

use std::time::Duration;

use serde_json::json;
use zeitnot_protocol::ServerMessage;
use zeitnot_server::Config;

use super::player::Player;
use super::table::{accept, blitz, challenge, play, send_move, turn, with};
use super::test_server::TestServer;

/// How late the pong is.
const LATE: Duration = Duration::from_millis(600);

/// What is forgiven of a move that took longer than any round trip.
async fn credit_of_a_late_pong(config: Config) -> u32 {
    let server = TestServer::with(config).await;
    let (mut white, mut black) = (Player::guest(&server).await.player, Player::guest(&server).await.player);
    // The first ping came with `welcome`. It is answered when the client reads on.
    tokio::time::sleep(LATE).await;
    white.pong().await;

    let id = challenge(&mut white, with(blitz(), json!({"options": {"profile": "fide_board"}}))).await;
    let game = accept(&mut black, &id).await;
    // The first turn begins before the round trip is known.
    play(&mut white, game, "e2e4").await;
    play(&mut black, game, "e7e5").await;
    let on = turn(&mut white, game).await.on;
    tokio::time::sleep(2 * LATE).await;
    send_move(&mut white, game, on, "g1f3").await;
    let credit = white
        .until(|message| match message {
            ServerMessage::Move(event) if event.ply == 3 => Some(event.credit),
            ServerMessage::Rejected(rejected) => panic!("{rejected:?}"),
            _ => None,
        })
        .await;
    server.ended().await;
    credit.unwrap_or(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_pong_buys_no_time() {
    let credit = credit_of_a_late_pong(Config::for_tests()).await;
    assert!(credit < 300, "the kernel knows better: {credit} ms");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_trusted_proxy_only_pongs_count() {
    let trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()];
    let credit = credit_of_a_late_pong(Config { trusted_proxy, ..Config::for_tests() }).await;
    assert!(credit >= 600, "the kernel knows only the line to the proxy: {credit} ms");
}
