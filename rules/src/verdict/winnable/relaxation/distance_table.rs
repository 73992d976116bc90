//! The ways that kings and pawns alone would have, as guidance for the search for a helpmate.
//!
//! Every other piece is in the cloud. What is too optimistic here costs time, nothing else.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use super::skeleton::Skeleton;
use super::{Abstraction, Limits, Predecessors, Search};
use crate::board::{Bitboard, Color, Packed, Position, Role};

/// How far kings and pawns are from a checkmate or promotion by the winner, if all other pieces help as they like.
/// Guidance only.
#[derive(Clone, Debug)]
pub(in crate::verdict::winnable) struct DistanceTable(Rc<HashMap<Packed, u16>>);

impl DistanceTable {
    /// Looks at kings and pawns alone, in at most `nodes` positions.
    pub(in crate::verdict::winnable) fn new(
        position: &Position,
        winner: Color,
        nodes: u32,
        limits: &Limits<'_>,
    ) -> Option<Self> {
        let mut search = Search::new(position, winner, Abstraction::EveryPiece)?;
        search.predecessors = Some(Predecessors::default());
        search.run(nodes, limits);
        let predecessors = search.predecessors.take()?;
        let mut back = predecessors.back;
        back.sort_unstable();
        let mut distances = vec![u16::MAX; search.visited.len() as usize];
        let mut frontier = VecDeque::new();
        for goal in predecessors.goals {
            if distances[goal as usize] == u16::MAX {
                distances[goal as usize] = 0;
                frontier.push_back(goal);
            }
        }
        while let Some(number) = frontier.pop_front() {
            let first = back.partition_point(|&(after, _)| after < number);
            for &(_, before) in back[first..].iter().take_while(|&&(after, _)| after == number) {
                if distances[before as usize] == u16::MAX {
                    distances[before as usize] = distances[number as usize] + 1;
                    frontier.push_back(before);
                }
            }
        }
        let numbers = 0..search.visited.len();
        let known = numbers.filter(|&number| distances[number as usize] != u16::MAX);
        Some(Self(Rc::new(
            known.map(|number| (search.visited.get(number).0, distances[number as usize])).collect(),
        )))
    }

    /// The distance of a position, if any of its kind leads on.
    pub(in crate::verdict::winnable) fn distance(&self, position: &Position) -> Option<u16> {
        let men = position.by_role(Role::King) | position.by_role(Role::Pawn);
        let skeleton = Skeleton {
            by_role: Role::ALL.map(|role| position.by_role(role) & men),
            by_color: Color::ALL.map(|color| position.by_color(color) & men),
            turn: position.side_to_move(),
            en_passant_pawn: Bitboard::EMPTY,
        };
        self.0.get(&skeleton.pack()).copied()
    }
}
