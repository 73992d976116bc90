//! How a challenge ends without a game: its owner cancels it, its addressee declines it, its time comes, one of the two
//! blocks the other, or an account is closed; and an offer of a rematch when its owner's next game begins. Whether the owner is connected makes no difference.
//!
//! Invariant: from the moment it ends nobody can accept it. The end of a stored challenge that somebody
//! has asked for is durable before anybody is told; an expired one would only expire again.

use std::time::Duration;

use zeitnot_protocol::{AccountId, ChallengeId, Code, DeclineReason};

use super::over::End;
use super::{Challenge, LobbyEffect, LobbyMachine, Request, Step, Timer};
use crate::seeded_bugs::bug;
use crate::storage::Block;

/// The time from one sweep to the next. Nobody can accept or read a challenge whose time has come before it is swept.
const SWEEP_EVERY: Duration = Duration::from_secs(1);

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
            Err(Code::UnknownChallenge) => return step.reject(&request, self.over.why(id)),
            Err(code) => return step.reject(&request, code),
        };
        if ending.challenge.is_stored() {
            bug!(EndedBeforeDurable => step.gone(&ending.challenge, ending.declined));
            self.ending.insert(id, ending);
            step.effects.push(LobbyEffect::Discard(id));
        } else {
            self.tell_of(&ending, step);
        }
    }

    /// The end of a stored challenge is durable, or could not be stored. Of an expired challenge
    /// everybody has been told.
    pub(super) fn discarded(&mut self, id: ChallengeId, is_durable: bool, step: &mut Step<'_>) {
        match self.ending.remove(&id) {
            Some(ending) if is_durable => self.tell_of(&ending, step),
            Some(ending) => step.reject(&ending.request, Code::Unavailable),
            None => {}
        }
    }

    /// Ends the open challenges whose time has come, and sets the next sweep while there are others.
    pub(super) fn sweep(&mut self, step: &mut Step<'_>) {
        let over = self.challenges.sweep(step.at);
        self.end_all(over, End::Expired, step);
        self.set_sweep(step);
    }

    /// Sets the next sweep, if none is set and there are challenges that end.
    pub(super) fn set_sweep(&mut self, step: &mut Step<'_>) {
        if self.challenges.begin_sweeps() {
            let at = step.at + SWEEP_EVERY;
            step.effects.push(LobbyEffect::SetTimer { at, timer: Timer::Sweep });
        }
    }

    /// The next game of these players has begun: nobody waits any more for a rematch that one of them offered, unless it has no
    /// clocks, and their seeks end.
    pub(super) fn withdraw_offers(&mut self, players: [AccountId; 2], step: &mut Step<'_>) {
        for account in players {
            bug!(RematchOutlivesTheNextGame => break);
            let over = self.challenges.remove_open_rematches(account);
            self.end_all(over, End::Cancelled, step);
        }
        for account in players {
            bug!(SeekOutlivesTheNextGame => break);
            self.withdraw_seeks(account, step);
        }
    }

    /// The open challenges of a closed account end: nobody would play.
    pub(super) fn account_closed(&mut self, account: AccountId, step: &mut Step<'_>) {
        let over = self.challenges.remove_of_closed(account);
        self.end_all(over, End::Cancelled, step);
    }

    /// Two accounts have nothing to do with each other any more: the open challenges of one to the other end.
    pub(super) fn blocked(&mut self, Block { by, whom }: Block, step: &mut Step<'_>) {
        let over = self.challenges.remove_between(by, whom);
        self.end_all(over, End::Cancelled, step);
    }

    /// Tells everybody concerned of the ends of these challenges.
    pub(super) fn end_all(&mut self, over: Vec<Challenge>, end: End, step: &mut Step<'_>) {
        for challenge in over {
            if challenge.is_stored() {
                step.effects.push(LobbyEffect::Discard(challenge.id));
            }
            self.over.note(challenge.view(None, step.at), end);
            step.gone(&challenge, None);
        }
    }

    /// Everybody concerned is told, and the requester is answered.
    fn tell_of(&mut self, ending: &Ending, step: &mut Step<'_>) {
        let end = if ending.declined.is_some() { End::Declined } else { End::Cancelled };
        self.over.note(ending.challenge.view(None, step.at), end);
        step.gone(&ending.challenge, ending.declined);
        step.done(&ending.request);
    }
}
