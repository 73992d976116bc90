//! Accepting a challenge: the game that it becomes.
//!
//! Invariants: the game is durable before anybody hears of it; one that cannot begin leaves the challenge open. Who says it
//! again while the game is being started is answered when that is over.

use std::sync::Arc;

use zeitnot_protocol::{
    AccountId, ChallengeCommand, ChallengeGone, ChallengeId, Code, GameId, OkAnswer, ServerMessage,
};
use zeitnot_rules::board::Color;

use super::{expire_later, games_left, pairing, start};
use crate::accounts::{Person, Requester};
use crate::connections::{Notice, NoticeKind, ToSession};
use crate::games::{CreateError, GameHandle, Origin};
use crate::server::Server;
use crate::time::unix_now_ms;

/// Answers `accept_challenge`: the game is durable when anybody hears of it.
pub(crate) async fn accept(server: Arc<Server>, requester: Requester, wanted: ChallengeCommand) {
    let id = wanted.challenge;
    let result = loop {
        let settled = server.lobby.settled.notified();
        let result = begin(&server, requester.person(), id).await;
        // The same was said a moment ago, and what that comes to is not known yet.
        let is_again = result.as_ref().err() == Some(&Code::UnknownChallenge)
            && server.lobby.challenges().is_accepted_by(id, requester.account);
        if !is_again {
            break result;
        }
        tokio::select! {
            biased;
            () = server.tasks.stopping().cancelled() => break Err(Code::Unavailable),
            () = settled => {}
        }
    };
    match result {
        Ok((owner, game)) => tell_begun(&server, &requester, &wanted, owner, &game),
        Err(Code::UnknownChallenge) if has_begun(&server, requester.account, id).await => {
            let game = GameId::from(id);
            match server.games.get(game) {
                Some(handle) => {
                    requester.send(ToSession::GameStarted { reply: Some(done(&wanted)), game: handle.id() })
                }
                None => {
                    requester.say(&ServerMessage::Ok(OkAnswer {
                        id: wanted.id,
                        game: Some(game),
                        seq: Some(1),
                    }));
                }
            }
        }
        Err(code) => requester.reject(wanted.id, code, None),
    }
    // Whoever waited for this finds everybody told.
    server.lobby.settled.notify_waiters();
}

/// The `ok`, which comes behind the game's first event.
fn done(wanted: &ChallengeCommand) -> Notice {
    let kind = NoticeKind::Done { id: wanted.id.map(Box::new), seq: 1 };
    Notice { game: GameId::from(wanted.challenge), after: 1, kind }
}

/// Tells both players, on every connection.
fn tell_begun(
    server: &Server,
    requester: &Requester,
    wanted: &ChallengeCommand,
    owner: AccountId,
    game: &GameHandle,
) {
    let gone = ChallengeGone { challenge: wanted.challenge, game: Some(game.id()), declined: None };
    let news = ToSession::message(&ServerMessage::ChallengeGone(gone));
    requester.send(ToSession::Text(Arc::clone(&news)));
    requester.send(ToSession::GameStarted { game: game.id(), reply: Some(done(wanted)) });
    for account in [owner, requester.account] {
        let except = Some(requester.connection);
        server.connections.tell(account, except, || ToSession::Text(Arc::clone(&news)));
        server.connections.tell(account, except, || ToSession::GameStarted { game: game.id(), reply: None });
    }
}

/// Whether a challenge has become a game of this account: then accepting it was sent again.
async fn has_begun(server: &Server, account: AccountId, challenge: ChallengeId) -> bool {
    let id = GameId::from(challenge);
    if let Some(handle) = server.games.get(id) {
        return handle.seat_of(account).is_some();
    }
    match server.games.read(id).await {
        Ok(game) => game.is_some_and(|game| {
            Color::ALL.into_iter().any(|seat| game.setup().players[seat] == account.as_u128())
        }),
        Err(error) => {
            tracing::warn!(game = %id, %error, "whether a challenge was accepted cannot be said now");
            false
        }
    }
}

/// Starts the game of a challenge.
async fn begin(server: &Arc<Server>, by: Person, id: ChallengeId) -> Result<(AccountId, GameHandle), Code> {
    if !server.is_ready() {
        return Err(Code::Unavailable);
    }
    let left = |account| games_left(server, account);
    let offer = server.lobby.challenges().reserve(id, by.account, left)?;
    // A name may have been given since the command came.
    let by = Person { name: server.connections.new_name(by.account).or(by.name), ..by };
    let setup = offer.terms.setup(offer.owner(), by, &server.entropy, unix_now_ms());
    match start(server, GameId::from(id), setup).await {
        Ok(game) => {
            game.set_origin(Origin { made_by: (offer.by, offer.command), rematch_of: offer.rematch_of });
            pairing::withdraw(server, [offer.by, by.account]);
            server.lobby.with(|challenges| challenges.played(id, by.account));
            Ok((offer.by, game))
        }
        Err(error) => {
            if let CreateError::Start(error) = &error {
                tracing::error!(%error, "terms that were checked cannot be played");
            }
            if let Some((owner, left)) = server.lobby.challenges().put_back(id, by.account) {
                expire_later(server, owner, left);
            }
            if !server.connections.is_here(offer.by) {
                pairing::withdraw_seeks(server, offer.by);
            }
            Err(Code::Unavailable)
        }
    }
}
