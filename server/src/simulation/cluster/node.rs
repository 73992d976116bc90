//! A node of a simulation: what `server` makes of the parts, behind a gate.
//!
//! Real: the registry of games with actors, mirrors and remote sessions; the links; members, groups, claims and the lease; the
//! store in a database. Its own: whom it takes as clients, and what follows when it is cut off or gives up, which `server` does
//! with real connections.
//!
//! Deliberately absent: the lobby's machine. Whoever has the lobby begins the games that are wanted.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::ByColor;

use super::checker::Fault;
use super::client::{Connection, ServerEnd};
use super::session::SessionTask;
use super::store::LookedStore;
use super::world::World;
use crate::cluster::{Bus, BusEvent, BusUser, Joined, Node, Standing, take_part};
use crate::connections::ConnectionId;
use crate::entropy::Entropy;
use crate::games::{Games, RecoveredGames};
use crate::storage::postgres::{ByHand, open_by_hand};
use crate::storage::{Found, NodeNumber};
use crate::tasks::{Gate, Tasks};
use crate::time::ServiceClock;

/// How long games may take to be given up.
const DRAIN_WITHIN: Duration = Duration::from_secs(10);
/// How long it may take until all know that none of them reaches the bus: the last that did may have died, and what it said
/// last counts for a while.
const NOTICED_WITHIN: Duration = Duration::from_secs(5);
/// Between two looks whether games are to be given up, or begun.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// A process, from its start to its end.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) number: NodeNumber,
    place: usize,
    pub(super) boot: uuid::Uuid,
    pub(super) clock: ServiceClock,
    pub(super) games: Games,
    pub(super) gate: Gate,
    tasks: Tasks,
    is_stopped: AtomicBool,
    has_lobby: AtomicBool,
    /// It takes no clients.
    is_closed: Arc<AtomicBool>,
    /// Ends all connections.
    closes: watch::Sender<CancellationToken>,
    connections: AtomicU64,
}

/// What comes over the bus of a node, which the checker looks at before the node does.
#[derive(Debug)]
struct Looked {
    user: Arc<dyn BusUser>,
    me: Node,
    world: Weak<World>,
}

impl BusUser for Looked {
    fn take(&self, event: BusEvent) {
        if let (BusEvent::Link(from, event), Some(world)) = (&event, self.world.upgrade()) {
            let at = world.clock.now();
            world.checker().taken(*from, self.me, event, at);
        }
        self.user.take(event);
    }
}

impl Process {
    /// Starts a process; `None` when the database cannot be reached now.
    pub(super) async fn start(world: &Arc<World>, place: usize) -> Option<Arc<Self>> {
        let seed = world.lots.dice().below(u64::MAX);
        let (entropy, clock) = (Entropy::from_seed(seed), ServiceClock::of_runtime());
        let lots = world.lots.clone();
        let stall = move || {
            let faults = lots.faults();
            lots.strikes(faults.stalled).then(|| Duration::from_micros(lots.dice().span(faults.stall)))
        };
        let gate = Gate::new(world.clock.clone(), Box::new(stall), world.on_panic());
        let tasks = Tasks::behind(gate.clone());
        let boot = entropy.node_boot();
        let dial = world.postgres.dial(boot, &world.lots, &world.tasks);
        let (weak, ended) = (Arc::downgrade(world), gate.clone());
        let halt = move |why: &str| {
            ended.end();
            if let Some(world) = weak.upgrade() {
                world.trace(&format!("the process at {place} ends: {why}"));
                world.has_ended(place, boot);
            }
        };
        let opened = open_by_hand(&world.url, dial, boot, &clock, &tasks, halt).await;
        let ByHand { store, nodes } = opened.ok()?;
        let me = Node { number: nodes.own(), boot: boot.into() };
        let store = LookedStore { store, node: me.number, world: Arc::downgrade(world) };
        let games = Games::new(Arc::new(store), clock.clone(), tasks.clone());
        let bus = Bus::new(me, clock.clone());
        let user = games.connect(me.number, Arc::new(bus.clone()), entropy.clone());
        games.recover_all(
            RecoveredGames::default(),
            &Found { live: Vec::new(), resting: Vec::new(), set_aside: Vec::new() },
        );
        let arriving = world.bus.join(me.number, place, me.boot.to_string());
        let (nats, number) = (world.bus.clone(), me.number);
        let looked = Arc::new(Looked { user, me, world: Arc::downgrade(world) });
        let weak = Arc::downgrade(world);
        tasks.spawn(bus.clone().serve_by_hand(looked, arriving, move |published| {
            if let Some(world) = weak.upgrade() {
                world.checker().published(number, &published);
            }
            nats.publish(number, &published);
        }));
        let (tell_standing, standing) = watch::channel(Standing::default());
        let abstains = Arc::new(AtomicBool::new(false));
        let (taking_part, joined) =
            take_part(nodes, clock.clone(), Some(bus), tell_standing, Arc::clone(&abstains));
        tasks.spawn(taking_part);
        let (closes, is_closed) = (watch::Sender::new(CancellationToken::new()), Arc::default());
        let (connections, is_stopped, has_lobby) =
            (AtomicU64::new(0), AtomicBool::new(false), AtomicBool::new(false));
        let process = Arc::new(Self {
            number,
            place,
            boot,
            clock,
            games,
            gate,
            tasks,
            is_stopped,
            has_lobby,
            is_closed,
            closes,
            connections,
        });
        process.serve(world, joined, standing, abstains, entropy);
        Some(process)
    }

    /// What `server` does around the parts.
    fn serve(
        self: &Arc<Self>,
        world: &Arc<World>,
        Joined { mut claimed, lobby, mut changes }: Joined,
        standing: watch::Receiver<Standing>,
        abstains: Arc<AtomicBool>,
        entropy: Entropy,
    ) {
        let games = self.games.clone();
        self.tasks.spawn(async move {
            while let Some(batch) = claimed.recv().await {
                games.play_on(batch).await;
            }
        });
        // Nobody has a name here that could change.
        self.tasks.spawn(async move { while changes.recv().await.is_some() {} });
        self.tasks.spawn(Arc::clone(self).heed(Arc::downgrade(world), standing, abstains));
        let (own, world) = (Arc::clone(self), Arc::downgrade(world));
        self.tasks.spawn(async move {
            if lobby.await.is_ok() {
                own.has_lobby.store(true, Ordering::SeqCst);
                own.begin_games(&world, &entropy).await;
            }
        });
    }

    async fn heed(
        self: Arc<Self>,
        world: Weak<World>,
        mut standing: watch::Receiver<Standing>,
        abstains: Arc<AtomicBool>,
    ) {
        while standing.changed().await.is_ok() {
            let Standing { is_cut_off, has_given_up } = *standing.borrow_and_update();
            // One that has given up before learns from the database when it need not any more.
            let gives_up = !abstains.swap(has_given_up, Ordering::SeqCst) && has_given_up;
            if let Some(world) = world.upgrade() {
                world.trace(&format!(
                    "node {} is cut off: {is_cut_off}, has given up: {has_given_up}",
                    self.number
                ));
                if gives_up && world.bus.away_for_all_for() > NOTICED_WITHIN {
                    let detail = format!("node {} gives up while nobody reaches the bus", self.number);
                    world.checker().complain(Fault::GivenUp, detail);
                }
            }
            let is_closed = is_cut_off || has_given_up;
            self.is_closed.store(is_closed, Ordering::SeqCst);
            if has_given_up {
                self.games.release_all(DRAIN_WITHIN).await;
            } else {
                self.games.take_on();
            }
            if is_closed {
                self.closes.send_replace(CancellationToken::new()).cancel();
            }
            if has_given_up && self.has_lobby.load(Ordering::SeqCst) {
                // As `server` does, so that another one takes it.
                if let Some(world) = world.upgrade() {
                    world.has_ended(self.place, self.boot);
                }
            }
            while has_given_up && !standing.has_changed().unwrap_or(true) {
                self.games.release_all(DRAIN_WITHIN).await;
                self.clock.sleep_until(self.clock.now() + LOOK_EVERY).await;
            }
        }
    }

    /// This node has the lobby: it begins the games that are wanted.
    async fn begin_games(&self, world: &Weak<World>, entropy: &Entropy) {
        loop {
            let Some(wanted) = world.upgrade().map(|world| world.wanted()) else { return };
            for setup in wanted {
                if self.is_missing(world, AccountId::from_u128(setup.players.white)).await {
                    let game = GameId::from(entropy.challenge_id());
                    drop(self.games.create(game, setup, ByColor::default()).await);
                }
            }
            self.clock.sleep_until(self.clock.now() + LOOK_EVERY).await;
        }
    }

    /// Whether the game of this player is to be begun: it is not there, and never was. One that ends is gone here as soon as its
    /// end is visible. When the wait for the standby is cancelled, that is before the end is durable.
    async fn is_missing(&self, world: &Weak<World>, white: AccountId) -> bool {
        let live = self.games.shared().store.live_of(white).await;
        let Some(world) = world.upgrade() else { return false };
        live.is_ok_and(|live| live.is_empty()) && !world.has_begun_place(white)
    }

    /// A client connects; `None` when it is not taken.
    pub(super) fn accept(
        &self,
        world: &Arc<World>,
        account: Option<AccountId>,
        end: ServerEnd,
    ) -> Option<Connection> {
        if self.is_closed.load(Ordering::SeqCst) {
            return None;
        }
        let number = self.connections.fetch_add(1, Ordering::Relaxed) + 1;
        let closes = self.closes.borrow().clone();
        let connection = Connection { node: self.number, number };
        let task =
            SessionTask::new(ConnectionId(number), account, self.games.clone(), self.clock.clone(), end);
        let watched = task.watched_by(Arc::downgrade(world), connection);
        self.tasks.spawn(async move {
            tokio::select! {
                biased;
                () = closes.cancelled() => {}
                () = watched => {}
            }
        });
        Some(connection)
    }

    /// The process is stopped, unless it is; or goes on after so long.
    pub(super) fn stop(&self) -> bool {
        let stops = !self.is_stopped.swap(true, Ordering::SeqCst);
        if stops {
            self.gate.shut(true);
        }
        stops
    }

    pub(super) fn go_on(&self, after: Duration) {
        self.clock.was_stopped(after);
        self.is_stopped.store(false, Ordering::SeqCst);
        self.gate.shut(false);
    }
}
