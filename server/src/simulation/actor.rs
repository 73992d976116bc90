//! An actor of the simulation: the real logic and its real surroundings, one step at a time.
//!
//! A step is one effect or one input. Between two steps anything may happen: sessions look at the feed, the server is
//! killed. The order is that of the task in service: all effects of an input first, then the journal's answer, then what
//! was asked for, then messages, then the timer.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Wake, Waker};

use zeitnot_rules::game::{Question, Seq};
use zeitnot_rules::verdict::Outcome;

use super::checker::Checker;
use crate::games::GameHandle;
use crate::games::handle::SeatMessage;
use crate::games::logic::{Closing, Effect, Effects, Input, Logic};
use crate::games::shell::Shell;
use crate::storage::{AppendAnswer, JournalOffset, ReadError, Record, Tail};
use crate::time::ServiceInstant;

/// Rung when there is something to do.
#[derive(Debug, Default)]
pub(super) struct Bell(AtomicBool);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Bell {
    /// Whether it was rung since the last look.
    pub(super) fn was_rung(&self) -> bool {
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
    Judge(Box<Question>),
    Closed(Closing),
}

/// See the module.
#[derive(Debug)]
pub(super) struct Actor {
    pub(super) number: u64,
    pub(super) shell: Shell,
    pub(super) logic: Logic,
    pub(super) bell: Arc<Bell>,
    waker: Waker,
    effects: Effects,
    messages: VecDeque<SeatMessage>,
    has_mail: bool,
    answers: VecDeque<Input>,
    /// The world has an event for its next step.
    pub(super) is_scheduled: bool,
    /// The machine's instant of the timer that is set.
    pub(super) armed: u64,
    pub(super) is_appending: bool,
}

impl Actor {
    pub(super) fn new(number: u64, game: GameHandle, mut logic: Logic) -> Self {
        let bell = Arc::new(Bell::default());
        let mut effects = Effects::new();
        logic.begin(&mut effects);
        Self {
            number,
            shell: Shell::new(game),
            logic,
            waker: Waker::from(Arc::clone(&bell)),
            bell,
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
    pub(super) fn waiting(&mut self) -> VecDeque<SeatMessage> {
        std::mem::take(&mut self.messages)
    }

    pub(super) fn appended(&mut self, answer: AppendAnswer) {
        self.is_appending = false;
        self.answers.push_back(Input::Appended(answer));
    }

    pub(super) fn tail_read(&mut self, tail: Result<Tail, ReadError>) {
        self.answers.push_back(Input::TailRead(tail));
    }

    pub(super) fn judged(&mut self, about: Seq, outcome: Option<Outcome>) {
        self.answers.push_back(Input::Verdict { about, outcome });
    }

    /// What would be lost if the server was killed before the next step.
    pub(super) fn point(&self) -> &'static str {
        let is_ahead = |wanted: fn(&Effect) -> bool| self.effects.iter().any(wanted);
        if is_ahead(|effect| matches!(effect, Effect::Append { .. })) {
            "crash: before an append"
        } else if self.is_appending {
            "crash: an append in flight"
        } else if is_ahead(|effect| matches!(effect, Effect::Publish(_)))
            || self.answers.iter().any(|answer| matches!(answer, Input::Appended(Ok(_))))
        {
            "crash: between commit and publish"
        } else if is_ahead(|effect| matches!(effect, Effect::StampTurn)) {
            "crash: mid-turn-start"
        } else if is_ahead(|effect| matches!(effect, Effect::Tell { .. })) {
            "crash: between publish and ok"
        } else if self.logic.game().question().is_some() {
            "crash: the verdict is missing"
        } else {
            "crash: at rest"
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
                    self.put_in(input, now, checker);
                    Step::Done
                }
                None => Step::Rests(self.logic.wake()),
            },
        }
    }

    fn carry_out(&mut self, effect: Effect, now: ServiceInstant, checker: &mut Checker) -> Step {
        let id = self.logic.id();
        checker.effect(id, &effect, now);
        if checker.has_complaint() {
            return Step::Done;
        }
        match self.shell.carry_out(effect) {
            None => {}
            Some(Effect::Append { after, record }) => {
                self.is_appending = true;
                return Step::Append { after, record };
            }
            Some(Effect::ReadTail { from }) => return Step::ReadTail { from },
            Some(Effect::Judge(question)) => return Step::Judge(question),
            Some(Effect::NoteTurn(time)) => {
                self.shell.game.house().journal.note_turn(id, time);
            }
            Some(Effect::StampTurn) => {
                checker.turn_started(id, now);
                self.put_in(Input::TurnQueued, now, checker);
            }
            Some(Effect::Trim) => self.shell.trim(),
            Some(Effect::Close(why)) => return Step::Closed(why),
            Some(effect) => panic!("the shell carries out {effect:?}"),
        }
        Step::Done
    }

    fn next_input(&mut self, now: ServiceInstant) -> Option<Input> {
        if let Some(answer) = self.answers.pop_front() {
            return Some(answer);
        }
        let mailbox = self.shell.game.mailbox();
        let raised = mailbox.raised();
        self.has_mail |= raised.queued;
        if raised.watchers_changed {
            let count = self.shell.game.relay().count();
            if raised.snapshot_wanted {
                self.answers.push_back(Input::SnapshotWanted);
            }
            return Some(Input::Watchers(count));
        }
        if raised.snapshot_wanted {
            return Some(Input::SnapshotWanted);
        }
        if self.logic.takes_more() {
            if self.messages.is_empty() && std::mem::take(&mut self.has_mail) {
                mailbox.take(&mut self.messages);
            }
            if let Some(message) = self.messages.pop_front() {
                return Some(self.shell.input(message));
            }
        }
        self.logic.wake().is_some_and(|wake| wake <= now).then_some(Input::Tick)
    }

    fn put_in(&mut self, input: Input, now: ServiceInstant, checker: &mut Checker) {
        let id = self.logic.id();
        checker.input(id, &input, now);
        self.logic.handle(input, now, &mut self.effects);
        checker.after_input(id, &self.logic);
    }
}
