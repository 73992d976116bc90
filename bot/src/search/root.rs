//! The moves of the root: one iteration after the other, for the best move or for several.
//!
//! Every iteration goes over the moves once. The first ones, as many as are asked for, get exact scores;
//! each other move has to beat the worst of these to get one. Deliberately absent: what ends a search,
//! but for the stop of the tree.
//!
//! Invariant: the moves are always all legal moves of the root, each one once.

use zeitnot_rules::board::{Move, Position};

use super::ordering::Ranked;
use super::pruning::{self, PLY};
use super::tree::{INFINITE, MATE_FOUND, Tree};

/// Half of the first window around the score of the last iteration.
const WINDOW: i32 = 24;

/// A window that has grown wider than this is opened whole.
const WINDOW_MAX: i32 = 600;

/// Iterations before this depth have no score that is worth a window.
const WINDOWS_FROM: u8 = 5;

/// A move of the root.
#[derive(Clone, Copy)]
struct RootMove {
    ranked: Ranked,
    /// Its last exact score.
    score: Option<i32>,
}

/// The root of a search for the best moves.
pub(super) struct Root<'a> {
    position: &'a Position,
    moves: Vec<RootMove>,
    most: usize,
}

impl<'a> Root<'a> {
    pub(super) fn new(position: &'a Position, moves: Vec<Ranked>, most: usize) -> Self {
        let moves = moves.into_iter().map(|ranked| RootMove { ranked, score: None }).collect();
        Self { position, moves, most }
    }

    /// Searches every move to `depth`, and moves the best ones to the front: those that have a score, the
    /// best first. Fewer than asked for when it was stopped, or when there are not so many moves.
    pub(super) fn iterate(&mut self, tree: &mut Tree<'_>, depth: u8) -> Vec<(Move, i32)> {
        let mut best: Vec<(Move, i32)> = Vec::new();
        for nth in 0..self.moves.len() {
            let RootMove { ranked, score } = self.moves[nth];
            let floor = if best.len() < self.most { None } else { best.last().map(|(_, score)| *score) };
            let found = match floor {
                None => Some(self.exact_score(tree, &ranked, depth, score, -INFINITE)),
                Some(floor) => self.score_above(tree, &ranked, depth, nth, floor),
            };
            if tree.stopped() {
                break;
            }
            if let Some(score) = found {
                self.moves[nth].score = Some(score);
                let place = best.partition_point(|(_, better)| *better >= score);
                best.insert(place, (ranked.mv, score));
                best.truncate(self.most);
                self.moves[place..=nth].rotate_right(1);
            }
        }
        best
    }

    /// The score of a move if it is above `floor`.
    fn score_above(
        &self,
        tree: &mut Tree<'_>,
        ranked: &Ranked,
        depth: u8,
        nth: usize,
        floor: i32,
    ) -> Option<i32> {
        let depth = i32::from(depth);
        let late = nth > self.most + 1 && depth >= 3 && ranked.quiet && !self.position.in_check();
        let reduced = if late {
            ((pruning::reduction(depth, nth - self.most) - PLY) / PLY).clamp(0, depth - 2)
        } else {
            0
        };
        let mut score = tree.score_of(self.position, ranked, depth - reduced, floor, floor + 1);
        if score > floor && reduced > 0 {
            score = tree.score_of(self.position, ranked, depth, floor, floor + 1);
        }
        (score > floor && !tree.stopped())
            .then(|| self.exact_score(tree, ranked, depth as u8, Some(score), floor))
            .filter(|score| *score > floor)
    }

    /// The score of a move: first in a narrow window around what is expected, which grows until the score
    /// is inside. At `floor` and below it is a bound.
    fn exact_score(
        &self,
        tree: &mut Tree<'_>,
        ranked: &Ranked,
        depth: u8,
        expected: Option<i32>,
        floor: i32,
    ) -> i32 {
        let expected = expected.filter(|score| depth >= WINDOWS_FROM && score.abs() < MATE_FOUND);
        let (mut low, mut high) =
            expected.map_or((floor, INFINITE), |score| (score - WINDOW, score + WINDOW));
        low = low.max(floor);
        let mut width = WINDOW;
        loop {
            let score = tree.score_of(self.position, ranked, depth.into(), low, high);
            let (fell, rose) = (score <= low && low > floor, score >= high && high < INFINITE);
            if tree.stopped() || !fell && !rose {
                return score;
            }
            width *= 3;
            let wide = width > WINDOW_MAX || score.abs() >= MATE_FOUND;
            if fell {
                low = if wide { floor } else { (score - width).max(floor) };
            } else {
                high = if wide { INFINITE } else { score + width };
            }
        }
    }
}
