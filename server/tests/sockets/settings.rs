//! What clients keep for an account.

use serde_json::json;

use super::test_server::{Answer, TestServer};

async fn ask(server: &TestServer, method: &str, path: &str, cookie: &str, body: &str) -> Answer {
    let origin = format!("Origin: http://{}", server.address);
    let head =
        format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{origin}", server.address);
    let cookie = if cookie.is_empty() { String::new() } else { format!("\r\nCookie: {cookie}") };
    server.raw(&format!("{head}{cookie}\r\nContent-Length: {}\r\n\r\n{body}", body.len())).await
}

const PATH: &str = "/api/account/settings";

/// Registers: the cookie.
async fn registered(server: &TestServer) -> String {
    let body = r#"{"name":"Rook","password":"correct horse battery"}"#;
    let answer = ask(server, "POST", "/api/account/register", "", body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.set_cookie.unwrap().split(';').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_stay_with_the_account_until_it_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let cookie = registered(&server).await;
    let none = ask(&server, "GET", PATH, &cookie, "").await;
    assert_eq!((none.status, &*none.body), (200, "{}"));
    assert!(none.head.contains("cache-control: no-store"), "{}", none.head);
    let settings = r#"{"board":"blue", "volume": 0.50}"#;
    assert_eq!(ask(&server, "PUT", PATH, &cookie, settings).await.status, 204);
    server.ended().await;

    let server = TestServer::process(folder.path());
    assert_eq!(ask(&server, "GET", PATH, &cookie, "").await.body, settings, "byte by byte, after a restart");
    let export = ask(&server, "GET", "/api/account/export", &cookie, "").await.json();
    assert_eq!(export["settings"], json!({"board": "blue", "volume": 0.5}));
    let closing = r#"{"password":"correct horse battery"}"#;
    assert_eq!(ask(&server, "POST", "/api/account/close", &cookie, closing).await.status, 204);
    assert_eq!(ask(&server, "GET", PATH, &cookie, "").await.status, 401);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_are_an_object_of_an_account_that_lasts() {
    let server = TestServer::open().await;
    let cookie = registered(&server).await;
    for (body, status, code) in [
        ("[]", 400, "bad_body"),
        ("{\"a\":", 400, "bad_body"),
        ("", 400, "bad_body"),
        (&*format!("{{\"a\":\"{}\"}}", "x".repeat(4_096)), 413, "body_too_long"),
    ] {
        let answer = ask(&server, "PUT", PATH, &cookie, body).await;
        assert_eq!((answer.status, &*answer.code()), (status, code), "{body}");
    }
    assert_eq!(ask(&server, "PUT", PATH, "", "{}").await.code(), "no_identity");
    let guest = ask(&server, "POST", "/api/guest", "", "").await.set_cookie.unwrap();
    let guest = guest.split(';').next().unwrap();
    assert_eq!(ask(&server, "PUT", PATH, guest, "{}").await.code(), "not_registered");
    assert_eq!(ask(&server, "GET", PATH, guest, "").await.body, "{}");
    server.ended().await;
}
