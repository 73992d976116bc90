//! The positions that a search has visited, each once, compared exactly.
//!
//! A hash table with open addressing holds the numbers of the positions. The positions themselves
//! lie in the order in which they came, each with the position from which it was first reached. At
//! most three quarters of the slots are taken, so a position costs 40 bytes, 5 to 11 for its slots,
//! and the old vectors while they grow.

use crate::board::Packed;

const EMPTY: u32 = u32::MAX;

/// A set of positions, and how each was first reached.
pub(super) struct Visited {
    positions: Vec<Packed>,
    origins: Vec<Origin>,
    slots: Vec<u32>,
}

/// How a position was first reached.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    /// The number of the position before it; its own for the first one.
    pub(super) parent: u32,
    /// How many half-moves lead here, or what they cost.
    pub(super) depth: u16,
    /// Whether the last half-move was a capture or a pawn move.
    pub(super) is_irreversible: bool,
    /// Whether the last half-move was progress as [`PathCost`](super::path_cost::PathCost) counts
    /// it.
    pub(super) is_progress: bool,
}

impl Origin {
    /// The origin of the first position.
    pub(super) const FIRST: Self = Self { parent: 0, depth: 0, is_irreversible: false, is_progress: false };
}

impl Visited {
    pub(super) fn new() -> Self {
        Self { positions: Vec::new(), origins: Vec::new(), slots: vec![EMPTY; 256] }
    }

    pub(super) fn len(&self) -> u32 {
        self.positions.len() as u32
    }

    pub(super) fn get(&self, number: u32) -> (Packed, Origin) {
        (self.positions[number as usize], self.origins[number as usize])
    }

    /// The number of a position, if it is in the set.
    pub(super) fn find(&self, position: Packed) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = position.table_hash() as usize & mask;
        while self.slots[slot] != EMPTY {
            if self.positions[self.slots[slot] as usize] == position {
                return Some(self.slots[slot]);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    /// Adds a position. Returns its number, or `None` if it was in the set already.
    pub(super) fn insert(&mut self, position: Packed, origin: Origin) -> Option<u32> {
        if self.positions.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = position.table_hash() as usize & mask;
        while self.slots[slot] != EMPTY {
            if self.positions[self.slots[slot] as usize] == position {
                return None;
            }
            slot = (slot + 1) & mask;
        }
        let number = self.len();
        self.slots[slot] = number;
        self.positions.push(position);
        self.origins.push(origin);
        Some(number)
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![EMPTY; mask + 1];
        for (number, position) in self.positions.iter().enumerate() {
            let mut slot = position.table_hash() as usize & mask;
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number as u32;
        }
    }
}
