//! All games of the process: the live ones by id and by account, and the way to ended ones.
//!
//! A live game has an actor, the only one that decides anything about it. Ended games are read from
//! storage, and a game whose actor died is recovered from there.
//!
//! Invariants: the first record of a game is durable before anybody is notified of it; a game has
//! at most one actor; it counts as live for its players until its end is durable.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use dashmap::mapref::multiple::RefMulti;
use dashmap::{DashMap, DashSet};
use futures_util::FutureExt as _;
use tokio::sync::{Notify, Semaphore};
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Game, GameInstant, GameSetup, Micros, StartError};

use super::account_games::AccountGames;
use super::across_nodes::{Across, Releasing};
use super::actor::{ActorServices, GameActor};
use super::board_summary::GameSummary;
use super::chat::Chats;
use super::effects::{EffectRunner, GameOwner, reset_joins};
use super::inputs::ActorEnd;
use super::kept_tail::EVENTS_MAX;
use super::machine::{GameMachine, REST_AFTER};
use super::replay::ReplayedGame;
use super::resting::{RestingGames, WAKES_PER_MINUTE_MAX};
use super::{Feed, GameHandle};
use crate::archive::Archive;
use crate::net::{Address, Allowances};
use crate::seeded_bugs::bug;
use crate::storage::{AppendError, GameStore, JournalOffset, Owner, Record, TurnTime};
#[cfg(test)]
use crate::sync::unpoisoned;
use crate::tasks::Tasks;
use crate::telemetry::metrics;
use crate::time::ServiceClock;
use crate::verdicts::Verdicts;

/// How often a game is recovered after its actor died: a bug that always strikes ends there.
const RECOVERIES_MAX: u8 = 3;
/// Tries to make the first record of a game durable while its outcome is unknown, and to read a
/// game for its recovery.
const TRIES: u8 = 3;
/// Between two tries to read.
const READ_AGAIN: Duration = Duration::from_secs(1);

/// What all games of a process share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) store: Arc<dyn GameStore>,
    pub(crate) clock: ServiceClock,
    pub(crate) tasks: Tasks,
    pub(crate) verdicts: Verdicts,
    pub(super) archive: Archive,
    /// Room for the events of the folds that sessions keep between the pieces of a tail.
    pub(super) kept_events: Arc<Semaphore>,
    pub(super) chats: Chats,
    /// Every game with an actor.
    live: DashMap<GameId, GameHandle>,
    /// The games of an account whose end is not durable.
    by_account: DashMap<AccountId, AccountGames>,
    /// How often a game's actor died.
    deaths: DashMap<GameId, u8>,
    /// The games whose actor has died and that have no other one yet.
    recovering: DashSet<GameId>,
    /// Notifies those who wait for one of these.
    recovered: Notify,
    pub(super) resting: RestingGames,
    /// How long nobody may follow a game before it comes to rest.
    rest_after: Duration,
    /// How many games may have an actor before spectators wake none any more.
    pub(super) live_games_max: usize,
    /// How many games an address wakes that are not its players'.
    pub(super) wakes: Allowances<Address>,
    /// The games of other nodes, and other nodes at games here; nothing when this one is alone.
    pub(super) across: OnceLock<Arc<Across>>,
    /// Where the machines of games go that are to run, when a test runs them itself.
    #[cfg(test)]
    run_by_hand: Option<RunByHand>,
    is_stopping: AtomicBool,
    pub(super) releasing: Releasing,
}

/// Machines that a test is to run.
#[cfg(test)]
#[derive(Debug, Default)]
struct RunByHand(std::sync::Mutex<Vec<GameMachine>>);

/// The games of the process. Clones are the same.
#[derive(Clone, Debug)]
pub struct Games(Arc<Shared>);

/// What games may keep in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GamesRoom {
    /// How long nobody may follow a game before it comes to rest.
    pub(crate) rest_after: Duration,
    /// How many games may have an actor before spectators wake none any more.
    pub(crate) live_games_max: usize,
}

/// Why a game was not created. Nothing was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CreateError {
    /// The rules reject this start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The journal takes nothing now, or the server stops.
    #[error("no game can be created now")]
    Unavailable,
}

impl Games {
    /// No games yet. Verdicts are found in place, with a small bound, and so are answers about the archive: for tests
    /// and simulations.
    pub fn new(store: Arc<dyn GameStore>, clock: ServiceClock, tasks: Tasks) -> Self {
        let room = GamesRoom { rest_after: REST_AFTER, live_games_max: usize::MAX };
        Self::with_threads(store, clock, tasks, Verdicts::in_place(), Archive::in_place(), room)
    }

    /// No games yet. A test runs those that are woken: see [`Shared::machines_to_run`].
    #[cfg(test)]
    pub(crate) fn by_hand(store: Arc<dyn GameStore>, clock: ServiceClock, tasks: Tasks) -> Self {
        let mut games = Self::new(store, clock, tasks);
        Arc::get_mut(&mut games.0).expect("nobody else has it").run_by_hand = Some(RunByHand::default());
        games
    }

    /// No games yet, the pool that finds their verdicts, the thread that answers for ended ones, and what
    /// may be kept in memory.
    pub(crate) fn with_threads(
        store: Arc<dyn GameStore>,
        clock: ServiceClock,
        tasks: Tasks,
        verdicts: Verdicts,
        archive: Archive,
        room: GamesRoom,
    ) -> Self {
        let GamesRoom { rest_after, live_games_max } = room;
        Self(Arc::new(Shared {
            store,
            clock,
            tasks,
            verdicts,
            archive,
            kept_events: Arc::new(Semaphore::new(EVENTS_MAX)),
            chats: Chats::default(),
            live: DashMap::new(),
            by_account: DashMap::new(),
            deaths: DashMap::new(),
            recovering: DashSet::new(),
            recovered: Notify::new(),
            resting: RestingGames::default(),
            rest_after,
            live_games_max,
            wakes: Allowances::per_minute(WAKES_PER_MINUTE_MAX),
            across: OnceLock::new(),
            #[cfg(test)]
            run_by_hand: None,
            is_stopping: AtomicBool::new(false),
            releasing: Releasing::default(),
        }))
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0
    }

    /// Creates a game. When this returns, its start is durable, the challenge of its id is gone, and
    /// its first turn has begun. The players of `here` have a connection that will be told to join.
    /// When the future is dropped the work goes on.
    ///
    /// # Errors
    /// See [`CreateError`].
    pub async fn create(
        &self,
        game: GameId,
        setup: GameSetup,
        here: ByColor<bool>,
    ) -> Result<GameHandle, CreateError> {
        if self.0.is_stopping() || self.0.releasing.is_on() {
            return Err(CreateError::Unavailable);
        }
        let shared = Arc::clone(&self.0);
        let creation = self.0.tasks.spawn(async move { shared.create(game, &setup, here).await });
        creation.await.unwrap_or(Err(CreateError::Unavailable))
    }

    /// Who reads the archive, and when.
    pub(crate) fn archive(&self) -> &Archive {
        &self.0.archive
    }

    /// A game with an actor: one that is being played, or has ended a short while ago.
    /// Of another node's game it is the mirror.
    pub fn get(&self, game: GameId) -> Option<GameHandle> {
        self.0.handle(game)
    }

    /// The games of an account whose end is not durable. One that [`Games::get`] does not find is
    /// being recovered, or at rest.
    pub fn unended_of(&self, account: AccountId) -> Vec<GameId> {
        self.0.by_account.get(&account).map(|games| games.as_slice().to_vec()).unwrap_or_default()
    }

    /// Those of them that can be played on now.
    pub fn live_of(&self, account: AccountId) -> Vec<GameHandle> {
        self.unended_of(account).into_iter().filter_map(|game| self.get(game)).collect()
    }

    /// How many games of an account are live, with those at rest.
    pub fn live_count(&self, account: AccountId) -> usize {
        self.0.by_account.get(&account).map_or(0, |games| games.as_slice().len())
    }

    /// How many games have an actor. One that has just ended counts for a moment more.
    pub fn count(&self) -> usize {
        self.0.live.len()
    }

    /// How long the oldest write that waits for the store has waited, at least.
    pub(crate) fn oldest_append(&self) -> Duration {
        let since = self.0.store.writing_since();
        since.map_or(Duration::ZERO, |since| self.0.clock.now().since(since))
    }

    /// Lets every actor finish its append in flight and end. No game is created any more. Verdicts
    /// that are not there are abandoned: the next start asks again.
    pub fn stop(&self) {
        self.0.is_stopping.store(true, Ordering::SeqCst);
        self.0.verdicts.stop();
        for handle in &self.0.live {
            handle.mailbox().stop();
        }
        if let Some(across) = self.0.across.get() {
            across.stop();
        }
    }
}

impl Shared {
    /// A game with an actor here.
    pub(super) fn actor(&self, game: GameId) -> Option<GameHandle> {
        self.live.get(&game).map(|handle| handle.clone())
    }

    /// A game with an actor here, or the mirror of another node's.
    pub(super) fn handle(&self, game: GameId) -> Option<GameHandle> {
        self.actor(game).or_else(|| self.across()?.mirror(game))
    }

    /// The games of other nodes, if there are other nodes.
    pub(super) fn across(&self) -> Option<&Arc<Across>> {
        self.across.get()
    }

    /// All games with an actor. Part of the map is locked meanwhile: to be walked through without a
    /// pause.
    pub(crate) fn live(&self) -> impl Iterator<Item = RefMulti<'_, GameId, GameHandle>> {
        self.live.iter()
    }

    /// Ends when the game is not being recovered, or the server stops.
    pub(super) async fn until_recovered(&self, game: GameId) {
        loop {
            let notified = self.recovered.notified();
            if self.tasks.is_stopping() || !self.recovering.contains(&game) {
                return;
            }
            tokio::select! {
                biased;
                () = notified => {}
                () = self.tasks.stopping().cancelled() => {}
            }
        }
    }

    /// Whether a recovery of a game begins here: nobody else is at it.
    pub(super) fn begin_recovery(&self, game: GameId) -> bool {
        self.recovering.insert(game)
    }

    /// The recovery of a game has ended, well or not.
    pub(super) fn end_recovery(&self, game: GameId) {
        if self.recovering.remove(&game).is_some() {
            self.recovered.notify_waiters();
        }
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::SeqCst)
    }

    async fn create(
        self: &Arc<Self>,
        game: GameId,
        setup: &GameSetup,
        here: ByColor<bool>,
    ) -> Result<GameHandle, CreateError> {
        let events = Game::start(setup)?;
        let at = GameInstant::START;
        let record = Arc::new(Record { game, first_seq: 1, at, account: None, command: None, events });
        let offset = self.append_first(&record).await?;
        metrics().games_started.increment(1);
        let stored = ReplayedGame::begun(&record, offset);
        let machine = GameMachine::created(stored, self.clock.now(), here);
        Ok(self.run(machine))
    }

    async fn append_first(&self, record: &Arc<Record>) -> Result<JournalOffset, CreateError> {
        for _ in 0..TRIES {
            match self.store.append(JournalOffset::NONE, Arc::clone(record)).await {
                Ok(offset) => return Ok(offset),
                Err(AppendError::Unknown) => {}
                Err(error) => {
                    tracing::error!(game = %record.game, %error, "a game was not created");
                    return Err(CreateError::Unavailable);
                }
            }
            match self.store.tail(record.game, 1).await {
                Ok(tail) if tail.records == [Arc::clone(record)] => return Ok(tail.last),
                Ok(_) | Err(_) => {}
            }
        }
        tracing::error!(game = %record.game, "it stays unknown whether a game was created");
        Err(CreateError::Unavailable)
    }

    /// Starts the actor of a game that was woken, unless a test does. Once nobody follows it, it rests after
    /// `rest_after` at the latest.
    pub(super) fn take_up(self: &Arc<Self>, machine: GameMachine, rest_after: Duration) {
        #[cfg(test)]
        if let Some(machines) = &self.run_by_hand {
            return unpoisoned(machines.0.lock()).push(machine);
        }
        let rest_after = self.rest_after(machine.id()).min(rest_after);
        drop(self.run_until_rest(machine, rest_after));
    }

    /// How long nobody may follow a game before it comes to rest: half as long again for some, so that the games that a
    /// restart or a lost network leaves alone at once do not come to rest at once.
    fn rest_after(&self, game: GameId) -> Duration {
        let lot =
            game.as_bytes().iter().fold(0_u32, |lot, byte| lot.wrapping_mul(31).wrapping_add((*byte).into()));
        self.rest_after + self.rest_after.mul_f64(f64::from(lot % 1_000) / 2_000.0)
    }

    /// The machines that a test is to run.
    #[cfg(test)]
    pub(crate) fn machines_to_run(&self) -> Vec<GameMachine> {
        let machines = self.run_by_hand.as_ref().expect("the test runs them");
        std::mem::take(&mut *unpoisoned(machines.0.lock()))
    }

    /// Starts the actor of a game.
    pub(crate) fn run(self: &Arc<Self>, machine: GameMachine) -> GameHandle {
        let rest_after = self.rest_after(machine.id());
        self.run_until_rest(machine, rest_after)
    }

    fn run_until_rest(self: &Arc<Self>, mut machine: GameMachine, rest_after: Duration) -> GameHandle {
        machine.set_rest_after(rest_after, self.clock.now());
        let handle = self.open(&machine);
        let services = ActorServices {
            store: Arc::clone(&self.store),
            clock: self.clock.clone(),
            verdicts: self.verdicts.clone(),
        };
        let owner: Arc<dyn GameOwner> = Arc::<Self>::clone(self);
        self.tasks.spawn(GameActor::new(EffectRunner::new(handle.clone(), owner), machine, services));
        // A stop that came in between found no actor.
        if self.is_stopping() {
            handle.mailbox().stop();
        }
        handle
    }

    /// Makes a game known that is about to have an actor.
    pub(crate) fn open(&self, machine: &GameMachine) -> GameHandle {
        let (id, game) = (machine.id(), machine.game());
        let players = game.setup().players;
        let players = ByColor::from_fn(|seat| AccountId::from_u128(players[seat]));
        let feed = Feed::new(game.seq(), machine.clock_reading());
        let is_live = !game.has_ended();
        let summary = GameSummary::new(Arc::clone(game.setup()), machine.board_summary());
        let handle = GameHandle::new(id, players, feed, summary, self.tasks.clone());
        self.live.insert(id, handle.clone());
        if let Some(across) = self.across() {
            across.chats.forget_owner(id);
        }
        if self.chats.has_chat(id) {
            handle.feed().open_chat();
        }
        if is_live {
            self.list(id, players);
        }
        self.end_recovery(id);
        handle
    }

    /// A game counts as live for its players, also while it is recovered or at rest.
    pub(super) fn list(&self, game: GameId, players: ByColor<AccountId>) {
        let mut is_new = false;
        for seat in Color::ALL {
            is_new |= self.by_account.entry(players[seat]).or_default().add(game);
        }
        if is_new {
            metrics().games_live.increment(1);
        }
    }

    /// Whether it was live for its players until now.
    pub(super) fn unlist(&self, game: GameId, players: ByColor<AccountId>) -> bool {
        let mut was_listed = false;
        for seat in Color::ALL {
            self.by_account.remove_if_mut(&players[seat], |_, games| {
                was_listed |= games.remove(game);
                games.as_slice().is_empty()
            });
        }
        if was_listed {
            metrics().games_live.decrement(1);
        }
        was_listed
    }

    /// A game of which not even the players can be read is live no more.
    pub(super) fn unlist_everywhere(&self, game: GameId) {
        let mut was_listed = false;
        self.by_account.retain(|_, games| {
            was_listed |= games.remove(game);
            !games.as_slice().is_empty()
        });
        if was_listed {
            metrics().games_live.decrement(1);
        }
    }

    /// From now on a game that has ended is read from storage, also when its actor lingers.
    pub(super) fn let_go(&self, game: GameId) {
        if let Some((_, handle)) = self.live.remove(&game) {
            handle.let_go();
        }
    }

    /// The end of a game is durable. It counts once, whoever finds it.
    fn end(&self, game: GameId, players: ByColor<AccountId>) {
        self.chats.ended(game, players, self.clock.now());
        self.deaths.remove(&game);
        if self.unlist(game, players) {
            metrics().games_ended.increment(1);
        }
    }

    /// The actor of a game cannot be reached any more, and everybody who follows the game is
    /// notified. The turn of a game that is to be recovered stops here, and nothing more is charged
    /// for it: heartbeats go on, and the process may die before the recovery.
    pub(crate) fn retire(&self, handle: &GameHandle, end: ActorEnd) {
        match end {
            ActorEnd::Over => {}
            ActorEnd::Recovers => {
                let time = TurnTime::Stands { spent: Micros::ZERO };
                bug!(TurnRunsWithoutActor => let time = TurnTime::Runs { spent: Micros::ZERO });
                self.store.note_turn(handle.id(), time);
                self.recovering.insert(handle.id());
            }
            ActorEnd::Rests => self.resting.add(handle.id()),
            ActorEnd::Released => {
                self.deaths.remove(&handle.id());
                self.unlist(handle.id(), handle.players());
                self.releasing.add(handle.id());
            }
        }
        reset_joins(handle.id(), handle.mailbox().close());
        handle.feed().close(end != ActorEnd::Over);
        handle.relay().close();
        self.live.remove_if(&handle.id(), |_, live| live.is_same(handle));
        self.releasing.actor_ended();
    }

    /// Recovers a game whose actor has ended. Whatever happens, the recovery ends.
    async fn recover_actor(self: Arc<Self>, game: GameId, players: ByColor<AccountId>) {
        // The records may hold what the actor died of.
        let recovery = AssertUnwindSafe(self.try_to_recover(game, players)).catch_unwind();
        if recovery.await.is_err() {
            tracing::error!(game = %game, "the recovery died of a bug: the game cannot be played on before a restart");
            self.recovery_is_over(game, players);
        }
    }

    async fn try_to_recover(self: &Arc<Self>, game: GameId, players: ByColor<AccountId>) {
        let died = {
            let mut deaths = self.deaths.entry(game).or_default();
            *deaths += 1;
            *deaths
        };
        // It may have come to rest unheard. Then it is live in the store again; if not, nothing changes.
        drop(self.store.wake(game, self.clock.now()).await);
        if self.is_elsewhere(game).await {
            tracing::info!(game = %game, "another node plays the game on");
            return self.recovery_is_over(game, players);
        }
        let stored = if died > RECOVERIES_MAX { None } else { self.read_patiently(game).await };
        let Some(stored) = stored else {
            tracing::error!(game = %game, died, "the game is set aside: it cannot be played on before a restart");
            return self.recovery_is_over(game, players);
        };
        if stored.game.has_ended() {
            return self.recovered_ended(game, players);
        }
        // As when the actor ended: a record that was under way then may have begun another turn
        // since.
        self.store.note_turn(game, TurnTime::Stands { spent: Micros::ZERO });
        self.run(GameMachine::recovered(stored, self.clock.now()));
        tracing::info!(game = %game, "the game was recovered");
    }

    /// A recovery found the end of the game: it had become durable unseen.
    pub(crate) fn recovered_ended(&self, game: GameId, players: ByColor<AccountId>) {
        self.end(game, players);
        self.end_recovery(game);
    }

    /// A game is not live after its recovery.
    fn recovery_is_over(&self, game: GameId, players: ByColor<AccountId>) {
        self.deaths.remove(&game);
        self.unlist(game, players);
        self.end_recovery(game);
    }

    /// Whether the store says that this node does not own a live game.
    pub(super) async fn is_elsewhere(&self, game: GameId) -> bool {
        let owner = self.store.owner(game).await;
        matches!(owner, Ok(Some(Owner::Other(_) | Owner::Nobody | Owner::Rests)))
    }

    async fn read_patiently(&self, game: GameId) -> Option<ReplayedGame> {
        for _ in 0..TRIES {
            match ReplayedGame::read(&self.store, game).await {
                Ok(stored) => return stored,
                Err(error) => tracing::warn!(game = %game, %error, "a game cannot be recovered yet"),
            }
            self.clock.sleep_until(self.clock.now() + READ_AGAIN).await;
        }
        None
    }
}

impl GameOwner for Shared {
    /// The end of a game is durable.
    fn ended(&self, handle: &GameHandle) {
        self.verdicts.forget(handle.id());
        self.end(handle.id(), handle.players());
    }

    /// An actor has ended: nobody reaches it any more.
    fn actor_ended(self: Arc<Self>, handle: &GameHandle, end: ActorEnd) {
        self.verdicts.forget(handle.id());
        self.retire(handle, end);
        match end {
            ActorEnd::Recovers if !self.is_stopping() => {
                self.tasks.spawn(Arc::clone(&self).recover_actor(handle.id(), handle.players()));
            }
            ActorEnd::Released => Games(self).spawn_give_up(),
            _ => {}
        }
    }

    fn has_room_for_rest(&self) -> bool {
        self.resting.has_room()
    }
}
