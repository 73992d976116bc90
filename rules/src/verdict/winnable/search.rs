//! The exact search: every position that can still arise, each once, until one is checkmate.
//!
//! Both sides help. A position is left out only if the material or the static test proves that
//! nothing after it is a checkmate by `winner`. So when no position is left, there is no checkmate;
//! and when one is found, its series of moves is replayed by the rules. The heuristic only changes
//! the order. Deliberately absent: a limit of depth, repetition, and counters.

use super::frontier::Frontier;
use super::heuristic::{Heuristic, score};
use super::limits::{Found, Limits};
use super::path_cost::PathStep;
use super::static_test;
use super::visited::{Origin, Visited};
use crate::board::{Color, Move, Packed, Position, Role};
use crate::verdict::material;

struct Search<'a> {
    winner: Color,
    heuristic: &'a Heuristic,
    /// How often the static test was applied, and how often it found the position hopeless; `None`
    /// when it is not applied.
    pruning: Option<(u32, u32)>,
    visited: Visited,
    frontier: Frontier,
}

/// Looks for a checkmate by `winner` from `start`, in at most `nodes` positions.
pub(super) fn search(
    start: &Position,
    winner: Color,
    heuristic: &Heuristic,
    prunes: bool,
    nodes: u32,
    limits: &Limits<'_>,
) -> Found {
    let pruning = prunes.then_some((0, 0));
    let mut search =
        Search { winner, heuristic, pruning, visited: Visited::new(), frontier: Frontier::new() };
    search.visited.insert(start.pack(), Origin::FIRST);
    search.frontier.push(0, 0);
    let mut expanded = 0_u32;
    while let Some(number) = search.frontier.pop() {
        expanded += 1;
        if search.visited.len() >= nodes || expanded.is_multiple_of(1024) && !(limits.keep_going)() {
            return Found::Undecided(search.visited.len());
        }
        if let Some(last) = search.expand(number) {
            return Found::Mate(search.line(number, last));
        }
    }
    Found::Nothing(search.visited.len())
}

impl Search<'_> {
    /// Whether the static test proves that nothing after a position is a checkmate. The test is
    /// given up for this search once it has been of little use.
    fn is_hopeless(&mut self, position: &Position) -> bool {
        let Some((asked, useful)) = &mut self.pruning else { return false };
        if *asked >= 1_000 && *useful < *asked / 32 {
            self.pruning = None;
            return false;
        }
        let is_hopeless = static_test::mate_zone(position, self.winner).is_none()
            || *asked < 200 && static_test::is_hopeless_by_cases(position, self.winner, 30);
        *asked += 1;
        *useful += u32::from(is_hopeless);
        is_hopeless
    }

    /// Adds what can follow a position. Returns the move that gives checkmate, if there is one.
    fn expand(&mut self, number: u32) -> Option<Move> {
        let (packed, origin) = self.visited.get(number);
        let position = packed.unpack();
        if (origin.is_irreversible || number < 200) && number != 0 && self.is_hopeless(&position) {
            return None;
        }
        let mut mate = None;
        position.for_each_piece_moves(|bunch| {
            for mv in bunch {
                if self.add(&position, (number, origin), mv) {
                    mate = Some(mv);
                    return true;
                }
            }
            false
        });
        mate
    }

    /// Adds the position after a move if it is new and the material does not rule out a checkmate.
    /// Returns whether it is checkmate by the winner.
    fn add(&mut self, position: &Position, (parent, before): (u32, Origin), mv: Move) -> bool {
        let is_capture = position.is_capture(mv);
        let is_irreversible = is_capture || position.by_role(Role::Pawn).contains(mv.from);
        let mut next = position.clone();
        next.play_unchecked(mv);
        if next.in_check() && next.side_to_move() != self.winner && !next.has_legal_move() {
            return true;
        }
        if (is_capture || mv.promotion.is_some()) && material::cannot_checkmate(&next, self.winner) {
            return false;
        }
        let step =
            self.heuristic.path_cost.as_ref().map(|path_cost| path_cost.step(position, mv, self.winner));
        let cost = match step {
            Some(PathStep::Progress) => 0,
            Some(PathStep::Quiet) if before.is_progress => 0,
            Some(PathStep::Setback) => 4,
            _ => 1,
        };
        let depth = before.depth.saturating_add(cost);
        let origin = Origin { parent, depth, is_irreversible, is_progress: step == Some(PathStep::Progress) };
        if let Some(number) = self.visited.insert(next.pack(), origin) {
            let score = match step {
                None => score(&next, self.winner, depth, self.heuristic),
                Some(_) => (u32::from(depth) / self.heuristic.patience).min(255) as u8,
            };
            self.frontier.push(number, score);
        }
        false
    }

    /// The moves to a position, and one more.
    fn line(&self, number: u32, last: Move) -> Vec<Move> {
        let mut line = vec![last];
        let mut number = number;
        while number != 0 {
            let (reached, origin) = self.visited.get(number);
            let (before, _) = self.visited.get(origin.parent);
            line.push(move_between(before, reached));
            number = origin.parent;
        }
        line.reverse();
        line
    }
}

/// The move that leads from one position to the other.
fn move_between(before: Packed, after: Packed) -> Move {
    let position = before.unpack();
    let leads_there = |mv: &Move| {
        let mut next = position.clone();
        next.play_unchecked(*mv);
        next.pack() == after
    };
    position.legal_moves().into_iter().find(leads_there).expect("a position was reached by a legal move")
}
