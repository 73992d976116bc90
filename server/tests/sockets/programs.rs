//! What programs are given: API tokens with scopes, and accounts that are bots.

use serde_json::{Value, json};
use zeitnot_protocol::{CloseCode, Code, GameId, ServerMessage};
use zeitnot_server::Config;

use super::accounts::{HERE, cookie, me, post, register};
use super::player::Player;
use super::table::{accept, blitz, challenge, play, snapshot, with};
use super::test_server::{Answer, TestServer};

/// Makes a token on the account of a cookie.
async fn make_token(server: &TestServer, cookie: &str, body: Value) -> Answer {
    post(server, "tokens", body, &[HERE, ("Cookie", cookie)]).await
}

pub(crate) async fn token(server: &TestServer, cookie: &str, scopes: &[&str]) -> String {
    let answer = make_token(server, cookie, json!({"name": "A board", "scopes": scopes})).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()["token"].as_str().unwrap().to_owned()
}

/// What a request with a token gets.
async fn with_token(server: &TestServer, method: &str, path: &str, token: &str) -> Answer {
    server.ask_with(method, path, &[("Authorization", &format!("Bearer {token}"))]).await
}

fn rated() -> Value {
    with(blitz(), json!({"rated": true}))
}

async fn rejected(player: &mut Player, t: &str, d: Value) -> Code {
    player.say(t, d).await;
    player.rejection().await.0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_shown_once_listed_and_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let owner = register(&server, "Castle").await;
    let made =
        make_token(&server, &owner, json!({"name": " A board ", "scopes": ["play"], "expires_days": 7}));
    let made = made.await.json();
    assert_eq!((&made["name"], &made["scopes"]), (&json!("A board"), &json!(["read", "play"])));
    assert_eq!(made["expires"].as_u64().unwrap(), made["made"].as_u64().unwrap() + 7 * 86_400);
    let token = made["token"].as_str().unwrap();
    let mut player = Player::hello(&server, json!({"token": token})).await.0;
    let listed = server.ask_with("GET", "/api/account/tokens", &[("Cookie", &owner)]).await;
    assert!(!listed.body.contains(token), "it is shown only once");
    let tokens = listed.json()["tokens"].clone();
    let [kept] = &tokens.as_array().unwrap()[..] else { panic!("{listed:?}") };
    assert_eq!((&kept["id"], &kept["name"]), (&made["id"], &made["name"]));
    assert!(kept["used"].as_u64().unwrap() + 2 * 86_400 > made["made"].as_u64().unwrap());
    let sessions = server.ask_with("GET", "/api/account/sessions", &[("Cookie", &owner)]).await.json();
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 1, "a token is no device");
    let export = server.ask_with("GET", "/api/account/export", &[("Cookie", &owner)]).await.json();
    assert_eq!(export["tokens"], tokens);

    let path = format!("/api/account/tokens/{}", made["id"].as_str().unwrap());
    let stranger = register(&server, "Bishop").await;
    for (who, status) in [(&stranger, 404), (&owner, 204), (&owner, 404)] {
        let answer = server.ask_with("DELETE", &path, &[HERE, ("Cookie", who)]).await;
        assert_eq!(answer.status, status, "{answer:?}");
    }
    assert_eq!(player.closed().await, CloseCode::Revoked);
    assert_eq!(with_token(&server, "GET", "/api/me", token).await.code(), "bad_token");
    assert_eq!(me(&server, &owner).await.status, 200);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_does_what_its_scopes_allow_and_nothing_else() {
    let server = TestServer::open().await;
    let owner = register(&server, "Castle").await;
    let (reads, plays) = (token(&server, &owner, &[]).await, token(&server, &owner, &["play"]).await);
    let challenges = token(&server, &owner, &["challenge"]).await;
    let mut other = Player::guest(&server).await.player;

    let [mut reader, mut player, mut challenger] = [
        Player::hello(&server, json!({"token": &reads})).await.0,
        Player::hello(&server, json!({"token": &plays})).await.0,
        Player::hello(&server, json!({"token": &challenges})).await.0,
    ];
    for unable in [&mut reader, &mut player] {
        assert_eq!(rejected(unable, "create_challenge", blitz()).await, Code::MissingScope);
    }
    assert_eq!(rejected(&mut reader, "join_pool", json!({"pool": "1+0"})).await, Code::MissingScope);
    let id = challenge(&mut challenger, with(blitz(), json!({"color": "white"}))).await;
    let game: GameId = accept(&mut other, &id).await;
    for each in [&mut reader, &mut player, &mut challenger] {
        snapshot(each, game).await;
    }
    for unable in [&mut reader, &mut challenger] {
        let code = rejected(unable, "move", json!({"game": game, "on": 1, "uci": "e2e4"})).await;
        assert_eq!(code, Code::MissingScope);
    }
    play(&mut player, game, "e2e4").await;

    for each in [&reads, &plays] {
        assert_eq!(with_token(&server, "GET", "/api/account/profile", each).await.status, 200);
        for (method, path) in [
            ("GET", "/api/account/tokens"),
            ("POST", "/api/account/tokens"),
            ("GET", "/api/account/sessions"),
            ("GET", "/api/account/export"),
            ("POST", "/api/account/bot"),
            ("POST", "/api/account/sign-out-everywhere"),
        ] {
            let answer = with_token(&server, method, path, each).await;
            assert_eq!((answer.status, answer.code().as_str()), (403, "missing_scope"), "{method} {path}");
        }
    }
    assert_eq!(with_token(&server, "POST", "/api/account/sign-out", &reads).await.status, 204);
    assert_eq!(reader.closed().await, CloseCode::Revoked);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_no_token_can_be_is_rejected() {
    let server = TestServer::open().await;
    let owner = register(&server, "Castle").await;
    for (wrong, field) in [
        (json!({"scopes": []}), "name"),
        (json!({"name": " ", "scopes": []}), "name"),
        (json!({"name": "x".repeat(65)}), "name"),
        (json!({"name": "a\nb"}), "name"),
        (json!({"name": "A board", "scopes": ["board:play"]}), "scopes"),
        (json!({"name": "A board", "scopes": {"play": true}}), "scopes"),
        (json!({"name": "A board", "expires_days": 0}), "expires_days"),
        (json!({"name": "A board", "expires_days": 3_651}), "expires_days"),
        (json!({"name": "A board", "expires_days": "soon"}), "expires_days"),
    ] {
        let answer = make_token(&server, &owner, wrong.clone()).await;
        assert_eq!((answer.status, answer.code().as_str()), (400, "bad_field"), "{wrong}");
        assert!(answer.body.contains(field), "{wrong}: {}", answer.body);
    }
    let guest = cookie(&server.ask_with("POST", "/api/guest", &[HERE]).await);
    let answer = make_token(&server, &guest, json!({"name": "A board"})).await;
    assert_eq!((answer.status, answer.code().as_str()), (403, "not_registered"));
    for number in 0..32 {
        assert_eq!(make_token(&server, &owner, json!({"name": "A board"})).await.status, 201, "{number}");
    }
    let answer = make_token(&server, &owner, json!({"name": "A board"})).await;
    assert_eq!((answer.status, answer.code().as_str()), (409, "too_many_tokens"));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_becomes_a_bot_once_and_plays_as_one() {
    let server = TestServer::open().await;
    let (bot, person) = (register(&server, "Castle").await, register(&server, "Bishop").await);
    let bots = token(&server, &bot, &["bot", "play", "challenge"]).await;
    let mut robot = Player::hello(&server, json!({"token": &bots})).await.0;
    robot.say("join_pool", json!({"pool": "5+0"})).await;
    let made = with_token(&server, "POST", "/api/account/bot", &bots).await;
    assert_eq!((made.status, &made.json()["kind"]), (200, &json!("bot")), "{made:?}");
    let left = robot.until(|message| match message {
        ServerMessage::Waiting(waiting) => Some(waiting.pool.is_none()),
        _ => None,
    });
    assert!(!left.await, "it waited");
    let left = robot.until(|message| match message {
        ServerMessage::Waiting(waiting) => Some(waiting.pool.is_none()),
        _ => None,
    });
    assert!(left.await, "pools are for people");
    assert_eq!(rejected(&mut robot, "join_pool", json!({"pool": "5+0"})).await, Code::NotForBots);
    let again = with_token(&server, "POST", "/api/account/bot", &bots).await;
    assert_eq!((again.status, &again.json()["kind"]), (200, &json!("bot")));
    for (name, bot) in [("Castle", json!(true)), ("Bishop", json!(null))] {
        let player = server.get(&format!("/api/players/{name}")).await.json();
        assert_eq!(player["bot"], bot, "{name}");
        assert!(player["made"].is_u64(), "somebody has registered it: {player}");
    }

    let people = token(&server, &person, &["play", "challenge"]).await;
    let mut human = Player::hello(&server, json!({"token": &people})).await.0;
    let id = challenge(&mut robot, rated()).await;
    assert_eq!(rejected(&mut human, "accept_challenge", json!({"challenge": id})).await, Code::NotRated);
    let id = challenge(&mut robot, blitz()).await;
    let game: GameId = accept(&mut human, &id).await;
    let begun = snapshot(&mut robot, game).await;
    assert!(begun.players.white.bot != begun.players.black.bot && !begun.rated);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_plays_or_has_played_rated_games_becomes_no_bot() {
    let server = TestServer::open().await;
    let (one, two) = (register(&server, "Castle").await, register(&server, "Bishop").await);
    let scopes = ["play", "challenge", "bot"];
    let (ones, twos) = (token(&server, &one, &scopes).await, token(&server, &two, &scopes).await);
    let mut white = Player::hello(&server, json!({"token": &ones})).await.0;
    let mut black = Player::hello(&server, json!({"token": &twos})).await.0;
    let id = challenge(&mut white, with(rated(), json!({"color": "white"}))).await;
    let game: GameId = accept(&mut black, &id).await;
    let answer = with_token(&server, "POST", "/api/account/bot", &ones).await;
    assert_eq!((answer.status, answer.code().as_str()), (409, "has_live_games"));
    play(&mut white, game, "e2e4").await;
    play(&mut black, game, "e7e5").await;
    black.say("resign", json!({"game": game})).await;
    for player in [&mut white, &mut black] {
        let over = player.until(|message| matches!(message, ServerMessage::Rated(_)).then_some(()));
        over.await;
    }
    let answer = with_token(&server, "POST", "/api/account/bot", &twos).await;
    assert_eq!((answer.status, answer.code().as_str()), (409, "has_rated_games"));
    let guest = Player::guest(&server).await.token;
    let answer = with_token(&server, "POST", "/api/account/bot", &guest).await;
    assert_eq!((answer.status, answer.code().as_str()), (403, "not_registered"));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_wait_in_pools_where_they_may() {
    let server = TestServer::with(Config { bots_in_pools: true, ..Config::for_tests() }).await;
    let bot = register(&server, "Castle").await;
    let bots = token(&server, &bot, &["bot", "play"]).await;
    assert_eq!(with_token(&server, "POST", "/api/account/bot", &bots).await.status, 200);
    let mut robot = Player::hello(&server, json!({"token": &bots})).await.0;
    let mut human = Player::guest(&server).await.player;
    for player in [&mut robot, &mut human] {
        player.say("join_pool", json!({"pool": "5+0"})).await;
    }
    let game = robot.until(|message| match message {
        ServerMessage::Waiting(waiting) => waiting.game,
        _ => None,
    });
    let begun = snapshot(&mut human, game.await).await;
    assert!(begun.players.white.bot != begun.players.black.bot && !begun.rated);
    server.ended().await;
}
