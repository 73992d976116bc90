//! The commands of the lobby: what each looks up, and what it hands to the machine.
//!
//! No method waits. A command that needs accounts or a finished game goes on in a task.

use std::sync::Arc;

use zeitnot_protocol::{
    AccountId, ChallengeCommand, Code, CommandId, CreateChallenge, DeclineChallenge, GameCommand, GameId,
    JoinPool,
};

use super::machine::{Challenge, LobbyInput, Request};
use super::rematch;
use super::shell::Lobby;
use crate::accounts::{Person, Requester};

/// Why a command was rejected: the code, and a text in place of the code's meaning.
type Rejection = (Code, Option<String>);

impl Lobby {
    /// Answers `create_challenge`.
    pub(crate) fn create(self: &Arc<Self>, requester: Requester, wanted: CreateChallenge) {
        let lobby = Arc::clone(self);
        self.parts.tasks.spawn(async move {
            let id = wanted.id;
            if let Err((code, message)) = lobby.try_create(&requester, wanted).await {
                requester.reject(id, code, message);
            }
        });
    }

    async fn try_create(
        self: &Arc<Self>,
        requester: &Requester,
        wanted: CreateChallenge,
    ) -> Result<(), Rejection> {
        if wanted.seek && (wanted.to.is_some() || wanted.to_name.is_some()) {
            return Err((Code::BadOptions, Some("a seek is for anybody: not with to or to_name".to_owned())));
        }
        let id = self.parts.entropy.challenge_id();
        let request = self.request(requester, wanted.id, None);
        let read = Challenge::new(id, request.by, wanted, None);
        let mut challenge = read.map_err(|(code, message)| (code, Some(message)))?;
        challenge.to = self.addressee(&challenge.terms.wanted).await.map_err(|code| (code, None))?;
        self.make(request, challenge);
        Ok(())
    }

    /// The account to which a challenge is addressed, by id or by name.
    async fn addressee(&self, wanted: &CreateChallenge) -> Result<Option<AccountId>, Code> {
        let accounts = &self.parts.accounts;
        let found = match (wanted.to, &wanted.to_name) {
            (Some(account), _) => accounts.person(account).await,
            (None, Some(name)) => accounts.by_name(name).await,
            (None, None) => return Ok(None),
        };
        Ok(Some(found?.ok_or(Code::UnknownAccount)?.account))
    }

    fn make(self: &Arc<Self>, request: Request, challenge: Challenge) {
        self.handle(LobbyInput::Create { request, challenge: Box::new(challenge) });
        self.take_new_name(request.by.account);
    }

    /// Answers `offer_rematch`.
    pub(crate) fn offer_rematch(self: &Arc<Self>, requester: Requester, wanted: GameCommand) {
        let lobby = Arc::clone(self);
        self.parts.tasks.spawn(async move {
            if let Err(code) = lobby.try_rematch(&requester, &wanted).await {
                requester.reject_about(Some(wanted.game), wanted.id, code, None);
            }
        });
    }

    async fn try_rematch(self: &Arc<Self>, requester: &Requester, wanted: &GameCommand) -> Result<(), Code> {
        let game = self.parts.games.read(wanted.game).await.map_err(|error| {
            tracing::error!(game = %wanted.game, %error, "a game cannot be read");
            Code::Unavailable
        })?;
        let game = game.ok_or(Code::UnknownGame)?;
        let id = self.parts.entropy.challenge_id();
        let request = self.request(requester, wanted.id, Some(wanted.game));
        self.make(request, rematch::of(&game, request.by, wanted, id)?);
        Ok(())
    }

    /// Answers `accept_challenge`.
    pub(crate) fn accept(self: &Arc<Self>, requester: &Requester, wanted: &ChallengeCommand) {
        let request = self.request(requester, wanted.id, None);
        self.handle(LobbyInput::Accept { request, challenge: wanted.challenge });
    }

    /// Answers `cancel_challenge`.
    pub(crate) fn cancel(self: &Arc<Self>, requester: &Requester, wanted: &ChallengeCommand) {
        let request = self.request(requester, wanted.id, None);
        self.handle(LobbyInput::End { request, challenge: wanted.challenge, declined: None });
    }

    /// Answers `decline_challenge`.
    pub(crate) fn decline(self: &Arc<Self>, requester: &Requester, wanted: &DeclineChallenge) {
        let request = self.request(requester, wanted.id, None);
        let declined = Some(wanted.reason);
        self.handle(LobbyInput::End { request, challenge: wanted.challenge, declined });
    }

    /// Answers `join_pool`.
    pub(crate) fn join_pool(self: &Arc<Self>, requester: &Requester, wanted: &JoinPool) {
        let request = self.request(requester, wanted.id, None);
        self.handle(LobbyInput::JoinPool { request, pool: wanted.pool });
        self.take_new_name(request.by.account);
    }

    /// Answers `leave_pool`.
    pub(crate) fn leave_pool(self: &Arc<Self>, requester: &Requester, id: Option<CommandId>) {
        self.handle(LobbyInput::LeavePool { request: self.request(requester, id, None) });
    }

    /// A command with this id of `requester`, by the name that it has by now, about `game` if it is
    /// about one.
    fn request(&self, requester: &Requester, id: Option<CommandId>, game: Option<GameId>) -> Request {
        let Requester { person: Person { account, name }, connection, .. } = *requester;
        let name = self.parts.connections.new_name(account).or(name);
        Request { connection, by: Person { account, name }, id, game }
    }

    /// A name that was given after the account's command was read found nothing to change in the lobby:
    /// it is taken over once the lobby knows the account.
    fn take_new_name(self: &Arc<Self>, account: AccountId) {
        if let Some(name) = self.parts.connections.new_name(account) {
            self.renamed(account, name);
        }
    }
}
