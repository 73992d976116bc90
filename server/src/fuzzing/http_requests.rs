//! Requests of HTTP, as the server answers them: any bytes get whole answers, none of them an error of ours.

use std::cell::OnceCell;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use clap::Parser as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::runtime::{Builder, Runtime};

use crate::config::Config;
use crate::http;
use crate::server::Server;

/// Answers are read no further: the files of the page are long, and a request may ask for many.
const ANSWERS_BYTES_MAX: u64 = 256 * 1024;

/// Longer than any pause of the server but for the head of a request, which never waits: the client has said all.
const ANSWER_WITHIN: Duration = Duration::from_secs(8);

/// What the server may answer.
const STATUSES: [&str; 18] = [
    "101", "200", "201", "204", "304", "400", "401", "403", "404", "405", "413", "414", "426", "429", "431",
    "501", "503", "505",
];

struct World {
    runtime: Runtime,
    server: Server,
}

thread_local! {
    static WORLD: OnceCell<World> = const { OnceCell::new() };
}

impl World {
    /// A server in memory whose rates never reject.
    fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        let config = Config::parse_from([
            "zeitnot",
            "--journal=memory",
            "--verdict-threads=1",
            "--http-cost-per-minute=1000000",
            "--bad-tokens-per-address-per-minute=1000000",
            "--new-connections-per-address-per-minute=1000000",
        ]);
        let server = runtime.block_on(async { Server::open(&config) }).expect("a server in memory starts");
        Self { runtime, server }
    }

    /// What the server answers to a client that sends these bytes and nothing more.
    fn answer(&self, bytes: &[u8]) -> Vec<u8> {
        let (mut client, server) = tokio::io::duplex(64 * 1024);
        let served = http::serve_one(self.server.http_state(), server, IpAddr::V4(Ipv4Addr::LOCALHOST));
        let asked = async {
            let mut answers = Vec::new();
            // A server that has closed takes no more.
            drop(client.write_all(bytes).await);
            drop(client.shutdown().await);
            drop((&mut client).take(ANSWERS_BYTES_MAX).read_to_end(&mut answers).await);
            drop(client);
            answers
        };
        let both = async { tokio::join!(served, asked).1 };
        let answer = async { tokio::time::timeout(ANSWER_WITHIN, both).await };
        self.runtime.block_on(answer).expect("a connection ends after its last request")
    }
}

/// Reads bytes as requests on one connection.
///
/// # Panics
/// When a property does not hold.
pub fn http_requests(data: &[u8]) {
    let answers = WORLD.with(|world| world.get_or_init(World::new).answer(data));
    if answers.is_empty() {
        return;
    }
    let end = answers.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("an answer has a whole head");
    let head = std::str::from_utf8(&answers[..end]).expect("a head is text").to_ascii_lowercase();
    let body = &answers[end + 4..];
    let status = head.strip_prefix("http/1.").and_then(|rest| rest.get(2..5)).unwrap_or_default();
    assert!(STATUSES.contains(&status), "{head}");

    let header = |name: &str| {
        head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned))
    };
    let is_for_all = header("access-control-allow-origin").is_some();
    assert!(!(is_for_all && header("set-cookie").is_some()), "other sites read no identity: {head}");
    // hyper answers by itself what is no request at all.
    let is_ours = header("x-content-type-options").is_some();
    assert!(is_ours || body.is_empty() || !status.starts_with('2'), "{head}");
    let is_whole = !data.starts_with(b"HEAD ") && !body.is_empty();
    if is_ours && is_whole && (status.starts_with('4') || status.starts_with('5')) {
        let length = header("content-length").and_then(|text| text.parse::<usize>().ok()).expect("a length");
        let error: serde_json::Value = serde_json::from_slice(&body[..length]).expect("an error is JSON");
        let is_coded = error["code"].is_string() && error["message"].is_string();
        // Calls of the Lichess API are rejected as there.
        assert!(is_coded || !error["error"].is_null(), "{error}");
    }
}
