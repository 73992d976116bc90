//! Finished games, searched and exported over HTTP.

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use zeitnot_protocol::{GameCounts, GameId, PlayedGames, WholeGame};

use super::player::{Guest, Player};
use super::table::{self, accept, blitz, challenge, ok, with};
use super::test_server::{Answer, TestServer};

/// A game in which White plays this and then resigns.
async fn played(white: &mut Guest, black: &mut Guest, wanted: Value, uci: &str) -> GameId {
    let open = challenge(&mut white.player, wanted).await;
    let game = accept(&mut black.player, &open).await;
    white.player.say("move", json!({"game": game, "on": 1, "uci": uci})).await;
    white.player.say("resign", json!({"game": game})).await;
    table::events_to_the_end(&mut white.player).await;
    table::events_to_the_end(&mut black.player).await;
    game
}

async fn found(server: &TestServer, query: &str) -> Vec<GameId> {
    let answer = server.get(&format!("/api/games?{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {answer:?}");
    let page: PlayedGames = serde_json::from_value(answer.json()).unwrap();
    page.games.iter().map(|played| played.game).collect()
}

async fn games_are_found_by_what_they_were(server: TestServer) {
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    one.player.say("set_name", json!({"name": "Rook"})).await;
    ok(&mut one.player).await;
    let first = played(&mut one, &mut two, blitz(), "e2e4").await;
    let second = played(&mut two, &mut one, with(blitz(), json!({"variant": "chess960"})), "d2d4").await;
    let open = challenge(&mut one.player, blitz()).await;
    accept(&mut two.player, &open).await;

    let fen = "fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR%20b%20KQkq%20-%207%209";
    let two_id = two.account;
    let cases: &[(&str, &[GameId])] = &[
        ("", &[second, first]),
        ("limit=1", &[second]),
        ("player=rook", &[second, first]),
        ("player=rook&color=white", &[first]),
        ("player=rook&result=0-1", &[second, first]),
        ("player=rook&color=black&result=0-1", &[second]),
        ("player=Bishop", &[]),
        ("category=chess960", &[second]),
        ("category=blitz&reason=resignation", &[first]),
        ("rated=false&imported=false", &[second, first]),
        ("rated=true", &[]),
        ("moves=e2e4", &[first]),
        ("moves=e2e4,e7e5", &[]),
        (fen, &[first]),
        ("opening=king%27s+pawn+game", &[first]),
        ("opening=game+pawn", &[first]),
        ("opening=b00", &[first]),
        ("opening=Sicilian+Defense", &[]),
        ("since=2020-01-01", &[second, first]),
        ("until=2020-01-01", &[]),
    ];
    for (query, games) in cases {
        assert_eq!(found(&server, query).await, *games, "{query}");
        let answer = server.get(&format!("/api/games/count?{}", query.replace("limit=1", ""))).await;
        let counts: GameCounts = serde_json::from_value(answer.json()).unwrap();
        let count = if *query == "limit=1" { 2 } else { games.len() };
        assert_eq!(answer.json()["games"], json!(count), "{query}: {counts:?}");
    }
    assert_eq!(found(&server, &format!("player=rook&opponent={two_id}")).await, [second, first]);
    let counts = server.get("/api/games/count?player=rook").await.json();
    assert_eq!(counts, json!({"games": 2, "white_wins": 0, "black_wins": 2, "draws": 0, "others": 0}));
    let page = server.get("/api/games?limit=1").await.json();
    let next = page["next"].as_str().unwrap();
    assert_eq!(found(&server, &format!("limit=1&before={next}")).await, [first]);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_are_found_by_what_they_were_in_memory() {
    games_are_found_by_what_they_were(TestServer::open().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_are_found_by_what_they_were_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    games_are_found_by_what_they_were(TestServer::process(folder.path())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_over_http_names_what_is_wrong_with_it() {
    let server = TestServer::open().await;
    let cases = [
        ("/api/games?colour=white", "unknown_parameter", "colour"),
        ("/api/games?max=1", "unknown_parameter", "max"),
        ("/api/games/count?limit=1", "unknown_parameter", "limit"),
        ("/api/games?limit=0", "bad_parameter", "limit"),
        ("/api/games?limit=51", "bad_parameter", "limit"),
        ("/api/games?limit=1&limit=2", "bad_parameter", "limit"),
        ("/api/games/export?max=10001", "bad_parameter", "max"),
        ("/api/games/export?format=xml", "bad_parameter", "format"),
        ("/api/games?color=white", "bad_parameter", "color"),
        ("/api/games?opponent=Rook", "bad_parameter", "opponent"),
        ("/api/games?player=%20", "bad_parameter", "player"),
        (&*format!("/api/games?player={}", "x".repeat(101)), "bad_parameter", "player"),
        ("/api/games?moves=e2e5", "bad_parameter", "moves"),
        ("/api/games?opening=xyzzy", "bad_parameter", "opening"),
        ("/api/games?before=x", "bad_cursor", "before"),
    ];
    for (path, code, named) in cases {
        let answer = server.get(path).await;
        assert_eq!((answer.status, &*answer.code()), (400, code), "{path}");
        assert!(answer.json()["message"].as_str().unwrap().contains(named), "{path}: {answer:?}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn openings_are_found_by_a_part_of_their_names_and_games_by_the_opening() {
    let server = TestServer::open().await;
    let found = server.get("/api/openings?name=najdorf").await.json();
    let [first, ..] = found["openings"].as_array().unwrap().as_slice() else { panic!("{found}") };
    let moves = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6";
    assert_eq!(*first, json!({"eco": "B90", "name": "Sicilian Defense: Najdorf Variation", "moves": moves}));
    assert_eq!(server.get("/api/openings?name=xyzzy").await.json(), json!({"openings": []}));
    let long = "x".repeat(101);
    for bad in ["", "?name=", "?name=s", &format!("?name={long}"), "?name=ab&name=ab", "?who=ab"] {
        let answer = server.get(&format!("/api/openings{bad}")).await;
        assert_eq!((answer.status, &*answer.code()), (400, "bad_parameter"), "{bad}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_played_in_a_position_is_told_with_how_the_games_ended() {
    let server = TestServer::open().await;
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    for uci in ["d2d4", "e2e4", "d2d4"] {
        played(&mut one, &mut two, blitz(), uci).await;
    }
    let told = server.get("/api/games/moves").await.json();
    let games =
        |games: u32| json!({"games": games, "white_wins": 0, "black_wins": games, "draws": 0, "others": 0});
    let mv = |uci: &str, san: &str, count| json!({"uci": uci, "san": san, "games": games(count)});
    assert_eq!(told, json!({"games": games(3), "moves": [mv("d2d4", "d4", 2), mv("e2e4", "e4", 1)]}));
    let after = server.get("/api/games/moves?moves=d2d4").await.json();
    assert_eq!(after, json!({"games": games(2), "moves": []}));
    let by_fen = "fen=rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR%20b%20KQkq%20-%200%201";
    assert_eq!(server.get(&format!("/api/games/moves?{by_fen}")).await.json(), after);
    let none = server.get("/api/games/moves?moves=a2a3").await.json();
    assert_eq!(none, json!({"games": games(0), "moves": []}));
    for (bad, code) in
        [("moves=e2e5", "bad_parameter"), ("fen=x", "bad_parameter"), ("player=Rook", "unknown_parameter")]
    {
        let answer = server.get(&format!("/api/games/moves?{bad}")).await;
        assert_eq!((answer.status, &*answer.code()), (400, code), "{bad}");
    }
    server.ended().await;
}

/// The body of an answer in chunks, if it came to its end.
fn whole(answer: &Answer) -> String {
    let (mut body, mut rest) = (String::new(), &*answer.body);
    loop {
        let (length, after) = rest.split_once("\r\n").expect("the length of a chunk");
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            return body;
        }
        body.push_str(&after[..length]);
        rest = &after[length + 2..];
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_games_are_exported_in_turns_and_one_that_leaves_gives_its_turn_back() {
    let server = TestServer::without_rates().await;
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    let mut games = Vec::new();
    for _ in 0..45 {
        games.insert(0, played(&mut one, &mut two, blitz(), "g1f3").await);
    }
    let lines = whole(&server.get("/api/games/export?format=ndjson").await);
    let lines: Vec<WholeGame> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| line.game.game).collect::<Vec<_>>(), games);
    assert!(
        lines.iter().all(|line| line.moves == "g1f3" && line.start.is_none() && line.clocks_ms.len() == 1)
    );
    let some = server.get("/api/games/export?max=21").await;
    assert!(some.head.contains("application/x-chess-pgn"), "{some:?}");
    let text = whole(&some);
    let read: Vec<_> = zeitnot_rules::notation::pgn::games(&text).map(Result::unwrap).collect();
    let ids: Vec<_> = read.iter().map(|game| game.tag("GameId").unwrap().to_owned()).collect();
    assert_eq!(ids, games[..21].iter().map(ToString::to_string).collect::<Vec<_>>());
    let accepts = [("accept", "application/x-ndjson")];
    let accepted = server.ask_with("GET", "/api/games?moves=g1f3", &accepts).await;
    assert_eq!(whole(&accepted).lines().count(), 45);

    for _ in 0..30 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(b"GET /api/games/export HTTP/1.1\r\nHost: test\r\n\r\n").await.unwrap();
    }
    loop {
        let answer = server.get("/api/games/export?max=1").await;
        if answer.status == 200 {
            break assert!(whole(&answer).contains(&games[0].to_string()));
        }
        assert_eq!(answer.code(), "too_many_requests");
    }
    server.ended().await;
}
