//! Challenges that are accepted while their owner is away.

use std::path::Path;

use serde_json::json;
use zeitnot_protocol::{Challenge, GameId, Limits, ServerMessage};
use zeitnot_server::Config;

use super::player::{Guest, Player};
use super::table::{blitz, challenge, gone, news, snapshot, with};
use super::test_server::TestServer;

/// A server that takes an owner for away as soon as the last connection is closed.
async fn server(folder: Option<&Path>) -> TestServer {
    let other_limits = Limits { challenge_grace_ms: 0, ..Limits::STANDARD };
    let standard = Config::for_tests();
    let data = folder.map_or(standard.data, Path::to_owned);
    TestServer::with(Config { other_limits, data, ..Config::for_tests() }).await
}

/// The connection of the owner is closed, and the lobby knows it.
async fn leave(owner: Guest, server: &TestServer) -> Guest {
    let mut watcher = Player::watcher(server).await;
    watcher.say("enter_lobby", json!({})).await;
    watcher.until(|message| matches!(message, ServerMessage::Lobby(_)).then_some(())).await;
    let Guest { mut player, account, token } = owner;
    // The end of a seek that was listed tells of it.
    let ends = challenge(&mut player, with(blitz(), json!({"seek": true}))).await;
    let is_listed = |message: &ServerMessage| match message {
        ServerMessage::LobbyNews(news) => {
            news.seeks.iter().any(|seek| seek.challenge.as_str() == ends).then_some(())
        }
        _ => None,
    };
    watcher.until(is_listed).await;
    player.leave().await;
    let is_gone = |message: &ServerMessage| match message {
        ServerMessage::LobbyNews(news) => news.gone.iter().any(|gone| gone.as_str() == ends).then_some(()),
        _ => None,
    };
    watcher.until(is_gone).await;
    Guest { player: watcher, account, token }
}

/// Accepts a challenge whose owner is away.
async fn accept_for_later(guest: &mut Guest, id: &str) -> Challenge {
    guest.player.say("accept_challenge", json!({"challenge": id, "id": "a1"})).await;
    let answer = |message: &ServerMessage| match message {
        ServerMessage::Challenge(told) => told.id.is_some().then(|| told.clone()),
        _ => None,
    };
    let told = guest.player.until(answer).await;
    assert_eq!((told.challenge.as_str(), told.id.unwrap().as_str()), (id, "a1"));
    assert_eq!(told.accepted_by.as_ref().map(|by| by.account), Some(guest.account));
    told
}

fn is_it(id: &str) -> impl Fn(GameId) -> bool {
    let id = id.to_owned();
    move |game| game.as_str() == id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_challenge_without_clocks_becomes_a_game_while_its_owner_is_away() {
    let server = server(None).await;
    let (mut owner, mut guest) = (Player::guest(&server).await, Player::guest(&server).await);
    let by_days = json!({"time_control": {"kind": "days", "days": 3}});
    let id = challenge(&mut owner.player, by_days).await;
    leave(owner, &server).await;
    guest.player.say("accept_challenge", json!({"challenge": id})).await;
    assert!(gone(&mut guest.player).await.game.is_some_and(is_it(&id)));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_was_accepted_begins_when_its_owner_is_back() {
    let server = server(None).await;
    let (mut owner, mut guest) = (Player::guest(&server).await, Player::guest(&server).await);
    let (mut third, to) = (Player::guest(&server).await, guest.account);
    let (link, addressed) = (
        challenge(&mut owner.player, blitz()).await,
        challenge(&mut owner.player, with(blitz(), json!({"to": to}))).await,
    );
    let owner = leave(owner, &server).await;
    accept_for_later(&mut guest, &link).await;
    let told = accept_for_later(&mut guest, &link).await;
    let day_ms = u64::from(Limits::STANDARD.challenge_lifetime_ms);
    assert!(told.ends_in_ms.is_some_and(|left| left <= day_ms), "{told:?}");
    accept_for_later(&mut guest, &addressed).await;
    third.player.say("accept_challenge", json!({"challenge": link})).await;
    assert_eq!(third.player.rejection().await.0.as_str(), "challenge_taken");
    let shown = server.get(&format!("/api/challenges/{link}")).await.json();
    assert_eq!(shown["accepted_by"]["account"], json!(to));

    // The owner is told what was accepted, and one of both games begins.
    let mut back = owner.tab(&server).await;
    let first = gone(&mut guest.player).await.game.unwrap();
    snapshot(&mut back, first).await;
    snapshot(&mut guest.player, first).await;
    let other = if is_it(&link)(first) { addressed } else { link };
    back.say("accept_challenge", json!({"challenge": other, "id": "b1"})).await;
    assert!(
        gone(&mut guest.player).await.game.is_some_and(is_it(&other)),
        "the other when one of the two asks"
    );
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_accepted_outlives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let first = server(Some(folder.path())).await;
    let (mut owner, mut guest) = (Player::guest(&first).await, Player::guest(&first).await);
    let id = challenge(&mut owner.player, blitz()).await;
    let owner = leave(owner, &first).await;
    accept_for_later(&mut guest, &id).await;
    first.ended().await;

    let second = server(Some(folder.path())).await;
    let mut owner = Guest { player: owner.tab(&second).await, ..owner };
    let told = news(&mut owner.player).await;
    assert_eq!(told.accepted_by.map(|by| by.account), Some(guest.account));
    owner.player.say("accept_challenge", json!({"challenge": id, "id": "b1"})).await;
    let told = news(&mut owner.player).await;
    assert_eq!(
        (told.challenge.as_str(), told.id.unwrap().as_str()),
        (id.as_str(), "b1"),
        "the other is away"
    );
    let mut back = guest.tab(&second).await;
    assert!(gone(&mut back).await.game.is_some_and(is_it(&id)));
    second.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn either_may_take_back_what_was_accepted() {
    let server = server(None).await;
    let (mut owner, mut guest) = (Player::guest(&server).await, Player::guest(&server).await);
    let mut third = Player::guest(&server).await;
    let id = challenge(&mut owner.player, blitz()).await;
    let owner = leave(owner, &server).await;
    accept_for_later(&mut guest, &id).await;
    third.player.say("decline_challenge", json!({"challenge": id})).await;
    assert_eq!(third.player.rejection().await.0.as_str(), "not_for_you");
    guest.player.say("decline_challenge", json!({"challenge": id, "reason": "later"})).await;
    assert!(gone(&mut guest.player).await.declined.is_some());
    let mut back = owner.tab(&server).await;
    let told = back.pong().await;
    assert!(told.is_empty(), "{told:?}");
    server.ended().await;
}
