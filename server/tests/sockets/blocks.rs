//! Accounts that have blocked each other, and those that say who may challenge them.

use serde_json::{Value, json};
use zeitnot_protocol::{ChatRoom, GameId, ServerMessage};

use super::accounts::{HERE, post, register};
use super::player::{Guest, Player};
use super::table::{accept, blitz, challenge, gone, ok, play, send_move, snapshot, with};
use super::test_server::{Answer, TestServer};

/// A request of this guest.
async fn ask(server: &TestServer, guest: &Guest, method: &str, path: &str) -> Answer {
    let bearer = format!("Bearer {}", guest.token);
    server.ask_with(method, &format!("/api/account/{path}"), &[("Authorization", &bearer)]).await
}

async fn block(server: &TestServer, by: &Guest, whom: &Guest) {
    assert_eq!(ask(server, by, "PUT", &format!("blocks/{}", whom.account)).await.status, 204);
}

async fn rejected(player: &mut Player, t: &str, d: Value) -> String {
    player.say(t, d).await;
    player.rejection().await.0.as_str().to_owned()
}

fn said(room: ChatRoom) -> impl Fn(&ServerMessage) -> Option<String> {
    move |message| match message {
        ServerMessage::Said(said) if said.room == room => Some(said.text.clone()),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_of_whom_one_has_blocked_the_other_have_nothing_to_do_with_each_other() {
    let server = TestServer::open().await;
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    let to = |who: &Guest| with(blitz(), json!({"to": who.account}));
    let open = challenge(&mut two.player, to(&one)).await;
    let link = challenge(&mut two.player, blitz()).await;
    block(&server, &one, &two).await;
    assert_eq!(gone(&mut two.player).await.challenge.as_str(), open, "it ends");
    let (to_one, to_two) = (to(&one), to(&two));
    assert_eq!(rejected(&mut two.player, "create_challenge", to_one).await, "blocked");
    assert_eq!(rejected(&mut one.player, "create_challenge", to_two).await, "blocked");
    assert_eq!(rejected(&mut one.player, "accept_challenge", json!({"challenge": link})).await, "blocked");
    let listed = ask(&server, &one, "GET", "blocks").await.json();
    assert_eq!(listed["blocked"][0]["account"], json!(two.account));
    let none = ask(&server, &two, "GET", "blocks").await.json();
    assert_eq!(none["blocked"], json!([]), "nobody is told who has blocked them");

    // In a pool they wait for somebody else.
    for player in [&mut one.player, &mut two.player] {
        player.say("join_pool", json!({"pool": "3+2"})).await;
        ok(player).await;
    }
    let mut third = Player::guest(&server).await;
    third.player.say("join_pool", json!({"pool": "3+2"})).await;
    let waiting = third.player.until(|message| match message {
        ServerMessage::Waiting(waiting) => waiting.game,
        _ => None,
    });
    let game = waiting.await;
    let players = snapshot(&mut third.player, game).await.players;
    assert!([players.white.account, players.black.account].contains(&third.account));

    assert_eq!(ask(&server, &one, "DELETE", &format!("blocks/{}", two.account)).await.status, 204);
    accept(&mut one.player, &link).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_of_blocked_accounts_are_left_out_and_players_who_blocked_do_not_talk() {
    let server = TestServer::open().await;
    let (mut white, mut black) = (Player::guest(&server).await, Player::guest(&server).await);
    let (mut watcher, mut heckler) = (Player::guest(&server).await, Player::guest(&server).await);
    let id = challenge(&mut white.player, with(blitz(), json!({"color": "white"}))).await;
    let game: GameId = accept(&mut black.player, &id).await;
    for player in [&mut watcher.player, &mut heckler.player] {
        player.say("watch", json!({"game": game})).await;
        snapshot(player, game).await;
    }
    block(&server, &watcher, &heckler).await;
    let line = |room: &str, text: &str| json!({"game": game, "room": room, "text": text});
    heckler.player.say("say", line("spectators", "Unheard")).await;
    heckler.player.until(said(ChatRoom::Spectators)).await;
    let mut other = Player::guest(&server).await;
    other.player.say("watch", json!({"game": game})).await;
    other.player.say("say", line("spectators", "Heard")).await;
    assert_eq!(watcher.player.until(said(ChatRoom::Spectators)).await, "Heard");
    assert_eq!(other.player.until(said(ChatRoom::Spectators)).await, "Unheard", "others read both");

    block(&server, &black, &white).await;
    for player in [&mut white.player, &mut black.player] {
        assert_eq!(rejected(player, "say", line("players", "Hello")).await, "blocked");
    }
    // The game goes on.
    send_move(&mut white.player, game, 1, "e2e4").await;
    play(&mut black.player, game, "e7e5").await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn blocks_and_rules_outlive_a_restart_and_end_with_the_account() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let (castle, bishop) = (register(&server, "Castle").await, register(&server, "Bishop").await);
    let by = |cookie: &str| [HERE, ("Cookie", cookie)].map(|(name, value)| (name, value.to_owned()));
    let asked = async |server: &TestServer, cookie: &str, method: &str, path: &str, body: &str| {
        let lines = by(cookie).map(|(name, value)| format!("{name}: {value}\r\n")).concat();
        let head =
            format!("{method} /api/account/{path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{lines}");
        server.raw(&format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())).await
    };
    assert_eq!(asked(&server, &castle, "PUT", "blocks/bishop", "").await.status, 204);
    for (who, status, code) in [("Castle", 400, "own_account"), ("Nobody", 404, "unknown_account")] {
        let answer = asked(&server, &castle, "PUT", &format!("blocks/{who}"), "").await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code));
    }
    let rules = r#"{"from": "accounts", "bots": false, "categories": ["rapid", "blitz", "rapid"]}"#;
    assert_eq!(asked(&server, &castle, "PUT", "challenge-rules", rules).await.status, 204);
    for (wrong, field) in [
        (r#"{"from": "friends"}"#, "from"),
        (r#"{"from": "nobody", "bots": "maybe"}"#, "bots"),
        (r#"{"from": "nobody", "categories": ["quick"]}"#, "categories"),
    ] {
        let answer = asked(&server, &castle, "PUT", "challenge-rules", wrong).await;
        assert_eq!((answer.status, answer.code().as_str()), (400, "bad_field"), "{wrong}");
        assert!(answer.body.contains(field), "{answer:?}");
    }
    server.kill();

    let server = TestServer::process(folder.path());
    let export = asked(&server, &castle, "GET", "export", "").await.json();
    assert_eq!(export["blocked"][0]["name"], json!("Bishop"));
    let kept = json!({"from": "accounts", "bots": false, "categories": ["blitz", "rapid"]});
    assert_eq!(export["challenge_rules"], kept);
    let close = json!({"password": super::accounts::PASSWORD});
    assert_eq!(post(&server, "close", close, &[HERE, ("Cookie", &bishop)]).await.status, 204);
    server.ended().await;
    let server = TestServer::process(folder.path());
    let listed = asked(&server, &castle, "GET", "blocks", "").await.json();
    assert_eq!(listed["blocked"], json!([]));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_may_challenge_an_account_is_up_to_it() {
    let server = TestServer::open().await;
    let mut asked = Player::guest(&server).await;
    let mut guest = Player::guest(&server).await.player;
    let owner = register(&server, "Castle").await;
    let wanted = json!({"name": "A board", "scopes": ["challenge"]});
    let made = post(&server, "tokens", wanted, &[HERE, ("Cookie", &owner)]).await.json();
    let token = &made["token"];
    let mut registered = Player::hello(&server, json!({"token": token})).await.0;
    let set = async |rules: Value| {
        let body = rules.to_string();
        let head = format!(
            "PUT /api/account/challenge-rules HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAuthorization: Bearer {}",
            asked.token
        );
        let answer = server.raw(&format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len())).await;
        assert_eq!(answer.status, 204, "{answer:?}");
    };
    let to = || with(blitz(), json!({"to": asked.account}));
    set(json!({"from": "accounts", "bots": true, "categories": ["blitz"]})).await;
    assert_eq!(rejected(&mut guest, "create_challenge", to()).await, "not_accepting");
    let days = json!({"time_control": {"kind": "days", "days": 3}, "to": asked.account});
    assert_eq!(rejected(&mut registered, "create_challenge", days).await, "not_accepting");
    let id = challenge(&mut registered, to()).await;
    registered.say("cancel_challenge", json!({"challenge": id})).await;
    set(json!({"from": "nobody", "bots": true, "categories": ["blitz"]})).await;
    assert_eq!(rejected(&mut registered, "create_challenge", to()).await, "not_accepting");
    let link = challenge(&mut registered, blitz()).await;
    accept(&mut asked.player, &link).await;
    server.ended().await;
}
