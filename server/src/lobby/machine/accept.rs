//! Accepting a challenge, and the game that it becomes.
//!
//! Invariants: a game that cannot begin leaves its challenge open. A request to accept that the same
//! account sends again while the game is being started is answered when the outcome is known.

use zeitnot_protocol::{ChallengeGone, ChallengeId, Code, GameId, ServerMessage};

use super::over::End;
use super::starts::Wanted;
use super::{LobbyEffect, LobbyMachine, NewGame, Request, Start, Step};
use crate::games::Origin;
use crate::seeded_bugs::bug;

/// A challenge that was accepted, while its game is being started.
#[derive(Debug)]
pub(super) struct Accepted {
    challenge: ChallengeId,
    first: Request,
    /// Requests of the same account that came since.
    again: Vec<Request>,
}

impl LobbyMachine {
    /// Accepts a challenge: its game is started.
    pub(super) fn accept(&mut self, request: Request, id: ChallengeId, step: &mut Step<'_>) {
        let (game, by) = (GameId::from(id), request.by);
        if let Some(Start::Accepted(accepted)) = self.starting.get_mut(&game)
            && accepted.first.by.account == by.account
        {
            bug!(RepeatNotAnswered => return);
            return accepted.again.push(request);
        }
        let admitted =
            self.challenges.get(id).map_or(Ok(()), |challenge| challenge.admits(by, request.rating));
        if let Err(why) = admitted {
            return step.reject_because(&request, why);
        }
        let live = self.all_live_games(step);
        let wanted = self.challenges.get(id).map(|challenge| Wanted {
            players: [challenge.owner.account, by.account],
            from: [request.address; 2],
        });
        if let Some(Err(code)) = wanted.map(|wanted| self.starts.may_begin(wanted, live, step.at)) {
            return step.reject(&request, code);
        }
        let challenge = match self.challenges.accept(id, by.account, step.at, step.games_left()) {
            Ok(challenge) => challenge,
            Err(Code::UnknownChallenge) => {
                let otherwise = self.over.why(id);
                return step.effects.push(LobbyEffect::AnswerFromGame { request, game, otherwise });
            }
            Err(code) => return step.reject(&request, code),
        };
        if let Some(wanted) = wanted {
            self.starts.count(wanted, step.at);
        }
        let accepted = Accepted { challenge: id, first: request, again: Vec::new() };
        self.starting.insert(game, Start::Accepted(Box::new(accepted)));
        let owner = challenge.owner;
        let made_by = (owner.account, challenge.command);
        let origin = Some(Origin { made_by, rematch_of: challenge.rematch_of });
        let new = NewGame { game, terms: challenge.terms, challenger: owner, accepter: by, origin };
        step.effects.push(LobbyEffect::StartGame(Box::new(new)));
    }

    /// The game of an accepted challenge is durable: both players are told on every connection.
    pub(super) fn challenge_played(&mut self, game: GameId, accepted: &Accepted, step: &mut Step<'_>) {
        let request = accepted.first;
        let challenge = self.challenges.played(accepted.challenge);
        self.over.note(challenge.id, End::Taken);
        let players = [challenge.owner.account, request.by.account];
        self.next_game_began(players, step);
        let gone = ChallengeGone { challenge: challenge.id, game: Some(game), declined: None };
        let gone = ServerMessage::ChallengeGone(gone);
        step.send(request.connection, gone.clone());
        step.effects.push(LobbyEffect::SeatAndAnswer { request, game });
        let except = Some(request.connection);
        for account in players {
            step.notify(account, except, gone.clone());
            step.effects.push(LobbyEffect::Seat { account, except, game });
        }
        for &request in &accepted.again {
            step.effects.push(LobbyEffect::SeatAndAnswer { request, game });
        }
    }

    /// The game of an accepted challenge cannot begin: the challenge is open again, and the requests
    /// that came since are handled as if they came only now.
    pub(super) fn challenge_not_played(&mut self, accepted: Accepted, step: &mut Step<'_>) {
        let id = accepted.challenge;
        self.challenges.reopen(id);
        self.end_if_withdrawn(id, step);
        step.reject(&accepted.first, Code::Unavailable);
        for request in accepted.again {
            self.accept(request, id, step);
        }
    }
}
