//! Who is there: the players' connections with their round trips and presence, and the number of spectators.

use std::time::Duration;

use zeitnot_protocol::{AccountId, Presence, ServerMessage};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Fact, Micros};

use super::{Closing, GameEffect, GameEffects, GameMachine, GameStage};
use crate::connections::{ConnectionId, Frame, NoticeKind};
use crate::games::{event_messages, snapshot};
use crate::seeded_bugs::bug;
use crate::time::ServiceInstant;

/// The least time between two publications of the number of spectators.
const PUBLISH_EVERY: Duration = Duration::from_secs(1);

/// A player's connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connection {
    pub(super) id: ConnectionId,
    pub(super) seat: Color,
    round_trip: Option<Micros>,
}

/// The spectators, as a number.
#[derive(Debug, Default)]
pub(super) struct SpectatorCount {
    count: u32,
    published: u32,
    not_before: ServiceInstant,
}

impl SpectatorCount {
    pub(super) fn is_there(&self) -> bool {
        self.count > 0
    }

    /// When the number has to be published, if it has changed.
    pub(super) fn publish_at(&self) -> Option<ServiceInstant> {
        (self.count != self.published).then_some(self.not_before)
    }
}

impl GameMachine {
    /// The number of spectators has changed.
    pub(super) fn watchers(&mut self, count: u32, at: ServiceInstant, effects: &mut GameEffects) {
        self.spectators.count = count;
        self.publish_spectators(at, effects);
    }

    /// Publishes the number of spectators when it has changed and the time has come.
    pub(super) fn publish_spectators(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        if self.spectators.publish_at().is_none_or(|due| at < due) {
            return;
        }
        let count = self.spectators.count;
        self.spectators = SpectatorCount { count, published: count, not_before: at + PUBLISH_EVERY };
        effects.push_back(GameEffect::PublishWatchers(count));
        self.notify_all(&NoticeKind::Watchers(count), effects);
    }

    /// The account of a seat.
    pub(super) fn account(&self, seat: Color) -> AccountId {
        AccountId::from_u128(self.game.setup().players[seat])
    }

    /// Whether a player has a connection.
    pub(super) fn is_here(&self, seat: Color) -> bool {
        self.expected.is_on_the_way(seat) || self.connections.iter().any(|connection| connection.seat == seat)
    }

    /// The seat of a connection, if it has joined.
    pub(super) fn seat_of(&self, id: ConnectionId) -> Option<Color> {
        self.connections.iter().find(|connection| connection.id == id).map(|connection| connection.seat)
    }

    pub(super) fn join(
        &mut self,
        id: ConnectionId,
        seat: Color,
        round_trip: Option<Micros>,
        at: ServiceInstant,
        effects: &mut GameEffects,
    ) {
        debug_assert!(self.seat_of(id).is_none(), "a connection joins once");
        let was_here = self.is_here(seat);
        self.expected.came(seat);
        self.connections.push(Connection { id, seat, round_trip });
        self.observe_round_trip(seat);
        if let Some(fence) = &mut self.fence {
            fence.ask(id);
            let fence = NoticeKind::Fence(fence.number);
            self.notify(id, fence, effects);
        }
        self.notify(id, NoticeKind::Snapshot(self.snapshot()), effects);
        if !was_here {
            self.game.observe(Fact::Present { seat, at: self.axis.game(at) });
            self.notify_presence(seat, at, effects);
        }
        let opponent = self.presence(!seat, at);
        self.notify(id, NoticeKind::Message(opponent), effects);
        if self.spectators.published > 0 {
            self.notify(id, NoticeKind::Watchers(self.spectators.published), effects);
        }
        if self.game.turn() == seat && !self.game.is_over() {
            self.notify_turn(None, at, |connection| connection.id == id, effects);
            if self.game.awaits_turn_start() && matches!(self.stage, GameStage::Open) {
                effects.push_back(GameEffect::StampTurn);
                self.stage = GameStage::TurnStarting(None);
            }
        }
        self.timers.busy(at);
    }

    pub(super) fn leave(&mut self, id: ConnectionId, at: ServiceInstant, effects: &mut GameEffects) {
        let Some(seat) = self.seat_of(id) else { return };
        self.connections.retain(|connection| connection.id != id);
        if let Some(fence) = &mut self.fence {
            fence.answered(id);
        }
        self.observe_round_trip(seat);
        if !self.is_here(seat) {
            self.game.observe(Fact::Absent { seat, at: self.axis.game(at) });
            self.notify_presence(seat, at, effects);
        }
    }

    pub(super) fn round_trip(&mut self, id: ConnectionId, smoothed: Micros) {
        let Some(connection) = self.connections.iter_mut().find(|connection| connection.id == id) else {
            return;
        };
        connection.round_trip = Some(smoothed);
        let seat = connection.seat;
        self.observe_round_trip(seat);
    }

    /// A player's round trip is the least of its open connections': nobody gains by a slow second one. Without any it is
    /// unknown.
    fn observe_round_trip(&mut self, seat: Color) {
        bug!(DeadlineWithoutAllowance => return);
        let of_seat = self.connections.iter().filter(|connection| connection.seat == seat);
        let least = of_seat.filter_map(|connection| connection.round_trip).min();
        self.game.observe(Fact::RoundTrip { seat, smoothed: least });
    }

    pub(super) fn resync(&mut self, id: ConnectionId, effects: &mut GameEffects) {
        if self.seat_of(id).is_some() {
            self.notify(id, NoticeKind::Snapshot(self.snapshot()), effects);
        }
    }

    /// A snapshot for the spectators who wait for one.
    pub(super) fn make_snapshot(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        effects.push_back(GameEffect::KeepSnapshot(self.snapshot()));
        self.timers.busy(at);
    }

    fn snapshot(&self) -> Frame {
        bug!(SnapshotSkipsAnEvent => return self.snapshot_one_event_further());
        snapshot::snapshot_frame(self.id, &self.game)
    }

    /// `turn` for those of the player to move whom `to` picks. `fen` is the position's, if it was written already.
    pub(super) fn notify_turn(
        &self,
        fen: Option<String>,
        at: ServiceInstant,
        to: impl Fn(&Connection) -> bool,
        effects: &mut GameEffects,
    ) {
        let turn = event_messages::turn(self.id, &self.game, fen, self.game.clocks_at(self.axis.game(at)));
        let after = self.game.seq();
        for connection in self.connections.iter().filter(|connection| to(connection)) {
            effects.push_back(GameEffect::Notify {
                connection: connection.id,
                after,
                kind: NoticeKind::Message(turn.clone()),
            });
        }
    }

    /// Tells everybody whether a player is there.
    pub(super) fn notify_presence(&self, seat: Color, at: ServiceInstant, effects: &mut GameEffects) {
        self.notify_all(&NoticeKind::Message(self.presence(seat, at)), effects);
    }

    fn presence(&self, seat: Color, at: ServiceInstant) -> Frame {
        let now = self.axis.game(at);
        let here = self.is_here(seat);
        let claimable =
            if here || self.game.is_over() { None } else { self.game.absence_claimable_at(!seat) };
        let claim_in_ms = claimable.map(|instant| instant.since(now).to_ms_up());
        let presence = Presence { game: self.id, color: seat.into(), here, claim_in_ms };
        Frame::new(self.game.seq(), &ServerMessage::Presence(presence))
    }

    pub(super) fn notify(&self, connection: ConnectionId, kind: NoticeKind, effects: &mut GameEffects) {
        effects.push_back(GameEffect::Notify { connection, after: self.game.seq(), kind });
    }

    pub(super) fn notify_all(&self, kind: &NoticeKind, effects: &mut GameEffects) {
        for connection in &self.connections {
            self.notify(connection.id, kind.clone(), effects);
        }
    }

    /// The game must be taken up again from the journal.
    pub(super) fn reset(&mut self, why: Closing, effects: &mut GameEffects) {
        self.notify_all(&NoticeKind::Reset, effects);
        self.close(why, effects);
    }
}
