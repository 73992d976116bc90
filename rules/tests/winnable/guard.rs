//! The guard never says that a dead position is not dead.

use zeitnot_rules::notation::{fen, pgn};
use zeitnot_rules::verdict::{Dead, Guard, Limits, dead, guard};

use crate::sample;

const GAMES: &str = include_str!("../data/games.pgn");

#[test]
fn dead_positions_and_those_around_them() {
    for (text, _, verdict) in sample::rows() {
        let position = fen::parse(text).expect("the FEN is right");
        if !position.has_legal_move() {
            continue;
        }
        if verdict == "dead" {
            assert_eq!(guard(&position), Guard::Ask, "{text}");
        }
        for mv in position.legal_moves().into_iter().step_by(4) {
            let mut next = position.clone();
            next.play_unchecked(mv);
            if next.has_legal_move() && guard(&next) == Guard::NotDead {
                let answer = dead(&next, &Limits::nodes(5_000));
                assert!(!matches!(answer, Dead::Yes(_)), "{}", fen::write(&next));
            }
        }
    }
}

#[test]
fn real_games_are_seldom_asked_about() {
    let (mut moves, mut asked) = (0, 0);
    for game in pgn::games(GAMES) {
        let game = game.expect("a real game");
        let mut position = game.start.clone();
        for mv in &game.moves {
            position.play(*mv).expect("a real move");
            moves += 1;
            asked += u32::from(position.has_legal_move() && guard(&position) == Guard::Ask);
        }
    }
    assert!(asked * 20 <= moves, "{asked} of {moves}");
}
