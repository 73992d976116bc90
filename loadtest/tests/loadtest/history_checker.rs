//! The checker of a crash test on constructed histories: it accepts a correct one and finds every
//! kind of difference.

use zeitnot_loadtest::client::ReceivedMessage;
use zeitnot_loadtest::crash::finding::Kind;
use zeitnot_loadtest::crash::history_checker::{Cursor, HistoryChecker};
use zeitnot_protocol::{
    ByColor, Ended, GameOptions, MoveEvent, OutcomeView, Period, Phase, PlyView, ServerMessage, Snapshot,
    StateView, StoppedBy, TimeControl, Uci, WireColor, WireReason, WireScore,
};

use crate::honest_server::{self, game};

const BASE: u32 = 180_000;
const INCREMENT: u32 = 2_000;

/// µs between two moves.
const STEP: u64 = 1_000_000;

const TEXT: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 0-1";

/// An honest game's events: its start, six moves, `resigned`, `ended`.
fn events() -> Vec<ReceivedMessage> {
    honest_server::events(&honest_server::script(TEXT)).into_iter().map(received).collect()
}

fn received(message: ServerMessage) -> ReceivedMessage {
    ReceivedMessage { text: message.to_text(), message }
}

fn played(received: &ReceivedMessage) -> Option<&MoveEvent> {
    match &received.message {
        ServerMessage::Move(played) => Some(played),
        _ => None,
    }
}

/// A checker that has seen the first `count` events on one connection, each move sent before and
/// acked after.
fn seen(count: usize) -> HistoryChecker {
    let (mut checker, mut cursor) = (HistoryChecker::new(0), Cursor::default());
    for (event, at) in events().iter().take(count).zip((0..).step_by(STEP as usize)) {
        if let Some(played) = played(event) {
            checker.sent(game(), played.seq - 1, played.uci, at - STEP / 2);
        }
        checker.received(&mut cursor, event, at, false);
        if let Some(played) = played(event) {
            checker.acked(game(), played.seq - 1, Some(played.seq));
        }
    }
    checker
}

/// Another connection receives these events from the start, after a crash.
fn audit(checker: &mut HistoryChecker, events: &[ReceivedMessage]) {
    let mut cursor = Cursor::after(0);
    for event in events {
        checker.received(&mut cursor, event, 60 * STEP, false);
    }
    checker.reaches(game(), cursor.last().expect("it has received something"));
}

#[track_caller]
fn finds(checker: &HistoryChecker, kind: Kind, seq: u32, there: &str) {
    let found: Vec<String> = checker.findings().iter().map(ToString::to_string).collect();
    let fits = checker
        .findings()
        .iter()
        .any(|finding| finding.kind == kind && finding.seq == seq && finding.to_string().contains(there));
    assert!(fits, "no {kind} at seq {seq} with “{there}” in {found:#?}");
}

fn snapshot(events: &[ReceivedMessage]) -> Snapshot {
    let plies: Vec<PlyView> = events.iter().filter_map(played).map(PlyView::from).collect();
    let ServerMessage::Started(started) = &events[0].message else { panic!("the first event is the start") };
    let last = plies.last().copied();
    let period = Period { base_ms: BASE, increment_ms: Some(INCREMENT), ..Period::default() };
    Snapshot {
        game: game(),
        seq: plies.len() as u32 + 1,
        on: plies.len() as u32 + 1,
        variant: started.variant,
        start_fen: started.fen.clone(),
        fen: String::new(),
        players: started.players.clone(),
        time_control: TimeControl::Clock { periods: vec![period], black_periods: None },
        options: GameOptions::default(),
        ply_count: plies.len() as u32,
        white_ms: last.as_ref().map_or(Some(BASE), |ply| ply.white_ms),
        black_ms: last.as_ref().map_or(Some(BASE), |ply| ply.black_ms),
        plies,
        state: StateView {
            phase: Phase::Playing,
            check: None,
            draw_offer: None,
            draw_offered_at: None,
            takeback_offer: None,
            remedy: None::<ByColor<_>>,
            outcome: None,
        },
        began: 0,
        rated: false,
        imported: false,
        origin: None,
        ratings: None,
        opening: None,
    }
}

#[test]
fn a_correct_history_passes() {
    let mut checker = seen(9);
    assert_eq!(checker.moves(), 6);
    checker.crashed();
    audit(&mut checker, &events());
    // Sent again, answered as before.
    checker.acked(game(), 3, Some(4));
    assert_eq!(checker.findings(), []);
    assert!(checker.is_over(game()));
}

#[test]
fn an_event_that_was_not_told_may_be_missing_or_there() {
    let mut checker = seen(4);
    let uci: Uci = "b8c6".parse().unwrap();
    checker.sent(game(), 4, uci, 3 * STEP + STEP / 2);
    checker.crashed();
    audit(&mut checker, &events()[..4]);
    audit(&mut checker, &events()[..5]);
    assert_eq!(checker.findings(), []);
}

#[test]
fn a_snapshot_that_agrees_passes() {
    let mut checker = seen(5);
    checker.crashed();
    checker.snapshot(&mut Cursor::default(), &snapshot(&events()[..5]), 60 * STEP, false);
    assert_eq!(checker.findings(), []);
}

#[test]
fn a_lost_move_is_found() {
    let mut checker = seen(5);
    checker.crashed();
    audit(&mut checker, &events()[..4]);
    finds(&checker, Kind::Lost, 5, "b8c6 acked");
    finds(&checker, Kind::Lost, 5, "the game ends with seq 4");
    assert_eq!(checker.findings().len(), 1);
}

#[test]
fn a_lost_move_is_found_in_a_snapshot_and_in_a_lost_game() {
    let mut checker = seen(5);
    checker.crashed();
    checker.snapshot(&mut Cursor::default(), &snapshot(&events()[..3]), 60 * STEP, false);
    finds(&checker, Kind::Lost, 4, "g1f3 acked");
    finds(&checker, Kind::Lost, 5, "b8c6 acked");
    let mut checker = seen(5);
    checker.crashed();
    checker.missing(game());
    assert_eq!(checker.findings().len(), 5);
}

#[test]
fn in_a_cluster_what_a_snapshot_lacks_is_lost_only_when_the_node_does_not_catch_up() {
    let mut checker = seen(5).of_cluster(0);
    checker.crashed();
    checker.snapshot(&mut Cursor::default(), &snapshot(&events()[..3]), 60 * STEP, false);
    assert!(checker.findings().is_empty(), "{:?}", checker.findings());
    assert!(checker.is_behind(game(), 4) && !checker.is_behind(game(), 5));
    checker.reaches(game(), 3);
    finds(&checker, Kind::Lost, 4, "g1f3 acked");
    finds(&checker, Kind::Lost, 5, "b8c6 acked");
}

#[test]
fn a_move_that_was_only_acknowledged_counts() {
    let mut checker = seen(4);
    checker.sent(game(), 4, "b8c6".parse().unwrap(), 4 * STEP);
    checker.acked(game(), 4, Some(5));
    assert_eq!(checker.moves(), 4);
    checker.crashed();
    audit(&mut checker, &events()[..4]);
    finds(&checker, Kind::Lost, 5, "b8c6 acked");
}

#[test]
fn a_gap_is_found() {
    let (mut checker, mut cursor) = (seen(5), Cursor::after(0));
    for event in [&events()[0], &events()[2]] {
        checker.received(&mut cursor, event, 60 * STEP, false);
    }
    finds(&checker, Kind::Lost, 2, "seq 3 came next");
}

#[test]
fn other_bytes_are_found() {
    let mut checker = seen(5);
    let mut changed = events();
    changed[3].text = changed[3].text.replace("\"took\":300", "\"took\":301");
    audit(&mut checker, &changed[..5]);
    finds(&checker, Kind::Lost, 4, "\"took\":301");
}

#[test]
fn another_move_is_found() {
    let mut checker = seen(4);
    checker.sent(game(), 4, "b8a6".parse().unwrap(), 4 * STEP);
    checker.received(&mut Cursor::after(4), &events()[4], 5 * STEP, false);
    finds(&checker, Kind::Lost, 5, "b8a6 sent on 4");
}

#[test]
fn a_doubled_move_is_found() {
    let mut again = events()[3].clone();
    let ServerMessage::Move(played) = &mut again.message else { panic!("the fourth event is a move") };
    played.seq = 5;
    let mut checker = seen(4);
    checker.received(&mut Cursor::after(4), &received(again.message), 5 * STEP, false);
    finds(&checker, Kind::Doubled, 5, "event 5 is half-move 4");
}

#[test]
fn an_event_told_twice_is_found() {
    let (mut checker, mut cursor) = (seen(5), Cursor::after(4));
    checker.received(&mut cursor, &events()[3], 60 * STEP, false);
    finds(&checker, Kind::Doubled, 4, "told again");
}

#[test]
fn another_answer_to_the_same_command_is_found() {
    let mut checker = seen(5);
    checker.acked(game(), 3, Some(6));
    finds(&checker, Kind::Doubled, 4, "acked as seq Some(6)");
    let mut checker = seen(5);
    checker.rejected(game(), 3, "stale");
    finds(&checker, Kind::Lost, 4, "rejected: stale");
}

fn flag(seq: u32) -> [ReceivedMessage; 2] {
    let black_ms =
        events()[..seq as usize - 1].iter().rev().find_map(played).and_then(|played| played.black_ms);
    let white_ms = Some(0);
    let fell = StoppedBy { game: game(), seq, by: WireColor::White, white_ms, black_ms };
    let outcome = OutcomeView {
        score: WireScore::BlackWins,
        reason: WireReason::FlagFall,
        proof: None,
        played_out: None,
    };
    let ended = Ended { game: game(), seq: seq + 1, outcome, white_ms, black_ms };
    [received(ServerMessage::FlagFell(fell)), received(ServerMessage::Ended(ended))]
}

#[test]
fn a_flag_is_found_once_and_excused_when_this_program_was_late() {
    for (excuse, flags) in [(false, 1), (true, 0)] {
        let (mut checker, mut cursor) = (seen(5), Cursor::after(5));
        // As late as the clock had run down: the clocks are in order, the flag itself is what is
        // found.
        for event in &flag(6) {
            checker.received(&mut cursor, event, 300 * STEP, excuse);
        }
        let flagged = checker.findings().iter().filter(|finding| finding.kind == Kind::Flagged).count();
        assert_eq!((flagged, checker.excused()), (flags, 1 - flags as u64), "{:?}", checker.findings());
        assert!(checker.fell(game()) && checker.is_over(game()));
    }
}

#[test]
fn a_game_that_ends_by_itself_is_found() {
    let outcome = OutcomeView {
        score: WireScore::NoResult,
        reason: WireReason::FirstMoveLimit,
        proof: None,
        played_out: None,
    };
    let (white_ms, black_ms) = (Some(BASE), Some(BASE));
    let ended = ServerMessage::Ended(Ended { game: game(), seq: 2, outcome, white_ms, black_ms });
    let mut checker = seen(1);
    checker.received(&mut Cursor::after(1), &received(ended), STEP, false);
    finds(&checker, Kind::Flagged, 2, "FirstMoveLimit");
}

#[test]
fn a_clock_charged_for_downtime_is_found() {
    let mut checker = seen(5);
    let ServerMessage::Move(last) = &events()[4].message else { panic!("the fifth event is a move") };
    let (white, black) = (last.white_ms.unwrap(), last.black_ms);
    // The move before was sent at 3.5 s; now the server has run for 6 s.
    let shown = |checker: &mut HistoryChecker, white| checker.shown(game(), 5, Some(white), black, 6 * STEP);
    shown(&mut checker, white - 2_500);
    assert_eq!(checker.findings(), []);
    shown(&mut checker, white - 2_600);
    finds(&checker, Kind::Flagged, 5, "the server ran for 2502 ms at most");
}

#[test]
fn a_clock_that_rises_or_runs_out_of_turn_is_found() {
    let ServerMessage::Move(last) = &events()[4].message else { panic!("the fifth event is a move") };
    let (white, black) = (last.white_ms.unwrap(), last.black_ms.unwrap());
    for (white, black) in [(white + 1, black), (white, black - 1)] {
        let mut checker = seen(5);
        checker.shown(game(), 5, Some(white), Some(black), 60 * STEP);
        assert_eq!(checker.findings().len(), 1);
    }
}

/// A checker that has been told that white's move, sent 0.5 s after the turn began, came in at 60 s and cost so much.
fn charged(cost_ms: u32) -> HistoryChecker {
    let mut checker = seen(5).of_cluster(100_000);
    let events = events();
    let [before, after] = [4, 5].map(|index| played(&events[index]).expect("both are moves"));
    checker.sent(game(), 5, after.uci, 4 * STEP);
    let white_ms = before.white_ms.map(|left| left + INCREMENT - cost_ms);
    let event = MoveEvent { white_ms, black_ms: before.black_ms, ..after.clone() };
    checker.received(&mut Cursor::after(5), &received(ServerMessage::Move(event)), 60 * STEP, false);
    checker
}

#[test]
fn a_move_that_is_charged_for_its_way_is_found() {
    assert_eq!(charged(600).findings(), []);
    finds(&charged(700), Kind::Flagged, 6, "the server ran for 602 ms at most");
}

#[test]
fn a_clock_that_is_shown_runs_until_the_server_has_the_move() {
    let mut checker = seen(5).of_cluster(100_000);
    let last = played(&events()[4]).cloned().expect("the fifth event is a move");
    checker.sent(game(), 5, "f1b5".parse().unwrap(), 4 * STEP);
    checker.shown(game(), 5, last.white_ms.map(|left| left - 9_000), last.black_ms, 60 * STEP);
    assert_eq!(checker.findings(), []);
}

#[test]
fn an_archive_with_other_moves_is_found() {
    let moves: Vec<Uci> = events().iter().filter_map(|event| Some(played(event)?.uci)).collect();
    let archived = |moves: &[Uci]| {
        let mut checker = seen(9);
        checker.archived(game(), moves);
        checker
    };
    assert_eq!(archived(&moves).findings(), []);
    finds(&archived(&moves[..4]), Kind::Lost, 6, "the archive has no move");
    let more = [&moves[..], &moves[..1]].concat();
    finds(&archived(&more), Kind::Doubled, 8, "no move was played");
    let other = [&moves[..2], &moves[3..]].concat();
    finds(&archived(&other), Kind::Lost, 4, "g1f3 was played");
}
