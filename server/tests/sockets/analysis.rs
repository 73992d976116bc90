//! What the rules and the computer say of positions, over HTTP.

use serde_json::{Value, json};
use zeitnot_protocol::{BestLines, Evaluation, KnownEvaluations, PositionAnalysis};
use zeitnot_server::Config;

use super::player::Player;
use super::table::{Table, accept, blitz, challenge, events_to_the_end, play, turn};
use super::test_server::{Answer, TestServer};

/// Asks `/api/analysis` about a position, as the one whose token this is.
async fn post(server: &TestServer, path: &str, token: Option<&str>, body: &str) -> Answer {
    let bearer = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
    let head = format!("POST /api/analysis/{path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{bearer}");
    server.raw(&format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())).await
}

async fn analyse(server: &TestServer, wanted: &str) -> Answer {
    post(server, "position", None, wanted).await
}

async fn analysed(server: &TestServer, wanted: Value) -> PositionAnalysis {
    let answer = analyse(server, &wanted.to_string()).await;
    assert_eq!(answer.status, 200, "{wanted}: {answer:?}");
    serde_json::from_value(answer.json()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rules_speak_of_any_position() {
    let server = TestServer::open().await;
    let first = analysed(&server, json!({})).await;
    assert_eq!((first.legal.len(), first.moves.len(), first.opening), (20, 0, None));
    let mate = analysed(&server, json!({"start": null, "moves": ["f3", "e7e5", "g4", "Qh4"]})).await;
    assert!(mate.legal.is_empty() && mate.check.unwrap().mate);
    assert_eq!(json!(mate.outcome), json!({"score": "0-1", "reason": "checkmate"}));
    assert_eq!(json!(mate.moves[3]), json!({"uci": "d8h4", "san": "Qh4#"}));
    let dead = analysed(&server, json!({"start": "4k3/8/8/8/8/8/8/4KB2 w - - 0 1"})).await;
    assert_eq!(json!(dead.can_mate.white), json!({"can": false, "proof": "material"}));
    let other = "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w KQkq - 0 1";
    let chess960 = analysed(&server, json!({"start": other, "chess960": true, "moves": ["f1g1"]})).await;
    assert_eq!(json!(chess960.moves), json!([{"uci": "f1g1", "san": "O-O"}]));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_analysed_is_rejected_with_its_reason() {
    let server = TestServer::open().await;
    let too_many = json!({"moves": vec!["Nf3"; 1_001]}).to_string();
    let long = json!({"start": "x".repeat(12 * 1_024)}).to_string();
    for (body, status, code, said) in [
        ("[]", 400, "bad_body", "JSON"),
        ("{\"moves\":7}", 400, "bad_body", "JSON"),
        ("{\"fen\":\"8/8/8/8/8/8/8/8 w - - 0 1\"}", 400, "bad_body", "JSON"),
        (&too_many, 400, "bad_field", "moves"),
        (&long, 413, "body_too_long", "longer"),
        ("{\"start\":\"8/8/8/8/8/8/8/8 w - - 0 1\"}", 400, "bad_fen", "king"),
        ("{\"start\":\"nonsense\"}", 400, "bad_fen", "fields"),
        ("{\"moves\":[\"e4\",\"e2e4\"]}", 400, "illegal_move", "move 2"),
        ("{\"moves\":[\"e4\",\"e5\",\"Nf9\"]}", 400, "illegal_move", "neither UCI nor SAN"),
    ] {
        let answer = analyse(&server, body).await;
        assert_eq!((answer.status, &*answer.code()), (status, code), "{answer:?}");
        assert!(answer.json()["message"].as_str().unwrap().contains(said), "{said}: {answer:?}");
    }
    let wrong = analyse(&server, "{\"moves\":[\"e4\",\"e2e4\"]}").await.json();
    assert_eq!((&wrong["ply"], wrong.get("reason")), (&json!(2), None));
    let wrong = analyse(&server, "{\"start\":\"8/8/8/8/8/7/8/8 w - -\"}").await.json();
    assert_eq!((wrong.get("ply"), &wrong["reason"]), (None, &json!({"kind": "rank_length", "rank": 3})));
    let elsewhere = "Origin: https://elsewhere.example\r\nContent-Length: 2\r\n\r\n{}";
    let head = "POST /api/analysis/position HTTP/1.1\r\nHost: test\r\nConnection: close\r\n";
    assert_eq!(server.raw(&format!("{head}{elsewhere}")).await.code(), "bad_origin");
    assert_eq!(server.get("/api/analysis/position").await.status, 405);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_computer_thinks_about_finished_games_alone() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let path = format!("/api/games/{}/evaluation", table.game);
    table.play(&["f2f3", "e7e5", "g2g4"]).await;
    for ply in ["", "?ply=0", "s"] {
        let early = server.get(&format!("{path}{ply}")).await;
        assert_eq!((early.status, &*early.code()), (409, "not_ended"), "{ply}");
    }
    play(&mut table.black.player, table.game, "d8h4").await;
    events_to_the_end(&mut table.white.player).await;
    let evaluated = async |ply: &str| -> Evaluation {
        let answer = server.get(&format!("{path}{ply}")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert!(answer.head.contains("access-control-allow-origin: *"), "{}", answer.head);
        serde_json::from_value(answer.json()).unwrap()
    };
    let before = evaluated("?ply=3").await;
    assert_eq!((before.mate, before.centipawns), (Some(-1), None));
    assert_eq!(json!(before.line), json!([{"uci": "d8h4", "san": "Qh4#"}]));
    assert_eq!(evaluated("?ply=3").await, before, "it is remembered");
    let last = evaluated("").await;
    assert_eq!((last.ply, last.mate, last.line.len()), (4, Some(0), 0));
    let first = evaluated("?ply=0").await;
    assert!(first.centipawns.is_some_and(|worth| worth.abs() < 200) && !first.line.is_empty(), "{first:?}");

    let known: KnownEvaluations =
        serde_json::from_value(server.get(&format!("{path}s")).await.json()).unwrap();
    assert_eq!(known.evaluations, [first, before, last], "whoever comes later sees them without a search");

    for (path, status, code) in [
        (format!("{path}?ply=5"), 400, "bad_parameter"),
        ("/api/games/000000000000/evaluations".to_owned(), 404, "unknown_game"),
        (format!("{path}?ply=-1"), 400, "bad_parameter"),
        ("/api/games/000000000000/evaluation".to_owned(), 404, "unknown_game"),
        ("/api/games/x/evaluation".to_owned(), 404, "unknown_game"),
    ] {
        let answer = server.get(&path).await;
        assert_eq!((answer.status, &*answer.code()), (status, code), "{path}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_best_lines_of_finished_games_come_in_their_order() {
    // More than a client may have in a minute.
    let server = TestServer::with(Config { http_cost_per_minute: 60_000, ..Config::for_tests() }).await;
    let mut table = Table::set(&server).await;
    let path = format!("/api/games/{}/lines", table.game);
    table.play(&["f2f3", "e7e5", "g2g4"]).await;
    for effort in ["", "/deeper"] {
        let early = server.get(&format!("{path}{effort}?ply=3")).await;
        assert_eq!((early.status, &*early.code()), (409, "not_ended"), "{effort}");
    }
    play(&mut table.black.player, table.game, "d8h4").await;
    events_to_the_end(&mut table.white.player).await;
    let found = async |ply: &str| -> BestLines {
        let answer = server.get(&format!("{path}{ply}")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert!(answer.head.contains("access-control-allow-origin: *"), "{}", answer.head);
        serde_json::from_value(answer.json()).unwrap()
    };
    let before = found("?ply=3").await;
    assert_eq!((before.lines.len(), before.lines[0].mate), (3, Some(-1)), "{before:?}");
    assert_eq!(json!(before.lines[0].moves), json!([{"uci": "d8h4", "san": "Qh4#"}]));
    assert_eq!(found("?ply=3").await, before, "it is remembered");
    assert_eq!(found("").await.lines, [], "it is checkmate");
    let deeper = found("/deeper?ply=3").await;
    assert_eq!(deeper.lines[0].moves, before.lines[0].moves);
    assert!(deeper.lines[0].depth > before.lines[0].depth, "{deeper:?}");
    assert_eq!(found("/deeper").await.lines, []);
    for (path, status, code) in [
        (format!("{path}?ply=5"), 400, "bad_parameter"),
        (format!("{path}/deeper?ply=5"), 400, "bad_parameter"),
        (format!("{path}/deeper?moves=e4"), 400, "bad_parameter"),
        (format!("{path}/deepest"), 404, "not_found"),
        ("/api/games/000000000000/lines".to_owned(), 404, "unknown_game"),
        ("/api/games/000000000000/lines/deeper".to_owned(), 404, "unknown_game"),
    ] {
        let answer = server.get(&path).await;
        assert_eq!((answer.status, &*answer.code()), (status, code), "{path}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_that_leave_a_finished_game_are_evaluated_for_whoever_plays_none() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    table.play(&["f2f3", "e7e5", "g2g4"]).await;
    play(&mut table.black.player, table.game, "d8h4").await;
    events_to_the_end(&mut table.white.player).await;
    let path = |what: &str, moves: &str| format!("/api/games/{}/{what}?ply=2&moves={moves}", table.game);
    let bearer = format!("Bearer {}", table.white.token);
    let asked = async |path: &str| server.ask_with("GET", path, &[("Authorization", &bearer)]).await;

    let answer = asked(&path("evaluation", "g2g4,d8h4")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let mate: Evaluation = serde_json::from_value(answer.json()).unwrap();
    assert_eq!((mate.ply, mate.mate, json!(mate.moves)), (2, Some(0), json!(["g2g4", "d8h4"])));
    assert_eq!(mate.fen, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    let answer = asked(&path("lines", "g2g4,d8h4")).await;
    let lines: BestLines = serde_json::from_value(answer.json()).unwrap();
    assert_eq!((lines.lines, json!(lines.moves)), (Vec::new(), json!(["g2g4", "d8h4"])));

    let long = vec!["e2e4"; 101].join(",");
    for (moves, code) in [("e2e5", "illegal_move"), ("e4", "bad_parameter"), (&*long, "bad_parameter")] {
        let answer = asked(&path("evaluation", moves)).await;
        assert_eq!((answer.status, &*answer.code()), (400, code), "{moves}");
    }
    let nobody = server.get(&path("lines", "g2g4")).await;
    assert_eq!((nobody.status, &*nobody.code()), (401, "no_identity"));

    let again = challenge(&mut table.white.player, blitz()).await;
    accept(&mut table.black.player, &again).await;
    for what in ["evaluation", "lines", "lines/deeper"] {
        let playing = asked(&path(what, "g2g4,d8h4")).await;
        assert_eq!((playing.status, &*playing.code()), (409, "has_live_games"), "{what}, known before");
    }
    let own = asked(&format!("/api/games/{}/evaluation?ply=4", table.game)).await;
    assert_eq!(own.status, 200, "a position of the game itself");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finished_games_that_were_played_elsewhere_are_evaluated_for_whoever_plays_none() {
    let server = TestServer::with(Config { http_cost_per_minute: 60_000, ..Config::for_tests() }).await;
    let mut table = Table::set(&server).await;
    let token = table.white.token.clone();
    let brought = |more: Value| {
        let mut all = json!({"moves": ["f3", "e7e5", "g4", "Qh4"], "result": "0-1"});
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let asked =
        async |what: &str, more: Value| post(&server, what, Some(&token), &brought(more).to_string()).await;
    let playing = asked("evaluation", json!({})).await;
    assert_eq!((playing.status, &*playing.code()), (409, "has_live_games"));
    table.play(&["f2f3", "e7e5", "g2g4"]).await;
    play(&mut table.black.player, table.game, "d8h4").await;
    events_to_the_end(&mut table.white.player).await;

    let evaluation = async |more: Value| -> Evaluation {
        let answer = asked("evaluation", more).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        serde_json::from_value(answer.json()).unwrap()
    };
    let end = evaluation(json!({})).await;
    assert_eq!((end.ply, end.mate), (4, Some(0)));
    let before = evaluation(json!({"ply": 3})).await;
    assert_eq!((before.mate, json!(before.line)), (Some(-1), json!([{"uci": "d8h4", "san": "Qh4#"}])));
    assert_eq!((before.game, end.fen.contains("PPPPP2P")), (end.game, true));
    let aside = evaluation(json!({"ply": 2, "aside": ["g2g4", "d8h4"]})).await;
    assert_eq!((aside.ply, aside.mate, json!(aside.moves)), (2, Some(0), json!(["g2g4", "d8h4"])));
    // It is no game of the server.
    let none = server.get(&format!("/api/games/{}/evaluation?ply=3", end.game)).await;
    assert_eq!((none.status, &*none.code()), (404, "unknown_game"));

    let again = challenge(&mut table.white.player, blitz()).await;
    accept(&mut table.black.player, &again).await;
    for what in ["evaluation", "lines", "lines/deeper"] {
        let playing = asked(what, json!({"ply": 3})).await;
        assert_eq!((playing.status, &*playing.code()), (409, "has_live_games"), "{what}, known before");
        let nobody = post(&server, what, None, &brought(json!({})).to_string()).await;
        assert_eq!((nobody.status, &*nobody.code()), (401, "no_identity"), "{what}");
    }
    let another = Player::guest(&server).await.token;
    let lines = async |what: &str, more: Value| -> BestLines {
        let answer = post(&server, what, Some(&another), &brought(more).to_string()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        serde_json::from_value(answer.json()).unwrap()
    };
    let found = lines("lines", json!({"ply": 3})).await;
    assert_eq!((found.lines.len(), found.lines[0].mate), (3, Some(-1)), "{found:?}");
    assert_eq!(lines("lines/deeper", json!({})).await.lines, [], "it is checkmate");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_from_elsewhere_that_is_not_over_or_cannot_be_played_is_not_evaluated() {
    let server = TestServer::open().await;
    let token = Player::guest(&server).await.token;
    for (brought, code, said) in [
        (json!({"moves": ["e4"], "result": "*"}), "bad_field", "result"),
        (json!({"moves": ["e4"]}), "bad_field", "result"),
        (json!({"result": "1-0"}), "bad_body", "JSON"),
        (json!({"moves": ["e4"], "result": "1-0", "ply": 2}), "bad_field", "ply"),
        (json!({"moves": ["e4"], "result": "1-0", "aside": ["e5"]}), "bad_field", "aside"),
        (json!({"moves": ["e4"], "result": "1-0", "aside": vec!["e7e5"; 101]}), "bad_field", "aside"),
        (json!({"moves": ["e4"], "result": "1-0", "aside": ["e2e4"]}), "illegal_move", "move 1"),
        (json!({"moves": ["e4", "e4"], "result": "1-0"}), "illegal_move", "move 2"),
        (json!({"moves": vec!["Nf3"; 1_001], "result": "1-0"}), "bad_field", "moves"),
        (json!({"moves": [], "result": "1-0", "start": "nonsense"}), "bad_fen", "fields"),
    ] {
        let answer = post(&server, "evaluation", Some(&token), &brought.to_string()).await;
        assert_eq!((answer.status, &*answer.code()), (400, code), "{brought}: {answer:?}");
        assert!(answer.json()["message"].as_str().unwrap().contains(said), "{said}: {answer:?}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn analyses_cost_their_address() {
    // What is missing for a second one comes back within a minute.
    let costing = |http_cost_per_minute| Config { http_cost_per_minute, ..Config::for_tests() };
    let server = TestServer::with(costing(21)).await;
    assert_eq!(analyse(&server, "{}").await.status, 200);
    let limited = analyse(&server, "{}").await;
    assert_eq!((limited.status, &*limited.code()), (429, "too_many_requests"));
    assert!(limited.head.contains("retry-after: "), "{}", limited.head);
    server.ended().await;
    let server = TestServer::with(costing(101)).await;
    let evaluation = "/api/games/000000000000/evaluation";
    assert_eq!(server.get(evaluation).await.status, 404);
    assert_eq!(server.get(evaluation).await.status, 429);
    server.ended().await;
    let server = TestServer::with(costing(301)).await;
    let lines = "/api/games/000000000000/lines";
    assert_eq!(server.get(lines).await.status, 404);
    assert_eq!(server.get(lines).await.status, 429);
    server.ended().await;
    let server = TestServer::with(costing(1_201)).await;
    let deeper = "/api/games/000000000000/lines/deeper";
    assert_eq!(server.get(deeper).await.status, 404);
    assert_eq!(server.get(deeper).await.status, 429);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_over_http_has_the_name_of_its_opening() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    table.play(&["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"]).await;
    turn(&mut table.black.player, table.game).await;
    let game = server.get(&format!("/api/games/{}", table.game)).await.json();
    assert_eq!(game["opening"], json!({"eco": "C50", "name": "Italian Game", "ply": 5}));
    let pgn = server.get(&format!("/api/games/{}/pgn", table.game)).await.body;
    assert!(pgn.contains("[ECO \"C50\"]\n[Opening \"Italian Game\"]"), "{pgn}");
    server.ended().await;
}
