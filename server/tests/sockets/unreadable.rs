//! Frames that cannot be read: each is answered with its code, and a game beside them goes on.

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use zeitnot_protocol::Code;

use super::player::Player;
use super::table::Table;
use super::test_server::TestServer;

const GAME: &str = "0123456789Ab";

/// Frames with the code that answers each.
fn unreadable() -> Vec<(Message, Code)> {
    let text = |text: &str, code| (Message::Text(text.replace("GAME", GAME).into()), code);
    vec![
        text("", Code::NotJson),
        text("{", Code::NotJson),
        text("hello", Code::NotJson),
        text(r#"{"t":"ping","d":{"n":1}} x"#, Code::NotJson),
        text(r#"{"t":"ping","d":{"n":1},}"#, Code::NotJson),
        text("\u{0}", Code::NotJson),
        text("null", Code::NotAMessage),
        text("[]", Code::NotAMessage),
        text("17", Code::NotAMessage),
        text(r#"{"d":{}}"#, Code::NotAMessage),
        text(r#"{"t":7}"#, Code::NotAMessage),
        text(r#"{"t":"ping","t":"ping","d":{"n":1}}"#, Code::NotAMessage),
        text(r#"{"t":"fly","d":{}}"#, Code::UnknownType),
        text(r#"{"t":"MOVE","d":{}}"#, Code::UnknownType),
        text(r#"{"t":""}"#, Code::UnknownType),
        text(r#"{"t":"ping"}"#, Code::BadField),
        text(r#"{"t":"ping","d":{"n":-1}}"#, Code::BadField),
        text(r#"{"t":"ping","d":[1]}"#, Code::BadField),
        text(r#"{"t":"watch","d":{"game":"short"}}"#, Code::BadField),
        text(r#"{"t":"move","d":{"game":"GAME","on":1,"uci":"e9e4"}}"#, Code::BadField),
        text(r#"{"t":"move","d":{"game":"GAME","on":4294967296,"uci":"e2e4"}}"#, Code::BadField),
        text(r#"{"t":"resign","d":{"game":"GAME","id":""}}"#, Code::BadField),
        text(r#"{"t":"create_challenge","d":{"time_control":{"kind":"sand"}}}"#, Code::BadField),
        (Message::Binary(b"{}".as_slice().into()), Code::BinaryFrame),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_is_answered_with_its_code_and_a_game_goes_on() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let mut frames = unreadable();
    assert!(frames.len() >= 20);
    // A connection forgives ten: the rest is said on the next one. Moves of the game are played in between.
    let mut moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"].chunks(2);
    while !frames.is_empty() {
        let mut guest = Player::guest(&server).await;
        for (frame, code) in frames.drain(..frames.len().min(10)) {
            guest.player.send(frame.clone()).await;
            let (found, id) = guest.player.rejection().await;
            assert_eq!(found, code, "{frame:?}");
            assert_eq!(id, None, "{frame:?}");
        }
        assert!(guest.player.pong().await.is_empty(), "the connection is as good as before");
        table.play(moves.next().unwrap()).await;
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreadable_command_repeats_its_id_where_that_can_be_read() {
    let server = TestServer::open().await;
    let mut guest = Player::guest(&server).await;
    guest.player.say("move", json!({"game": GAME, "on": "one", "uci": "e2e4", "id": "m1"})).await;
    assert_eq!(guest.player.rejection().await, (Code::BadField, Some("m1".to_owned())));
    server.ended().await;
}
