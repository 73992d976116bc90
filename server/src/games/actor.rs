//! The task of a game: gives the machine its inputs and carries out its effects. It decides
//! nothing.
//!
//! A hand-written future, so that an append which is answered at once costs no other task, and an
//! idle game owns no channel. One turn takes what is in the mailbox, the answer of storage and
//! the timer.
//!
//! A panic in here is a bug. The actor logs it and ends, its sessions are told to resume, and the
//! game is recovered from its records. All other games live on.

use std::collections::VecDeque;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::time::Sleep;
use zeitnot_rules::game::{Answer, Event, Question};

use super::GameHandle;
use super::effects::{EffectRunner, reset_joins};
use super::inputs::{ActorEnd, GameInput, Mail, VerdictAnswer};
use super::machine::{Closing, GameEffect, GameEffects, GameMachine, TaskRequest};
use super::mailbox::{Raised, keep_little};
use super::snapshot::RatingChanges;
use crate::storage::{Append, GameStore, Reading, Tail, Writing};
use crate::telemetry::metrics;
use crate::time::{ServiceClock, ServiceInstant};
use crate::verdicts::Verdicts;

/// An append on its way, with when it began and how many moves it holds.
#[derive(Debug)]
struct Appending {
    append: Append,
    began: ServiceInstant,
    moves: u64,
}

/// What storage has not answered yet: the machine waits for one thing at a time.
enum Awaited {
    Nothing,
    Append(Appending),
    Tail(Reading<Tail>),
    Rest(Writing<bool>),
    Confirmation(Writing<()>),
}

/// A timer that may be armed for an instant before the one that is wanted: it is armed again when
/// it fires early, and left alone when a later instant is wanted. Most moves move the next deadline
/// further away.
#[derive(Debug)]
pub(super) struct Timer {
    sleep: Option<Pin<Box<Sleep>>>,
    /// For when; never while it is not armed.
    armed: ServiceInstant,
}

impl Default for Timer {
    fn default() -> Self {
        Self { sleep: None, armed: ServiceInstant::NEVER }
    }
}

/// What an actor is given to work with.
#[derive(Debug)]
pub(super) struct ActorServices {
    pub(super) store: Arc<dyn GameStore>,
    pub(super) clock: ServiceClock,
    pub(super) verdicts: Verdicts,
}

/// The task.
pub(super) struct GameActor {
    runner: EffectRunner,
    services: ActorServices,
    machine: GameMachine,
    messages: VecDeque<Mail>,
    /// Whether the mailbox has something that was not taken.
    has_mail: bool,
    effects: GameEffects,
    awaited: Awaited,
    rating: Option<Reading<Option<RatingChanges>>>,
    timer: Timer,
    /// The clock as it was last read.
    now: ServiceInstant,
    is_closed: bool,
}

impl Awaited {
    /// The answer, as the machine takes it.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<GameInput> {
        match self {
            Self::Nothing => Poll::Pending,
            Self::Append(appending) => Pin::new(&mut appending.append).poll(cx).map(GameInput::Appended),
            Self::Tail(tail) => tail.as_mut().poll(cx).map(GameInput::TailRead),
            Self::Rest(rest) => rest.as_mut().poll(cx).map(GameInput::Rested),
            Self::Confirmation(confirmation) => confirmation.as_mut().poll(cx).map(GameInput::Confirmed),
        }
    }
}

impl GameActor {
    pub(super) fn new(runner: EffectRunner, mut machine: GameMachine, services: ActorServices) -> Self {
        let mut effects = GameEffects::new();
        machine.begin(&mut effects);
        Self {
            runner,
            services,
            machine,
            messages: VecDeque::new(),
            has_mail: false,
            effects,
            awaited: Awaited::Nothing,
            rating: None,
            timer: Timer::default(),
            now: ServiceInstant::default(),
            is_closed: false,
        }
    }

    /// Reads the clock, once for all that was stamped or answered before.
    fn read_clock(&mut self) {
        self.now = self.services.clock.now();
    }

    fn turn(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.game().mailbox().register(cx.waker());
        let raised = self.game().mailbox().raised();
        self.has_mail |= raised.queued;
        self.take_messages();
        self.read_clock();
        self.carry_out_all(cx);
        self.poll_journal(cx);
        self.handle_raised(raised, cx);
        self.handle_messages(cx);
        let mut wake = self.machine.wake();
        if wake.is_some_and(|wake| wake <= self.now) {
            self.handle_input(GameInput::Tick, cx);
            wake = self.machine.wake();
        }
        if self.is_closed {
            return Poll::Ready(());
        }
        // Mail that came in meanwhile gets another turn, after the other tasks.
        let has_more = (self.has_mail || !self.messages.is_empty()) && self.machine.takes_more();
        if has_more || self.timer.fires(wake, &self.services.clock, cx) {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    }

    fn handle_input(&mut self, input: GameInput, cx: &mut Context<'_>) {
        self.machine.handle(input, self.now, &mut self.effects);
        self.carry_out_all(cx);
    }

    fn handle_raised(&mut self, raised: Raised, cx: &mut Context<'_>) {
        if raised.stop {
            self.handle_input(GameInput::Stop, cx);
        }
        if raised.watchers_changed {
            self.handle_input(GameInput::Watchers(self.game().watching()), cx);
        }
        if raised.snapshot_wanted {
            self.handle_input(GameInput::SnapshotWanted, cx);
        }
    }

    /// Takes one batch from the mailbox. The clock is read after that, so no stamp is later.
    fn take_messages(&mut self) {
        if self.messages.is_empty() && self.has_mail && self.machine.takes_more() {
            self.has_mail = false;
            self.runner.game.mailbox().take(&mut self.messages);
        }
    }

    fn handle_messages(&mut self, cx: &mut Context<'_>) {
        while self.machine.takes_more()
            && let Some(message) = self.messages.pop_front()
        {
            self.handle_message(message, cx);
        }
        if self.machine.is_trimmed() {
            // Round trips come also then.
            self.messages.shrink_to_fit();
        } else {
            keep_little(&mut self.messages);
        }
    }

    fn handle_message(&mut self, message: Mail, cx: &mut Context<'_>) {
        let input = self.runner.input(message);
        self.handle_input(input, cx);
    }

    /// Takes the journal's answers.
    fn poll_journal(&mut self, cx: &mut Context<'_>) {
        if let Poll::Ready(answer) = self.awaited.poll(cx) {
            // Kept until the turn after the record has begun: before that no heartbeat may count
            // for it.
            let awaited = std::mem::replace(&mut self.awaited, Awaited::Nothing);
            if let Awaited::Append(Appending { began, moves, .. }) = &awaited
                && matches!(answer, GameInput::Appended(Ok(_)))
            {
                metrics().append_seconds.record(self.now.since(*began).as_secs_f64());
                metrics().moves.increment(*moves);
            }
            self.handle_input(answer, cx);
            drop(awaited);
        }
        if let Some(rating) = &mut self.rating
            && let Poll::Ready(changes) = rating.as_mut().poll(cx)
        {
            self.rating = None;
            let changes = changes.unwrap_or_else(|error| {
                tracing::warn!(game = %self.game().id(), %error, "what a game has done to ratings is not told");
                None
            });
            self.handle_input(GameInput::RatingsRead(changes), cx);
        }
    }

    /// Carries out effects until there are none left, or an append is not answered at once.
    fn carry_out_all(&mut self, cx: &mut Context<'_>) {
        while let Some(effect) = self.effects.pop_front() {
            self.carry_out(effect, cx);
        }
    }

    fn carry_out(&mut self, effect: GameEffect, cx: &mut Context<'_>) {
        match effect {
            GameEffect::Publish(publication) => self.runner.publish(publication),
            GameEffect::Task(request) => self.carry_out_request(request, cx),
        }
    }

    fn carry_out_request(&mut self, request: TaskRequest, cx: &mut Context<'_>) {
        match request {
            TaskRequest::Append { after, record } => {
                let moves =
                    record.events.iter().filter(|event| matches!(event, Event::MovePlayed { .. })).count();
                let append = self.services.store.append(after, record);
                self.append(append, moves as u64, cx);
            }
            TaskRequest::ReadTail { from } => {
                self.awaited = Awaited::Tail(self.services.store.tail(self.game().id(), from));
                cx.waker().wake_by_ref();
            }
            TaskRequest::Confirm => self.confirm(cx),
            TaskRequest::ReadRatings => {
                self.rating = Some(self.services.store.rating_changes(self.game().id()));
                cx.waker().wake_by_ref();
            }
            TaskRequest::NoteTurn(time) => self.services.store.note_turn(self.game().id(), time),
            TaskRequest::StampTurn => self.turn_queued(),
            TaskRequest::AskVerdict(question) => self.ask_verdict(question),
            TaskRequest::Trim => self.trim(),
            TaskRequest::Rest { after, mark, at } => {
                let has_room = self.runner.has_room_for_rest();
                self.awaited = Awaited::Rest(if has_room {
                    self.services.store.rest(self.game().id(), after, mark, at)
                } else {
                    Box::pin(std::future::ready(Ok(false)))
                });
                cx.waker().wake_by_ref();
            }
            TaskRequest::Close(why) => self.close(&why),
        }
    }

    fn game(&self) -> &GameHandle {
        &self.runner.game
    }

    /// The turn's message is queued: the one instant that is read on its own, because a player's
    /// clock runs from it.
    fn turn_queued(&mut self) {
        self.read_clock();
        self.machine.handle(GameInput::TurnQueued, self.now, &mut self.effects);
    }

    /// Lets the pool answer. The answer comes through the mailbox, and nothing waits for it.
    fn ask_verdict(&self, question: Box<Question>) {
        let (game, about) = (self.game().clone(), question.about);
        let reply = move |answer: Answer| {
            let answer = VerdictAnswer { about, outcome: answer.outcome };
            game.mailbox().send_reserved(Mail::Input(GameInput::Verdict(answer)));
        };
        self.services.verdicts.ask(self.game().id(), question, Box::new(reply));
    }

    /// Looks at once whether the append is answered: a journal in memory always has.
    fn append(&mut self, mut append: Append, moves: u64, cx: &mut Context<'_>) {
        match Pin::new(&mut append).poll(cx) {
            Poll::Ready(answer) => {
                if answer.is_ok() {
                    metrics().moves.increment(moves);
                }
                self.machine.handle(GameInput::Appended(answer), self.now, &mut self.effects);
            }
            Poll::Pending => self.awaited = Awaited::Append(Appending { append, began: self.now, moves }),
        }
    }

    /// Looks at once, too: a store that nobody can take over has nothing to ask.
    fn confirm(&mut self, cx: &mut Context<'_>) {
        let mut confirming = self.services.store.confirm();
        match confirming.as_mut().poll(cx) {
            Poll::Ready(answer) => {
                self.machine.handle(GameInput::Confirmed(answer), self.now, &mut self.effects);
            }
            Poll::Pending => self.awaited = Awaited::Confirmation(confirming),
        }
    }

    fn trim(&mut self) {
        self.runner.trim();
        // Mail may be in it that waits for an append.
        self.messages.shrink_to_fit();
        self.effects.shrink_to_fit();
    }

    fn close(&mut self, why: &Closing) {
        self.is_closed = true;
        let id = self.game().id();
        match why {
            Closing::Over | Closing::Stopped | Closing::Rests | Closing::Released => {
                tracing::debug!(game = %id, ?why, "the actor has ended");
            }
            Closing::Conflict => {
                tracing::error!(game = %id, "somebody else wrote a record of this game: its actor has ended");
            }
            Closing::JournalFailed(error) => {
                tracing::error!(game = %id, %error, "the journal takes no records: the game's actor has ended");
            }
        }
        reset_joins(id, std::mem::take(&mut self.messages));
        self.runner.actor_ended(why.end());
    }

    /// A bug: what is left of this actor is not to be trusted.
    fn die(&mut self) {
        let id = self.game().id();
        tracing::error!(game = %id, seq = self.machine.game().seq(), "the game's actor died of a bug");
        metrics().games_failed.increment(1);
        self.runner.notify_reset();
        reset_joins(id, std::mem::take(&mut self.messages));
        self.runner.actor_ended(ActorEnd::Recovers);
    }
}

impl Future for GameActor {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        // After a panic the actor's own state is not used any more, but for its list of sessions.
        match catch_unwind(AssertUnwindSafe(|| this.turn(cx))) {
            Ok(turn) => {
                ready!(turn);
            }
            Err(_) => this.die(),
        }
        Poll::Ready(())
    }
}

impl Timer {
    /// Arms the timer for `wake` if it is not armed for then or before. Whether `wake` has come.
    pub(super) fn fires(
        &mut self,
        wake: Option<ServiceInstant>,
        clock: &ServiceClock,
        cx: &mut Context<'_>,
    ) -> bool {
        let Some(wake) = wake else { return false };
        loop {
            if wake < self.armed {
                let at = clock.timer_for(wake);
                match &mut self.sleep {
                    Some(sleep) => sleep.as_mut().reset(at),
                    None => self.sleep = Some(Box::pin(tokio::time::sleep_until(at))),
                }
                self.armed = wake;
            }
            let sleep = self.sleep.as_mut().expect("it was armed");
            if sleep.as_mut().poll(cx).is_pending() {
                return false;
            }
            self.armed = ServiceInstant::NEVER;
            if clock.now() >= wake {
                return true;
            }
        }
    }
}
