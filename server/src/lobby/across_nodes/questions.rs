//! What a node without the lobby asks of the owner: what the lobby shows, and what is known of a challenge.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use zeitnot_protocol::{Challenge as ChallengeView, ChallengeId, Code, ServerMessage, decode_server};

use crate::cluster::wire::ToLobby;
use crate::lobby::look::LOOK_EVERY;
use crate::lobby::nodes::{Across, Known, QUESTIONS_MAX};
use crate::lobby::shell::Lobby;

/// How long an answer of the owner about a challenge is waited for.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

impl Lobby {
    /// Shows the owner which games are in progress here, and asks what the lobby shows, as long as this node has not the lobby.
    pub(super) async fn look_elsewhere(self: Arc<Self>) {
        let Some(across) = self.nodes.get() else { return };
        loop {
            let next = self.parts.clock.now() + LOOK_EVERY;
            tokio::select! {
                biased;
                () = self.parts.tasks.stopping().cancelled() => return,
                () = across.owns.cancelled() => return,
                () = self.parts.clock.sleep_until(next) => {}
            }
            let own = ServerMessage::Lobby(self.look_here().message(None, self.parts.clock.now()));
            across.tell_owner(ToLobby::Look(own.to_text()));
        }
    }

    /// What the owner knows of a challenge.
    pub(in crate::lobby) async fn ask_of(&self, across: &Across, challenge: ChallengeId) -> Known {
        let answer = {
            let mut state = across.state();
            let Some(node) = state.owner.elsewhere() else { return (Some(Code::Unavailable), None) };
            state.questions.retain(|_, asks| !asks.is_closed());
            if state.questions.len() >= QUESTIONS_MAX {
                return (Some(Code::Unavailable), None);
            }
            let (answers, answer) = oneshot::channel();
            state.last_question += 1;
            let number = state.last_question;
            state.questions.insert(number, answers);
            across.ask(node, ToLobby::Find { number, challenge });
            answer
        };
        let until = self.parts.clock.now() + ANSWER_WITHIN;
        tokio::select! {
            known = answer => known.unwrap_or((Some(Code::Unavailable), None)),
            () = self.parts.clock.sleep_until(until) => (Some(Code::Unavailable), None),
        }
    }
}

/// A challenge, as the owner writes it.
pub(super) fn read(text: &str) -> Option<ChallengeView> {
    match decode_server(text) {
        Ok(ServerMessage::Challenge(challenge)) => Some(challenge),
        Ok(_) | Err(_) => None,
    }
}
