//! Presence: the connections of the players with their round trips, players on their way to a new
//! game, and the number of spectators.

use std::time::Duration;

use zeitnot_protocol::{AccountId, Presence, ServerMessage};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Fact, Micros};

use super::timers::{TRIM_AFTER, Timer};
use super::{Closing, GameEffects, GameMachine, GameStage, Publication, TaskRequest};
use crate::connections::{ConnectionId, Frame, NoticeKind};
use crate::games::inputs::Join;
use crate::games::snapshot::Aftermath;
use crate::games::{event_messages, snapshot};
use crate::seeded_bugs::bug;
use crate::time::ServiceInstant;

/// The least time between two publications of the number of spectators.
const PUBLISH_EVERY: Duration = Duration::from_secs(1);

/// How long a session may take to join. It is notified at once, so only a slow machine needs this.
const EXPECTED_FOR: Duration = Duration::from_secs(5);

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

impl GameMachine {
    /// The number of spectators has changed: it is published, or when the time has come.
    pub(super) fn watchers(&mut self, count: u32, at: ServiceInstant, effects: &mut GameEffects) {
        self.spectators.count = count;
        self.rest_later(at);
        if at < self.spectators.not_before {
            let is_new = count != self.spectators.published;
            self.timers.set(Timer::Watchers, is_new.then_some(self.spectators.not_before));
        } else {
            self.publish_watchers(at, effects);
        }
    }

    /// Whether anybody but the players' sessions here is to be notified.
    pub(super) fn is_followed_by_others(&self) -> bool {
        self.spectators.count > 0 || !self.mirrors.is_empty()
    }

    /// Another node has a mirror of the game.
    pub(super) fn mirrored(&mut self, mirror: ConnectionId, at: ServiceInstant, effects: &mut GameEffects) {
        self.mirrors.push(mirror);
        self.ask_by_fence(mirror, effects);
        self.rest_later(at);
    }

    /// Publishes the number of spectators if it has changed.
    pub(super) fn publish_watchers(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        let count = self.spectators.count;
        self.timers.stop(Timer::Watchers);
        if count == self.spectators.published {
            return;
        }
        (self.spectators.published, self.spectators.not_before) = (count, at + PUBLISH_EVERY);
        effects.push_back(Publication::Watchers(count).into());
        self.notify_all(&NoticeKind::Watchers(count), effects);
    }

    /// These players of a game that was created at `at` have a connection, which was notified. They
    /// count as present until a while has passed without a join.
    pub(super) fn expect(&mut self, seats: ByColor<bool>, at: ServiceInstant) {
        for seat in Color::ALL.into_iter().filter(|&seat| seats[seat]) {
            self.observe_presence(Fact::Present { seat, at: self.axis.game(at) });
            self.timers.arm(Timer::Expected, at + EXPECTED_FOR);
        }
        self.expected = seats;
    }

    /// Expected players who have not joined by now are away.
    pub(super) fn expect_no_longer(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        let missing = std::mem::take(&mut self.expected);
        self.rest_later(at);
        for seat in Color::ALL.into_iter().filter(|&seat| missing[seat]) {
            self.observe_presence(Fact::Absent { seat, at: self.axis.game(at) });
            self.notify_presence(seat, at, effects);
        }
    }

    /// A player has come or left, which may move the next deadline.
    pub(super) fn observe_presence(&mut self, fact: Fact) {
        self.game.observe(fact);
        self.find_deadline();
    }

    /// The account of a seat.
    pub(super) fn account(&self, seat: Color) -> AccountId {
        AccountId::from_u128(self.game.setup().players[seat])
    }

    /// Whether a player has a connection, or may have one that nobody can see now.
    pub(super) fn is_here(&self, seat: Color) -> bool {
        self.expected[seat] || self.lost.has(seat) || self.is_connected(seat)
    }

    /// Whether a player has a connection.
    pub(super) fn is_connected(&self, seat: Color) -> bool {
        self.connections.iter().any(|connection| connection.seat == seat)
    }

    /// The seat of a connection, if it has joined.
    pub(in crate::games) fn seat_of(&self, id: ConnectionId) -> Option<Color> {
        self.connections.iter().find(|connection| connection.id == id).map(|connection| connection.seat)
    }

    pub(super) fn join(&mut self, join: Join, at: ServiceInstant, effects: &mut GameEffects) {
        let Join { connection: id, seat, round_trip } = join;
        debug_assert!(self.seat_of(id).is_none(), "a connection joins once");
        let was_here = self.is_here(seat);
        self.expected[seat] = false;
        self.rejoined(seat, at);
        if self.expected == ByColor::default() {
            self.timers.stop(Timer::Expected);
        }
        self.lost.left_from(seat, None);
        self.connections.push(Connection { id, seat, round_trip });
        self.observe_round_trip(seat);
        if id.node().is_none() {
            self.ask_by_fence(id, effects);
        }
        self.notify(id, NoticeKind::Snapshot(self.snapshot()), effects);
        if !was_here {
            self.observe_presence(Fact::Present { seat, at: self.axis.game(at) });
            self.notify_presence(seat, at, effects);
        }
        let opponent = self.presence(!seat, at);
        self.notify(id, NoticeKind::Message(opponent), effects);
        if self.spectators.published > 0 {
            self.notify(id, NoticeKind::Watchers(self.spectators.published), effects);
        }
        if self.game.turn() == seat && !self.game.is_over() {
            self.notify_turn(None, at, |connection| connection.id == id, effects);
            if self.game.awaits_turn_start() && matches!(self.stage, GameStage::Open) && !self.stands(at) {
                effects.push_back(TaskRequest::StampTurn.into());
                self.stage = GameStage::TurnStarting(None);
            }
        }
        self.timers.arm(Timer::Trim, at + TRIM_AFTER);
    }

    pub(super) fn leave(&mut self, id: ConnectionId, at: ServiceInstant, effects: &mut GameEffects) {
        if let Some(fence) = &mut self.fence {
            fence.answered(id);
        }
        self.rest_later(at);
        let Some(seat) = self.seat_of(id) else { return self.mirrors.retain(|mirror| *mirror != id) };
        self.connections.retain(|connection| connection.id != id);
        self.observe_round_trip(seat);
        self.timers.arm(Timer::Trim, at + TRIM_AFTER);
        if !self.is_connected(seat) {
            self.lost.left_from(seat, id.node());
        }
        if !self.is_here(seat) {
            self.observe_presence(Fact::Absent { seat, at: self.axis.game(at) });
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

    /// A player's round trip is the least of its open connections': nobody gains by a slow second
    /// one. Without any it is unknown.
    pub(super) fn observe_round_trip(&mut self, seat: Color) {
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
        effects.push_back(Publication::Snapshot(self.snapshot()).into());
        self.timers.arm(Timer::Trim, at + TRIM_AFTER);
    }

    fn snapshot(&self) -> Frame {
        bug!(SnapshotSkipsAnEvent => return self.snapshot_one_event_further());
        // When the result is corrected, this machine ends.
        let after = Aftermath { ratings: self.ratings.as_deref().copied(), correction: None };
        snapshot::snapshot_frame(self.id, &self.game, &after)
    }

    /// `turn` for those of the player to move whom `to` picks. `fen` is the position's, if it was
    /// written already.
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
            let kind = NoticeKind::Message(turn.clone());
            effects.push_back(Publication::Notice { connection: connection.id, after, kind }.into());
        }
    }

    /// Notifies everybody whether a player is present.
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
        effects.push_back(Publication::Notice { connection, after: self.game.seq(), kind }.into());
    }

    pub(super) fn notify_all(&self, kind: &NoticeKind, effects: &mut GameEffects) {
        for connection in &self.connections {
            self.notify(connection.id, kind.clone(), effects);
        }
    }

    /// Ends the machine of a game that must be recovered from its records.
    pub(super) fn reset(&mut self, why: Closing, effects: &mut GameEffects) {
        self.notify_all(&NoticeKind::Reset, effects);
        self.close(why, effects);
    }
}
