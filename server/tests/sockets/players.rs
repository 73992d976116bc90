//! Who somebody is and what somebody has played, over HTTP.

use serde_json::{Value, json};
use zeitnot_protocol::{Challenge, GameId, PlayedGames, WireReason, WireScore, WireVariant};

use super::player::{Guest, Player};
use super::table::{self, Table, accept, blitz, challenge, ok, with};
use super::test_server::TestServer;

/// A game that `white` resigns at once.
async fn resigned(white: &mut Guest, black: &mut Guest, wanted: Value) -> GameId {
    let open = challenge(&mut white.player, wanted).await;
    let game = accept(&mut black.player, &open).await;
    white.player.say("resign", json!({"game": game})).await;
    table::events_to_the_end(&mut white.player).await;
    table::events_to_the_end(&mut black.player).await;
    game
}

async fn page(server: &TestServer, who: &str, before: Option<&str>) -> PlayedGames {
    let query = before.map(|before| format!("?before={before}")).unwrap_or_default();
    let answer = server.get(&format!("/api/players/{who}/games{query}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    serde_json::from_value(answer.json()).unwrap()
}

fn ids(page: &PlayedGames) -> Vec<GameId> {
    page.games.iter().map(|played| played.game).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_challenge_can_be_looked_at() {
    let server = TestServer::open().await;
    let mut owner = Player::guest(&server).await;
    let id = challenge(&mut owner.player, with(blitz(), json!({"variant": "chess960"}))).await;
    let path = format!("/api/challenges/{id}");
    let shown: Challenge = serde_json::from_value(server.get(&path).await.json()).unwrap();
    assert_eq!((shown.by.account, shown.variant), (owner.account, WireVariant::Chess960));
    owner.player.say("cancel_challenge", json!({"challenge": id})).await;
    ok(&mut owner.player).await;
    let answer = server.get(&path).await;
    assert_eq!((answer.status, &*answer.code()), (410, "challenge_cancelled"));
    let terms: Challenge = serde_json::from_value(answer.json()["challenge"].clone()).unwrap();
    assert_eq!(
        terms,
        Challenge { ends_in_ms: None, ..shown },
        "whoever comes too late can make the same again"
    );
    for gone in ["/api/challenges/x", "/api/challenges/000000000000", "/api/challenges/%ff"] {
        let answer = server.get(gone).await;
        assert_eq!((answer.status, &*answer.code()), (404, "unknown_challenge"), "{gone}");
    }
    assert_eq!(server.ask("POST", &path).await.code(), "method_not_allowed");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_are_found_by_how_their_names_begin() {
    let server = TestServer::open().await;
    let Table { mut white, mut black, .. } = Table::set(&server).await;
    for (player, name) in [(&mut white, "Rookie"), (&mut black, "rook")] {
        player.player.say("set_name", json!({"name": name})).await;
        ok(&mut player.player).await;
    }
    let found = json!({"players": [
        {"account": black.account, "name": "rook", "here": true},
        {"account": white.account, "name": "Rookie", "here": true},
    ]});
    assert_eq!(server.get("/api/players?name=ROO").await.json(), found);
    assert_eq!(server.get("/api/players?name=Bish").await.json(), json!({"players": []}));
    for bad in ["", "?name=", "?name=r", "?name=%25", "?name=1rook", "?name=rook&name=rook", "?who=rook"] {
        let answer = server.get(&format!("/api/players{bad}")).await;
        assert_eq!((answer.status, &*answer.code()), (400, "bad_parameter"), "{bad}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_than_the_first_eight_names_are_found() {
    let server = TestServer::open().await;
    let mut guests = Vec::new();
    // In an order that is not that of the names.
    for last in "jihgfedcba".chars() {
        let mut guest = Player::guest(&server).await;
        guest.player.say("set_name", json!({"name": format!("Rook-{last}")})).await;
        ok(&mut guest.player).await;
        guests.push(guest);
    }
    let found = server.get("/api/players?name=rook").await.json();
    let names: Vec<_> = found["players"].as_array().unwrap().iter().map(|player| &player["name"]).collect();
    let first = ["Rook-a", "Rook-b", "Rook-c", "Rook-d", "Rook-e", "Rook-f", "Rook-g", "Rook-h"];
    assert_eq!(names, first, "the others are found by more of their names");
    assert_eq!(server.get("/api/players?name=rook-j").await.json()["players"][0]["name"], "Rook-j");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_is_found_by_account_and_by_name() {
    let server = TestServer::open().await;
    let Table { game, mut white, black } = Table::set(&server).await;
    white.player.say("set_name", json!({"name": "Rook"})).await;
    ok(&mut white.player).await;
    let here = json!({"account": white.account, "name": "Rook", "here": true, "live": [game]});
    for who in [white.account.to_string(), "Rook".to_owned(), "rOOK".to_owned()] {
        assert_eq!(server.get(&format!("/api/players/{who}")).await.json(), here);
    }
    let guest = server.get(&format!("/api/players/{}", black.account)).await.json();
    assert!(guest["name"].as_str().unwrap().starts_with("Guest-"));
    let guests_name = format!("/api/players/{}", guest["name"].as_str().unwrap());
    let nobody = "/api/players/01935d2e-7f6b-7c3a-9a40-5b8c6d7e8f90";
    for unknown in [nobody, &guests_name, "/api/players/Bishop", "/api/players/x%20y", "/api/players/%ff"] {
        for path in [unknown.to_owned(), format!("{unknown}/games")] {
            let answer = server.get(&path).await;
            assert_eq!((answer.status, &*answer.code()), (404, "unknown_account"), "{path}");
        }
    }
    let path = format!("/api/players/{}", white.account);
    white.player.leave().await;
    // The connection is given back behind its close frame.
    while server.get(&path).await.json()["here"] == json!(true) {
        tokio::task::yield_now().await;
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finished_games_come_last_first_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    one.player.say("set_name", json!({"name": "Rook"})).await;
    ok(&mut one.player).await;
    let first = resigned(&mut one, &mut two, blitz()).await;
    one.player.say("set_name", json!({"name": "Castle"})).await;
    ok(&mut one.player).await;
    let second = resigned(&mut two, &mut one, blitz()).await;
    let open = challenge(&mut one.player, blitz()).await;
    accept(&mut two.player, &open).await;

    let seen = page(&server, "castle", None).await;
    assert_eq!(ids(&seen), [second, first], "what is in progress is not among them");
    assert_eq!(seen.next, None);
    let played = &seen.games[1];
    assert_eq!((played.players.white.account, &*played.players.white.name), (one.account, "Rook"));
    assert_eq!((played.score, played.reason), (WireScore::BlackWins, WireReason::Resignation));
    assert_eq!((played.variant, played.ply_count), (WireVariant::Standard, 0));
    assert!(played.began <= played.ended && played.began > 1_700_000_000);
    assert_eq!(seen.games[0].players.black.name, "Castle");
    server.kill();
    let server = TestServer::process(folder.path());
    assert_eq!(page(&server, &two.account.to_string(), None).await, seen);
    server.ended().await;
}

/// Every page of somebody's games.
async fn pages(server: &TestServer, who: &str) -> Vec<Vec<GameId>> {
    let (mut pages, mut before) = (Vec::new(), None);
    loop {
        let next = page(server, who, before.as_deref()).await;
        pages.push(ids(&next));
        match next.next {
            Some(next) => before = Some(next),
            None => return pages,
        }
    }
}

async fn fifty_games_a_page(server: TestServer) {
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    let mut games = Vec::new();
    for number in 0..52 {
        let (white, black) = if number % 2 == 0 { (&mut two, &mut one) } else { (&mut one, &mut two) };
        games.insert(0, resigned(white, black, blitz()).await);
        if number == 49 {
            assert_eq!(pages(&server, &one.account.to_string()).await, [games.clone()], "one full page");
        }
    }
    for account in [one.account, two.account] {
        let pages = pages(&server, &account.to_string()).await;
        assert_eq!(pages, [&games[..50], &games[50..]]);
    }
    let path = format!("/api/players/{}/games?before", one.account);
    for bad in ["=x", "=", "=-1", "=1&before=2", "=18446744073709551616", "=%ff"] {
        let answer = server.get(&format!("{path}{bad}")).await;
        assert_eq!((answer.status, &*answer.code()), (400, "bad_cursor"), "{bad}");
    }
    for far in ["=0", "=1"] {
        assert_eq!(server.get(&format!("{path}{far}")).await.json(), json!({"games": []}));
    }
    let beyond = server.get(&format!("{path}=18446744073709551615")).await;
    assert_eq!(beyond.json()["games"].as_array().unwrap().len(), 50);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_games_a_page_in_memory() {
    fifty_games_a_page(TestServer::open().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_games_a_page_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    fifty_games_a_page(TestServer::process(folder.path())).await;
}
