//! What an interrupted turn is charged: from rows that say when the process was alive. Pure:
//! instants in, spans out.
//!
//! When a process is killed, nobody remembers when the running turns began. The store has a
//! heartbeat every [`BEAT_EVERY`], and with each record the instant at which its transaction began.
//! A turn begins when the record before it is durable and the player has been notified, so it is
//! charged from the first heartbeat at least [`SETTLED_AFTER`] after that record's transaction to
//! the last heartbeat of that process: never too much, and at most 2 s too little. While a commit
//! or a notification takes longer than that, no heartbeat is written, so the charge still is never
//! too much. What a turn has taken goes with the game into later segments and later processes as a
//! [`TurnMark`].
//!
//! Everything is found by instant, never by the place of a row. The instants lie on the axis of
//! [`StoreInstant`], on which downtime does not exist.

use std::collections::VecDeque;
use std::time::Duration;

use zeitnot_rules::game::{Event, Micros};

use super::append::EffectWatch;
use super::instant::{StoreInstant, TurnMark};

/// How often a heartbeat notes that the process is alive, while there are live games.
pub const BEAT_EVERY: Duration = Duration::from_millis(700);

/// A heartbeat so long after a record's transaction began, or later, says that the turn after the
/// record had begun: within this time the commit is done, and the answer has reached the game's
/// actor and the player. Together with two heartbeats this is less than 2 s.
pub const SETTLED_AFTER: Duration = Duration::from_millis(500);

/// The time between the last instant of a process and the first of the next, on the axis of a data
/// folder.
pub(crate) const START_GAP: Duration = Duration::from_secs(1);

/// When processes served from a data folder, as far as that is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heartbeats {
    /// The first instants of the processes, in order.
    starts: Vec<StoreInstant>,
    /// The heartbeats, in order.
    beats: VecDeque<StoreInstant>,
}

impl Heartbeats {
    /// The processes that began at these instants, no heartbeats yet.
    #[must_use]
    pub fn new(mut starts: Vec<StoreInstant>) -> Self {
        starts.sort_unstable();
        Self { starts, beats: VecDeque::new() }
    }

    /// Notes a heartbeat. They may come in any order.
    pub fn beat(&mut self, at: StoreInstant) {
        let place = if self.beats.back().is_none_or(|last| *last <= at) {
            self.beats.len()
        } else {
            self.beats.partition_point(|beat| *beat <= at)
        };
        self.beats.insert(place, at);
    }

    /// The latest instant of a start or a heartbeat.
    #[must_use]
    pub fn latest(&self) -> StoreInstant {
        let starts = self.starts.last().copied();
        starts.max(self.beats.back().copied()).unwrap_or_default()
    }

    /// Forgets the heartbeats before `at`.
    pub fn forget_before(&mut self, at: StoreInstant) {
        self.beats.drain(..self.beats.partition_point(|beat| *beat < at));
    }

    /// The heartbeats of the process that was alive at `at`, from `from` on.
    fn of_process(
        &self,
        at: StoreInstant,
        from: StoreInstant,
    ) -> impl DoubleEndedIterator<Item = StoreInstant> + '_ {
        let next_start = self.starts.get(self.starts.partition_point(|start| *start <= at)).copied();
        let first = self.beats.partition_point(|beat| *beat < from);
        let end = next_start.map_or(self.beats.len(), |next| self.beats.partition_point(|beat| *beat < next));
        self.beats.range(first.min(end)..end).copied()
    }

    /// What a turn with this mark has certainly taken.
    #[must_use]
    pub fn spent(&self, mark: TurnMark) -> Micros {
        match mark {
            TurnMark::Stands { spent } => spent,
            TurnMark::Runs { at, spent } => {
                spent + self.of_process(at, at).next_back().map_or(Micros::ZERO, |last| last.since(at))
            }
            TurnMark::Since(at) => {
                let mut beats = self.of_process(at, at.after(SETTLED_AFTER));
                let first = beats.next();
                let last = beats.next_back().or(first);
                last.zip(first).map_or(Micros::ZERO, |(last, first)| last.since(first))
            }
        }
    }

    /// The mark of a running game for a row that is written at `now` by the process that plays it:
    /// with it no earlier heartbeat is needed.
    #[must_use]
    pub fn carried(&self, mark: TurnMark, now: StoreInstant) -> TurnMark {
        match mark {
            TurnMark::Stands { .. } => mark,
            TurnMark::Runs { at, spent } => TurnMark::Runs { at: now, spent: spent + now.since(at) },
            TurnMark::Since(at) => match self.of_process(at, at.after(SETTLED_AFTER)).next() {
                Some(first) if first <= now => TurnMark::Runs { at: now, spent: now.since(first) },
                // The first heartbeat that counts is still to come.
                Some(_) | None => mark,
            },
        }
    }
}

/// The records that are durable while the turns after them may not have begun, each with when its
/// transaction began.
///
/// A heartbeat says of every record that was written [`SETTLED_AFTER`] before it, or earlier, that
/// the turn after that record had begun. A slow disk or an overloaded server makes that wrong, so no
/// heartbeat is written while an answer from so long ago has not had its effect. That makes an
/// interrupted turn cheaper, never dearer.
#[derive(Debug, Default)]
pub(in crate::storage) struct UnsettledTurns(Vec<(StoreInstant, EffectWatch)>);

impl UnsettledTurns {
    /// A record was written in the transaction that began at `at`.
    pub(in crate::storage) fn add(&mut self, at: StoreInstant, effect: EffectWatch) {
        self.0.push((at, effect));
    }

    /// Forgets the records whose answers have had their effect by now.
    pub(in crate::storage) fn settle(&mut self) {
        self.0.retain(|(_, effect)| effect.is_pending());
    }

    /// Whether every turn that is known of had begun when [`UnsettledTurns::settle`] last looked.
    pub(in crate::storage) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a heartbeat at `at` would be true, as of the last [`UnsettledTurns::settle`].
    pub(in crate::storage) fn allows_beat(&self, at: StoreInstant) -> bool {
        self.0.iter().all(|(written, _)| written.after(SETTLED_AFTER) > at)
    }
}

/// Whether a turn begins with this event. The time before it is charged already, or void.
#[must_use]
pub(crate) const fn begins_turn(event: &Event) -> bool {
    matches!(
        event,
        Event::Started(_) | Event::MovePlayed { .. } | Event::TakenBack { .. } | Event::IlcRemedied { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000;

    fn at(millis: u64) -> StoreInstant {
        StoreInstant(millis * 1_000)
    }

    fn heartbeats(starts: &[u64], beats: &[u64]) -> Heartbeats {
        let mut heartbeats = Heartbeats::new(starts.iter().map(|&start| at(start)).collect());
        beats.iter().for_each(|&beat| heartbeats.beat(at(beat)));
        heartbeats
    }

    #[test]
    fn a_turn_is_charged_from_the_first_heartbeat_to_the_last() {
        let heartbeats = heartbeats(&[0], &[700, 1_400, 2_100, 2_800, 3_500]);
        // Settled at 1.5 s; the first heartbeat after that is 2.1 s.
        assert_eq!(heartbeats.spent(TurnMark::Since(at(1_000))), Micros::from_millis(1_400));
        assert_eq!(
            heartbeats.spent(TurnMark::Since(at(3_200))),
            Micros::ZERO,
            "no heartbeat says that it ran at all"
        );
        assert_eq!(heartbeats.spent(TurnMark::Since(at(2_500))), Micros::ZERO, "one alone is no span");
    }

    #[test]
    fn never_too_much_and_at_most_2_s_too_little_while_the_disk_keeps_up() {
        let every = BEAT_EVERY.as_micros() as u64;
        for (committed, ran) in (0..40).flat_map(|c| (0..60).map(move |r| (c * 91_000, r * 97_000))) {
            // A commit takes 5 ms; the turn begins then, and the process dies `ran` later.
            let (begun, died) = (committed + 5_000, committed + 5_000 + ran);
            let mut heartbeats = Heartbeats::new(vec![StoreInstant(0)]);
            (1..)
                .map(|n| n * every)
                .take_while(|&beat| beat + 5_000 < died)
                .for_each(|beat| heartbeats.beat(StoreInstant(beat)));
            let charged = heartbeats.spent(TurnMark::Since(StoreInstant(committed))).0;
            assert!(charged <= died - begun, "too much");
            assert!(died - begun - charged <= 2 * SECOND, "{charged} of {ran}");
        }
    }

    #[test]
    fn the_time_between_two_processes_and_the_next_process_count_for_nothing() {
        let heartbeats = heartbeats(&[0, 10_000], &[1_000, 2_000, 3_000, 10_500, 11_500, 90_000]);
        assert_eq!(heartbeats.spent(TurnMark::Since(at(100))), Micros::from_secs(2));
        assert_eq!(heartbeats.spent(TurnMark::Runs { at: at(1_500), spent: Micros(5) }), Micros(1_500_005));
        assert_eq!(heartbeats.spent(TurnMark::Stands { spent: Micros(7) }), Micros(7));
        assert_eq!(heartbeats.spent(TurnMark::Since(at(10_000))), Micros::from_millis(79_500));
    }

    #[test]
    fn a_carried_turn_needs_no_earlier_heartbeat() {
        let mut heartbeats = heartbeats(&[0], &[700, 1_400, 2_100]);
        let mark = heartbeats.carried(TurnMark::Since(at(100)), at(2_500));
        assert_eq!(mark, TurnMark::Runs { at: at(2_500), spent: Micros::from_millis(1_800) });
        let young = TurnMark::Since(at(2_400));
        assert_eq!(heartbeats.carried(young, at(2_500)), young);
        let again = TurnMark::Runs { at: at(2_600), spent: Micros::from_millis(1_900) };
        assert_eq!(heartbeats.carried(mark, at(2_600)), again, "that row itself says that it ran until then");
        heartbeats.forget_before(at(2_500));
        assert_eq!(heartbeats.spent(mark), Micros::from_millis(1_800));
        heartbeats.beat(at(3_500));
        assert_eq!(heartbeats.spent(mark), Micros::from_millis(2_800));
        assert_eq!(heartbeats.spent(young), Micros::ZERO);
        heartbeats.beat(at(4_200));
        assert_eq!(heartbeats.spent(young), Micros::from_millis(700));
    }

    #[test]
    fn rows_out_of_order_change_nothing() {
        assert_eq!(
            heartbeats(&[10_000, 0], &[3_000, 1_000, 2_000]),
            heartbeats(&[0, 10_000], &[1_000, 2_000, 3_000])
        );
        assert_eq!(heartbeats(&[0], &[3_000, 9_000]).latest(), at(9_000));
    }
}
