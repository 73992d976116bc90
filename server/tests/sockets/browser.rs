//! The identity of a browser: a cookie, and the origin that it counts with.

use serde_json::json;
use tokio_tungstenite::tungstenite::Error;
use zeitnot_protocol::{CloseCode, Code};
use zeitnot_server::Config;

use super::player::{Player, upgrade};
use super::test_server::{Answer, TestServer};

const HERE: (&str, &str) = ("Origin", "http://test");
const ELSEWHERE: (&str, &str) = ("Origin", "http://evil.example");

/// `name=value` of a cookie that was set.
fn pair(answer: &Answer) -> String {
    answer.set_cookie.as_deref().unwrap().split(';').next().unwrap().to_owned()
}

/// A new guest's cookie, and its account.
async fn guest(server: &TestServer) -> (String, String) {
    let answer = server.ask_with("POST", "/api/guest", &[HERE]).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    (pair(&answer), answer.json()["account"].as_str().unwrap().to_owned())
}

/// Connects with these headers; or the status it is rejected with.
async fn connect(server: &TestServer, headers: &[(&str, &str)]) -> Result<Player, u16> {
    let mut request = upgrade(server);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    match Player::connect_with(server, request).await {
        Ok(player) => Ok(player),
        Err(error) => match *error {
            Error::Http(response) => Err(response.status().as_u16()),
            other => panic!("{other}"),
        },
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_gets_a_cookie_and_is_somebody_with_it() {
    let server = TestServer::open().await;
    let answer = server.ask_with("POST", "/api/guest", &[HERE]).await;
    let set = answer.set_cookie.clone().unwrap();
    assert!(set.ends_with("; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax"), "{set}");
    assert!(answer.head.contains("cache-control: no-store"), "{answer:?}");
    assert!(!answer.body.contains("token"), "a script never sees it: {answer:?}");
    let (cookie, account) = (pair(&answer), answer.json()["account"].clone());

    let me = server.ask_with("GET", "/api/me", &[("Cookie", &cookie)]).await;
    assert_eq!((me.status, &me.json()["account"]), (200, &account));
    assert!(me.json()["name"].as_str().unwrap().starts_with("Guest-"));

    let origin = format!("http://{}", server.address);
    let mut player = connect(&server, &[("Cookie", &cookie), ("Origin", &origin)]).await.ok().unwrap();
    let welcome = player.welcome().await;
    assert_eq!((json!(welcome.account), welcome.token), (account.clone(), None));

    let again = server.ask_with("POST", "/api/guest", &[HERE, ("Cookie", &cookie)]).await;
    assert_eq!((again.status, &again.json()["account"]), (200, &account), "no second guest");
    assert_eq!(pair(&again), cookie);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cookie_counts_only_with_our_origin() {
    let server = TestServer::open().await;
    let (cookie, account) = guest(&server).await;
    let cookie = ("Cookie", cookie.as_str());
    let null = ("Origin", "null");
    let other_port = ("Origin", "http://test:81");
    let other_scheme = ("Origin", "https://test");
    for (method, path) in [("POST", "/api/guest"), ("DELETE", "/api/guest"), ("PUT", "/nowhere")] {
        for headers in [
            &[cookie][..],
            &[cookie, ELSEWHERE],
            &[cookie, null],
            &[cookie, other_port],
            &[cookie, other_scheme],
            &[cookie, HERE, ELSEWHERE],
        ] {
            let answer = server.ask_with(method, path, headers).await;
            assert_eq!((answer.status, answer.code().as_str()), (403, "bad_origin"), "{method} {headers:?}");
            assert_eq!(answer.set_cookie, None, "{method} {headers:?}");
        }
    }
    // The request names another host on the upgrade.
    let here = format!("http://{}", server.address);
    for headers in [&[cookie][..], &[cookie, ELSEWHERE], &[cookie, null], &[cookie, HERE]] {
        assert_eq!(connect(&server, headers).await.err(), Some(403), "{headers:?}");
    }
    assert!(connect(&server, &[cookie, ("Origin", &here)]).await.is_ok());
    // Nothing of all that was done.
    let me = server.ask_with("GET", "/api/me", &[cookie]).await;
    assert_eq!(me.json()["account"], json!(account));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_sites_get_no_cookie_and_others_than_browsers_need_no_origin() {
    let server = TestServer::open().await;
    let elsewhere = server.ask_with("POST", "/api/guest", &[ELSEWHERE]).await;
    assert_eq!((elsewhere.status, elsewhere.set_cookie.as_ref()), (403, None));
    let nobody = server.ask("GET", "/api/me").await;
    assert_eq!((nobody.status, nobody.code().as_str()), (401, "no_identity"));
    let plain = server.ask("POST", "/api/guest").await;
    assert_eq!(plain.status, 201);

    // Without a cookie any page may connect, as nobody or with a token of its own.
    let mut page = connect(&server, &[ELSEWHERE]).await.ok().unwrap();
    page.say("hello", json!({})).await;
    assert_eq!(page.welcome().await.account, None);
    let native = Player::guest(&server).await;
    let bearer = format!("Bearer {}", native.token);
    let me = server.ask_with("GET", "/api/me", &[("Authorization", &bearer)]).await;
    assert_eq!(me.json()["account"], json!(native.account));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_https_the_cookie_is_secure_and_bound_to_the_host() {
    let public_url = Some("https://chess.example.org".parse().unwrap());
    let server = TestServer::with(Config { public_url, ..Config::for_tests() }).await;
    let ours = ("Origin", "https://chess.example.org");
    let answer = server.ask_with("POST", "/api/guest", &[ours]).await;
    let set = answer.set_cookie.clone().unwrap();
    assert!(set.starts_with("__Host-zeitnot=") && set.ends_with("; SameSite=Lax; Secure"), "{set}");
    let cookie = pair(&answer);
    let mut player = connect(&server, &[("Cookie", &cookie), ours]).await.ok().unwrap();
    assert!(player.welcome().await.account.is_some());
    assert_eq!(connect(&server, &[("Cookie", &cookie), HERE]).await.err(), Some(403));
    // The same token in the cookie of plain http is no identity here.
    let plain = cookie.trim_start_matches("__Host-").to_owned();
    assert_eq!(server.ask_with("GET", "/api/me", &[("Cookie", &plain)]).await.status, 401);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cookie_that_names_nobody_is_as_none() {
    let server = TestServer::open().await;
    let stale = format!("zeitnot={}", "A".repeat(43));
    let origin = format!("http://{}", server.address);
    let mut player = connect(&server, &[("Cookie", &stale), ("Origin", &origin)]).await.ok().unwrap();
    player.say("hello", json!({})).await;
    assert_eq!(player.welcome().await.account, None);
    let me = server.ask_with("GET", "/api/me", &[("Cookie", &stale)]).await;
    assert_eq!((me.status, me.code().as_str()), (401, "bad_token"));
    let made = server.ask_with("POST", "/api/guest", &[("Cookie", &stale), HERE]).await;
    assert_eq!(made.status, 201, "a new guest takes its place");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_token_names_nobody_and_its_connections_are_closed() {
    let server = TestServer::open().await;
    let mut guest = Player::guest(&server).await;
    let mut tab = guest.tab(&server).await;
    let mut stranger = Player::guest(&server).await;
    let bearer = format!("Bearer {}", guest.token);
    let answer = server.ask_with("DELETE", "/api/guest", &[("Authorization", &bearer)]).await;
    assert_eq!((answer.status, answer.body.as_str()), (204, ""));
    for player in [&mut guest.player, &mut tab] {
        assert_eq!(player.closed().await, CloseCode::Revoked);
    }
    stranger.player.pong().await;

    assert_eq!(connect(&server, &[("Authorization", &bearer)]).await.err(), Some(401));
    let mut again = Player::connect(&server).await;
    again.say("hello", json!({"token": guest.token})).await;
    assert_eq!(again.rejection().await.0, Code::BadToken);
    let twice = server.ask_with("DELETE", "/api/guest", &[("Authorization", &bearer)]).await;
    assert_eq!((twice.status, twice.code().as_str()), (401, "bad_token"));
    let nobody = server.ask("DELETE", "/api/guest").await;
    assert_eq!((nobody.status, nobody.code().as_str()), (401, "no_identity"));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_cookie_is_cleared() {
    let server = TestServer::open().await;
    let (cookie, _) = guest(&server).await;
    let origin = format!("http://{}", server.address);
    let mut page = connect(&server, &[("Cookie", &cookie), ("Origin", &origin)]).await.ok().unwrap();
    page.welcome().await;
    let answer = server.ask_with("DELETE", "/api/guest", &[("Cookie", &cookie), HERE]).await;
    assert_eq!(answer.status, 204);
    let set = answer.set_cookie.unwrap();
    assert!(set.starts_with("zeitnot=; ") && set.contains("Max-Age=0"), "{set}");
    assert_eq!(page.closed().await, CloseCode::Revoked);
    assert_eq!(server.ask_with("GET", "/api/me", &[("Cookie", &cookie)]).await.status, 401);
    server.ended().await;
}
