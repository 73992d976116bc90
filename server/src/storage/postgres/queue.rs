//! A bounded queue from tasks that never wait to the task that writes.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::Notify;

use crate::sync::unpoisoned;

struct State<T> {
    items: VecDeque<T>,
    is_closed: bool,
}

/// The queue. Pushing never waits. Items come out in the order in which they were pushed, also those that were pushed beyond
/// the bound. One task takes.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    news: Notify,
    bound: usize,
}

impl<T> Queue<T> {
    /// An empty queue for at most `bound` items.
    pub(super) fn new(bound: usize) -> Self {
        let state = State { items: VecDeque::new(), is_closed: false };
        Self { state: Mutex::new(state), news: Notify::new(), bound }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        unpoisoned(self.state.lock())
    }

    /// Adds an item; `false` when the queue is full or closed.
    pub(super) fn push(&self, item: T) -> bool {
        self.add(item, self.bound)
    }

    /// Adds an item also when the queue is full; `false` when it is closed. For items whose number something else bounds.
    pub(super) fn push_beyond(&self, item: T) -> bool {
        self.add(item, usize::MAX)
    }

    fn add(&self, item: T, bound: usize) -> bool {
        let mut state = self.state();
        if state.is_closed || state.items.len() >= bound {
            return false;
        }
        state.items.push_back(item);
        drop(state);
        self.news.notify_one();
        true
    }

    /// Takes no more items. What is in is still taken out.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.news.notify_one();
    }

    /// Takes no more items and forgets those that are in.
    pub(super) fn abandon(&self) {
        self.close();
        let items = std::mem::take(&mut self.state().items);
        drop(items);
    }

    /// Moves what is in, but at most `most`, into `items`; when there is nothing, waits for something, but at most
    /// `patience`. `false` when nothing is left and nothing comes any more.
    pub(super) async fn take_many(&self, items: &mut Vec<T>, most: usize, patience: Duration) -> bool {
        let is_idle = {
            let state = self.state();
            state.items.is_empty() && !state.is_closed
        };
        if is_idle {
            // Too late is as good: whoever waits looks again.
            tokio::time::timeout(patience, self.news.notified()).await.ok();
        }
        let mut state = self.state();
        let count = state.items.len().min(most);
        items.extend(state.items.drain(..count));
        !(items.is_empty() && state.is_closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_is_bounded_keeps_its_order_and_ends() {
        let queue = Queue::new(2);
        let pushed = [queue.push(1), queue.push(2), queue.push(3), queue.push_beyond(4)];
        assert_eq!(pushed, [true, true, false, true]);
        let mut items = Vec::new();
        assert!(queue.take_many(&mut items, 2, Duration::MAX).await);
        assert_eq!(items, [1, 2]);
        queue.close();
        assert!(!queue.push(5) && !queue.push_beyond(6));
        items.clear();
        assert!(queue.take_many(&mut items, 9, Duration::MAX).await);
        assert_eq!(items, [4]);
        items.clear();
        assert!(!queue.take_many(&mut items, 9, Duration::MAX).await);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_is_woken_by_an_item_or_by_the_end_of_its_patience() {
        let queue = Queue::new(2);
        let mut items = Vec::<u8>::new();
        assert!(queue.take_many(&mut items, 9, Duration::from_secs(1)).await && items.is_empty());
        let pushing = async { assert!(queue.push(7)) };
        let (is_open, ()) = tokio::join!(queue.take_many(&mut items, 9, Duration::from_secs(3_600)), pushing);
        assert!(is_open);
        assert_eq!(items, [7]);
        queue.push(8);
        queue.abandon();
        items.clear();
        assert!(!queue.take_many(&mut items, 9, Duration::MAX).await);
    }
}
