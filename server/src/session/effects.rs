//! Carrying out the effects of the session machine: answers, and requests to games, chats and the
//! lobby.

use zeitnot_protocol::{Code, Pong, ServerMessage};

use super::handshake;
use super::machine::SessionEffect;
use super::output::Output;
use super::rejection::Rejection;
use super::request::{LobbyViewRequest, Request};
use super::subscriptions::Identity;
use super::task::{End, Session};
use crate::accounts::Requester;
use crate::telemetry::metrics;
use crate::time::{ServiceInstant, unix_now_ms};

/// `pong` with the time of day.
fn pong(n: u32) -> ServerMessage {
    let unix_ms = unix_now_ms();
    let at = u32::try_from(unix_ms / 1_000).unwrap_or(u32::MAX);
    ServerMessage::Pong(Pong { n, at, ms: (unix_ms % 1_000) as u32 })
}

impl Session {
    /// Carries out one effect. `at` is the stamp of the input that led to it.
    pub(super) fn perform(
        &mut self,
        effect: SessionEffect,
        at: ServiceInstant,
        output: &mut Output,
    ) -> Result<(), End> {
        match effect {
            SessionEffect::Perform(request) => return self.act(request, at, output),
            SessionEffect::Pong(n) => output.message(&pong(n)),
            SessionEffect::Reject(rejection) => {
                metrics().frames_rejected.count(&[("code", rejection.code.as_str())]);
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

    /// Acts on a request that this connection may make.
    fn act(&mut self, request: Request, at: ServiceInstant, output: &mut Output) -> Result<(), End> {
        match request {
            Request::Game(request) => {
                let (subscriptions, mut games) = self.games(output);
                subscriptions.act(&mut games, request, at)?;
            }
            Request::Chat(say) => self.say(&say, at, output),
            Request::LobbyView(LobbyViewRequest::Enter(wanted)) => self.enter_lobby(&wanted, output),
            Request::LobbyView(LobbyViewRequest::Leave(wanted)) => self.leave_lobby(&wanted, output),
            Request::Lobby(request) => match self.requester() {
                Some(requester) => self.sessions.lobby.ask(requester, request),
                None => {
                    metrics().frames_rejected.count(&[("code", Code::NoAccount.as_str())]);
                    output.message(&Rejection::plain(request.id(), Code::NoAccount).into_message());
                }
            },
        }
        Ok(())
    }

    /// The requester of a command; `None` for a session without an account.
    pub(super) fn requester(&self) -> Option<Requester> {
        let (connection, outbox) = (self.line.id, self.line.outbox.clone());
        Some(Requester { person: self.who?, connection, address: self.permit.address(), outbox })
    }

    /// The identity that this session acts for.
    pub(super) fn identity(&self) -> Identity {
        Identity { account: self.who.map(|who| who.account), round_trip: self.round_trip }
    }
}
