//! The graceful stop.

use serde_json::json;
use tokio::net::TcpStream;
use zeitnot_protocol::CloseCode;

use super::player::Player;
use super::table::Table;
use super::test_server::TestServer;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_socket_is_closed_with_1012_and_a_time_to_come_back() {
    let mut server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    table.play(&["e2e4", "e7e5"]).await;
    let mut watcher = Player::watcher(&server).await;
    watcher.say("watch", json!({"game": table.game})).await;
    let mut silent = Player::connect(&server).await;
    server.ask_to_stop();
    for player in [&mut table.white.player, &mut table.black.player, &mut watcher, &mut silent] {
        assert_eq!(player.closed().await, CloseCode::Restart);
    }
    let address = server.address;
    server.ended().await;
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_are_sent_back_at_different_times() {
    let mut server = TestServer::open().await;
    let mut watchers = Vec::new();
    for _ in 0..20 {
        watchers.push(Player::watcher(&server).await);
    }
    server.ask_to_stop();
    let mut times = std::collections::BTreeSet::new();
    for watcher in &mut watchers {
        let (_, reason) = watcher.close_frame().await;
        let reason: zeitnot_protocol::CloseReason = serde_json::from_str(&reason).unwrap();
        let retry_ms = reason.retry_ms.unwrap();
        assert!((500..=5_000).contains(&retry_ms));
        times.insert(retry_ms);
    }
    assert!(times.len() > 10, "{times:?}");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_without_anybody_is_quick() {
    TestServer::open().await.ended().await;
}
