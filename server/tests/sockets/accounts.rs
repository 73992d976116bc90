//! Accounts that last: registering, signing in and out, devices, recovery, closing, over HTTP and as pages.

use serde_json::{Value, json};
use zeitnot_protocol::{CloseCode, ServerMessage};
use zeitnot_server::Config;

use super::player::Player;
use super::table::{Table, blitz, challenge, snapshot, turn};
use super::test_server::{Answer, TestServer, spawn};

pub(crate) const HERE: (&str, &str) = ("Origin", "http://test");
pub(crate) const PASSWORD: &str = "correct horse battery";

/// Sends a body to `path`.
pub(crate) async fn send(
    server: &TestServer,
    path: &str,
    kind: &str,
    body: &str,
    headers: &[(&str, &str)],
) -> Answer {
    let headers = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<String>();
    let length = body.len();
    let head = format!("POST {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Type: {kind}");
    server.raw(&format!("{head}\r\nContent-Length: {length}\r\n{headers}\r\n{body}")).await
}

pub(crate) async fn post(server: &TestServer, path: &str, body: Value, headers: &[(&str, &str)]) -> Answer {
    send(server, &format!("/api/account/{path}"), "application/json", &body.to_string(), headers).await
}

/// `name=value` of a cookie that was set.
pub(crate) fn cookie(answer: &Answer) -> String {
    answer.set_cookie.as_deref().unwrap_or_else(|| panic!("{answer:?}")).split(';').next().unwrap().to_owned()
}

/// Registers a new account; its cookie.
pub(crate) async fn register(server: &TestServer, name: &str) -> String {
    let answer = post(server, "register", json!({"name": name, "password": PASSWORD}), &[HERE]).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    cookie(&answer)
}

/// Whose cookie it is: 200 with the account, or 401.
pub(crate) async fn me(server: &TestServer, cookie: &str) -> Answer {
    server.ask_with("GET", "/api/account/profile", &[("Cookie", cookie)]).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_who_registers_still_has_game_challenge_and_account_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let mut table = Table::set(&server).await;
    table.play(&["e2e4", "e7e5"]).await;
    // What this tab reads is not missing at the board.
    let mut tab = table.white.tab(&server).await;
    let open = challenge(&mut tab, blitz()).await;
    let bearer = format!("Bearer {}", table.white.token);
    let body = json!({"name": "Rook_And_Roll", "password": PASSWORD});
    let answer = post(&server, "register", body, &[("Authorization", &bearer)]).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let owner = answer.json();
    assert_eq!(owner["account"], json!(table.white.account));
    assert_eq!((owner["name"].as_str(), owner["kind"].as_str()), (Some("Rook_And_Roll"), Some("registered")));
    assert!(!answer.body.contains("token") && answer.head.contains("cache-control: no-store"), "{answer:?}");
    let told = tab.until(|message| match message {
        ServerMessage::Name(name) => Some(name.name.clone()),
        _ => None,
    });
    assert_eq!(told.await, "Rook_And_Roll");
    let seen = server.get(&format!("/api/challenges/{open}")).await.json();
    assert_eq!(seen["by"]["name"], json!("Rook_And_Roll"), "{seen}");
    table.play(&["g1f3", "b8c6"]).await;
    assert_eq!(turn(&mut table.white.player, table.game).await.on, 5, "the last move is stored");
    let session = cookie(&answer);
    server.ended().await;

    let server = TestServer::process(folder.path());
    let again = me(&server, &session).await.json();
    assert_eq!((&again["account"], &again["kind"]), (&owner["account"], &json!("registered")));
    let body = json!({"name": "rook_and_roll", "password": PASSWORD});
    let signed_in = post(&server, "sign-in", body, &[HERE]).await;
    assert_eq!(signed_in.status, 200, "{signed_in:?}");
    assert_ne!(cookie(&signed_in), session);
    let mut white = table.white.tab(&server).await;
    assert_eq!(snapshot(&mut white, table.game).await.ply_count, 4);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_signs_in_gets_a_new_cookie_and_the_one_before_is_worth_nothing() {
    let server = TestServer::open().await;
    let guest = server.ask_with("POST", "/api/guest", &[HERE]).await;
    let foreign = cookie(&guest);
    let body = json!({"name": "Castle", "password": PASSWORD});
    let answer = post(&server, "register", body.clone(), &[HERE, ("Cookie", &foreign)]).await;
    assert_eq!((answer.status, &answer.json()["account"]), (201, &guest.json()["account"]));
    let first = cookie(&answer);
    assert_eq!((me(&server, &foreign).await.status, me(&server, &first).await.status), (401, 200));
    let second = cookie(&post(&server, "sign-in", body, &[HERE, ("Cookie", &first)]).await);
    assert_ne!(first, second);
    assert_eq!((me(&server, &first).await.status, me(&server, &second).await.status), (401, 200));
    let elsewhere = [("Origin", "http://evil.example"), ("Cookie", second.as_str())];
    let answer = post(&server, "sign-out", json!({}), &elsewhere).await;
    assert_eq!((answer.status, answer.code().as_str()), (403, "bad_origin"));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_name_and_a_wrong_password_get_the_same_bytes() {
    let server = TestServer::open().await;
    register(&server, "Castle").await;
    let mut answers = Vec::new();
    for (name, password) in
        [("Castle", "wrong horse battery"), ("Nobody", PASSWORD), ("not a name", PASSWORD)]
    {
        let answer = post(&server, "sign-in", json!({"name": name, "password": password}), &[HERE]).await;
        assert_eq!((answer.status, answer.code().as_str()), (403, "wrong_password"), "{name}");
        let head =
            answer.head.lines().filter(|line| !line.starts_with("date:")).collect::<Vec<_>>().join("\n");
        answers.push((head, answer.body));
    }
    assert!(answers.windows(2).all(|two| two[0] == two[1]), "{answers:?}");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_password_ends_the_sessions_of_the_old_one_and_their_connections() {
    let server = TestServer::open().await;
    let first = register(&server, "Castle").await;
    let origin = format!("http://{}", server.address);
    let request = super::player::upgrade(&server).header("Cookie", &first).header("Origin", &origin);
    let mut tab = Player::connect_with(&server, request).await.unwrap();
    tab.welcome().await;
    let second =
        cookie(&post(&server, "sign-in", json!({"name": "Castle", "password": PASSWORD}), &[HERE]).await);
    let headers = [HERE, ("Cookie", second.as_str())];
    let wrong = json!({"password": "not the password", "new_password": "another good one"});
    let answer = post(&server, "password", wrong, &headers).await;
    assert_eq!((answer.status, answer.code().as_str()), (403, "wrong_password"));
    assert_eq!(me(&server, &first).await.status, 200);
    let right = json!({"password": PASSWORD, "new_password": "another good one"});
    assert_eq!(post(&server, "password", right, &headers).await.status, 204);
    assert_eq!(tab.closed().await, CloseCode::Revoked);
    assert_eq!((me(&server, &first).await.status, me(&server, &second).await.status), (401, 200));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn devices_are_listed_ended_one_by_one_and_all_at_once() {
    let server = TestServer::open().await;
    let laptop = register(&server, "Castle").await;
    let agent = ("User-Agent", "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0");
    let body = json!({"name": "Castle", "password": PASSWORD});
    let phone = cookie(&post(&server, "sign-in", body, &[HERE, agent]).await);
    let list = server.ask_with("GET", "/api/account/sessions", &[("Cookie", &laptop)]).await.json();
    let sessions = list["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2, "{list}");
    let of_phone = sessions.iter().find(|session| session["label"] == "Firefox on Android").unwrap();
    assert_eq!((&of_phone["here"], &of_phone["kind"]), (&json!(false), &json!("session")));
    let path = format!("/api/account/sessions/{}", of_phone["id"].as_str().unwrap());
    let headers = [HERE, ("Cookie", laptop.as_str())];
    assert_eq!(server.ask_with("DELETE", &path, &headers).await.status, 204);
    let again = server.ask_with("DELETE", &path, &headers).await;
    assert_eq!((again.status, again.code().as_str()), (404, "unknown_session"));
    assert_eq!((me(&server, &phone).await.status, me(&server, &laptop).await.status), (401, 200));
    let out = post(&server, "sign-out-everywhere", json!({}), &headers).await;
    assert_eq!((out.status, cookie(&out).as_str()), (204, "zeitnot="));
    assert_eq!(me(&server, &laptop).await.status, 401);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recovery_code_signs_in_once_and_a_closed_account_never_again() {
    let server = TestServer::open().await;
    let owner = register(&server, "Castle").await;
    let headers = [HERE, ("Cookie", owner.as_str())];
    let made = post(&server, "recovery-codes", json!({"password": PASSWORD}), &headers).await.json();
    let code = made["codes"][9].as_str().unwrap();
    let new = "another good password";
    let body = json!({"name": "Castle", "code": code, "new_password": new});
    let recovered = post(&server, "recover", body.clone(), &[HERE]).await;
    assert_eq!(recovered.status, 200, "{recovered:?}");
    let again = post(&server, "recover", body, &[HERE]).await;
    assert_eq!((again.status, again.code().as_str()), (403, "wrong_code"));
    assert_eq!(me(&server, &owner).await.status, 401);

    let owner = cookie(&recovered);
    let export = server.ask_with("GET", "/api/account/export", &[("Cookie", &owner)]).await;
    assert_eq!((export.status, &export.json()["recovery_codes"]), (200, &json!(9)));
    let account = export.json()["account"].as_str().unwrap().to_owned();
    let headers = [HERE, ("Cookie", owner.as_str())];
    assert_eq!(post(&server, "close", json!({"password": new}), &headers).await.status, 204);
    assert_eq!(me(&server, &owner).await.status, 401);
    let left = server.get(&format!("/api/players/{account}")).await.json();
    assert_eq!(left["name"], json!("closed account"));
    for path in ["sign-in", "register"] {
        let answer = post(&server, path, json!({"name": "CASTLE", "password": new}), &[HERE]).await;
        let expected = if path == "register" { (409, "name_taken") } else { (403, "wrong_password") };
        assert_eq!((answer.status, answer.code().as_str()), expected);
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_wrong_with_a_request_is_said_with_a_code() {
    let server = TestServer::open().await;
    register(&server, "Castle").await;
    for (path, body, status, code) in [
        ("register", json!({"name": "Bishop"}), 400, "bad_field"),
        ("register", json!({"password": PASSWORD}), 400, "bad_field"),
        ("register", json!({"name": 7, "password": PASSWORD}), 400, "bad_field"),
        ("register", json!({"name": "x y", "password": PASSWORD}), 400, "bad_name"),
        ("register", json!({"name": "admin", "password": PASSWORD}), 400, "bad_name"),
        ("register", json!({"name": "castle", "password": PASSWORD}), 409, "name_taken"),
        ("register", json!({"name": "Bishop", "password": "short"}), 400, "bad_password"),
        (
            "register",
            json!({"name": "Bishop_and_Knight", "password": "bishop_AND_knight"}),
            400,
            "bad_password",
        ),
        ("register", json!([]), 400, "bad_body"),
        ("password", json!({}), 401, "no_identity"),
        ("close", json!({}), 401, "no_identity"),
        ("sign-out", json!({}), 401, "no_identity"),
        ("recover", json!({"name": "Castle", "code": "x", "new_password": PASSWORD}), 403, "wrong_code"),
    ] {
        let answer = post(&server, path, body.clone(), &[HERE]).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{path} {body}");
    }
    let long = json!({"name": "x".repeat(5_000)});
    assert_eq!(post(&server, "sign-in", long, &[HERE]).await.status, 413);
    let guest = cookie(&server.ask_with("POST", "/api/guest", &[HERE]).await);
    let body = json!({"password": PASSWORD, "new_password": PASSWORD});
    let answer = post(&server, "password", body, &[HERE, ("Cookie", &guest)]).await;
    assert_eq!((answer.status, answer.code().as_str()), (403, "not_registered"));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_many_sign_ins_are_told_at_once_and_a_move_passes_them() {
    let server = TestServer::with(Config { http_cost_per_minute: 100_000, ..Config::for_tests() }).await;
    let server = std::sync::Arc::new(server);
    let mut table = Table::set(&server).await;
    let tries: Vec<_> = (0..40)
        .map(|number| {
            let server = std::sync::Arc::clone(&server);
            spawn(async move {
                let body = json!({"name": format!("Name{number}"), "password": PASSWORD});
                post(&server, "sign-in", body, &[HERE]).await
            })
        })
        .collect();
    table.play(&["e2e4", "e7e5", "g1f3"]).await;
    let mut codes = Vec::new();
    for answer in tries {
        let answer = answer.await.unwrap();
        if answer.status == 429 {
            assert!(answer.head.contains("retry-after: "), "{answer:?}");
        }
        codes.push(answer.code());
    }
    let count = |code: &str| codes.iter().filter(|found| *found == code).count();
    assert!(count("wrong_password") >= 8, "those that had a place: {codes:?}");
    assert!(count("too_many_sign_ins") > 0, "and those that had none: {codes:?}");
    assert_eq!(count("wrong_password") + count("too_many_sign_ins"), codes.len(), "{codes:?}");
    std::sync::Arc::into_inner(server).unwrap().ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_without_script_registers_signs_in_and_out_by_forms() {
    let server = TestServer::open().await;
    let form = async |path: &str, body: &str, headers: &[(&str, &str)]| {
        send(&server, path, "application/x-www-form-urlencoded", body, headers).await
    };
    for path in ["/sign-in", "/register"] {
        let page = server.get(path).await;
        assert_eq!(page.status, 200);
        for header in [
            "content-security-policy: default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; \
             base-uri 'none'",
            "content-type: text/html; charset=utf-8",
            "cache-control: no-store",
        ] {
            assert!(page.head.contains(header), "{header}: {}", page.head);
        }
        assert!(!page.body.contains("<script") && !page.body.contains("style="), "{}", page.body);
    }
    let bad = form("/register", "name=Ca%3Cb%3Estle&password=correct+horse", &[HERE]).await;
    assert_eq!(bad.status, 400);
    assert!(bad.head.contains("text/html") && bad.body.contains("role=\"alert\""), "{bad:?}");
    assert!(bad.body.contains("Ca&lt;b&gt;stle") && !bad.body.contains("<b>"), "{}", bad.body);
    let french = form("/register", "name=Castle&password=short", &[HERE, ("Accept-Language", "fr")]).await;
    assert!(
        french.body.contains("lang=\"fr\"") && french.body.contains("de 10 à 128 caractères"),
        "{french:?}"
    );
    let registered = form("/register", "name=Castle&password=correct+horse+battery", &[HERE]).await;
    assert_eq!(registered.status, 303, "{registered:?}");
    assert!(registered.head.contains("location: /account"), "{registered:?}");
    let first = cookie(&registered);
    let page = server.ask_with("GET", "/account", &[("Cookie", &first)]).await;
    assert!(page.status == 200 && page.body.contains("<strong>Castle</strong>"), "{page:?}");
    let codes =
        form("/account", "act=codes&password=correct+horse+battery", &[HERE, ("Cookie", &first)]).await;
    assert_eq!((codes.status, codes.body.matches("<code>").count()), (200, 10));
    let wrong = form("/account", "act=close&password=wrong", &[HERE, ("Cookie", &first)]).await;
    assert_eq!(wrong.status, 403);
    assert!(wrong.body.contains("role=\"alert\""), "{wrong:?}");
    let elsewhere = form("/account", "act=sign-out", &[("Cookie", &first)]).await;
    assert_eq!((elsewhere.status, elsewhere.code().as_str()), (403, "bad_origin"));
    let out = form("/account", "act=sign-out", &[HERE, ("Cookie", &first)]).await;
    assert_eq!((out.status, cookie(&out).as_str()), (303, "zeitnot="));
    let nobody = server.ask_with("GET", "/account", &[("Cookie", &first)]).await;
    assert!(nobody.status == 303 && nobody.head.contains("location: /sign-in"), "{nobody:?}");
    let back = form("/sign-in", "name=Castle&password=correct+horse+battery", &[HERE]).await;
    assert_eq!(back.status, 303);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_tried_so_often_from_one_address_and_then_its_owner_still_gets_in() {
    let server = TestServer::open().await;
    let owner = register(&server, "Castle").await;
    let body = |password: &str| json!({"name": "Castle", "password": password});
    for _ in 0..20 {
        let answer = post(&server, "sign-in", body("wrong"), &[HERE]).await;
        assert_eq!((answer.status, answer.code().as_str()), (403, "wrong_password"));
    }
    let answer = post(&server, "sign-in", body(PASSWORD), &[HERE]).await;
    assert_eq!((answer.status, answer.code().as_str()), (429, "too_many_attempts"));
    assert!(answer.head.contains("retry-after: "), "{answer:?}");
    let known = post(&server, "sign-in", body(PASSWORD), &[HERE, ("Cookie", &owner)]).await;
    assert_eq!(known.status, 200);
    server.ended().await;
}
