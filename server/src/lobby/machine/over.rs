//! How the last challenges ended that are open no more, for whoever comes too late.
//!
//! Deliberately absent: anything durable. After a restart only a game still says what became of its challenge.

use std::collections::{HashMap, VecDeque};

use zeitnot_protocol::{Challenge, ChallengeId, Code};

/// The challenges that are remembered: a busy server's last hour.
const REMEMBERED_MAX: usize = 10_000;

/// The challenges whose terms are remembered, too, of at most 1 KiB each.
const TERMS_MAX: usize = 1_000;

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
    ends: HashMap<ChallengeId, (End, Option<Box<Challenge>>)>,
    /// In the order of their ends.
    order: VecDeque<ChallengeId>,
}

impl Over {
    /// A challenge of these terms has ended.
    pub(super) fn note(&mut self, terms: Challenge, end: End) {
        let id = terms.challenge;
        let terms = Box::new(Challenge { ends_in_ms: None, ..terms });
        if self.ends.insert(id, (end, Some(terms))).is_none() {
            self.order.push_back(id);
        }
        let older = self.order.iter().rev().nth(TERMS_MAX);
        if let Some((_, terms)) = older.and_then(|older| self.ends.get_mut(older)) {
            *terms = None;
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
            Some((End::Expired, _)) => Code::ChallengeExpired,
            Some((End::Cancelled, _)) => Code::ChallengeCancelled,
            Some((End::Declined, _)) => Code::ChallengeDeclined,
            Some((End::Taken, _)) => Code::ChallengeTaken,
            None => Code::UnknownChallenge,
        }
    }

    /// Its terms, as far as they are remembered.
    pub(super) fn terms(&self, id: ChallengeId) -> Option<&Challenge> {
        self.ends.get(&id).and_then(|(_, terms)| terms.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::{AccountId, GameOptions, PlayerView, TimeControl, WireVariant};

    use super::*;

    fn challenge(challenge: ChallengeId) -> Challenge {
        Challenge {
            challenge,
            id: None,
            by: PlayerView::unrated(AccountId::from_u128(1), "Rook".to_owned()),
            to: None,
            seek: false,
            rematch_of: None,
            color: None,
            variant: WireVariant::Standard,
            fen: None,
            time_control: TimeControl::Unlimited,
            options: GameOptions::default(),
            rated: false,
            rating_min: None,
            rating_max: None,
            accepted_by: None,
            ends_in_ms: Some(1),
        }
    }

    #[test]
    fn the_last_ends_are_remembered() {
        let mut over = Over::default();
        let id = |number: usize| ChallengeId::from_random(number as u128);
        for number in 0..=REMEMBERED_MAX {
            over.note(challenge(id(number)), End::Declined);
            over.note(challenge(id(number)), End::Declined);
        }
        assert_eq!((over.ends.len(), over.order.len()), (REMEMBERED_MAX, REMEMBERED_MAX));
        let first = REMEMBERED_MAX - TERMS_MAX + 1;
        let remembered = Challenge { ends_in_ms: None, ..challenge(id(first)) };
        assert_eq!((over.terms(id(first - 1)), over.terms(id(first))), (None, Some(&remembered)));
        assert_eq!(over.ends.values().filter(|(_, terms)| terms.is_some()).count(), TERMS_MAX);
        assert_eq!((over.why(id(0)), over.why(id(1))), (Code::UnknownChallenge, Code::ChallengeDeclined));
    }
}
