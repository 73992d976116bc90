//! The tree of one search: alpha-beta with quiescence.
//!
//! Scores are from the side to move: centipawns, or [`MATE`] less the plies to the mate. Deliberately
//! absent: null moves. A side that is to move always moves here, so zugzwang is seen as it is.
//!
//! Invariants: no line is longer than [`MAX_PLY`], which bounds the recursion. After a stop, what a
//! node returns means nothing; the root looks at `stopped` before it uses a score.

use zeitnot_rules::board::{Move, Position, Role, pawn_attacks};

use super::eval::{captured, evaluate, price};
use super::ordering::{Ordering, Ranked, next};
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

const DRAW: i32 = 0;

/// After so many quiet plies scores of the table are not trusted: they were found with other counts.
const QUIET_PLIES_TRUSTED: u16 = 80;

/// The clock is read once in so many nodes.
const NODES_PER_READING: u64 = 512;

/// What a searcher keeps between searches only to spare the allocation.
pub(super) struct Memory {
    pub(super) table: Table,
    pub(super) ordering: Ordering,
    /// One list of moves for each ply.
    lists: Vec<Vec<Ranked>>,
    /// The hashes of the positions before the one that is looked at: of the game, then of the line.
    path: Vec<u64>,
}

impl Memory {
    pub(super) fn new(table_bytes: usize) -> Self {
        Self {
            table: Table::new(table_bytes),
            ordering: Ordering::new(),
            lists: (0..MAX_PLY).map(|_| Vec::with_capacity(64)).collect(),
            path: Vec::new(),
        }
    }

    fn begin(&mut self, stood: &[u64]) {
        self.table.begin();
        self.ordering.clear();
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

    /// The score of a move of the root for the side that makes it.
    pub(super) fn score_of(&mut self, root: &Position, mv: Move, depth: i32, alpha: i32, beta: i32) -> i32 {
        self.memory.path.push(root.zobrist());
        let mut position = root.clone();
        position.play_unchecked(mv);
        let score = -self.node(&position, depth - 1, 1, -beta, -alpha);
        self.memory.path.pop();
        score
    }

    /// Counts a node; whether the search is to stop.
    fn enter(&mut self) -> bool {
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

    fn node(&mut self, position: &Position, depth: i32, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        if ply >= MAX_PLY {
            return self.worth(position);
        }
        // In check the line goes on: what follows is forced.
        let depth = depth + i32::from(position.in_check());
        if depth <= 0 {
            return self.quiesce(position, ply, alpha, beta);
        }
        if self.enter() {
            return DRAW;
        }
        if self.is_draw(position) {
            return DRAW;
        }
        let known = self.memory.table.get(position.zobrist());
        let exact_window = beta - alpha > 1;
        if let Some(score) = known.and_then(|known| cut_by(&known, depth, ply, alpha, beta))
            && !exact_window
            && position.halfmove_clock() < QUIET_PLIES_TRUSTED
        {
            return score;
        }
        let worth = if position.in_check() { -INFINITE } else { self.worth(position) };
        if depth <= 4
            && !exact_window
            && beta.abs() < MATE_FOUND
            && worth - 90 * depth >= beta
            && has_pieces(position)
        {
            return worth;
        }
        let mut moves = std::mem::take(&mut self.memory.lists[ply]);
        self.memory.ordering.all(position, known.and_then(|known| known.mv), ply, &mut moves);
        let lowest = alpha;
        let (best, mv) = self.best_of(position, depth, ply, &mut alpha, beta, worth, &mut moves);
        self.memory.lists[ply] = moves;
        if !self.stopped && mv.is_some() {
            let bound = match best {
                _ if best >= beta => Bound::AtLeast,
                _ if best > lowest => Bound::Exact,
                _ => Bound::AtMost,
            };
            self.memory
                .table
                .put(position.zobrist(), &Known { mv, score: to_table(best, ply), depth, bound });
        }
        best
    }

    /// Tries the moves of a node. The best score, and its move if there is any.
    #[expect(clippy::too_many_arguments, reason = "the state of a node, which lives on the stack")]
    fn best_of(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        alpha: &mut i32,
        beta: i32,
        worth: i32,
        moves: &mut [Ranked],
    ) -> (i32, Option<Move>) {
        if moves.is_empty() {
            return (if position.in_check() { ply as i32 - MATE } else { DRAW }, None);
        }
        let hopeless = depth <= 2 && !position.in_check() && worth + 60 + 120 * depth <= *alpha;
        let (mut best, mut best_move) = (-INFINITE, None);
        self.memory.path.push(position.zobrist());
        let mut nth = 0;
        while let Some(ranked) = next(moves, nth) {
            let mut after = position.clone();
            after.play_unchecked(ranked.mv);
            let calm = ranked.quiet && !position.in_check() && !after.in_check();
            nth += 1;
            if hopeless && calm && best > -MATE_FOUND && *alpha > -MATE_FOUND {
                continue;
            }
            let reduction = if calm { reduction(depth, nth) } else { 0 };
            let score = self.child(&after, depth - 1, reduction, ply + 1, *alpha, beta, nth == 1);
            if self.stopped {
                break;
            }
            if score > best {
                (best, best_move) = (score, Some(ranked.mv));
                *alpha = (*alpha).max(score);
            }
            if *alpha >= beta {
                if ranked.quiet {
                    self.memory.ordering.cut_off(ranked.mv, ply, depth);
                }
                break;
            }
        }
        self.memory.path.pop();
        (best, best_move)
    }

    /// The score of a child for its parent: the first one with the whole window, later ones with a null
    /// window, and again if they turn out to be better.
    #[expect(clippy::too_many_arguments, reason = "the state of a node, which lives on the stack")]
    fn child(
        &mut self,
        position: &Position,
        depth: i32,
        reduction: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
        first: bool,
    ) -> i32 {
        if first {
            return -self.node(position, depth, ply, -beta, -alpha);
        }
        let mut score = -self.node(position, depth - reduction, ply, -alpha - 1, -alpha);
        if score > alpha && reduction > 0 {
            score = -self.node(position, depth, ply, -alpha - 1, -alpha);
        }
        if score > alpha && score < beta {
            score = -self.node(position, depth, ply, -beta, -alpha);
        }
        score
    }

    /// Captures and promotions until the position is quiet; in check every move.
    fn quiesce(&mut self, position: &Position, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        if self.enter() {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return self.worth(position);
        }
        if self.is_draw(position) {
            return DRAW;
        }
        let in_check = position.in_check();
        let mut best = if in_check { ply as i32 - MATE } else { self.worth(position) };
        let worth = best;
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }
        let mut moves = std::mem::take(&mut self.memory.lists[ply]);
        if in_check {
            self.memory.ordering.all(position, None, ply, &mut moves);
        } else {
            self.memory.ordering.noisy(position, &mut moves);
        }
        self.memory.path.push(position.zobrist());
        let mut nth = 0;
        while let Some(ranked) = next(&mut moves, nth) {
            nth += 1;
            if !in_check && is_hopeless_capture(position, ranked.mv, worth, alpha) {
                continue;
            }
            let mut after = position.clone();
            after.play_unchecked(ranked.mv);
            let score = -self.quiesce(&after, ply + 1, -beta, -alpha);
            if self.stopped {
                break;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        self.memory.path.pop();
        self.memory.lists[ply] = moves;
        best
    }

    /// Whether the position counts as drawn: it has stood before, or 50 moves have been quiet.
    fn is_draw(&self, position: &Position) -> bool {
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
    fn worth(&self, position: &Position) -> i32 {
        let drawn = mixed(position.zobrist() ^ self.seed) & 7;
        evaluate(position) + if self.seed == 0 { 0 } else { drawn as i32 - 3 }
    }
}

/// How much less deep a late quiet move is looked at.
const fn reduction(depth: i32, nth: usize) -> i32 {
    match (depth, nth) {
        (..=2, _) | (_, ..=3) => 0,
        (3..=5, _) | (_, ..=8) => 1,
        (6..=8, _) | (_, ..=16) => 2,
        _ => 3,
    }
}

/// The score of the table, if it decides a node.
fn cut_by(known: &Known, depth: i32, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
    let score = from_table(known.score, ply);
    let decides = known.depth >= depth
        && match known.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= beta,
            Bound::AtMost => score <= alpha,
        };
    decides.then_some(score)
}

/// The table counts a mate from its position, the tree from the root.
const fn to_table(score: i32, ply: usize) -> i32 {
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

/// Whether the side to move has more than pawns: without, zugzwang is usual.
fn has_pieces(position: &Position) -> bool {
    let own = position.by_color(position.side_to_move());
    (own & !(position.by_role(Role::Pawn) | position.by_role(Role::King))).any()
}

/// Whether a capture cannot help: even what it takes leaves the side behind, or it gives a piece for a
/// smaller one that a pawn protects.
fn is_hopeless_capture(position: &Position, mv: Move, worth: i32, alpha: i32) -> bool {
    if mv.promotion.is_some() {
        return false;
    }
    let won = captured(position, mv.to, true).map_or(0, price);
    if worth + won + 150 <= alpha {
        return true;
    }
    let us = position.side_to_move();
    let risked = position.piece_at(mv.from).map_or(0, |piece| price(piece.role));
    risked > won + 50 && (pawn_attacks(us, mv.to) & position.pieces(!us, Role::Pawn)).any()
}

/// A number whose every bit depends on every bit of the argument (the finaliser of SplitMix64).
pub(crate) const fn mixed(bits: u64) -> u64 {
    let mut bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
