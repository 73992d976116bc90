//! What the server says.

use std::time::Duration;

use zeitnot_protocol::{ChallengeId, Code, CommandId, GameId, Rejected, ServerMessage};

use super::commands::{Owner, Pending};
use super::{Answer, Effect, Machine, Moment, SETTLES_AFTER, Unreadable, answer};
use crate::{Error, Event, GameEvent};

impl Machine {
    pub(super) fn received(&mut self, message: ServerMessage, now: Moment, out: &mut Vec<Effect>) {
        if !self.link.is_open() {
            return self.handshake(message, now, out);
        }
        let written = now.saturating_sub(self.round_trip.one_way());
        let capacity = self.options.game_buffer;
        if let Some((game, event)) = GameEvent::public(&message) {
            return self.games.event(game, &event, written, capacity, out);
        }
        match message {
            ServerMessage::Snapshot(snapshot) => {
                let account = self.welcome.as_ref().and_then(|welcome| welcome.account);
                let players = [snapshot.players.white.account, snapshot.players.black.account];
                let is_own = account.is_some_and(|account| players.contains(&account));
                let is_explained = snapshot.game.as_str().parse().is_ok_and(|id| self.knows(id));
                if self.games.snapshot(&snapshot, is_own, self.connection, is_explained, out) {
                    self.began(snapshot.game, out);
                }
                let opening = self.games.follow(snapshot.game).and_then(|follow| follow.opening.take());
                out.extend(opening.map(|key| Effect::Answer(key, Ok(Answer::Done))));
            }
            ServerMessage::Turn(turn) => self.games.turn(turn, out),
            ServerMessage::Presence(presence) => self.games.presence(presence, out),
            ServerMessage::Clock(clock) => {
                let answers = self.answered(clock.id).is_some();
                if let Some(follow) = self.games.follow(clock.game) {
                    follow.clock(&clock, answers, written, out);
                }
            }
            ServerMessage::Said(said) => {
                if let Some(follow) = self.games.follow(said.game) {
                    follow.said(&said, out);
                }
            }
            ServerMessage::Rated(ref rated) => self.other(rated.game, message, out),
            ServerMessage::Watchers(ref watchers) => self.other(watchers.game, message, out),
            ServerMessage::Challenge(challenge) => {
                let pending = self.answered(challenge.id);
                let is_own =
                    Some(challenge.by.account) == self.welcome.as_ref().and_then(|known| known.account);
                let is_explained = pending.is_some() || !is_own || !self.commands.creates();
                if let Some(pending) = pending {
                    answer(pending.owner, Ok(Answer::Challenge(Box::new(challenge.clone()))), out);
                }
                self.account.challenge(challenge, is_explained, self.connection, out);
            }
            ServerMessage::ChallengeGone(gone) => self.account.gone(&gone, out),
            ServerMessage::Waiting(waiting) => self.account.waits(waiting, out),
            ServerMessage::Name(name) => self.account.named(name.name, out),
            ServerMessage::Lobby(lobby) => {
                self.answered(lobby.id);
                if self.is_in_lobby {
                    out.push(Effect::Event(None, Event::Lobby(Box::new(lobby))));
                }
            }
            ServerMessage::LobbyNews(news) if self.is_in_lobby => {
                out.push(Effect::Event(None, Event::LobbyNews(Box::new(news))));
            }
            ServerMessage::History(history) => {
                if let Some(pending) = self.answered(history.id) {
                    answer(pending.owner, Ok(Answer::History(Box::new(history))), out);
                }
            }
            ServerMessage::Ok(ok) => {
                if let Some(pending) = self.answered(ok.id) {
                    if let (Some(game), true) = (ok.game, pending.begins_game()) {
                        self.account.explain(game);
                        self.games.explained(game);
                    }
                    answer(pending.owner, Ok(Answer::Ok(ok)), out);
                }
            }
            ServerMessage::Rejected(rejected) => self.rejected(rejected, now, out),
            ServerMessage::Pong(pong) => {
                self.round_trip.pong(&pong, now);
                if !self.is_settled {
                    self.settles_at.get_or_insert(now + SETTLES_AFTER);
                }
            }
            // A second `welcome`, or news of a lobby that was left.
            _ => {}
        }
    }

    /// Before `welcome`.
    fn handshake(&mut self, message: ServerMessage, now: Moment, out: &mut Vec<Effect>) {
        match message {
            ServerMessage::Welcome(welcome) => self.welcomed(welcome, now, out),
            ServerMessage::Rejected(Rejected { code: Code::Unavailable, .. }) => {
                self.come_back(None, Duration::ZERO, now, out);
            }
            // Too many of this address: it is asked again when the minute is over.
            ServerMessage::Rejected(Rejected {
                code: Code::TooManyBadTokens | Code::TooManyGuests, ..
            }) if self.welcome.is_some() => {
                self.come_back(None, Duration::from_secs(60), now, out);
            }
            ServerMessage::Rejected(Rejected { code, message, .. }) => {
                self.stop(Error::Rejected { code, message }, out);
            }
            _ => {}
        }
    }

    /// Whether it is known where the game of this challenge comes from.
    fn knows(&self, challenge: ChallengeId) -> bool {
        self.account.explains(challenge) || self.commands.accepts(challenge)
    }

    fn answered(&mut self, id: Option<CommandId>) -> Option<Pending> {
        self.commands.answered(id)
    }

    fn other(&mut self, game: GameId, message: ServerMessage, out: &mut Vec<Effect>) {
        if let Some(follow) = self.games.follow(game) {
            follow.other(message, out);
        }
    }

    fn rejected(&mut self, rejected: Rejected, now: Moment, out: &mut Vec<Effect>) {
        let Rejected { id: Some(id), code, message, .. } = rejected else { return };
        if code == Code::Unavailable {
            return self.commands.again_later(id, now);
        }
        let Some(pending) = self.answered(Some(id)) else { return };
        let error = Error::Rejected { code, message };
        match pending.owner {
            Owner::Watch(game) => {
                let opening = self.games.follow(game).and_then(|follow| follow.opening.take());
                match opening {
                    Some(key) => {
                        self.games.close(game);
                        out.push(Effect::Answer(key, Err(error)));
                    }
                    None => {
                        self.games.close(game);
                        out.push(Effect::Lost(game, error));
                    }
                }
            }
            owner if pending.had_taken_effect(code) => answer(owner, Ok(Answer::Done), out),
            owner => answer(owner, Err(error), out),
        }
    }

    /// A frame came that this version cannot read.
    pub(super) fn unreadable(&mut self, unreadable: Unreadable, out: &mut Vec<Effect>) {
        if let Some(pending) = self.answered(unreadable.id) {
            answer(pending.owner, Err(Error::Unreadable), out);
        }
        if let Some((game, seq)) = unreadable.event
            && let Some(follow) = self.games.follow(game)
        {
            follow.unknown_event(seq, self.options.game_buffer);
        }
    }
}
