//! Connections that the server closes, and the code that says why.

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_tungstenite::tungstenite::Message;
use zeitnot_protocol::{CloseCode, Code, Limits, ServerMessage};
use zeitnot_server::Config;

use super::player::{Player, frame};
use super::table::{Table, ok, send_move};
use super::test_server::{TestServer, guarded, spawn};

fn impatient(hello_timeout_ms: u32, ping_every_ms: u32, pong_timeout_ms: u32) -> Config {
    let other_limits = Limits { hello_timeout_ms, ping_every_ms, pong_timeout_ms, ..Limits::STANDARD };
    Config { other_limits, ..Config::for_tests() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_is_too_long() {
    let server = TestServer::open().await;
    let mut fits = Player::guest(&server).await;
    let padding = " ".repeat(4096 - r#"{"t":"ping","d":{"n":1}}"#.len());
    fits.player.send_text(format!(r#"{{"t":"ping","d":{{"n":1}}}}{padding}"#)).await;
    assert!(matches!(fits.player.next().await, ServerMessage::Pong(_)));
    fits.player.send_text(" ".repeat(4097)).await;
    assert_eq!(fits.player.closed().await, CloseCode::TooBig);
    // So long that most of it is unread when the server has had enough.
    let mut long = Player::guest(&server).await;
    long.player.send_text("x".repeat(3_000_000)).await;
    assert_eq!(long.player.closed().await, CloseCode::TooBig);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_is_not_utf_8() {
    let server = TestServer::open().await;
    let mut guest = Player::guest(&server).await;
    guest.player.stream().write_all(&frame(0x81, b"{\xff\xfe}")).await.unwrap();
    assert_eq!(guest.player.closed().await, CloseCode::NotUtf8);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_against_the_websocket_protocol() {
    let server = TestServer::open().await;
    for bytes in [
        b"\x81\x02{}".to_vec(),                                                 // not masked
        frame(0xc1, b"{}"),                                                     // a reserved bit
        frame(0x83, b"{}"),                                                     // an unknown opcode
        frame(0x80, b"{}"),                                                     // a continuation of nothing
        frame(0x09, b""),                                                       // a fragmented ping
        b"\x81\xfe\x00\x02\x00\x00\x00\x00{}".to_vec(), // two bytes of length where none is needed
        b"\x81\xff\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00{}".to_vec(), // eight of them
    ] {
        let mut guest = Player::guest(&server).await;
        guest.player.stream().write_all(&bytes).await.unwrap();
        assert_eq!(guest.player.close_frame().await, (1002, String::new()), "{bytes:x?}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_in_fragments_is_one_message() {
    let server = TestServer::open().await;
    let mut guest = Player::guest(&server).await;
    let pieces = [
        frame(0x01, br#"{"t":"pi"#),
        frame(0x89, b"now"),
        frame(0x00, br#"ng","d":"#),
        frame(0x80, br#"{"n":5}}"#),
    ];
    for piece in pieces {
        guest.player.stream().write_all(&piece).await.unwrap();
    }
    assert!(matches!(guest.player.next().await, ServerMessage::Pong(pong) if pong.n == 5));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_eleventh_unreadable_frame() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let mut guest = Player::guest(&server).await;
    for _ in 0..10 {
        guest.player.send_text("{").await;
        assert_eq!(guest.player.rejection().await.0, Code::NotJson);
    }
    guest.player.send(Message::Binary(vec![1].into())).await;
    assert_eq!(guest.player.closed().await, CloseCode::BadFrames);
    table.play(&["e2e4", "e7e5"]).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood() {
    let server =
        TestServer::with(Config { frames_per_second: 1, frames_burst: 5, ..Config::for_tests() }).await;
    let guest = Player::guest(&server).await;
    let pings = frame(0x81, br#"{"t":"ping","d":{"n":7}}"#).repeat(100);
    let mut stream = guest.player.freeze();
    stream.write_all(&pings).await.unwrap();
    let mut bytes = Vec::new();
    guarded("the end", stream.read_to_end(&mut bytes)).await.unwrap();
    let close = bytes.windows(4).any(|bytes| bytes[0] == 0x88 && bytes[2..4] == 4502_u16.to_be_bytes());
    assert!(close, "no close frame with 4502");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_over_the_rate_waits_and_loses_nothing() {
    let server =
        TestServer::with(Config { frames_per_second: 200, frames_burst: 1, ..Config::for_tests() }).await;
    let mut guest = Player::guest(&server).await;
    for _ in 0..50 {
        guest.player.pong().await;
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silence_instead_of_hello() {
    let server = TestServer::with(impatient(100, 5_000, 15_000)).await;
    let mut silent = Player::connect(&server).await;
    assert_eq!(silent.closed().await, CloseCode::NoHello);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pings_that_nobody_answers() {
    let server = TestServer::with(impatient(10_000, 50, 300)).await;
    let guest = Player::guest(&server).await;
    let mut stream = guest.player.freeze();
    let mut bytes = Vec::new();
    guarded("the end", stream.read_to_end(&mut bytes)).await.unwrap();
    let pings = bytes.windows(2).filter(|pair| *pair == [0x89, 4]).count();
    assert!((3..=7).contains(&pings), "{pings} pings in 300 ms");
    let close = bytes.windows(4).any(|bytes| bytes[0] == 0x88 && bytes[2..4] == 4002_u16.to_be_bytes());
    assert!(close, "no close frame with 4002 in {bytes:?}");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_answers_pings_stays() {
    let server = TestServer::with(impatient(10_000, 20, 200)).await;
    let mut guest = Player::guest(&server).await;
    // Three times the patience passes while the client reads, and so answers pings.
    guest.player.hear_pings(30).await;
    guest.player.pong().await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_does_not_read_is_closed_and_the_game_goes_on() {
    let server =
        TestServer::with(Config { frames_per_second: 100_000, ..impatient(10_000, 100, 1_000) }).await;
    let mut table = Table::set(&server).await;
    let mut lazy = Player::guest(&server).await;
    lazy.player.say("watch", json!({"game": table.game})).await;
    let mut stream = lazy.player.freeze();
    // Snapshots pile up: far more than the buffers between the two ends hold.
    let ask = format!(r#"{{"t":"watch","d":{{"game":"{}"}}}}"#, table.game);
    let asks = frame(0x81, ask.as_bytes()).repeat(100);
    let lazy = spawn(async move { while stream.write_all(&asks).await.is_ok() {} });
    // The players answer pings all the while, and nobody disturbs them.
    while !lazy.is_finished() {
        table.white.player.pong().await;
        table.black.player.pong().await;
    }
    send_move(&mut table.white.player, table.game, 1, "e2e4").await;
    assert_eq!(ok(&mut table.white.player).await, Some(2));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_ninth_connection_of_an_account() {
    let server = TestServer::open().await;
    let guest = Player::guest(&server).await;
    let mut tabs = Vec::new();
    for _ in 1..8 {
        tabs.push(guest.tab(&server).await);
    }
    let mut ninth = Player::connect(&server).await;
    ninth.say("hello", json!({"token": guest.token})).await;
    assert_eq!(ninth.closed().await, CloseCode::TooManyConnections);
    tabs.pop().unwrap().leave().await;
    // The place is free when the server has noticed that the tab is gone.
    let again = async {
        loop {
            let mut player = Player::connect(&server).await;
            player.say("hello", json!({"token": guest.token})).await;
            if matches!(player.first().await, Some(ServerMessage::Welcome(_))) {
                return;
            }
        }
    };
    guarded("a free place", again).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guests_of_one_address_are_limited() {
    let server = TestServer::with(Config { guests_per_address_per_minute: 3, ..Config::for_tests() }).await;
    for _ in 0..3 {
        Player::guest(&server).await;
    }
    let mut fourth = Player::connect(&server).await;
    fourth.say("hello", json!({"guest": true})).await;
    assert_eq!(fourth.rejection().await.0, Code::TooManyGuests);
    fourth.say("hello", json!({})).await;
    assert_eq!(fourth.welcome().await.limits.guests_per_address_per_minute, 3);
    server.ended().await;
}
