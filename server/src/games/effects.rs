//! What stands around an actor's machine: its game's handle and the sessions of its players.
//!
//! Turns messages into inputs, and carries out every effect that asks nothing back. The task runs it, and the simulation
//! runs the same. Deliberately absent: whatever has to be waited for, and clocks.

use zeitnot_protocol::GameId;
use zeitnot_rules::game::Seq;

use super::GameHandle;
use super::handle::{Join, SeatMessage};
use super::machine::{GameEffect, GameInput};
use crate::connections::{ConnectionId, Notice, NoticeKind, Outbox, send};
use crate::telemetry::metrics;

/// What still waits for an actor that has ended. Whoever has just taken a seat would wait for a snapshot for ever, so it
/// is told to come back; everybody else was told by the machine.
pub(crate) fn reset_joins(game: GameId, waiting: impl IntoIterator<Item = SeatMessage>) {
    for message in waiting {
        if let SeatMessage::Join(join) = message {
            send(&join.outbox, Notice { game, after: 0, kind: NoticeKind::Reset });
        }
    }
}

/// See the module.
#[derive(Debug)]
pub(crate) struct EffectRunner {
    pub(crate) game: GameHandle,
    outboxes: Vec<(ConnectionId, Outbox)>,
}

impl EffectRunner {
    /// The surroundings of a game that nobody has joined yet.
    pub(crate) fn new(game: GameHandle) -> Self {
        Self { game, outboxes: Vec::new() }
    }

    /// What a message means to the machine.
    pub(crate) fn input(&mut self, message: SeatMessage) -> GameInput {
        match message {
            SeatMessage::Join(join) => {
                let Join { connection, seat, outbox, round_trip } = *join;
                self.outboxes.push((connection, outbox));
                GameInput::Join { connection, seat, round_trip }
            }
            SeatMessage::Leave(connection) => {
                self.outboxes.retain(|(other, _)| *other != connection);
                GameInput::Leave { connection }
            }
            SeatMessage::Command { connection, at, command } => {
                GameInput::Command { connection, stamp: at, command }
            }
            SeatMessage::Fenced { connection, fence } => GameInput::Fenced { connection, fence },
            SeatMessage::RoundTrip { connection, smoothed } => GameInput::RoundTrip { connection, smoothed },
            SeatMessage::Resync(connection) => GameInput::Resync { connection },
            SeatMessage::Verdict(answer) => {
                GameInput::Verdict { about: answer.about, outcome: answer.outcome }
            }
            #[cfg(test)]
            SeatMessage::Break => panic!("a test broke this game"),
        }
    }

    /// Carries out an effect; one that asks something back, or that concerns the runner itself, is given back.
    pub(crate) fn carry_out(&mut self, effect: GameEffect) -> Option<GameEffect> {
        match effect {
            GameEffect::Publish(frame) => self.game.feed().publish(frame, self.game.relay().count() > 0),
            GameEffect::UpdateSummary { clock, board } => {
                self.game.feed().set_clock(clock);
                self.game.summary().set(*board);
            }
            GameEffect::Notify { connection, after, kind } => self.notify(connection, after, kind),
            GameEffect::NotifySpectators => self.game.relay().notify_all(),
            GameEffect::PublishWatchers(count) => {
                self.game.feed().publish_watchers(count);
                self.game.relay().notify_all();
            }
            GameEffect::KeepSnapshot(snapshot) => {
                self.game.feed().keep_snapshot(snapshot);
                self.game.relay().notify_waiting();
            }
            GameEffect::Ended => self.game.shared().ended(&self.game),
            effect @ (GameEffect::Append { .. }
            | GameEffect::ReadTail { .. }
            | GameEffect::NoteTurn(_)
            | GameEffect::StampTurn
            | GameEffect::AskVerdict(_)
            | GameEffect::Trim
            | GameEffect::Close(_)) => return Some(effect),
        }
        None
    }

    fn notify(&self, connection: ConnectionId, after: Seq, kind: NoticeKind) {
        if matches!(kind, NoticeKind::Rejected { .. }) {
            metrics().commands_rejected.increment(1);
        }
        if let Some((_, outbox)) = self.outboxes.iter().find(|(other, _)| *other == connection) {
            send(outbox, Notice { game: self.game.id(), after, kind });
        }
    }

    /// Tells every session that the game must be taken up again.
    pub(crate) fn notify_reset(&self) {
        for (_, outbox) in &self.outboxes {
            send(outbox, Notice { game: self.game.id(), after: 0, kind: NoticeKind::Reset });
        }
    }

    /// Gives back what memory can be given back.
    pub(crate) fn trim(&mut self) {
        self.game.feed().trim();
        self.game.mailbox().trim();
        self.outboxes.shrink_to_fit();
    }
}
