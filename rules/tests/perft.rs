//! Perft counts of known positions, every position read as Chess960.
//!
//! The files are small selections; the example `perft` checks whole collections.

use zeitnot_rules::board::Position;
use zeitnot_rules::notation::fen;

fn perft(position: &Position, depth: u32) -> u64 {
    let mut nodes = 0;
    position.for_each_piece_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            nodes += perft(&next, depth - 1);
        }
        false
    });
    nodes
}

/// Checks every count of at most 1,000,000 nodes, and that there are `expected` of them.
#[track_caller]
fn check(text: &str, expected: usize) {
    let mut position = None;
    let mut checked = 0;
    for line in text.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["epd", ..] => position = Some(fen::parse(line.trim_start_matches("epd ")).expect(line)),
            ["perft", depth, nodes] => {
                let position = position.as_ref().expect("a position comes before its counts");
                let nodes = nodes.parse().expect(line);
                if nodes <= 1_000_000 {
                    assert_eq!(
                        perft(position, depth.parse().expect(line)),
                        nodes,
                        "{line} of {}",
                        fen::write(position)
                    );
                    checked += 1;
                }
            }
            _ => {}
        }
    }
    assert_eq!(checked, expected);
}

#[test]
fn positions_that_are_easy_to_get_wrong() {
    check(include_str!("data/perft/tricky.perft"), 87);
}

#[test]
fn chess960_start_positions_after_some_moves() {
    check(include_str!("data/perft/chess960.perft"), 301);
}

#[test]
fn positions_of_random_play() {
    check(include_str!("data/perft/random.perft"), 333);
}
