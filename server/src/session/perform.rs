//! Doing what the logic of a session says: the answers, and the way to games and lobby.

use std::sync::Arc;

use zeitnot_protocol::{ClientMessage, Code, GameId, Pong, ServerMessage};

use super::following::refuse;
use super::logic::Effect;
use super::output::Output;
use super::task::{End, Session, surroundings};
use super::welcome;
use crate::games::SeatCommand;
use crate::lobby::{self, Asker};
use crate::telemetry::metrics;
use crate::time::ServiceInstant;

impl Session {
    /// Does one thing. `at` is the stamp of what led to it.
    pub(super) fn perform(
        &mut self,
        effect: Effect,
        at: ServiceInstant,
        output: &mut Output,
    ) -> Result<(), End> {
        match effect {
            Effect::Perform(message) => return self.act(message, at, output),
            Effect::Pong(n) => output.message(&ServerMessage::Pong(Pong { n })),
            Effect::Refuse(refusal) => {
                metrics().frames_refused.increment(1);
                output.message(&refusal.into_message());
            }
            Effect::Ping(number) => output.ping(number),
            Effect::RoundTrip(smoothed) => {
                self.round_trip = Some(smoothed);
                self.following.round_trip(smoothed);
            }
            Effect::Identify(claim) => self.identifying = Some(welcome::identify(self, claim)),
            Effect::Welcome(identity) => return self.welcome(identity, output),
            Effect::Close(code) => return Err(code.into()),
        }
        Ok(())
    }

    /// Acts on a message that this connection may send.
    fn act(&mut self, message: ClientMessage, at: ServiceInstant, output: &mut Output) -> Result<(), End> {
        match message {
            ClientMessage::Watch(watch) => {
                if self.sits_down(watch.game)? && watch.after.is_none() {
                    return Ok(());
                }
                let watched_max = self.server.limits.watched_games;
                self.following.watch(
                    &mut surroundings(&self.server, &self.line, output),
                    &watch,
                    watched_max,
                )?;
            }
            ClientMessage::Unwatch(unwatch) => self.following.unwatch(unwatch.game),
            ClientMessage::History(history) => {
                self.following.history(&mut surroundings(&self.server, &self.line, output), &history);
            }
            ClientMessage::CreateChallenge(wanted) => {
                if let Some(asker) = self.asker() {
                    self.server.tasks.spawn(lobby::create(Arc::clone(&self.server), asker, wanted));
                }
            }
            ClientMessage::AcceptChallenge(wanted) => {
                if let Some(asker) = self.asker() {
                    self.server.tasks.spawn(lobby::accept(Arc::clone(&self.server), asker, wanted));
                }
            }
            ClientMessage::CancelChallenge(wanted) => {
                if let Some(asker) = self.asker() {
                    lobby::cancel(&self.server, asker, &wanted);
                }
            }
            ClientMessage::Hello(_) | ClientMessage::Ping(_) => {
                debug_assert!(false, "the logic answers these itself");
            }
            message => return self.command(&message, at, output),
        }
        Ok(())
    }

    fn asker(&self) -> Option<Asker> {
        let account = self.account?;
        let (connection, outbox) = (self.line.connection, self.line.outbox.clone());
        Some(Asker { account, connection, outbox })
    }

    /// Takes the account's seat in a live game that this session does not follow yet. `true` when it did now.
    fn sits_down(&mut self, game: GameId) -> Result<bool, End> {
        let Some(account) = self.account.filter(|_| !self.following.has_seat(game)) else { return Ok(false) };
        match self.server.games.get(game) {
            Some(handle) => Ok(self.following.take_seat(&self.line, &handle, account, self.round_trip)?),
            None => Ok(false),
        }
    }

    /// Hands a player's command to its game.
    fn command(
        &mut self,
        message: &ClientMessage,
        at: ServiceInstant,
        output: &mut Output,
    ) -> Result<(), End> {
        let (Some((game, command)), Some(account)) = (SeatCommand::of(message), self.account) else {
            debug_assert!(false, "the logic lets only commands of accounts pass");
            return Ok(());
        };
        if self.following.command(game, at, command.clone())? {
            return Ok(());
        }
        // The game began a moment ago, or it is somebody else's, or it has ended.
        if self.sits_down(game)? && self.following.command(game, at, command.clone())? {
            return Ok(());
        }
        match self.server.games.get(game) {
            Some(handle) if handle.seat_of(account).is_none() => {
                refuse(output, Some(game), command.id, Code::NotYourGame);
            }
            Some(_) | None => {
                let surroundings = &mut surroundings(&self.server, &self.line, output);
                self.following.answer(surroundings, game, account, command);
            }
        }
        Ok(())
    }
}
