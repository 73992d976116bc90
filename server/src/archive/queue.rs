//! Who is next: places that few have at once, given to those who wait by turns among the payers.
//!
//! Deliberately absent: waiting itself, and what a place is good for.
//!
//! Invariant: while a place is free nobody waits.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// The free places, and who waits for one: of each payer in the order in which they came.
#[derive(Debug)]
pub(super) struct FairQueue<P, W> {
    free: usize,
    waiting: HashMap<P, VecDeque<W>>,
    /// The payers of those who wait, the next one first.
    order: VecDeque<P>,
    count: usize,
}

impl<P: Copy + Eq + Hash, W> FairQueue<P, W> {
    /// All places are free.
    pub(super) fn new(places: usize) -> Self {
        Self { free: places, waiting: HashMap::new(), order: VecDeque::new(), count: 0 }
    }

    /// Takes a free place, if there is one.
    pub(super) fn take_free(&mut self) -> bool {
        let is_free = self.free > 0;
        self.free -= usize::from(is_free);
        is_free
    }

    /// Puts somebody behind those of the same payer.
    pub(super) fn push(&mut self, payer: P, waits: W) {
        let line = self.waiting.entry(payer).or_default();
        if line.is_empty() {
            self.order.push_back(payer);
        }
        line.push_back(waits);
        self.count += 1;
    }

    /// A place is given back: who has it now. `None` when nobody waits: then it is free.
    pub(super) fn next(&mut self) -> Option<W> {
        let Some(payer) = self.order.pop_front() else {
            self.free += 1;
            return None;
        };
        let line = self.waiting.get_mut(&payer)?;
        let next = line.pop_front();
        if line.is_empty() {
            self.waiting.remove(&payer);
        } else {
            self.order.push_back(payer);
        }
        self.count -= 1;
        next
    }

    /// How many wait.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Forgets those who no longer wait.
    pub(super) fn retain(&mut self, mut still_waits: impl FnMut(&W) -> bool) {
        self.waiting.retain(|_, line| {
            line.retain(&mut still_waits);
            !line.is_empty()
        });
        self.order.retain(|payer| self.waiting.contains_key(payer));
        self.count = self.waiting.values().map(VecDeque::len).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drained(queue: &mut FairQueue<u8, u32>) -> Vec<u32> {
        std::iter::from_fn(|| queue.next()).collect()
    }

    #[test]
    fn payers_take_turns_and_each_has_its_own_order() {
        let mut queue = FairQueue::new(1);
        assert!(queue.take_free() && !queue.take_free());
        for n in [10, 11, 12, 13] {
            queue.push(1, n);
        }
        queue.push(2, 20);
        queue.push(3, 30);
        queue.push(3, 31);
        assert_eq!(queue.count(), 7);
        assert_eq!(drained(&mut queue), [10, 20, 30, 11, 31, 12, 13]);
        assert!(queue.take_free(), "nobody waited for the place that was given back last");
        assert!(queue.waiting.is_empty() && queue.order.is_empty() && queue.count() == 0);
    }

    #[test]
    fn who_no_longer_waits_is_forgotten() {
        let mut queue = FairQueue::new(0);
        for (payer, n) in [(1, 10), (1, 11), (2, 20), (3, 30)] {
            queue.push(payer, n);
        }
        queue.retain(|n| ![10, 20].contains(n));
        assert_eq!(queue.count(), 2);
        assert_eq!(drained(&mut queue), [11, 30]);
    }
}
