//! Which searches are tried, one after the other.
//!
//! Small ones with different hopes first; the last one goes on until every position was seen.

use super::cloud::{Guide, Roaming};
use super::fixed::Zone;
use super::score::{Goal, Plan};
use super::way::Way;
use crate::board::{Color, Position, Square, king_attacks};

/// One try.
pub(super) enum Attempt {
    /// The search for a helpmate.
    Search {
        plan: Plan,
        /// Whether it asks the static test on the way.
        prunes: bool,
        nodes: u32,
    },
    /// Searches for a helpmate along the ways that kings and pawns alone would have.
    Guided { nodes: u32 },
    /// The search without the roaming pieces.
    Relaxed { roaming: Roaming },
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

const HUNT: Plan = Plan { goal: None, patience: 8, clutter: 1, pawns: 0, walls: 0, guide: None, way: None };

/// What is tried, in this order. Only what is come to is worked out.
pub(super) fn attempts(position: &Position, winner: Color, zone: &Zone) -> impl Iterator<Item = Attempt> {
    let first = [
        (HUNT, 1_000),
        (Plan { patience: 1, clutter: 0, ..HUNT }, 2_000),
        (Plan { patience: 2, clutter: 4, pawns: 4, ..HUNT }, 2_000),
    ];
    let first = first.into_iter().map(|(plan, nodes)| Attempt::Search { plan, prunes: false, nodes });
    let near = Attempt::Search { plan: HUNT, prunes: true, nodes: 400 };
    let relaxed = Roaming::ALL.into_iter().map(|roaming| Attempt::Relaxed { roaming });
    let cases = std::iter::once(Attempt::Cases { trials: 100 });
    first
        .chain(cases)
        .chain([near])
        .chain(relaxed)
        .chain(std::iter::once(()).flat_map(move |()| later(position, winner, zone)))
}

fn later(position: &Position, winner: Color, zone: &Zone) -> Vec<Attempt> {
    let goals = goals(position, winner, zone);
    let ends = corners_first(position, winner, zone);
    let exhaust = |nodes| {
        let plan = Plan { goal: goals.first().cloned(), ..HUNT };
        Attempt::Search { plan, prunes: true, nodes }
    };
    let mut attempts = ways(&HOPES, &ends, zone, 10_000);
    attempts.push(exhaust(20_000));
    attempts.extend(ways(&HOPES[..2], &ends, zone, 60_000));
    attempts.push(exhaust(700_000));
    attempts.extend(openings(30_000));
    attempts.extend(ways(&HOPES[..1], &ends, zone, 400_000));
    attempts.push(Attempt::Guided { nodes: 200_000 });
    attempts.extend(round(&goals, 2_000));
    attempts.extend(round(&goals, 20_000));
    attempts.push(exhaust(u32::MAX));
    attempts
}

/// How patient a search for the cheapest way is, and whether it counts bishops.
const HOPES: [(u32, bool); 6] = [(1, true), (16, true), (64, true), (1, false), (16, false), (64, false)];

/// A search for the cheapest way to each goal, with each hope.
fn ways(hopes: &[(u32, bool)], goals: &[Goal], zone: &Zone, nodes: u32) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for &(patience, bishops) in hopes {
        for goal in goals {
            let way = Way::new(goal.clone(), zone, bishops);
            let plan = Plan { patience, way: Some(Box::new(way)), ..HUNT };
            attempts.push(Attempt::Search { plan, prunes: false, nodes });
        }
    }
    attempts
}

/// A search for each goal and each hope.
fn round(goals: &[Goal], nodes: u32) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    let mut attempt = |plan, nodes| attempts.push(Attempt::Search { plan, prunes: false, nodes });
    for goal in goals {
        for (patience, clutter, pawns, walls) in
            [(4, 0, 0, 0), (4, 2, 0, 0), (1, 0, 0, 0), (2, 2, 3, 0), (1, 2, 0, 4)]
        {
            attempt(Plan { goal: Some(goal.clone()), patience, clutter, pawns, walls, ..HUNT }, nodes);
        }
    }
    attempts
}

/// The most promising squares for a checkmate: few flight squares, near the king.
fn goals(position: &Position, winner: Color, zone: &Zone) -> Vec<Goal> {
    promising(position, winner, zone).into_iter().take(4).map(|square| Goal::new(square, zone.king)).collect()
}

/// The corners first: long ways end there more often than not.
fn corners_first(position: &Position, winner: Color, zone: &Zone) -> Vec<Goal> {
    let mut squares = promising(position, winner, zone);
    let first = squares.first().copied();
    squares.sort_by_key(|square| king_attacks(*square).count() > 3 && Some(*square) != first);
    squares.into_iter().take(5).map(|square| Goal::new(square, zone.king)).collect()
}

fn promising(position: &Position, winner: Color, zone: &Zone) -> Vec<Square> {
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
    plans.into_iter().map(move |(patience, clutter, pawns, walls)| Attempt::Search {
        plan: Plan { patience, clutter, pawns, walls, ..HUNT },
        prunes: false,
        nodes,
    })
}

/// What is tried along the ways of kings and pawns.
pub(super) fn guided(guide: &Guide) -> [Plan; 4] {
    let plan = Plan { guide: Some(guide.clone()), clutter: 0, ..HUNT };
    [(4, 0, 0), (2, 1, 2), (8, 2, 4), (1, 0, 1)].map(|(patience, clutter, walls)| Plan {
        patience,
        clutter,
        walls,
        ..plan.clone()
    })
}
