//! The mirror of a game: what stands in for the game's actor on a node that does not own the game.
//!
//! A plain state machine: what sessions do, what the owner says and what becomes of the link go in;
//! messages to the owner and what becomes visible here come out. It decides nothing about the game. It
//! keeps what a new owner, or the same one after a lost link, must be told again: who sits here, how many
//! watch, and the commands without an answer.
//!
//! Deliberately absent: finding the owner, reading what is missing from storage, and the task around it.
//!
//! Invariants: a command has one effect and one answer, however often the link is lost, because one that
//! could not be known again gets an id here, which its answer then does not show; answers come in the
//! order of a connection's commands; frames are handed on without gaps, or [`MirrorEffect::Skipped`] says
//! that there is one; at most `OPEN_MAX` commands of a connection have no answer.

mod commands;
mod fence;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::time::Duration;

use zeitnot_protocol::CommandId;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, Micros, Seq};

use super::turn_starts::TurnStarts;
use super::wire::{Attach, Attached, Clock, FrameText, FromMirror, FromOwner, SentNotice, TakenSeat};
use crate::connections::{ConnectionId, Frame, NoticeKind};
use crate::seeded_bugs::bug;
use crate::time::ServiceInstant;
use commands::OpenCommands;
use fence::MirrorFence;

/// What happens to a mirror.
#[derive(Debug)]
pub(crate) enum MirrorInput {
    /// The link with the owner is open.
    LinkOpened,
    /// It is closed: what the owner was told last may be lost.
    LinkClosed,
    /// The owner says something.
    Owner(FromOwner),
    /// A connection takes a seat.
    Join {
        connection: ConnectionId,
        seat: Color,
        round_trip: Option<Micros>,
    },
    Leave {
        connection: ConnectionId,
    },
    RoundTrip {
        connection: ConnectionId,
        smoothed: Micros,
    },
    Resync {
        connection: ConnectionId,
    },
    /// A session answers [`NoticeKind::Fence`].
    Fenced {
        connection: ConnectionId,
        number: u32,
    },
    /// A command that was read at `stamp`. If it needs an id and has none it gets the fresh one, which
    /// nobody has used before.
    Command {
        connection: ConnectionId,
        stamp: ServiceInstant,
        id: Option<CommandId>,
        command: Command,
        fresh: CommandId,
    },
    /// So many watch here.
    Watchers(u32),
    SnapshotWanted,
    /// [`Mirror::wake`] has come.
    Tick,
    /// All that sessions here have sent was taken, and no command waits until the game is found here.
    AllTaken,
}

/// What must be done, in order.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum MirrorEffect {
    /// To be sent to the owner.
    Send(FromMirror),
    /// The next public event.
    Frame(Frame),
    /// Events up to this one are missing: whoever is behind takes a snapshot.
    Skipped(Seq),
    /// Both clocks, after which spectators are to be notified. The turn of its base began here at this instant, if it has
    /// begun.
    Clock(Box<Clock>, Option<ServiceInstant>),
    ClockStarted,
    Watchers(u32),
    Snapshot(Frame),
    Rated(Frame),
    /// The owner has answered: all of the game that is here now is as it is there.
    Attached,
    /// For one connection.
    Tell {
        connection: ConnectionId,
        after: Seq,
        kind: NoticeKind,
    },
    /// The owner does not have the game any more, and all of it must be looked for anew. Nothing comes
    /// until [`MirrorInput::LinkOpened`], with the owner that was found.
    Lost {
        comes_back: bool,
    },
}

/// How far a mirror has come with the owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// There is no link, or no owner.
    Alone,
    /// `Attach` is on its way, and all that is sent after it.
    Attaching,
    /// The owner has answered.
    Attached,
}

/// The state of one mirror.
#[derive(Debug)]
pub(crate) struct Mirror {
    stage: Stage,
    head: Seq,
    seats: Vec<TakenSeat>,
    watchers: u32,
    /// Spectators wait for a snapshot.
    wants_snapshot: bool,
    commands: OpenCommands,
    starts: TurnStarts,
    fence: Option<MirrorFence>,
    /// How often sessions were asked for fences.
    questions: u32,
}

impl Mirror {
    /// Of a game that stands after event `head`, 0 if nothing of it is known.
    pub(crate) fn new(head: Seq) -> Self {
        Self {
            stage: Stage::Alone,
            head,
            seats: Vec::new(),
            watchers: 0,
            wants_snapshot: false,
            commands: OpenCommands::default(),
            starts: TurnStarts::default(),
            fence: None,
            questions: 0,
        }
    }

    /// Takes one input.
    pub(crate) fn handle(
        &mut self,
        input: MirrorInput,
        at: ServiceInstant,
        effects: &mut VecDeque<MirrorEffect>,
    ) {
        match input {
            MirrorInput::LinkOpened => self.attach(at, effects),
            MirrorInput::LinkClosed => self.leave_owner(),
            MirrorInput::Owner(said) => self.owner(said, at, effects),
            MirrorInput::Join { connection, seat, round_trip } => {
                let round_trip_us = round_trip.map(|us| us.0);
                let seat = TakenSeat { connection: connection.0, white: seat == Color::White, round_trip_us };
                self.seats.push(seat);
                self.send(FromMirror::Join(seat), effects);
                self.ask_too(connection, effects);
            }
            MirrorInput::Leave { connection } => self.leave(connection, effects),
            MirrorInput::RoundTrip { connection, smoothed } => {
                if let Some(seat) = self.seats.iter_mut().find(|seat| seat.connection == connection.0) {
                    seat.round_trip_us = Some(smoothed.0);
                }
                self.send(FromMirror::RoundTrip { connection: connection.0, us: smoothed.0 }, effects);
            }
            MirrorInput::Resync { connection } => self.send(FromMirror::Resync(connection.0), effects),
            MirrorInput::Fenced { connection, number } => {
                if let Some(fence) = &mut self.fence {
                    fence.answered(connection, number);
                }
            }
            MirrorInput::Command { connection, stamp, id, command, fresh } => {
                let read = self.starts.travel(stamp);
                match self.commands.open(connection, (stamp, at), read, id, &command, fresh) {
                    Some(command) => self.send(FromMirror::Command(command), effects),
                    // It has sent more than a player can mean.
                    None => effects.push_back(self.tell(connection, NoticeKind::Silent)),
                }
            }
            MirrorInput::Watchers(count) => {
                self.watchers = count;
                self.send(FromMirror::Watchers(count), effects);
            }
            MirrorInput::SnapshotWanted => {
                self.wants_snapshot = true;
                self.send(FromMirror::SnapshotWanted, effects);
            }
            MirrorInput::Tick => self.pass_fence(at, effects),
            MirrorInput::AllTaken => self.answer_fence(effects),
        }
    }

    /// When the next [`MirrorInput::Tick`] is due.
    pub(crate) fn wake(&self) -> Option<ServiceInstant> {
        self.fence.as_ref().map(MirrorFence::wake)
    }

    /// The first message on a link. It has all that the owner needs to know, so nothing that was said
    /// before counts.
    fn attach(&mut self, at: ServiceInstant, effects: &mut VecDeque<MirrorEffect>) {
        self.stage = Stage::Attaching;
        // Turns are counted anew from the owner's answer.
        self.starts = TurnStarts::default();
        let attach = Attach {
            head: self.head,
            seats: self.seats.clone(),
            watchers: self.watchers,
            again: self.commands.all(at),
        };
        effects.push_back(MirrorEffect::Send(FromMirror::Attach(attach)));
    }

    fn leave_owner(&mut self) {
        self.stage = Stage::Alone;
        // Whoever owns the game next asks anew.
        self.fence = None;
    }

    fn send(&self, message: FromMirror, effects: &mut VecDeque<MirrorEffect>) {
        // Without an owner it is in the next `Attach`, or a snapshot comes with its answer.
        if self.stage != Stage::Alone {
            effects.push_back(MirrorEffect::Send(message));
        }
    }

    fn tell(&self, connection: ConnectionId, kind: NoticeKind) -> MirrorEffect {
        MirrorEffect::Tell { connection, after: self.head, kind }
    }

    fn leave(&mut self, connection: ConnectionId, effects: &mut VecDeque<MirrorEffect>) {
        self.seats.retain(|seat| seat.connection != connection.0);
        self.commands.forget(connection);
        if let Some(fence) = &mut self.fence {
            fence.left(connection);
        }
        self.send(FromMirror::Leave(connection.0), effects);
    }

    fn owner(&mut self, said: FromOwner, at: ServiceInstant, effects: &mut VecDeque<MirrorEffect>) {
        match (self.stage, said) {
            (Stage::Alone, _) => {}
            (_, FromOwner::Attached(attached)) => self.attached(attached, at, effects),
            (_, FromOwner::NotHere) => self.lost(true, effects),
            (_, FromOwner::Closed { comes_back }) => self.lost(comes_back, effects),
            // The owner says `Attached` first.
            (Stage::Attaching, _) => {}
            (Stage::Attached, said) => self.news(said, at, effects),
        }
    }

    fn lost(&mut self, comes_back: bool, effects: &mut VecDeque<MirrorEffect>) {
        self.leave_owner();
        effects.push_back(MirrorEffect::Lost { comes_back });
    }

    fn attached(&mut self, attached: Attached, at: ServiceInstant, effects: &mut VecDeque<MirrorEffect>) {
        let Attached { head, frames, watchers, clock, said } = attached;
        self.stage = Stage::Attached;
        self.starts.begin(said, at);
        for frame in frames.into_iter().flatten() {
            self.frame(frame, effects);
        }
        if self.head < head {
            self.head = head;
            effects.push_back(MirrorEffect::Skipped(head));
        }
        self.clock(clock, at, effects);
        effects.push_back(MirrorEffect::Watchers(watchers));
        effects.push_back(MirrorEffect::Attached);
        if self.wants_snapshot {
            self.send(FromMirror::SnapshotWanted, effects);
        }
    }

    fn news(&mut self, said: FromOwner, at: ServiceInstant, effects: &mut VecDeque<MirrorEffect>) {
        match said {
            FromOwner::Frame(frame) => self.frame(frame, effects),
            FromOwner::Clock(clock) => self.clock(clock, at, effects),
            FromOwner::ClockStarted => effects.push_back(MirrorEffect::ClockStarted),
            FromOwner::Watchers(count) => effects.push_back(MirrorEffect::Watchers(count)),
            FromOwner::Snapshot(frame) => {
                self.wants_snapshot = false;
                effects.push_back(MirrorEffect::Snapshot(frame.into()));
            }
            FromOwner::Rated(frame) => effects.push_back(MirrorEffect::Rated(frame.into())),
            FromOwner::Fence { number, base, since_us } => {
                let began = self.starts.began(base);
                let due = began.map_or(at, |began| began + Duration::from_micros(since_us));
                self.fence = Some(MirrorFence::new(number, due));
                self.pass_fence(at, effects);
            }
            FromOwner::Tell { connection, after, notice } => {
                self.notice(ConnectionId(connection), after, notice, effects);
            }
            FromOwner::Attached(_) | FromOwner::NotHere | FromOwner::Closed { .. } => {}
        }
    }

    fn frame(&mut self, frame: FrameText, effects: &mut VecDeque<MirrorEffect>) {
        // After an attach some may be known.
        if frame.seq == self.head + 1 {
            self.head = frame.seq;
            effects.push_back(MirrorEffect::Frame(frame.into()));
        }
    }

    fn clock(&mut self, clock: Clock, at: ServiceInstant, effects: &mut VecDeque<MirrorEffect>) {
        let began = clock.turn.and_then(|(start, elapsed_us)| {
            self.starts.begin(start, ServiceInstant(at.0.saturating_sub(elapsed_us)));
            self.starts.began(start.base)
        });
        effects.push_back(MirrorEffect::Clock(Box::new(clock), began));
    }

    fn notice(
        &mut self,
        connection: ConnectionId,
        after: Seq,
        notice: SentNotice,
        effects: &mut VecDeque<MirrorEffect>,
    ) {
        if !self.seats.iter().any(|seat| seat.connection == connection.0) {
            return;
        }
        let mut kind = notice.into_kind();
        if let NoticeKind::Done { id, .. } | NoticeKind::Rejected { id, .. } = &mut kind
            && self.commands.answered(connection)
        {
            *id = None;
        }
        effects.push_back(MirrorEffect::Tell { connection, after, kind });
    }

    /// Asks the sessions once the deadline of the fence has come on this node, too. Those that do not answer are to close.
    fn pass_fence(&mut self, at: ServiceInstant, effects: &mut VecDeque<MirrorEffect>) {
        let Some(fence) = &mut self.fence else { return };
        if fence.is_due(at) {
            self.questions = self.questions.wrapping_add(1);
            let (number, due) = (self.questions, fence.due);
            let silent: Vec<_> = self.seats.iter().map(|seat| ConnectionId(seat.connection)).collect();
            bug!(FenceUnaskedAtMirror => let silent = { drop(silent); Vec::new() });
            fence.ask(number, silent.clone(), at);
            for connection in silent {
                effects.push_back(self.tell(connection, NoticeKind::Fence { number, due }));
            }
        } else {
            for connection in fence.given_up(at) {
                effects.push_back(self.tell(connection, NoticeKind::Silent));
                self.leave(connection, effects);
            }
        }
    }

    /// Whoever takes a seat while sessions are asked is asked, too.
    fn ask_too(&mut self, connection: ConnectionId, effects: &mut VecDeque<MirrorEffect>) {
        if let Some(fence) = &mut self.fence
            && let Some(number) = fence.ask_too(connection)
        {
            let kind = NoticeKind::Fence { number, due: fence.due };
            effects.push_back(self.tell(connection, kind));
        }
    }

    /// Tells the owner when all have answered. Whoever joins in the same moment is asked first.
    fn answer_fence(&mut self, effects: &mut VecDeque<MirrorEffect>) {
        if let Some(fence) = self.fence.take_if(|fence| fence.is_complete()) {
            self.send(FromMirror::Fenced(fence.number), effects);
        }
    }
}
