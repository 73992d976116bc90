//! From a token or a cookie to an account: the look-up, the entry into the connections, and
//! `welcome`.

use std::sync::Arc;

use zeitnot_protocol::{Code, Scopes, ServerMessage, Welcome};

use super::buffers::Buffers;
use super::machine::{Claim, Identified, SessionInput};
use super::output::Output;
use super::task::{End, Identifying, Session};
use crate::accounts::{Kind, Person, TokenKind};
use crate::time::ServiceInstant;

/// Starts the look-up of an identity.
pub(super) fn identify(session: &Session, claim: Claim) -> Identifying {
    let sessions = Arc::clone(&session.sessions);
    let address = session.permit.address();
    match claim {
        Claim::Token(text) => Box::pin(async move {
            sessions.tasks.overload().turn().await.map_err(|_| Code::Unavailable)?;
            let found = sessions.accounts.by_token(&text, address).await?;
            Ok(Identified::of(found.ok_or(Code::BadToken)?))
        }),
        Claim::NewGuest => Box::pin(async move {
            if sessions.tasks.is_stopping() {
                return Err(Code::Unavailable);
            }
            sessions.tasks.overload().turn().await.map_err(|_| Code::Unavailable)?;
            let (account, token) =
                sessions.accounts.create_guest(address, TokenKind::Shown, String::new()).await?;
            let (who, proof) = (Person::guest(account), Some(token.digest()));
            Ok(Identified { who, proof, scopes: Scopes::SESSION, until: None, token: Some(token) })
        }),
    }
}

impl Session {
    /// The look-up has an answer. The close code tells an account that has as many connections as
    /// it may, or whose token was revoked meanwhile.
    pub(super) fn identified(
        &mut self,
        answer: Result<Identified, Code>,
        at: ServiceInstant,
        buffers: &mut Buffers,
    ) -> Result<(), End> {
        if let Ok(Identified { who, proof, .. }) = answer {
            let (connection, outbox) = (self.line.id, self.line.outbox.clone());
            self.sessions.connections.enter(who.account, proof, connection, outbox)?;
            let who = self.sessions.connections.latest(who);
            if who.kind == Kind::Bot {
                self.sessions.connections.note_bot(who.account);
            }
            self.who = Some(who);
        }
        self.handle(SessionInput::Identified(answer), at, buffers)
    }

    /// Says `welcome`; then an account is sent its challenges and takes its seats: each game's snapshot
    /// follows.
    pub(super) fn welcome(&mut self, identity: Option<Identified>, output: &mut Output) -> Result<(), End> {
        let account = identity.as_ref().map(|identity| identity.who.account);
        let welcome = Welcome {
            account,
            name: self.who.map(|who| who.shown_name()),
            token: identity.and_then(|identity| identity.token).map(|token| token.reveal()),
            boot: self.sessions.settings.boot,
            epoch: self.sessions.settings.epoch,
            limits: self.sessions.settings.limits,
        };
        output.message(&ServerMessage::Welcome(welcome));
        let Some(account) = account else { return Ok(()) };
        // They go through the queue, which is emptied as there is room. It has room for them:
        // nothing else is in it yet.
        self.sessions.lobby.connected(account, self.line.id, self.permit.address());
        // The games are read after the session entered the connections: a game that begins now is in
        // this list, or is told, or both.
        let (subscriptions, at) = self.games(output);
        subscriptions.take_seats(&at)?;
        Ok(())
    }
}
