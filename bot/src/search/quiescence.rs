//! The end of a line: captures and promotions until the position is quiet; in check every move.
//!
//! Deliberately absent: captures that lose something by the captures that follow on their square, and
//! those that leave the side behind whatever they win.
//!
//! Invariant: a side that is not in check may also take what the position is worth as it stands.

use zeitnot_rules::board::{Move, Position};

use super::eval::{captured, price};
use super::ordering::{Picker, Ranked, Wanted};
use super::transposition::{Bound, Known};
use super::tree::{DRAW, MATE, MAX_PLY, Tree, cut_by, to_table};

/// What a capture may win beside the piece that it takes.
const BESIDE: i32 = 150;

impl Tree<'_> {
    pub(super) fn quiesce(&mut self, position: &Position, ply: usize, alpha: i32, beta: i32) -> i32 {
        if self.enter() {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return self.worth(position);
        }
        if self.is_draw(position) {
            return DRAW;
        }
        let known = self.known(position);
        if let Some(score) = known.and_then(|known| cut_by(&known, position, 0, ply, (alpha, beta))) {
            return score;
        }
        let worth = self.stand(position, ply, known.as_ref());
        let estimate = known.map_or(worth, |known| known.improve(worth, ply));
        let in_check = position.in_check();
        let least = if in_check { ply as i32 - MATE } else { estimate };
        if least >= beta {
            return least;
        }
        let remembered = known.and_then(|known| known.mv).filter(|&mv| in_check || is_noisy(position, mv));
        let (best, mv) = self.best_capture(position, ply, alpha, beta, least, remembered);
        if !self.stopped() {
            let bound = if best >= beta { Bound::AtLeast } else { Bound::AtMost };
            self.store(position, &Known { mv, score: to_table(best, ply), depth: 0, bound, worth });
        }
        best
    }

    /// Tries captures, or in check every move. The best score, and the move that raised it.
    fn best_capture(
        &mut self,
        position: &Position,
        ply: usize,
        mut alpha: i32,
        beta: i32,
        least: i32,
        remembered: Option<Move>,
    ) -> (i32, Option<Move>) {
        let in_check = position.in_check();
        let wanted = if in_check { Wanted::All } else { Wanted::Noisy };
        let mut picker = Picker::new(wanted, remembered, self.take_list(ply));
        let place = self.place(position, ply);
        let (mut best, mut best_move) = (least, None);
        alpha = alpha.max(best);
        self.step_in(position);
        while let Some(ranked) = picker.next(position, self.history(), &place) {
            if !in_check {
                let most = most_from(position, &ranked, least);
                if most <= alpha {
                    best = best.max(most);
                    continue;
                }
                if ranked.is_losing() {
                    continue;
                }
            }
            let after = self.after(position, ply, &ranked);
            let score = -self.quiesce(&after, ply + 1, -beta, -alpha);
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
                break;
            }
        }
        self.step_out();
        self.give_list(ply, picker.into_list());
        (best, best_move)
    }
}

fn is_noisy(position: &Position, mv: Move) -> bool {
    position.is_capture(mv) || mv.promotion.is_some()
}

/// The most that a capture can make of a position that is worth `least`.
fn most_from(position: &Position, ranked: &Ranked, least: i32) -> i32 {
    if ranked.mv.promotion.is_some() {
        return MATE;
    }
    least + captured(position, ranked.mv.to, true).map_or(0, price) + BESIDE
}
