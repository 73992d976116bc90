//! A node of the tree: what is left out of it, and how its moves are searched.
//!
//! Deliberately absent: null moves. A side that is to move always moves here, so zugzwang is seen as it is.
//!
//! Invariant: at least one move of a node is searched, unless there is none or the node as a whole is
//! worth more than the window.

use zeitnot_rules::board::{Move, Position, Role};

use super::checks::Checks;
use super::exchange::exchange;
use super::history::{Place, bonus};
use super::ordering::{Picker, Ranked, Wanted};
use super::pruning::{self, PLY};
use super::transposition::{Bound, Known};
use super::tree::{DRAW, INFINITE, MATE, MATE_FOUND, MATED_FOUND, MAX_PLY, Tree, cut_by, to_table};

/// A position whose moves are tried.
struct Node<'a> {
    position: &'a Position,
    depth: i32,
    ply: usize,
    /// What it is worth by the evaluation and the table; below every score in check.
    estimate: i32,
    /// Whether the side stands better than at its move before.
    improving: bool,
    /// Whether the exact score is asked for, and not only on which side of a bound it is.
    exact_window: bool,
    /// Whether the side has more than king and pawns: without, zugzwang is usual.
    has_pieces: bool,
}

impl Tree<'_> {
    /// The score of a position for the side to move, searched to `depth`.
    pub(super) fn node(&mut self, position: &Position, depth: i32, ply: usize, alpha: i32, beta: i32) -> i32 {
        if ply >= MAX_PLY {
            return self.worth(position);
        }
        // In check the line goes on: what follows is forced.
        let depth = depth + i32::from(position.in_check());
        if depth <= 0 {
            return self.quiesce(position, ply, alpha, beta);
        }
        if self.enter() || self.is_draw(position) {
            return DRAW;
        }
        // No mate from here on is shorter than one move.
        let shortest = MATE - ply as i32 - 1;
        if alpha >= shortest {
            return shortest;
        }
        let known = self.known(position);
        if let Some(score) = known.and_then(|known| cut_by(&known, position, depth, ply, (alpha, beta))) {
            return score;
        }
        let worth = self.stand(position, ply, known.as_ref());
        let mut node = Node {
            position,
            depth,
            ply,
            estimate: known.map_or(worth, |known| known.improve(worth, ply)),
            improving: ply >= 2 && worth > self.worth_at(ply - 2),
            exact_window: beta - alpha > 1,
            has_pieces: has_pieces(position),
        };
        if let Some(score) = without_moves(&node, beta) {
            return score;
        }
        let remembered = known.and_then(|known| known.mv);
        if remembered.is_none() && depth >= pruning::UNKNOWN_MOVE {
            node.depth -= 1;
        }
        let (best, mv) = self.best_of(&node, remembered, alpha, beta);
        if !self.stopped() {
            let bound = match best {
                _ if best >= beta => Bound::AtLeast,
                _ if best > alpha => Bound::Exact,
                _ => Bound::AtMost,
            };
            let known = Known { mv, score: to_table(best, ply), depth: node.depth, bound, worth };
            self.store(position, &known);
        }
        best
    }

    /// Tries the moves of a node. The best score, and its move if it raised alpha.
    fn best_of(
        &mut self,
        node: &Node<'_>,
        remembered: Option<Move>,
        mut alpha: i32,
        beta: i32,
    ) -> (i32, Option<Move>) {
        let &Node { position, depth, ply, .. } = node;
        let place = self.place(position, ply);
        let mut checks = None;
        let mut picker = Picker::new(Wanted::All, remembered, self.take_list(ply));
        let may_prune = node.has_pieces && !position.in_check();
        let (mut best, mut best_move, mut nth) = (-INFINITE, None, 0);
        self.step_in(position);
        while let Some(ranked) = picker.next(position, self.history(), &place) {
            nth += 1;
            let gives_check =
                nth > 1 && checks.get_or_insert_with(|| Checks::of(position)).are_given_by(&ranked);
            let reduction = reduction(node, &ranked, nth, gives_check);
            if may_prune && !gives_check && best > MATED_FOUND && alpha < MATE_FOUND {
                if ranked.quiet && !node.exact_window && nth > pruning::moves_tried(depth, node.improving) {
                    picker.skip_quiet();
                    continue;
                }
                if is_pruned(node, &ranked, depth - reduction, alpha) {
                    continue;
                }
            }
            picker.note_tried();
            let after = self.after(position, ply, &ranked);
            let score = self.child(&after, depth - 1, reduction, ply + 1, (alpha, beta), nth == 1);
            if self.stopped() {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    (alpha, best_move) = (score, Some(ranked.mv));
                }
            }
            if alpha >= beta {
                if ranked.quiet {
                    self.reward(&place, &ranked, &picker, depth);
                }
                break;
            }
        }
        self.step_out();
        self.give_list(ply, picker.into_list());
        match (nth, position.in_check()) {
            (0, true) => (ply as i32 - MATE, None),
            (0, false) => (DRAW, None),
            _ => (best, best_move),
        }
    }

    /// The score of a child for its parent: the first one with the whole window, later ones with a null
    /// window, and again if they turn out to be better.
    fn child(
        &mut self,
        position: &Position,
        depth: i32,
        reduction: i32,
        ply: usize,
        (alpha, beta): (i32, i32),
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

    /// Rewards a quiet move that cut off, and blames those that were tried before it.
    fn reward(&mut self, place: &Place, ranked: &Ranked, picker: &Picker, depth: i32) {
        let history = self.history_mut();
        history.cut_off(place.ply, ranked.mv);
        history.reward(place, ranked.step(), ranked.mv, bonus(depth));
        for vain in picker.tried_before() {
            history.reward(place, vain.step(), vain.mv, -bonus(depth));
        }
    }
}

/// The score of a node whose estimate is so far above the window that its moves need not be tried.
fn without_moves(node: &Node<'_>, beta: i32) -> Option<i32> {
    let &Node { depth, estimate, .. } = node;
    let counts = !node.exact_window && node.has_pieces && !node.position.in_check();
    let is_far =
        depth <= pruning::ESTIMATE_COUNTS && estimate - pruning::above(depth, node.improving) >= beta;
    (counts && is_far && beta.abs() < MATE_FOUND).then_some((estimate + beta) / 2)
}

/// Whether a move can be left out of a node, which will be looked at to this depth.
fn is_pruned(node: &Node<'_>, ranked: &Ranked, depth: i32, alpha: i32) -> bool {
    if ranked.mv.promotion.is_some() {
        return false;
    }
    let depth = depth.max(1);
    if ranked.quiet && depth <= pruning::FUTILE && node.estimate + pruning::futility(depth) <= alpha {
        return true;
    }
    (ranked.quiet || ranked.is_losing())
        && node.depth <= pruning::LOSING
        && exchange(node.position, ranked.mv)
            < -pruning::loss(if ranked.quiet { depth } else { node.depth }, ranked.quiet)
}

/// How much less deep a move is looked at, in plies.
fn reduction(node: &Node<'_>, ranked: &Ranked, nth: usize, gives_check: bool) -> i32 {
    let calm = (ranked.quiet || ranked.is_losing()) && !gives_check && !node.position.in_check();
    if !calm || node.depth < 3 || nth < 2 + usize::from(node.exact_window) {
        return 0;
    }
    let mut parts = pruning::reduction(node.depth, nth) - ranked.count / 32;
    if node.exact_window {
        parts -= PLY;
    }
    if !node.improving {
        parts += PLY;
    }
    if ranked.is_killer() {
        parts -= PLY;
    }
    (parts / PLY).clamp(0, node.depth - 2)
}

/// Whether the side to move has more than pawns: without, zugzwang is usual.
fn has_pieces(position: &Position) -> bool {
    let own = position.by_color(position.side_to_move());
    (own & !(position.by_role(Role::Pawn) | position.by_role(Role::King))).any()
}
