//! The commands of the lobby: what each looks up, and what it hands to the machine.
//!
//! No method waits. A command that needs accounts or a finished game goes on in a task.

use std::sync::Arc;

use zeitnot_protocol::{
    AccountId, ChallengeCommand, Code, CommandId, CreateChallenge, DeclineChallenge, GameCommand, GameId,
    JoinPool,
};
use zeitnot_rules::game::PlayerName;

use super::machine::{Challenge, LobbyInput, Request};
use super::rematch;
use super::shell::Lobby;
use super::terms::Terms;
use crate::accounts::Requester;

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
        let terms = Terms::read(&wanted).map_err(|(code, message)| (code, Some(message)))?;
        let to = self.addressee(&wanted).await.map_err(|code| (code, None))?;
        let challenge = Challenge {
            id: self.parts.entropy.challenge_id(),
            owner: requester.person(),
            to,
            command: wanted.id,
            rematch_of: None,
            seek: wanted.seek,
            terms: Arc::new(terms),
        };
        // Stored with the account in place of the name, which may be another account's one day.
        let wanted = CreateChallenge { to, to_name: None, ..wanted };
        let request = request(requester, wanted.id, None);
        self.make(request, challenge, &wanted).map_err(|code| (code, None))
    }

    /// The account to which a challenge is addressed, by id or by name.
    async fn addressee(&self, wanted: &CreateChallenge) -> Result<Option<AccountId>, Code> {
        let accounts = &self.parts.accounts;
        let found = match (wanted.to, &wanted.to_name) {
            (Some(account), _) => accounts.person(account).await,
            (None, Some(name)) => accounts.by_name(name).await,
            (None, None) => return Ok(None),
        };
        let person = found.map_err(|_| Code::Unavailable)?.ok_or(Code::UnknownAccount)?;
        Ok(Some(person.account))
    }

    fn make(
        self: &Arc<Self>,
        request: Request,
        challenge: Challenge,
        wanted: &CreateChallenge,
    ) -> Result<(), Code> {
        let record = serde_json::to_string(wanted).map_err(|error| {
            tracing::error!(%error, "the terms of a challenge cannot be written");
            Code::Unavailable
        })?;
        let owner = challenge.owner.account;
        self.handle(LobbyInput::Create { request, challenge: Box::new(challenge), record });
        self.take_new_name(owner);
        Ok(())
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
        let (challenge, again) = rematch::of(&game, requester.person(), wanted, id)?;
        self.make(request(requester, wanted.id, Some(wanted.game)), challenge, &again)
    }

    /// Answers `accept_challenge`.
    pub(crate) fn accept(self: &Arc<Self>, requester: &Requester, wanted: &ChallengeCommand) {
        let request = request(requester, wanted.id, None);
        let name = self.name(requester);
        self.handle(LobbyInput::Accept { request, name, challenge: wanted.challenge });
    }

    /// Answers `cancel_challenge`.
    pub(crate) fn cancel(self: &Arc<Self>, requester: &Requester, wanted: &ChallengeCommand) {
        let request = request(requester, wanted.id, None);
        self.handle(LobbyInput::Cancel { request, challenge: wanted.challenge });
    }

    /// Answers `decline_challenge`.
    pub(crate) fn decline(self: &Arc<Self>, requester: &Requester, wanted: &DeclineChallenge) {
        let request = request(requester, wanted.id, None);
        let &DeclineChallenge { challenge, reason, .. } = wanted;
        self.handle(LobbyInput::Decline { request, challenge, reason });
    }

    /// Answers `join_pool`.
    pub(crate) fn join_pool(self: &Arc<Self>, requester: &Requester, wanted: &JoinPool) {
        let request = request(requester, wanted.id, None);
        self.handle(LobbyInput::JoinPool { request, name: requester.name, pool: wanted.pool });
        self.take_new_name(requester.account);
    }

    /// Answers `leave_pool`.
    pub(crate) fn leave_pool(self: &Arc<Self>, requester: &Requester, id: Option<CommandId>) {
        self.handle(LobbyInput::LeavePool { request: request(requester, id, None) });
    }

    /// The name that the requester has by now.
    fn name(&self, requester: &Requester) -> Option<PlayerName> {
        self.parts.connections.new_name(requester.account).or(requester.name)
    }

    /// A name that was given after the account's command was read found nothing to change in the lobby:
    /// it is taken over once the lobby knows the account.
    fn take_new_name(self: &Arc<Self>, account: AccountId) {
        if let Some(name) = self.parts.connections.new_name(account) {
            self.renamed(account, name);
        }
    }
}

/// A command of `requester` with this id, about `game` if it is about one.
fn request(requester: &Requester, id: Option<CommandId>, game: Option<GameId>) -> Request {
    Request { connection: requester.connection, account: requester.account, id, game }
}
