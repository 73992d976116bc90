//! What streams take of the connections that an address may have.

use zeitnot_server::Config;

use super::client::{Lines, Program};
use crate::test_server::{TestServer, guarded};

/// A server behind a proxy on this machine, where an address may have two connections.
async fn behind_a_proxy() -> TestServer {
    let trusted_proxy = vec!["127.0.0.1".parse().unwrap()];
    TestServer::with(Config { trusted_proxy, connections_per_address: 2, ..Config::for_tests() }).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_behind_a_proxy_are_counted_for_their_client() {
    let server = behind_a_proxy().await;
    let one = Program::board(&server, "Castle").await;
    let feed = async |client: &str| Lines::forwarded(&server, "/api/tv/feed", client, None).await;
    let events =
        async |client: &str| Lines::forwarded(&server, "/api/stream/event", client, Some(&one)).await;
    let first = feed("192.0.2.1").await;
    let second = feed("192.0.2.1").await;
    assert_eq!((first.status, second.status), (200, 200));
    assert_eq!(feed("192.0.2.1").await.status, 503, "both places are taken");
    assert_eq!(events("192.0.2.1").await.status, 503, "also for a program with a token");
    assert_eq!(feed("203.0.113.7, 192.0.2.1").await.status, 503, "whatever the client itself wrote");
    let other = feed("192.0.2.2").await;
    assert_eq!((other.status, events("192.0.2.2").await.status), (200, 200));
    drop(first);
    let again = async { while feed("192.0.2.1").await.status != 200 {} };
    guarded("the place of a stream that was left", again).await;
    drop((second, other));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_streams_of_an_account_count_as_one_connection_of_their_address() {
    // Besides the streams there is room for a connection that has just closed and for the next one.
    let config = Config {
        connections_per_address: 3,
        new_connections_per_address_per_minute: Some(6_000),
        ..Config::for_tests()
    };
    let server = TestServer::with(config).await;
    let one = Program::board(&server, "Castle").await;
    let mut streams = Vec::new();
    for _ in 0..8 {
        let mut events = one.events(&server).await;
        assert_eq!((events.status, events.first_chunk().await), (200, "\n".to_owned()));
        streams.push(events);
    }
    let seek = Lines::post(&server, "/api/board/seek", &one.token, "time=3&increment=2&rated=true").await;
    assert_eq!(seek.status, 200);
    assert_eq!(one.get(&server, "/api/account/playing").await.status(), 200);
    let other = Program::board(&server, "Knight").await;
    let third = Program::board(&server, "Bishop").await;
    for program in [&other, &third] {
        // A connection that has just closed may still have its place.
        let opened = async {
            loop {
                let events = program.events(&server).await;
                if events.status == 200 {
                    break events;
                }
            }
        };
        streams.push(guarded("a place for another account", opened).await);
    }
    let one_more = Lines::watch(&server, "/api/tv/feed").await;
    assert_eq!(one_more.status, 429, "each account has a place");
    server.ended().await;
}
