//! Answers that were asked for lately, by what was asked: a bounded cache.
//!
//! Two halves: what is asked for again moves to the young half, and when that is full the old one is dropped.
//!
//! Invariant: there are never more than twice as many as a half holds.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;

use crate::sync::unpoisoned;

/// The answers.
#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    half: usize,
    halves: Mutex<Halves<K, V>>,
}

#[derive(Debug)]
struct Halves<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    /// None yet; each half holds at most `half`.
    pub(crate) fn new(half: usize) -> Self {
        let halves = Halves { young: HashMap::new(), old: HashMap::new() };
        Self { half, halves: Mutex::new(halves) }
    }

    /// The answer to `key`, if it is remembered.
    pub(crate) fn find(&self, key: &K) -> Option<V> {
        let mut halves = unpoisoned(self.halves.lock());
        if let Some(value) = halves.young.get(key) {
            return Some(value.clone());
        }
        let (key, value) = halves.old.remove_entry(key)?;
        halves.keep(self.half, key, value.clone());
        Some(value)
    }

    /// Remembers an answer.
    pub(crate) fn keep(&self, key: K, value: V) {
        unpoisoned(self.halves.lock()).keep(self.half, key, value);
    }
}

impl<K: Eq + Hash, V> Halves<K, V> {
    fn keep(&mut self, half: usize, key: K, value: V) {
        if self.young.len() >= half {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_what_is_not_goes() {
        let recent = Recent::new(10);
        for number in 0..1_000_u32 {
            recent.keep(number, number * 2);
            assert_eq!(recent.find(&0), Some(0), "it is asked for all the time");
            let halves = recent.halves.lock().unwrap();
            assert!(halves.young.len() <= 10 && halves.old.len() <= 10);
        }
        assert_eq!(recent.find(&999), Some(1_998));
        assert_eq!(recent.find(&500), None);
    }
}
