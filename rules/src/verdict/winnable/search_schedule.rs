//! Which searches are tried, one after the other.
//!
//! Small ones with different searches first; the last one goes on until every position was seen.

use super::heuristic::{Goal, Heuristic};
use super::path_cost::PathCost;
use super::relaxation::{Abstraction, DistanceTable};
use super::static_test::MateZone;
use crate::board::{Color, Position, Square, king_attacks};

/// One try.
pub(super) enum Attempt {
    /// The search for a helpmate.
    Search {
        heuristic: Heuristic,
        /// Whether it asks the static test on the way.
        prunes: bool,
        nodes: u32,
    },
    /// Searches for a helpmate along the ways that kings and pawns alone would have.
    Guided { nodes: u32 },
    /// The search without the abstraction pieces.
    Relaxed { abstraction: Abstraction },
    /// The static test by cases, of so many.
    Cases { trials: u32 },
}

impl Attempt {
    /// How many positions it may look at.
    pub(super) fn nodes(&self) -> u32 {
        match self {
            Self::Search { nodes, .. } | Self::Guided { nodes } => *nodes,
            Self::Relaxed { .. } => 50_000,
            Self::Cases { .. } => 0,
        }
    }
}

const BASE: Heuristic = Heuristic {
    goal: None,
    patience: 8,
    extra_pieces: 1,
    pawns: 0,
    walls: 0,
    distance_table: None,
    path_cost: None,
};

/// What is tried, in this order. Only what is come to is worked out.
pub(super) fn attempts(position: &Position, winner: Color, zone: &MateZone) -> impl Iterator<Item = Attempt> {
    let first = [
        (BASE, 1_000),
        (Heuristic { patience: 1, extra_pieces: 0, ..BASE }, 2_000),
        (Heuristic { patience: 2, extra_pieces: 4, pawns: 4, ..BASE }, 2_000),
    ];
    let first =
        first.into_iter().map(|(heuristic, nodes)| Attempt::Search { heuristic, prunes: false, nodes });
    let near = Attempt::Search { heuristic: BASE, prunes: true, nodes: 400 };
    let relaxed = Abstraction::ALL.into_iter().map(|abstraction| Attempt::Relaxed { abstraction });
    let cases = std::iter::once(Attempt::Cases { trials: 100 });
    first
        .chain(cases)
        .chain([near])
        .chain(relaxed)
        .chain(std::iter::once(()).flat_map(move |()| later(position, winner, zone)))
}

fn later(position: &Position, winner: Color, zone: &MateZone) -> Vec<Attempt> {
    let goals = goals(position, winner, zone);
    let corners = corners_first(position, winner, zone);
    let exhaust = |nodes| {
        let heuristic = Heuristic { goal: goals.first().cloned(), ..BASE };
        Attempt::Search { heuristic, prunes: true, nodes }
    };
    let mut attempts = cheapest_paths(&PATH_SEARCHES, &corners, zone, 10_000);
    attempts.push(exhaust(20_000));
    attempts.extend(cheapest_paths(&PATH_SEARCHES[..2], &corners, zone, 60_000));
    attempts.push(exhaust(700_000));
    attempts.extend(openings(30_000));
    attempts.extend(cheapest_paths(&PATH_SEARCHES[..1], &corners, zone, 400_000));
    attempts.push(Attempt::Guided { nodes: 200_000 });
    attempts.extend(round(&goals, 2_000));
    attempts.extend(round(&goals, 20_000));
    attempts.push(exhaust(u32::MAX));
    attempts
}

/// How patient a search for the cheapest way is, and whether it counts bishops.
const PATH_SEARCHES: [(u32, bool); 6] =
    [(1, true), (16, true), (64, true), (1, false), (16, false), (64, false)];

/// A search for the cheapest way to each goal, with each hope.
fn cheapest_paths(searches: &[(u32, bool)], goals: &[Goal], zone: &MateZone, nodes: u32) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for &(patience, bishops) in searches {
        for goal in goals {
            let path_cost = PathCost::new(goal.clone(), zone, bishops);
            let heuristic = Heuristic { patience, path_cost: Some(Box::new(path_cost)), ..BASE };
            attempts.push(Attempt::Search { heuristic, prunes: false, nodes });
        }
    }
    attempts
}

/// A search for each goal and each hope.
fn round(goals: &[Goal], nodes: u32) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    let mut attempt = |heuristic, nodes| attempts.push(Attempt::Search { heuristic, prunes: false, nodes });
    for goal in goals {
        for (patience, extra_pieces, pawns, walls) in
            [(4, 0, 0, 0), (4, 2, 0, 0), (1, 0, 0, 0), (2, 2, 3, 0), (1, 2, 0, 4)]
        {
            attempt(
                Heuristic { goal: Some(goal.clone()), patience, extra_pieces, pawns, walls, ..BASE },
                nodes,
            );
        }
    }
    attempts
}

/// The most promising squares for a checkmate: few flight squares, near the king.
fn goals(position: &Position, winner: Color, zone: &MateZone) -> Vec<Goal> {
    promising(position, winner, zone).into_iter().take(4).map(|square| Goal::new(square, zone.king)).collect()
}

/// The corners first: long ways end there more often than not.
fn corners_first(position: &Position, winner: Color, zone: &MateZone) -> Vec<Goal> {
    let mut squares = promising(position, winner, zone);
    let first = squares.first().copied();
    squares.sort_by_key(|square| king_attacks(*square).count() > 3 && Some(*square) != first);
    squares.into_iter().take(5).map(|square| Goal::new(square, zone.king)).collect()
}

fn promising(position: &Position, winner: Color, zone: &MateZone) -> Vec<Square> {
    let from_king = Goal::new(position.king(!winner), zone.king);
    let mut squares: Vec<Square> = zone.squares.into_iter().collect();
    squares.sort_by_key(|square| {
        2 * king_attacks(*square).count() + u32::from(from_king.distances[square.index()])
    });
    squares
}

/// Searches that hope for fewer pieces and open walls.
fn openings(nodes: u32) -> impl Iterator<Item = Attempt> {
    let plans = [(2, 4, 0, 4), (1, 1, 0, 6), (2, 4, 4, 0)];
    plans.into_iter().map(move |(patience, extra_pieces, pawns, walls)| Attempt::Search {
        heuristic: Heuristic { patience, extra_pieces, pawns, walls, ..BASE },
        prunes: false,
        nodes,
    })
}

/// What is tried along the ways of kings and pawns.
pub(super) fn guided(distance_table: &DistanceTable) -> [Heuristic; 4] {
    let heuristic = Heuristic { distance_table: Some(distance_table.clone()), extra_pieces: 0, ..BASE };
    [(4, 0, 0), (2, 1, 2), (8, 2, 4), (1, 0, 1)].map(|(patience, extra_pieces, walls)| Heuristic {
        patience,
        extra_pieces,
        walls,
        ..heuristic.clone()
    })
}
