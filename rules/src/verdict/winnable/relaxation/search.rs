//! The state of a relaxed search, and the loop that closes its set of positions.
//!
//! Which positions follow one another is `successors`; what counts as checkmate is `mate_test`.

use super::abstraction::Abstraction;
use super::skeleton::Skeleton;
use crate::board::{Bitboard, Color, Position, Role};
use crate::verdict::winnable::limits::{Found, Limits};
use crate::verdict::winnable::reach::{Reach, Unit};
use crate::verdict::winnable::visited::{Origin, Visited};

pub(super) struct Search {
    pub(super) winner: Color,
    start: Skeleton,
    pub(super) abstracted: Vec<Unit>,
    /// By colour: where its abstracted pieces can ever stand.
    pub(super) stands: [Bitboard; 2],
    /// By colour: where its abstracted pieces can ever capture.
    pub(super) captures: [Bitboard; 2],
    /// By colour: whether some of its abstracted pieces are pawns.
    pub(super) has_pawns: [bool; 2],
    pub(super) visited: Visited,
    pub(super) open: Vec<u32>,
    /// The position whose successors are being added.
    pub(super) current: u32,
    /// If there is one, the search records the graph, and a checkmate does not end it.
    pub(super) graph: Option<Graph>,
}

/// How positions follow one another.
#[derive(Default)]
pub(super) struct Graph {
    /// Pairs of a position and a position before it.
    pub(super) predecessors: Vec<(u32, u32)>,
    /// The positions after which a checkmate or a promotion by the winner may come.
    pub(super) goals: Vec<u32>,
}

impl Search {
    /// A search without the pieces that `abstraction` names; `None` when there are none.
    pub(super) fn new(position: &Position, winner: Color, abstraction: Abstraction) -> Option<Self> {
        let reach = Reach::of(position);
        let includes = |unit: &&Unit| abstraction.includes(unit, position, winner);
        let abstracted: Vec<Unit> = reach.units.iter().filter(includes).copied().collect();
        if abstracted.is_empty() {
            return None;
        }
        let left_out = abstracted.iter().fold(Bitboard::EMPTY, |all, unit| all | unit.home());
        let is_pawn_of = |color: Color| move |unit: &Unit| unit.color == color && unit.role == Role::Pawn;
        let none = [Bitboard::EMPTY; 2];
        Some(Self {
            winner,
            start: Skeleton::of(position, !left_out),
            stands: none,
            captures: none,
            has_pawns: Color::ALL.map(|color| abstracted.iter().any(is_pawn_of(color))),
            abstracted,
            visited: Visited::new(),
            open: Vec::new(),
            current: 0,
            graph: None,
        })
    }

    /// Searches until nothing is left, a checkmate may be found, or the limit is reached.
    ///
    /// If no pawn is abstracted, the abstracted pieces start at home. They may then go where the
    /// positions found so far let them go, and the search starts over, until nothing grows. Then
    /// every move of an abstracted piece is within its squares, and every position that can arise
    /// is among those found.
    pub(super) fn run(&mut self, nodes: u32, limits: &Limits<'_>) -> Found {
        let grows = self.has_pawns == [false; 2] && self.graph.is_none();
        if grows {
            self.abstracted.iter_mut().for_each(Unit::reset_to_home);
        }
        let mut seen = 0;
        loop {
            let found = self.close(nodes.saturating_sub(seen), limits);
            let Found::Nothing(positions) = found else { return found };
            if !grows || !self.grow_abstracted() {
                return Found::Nothing(positions);
            }
            seen += positions;
        }
    }

    /// Lets the abstracted pieces pass through every square that is empty in some position. Returns
    /// whether any of them came to new squares.
    fn grow_abstracted(&mut self) -> bool {
        let mut always = [Bitboard::FULL; 3];
        for number in 0..self.visited.len() {
            let skeleton = Skeleton::unpack(self.visited.get(number).0);
            always[0] &= skeleton.by_color[0];
            always[1] &= skeleton.by_color[1];
            always[2] &= skeleton.occupied();
        }
        let mut grew = false;
        for unit in &mut self.abstracted {
            grew |= unit.spread(!always[2], always[unit.color.index()]);
        }
        grew
    }

    /// Finds every position that can arise while the abstracted pieces stay within their squares.
    fn close(&mut self, nodes: u32, limits: &Limits<'_>) -> Found {
        (self.stands, self.captures) = ([Bitboard::EMPTY; 2], [Bitboard::EMPTY; 2]);
        for unit in &self.abstracted {
            self.stands[unit.color.index()] |= unit.squares();
            self.captures[unit.color.index()] |= unit.capture_squares();
        }
        (self.visited, self.open) = (Visited::new(), Vec::new());
        self.graph = self.graph.take().map(|_| Graph::default());
        self.open.extend(self.visited.insert(self.start.pack(), Origin::FIRST));
        let mut expanded = 0_u32;
        while let Some(number) = self.next(expanded) {
            expanded += 1;
            if self.visited.len() >= nodes || expanded.is_multiple_of(256) && !(limits.keep_going)() {
                return Found::Undecided(self.visited.len());
            }
            let skeleton = Skeleton::unpack(self.visited.get(number).0);
            self.current = number;
            if self.expand(&skeleton) {
                return Found::Undecided(self.visited.len());
            }
        }
        Found::Nothing(self.visited.len())
    }

    /// The next position to expand: the nearest to the start if the graph is recorded.
    fn next(&mut self, expanded: u32) -> Option<u32> {
        if self.graph.is_some() {
            (expanded < self.visited.len()).then_some(expanded)
        } else {
            self.open.pop()
        }
    }
}
