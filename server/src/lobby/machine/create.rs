//! Making a challenge once: a command that is sent again finds what the first one has led to.
//!
//! Invariants: of two of the same command one makes the challenge, and neither is answered before it
//! is durable. A challenge that could not be stored was never told to anybody.

use zeitnot_protocol::{ChallengeId, Code, OkAnswer, ServerMessage};

use super::{Challenge, LobbyEffect, LobbyMachine, Request, Step};
use crate::seeded_bugs::bug;

/// Requests that wait for one challenge to be durable: more than a client sends again in the time of a write. While a
/// disk hangs one more is rejected with `unavailable`.
const SAME_REQUESTS_MAX: usize = 16;

/// A challenge that is being stored, as it was made or as it was accepted.
#[derive(Debug)]
pub(super) struct Opening {
    request: Request,
    /// Requests that wait for the same.
    waiting: Vec<WaitingRequest>,
}

impl Opening {
    pub(super) fn of(request: Request) -> Self {
        Self { request, waiting: Vec::new() }
    }

    /// Lets one more wait; `false` when there are too many.
    fn wait(&mut self, request: WaitingRequest) -> bool {
        let has_room = self.waiting.len() < SAME_REQUESTS_MAX;
        if has_room {
            self.waiting.push(request);
        }
        has_room
    }
}

/// A request that waits until a challenge is durable.
#[derive(Clone, Copy, Debug)]
enum WaitingRequest {
    /// The same command, sent again.
    SameCommand(Request),
    /// The opponent has offered the same rematch, and so accepts this one.
    Opponent(Request),
}

impl WaitingRequest {
    fn request(&self) -> &Request {
        let (Self::SameCommand(request) | Self::Opponent(request)) = self;
        request
    }
}

impl LobbyMachine {
    /// Makes a challenge, or finds what the same command, or the opponent's offer of the same
    /// rematch, has led to.
    pub(super) fn create(&mut self, request: Request, mut challenge: Challenge, step: &mut Step<'_>) {
        if let Some(lifetime) = challenge.lifetime(&self.limits) {
            challenge.until = step.at + lifetime;
        }
        if let Some(before) = self.challenges.made_before(&challenge) {
            return self.answer_when_durable(before, WaitingRequest::SameCommand(request), step);
        }
        if let Some(game) = step.facts.game_of_same_command(&challenge) {
            let ok = OkAnswer { id: request.id, game: Some(game), seq: Some(1) };
            return step.send(request.connection, ServerMessage::Ok(ok));
        }
        if let (Some(game), Some(opponent)) = (challenge.rematch_of, challenge.to)
            && let Some(theirs) = self.challenges.rematch(game, opponent)
        {
            return self.answer_when_durable(theirs, WaitingRequest::Opponent(request), step);
        }
        if challenge.to.is_some_and(|to| step.facts.is_blocked(challenge.owner.account, to)) {
            return step.reject(&request, Code::Blocked);
        }
        if let Err(code) = self.challenges.make(challenge.clone(), request.address, step.at) {
            return step.reject(&request, code);
        }
        self.set_sweep(step);
        let id = challenge.id;
        if challenge.is_stored() {
            bug!(AnnouncedBeforeDurable => return self.announce(&request, id, step));
            self.challenges.hold_until_durable(id);
            self.opening.insert(id, Opening::of(request));
            step.effects.push(LobbyEffect::Keep(Box::new(challenge)));
        } else {
            self.announce(&request, id, step);
        }
    }

    /// A challenge, or that it was accepted, is durable, or it could not be stored.
    pub(super) fn kept(&mut self, id: ChallengeId, is_durable: bool, step: &mut Step<'_>) {
        let Some(Opening { request, waiting }) = self.opening.remove(&id) else { return };
        self.challenges.kept(id, is_durable);
        if is_durable {
            self.announce(&request, id, step);
            for waiting in waiting {
                self.answer(id, waiting, step);
            }
            self.begin_waiting(request.by.account, request.address, step);
        } else {
            step.reject(&request, Code::Unavailable);
            for waiting in waiting {
                step.reject(waiting.request(), Code::Unavailable);
            }
        }
    }

    /// A challenge of the last run is open again. One that the limits do not allow is discarded.
    pub(super) fn restore(&mut self, challenge: Challenge, step: &mut Step<'_>) {
        let (id, owner) = (challenge.id, challenge.owner.account);
        match self.challenges.add(challenge) {
            Ok(()) => {
                self.last_connection_closed(owner, step);
                self.set_sweep(step);
            }
            Err(_) => step.effects.push(LobbyEffect::Discard(id)),
        }
    }

    fn answer_when_durable(&mut self, id: ChallengeId, waiting: WaitingRequest, step: &mut Step<'_>) {
        match self.opening.get_mut(&id) {
            Some(opening) => {
                if !opening.wait(waiting) {
                    step.reject(waiting.request(), Code::Unavailable);
                }
            }
            None => self.answer(id, waiting, step),
        }
    }

    /// Answers a request that found a challenge that is durable.
    fn answer(&mut self, id: ChallengeId, waiting: WaitingRequest, step: &mut Step<'_>) {
        match waiting {
            WaitingRequest::SameCommand(request) => match self.challenges.any(id) {
                Some(challenge) => {
                    let view = challenge.view(request.id, step.at);
                    step.send(request.connection, ServerMessage::Challenge(view));
                }
                None => step.reject(&request, Code::Unavailable),
            },
            // What is rejected from here on is the acceptance, which is not about the finished game.
            WaitingRequest::Opponent(request) => self.accept(Request { game: None, ..request }, id, step),
        }
    }

    /// A challenge is open, or accepted for later: the requester is answered, and the other connections of the accounts that
    /// it concerns are told.
    fn announce(&mut self, request: &Request, id: ChallengeId, step: &mut Step<'_>) {
        let Some(challenge) = self.challenges.get(id) else { return };
        let owner = challenge.owner.account;
        step.send(request.connection, ServerMessage::Challenge(challenge.view(request.id, step.at)));
        for account in challenge.concerned() {
            let view = challenge.view(None, step.at);
            step.notify(account, Some(request.connection), ServerMessage::Challenge(view));
        }
        // If the owner's last connection closed meanwhile, there was no open challenge to end then.
        self.last_connection_closed(owner, step);
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use zeitnot_protocol::AccountId;

    use super::*;
    use crate::accounts::Person;
    use crate::connections::ConnectionId;

    #[test]
    fn the_same_command_again_and_again_does_not_pile_up_behind_a_slow_disk() {
        let request = Request {
            connection: ConnectionId(1),
            address: IpAddr::from([127, 0, 0, 1]).into(),
            by: Person::guest(AccountId::from_u128(1)),
            rating: None,
            id: None,
            game: None,
        };
        let mut opening = Opening::of(request);
        for _ in 0..SAME_REQUESTS_MAX {
            assert!(opening.wait(WaitingRequest::SameCommand(request)));
        }
        assert!(!opening.wait(WaitingRequest::SameCommand(request)));
        assert_eq!(opening.waiting.len(), SAME_REQUESTS_MAX);
    }
}
