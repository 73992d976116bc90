//! The tree of one search: its limits, the line that is looked at, and what is known of its positions.
//!
//! Scores are from the side to move: centipawns, or [`MATE`] less the plies to the mate. Deliberately
//! absent: which moves are searched, and how deep. That is said by `node` and `quiescence`.
//!
//! Invariants: no line is longer than [`MAX_PLY`], which bounds the recursion. After a stop, what a
//! node returns means nothing; the root looks at `stopped` before it uses a score.

use zeitnot_rules::board::{Move, Position};

use super::eval::evaluate;
use super::history::{History, Place, Step};
use super::ordering::{Ranked, sorted};
use super::transposition::{Bound, Known, Table};
use super::{Limits, Stop};
use crate::stopwatch::Stopwatch;

/// The longest line that is looked at, quiescence included.
pub(super) const MAX_PLY: usize = 96;

/// The score of having checkmated.
pub(super) const MATE: i32 = 30_000;

/// Scores from here on mean a checkmate that was found.
pub(super) const MATE_FOUND: i32 = MATE - MAX_PLY as i32 - 1;

/// Scores down from here mean that the side to move is checkmated.
pub(super) const MATED_FOUND: i32 = -MATE_FOUND;

/// Above every score.
pub(super) const INFINITE: i32 = MATE + 1;

pub(super) const DRAW: i32 = 0;

/// After so many quiet plies scores of the table are not trusted: they were found with other counts.
const QUIET_PLIES_TRUSTED: u16 = 80;

/// The clock is read once in so many nodes.
const NODES_PER_READING: u64 = 512;

/// What is known of a position of the line that is looked at.
#[derive(Clone, Copy)]
struct Frame {
    /// What it is worth without looking ahead; [`UNKNOWN`] in check.
    worth: i32,
    /// The step that was made in it.
    step: Option<Step>,
}

/// The worth of a position in check: below all others.
const UNKNOWN: i32 = -INFINITE;

/// What a searcher keeps between searches only to spare the allocation.
pub(super) struct Memory {
    pub(super) table: Table,
    history: History,
    /// One list of moves for each ply.
    lists: Vec<Vec<Ranked>>,
    frames: Vec<Frame>,
    /// The hashes of the positions before the one that is looked at: of the game, then of the line.
    path: Vec<u64>,
}

impl Memory {
    pub(super) fn new(table_bytes: usize) -> Self {
        Self {
            table: Table::new(table_bytes),
            history: History::new(),
            lists: (0..MAX_PLY).map(|_| Vec::with_capacity(64)).collect(),
            frames: vec![Frame { worth: UNKNOWN, step: None }; MAX_PLY],
            path: Vec::new(),
        }
    }

    /// Forgets what the last search has found.
    pub(super) fn forget(&mut self) {
        self.table.begin();
    }

    fn begin(&mut self, stood: &[u64]) {
        self.history.clear();
        self.path.clear();
        self.path.extend_from_slice(stood);
    }
}

/// One search.
pub(super) struct Tree<'a> {
    memory: &'a mut Memory,
    limits: &'a Limits,
    stop: &'a Stop,
    watch: Stopwatch,
    nodes: u64,
    stopped: bool,
    /// What small differences between positions are drawn from.
    seed: u64,
}

impl<'a> Tree<'a> {
    pub(super) fn new(
        memory: &'a mut Memory,
        stood: &[u64],
        limits: &'a Limits,
        stop: &'a Stop,
        seed: u64,
    ) -> Self {
        memory.begin(stood);
        Self { memory, limits, stop, watch: Stopwatch::start(), nodes: 0, stopped: false, seed }
    }

    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) const fn stopped(&self) -> bool {
        self.stopped
    }

    pub(super) fn elapsed(&self) -> std::time::Duration {
        self.watch.elapsed()
    }

    /// The moves of the root, in the order in which they are tried first.
    pub(super) fn begin(&mut self, root: &Position) -> Vec<Ranked> {
        self.stand(root, 0, None);
        let place = Place { side: root.side_to_move(), ply: 0, last: None, own: None };
        sorted(root, &self.memory.history, &place)
    }

    /// The score of a move of the root for the side that makes it.
    pub(super) fn score_of(
        &mut self,
        root: &Position,
        ranked: &Ranked,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        self.step_in(root);
        let position = self.after(root, 0, ranked);
        let score = -self.node(&position, depth - 1, 1, -beta, -alpha);
        self.step_out();
        score
    }

    /// Counts a node; whether the search is to stop.
    pub(super) fn enter(&mut self) -> bool {
        if !self.stopped {
            let late = |limit| self.nodes.is_multiple_of(NODES_PER_READING) && self.watch.elapsed() >= limit;
            self.stopped = self.stop.is_requested()
                || self.nodes >= self.limits.nodes
                || self.limits.hard.is_some_and(late);
        }
        if !self.stopped {
            self.nodes += 1;
        }
        self.stopped
    }

    /// Whether the position counts as drawn: it has stood before, or 50 moves have been quiet.
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        let quiet = usize::from(position.halfmove_clock());
        if quiet >= 100 {
            return !position.in_check() || position.has_legal_move();
        }
        let path = &self.memory.path;
        let recent = &path[path.len().saturating_sub(quiet)..];
        // The last of the path is one ply back; the first that can be equal is four plies back.
        recent.iter().rev().skip(3).step_by(2).any(|&hash| hash == position.zobrist())
    }

    /// The evaluation, with a difference of a few centipawns that the seed draws: games from different
    /// seeds differ.
    pub(super) fn worth(&self, position: &Position) -> i32 {
        let drawn = mixed(position.zobrist() ^ self.seed) & 7;
        evaluate(position) + if self.seed == 0 { 0 } else { drawn as i32 - 3 }
    }

    /// What the table knows of a position.
    pub(super) fn known(&self, position: &Position) -> Option<Known> {
        self.memory.table.get(position.zobrist())
    }

    pub(super) fn store(&mut self, position: &Position, known: &Known) {
        self.memory.table.put(position.zobrist(), known);
    }

    /// Stores what the search of a position has come to.
    pub(super) fn store_root(&mut self, position: &Position, mv: Move, score: i32, depth: i32) {
        let worth = self.memory.frames[0].worth;
        self.store(position, &Known { mv: Some(mv), score, depth, bound: Bound::Exact, worth });
    }

    /// Notes what the position at `ply` is worth without looking ahead, from the table if that knows it.
    pub(super) fn stand(&mut self, position: &Position, ply: usize, known: Option<&Known>) -> i32 {
        let worth = match known {
            _ if position.in_check() => UNKNOWN,
            Some(known) if known.worth != UNKNOWN => known.worth,
            _ => self.worth(position),
        };
        self.memory.frames[ply].worth = worth;
        worth
    }

    /// Where moves are tried at a ply.
    pub(super) fn place(&self, position: &Position, ply: usize) -> Place {
        let step = |back: usize| ply.checked_sub(back).and_then(|ply| self.memory.frames[ply].step);
        Place { side: position.side_to_move(), ply, last: step(1), own: step(2) }
    }

    pub(super) const fn history(&self) -> &History {
        &self.memory.history
    }

    pub(super) const fn history_mut(&mut self) -> &mut History {
        &mut self.memory.history
    }

    /// What the position of the line at `ply` is worth without looking ahead; in check less than anything.
    pub(super) fn worth_at(&self, ply: usize) -> i32 {
        self.memory.frames[ply].worth
    }

    /// The position after a move in the one of the line at `ply`, which notes the move.
    pub(super) fn after(&mut self, position: &Position, ply: usize, ranked: &Ranked) -> Position {
        self.memory.frames[ply].step = Some(ranked.step());
        let mut after = position.clone();
        after.play_unchecked(ranked.mv);
        after
    }

    /// Goes on to the positions after this one.
    pub(super) fn step_in(&mut self, position: &Position) {
        self.memory.path.push(position.zobrist());
    }

    pub(super) fn step_out(&mut self) {
        self.memory.path.pop();
    }

    pub(super) fn take_list(&mut self, ply: usize) -> Vec<Ranked> {
        std::mem::take(&mut self.memory.lists[ply])
    }

    pub(super) fn give_list(&mut self, ply: usize, list: Vec<Ranked>) {
        self.memory.lists[ply] = list;
    }
}

/// The score of the table, if it decides a node of which only a bound is asked.
pub(super) fn cut_by(
    known: &Known,
    position: &Position,
    depth: i32,
    ply: usize,
    (alpha, beta): (i32, i32),
) -> Option<i32> {
    let score = from_table(known.score, ply);
    let decides = beta - alpha == 1
        && known.depth >= depth
        && position.halfmove_clock() < QUIET_PLIES_TRUSTED
        && match known.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= beta,
            Bound::AtMost => score <= alpha,
        };
    decides.then_some(score)
}

impl Known {
    /// A better estimate than the evaluation, where the score of the table says more.
    pub(super) fn improve(&self, worth: i32, ply: usize) -> i32 {
        let score = from_table(self.score, ply);
        let says_more = worth != UNKNOWN
            && score.abs() < MATE_FOUND
            && match self.bound {
                Bound::Exact => true,
                Bound::AtLeast => score > worth,
                Bound::AtMost => score < worth,
            };
        if says_more { score } else { worth }
    }
}

/// The table counts a mate from its position, the tree from the root.
pub(super) const fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        MATE_FOUND.. => score + ply as i32,
        ..=MATED_FOUND => score - ply as i32,
        _ => score,
    }
}

const fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        MATE_FOUND.. => score - ply as i32,
        ..=MATED_FOUND => score + ply as i32,
        _ => score,
    }
}

/// A number whose every bit depends on every bit of the argument (the finaliser of SplitMix64).
pub(crate) const fn mixed(bits: u64) -> u64 {
    let mut bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
