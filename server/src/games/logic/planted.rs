//! Bugs that tests plant, to show that the checks would catch them. They do not exist outside tests.
//!
//! One switch for a thread: whoever plants a bug holds a [`Plot`] as long as it is to grow. The code that has the bug asks
//! [`is_planted`], so that nothing has to be handed through.

use std::cell::Cell;
use std::sync::Arc;

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Bonus, Command, Event, Fact, GameInstant, Micros, Seq, TimeControl};

use super::{Effects, Logic, Reply};
use crate::games::answers::Answers;
use crate::games::{Act, News, SeatCommand};
use crate::storage::{Record, Tail};

macro_rules! bugs {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// A planted bug.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Planted {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Planted {
            /// All of them.
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)+];
        }
    };
}

bugs! {
    /// An event becomes the state, and is published, before it is durable.
    EvolveBeforeCommit,
    /// A deadline is decided without waiting for what was stamped before it.
    FlagWithoutFence,
    /// What is forgiven for the network is forgotten.
    DeadlineWithoutAllowance,
    /// A move is played again on whatever position stands now.
    ReplayAfterTakeback,
    /// A session answers a fence before it has handed over what it read.
    FenceBeforeHandOver,
    /// `ok` is said when the record is on its way to the journal.
    OkBeforeDurable,
    /// The cursor behind a snapshot stands one event too far.
    SnapshotSkipsAnEvent,
    /// Who is more than one event behind is not given the first of them.
    RingOffByOne,
    /// The answers of a game are not found again in its records.
    AnswersOnlyInMemory,
    /// After an unknown outcome the record is appended again, whatever the tail says.
    AppendedAgainAfterUnknown,
    /// A conflict is taken for a success.
    ConflictIgnored,
    /// A turn starts when its record is sent to the journal: the disk is charged to the player.
    TurnStartsBeforeCommit,
    /// The service clock goes on while the process is stopped.
    ClockRunsInAStop,
    /// The move that ends the game earns its increment.
    IncrementOnTheLastMove,
    /// An offer that is answered again is answered again.
    OfferAnsweredTwice,
    /// Only the tab that moved hears of the end.
    SecondTabNotTold,
    /// The time until a game is taken up again is charged to the player to move.
    DowntimeCharged,
    /// A deadline is decided although the clocks have stopped.
    DeadlineAfterTheEnd,
    /// A deadline that passes during an append is decided before what was stamped before it.
    StampsIgnored,
}

impl Planted {
    /// The bug of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|bug| format!("{bug:?}") == name)
    }
}

thread_local! {
    static PLANTED: Cell<Option<Planted>> = const { Cell::new(None) };
}

/// A bug is planted on this thread as long as this lives.
#[derive(Debug)]
#[must_use]
pub(crate) struct Plot(());

impl Plot {
    /// Plants a bug, or none.
    pub(crate) fn with(bug: impl Into<Option<Planted>>) -> Self {
        PLANTED.set(bug.into());
        Self(())
    }
}

impl Drop for Plot {
    fn drop(&mut self) {
        PLANTED.set(None);
    }
}

/// Whether this bug is planted on this thread.
pub(crate) fn is_planted(bug: Planted) -> bool {
    PLANTED.get() == Some(bug)
}

/// Whether the service clock goes on while the process is stopped.
pub(crate) fn clock_runs_in_a_stop() -> bool {
    is_planted(Planted::ClockRunsInAStop)
}

/// A cursor that skips an event when there is more than one.
pub(in crate::games) fn skips_one(cursor: Seq, head: Seq) -> Seq {
    if is_planted(Planted::RingOffByOne) && cursor + 1 < head { cursor + 1 } else { cursor }
}

/// The answers that are found again in a game's records.
pub(super) fn kept_answers(answers: Answers) -> Answers {
    if is_planted(Planted::AnswersOnlyInMemory) { Answers::default() } else { answers }
}

impl Logic {
    /// The command as if it were about the position on the board, when that bug is planted.
    pub(super) fn replayed_by_a_bug(&self, command: SeatCommand) -> SeatCommand {
        match command.act {
            Act::Move { uci, .. } if is_planted(Planted::ReplayAfterTakeback) => {
                SeatCommand { act: Act::Move { on: self.game.position_seq(), uci }, ..command }
            }
            _ => command,
        }
    }

    /// What is done too early when a record is sent to the journal, and what is wrong in it.
    pub(super) fn spoilt(
        &mut self,
        record: Arc<Record>,
        reply: Option<&Reply>,
        effects: &mut Effects,
    ) -> Arc<Record> {
        if let Some(reply) = reply.filter(|_| is_planted(Planted::OkBeforeDurable)) {
            let news = News::Done { id: reply.id.map(Box::new), seq: reply.seq };
            self.tell(reply.connection, news, effects);
        }
        if is_planted(Planted::TurnStartsBeforeCommit) {
            self.turn_sent_at = Some(record.at);
        }
        let ends = record.events.iter().any(|event| matches!(event, Event::Ended { .. }));
        if !(ends && is_planted(Planted::IncrementOnTheLastMove)) {
            return record;
        }
        let mut record = Record::clone(&record);
        if let Some(Event::MovePlayed { charge: Some(charge), .. }) = record.events.first_mut() {
            charge.remaining[charge.seat] += self.increment(charge.seat);
        }
        Arc::new(record)
    }

    fn increment(&self, seat: Color) -> Micros {
        match &self.game.setup().time_control {
            TimeControl::Clock(sides) => match sides[seat][0].bonus {
                Bonus::Increment(increment) => increment,
                _ => Micros::ZERO,
            },
            TimeControl::DaysPerMove { .. } | TimeControl::Unlimited => Micros::ZERO,
        }
    }

    /// The tail as if nothing of the uncertain record was in it: it goes behind itself once more.
    pub(super) fn misread(&mut self, tail: Tail) -> Tail {
        if !is_planted(Planted::AppendedAgainAfterUnknown) {
            return tail;
        }
        self.offset = tail.last;
        Tail { records: Vec::new(), ..tail }
    }

    /// Whether another tab of the player who ended the game hears nothing.
    pub(super) fn forgets_tab(&self, reply: Option<&Reply>, seat: Color) -> bool {
        let ended_it = reply.is_some_and(|reply| self.seat_of(reply.connection) == Some(seat));
        is_planted(Planted::SecondTabNotTold) && ended_it
    }

    /// As if the turn had gone on while there was no server.
    pub(super) fn charge_downtime(&mut self) {
        if is_planted(Planted::DowntimeCharged) {
            self.game.observe(Fact::TurnCarried { spent: Micros::from_millis(700) });
        }
    }

    /// Whether the deadline of a game that is over is kept.
    pub(super) fn keeps_deadline(&self) -> bool {
        is_planted(Planted::DeadlineAfterTheEnd) && self.game.is_over()
    }

    /// The flag of a game that is over.
    pub(super) fn flag_after_the_end(&mut self, deadline: GameInstant, effects: &mut Effects) {
        self.deadline = None;
        if !self.game.has_ended() {
            self.append(vec![Event::FlagFell { seat: self.game.turn(), charge: None }], deadline, effects);
        }
    }

    /// Whether an offer that is no longer open is answered once more.
    pub(super) fn answers_again(&self, seat: Color, command: &SeatCommand) -> bool {
        let declines = matches!(command.act, Act::Plain(Command::DeclineDraw { .. }));
        is_planted(Planted::OfferAnsweredTwice) && declines && self.is_here(seat)
    }

    pub(super) fn second_answer(&self, seat: Color) -> Vec<Event> {
        debug_assert!(!self.game.is_over(), "a command was refused for another reason");
        vec![Event::DrawDeclined { by: seat }]
    }
}
