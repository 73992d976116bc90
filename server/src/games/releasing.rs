//! Giving live games up, so that other nodes play them on: before this node stops, or while it cannot be heard.
//!
//! A game is given up by its actor, which waits for its append and stops the turn. Then nobody owns the game, in one statement
//! for many, and the others are told, who claim it as they claim games of the dead. Some games are given up at a time, and the
//! next ones after those are claimed, so that each one stands for a moment only.
//!
//! Deliberately absent: what a game does (`machine`), who claims it, and the sockets of this node (`server`).
//!
//! Invariants: a game whose actor runs is never given up in the store; one whose actor has given it up is, also when this node
//! has gone on meanwhile, as nobody would play it on; while games are given up none begins here, is woken or is played on.

use std::time::Duration;

use zeitnot_protocol::GameId;

use super::inputs::{GameInput, Mail};
use super::{GameHandle, Games};
use crate::cluster::Hint;
use crate::telemetry::metrics;

/// Games that are given up at a time: they stand for as long as one claim of them takes.
const RELEASED_AT_ONCE: usize = 50;
/// How long the next ones wait for those before them to be claimed. Without hints nobody is told of claims.
const CLAIMED_WITHIN: Duration = Duration::from_millis(500);
/// How long actors may take to give their games up: an append of theirs may wait for the database.
const GIVEN_UP_WITHIN: Duration = Duration::from_secs(2);
/// After so long a store that did not take it is asked again to give games up.
const ASKED_AGAIN_AFTER: Duration = Duration::from_millis(500);

impl Games {
    /// Whether there are other nodes, which can be reached.
    pub(crate) fn has_other_nodes(&self) -> bool {
        self.shared().across().is_some_and(|across| across.reaches_others())
    }

    /// Gives all live games up, and takes none on, until [`Games::take_on`]. Ends when all are, or after `within`; how many were
    /// given up.
    pub(crate) async fn release_all(&self, within: Duration) -> usize {
        self.shared().releasing.set(true);
        let (clock, mut count) = (&self.shared().clock, 0);
        let began = clock.now();
        // One that was just beginning is found by the second look.
        for _ in 0..2 {
            let mut live: Vec<GameHandle> = self.shared().live().map(|game| game.clone()).collect();
            live.sort_unstable_by_key(GameHandle::id);
            for some in live.chunks(RELEASED_AT_ONCE) {
                let left = within.saturating_sub(clock.now().since(began));
                match tokio::time::timeout(left, self.release(some)).await {
                    Ok(released) => count += released,
                    Err(_) => {
                        tracing::warn!(left = self.count(), "not all games could be given up in time");
                        return count;
                    }
                }
            }
        }
        // Those whose actors took longer.
        let late = self.shared().releasing.take_all();
        count += late.len();
        self.give_up(late).await;
        count
    }

    /// Games may begin here again. Those whose actors have been told to give them up still are.
    pub(crate) fn take_on(&self) {
        self.shared().releasing.set(false);
        self.spawn_give_up();
    }

    /// Gives up what is left over, if this node goes on. To be called when it begins to, and when an actor has given its game up.
    pub(super) fn spawn_give_up(&self) {
        let shared = self.shared();
        if !shared.releasing.is_on() && shared.releasing.has_some() {
            shared.tasks.spawn(self.clone().give_up_late());
        }
    }

    /// Gives these games up, and waits a while for others to claim them; how many were given up.
    async fn release(&self, games: &[GameHandle]) -> usize {
        let shared = self.shared();
        for game in games {
            game.mailbox().send_reserved(Mail::Input(GameInput::Release));
        }
        let have_ended =
            || !games.iter().any(|game| shared.actor(game.id()).is_some_and(|live| live.is_same(game)));
        // Those that take longer are given up with the next ones, or by whoever declares this node dead.
        drop(tokio::time::timeout(GIVEN_UP_WITHIN, shared.releasing.until(have_ended)).await);
        let released = shared.releasing.take_all();
        let count = released.len();
        self.give_up(released).await;
        count
    }

    /// Nobody owns these games any more, of which none has an actor here. Waits a while for others to claim them.
    pub(super) async fn give_up(&self, games: Vec<GameId>) {
        if games.is_empty() {
            return;
        }
        let shared = self.shared();
        if let Err(error) = shared.store.release(games.clone()).await {
            tracing::warn!(%error, games = games.len(), "games could not be given up now");
            games.into_iter().for_each(|game| shared.releasing.add(game));
            return;
        }
        metrics().games_released.increment(games.len() as u64);
        if let Some(across) = shared.across() {
            across.await_claims(&games);
            across.announce(Hint::Released(games.clone()));
            if across.reaches_others()
                && tokio::time::timeout(CLAIMED_WITHIN, across.until_claimed()).await.is_err()
            {
                tracing::debug!(games = games.len(), "it was not heard that all games were claimed");
            }
        }
    }

    /// Gives up the games whose actors have ended only after this node went on, however often the store must be asked.
    async fn give_up_late(self) {
        let shared = self.shared();
        while !shared.releasing.is_on() && !shared.is_stopping() {
            let late = shared.releasing.take_all();
            if late.is_empty() {
                return;
            }
            self.give_up(late).await;
            shared.clock.sleep_until(shared.clock.now() + ASKED_AGAIN_AFTER).await;
        }
    }
}
