//! The lobby: challenges and the games they become, quick pairing, and who watches all that.
//!
//! `challenges` decides who may do what, as a plain state machine; `terms` says what is offered. Here the people concerned
//! are told: the requester in answer, the other connections of both accounts as news. `opening` makes a challenge once,
//! `accepting` makes a game of it, and `rematch` is one more way for one to begin. `pools` and the `matcher` decide who is
//! paired, `pairing` runs them. `board` is what the lobby shows, `subscribers` are those who have entered it.
//!
//! Invariants: a challenge that somebody was told of survives a restart until it is played, cancelled or expired; with its
//! game's start it is durably gone, so none is played twice. After a restart its owner counts as just gone. A command that
//! was sent again makes no second one, as long as the first is open or its game is in progress. A seek, which is a listed
//! challenge, and a place in a pool end with the owner's last connection, and with the owner's next game.

mod accepting;
mod board;
mod challenges;
mod matcher;
mod opening;
mod pairing;
mod pools;
mod rematch;
mod subscribers;
mod terms;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::Notify;
use zeitnot_protocol::{
    AccountId, Challenge, ChallengeCommand, ChallengeGone, ChallengeId, Code, CommandId, CreateChallenge,
    DeclineChallenge, DeclineReason, GameId, Limits, ServerMessage,
};
use zeitnot_rules::game::{GameSetup, PlayerName};

use crate::accounts::Requester;
use crate::connections::{Outbox, ToSession};
use crate::games::{CreateError, GameHandle};
use crate::server::Server;
use crate::storage::{Account, OpenChallenge, Store, Writing};
use crate::telemetry::metrics;
use crate::time::ServiceInstant;
pub(crate) use accepting::accept;
use challenges::{Challenges, Offer};
use opening::{Opened, addressee, answer, open};
pub(crate) use pairing::{join_pool, leave_pool, tell_waiting};
use pools::Pools;
pub(crate) use rematch::offer_rematch;
pub(crate) use subscribers::{Pulled, Subscribers, Subscription, enter};
use terms::Terms;

/// The lobby of one server.
#[derive(Debug)]
pub(crate) struct Lobby {
    challenges: Mutex<Challenges<Arc<Terms>>>,
    /// Locked before `challenges` where both are. What accounts are told of pools is told under this lock, so it comes in
    /// the order in which it happened.
    pools: Mutex<Pools>,
    /// Rung when the accepting of a challenge is over, and everybody concerned is told.
    settled: Notify,
    /// Those who have entered.
    pub(crate) subscribers: Subscribers,
    /// How long challenges outlive their owner's last connection.
    grace: Duration,
    live_games_max: usize,
    /// Where challenges last.
    store: Arc<dyn Store>,
}

impl Lobby {
    /// An empty lobby.
    pub(crate) fn new(limits: &Limits, store: Arc<dyn Store>) -> Self {
        Self {
            challenges: Mutex::new(Challenges::new(
                limits.challenges_per_account as usize,
                limits.seeks_per_account as usize,
            )),
            pools: Mutex::default(),
            settled: Notify::new(),
            subscribers: Subscribers::default(),
            grace: Duration::from_millis(u64::from(limits.challenge_grace_ms)),
            live_games_max: limits.live_games_per_account as usize,
            store,
        }
    }

    /// Makes a new challenge last, behind everything that was asked of the store before.
    fn keep(&self, offer: &Offer<Arc<Terms>>, terms: String) -> Writing<()> {
        if offer.seek {
            return std::future::ready(Ok(())).boxed();
        }
        let (challenge, owner, rematch_of) = (offer.id, offer.owner(), offer.rematch_of);
        let owner = Account { id: owner.account, name: owner.name };
        self.store.open_challenge(OpenChallenge { challenge, owner, terms, rematch_of })
    }

    /// Waits until what was asked of the store before is durable.
    fn flushed(&self) -> Writing<()> {
        self.store.flush()
    }

    /// Takes away what lasts of a challenge, whether the answer is waited for or not.
    fn discard(&self, challenge: ChallengeId) -> Writing<()> {
        self.store.close_challenge(challenge)
    }

    /// A bug that panicked in here would leave a challenge at worst reserved for ever.
    fn challenges(&self) -> MutexGuard<'_, Challenges<Arc<Terms>>> {
        self.challenges.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pools(&self) -> MutexGuard<'_, Pools> {
        self.pools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the challenges, and counts them.
    fn with<T>(&self, act: impl FnOnce(&mut Challenges<Arc<Terms>>) -> T) -> T {
        let mut challenges = self.challenges();
        let result = act(&mut challenges);
        metrics().challenges.set(challenges.len() as f64);
        result
    }

    /// The account has a connection again, which hears of its challenges. It is told while they are locked: what becomes of
    /// them comes behind.
    pub(crate) fn entered(&self, account: AccountId, outbox: &Outbox) {
        let mut challenges = self.challenges();
        challenges.owner_is_here(account);
        for offer in challenges.concerning(account) {
            let message = ServerMessage::Challenge(offer.view(None));
            if let Err(error) = outbox.try_send(ToSession::Text(ToSession::message(&message))) {
                tracing::debug!(?error, "a challenge was not told");
            }
        }
    }

    /// The account has another name from now on.
    pub(crate) fn renamed(&self, account: AccountId, name: PlayerName) {
        self.challenges().renamed(account, name);
    }

    /// An open challenge as people see it.
    pub(crate) fn view(&self, challenge: ChallengeId) -> Option<Challenge> {
        self.challenges().get(challenge).map(|offer| offer.view(None))
    }
}

/// Answers `create_challenge`.
pub(crate) async fn create(server: Arc<Server>, requester: Requester, wanted: CreateChallenge) {
    match create_or_refuse(&server, &requester, &wanted).await {
        Ok(opened) => answer(server, requester, wanted.id, opened).await,
        Err((code, message)) => requester.reject(wanted.id, code, message),
    }
}

async fn create_or_refuse(
    server: &Server,
    requester: &Requester,
    wanted: &CreateChallenge,
) -> Result<Opened, (Code, Option<String>)> {
    if !server.is_ready() {
        return Err((Code::Unavailable, None));
    }
    if wanted.seek && (wanted.to.is_some() || wanted.to_name.is_some()) {
        return Err((Code::BadOptions, Some("a seek is for anybody: not with to or to_name".to_owned())));
    }
    let terms = Terms::read(wanted).map_err(|(code, message)| (code, Some(message)))?;
    let to = addressee(server, wanted).await.map_err(|code| (code, None))?;
    let offer = Offer {
        id: server.entropy.challenge_id(),
        by: requester.account,
        name: requester.name,
        to,
        seek: wanted.seek,
        command: wanted.id,
        rematch_of: None,
        terms: Arc::new(terms),
    };
    // Kept with the account: names change hands.
    let wanted = CreateChallenge { to, to_name: None, ..wanted.clone() };
    open(server, offer, &wanted).await.map_err(|code| (code, None))
}

/// Opens the challenges of the last run again. Their owners count as gone since now.
pub(crate) fn restore(server: &Arc<Server>, kept: &[OpenChallenge]) {
    for OpenChallenge { challenge, owner, terms, rematch_of } in kept {
        let wanted = serde_json::from_str::<CreateChallenge>(terms).map_err(|error| error.to_string());
        let opened = wanted.and_then(|wanted| {
            let offer = Offer {
                id: *challenge,
                by: owner.id,
                name: owner.name,
                to: wanted.to,
                seek: false,
                command: wanted.id,
                rematch_of: *rematch_of,
                terms: Arc::new(Terms::read(&wanted).map_err(|(_, why)| why)?),
            };
            server.lobby.with(|challenges| challenges.create(offer)).map_err(|code| code.meaning().to_owned())
        });
        match opened {
            Ok(()) => left(server, owner.id),
            Err(error) => {
                tracing::warn!(%challenge, error, "a challenge of the last run is not open any more");
                drop(server.lobby.discard(*challenge));
            }
        }
    }
}

/// Answers `cancel_challenge`. From now on nobody can accept it; it is durably gone when anybody hears of that.
pub(crate) fn cancel(server: &Arc<Server>, requester: Requester, wanted: &ChallengeCommand) {
    match server.lobby.with(|challenges| challenges.cancel(wanted.challenge, requester.account)) {
        Ok(offer) => end(server, requester, wanted.id, offer, None),
        Err(code) => requester.reject(wanted.id, code, None),
    }
}

/// Answers `decline_challenge`: only the one to whom it is addressed does that. As with cancelling.
pub(crate) fn decline(server: &Arc<Server>, requester: Requester, wanted: &DeclineChallenge) {
    match server.lobby.with(|challenges| challenges.decline(wanted.challenge, requester.account)) {
        Ok(offer) => end(server, requester, wanted.id, offer, Some(wanted.reason)),
        Err(code) => requester.reject(wanted.id, code, None),
    }
}

/// Takes away what lasts of a challenge that `requester` has ended. When that is durable everybody concerned is told, and the
/// requester is answered.
fn end(
    server: &Arc<Server>,
    requester: Requester,
    id: Option<CommandId>,
    offer: Offer<Arc<Terms>>,
    declined: Option<DeclineReason>,
) {
    // What is not kept is gone already.
    let discarded = (!offer.seek).then(|| server.lobby.discard(offer.id));
    let server_of_task = Arc::clone(server);
    server.tasks.spawn(async move {
        if let Some(discarded) = discarded
            && discarded.await.is_err()
        {
            return requester.reject(id, Code::Unavailable, None);
        }
        tell_gone(&server_of_task, &offer, declined);
        requester.done(id);
    });
}

/// The account's last connection closed; unless another one has opened since.
pub(crate) fn left(server: &Arc<Server>, account: AccountId) {
    pairing::left(server, account);
    let at = server.clock.now();
    let mut challenges = server.lobby.challenges();
    // Looked at under the lock: whoever comes later finds the owner away, and says that it is not.
    if !server.connections.is_here(account) && challenges.owner_left(account, at) {
        drop(challenges);
        expire_later(server, account, at);
    }
}

fn expire_later(server: &Arc<Server>, account: AccountId, left: ServiceInstant) {
    let server_of_task = Arc::clone(server);
    server.tasks.spawn(async move {
        let server = server_of_task;
        tokio::select! {
            biased;
            () = server.tasks.stopping().cancelled() => return,
            () = server.clock.sleep_until(left + server.lobby.grace) => {}
        }
        for offer in server.lobby.with(|challenges| challenges.expire(account, left)) {
            // One that comes back after a crash expires again.
            drop(server.lobby.discard(offer.id));
            tell_gone(&server, &offer, None);
        }
    });
}

/// Tells everybody concerned that a challenge is no more, and no game either.
fn tell_gone(server: &Server, offer: &Offer<Arc<Terms>>, declined: Option<DeclineReason>) {
    let gone = ChallengeGone { challenge: offer.id, game: None, declined };
    let news = ToSession::message(&ServerMessage::ChallengeGone(gone));
    for account in [Some(offer.by), offer.to].into_iter().flatten() {
        server.connections.tell(account, None, || ToSession::Text(Arc::clone(&news)));
    }
}

/// How many more games an account may have.
fn games_left(server: &Server, account: AccountId) -> usize {
    server.lobby.live_games_max.saturating_sub(server.games.live_count(account))
}

/// Starts a game between two accounts of which each may have a connection.
async fn start(server: &Server, game: GameId, setup: GameSetup) -> Result<GameHandle, CreateError> {
    let here = setup.players.map(|player| server.connections.is_here(AccountId::from_u128(player)));
    server.games.create(game, setup, here).await
}
