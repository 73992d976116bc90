//! What calls are answered that are wrong, or from elsewhere.

use serde_json::json;

use super::CASUAL;
use super::client::Program;
use crate::accounts::{register, send};
use crate::programs::token;
use crate::test_server::TestServer;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_rejection_is_json_with_an_error() {
    let server = TestServer::open().await;
    let one = Program::board(&server, "Castle").await;
    let bot = Program::bot(&server, "ZBot").await;
    for (path, status, error) in [
        ("/api/user/Nobody", 404, "No such user: Nobody"),
        ("/api/challenge/xxxxxxxxxxxx/show", 404, "No such challenge"),
        ("/api/board/game/stream/short", 404, "No such game"),
        ("/api/board/game/stream/xxxxxxxxxxxx", 404, "No such game"),
        ("/api/nothing/here", 404, "there is nothing here; the API is described in docs/protocol.md"),
        ("/api/bot/account/upgrade", 405, "Method Not Allowed"),
    ] {
        assert_eq!(one.get(&server, path).await.rejected(), (status, error.to_owned()), "{path}");
    }
    for (path, form, error) in [
        ("/api/board/game/xxxxxxxxxxxx/move/e9e4", "", "Invalid UCI: e9e4"),
        ("/api/board/game/xxxxxxxxxxxx/berserk", "", "Cannot berserk"),
        ("/api/challenge/ai", CASUAL, "not served here"),
        (
            "/api/challenge/zbot",
            "rated=true&clock.limit=60&clock.increment=0",
            "a game between a person and a bot",
        ),
        ("/api/challenge/zbot", "variant=atomic", "atomic is not played here"),
        ("/api/challenge/zbot", "clock.limit=maybe", "this is not a number"),
        ("/api/challenge/zbot", "clock.limit=99999999999&clock.increment=0", "this is too long"),
        ("/api/challenge/castle", CASUAL, "your own"),
        ("/api/round/xxxxxxxxxxxx/add-time/soon", "", "seconds are a whole number"),
        ("/api/board/seek", "color=white", "a seek has a time"),
    ] {
        let (status, told) = one.post(&server, path, form).await.rejected();
        let expected = if path.contains("/castle") { 404 } else { 400 };
        assert_eq!(status, expected, "{path} {form}: {told}");
        assert!(told.to_lowercase().contains(&error.to_lowercase()), "{path} {form}: {told}");
    }
    let clock = one.post(&server, "/api/challenge/zbot", "clock.limit=maybe").await.json();
    assert_eq!(clock["clock.limit"], json!(["this is not a number"]), "clients look for it at the top");
    drop(bot);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_needed_known_and_for_this_and_a_cookie_never_counts() {
    let server = TestServer::open().await;
    let cookie = register(&server, "Castle").await;
    let no_token = server.ask_with("GET", "/api/account", &[("Cookie", &cookie)]).await;
    assert_eq!((no_token.status, &no_token.json()["error"]), (401, &json!("Missing authorization header")));
    let bad = server.ask_with("GET", "/api/account", &[("Authorization", "Bearer nonsense")]).await;
    assert_eq!((bad.status, &bad.json()["error"]), (401, &json!("No such token")));
    let (reads, plays) = (token(&server, &cookie, &[]).await, token(&server, &cookie, &["play"]).await);
    let ask = async |path: &str, token: &str| {
        let bearer = format!("Bearer {token}");
        let answer = send(&server, path, "application/octet-stream", "", &[("Authorization", &bearer)]).await;
        (answer.status, answer.json()["error"].as_str().unwrap_or_default().to_owned())
    };
    let game = "/api/board/game/xxxxxxxxxxxx/resign";
    assert_eq!(ask(game, &reads).await, (403, "Missing scope: board:play".to_owned()));
    assert_eq!(ask(game, &plays).await.0, 404);
    let bot_game = "/api/bot/game/xxxxxxxxxxxx/resign";
    assert_eq!(ask(bot_game, &plays).await, (403, "Missing scope: bot:play".to_owned()));
    let accept = "/api/challenge/xxxxxxxxxxxx/accept";
    assert_eq!(ask(accept, &reads).await, (403, "Missing scope: challenge:write".to_owned()));
    assert_eq!(ask(accept, &plays).await.0, 404);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_other_sites_may_call_with_a_token() {
    let server = TestServer::open().await;
    let one = Program::board(&server, "Castle").await;
    let bearer = format!("Bearer {}", one.token);
    let headers = [("Authorization", bearer.as_str()), ("Origin", "https://elsewhere.example")];
    let answer = send(&server, "/api/board/game/xxxxxxxxxxxx/resign", "text/plain", "", &headers).await;
    assert_eq!(answer.status, 404, "{answer:?}");
    assert!(answer.head.contains("access-control-allow-origin: *"), "{answer:?}");
    let preflight = server.ask("OPTIONS", "/api/account").await;
    assert_eq!(preflight.status, 204);
    assert!(preflight.head.contains("access-control-allow-headers: authorization, content-type, accept"));
    // Our own routes keep their rules.
    let ours = server.ask_with("POST", "/api/account/sign-out", &headers).await;
    assert_eq!((ours.status, ours.code()), (403, "bad_origin".to_owned()));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_and_bodies_have_bounds() {
    let server = TestServer::open().await;
    let one = Program::board(&server, "Castle").await;
    let long = "x".repeat(64 * 1024 + 1);
    assert_eq!(one.post_as(&server, "/api/users", "text/plain", &long).await.status(), 413);
    let names = std::iter::repeat_n("castle", 400).collect::<Vec<_>>().join(",");
    let users = one.post_as(&server, "/api/users", "text/plain", &names).await.json();
    assert_eq!(users.as_array().unwrap().len(), 300);
    let tested = one.post_as(&server, "/api/token/test", "text/plain", &format!("{},x", one.token)).await;
    assert_eq!(tested.json()[&one.token]["scopes"], "board:play,bot:play,challenge:read,challenge:write");
    assert!(tested.json()["x"].is_null() && tested.json().as_object().unwrap().len() == 2);
    let status = one.get(&server, "/api/users/status?ids=Castle,Nobody").await.json();
    assert_eq!(status.as_array().unwrap().len(), 1);
    server.ended().await;
}
