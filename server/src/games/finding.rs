//! Finding a game, wherever it is: with an actor, in the middle of its recovery, at rest, only in storage, or with another
//! node.
//!
//! Deliberately absent: what is asked of the game that was found (`journal_reads`, and the session
//! for a live one).
//!
//! Invariant: a game that has not ended is never answered for from storage alone. Whoever read its
//! events there would wait for ever for the next ones.

use std::fmt::Display;
use std::sync::Arc;

use zeitnot_protocol::{AccountId, Code, GameId};
use zeitnot_rules::game::Event;

use super::Games;
use super::across_nodes::{LOOK_AGAIN, LOOKS_MAX};
use super::reader::Reader;
use super::registry::Shared;
use super::snapshot::{Aftermath, RatingChanges};
use crate::archive::Place;
use crate::connections::{Outbox, ToSession};
use crate::storage::{Correction, GameStore, NodeNumber, Owner, ReadError, Tail};

/// Where a game is.
pub(super) enum Found {
    /// It has an actor, which [`Games::get`] gives.
    Live,
    /// It has ended: all its records, and the place among those who read the archive.
    Ended(Tail, Place),
}

impl Games {
    /// Finds a game. A live one is found at once, one that is being recovered when that is done. One at
    /// rest is woken.
    ///
    /// # Errors
    /// [`Code::UnknownGame`]; [`Code::Unavailable`] when the journal cannot be read, the server stops,
    /// or the game could not be recovered; [`Code::Damaged`] when it is damaged.
    pub(super) async fn find(&self, game: GameId, reader: &Reader) -> Result<Found, Code> {
        self.shared().until_recovered(game).await;
        if self.shared().resting.contains(game) {
            self.wake_for(game, reader).await?;
        }
        if self.get(game).is_some() {
            return Ok(Found::Live);
        }
        // Once more for a game that has ended since it was read.
        for _ in 0..2 {
            let place = reader.place(self.archive()).await?;
            let tail = read(&self.shared().store, game).await?;
            if tail.records.is_empty() {
                return Err(Code::UnknownGame);
            }
            if tail.has_ended() {
                return Ok(Found::Ended(tail, place));
            }
            drop(place);
            if self.find_elsewhere(game, &tail, reader).await? {
                return Ok(Found::Live);
            }
        }
        Err(Code::Unavailable)
    }

    /// Finds a live game that had no actor here: it began, or was recovered, in the meantime, or the store says where it is.
    /// One that nobody owns is waited for until a node has claimed it. One that another node owns gets a mirror here, from its
    /// tail as it was read, and is there once its owner has answered. Whether it is there: one that the store knows no owner of
    /// has ended meanwhile.
    async fn find_elsewhere(&self, game: GameId, tail: &Tail, reader: &Reader) -> Result<bool, Code> {
        let shared = self.shared();
        for _ in 0..LOOKS_MAX {
            if self.get(game).is_some() {
                return Ok(true);
            }
            match shared.store.owner(game).await.map_err(|error| code_of(&error, "the owner of", game))? {
                Some(Owner::Rests) => {
                    shared.resting.add(game);
                    self.wake_for(game, reader).await?;
                }
                // Once it is claimed here, it has an actor a moment later.
                Some(Owner::Nobody | Owner::Own) => {
                    shared.clock.sleep_until(shared.clock.now() + LOOK_AGAIN).await;
                }
                Some(Owner::Other(node)) => {
                    let Some(across) = shared.across() else { break };
                    let mirror = across
                        .attach(Arc::<Shared>::clone(shared), game, node, tail)
                        .ok_or(Code::UnknownGame)?;
                    tokio::select! {
                        biased;
                        () = mirror.until_attached() => {}
                        () = shared.clock.sleep_until(shared.clock.now() + LOOK_AGAIN) => {}
                    }
                }
                None => return Ok(false),
            }
        }
        Err(Code::Unavailable)
    }

    /// Tells a session of the live games of its account that are not in `known`, if others play games of the store, too: that it
    /// takes its seats there. `known` is where it has taken them: this process may learn of another game meanwhile.
    pub(crate) fn tell_of_unknown(&self, account: AccountId, known: Vec<GameId>, session: &Outbox) {
        if !self.shared().store.is_shared() {
            return;
        }
        let (games, session) = (self.clone(), session.clone());
        self.shared().tasks.spawn(async move {
            games.tell_of(account, |game| !known.contains(&game), &session).await;
        });
    }

    /// Tells a session once more, a little later, of a live game of its account that could not be found: nobody else would.
    pub(crate) fn tell_again(&self, account: AccountId, game: GameId, session: &Outbox) {
        if !self.shared().store.is_shared() {
            return;
        }
        let (games, session) = (self.clone(), session.clone());
        self.shared().tasks.spawn(async move {
            games.shared().clock.sleep_until(games.shared().clock.now() + LOOK_AGAIN).await;
            games.tell_of(account, |live| live == game, &session).await;
        });
    }

    /// Tells a session of those of the live games of an account for which this holds, unless it has ended.
    async fn tell_of(&self, account: AccountId, is_told: impl Fn(GameId) -> bool, session: &Outbox) {
        for game in self.stored_patiently(account).await.into_iter().filter(|game| is_told(*game)) {
            if session.try_send(ToSession::GameStarted { game, reply: None }).is_err() {
                return;
            }
        }
    }

    /// The ids of an account's games whose end is not durable, whoever plays them, in their order: of those that others play
    /// none while the store cannot be read.
    pub(crate) async fn live_ids(&self, account: AccountId) -> Vec<GameId> {
        let mut live = self.unended_of(account);
        live.extend(self.stored_of(account).await.unwrap_or_default());
        live.sort_unstable();
        live.dedup();
        live
    }

    /// The live games of an account that this process does not know.
    pub(crate) async fn unknown_of(&self, account: AccountId) -> Result<Vec<GameId>, ReadError> {
        let mut live = self.stored_of(account).await?;
        let known = self.unended_of(account);
        live.retain(|game| !known.contains(game));
        Ok(live)
    }

    /// The live games of an account, wherever they are, as soon as the store can be read; none when the server stops.
    async fn stored_patiently(&self, account: AccountId) -> Vec<GameId> {
        let shared = self.shared();
        while !shared.is_stopping() {
            match shared.store.live_of(account).await {
                Ok(live) => return live,
                Err(error) => tracing::debug!(%error, "the games of an account are looked for again"),
            }
            shared.clock.sleep_until(shared.clock.now() + LOOK_AGAIN).await;
        }
        Vec::new()
    }

    /// The live games of an account, wherever they are.
    async fn stored_of(&self, account: AccountId) -> Result<Vec<GameId>, ReadError> {
        let live = self.shared().store.live_of(account).await;
        live.inspect_err(|error| tracing::warn!(%error, "the games of an account are not looked for"))
    }

    /// Ends when a live game that another node owns can be followed here, or after a while.
    pub(crate) async fn follow(&self, game: GameId, owner: NodeNumber) {
        let shared = self.shared();
        let Some(across) = shared.across.get().filter(|_| self.get(game).is_none()) else { return };
        let Ok(tail) = read(&shared.store, game).await else { return };
        if tail.has_ended() {
            return;
        }
        if let Some(mirror) = across.attach(Arc::<Shared>::clone(shared), game, owner, &tail) {
            tokio::select! {
                biased;
                () = mirror.until_attached() => {}
                () = shared.clock.sleep_until(shared.clock.now() + LOOK_AGAIN) => {}
            }
        }
    }

    /// What has become of a game since its end.
    pub(super) async fn aftermath(
        &self,
        game: GameId,
        is_rated: bool,
        correction: Option<Correction>,
    ) -> Aftermath {
        Aftermath { ratings: self.rating_changes(game, is_rated).await, correction }
    }

    /// What a game that has ended has done to ratings, if it is rated. The game is shown without it when it cannot be read.
    async fn rating_changes(&self, game: GameId, is_rated: bool) -> Option<RatingChanges> {
        if !is_rated {
            return None;
        }
        let read = self.shared().store.rating_changes(game).await;
        read.unwrap_or_else(|error| {
            let code = code_of(&error, "the ratings of the game", game);
            tracing::debug!(%game, %code, "a game is shown without its ratings");
            None
        })
    }

    /// Wakes a game at rest: for its players always, for others by turns, while there is room in memory.
    async fn wake_for(&self, game: GameId, reader: &Reader) -> Result<(), Code> {
        let is_own = reader.account.is_some_and(|account| self.unended_of(account).contains(&game));
        let _place = match is_own {
            true => None,
            false if self.count() >= self.shared().live_games_max => return Err(Code::Unavailable),
            false => {
                let shared = self.shared();
                let spent = shared.wakes.spend(reader.address, 1, shared.clock.now());
                spent.map_err(|_| Code::Unavailable)?;
                Some(reader.place(self.archive()).await?)
            }
        };
        self.shared().wake(game).await;
        Ok(())
    }
}

/// Whether the records are those of a rated game.
pub(super) fn is_rated(tail: &Tail) -> bool {
    let first = tail.records.first().and_then(|record| record.events.first());
    matches!(first, Some(Event::Started(setup)) if setup.rated)
}

/// All records of a game.
///
/// # Errors
/// [`Code::Unavailable`] when the journal cannot be read now, [`Code::Damaged`] when its records are not as they were
/// written.
pub(super) async fn read(store: &Arc<dyn GameStore>, game: GameId) -> Result<Tail, Code> {
    store.history(game).await.map_err(|error| code_of(&error, "the game", game))
}

/// What a client is told of a read that failed. The store has logged damage.
pub(super) fn code_of(error: &ReadError, what: &str, whose: impl Display) -> Code {
    match error {
        ReadError::Unavailable(_) => {
            tracing::warn!(%error, "{what} {whose} cannot be read");
            Code::Unavailable
        }
        ReadError::Damaged(_) => Code::Damaged,
    }
}
