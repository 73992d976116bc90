//! Accounts that are muted, and networks that are cut: each rejection beside what is allowed.

use serde_json::{Value, json};
use zeitnot_protocol::{CloseCode, Code, GameId, ServerMessage};

use super::accounts::{HERE, PASSWORD, cookie, me, post, register};
use super::admin::{done, not_done};
use super::player::{Player, upgrade};
use super::roles::{act, admin_token};
use super::second_factor::outcome;
use super::table::{Table, snapshot};
use super::test_server::{Answer, TestServer};

/// Says something to the other player; why it was rejected, if it was.
pub(crate) async fn say(player: &mut Player, game: GameId, text: &str) -> Option<(Code, String)> {
    player.say("say", json!({"game": game, "room": "players", "text": text})).await;
    let answer = player.until(|message| match message {
        ServerMessage::Rejected(rejected) => Some(Some((rejected.code, rejected.message.clone()))),
        ServerMessage::Said(said) if said.text == text => Some(None),
        _ => None,
    });
    answer.await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_muted_account_posts_nowhere_also_as_a_registered_one_and_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let mut table = Table::set(&server).await;
    let (game, account) = (table.game, table.white.account.to_string());
    assert_eq!(say(&mut table.white.player, game, "good luck").await, None);
    let muted = done(folder.path(), &["mute", &account, "--for", "7d"]).await;
    assert!(muted.contains("posts in no chat until 20"), "{muted}");
    let (code, message) = say(&mut table.white.player, game, "hurry up").await.unwrap();
    assert_eq!(code, Code::Muted);
    assert!(message.starts_with("you may post again at 20") && message.ends_with("UTC"), "{message}");
    assert_eq!(say(&mut table.black.player, game, "you too").await, None, "the other one may");

    let bearer = format!("Bearer {}", table.white.token);
    let body = json!({"name": "Castle", "password": PASSWORD});
    let registered = post(&server, "register", body, &[("Authorization", &bearer)]).await;
    let owner = cookie(&registered);
    assert_eq!(say(&mut table.white.player, game, "still here").await.unwrap().0, Code::Muted);
    let export = server.ask_with("GET", "/api/account/export", &[("Cookie", &owner)]).await.json();
    assert!(export["muted_until"].is_u64(), "{export}");
    server.ended().await;

    let server = TestServer::process(folder.path());
    let mut white = table.white.tab(&server).await;
    snapshot(&mut white, game).await;
    assert_eq!(say(&mut white, game, "and again").await.unwrap().0, Code::Muted);
    assert_eq!(done(folder.path(), &["unmute", "castle"]).await, "Castle may post again\n");
    assert_eq!(say(&mut white, game, "sorry").await, None);
    assert!(not_done(folder.path(), &["unmute", "castle"]).await.contains("is not muted"));
    assert_eq!(me(&server, &owner).await.json()["muted_until"], Value::Null);
    for wrong in ["0m", "3651d", "soon"] {
        let said = super::admin::admin(folder.path(), &["mute", "castle", "--for", wrong]).await;
        assert_eq!(said.status.code(), Some(2), "{wrong}");
    }
    server.ended().await;
}

/// What a request from an address gets, as a proxy forwards it.
pub(crate) async fn ask_from(server: &TestServer, address: &str) -> Answer {
    server.ask_with("GET", "/api/games/count", &[("X-Forwarded-For", address)]).await
}

pub(crate) async fn connect_from(server: &TestServer, address: &str) -> Option<Player> {
    Player::connect_with(server, upgrade(server).header("X-Forwarded-For", address)).await.ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_network_is_closed_and_rejected_until_it_is_cut_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process_behind_a_proxy(folder.path());
    let (inside, outside) = ("192.0.2.7", "203.0.113.9");
    let mut cut_one = connect_from(&server, inside).await.unwrap();
    let mut other = connect_from(&server, outside).await.unwrap();
    other.say("hello", json!({"guest": true})).await;
    other.welcome().await;
    let said = done(folder.path(), &["cut", "192.0.2.77/24", "--for", "1d"]).await;
    assert!(said.starts_with("192.0.2.0/24 is cut until 20") && said.contains("1 sessions"), "{said}");
    assert_eq!(cut_one.closed().await, CloseCode::CutOff);
    let answer = ask_from(&server, inside).await;
    assert_eq!(outcome(&answer), (403, "cut_off".to_owned()));
    assert!(answer.head.contains("connection: close"), "{answer:?}");
    assert!(connect_from(&server, inside).await.is_none());
    other.pong().await;
    assert_eq!(ask_from(&server, outside).await.status, 200);
    assert!(connect_from(&server, outside).await.is_some());

    for (wrong, why) in [
        ("127.0.0.1", "this machine itself"),
        ("::1", "this machine itself"),
        ("10.9.0.0/16", "a trusted proxy"),
        ("192.0.0.0/15", "a prefix of 16 or more"),
        ("2001::/16", "32 to 64"),
        ("nowhere", "an address, or a network"),
    ] {
        let said = not_done(folder.path(), &["cut", wrong, "--for", "1h"]).await;
        assert!(said.contains(why), "{wrong}: {said}");
    }
    done(folder.path(), &["cut", "2001:db8:0:1::9", "--for", "2d"]).await;
    let listed = done(folder.path(), &["cuts"]).await;
    let networks: Vec<_> = listed.lines().map(|line| line.split("  ").nth(1).unwrap()).collect();
    assert_eq!(networks, ["192.0.2.0/24", "2001:db8:0:1::/64"], "{listed}");
    assert_eq!(ask_from(&server, "2001:db8:0:1:2::3").await.status, 403);
    assert_eq!(ask_from(&server, "2001:db8:0:2::3").await.status, 200);
    server.ended().await;

    let server = TestServer::process_behind_a_proxy(folder.path());
    assert_eq!(ask_from(&server, inside).await.status, 403, "it lasts");
    assert_eq!(done(folder.path(), &["uncut", "192.0.2.0/24"]).await, "192.0.2.0/24 is cut no more\n");
    assert_eq!(ask_from(&server, inside).await.status, 200);
    assert!(connect_from(&server, inside).await.is_some());
    assert!(not_done(folder.path(), &["uncut", "192.0.2.0/24"]).await.contains("is not cut"));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_admin_mutes_and_cuts_over_http_with_typed_answers() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let (castle, bishop) = (register(&server, "Castle").await, register(&server, "Bishop").await);
    let admin = admin_token(&server, folder.path(), "Castle", &castle).await;
    for (done, status, code) in [
        (json!({"act": "unmute", "name": "Bishop"}), 409, "not_muted"),
        (json!({"act": "mute", "name": "Bishop", "for": "7d"}), 200, ""),
        (json!({"act": "mute", "name": "Nobody", "for": "7d"}), 404, "unknown_account"),
        (json!({"act": "mute", "name": "Bishop", "for": "0d"}), 400, "bad_act"),
        (json!({"act": "mute", "name": "Bishop"}), 400, "bad_act"),
        (json!({"act": "cut", "address": "192.0.2.7", "for": "1d"}), 200, ""),
        (json!({"act": "cut", "address": "127.0.0.1", "for": "1d"}), 400, "bad_network"),
        (json!({"act": "uncut", "address": "192.0.2.8"}), 409, "not_cut"),
        (json!({"act": "uncut", "address": "192.0.2.7"}), 200, ""),
        (json!({"act": "cuts"}), 200, ""),
    ] {
        assert_eq!(outcome(&act(&server, &admin, &done).await), (status, code.to_owned()), "{done}");
    }
    assert!(me(&server, &bishop).await.json()["muted_until"].is_u64());
    let headers = [HERE, ("Cookie", bishop.as_str())];
    assert_eq!(post(&server, "sign-out", json!({}), &headers).await.status, 204, "all else goes on");
    server.ended().await;
}
