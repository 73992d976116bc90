//! Whole games through the real server in this process, and through a proxy that changes its
//! messages.

use zeitnot_loadtest::endpoint::Endpoint;
use zeitnot_loadtest::replay::{Report, replay};
use zeitnot_loadtest::report::Recorder;
use zeitnot_rules::notation::pgn;

use crate::server::TestServer;
use crate::tampering_proxy;

fn play(endpoint: &Endpoint, text: &str) -> Report {
    let games: Vec<_> = pgn::games(text).collect::<Result<_, _>>().expect("the games can be read");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(replay(endpoint, &games, 4, &Recorder::silent()))
}

const GAMES: &str = r#"
[Event "a mate"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event "White resigns"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 0-1

[Event "a draw"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 1/2-1/2

[Event "past a repetition"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 6. d4 1-0

[Event "a stalemate from a given position"]
[SetUp "1"]
[FEN "k7/8/8/8/8/8/8/KQ6 w - - 0 1"]

1. Qb6 1/2-1/2

[Event "Black begins, and promotes"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/p7/4K2R b K - 4 40"]

1... a1=Q+ 2. Ke2 Qxh1 0-1

[Event "Chess960"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "rk5r/8/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1"]

1. O-O O-O 2. a3 1-0

[Event "bare kings, scored as a win"]
[SetUp "1"]
[FEN "8/8/4k3/8/8/3pK3/8/8 w - - 0 1"]

1. Kxd3 1-0

[Event "left open"]

1. e4 e5 *

[Event "left open at once"]

*
"#;

#[test]
fn games_end_as_in_the_file() {
    let server = TestServer::start();
    let report = play(&server.endpoint(), GAMES);
    assert_eq!(report.named, [], "{report}");
    assert!(report.is_clean());
    assert_eq!((report.games, report.plies), (10, 37));
    assert_eq!((report.past_end_games, report.past_end_plies), (1, 3));
    assert_eq!((report.resigned, report.agreed, report.unfinished), (3, 1, 2));
    assert!(report.to_string().starts_with(
        "games 10, plies 37, differences 0, past-end 1 games 3 plies, resigned 3, agreed 1, moves/s "
    ));
}

/// One game through a tampering_proxy: the difference must be found and name the place.
#[track_caller]
fn must_differ(word: &'static str, replacement: &'static str, ply: usize, found: &str) {
    let server = TestServer::start();
    let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0";
    let report = play(&tampering_proxy::in_front_of(&server.endpoint(), word, replacement), text);
    assert!(!report.is_clean(), "the change was not found: {report}");
    let difference = &report.named[0];
    assert_eq!((report.differences, difference.game, difference.fault.ply), (1, 1, ply), "{difference}");
    assert!(difference.to_string().contains(found), "found, but as: {difference}");
}

#[test]
fn a_wrong_san_on_the_wire_is_found() {
    must_differ(r#""san":"Nf3""#, r#""san":"Nh3""#, 3, "SAN: expected \"Nf3\", got \"Nh3\"");
}

#[test]
fn a_gap_on_the_wire_is_found() {
    must_differ(r#""seq":4,"ply":3"#, r#""seq":5,"ply":3"#, 2, "seq: expected 4, got 5");
}

#[test]
fn a_wrong_result_on_the_wire_is_found() {
    must_differ(r#""score":"1-0""#, r#""score":"0-1""#, 6, "score: expected WhiteWins, got BlackWins");
}

#[test]
fn a_clock_that_rises_on_the_wire_is_found() {
    must_differ(
        r#""white_ms":18"#,
        r#""white_ms":19"#,
        0,
        "white's clock stands at 180000 ms, but shows 190000",
    );
}
