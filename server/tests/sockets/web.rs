//! HTTP as some clients send it: odd methods, paths, lengths and orders.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::test_server::{TestServer, guarded};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn head_is_get_without_the_body() {
    let server = TestServer::open().await;
    for (path, status) in [("/", 200), ("/healthz", 200), ("/nothing", 404), ("/api/me", 401), ("/ws", 400)] {
        let answer = server.ask("HEAD", path).await;
        assert_eq!((answer.status, answer.body.as_str()), (status, ""), "{path}");
        assert!(answer.head.contains("content-length: "), "{answer:?}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_stands_beside_the_page_has_its_type_and_is_asked_about_each_time() {
    let server = TestServer::open().await;
    for (path, kind) in [
        ("/sw.js", "text/javascript; charset=utf-8"),
        ("/manifest.webmanifest", "application/manifest+json"),
        ("/icon-192.png", "image/png"),
    ] {
        let answer = server.ask("HEAD", path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.head.contains(&format!("content-type: {kind}\r\n")), "{answer:?}");
        assert!(answer.head.contains("cache-control: no-cache\r\n"), "{answer:?}");
    }
    assert_eq!(server.get("/index.html").await.code(), "not_found", "the page has one address");
    assert_eq!(server.ask("POST", "/sw.js").await.code(), "not_found");
    let policy = server.ask("HEAD", "/").await.head;
    assert!(policy.contains("manifest-src 'self'; worker-src 'self'"), "{policy}");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn methods_and_paths_that_nobody_knows() {
    let server = TestServer::open().await;
    for (method, path, status, code) in [
        ("BREW", "/", 405, "method_not_allowed"),
        ("OPTIONS", "/api/guest", 405, "method_not_allowed"),
        ("GET", "/api/guest", 405, "method_not_allowed"),
        ("PATCH", "/api/games/000000000000", 405, "method_not_allowed"),
        ("POST", "/echo", 404, "not_found"),
        ("GET", "/echo", 404, "not_found"),
        ("GET", "/api/games/%00", 404, "unknown_game"),
        ("GET", "/api/games/%ff%fe", 404, "unknown_game"),
        ("GET", "/api/games/%zz", 404, "unknown_game"),
        ("GET", "/api/games/%2e%2e%2fetc/pgn", 404, "unknown_game"),
        ("GET", "//healthz", 404, "not_found"),
        ("GET", "/healthz/", 404, "not_found"),
    ] {
        let answer = server.ask(method, path).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{method} {path}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_too_long() {
    let server = TestServer::open().await;
    let path = format!("/{}", "x".repeat(8_000));
    assert_eq!(server.get(&path).await.code(), "not_found", "long, and still read");
    let status = server.get(&format!("/{}", "x".repeat(60_000))).await.status;
    assert!(status == 414 || status == 431, "{status}");
    let many = ("X-Many: x\r\n").repeat(2_000);
    let status = server.raw(&format!("GET / HTTP/1.1\r\nHost: test\r\n{many}\r\n")).await.status;
    assert_eq!(status, 431);
    let answer = server.ask_with("POST", "/api/guest", &[("Content-Length", "4097")]).await;
    assert_eq!((answer.status, answer.code().as_str()), (413, "body_too_long"));
    assert_eq!(answer.set_cookie, None);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_in_one_go_are_answered_in_their_order() {
    let server = TestServer::open().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let paths = ["/healthz", "/nothing", "/", "/api/me", "/healthz"];
    let mut requests = String::new();
    for (place, path) in paths.iter().enumerate() {
        let last = if place + 1 == paths.len() { "Connection: close\r\n" } else { "" };
        requests += &format!("GET {path} HTTP/1.1\r\nHost: test\r\n{last}\r\n");
    }
    stream.write_all(requests.as_bytes()).await.unwrap();
    let mut text = String::new();
    guarded("the answers", stream.read_to_string(&mut text)).await.unwrap();
    let statuses = text.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect::<Vec<_>>();
    assert_eq!(statuses, ["200", "404", "200", "401", "200"]);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_http() {
    let server = TestServer::open().await;
    for nonsense in
        ["\x16\x03\x01\x02\x00\x01\x00\x01\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nHost test\r\n\r\n"]
    {
        assert_eq!(server.raw(nonsense).await.status, 400, "{nonsense:?}");
    }
    // Two lengths, or a length and chunks, are how requests are smuggled past a proxy.
    for lengths in
        ["Content-Length: 3\r\nContent-Length: 4", "Content-Length: 3\r\nTransfer-Encoding: chunked"]
    {
        let request =
            format!("POST /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{lengths}\r\n\r\nabc");
        let status = server.raw(&request).await.status;
        assert!((400..=405).contains(&status), "{lengths:?}: {status}");
    }
    server.ended().await;
}
