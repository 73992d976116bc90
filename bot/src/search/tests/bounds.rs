//! Limits, stops, seeds, and thousands of random positions: a move that comes back is always legal.

use zeitnot_rules::board::{Move, Position};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::fen;

use crate::line::Line;
use crate::search::tree::mixed;
use crate::search::{Level, Limits, Searcher, Stop};

/// A game of random legal moves from a start position of Chess960.
fn wandered(seed: u64) -> Line {
    let start = Position::chess960((seed % 960) as u16);
    let mut line = Line::new(start, Variant::Chess960);
    for ply in 0..mixed(seed) % 120 {
        let moves = line.position().legal_moves();
        let Some(mv) = moves.get(mixed(seed ^ mixed(ply)) as usize % moves.len().max(1)) else { break };
        line.play(*mv).expect("a legal move");
    }
    line
}

fn choose(level: Level, line: &Line, limits: &Limits, seed: u64) -> Option<Move> {
    let mut searcher = Searcher::new(1 << 16);
    level.choose(&mut searcher, line, limits, seed, &Stop::default()).map(|found| found.mv)
}

#[test]
fn every_level_plays_a_legal_move_in_random_positions_or_none_where_there_is_none() {
    let mut searcher = Searcher::new(1 << 16);
    for seed in 0..400 {
        let line = wandered(seed);
        for level in Level::all() {
            let found = level.choose(&mut searcher, &line, &Limits::nodes(300), seed, &Stop::default());
            match found {
                Some(found) => assert!(line.position().is_legal(found.mv), "seed {seed}, level {level}"),
                None => assert!(!line.position().has_legal_move(), "seed {seed}, level {level}"),
            }
        }
    }
}

#[test]
fn a_position_with_dozens_of_queens_is_searched_within_its_limit() {
    let position =
        fen::parse("6nk/6pp/8/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/KQQQQQQQ b - - 0 1").expect("a position");
    let line = Line::new(position, Variant::Standard);
    let found = Searcher::new(1 << 16).search(&line, &Limits::nodes(3_000), 0, &Stop::default());
    assert!(found.is_some_and(|found| found.nodes <= 3_000 && line.position().is_legal(found.mv)));
}

#[test]
fn no_search_looks_at_more_positions_than_it_may() {
    let line = Line::new(Position::standard(), Variant::Standard);
    for nodes in [0, 1, 2, 21, 500, 5_000] {
        let mut searcher = Searcher::new(1 << 16);
        let found = searcher.search(&line, &Limits::nodes(nodes), 0, &Stop::default());
        assert!(found.is_some_and(|found| found.nodes <= nodes), "{nodes}");
    }
}

#[test]
fn a_stop_is_obeyed_before_the_first_position() {
    let stop = Stop::default();
    stop.request();
    let line = Line::new(Position::standard(), Variant::Standard);
    let found = Searcher::new(1 << 16).search(&line, &Limits::NONE, 0, &stop).expect("a move");
    assert_eq!((found.depth, found.nodes), (0, 0));
    assert!(line.position().is_legal(found.mv));
}

#[test]
fn a_stop_from_another_thread_ends_a_search_without_other_limits() {
    let stop = Stop::default();
    let asked = stop.clone();
    let search = std::thread::spawn(move || {
        let line = Line::new(Position::standard(), Variant::Standard);
        Searcher::new(1 << 20).search(&line, &Limits::NONE, 0, &asked)
    });
    stop.request();
    let found = search.join().expect("it ends").expect("a move");
    assert!(found.depth < super::super::MAX_DEPTH);
}

#[test]
fn the_same_seed_gives_the_same_move_whatever_was_searched_before() {
    let mut used = Searcher::new(1 << 16);
    let limits = Limits::nodes(800);
    for seed in 1..60 {
        let line = wandered(seed);
        for level in [Level::LOWEST, Level::HIGHEST] {
            let again = level.choose(&mut used, &line, &limits, seed, &Stop::default()).map(|found| found.mv);
            assert_eq!(choose(level, &line, &limits, seed), again, "seed {seed}");
        }
    }
}

#[test]
fn different_seeds_give_different_games() {
    let line = Line::new(Position::standard(), Variant::Standard);
    let first = choose(Level::LOWEST, &line, &Limits::nodes(1_000), 1);
    assert!((2..40).any(|seed| choose(Level::LOWEST, &line, &Limits::nodes(1_000), seed) != first));
}

#[test]
fn a_tiny_table_changes_no_result_but_the_time() {
    let position = fen::parse("1k6/8/3K4/8/8/8/8/7R w - - 0 1").expect("a position");
    let line = Line::new(position, Variant::Standard);
    for bytes in [0, 12, 100, 1 << 20] {
        let found = Searcher::new(bytes).search(&line, &Limits::depth(6), 0, &Stop::default());
        assert_eq!(found.and_then(|found| found.score.mate_in()), Some(3), "{bytes}");
    }
}
