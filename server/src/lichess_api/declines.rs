//! The words with which challenges were declined lately.
//!
//! Our reasons are fewer than those of Lichess. The challenger is told the word that was given, where both use this API.
//!
//! Invariant: at most [`KEPT_MAX`] words are kept; of an older one the challenger is told the nearest word.

use std::collections::VecDeque;
use std::sync::Mutex;

use zeitnot_protocol::ChallengeId;

use super::words::Decline;
use crate::sync::unpoisoned;

/// Reasons that are kept: each is asked for within a moment.
const KEPT_MAX: usize = 256;

/// The reasons that were given lately.
#[derive(Debug, Default)]
pub(crate) struct Declines(Mutex<VecDeque<(ChallengeId, Decline)>>);

impl Declines {
    /// A challenge is about to be declined with this word.
    pub(super) fn note(&self, challenge: ChallengeId, word: Decline) {
        let mut kept = unpoisoned(self.0.lock());
        if kept.len() == KEPT_MAX {
            kept.pop_front();
        }
        kept.push_back((challenge, word));
    }

    /// The word with which a challenge was declined.
    pub(super) fn take(&self, challenge: ChallengeId) -> Option<Decline> {
        let mut kept = unpoisoned(self.0.lock());
        let place = kept.iter().rposition(|(known, _)| *known == challenge)?;
        kept.remove(place).map(|(_, word)| word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_counts_once_and_old_ones_go() {
        let declines = Declines::default();
        let id = |number| ChallengeId::from_random(number);
        declines.note(id(1), Decline::of_word("later"));
        declines.note(id(1), Decline::of_word("nobot"));
        assert_eq!(declines.take(id(1)).map(|word| word.key), Some("nobot"));
        declines.note(id(2), Decline::of_word("later"));
        for number in 0..KEPT_MAX {
            declines.note(id(100 + number as u128), Decline::of_word("rated"));
        }
        assert_eq!(declines.take(id(2)), None);
    }
}
