//! Behind a proxy: whose address counts.

use serde_json::json;
use zeitnot_protocol::Code;
use zeitnot_server::Config;

use super::player::{Player, upgrade};
use super::test_server::{TestServer, guarded};

fn behind(proxies: &[&str]) -> Config {
    let trusted_proxy = proxies.iter().map(|proxy| proxy.parse().unwrap()).collect();
    Config { trusted_proxy, ..Config::for_tests() }
}

async fn guest_of(server: &TestServer, client: &str) -> u16 {
    server.ask_with("POST", "/api/guest", &[("X-Forwarded-For", client)]).await.status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trusted_proxys_clients_are_counted_each_for_itself() {
    let server =
        TestServer::with(Config { guests_per_address_per_minute: 1, ..behind(&["127.0.0.0/8"]) }).await;
    assert_eq!(guest_of(&server, "192.0.2.1").await, 201);
    assert_eq!(guest_of(&server, "192.0.2.1").await, 429);
    assert_eq!(guest_of(&server, "192.0.2.2").await, 201);
    // What the client itself wrote stands on the left.
    assert_eq!(guest_of(&server, "203.0.113.7, 192.0.2.1").await, 429);
    assert_eq!(guest_of(&server, "203.0.113.8, 192.0.2.2, 127.0.0.9").await, 429);
    // Of IPv6 the first half.
    assert_eq!(guest_of(&server, "2001:db8:0:1::1").await, 201);
    assert_eq!(guest_of(&server, "2001:db8:0:1:ffff::2").await, 429);

    let request = upgrade(&server).header("X-Forwarded-For", "192.0.2.1");
    let mut player = Player::connect_with(&server, request).await.unwrap();
    player.say("hello", json!({"guest": true})).await;
    assert_eq!(player.rejection().await.0, Code::TooManyGuests, "also over the WebSocket");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_else_is_believed() {
    let server =
        TestServer::with(Config { guests_per_address_per_minute: 1, ..behind(&["10.0.0.0/8"]) }).await;
    assert_eq!(guest_of(&server, "192.0.2.1").await, 201);
    assert_eq!(guest_of(&server, "192.0.2.2").await, 429, "both came from the loopback, which counts too");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_of_a_proxys_client_are_limited() {
    let server = TestServer::with(Config { connections_per_address: 2, ..behind(&["127.0.0.1"]) }).await;
    let connect = async |client: &str| {
        Player::connect_with(&server, upgrade(&server).header("X-Forwarded-For", client)).await.ok()
    };
    let first = connect("192.0.2.1").await.unwrap();
    let _second = connect("192.0.2.1").await.unwrap();
    assert!(connect("192.0.2.1").await.is_none());
    let _other = connect("192.0.2.2").await.unwrap();
    first.leave().await;
    let again = async { while connect("192.0.2.1").await.is_none() {} };
    guarded("a free place", again).await;
    assert_eq!(server.get("/healthz").await.status, 200, "the proxy itself is not limited");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_says_that_it_speaks_https() {
    let server = TestServer::with(behind(&["127.0.0.1"])).await;
    let https = [("X-Forwarded-Proto", "https"), ("Origin", "https://test")];
    let answer = server.ask_with("POST", "/api/guest", &https).await;
    assert!(answer.set_cookie.unwrap().starts_with("__Host-zeitnot="));
    let plain = [("X-Forwarded-Proto", "https"), ("Origin", "http://test")];
    assert_eq!(server.ask_with("POST", "/api/guest", &plain).await.status, 403);
    server.ended().await;
}
