//! The world of one seed: nodes at their places, the database, the bus, people, and what goes wrong when.
//!
//! All of it runs on one runtime whose time is virtual, in the order in which tasks are woken: a run can be repeated.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::GameSetup;

use super::bus::Nats;
use super::checker::{Checker, Fault};
use super::client::{Person, Tab};
use super::faults::{Faults, Happening};
use super::lots::{Lot, Lots};
use super::node::Process;
use super::postgres::Postgres;
use crate::simulation::dice::Dice;
use crate::simulation::setup;
use crate::storage::ClusterUrl;
use crate::sync::unpoisoned;
use crate::tasks::{Gate, Tasks};
use crate::time::{ServiceClock, ServiceInstant};

/// How long everything may take to come to its end when nothing is wrong any more.
const HEALING: Duration = Duration::from_secs(60);
/// After so long of it, players resign.
const LATE_AFTER: Duration = Duration::from_secs(8);
/// Between two looks whether all is done.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// What a run has been, for comparing it with another one.
#[derive(Debug)]
struct Traced {
    hash: u64,
    events: u64,
    prints: bool,
}

#[derive(Debug)]
pub(super) struct World {
    pub(super) clock: ServiceClock,
    pub(super) tasks: Tasks,
    pub(super) lots: Lots,
    pub(super) postgres: Postgres,
    pub(super) bus: Nats,
    pub(super) url: ClusterUrl,
    checker: Arc<Mutex<Checker>>,
    /// The process at each place.
    processes: Mutex<BTreeMap<usize, Arc<Process>>>,
    places: usize,
    /// The games that are to be.
    setups: Vec<GameSetup>,
    healed_at: Mutex<ServiceInstant>,
    length: Duration,
    is_over: AtomicBool,
    traced: Mutex<Traced>,
    people: Mutex<Vec<Arc<Person>>>,
    tabs: Mutex<Vec<(u32, Arc<Person>)>>,
}

impl World {
    pub(super) fn new(seed: u64) -> Arc<Self> {
        let mut dice = Dice::new(seed ^ 0x5eed_c105);
        let places = dice.within(1, 4).max(dice.within(1, 3)) as usize;
        let length = dice.within(8_000_000, 30_000_000);
        let faults = Faults::draw(&mut dice, length, places);
        let faults = faults.with_lost_commits(&mut Dice::new(seed ^ 0x10_57c0));
        let account = |number: u64, seat: u128| AccountId::from_u128(100 + 2 * u128::from(number) + seat);
        let games = dice.within(1, 3);
        let setups = (0..games).map(|number| {
            setup::draw(&mut dice, ByColor { white: account(number, 0), black: account(number, 1) })
        });
        let setups = setups.collect();
        let clock = ServiceClock::of_runtime();
        let lots = Lots::new(dice, faults);
        let checker = Arc::new(Mutex::new(Checker::default()));
        let (books, time) = (Arc::clone(&checker), clock.clone());
        let postgres = Postgres::new(Box::new(move |boot, changes| {
            unpoisoned(books.lock()).durable(boot, changes, time.now());
        }));
        let gate = Gate::new(clock.clone(), Box::new(|| None), complains(&checker));
        let tasks = Tasks::behind(gate);
        let bus = Nats::new(lots.clone(), clock.clone(), tasks.clone());
        let url = "postgres://zeitnot@primary,standby/zeitnot?sslmode=disable";
        let prints = std::env::var_os("TRACE").is_some();
        Arc::new(Self {
            clock,
            tasks,
            lots,
            postgres,
            bus,
            url: url.parse().expect("it is a URL"),
            checker,
            processes: Mutex::default(),
            places,
            setups,
            healed_at: Mutex::new(ServiceInstant::NEVER),
            length: Duration::from_micros(length),
            is_over: AtomicBool::new(false),
            traced: Mutex::new(Traced { hash: 0xcbf2_9ce4_8422_2325, events: 0, prints }),
            people: Mutex::default(),
            tabs: Mutex::default(),
        })
    }

    pub(super) fn checker(&self) -> MutexGuard<'_, Checker> {
        unpoisoned(self.checker.lock())
    }

    /// What is done when a task panics.
    pub(super) fn on_panic(&self) -> Arc<dyn Fn(String) + Send + Sync> {
        complains(&self.checker)
    }

    pub(super) fn processes(&self) -> MutexGuard<'_, BTreeMap<usize, Arc<Process>>> {
        unpoisoned(self.processes.lock())
    }

    /// Adds to the hash of everything that happened.
    pub(super) fn trace(&self, what: &str) {
        let mut traced = unpoisoned(self.traced.lock());
        traced.events += 1;
        let now = self.clock.now();
        for byte in what.bytes().chain(now.0.to_le_bytes()) {
            traced.hash = (traced.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        if traced.prints {
            eprintln!("{now:?} {what}");
        }
    }

    /// The hash of everything that happened, and how much that was.
    pub(super) fn traced(&self) -> (u64, u64) {
        let traced = unpoisoned(self.traced.lock());
        (traced.hash, traced.events)
    }

    /// The games that are wanted and have not ended.
    pub(super) fn wanted(&self) -> Vec<GameSetup> {
        let checker = self.checker();
        let has_ended =
            |setup: &GameSetup| checker.game_of(white(setup)).is_some_and(|(_, has_ended)| has_ended);
        self.setups.iter().filter(|setup| !has_ended(setup)).cloned().collect()
    }

    /// Whether the game of this player has begun.
    pub(super) fn has_begun_place(&self, white: AccountId) -> bool {
        self.checker().game_of(white).is_some()
    }

    /// The games that somebody follows: a player's own, or all.
    pub(super) fn games_of(&self, account: Option<AccountId>) -> Vec<GameId> {
        let checker = self.checker();
        let is_own = |setup: &&GameSetup| {
            account.is_none_or(|account| {
                Color::ALL.into_iter().any(|seat| setup.players[seat] == account.as_u128())
            })
        };
        let games = self.setups.iter().filter(is_own).filter_map(|setup| checker.game_of(white(setup)));
        games.map(|(game, _)| game).collect()
    }

    pub(super) fn has_ended_game(&self, game: GameId) -> bool {
        self.checker().books.get(&game).is_some_and(|book| book.game.has_ended())
    }

    pub(super) fn is_white(&self, account: Option<AccountId>, game: GameId) -> bool {
        let checker = self.checker();
        let book = checker.books.get(&game);
        book.is_some_and(|book| Some(book.setup.players.white) == account.map(|account| account.as_u128()))
    }

    /// One of the processes that run.
    pub(super) fn some_process(&self) -> Option<Arc<Process>> {
        let processes = self.processes();
        let all: Vec<_> = processes.values().cloned().collect();
        if all.is_empty() { None } else { Some(Arc::clone(self.lots.dice().pick(&all))) }
    }

    /// Nothing has been wrong for a while: whoever plays is to end.
    pub(super) fn is_late(&self) -> bool {
        self.clock.now() > *unpoisoned(self.healed_at.lock()) + LATE_AFTER
    }

    /// Runs until everything is done, or something is wrong.
    pub(super) async fn run(self: &Arc<Self>) {
        for place in 0..self.places {
            self.starts(place, 0);
        }
        self.replicates();
        self.populate();
        let world = Arc::clone(self);
        self.tasks.spawn(async move { world.go_wrong().await });
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let healed_at = *unpoisoned(self.healed_at.lock());
            if self.checker().complaint().is_some() {
                break;
            }
            let is_healing = self.clock.now() >= healed_at;
            let stuck = if is_healing { self.what_is_stuck() } else { String::new() };
            if is_healing && stuck.is_empty() {
                break;
            }
            if self.clock.now() > healed_at + HEALING {
                self.checker().complain(Fault::Stuck, stuck);
                break;
            }
        }
        self.is_over.store(true, Ordering::Relaxed);
        let processes = std::mem::take(&mut *self.processes());
        processes.values().for_each(|process| process.gate.end());
    }

    /// A process starts at a place after a while, and again until it can.
    fn starts(self: &Arc<Self>, place: usize, after_us: u64) {
        let world = Arc::clone(self);
        self.tasks.spawn(async move {
            tokio::time::sleep(Duration::from_micros(after_us)).await;
            while !world.is_over.load(Ordering::Relaxed) {
                if let Some(process) = Process::start(&world, place).await {
                    world.trace(&format!("node {} starts at {place}", process.number));
                    world.checker().living.insert(process.number);
                    world.checker().boots.insert(process.boot, process.number);
                    world.processes().insert(place, process);
                    return;
                }
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        });
    }

    /// A process has ended by itself.
    pub(super) fn has_ended(self: &Arc<Self>, place: usize, boot: uuid::Uuid) {
        let found = self.processes().get(&place).filter(|process| process.boot == boot).cloned();
        if found.is_some() {
            self.checker().hit("ended by itself");
            self.kill(place);
        }
    }

    fn kill(self: &Arc<Self>, place: usize) {
        let Some(process) = self.processes().remove(&place) else { return };
        self.trace(&format!("node {} is gone", process.number));
        process.gate.end();
        self.bus.leave(process.number);
        self.postgres.cut(process.boot, || true);
        self.checker().living.remove(&process.number);
        let again =
            if self.lots.is_healing() { 500_000 } else { self.lots.dice().within(300_000, 8_000_000) };
        self.starts(place, again);
    }

    /// The standby follows.
    fn replicates(self: &Arc<Self>) {
        let world = Arc::clone(self);
        self.tasks.spawn(async move {
            loop {
                world.lots.way(Lot::Replication).await;
                while world.postgres.replicate() && !world.lots.dice().one_in(3) {}
                if !world.postgres.replicate() {
                    world.postgres.changed().await;
                }
            }
        });
    }

    fn populate(self: &Arc<Self>) {
        let mut accounts: Vec<Option<AccountId>> = Vec::new();
        for setup in &self.setups {
            accounts
                .extend(Color::ALL.into_iter().map(|seat| Some(AccountId::from_u128(setup.players[seat]))));
        }
        let spectators = self.lots.dice().below(4);
        accounts.extend((0..spectators).map(|_| None));
        let mut number = 0;
        for (person, account) in accounts.into_iter().enumerate() {
            let person = Person::new(person, account);
            unpoisoned(self.people.lock()).push(Arc::clone(&person));
            for _ in 0..self.lots.dice().within(1, 2) {
                number += 1;
                unpoisoned(self.tabs.lock()).push((number, Arc::clone(&person)));
                let tab = Tab {
                    world: Arc::clone(self),
                    person: Arc::clone(&person),
                    number,
                    connected_at: ServiceInstant::default(),
                    heard_at: ServiceInstant::default(),
                    shown: Vec::new(),
                };
                self.tasks.spawn(tab.run());
            }
        }
    }

    async fn go_wrong(self: Arc<Self>) {
        for (at, happening) in self.lots.faults().happenings.clone() {
            self.clock.sleep_until(ServiceInstant(at)).await;
            self.trace(&format!("{happening:?}"));
            self.checker()
                .hit(format!("fault: {}", format!("{happening:?}").split('(').next().unwrap_or_default()));
            self.happens(happening);
        }
        let ends = self.lots.faults().happenings.iter().map(|(at, happening)| at + happening.lasts());
        let end = ends.max().map_or(self.length, |last| self.length.max(Duration::from_micros(last)));
        self.clock.sleep_until(ServiceInstant::default() + end).await;
        self.lots.heal();
        *unpoisoned(self.healed_at.lock()) = self.clock.now();
        self.trace("all is well");
    }

    /// Does something now, and its opposite after a while.
    fn lasts(self: &Arc<Self>, us: u64, begin: impl FnOnce(&Self), end: impl FnOnce(&Self) + Send + 'static) {
        begin(self);
        let world = Arc::clone(self);
        self.tasks.spawn(async move {
            tokio::time::sleep(Duration::from_micros(us)).await;
            end(&world);
        });
    }

    fn happens(self: &Arc<Self>, happening: Happening) {
        match happening {
            Happening::Kill(place) => self.kill(place),
            Happening::Stop(place, us) => {
                let Some(process) = self.processes().get(&place).cloned() else { return };
                let number = process.number;
                if !process.stop() {
                    return;
                }
                self.lasts(
                    us,
                    |_| {},
                    move |world| {
                        world.trace(&format!("node {number} goes on"));
                        process.go_on(Duration::from_micros(us));
                    },
                );
            }
            Happening::BusAway(place, us) => {
                self.lasts(
                    us,
                    |world| world.bus.set_away(place, true),
                    move |world| world.bus.set_away(place, false),
                );
                self.loses_bus(place, us);
            }
            Happening::AllBusAway(us) => {
                for place in 0..self.places {
                    self.happens(Happening::BusAway(place, us));
                }
            }
            Happening::BusCut(one, other, us) => {
                self.lasts(
                    us,
                    |world| world.bus.set_cut(one, other, true),
                    move |world| world.bus.set_cut(one, other, false),
                );
            }
            Happening::Reconnect(place) => self.bus.lose(place),
            Happening::DatabaseCut(place, us) => {
                let Some(boot) = self.processes().get(&place).map(|process| process.boot) else { return };
                self.lasts(
                    us,
                    |world| world.postgres.set_reachable(boot, false),
                    move |world| world.postgres.set_reachable(boot, true),
                );
            }
            Happening::ConnectionsLost(place) => {
                let Some(boot) = self.processes().get(&place).map(|process| process.boot) else { return };
                self.postgres.cut(boot, || self.lots.dice().one_in(2));
            }
            Happening::DatabaseAway(us) => {
                let server = usize::from(self.postgres.was_promoted());
                self.lasts(
                    us,
                    |world| world.postgres.goes_away(server),
                    move |world| {
                        // It may have lost its place meanwhile.
                        if server == usize::from(world.postgres.was_promoted()) {
                            world.postgres.comes_back(server);
                        }
                    },
                );
            }
            Happening::FailOver(us) => {
                self.lasts(
                    us,
                    |world| world.postgres.goes_away(usize::from(world.postgres.was_promoted())),
                    |world| {
                        if world.postgres.was_promoted() {
                            world.postgres.comes_back(1);
                        } else {
                            world.postgres.is_promoted();
                        }
                    },
                );
            }
            Happening::OldPrimary => {
                if self.postgres.was_promoted() {
                    self.postgres.comes_back(0);
                }
            }
        }
    }

    /// A client of the bus notices after three seconds that nothing comes.
    fn loses_bus(self: &Arc<Self>, place: usize, us: u64) {
        if us > 3_000_000 {
            self.lasts(3_000_000, |_| {}, move |world| world.bus.lose(place));
        }
    }

    /// Games that have not ended, commands without an answer, tabs without the last event.
    fn what_is_stuck(&self) -> String {
        let checker = self.checker();
        let mut stuck = String::new();
        for setup in &self.setups {
            match checker.game_of(white(setup)) {
                Some((_, true)) => {}
                Some((game, false)) => stuck += &format!("{game} goes on; "),
                None => stuck += "a game has not begun; ",
            }
        }
        for person in unpoisoned(self.people.lock()).iter() {
            for sent in &person.state().unanswered {
                stuck += &format!("no answer to {}; ", sent.text);
            }
        }
        drop(checker);
        for (tab, person) in unpoisoned(self.tabs.lock()).iter() {
            for game in self.games_of(person.account) {
                let checker = self.checker();
                let (seen, last) = (checker.seen(*tab, game), checker.books[&game].game.seq());
                if seen != last {
                    stuck += &format!("tab {tab} has {seen} of {last} events of {game}; ");
                }
            }
        }
        stuck
    }
}

fn complains(checker: &Arc<Mutex<Checker>>) -> Arc<dyn Fn(String) + Send + Sync> {
    let checker = Arc::clone(checker);
    Arc::new(move |panic| unpoisoned(checker.lock()).complain(Fault::Panicked, panic))
}

fn white(setup: &GameSetup) -> AccountId {
    AccountId::from_u128(setup.players.white)
}
