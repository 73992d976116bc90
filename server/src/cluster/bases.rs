//! When turns began on one node: instants of the owner of a game and of another node are told as the time since.
//!
//! No two machines' clocks are compared. What a player took runs on the player's node, from the turn's message to the command;
//! the way between the nodes is charged to nobody.
//!
//! Invariant: at most [`KEPT_MAX`] turns are remembered.

use std::collections::VecDeque;
use std::time::Duration;

use zeitnot_rules::game::Seq;

use crate::time::ServiceInstant;

/// So many turns are remembered: a command is about the last one or two.
const KEPT_MAX: usize = 8;

/// The last turns, by the event that made their position.
#[derive(Debug, Default)]
pub(crate) struct Bases(VecDeque<(Seq, ServiceInstant)>);

impl Bases {
    /// The turn of this base has begun, or has begun again, at this instant.
    pub(crate) fn begin(&mut self, base: Seq, at: ServiceInstant) {
        self.0.retain(|(known, _)| *known != base);
        if self.0.len() == KEPT_MAX {
            self.0.pop_front();
        }
        self.0.push_back((base, at));
    }

    /// When it began.
    pub(crate) fn began(&self, base: Seq) -> Option<ServiceInstant> {
        self.0.iter().find(|(known, _)| *known == base).map(|(_, began)| *began)
    }

    /// What was read at `stamp`, as the last turn that had begun then and the time since: `(0, 0)` when none had.
    pub(crate) fn travel(&self, stamp: ServiceInstant) -> (Seq, u64) {
        let last = self.0.iter().rev().find(|(_, began)| *began <= stamp);
        last.map_or((0, 0), |(base, began)| (*base, stamp.0 - began.0))
    }

    /// The instant of this node that is so long after a turn began here.
    pub(crate) fn instant(&self, base: Seq, since_us: u64) -> Option<ServiceInstant> {
        self.began(base).map(|began| began + Duration::from_micros(since_us))
    }

    /// The stamp of a command that was read so long after a turn began on its own node, and is here at `now`. Not later than
    /// that: what the way took is charged to nobody. Not before `last`, the last stamp of its connection that is known. Of a turn
    /// that is not known here, what counts is how long before it was sent the command was read: its node may have known nothing
    /// of the turn that runs. Such a stamp has the way in it, and makes no stamp after it later.
    pub(crate) fn stamp(
        &self,
        base: Seq,
        since_us: u64,
        age_us: u64,
        now: ServiceInstant,
        last: &mut ServiceInstant,
    ) -> ServiceInstant {
        if let Some(read) = self.instant(base, since_us) {
            *last = read.min(now).max(*last);
            return *last;
        }
        ServiceInstant(now.0.saturating_sub(age_us)).max(*last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_travels_as_the_time_since_its_turn() {
        let mut bases = Bases::default();
        assert_eq!(bases.travel(ServiceInstant(5)), (0, 0));
        bases.begin(3, ServiceInstant(960));
        bases.begin(4, ServiceInstant(3_000));
        assert_eq!(bases.travel(ServiceInstant(2_960)), (3, 2_000), "read before the next turn");
        assert_eq!(bases.travel(ServiceInstant(3_007)), (4, 7));
        assert_eq!(bases.instant(3, 50), Some(ServiceInstant(1_010)));
        assert_eq!(bases.instant(9, 50), None);
        bases.begin(4, ServiceInstant(4_000));
        assert_eq!(bases.travel(ServiceInstant(4_001)), (4, 1), "it stood, and has begun again");
    }

    #[test]
    fn the_way_between_nodes_is_charged_to_nobody() {
        let mut bases = Bases::default();
        bases.begin(3, ServiceInstant(1_000));
        let stamp = |since_us, now, last| {
            bases.stamp(3, since_us, 0, ServiceInstant(now), &mut ServiceInstant(last)).0
        };
        assert_eq!(stamp(500, 9_000, 0), 1_500, "it was 7.5 ms on its way");
        assert_eq!(stamp(500, 1_200, 0), 1_200, "no node measures more than has passed here");
        assert_eq!(stamp(500, 9_000, 1_600), 1_600, "a connection's commands stay in order");
        assert_eq!(stamp(u64::MAX, 9_000, 0), 9_000);
        let unknown =
            |age_us, last| bases.stamp(7, 500, age_us, ServiceInstant(9_000), &mut ServiceInstant(last)).0;
        assert_eq!(unknown(0, 0), 9_000, "not known here");
        assert_eq!(unknown(2_000, 0), 7_000, "it was sent again, 2 ms after it was read");
        assert_eq!((unknown(2_000, 8_000), unknown(u64::MAX, 0)), (8_000, 0));
    }

    #[test]
    fn a_stamp_with_the_way_in_it_makes_none_after_it_later() {
        let mut bases = Bases::default();
        bases.begin(8, ServiceInstant(1_000));
        let mut last = ServiceInstant(0);
        let now = ServiceInstant(9_000);
        assert_eq!(bases.stamp(7, 500, 0, now, &mut last), now, "about a turn that is not known here");
        assert_eq!(bases.stamp(8, 50, 0, now, &mut last), ServiceInstant(1_050), "both came late");
        assert_eq!(bases.stamp(8, 20, 0, now, &mut last), ServiceInstant(1_050));
        assert_eq!(bases.stamp(7, 500, 8_500, now, &mut last), ServiceInstant(1_050));
    }

    #[test]
    fn only_the_last_turns_are_remembered() {
        let mut bases = Bases::default();
        for base in 1..=KEPT_MAX as u32 + 1 {
            bases.begin(base, ServiceInstant(u64::from(base)));
        }
        assert_eq!((bases.instant(1, 0), bases.instant(2, 0)), (None, Some(ServiceInstant(2))));
        assert_eq!(bases.0.len(), KEPT_MAX);
    }
}
