//! Doing what the machine of a session says: the answers, and the way to games and lobby.

use std::sync::Arc;

use zeitnot_protocol::{ClientMessage, Code, Pong, ServerMessage};

use super::handshake;
use super::machine::SessionEffect;
use super::output::Output;
use super::subscriptions::{GameRequest, Identity};
use super::task::{End, Session, context};
use crate::accounts::{Person, Requester};
use crate::telemetry::metrics;
use crate::time::ServiceInstant;

impl Session {
    /// Does one thing. `at` is the stamp of what led to it.
    pub(super) fn perform(
        &mut self,
        effect: SessionEffect,
        at: ServiceInstant,
        output: &mut Output,
    ) -> Result<(), End> {
        match effect {
            SessionEffect::Perform(message) => return self.act(message, at, output),
            SessionEffect::Pong(n) => output.message(&ServerMessage::Pong(Pong { n })),
            SessionEffect::Reject(rejection) => {
                metrics().frames_refused.increment(1);
                output.message(&rejection.into_message());
            }
            SessionEffect::Ping(number) => output.ping(number),
            SessionEffect::RoundTrip(smoothed) => {
                self.round_trip = Some(smoothed);
                self.subscriptions.round_trip(smoothed);
            }
            SessionEffect::Identify(claim) => self.identifying = Some(handshake::identify(self, claim)),
            SessionEffect::Welcome(identity) => return self.welcome(identity, output),
            SessionEffect::Close(code) => return Err(code.into()),
        }
        Ok(())
    }

    /// Acts on a message that this connection may send.
    fn act(&mut self, message: ClientMessage, at: ServiceInstant, output: &mut Output) -> Result<(), End> {
        match message {
            ClientMessage::CreateChallenge(wanted) => {
                if let Some(requester) = self.requester() {
                    self.sessions.lobby.create(requester, wanted);
                }
            }
            ClientMessage::AcceptChallenge(wanted) => {
                if let Some(requester) = self.requester() {
                    self.sessions.lobby.accept(&requester, &wanted);
                }
            }
            ClientMessage::CancelChallenge(wanted) => {
                if let Some(requester) = self.requester() {
                    self.sessions.lobby.cancel(&requester, &wanted);
                }
            }
            ClientMessage::EnterLobby(wanted) => self.enter_lobby(&wanted, output),
            ClientMessage::LeaveLobby(wanted) => self.leave_lobby(&wanted, output),
            ClientMessage::JoinPool(wanted) => {
                if let Some(requester) = self.requester() {
                    self.sessions.lobby.join_pool(&requester, &wanted);
                }
            }
            ClientMessage::LeavePool(wanted) => {
                if let Some(requester) = self.requester() {
                    self.sessions.lobby.leave_pool(&requester, wanted.id);
                }
            }
            ClientMessage::SetName(wanted) => {
                if let Some(requester) = self.requester() {
                    if self.sessions.is_stopping() {
                        requester.reject(wanted.id, Code::Unavailable, None);
                        return Ok(());
                    }
                    let lobby = Arc::clone(&self.sessions.lobby);
                    let renamed = move |account, name| lobby.renamed(account, name);
                    let naming = self.sessions.accounts.set_name(requester, &wanted, renamed);
                    self.sessions.tasks.spawn(naming);
                }
            }
            ClientMessage::DeclineChallenge(wanted) => {
                if let Some(requester) = self.requester() {
                    self.sessions.lobby.decline(&requester, &wanted);
                }
            }
            ClientMessage::OfferRematch(wanted) => {
                if let Some(requester) = self.requester() {
                    self.sessions.lobby.offer_rematch(requester, wanted);
                }
            }
            ClientMessage::Say(say) => self.say(say, at, output),
            ClientMessage::Hello(_) | ClientMessage::Ping(_) => {
                debug_assert!(false, "the machine answers these itself");
            }
            message => {
                let (identity, watched_max) = (self.identity(), self.sessions.settings.limits.watched_games);
                let request = GameRequest { message: &message, stamp: at, watched_max };
                let is_about_a_game = self.subscriptions.act(
                    &mut context(&self.sessions, &self.line, output),
                    identity,
                    &request,
                )?;
                debug_assert!(is_about_a_game, "every other message is answered above");
            }
        }
        Ok(())
    }

    /// The account of this session as others see it.
    pub(super) fn who(&self) -> Option<Person> {
        self.account.map(|account| Person { account, name: self.name })
    }

    /// Who asks, for one that acts for an account.
    pub(super) fn requester(&self) -> Option<Requester> {
        let Person { account, name } = self.who()?;
        let (connection, outbox) = (self.line.id, self.line.outbox.clone());
        Some(Requester { account, name, connection, outbox })
    }

    /// For whom this session acts.
    pub(super) fn identity(&self) -> Identity {
        Identity { account: self.account, round_trip: self.round_trip }
    }
}
