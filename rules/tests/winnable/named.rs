//! The positions that docs/laws.md names, and some that show one kind of proof each.

use std::cell::Cell;

use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::notation::fen;
use zeitnot_rules::verdict::{Dead, Guard, Limits, Proof, Winnable, dead, guard, winnable};

fn position(text: &str) -> Position {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[track_caller]
fn check_dead(text: &str) -> Proof {
    let position = position(text);
    assert_eq!(guard(&position), Guard::Ask, "{text}");
    match dead(&position, &Limits::nodes(100_000)) {
        Dead::Yes(proof) => proof,
        other => panic!("{text} is dead, not {other:?}"),
    }
}

#[test]
fn a_blocked_position_is_dead() {
    assert_eq!(check_dead("8/2b1k3/7p/p1p1p1pP/PpP1P1P1/1P1BK3/8/8 b - - 0 1"), Proof::Static);
}

#[test]
fn before_a_forced_capture_the_position_is_dead_already() {
    assert_eq!(check_dead("7k/8/8/8/8/8/6q1/7K w - - 0 1"), Proof::Exhaustive { positions: 1 });
    check_dead("3k4/3Q4/8/8/8/2K5/8/8 b - - 0 1");
}

#[test]
fn pieces_that_roam_behind_a_wall_do_not_hide_that_it_is_dead() {
    check_dead("8/8/3b3p/2b2p1P/1b1b1p1K/b1b2Pp1/1b4P1/b4kb1 w - - 0 1");
    check_dead("k1b5/8/8/BpBpBpBp/bPbPbPbP/8/8/K1B5 w - - 0 1");
}

#[test]
fn whether_a_piece_falls_where_it_stands_makes_two_cases() {
    // Only the rook in the corner can be captured; either way White's king stays shut in.
    check_dead("1bB5/k7/r7/8/1pBp1p1p/1PpP1PbP/K1P4b/RB6 w - - 0 1");
    // Every check with the last piece loses it, and Black must not checkmate.
    let shut_in = position("8/5ppp/8/8/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1");
    let answer = winnable(&shut_in, Color::White, &Limits::nodes(100_000));
    assert!(matches!(answer, Winnable::CannotMate { .. }), "{answer:?}");
}

#[test]
fn long_helpmates_behind_walls_are_found() {
    for (text, winner) in [
        ("k1b5/8/8/1pBpBpBp/1PbP1PpP/6P1/6P1/K1B1B3 w - - 0 1", Color::Black),
        ("k1b5/8/8/BpBpBpB1/bPbPbPb1/8/8/K1B5 w - - 0 1", Color::White),
        ("8/5p2/8/kq6/8/K7/B7/1q6 w - - 0 1", Color::White),
    ] {
        let answer = winnable(&position(text), winner, &Limits::nodes(1_000_000));
        assert!(matches!(answer, Winnable::CanMate { .. }), "{text}: {answer:?}");
    }
}

#[test]
fn castling_and_en_passant_count() {
    // With the right to castle there is a checkmate, without it there is none.
    let can = |text: &str| {
        let answer = winnable(&position(text), Color::White, &Limits::nodes(100_000));
        matches!(answer, Winnable::CanMate { .. })
    };
    assert!(can("8/7Q/8/4BB2/2PPkP2/3N1N2/PP2P1P1/4K2R b K - 0 1"));
    assert!(!can("8/7Q/8/4BB2/2PPkP2/3N1N2/PP2P1P1/4K2R b - - 0 1"));
    // A wall that only an en passant capture opens.
    assert!(can("4k3/8/7p/p1p2p1P/P1P1pP2/4P3/8/4K3 b - f3 0 1"));
}

#[test]
fn it_is_over_already() {
    let mate = position("4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1");
    assert_eq!(winnable(&mate, Color::White, &Limits::nodes(1)), Winnable::CanMate { line: Vec::new() });
    let stalemate = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let proof = Proof::Exhaustive { positions: 1 };
    assert_eq!(winnable(&stalemate, Color::White, &Limits::nodes(1)), Winnable::CannotMate { proof });
}

#[test]
fn a_limit_and_a_word_end_a_search_undecided() {
    let hard = position("8/6pp/8/4q3/ppp5/bkp4Q/qnp2p2/n1K5 b - - 0 1");
    let answer = winnable(&hard, Color::White, &Limits::nodes(3_000));
    assert!(matches!(answer, Winnable::Unknown { nodes } if nodes >= 3_000), "{answer:?}");
    let asked = Cell::new(0);
    let keep_going = || {
        asked.set(asked.get() + 1);
        asked.get() < 2
    };
    let limits = Limits { nodes: u32::MAX, keep_going: &keep_going };
    let answer = winnable(&hard, Color::White, &limits);
    assert!(matches!(answer, Winnable::Unknown { .. }), "{answer:?}");
}

#[test]
fn the_same_question_has_the_same_answer() {
    let start = Position::standard();
    let answer = winnable(&start, Color::Black, &Limits::nodes(100_000));
    assert!(matches!(answer, Winnable::CanMate { .. }));
    assert_eq!(answer, winnable(&start, Color::Black, &Limits::nodes(100_000)));
}
