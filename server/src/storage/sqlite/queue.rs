//! A bounded queue from tasks that never wait to threads that do.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use crate::sync::unpoisoned;

struct State<T> {
    items: VecDeque<T>,
    /// How many threads sleep.
    sleepers: usize,
    is_closed: bool,
}

/// The queue. Pushing never waits; taking blocks the thread.
///
/// Items come out in the order in which they were pushed, also those that were pushed beyond the bound.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    news: Condvar,
    bound: usize,
}

impl<T> Queue<T> {
    /// An empty queue for at most `bound` items.
    pub(super) fn new(bound: usize) -> Self {
        let state = State { items: VecDeque::new(), sleepers: 0, is_closed: false };
        Self { state: Mutex::new(state), news: Condvar::new(), bound }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        unpoisoned(self.state.lock())
    }

    /// Adds an item, or gives it back when the queue is full or closed.
    pub(super) fn push(&self, item: T) -> Result<(), T> {
        self.add(item, self.bound)
    }

    /// Adds an item also when the queue is full, or gives it back when it is closed. For items whose number something
    /// else bounds: it waits here until there is time for it.
    pub(super) fn push_beyond(&self, item: T) -> Result<(), T> {
        self.add(item, usize::MAX)
    }

    fn add(&self, item: T, bound: usize) -> Result<(), T> {
        let mut state = self.state();
        if state.is_closed || state.items.len() >= bound {
            return Err(item);
        }
        state.items.push_back(item);
        let wakes = state.sleepers > 0;
        drop(state);
        if wakes {
            self.news.notify_one();
        }
        Ok(())
    }

    /// Takes no more items. What is in is still taken out.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.news.notify_all();
    }

    /// Takes no more items and forgets those that are in.
    pub(super) fn abandon(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let items = std::mem::take(&mut state.items);
        drop(state);
        self.news.notify_all();
        drop(items);
    }

    /// Moves what is in, but at most `most`, into `items`; when there is nothing, waits for
    /// something, but at most `patience`. `false` when nothing is left and nothing comes any more.
    pub(super) fn take_many(&self, items: &mut Vec<T>, most: usize, patience: Option<Duration>) -> bool {
        let mut state = self.state();
        if state.items.is_empty() && !state.is_closed {
            state.sleepers += 1;
            state = match patience {
                None => unpoisoned(self.news.wait(state)),
                Some(patience) => unpoisoned(self.news.wait_timeout(state, patience)).0,
            };
            state.sleepers -= 1;
        }
        let count = state.items.len().min(most);
        items.extend(state.items.drain(..count));
        !(items.is_empty() && state.is_closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_bounded_and_ends() {
        let queue = Queue::new(2);
        assert_eq!((queue.push(1), queue.push(2), queue.push(3)), (Ok(()), Ok(()), Err(3)));
        let mut items = Vec::new();
        assert!(queue.take_many(&mut items, 1, None));
        assert_eq!(items, [1]);
        assert!(queue.take_many(&mut items, 9, None));
        assert_eq!(items, [1, 2]);
        items.clear();
        assert!(
            queue.take_many(&mut items, 9, Some(Duration::ZERO)),
            "nothing came in time, but something may"
        );
        queue.push(4).unwrap();
        queue.close();
        assert_eq!(queue.push(5), Err(5));
        assert!(queue.take_many(&mut items, 9, None));
        assert_eq!(items, [4]);
        items.clear();
        assert!(!queue.take_many(&mut items, 9, None));
    }

    #[test]
    fn what_goes_beyond_the_bound_keeps_its_place_in_the_order() {
        let queue = Queue::new(2);
        let pushed =
            [queue.push(1), queue.push(2), queue.push_beyond(3), queue.push(4), queue.push_beyond(5)];
        assert_eq!(pushed, [Ok(()), Ok(()), Ok(()), Err(4), Ok(())]);
        let mut items = Vec::new();
        assert!(queue.take_many(&mut items, 9, None));
        assert_eq!(items, [1, 2, 3, 5]);
        queue.close();
        assert_eq!(queue.push_beyond(6), Err(6));
    }
}
