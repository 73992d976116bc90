//! Whether this node is cut off: for a while it has reached neither the database nor the bus.
//!
//! The others have declared it dead by then, and it cannot know. It confirms nothing, so whoever is connected to it is better off
//! with another node. One that reaches either of the two again goes on, or finds out that it is dead.
//!
//! Deliberately absent: what follows for its sockets (`server`).
//!
//! Invariant: a process that did not run for a while is not cut off for that.

use std::time::Duration;

use tokio::sync::watch;

use super::Standing;
use super::bus::Bus;
use crate::time::{ServiceClock, ServiceInstant};

/// For how long a node that is cut off has reached nothing.
const CUT_OFF_AFTER: Duration = Duration::from_secs(10);
/// From one look to the next.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// The time between two looks counts for this at most.
const LOOK_COUNTS: Duration = Duration::from_secs(1);

/// What this node knows of that.
#[derive(Debug)]
struct Contact {
    /// When it reached something last.
    last: ServiceInstant,
    looked: ServiceInstant,
    /// For how long it has reached nothing since, as far as it ran.
    without: Duration,
}

impl Contact {
    /// Of a node that begins.
    fn new(at: ServiceInstant) -> Self {
        Self { last: at, looked: at, without: Duration::ZERO }
    }

    /// It looks at `at`, and has reached something at `last`; whether it is cut off.
    fn look(&mut self, at: ServiceInstant, last: ServiceInstant) -> bool {
        let passed = at.since(self.looked).min(LOOK_COUNTS);
        self.looked = at;
        if last > self.last {
            self.last = last;
            self.without = Duration::ZERO;
        } else {
            self.without += passed;
        }
        self.without >= CUT_OFF_AFTER
    }
}

/// Says whether this node is cut off, for as long as somebody wants to know.
pub(super) async fn watch(bus: &Bus, clock: &ServiceClock, tell: &watch::Sender<Standing>) {
    let mut contact = Contact::new(clock.now());
    loop {
        clock.sleep_until(clock.now() + LOOK_EVERY).await;
        let is_cut_off = contact.look(clock.now(), bus.last_contact());
        let has_changed =
            tell.send_if_modified(|told| std::mem::replace(&mut told.is_cut_off, is_cut_off) != is_cut_off);
        match (has_changed, is_cut_off) {
            (true, true) => {
                tracing::warn!("neither the database nor the bus can be reached: all sockets are closed");
            }
            (true, false) => {
                tracing::info!("the database or the bus can be reached again: sockets are taken");
            }
            (false, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::Node;
    use super::*;
    use crate::storage::NodeNumber;
    use crate::tasks::Tasks;

    fn at(ms: u64) -> ServiceInstant {
        ServiceInstant(ms * 1_000)
    }

    #[test]
    fn a_node_that_reaches_nothing_for_10_s_is_cut_off_until_it_reaches_something() {
        let mut contact = Contact::new(at(0));
        assert!((1..=40).all(|look| !contact.look(at(look * 500), at(look * 500 - 100))));
        assert!((41..60).all(|look| !contact.look(at(look * 500), at(19_900))));
        assert!(contact.look(at(30_000), at(19_900)));
        assert!(contact.look(at(30_500), at(19_900)));
        assert!(!contact.look(at(31_000), at(30_600)));
    }

    #[test]
    fn a_process_that_did_not_run_is_not_cut_off() {
        let mut contact = Contact::new(at(0));
        assert!(!contact.look(at(500), at(400)));
        assert!(!contact.look(at(60_000), at(400)));
        assert!(!contact.look(at(60_500), at(60_300)));
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_of_the_database_is_enough() {
        let (clock, tasks) = (ServiceClock::of_runtime(), Tasks::default());
        let boot = uuid::Uuid::from_u128(1).into();
        let bus = Bus::new(Node { number: NodeNumber(1), boot }, clock.clone());
        let (tell, mut is_cut_off) = watch::channel(Standing::default());
        let (watched, its_clock) = (bus.clone(), clock.clone());
        let watching = tasks.spawn(async move { watch(&watched, &its_clock, &tell).await });
        for _ in 0..40 {
            bus.database_answered(&[]);
            tokio::time::sleep(Duration::from_millis(700)).await;
        }
        assert!(!is_cut_off.borrow_and_update().is_cut_off);
        let silent = clock.now();
        is_cut_off.changed().await.unwrap();
        assert!(is_cut_off.borrow_and_update().is_cut_off);
        let after = clock.now().since(silent);
        assert!((Duration::from_millis(9_000)..Duration::from_millis(10_600)).contains(&after), "{after:?}");
        bus.database_answered(&[]);
        is_cut_off.changed().await.unwrap();
        assert!(!is_cut_off.borrow().is_cut_off);
        watching.abort();
    }
}
