//! Admins over HTTP: who may act, with what, and on whom. Each rejection stands beside what is done.

use serde_json::{Value, json};
use zeitnot_protocol::CloseCode;

use super::accounts::{HERE, PASSWORD, post, register, send};
use super::admin::{done, not_done};
use super::player::Player;
use super::second_factor::{conflict, enrol, factor, outcome, rejected};
use super::test_server::{Answer, TestServer};

/// Asks for a token of the account of a cookie.
async fn make_token(server: &TestServer, cookie: &str, scopes: &[&str], code: Option<&str>) -> Answer {
    let body = json!({"name": "Admin's", "scopes": scopes, "second_factor": code});
    post(server, "tokens", body, &[HERE, ("Cookie", cookie)]).await
}

async fn token(server: &TestServer, cookie: &str, scopes: &[&str], code: Option<&str>) -> String {
    let made = make_token(server, cookie, scopes, code).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.json()["token"].as_str().unwrap().to_owned()
}

/// Sends an act with these headers.
async fn send_act(server: &TestServer, act: &Value, headers: &[(&str, &str)]) -> Answer {
    send(server, "/api/admin/acts", "application/json", &act.to_string(), headers).await
}

/// Sends an act with a token.
pub(crate) async fn act(server: &TestServer, token: &str, act: &Value) -> Answer {
    send_act(server, act, &[("Authorization", &format!("Bearer {token}"))]).await
}

/// A token of the account of a cookie, which is made an admin's with a second factor.
pub(crate) async fn admin_token(
    server: &TestServer,
    folder: &std::path::Path,
    name: &str,
    cookie: &str,
) -> String {
    done(folder, &["grant", name]).await;
    let mut device = enrol(server, cookie).await;
    token(server, cookie, &["admin"], Some(&device.next())).await
}

fn rename(name: &str, new: &str) -> Value {
    json!({"act": "rename", "name": name, "new": new})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_an_admin_with_a_second_factor_makes_a_token_that_acts() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let (castle, _) = (register(&server, "Castle").await, register(&server, "Bishop").await);
    let early = make_token(&server, &castle, &["admin"], None).await;
    assert_eq!(outcome(&early), rejected("not_admin"));
    let said = done(folder.path(), &["grant", "castle"]).await;
    assert_eq!(said, "Castle is an admin, and can act as one with a second factor\n");
    let without = make_token(&server, &castle, &["admin"], None).await;
    assert_eq!(outcome(&without), conflict("no_second_factor"));
    let mut device = enrol(&server, &castle).await;
    let missing = make_token(&server, &castle, &["admin"], None).await;
    assert_eq!(outcome(&missing), rejected("second_factor_needed"));
    let wrong = make_token(&server, &castle, &["admin"], Some("000000000")).await;
    assert_eq!(outcome(&wrong), rejected("wrong_second_factor"));
    let code = device.next();
    let admin = token(&server, &castle, &["admin"], Some(&code)).await;
    let replayed = make_token(&server, &castle, &["admin"], Some(&code)).await;
    assert_eq!(outcome(&replayed), rejected("wrong_second_factor"));

    // With what one may act.
    let plays = token(&server, &castle, &["play", "challenge", "bot"], None).await;
    let renames = rename("Bishop", "Knight");
    assert_eq!(outcome(&send_act(&server, &renames, &[]).await), (401, "no_identity".to_owned()));
    let by_cookie = send_act(&server, &renames, &[HERE, ("Cookie", &castle)]).await;
    assert_eq!(outcome(&by_cookie), rejected("missing_scope"));
    assert_eq!(outcome(&act(&server, &plays, &renames).await), rejected("missing_scope"));
    let unknown = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    assert_eq!(outcome(&act(&server, unknown, &renames).await), (401, "bad_token".to_owned()));
    let renamed = act(&server, &admin, &renames).await;
    assert_eq!(renamed.json()["done"], json!("Bishop is called Knight from now on\n"), "{renamed:?}");

    // An admin without a second factor, and a token whose role is withdrawn.
    let body = json!({"password": PASSWORD, "second_factor": device.next()});
    assert_eq!(factor(&server, "DELETE", &castle, &body).await.status, 204);
    let renames = rename("Knight", "Bishop");
    assert_eq!(outcome(&act(&server, &admin, &renames).await), conflict("no_second_factor"));
    enrol(&server, &castle).await;
    assert_eq!(act(&server, &admin, &renames).await.status, 200);
    let mut socket = Player::hello(&server, json!({"token": admin})).await.0;
    assert_eq!(done(folder.path(), &["withdraw", "Castle"]).await, "Castle is no admin any more\n");
    assert_eq!(socket.closed().await, CloseCode::Revoked);
    assert_eq!(outcome(&act(&server, &admin, &renames).await), (401, "bad_token".to_owned()));
    assert!(not_done(folder.path(), &["withdraw", "Castle"]).await.contains("is no admin"));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_admin_does_over_http_what_the_console_does_but_not_to_admins() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let castle = register(&server, "Castle").await;
    for name in ["Bishop", "Rook"] {
        register(&server, name).await;
    }
    let admin = admin_token(&server, folder.path(), "Castle", &castle).await;
    done(folder.path(), &["grant", "Rook"]).await;

    let reset = act(&server, &admin, &json!({"act": "reset", "name": "bishop"})).await;
    let link = reset.json()["done"].as_str().unwrap().to_owned();
    let code = link.trim_end().strip_prefix("http://test/sign-in?name=Bishop&code=").unwrap();
    let body = json!({"name": "Bishop", "code": code, "new_password": "another horse"});
    assert_eq!(post(&server, "recover", body, &[HERE]).await.status, 200);
    for (wrong, status, code) in [
        (json!({"act": "reset", "name": "Rook"}), 403, "is_admin"),
        (json!({"act": "close", "name": "rook"}), 403, "is_admin"),
        (json!({"act": "reset", "name": "Castle", "second_factor": true}), 403, "is_admin"),
        (rename("Rook", "Knight"), 403, "is_admin"),
        (json!({"act": "grant", "name": "Bishop"}), 403, "console_only"),
        (json!({"act": "withdraw", "name": "Rook"}), 403, "console_only"),
        (json!({"act": "close", "name": "Nobody"}), 404, "unknown_account"),
        (rename("Bishop", "Castle"), 409, "name_taken"),
        (rename("Bishop", "admin"), 400, "bad_name"),
        (json!({"act": "shutdown"}), 400, "bad_act"),
        (json!({"act": "close"}), 400, "bad_act"),
        (json!([]), 400, "bad_act"),
    ] {
        let answer = act(&server, &admin, &wrong).await;
        assert_eq!(outcome(&answer), (status, code.to_owned()), "{wrong}");
    }
    assert_eq!(act(&server, &admin, &json!({"act": "close", "name": "Bishop"})).await.status, 200);

    let bearer = format!("Bearer {admin}");
    let log = async |query: &str| {
        server.ask_with("GET", &format!("/api/admin/log{query}"), &[("Authorization", &bearer)]).await
    };
    let acts = log("").await.json()["acts"].clone();
    let first = &acts[0];
    assert_eq!(first["act"], json!({"act": "close", "name": "Bishop"}), "{acts}");
    assert!(first["by"].as_str().unwrap().starts_with("Castle (") && first["at_ms"].is_u64(), "{first}");
    assert!(!acts.to_string().contains("withdraw"), "what may not be done is not logged: {acts}");
    assert_eq!(log("?most=1").await.json()["acts"].as_array().unwrap().len(), 1);
    for wrong in ["?most=0", "?most=1001", "?most=x"] {
        assert_eq!(outcome(&log(wrong).await), (400, "bad_parameter".to_owned()), "{wrong}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_is_no_admin_and_an_admin_no_bot() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let (castle, engine) = (register(&server, "Castle").await, register(&server, "Machine").await);
    let headers = |cookie| [HERE, ("Cookie", cookie)];
    assert_eq!(post(&server, "bot", json!({}), &headers(&engine)).await.status, 200);
    assert!(not_done(folder.path(), &["grant", "Machine"]).await.contains("bots are no admins"));
    done(folder.path(), &["grant", "Castle"]).await;
    assert_eq!(outcome(&post(&server, "bot", json!({}), &headers(&castle)).await), rejected("is_admin"));
    let facts = super::accounts::me(&server, &castle).await.json();
    assert_eq!((&facts["kind"], &facts["admin"]), (&json!("registered"), &json!(true)));
    done(folder.path(), &["withdraw", "Castle"]).await;
    assert_eq!(post(&server, "bot", json!({}), &headers(&castle)).await.status, 200);
    server.ended().await;
}
