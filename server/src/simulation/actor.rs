//! An actor of the simulation: the real machine and its real surroundings, one step at a time.
//!
//! A step is one effect or one input. Between two steps anything may happen: sessions look at the
//! feed, the server is killed. The order is that of the task in service: all effects of an input
//! first, then the journal's answer, then what was asked for, then messages, then the timer.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Wake, Waker};

use zeitnot_rules::game::{Question, Seq};
use zeitnot_rules::verdict::Outcome;

use super::checker::Checker;
use crate::games::effects::EffectRunner;
use crate::games::inputs::{GameInput, Mail, VerdictAnswer};
use crate::games::machine::{Closing, GameEffect, GameEffects, GameMachine, Publication, TaskRequest};
use crate::storage::{AppendAnswer, GameStore, JournalOffset, ReadError, Record, RestMark, Tail, WriteError};
use crate::time::ServiceInstant;

/// Set when there is something to do.
#[derive(Debug, Default)]
pub(super) struct WakeFlag(AtomicBool);

impl Wake for WakeFlag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl WakeFlag {
    /// Whether it was set since the last look.
    pub(super) fn was_woken(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

/// What a step came to.
#[derive(Debug)]
pub(super) enum Step {
    /// There may be more to do.
    Done,
    /// There is nothing to do before this instant.
    Rests(Option<ServiceInstant>),
    Append {
        after: JournalOffset,
        record: Arc<Record>,
    },
    ReadTail {
        from: Seq,
    },
    AskVerdict(Box<Question>),
    Rest {
        after: JournalOffset,
        mark: RestMark,
        at: ServiceInstant,
    },
    Closed(Closing),
}

/// An actor, one step at a time.
#[derive(Debug)]
pub(super) struct Actor {
    pub(super) number: u64,
    pub(super) shell: EffectRunner,
    store: Arc<dyn GameStore>,
    pub(super) machine: GameMachine,
    pub(super) wake_flag: Arc<WakeFlag>,
    waker: Waker,
    effects: GameEffects,
    messages: VecDeque<Mail>,
    has_mail: bool,
    answers: VecDeque<GameInput>,
    /// The world has an event for its next step.
    pub(super) is_scheduled: bool,
    /// The machine's instant of the timer that is set.
    pub(super) armed: u64,
    pub(super) is_appending: bool,
}

impl Actor {
    pub(super) fn new(
        number: u64,
        shell: EffectRunner,
        store: Arc<dyn GameStore>,
        mut machine: GameMachine,
    ) -> Self {
        let wake_flag = Arc::new(WakeFlag::default());
        let mut effects = GameEffects::new();
        machine.begin(&mut effects);
        Self {
            number,
            shell,
            store,
            machine,
            waker: Waker::from(Arc::clone(&wake_flag)),
            wake_flag,
            effects,
            messages: VecDeque::new(),
            has_mail: false,
            answers: VecDeque::new(),
            is_scheduled: false,
            armed: u64::MAX,
            is_appending: false,
        }
    }

    /// The messages that were taken from the mailbox and not put in.
    pub(super) fn waiting(&mut self) -> VecDeque<Mail> {
        std::mem::take(&mut self.messages)
    }

    pub(super) fn appended(&mut self, answer: AppendAnswer) {
        self.is_appending = false;
        self.answers.push_back(GameInput::Appended(answer));
    }

    pub(super) fn tail_read(&mut self, tail: Result<Tail, ReadError>) {
        self.answers.push_back(GameInput::TailRead(tail));
    }

    pub(super) fn rested(&mut self, rests: Result<bool, WriteError>) {
        self.answers.push_back(GameInput::Rested(rests));
    }

    pub(super) fn verdict_found(&mut self, about: Seq, outcome: Option<Outcome>) {
        self.answers.push_back(GameInput::Verdict(VerdictAnswer { about, outcome }));
    }

    /// What would be lost if the server was killed before the next step.
    pub(super) fn point(&self) -> &'static str {
        let is_ahead = |wanted: fn(&GameEffect) -> bool| self.effects.iter().any(wanted);
        if is_ahead(|effect| matches!(effect, GameEffect::Task(TaskRequest::Append { .. }))) {
            "crash: before an append"
        } else if self.is_appending {
            "crash: an append in flight"
        } else if is_ahead(|effect| matches!(effect, GameEffect::Publish(Publication::Event(_))))
            || self.answers.iter().any(|answer| matches!(answer, GameInput::Appended(Ok(_))))
        {
            "crash: between commit and publish"
        } else if is_ahead(|effect| matches!(effect, GameEffect::Task(TaskRequest::StampTurn))) {
            "crash: mid-turn-start"
        } else if is_ahead(|effect| matches!(effect, GameEffect::Publish(Publication::Notice { .. }))) {
            "crash: between publish and ok"
        } else if self.machine.game().question().is_some() {
            "crash: the verdict is missing"
        } else {
            "crash: nothing under way"
        }
    }

    /// One step, at the service clock's `now`.
    pub(super) fn step(&mut self, now: ServiceInstant, checker: &mut Checker) -> Step {
        // Waking takes the waker, so it is named before every look.
        self.shell.game.mailbox().register(&self.waker);
        match self.effects.pop_front() {
            Some(effect) => self.carry_out(effect, now, checker),
            None => match self.next_input(now) {
                Some(input) => {
                    self.handle_input(input, now, checker);
                    Step::Done
                }
                None => Step::Rests(self.machine.wake()),
            },
        }
    }

    fn carry_out(&mut self, effect: GameEffect, now: ServiceInstant, checker: &mut Checker) -> Step {
        let id = self.machine.id();
        checker.effect(id, &effect, now);
        if checker.has_complaint() {
            return Step::Done;
        }
        match effect {
            GameEffect::Publish(publication) => self.shell.publish(publication),
            GameEffect::Task(TaskRequest::Append { after, record }) => {
                self.is_appending = true;
                return Step::Append { after, record };
            }
            GameEffect::Task(TaskRequest::ReadTail { from }) => return Step::ReadTail { from },
            GameEffect::Task(TaskRequest::AskVerdict(question)) => return Step::AskVerdict(question),
            GameEffect::Task(TaskRequest::NoteTurn(time)) => self.store.note_turn(id, time),
            GameEffect::Task(TaskRequest::StampTurn) => {
                checker.turn_started(id, now);
                self.handle_input(GameInput::TurnQueued, now, checker);
            }
            GameEffect::Task(TaskRequest::Confirm) => {
                // A data folder has nothing to find out, and answers in the same breath.
                self.handle_input(GameInput::Confirmed(Ok(())), now, checker);
                return self.step(now, checker);
            }
            GameEffect::Task(TaskRequest::ReadRatings) => {
                self.answers.push_back(GameInput::RatingsRead(None));
            }
            GameEffect::Task(TaskRequest::Trim) => self.shell.trim(),
            GameEffect::Task(TaskRequest::Rest { after, mark, at }) => {
                return Step::Rest { after, mark, at };
            }
            GameEffect::Task(TaskRequest::Close(why)) => return Step::Closed(why),
        }
        Step::Done
    }

    fn next_input(&mut self, now: ServiceInstant) -> Option<GameInput> {
        if let Some(answer) = self.answers.pop_front() {
            return Some(answer);
        }
        let mailbox = self.shell.game.mailbox();
        let raised = mailbox.raised();
        self.has_mail |= raised.queued;
        if raised.watchers_changed {
            let count = self.shell.game.relay().count();
            if raised.snapshot_wanted {
                self.answers.push_back(GameInput::SnapshotWanted);
            }
            return Some(GameInput::Watchers(count));
        }
        if raised.snapshot_wanted {
            return Some(GameInput::SnapshotWanted);
        }
        if self.machine.takes_more() {
            if self.messages.is_empty() && std::mem::take(&mut self.has_mail) {
                mailbox.take(&mut self.messages);
            }
            if let Some(message) = self.messages.pop_front() {
                return Some(self.shell.input(message));
            }
        }
        self.machine.wake().is_some_and(|wake| wake <= now).then_some(GameInput::Tick)
    }

    fn handle_input(&mut self, input: GameInput, now: ServiceInstant, checker: &mut Checker) {
        let id = self.machine.id();
        checker.input(id, &input, now);
        self.machine.handle(input, now, &mut self.effects);
        checker.after_input(id, &self.machine);
    }
}
