//! Games that are watched without a token.

use serde_json::{Value, json};

use super::CASUAL;
use super::client::{Ending, Lines, Program};
use crate::test_server::TestServer;

/// Two who play, White first, and the id of their game.
async fn begun<'p>(
    server: &TestServer,
    one: &'p Program,
    other: &'p Program,
    terms: &str,
) -> (String, [&'p Program; 2]) {
    let (game, white) = one.plays(server, other, terms).await;
    (game, if white == one.name { [one, other] } else { [other, one] })
}

async fn next(lines: &mut Lines) -> Value {
    lines.next().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_told_from_its_first_position_to_its_end() {
    let server = TestServer::without_rates().await;
    let (one, other) = (Program::board(&server, "Castle").await, Program::board(&server, "Knight").await);
    let (game, [white, black]) = begun(&server, &one, &other, CASUAL).await;
    let path = format!("/api/stream/game/{game}");
    let mut early = Lines::watch(&server, &path).await;
    let description = next(&mut early).await;
    assert_eq!(description["id"], game.as_str());
    assert_eq!(description["players"]["white"]["user"]["name"], white.name, "{description}");
    assert_eq!(description["status"], json!({ "id": 20, "name": "started" }));
    let start = next(&mut early).await;
    let expected = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(start, json!({ "fen": expected, "wc": 180, "bc": 180 }));
    white.play(&server, &game, "move/e2e4").await.ok();
    assert_eq!(next(&mut early).await["lm"], "e2e4");
    black.play(&server, &game, "move/e7e5").await.ok();
    assert_eq!(next(&mut early).await["lm"], "e7e5");

    let mut late = Lines::watch(&server, &path).await;
    let mut moves = Vec::new();
    for _ in 0..4 {
        moves.push(next(&mut late).await["lm"].clone());
    }
    assert_eq!(
        moves,
        [json!(null), json!(null), json!("e2e4"), json!("e7e5")],
        "what was played comes first"
    );
    // White takes back: both its move and the answer to it go.
    white.play(&server, &game, "takeback/yes").await.ok();
    black.agrees(&server, &game, "takeback").await;
    for stream in [&mut early, &mut late] {
        let shown = next(stream).await;
        assert!(shown["fen"].as_str().unwrap().starts_with("rnbqkbnr/pppppppp/8/8/8/8/"), "{shown}");
    }
    for (player, mv) in [(white, "d2d4"), (black, "d7d5")] {
        player.play(&server, &game, &format!("move/{mv}")).await.ok();
    }
    black.play(&server, &game, "resign").await.ok();
    for stream in [&mut early, &mut late] {
        assert_eq!((&next(stream).await["lm"], &next(stream).await["lm"]), (&json!("d2d4"), &json!("d7d5")));
        let (last, ending) = stream.last().await;
        assert_eq!((&last["winner"], &last["status"]["name"]), (&json!("white"), &json!("resign")));
        assert_eq!((last["turns"].as_u64(), ending), (Some(2), Ending::Clean));
    }
    let mut after = Lines::watch(&server, &path).await;
    let first = next(&mut after).await;
    for expected in [json!(null), json!("d2d4"), json!("d7d5")] {
        assert_eq!(next(&mut after).await["lm"], expected);
    }
    assert_eq!(after.last().await, (first, Ending::Clean), "a game that has ended is told whole");
    assert_eq!(Lines::watch(&server, "/api/stream/game/xxxxxxxxxxxx").await.status, 404);
    assert_eq!(Lines::watch(&server, "/api/stream/game/short").await.status, 404);
    server.ended().await;
}

/// The next lines of a television: the game that it announces, and the position.
async fn announced(feed: &mut Lines) -> (Value, Value) {
    let (featured, position) = (next(feed).await, next(feed).await);
    assert_eq!(
        (&featured["t"], &position["t"]),
        (&json!("featured"), &json!("fen")),
        "{featured} {position}"
    );
    (featured["d"].clone(), position["d"].clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn television_goes_on_with_the_next_game() {
    let server = TestServer::without_rates().await;
    let (one, other) = (Program::board(&server, "Castle").await, Program::board(&server, "Knight").await);
    let mut feed = Lines::watch(&server, "/api/tv/feed").await;
    assert_eq!(feed.first_chunk().await, "\n", "without a game the stream is open");
    let mut nothing = Lines::watch(&server, "/api/tv/crazyhouse/feed").await;
    assert_eq!(nothing.first_chunk().await, "\n");
    assert_eq!(Lines::watch(&server, "/api/tv/nonsense/feed").await.status, 404);
    assert_eq!(server.get("/api/tv/channels").await.json(), json!({}));

    let (first, [white, black]) = begun(&server, &one, &other, CASUAL).await;
    let featured = next(&mut feed).await;
    assert_eq!(featured["t"], "featured");
    let featured = &featured["d"];
    assert_eq!((&featured["id"], &featured["orientation"]), (&json!(first), &json!("white")));
    for (place, color, player) in [(0, "white", white), (1, "black", black)] {
        let side = &featured["players"][place];
        assert_eq!((&side["color"], &side["user"]["name"]), (&json!(color), &json!(player.name)));
        assert_eq!((&side["rating"], &side["seconds"]), (&json!(1_500), &json!(180)), "{featured}");
    }
    assert_eq!(featured["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    white.play(&server, &first, "move/e2e4").await.ok();
    let shown = next(&mut feed).await;
    let expected = (&json!("fen"), &json!("e2e4"));
    assert_eq!((&shown["t"], &shown["d"]["lm"]), expected, "no position comes before the first move");
    let mut late = Lines::watch(&server, "/api/tv/blitz/feed").await;
    assert_eq!(late.first_chunk().await, "\n");
    assert_eq!(announced(&mut late).await.1["lm"], "e2e4");

    let shown = server.get("/api/tv/channels").await.json();
    assert_eq!(shown["best"]["gameId"], first.as_str());
    assert_eq!(shown["blitz"]["user"]["name"], white.name, "{shown}");
    assert!(shown.get("rapid").is_none(), "{shown}");
    let listed = server.ask_with("GET", "/api/tv/blitz?nb=99", &[("Accept", "application/x-ndjson")]).await;
    assert!(listed.body.contains(&first) && listed.body.matches("createdAt").count() == 1, "{listed:?}");

    one.play(&server, &first, "abort").await.ok();
    let (second, [white, _]) = begun(&server, &one, &other, CASUAL).await;
    let featured = loop {
        let line = next(&mut feed).await;
        if line["t"] == "featured" {
            break line;
        }
    };
    assert_eq!(featured["d"]["id"], second.as_str());
    white.play(&server, &second, "move/d2d4").await.ok();
    loop {
        let line = next(&mut feed).await;
        assert_eq!(line["t"], "fen");
        if line["d"]["lm"] == "d2d4" {
            break;
        }
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_lists_no_more_games_than_it_may() {
    let server = TestServer::without_rates().await;
    let mut programs = Vec::new();
    for name in ["Castle", "Knight", "Bishop", "Rookie"] {
        programs.push(Program::board(&server, name).await);
    }
    for (one, other) in [(0, 1), (2, 3)] {
        programs[one].plays(&server, &programs[other], CASUAL).await;
    }
    for (query, count) in [("", 2), ("?nb=1", 1), ("?nb=0", 1), ("?nb=99", 2)] {
        let listed = server.get(&format!("/api/tv/best{query}")).await;
        assert_eq!(listed.body.matches("[Event ").count(), count, "{query}");
    }
    server.ended().await;
}
