//! The world of one seed: virtual time, a queue of what is to come, and everybody in it.
//!
//! What is due at one instant happens in an order drawn by the seed. While the process is stopped,
//! whatever it would do waits; what belongs to a process that was killed is forgotten.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use zeitnot_protocol::GameId;
use zeitnot_rules::game::Seq;
use zeitnot_rules::verdict::Outcome;

use super::checker::{Awake, Checker, Fault, TabId};
use super::dice::Dice;
use super::disk::Disk;
use super::faults::Faults;
use super::network::Wire;
use super::person::{Person, Tab};
use super::process::Process;
use crate::connections::ConnectionId;
use crate::session::tests::simulated::Up;
use crate::storage::{AppendAnswer, JournalOffset, Record, RestMark};
use crate::time::ServiceInstant;

/// How long everything may take to come to its end when nothing is wrong any more.
const HEALING: u64 = 100_000_000;

/// Something that is to come.
#[derive(Debug)]
pub(super) enum What {
    Up { connection: ConnectionId, up: Up },
    Down { connection: ConnectionId, bytes: Vec<u8> },
    Closed { connection: ConnectionId },
    EndOfUp { connection: ConnectionId },
    Connect { tab: TabId },
    Think { person: usize, game: GameId, on: u32 },
    LookAround { person: usize },
    Session { boot: u32, connection: ConnectionId },
    SessionTimer { boot: u32, connection: ConnectionId },
    HandOver { boot: u32, connection: ConnectionId },
    Unblock { boot: u32, connection: ConnectionId },
    Actor { boot: u32, game: GameId },
    ActorTimer { boot: u32, game: GameId },
    Written { boot: u32, number: u64 },
    Answered { boot: u32, number: u64 },
    TailRead { boot: u32, game: GameId, actor: u64, from: Seq },
    Verdict { boot: u32, game: GameId, actor: u64, about: Seq, outcome: Option<Outcome> },
    Recover { boot: u32, game: GameId },
    Rest { boot: u32, game: GameId, actor: u64, after: JournalOffset, mark: RestMark, at: ServiceInstant },
    WakeDue { boot: u32 },
    LetGo,
    Boot,
    Crash,
    Stop { us: u64 },
    Heal,
}

/// An append on its way.
#[derive(Debug)]
pub(super) struct Flying {
    pub(super) game: GameId,
    pub(super) actor: u64,
    pub(super) after: JournalOffset,
    pub(super) record: Arc<Record>,
    /// What it will be answered, if that does not depend on the disk.
    pub(super) answer: Option<AppendAnswer>,
    /// It still has to be written.
    pub(super) writes: bool,
    pub(super) is_answered: bool,
}

/// The whole simulated world of one run.
#[derive(Debug)]
pub(super) struct World {
    pub(super) dice: Dice,
    pub(super) faults: Faults,
    /// The machine's clock, in µs.
    pub(super) now: u64,
    queue: BTreeMap<(u64, u64, u64), What>,
    queued: u64,
    pub(super) disk: Disk,
    pub(super) process: Option<Process>,
    pub(super) boots: u32,
    pub(super) actors: u64,
    pub(super) appends: u64,
    pub(super) flying: BTreeMap<u64, Flying>,
    pub(super) lets_go: bool,
    pub(super) steps: u64,
    pub(super) connections: u64,
    pub(super) wires: BTreeMap<ConnectionId, Wire>,
    pub(super) people: Vec<Person>,
    pub(super) tabs: Vec<Tab>,
    pub(super) games: Vec<GameId>,
    pub(super) checker: Checker,
    pub(super) is_healing: bool,
    /// How long nobody may follow a game before it comes to rest.
    pub(super) rest_after: Duration,
    pub(super) healed_at: u64,
    /// The process stands still until then.
    stopped_until: u64,
    stopped_for: u64,
    /// Everything that happens is printed.
    is_traced: bool,
    pub(super) hash: u64,
    pub(super) events: u64,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let length = dice.within(8_000_000, 30_000_000);
        let has_quitter = dice.one_in(4);
        let length = if has_quitter { length + 45_000_000 } else { length };
        let faults = Faults::draw(&mut dice, length);
        let length = length.max(faults.nobody.map_or(0, |(_, until)| until));
        let rest_after = Duration::from_micros(*dice.pick(&[20_000, 300_000, 3_000_000, 600_000_000]));
        let mut world = Self {
            dice,
            faults,
            now: 0,
            queue: BTreeMap::new(),
            queued: 0,
            disk: Disk::default(),
            process: None,
            boots: 0,
            actors: 0,
            appends: 0,
            flying: BTreeMap::new(),
            lets_go: false,
            steps: 0,
            connections: 0,
            wires: BTreeMap::new(),
            people: Vec::new(),
            tabs: Vec::new(),
            games: Vec::new(),
            checker: Checker::default(),
            is_healing: false,
            rest_after,
            healed_at: length,
            stopped_until: 0,
            stopped_for: 0,
            is_traced: std::env::var_os("TRACE").is_some(),
            hash: 0xcbf2_9ce4_8422_2325,
            events: 0,
        };
        world.populate(has_quitter);
        world.expect_faults(length);
        world
    }

    pub(super) fn at(&mut self, at: u64, what: What) {
        self.queued += 1;
        let lot = self.dice.below(1 << 32);
        self.queue.insert((at, lot, self.queued), what);
    }

    pub(super) fn after(&mut self, wait: u64, what: What) {
        self.at(self.now + wait, what);
    }

    /// Adds to the hash of everything that happened.
    pub(super) fn trace(&mut self, what: &str) {
        for byte in what.bytes() {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        if self.is_traced {
            eprintln!("{what}");
        }
    }

    /// Runs until everything is done, or something is wrong.
    pub(super) fn run(&mut self) {
        while let Some(((at, lot, number), what)) = self.queue.pop_first() {
            if is_of_process(&what) && at < self.stopped_until {
                self.queue.insert((self.stopped_until, lot, number), what);
                continue;
            }
            if self.is_healing && at > self.healed_at + HEALING {
                let stuck = self.what_is_stuck();
                return self.checker.complain(Fault::Stuck, stuck);
            }
            self.advance(at);
            self.events += 1;
            let is_look_around = matches!(what, What::LookAround { .. });
            self.happens(what);
            self.run_tasks();
            self.schedule_woken();
            if self.checker.has_complaint() || self.is_healing && is_look_around && self.is_done() {
                return;
            }
        }
    }

    /// Time goes by, for the process too if it runs.
    fn advance(&mut self, to: u64) {
        if to <= self.now {
            return;
        }
        if let Some(process) = &self.process {
            // What is before the end of a stop is not seen by the process; it comes to itself right
            // then.
            let awakes = self.stopped_until.clamp(self.now, to);
            process.clock.advance_machine(awakes - process.began, awakes == self.now);
            process.clock.advance_machine(to - process.began, true);
            let commits = self.flying.values().any(|flying| !flying.writes && !flying.is_answered);
            self.disk.serves(process.clock.now(), !commits);
        }
        self.now = to;
        self.checker.awake.us = to.saturating_sub(self.stopped_for);
    }

    fn is_of_boot(&self, boot: u32) -> bool {
        self.boots == boot && self.process.is_some()
    }

    fn happens(&mut self, what: What) {
        match what {
            What::Up { connection, up } => self.arrives(connection, up),
            What::Down { connection, bytes } => self.bytes_come(connection, &bytes),
            What::Closed { connection } => self.closed(connection),
            What::EndOfUp { connection } => self.ends_up(connection),
            What::Connect { tab } => self.connect(tab),
            What::Think { person, game, on } => self.think(person, game, on),
            What::LookAround { person } => self.look_around(person),
            What::Boot if self.process.is_none() => self.boot(),
            What::Crash if !self.is_healing => self.crash(None),
            What::Stop { us } if self.process.is_some() && !self.is_healing => self.stop(us),
            What::Heal => self.heal(),
            What::LetGo => {
                self.lets_go = false;
                self.disk.let_go();
            }
            What::Boot | What::Crash | What::Stop { .. } => {}
            what => self.happens_inside(what),
        }
    }

    /// What the process does.
    fn happens_inside(&mut self, what: What) {
        match what {
            What::Session { boot, connection } if self.is_of_boot(boot) => self.session_turn(connection),
            What::SessionTimer { boot, connection } if self.is_of_boot(boot) => self.session_turn(connection),
            What::HandOver { boot, connection } if self.is_of_boot(boot) => {
                self.note_resumed_turn(connection);
            }
            What::Unblock { boot, connection } if self.is_of_boot(boot) => self.unblock(connection),
            What::Actor { boot, game } | What::ActorTimer { boot, game } if self.is_of_boot(boot) => {
                self.actor_turn(game);
            }
            What::Written { boot, number } if self.is_of_boot(boot) => self.written(number),
            What::Answered { boot, number } if self.is_of_boot(boot) => self.append_answered(number),
            What::TailRead { boot, game, actor, from } if self.is_of_boot(boot) => {
                self.tail_is_read(game, actor, from);
            }
            What::Verdict { boot, game, actor, about, outcome } if self.is_of_boot(boot) => {
                if let Some(actor) = self.actor_of(game, actor) {
                    actor.verdict_found(about, outcome);
                    self.schedule_actor(game, 0);
                }
            }
            What::Recover { boot, game } if self.is_of_boot(boot) => self.recover_actor(game),
            What::Rest { boot, game, actor, after, mark, at } if self.is_of_boot(boot) => {
                self.comes_to_rest(game, actor, after, mark, at);
            }
            What::WakeDue { boot } if self.is_of_boot(boot) => self.wake_due(),
            _ => {}
        }
    }

    /// The process that stood still is dead.
    pub(super) fn stops_no_more(&mut self) {
        self.stopped_for -= self.stopped_until.saturating_sub(self.now);
        self.stopped_until = self.now.min(self.stopped_until);
    }

    fn stop(&mut self, us: u64) {
        self.checker.coverage.hit("fault: pause");
        if us == 5_000_000 && self.time_is_short() {
            self.checker.coverage.hit("fault: a 5 s pause with under 0.3 s left");
        }
        let until = self.now + us;
        if until > self.stopped_until {
            self.stopped_for += until - self.stopped_until.max(self.now);
            self.stopped_until = until;
            self.checker.awake = Awake { stops: self.checker.awake.stops + 1, ..self.checker.awake };
        }
    }

    /// Whether a flag is about to fall.
    fn time_is_short(&self) -> bool {
        let Some(process) = &self.process else { return false };
        let now = process.service();
        process.actors.values().any(|actor| {
            let running = actor.machine.clock_reading().running;
            running.is_some_and(|(_, zero)| zero > now && zero.0 - now.0 < 300_000)
        })
    }

    /// Nothing goes wrong any more.
    fn heal(&mut self) {
        self.is_healing = true;
        self.healed_at = self.now;
        for person in 0..self.people.len() {
            self.connects(person);
        }
        if let Some(process) = &self.process {
            let boot = self.boots;
            for connection in process.sessions.keys().copied().collect::<Vec<_>>() {
                self.after(1, What::HandOver { boot, connection });
                self.after(2, What::Unblock { boot, connection });
            }
        }
    }

    fn is_done(&self) -> bool {
        self.what_is_stuck().is_empty()
    }

    /// Games that have not ended, commands without an answer, tabs without the last event.
    fn what_is_stuck(&self) -> String {
        let mut stuck = String::new();
        for &game in &self.games {
            if !self.checker.book(game).has_ended() {
                stuck += &format!("{game} goes on; ");
            }
        }
        for person in &self.people {
            for sent in &person.unanswered {
                stuck += &format!("no answer to {}; ", sent.text);
            }
            for &tab in &person.tabs {
                for &game in person.watches.iter().chain(person.seats.keys()) {
                    let (seen, last) = (self.checker.seen(tab, game), self.checker.book(game).last_seq());
                    if seen != last {
                        stuck += &format!("tab {tab} has {seen} of {last} events of {game}; ");
                    }
                }
            }
        }
        stuck
    }
}

/// Whether this is done by the process, and so waits while it is stopped.
fn is_of_process(what: &What) -> bool {
    !matches!(
        what,
        What::Up { .. }
            | What::Down { .. }
            | What::Closed { .. }
            | What::EndOfUp { .. }
            | What::Think { .. }
            | What::LookAround { .. }
            | What::Boot
            | What::Crash
            | What::Stop { .. }
            | What::Heal
    )
}
