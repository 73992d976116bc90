//! What HTTP requests of one address and one account may cost, and how many one connection carries.

use std::collections::HashMap;

use futures_util::future::join_all;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufStream};
use tokio::net::TcpStream;
use zeitnot_protocol::{CloseCode, Code, Limits, ServerMessage};
use zeitnot_server::Config;

use super::player::Player;
use super::table::Table;
use super::test_server::{TestServer, guarded};

/// Nothing of it comes back while a test runs: a read of the archive costs twenty.
const ARCHIVE: u32 = 20;
const NO_GAME: &str = "/api/games/000000000000";

fn costing(http_cost_per_minute: u32) -> Config {
    Config { http_cost_per_minute, ..Config::for_tests() }
}

/// A connection that is kept alive.
struct Connection(BufStream<TcpStream>);

impl Connection {
    async fn open(server: &TestServer) -> Self {
        Self(BufStream::new(TcpStream::connect(server.address).await.unwrap()))
    }

    /// The status and the headers.
    async fn get(&mut self, path: &str) -> (u16, HashMap<String, String>) {
        self.0.write_all(format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n").as_bytes()).await.unwrap();
        self.0.flush().await.unwrap();
        guarded("an answer", self.read()).await
    }

    async fn read(&mut self) -> (u16, HashMap<String, String>) {
        let mut line = String::new();
        self.0.read_line(&mut line).await.unwrap();
        let status = line.split(' ').nth(1).unwrap_or_else(|| panic!("no answer: {line:?}")).parse().unwrap();
        let mut headers = HashMap::new();
        loop {
            line.clear();
            self.0.read_line(&mut line).await.unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
        let length = headers["content-length"].parse().unwrap();
        self.0.read_exact(&mut vec![0; length]).await.unwrap();
        (status, headers)
    }

    async fn is_closed(&mut self) -> bool {
        guarded("the end", self.0.read(&mut [0; 1])).await.unwrap_or(0) == 0
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_cost_their_address_or_the_account_whose_token_they_show() {
    // Two guests cost two each.
    let server = TestServer::with(costing(4 + 2 * ARCHIVE + 1)).await;
    let mut guests = Vec::new();
    for _ in 0..2 {
        let cookie = server.ask("POST", "/api/guest").await.set_cookie.unwrap();
        guests.push(format!("Bearer {}", cookie.split(['=', ';']).nth(1).unwrap()));
    }
    let [one, two] = guests.try_into().unwrap();
    for path in [NO_GAME, "/api/players/nobody/games"] {
        assert_eq!(server.get(path).await.status, 404);
    }
    let limited = server.get(NO_GAME).await;
    assert_eq!((limited.status, limited.code().as_str()), (429, "too_many_requests"));
    let wait = limited.head.lines().find_map(|line| line.strip_prefix("retry-after: ")).unwrap();
    assert!((1..=60).contains(&wait.parse::<u32>().unwrap()), "{wait}");
    assert!(limited.head.contains("access-control-allow-origin: *"), "a page of another site can read it");

    for _ in 0..2 {
        let answer = server.ask_with("GET", NO_GAME, &[("Authorization", &one)]).await;
        assert_eq!(answer.code(), "unknown_game", "an account pays for itself");
    }
    server.ask_with("GET", NO_GAME, &[("Authorization", &two)]).await;
    assert_eq!(server.ask_with("GET", "/api/me", &[("Authorization", &one)]).await.status, 200);
    let limited = server.ask_with("GET", NO_GAME, &[("Authorization", &one)]).await;
    assert_eq!(limited.code(), "too_many_requests");
    assert_eq!(server.ask_with("GET", NO_GAME, &[("Authorization", &two)]).await.code(), "unknown_game");
    let guess = [("Authorization", "Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")];
    assert_eq!(server.ask_with("GET", NO_GAME, &guess).await.status, 429, "a bad token pays for nothing");

    assert_eq!(server.get("/").await.status, 200, "a file costs little");
    for _ in 0..100 {
        assert_eq!(server.get("/healthz").await.status, 200, "a check of this machine costs nothing");
    }
    Player::guest(&server).await.player.leave().await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_reads_of_the_archive_at_once_are_answered_or_told_to_come_back() {
    let server = TestServer::with(costing(1_000_000)).await;
    let Table { game, mut white, .. } = Table::set(&server).await;
    white.player.say("resign", json!({"game": game})).await;
    white.player.until(|message| matches!(message, ServerMessage::Ended(_)).then_some(())).await;
    let paths = [format!("/api/games/{game}"), format!("/api/games/{game}/pgn")];
    for _ in 0..2 {
        let mut connections = Vec::new();
        for _ in 0..100 {
            connections.push(Connection::open(&server).await);
        }
        let asked =
            connections.into_iter().zip(paths.iter().cycle()).map(|(mut connection, path)| async move {
                let mut answers = Vec::new();
                for _ in 0..3 {
                    let (status, headers) = connection.get(path).await;
                    assert!(status == 200 || headers.contains_key("retry-after"), "{status}: {headers:?}");
                    answers.push(status);
                }
                answers
            });
        let answers = join_all(asked).await.concat();
        let count = |status: u16| answers.iter().filter(|found| **found == status).count();
        assert_eq!(count(200) + count(429) + count(503), 300);
        assert!(count(200) >= 8, "{answers:?}");
    }
    // As many as one payer may have at once.
    let all = join_all(paths.iter().cycle().take(8).map(|path| server.get(path))).await;
    let answers: Vec<_> = all.iter().map(|answer| answer.status).collect();
    assert_eq!(answers, [200; 8], "every place was given back");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_carries_so_many_requests() {
    let other_limits = Limits { http_requests_per_connection: 3, ..Limits::STANDARD };
    let server = TestServer::with(Config { other_limits, ..Config::for_tests() }).await;
    let mut connection = Connection::open(&server).await;
    for _ in 0..2 {
        let (status, headers) = connection.get("/healthz").await;
        assert_eq!((status, headers.get("connection")), (200, None));
    }
    let (status, headers) = connection.get("/healthz").await;
    assert_eq!((status, headers["connection"].as_str()), (200, "close"));
    assert!(connection.is_closed().await);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_does_not_wait_has_to_connect_again() {
    let server = TestServer::with(costing(ARCHIVE)).await;
    let mut connection = Connection::open(&server).await;
    assert_eq!(connection.get(NO_GAME).await.0, 404);
    for number in 1..=4 {
        let (status, headers) = connection.get(NO_GAME).await;
        let closes = headers.get("connection").is_some_and(|value| value == "close");
        assert_eq!((status, closes), (429, number == 4));
    }
    assert!(connection.is_closed().await);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_tokens_are_counted_for_the_connection() {
    let server = TestServer::open().await;
    let mut player = Player::connect(&server).await;
    for _ in 0..Limits::STANDARD.bad_tokens_per_connection {
        player.say("hello", json!({"token": "a guess"})).await;
        assert_eq!(player.rejection().await.0, Code::BadToken);
    }
    player.say("hello", json!({"token": "a guess"})).await;
    assert_eq!(player.closed().await, CloseCode::BadTokens);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_tokens_are_counted_for_the_address() {
    // One comes back after twenty seconds.
    let server =
        TestServer::with(Config { bad_tokens_per_address_per_minute: 3, ..Config::for_tests() }).await;
    let cookie = server.ask("POST", "/api/guest").await.set_cookie.unwrap();
    let good = format!("Bearer {}", cookie.split(['=', ';']).nth(1).unwrap());
    let guess = [("Authorization", "Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")];
    for path in ["/api/me", "/api/me", NO_GAME] {
        server.ask_with("GET", path, &guess).await;
    }
    for path in ["/api/me", "/api/guest"] {
        let method = if path == "/api/me" { "GET" } else { "DELETE" };
        let answer = server.ask_with(method, path, &[("Authorization", &good)]).await;
        assert_eq!((answer.status, answer.code().as_str()), (429, "too_many_bad_tokens"), "{path}");
    }
    let mut player = Player::connect(&server).await;
    player.say("hello", json!({"token": good.trim_start_matches("Bearer ")})).await;
    assert_eq!(player.rejection().await.0, Code::TooManyBadTokens);
    player.say("hello", json!({"guest": true})).await;
    assert!(player.welcome().await.account.is_some(), "a new guest needs no token");
    assert_eq!(server.ask_with("GET", NO_GAME, &guess).await.status, 404, "what is public is");
    server.ended().await;
}
