//! Flag against move: 10,000 simulated races, decided as stamped.
//!
//! Sessions are simulated as what they are: each does one thing after the other. It stamps what it
//! has read, and hands it over some time later; it answers a fence when everything it stamped
//! before is handed over. The tick that notices the deadline is late by some time too. An oracle
//! that knows the stamps alone says how each race must end.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{Rng as _, SeedableRng as _};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, Event, Micros, Profile, TimeControl};

use super::Table;
use super::table::{Told, conn, plain, play, setup};
use crate::connections::{ConnectionId, NoticeKind};
use crate::games::SeatCommand;
use crate::games::inputs::GameInput;
use crate::seeded_bugs::{SeededBug, Seeding};
use crate::storage::NodeNumber;
use crate::time::ServiceInstant;

const RACES: u64 = 10_000;

/// What one session does, in its order.
#[derive(Clone, Debug)]
struct Handover {
    connection: u64,
    seat: Color,
    stamp: ServiceInstant,
    /// When it is in the mailbox.
    arrives: ServiceInstant,
    command: SeatCommand,
}

/// Who must win a race, as the stamps say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Winner {
    Move(ServiceInstant),
    Resignation(ServiceInstant),
    Flag,
}

struct Race {
    table: Table,
    rng: StdRng,
    deadline: ServiceInstant,
    handovers: Vec<Handover>,
    /// When each session is done with what it did last.
    busy_until: Vec<(u64, ServiceInstant)>,
}

impl Race {
    fn new(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let base = Micros::from_millis(rng.random_range(2..=3_000));
        let mut table = Table::new(&setup(Profile::fide_board(), TimeControl::fischer(base, Micros(0))));
        let mut connections: Vec<(u64, Color)> = Vec::new();
        for (first, count, seat) in [(1, 1..=4, Color::White), (11, 0..=3, Color::Black)] {
            let count = rng.random_range(count);
            connections.extend((first..first + count).map(|number| (number, seat)));
        }
        // White's clock runs from the start, so a turn that is timed from White's first connection
        // comes two plies later.
        table.join(1, Color::White);
        table.join(11, Color::Black);
        let round_trip = Duration::from_micros(rng.random_range(0..300_000));
        for (connection, _) in connections.iter().filter(|(_, seat)| *seat == Color::White) {
            if *connection != 1 {
                table.join_at_distance(*connection, Color::White, round_trip + Duration::from_millis(20));
            }
        }
        let smoothed = Micros(round_trip.as_micros() as u64);
        table.handle_input(GameInput::RoundTrip { connection: conn(1), smoothed });
        table.pass(Duration::from_micros(rng.random_range(0..base.0)));
        table.play(1, "e2e4");
        table.play(11, "e7e5");
        for (connection, _) in connections.iter().filter(|(_, seat)| *seat == Color::Black) {
            if *connection != 11 {
                table.join(*connection, Color::Black);
            }
        }
        if !connections.iter().any(|(_, seat)| *seat == Color::Black) {
            table.leave(11);
        }
        table.told.clear();
        let deadline = oracle_deadline(&table, smoothed);
        let busy_until = connections.iter().map(|(number, _)| (*number, table.now)).collect();
        let mut race = Self { table, rng, deadline, handovers: Vec::new(), busy_until };
        race.draw_handovers(&connections);
        race
    }

    /// Each session sends one or no command, stamped within a microsecond of the deadline.
    fn draw_handovers(&mut self, connections: &[(u64, Color)]) {
        let (on, mut order) = (self.table.machine.game().position_seq(), connections.to_vec());
        order.shuffle(&mut self.rng);
        for (connection, seat) in order {
            if connection != 1 && self.rng.random_bool(0.4) {
                continue;
            }
            let stamp = ServiceInstant(self.deadline.0 + self.rng.random_range(0..=2) - 1);
            let arrives = stamp + self.delay();
            let command = if seat == Color::White { play(on, "g1f3") } else { plain(Command::Resign) };
            self.handovers.push(Handover { connection, seat, stamp, arrives, command });
            let busy = self.busy_until.iter_mut().find(|(number, _)| *number == connection).unwrap();
            busy.1 = arrives;
        }
    }

    /// From nothing over microseconds to just under the patience of a fence.
    fn delay(&mut self) -> Duration {
        let longest = *[0, 3, 500, 40_000, 1_900_000].choose(&mut self.rng).unwrap();
        Duration::from_micros(self.rng.random_range(0..=longest))
    }

    /// Runs the race to its end.
    fn run(&mut self) {
        let mut tick = Some(self.deadline + self.delay());
        let mut answers: Vec<(ServiceInstant, u64, u32)> = Vec::new();
        loop {
            self.collect_fences(&mut answers);
            let next_handover = self.handovers.iter().map(|handover| handover.arrives).min();
            let next_answer = answers.iter().map(|(at, ..)| *at).min();
            let Some(next) = [tick, next_handover, next_answer].into_iter().flatten().min() else { return };
            self.table.now = self.table.now.max(next);
            // What happens at one instant happens in any order, but within a session in its own.
            if next_handover == Some(next) && (next_answer != Some(next) || self.rng.random_bool(0.5)) {
                let index = self.handovers.iter().position(|handover| handover.arrives == next).unwrap();
                let Handover { connection, stamp, command, .. } = self.handovers.swap_remove(index);
                self.table.send_stamped(connection, stamp, command);
            } else if next_answer == Some(next) && !self.has_handover_at(next, &answers) {
                let index = answers.iter().position(|(at, ..)| *at == next).unwrap();
                let (_, connection, fence) = answers.swap_remove(index);
                self.table.handle_input(GameInput::Fenced { connection: conn(connection), fence });
            } else if tick == Some(next) {
                tick = None;
                self.table.handle_input(GameInput::Tick);
            }
        }
    }

    fn has_handover_at(&self, at: ServiceInstant, answers: &[(ServiceInstant, u64, u32)]) -> bool {
        answers.iter().filter(|(then, ..)| *then == at).any(|(_, connection, _)| {
            self.handovers.iter().any(|handover| handover.connection == *connection && handover.arrives <= at)
        })
    }

    /// A session looks at a fence when it is done with what it does, and then has handed over all
    /// it has read.
    fn collect_fences(&mut self, answers: &mut Vec<(ServiceInstant, u64, u32)>) {
        for told in std::mem::take(&mut self.table.told) {
            let NoticeKind::Fence { number: fence, .. } = told.kind else { continue };
            let connection = told.to.0;
            let Some(&(_, busy_until)) = self.busy_until.iter().find(|(number, _)| *number == connection)
            else {
                continue;
            };
            let looks = self.table.now + Duration::from_micros(self.rng.random_range(0..2_000));
            answers.push((busy_until.max(looks), connection, fence));
        }
    }

    fn oracle(&self) -> Winner {
        let in_time = self.handovers.iter().filter(|handover| handover.stamp < self.deadline);
        match in_time.min_by_key(|handover| handover.stamp) {
            None => Winner::Flag,
            Some(first) if first.seat == Color::White => Winner::Move(first.stamp),
            Some(first) => Winner::Resignation(first.stamp),
        }
    }

    /// How the race ended.
    fn winner(&self) -> Option<Winner> {
        let records = self.table.records();
        let third = records.get(3)?;
        let origin = ServiceInstant(5_000_000);
        let at = origin + Duration::from_micros(third.at.0);
        Some(match third.events[0] {
            Event::MovePlayed { .. } => Winner::Move(at),
            Event::Resigned { .. } => Winner::Resignation(at),
            Event::FlagFell { .. } => {
                assert_eq!(at, self.deadline, "the flag falls at its own instant");
                Winner::Flag
            }
            ref other => panic!("{other:?}"),
        })
    }
}

/// The deadline of White's running turn, from the time control and the round trip alone.
fn oracle_deadline(table: &Table, smoothed: Micros) -> ServiceInstant {
    let game = table.machine.game();
    let bank = match &table.records()[1].events[0] {
        Event::MovePlayed { charge: Some(charge), .. } => charge.bank,
        other => panic!("{other:?}"),
    };
    let allowance = (smoothed + Micros(smoothed.0 / 2)).min(Micros::from_secs(1)).min(bank);
    let remaining = game.clocks().unwrap()[Color::White];
    table.now + Duration::from_micros(allowance.0 + remaining.0)
}

/// Runs a race; what went wrong, if anything did.
fn violation(seed: u64, seeded: Option<SeededBug>) -> Option<String> {
    let _seeding = Seeding::with(seeded);
    let mut race = Race::new(seed);
    let (stated, expected) = (race.table.face.running.map(|(_, zero)| zero), race.oracle());
    if stated != Some(race.deadline) {
        return Some(format!("the flag falls at {stated:?}, not at {:?}", race.deadline));
    }
    race.run();
    let violations = &race.table.violations;
    if !violations.is_empty() {
        return Some(violations.join("; "));
    }
    let got = race.winner();
    // Two stamps that are equal are decided in either order.
    let is_tie = matches!((got, expected), (Some(Winner::Move(a) | Winner::Resignation(a)),
        Winner::Move(b) | Winner::Resignation(b)) if a == b);
    if got == Some(expected) || is_tie { None } else { Some(format!("{got:?} won, not {expected:?}")) }
}

#[test]
fn ten_thousand_races_are_decided_as_stamped() {
    let first_seed = 20_261_121;
    let mut winners = [0; 3];
    for seed in first_seed..first_seed + RACES {
        if let Some(violation) = violation(seed, None) {
            panic!("seed {seed}: {violation}");
        }
        let race = Race::new(seed);
        winners[match race.oracle() {
            Winner::Move(_) => 0,
            Winner::Resignation(_) => 1,
            Winner::Flag => 2,
        }] += 1;
    }
    assert!(winners.iter().all(|&count| count > RACES / 10), "every end is met often: {winners:?}");
}

#[test]
fn a_flag_without_a_fence_is_caught() {
    let caught =
        (0..500).filter(|&seed| violation(seed, Some(SeededBug::FlagWithoutFence)).is_some()).count();
    assert!(caught > 10, "caught in {caught} of 500 races");
}

/// A game with a minute for each side, whose clocks run from the start.
fn table_of_a_minute() -> Table {
    Table::seated(&setup(Profile::fide_board(), TimeControl::fischer(Micros::from_secs(60), Micros(0))))
}

#[test]
fn a_deadline_without_the_allowance_is_caught() {
    let caught =
        (0..100).filter(|&seed| violation(seed, Some(SeededBug::DeadlineWithoutAllowance)).is_some()).count();
    assert!(caught > 50, "caught in {caught} of 100 races");
}

#[test]
fn a_connection_that_is_silent_for_two_seconds_is_given_up_and_the_flag_falls() {
    let mut table = table_of_a_minute();
    table.pass(Duration::from_secs(60));
    assert!(table.told.iter().any(|told| matches!(told.kind, NoticeKind::Fence { .. })));
    table.pass(Duration::from_millis(1_999));
    assert!(!table.has_ended);
    table.pass(Duration::from_millis(1));
    assert!(table.has_ended);
    for connection in [1, 2] {
        assert!(table.heard(connection).contains(&NoticeKind::Silent));
    }
    table.check();
}

#[test]
fn a_connection_that_closes_need_not_answer() {
    let mut table = table_of_a_minute();
    table.pass(Duration::from_secs(60));
    table.leave(2);
    assert!(!table.has_ended);
    table.leave(1);
    assert!(table.has_ended);
    table.check();
}

#[test]
fn who_joins_while_a_fence_stands_is_asked_too() {
    let mut table = table_of_a_minute();
    table.pass(Duration::from_secs(60));
    table.told.retain(|told| !matches!(told.kind, NoticeKind::Fence { .. }) || told.to != conn(9));
    table.join(9, Color::White);
    let asked = table.told.iter().filter(|told| matches!(told.kind, NoticeKind::Fence { .. })).count();
    assert_eq!(asked, 3);
    table.send_stamped(9, ServiceInstant(table.now.0 - 1), play(1, "e2e4"));
    table.answer_fences();
    assert!(matches!(table.events()[1], Event::MovePlayed { .. }), "it was stamped in time");
    table.check();
}

#[test]
fn a_mirror_is_asked_for_all_sessions_of_its_node() {
    let mut table = table_of_a_minute();
    let node = NodeNumber(2);
    let (mirror, elsewhere) = (ConnectionId::of_mirror(node), ConnectionId::elsewhere(node, 1));
    table.handle_input(GameInput::Mirrored { mirror });
    table.pass(Duration::from_secs(60));
    table.join(elsewhere.0, Color::White);
    let to = |told: &Told| matches!(told.kind, NoticeKind::Fence { .. }).then_some(told.to);
    assert_eq!(table.told.iter().filter_map(to).collect::<Vec<_>>(), [conn(1), conn(2), mirror]);
    table.send_stamped(elsewhere.0, ServiceInstant(table.now.0 - 1), play(1, "e2e4"));
    assert!(!table.has_ended);
    table.answer_fences();
    assert!(matches!(table.events()[1], Event::MovePlayed { .. }), "it was stamped in time");
    table.check();
}

#[test]
fn a_mirror_that_does_not_answer_loses_its_connections() {
    let mut table = table_of_a_minute();
    let mirror = ConnectionId::of_mirror(NodeNumber(2));
    let elsewhere = ConnectionId::elsewhere(NodeNumber(2), 1);
    table.handle_input(GameInput::Mirrored { mirror });
    table.join(elsewhere.0, Color::White);
    table.pass(Duration::from_secs(60));
    table.told.retain(|told| told.to != mirror);
    table.answer_fences();
    assert!(!table.has_ended);
    table.pass(Duration::from_secs(6));
    assert!(table.has_ended);
    let silenced: Vec<_> = table.told.iter().filter(|told| told.kind == NoticeKind::Silent).collect();
    assert_eq!(silenced.iter().map(|told| told.to).collect::<Vec<_>>(), [elsewhere]);
    table.check();
}

#[test]
fn the_answer_to_an_old_fence_counts_for_nothing() {
    let mut table = table_of_a_minute();
    table.pass(Duration::from_secs(60));
    for connection in [1, 2] {
        table.handle_input(GameInput::Fenced { connection: conn(connection), fence: 0 });
    }
    assert!(!table.has_ended);
    table.answer_fences();
    assert!(table.has_ended);
}
