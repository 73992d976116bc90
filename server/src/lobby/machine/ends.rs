//! How a challenge ends without a game: its owner cancels it, its addressee declines it, or its owner
//! is disconnected for longer than the grace period.
//!
//! Invariant: from the moment it ends nobody can accept it. The end of a stored challenge that somebody
//! has asked for is durable before anybody is told; an expired one would only expire again.

use zeitnot_protocol::{AccountId, ChallengeId, Code, DeclineReason};

use super::{Challenge, LobbyEffect, LobbyMachine, Request, Step};
use crate::seeded_bugs::bug;
use crate::time::ServiceInstant;

/// A stored challenge that was cancelled or declined, until that is durable.
#[derive(Debug)]
pub(super) struct Ending {
    request: Request,
    challenge: Challenge,
    declined: Option<DeclineReason>,
}

impl LobbyMachine {
    /// The owner cancels a challenge, or the addressee declines it.
    pub(super) fn end(
        &mut self,
        request: Request,
        id: ChallengeId,
        declined: Option<DeclineReason>,
        step: &mut Step<'_>,
    ) {
        let ended = match declined {
            None => self.challenges.cancel(id, request.by.account),
            Some(_) => self.challenges.decline(id, request.by.account),
        };
        let ending = match ended {
            Ok(challenge) => Ending { request, challenge, declined },
            Err(code) => return step.reject(&request, code),
        };
        if ending.challenge.is_stored() {
            bug!(EndedBeforeDurable => step.gone(&ending.challenge, ending.declined));
            self.ending.insert(id, ending);
            step.effects.push(LobbyEffect::Discard(id));
        } else {
            ending.tell(step);
        }
    }

    /// The end of a stored challenge is durable, or could not be stored. Of an expired challenge
    /// everybody has been told.
    pub(super) fn discarded(&mut self, id: ChallengeId, is_durable: bool, step: &mut Step<'_>) {
        match self.ending.remove(&id) {
            Some(ending) if is_durable => ending.tell(step),
            Some(ending) => step.reject(&ending.request, Code::Unavailable),
            None => {}
        }
    }

    /// The grace of an account that left at `left` is over. If it has not returned since, its
    /// challenges end.
    pub(super) fn grace_over(&mut self, account: AccountId, left: ServiceInstant, step: &mut Step<'_>) {
        for challenge in self.challenges.expire(account, left) {
            if challenge.is_stored() {
                step.effects.push(LobbyEffect::Discard(challenge.id));
            }
            step.gone(&challenge, None);
        }
    }
}

impl Ending {
    /// Everybody concerned is told, and the requester is answered.
    fn tell(&self, step: &mut Step<'_>) {
        step.gone(&self.challenge, self.declined);
        step.done(&self.request);
    }
}
