//! The shell around the lobby's machine: one lock, and what the machine may ask.
//!
//! Deliberately absent: deciding anything.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use zeitnot_protocol::{
    AccountId, Challenge as ChallengeView, ChallengeId, Code, CreateChallenge, GameId, Limits,
};

use super::machine::{Challenge, LobbyInput, LobbyMachine};
use super::nodes::{Across, Known};
use super::subscribers::Subscribers;
use crate::accounts::{Accounts, Person};
use crate::cluster::wire::ToLobby;
use crate::connections::{ConnectionId, Connections};
use crate::entropy::Entropy;
use crate::games::Games;
use crate::net::Address;
use crate::storage::{Block, ChallengeStore, OpenChallenge, RatingStore};
use crate::sync::unpoisoned;
use crate::tasks::Tasks;
use crate::telemetry::metrics;
use crate::time::{ServiceClock, ServiceInstant, unix_now_ms};

/// What the lobby needs of the rest of the server.
#[derive(Debug)]
pub(crate) struct LobbyParts {
    pub(crate) games: Games,
    pub(crate) connections: Arc<Connections>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) store: Arc<dyn ChallengeStore>,
    pub(crate) ratings: Arc<dyn RatingStore>,
    pub(crate) clock: ServiceClock,
    pub(crate) entropy: Entropy,
    pub(crate) tasks: Tasks,
}

/// The lobby of one server.
#[derive(Debug)]
pub(crate) struct Lobby {
    /// Locked before the maps of connections and games. The lock of the names that were given lately is
    /// never taken while this one is held: it comes before.
    machine: Mutex<LobbyMachine>,
    /// The sessions that the lobby is shown to.
    pub(crate) subscribers: Subscribers,
    pub(super) parts: LobbyParts,
    /// The lobby's place among several nodes; empty for a server that is alone.
    pub(super) nodes: OnceLock<Across>,
}

impl Lobby {
    /// An empty lobby.
    pub(crate) fn new(
        limits: &Limits,
        live_games_max: usize,
        bots_in_pools: bool,
        parts: LobbyParts,
    ) -> Arc<Self> {
        let machine = Mutex::new(LobbyMachine::new(*limits, live_games_max, bots_in_pools));
        Arc::new(Self { machine, subscribers: Subscribers::default(), parts, nodes: OnceLock::new() })
    }

    /// Opens the challenges of the last run again. One that cannot be read is removed, and one whose time has come.
    pub(crate) fn restore(self: &Arc<Self>, stored: &[OpenChallenge]) {
        let now_ms = unix_now_ms();
        for open in stored {
            let Some(left_ms) = open.until_unix_ms.checked_sub(now_ms).filter(|left| *left > 0) else {
                drop(self.parts.store.close_challenge(open.challenge));
                continue;
            };
            let until = self.parts.clock.now() + Duration::from_millis(left_ms);
            match read(open, until) {
                Ok(challenge) => self.handle(LobbyInput::Restore(Box::new(challenge))),
                Err(error) => {
                    tracing::warn!(challenge = %open.challenge, error, "a stored challenge cannot be opened again");
                    drop(self.parts.store.close_challenge(open.challenge));
                }
            }
        }
    }

    /// The account has one more connection, which is told of its challenges and of where it waits.
    pub(crate) fn connected(
        self: &Arc<Self>,
        account: AccountId,
        connection: ConnectionId,
        address: Address,
    ) {
        match self.elsewhere() {
            Some(across) => self.connected_elsewhere(across, account, connection, address),
            None => self.handle(LobbyInput::Connected { account, connection, address }),
        }
    }

    /// The account's last connection closed. Another one may have opened since.
    pub(crate) fn last_connection_closed(self: &Arc<Self>, account: AccountId) {
        match self.elsewhere() {
            Some(across) => self.left_elsewhere(across, account),
            None => {
                self.forget_lost_place(account);
                self.handle(LobbyInput::LastConnectionClosed { account });
            }
        }
    }

    /// The account is this from now on: its name or its kind has changed.
    pub(crate) fn changed(self: &Arc<Self>, person: Person) {
        match self.elsewhere() {
            Some(across) => across.tell_owner(ToLobby::Changed(person.into())),
            None => self.handle(LobbyInput::Changed(person)),
        }
    }

    /// An account has blocked another one: their open challenges to each other end.
    pub(crate) fn blocked(self: &Arc<Self>, block: Block) {
        match self.elsewhere() {
            Some(across) => across.tell_owner(ToLobby::blocked(block, true)),
            None => self.handle(LobbyInput::Blocked(block)),
        }
    }

    /// An account has blocked another one no more. Where it was stored that is known.
    pub(crate) fn unblocked(&self, block: Block) {
        if let Some(across) = self.elsewhere() {
            across.tell_owner(ToLobby::blocked(block, false));
        }
    }

    /// Lets no game of an account that has none begin while the answer is kept. `None` when it has one, or one is being
    /// started.
    pub(crate) fn hold(self: &Arc<Self>, account: AccountId) -> Option<Held> {
        let is_held = self.machine().hold(account, &**self);
        is_held.then(|| Held { lobby: Arc::clone(self), account })
    }

    /// What is known of a challenge, on whichever node.
    pub(crate) async fn known(&self, challenge: ChallengeId) -> Known {
        match self.elsewhere() {
            Some(across) => self.ask_of(across, challenge).await,
            None => self.known_here(challenge),
        }
    }

    pub(super) fn known_here(&self, challenge: ChallengeId) -> Known {
        match self.view(challenge) {
            Some(open) => (None, Some(open)),
            None => {
                let (why, terms) = self.why_over(challenge);
                (Some(why), terms)
            }
        }
    }

    /// An open challenge as clients see it, if the lobby is here.
    pub(crate) fn view(&self, challenge: ChallengeId) -> Option<ChallengeView> {
        let now = self.parts.clock.now();
        let machine = self.machine();
        let open = machine.challenge(challenge).filter(|challenge| !challenge.is_over(now));
        open.map(|challenge| challenge.view(None, now))
    }

    /// Why a challenge is not open, and its terms, as far as that is remembered.
    fn why_over(&self, challenge: ChallengeId) -> (Code, Option<ChallengeView>) {
        let machine = self.machine();
        if let Some(over) = machine.challenge(challenge) {
            // It is open no more, and the next sweep ends it.
            let terms = ChallengeView { ends_in_ms: None, ..over.view(None, self.parts.clock.now()) };
            return (Code::ChallengeExpired, Some(terms));
        }
        let is_played = self.parts.games.get(GameId::from(challenge)).is_some();
        let why = if is_played { Code::ChallengeTaken } else { machine.why_over(challenge) };
        (why, machine.terms_of_over(challenge))
    }

    /// A panic under the lock leaves at worst a challenge that stays reserved.
    pub(super) fn machine(&self) -> MutexGuard<'_, LobbyMachine> {
        unpoisoned(self.machine.lock())
    }

    /// Hands one input to the machine, and carries out the effects while it is locked.
    pub(super) fn handle(self: &Arc<Self>, input: LobbyInput) {
        self.handle_locked(&mut self.machine(), input);
    }

    /// The same, while the machine is locked.
    pub(super) fn handle_locked(self: &Arc<Self>, machine: &mut LobbyMachine, input: LobbyInput) {
        if let LobbyInput::JoinPool { request, .. } | LobbyInput::LeavePool { request } = &input {
            self.settle_place(request.by.account);
        }
        let mut effects = Vec::new();
        machine.handle(input, self.parts.clock.now(), &**self, &mut effects);
        for effect in effects {
            self.carry_out(effect);
        }
        metrics().challenges.set(machine.challenges() as f64);
    }
}

/// While it is there, no game of the account begins.
#[derive(Debug)]
pub(crate) struct Held {
    lobby: Arc<Lobby>,
    account: AccountId,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.lobby.machine().release(self.account);
    }
}

/// A challenge as it was stored.
fn read(open: &OpenChallenge, until: ServiceInstant) -> Result<Challenge, String> {
    let wanted = serde_json::from_str::<CreateChallenge>(&open.terms).map_err(|error| error.to_string())?;
    let challenge = Challenge::new(open.challenge, open.owner, wanted, open.rematch_of);
    let accepted_by = open.accepted_by;
    challenge.map(|challenge| Challenge { until, accepted_by, ..challenge }).map_err(|(_, why)| why)
}
