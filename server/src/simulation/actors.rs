//! Steps of the actors, and what follows from them.

use std::sync::Arc;

use zeitnot_protocol::GameId;
use zeitnot_rules::verdict::Limits;

use super::World;
use super::actor::{Actor, Step};
use super::world::What;
use crate::games::effects::{EffectRunner, GameOwner, reset_joins};
use crate::games::inputs::ActorEnd;
use crate::games::machine::{Closing, GameMachine};
use crate::storage::ReadError;
use crate::time::ServiceInstant;

/// Positions that a verdict may look at: enough for proofs of every kind, and few, for the run's
/// sake.
const NODES: u32 = 500;

impl World {
    /// A game has an actor from now on.
    pub(super) fn runs(&mut self, mut machine: GameMachine) {
        let now = self.process().service();
        machine.set_rest_after(self.rest_after, now);
        self.actors += 1;
        let (number, game) = (self.actors, machine.id());
        let process = self.process();
        let shared = Arc::clone(process.games.shared());
        let handle = shared.open(&machine);
        let (store, owner) = (Arc::clone(&shared.store), shared as Arc<dyn GameOwner>);
        process.handles.insert(game, handle.clone());
        let actor = Actor::new(number, EffectRunner::new(handle, owner), store, machine);
        assert!(process.actors.insert(game, actor).is_none(), "a game has one actor");
        self.schedule_actor(game, 0);
    }

    pub(super) fn schedule_actor(&mut self, game: GameId, wait: u64) {
        let boot = self.boots;
        let Some(actor) = self.process().actors.get_mut(&game) else { return };
        if !std::mem::replace(&mut actor.is_scheduled, true) {
            self.after(wait, What::Actor { boot, game });
        }
    }

    /// Steps of an actor, until it has to wait or something else runs in between.
    pub(super) fn actor_turn(&mut self, game: GameId) {
        self.draw_manner();
        let runtime = self.process().runtime.handle().clone();
        let _guard = runtime.enter();
        loop {
            self.steps += 1;
            if !self.is_healing && self.faults.crashes.contains(&self.steps) {
                return self.crash(Some(game));
            }
            let process = self.process.as_mut().expect("the server runs");
            let now = process.clock.now();
            let Some(actor) = process.actors.get_mut(&game) else { return };
            actor.is_scheduled = false;
            let step = actor.step(now, &mut self.checker);
            if self.checker.has_complaint() {
                return;
            }
            match step {
                Step::Rests(wake) => {
                    if !actor.is_appending {
                        self.disk.has_begun(game);
                    }
                    return self.arm(game, wake);
                }
                Step::Closed(why) => return self.actor_closed(game, &why),
                step => self.follow_up(game, step),
            }
            if !self.is_healing && self.dice.permille(self.faults.interleaved) {
                self.checker.coverage.hit("fault: interleaved");
                let wait = self.dice.span(400);
                return self.schedule_actor(game, wait);
            }
        }
    }

    fn arm(&mut self, game: GameId, wake: Option<ServiceInstant>) {
        let (machine, boot) = (self.now, self.boots);
        let now = self.process().service();
        let Some(actor) = self.process().actors.get_mut(&game) else { return };
        let at = wake.map(|wake| machine + wake.0.saturating_sub(now.0));
        if let Some(at) = at.filter(|at| *at < actor.armed || actor.armed <= machine) {
            actor.armed = at;
            self.at(at.max(machine + 1), What::ActorTimer { boot, game });
        }
    }

    fn follow_up(&mut self, game: GameId, step: Step) {
        let (boot, number) = (self.boots, self.process().actors[&game].number);
        match step {
            Step::Append { after, record } => self.append(game, number, after, record),
            Step::ReadTail { from } => {
                let wait = self.dice.span(self.faults.disk);
                self.after(wait, What::TailRead { boot, game, actor: number, from });
            }
            Step::AskVerdict(question) => {
                let about = question.about;
                let outcome = question.answer(&Limits::nodes(NODES)).outcome;
                let is_slow = !self.is_healing && self.dice.permille(self.faults.slow_questions);
                let wait = if is_slow { self.dice.span(2_000_000) } else { 0 };
                if is_slow && !self.faults.crashes.is_empty() && self.dice.one_in(4) {
                    let wait = self.dice.below(wait + 1);
                    self.after(wait, What::Crash);
                }
                self.after(wait, What::Verdict { boot, game, actor: number, about, outcome });
            }
            Step::Rest { after, mark, at } => {
                let wait = self.dice.span(self.faults.disk);
                self.after(wait, What::Rest { boot, game, actor: number, after, mark, at });
            }
            Step::Done | Step::Rests(_) | Step::Closed(_) => {}
        }
    }

    pub(super) fn actor_of(&mut self, game: GameId, number: u64) -> Option<&mut Actor> {
        let process = self.process.as_mut()?;
        process.actors.get_mut(&game).filter(|actor| actor.number == number)
    }

    pub(super) fn tail_is_read(&mut self, game: GameId, actor: u64, from: u32) {
        let fails = !self.is_healing && self.dice.permille(self.faults.read_failed);
        let tail = if fails {
            self.checker.coverage.hit("read: failed");
            Err(ReadError::Unavailable("a fault was drawn".to_owned()))
        } else {
            Ok(self.disk.tail_now(game, from))
        };
        if let Some(actor) = self.actor_of(game, actor) {
            actor.tail_read(tail);
            self.schedule_actor(game, 0);
        }
    }

    /// An actor has ended; the game is recovered if it is to go on.
    fn actor_closed(&mut self, game: GameId, why: &Closing) {
        let end = why.end();
        let boot = self.boots;
        let now = self.process().service();
        let mut actor = self.process().actors.remove(&game).expect("it has just run");
        reset_joins(game, actor.waiting());
        let handle = actor.shell.game.clone();
        self.process().games.shared().retire(&handle, end);
        self.disk.has_begun(game);
        // A rest whose answer was lost is a rest, until the game is recovered.
        if end == ActorEnd::Rests || self.disk.rests(game) {
            self.checker.rests(game);
        } else {
            self.checker.interrupted(game, now);
        }
        if end == ActorEnd::Recovers {
            let wait = self.dice.span(500_000);
            self.after(wait, What::Recover { boot, game });
        }
    }
}
