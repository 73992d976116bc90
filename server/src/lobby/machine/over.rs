//! How the last challenges ended that are open no more, for whoever comes too late.
//!
//! Deliberately absent: anything durable. After a restart only a game still says what became of its challenge.

use std::collections::{HashMap, VecDeque};

use zeitnot_protocol::{ChallengeId, Code};

/// The challenges that are remembered, of some 40 bytes each: a busy server's last hour.
const REMEMBERED_MAX: usize = 10_000;

/// How a challenge ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Its time came.
    Expired,
    /// Its owner withdrew it, or has gone.
    Cancelled,
    /// Its addressee declined it.
    Declined,
    /// It has become a game.
    Taken,
}

/// The last challenges that ended.
#[derive(Debug, Default)]
pub(super) struct Over {
    ends: HashMap<ChallengeId, End>,
    /// In the order of their ends.
    order: VecDeque<ChallengeId>,
}

impl Over {
    /// A challenge has ended.
    pub(super) fn note(&mut self, id: ChallengeId, end: End) {
        if self.ends.insert(id, end).is_none() {
            self.order.push_back(id);
        }
        if self.order.len() > REMEMBERED_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.ends.remove(&oldest);
        }
    }

    /// Why a challenge that is not open cannot be accepted, as far as that is remembered.
    pub(super) fn why(&self, id: ChallengeId) -> Code {
        match self.ends.get(&id) {
            Some(End::Expired) => Code::ChallengeExpired,
            Some(End::Cancelled) => Code::ChallengeCancelled,
            Some(End::Declined) => Code::ChallengeDeclined,
            Some(End::Taken) => Code::ChallengeTaken,
            None => Code::UnknownChallenge,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_ends_are_remembered() {
        let mut over = Over::default();
        let id = |number: usize| ChallengeId::from_random(number as u128);
        for number in 0..=REMEMBERED_MAX {
            over.note(id(number), End::Declined);
            over.note(id(number), End::Declined);
        }
        assert_eq!((over.ends.len(), over.order.len()), (REMEMBERED_MAX, REMEMBERED_MAX));
        assert_eq!((over.why(id(0)), over.why(id(1))), (Code::UnknownChallenge, Code::ChallengeDeclined));
    }
}
