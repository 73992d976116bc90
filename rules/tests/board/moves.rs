//! Castling, en passant, check and promotion, one sentence of `docs/laws.md` at a time.

use std::collections::BTreeSet;

use zeitnot_rules::board::{CastlingSide, IllegalMove, Move, Position, Role, Square};
use zeitnot_rules::notation::fen;

fn position(text: &str) -> Position {
    fen::parse(text).expect(text)
}

/// `e2e4`, `e7e8q`.
fn mv(text: &str) -> Move {
    let promotion = text[4..].chars().next().and_then(Role::from_letter);
    Move { from: text[..2].parse().expect(text), to: text[2..4].parse().expect(text), promotion }
}

/// Which of the moves are legal.
#[track_caller]
fn check(text: &str, legal: &[&str], illegal: &[&str]) {
    let position = position(text);
    let all = position.legal_moves();
    for (moves, expected) in [(legal, true), (illegal, false)] {
        for name in moves {
            assert_eq!(position.is_legal(mv(name)), expected, "{name} in {text}");
            assert_eq!(all.contains(&mv(name)), expected, "{name} among all moves of {text}");
        }
    }
}

/// The position after a legal move.
#[track_caller]
fn after(text: &str, name: &str) -> String {
    let mut position = position(text);
    assert_eq!(position.play(mv(name)), Ok(()), "{name} in {text}");
    fen::write(&position)
}

#[test]
fn an_illegal_move_leaves_the_position_as_it_was() {
    let mut position = Position::standard();
    for name in ["e2e5", "e7e5", "e4e5", "e2e2", "e2e4q", "b1d2", "e1e2", "e1h1"] {
        assert_eq!(position.play(mv(name)), Err(IllegalMove), "{name}");
    }
    assert_eq!(position, Position::standard());
}

#[test]
fn castling_in_standard_chess() {
    let open = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check(open, &["e1h1", "e1a1"], &["e1g1", "e1c1", "e1b1"]);
    assert_eq!(after(open, "e1h1"), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
    assert_eq!(after(open, "e1a1"), "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
    // Without the right; with a piece in the way, of either colour, also where only the rook
    // passes.
    check("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1", &["e1h1"], &["e1a1"]);
    check("4k3/8/8/8/8/8/8/RN2K1nR w KQ - 0 1", &[], &["e1h1", "e1a1"]);
    // Out of, through and into check; the rook may be attacked and may pass an attacked square.
    check("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", &[], &["e1h1", "e1a1"]);
    check("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", &["e1a1"], &["e1h1"]);
    check("4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", &["e1a1"], &["e1h1"]);
    check("4k3/8/8/8/r6r/8/8/R3K2R w KQ - 0 1", &["e1h1", "e1a1"], &[]);
    check("4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1", &["e1h1", "e1a1"], &[]);
    // A pinned piece still guards its squares: the rook on d2 may not leave its rank, and d1 is
    // attacked.
    check("4k3/8/8/8/8/8/3r4/R3K3 w Q - 0 1", &[], &["e1a1"]);
    check("8/8/8/8/8/8/R2r3k/R3K3 w Q - 0 1", &[], &["e1a1"]);
}

#[test]
fn castling_in_chess960() {
    // King or rook may stay put, or they swap.
    assert_eq!(after("4k3/8/8/8/8/8/8/6KR w K - 0 1", "g1h1"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    assert_eq!(after("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "e1f1"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    assert_eq!(after("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    assert_eq!(after("1rk5/8/8/8/8/8/8/4K3 b q - 0 1", "c8b8"), "2kr4/8/8/8/8/8/8/4K3 w - - 1 2");
    assert_eq!(after("rk6/8/8/8/8/8/8/4K3 b q - 0 1", "b8a8"), "2kr4/8/8/8/8/8/8/4K3 w - - 1 2");
    // The leaving rook exposes the king: to a1 behind b1, whether the king walks or stays.
    check("4k3/8/8/8/8/8/8/qR1K4 w Q - 0 1", &[], &["d1b1"]);
    check("4k3/8/8/8/8/8/8/qRK5 w Q - 0 1", &[], &["c1b1"]);
    check("4k3/8/8/8/8/8/8/nR1K4 w Q - 0 1", &["d1b1"], &[]);
    // The other rook stands in the way of the king or of the rook.
    check("4k3/8/8/8/8/8/8/R1R2K2 w Q - 0 1", &[], &["f1a1"]);
    check("4k3/8/8/8/8/8/8/1K1R3R w K - 0 1", &[], &["b1h1"]);
    // Nothing but the two may stand on a goal.
    check("4k3/8/8/8/8/8/8/1KR3N1 w K - 0 1", &[], &["b1c1"]);
}

#[test]
fn a_castling_right_ends_with_king_rook_or_capture() {
    let open = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(after(open, "e1e2"), "r3k2r/8/8/8/8/8/4K3/R6R b kq - 1 1");
    assert_eq!(after(open, "a1b1"), "r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 1 1");
    assert_eq!(after(open, "h1h8"), "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1");
    // A rook that comes back, or another rook on its square, has no right.
    let mut position = position(open);
    for name in ["a1a2", "e8e7", "a2a1", "e7e8"] {
        position.play(mv(name)).expect(name);
    }
    assert_eq!(fen::write(&position), "r3k2r/8/8/8/8/8/8/R3K2R w K - 4 3");
}

#[test]
fn castling_and_captures_are_told_apart() {
    let position = position("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
    assert_eq!(position.castling_side(mv("e1h1")), Some(CastlingSide::King));
    assert_eq!(position.castling_side(mv("e1a1")), Some(CastlingSide::Queen));
    assert_eq!(position.castling_side(mv("e1d1")), None);
    let captures: Vec<_> = ["e5d6", "h1h8", "e1h1", "e5e6"].map(|name| position.is_capture(mv(name))).into();
    assert_eq!(captures, [true, true, false, false]);
}

#[test]
fn en_passant_only_on_the_next_move() {
    let start = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
    assert_eq!(after(start, "d7d5"), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
    assert_eq!(after("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6"), "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2");
    assert_eq!(after("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e1e2"), "4k3/8/8/3pP3/8/8/4K3/8 b - - 1 2");
    // A single step leaves nothing to capture.
    assert_eq!(after("4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1", "d6d5"), "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2");
}

#[test]
fn en_passant_only_where_it_leaves_the_king_safe() {
    let kept = |text: &str, name: &str| {
        let mut position = position(text);
        position.play(mv(name)).expect(text);
        position.en_passant().map(|square| square.to_string())
    };
    let d6 = Some("d6".to_owned());
    // Along the rank both pawns leave; a third piece there shields.
    assert_eq!(kept("8/3p4/8/K3P2r/8/8/8/7k b - - 0 1", "d7d5"), None);
    assert_eq!(kept("8/3p4/8/K1N1P2r/8/8/8/7k b - - 0 1", "d7d5"), d6);
    // Pinned on the file, and on the diagonals: along the line of the pin it is legal.
    assert_eq!(kept("4r2k/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5"), None);
    assert_eq!(kept("7k/3p2b1/8/4P3/3K4/8/8/8 b - - 0 1", "d7d5"), None);
    assert_eq!(kept("1b5k/3p4/8/4P3/5K2/8/8/8 b - - 0 1", "d7d5"), d6);
    // In check by the pawn itself, and by a piece that the pawn's advance has discovered.
    assert_eq!(kept("7k/3p4/8/4P3/2K5/8/8/8 b - - 0 1", "d7d5"), d6);
    assert_eq!(kept("4b2k/3p4/8/4P3/K7/8/8/8 b - - 0 1", "d7d5"), None);
    // The captured pawn's leaving opens a diagonal, which no game can bring about, but a setup can.
    check("b6k/8/8/3pP3/8/5K2/8/8 w - d6 0 1", &[], &["e5d6"]);
    // Two pawns beside it, one of them pinned: only the other may.
    let text = "4r2k/8/8/2PpP3/8/8/8/4K3 w - d6 0 1";
    check(text, &["c5d6"], &["e5d6"]);
}

#[test]
fn a_discovered_check_forbids_en_passant_that_does_not_meet_it() {
    // The queen gives check along the fifth diagonal; the pawn that advanced is not what gives it.
    let text = "rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6 0 1";
    assert_eq!(position(text).en_passant(), None);
    check(text, &["e1f2", "e1d2"], &["d5c6"]);
}

#[test]
fn pins_and_checks() {
    // A pinned piece gives check and moves along its line only.
    check("4k3/4r3/8/8/8/4R3/8/4K3 w - - 0 1", &["e3e5", "e3e7"], &["e3d3", "e3a3"]);
    let pinned_checker = position("4r2k/8/8/8/8/4Q3/8/4K2q w - - 0 1");
    assert_eq!((pinned_checker.checkers().count(), pinned_checker.pinned().count()), (1, 1));
    // An unprotected checker may be captured by the king, a protected one not.
    check("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", &["e1e2"], &["e1d1"]);
    check("4k3/8/8/8/8/4r3/4q3/4K3 w - - 0 1", &[], &["e1e2"]);
    // In double check only the king moves. Stepping back along the line of check is no escape.
    check("4k3/8/8/8/1b2r3/8/3R4/4K3 w - - 0 1", &["e1f2"], &["d2e2", "d2d4"]);
    check("4k3/8/8/4r3/8/4K3/8/8 w - - 0 1", &["e3d4", "e3f4"], &["e3e2", "e3e4"]);
    check("4k3/8/8/8/1b2r3/8/8/3QK3 w - - 0 1", &["e1f1"], &["d1e2", "d1d2"]);
}

#[test]
fn promotion_names_what_is_needed_and_nothing_else() {
    let text = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let names = ["a7a8q", "a7a8r", "a7a8b", "a7a8n", "a7b8q", "a7b8n"];
    check(text, &names, &["a7a8", "a7a8k", "a7a8p", "a7b8", "e1e2q"]);
    assert_eq!(after(text, "a7b8n"), "1N2k3/8/8/8/8/8/8/4K3 b - - 0 1");
}

#[test]
fn counters_stop_at_their_highest_value() {
    assert_eq!(
        after("4k3/8/8/8/8/8/8/4K3 b - - 65535 65535", "e8e7"),
        "8/4k3/8/8/8/8/8/4K3 w - - 65535 65535"
    );
}

#[test]
fn more_moves_than_in_any_game() {
    for (text, count) in [
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218),
        ("kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1", 270),
    ] {
        let moves = position(text).legal_moves();
        let different: BTreeSet<(Square, Square)> = moves.iter().map(|mv| (mv.from, mv.to)).collect();
        assert_eq!((moves.len(), different.len()), (count, count), "{text}");
    }
}

#[test]
fn bunches_hold_what_they_count() {
    for text in ["8/PPPPPPPP/8/8/8/8/7k/K7 w - - 0 1", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1"] {
        let position = position(text);
        let mut total = 0;
        position.for_each_piece_moves(|bunch| {
            let moves: Vec<Move> = bunch.into_iter().collect();
            assert_eq!(moves.len(), bunch.len());
            for mv in moves {
                assert_eq!(position.piece_at(mv.from).map(|piece| piece.role), Some(bunch.role()));
                assert!(bunch.to().contains(mv.to));
            }
            total += bunch.len();
            false
        });
        assert_eq!(total, position.legal_moves().len());
        let mut seen = 0;
        assert!(position.for_each_piece_moves(|_| {
            seen += 1;
            seen == 2
        }));
        assert_eq!(seen, 2, "the visit stops when it is told to");
    }
}
