//! In which order moves are tried: the better the order, the smaller the tree.
//!
//! First the move that the table remembers, then captures by what they win, then quiet moves that have
//! cut off elsewhere. Deliberately absent: any pruning. An order changes how long a search takes, and
//! nothing is left out here.

use zeitnot_rules::board::{Move, Position, Role};

use super::eval::{captured, price};
use super::tree::MAX_PLY;

const FROM_TABLE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
/// No count of cut-offs is above this.
const HISTORY_MAX: i32 = 1 << 20;

/// A move with its place in the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub(super) mv: Move,
    /// Whether it neither captures nor promotes.
    pub(super) quiet: bool,
    rank: i32,
}

/// What quiet moves have cut off so far in this search.
pub(super) struct Ordering {
    killers: [[Option<Move>; 2]; MAX_PLY],
    history: Box<[[i32; 64]; 64]>,
}

impl Ordering {
    pub(super) fn new() -> Self {
        Self { killers: [[None; 2]; MAX_PLY], history: Box::new([[0; 64]; 64]) }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.killers = [[None; 2]; MAX_PLY];
        self.history.iter_mut().for_each(|row| row.fill(0));
    }

    /// Remembers a quiet move that was too good for the opponent.
    pub(super) fn cut_off(&mut self, mv: Move, ply: usize, depth: i32) {
        let count = &mut self.history[mv.from.index()][mv.to.index()];
        *count = (*count + depth * depth).min(HISTORY_MAX);
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != Some(mv)
        {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Fills `moves` with every legal move.
    pub(super) fn all(
        &self,
        position: &Position,
        remembered: Option<Move>,
        ply: usize,
        moves: &mut Vec<Ranked>,
    ) {
        moves.clear();
        position.for_each_piece_moves(|bunch| {
            moves.extend(bunch.into_iter().map(|mv| self.ranked(position, mv, remembered, ply)));
            false
        });
    }

    /// Fills `moves` with captures and promotions to a queen.
    pub(super) fn noisy(&self, position: &Position, moves: &mut Vec<Ranked>) {
        moves.clear();
        let theirs = position.by_color(!position.side_to_move());
        position.for_each_piece_moves(|bunch| {
            if bunch.role() == Role::Pawn || (bunch.to() & theirs).any() {
                let noisy = bunch.into_iter().map(|mv| self.ranked(position, mv, None, MAX_PLY));
                let strong = |mv: &Move| mv.promotion.is_none_or(|role| role == Role::Queen);
                moves.extend(noisy.filter(|ranked| !ranked.quiet && strong(&ranked.mv)));
            }
            false
        });
    }

    fn ranked(&self, position: &Position, mv: Move, remembered: Option<Move>, ply: usize) -> Ranked {
        let is_capture = position.is_capture(mv);
        let quiet = !is_capture && mv.promotion.is_none();
        let rank = if remembered == Some(mv) {
            FROM_TABLE
        } else if quiet {
            self.quiet_rank(mv, ply)
        } else {
            let won = captured(position, mv.to, is_capture).map_or(0, price);
            let promoted = mv.promotion.map_or(0, price);
            let risked = position.piece_at(mv.from).map_or(0, |piece| price(piece.role));
            CAPTURE + 16 * (won + promoted) - risked
        };
        Ranked { mv, quiet, rank }
    }

    fn quiet_rank(&self, mv: Move, ply: usize) -> i32 {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        match killers.iter().position(|killer| *killer == Some(mv)) {
            Some(nth) => KILLER - nth as i32,
            None => self.history[mv.from.index()][mv.to.index()],
        }
    }
}

/// Moves the best of `moves[from..]` to `from`, and returns it.
pub(super) fn next(moves: &mut [Ranked], from: usize) -> Option<Ranked> {
    let best = (from..moves.len()).max_by_key(|&nth| (moves[nth].rank, std::cmp::Reverse(nth)))?;
    moves.swap(from, best);
    Some(moves[from])
}
