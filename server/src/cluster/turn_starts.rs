//! When turns began on one node: instants of the owner of a game and of another node are told as the time since.
//!
//! No two machines' clocks are compared. What a player took runs on the player's node, from the turn's message to the command;
//! the way between the nodes is charged to nobody. A turn that stood and goes on has begun again: what was read before counts
//! from the start that was known then.
//!
//! Invariant: at most [`KEPT_MAX`] starts are remembered.

use std::collections::VecDeque;
use std::time::Duration;

use zeitnot_rules::game::Seq;

use super::wire::TurnStart;
use crate::time::ServiceInstant;

/// So many starts are remembered: a command is about the last one or two.
const KEPT_MAX: usize = 8;

/// The last starts of turns, and when each was here.
#[derive(Debug, Default)]
pub(crate) struct TurnStarts(VecDeque<(TurnStart, ServiceInstant)>);

impl TurnStarts {
    /// A turn has begun here at this instant, unless that start is known.
    pub(crate) fn begin(&mut self, start: TurnStart, at: ServiceInstant) {
        if self.instant(start, 0).is_some() {
            return;
        }
        if self.0.len() == KEPT_MAX {
            self.0.pop_front();
        }
        self.0.push_back((start, at));
    }

    /// The turn of this base has begun here, where the game is owned, at this instant. How other nodes name that start.
    pub(crate) fn begin_here(&mut self, base: Seq, at: ServiceInstant) -> TurnStart {
        let start = TurnStart { base, at_us: at.0 };
        self.begin(start, at);
        start
    }

    /// When the turn of this base began last.
    pub(crate) fn began(&self, base: Seq) -> Option<ServiceInstant> {
        self.0.iter().rev().find(|(start, _)| start.base == base).map(|(_, began)| *began)
    }

    /// What was read at `stamp`, as the last start before it and the time since: no start and 0 when there was none.
    pub(crate) fn travel(&self, stamp: ServiceInstant) -> (TurnStart, u64) {
        let last = self.0.iter().rev().find(|(_, began)| *began <= stamp);
        last.map_or((TurnStart::default(), 0), |(start, began)| (*start, stamp.0 - began.0))
    }

    /// The instant of this node that is so long after a start here.
    fn instant(&self, start: TurnStart, since_us: u64) -> Option<ServiceInstant> {
        let known = self.0.iter().find(|(known, _)| *known == start);
        known.map(|(_, began)| *began + Duration::from_micros(since_us))
    }

    /// The stamp of a command that was read so long after a turn began on its own node, and is here at `now`. Not later than
    /// that: what the way took is charged to nobody. Not before `last`, the last stamp of its connection that is known. Of a
    /// start that is not known here, what counts is how long before it was sent the command was read: its node may have known
    /// nothing of the turn that runs. If it knew another start of that turn, it is not later than its node measured, either.
    /// A stamp that may have the way in it makes no stamp after it later.
    pub(crate) fn stamp(
        &self,
        (start, since_us): (TurnStart, u64),
        age_us: u64,
        now: ServiceInstant,
        last: &mut ServiceInstant,
    ) -> ServiceInstant {
        match self.instant(start, since_us) {
            Some(read) if read <= now => {
                *last = read.max(*last);
                *last
            }
            Some(_) => now,
            None => {
                let (read, began) = (ServiceInstant(now.0.saturating_sub(age_us)), self.began(start.base));
                let measured = began.map_or(read, |began| began + Duration::from_micros(since_us));
                read.min(measured).max(*last)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn start(base: Seq, at_us: u64) -> TurnStart {
        TurnStart { base, at_us }
    }

    #[test]
    fn a_stamp_travels_as_the_time_since_its_turn_began() {
        let mut starts = TurnStarts::default();
        assert_eq!(starts.travel(ServiceInstant(5)), (TurnStart::default(), 0));
        starts.begin(start(3, 70), ServiceInstant(960));
        starts.begin(start(4, 90), ServiceInstant(3_000));
        assert_eq!(starts.travel(ServiceInstant(2_960)), (start(3, 70), 2_000), "read before the next turn");
        assert_eq!(starts.travel(ServiceInstant(3_007)), (start(4, 90), 7));
        starts.begin(start(4, 90), ServiceInstant(3_500));
        assert_eq!(starts.began(4), Some(ServiceInstant(3_000)), "that start was known");
        assert_eq!(starts.began(9), None);
    }

    #[test]
    fn what_was_read_while_a_turn_stood_counts_from_the_start_before() {
        // The owner's turn began at 1,000 and stood from 1,300 to 5,300; here its messages take 100.
        let (first, again) = (start(4, 1_000), start(4, 5_000));
        let (mut owner, mut other) = (TurnStarts::default(), TurnStarts::default());
        owner.begin(first, ServiceInstant(1_000));
        other.begin(first, ServiceInstant(1_100));
        let while_it_stood = other.travel(ServiceInstant(5_200));
        assert_eq!(while_it_stood, (first, 4_100));
        owner.begin(again, ServiceInstant(5_000));
        other.begin(again, ServiceInstant(5_100));
        let mut last = ServiceInstant(0);
        let now = ServiceInstant(5_900);
        assert_eq!(owner.stamp(while_it_stood, 0, now, &mut last), ServiceInstant(5_100));
        let after_it = other.travel(ServiceInstant(5_500));
        assert_eq!(after_it, (again, 400));
        assert_eq!(owner.stamp(after_it, 0, now, &mut last), ServiceInstant(5_400), "not as late as it came");
    }

    #[test]
    fn the_way_between_nodes_is_charged_to_nobody() {
        let mut starts = TurnStarts::default();
        starts.begin(start(3, 1_000), ServiceInstant(1_000));
        let stamp = |since_us, now, last| {
            starts.stamp((start(3, 1_000), since_us), 0, ServiceInstant(now), &mut ServiceInstant(last)).0
        };
        assert_eq!(stamp(500, 9_000, 0), 1_500, "it was 7.5 ms on its way");
        assert_eq!(stamp(500, 1_200, 0), 1_200, "no node measures more than has passed here");
        assert_eq!(stamp(500, 9_000, 1_600), 1_600, "a connection's commands stay in order");
        assert_eq!(stamp(u64::MAX, 9_000, 0), 9_000);
        let unknown = |age_us, last| {
            let (now, mut last) = (ServiceInstant(9_000), ServiceInstant(last));
            starts.stamp((start(2, 700), 500), age_us, now, &mut last).0
        };
        assert_eq!(unknown(0, 0), 9_000, "not known here");
        assert_eq!(unknown(2_000, 0), 7_000, "it was sent again, 2 ms after it was read");
        assert_eq!((unknown(2_000, 8_000), unknown(u64::MAX, 0)), (8_000, 0));
    }

    #[test]
    fn what_was_read_on_a_turn_that_has_begun_again_since_is_not_later_than_its_node_measured() {
        let mut starts = TurnStarts::default();
        starts.begin(start(3, 5_000), ServiceInstant(5_000));
        let stamp = |since_us, age_us| {
            let (now, mut last) = (ServiceInstant(9_000), ServiceInstant(0));
            starts.stamp((start(3, 1_000), since_us), age_us, now, &mut last).0
        };
        assert_eq!(stamp(500, 2_000), 5_500, "the way back is not counted");
        assert_eq!(stamp(3_000, 2_000), 7_000, "the turn has stood, which its node did not know");
    }

    #[test]
    fn a_stamp_with_the_way_in_it_makes_none_after_it_later() {
        let mut starts = TurnStarts::default();
        starts.begin(start(8, 1_000), ServiceInstant(1_000));
        let mut last = ServiceInstant(0);
        let now = ServiceInstant(9_000);
        let mut stamp = |base, at_us, since_us, age_us| {
            starts.stamp((start(base, at_us), since_us), age_us, now, &mut last)
        };
        assert_eq!(stamp(7, 1, 500, 0), now, "about a turn that is not known here");
        assert_eq!(stamp(8, 1_000, 9_000, 0), now, "its node was ahead, as when this one was stopped");
        assert_eq!(stamp(8, 1_000, 50, 0), ServiceInstant(1_050), "all came late");
        assert_eq!(stamp(8, 1_000, 20, 0), ServiceInstant(1_050));
        assert_eq!(stamp(7, 1, 500, 8_500), ServiceInstant(1_050));
    }

    #[test]
    fn only_the_last_starts_are_remembered() {
        let mut starts = TurnStarts::default();
        for base in 1..=KEPT_MAX as u32 + 1 {
            starts.begin(start(base, 5), ServiceInstant(u64::from(base)));
        }
        assert_eq!((starts.began(1), starts.began(2)), (None, Some(ServiceInstant(2))));
        assert_eq!(starts.0.len(), KEPT_MAX);
    }
}
