//! Which searches are tried, one after the other, and how many positions each may visit.
//!
//! Small searches with different heuristics come first. The last one goes on until every position
//! was visited. The numbers were measured; README.md beside this file says on what.

use super::goal::Goal;
use super::heuristic::Heuristic;
use super::path_cost::PathCost;
use super::relaxation::{Abstraction, DistanceTable};
use super::static_test::MateZone;
use crate::board::{Color, Position, Square, king_attacks};

/// One attempt at an answer.
pub(super) enum Attempt {
    /// The exact search for a helpmate.
    Search {
        heuristic: Heuristic,
        /// Whether it applies the static test to positions on the way.
        prunes: bool,
        nodes: u32,
    },
    /// Exact searches in the order of the distances in the game of kings and pawns alone.
    Guided { nodes: u32 },
    /// The relaxed search.
    Relaxed { abstraction: Abstraction },
    /// The static test on at most this many cases.
    Cases { trials: u32 },
}

impl Attempt {
    /// How many positions it may visit.
    pub(super) fn nodes(&self) -> u32 {
        match self {
            Self::Search { nodes, .. } | Self::Guided { nodes } => *nodes,
            Self::Relaxed { .. } => 50_000,
            Self::Cases { .. } => 0,
        }
    }
}

/// Towards a checkmate anywhere: few flight squares, a king at the edge.
const ANYWHERE: Heuristic = Heuristic {
    goal: None,
    patience: 8,
    extra_pieces: 1,
    pawns: 0,
    walls: 0,
    distance_table: None,
    path_cost: None,
};

/// The attempts, in order. The later ones are worked out only if they are reached.
pub(super) fn attempts(position: &Position, winner: Color, zone: &MateZone) -> impl Iterator<Item = Attempt> {
    let first = [
        (ANYWHERE, 1_000),
        (Heuristic { patience: 1, extra_pieces: 0, ..ANYWHERE }, 2_000),
        (Heuristic { patience: 2, extra_pieces: 4, pawns: 4, ..ANYWHERE }, 2_000),
    ];
    let first =
        first.into_iter().map(|(heuristic, nodes)| Attempt::Search { heuristic, prunes: false, nodes });
    let cases = Attempt::Cases { trials: 100 };
    let pruned = Attempt::Search { heuristic: ANYWHERE, prunes: true, nodes: 400 };
    let relaxed = Abstraction::ALL.into_iter().map(|abstraction| Attempt::Relaxed { abstraction });
    let later = std::iter::once(()).flat_map(move |()| later(position, winner, zone));
    first.chain([cases, pruned]).chain(relaxed).chain(later)
}

fn later(position: &Position, winner: Color, zone: &MateZone) -> Vec<Attempt> {
    let goals = goals(position, winner, zone);
    let corners = corners_first(position, winner, zone);
    let exhaustive = |nodes| {
        let heuristic = Heuristic { goal: goals.first().cloned(), ..ANYWHERE };
        Attempt::Search { heuristic, prunes: true, nodes }
    };
    let mut attempts = path_searches(&PATH_SEARCHES, &corners, zone, 10_000);
    attempts.push(exhaustive(20_000));
    attempts.extend(path_searches(&PATH_SEARCHES[..2], &corners, zone, 60_000));
    attempts.push(exhaustive(700_000));
    attempts.extend(opening_searches(30_000));
    attempts.extend(path_searches(&PATH_SEARCHES[..1], &corners, zone, 400_000));
    attempts.push(Attempt::Guided { nodes: 200_000 });
    attempts.extend(goal_searches(&goals, 2_000));
    attempts.extend(goal_searches(&goals, 20_000));
    attempts.push(exhaustive(u32::MAX));
    attempts
}

/// The searches by path cost: their patience, and whether they count bishops.
const PATH_SEARCHES: [(u32, bool); 6] =
    [(1, true), (16, true), (64, true), (1, false), (16, false), (64, false)];

/// A search for the cheapest path to each goal, in each of the given ways.
fn path_searches(searches: &[(u32, bool)], goals: &[Goal], zone: &MateZone, nodes: u32) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for &(patience, bishops) in searches {
        for goal in goals {
            let path_cost = Some(Box::new(PathCost::new(goal.clone(), zone, bishops)));
            let heuristic = Heuristic { patience, path_cost, ..ANYWHERE };
            attempts.push(Attempt::Search { heuristic, prunes: false, nodes });
        }
    }
    attempts
}

/// A search for each goal with each of five sets of weights.
fn goal_searches(goals: &[Goal], nodes: u32) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for goal in goals {
        for (patience, extra_pieces, pawns, walls) in
            [(4, 0, 0, 0), (4, 2, 0, 0), (1, 0, 0, 0), (2, 2, 3, 0), (1, 2, 0, 4)]
        {
            let goal = Some(goal.clone());
            let heuristic = Heuristic { goal, patience, extra_pieces, pawns, walls, ..ANYWHERE };
            attempts.push(Attempt::Search { heuristic, prunes: false, nodes });
        }
    }
    attempts
}

/// Searches that prefer fewer pieces and an open position.
fn opening_searches(nodes: u32) -> impl Iterator<Item = Attempt> {
    let weights = [(2, 4, 0, 4), (1, 1, 0, 6), (2, 4, 4, 0)];
    weights.into_iter().map(move |(patience, extra_pieces, pawns, walls)| Attempt::Search {
        heuristic: Heuristic { patience, extra_pieces, pawns, walls, ..ANYWHERE },
        prunes: false,
        nodes,
    })
}

/// The searches of [`Attempt::Guided`].
pub(super) fn guided_searches(distance_table: &DistanceTable) -> [Heuristic; 4] {
    [(4, 0, 0), (2, 1, 2), (8, 2, 4), (1, 0, 1)].map(|(patience, extra_pieces, walls)| Heuristic {
        patience,
        extra_pieces,
        walls,
        distance_table: Some(distance_table.clone()),
        ..ANYWHERE
    })
}

/// The most promising squares for a checkmate: few flight squares, near the king.
fn goals(position: &Position, winner: Color, zone: &MateZone) -> Vec<Goal> {
    let squares = promising(position, winner, zone).into_iter().take(4);
    squares.map(|square| Goal::new(square, zone.defending_king)).collect()
}

/// The most promising square, then corners: long paths end there more often than not.
fn corners_first(position: &Position, winner: Color, zone: &MateZone) -> Vec<Goal> {
    let mut squares = promising(position, winner, zone);
    let first = squares.first().copied();
    squares.sort_by_key(|square| king_attacks(*square).count() > 3 && Some(*square) != first);
    squares.into_iter().take(5).map(|square| Goal::new(square, zone.defending_king)).collect()
}

fn promising(position: &Position, winner: Color, zone: &MateZone) -> Vec<Square> {
    let from_king = Goal::new(position.king(!winner), zone.defending_king);
    let mut squares: Vec<Square> = zone.squares.into_iter().collect();
    squares.sort_by_key(|square| {
        2 * king_attacks(*square).count() + u32::from(from_king.distances[square.index()])
    });
    squares
}
