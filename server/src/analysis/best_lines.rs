//! The best moves in a position of a finished game, or of a line that leaves it, searched deeper than for an evaluation, each
//! with the line that follows.
//!
//! Whoever wants more of a position asks for a deeper search. That has places, a thread and a table of its own: nobody who
//! asks for the usual one waits for it.
//!
//! Invariant: a search looks at [`NODES`] positions at most, a deeper one at [`DEEPER_NODES`]. Each ends soon after nobody
//! waits for it any more, and of each one is made at a time.

use std::sync::{Arc, Mutex};

use zeitnot_bot::Line;
use zeitnot_bot::search::{Found, Limits, Searcher, Stop};
use zeitnot_protocol::{BestLine, BestLines};
use zeitnot_rules::board::Move;
use zeitnot_rules::notation::fen;

use super::evaluation::{LINE_PLIES, for_white};
use super::place::{NoSuchPlace, Place, WholeGame};
use crate::archive::Archive;
use crate::games::play_named;
use crate::recent::Recent;
use crate::sync::unpoisoned;

/// How many moves are compared.
const LINES: usize = 3;

/// The positions of one search: about a second, for which whoever stays at a position waits.
const NODES: u64 = 1_000_000;

/// Those of a deeper one: about four seconds, which is a ply or two.
const DEEPER_NODES: u64 = 4 * NODES;

/// The table of the searcher, in bytes: more than so many positions fill.
const TABLE_BYTES: usize = 32 << 20;

/// That of a deeper search, which has it no longer than it takes.
const DEEPER_TABLE_BYTES: usize = 64 << 20;

/// Positions of which a half of what is known holds the best lines, of about three kilobytes each.
const BEST_LINES_HALF: usize = 256;

/// How much is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// For whoever stays at a position.
    Usual,
    /// For whoever asks for more there.
    Deeper,
}

impl Effort {
    /// The positions of one search.
    const fn nodes(self) -> u64 {
        match self {
            Self::Usual => NODES,
            Self::Deeper => DEEPER_NODES,
        }
    }

    const fn table_bytes(self) -> usize {
        match self {
            Self::Usual => TABLE_BYTES,
            Self::Deeper => DEEPER_TABLE_BYTES,
        }
    }
}

/// Searches of one effort: their places, thread and table, and what they have found. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct LineSearches {
    effort: Effort,
    /// The turns and the thread of those who ask.
    pub(crate) places: Archive,
    /// Of which positions the best lines were found lately.
    pub(crate) known: Arc<Recent<Place, BestLines>>,
    searcher: Arc<Mutex<Option<Searcher>>>,
}

impl LineSearches {
    pub(super) fn new(effort: Effort, places: Archive) -> Self {
        Self { effort, places, known: Arc::new(Recent::new(BEST_LINES_HALF)), searcher: Arc::default() }
    }

    /// The best lines in a position of a game that has ended, or of a line that leaves it.
    ///
    /// # Errors
    /// [`NoSuchPlace`].
    pub(crate) fn best_lines(
        &self,
        place: Place,
        game: &WholeGame,
        stop: &Stop,
    ) -> Result<BestLines, NoSuchPlace> {
        if let Some(known) = self.known.find(&place) {
            return Ok(known);
        }
        let line = place.line(game)?;
        let mut searcher = unpoisoned(self.searcher.lock());
        let lines = search(&mut searcher, self.effort, &line, stop);
        if self.effort == Effort::Deeper {
            *searcher = None;
        }
        drop(searcher);
        let Place { of, ply, moves } = place.clone();
        let found = BestLines { game: of.name(), ply, moves, fen: fen::write(line.position()), lines };
        if !stop.is_requested() {
            self.known.keep(place, found.clone());
        }
        Ok(found)
    }
}

/// A line of fewer plies goes on with short searches, each of so many positions: the long one has forgotten how it went on.
const LINE_PLIES_AT_LEAST: usize = 6;
const CONTINUED_NODES: u64 = 3_000;

/// Stops a search when it is dropped, as it is with a request that was given up.
#[derive(Debug, Default)]
pub(crate) struct StopWhenDropped(pub(crate) Stop);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.request();
    }
}

fn search(kept: &mut Option<Searcher>, effort: Effort, line: &Line, stop: &Stop) -> Vec<BestLine> {
    let searcher = kept.get_or_insert_with(|| Searcher::new(effort.table_bytes()));
    let position = line.position();
    let found = searcher.search_several(line, LINES, &Limits::nodes(effort.nodes()), 0, stop);
    let known =
        found.iter().map(|found| searcher.best_line(position, found.mv, LINE_PLIES)).collect::<Vec<_>>();
    let shown = |(found, moves): (&Found, Vec<Move>)| {
        let mut after = position.clone();
        let mate = found.score.mate_in();
        BestLine {
            centipawns: mate.is_none().then(|| for_white(position, found.score.centipawns())),
            mate: mate.map(|moves| for_white(position, moves)),
            depth: found.depth.into(),
            moves: continued(searcher, line, moves, stop)
                .into_iter()
                .map(|mv| play_named(&mut after, mv, line.variant()))
                .collect(),
        }
    };
    found.iter().zip(known).map(shown).collect()
}

/// These moves after a line and, if they are few, what follows them.
fn continued(searcher: &mut Searcher, line: &Line, mut moves: Vec<Move>, stop: &Stop) -> Vec<Move> {
    let mut after = line.clone();
    let mut played = 0;
    while moves.len() < LINE_PLIES_AT_LEAST && moves[played..].iter().all(|&mv| after.play(mv).is_ok()) {
        played = moves.len();
        let Some(next) = searcher.search(&after, &Limits::nodes(CONTINUED_NODES), 0, stop) else { break };
        moves.extend(searcher.best_line(after.position(), next.mv, LINE_PLIES - played));
    }
    moves
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::GameId;
    use zeitnot_rules::board::Position;
    use zeitnot_rules::game::Variant;

    use super::*;
    use crate::analysis::place::Source;

    fn lines_of(position: &str) -> Vec<BestLine> {
        let line = Line::new(fen::parse(position).unwrap(), Variant::Standard);
        search(&mut None, Effort::Usual, &line, &Stop::default())
    }

    fn first_moves(lines: &[BestLine]) -> Vec<String> {
        lines.iter().map(|line| line.moves[0].san.to_string()).collect()
    }

    #[test]
    fn the_best_move_comes_first_and_all_are_counted_for_white() {
        // Black to move: it can be checkmated in one, or not.
        let lines = lines_of("6k1/5ppp/8/8/8/8/r7/4K2R b - - 0 1");
        assert_eq!(lines.len(), LINES);
        let worth =
            |line: &BestLine| line.centipawns.unwrap_or(if line.mate > Some(0) { 30_000 } else { -30_000 });
        assert!(lines.is_sorted_by_key(worth), "the best ones for Black have the least for White: {lines:?}");
        let mut moves = first_moves(&lines);
        moves.sort();
        moves.dedup();
        assert_eq!(moves.len(), LINES, "{lines:?}");
        let mate = lines_of("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1");
        assert_eq!((mate[0].mate, mate[0].centipawns), (Some(1), None));
    }

    #[test]
    fn there_are_no_more_lines_than_moves() {
        assert_eq!(lines_of("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"), [], "checkmate");
        assert_eq!(first_moves(&lines_of("7k/8/5K2/8/8/8/8/6R1 b - - 0 1")), ["Kh7"]);
    }

    #[test]
    fn a_line_goes_on_until_it_says_something_or_the_game_ends() {
        let italian = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1";
        for line in lines_of(italian) {
            assert!((LINE_PLIES_AT_LEAST..=LINE_PLIES).contains(&line.moves.len()), "{line:?}");
        }
        let mate = lines_of("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1");
        assert_eq!(mate[0].moves.len(), 1, "{mate:?}");
    }

    #[test]
    fn a_search_that_nobody_waits_for_ends_at_once() {
        let asked = StopWhenDropped::default();
        let stop = asked.0.clone();
        drop(asked);
        let line = Line::new(Position::standard(), Variant::Standard);
        for effort in [Effort::Usual, Effort::Deeper] {
            let lines = search(&mut None, effort, &line, &stop);
            assert!(lines.iter().all(|line| line.depth == 0), "{lines:?}");
        }
    }

    /// Searches of an effort, without a thread.
    fn searches(effort: Effort) -> LineSearches {
        LineSearches::new(effort, Archive::in_place())
    }

    #[test]
    fn a_deeper_search_looks_further_than_the_usual_one_and_has_no_table_after_it() {
        let game = WholeGame::from(&Line::new(Position::standard(), Variant::Standard));
        let place = Place { of: Source::Here(GameId::from_random(7)), ply: 0, moves: Vec::new() };
        let [usual, deeper] = [Effort::Usual, Effort::Deeper].map(searches);
        let depth = |searches: &LineSearches| {
            let found = searches.best_lines(place.clone(), &game, &Stop::default()).unwrap();
            assert_eq!(searches.known.find(&place), Some(found.clone()));
            found.lines[0].depth
        };
        let (first, further) = (depth(&usual), depth(&deeper));
        assert!(further > first, "{further} plies instead of {first}");
        let has_table = |searches: &LineSearches| searches.searcher.lock().unwrap().is_some();
        assert_eq!([&usual, &deeper].map(has_table), [true, false]);
        assert_eq!(usual.known.find(&place).map(|found| found.lines[0].depth), Some(first), "of its own");
    }
}
