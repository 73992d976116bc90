//! Two programs on one PostgreSQL database, with a NATS server between them: what is changed about people over one reaches the
//! sessions on the other, also while the NATS server is away.
//!
//! These tests are ignored unless `scripts/test cluster` runs them.

use std::time::Duration;

use serde_json::json;
use zeitnot_protocol::{CloseCode, Code, GameId};

use super::accounts::{HERE, PASSWORD, cookie, post, register};
use super::admin::done;
use super::names::told;
use super::nodes::{Cluster, until_there_is_a_lobby};
use super::player::{Guest, Player, upgrade};
use super::restrictions::{ask_from, connect_from, say};
use super::table::Table;
use super::test_server::TestServer;

/// Between two looks at something that a node knows after its next poll.
const AGAIN_AFTER: Duration = Duration::from_millis(200);

/// A browser that is signed in.
async fn browser(server: &TestServer, cookie: &str) -> Player {
    let origin = format!("http://{}", server.address);
    let request = upgrade(server).header("Cookie", cookie).header("Origin", origin);
    let mut tab = Player::connect_with(server, request).await.unwrap();
    tab.welcome().await;
    tab
}

async fn sign_in(server: &TestServer, headers: &[(&str, &str)]) -> String {
    let body = json!({"name": "Castle", "password": PASSWORD});
    cookie(&post(server, "sign-in", body, headers).await)
}

async fn rename(tab: &mut Player, name: &str) {
    tab.say("set_name", json!({"name": name})).await;
}

/// Says something until it is answered so; `None`: it is posted.
async fn say_until(player: &mut Player, game: GameId, wanted: Option<Code>) {
    for number in 0.. {
        let answer = say(player, game, &format!("hello {number}")).await;
        if answer.map(|(code, _)| code) == wanted {
            return;
        }
        tokio::time::sleep(AGAIN_AFTER).await;
    }
}

/// Blocks as this node knows them.
async fn blocked(server: &TestServer, by: &Guest) -> usize {
    let bearer = format!("Bearer {}", by.token);
    let listed = server.ask_with("GET", "/api/account/blocks", &[("Authorization", &bearer)]).await;
    listed.json()["blocked"].as_array().unwrap().len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL and NATS: scripts/test cluster"]
async fn what_an_account_becomes_is_told_on_all_nodes_also_without_a_bus_over_postgresql_and_nats() {
    let mut cluster = Cluster::start();
    let (a, b) = (cluster.node(0), cluster.node(1));
    let mut rook = Player::guest(&a).await;
    let mut tab = rook.tab(&b).await;
    rename(&mut rook.player, "Rook").await;
    assert_eq!(told(&mut tab).await, "Rook");
    rename(&mut tab, "Tower").await;
    while told(&mut rook.player).await != "Tower" {}
    let bearer = format!("Bearer {}", rook.token);
    let body = json!({"name": "Castle", "password": PASSWORD});
    let registered = post(&b, "register", body, &[("Authorization", &bearer)]).await;
    assert_eq!(registered.status, 201, "{registered:?}");
    while told(&mut rook.player).await != "Castle" {}
    cluster.nats.kill();
    let on_a = cluster.folder(0);
    done(on_a, &["rename", "Castle", "Bishop"]).await;
    while told(&mut tab).await != "Bishop" {}
    done(on_a, &["close", "Bishop"]).await;
    assert_eq!(tab.closed().await, CloseCode::Revoked);
    assert_eq!(rook.player.closed().await, CloseCode::Revoked);
    a.ended().await;
    b.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL and NATS: scripts/test cluster"]
async fn a_revoked_token_closes_its_sockets_on_all_nodes_and_a_replaced_one_does_not_over_postgresql_and_nats()
 {
    let cluster = Cluster::start();
    let (a, b) = (cluster.node(0), cluster.node(1));
    let first = register(&a, "Castle").await;
    let mut with_first = browser(&b, &first).await;
    let second = sign_in(&a, &[HERE]).await;
    let mut with_second = browser(&b, &second).await;
    let passwords = json!({"password": PASSWORD, "new_password": "another horse battery"});
    assert_eq!(post(&a, "password", passwords, &[HERE, ("Cookie", &second)]).await.status, 204);
    assert_eq!(with_first.closed().await, CloseCode::Revoked);
    let back = json!({"password": "another horse battery", "new_password": PASSWORD});
    assert_eq!(post(&a, "password", back, &[HERE, ("Cookie", &second)]).await.status, 204);

    // The same browser signs in again: its tabs go on, and are told what comes after.
    let third = sign_in(&a, &[HERE, ("Cookie", &second)]).await;
    let mut on_a = browser(&a, &third).await;
    rename(&mut on_a, "Bishop").await;
    while told(&mut with_second).await != "Bishop" {}
    assert_eq!(post(&a, "sign-out", json!({}), &[HERE, ("Cookie", &third)]).await.status, 204);
    assert_eq!(with_second.closed().await, CloseCode::Revoked);
    a.ended().await;
    b.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL and NATS: scripts/test cluster"]
async fn mutes_and_blocks_are_in_force_on_all_nodes_over_postgresql_and_nats() {
    let cluster = Cluster::start();
    // The first one has the lobby, and its games.
    let b = cluster.node(1);
    until_there_is_a_lobby(&b).await;
    let a = cluster.node(0);
    let mut table = Table::set(&b).await;
    let (game, white, on_a) = (table.game, &mut table.white, cluster.folder(0));
    say_until(&mut white.player, game, None).await;
    let account = white.account.to_string();
    done(on_a, &["mute", &account, "--for", "7d"]).await;
    say_until(&mut white.player, game, Some(Code::Muted)).await;
    done(on_a, &["unmute", &account]).await;
    say_until(&mut white.player, game, None).await;

    let bearer = format!("Bearer {}", white.token);
    let block = format!("/api/account/blocks/{}", table.black.account);
    for (method, count) in [("PUT", 1), ("DELETE", 0)] {
        assert_eq!(a.ask_with(method, &block, &[("Authorization", &bearer)]).await.status, 204);
        while blocked(&b, &table.white).await != count {
            tokio::time::sleep(AGAIN_AFTER).await;
        }
    }
    a.ended().await;
    b.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL and NATS: scripts/test cluster"]
async fn a_network_is_cut_off_on_all_nodes_until_it_is_cut_no_more_over_postgresql_and_nats() {
    let cluster = Cluster::start();
    let [a, b] = [0, 1].map(|number| cluster.node_behind_a_proxy(number));
    let (inside, outside, on_a) = ("192.0.2.7", "203.0.113.9", cluster.folder(0));
    let mut cut_one = connect_from(&b, inside).await.unwrap();
    done(on_a, &["cut", "192.0.2.0/24", "--for", "1d"]).await;
    assert_eq!(cut_one.closed().await, CloseCode::CutOff);
    assert!(connect_from(&b, inside).await.is_none());
    assert_eq!((ask_from(&b, inside).await.status, ask_from(&b, outside).await.status), (403, 200));
    assert!(done(cluster.folder(1), &["cuts"]).await.contains("192.0.2.0/24"));
    done(on_a, &["uncut", "192.0.2.0/24"]).await;
    while ask_from(&b, inside).await.status == 403 {
        tokio::time::sleep(AGAIN_AFTER).await;
    }
    assert!(connect_from(&b, inside).await.is_some());
    a.ended().await;
    b.ended().await;
}
