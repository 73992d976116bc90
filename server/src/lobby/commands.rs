//! The commands of the lobby: what each looks up, and what it hands to the machine.
//!
//! No method waits. A command that needs accounts or a finished game goes on in a task.

use std::sync::Arc;

use zeitnot_protocol::{
    ChallengeCommand, ChallengeId, ClientMessage, Code, CommandId, CreateChallenge, DeclineChallenge,
    GameCommand, GameId, JoinPool, LobbyCommand, SetName,
};

use super::machine::{Challenge, LobbyInput, Request};
use super::ratings;
use super::rematch;
use super::shell::Lobby;
use super::terms::may_be_rated;
use crate::accounts::{Person, Requester};

/// Why a command was rejected: the code, and a text in place of the code's meaning.
type Rejection = (Code, Option<String>);

/// A command of an account about challenges, pools or its name.
#[derive(Debug)]
pub(crate) enum LobbyRequest {
    Create(CreateChallenge),
    Accept(ChallengeCommand),
    Cancel(ChallengeCommand),
    Decline(DeclineChallenge),
    OfferRematch(GameCommand),
    JoinPool(JoinPool),
    LeavePool(LobbyCommand),
    SetName(SetName),
}

impl LobbyRequest {
    /// The id of the command, if the client gave it one.
    pub(crate) fn id(&self) -> Option<CommandId> {
        match self {
            Self::Create(wanted) => wanted.id,
            Self::Accept(wanted) | Self::Cancel(wanted) => wanted.id,
            Self::Decline(wanted) => wanted.id,
            Self::OfferRematch(wanted) => wanted.id,
            Self::JoinPool(wanted) => wanted.id,
            Self::LeavePool(wanted) => wanted.id,
            Self::SetName(wanted) => wanted.id,
        }
    }

    /// The same, to be changed.
    pub(super) fn id_mut(&mut self) -> &mut Option<CommandId> {
        match self {
            Self::Create(wanted) => &mut wanted.id,
            Self::Accept(wanted) | Self::Cancel(wanted) => &mut wanted.id,
            Self::Decline(wanted) => &mut wanted.id,
            Self::OfferRematch(wanted) => &mut wanted.id,
            Self::JoinPool(wanted) => &mut wanted.id,
            Self::LeavePool(wanted) => &mut wanted.id,
            Self::SetName(wanted) => &mut wanted.id,
        }
    }

    /// The game that it is about, which a rejection names.
    pub(super) fn game(&self) -> Option<GameId> {
        if let Self::OfferRematch(wanted) = self { Some(wanted.game) } else { None }
    }

    /// A client's command, if it is one of these.
    pub(super) fn of(message: ClientMessage) -> Option<Self> {
        Some(match message {
            ClientMessage::CreateChallenge(wanted) => Self::Create(wanted),
            ClientMessage::AcceptChallenge(wanted) => Self::Accept(wanted),
            ClientMessage::CancelChallenge(wanted) => Self::Cancel(wanted),
            ClientMessage::DeclineChallenge(wanted) => Self::Decline(wanted),
            ClientMessage::OfferRematch(wanted) => Self::OfferRematch(wanted),
            ClientMessage::JoinPool(wanted) => Self::JoinPool(wanted),
            ClientMessage::LeavePool(wanted) => Self::LeavePool(wanted),
            ClientMessage::SetName(wanted) => Self::SetName(wanted),
            _ => return None,
        })
    }
}

impl From<LobbyRequest> for ClientMessage {
    fn from(request: LobbyRequest) -> Self {
        match request {
            LobbyRequest::Create(wanted) => Self::CreateChallenge(wanted),
            LobbyRequest::Accept(wanted) => Self::AcceptChallenge(wanted),
            LobbyRequest::Cancel(wanted) => Self::CancelChallenge(wanted),
            LobbyRequest::Decline(wanted) => Self::DeclineChallenge(wanted),
            LobbyRequest::OfferRematch(wanted) => Self::OfferRematch(wanted),
            LobbyRequest::JoinPool(wanted) => Self::JoinPool(wanted),
            LobbyRequest::LeavePool(wanted) => Self::LeavePool(wanted),
            LobbyRequest::SetName(wanted) => Self::SetName(wanted),
        }
    }
}

impl Lobby {
    /// Answers a command, through the requester's queue. A server that stops begins nothing any more.
    pub(crate) fn ask(self: &Arc<Self>, requester: Requester, wanted: LobbyRequest) {
        if self.parts.tasks.is_stopping() {
            return requester.reject(wanted.id(), Code::Unavailable, None);
        }
        let wanted = match wanted {
            // An account is the same on all nodes.
            LobbyRequest::SetName(wanted) => return self.set_name(requester, &wanted),
            wanted => wanted,
        };
        let request = self.request(&requester, &wanted);
        match self.elsewhere() {
            Some(across) => self.hand_on(across, request, wanted),
            None => self.perform(request, wanted),
        }
    }

    /// Does what is wanted, in the lobby that is here.
    pub(super) fn perform(self: &Arc<Self>, request: Request, wanted: LobbyRequest) {
        self.handle(match wanted {
            LobbyRequest::Create(wanted) => {
                return self.make(request, Arc::clone(self).challenge(request.by, wanted));
            }
            LobbyRequest::OfferRematch(wanted) => {
                return self.make(request, Arc::clone(self).rematch(request, wanted));
            }
            LobbyRequest::SetName(_) => {
                return self.send(request.connection, &request.rejected(Code::Unavailable));
            }
            LobbyRequest::Accept(ChallengeCommand { challenge, .. }) => {
                return self.accept(request, challenge);
            }
            LobbyRequest::Cancel(ChallengeCommand { challenge, .. }) => {
                LobbyInput::End { request, challenge, declined: None }
            }
            LobbyRequest::Decline(DeclineChallenge { challenge, reason, .. }) => {
                LobbyInput::End { request, challenge, declined: Some(reason) }
            }
            LobbyRequest::JoinPool(JoinPool { pool, .. }) => LobbyInput::JoinPool { request, pool },
            LobbyRequest::LeavePool(_) => LobbyInput::LeavePool { request },
        });
        self.take_change(request.by);
    }

    /// Accepts a challenge: at once, or when the account's rating was read for one that asks for it.
    fn accept(self: &Arc<Self>, request: Request, challenge: ChallengeId) {
        let wanted = self.machine().challenge(challenge).map(|challenge| Arc::clone(&challenge.terms));
        let Some(terms) = wanted.filter(|terms| terms.has_range()) else {
            self.handle(LobbyInput::Accept { request, challenge });
            return self.take_change(request.by);
        };
        let lobby = Arc::clone(self);
        self.parts.tasks.spawn(async move {
            let rating = ratings::shown(&lobby.parts.ratings, request.by, terms.category()).await;
            lobby.handle(LobbyInput::Accept { request: Request { rating, ..request }, challenge });
            lobby.take_change(request.by);
        });
    }

    /// A command of `requester`, as its account is by now.
    fn request(&self, requester: &Requester, wanted: &LobbyRequest) -> Request {
        let Requester { person, connection, address, .. } = *requester;
        let by = self.parts.connections.latest(person);
        Request { connection, address, by, rating: None, id: wanted.id(), game: wanted.game() }
    }

    /// A change of the account after its command was read found nothing to change in the lobby: it is
    /// taken over once the lobby knows the account.
    pub(super) fn take_change(self: &Arc<Self>, by: Person) {
        let latest = self.parts.connections.latest(by);
        if latest != by {
            self.changed(latest);
        }
    }

    fn set_name(self: &Arc<Self>, requester: Requester, wanted: &SetName) {
        let lobby = Arc::clone(self);
        let changed = move |person| lobby.changed(person);
        self.parts.tasks.spawn(self.parts.accounts.set_name(requester, wanted, changed));
    }

    /// Makes the challenge, or rejects the command.
    fn make(
        self: &Arc<Self>,
        request: Request,
        challenge: impl Future<Output = Result<Challenge, Rejection>> + Send + 'static,
    ) {
        let lobby = Arc::clone(self);
        self.parts.tasks.spawn(async move {
            match challenge.await {
                Ok(challenge) => {
                    lobby.handle(LobbyInput::Create { request, challenge: Box::new(challenge) });
                    lobby.take_change(request.by);
                }
                Err((code, message)) => {
                    let message = message.unwrap_or_else(|| code.meaning().to_owned());
                    lobby.send(request.connection, &request.rejected_because(code, message));
                }
            }
        });
    }

    /// The challenge that `create_challenge` makes.
    async fn challenge(self: Arc<Self>, by: Person, wanted: CreateChallenge) -> Result<Challenge, Rejection> {
        if wanted.seek && (wanted.to.is_some() || wanted.to_name.is_some()) {
            return Err((Code::BadOptions, Some("a seek is for anybody: not with to or to_name".to_owned())));
        }
        let read = Challenge::new(self.parts.entropy.challenge_id(), by, wanted, None);
        let mut challenge = read.map_err(|(code, message)| (code, Some(message)))?;
        let to = self.addressee(&challenge.terms.wanted).await.map_err(|code| (code, None))?;
        if let Some(to) = to {
            let rules = self.parts.accounts.challenge_rules(to.account).await;
            let rules = rules.map_err(|_| (Code::Unavailable, None))?;
            if !rules.welcome(by, challenge.terms.category()) {
                return Err((Code::NotAccepting, None));
            }
        }
        if challenge.terms.wanted.rated {
            // Whom it is not addressed to is looked at when somebody accepts.
            let may = may_be_rated(by, to.unwrap_or(by));
            may.map_err(|(code, message)| (code, Some(message)))?;
        }
        challenge.to = to.map(|person| person.account);
        challenge.owner_rating = ratings::shown(&self.parts.ratings, by, challenge.terms.category()).await;
        Ok(challenge)
    }

    /// The account to which a challenge is addressed, by id or by name.
    async fn addressee(&self, wanted: &CreateChallenge) -> Result<Option<Person>, Code> {
        let accounts = &self.parts.accounts;
        let found = match (wanted.to, &wanted.to_name) {
            (Some(account), _) => accounts.person(account).await,
            (None, Some(name)) => accounts.by_name(name).await,
            (None, None) => return Ok(None),
        };
        found?.ok_or(Code::UnknownAccount).map(Some)
    }

    /// The challenge that `offer_rematch` makes.
    async fn rematch(self: Arc<Self>, request: Request, wanted: GameCommand) -> Result<Challenge, Rejection> {
        let Request { by, address, .. } = request;
        let read = self.parts.games.read(wanted.game, address).await;
        let game = read.map_err(|code| (code, None))?.ok_or((Code::UnknownGame, None))?;
        let challenge = rematch::of(&game, by, &wanted, self.parts.entropy.challenge_id());
        let mut challenge = challenge.map_err(|code| (code, None))?;
        challenge.owner_rating = ratings::shown(&self.parts.ratings, by, challenge.terms.category()).await;
        Ok(challenge)
    }
}
