//! A whole game with faults, one seed after the other, and what must hold whatever happens.
//!
//! `FROM=2000 SEEDS=100000 cargo test -p zeitnot-client simulation_search -- --ignored` looks at more seeds.

use std::collections::BTreeMap;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use zeitnot_protocol::{ClientMessage, CloseCode, CloseReason, Code, ServerMessage};

use super::caller::Caller;
use super::messages::clock;
use super::model::{Model, rejected};
use super::network::{Agenda, Weather, Wire};
use crate::event::GameEvent;
use crate::machine::{Delivery, Effect, Ending, Failure, Input, Key, Machine, Request};
use crate::time::Moment;
use crate::{Identity, Options};

/// No run takes this long in virtual time.
const GUARD: Duration = Duration::from_secs(6 * 3_600);

/// How many events wait for the caller: few, so that it often has no room.
const ROOM: usize = 4;

#[derive(Debug)]
enum Happening {
    Opens(u64),
    Up(u64, Box<ClientMessage>),
    Down(u64, Box<ServerMessage>),
    Ends(u64, Ending),
    /// What was left out is over.
    CatchesUp(u64),
    Opponent,
    Begins,
    Caller,
    Fault,
    /// The server, or the network, works again.
    Heals,
}

struct World {
    now: Moment,
    rng: StdRng,
    weather: Weather,
    machine: Machine,
    model: Model,
    caller: Caller,
    wire: Wire,
    agenda: Agenda<Happening>,
    /// Nobody can connect.
    is_down: bool,
    next_key: Key,
    /// So many further events of the main game are left out on this connection, and a snapshot comes instead.
    skips: u32,
    faults: BTreeMap<&'static str, u32>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let slowest = Duration::from_millis([5, 80, 500, 1_200][rng.random_range(0..4)]);
        let fault_every = Duration::from_millis(rng.random_range(8_000..40_000));
        let options = Options {
            connect_timeout: GUARD,
            command_timeout: GUARD,
            game_buffer: ROOM,
            ..Options::default()
        };
        let mut agenda = Agenda::new();
        for first in [Happening::Opponent, Happening::Begins, Happening::Caller, Happening::Fault] {
            agenda.put(Duration::from_millis(rng.random_range(0..3_000)), first);
        }
        Self {
            now: Moment::ZERO,
            machine: Machine::new(options, Identity::Token("token".to_owned()), seed),
            rng,
            weather: Weather { slowest, fault_every },
            model: Model::new(),
            caller: Caller::default(),
            wire: Wire::default(),
            agenda,
            is_down: false,
            next_key: 0,
            skips: 0,
            faults: BTreeMap::new(),
        }
    }

    fn run(mut self) -> BTreeMap<&'static str, u32> {
        self.request(Request::Connect);
        self.request(Request::Follow(Model::main()));
        while !self.is_done() {
            let due = self.agenda.first().unwrap_or(GUARD);
            let wake = self.machine.wake_at().unwrap_or(GUARD);
            assert!(due.min(wake) < GUARD, "it does not come to an end: {:?}", self.caller.waits_for());
            if wake <= due {
                assert!(wake >= self.now || self.now == Moment::ZERO, "a deadline that stays in the past");
                self.now = self.now.max(wake);
                self.handle(Input::Tick);
                let again = self.machine.wake_at();
                assert!(again.is_none_or(|again| again > self.now), "a deadline that is not met");
            } else {
                self.now = self.now.max(due);
                let happening = self.agenda.pop().expect("there is a first one");
                self.happen(happening);
            }
            self.look_for_room();
        }
        self.check();
        self.faults
    }

    /// The caller has read everything, and has all answers.
    fn is_done(&self) -> bool {
        self.caller.has_ended && self.caller.has_all_answers()
    }

    fn check(&self) {
        let (caller, model) = (&self.caller, &self.model);
        assert_eq!(caller.seq, Some(model.seq()), "every event");
        for (message, answer) in caller.asked.values() {
            let is_late_offer = matches!(message, ClientMessage::OfferDraw(_));
            match answer.as_ref().expect("all are answered") {
                Ok(_) => {}
                Err(error) if is_late_offer && error.code() == Some(Code::GameOver) => {}
                Err(error) => panic!("{message:?}: {error}"),
            }
        }
        let count = |which: fn(&ClientMessage) -> bool| {
            let done = |(message, answer): &&(ClientMessage, Option<_>)| {
                which(message) && matches!(answer, Some(Ok(_)))
            };
            caller.asked.values().filter(done).count() as u32
        };
        assert_eq!(count(|message| matches!(message, ClientMessage::Move(_))), model.moves, "each move once");
        assert_eq!(caller.turns.len() as u32, model.moves, "each turn once");
        assert_eq!(count(|message| matches!(message, ClientMessage::OfferDraw(_))), model.offers);
        assert_eq!(caller.challenges, model.challenges_made, "each challenge once");
        assert!(model.paired <= caller.pools, "no second game from the pool");
    }

    fn request(&mut self, request: Request) -> Key {
        self.next_key += 1;
        self.handle(Input::Request(self.next_key, request));
        self.next_key
    }

    fn handle(&mut self, input: Input) {
        if let Input::Received(message) = &input
            && GameEvent::game_of(message) == Some(Model::main())
        {
            let unread = Input::Unread(Model::main(), self.caller.inbox.unread(false));
            self.give(unread);
        }
        self.give(input);
    }

    fn give(&mut self, input: Input) {
        let mut effects = Vec::new();
        self.machine.handle(input, self.now, &mut effects);
        for effect in effects {
            match effect {
                Effect::Open => {
                    let number = self.wire.open();
                    let after = self.rng.random_range(Duration::ZERO..=2 * self.weather.slowest);
                    self.agenda.put(self.now + after, Happening::Opens(number));
                }
                Effect::Drop => self.dropped(),
                Effect::Send(message) => {
                    let at = self.wire.up(self.now, &self.weather, &mut self.rng);
                    self.agenda.put(at, Happening::Up(self.wire.number, Box::new(message)));
                }
                Effect::Answer(key, answer) => self.caller.answered(key, answer),
                Effect::Game(game, Delivery::Event(event)) if game == Model::main() => {
                    self.caller.inbox.push(event);
                    assert!(self.caller.inbox.unread(false) <= ROOM);
                }
                Effect::Game(..) | Effect::Event(..) => {}
                Effect::Lost(_, error) | Effect::Stopped(error) => panic!("{error}"),
            }
        }
    }

    fn dropped(&mut self) {
        self.wire.is_held = false;
        if std::mem::take(&mut self.wire.is_served) {
            self.model.left();
        }
    }

    fn look_for_room(&mut self) {
        for game in self.machine.full_games() {
            let count = self.caller.inbox.unread(true);
            self.handle(Input::Unread(game, count));
        }
    }

    fn is_current(&self, number: u64) -> bool {
        self.wire.number == number && self.wire.is_held
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Opens(number) if self.is_current(number) => {
                if self.is_down {
                    self.wire.is_held = false;
                    let why = "nobody is there".to_owned();
                    self.handle(Input::Failed(Failure::Again { why, not_before: Duration::ZERO }));
                } else {
                    (self.wire.is_served, self.skips) = (true, 0);
                    self.handle(Input::Opened);
                }
            }
            Happening::Up(number, message)
                if self.wire.number == number && self.wire.is_served && !self.wire.is_cut =>
            {
                self.arrives(&message);
            }
            Happening::Down(number, message) if self.is_current(number) && !self.wire.is_cut => {
                self.handle(Input::Received(message));
            }
            Happening::Ends(number, ending) if self.is_current(number) => {
                self.dropped();
                self.handle(Input::Ended(ending));
            }
            Happening::CatchesUp(number) if self.wire.number == number => {
                self.skips = 0;
                self.down(self.model.snapshot());
                self.down(clock(Model::main(), self.model.seq(), None));
            }
            Happening::Opponent => {
                if !self.is_down {
                    let told = self.model.opponent(&mut self.rng);
                    self.tell(told);
                }
                self.again(3_000, Happening::Opponent);
            }
            Happening::Begins => {
                if !self.is_down {
                    let told = self.model.begin(self.now);
                    self.tell(told);
                }
                self.again(4_000, Happening::Begins);
            }
            Happening::Caller => self.caller_acts(),
            Happening::Fault => self.fault(),
            Happening::Heals => self.is_down = false,
            // On a connection that is gone.
            Happening::CatchesUp(_)
            | Happening::Opens(_)
            | Happening::Up(..)
            | Happening::Down(..)
            | Happening::Ends(..) => {}
        }
    }

    fn again(&mut self, within_ms: u64, happening: Happening) {
        let after = Duration::from_millis(self.rng.random_range(1..within_ms));
        self.agenda.put(self.now + after, happening);
    }

    fn caller_acts(&mut self) {
        // Sometimes it is busy with something else, and then it catches up.
        let most = if self.rng.random_bool(0.3) { 0 } else { self.rng.random_range(1..20) };
        self.caller.read(most, ROOM);
        if let Some(message) = self.caller.act(&mut self.rng) {
            let key = self.next_key + 1;
            self.caller.asked.insert(key, (message.clone(), None));
            self.request(Request::Command(Box::new(message)));
        }
        self.again(1_500, Happening::Caller);
    }

    /// A message of the client arrives at the server.
    fn arrives(&mut self, message: &ClientMessage) {
        let told = match message {
            ClientMessage::Hello(_) => self.model.hello(),
            ClientMessage::Ping(_) => self.model.answer(message, self.now),
            _ if self.rng.random_bool(0.05) => {
                self.count("unavailable");
                vec![rejected(message.id(), Code::Unavailable)]
            }
            _ => self.model.answer(message, self.now),
        };
        self.tell(told);
    }

    /// The server tells the client, unless it reads too slowly: then a snapshot comes in place of events.
    fn tell(&mut self, told: Vec<ServerMessage>) {
        for message in told {
            let is_event = GameEvent::public(&message).is_some();
            if is_event && self.skips > 0 {
                self.skips -= 1;
                self.again(1_000, Happening::CatchesUp(self.wire.number));
            } else {
                self.down(message);
            }
        }
    }

    fn down(&mut self, message: ServerMessage) {
        if self.wire.is_served {
            let at = self.wire.down(self.now, &self.weather, &mut self.rng);
            self.agenda.put(at, Happening::Down(self.wire.number, Box::new(message)));
        }
    }

    fn count(&mut self, fault: &'static str) {
        *self.faults.entry(fault).or_default() += 1;
    }

    fn fault(&mut self) {
        let number = self.wire.number;
        match self.rng.random_range(0..6) {
            0 => {
                self.count("broken");
                self.break_after(number, Ending::default());
            }
            1 => {
                self.count("cut");
                (self.wire.is_cut, self.is_down) = (true, true);
                self.agenda.put(self.now + Duration::from_secs(10), Happening::Heals);
            }
            2 => {
                self.count("silent");
                self.wire.is_cut = true;
            }
            3 => {
                self.count("killed");
                self.model.kill();
                self.wire.is_served = false;
                self.is_down = true;
                self.break_after(number, Ending::default());
                self.again(8_000, Happening::Heals);
            }
            4 => {
                self.count("closed");
                let reason = CloseReason::new(CloseCode::SlowReader, self.rng.random_range(500..5_000));
                let number_of = Some(reason.code.number());
                self.break_after(number, Ending { number: number_of, reason: Some(reason) });
            }
            _ => {
                self.count("left out");
                self.skips = self.rng.random_range(1..4);
            }
        }
        let mean = self.weather.fault_every.as_millis() as u64;
        self.again(2 * mean, Happening::Fault);
    }

    /// The server has the connection no longer; the client is told a little later.
    fn break_after(&mut self, number: u64, ending: Ending) {
        if self.wire.is_served {
            self.wire.is_served = false;
            self.model.left();
        }
        let after = Duration::from_millis(self.rng.random_range(0..300));
        self.agenda.put(self.now + after, Happening::Ends(number, ending));
    }
}

#[test]
fn whatever_breaks_no_event_and_no_command_is_lost_or_comes_twice() {
    let mut faults = BTreeMap::new();
    for seed in 0..2_000 {
        for (fault, count) in World::new(seed).run() {
            *faults.entry(fault).or_insert(0) += count;
        }
    }
    assert_eq!(faults.len(), 7, "{faults:?}");
    assert!(faults.values().all(|count| *count > 1_000), "{faults:?}");
}

#[test]
#[ignore = "as long as one likes"]
fn simulation_search() {
    let number = |name: &str, otherwise| {
        std::env::var(name).map_or(otherwise, |text| text.parse().expect("it is a number"))
    };
    let (from, seeds) = (number("FROM", 0_u64), number("SEEDS", 10_000_u64));
    for seed in from..from + seeds {
        let run = std::panic::catch_unwind(|| World::new(seed).run());
        assert!(run.is_ok(), "seed {seed}");
    }
}
