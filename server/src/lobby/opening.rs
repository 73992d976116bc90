//! Opening a challenge, once: a command that was sent again finds what the first one has led to.
//!
//! Invariants: of two of the same command one opens the challenge, and neither is answered before that is durable. What
//! follows from an open challenge is written behind it.

use std::sync::Arc;

use zeitnot_protocol::{
    AccountId, ChallengeCommand, ChallengeId, Code, CommandId, CreateChallenge, GameId, OkAnswer,
    ServerMessage,
};

use super::challenges::Offer;
use super::terms::Terms;
use super::{accept, left};
use crate::accounts::Requester;
use crate::connections::ToSession;
use crate::games::Origin;
use crate::server::Server;

/// What a wish for a challenge came to.
#[derive(Debug)]
pub(super) enum Opened {
    /// It is open now.
    New(Offer<Arc<Terms>>),
    /// It was open: the command was sent again.
    Before(Offer<Arc<Terms>>),
    /// Its game is in progress: the command was sent again.
    Begun(GameId),
    /// The opponent has offered the same rematch: that is to be accepted.
    Theirs(ChallengeId),
}

/// Answers who wished for a challenge, and tells the others of a new one.
pub(super) async fn answer(server: Arc<Server>, requester: Requester, id: Option<CommandId>, opened: Opened) {
    match opened {
        Opened::New(offer) => {
            requester.say(&ServerMessage::Challenge(offer.view(id)));
            let news = ToSession::message(&ServerMessage::Challenge(offer.view(None)));
            for account in [Some(requester.account), offer.to].into_iter().flatten() {
                let except = Some(requester.connection);
                server.connections.tell(account, except, || ToSession::Text(Arc::clone(&news)));
            }
            // An owner whose last connection closed meanwhile had no challenge yet when that was noticed.
            if !server.connections.is_here(requester.account) {
                left(&server, requester.account);
            }
        }
        Opened::Before(offer) => requester.say(&ServerMessage::Challenge(offer.view(id))),
        Opened::Begun(game) => {
            requester.say(&ServerMessage::Ok(OkAnswer { id, game: Some(game), seq: Some(1) }));
        }
        Opened::Theirs(challenge) => accept(server, requester, ChallengeCommand { challenge, id }).await,
    }
}

/// The account to which a challenge is addressed, by id or by name.
pub(super) async fn addressee(server: &Server, wanted: &CreateChallenge) -> Result<Option<AccountId>, Code> {
    let found = match (wanted.to, &wanted.to_name) {
        (Some(account), _) => server.accounts.person(account).await,
        (None, Some(name)) => server.accounts.by_name(name).await,
        (None, None) => return Ok(None),
    };
    let person = found.map_err(|_| Code::Unavailable)?.ok_or(Code::UnknownAccount)?;
    Ok(Some(person.account))
}

/// Opens a challenge, or finds the one that the same command has opened. It is durable when this returns.
pub(super) async fn open(
    server: &Server,
    offer: Offer<Arc<Terms>>,
    wanted: &CreateChallenge,
) -> Result<Opened, Code> {
    let terms = serde_json::to_string(wanted).map_err(|error| {
        tracing::error!(%error, "terms that were read cannot be written");
        Code::Unavailable
    })?;
    // Under one lock, so that of two of the same command one makes it, and what follows from it is written behind it.
    let (mut opened, kept) = server.lobby.with(|challenges| -> Result<_, Code> {
        if let Some(before) = challenges.made_before(&offer) {
            return Ok((Opened::Before(before.clone()), server.lobby.flushed()));
        }
        if let Some(game) = begun_before(server, &offer) {
            return Ok((Opened::Begun(game), server.lobby.flushed()));
        }
        if let (Some(game), Some(opponent)) = (offer.rematch_of, offer.to)
            && let Some(theirs) = challenges.rematch(game, opponent)
        {
            return Ok((Opened::Theirs(theirs.id), server.lobby.flushed()));
        }
        challenges.create(offer.clone())?;
        let kept = server.lobby.keep(&offer, terms);
        Ok((Opened::New(offer), kept))
    })?;
    // A name that was given since the command came found no challenge yet.
    if let Opened::New(offer) = &mut opened
        && let Some(name) = server.connections.new_name(offer.by)
    {
        offer.name = Some(name);
        server.lobby.renamed(offer.by, name);
    }
    if kept.await.is_ok() {
        return Ok(opened);
    }
    if let Opened::New(offer) = opened {
        // Nobody was told of it.
        let withdrawn = server.lobby.with(|challenges| challenges.cancel(offer.id, offer.by));
        tracing::error!(challenge = %offer.id, ?withdrawn, "a challenge could not be kept");
    }
    Err(Code::Unavailable)
}

/// The game in progress that the same command has led to, or, for a rematch, an offer of either player.
fn begun_before(server: &Server, offer: &Offer<Arc<Terms>>) -> Option<GameId> {
    let is_it = |origin: &Origin| {
        offer.command.is_some() && origin.made_by == (offer.by, offer.command)
            || offer.rematch_of.is_some() && origin.rematch_of == offer.rematch_of
    };
    let games = server.games.live_of(offer.by);
    games.into_iter().find(|game| game.origin().is_some_and(is_it)).map(|game| game.id())
}
