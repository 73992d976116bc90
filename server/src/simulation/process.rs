//! The server's process in a simulation: its clock, sessions and actors, from its start to its
//! death.

use std::collections::BTreeMap;
use std::sync::Arc;

use zeitnot_protocol::GameId;
use zeitnot_rules::game::Micros;

use super::World;
use super::actor::{Actor, WakeFlag};
use super::disk::Manner;
use super::sessions::Session;
use super::world::What;
use crate::connections::ConnectionId;
use crate::games::machine::GameMachine;
use crate::games::replay::ReplayedGame;
use crate::games::{GameHandle, Games};
use crate::storage::{GameStore as _, TurnTime};
use crate::tasks::Tasks;
use crate::time::{ServiceClock, ServiceInstant};

/// The server's process, from a start to its death.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) clock: ServiceClock,
    pub(super) began: u64,
    pub(super) runtime: tokio::runtime::Runtime,
    pub(super) games: Games,
    pub(super) actors: BTreeMap<GameId, Actor>,
    pub(super) sessions: BTreeMap<ConnectionId, Session>,
    pub(super) handles: BTreeMap<GameId, GameHandle>,
}

impl Process {
    pub(super) fn service(&self) -> ServiceInstant {
        self.clock.now()
    }
}

impl World {
    pub(super) fn process(&mut self) -> &mut Process {
        self.process.as_mut().expect("the server runs")
    }

    /// Starts the process: every live game is recovered from its records.
    pub(super) fn boot(&mut self) {
        self.boots += 1;
        self.disk.starts();
        let clock = ServiceClock::by_hand();
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("it needs no driver");
        let games = Games::by_hand(Arc::new(self.disk.clone()), clock.clone(), Tasks::default());
        self.process = Some(Process {
            clock,
            began: self.now,
            runtime,
            games,
            actors: BTreeMap::new(),
            sessions: BTreeMap::new(),
            handles: BTreeMap::new(),
        });
        for game in self.games.clone() {
            if self.boots > 1 {
                self.recover(game, "recovery: after a crash");
            }
        }
        self.wake_due_later();
    }

    /// Takes a game up from its records, with the time that the heartbeats say its turn had taken.
    fn recover(&mut self, game: GameId, what: &str) {
        let tail = self.disk.tail_now(game, 1);
        let Some(mut stored) = ReplayedGame::fold(&tail) else { return };
        if self.disk.rests(game) {
            return self.found_at_rest(game, &stored);
        }
        stored.spent = self.disk.spent(game);
        if stored.spent > Micros::ZERO {
            self.checker.coverage.hit("recovery: an interrupted turn was charged");
        }
        if stored.game.has_ended() {
            if let Some(handle) = self.process().handles.remove(&game) {
                self.process().games.shared().recovered_ended(game, handle.players());
            }
            return;
        }
        self.checker.coverage.hit(what);
        let now = self.process().service();
        let machine = GameMachine::recovered(stored, now);
        self.checker.recovered(game, now, &machine);
        self.runs(machine);
    }

    /// Every actor and every session that was woken gets a turn soon.
    pub(super) fn schedule_woken(&mut self) {
        let Some(process) = &self.process else { return };
        let woken = |wake_flag: &WakeFlag| wake_flag.was_woken();
        let actors: Vec<_> = process
            .actors
            .iter()
            .filter(|(_, actor)| woken(&actor.wake_flag))
            .map(|(game, _)| *game)
            .collect();
        let sessions: Vec<_> = process
            .sessions
            .iter()
            .filter(|(_, session)| woken(&session.wake_flag))
            .map(|(connection, _)| *connection)
            .collect();
        for game in actors {
            let wait = self.jitter();
            self.schedule_actor(game, wait);
        }
        for connection in sessions {
            let wait = self.jitter();
            self.schedule_session(connection, wait);
        }
    }

    pub(super) fn jitter(&mut self) -> u64 {
        if self.is_healing { 1 } else { self.dice.span(300) }
    }

    /// Lets relays and readers run.
    pub(super) fn run_tasks(&mut self) {
        if let Some(process) = &self.process {
            process.runtime.block_on(async {
                for _ in 0..3 {
                    tokio::task::yield_now().await;
                }
            });
        }
        if self.process.is_some() {
            self.run_woken();
        }
        if self.disk.holds() && !std::mem::replace(&mut self.lets_go, true) {
            let wait = self.dice.span(1_500_000);
            self.after(wait, What::LetGo);
        }
    }

    /// How the next readings go.
    pub(super) fn draw_manner(&mut self) {
        let manner = if self.is_healing {
            Manner::AtOnce
        } else if self.dice.permille(self.faults.read_failed) {
            Manner::Failed
        } else if self.dice.permille(self.faults.slow_questions) {
            self.checker.coverage.hit("read: slow");
            Manner::Held
        } else {
            Manner::AtOnce
        };
        self.disk.set_manner(manner);
    }

    pub(super) fn recover_actor(&mut self, game: GameId) {
        if !self.is_healing && self.dice.permille(self.faults.read_failed) {
            let boot = self.boots;
            return self.after(1_000_000, What::Recover { boot, game });
        }
        // As in service: nothing is charged for the turn that the actor left.
        let now = self.process().service();
        if self.disk.wake_now(game, now).is_some() {
            self.checker.interrupted(game, now);
        }
        self.disk.note_turn(game, TurnTime::Stands { spent: Micros::ZERO });
        self.recover(game, "recovery: of an actor");
    }

    /// The server is killed. What was sent is sent; what was not durable is lost, or not.
    pub(super) fn crash(&mut self, before: Option<GameId>) {
        let Some(process) = self.process.take() else { return };
        self.stops_no_more();
        let actor = before.and_then(|game| process.actors.get(&game)).or(process.actors.values().next());
        if let Some(actor) = actor {
            self.checker.coverage.hit(actor.point());
        }
        let now = process.service();
        // Also one that was just woken has no actor yet, and does not rest any more.
        for game in &self.games {
            if self.disk.rests(*game) {
                self.checker.interrupted_at_rest(*game, now);
            } else {
                self.checker.interrupted(*game, now);
            }
        }
        for connection in process.sessions.keys().copied().collect::<Vec<_>>() {
            self.checker.nothing_more_comes_from(connection);
            self.close_down(connection);
        }
        drop(process);
        for (_, flying) in std::mem::take(&mut self.flying) {
            if flying.writes && self.dice.one_in(2) {
                self.checker.coverage.hit("append: kept by a crash");
                if self.disk.write(flying.after, &flying.record, true).is_ok() {
                    self.trace(&format!("{} durable {:?}", self.now, flying.record));
                    self.checker.durable(&flying.record);
                }
            } else if flying.writes {
                self.checker.coverage.hit("append: lost by a crash");
            }
        }
        let wait = if self.is_healing { 1_000 } else { self.dice.span(10_000_000) };
        self.after(wait, What::Boot);
    }
}
