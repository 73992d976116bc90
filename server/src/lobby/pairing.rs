//! Quick pairing as it runs: joining and leaving pools, waves of pairs, and the games they become.
//!
//! Pairs are made in waves, not when somebody joins: in a wave of several, colours and opponents can be chosen. There are
//! waves only while somebody waits.
//!
//! Invariants: nobody of whom a game is being started is paired, so a player gets one game for one place; the place is given
//! up when that game is durable, before anybody is told of it; if it cannot begin, both still have their places.

use std::sync::Arc;
use std::time::Duration;

use zeitnot_protocol::{
    AccountId, Code, CommandId, CreateChallenge, GameId, JoinPool, Period, PoolId, ServerMessage,
    TimeControl, Waiting, WireColor,
};

use super::matcher::Pair;
use super::pools::Pools;
use super::terms::{Terms, TermsError};
use super::{games_left, start, tell_gone};
use crate::accounts::{Person, Requester};
use crate::connections::{Outbox, ToSession};
use crate::games::GameHandle;
use crate::server::Server;
use crate::time::unix_now_ms;

/// From one wave to the next: so long one waits at least on average, and so many may come.
const WAVE_EVERY: Duration = Duration::from_millis(500);

/// Answers `join_pool`.
pub(crate) fn join_pool(server: &Arc<Server>, requester: &Requester, wanted: &JoinPool) {
    if !server.is_ready() {
        return requester.reject(wanted.id, Code::Unavailable, None);
    }
    if games_left(server, requester.account) == 0 {
        return requester.reject(wanted.id, Code::TooManyGames, None);
    }
    let mut pools = server.lobby.pools();
    pools.join(requester.account, wanted.pool, server.clock.now());
    requester.done(wanted.id);
    tell(server, requester.account, Waiting { pool: Some(wanted.pool), game: None });
    if pools.begin_waves() {
        server.tasks.spawn(waves(Arc::clone(server)));
    }
}

/// Answers `leave_pool`. A game that is being started begins all the same.
pub(crate) fn leave_pool(server: &Server, requester: &Requester, id: Option<CommandId>) {
    let mut pools = server.lobby.pools();
    requester.done(id);
    give_up(server, &mut pools, requester.account);
}

/// Tells a connection that has just become one of the account where the account waits.
pub(crate) fn tell_waiting(server: &Server, account: AccountId, outbox: &Outbox) {
    let pools = server.lobby.pools();
    if let Some(pool) = pools.pool_of(account) {
        let waiting = ServerMessage::Waiting(Waiting { pool: Some(pool), game: None });
        if let Err(error) = outbox.try_send(ToSession::Text(ToSession::message(&waiting))) {
            tracing::debug!(?error, "a session was not told where its account waits");
        }
    }
}

/// The account's last connection closed; unless another one has opened since.
pub(super) fn left(server: &Server, account: AccountId) {
    let mut pools = server.lobby.pools();
    if server.connections.is_here(account) {
        return;
    }
    give_up(server, &mut pools, account);
    drop(pools);
    withdraw_seeks(server, account);
}

/// A game of these players has begun otherwise than by a pool: they no longer wait, and seek no other.
pub(super) fn withdraw(server: &Server, players: [AccountId; 2]) {
    let mut pools = server.lobby.pools();
    for account in players {
        give_up(server, &mut pools, account);
    }
    drop(pools);
    for account in players {
        withdraw_seeks(server, account);
    }
}

/// Takes away the open seeks of an account.
pub(super) fn withdraw_seeks(server: &Server, account: AccountId) {
    for offer in server.lobby.with(|challenges| challenges.withdraw_seeks(account)) {
        tell_gone(server, &offer, None);
    }
}

fn give_up(server: &Server, pools: &mut Pools, account: AccountId) {
    if pools.leave(account).is_some() {
        tell(server, account, Waiting { pool: None, game: None });
    }
}

/// Tells every connection of an account. To be called while the pools are locked.
fn tell(server: &Server, account: AccountId, waiting: Waiting) {
    let text = ToSession::message(&ServerMessage::Waiting(waiting));
    server.connections.tell(account, None, || ToSession::Text(Arc::clone(&text)));
}

/// Wave after wave, as long as somebody waits.
async fn waves(server: Arc<Server>) {
    loop {
        let next = server.clock.now() + WAVE_EVERY;
        tokio::select! {
            biased;
            () = server.tasks.stopping().cancelled() => return,
            () = server.clock.sleep_until(next) => {}
        }
        let Some(pairs) = wave(&server) else { return };
        for (pool, pair) in pairs {
            server.tasks.spawn(begin(Arc::clone(&server), pool, pair));
        }
    }
}

/// The pairs whose games are to be started now; `None` when nobody waits, so that no more waves come.
fn wave(server: &Server) -> Option<Vec<(PoolId, Pair)>> {
    let mut pools = server.lobby.pools();
    if pools.end_waves() {
        return None;
    }
    let mut challenges = server.lobby.challenges();
    let left = |account| games_left(server, account);
    let is_free = |account| !challenges.is_starting(account) && left(account) > 0;
    let mut pairs = pools.pairs(server.clock.now(), is_free, || server.entropy.coin());
    pairs.retain(|(_, pair)| challenges.start(pair.players(), left).is_ok());
    Some(pairs)
}

/// Starts the game of a pair. It is durable when anybody hears of it.
async fn begin(server: Arc<Server>, pool: PoolId, pair: Pair) {
    let players = pair.players();
    match create(&server, pool, pair).await {
        Ok(game) => begun(&server, pair, &game),
        Err(error) => {
            tracing::warn!(pool = pool.as_str(), error, "a pair gets no game now");
            server.lobby.with(|challenges| challenges.started(players));
        }
    }
}

/// The game of a pair has begun: all connections of both take their seats, and hear that they wait no longer.
fn begun(server: &Server, pair: Pair, game: &GameHandle) {
    let players = pair.players();
    let mut pools = server.lobby.pools();
    for account in players {
        pools.leave(account);
    }
    pools.note(pair);
    server.lobby.with(|challenges| challenges.started(players));
    for account in players {
        server.connections.tell(account, None, || ToSession::GameStarted { game: game.id(), reply: None });
        tell(server, account, Waiting { pool: None, game: Some(game.id()) });
    }
    drop(pools);
    for account in players {
        withdraw_seeks(server, account);
    }
}

/// The game of a pair, durable; or why there is none.
async fn create(server: &Server, pool: PoolId, pair: Pair) -> Result<GameHandle, String> {
    let (white, black) = (person(server, pair.white).await?, person(server, pair.black).await?);
    let terms = terms(pool).map_err(|(_, why)| why)?;
    let setup = terms.setup(white, black, &server.entropy, unix_now_ms());
    let id = GameId::from(server.entropy.challenge_id());
    start(server, id, setup).await.map_err(|error| error.to_string())
}

/// Whoever waits, with the name that is to stand in the game.
async fn person(server: &Server, account: AccountId) -> Result<Person, String> {
    let found = server.accounts.person(account).await.map_err(|error| error.to_string())?;
    found.ok_or_else(|| "an account that waits is not known".to_owned())
}

/// What is played in a pool, with White for the one who counts as the challenger.
fn terms(pool: PoolId) -> Result<Terms, TermsError> {
    let (minutes, seconds) = pool.clock();
    let period = Period {
        base_ms: minutes * 60_000,
        increment_ms: (seconds > 0).then_some(seconds * 1_000),
        ..Period::default()
    };
    let clocks = TimeControl::Clock { periods: vec![period], black_periods: None };
    Terms::read(&CreateChallenge { color: Some(WireColor::White), ..CreateChallenge::with(clocks) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pool_can_be_played() {
        for &pool in PoolId::ALL {
            terms(pool).unwrap();
        }
    }
}
