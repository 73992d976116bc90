//! Distances to a checkmate in the game of kings and pawns alone, as guidance for the search.
//!
//! Every other piece is abstracted: a pattern database, in the words of heuristic search. A
//! distance that is too optimistic costs time and nothing else.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use super::abstraction::Abstraction;
use super::search::{Graph, Search};
use super::skeleton::Skeleton;
use crate::board::{Color, Packed, Position, Role};
use crate::verdict::winnable::limits::Limits;

/// How far kings and pawns are from a checkmate or promotion by the winner if all other pieces help
/// as they like. Guidance only.
#[derive(Clone, Debug)]
pub(in crate::verdict::winnable) struct DistanceTable(Rc<HashMap<Packed, u16>>);

impl DistanceTable {
    /// Searches kings and pawns alone, in at most `nodes` positions.
    pub(in crate::verdict::winnable) fn new(
        position: &Position,
        winner: Color,
        nodes: u32,
        limits: &Limits<'_>,
    ) -> Option<Self> {
        let mut search = Search::new(position, winner, Abstraction::Everything)?;
        search.graph = Some(Graph::default());
        search.run(nodes, limits);
        let graph = search.graph.take()?;
        let distances = distances(graph, search.visited.len());
        let known = (0..).zip(distances).filter(|&(_, distance)| distance != u16::MAX);
        let table = known.map(|(number, distance)| (search.visited.get(number).0, distance));
        Some(Self(Rc::new(table.collect())))
    }

    /// The distance of a position, if kings and pawns where they stand can come to a goal.
    pub(in crate::verdict::winnable) fn distance(&self, position: &Position) -> Option<u16> {
        let kept = position.by_role(Role::King) | position.by_role(Role::Pawn);
        self.0.get(&Skeleton::of(position, kept).pack()).copied()
    }
}

/// By position: how many half-moves it is away from a goal, `u16::MAX` if there is no way.
fn distances(graph: Graph, positions: u32) -> Vec<u16> {
    let mut predecessors = graph.predecessors;
    predecessors.sort_unstable();
    let mut distances = vec![u16::MAX; positions as usize];
    let mut queue = VecDeque::new();
    for goal in graph.goals {
        if distances[goal as usize] == u16::MAX {
            distances[goal as usize] = 0;
            queue.push_back(goal);
        }
    }
    while let Some(number) = queue.pop_front() {
        let first = predecessors.partition_point(|&(after, _)| after < number);
        for &(_, before) in predecessors[first..].iter().take_while(|&&(after, _)| after == number) {
            if distances[before as usize] == u16::MAX {
                distances[before as usize] = distances[number as usize] + 1;
                queue.push_back(before);
            }
        }
    }
    distances
}
