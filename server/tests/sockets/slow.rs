//! Those who connect and do nothing, or next to nothing.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::interval;
use zeitnot_protocol::{CloseCode, Limits};
use zeitnot_server::Config;

use super::player::Player;
use super::table::Table;
use super::test_server::{TestServer, guarded};

/// Ten seconds in a second's fifth.
fn impatient() -> Config {
    let other_limits = Limits { hello_timeout_ms: 200, ping_every_ms: 100, ..Limits::STANDARD };
    Config { head_timeout_ms: 200, other_limits, ..Config::for_tests() }
}

/// Sends an octet every few milliseconds until the server has had enough: what it said, and how many octets that took.
async fn drip(server: &TestServer, octets: &[u8]) -> (String, usize) {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let (mut reading, mut writing) = stream.split();
    let (mut text, mut sent) = (Vec::new(), 0);
    let writes = async {
        let mut pace = interval(Duration::from_millis(5));
        for octet in octets {
            pace.tick().await;
            if writing.write_all(&[*octet]).await.is_err() {
                break;
            }
            sent += 1;
        }
        std::future::pending::<()>().await;
    };
    guarded("the end", async {
        tokio::select! {
            _ = reading.read_to_end(&mut text) => {}
            () = writes => {}
        }
    })
    .await;
    (String::from_utf8(text).unwrap(), sent)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_head_that_is_dripped() {
    let server = TestServer::with(impatient()).await;
    // Each octet comes in time; the head as a whole never does.
    let endless = format!("GET /ws HTTP/1.1\r\nHost: test\r\nX-Slow: {}", "x".repeat(4_000));
    let (text, sent) = drip(&server, endless.as_bytes()).await;
    assert!(!text.contains("200 OK") && !text.contains("101 "), "{text}");
    assert!(sent < endless.len(), "it was never cut");
    // Long enough for a head that comes at all.
    assert_eq!(server.get("/healthz").await.status, 200);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_asks_nothing() {
    let server = TestServer::with(impatient()).await;
    let mut silent = TcpStream::connect(server.address).await.unwrap();
    assert_eq!(guarded("the end", silent.read(&mut [0; 9])).await.unwrap_or(0), 0);
    // Nor one that asked once.
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n").await.unwrap();
    let mut text = String::new();
    guarded("the end", idle.read_to_string(&mut text)).await.unwrap();
    assert!(text.starts_with("HTTP/1.1 200 ") && text.ends_with("ready\n"), "{text}");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_is_announced_and_does_not_come() {
    let server = TestServer::with(impatient()).await;
    let mut slow = TcpStream::connect(server.address).await.unwrap();
    slow.write_all(b"POST /api/guest HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\nx").await.unwrap();
    let mut text = String::new();
    guarded("the end", slow.read_to_string(&mut text)).await.unwrap();
    assert!(text.starts_with("HTTP/1.1 201 "), "nobody waits for it: {text}");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_only_watches_says_what() {
    let server = TestServer::with(impatient()).await;
    let mut table = Table::set(&server).await;
    let mut idle = Player::watcher(&server).await;
    let mut watcher = Player::watcher(&server).await;
    watcher.say("watch", json!({"game": table.game})).await;
    // Whoever has an identity may stay: games and challenges come to it unasked.
    let mut guest = Player::guest(&server).await;
    assert_eq!(idle.closed().await, CloseCode::NoHello);
    let later = async {
        for player in [&mut watcher, &mut guest.player, &mut table.white.player] {
            player.hear_pings(3).await;
            player.pong().await;
        }
    };
    guarded("pings", later).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_connections_of_one_address_are_limited() {
    let limit = Config { new_connections_per_address_per_minute: Some(3), ..Config::for_tests() };
    let server = TestServer::with(limit).await;
    for _ in 0..3 {
        assert_eq!(server.get("/robots.txt").await.status, 200);
    }
    let answer = server.get("/robots.txt").await;
    assert_eq!((answer.status, answer.code().as_str()), (429, "too_many_new_connections"));
    assert!(answer.head.contains("retry-after"), "{answer:?}");
    server.ended().await;
}
