//! When two positions are the same (9.2.3); and that hash and state, updated move by move, equal
//! those computed afresh.

use std::collections::HashMap;

use zeitnot_rules::board::{Move, Position};
use zeitnot_rules::notation::fen;

use crate::playout::{Random, playout};

fn position(text: &str) -> Position {
    fen::parse(text).expect(text)
}

/// Whether the two are the same position; their hashes must agree with that.
#[track_caller]
fn same(one: &str, other: &str) -> bool {
    let (one, other) = (position(one), position(other));
    let same = one.same_position(&other);
    assert_eq!(one.zobrist() == other.zobrist(), same);
    assert_eq!(other.same_position(&one), same);
    same
}

#[test]
fn counters_do_not_matter() {
    let (one, other) = ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 17 40");
    assert!(same(one, other));
    assert_ne!(position(one), position(other));
}

#[test]
fn side_pieces_and_rights_matter() {
    let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert!(same(start, start));
    assert!(!same(start, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"));
    assert!(!same(start, "r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1"));
    assert!(!same(start, "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1"));
    assert!(!same("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "4k3/8/8/8/8/8/8/B3K3 w - - 0 1"));
    assert!(!same("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "4k3/8/8/8/8/8/8/n3K3 w - - 0 1"));
    // A right that cannot be used now is a right.
    assert!(!same("4k3/8/8/8/4r3/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/4r3/8/8/R3K3 w - - 0 1"));
    // Rights of different rooks.
    assert!(!same("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "4k3/8/8/8/8/8/8/4K1RR w G - 0 1"));
}

#[test]
fn en_passant_matters_when_the_capture_is_legal() {
    assert!(!same("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"));
    assert!(same("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"));
    assert!(same("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 1"));
}

#[test]
fn knights_that_go_and_come_back_repeat_the_start_position() {
    let start = Position::standard();
    let mut position = start.clone();
    for (from, to) in [("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8")] {
        assert!(position == start || !position.same_position(&start));
        position.play(Move::new(from.parse().expect(from), to.parse().expect(to))).expect("a knight's move");
    }
    assert!(position.same_position(&start));
    assert_eq!(position.zobrist(), start.zobrist());
    assert_eq!((position.halfmove_clock(), position.fullmove_number()), (4, 3));
}

#[test]
fn the_keys_never_change() {
    assert_eq!(Position::standard().zobrist(), 2_758_610_079_849_277_928);
}

#[test]
fn what_moves_carry_along_is_what_the_board_says() {
    println!("seeds 0 to 399");
    let mut by_hash: HashMap<u64, Position> = HashMap::new();
    for seed in 0..400 {
        let mut random = Random(seed);
        let start =
            if seed % 4 == 0 { Position::standard() } else { Position::chess960(random.below(960) as u16) };
        playout(start, 150, &mut random, |position, _| {
            let anew = Position::from_setup(&position.setup());
            assert_eq!(anew.as_ref(), Ok(position), "seed {seed}: {}", fen::write(position));
            let first = by_hash.entry(position.zobrist()).or_insert_with(|| position.clone());
            assert!(
                position.same_position(first),
                "seed {seed}: {} has the hash of {first:?}",
                fen::write(position)
            );
        });
    }
    assert!(by_hash.len() > 20_000, "the games were long enough to show something");
}

#[test]
fn a_position_is_small() {
    assert!(size_of::<Position>() <= 112);
    assert_eq!(size_of::<Move>(), 3);
}
