//! What a node without the lobby asks of the owner: what the lobby shows, what is known of a challenge, and who is connected to
//! any node.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use zeitnot_protocol::{
    AccountId, Challenge as ChallengeView, ChallengeId, Code, ServerMessage, decode_server,
};

use crate::cluster::wire::ToLobby;
use crate::lobby::look::LOOK_EVERY;
use crate::lobby::machine::Facts as _;
use crate::lobby::nodes::{Across, Answer, Known, QUESTIONS_MAX};
use crate::lobby::shell::Lobby;

/// How long an answer of the owner is waited for.
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
        match self.answer(across, |number| ToLobby::Find { number, challenge }).await {
            Some(Answer::Challenge(known)) => *known,
            Some(Answer::AreHere(_)) | None => (Some(Code::Unavailable), None),
        }
    }

    /// Which of these accounts have a connection on any node: as far as this node knows, if the owner cannot be asked.
    pub(crate) async fn who_is_here(&self, accounts: &[AccountId]) -> HashSet<AccountId> {
        let known = accounts.iter().copied().filter(|account| self.is_connected(*account));
        let mut here: HashSet<_> = known.collect();
        let asked: Vec<_> = accounts.iter().copied().filter(|account| !here.contains(account)).collect();
        if let Some(across) = self.elsewhere().filter(|_| !asked.is_empty()) {
            let ask = |number| ToLobby::WhoIsHere { number, accounts: asked };
            if let Some(Answer::AreHere(accounts)) = self.answer(across, ask).await {
                here.extend(accounts);
            }
        }
        here
    }

    /// Bots that have a connection on any node, at most so many: those of this node, if the owner cannot be asked.
    pub(crate) async fn bots_here(&self, most: usize) -> Vec<AccountId> {
        let mut bots = self.known_bots(most);
        if let Some(across) = self.elsewhere().filter(|_| bots.len() < most) {
            let ask = |number| ToLobby::BotsHere { number, most: u32::try_from(most).unwrap_or(u32::MAX) };
            if let Some(Answer::AreHere(accounts)) = self.answer(across, ask).await {
                let before: HashSet<_> = bots.iter().copied().collect();
                bots.extend(accounts.into_iter().filter(|account| !before.contains(account)));
                bots.truncate(most);
            }
        }
        bots
    }

    /// Bots that this node knows to have a connection.
    pub(super) fn known_bots(&self, most: usize) -> Vec<AccountId> {
        let mut bots: HashSet<_> = self.parts.connections.bots_here().take(most).collect();
        if let Some(across) = self.nodes.get().filter(|across| across.owns()) {
            bots.extend(across.bots(most));
        }
        bots.into_iter().take(most).collect()
    }

    /// What the owner answers; `None` when it does not.
    async fn answer(&self, across: &Across, question: impl FnOnce(u64) -> ToLobby) -> Option<Answer> {
        let answer = {
            let mut state = across.state();
            let node = state.owner.elsewhere()?;
            state.questions.retain(|_, asks| !asks.is_closed());
            if state.questions.len() >= QUESTIONS_MAX {
                return None;
            }
            let (answers, answer) = oneshot::channel();
            state.last_question += 1;
            let number = state.last_question;
            state.questions.insert(number, answers);
            across.ask(node, question(number));
            answer
        };
        let until = self.parts.clock.now() + ANSWER_WITHIN;
        tokio::select! {
            biased;
            answer = answer => answer.ok(),
            () = self.parts.clock.sleep_until(until) => None,
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
