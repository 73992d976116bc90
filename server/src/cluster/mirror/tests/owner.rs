//! A model of a game's owner: it acts on commands, publishes events, knows again what it has acted on, and
//! tells the one mirror that is attached. Another owner after it knows as much, for all of that is in the
//! records.

use std::collections::HashMap;

use zeitnot_protocol::{CommandId, Pong, ServerMessage};
use zeitnot_rules::game::Seq;

use crate::cluster::wire::{
    Act, Attach, Attached, Clock, FrameText, FromMirror, FromOwner, SentCommand, SentNotice, TurnStart,
};
use crate::connections::Frame;

/// More events than these are not sent after an attach.
const FRAMES_MAX: Seq = 4;

/// By what a command is known again.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Id(CommandId),
    On(Seq),
}

#[derive(Default)]
pub(super) struct Owner {
    head: Seq,
    is_attached: bool,
    seats: Vec<u64>,
    answers: HashMap<Key, Seq>,
    /// What was acted on, in order: the number in each command.
    pub(super) effects: Vec<u64>,
}

fn frame(seq: Seq) -> FrameText {
    FrameText::from(&Frame::new(seq, &ServerMessage::Pong(Pong { n: seq, at: 0, ms: 0 })))
}

impl Owner {
    /// The link is lost.
    pub(super) fn link_closed(&mut self) {
        self.is_attached = false;
        self.seats.clear();
    }

    /// Another node owns the game now.
    pub(super) fn claimed(&mut self) {
        self.link_closed();
    }

    fn clock(&self) -> Clock {
        Clock {
            seq: self.head,
            base: self.head,
            turn: Some((TurnStart { base: self.head, at_us: 5 }, 0)),
            clocks_us: None,
            running: None,
            first_move_us: None,
            board: String::new(),
            last_move: None,
            ply_count: 0,
            has_ended: false,
        }
    }

    /// Takes a message; the answers, in order.
    pub(super) fn handle(&mut self, message: FromMirror) -> Vec<FromOwner> {
        match message {
            FromMirror::Attach(attach) => self.attach(attach),
            _ if !self.is_attached => panic!("something came before `Attach`"),
            FromMirror::Join(seat) => {
                self.seats.push(seat.connection);
                Vec::new()
            }
            FromMirror::Leave(connection) => {
                self.seats.retain(|seat| *seat != connection);
                Vec::new()
            }
            FromMirror::Command(command) => self.command(command),
            _ => Vec::new(),
        }
    }

    fn attach(&mut self, attach: Attach) -> Vec<FromOwner> {
        self.is_attached = true;
        self.seats = attach.seats.iter().map(|seat| seat.connection).collect();
        let missing = (attach.head + 1..=self.head).map(frame);
        let frames = (self.head - attach.head <= FRAMES_MAX).then(|| missing.collect());
        let (head, clock) = (self.head, self.clock());
        let said = TurnStart { base: 0, at_us: 6 };
        let attached = FromOwner::Attached(Attached { head, frames, watchers: 0, clock, said });
        let again = attach.again.into_iter().flat_map(|command| self.command(command));
        [attached].into_iter().chain(again.collect::<Vec<_>>()).collect()
    }

    fn command(&mut self, command: SentCommand) -> Vec<FromOwner> {
        let SentCommand { connection, id, act, .. } = command;
        if !self.seats.contains(&connection) {
            return Vec::new();
        }
        let (key, number) = match act {
            Act::Move { on, .. } => (Some(Key::On(on)), u64::from(on)),
            Act::GiveTime { us } => (id.map(Key::Id), us),
            other => panic!("nobody sends {other:?}"),
        };
        let tell = |after, seq| FromOwner::Tell { connection, after, notice: SentNotice::Done { id, seq } };
        if let Some(seq) = key.as_ref().and_then(|key| self.answers.get(key)) {
            return vec![tell(self.head, *seq)];
        }
        self.effects.push(number);
        self.head += 1;
        self.answers.extend(key.map(|key| (key, self.head)));
        vec![FromOwner::Frame(frame(self.head)), FromOwner::Clock(self.clock()), tell(self.head, self.head)]
    }
}
