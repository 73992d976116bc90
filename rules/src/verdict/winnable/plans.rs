//! Which searches are tried, one after the other.
//!
//! Small ones with different hopes first; the last one goes on until every position was seen.

use super::fixed::Zone;
use super::score::{Goal, Plan};
use crate::board::{Color, Position, Square, king_attacks};

/// Each plan with whether its search asks the static test, and its limit in positions.
pub(super) fn plans(
    position: &Position,
    winner: Color,
    zone: &Zone,
) -> impl Iterator<Item = (Plan, bool, u32)> {
    let goals = goals(position, winner, zone);
    let hunt = Plan { goal: None, patience: 8, clutter: 1, pawns: 0, walls: 0 };
    let mut plans = vec![
        (hunt.clone(), false, 1_000),
        (Plan { patience: 1, clutter: 0, ..hunt.clone() }, false, 2_000),
        (Plan { patience: 2, clutter: 4, pawns: 4, ..hunt.clone() }, false, 2_000),
    ];
    for size in [2_000, 20_000] {
        for goal in &goals {
            for (patience, clutter, pawns, walls) in
                [(4, 0, 0, 0), (4, 2, 0, 0), (1, 0, 0, 0), (2, 2, 3, 0), (1, 2, 0, 4)]
            {
                plans.push((Plan { goal: Some(goal.clone()), patience, clutter, pawns, walls }, false, size));
            }
        }
        plans.push((Plan { patience: 2, clutter: 4, walls: 4, ..hunt.clone() }, false, size * 5));
        plans.push((Plan { patience: 1, clutter: 1, walls: 6, ..hunt.clone() }, false, size * 5));
        plans.push((Plan { patience: 2, clutter: 4, pawns: 4, ..hunt.clone() }, false, size * 5));
    }
    plans.push((Plan { goal: goals.into_iter().next(), ..hunt }, true, u32::MAX));
    plans.into_iter()
}

/// The most promising squares for a checkmate: few flight squares, near the king.
fn goals(position: &Position, winner: Color, zone: &Zone) -> Vec<Goal> {
    let king = position.king(!winner);
    let from_king = Goal::new(king, zone.king);
    let mut squares: Vec<Square> = zone.squares.into_iter().collect();
    squares.sort_by_key(|square| {
        2 * king_attacks(*square).count() + u32::from(from_king.distances[square.index()])
    });
    squares.truncate(4);
    squares.into_iter().map(|square| Goal::new(square, zone.king)).collect()
}
