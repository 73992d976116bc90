//! Accepting a challenge, and the game that it becomes.
//!
//! A game with clocks does not begin while the owner of its challenge is away: the challenge is accepted, durably, and the
//! game begins when both players are connected. By itself it begins only for players who play no other game with clocks;
//! otherwise when one of the two asks. A seek is accepted for a player in a pool, too (`quick_pairing`).
//!
//! Invariants: a game that cannot begin leaves its challenge as it was. A request to accept that the same
//! account sends again while the game is being started is answered when the outcome is known.

use std::time::Duration;

use zeitnot_protocol::{AccountId, ChallengeGone, ChallengeId, Code, GameId, ServerMessage, WireColor};

use super::create::Opening;
use super::matcher::Pair;
use super::over::End;
use super::starts::Wanted;
use super::{Challenge, LobbyEffect, LobbyMachine, NewGame, Request, Start, Step};
use crate::accounts::Person;
use crate::games::Origin;
use crate::lobby::terms::may_be_rated;
use crate::net::Address;
use crate::seeded_bugs::bug;

/// A challenge that was accepted, while its game is being started.
#[derive(Debug)]
pub(super) struct Accepted {
    challenge: ChallengeId,
    owner: AccountId,
    by: Person,
    /// Requests of the players that the game answers: none when it began by itself.
    requests: Vec<Request>,
}

impl Accepted {
    /// Whether a request of this account waits for the game: it is the one that accepted, or one of the two while nobody asks.
    fn is_answered_by_the_game(&self, account: AccountId) -> bool {
        self.by.account == account || self.requests.is_empty() && self.owner == account
    }
}

impl LobbyMachine {
    /// Accepts a challenge: its game is started, or waits for the owner.
    pub(super) fn accept(&mut self, request: Request, id: ChallengeId, step: &mut Step<'_>) {
        let (game, by) = (GameId::from(id), request.by);
        if let Some(Start::Accepted(accepted)) = self.starting.get_mut(&game)
            && accepted.is_answered_by_the_game(by.account)
        {
            bug!(RepeatNotAnswered => return);
            return accepted.requests.push(request);
        }
        let challenge = match self.challenges.acceptable(id, by.account, step.at) {
            Ok(challenge) => challenge.clone(),
            Err(Code::UnknownChallenge) => {
                let otherwise = self.over.why(id);
                return step.effects.push(LobbyEffect::AnswerFromGame { request, game, otherwise });
            }
            Err(code) => return step.reject(&request, code),
        };
        bug!(BlockIgnored => return self.accept_unblocked(request, &challenge, step));
        if step.facts.is_blocked(challenge.owner.account, by.account) {
            return step.reject(&request, Code::Blocked);
        }
        self.accept_unblocked(request, &challenge, step);
    }

    fn accept_unblocked(&mut self, request: Request, challenge: &Challenge, step: &mut Step<'_>) {
        let by = request.by;
        let accepter = match challenge.accepted_by {
            Some(accepter) if step.are_here(challenge) => accepter,
            Some(_) => return step.answer(&request, challenge),
            None => {
                if let Err(why) = challenge.admits(by, request.rating) {
                    return step.reject_because(&request, why);
                }
                if self.challenges.waits_for_its_owner(challenge, step.at) {
                    return self.accept_for_later(request, challenge, step);
                }
                by
            }
        };
        if let Err(code) = self.begin(challenge, accepter, Some(request), request.address, step) {
            step.reject(&request, code);
        }
    }

    /// Starts the game of an accepted challenge; for starting games it counts for the address `from`.
    ///
    /// # Errors
    /// Why it cannot begin now.
    pub(super) fn begin(
        &mut self,
        challenge: &Challenge,
        by: Person,
        request: Option<Request>,
        from: Address,
        step: &mut Step<'_>,
    ) -> Result<(), Code> {
        let (game, owner) = (GameId::from(challenge.id), challenge.owner);
        if challenge.terms.wanted.rated {
            // One of the two may have become a bot after the other accepted.
            may_be_rated(owner, by).map_err(|(code, _)| code)?;
        }
        let wanted = if step.facts.is_own_computer(by.account) {
            let from = step.facts.address_of(owner.account).unwrap_or(from);
            Wanted { players: [owner.account; 2], from: [from; 2] }
        } else {
            Wanted { players: [owner.account, by.account], from: [from; 2] }
        };
        self.starts.may_begin(wanted, self.all_live_games(step), step.at)?;
        self.challenges.begin(challenge, by.account, step.games_left())?;
        self.starts.count(wanted, step.at);
        let accepted = Accepted {
            challenge: challenge.id,
            owner: owner.account,
            by,
            requests: request.into_iter().collect(),
        };
        self.starting.insert(game, Start::Accepted(Box::new(accepted)));
        let made_by = (owner.account, challenge.command);
        let origin = Some(Origin { made_by, rematch_of: challenge.rematch_of });
        let terms = challenge.terms.clone();
        let new = NewGame { game, terms, challenger: owner, accepter: by, lot: challenge.lot(), origin };
        step.effects.push(LobbyEffect::StartGame(Box::new(new)));
        Ok(())
    }

    /// The owner is away: that this account has accepted is made durable, and then it is told.
    fn accept_for_later(&mut self, request: Request, challenge: &Challenge, step: &mut Step<'_>) {
        let until = step.at + Duration::from_millis(self.limits.challenge_lifetime_ms.into());
        match self.challenges.accept_for_later(challenge.id, request.by, until) {
            Ok(accepted) => {
                bug!(AcceptedBeforeDurable => return step.answer(&request, &accepted));
                self.opening.insert(challenge.id, Opening::of(request));
                step.effects.push(LobbyEffect::Keep(Box::new(accepted)));
            }
            Err(code) => step.reject(&request, code),
        }
    }

    /// A player of games that wait for both has connected, from this address: one of them begins if both are here, and
    /// neither plays another game with clocks.
    pub(super) fn begin_waiting(&mut self, account: AccountId, from: Address, step: &mut Step<'_>) {
        for challenge in self.challenges.waiting_for_both(account) {
            let is_free =
                |account| !self.challenges.is_starting(account) && !step.facts.plays_with_clocks(account);
            if let Some(by) = challenge.accepted_by
                && step.are_here(&challenge)
                && !step.facts.is_blocked(challenge.owner.account, by.account)
                && challenge.concerned().all(is_free)
            {
                // What cannot begin stays as it is, and its players are told why when they ask for it.
                self.begin(&challenge, by, None, from, step).ok();
            }
        }
    }

    /// The game of an accepted challenge is durable: both players are told on every connection.
    pub(super) fn challenge_played(&mut self, game: GameId, accepted: &Accepted, step: &mut Step<'_>) {
        let challenge = self.challenges.played(accepted.challenge);
        self.over.note(challenge.view(None, step.at), End::Taken);
        let players = [challenge.owner.account, accepted.by.account];
        if challenge.rematch_of.is_some()
            && let Some(color) = challenge.terms.wanted.color
        {
            let [owner, other] = players;
            let (white, black) = if color == WireColor::White { (owner, other) } else { (other, owner) };
            self.pools.note_rematch(Pair { white, black });
        }
        if challenge.seek {
            // Whoever waits in a pool may have joined it there.
            self.give_up_place(accepted.by.account, Some(game), step);
        }
        self.next_game_began(players, step);
        let gone = ChallengeGone { challenge: challenge.id, game: Some(game), declined: None };
        let gone = ServerMessage::ChallengeGone(gone);
        let first = accepted.requests.first();
        if let Some(&request) = first {
            step.send(request.connection, gone.clone());
            step.effects.push(LobbyEffect::SeatAndAnswer { request, game });
        }
        let except = first.map(|request| request.connection);
        for account in players {
            step.notify(account, except, gone.clone());
            step.effects.push(LobbyEffect::Seat { account, except, game });
        }
        for &request in accepted.requests.iter().skip(1) {
            step.effects.push(LobbyEffect::SeatAndAnswer { request, game });
        }
    }

    /// The game of an accepted challenge cannot begin: the challenge is as it was before, and the requests
    /// that came since are handled as if they came only now.
    pub(super) fn challenge_not_played(&mut self, accepted: Accepted, step: &mut Step<'_>) {
        let id = accepted.challenge;
        self.challenges.reopen(id);
        self.end_if_withdrawn(id, step);
        let mut requests = accepted.requests.into_iter();
        if let Some(first) = requests.next() {
            step.reject(&first, Code::Unavailable);
        }
        for request in requests {
            self.accept(request, id, step);
        }
    }
}

impl Step<'_> {
    /// Answers one of the two whose game waits for the other.
    fn answer(&mut self, request: &Request, challenge: &Challenge) {
        let view = challenge.view(request.id, self.at);
        self.send(request.connection, ServerMessage::Challenge(view));
    }

    /// Whether both who are to play are connected.
    fn are_here(&self, challenge: &Challenge) -> bool {
        bug!(BeginsWhileOneIsAway => return true);
        challenge.concerned().all(|account| self.facts.is_connected(account))
    }
}
