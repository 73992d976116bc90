//! Declining a challenge: only the one to whom it is addressed does.

use std::sync::Arc;

use zeitnot_protocol::{ChallengeGone, Code, DeclineChallenge, OkAnswer, ServerMessage};

use super::Asker;
use crate::server::Server;
use crate::session::ToSession;

/// Answers `decline_challenge`. From now on nobody can accept it; it is durably gone when anybody hears of that.
pub(crate) fn decline(server: &Arc<Server>, asker: Asker, wanted: &DeclineChallenge) {
    let (id, reason) = (wanted.id, wanted.reason);
    let offer = match server.lobby.with(|challenges| challenges.decline(wanted.challenge, asker.account)) {
        Ok(offer) => offer,
        Err(code) => return asker.refuse(id, code, None),
    };
    let (discarded, server_of_task) = (server.lobby.discard(offer.id), Arc::clone(server));
    server.tasks.spawn(async move {
        if discarded.await.is_err() {
            return asker.refuse(id, Code::Unavailable, None);
        }
        let gone = ChallengeGone { challenge: offer.id, game: None, declined: Some(reason) };
        let news = ToSession::message(&ServerMessage::ChallengeGone(gone));
        for account in [offer.by, asker.account] {
            server_of_task.directory.tell(account, None, || ToSession::Text(Arc::clone(&news)));
        }
        asker.say(&ServerMessage::Ok(OkAnswer { id, game: None, seq: None }));
    });
}
