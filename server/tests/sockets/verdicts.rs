//! Games that end by what can still be checkmated, each with its proof in the event, the snapshot and the PGN.

use serde_json::{Value, json};
use zeitnot_protocol::{Ended, ServerMessage};

use super::player::Player;
use super::table::{self, Table, with};
use super::test_server::TestServer;

/// A game from a position, under a profile, with little time or half an hour for each.
fn terms(fen: &str, profile: &str, base_ms: u32) -> Value {
    json!({
        "time_control": {"kind": "clock", "periods": [{"base_ms": base_ms}]},
        "color": "white",
        "fen": fen,
        "options": {"profile": profile},
    })
}

const LONG: u32 = 1_800_000;

/// What makes a game end after its moves.
#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    ByItself,
    WhiteResigns,
    BlackResigns,
    Flag,
}

struct Case {
    fen: &'static str,
    profile: &'static str,
    /// From whoever's turn it is in `fen` on.
    moves: &'static [&'static str],
    end: End,
    /// `score`, `reason`.
    is: (&'static str, &'static str),
    proof: Value,
    /// In the comment behind the last move; nothing where there is no comment.
    says: &'static str,
}

fn ended(events: &[ServerMessage]) -> &Ended {
    match events.last() {
        Some(ServerMessage::Ended(ended)) => ended,
        other => panic!("{other:?}"),
    }
}

/// Plays it through, and looks at the event, the snapshot, the PGN, and all of that again after a restart.
async fn check(case: Case) {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let base_ms = if case.end == End::Flag { 1_500 } else { LONG };
    let mut table = Table::of(&server, terms(case.fen, case.profile, base_ms)).await;
    let black_begins = case.fen.contains(" b ");
    for (ply, uci) in case.moves.iter().enumerate() {
        let mover = if (ply % 2 == 0) == black_begins { &mut table.black } else { &mut table.white };
        table::play(&mut mover.player, table.game, uci).await;
        // What ends the game may come before the last move's `ok`.
        if case.end != End::ByItself {
            table::ok(&mut mover.player).await;
        }
    }
    let resigner = match case.end {
        End::WhiteResigns => Some(&mut table.white),
        End::BlackResigns => Some(&mut table.black),
        End::ByItself | End::Flag => None,
    };
    if let Some(resigner) = resigner {
        resigner.player.say("resign", json!({"game": table.game})).await;
    }
    table::events_to_the_end(&mut table.white.player).await;
    let events = watched(&server, &table).await;
    let end = ended(&events);
    let shown = serde_json::to_value(&end.outcome).unwrap();
    let mut wanted = json!({"score": case.is.0, "reason": case.is.1});
    if !case.proof.is_null() {
        wanted = with(wanted, json!({"proof": case.proof}));
    }
    assert_eq!(shown, wanted, "{} {:?}", case.fen, case.end);
    let (json, pgn) = (format!("/api/games/{}", table.game), format!("/api/games/{}/pgn", table.game));
    let (snapshot, written) = (server.get(&json).await.body, server.get(&pgn).await.body);
    let state = &server.get(&json).await.json()["state"]["outcome"];
    assert_eq!(*state, wanted);
    let flat = written.replace('\n', " ");
    assert!(flat.contains(case.says), "{:?} is not in {written}", case.says);
    server.ended().await;

    // Nothing is searched again: what is made from the journal is the same to the byte.
    let server = TestServer::process(folder.path());
    assert_eq!(server.get(&json).await.body, snapshot);
    assert_eq!(server.get(&pgn).await.body, written);
    let again = watched(&server, &table).await;
    let texts = |events: &[ServerMessage]| events.iter().map(ServerMessage::to_text).collect::<Vec<_>>();
    assert_eq!(texts(&again), texts(&events));
    server.ended().await;
}

/// All public events, as a spectator gets them.
async fn watched(server: &TestServer, table: &Table) -> Vec<ServerMessage> {
    let mut watcher = Player::watcher(server).await;
    watcher.say("watch", json!({"game": table.game, "after": 0})).await;
    table::events_to_the_end(&mut watcher).await
}

/// With h5 the last file is closed; hxg5 would have opened it.
const BLOCKED: &str = "8/2b1k3/7p/p1p1p1p1/PpP1P1PP/1P1BK3/8/8 w - - 0 1";
/// Before Qg2 White has other moves than the capture.
const FORCED: &str = "7k/8/8/8/8/8/5q2/7K b - - 0 1";
/// Black has a knight, White a rook: the knight can still mate, in a corner.
const KNIGHT_AGAINST_ROOK: &str = "7k/8/8/8/8/8/R7/K6n w - - 0 1";
/// Black has a knight, White nothing but a queen, with which no corner can be blocked.
const KNIGHT_AGAINST_QUEEN: &str = "7k/8/8/8/8/8/Q7/K6n w - - 0 1";
const ROOK_AGAINST_NOTHING: &str = "7k/8/8/8/8/8/R7/K7 w - - 0 1";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_blocked_position_ends_the_game_at_once() {
    for profile in ["fide_online", "us_chess"] {
        check(Case {
            fen: BLOCKED,
            profile,
            moves: &["h4h5"],
            end: End::ByItself,
            is: ("1/2-1/2", "dead_position"),
            proof: json!("static"),
            says: "Neither side can checkmate: no king can ever stand where it is checkmated}",
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_a_forced_capture_that_leaves_bare_kings_the_game_has_ended() {
    for profile in ["fide_online", "us_chess"] {
        check(Case {
            fen: FORCED,
            profile,
            moves: &["f2g2"],
            end: End::ByItself,
            is: ("1/2-1/2", "dead_position"),
            proof: json!({"exhaustive": {"positions": 1}}),
            says: "Neither side can checkmate: exhaustive search of 1 position}",
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flag_falls_against_a_lone_knight() {
    let case = |fen, profile, is, proof, says| Case {
        fen,
        profile,
        moves: &["a1b1", "h8h7"],
        end: End::Flag,
        is,
        proof,
        says,
    };
    let draw = ("1/2-1/2", "flag_fall");
    // By 6.9 a queen cannot help; by 14E a lone knight without a forced win is a draw anyway.
    let cannot = "Black cannot checkmate: too little material}";
    check(case(KNIGHT_AGAINST_QUEEN, "fide_online", draw, json!("material"), cannot)).await;
    check(case(KNIGHT_AGAINST_QUEEN, "us_chess", draw, json!("material"), cannot)).await;
    check(case(KNIGHT_AGAINST_ROOK, "us_chess", draw, Value::Null, "1/2-1/2")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resignation_against_a_bare_king_is_a_draw_except_where_it_loses() {
    let case = |profile, is, proof, says| Case {
        fen: ROOK_AGAINST_NOTHING,
        profile,
        moves: &["a1b1", "h8g8"],
        end: End::WhiteResigns,
        is,
        proof,
        says,
    };
    let says = "The opponent cannot checkmate after the resignation: too little material}";
    check(case("fide_online", ("1/2-1/2", "resignation"), json!("material"), says)).await;
    check(case("us_chess", ("0-1", "resignation"), Value::Null, "0-1")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_win_comes_with_the_line_that_shows_that_it_could_be_won() {
    check(Case {
        fen: "7k/R7/6K1/8/8/8/8/8 w - - 0 1",
        profile: "fide_online",
        moves: &["a7b7", "h8g8"],
        end: End::BlackResigns,
        is: ("1-0", "resignation"),
        proof: json!({"helpmate": ["b7b8"]}),
        says: "White can still checkmate: 2. Rb8#}",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_knight_against_a_rook_can_still_checkmate() {
    let server = TestServer::open().await;
    let mut table = Table::of(&server, terms(KNIGHT_AGAINST_ROOK, "fide_online", LONG)).await;
    table.play(&["a1b1", "h8g8"]).await;
    table::ok(&mut table.black.player).await;
    table.white.player.say("resign", json!({"game": table.game})).await;
    let events = table::events_to_the_end(&mut table.white.player).await;
    let outcome = serde_json::to_value(&ended(&events).outcome).unwrap();
    assert_eq!((outcome["score"].as_str(), outcome["reason"].as_str()), (Some("0-1"), Some("resignation")));
    // The line is legal, and its end is checkmate: played by the rules.
    let mut position = zeitnot_rules::notation::fen::parse("6k1/8/8/8/8/8/R7/1K5n w - - 2 2").unwrap();
    let line = outcome["proof"]["helpmate"].as_array().unwrap();
    for uci in line {
        let text = uci.as_str().unwrap();
        let variant = zeitnot_rules::game::Variant::Standard;
        let mv = zeitnot_rules::notation::uci::parse(text, &position, variant).unwrap();
        position.play(mv).unwrap();
    }
    assert!(!line.is_empty() && position.in_check() && !position.has_legal_move());
    server.ended().await;
}
