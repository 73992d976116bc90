//! What the computer's searcher thinks of a position of a finished game, or of a line that leaves it: what it is worth, and
//! the best line.
//!
//! The searches of one game go on from each other: whoever asks for its positions from the last one on is told of each what a
//! search finds that knows how the game went on. A position that was evaluated without that is evaluated again then.
//!
//! Invariants: a search looks at [`NODES`] positions at most, and one is made at a time; the tables of [`GAMES`] games are kept.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use zeitnot_bot::Line;
use zeitnot_bot::search::{Limits, Searcher, Stop};
use zeitnot_protocol::{Evaluation, GameId};
use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::notation::fen;

use super::place::{NoSuchPlace, Place, Source, WholeGame};
use crate::archive::Archive;
use crate::games::play_named;
use crate::recent::Recent;
use crate::sync::unpoisoned;

/// The positions of one search: about a tenth of a second, so that whoever steps through a game waits for little.
const NODES: u64 = 100_000;

/// The table of a searcher, in bytes: what the searches of a few moves fill.
const TABLE_BYTES: usize = 8 << 20;

/// Of so many games, those that were evaluated last, the tables are kept.
const GAMES: usize = 4;

/// The most plies of a best line: what is further is no more than a guess.
pub(super) const LINE_PLIES: usize = 12;

/// Evaluations that a half of the cache holds, of about a kilobyte each.
const KNOWN_HALF: usize = 1_024;

/// The evaluations: their places, their thread, and what is known. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Evaluations {
    /// The turns and the thread of those who ask.
    pub(crate) places: Archive,
    known: Arc<Recent<Place, Known>>,
    /// The searches of games, the one that was made last in front. Made by the first search: tables take megabytes.
    games: Arc<Mutex<VecDeque<GameSearch>>>,
}

/// What was evaluated lately.
#[derive(Clone, Debug)]
struct Known {
    evaluation: Evaluation,
    /// The position that follows in the game was evaluated just before, or there is none.
    is_followed: bool,
}

/// A searcher with what it has found in the positions of one game.
#[derive(Debug)]
struct GameSearch {
    of: Source,
    /// The position of the game that was asked for last, after so many plies.
    last: Option<u32>,
    searcher: Arc<Mutex<Searcher>>,
}

impl Evaluations {
    pub(super) fn new(places: Archive) -> Self {
        Self { places, known: Arc::new(Recent::new(KNOWN_HALF)), games: Arc::default() }
    }

    /// What is known of a position, unless more would be found now.
    pub(crate) fn known(&self, place: &Place) -> Option<Evaluation> {
        let known = self.known.find(place)?;
        if place.moves.is_empty() {
            let mut games = unpoisoned(self.games.lock());
            if let Some(search) = games.iter_mut().find(|search| search.of == place.of) {
                if search.has_come_from(place.ply) && !known.is_followed {
                    return None;
                }
                search.last = Some(place.ply);
            }
        }
        Some(known.evaluation)
    }

    /// What is known of the positions of a game of so many plies; no search is made for it.
    pub(crate) fn known_of(&self, game: GameId, plies: u32) -> Vec<Evaluation> {
        let places = (0..=plies).map(|ply| Place { of: Source::Here(game), ply, moves: Vec::new() });
        places.filter_map(|place| self.known.find(&place)).map(|known| known.evaluation).collect()
    }

    /// Evaluates a position of a game that has ended, or of a line that leaves it.
    ///
    /// # Errors
    /// [`NoSuchPlace`].
    pub(crate) fn evaluate(&self, place: Place, game: &WholeGame) -> Result<Evaluation, NoSuchPlace> {
        if let Some(known) = self.known(&place) {
            return Ok(known);
        }
        let line = place.line(game)?;
        let is_of_game = place.moves.is_empty();
        let (searcher, is_followed) = {
            let mut games = unpoisoned(self.games.lock());
            let search = search_of(&mut games, place.of);
            let is_followed =
                is_of_game && (place.ply as usize == game.ply_count() || search.has_come_from(place.ply));
            if is_of_game {
                search.last = Some(place.ply);
            }
            (Arc::clone(&search.searcher), is_followed)
        };
        let evaluation = {
            let mut searcher = unpoisoned(searcher.lock());
            evaluated(&mut searcher, &place, &line)
        };
        self.known.keep(place, Known { evaluation: evaluation.clone(), is_followed });
        Ok(evaluation)
    }
}

impl GameSearch {
    /// The position that follows this one in the game was asked for just before.
    fn has_come_from(&self, ply: u32) -> bool {
        self.last == Some(ply + 1)
    }
}

/// The search of a game, in front of all others. A new one takes the table of the one that was made longest ago.
fn search_of(games: &mut VecDeque<GameSearch>, of: Source) -> &mut GameSearch {
    let at = games.iter().position(|search| search.of == of);
    let search = at.and_then(|at| games.remove(at)).unwrap_or_else(|| {
        let oldest = if games.len() < GAMES { None } else { games.pop_back() };
        let searcher =
            oldest.map_or_else(|| Arc::new(Mutex::new(Searcher::new(TABLE_BYTES))), |oldest| oldest.searcher);
        unpoisoned(searcher.lock()).forget();
        GameSearch { of, last: None, searcher }
    });
    games.push_front(search);
    &mut games[0]
}

/// What is worth so much for the side to move, for White.
pub(super) fn for_white(position: &Position, value: i32) -> i32 {
    if position.side_to_move() == Color::White { value } else { -value }
}

fn evaluated(searcher: &mut Searcher, place: &Place, line: &Line) -> Evaluation {
    let position = line.position();
    let fen = fen::write(position);
    let Place { of, ply, moves } = place.clone();
    let game = of.name();
    let nothing =
        Evaluation { game, ply, moves, fen, centipawns: None, mate: None, depth: 0, line: Vec::new() };
    let Some(found) = searcher.search_before(line, &Limits::nodes(NODES), &Stop::default()) else {
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
    use zeitnot_rules::game::Variant;

    use super::*;
    use crate::analysis::position;

    fn evaluated(position: &str) -> Evaluation {
        let line = Line::new(fen::parse(position).unwrap(), Variant::Standard);
        let place = Place { of: here(7), ply: 0, moves: Vec::new() };
        super::evaluated(&mut Searcher::new(TABLE_BYTES), &place, &line)
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

    /// A game in which Black is lost after 22 plies, which no short search of that position sees.
    const OPERA: &str = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6";

    fn played(moves: &str) -> WholeGame {
        let moves: Vec<_> = moves.split(' ').map(str::to_owned).collect();
        WholeGame::from(&position::played(Position::standard(), Variant::Standard, &moves).unwrap())
    }

    fn here(number: u128) -> Source {
        Source::Here(GameId::from_random(number))
    }

    fn of_game(number: u128, ply: u32) -> Place {
        Place { of: here(number), ply, moves: Vec::new() }
    }

    #[test]
    fn a_position_is_evaluated_again_once_it_is_known_how_the_game_went_on() {
        let (game, evaluations) = (played(OPERA), Evaluations::new(Archive::in_place()));
        let worth = |ply| evaluations.evaluate(of_game(7, ply), &game).unwrap().centipawns.unwrap();
        let alone = worth(22);
        assert!(alone < 150, "it is worth {alone} as far as the search sees");
        assert_eq!(worth(22), alone, "asked again");
        for ply in (23..=28).rev() {
            assert!(worth(ply) > 250, "after {ply} plies");
        }
        assert_eq!(evaluations.known(&of_game(7, 22)), None, "more would be found now");
        let followed = worth(22);
        assert!(followed > 250, "{followed} instead of {alone}");
        worth(23);
        assert_eq!(evaluations.known(&of_game(7, 22)).unwrap().centipawns, Some(followed), "that was all");
    }

    #[test]
    fn what_is_known_of_a_game_is_told_in_its_order_without_a_search() {
        let (game, evaluations) = (played(OPERA), Evaluations::new(Archive::in_place()));
        assert_eq!(evaluations.known_of(GameId::from_random(7), 28), []);
        for (number, ply) in [(7, 28), (7, 3), (8, 5)] {
            evaluations.evaluate(of_game(number, ply), &game).unwrap();
        }
        let aside = Place { moves: vec!["g8f6".parse().unwrap()], ..of_game(7, 3) };
        evaluations.evaluate(aside, &game).unwrap();
        let known = evaluations.known_of(GameId::from_random(7), 28);
        assert_eq!(known.iter().map(|one| (one.ply, one.moves.len())).collect::<Vec<_>>(), [(3, 0), (28, 0)]);
    }

    #[test]
    fn a_game_that_was_brought_along_is_known_by_its_moves_and_is_none_of_the_server() {
        let (whole, evaluations) = (played(OPERA), Evaluations::new(Archive::in_place()));
        let of = Source::of_brought(&whole);
        let place = |of| Place { of, ply: 28, moves: Vec::new() };
        let evaluation = evaluations.evaluate(place(of), &whole).unwrap();
        assert_eq!(evaluation.game, of.name());
        assert_eq!(evaluations.known(&place(Source::of_brought(&played(OPERA)))), Some(evaluation));
        assert_eq!(evaluations.known(&place(Source::Here(of.name()))), None);
        assert_eq!(evaluations.known_of(of.name(), 28), []);
        let shorter = played("e4 e5 Nf3");
        assert_ne!(Source::of_brought(&shorter), of);
        let chess960 = position::played(
            Position::standard(),
            Variant::Chess960,
            &["e4", "e5", "Nf3"].map(str::to_owned),
        );
        assert_ne!(Source::of_brought(&WholeGame::from(&chess960.unwrap())), Source::of_brought(&shorter));
    }

    #[test]
    fn a_line_that_leaves_the_game_is_no_position_of_the_game() {
        let (game, evaluations) = (played(OPERA), Evaluations::new(Archive::in_place()));
        evaluations.evaluate(of_game(7, 3), &game).unwrap();
        let aside = Place { moves: vec!["g8f6".parse().unwrap()], ..of_game(7, 3) };
        evaluations.evaluate(aside.clone(), &game).unwrap();
        assert!(evaluations.known(&aside).is_some());
        evaluations.evaluate(of_game(7, 4), &game).unwrap();
        assert!(evaluations.known(&aside).is_some(), "the game went on otherwise");
    }

    #[test]
    fn the_search_that_was_made_longest_ago_makes_room() {
        let mut games = VecDeque::new();
        for number in 0..=GAMES as u128 {
            search_of(&mut games, here(number)).last = Some(1);
            search_of(&mut games, here(0));
        }
        assert_eq!(games.len(), GAMES);
        assert_eq!(search_of(&mut games, here(0)).last, Some(1), "it is in use");
        assert_eq!(search_of(&mut games, here(1)).last, None, "it begins anew");
    }
}
