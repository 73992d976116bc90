//! What stands around an actor's logic: its game's handle and the sessions of its players.
//!
//! Turns messages into inputs, and carries out every effect that asks nothing back. The task runs it, and the simulation
//! runs the same. Deliberately absent: whatever has to be waited for, and clocks.

use zeitnot_protocol::GameId;
use zeitnot_rules::game::Seq;

use super::GameHandle;
use super::handle::{Join, SeatMessage};
use super::logic::{Effect, Input};
use crate::connections::{ConnectionId, Notice, NoticeKind, Outbox, send};
use crate::telemetry::metrics;

/// What still waits for an actor that has ended. Whoever has just taken a seat would wait for a snapshot for ever, so it
/// is told to come back; everybody else was told by the logic.
pub(super) fn turn_away(game: GameId, waiting: impl IntoIterator<Item = SeatMessage>) {
    for message in waiting {
        if let SeatMessage::Join(join) = message {
            send(&join.outbox, Notice { game, after: 0, kind: NoticeKind::Reset });
        }
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct Shell {
    pub(super) game: GameHandle,
    outboxes: Vec<(ConnectionId, Outbox)>,
}

impl Shell {
    /// The surroundings of a game that nobody has joined yet.
    pub(super) fn new(game: GameHandle) -> Self {
        Self { game, outboxes: Vec::new() }
    }

    /// What a message means to the logic.
    pub(super) fn input(&mut self, message: SeatMessage) -> Input {
        match message {
            SeatMessage::Join(join) => {
                let Join { connection, seat, outbox, round_trip } = *join;
                self.outboxes.push((connection, outbox));
                Input::Join { connection, seat, round_trip }
            }
            SeatMessage::Leave(connection) => {
                self.outboxes.retain(|(other, _)| *other != connection);
                Input::Leave { connection }
            }
            SeatMessage::Command { connection, at, command } => {
                Input::Command { connection, stamp: at, command }
            }
            SeatMessage::Fenced { connection, fence } => Input::Fenced { connection, fence },
            SeatMessage::RoundTrip { connection, smoothed } => Input::RoundTrip { connection, smoothed },
            SeatMessage::Resync(connection) => Input::Resync { connection },
            SeatMessage::Verdict(judged) => Input::Verdict { about: judged.about, outcome: judged.outcome },
            #[cfg(test)]
            SeatMessage::Break => panic!("a test broke this game"),
        }
    }

    /// Carries out an effect; one that asks something back, or that concerns the runner itself, is given back.
    pub(super) fn carry_out(&mut self, effect: Effect) -> Option<Effect> {
        match effect {
            Effect::Publish(frame) => self.game.feed().publish(frame, self.game.relay().count() > 0),
            Effect::SetFaces { clock, board } => {
                self.game.feed().set_clock(clock);
                self.game.display().set(*board);
            }
            Effect::Tell { connection, after, news } => self.tell(connection, after, news),
            Effect::RingSpectators => self.game.relay().notify_all(),
            Effect::PublishWatchers(count) => {
                self.game.feed().publish_watchers(count);
                self.game.relay().notify_all();
            }
            Effect::KeepSnapshot(snapshot) => {
                self.game.feed().keep_snapshot(snapshot);
                self.game.relay().notify_waiting();
            }
            Effect::Ended => self.game.house().ended(&self.game),
            effect @ (Effect::Append { .. }
            | Effect::ReadTail { .. }
            | Effect::NoteTurn(_)
            | Effect::StampTurn
            | Effect::Judge(_)
            | Effect::Trim
            | Effect::Close(_)) => return Some(effect),
        }
        None
    }

    fn tell(&self, connection: ConnectionId, after: Seq, news: NoticeKind) {
        if matches!(news, NoticeKind::Rejected { .. }) {
            metrics().commands_rejected.increment(1);
        }
        if let Some((_, outbox)) = self.outboxes.iter().find(|(other, _)| *other == connection) {
            send(outbox, Notice { game: self.game.id(), after, kind: news });
        }
    }

    /// Tells every session that the game must be taken up again.
    pub(super) fn tell_all_of_reset(&self) {
        for (_, outbox) in &self.outboxes {
            send(outbox, Notice { game: self.game.id(), after: 0, kind: NoticeKind::Reset });
        }
    }

    /// Gives back what memory can be given back.
    pub(super) fn trim(&mut self) {
        self.game.feed().trim();
        self.game.mailbox().trim();
        self.outboxes.shrink_to_fit();
    }
}
