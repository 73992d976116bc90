//! The loss of a node on which players have connections: for a while nobody can know what they did there.
//!
//! If the player to move was there, with whatever connection, the turn stands from the instant before which all that the node had sent has come:
//! the move may have been on its way. It goes on when that player acts or joins anew. A turn that begins meanwhile stands, too, if
//! its message reaches nobody. Nobody from there counts as absent. Once the node is found dead, or is heard again, that lasts for
//! [`AWAITED_FOR`] more.
//!
//! What was stamped before the loss and comes after it shows nothing of where the player is now. If it is the move, the turn costs
//! what it had taken at that stamp, or what the player's node measured, if that is less: also when the turn has gone on since.
//!
//! Whoever claims a game knows nobody who was connected to its owner before: until a player joins, that node counts as lost with
//! that player on it. Such a player hears nothing of what is played meanwhile, and may have a socket that still looks open.
//!
//! Nodes attach one after the other: after a claim, and after the loss of a node, the turn stands for [`ATTACH_WITHIN`] or until a
//! move, so that no deadline passes before each has said what it holds.
//!
//! Deliberately absent: finding out that a node is lost (`cluster`).

use std::time::Duration;

use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Event, Fact, Input as RulesInput, Micros, Rejection};

use super::timers::Timer;
use super::{GameEffects, GameMachine, Publication, TaskRequest};
use crate::connections::{ConnectionId, NoticeKind};
use crate::seeded_bugs::bug;
use crate::storage::{NodeNumber, TurnTime};
use crate::time::ServiceInstant;

/// How long a player may take to come again from a node that was found dead or is heard again: as long as after a restart.
pub(super) const AWAITED_FOR: Duration = Duration::from_secs(30);

/// How long nodes may take, after a claim or a loss, to say what their players have sent: links open every half second.
const ATTACH_WITHIN: Duration = Duration::from_secs(2);

/// A player was on a node that is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lost {
    node: LostNode,
    /// All that it had sent before has come.
    since: ServiceInstant,
}

/// A node that is lost, with a player on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LostNode {
    /// One that follows the game here. It may be heard again.
    Other(NodeNumber),
    /// The one that owned the game before it was claimed. Nothing comes from there any more.
    FormerOwner,
}

/// The players who were on a node that is lost. Hardly ever anybody, so it takes little room then.
#[derive(Default, Debug)]
pub(super) struct LostPlayers(Option<Box<ByColor<Option<Lost>>>>);

impl LostPlayers {
    pub(super) fn of(&self, seat: Color) -> Option<Lost> {
        self.0.as_ref().and_then(|lost| lost[seat])
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn set(&mut self, seat: Color, lost: Lost) {
        self.0.get_or_insert_default()[seat] = Some(lost);
    }

    fn forget(&mut self, seat: Color) {
        if let Some(lost) = &mut self.0 {
            lost[seat] = None;
        }
        if self.0.as_deref() == Some(&ByColor::default()) {
            self.0 = None;
        }
    }
}

impl GameMachine {
    /// The game was claimed at `at`, and each player may have been connected to its owner before.
    pub(super) fn owner_lost(&mut self, at: ServiceInstant) {
        if self.game.is_over() {
            return;
        }
        for seat in Color::ALL {
            self.observe_presence(Fact::Present { seat, at: self.axis.game(at) });
            self.lost.set(seat, Lost { node: LostNode::FormerOwner, since: at });
        }
        self.timers.arm(Timer::Lost, at + AWAITED_FOR);
    }

    /// Nothing comes from a node any more. All that it had sent before `complete` has come.
    pub(super) fn node_lost(
        &mut self,
        node: NodeNumber,
        complete: ServiceInstant,
        at: ServiceInstant,
        effects: &mut GameEffects,
    ) {
        let is_there = |id: ConnectionId| id.node() == Some(node);
        let seats = ByColor::from_fn(|seat| {
            self.connections.iter().any(|connection| connection.seat == seat && is_there(connection.id))
        });
        if let Some(fence) = &mut self.fence {
            fence.answered(ConnectionId::of_mirror(node));
        }
        self.mirrors.retain(|mirror| !is_there(*mirror));
        self.connections.retain(|connection| !is_there(connection.id));
        self.rest_later(at);
        for seat in Color::ALL.into_iter().filter(|&seat| seats[seat]) {
            // Another node that was lost before, and was found dead since, is awaited as long as this one.
            self.timers.stop(Timer::Lost);
            self.lost.set(seat, Lost { node: LostNode::Other(node), since: complete });
            self.observe_round_trip(seat);
        }
        let stands = seats[self.game.turn()];
        bug!(FlagWithLostSecondConnection => let stands = stands && !self.is_here(self.game.turn()));
        if stands {
            self.timers.stop(Timer::StartTurn);
            self.stop_turn(complete, effects);
        }
    }

    /// The turn stands since this instant, until it goes on.
    fn stop_turn(&mut self, since: ServiceInstant, effects: &mut GameEffects) {
        if self.game.is_over() || self.game.awaits_turn_start() {
            return;
        }
        self.stands_since = since.max(self.runs_since);
        let at = self.axis.game(since);
        let spent = self.game.turn_took(at);
        self.game.observe(Fact::TurnStopped { at });
        self.interrupted = Some(spent);
        self.find_deadline();
        effects.push_back(TaskRequest::NoteTurn(TurnTime::Stands { spent }).into());
        effects.push_back(self.summary());
        effects.push_back(Publication::ClockStarted.into());
        self.notify_all(&NoticeKind::Events, effects);
    }

    /// Other nodes attach from `at` on: an interrupted turn does not go on before they had the time.
    pub(super) fn await_other_nodes(&mut self, at: ServiceInstant) {
        self.stands_until = at + ATTACH_WITHIN;
    }

    /// A turn has just begun. If its message reaches nobody, because the player was on a node that is lost, it stands.
    pub(super) fn stand_if_lost(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        let mover = self.game.turn();
        if self.lost.of(mover).is_none() || self.interrupted.is_some() {
            return;
        }
        if !self.connections.iter().any(|connection| connection.seat == mover) {
            let spent = Micros::ZERO;
            self.interrupted = Some(spent);
            (self.runs_since, self.stands_since) = (at, at);
            effects.push_back(TaskRequest::NoteTurn(TurnTime::Stands { spent }).into());
            // Whoever sees the move takes the clock for running.
            effects.push_back(self.summary());
            effects.push_back(Publication::ClockStarted.into());
        }
    }

    /// Whether a turn that waits to go on waits for its player, or for other nodes. For those it waits for a while only.
    pub(super) fn stands(&mut self, at: ServiceInstant) -> bool {
        if self.interrupted.is_none() {
            return false;
        }
        if self.awaits_mover() || !self.is_here(self.game.turn()) {
            return true;
        }
        let awaits_nodes = at < self.stands_until;
        if awaits_nodes {
            self.timers.arm(Timer::StartTurn, self.stands_until);
        }
        awaits_nodes
    }

    /// A node was found dead, or is heard again: whoever was there is awaited for a while only.
    pub(super) fn node_settled(&mut self, node: NodeNumber, at: ServiceInstant) {
        let is_there = |lost: Lost| lost.node == LostNode::Other(node);
        if Color::ALL.into_iter().any(|seat| self.lost.of(seat).is_some_and(is_there)) {
            self.timers.arm(Timer::Lost, at + AWAITED_FOR);
        }
    }

    /// Whether the turn stands because its player was on a node that is lost.
    pub(super) fn awaits_mover(&self) -> bool {
        self.interrupted.is_some() && self.lost.of(self.game.turn()).is_some()
    }

    /// A player has joined anew, at `at`.
    pub(super) fn rejoined(&mut self, seat: Color, at: ServiceInstant) {
        if self.lost.of(seat).is_some() {
            self.found(seat);
            self.await_other_nodes(at);
            if seat == self.game.turn() && self.interrupted.is_some() {
                // Also if that player is gone again by then.
                self.timers.arm(Timer::StartTurn, self.stands_until);
            }
        }
    }

    fn found(&mut self, seat: Color) {
        self.lost.forget(seat);
        if self.lost.is_empty() {
            self.timers.stop(Timer::Lost);
        }
    }

    /// A player acts at `stamp` over another connection: the turn goes on from there, or from where it stands. A command that has
    /// waited since its own connection was lost shows nothing of where the player is.
    pub(super) fn found_acting(
        &mut self,
        connection: ConnectionId,
        seat: Color,
        stamp: ServiceInstant,
        effects: &mut GameEffects,
    ) {
        let Some(lost) = self.lost.of(seat) else { return };
        let was_there = connection.node().is_some_and(|node| lost.node == LostNode::Other(node));
        if stamp < lost.since || was_there && self.seat_of(connection).is_none() {
            return;
        }
        if seat == self.game.turn() && self.awaits_mover() {
            self.start_turn(stamp.max(self.stands_since));
            self.note_resumed_turn(effects);
        }
        self.found(seat);
    }

    /// What a player's command leads to. A turn that stands, and ran when the command was stamped, costs what it had taken
    /// then. No turn costs more than it `took` on its player's node, if that measured it.
    pub(super) fn decide_stamped(
        &self,
        seat: Color,
        stamp: ServiceInstant,
        took: Option<Micros>,
        input: &RulesInput,
    ) -> Result<Vec<Event>, Rejection> {
        let at = self.axis.game(stamp);
        let is_early = seat == self.game.turn() && stamp < self.stands_since;
        let then = self.interrupted.filter(|_| is_early).map(|spent| {
            let early = self.stands_since.0.saturating_sub(stamp.max(self.runs_since).0);
            spent.saturating_sub(Micros(early))
        });
        let took = took.filter(|took| seat == self.game.turn() && *took < self.game.turn_took(at));
        let Some(spent) = then.into_iter().chain(took).min() else {
            return self.game.decide(at, input);
        };
        let mut game = self.game.clone();
        for fact in [Fact::TurnStopped { at }, Fact::TurnCarried { spent }, Fact::TurnStarted { at }] {
            game.observe(fact);
        }
        game.decide(at, input)
    }

    /// Nobody is awaited any more: whoever has not come is absent, and the clock runs.
    pub(super) fn await_no_longer(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        if self.awaits_mover() {
            self.start_turn(at);
            self.note_resumed_turn(effects);
        }
        let lost = std::mem::take(&mut self.lost);
        for seat in Color::ALL {
            if lost.of(seat).is_none() || self.is_here(seat) {
                continue;
            }
            self.observe_presence(Fact::Absent { seat, at: self.axis.game(at) });
            self.notify_presence(seat, at, effects);
        }
        self.rest_later(at);
    }
}
