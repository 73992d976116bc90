//! Frames by the hundred, nested frames, and what comes back of a frame's text.

use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use zeitnot_protocol::{CloseCode, Code, ServerMessage};
use zeitnot_server::Config;

use super::house::House;
use super::player::{Player, frame};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pings_and_pongs_count_as_frames() {
    let house = House::with(Config { frames_per_second: 1, frames_burst: 5, ..Config::for_tests() }).await;
    for opcode in [0x89, 0x8a] {
        let mut guest = Player::guest(&house).await;
        guest.player.stream().write_all(&frame(opcode, b"x").repeat(100)).await.unwrap();
        assert_eq!(guest.player.closed().await, CloseCode::Flood, "{opcode:#x}");
    }
    house.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn json_as_deep_as_a_frame_is_long() {
    let house = House::open().await;
    let mut guest = Player::guest(&house).await;
    let nested = |open: &str, close: &str| format!("{}1{}", open.repeat(600), close.repeat(600));
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let deep = nested(open, close);
        // In a field that nobody knows it is passed over; where something else is due it is refused.
        guest.player.send_text(format!(r#"{{"t":"ping","d":{{"n":5,"new":{deep}}}}}"#)).await;
        assert!(matches!(guest.player.next().await, ServerMessage::Pong(pong) if pong.n == 5));
        guest.player.send_text(format!(r#"{{"t":"ping","d":{{"n":{deep}}}}}"#)).await;
        assert_eq!(guest.player.refusal().await.0, Code::BadField);
        guest.player.send_text(deep).await;
        assert_eq!(guest.player.refusal().await.0, Code::NotAMessage);
    }
    guest.player.send_text("[".repeat(4_000)).await;
    assert_eq!(guest.player.refusal().await.0, Code::NotJson);
    guest.player.pong().await;
    house.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_characters_do_not_come_back() {
    let house = House::open().await;
    let mut guest = Player::guest(&house).await;
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
    house.ended().await;
}
