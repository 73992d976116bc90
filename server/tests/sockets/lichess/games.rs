//! Finished games, as programs export them.

use serde_json::Value;
use zeitnot_server::time::unix_now_ms;

use super::CASUAL;
use super::client::Program;
use crate::accounts::send;
use crate::test_server::{Answer, TestServer};

const RAPID: &str = "clock.limit=600&clock.increment=0&rated=true&color=black";
const CHESS960: &str = "clock.limit=180&clock.increment=2&rated=false&variant=chess960&color=white";

/// A game that `one` resigns after a move of each side, where the variant is the usual one. Its id.
async fn played(server: &TestServer, one: &Program, other: &Program, terms: &str) -> String {
    let (game, white) = one.plays(server, other, terms).await;
    let (white, black) = if white == one.name { (one, other) } else { (other, one) };
    let mut stream = white.game(server, &game).await;
    stream.until("gameFull").await;
    for (player, mv) in [(white, "g2g3"), (black, "g7g6")] {
        player.play(server, &game, &format!("move/{mv}")).await.ok();
    }
    one.play(server, &game, "resign").await.ok();
    let (last, _) = stream.last().await;
    assert_eq!(last["status"], "resign", "{last}");
    game
}

/// The ids of the games of an answer in lines.
fn ids(answer: &Answer) -> Vec<String> {
    assert!(answer.head.contains("content-type: application/x-ndjson"), "{answer:?}");
    let lines = answer.body.lines().filter(|line| line.starts_with('{'));
    let games = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    games.map(|game| game["id"].as_str().unwrap().to_owned()).collect()
}

async fn lines(server: &TestServer, path: &str) -> Answer {
    server.ask_with("GET", path, &[("Accept", "application/x-ndjson")]).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_of_an_account_are_exported_as_the_parameters_say() {
    let server = TestServer::without_rates().await;
    let (one, other) = (Program::board(&server, "Castle").await, Program::board(&server, "Knight").await);
    let third = Program::board(&server, "Bishop").await;
    let white = format!("{CASUAL}&color=white");
    let blitz = played(&server, &one, &other, &white).await;
    let rapid = played(&server, &one, &other, RAPID).await;
    let nine = played(&server, &one, &third, CHESS960).await;
    let (live, _) = one.plays(&server, &third, CASUAL).await;
    let of = |query: &str| format!("/api/games/user/castle?{query}");
    let cases: &[(&str, &[&String])] = &[
        ("", &[&nine, &rapid, &blitz]),
        ("max=1", &[&nine]),
        ("max=2&sort=dateDesc", &[&nine, &rapid]),
        ("sort=dateAsc", &[&blitz, &rapid, &nine]),
        ("sort=dateAsc&max=2", &[&blitz, &rapid]),
        ("vs=knight", &[&rapid, &blitz]),
        ("vs=Knight&color=white", &[&blitz]),
        ("color=black", &[&rapid]),
        ("rated=True", &[&rapid]),
        ("rated=false", &[&nine, &blitz]),
        ("perfType=blitz", &[&blitz]),
        ("perfType=rapid,chess960", &[&nine, &rapid]),
        ("perfType=crazyhouse", &[]),
        ("since=1000&until=2000", &[]),
        ("since=1000", &[&nine, &rapid, &blitz]),
        ("ongoing=true", &[&live, &nine, &rapid, &blitz]),
        ("ongoing=1&finished=0", &[&live]),
        ("ongoing=true&max=1", &[&live]),
        ("analysed=true", &[]),
    ];
    for (query, expected) in cases {
        let answer = lines(&server, &of(query)).await;
        let found = ids(&answer);
        assert_eq!(found.iter().collect::<Vec<_>>(), *expected, "{query}");
    }
    for (query, status) in [("color=red", 400), ("sort=x", 400), ("rated=maybe", 400), ("vs=Nobody", 404)] {
        let answer = lines(&server, &of(query)).await;
        assert_eq!(answer.status, status, "{query}");
        assert!(!answer.json()["error"].is_null(), "{answer:?}");
    }
    assert_eq!(lines(&server, "/api/games/user/Nobody").await.status, 404);

    let text = server.get(&of("max=2&clocks=true")).await;
    assert!(text.head.contains("content-type: application/x-chess-pgn"), "{text:?}");
    assert_eq!((text.body.matches("[Event ").count(), text.body.matches("[%clk").count()), (2, 4));
    assert!(text.body.contains(&format!("[Site \"http://test/{nine}\"]")), "{text:?}");
    let bare = server.get(&of("max=1&tags=false&moves=false")).await;
    assert!(bare.body.contains("\n0-1\n\n\n") && !bare.body.contains('['), "{bare:?}");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_are_exported_by_their_ids() {
    let server = TestServer::without_rates().await;
    let (one, other) = (Program::board(&server, "Castle").await, Program::board(&server, "Knight").await);
    let first = played(&server, &one, &other, CASUAL).await;
    let second = played(&server, &one, &other, RAPID).await;
    let json = [("Accept", "application/x-ndjson")];
    let ask = async |list: String| {
        send(&server, "/api/games/export/_ids?pgnInJson=true", "text/plain", &list, &json).await
    };
    let answer = ask(format!("{second},xxxxxxxxxxxx,bad id, {first}")).await;
    assert_eq!(
        ids(&answer),
        [second, first.clone()],
        "in the order of the list, without those that there are not"
    );
    assert!(answer.body.contains("[Site "), "{answer:?}");
    let many = vec!["xxxxxxxxxxxx"; 299].join(",");
    assert_eq!(ids(&ask(format!("{many},{first}")).await), std::slice::from_ref(&first), "300 of them");
    assert_eq!(ids(&ask(format!("{many},xxxxxxxxxxxx,{first}")).await), [""; 0], "and no more");

    let path = format!("/game/export/{first}/white");
    let game = server.ask_with("GET", &path, &[("Accept", "application/json")]).await.json();
    let (began, moved) = (game["createdAt"].as_u64().unwrap(), game["lastMoveAt"].as_u64().unwrap());
    assert!((began..=unix_now_ms()).contains(&moved), "{game}");
    assert_eq!((&game["moves"], game["clocks"].as_array().unwrap().len()), (&Value::from("g3 g6"), 2));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_game_that_goes_on_is_exported_and_else_the_last_one() {
    let server = TestServer::without_rates().await;
    let (one, other) = (Program::board(&server, "Castle").await, Program::board(&server, "Knight").await);
    let path = "/api/user/Castle/current-game";
    let json = [("Accept", "application/json")];
    assert_eq!(server.ask_with("GET", path, &json).await.status, 404, "there was none");
    let last = played(&server, &one, &other, CASUAL).await;
    assert_eq!(server.ask_with("GET", path, &json).await.json()["id"], last.as_str());
    let (live, _) = one.plays(&server, &other, CASUAL).await;
    let game = server.ask_with("GET", path, &json).await.json();
    assert_eq!((&game["id"], &game["status"]), (&Value::from(live), &Value::from("started")));
    let text = server.get(path).await;
    assert!(text.body.contains("[Termination \"Unterminated\"]"), "{text:?}");
    server.ended().await;
}
