//! The shell around the lobby's machine: one lock, and what the machine may ask.
//!
//! Deliberately absent: deciding anything.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use zeitnot_protocol::{
    AccountId, Challenge as ChallengeView, ChallengeId, Code, CreateChallenge, GameId, Limits,
};

use super::machine::{Challenge, Facts, LobbyInput, LobbyMachine};
use super::subscribers::Subscribers;
use crate::accounts::{Accounts, Person};
use crate::connections::{ConnectionId, Connections};
use crate::entropy::Entropy;
use crate::games::{Games, Origin};
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
        Arc::new(Self { machine, subscribers: Subscribers::default(), parts })
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
        self.handle(LobbyInput::Connected { account, connection, address });
    }

    /// The account's last connection closed. Another one may have opened since.
    pub(crate) fn last_connection_closed(self: &Arc<Self>, account: AccountId) {
        self.handle(LobbyInput::LastConnectionClosed { account });
    }

    /// The account is this from now on: its name or its kind has changed.
    pub(crate) fn changed(self: &Arc<Self>, person: Person) {
        self.handle(LobbyInput::Changed(person));
    }

    /// An account has blocked another one: their open challenges to each other end.
    pub(crate) fn blocked(self: &Arc<Self>, block: Block) {
        self.handle(LobbyInput::Blocked(block));
    }

    /// Lets no game of an account that has none begin while the answer is kept. `None` when it has one, or one is being
    /// started.
    pub(crate) fn hold(self: &Arc<Self>, account: AccountId) -> Option<Held> {
        let is_held = self.machine().hold(account, &self.parts);
        is_held.then(|| Held { lobby: Arc::clone(self), account })
    }

    /// An open challenge as clients see it.
    pub(crate) fn view(&self, challenge: ChallengeId) -> Option<ChallengeView> {
        let now = self.parts.clock.now();
        let machine = self.machine();
        let open = machine.challenge(challenge).filter(|challenge| !challenge.is_over(now));
        open.map(|challenge| challenge.view(None, now))
    }

    /// Why a challenge is not open, and its terms, as far as that is remembered.
    pub(crate) fn why_over(&self, challenge: ChallengeId) -> (Code, Option<ChallengeView>) {
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
        let (mut machine, mut effects) = (self.machine(), Vec::new());
        machine.handle(input, self.parts.clock.now(), &self.parts, &mut effects);
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

impl Facts for LobbyParts {
    fn is_connected(&self, account: AccountId) -> bool {
        self.connections.is_here(account)
    }

    fn address_of(&self, account: AccountId) -> Option<Address> {
        self.connections.address_of(account)
    }

    fn is_own_computer(&self, account: AccountId) -> bool {
        self.accounts.computers.has(account)
    }

    fn live_games(&self, account: AccountId) -> usize {
        self.games.live_count(account)
    }

    fn is_blocked(&self, one: AccountId, other: AccountId) -> bool {
        self.accounts.blocks.are_between(one, other)
    }

    fn plays_with_clocks(&self, account: AccountId) -> bool {
        self.games
            .live_of(account)
            .iter()
            .any(|game| game.summary().has_clocks() && !game.summary().has_ended())
    }

    fn all_live_games(&self) -> usize {
        self.games.count()
    }

    fn game_of_same_command(&self, challenge: &Challenge) -> Option<GameId> {
        let (owner, command) = (challenge.owner.account, challenge.command);
        let is_same = |origin: &Origin| {
            command.is_some() && origin.made_by == (owner, command)
                || challenge.rematch_of.is_some() && origin.rematch_of == challenge.rematch_of
        };
        let games = self.games.live_of(owner);
        games.into_iter().find(|game| game.origin().is_some_and(is_same)).map(|game| game.id())
    }

    fn coin(&self) -> bool {
        self.entropy.coin()
    }

    fn game_id(&self) -> GameId {
        GameId::from(self.entropy.challenge_id())
    }
}

/// A challenge as it was stored.
fn read(open: &OpenChallenge, until: ServiceInstant) -> Result<Challenge, String> {
    let wanted = serde_json::from_str::<CreateChallenge>(&open.terms).map_err(|error| error.to_string())?;
    let challenge = Challenge::new(open.challenge, open.owner, wanted, open.rematch_of);
    let accepted_by = open.accepted_by;
    challenge.map(|challenge| Challenge { until, accepted_by, ..challenge }).map_err(|(_, why)| why)
}
