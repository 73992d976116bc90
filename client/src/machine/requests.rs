//! What callers want.

use zeitnot_protocol::{ClientMessage, GameId, GameRef};

use super::commands::Owner;
use super::{Answer, Effect, Key, Machine, Moment, Request, answer};
use crate::{Error, Event};

impl Machine {
    pub(super) fn request(&mut self, key: Key, request: Request, now: Moment, out: &mut Vec<Effect>) {
        match request {
            Request::Connect => {
                self.connecting = Some((key, now + self.options.connect_timeout));
                self.need_link(now, out);
            }
            Request::Command(message) => {
                let owner = Owner::Caller(key);
                match self.commands.put(*message, owner, now) {
                    Ok(()) => self.need_link(now, out),
                    Err(error) => answer(owner, Err(error), out),
                }
            }
            Request::Follow(game) => {
                if self.games.open(game, key) {
                    self.need_link(now, out);
                } else {
                    out.push(Effect::Answer(key, Err(Error::AlreadyOpen)));
                }
            }
            Request::GameOf(challenge) if self.games.is_own(challenge.into()) => {
                out.push(Effect::Answer(key, Ok(Answer::Game(challenge.into()))));
            }
            Request::GameOf(challenge) => self.account.await_game(key, challenge, out),
            Request::Subscribe(subscriber) => {
                out.push(Effect::Answer(key, Ok(Answer::Done)));
                self.tell_all(subscriber, now, out);
            }
            Request::Lobby(enters) => self.lobby(key, enters, now, out),
            Request::Stop => {
                out.push(Effect::Answer(key, Ok(Answer::Done)));
                self.stop(Error::Stopped, out);
            }
        }
    }

    /// From now on the lobby is told, or no longer.
    fn lobby(&mut self, key: Key, enters: bool, now: Moment, out: &mut Vec<Effect>) {
        self.is_in_lobby = enters;
        self.commands.forget(Owner::Lobby);
        out.push(Effect::Answer(key, Ok(Answer::Done)));
        if enters {
            self.need_link(now, out);
            if self.link.is_open() {
                self.enter_lobby(now);
            }
        } else if self.link.is_open() {
            let leave = ClientMessage::LeaveLobby(zeitnot_protocol::LobbyCommand::default());
            // Its answer is nobody's.
            drop(self.commands.put(leave, Owner::Lobby, now));
        }
    }

    /// Nobody has this game open any more.
    pub(super) fn close_game(&mut self, game: GameId) {
        let Some(follow) = self.games.close(game) else { return };
        self.commands.forget(Owner::Watch(game));
        if self.link.is_open() && !self.games.is_own(game) && !follow.has_ended() {
            self.pace.push(ClientMessage::Unwatch(GameRef { game }));
        }
    }

    /// A game of the account that was not known is in progress.
    pub(super) fn began(&mut self, game: GameId, out: &mut Vec<Effect>) {
        out.push(Effect::Event(None, Event::Game(game)));
        self.account.began(game, out);
    }
}
