//! A small chess searcher on the rules of this project, with eight levels.
//!
//! [`Searcher`] finds the best move that it can within [`Limits`]; [`Level`] plays with it, and worse
//! where it should. Standard chess and Chess960, from any position that the rules accept. Deliberately
//! absent: opening books, endgame tables, pondering, more than one thread for a search.
//!
//! Invariants: a move that is returned is legal. A search depends on nothing but its arguments, unless
//! it has a time limit, is stopped, or goes on from the last one ([`Searcher::search_before`]). Memory is bounded when the
//! searcher is made; so is the recursion.

mod checks;
mod eval;
mod exchange;
mod history;
mod level;
mod node;
mod ordering;
mod pruning;
mod quiescence;
mod root;
mod tables;
mod transposition;
mod tree;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use zeitnot_rules::board::{Move, Position};

pub use level::{Level, LevelError};
use ordering::Ranked;
use root::Root;
use transposition::Bound;
pub(crate) use tree::mixed;
use tree::{INFINITE, MATE, MATE_FOUND, MATED_FOUND, Memory, Tree};

use crate::line::Line;

/// No search looks deeper, in plies; lines of checks and captures go further.
pub const MAX_DEPTH: u8 = 48;

/// How deep all moves are compared when a mistake is chosen.
const RANKING_DEPTH: u8 = 2;

/// When a search ends. The first limit that is reached counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many plies deep; at most [`MAX_DEPTH`] counts.
    pub depth: u8,
    /// How many positions.
    pub nodes: u64,
    /// After this time no deeper iteration begins.
    pub soft: Option<Duration>,
    /// After this time the search ends where it is.
    pub hard: Option<Duration>,
}

impl Limits {
    /// No limit but the depth.
    pub const NONE: Self = Self { depth: MAX_DEPTH, nodes: u64::MAX, soft: None, hard: None };

    /// A limit of positions alone.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, ..Self::NONE }
    }

    /// A limit of plies alone.
    #[must_use]
    pub const fn depth(depth: u8) -> Self {
        Self { depth, ..Self::NONE }
    }

    /// What a side with a clock spends on a move.
    ///
    /// `left` is the clock, `increment` what each move adds, `overhead` what is lost on the way to the
    /// server and back. Half of what is left is never spent on one move.
    #[must_use]
    pub fn clock(left: Duration, increment: Duration, overhead: Duration) -> Self {
        let left = left.saturating_sub(overhead);
        let share = left / 32 + increment * 3 / 4;
        let hard = (share * 3).min(left / 3);
        Self { soft: Some((share / 2).min(hard)), hard: Some(hard), ..Self::NONE }
    }
}

/// Asks searches to stop: they look at it at every node. Clones are the same request.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks to stop, once and for all.
    pub fn request(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether somebody has asked.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// A score from the view of the side to move: centipawns, or a checkmate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Score(i32);

impl Score {
    /// A score that is no checkmate.
    #[must_use]
    pub fn from_centipawns(centipawns: i32) -> Self {
        Self(centipawns.clamp(MATED_FOUND + 1, MATE_FOUND - 1))
    }

    /// Checkmate in so many moves: of the opponent, or of the side to move where it is negative or zero.
    #[must_use]
    pub fn from_mate_in(moves: i32) -> Self {
        let moves = moves.clamp(-i32::from(MAX_DEPTH), i32::from(MAX_DEPTH));
        Self(if moves > 0 { MATE - 2 * moves + 1 } else { -MATE - 2 * moves })
    }

    /// In centipawns; a checkmate is about 30,000.
    #[must_use]
    pub const fn centipawns(self) -> i32 {
        self.0
    }

    /// In how many moves the side to move checkmates (positive) or is checkmated (negative).
    #[must_use]
    pub const fn mate_in(self) -> Option<i32> {
        match self.0 {
            MATE_FOUND.. => Some((MATE - self.0 + 1) / 2),
            ..=MATED_FOUND => Some(-((MATE + self.0 + 1) / 2)),
            _ => None,
        }
    }
}

/// What a search has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best move; legal.
    pub mv: Move,
    /// What it is worth.
    pub score: Score,
    /// How deep the last finished iteration was; 0 when the first one was stopped.
    pub depth: u8,
    /// How many positions were looked at.
    pub nodes: u64,
}

/// Finds moves, one search at a time.
///
/// ```
/// use zeitnot_bot::{Line, search::{Limits, Searcher, Stop}};
/// use zeitnot_rules::{game::Variant, notation::fen};
///
/// let position = fen::parse("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")?;
/// let line = Line::new(position, Variant::Standard);
/// let found = Searcher::new(1 << 20).search(&line, &Limits::depth(3), 0, &Stop::default());
/// assert_eq!(found.and_then(|found| found.score.mate_in()), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    memory: Memory,
}

impl std::fmt::Debug for Searcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searcher").field("table_bytes", &self.memory.table.bytes()).finish_non_exhaustive()
    }
}

impl Searcher {
    /// A searcher whose table takes at most `table_bytes`.
    #[must_use]
    pub fn new(table_bytes: usize) -> Self {
        Self { memory: Memory::new(table_bytes) }
    }

    /// The best move, or `None` when there is no legal one.
    ///
    /// `seed` draws differences of a few centipawns, so that games are not all the same; 0 draws none.
    pub fn search(&mut self, line: &Line, limits: &Limits, seed: u64, stop: &Stop) -> Option<Found> {
        self.search_several(line, 1, limits, seed, stop).first().copied()
    }

    /// Forgets what all searches have found.
    pub fn forget(&mut self) {
        self.memory.forget();
    }

    /// The best move, of a position from which the one of the last search follows: what that search and those before it have found
    /// still counts.
    ///
    /// So the positions of a game are best searched from its end. Of each one it is known then how the game went on, far beyond
    /// the depth of the search, and the search looks for something better. Before any search it is [`Self::search`].
    pub fn search_before(&mut self, line: &Line, limits: &Limits, stop: &Stop) -> Option<Found> {
        self.go_on(line, 1, limits, 0, stop).first().copied()
    }

    /// The best moves, at most `most`, the best one first; none when there is no legal one.
    ///
    /// All scores are of one iteration: of one that was stopped before as many moves had a score as in the
    /// iteration before it, nothing is told.
    pub fn search_several(
        &mut self,
        line: &Line,
        most: usize,
        limits: &Limits,
        seed: u64,
        stop: &Stop,
    ) -> Vec<Found> {
        self.forget();
        self.go_on(line, most, limits, seed, stop)
    }

    fn go_on(&mut self, line: &Line, most: usize, limits: &Limits, seed: u64, stop: &Stop) -> Vec<Found> {
        let position = line.position();
        let mut tree = Tree::new(&mut self.memory, line.stood(), limits, stop, seed);
        let moves = tree.begin(position);
        let first = moves.first().map(|first| Found { mv: first.mv, score: Score(0), depth: 0, nodes: 0 });
        let mut found = Vec::from_iter(first);
        let mut root = Root::new(position, moves, most);
        for depth in 1..=limits.depth.clamp(1, MAX_DEPTH) {
            let better = root.iterate(&mut tree, depth);
            if better.len() < found.len() {
                break;
            }
            let finished = if tree.stopped() { depth - 1 } else { depth };
            let told = |(mv, score)| Found { mv, score: Score(score), depth: finished, nodes: 0 };
            found = better.into_iter().map(told).collect();
            // No move at all: the game is over. A mate may hide a shorter one whose moves were reduced, so
            // the search goes on to twice its depth.
            let is_mate = |found: &Found| 2 * (MATE - found.score.0.abs()) <= i32::from(depth) + 1;
            let all_are_mates = found.iter().all(is_mate);
            let is_late = limits.soft.is_some_and(|soft| tree.elapsed() >= soft);
            if tree.stopped() || all_are_mates || is_late {
                break;
            }
        }
        if let Some(Found { mv, score, depth, .. }) = found.first().filter(|found| found.depth > 0) {
            tree.store_root(position, *mv, score.0, (*depth).into());
        }
        let nodes = tree.nodes();
        found.iter_mut().for_each(|found| found.nodes = nodes);
        found
    }

    /// The best moves of both sides from `root` on, at most `most`: `first`, which the last search has
    /// found there, and what that search still knows of the positions after it.
    #[must_use]
    pub fn best_line(&self, root: &Position, first: Move, most: usize) -> Vec<Move> {
        let (mut position, mut next, mut line) = (root.clone(), Some(first), Vec::new());
        while let Some(mv) = next.filter(|&mv| line.len() < most && position.is_legal(mv)) {
            line.push(mv);
            position.play_unchecked(mv);
            let known = self.memory.table.get(position.zobrist());
            next = known.filter(|known| known.bound != Bound::AtMost).and_then(|known| known.mv);
        }
        line
    }

    /// Every legal move with its score, compared a few plies deep; `None` when that was not finished.
    fn rank(&mut self, line: &Line, limits: &Limits, seed: u64, stop: &Stop) -> Option<Vec<(Move, Score)>> {
        self.forget();
        let root = line.position();
        let mut tree = Tree::new(&mut self.memory, line.stood(), limits, stop, seed);
        let moves = tree.begin(root);
        let depth = limits.depth.min(RANKING_DEPTH).into();
        let score =
            |ranked: &Ranked| (ranked.mv, Score(tree.score_of(root, ranked, depth, -INFINITE, INFINITE)));
        let ranked = moves.iter().map(score).collect();
        (!tree.stopped()).then_some(ranked)
    }
}

#[cfg(test)]
mod tests;
