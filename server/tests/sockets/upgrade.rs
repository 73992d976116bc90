//! From HTTP to WebSocket: who is let in, and what the others are told.

use serde_json::json;
use tokio_tungstenite::tungstenite::Error;
use zeitnot_protocol::{Code, SUBPROTOCOL};

use super::player::{Player, upgrade};
use super::test_server::{Answer, TestServer};

/// The headers of a good upgrade.
const GOOD: [(&str, &str); 5] = [
    ("Host", "test"),
    ("Connection", "Upgrade"),
    ("Upgrade", "websocket"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
];

/// Asks for an upgrade with these headers.
async fn ask(server: &TestServer, version: &str, headers: &[(&str, &str)]) -> Answer {
    let headers = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<String>();
    server.raw(&format!("GET /ws {version}\r\n{headers}\r\n")).await
}

/// The good headers with one replaced, or left out.
fn but<'a>(name: &str, value: Option<&'a str>) -> Vec<(&'a str, &'a str)> {
    let others = GOOD.into_iter().filter(|(other, _)| *other != name);
    let name = GOOD.iter().find(|(other, _)| *other == name).unwrap().0;
    others.chain(value.map(|value| (name, value))).chain([("X-Last", "close")]).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bad_upgrade_is_told_what_is_wrong() {
    let server = TestServer::open().await;
    // `Connection: close` ends the answer's stream where the header itself is not what is tested.
    let close = ("Connection", "close");
    for (headers, status, code) in [
        (vec![("Host", "test"), close], 400, "bad_upgrade"),
        (but("Connection", Some("close")), 400, "bad_upgrade"),
        ([but("Upgrade", None), vec![close]].concat(), 400, "bad_upgrade"),
        ([but("Upgrade", Some("h2c")), vec![close]].concat(), 400, "bad_upgrade"),
        ([but("Sec-WebSocket-Version", Some("8")), vec![close]].concat(), 426, "bad_websocket_version"),
        ([but("Sec-WebSocket-Version", None), vec![close]].concat(), 426, "bad_websocket_version"),
        ([but("Sec-WebSocket-Key", None), vec![close]].concat(), 400, "bad_upgrade"),
        ([but("Sec-WebSocket-Key", Some("c2hvcnQ=")), vec![close]].concat(), 400, "bad_upgrade"),
    ] {
        let answer = ask(&server, "HTTP/1.1", &headers).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{headers:?}");
        assert_eq!(answer.head.contains("sec-websocket-version: 13"), status == 426);
    }
    let old = ask(&server, "HTTP/1.0", &GOOD).await;
    assert_eq!((old.status, old.code().as_str()), (400, "bad_upgrade"));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_answer_is_that_of_rfc_6455() {
    let server = TestServer::open().await;
    let mut player = Player::connect(&server).await;
    player.say("hello", json!({})).await;
    player.welcome().await;
    // The client's library checks Sec-WebSocket-Accept; the example of the RFC is checked by hand.
    assert_eq!(
        tokio_tungstenite::tungstenite::handshake::derive_accept_key(b"dGhlIHNhbXBsZSBub25jZQ=="),
        "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    );
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn subprotocols() {
    let server = TestServer::open().await;
    // The client's library rejects an answer that does not go with what it offered.
    for offered in [SUBPROTOCOL, "zeitnot.v9.json, zeitnot.v1.json"] {
        let request = upgrade(&server).header("Sec-WebSocket-Protocol", offered);
        let mut player = Player::connect_with(&server, request).await.unwrap();
        player.say("hello", json!({})).await;
        player.welcome().await;
    }
    let request = upgrade(&server).header("Sec-WebSocket-Protocol", "zeitnot.v2.json");
    let Err(error) = Player::connect_with(&server, request).await else { panic!("it was let in") };
    let Error::Http(response) = *error else { panic!("{error}") };
    assert_eq!(response.status(), 400);
    let body: serde_json::Value = serde_json::from_slice(response.body().as_ref().unwrap()).unwrap();
    assert_eq!(body["code"], "unknown_subprotocol");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bearer_is_welcome_without_hello() {
    let server = TestServer::open().await;
    let guest = Player::guest(&server).await;
    let request = upgrade(&server).header("Authorization", format!("Bearer {}", guest.token));
    let mut player = Player::connect_with(&server, request).await.unwrap();
    let welcome = player.welcome().await;
    assert_eq!((welcome.account, welcome.token), (Some(guest.account), None));
    player.say("hello", json!({})).await;
    assert_eq!(player.rejection().await.0, Code::AlreadyIdentified);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bad_authorization_is_rejected_before_the_upgrade() {
    let server = TestServer::open().await;
    let unknown = format!("Bearer {}", "A".repeat(43));
    for (value, status, code) in [
        (unknown.as_str(), 401, "bad_token"),
        ("Bearer", 400, "bad_authorization"),
        ("Basic dXNlcjpwYXNz", 400, "bad_authorization"),
        ("Bearer short", 401, "bad_token"),
    ] {
        let headers = [&GOOD[..], &[("Authorization", value), ("Connection", "close")]].concat();
        let answer = ask(&server, "HTTP/1.1", &headers).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{value}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_sent_along_with_the_request_are_read() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let server = TestServer::open().await;
    let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let headers = GOOD.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<String>();
    // A guest has to be made first, which is not done in the turn that reads the frame.
    let hello = br#"{"t":"hello","d":{"guest":true}}"#;
    let frame = [&[0x81, 0x80 | hello.len() as u8, 0, 0, 0, 0], &hello[..]].concat();
    let request = [format!("GET /ws HTTP/1.1\r\n{headers}\r\n").as_bytes(), &frame].concat();
    stream.write_all(&request).await.unwrap();
    let mut bytes = Vec::new();
    while !String::from_utf8_lossy(&bytes).contains(r#"{"t":"welcome""#) {
        let mut piece = [0; 1024];
        let length = super::test_server::guarded("welcome", stream.read(&mut piece)).await.unwrap();
        assert_ne!(length, 0, "closed after {}", String::from_utf8_lossy(&bytes));
        bytes.extend_from_slice(&piece[..length]);
    }
    server.ended().await;
}
