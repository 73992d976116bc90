//! Frames by the hundred, nested frames, and what comes back of a frame's text.

use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::time::timeout;
use zeitnot_protocol::{CloseCode, Code, ServerMessage};
use zeitnot_server::Config;

use super::player::{Player, frame};
use super::test_server::TestServer;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pings_and_pongs_count_as_frames() {
    let server =
        TestServer::with(Config { frames_per_second: 1, frames_burst: 5, ..Config::for_tests() }).await;
    for opcode in [0x89, 0x8a] {
        let mut guest = Player::guest(&server).await;
        guest.player.stream().write_all(&frame(opcode, b"x").repeat(100)).await.unwrap();
        assert_eq!(guest.player.closed().await, CloseCode::Flood, "{opcode:#x}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fragments_count_as_frames() {
    let server =
        TestServer::with(Config { frames_per_second: 1, frames_burst: 5, ..Config::for_tests() }).await;
    let (empty, short) = (frame(0x00, b""), frame(0x00, b" "));
    let with_pings = [empty.clone(), frame(0x89, b"")].concat();
    for (what, rest) in [("empty", empty), ("short", short), ("with pings", with_pings)] {
        let mut guest = Player::guest(&server).await;
        let message = [frame(0x01, b""), rest.repeat(100)].concat();
        guest.player.stream().write_all(&message).await.unwrap();
        assert_eq!(guest.player.closed().await, CloseCode::Flood, "{what}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_over_the_rate_of_fragments_waits_and_loses_nothing() {
    let server =
        TestServer::with(Config { frames_per_second: 10, frames_burst: 1, ..Config::for_tests() }).await;
    let mut guest = Player::guest(&server).await;
    let ping =
        [frame(0x01, br#"{"t":"ping","d":"#), frame(0x00, b"").repeat(20), frame(0x80, br#"{"n":5}}"#)];
    let ping = ping.concat();
    guest.player.stream().write_all(&ping).await.unwrap();
    assert!(matches!(guest.player.next().await, ServerMessage::Pong(pong) if pong.n == 5));
    guest.player.stream().write_all(&ping).await.unwrap();
    // The 22 frames of the first take 2.2 s.
    assert!(timeout(Duration::from_millis(500), guest.player.next()).await.is_err());
    assert!(matches!(guest.player.next().await, ServerMessage::Pong(pong) if pong.n == 5));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_before_a_frame_with_too_long_a_length_is_answered() {
    let server = TestServer::open().await;
    let ping = frame(0x81, br#"{"t":"ping","d":{"n":5}}"#);
    // An empty text whose length takes two bytes more than it needs.
    let long = [0x81, 0xfe, 0, 0, 1, 2, 3, 4];
    for after in [vec![], ping.clone()] {
        let mut guest = Player::guest(&server).await;
        let bytes = [ping.clone(), ping.clone(), long.to_vec(), after].concat();
        guest.player.stream().write_all(&bytes).await.unwrap();
        for _ in 0..2 {
            assert!(matches!(guest.player.next().await, ServerMessage::Pong(pong) if pong.n == 5));
        }
        assert_eq!(guest.player.close_frame().await.0, 1002);
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_frame_counts_for_its_bytes() {
    let server =
        TestServer::with(Config { frames_per_second: 2, frames_burst: 1, ..Config::for_tests() }).await;
    let mut guest = Player::guest(&server).await;
    let long = format!(r#"{{"t":"ping","d":{{"n":5,"new":"{}"}}}}"#, "x".repeat(4_000));
    guest.player.send_text(long.clone()).await;
    assert!(matches!(guest.player.next().await, ServerMessage::Pong(pong) if pong.n == 5));
    guest.player.send_text(long).await;
    // The first counts as four frames, which take 2 s.
    assert!(timeout(Duration::from_millis(1_000), guest.player.next()).await.is_err());
    assert!(matches!(guest.player.next().await, ServerMessage::Pong(pong) if pong.n == 5));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn json_as_deep_as_a_frame_is_long() {
    let server = TestServer::open().await;
    let mut guest = Player::guest(&server).await;
    let nested = |open: &str, close: &str| format!("{}1{}", open.repeat(600), close.repeat(600));
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let deep = nested(open, close);
        // In a field that nobody knows it is passed over; where something else is due it is rejected.
        guest.player.send_text(format!(r#"{{"t":"ping","d":{{"n":5,"new":{deep}}}}}"#)).await;
        assert!(matches!(guest.player.next().await, ServerMessage::Pong(pong) if pong.n == 5));
        guest.player.send_text(format!(r#"{{"t":"ping","d":{{"n":{deep}}}}}"#)).await;
        assert_eq!(guest.player.rejection().await.0, Code::BadField);
        guest.player.send_text(deep).await;
        assert_eq!(guest.player.rejection().await.0, Code::NotAMessage);
    }
    guest.player.send_text("[".repeat(4_000)).await;
    assert_eq!(guest.player.rejection().await.0, Code::NotJson);
    guest.player.pong().await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_characters_do_not_come_back() {
    let server = TestServer::open().await;
    let mut guest = Player::guest(&server).await;
    let evil = "\u{1b}[31m\u{7}\u{9b}\u{0}";
    for message in [
        json!({"t": evil, "d": {}}),
        json!({"t": "create_challenge", "d": {"time_control": {"kind": evil}}}),
        json!({"t": "watch", "d": {"game": evil}}),
        json!({"t": "resign", "d": {"game": "000000000000", "id": evil}}),
        json!({"t": "hello", "d": {evil: 1, "token": 7}}),
    ] {
        guest.player.send_text(message.to_string()).await;
        let ServerMessage::Rejected(rejected) = guest.player.next().await else { panic!("{message}") };
        assert!(!rejected.message.chars().any(char::is_control), "{:?}", rejected.message);
    }
    server.ended().await;
}
