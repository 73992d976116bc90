//! What the computer's searcher thinks of a position of a finished game, or of a line that leaves it: what it is worth, and
//! the best line.
//!
//! Invariant: a search looks at [`NODES`] positions at most, and one is made at a time.

use zeitnot_bot::Line;
use zeitnot_bot::search::{Limits, Searcher, Stop};
use zeitnot_protocol::Evaluation;
use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::game::Game;
use zeitnot_rules::notation::fen;

use super::place::{NoSuchPlace, Place};
use super::{Analysis, play_named};
use crate::sync::unpoisoned;

/// The positions of one search: about a tenth of a second, so that whoever steps through a game waits for little.
const NODES: u64 = 100_000;

/// The table of the searcher, in bytes: more than so many positions fill.
const TABLE_BYTES: usize = 4 << 20;

/// The most plies of a best line: what is further is no more than a guess.
pub(super) const LINE_PLIES: usize = 12;

/// Evaluates a position of a game that has ended, or of a line that leaves it.
///
/// # Errors
/// [`NoSuchPlace`].
pub(crate) fn evaluate(analysis: &Analysis, place: Place, game: &Game) -> Result<Evaluation, NoSuchPlace> {
    if let Some(known) = analysis.known.find(&place) {
        return Ok(known);
    }
    let line = place.line(game)?;
    let mut searcher = unpoisoned(analysis.searcher.lock());
    let evaluation = search(&mut searcher, &place, &line);
    drop(searcher);
    analysis.known.keep(place, evaluation.clone());
    Ok(evaluation)
}

/// What is worth so much for the side to move, for White.
pub(super) fn for_white(position: &Position, value: i32) -> i32 {
    if position.side_to_move() == Color::White { value } else { -value }
}

fn search(kept: &mut Option<Searcher>, place: &Place, line: &Line) -> Evaluation {
    let searcher = kept.get_or_insert_with(|| Searcher::new(TABLE_BYTES));
    let position = line.position();
    let fen = fen::write(position);
    let Place { game, ply, moves } = place.clone();
    let nothing =
        Evaluation { game, ply, moves, fen, centipawns: None, mate: None, depth: 0, line: Vec::new() };
    let Some(found) = searcher.search(line, &Limits::nodes(NODES), 0, &Stop::default()) else {
        let is_mate = position.in_check();
        return Evaluation { centipawns: (!is_mate).then_some(0), mate: is_mate.then_some(0), ..nothing };
    };
    let mate = found.score.mate_in();
    let mut shown = position.clone();
    let best = searcher.best_line(position, found.mv, LINE_PLIES);
    Evaluation {
        centipawns: mate.is_none().then(|| for_white(position, found.score.centipawns())),
        mate: mate.map(|moves| for_white(position, moves)),
        depth: found.depth.into(),
        line: best.into_iter().map(|mv| play_named(&mut shown, mv, line.variant())).collect(),
        ..nothing
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::GameId;
    use zeitnot_rules::game::Variant;

    use super::*;

    fn evaluated(position: &str) -> Evaluation {
        let line = Line::new(fen::parse(position).unwrap(), Variant::Standard);
        let place = Place { game: GameId::from_random(7), ply: 0, moves: Vec::new() };
        search(&mut None, &place, &line)
    }

    fn moves(evaluation: &Evaluation) -> Vec<String> {
        evaluation.line.iter().map(|mv| mv.san.to_string()).collect()
    }

    #[test]
    fn a_checkmate_is_counted_in_moves_for_white() {
        let white = evaluated("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1");
        assert_eq!((white.mate, white.centipawns), (Some(1), None));
        assert_eq!(moves(&white).len(), 1, "{white:?}");
        let black = evaluated("6q1/8/8/8/8/5k2/8/7K b - - 0 1");
        assert_eq!((black.mate, black.line[0].uci.to_string().len()), (Some(-1), 4));
        let two = evaluated("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1");
        assert!(two.mate == Some(2) && (1..=3).contains(&moves(&two).len()), "{two:?}");
    }

    #[test]
    fn what_a_position_is_worth_is_told_for_white_whoever_is_to_move() {
        for (position, is_better) in [
            ("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", true),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", true),
            ("q3k3/8/8/8/8/8/8/4K3 w - - 0 1", false),
        ] {
            let evaluation = evaluated(position);
            let worth = evaluation.centipawns.map_or(evaluation.mate.unwrap_or(0), |worth| worth);
            assert_eq!(worth > 0, is_better, "{evaluation:?}");
        }
    }

    #[test]
    fn where_there_is_no_move_there_is_no_line() {
        let mate = evaluated("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1");
        assert_eq!((mate.mate, mate.centipawns, mate.line.len()), (Some(0), None, 0));
        let stalemate = evaluated("7k/5Q2/8/8/8/8/8/K7 b - - 0 1");
        assert_eq!((stalemate.mate, stalemate.centipawns), (None, Some(0)));
    }

    #[test]
    fn a_best_line_is_made_of_legal_moves_and_bounded() {
        let evaluation = evaluated(&fen::write(&Position::standard()));
        assert!((1..=LINE_PLIES).contains(&evaluation.line.len()), "{evaluation:?}");
        assert!(evaluation.depth >= 3, "{evaluation:?}");
        let mut position = Position::standard();
        for mv in &evaluation.line {
            let text = mv.uci.to_string();
            let mv = zeitnot_rules::notation::uci::parse(&text, &position, Variant::Standard).unwrap();
            position.play_unchecked(mv);
        }
    }
}
