//! Short matches between levels: repeatable, and each level is stronger than the one below.

use super::{Control, MatchTerms, Player, ladder, play_match};
use crate::search::Level;

fn terms(games: usize, nodes: u64, threads: usize) -> MatchTerms {
    MatchTerms { games, control: Control::Nodes(nodes), seed: 1, threads }
}

#[test]
fn a_match_at_fixed_nodes_is_decided_by_its_seed_whatever_the_threads() {
    let players = [Level::new(3), Level::new(2)].map(|level| Player::from(level.expect("a level")));
    let one = play_match(&players, &terms(6, 500, 1)).expect("it is played");
    let two = play_match(&players, &terms(6, 500, 3)).expect("it is played");
    assert_eq!(one.pgn, two.pgn);
    assert_eq!(one.tally.games(), 6);
    let other = MatchTerms { seed: 2, ..terms(6, 500, 1) };
    assert_ne!(play_match(&players, &other).expect("it is played").pgn, one.pgn);
}

/// A short form of the ladder, of few games with few nodes, so each level meets the one two below.
/// `zeitnot-bot ladder` plays the whole one.
#[test]
fn every_level_beats_the_one_two_below() {
    let levels: Vec<Level> = Level::all().collect();
    for three in levels.windows(3) {
        let players = [three[2], three[0]].map(Player::from);
        let outcome = play_match(&players, &terms(8, 5_000, 2)).expect("it is played");
        assert!(outcome.faults.is_empty(), "{:?}", outcome.faults);
        assert!(outcome.tally.score() >= 0.6, "{players:?}: {}", outcome.tally);
    }
}

#[test]
fn the_ladder_plays_every_step_and_the_whole_height() {
    let mut lines = Vec::new();
    let played = ladder(&terms(2, 30, 1), &mut lines).expect("it is played");
    assert_eq!(played.len(), 8);
    assert_eq!(String::from_utf8_lossy(&lines).lines().count(), 8);
    assert!(played.iter().all(|step| step.outcome.tally.games() == 2 && step.outcome.faults.is_empty()));
    assert_eq!(played[7].levels.map(Level::number), [8, 1]);
}
