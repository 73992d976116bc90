//! Challenges between connections and accounts.

use serde_json::json;
use zeitnot_protocol::Limits;
use zeitnot_protocol::ServerMessage;
use zeitnot_server::Config;

use super::player::Player;
use super::table::{accept, blitz, challenge, gone, news, turn, with};
use super::test_server::TestServer;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_tabs_of_both_accounts_are_notified_of_it() {
    let server = TestServer::open().await;
    let (mut owner, mut guest) = (Player::guest(&server).await, Player::guest(&server).await);
    let (mut owners_tab, mut guests_tab) = (owner.tab(&server).await, guest.tab(&server).await);
    owner.player.say("create_challenge", with(blitz(), json!({"to": guest.account, "id": "c1"}))).await;
    let answer = news(&mut owner.player).await;
    assert_eq!(answer.id.unwrap().as_str(), "c1");
    assert_eq!((answer.by.account, answer.to), (owner.account, Some(guest.account)));
    for player in [&mut owners_tab, &mut guest.player, &mut guests_tab] {
        let told = news(player).await;
        assert_eq!((told.challenge, told.id), (answer.challenge, None));
    }
    let mut late_tab = guest.tab(&server).await;
    assert_eq!(
        news(&mut late_tab).await.challenge,
        answer.challenge,
        "who comes later is notified of it too"
    );

    let game = accept(&mut guests_tab, answer.challenge.as_str()).await;
    for player in [&mut owner.player, &mut owners_tab, &mut guest.player, &mut late_tab] {
        let gone = gone(player).await;
        assert_eq!((gone.challenge, gone.game), (answer.challenge, Some(game)));
    }
    for player in [&mut owner.player, &mut owners_tab] {
        assert_eq!(turn(player, game).await.on, 1, "every tab has its seat");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejections_of_the_lobby() {
    let server = TestServer::open().await;
    let (mut owner, mut guest, mut third) =
        (Player::guest(&server).await, Player::guest(&server).await, Player::guest(&server).await);
    let id = challenge(&mut owner.player, with(blitz(), json!({"to": guest.account}))).await;
    let rejected = async |player: &mut Player, t: &str, d: serde_json::Value| {
        player.say(t, with(d, json!({"id": "x"}))).await;
        let (code, id) = player.rejection().await;
        assert_eq!(id.as_deref(), Some("x"));
        code.as_str()
    };
    let one = json!({"challenge": id});
    let none = json!({"challenge": "000000000000"});
    let nobody = json!({"to": "01935d2e-7f6b-7c3a-9a40-5b8c6d7e8f90"});
    assert_eq!(rejected(&mut owner.player, "accept_challenge", one.clone()).await, "own_challenge");
    assert_eq!(rejected(&mut third.player, "accept_challenge", one.clone()).await, "not_for_you");
    assert_eq!(rejected(&mut guest.player, "cancel_challenge", one.clone()).await, "not_for_you");
    assert_eq!(rejected(&mut guest.player, "accept_challenge", none.clone()).await, "unknown_challenge");
    assert_eq!(rejected(&mut guest.player, "cancel_challenge", none).await, "unknown_challenge");
    assert_eq!(
        rejected(&mut owner.player, "create_challenge", with(blitz(), nobody)).await,
        "unknown_account"
    );
    let oneself = with(blitz(), json!({"to": owner.account}));
    assert_eq!(rejected(&mut owner.player, "create_challenge", oneself).await, "own_challenge");
    let over = with(blitz(), json!({"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}));
    assert_eq!(rejected(&mut owner.player, "create_challenge", over).await, "bad_position");
    let silly = json!({"time_control": {"kind": "clock", "periods": []}});
    assert_eq!(rejected(&mut owner.player, "create_challenge", silly).await, "bad_time_control");
    let options = with(blitz(), json!({"options": {"profile": "casual", "ilc": "us14h"}}));
    assert_eq!(rejected(&mut owner.player, "create_challenge", options).await, "bad_options");

    let game = accept(&mut guest.player, &id).await;
    assert_eq!(game.as_str(), id, "one link leads to both");
    assert_eq!(rejected(&mut third.player, "accept_challenge", one).await, "challenge_taken");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_comes_too_late_is_told_why() {
    let server = TestServer::open().await;
    let (mut owner, mut to) = (Player::guest(&server).await, Player::guest(&server).await);
    let mut late = Player::guest(&server).await;
    let taken = challenge(&mut owner.player, blitz()).await;
    let cancelled = challenge(&mut owner.player, blitz()).await;
    let declined = challenge(&mut owner.player, with(blitz(), json!({"to": to.account}))).await;
    accept(&mut to.player, &taken).await;
    owner.player.say("cancel_challenge", json!({"challenge": cancelled})).await;
    to.player.say("decline_challenge", json!({"challenge": declined})).await;
    // In whatever order they come.
    let mut waited_for = vec![cancelled.clone(), declined.clone()];
    while !waited_for.is_empty() {
        let gone = gone(&mut owner.player).await.challenge.to_string();
        waited_for.retain(|id| *id != gone);
    }
    for (id, code) in
        [(taken, "challenge_taken"), (cancelled, "challenge_cancelled"), (declined, "challenge_declined")]
    {
        late.player.say("accept_challenge", json!({"challenge": id})).await;
        assert_eq!(late.player.rejection().await.0.as_str(), code);
        let answer = server.get(&format!("/api/challenges/{id}")).await;
        assert_eq!((answer.status, answer.code().as_str()), (410, code));
        assert_eq!(answer.json()["challenge"]["challenge"], json!(id));
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn accepting_again_is_safe_while_the_game_is_played_and_after() {
    let server = TestServer::open().await;
    let (mut owner, mut guest) = (Player::guest(&server).await, Player::guest(&server).await);
    let id = challenge(&mut owner.player, blitz()).await;
    let game = accept(&mut guest.player, &id).await;
    let mut tab = guest.tab(&server).await;
    assert_eq!(accept(&mut tab, &id).await, game);
    owner.player.say("abort", json!({"game": game})).await;
    let ended = |message: &ServerMessage| matches!(message, ServerMessage::Ended(_)).then_some(());
    tab.until(ended).await;
    assert_eq!(accept(&mut tab, &id).await, game);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_has_only_so_many_and_may_withdraw() {
    let server = TestServer::open().await;
    let mut owner = Player::guest(&server).await;
    let mut tab = owner.tab(&server).await;
    let first = challenge(&mut owner.player, blitz()).await;
    for _ in 1..16 {
        challenge(&mut owner.player, blitz()).await;
    }
    owner.player.say("create_challenge", blitz()).await;
    assert_eq!(owner.player.rejection().await.0.as_str(), "too_many_challenges");
    owner.player.say("cancel_challenge", json!({"challenge": first})).await;
    assert_eq!(gone(&mut tab).await.challenge.as_str(), first);
    challenge(&mut owner.player, blitz()).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_ends_when_its_time_comes() {
    let other_limits = Limits { challenge_lifetime_ms: 100, ..Limits::STANDARD };
    let server = TestServer::with(Config { other_limits, ..Config::for_tests() }).await;
    let (mut owner, mut guest) = (Player::guest(&server).await, Player::guest(&server).await);
    let id = challenge(&mut owner.player, with(blitz(), json!({"to": guest.account}))).await;
    assert_eq!(news(&mut guest.player).await.challenge.as_str(), id);
    for player in [&mut owner.player, &mut guest.player] {
        let gone = gone(player).await;
        assert_eq!((gone.challenge.as_str(), gone.game), (id.as_str(), None));
    }
    guest.player.say("accept_challenge", json!({"challenge": id})).await;
    assert_eq!(guest.player.rejection().await.0.as_str(), "challenge_expired");
    let answer = server.get(&format!("/api/challenges/{id}")).await;
    assert_eq!((answer.status, answer.code().as_str()), (410, "challenge_expired"));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_account_fills_nobodys_list() {
    let server = TestServer::open().await;
    let (mut one, mut victim) = (Player::guest(&server).await, Player::guest(&server).await);
    let to_victim = with(blitz(), json!({"to": victim.account}));
    let first = challenge(&mut one.player, to_victim.clone()).await;
    for _ in 1..16 {
        one.player.say("create_challenge", to_victim.clone()).await;
        assert_eq!(one.player.rejection().await.0.as_str(), "already_challenged");
    }
    let mut other = Player::guest(&server).await;
    let second = challenge(&mut other.player, to_victim.clone()).await;
    victim.player.say("decline_challenge", json!({"challenge": first, "reason": "no"})).await;
    gone(&mut one.player).await;
    let third = challenge(&mut one.player, to_victim).await;
    let mut tab = victim.tab(&server).await;
    let open = [news(&mut tab).await, news(&mut tab).await].map(|told| told.challenge.to_string());
    assert_eq!(open, [second, third]);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guests_of_one_address_fill_nobodys_list() {
    let server = TestServer::open().await;
    let mut victim = Player::guest(&server).await;
    let to_victim = with(blitz(), json!({"to": victim.account}));
    let mut guests = Vec::new();
    for number in 0..6 {
        let mut guest = Player::guest(&server).await;
        if number < 4 {
            challenge(&mut guest.player, to_victim.clone()).await;
        } else {
            guest.player.say("create_challenge", to_victim.clone()).await;
            assert_eq!(guest.player.rejection().await.0.as_str(), "too_many_challenges");
        }
        guests.push(guest);
    }
    for _ in 0..4 {
        let told = news(&mut victim.player).await.challenge;
        victim.player.say("decline_challenge", json!({"challenge": told, "reason": "no"})).await;
    }
    for guest in &mut guests[..4] {
        gone(&mut guest.player).await;
    }
    challenge(&mut guests[5].player, to_victim).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn challenges_that_come_and_go_are_told_only_so_often() {
    // Of these rates nothing comes back while the test runs.
    let other_limits = Limits { challenges_per_pair_per_minute: 2, ..Limits::STANDARD };
    let challenges_per_account_per_minute = 3;
    let config = Config { other_limits, challenges_per_account_per_minute, ..Config::for_tests() };
    let server = TestServer::with(config).await;
    let (mut one, mut victim) = (Player::guest(&server).await, Player::guest(&server).await);
    let to_victim = with(blitz(), json!({"to": victim.account}));
    let made = come_and_go(&mut one.player, &to_victim, 20).await;
    assert_eq!(made, 2);
    assert_eq!(victim.player.pong().await.len() as u32, 2 * made, "each came and went");
    let seek = with(blitz(), json!({"seek": true}));
    let seeks = come_and_go(&mut one.player, &seek, 20).await;
    assert_eq!(made + seeks, 3);
    assert_eq!(come_and_go(&mut victim.player, &seek, 1).await, 1, "everybody has an allowance");
    server.ended().await;
}

/// Makes and cancels such a challenge so many times: how many were not rejected with `too_fast`.
async fn come_and_go(player: &mut Player, wanted: &serde_json::Value, times: u32) -> u32 {
    let mut made = 0;
    for _ in 0..times {
        player.say("create_challenge", wanted.clone()).await;
        let answer = player.until(|message| match message {
            ServerMessage::Challenge(challenge) => Some(Ok(challenge.challenge)),
            ServerMessage::Rejected(rejected) => Some(Err(rejected.code)),
            _ => None,
        });
        match answer.await {
            Ok(challenge) => {
                made += 1;
                player.cancel_or_end(challenge.as_str()).await.unwrap();
            }
            Err(code) => assert_eq!(code.as_str(), "too_fast"),
        }
    }
    made
}
