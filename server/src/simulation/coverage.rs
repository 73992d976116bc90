//! What a run came to: a simulation that does nothing must fail.

use std::collections::BTreeMap;

/// How often each thing happened.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Coverage(BTreeMap<String, u64>);

impl Coverage {
    pub(super) fn hit(&mut self, what: &str) {
        match self.0.get_mut(what) {
            Some(count) => *count += 1,
            None => {
                self.0.insert(what.to_owned(), 1);
            }
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (what, count) in &other.0 {
            *self.0.entry(what.clone()).or_default() += count;
        }
    }

    pub(super) fn count(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or_default()
    }
}

/// What many runs together must have come to.
pub(super) const EXPECTED: &[&str] = &[
    // Faults.
    "fault: cut",
    "fault: half open",
    "fault: doubled command",
    "fault: stalled session",
    "fault: slow reader",
    "fault: interleaved",
    "fault: pause",
    "fault: a 5 s pause with under 0.3 s left",
    "append: kept",
    "append: failed",
    "append: conflict",
    "append: unknown, kept",
    "append: unknown, lost",
    "append: unknown, late",
    "append: lost by a crash",
    "append: kept by a crash",
    "read: failed",
    "read: slow",
    // Crashes before each kind of step.
    "crash: before an append",
    "crash: an append in flight",
    "crash: between commit and publish",
    "crash: between publish and ok",
    "crash: mid-turn-start",
    "crash: nothing under way",
    "crash: the verdict is missing",
    // Recovery.
    "recovery: after a crash",
    "recovery: of an actor",
    "recovery: an interrupted turn was charged",
    "recovery: the turn went on without its player",
    "recovery: the ok came from the records",
    // Games at rest.
    "rest: woken",
    "rest: woken when due",
    "rest: over a crash",
    "rest: unheard",
    // What clients did.
    "act: move",
    "act: offer_draw",
    "act: accept_draw",
    "act: decline_draw",
    "act: claim_draw",
    "act: claim_absence",
    "act: offer_takeback",
    "act: accept_takeback",
    "act: decline_takeback",
    "act: give_time",
    "act: ask_ilc",
    "act: resign",
    "act: abort",
    "act: watch",
    "act: watch after",
    "act: unwatch",
    "act: history",
    "act: sent again",
    "act: sent again on another connection",
    "heard: ok",
    "heard: the same ok again",
    "heard: rejected",
    "heard: snapshot",
    "heard: turn",
    "heard: clock",
    "heard: presence",
    "heard: watchers",
    "heard: history",
    "closed: game_reset",
    "closed: overloaded",
    "closed: no_pong",
    "tail: exact",
    // What came of it.
    "event: MovePlayed",
    "event: DrawOffered",
    "event: DrawDeclined",
    "event: DrawClaimed",
    "event: AbsenceClaimed",
    "event: TakebackOffered",
    "event: TakebackDeclined",
    "event: TakenBack",
    "event: TimeAdjusted",
    "event: IlcAsked",
    "event: IlcRemedied",
    "event: FlagFell",
    "event: Resigned",
    "end: Checkmate",
    "end: Resignation",
    "end: FlagFall",
    "end: Agreement",
    "end: Aborted",
    "end: FirstMoveLimit",
    "end: Abandonment",
    "end: ThreefoldRepetition",
    "end: FiftyMoves",
    "fence: a move in hand beat the flag",
];
