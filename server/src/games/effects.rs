//! Carries out a machine's publications: through its game's handle, and to the sessions of its
//! players.
//!
//! It also turns mail into inputs. The task and the simulation both run it. Deliberately absent:
//! waiting, and clocks.

use std::fmt;
use std::sync::Arc;

use zeitnot_protocol::GameId;
use zeitnot_rules::game::Seq;

use super::GameHandle;
use super::inputs::{ActorEnd, GameInput, Mail};
use super::machine::Publication;
use crate::connections::{ConnectionId, Notice, NoticeKind, Outbox, send};
use crate::telemetry::metrics;

/// Answers the mail of an actor that has ended. A session that has just joined would wait for its
/// snapshot for ever, so it is reset; the machine has notified all others.
pub(crate) fn reset_joins(game: GameId, waiting: impl IntoIterator<Item = Mail>) {
    for message in waiting {
        if let Mail::Join { outbox, .. } = message {
            send(&outbox, Notice { game, after: 0, kind: NoticeKind::Reset });
        }
    }
}

/// The registry, as an actor knows it.
pub(crate) trait GameOwner: fmt::Debug + Send + Sync {
    /// The end of a game is durable.
    fn ended(&self, game: &GameHandle);

    /// An actor has ended.
    fn actor_ended(self: Arc<Self>, game: &GameHandle, end: ActorEnd);

    /// Whether one more game may come to rest.
    fn has_room_for_rest(&self) -> bool;
}

/// Carries out a machine's publications, and knows how to reach the sessions of its players.
#[derive(Debug)]
pub(crate) struct EffectRunner {
    pub(crate) game: GameHandle,
    owner: Arc<dyn GameOwner>,
    outboxes: Vec<(ConnectionId, Outbox)>,
}

impl EffectRunner {
    /// For a game that nobody has joined yet.
    pub(crate) fn new(game: GameHandle, owner: Arc<dyn GameOwner>) -> Self {
        Self { game, owner, outboxes: Vec::new() }
    }

    /// The input in a message.
    pub(crate) fn input(&mut self, mail: Mail) -> GameInput {
        match mail {
            Mail::Join { join, outbox } => {
                self.outboxes.push((join.connection, outbox));
                GameInput::Join(join)
            }
            Mail::Mirror { mirror, outbox } => {
                self.outboxes.push((mirror, outbox));
                GameInput::Mirrored { mirror }
            }
            Mail::Input(input) => {
                if let GameInput::Leave { connection } = input {
                    self.outboxes.retain(|(other, _)| *other != connection);
                }
                input
            }
            #[cfg(test)]
            Mail::Break => panic!("a test broke this game"),
        }
    }

    /// Carries out one of the machine's publications.
    pub(crate) fn publish(&self, publication: Publication) {
        match publication {
            Publication::Event(frame) => self.game.feed().publish(frame, self.game.relay().count() > 0),
            Publication::Summary { clock, board } => {
                // The board first: whoever finds these clocks finds no older board.
                self.game.summary().set(*board);
                self.game.feed().set_clock(clock);
            }
            Publication::Notice { connection, after, kind } => self.notify(connection, after, kind),
            Publication::NotifySpectators => self.game.relay().notify_all(),
            Publication::ClockStarted => {
                self.game.feed().clock_started();
                self.game.relay().notify_all();
            }
            Publication::Watchers(count) => {
                self.game.feed().publish_watchers(count);
                self.game.relay().notify_all();
            }
            Publication::Snapshot(snapshot) => {
                self.game.feed().keep_snapshot(snapshot);
                self.game.relay().notify_waiting();
            }
            Publication::Rated(frame) => {
                self.game.feed().set_rated(frame);
                self.game.relay().notify_all();
            }
            Publication::Ended => self.owner.ended(&self.game),
        }
    }

    fn notify(&self, connection: ConnectionId, after: Seq, kind: NoticeKind) {
        if matches!(kind, NoticeKind::Rejected { .. }) {
            metrics().commands_rejected.increment(1);
        }
        if let Some((_, outbox)) = self.outboxes.iter().find(|(other, _)| *other == connection) {
            send(outbox, Notice { game: self.game.id(), after, kind });
        }
    }

    /// Notifies every session that the game must be recovered.
    pub(crate) fn notify_reset(&self) {
        for (_, outbox) in &self.outboxes {
            send(outbox, Notice { game: self.game.id(), after: 0, kind: NoticeKind::Reset });
        }
    }

    /// The actor has ended.
    pub(crate) fn actor_ended(&self, end: ActorEnd) {
        Arc::clone(&self.owner).actor_ended(&self.game, end);
    }

    /// Whether one more game may come to rest.
    pub(crate) fn has_room_for_rest(&self) -> bool {
        self.owner.has_room_for_rest()
    }

    /// Gives back what memory can be given back.
    pub(crate) fn trim(&mut self) {
        self.game.feed().trim();
        self.game.mailbox().trim();
        self.outboxes.shrink_to_fit();
    }
}
