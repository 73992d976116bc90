//! The loss of a node on which players have connections: for a while nobody can know what they did there.
//!
//! If the player to move was there, with whatever connection, the turn stands from the instant before which all that the node had
//! sent has come: the move may have been on its way. It goes on when that player acts over another connection. A turn that begins
//! meanwhile stands, too, if its message reaches nobody. Nobody from there counts as absent, nor does a player whose last
//! connection was there: whoever comes back comes to the same node, as a rule. The node is settled once it is found
//! dead, or is heard again: then all that lasts for [`AWAITED_FOR`] more, or until the player joins anew. Whoever has joined before
//! may have moved over the lost node all the same, and is awaited until then, too.
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

/// A player was on a node that is lost, or on several.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Lost {
    /// Those that are neither heard again nor found dead. None of a claimed game, from whose former owner nothing comes any more.
    unsettled: Vec<NodeNumber>,
    /// All that they had sent before has come.
    since: ServiceInstant,
    /// When the player is awaited no longer, once they are all settled.
    until: ServiceInstant,
    /// The player has joined anew.
    has_joined: bool,
}

/// The players who were on a node that is lost, or may come back there. Hardly ever anybody, so it takes little room then.
#[derive(Default, Debug)]
pub(super) struct LostPlayers(Option<Box<ByColor<Elsewhere>>>);

/// A player, as far as other nodes are concerned.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Elsewhere {
    lost: Option<Lost>,
    /// The other node that the last connection was on. None while there is one.
    left_from: Option<NodeNumber>,
}

impl LostPlayers {
    pub(super) fn has(&self, seat: Color) -> bool {
        self.of(seat).is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        !Color::ALL.into_iter().any(|seat| self.has(seat))
    }

    /// A player has no connection any more, and the last one was on this node; or has one again.
    pub(super) fn left_from(&mut self, seat: Color, node: Option<NodeNumber>) {
        if node.is_some() || self.0.is_some() {
            self.change(seat, |player| player.left_from = node);
        }
    }

    fn has_left_from(&self, seat: Color, node: NodeNumber) -> bool {
        self.0.as_ref().is_some_and(|players| players[seat].left_from == Some(node))
    }

    fn of(&self, seat: Color) -> Option<&Lost> {
        self.0.as_ref().and_then(|players| players[seat].lost.as_ref())
    }

    fn of_mut(&mut self, seat: Color) -> Option<&mut Lost> {
        self.0.as_mut().and_then(|players| players[seat].lost.as_mut())
    }

    fn set(&mut self, seat: Color, lost: Lost) {
        self.change(seat, |player| player.lost = Some(lost));
    }

    fn forget(&mut self, seat: Color) {
        self.change(seat, |player| player.lost = None);
    }

    fn change(&mut self, seat: Color, change: impl FnOnce(&mut Elsewhere)) {
        let players = self.0.get_or_insert_default();
        change(&mut players[seat]);
        if **players == ByColor::default() {
            self.0 = None;
        }
    }

    /// When the first of them is awaited no longer.
    fn first_until(&self) -> ServiceInstant {
        let untils = Color::ALL.into_iter().filter_map(|seat| self.of(seat)).map(|lost| lost.until);
        untils.min().unwrap_or(ServiceInstant::NEVER)
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
            let until = at + AWAITED_FOR;
            self.lost.set(seat, Lost { unsettled: Vec::new(), since: at, until, has_joined: false });
        }
        self.find_lost_timer();
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
        let may_be_there = |seat| {
            self.lost.has_left_from(seat, node)
                || self
                    .connections
                    .iter()
                    .any(|connection| connection.seat == seat && is_there(connection.id))
        };
        let seats = ByColor::from_fn(may_be_there);
        if let Some(fence) = &mut self.fence {
            fence.answered(ConnectionId::of_mirror(node));
        }
        self.mirrors.retain(|mirror| !is_there(*mirror));
        self.connections.retain(|connection| !is_there(connection.id));
        self.rest_later(at);
        for seat in Color::ALL.into_iter().filter(|&seat| seats[seat]) {
            if !self.is_here(seat) {
                self.observe_presence(Fact::Present { seat, at: self.axis.game(at) });
            }
            let before = self.lost.of_mut(seat).map(|lost| std::mem::take(&mut lost.unsettled));
            let unsettled = before.into_iter().flatten().chain([node]).collect();
            let until = ServiceInstant::NEVER;
            self.lost.set(seat, Lost { unsettled, since: complete, until, has_joined: false });
            self.observe_round_trip(seat);
        }
        self.find_lost_timer();
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
        if !self.lost.has(mover) || self.interrupted.is_some() {
            return;
        }
        if !self.is_connected(mover) {
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
    pub(super) fn node_settled(&mut self, node: NodeNumber, at: ServiceInstant, effects: &mut GameEffects) {
        for seat in Color::ALL {
            let Some(lost) = self.lost.of_mut(seat).filter(|lost| lost.unsettled.contains(&node)) else {
                continue;
            };
            lost.unsettled.retain(|unsettled| *unsettled != node);
            if lost.unsettled.is_empty() {
                lost.until = at + AWAITED_FOR;
                self.go_on_if_joined(seat, at);
                self.absent_unless_here(seat, at, effects);
            }
        }
        self.find_lost_timer();
    }

    /// Whether the turn stands because its player was on a node that is lost.
    pub(super) fn awaits_mover(&self) -> bool {
        self.interrupted.is_some() && self.lost.has(self.game.turn())
    }

    /// A player has joined anew, at `at`.
    pub(super) fn rejoined(&mut self, seat: Color, at: ServiceInstant) {
        if let Some(lost) = self.lost.of_mut(seat) {
            lost.has_joined = true;
            self.go_on_if_joined(seat, at);
        }
    }

    /// Whoever has joined anew is lost no longer once every node is settled on which a move of that player may be.
    fn go_on_if_joined(&mut self, seat: Color, at: ServiceInstant) {
        if self.lost.of(seat).is_none_or(|lost| !lost.has_joined || !lost.unsettled.is_empty()) {
            return;
        }
        self.found(seat);
        self.await_other_nodes(at);
        if seat == self.game.turn() && self.interrupted.is_some() {
            // Also if that player is gone again by then.
            self.timers.arm(Timer::StartTurn, self.stands_until);
        }
    }

    /// The players who are lost have changed, or how long they are awaited.
    fn find_lost_timer(&mut self) {
        self.timers.arm(Timer::Lost, self.lost.first_until());
    }

    fn found(&mut self, seat: Color) {
        self.lost.forget(seat);
        self.find_lost_timer();
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
        if stamp < lost.since || self.seat_of(connection).is_none() {
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

    /// Players are awaited no more whose time is over: whoever of them has not come is absent, and the clock runs.
    pub(super) fn await_no_longer(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        let is_over = |lost: &Lost| lost.until <= at;
        let awaited = ByColor::from_fn(|seat| self.lost.of(seat).is_some_and(is_over));
        if self.awaits_mover() && awaited[self.game.turn()] {
            self.start_turn(at);
            self.note_resumed_turn(effects);
        }
        for seat in Color::ALL.into_iter().filter(|&seat| awaited[seat]) {
            self.found(seat);
            self.absent_unless_here(seat, at, effects);
        }
        self.rest_later(at);
    }

    /// A player may be lost no longer, and is absent then without a connection.
    fn absent_unless_here(&mut self, seat: Color, at: ServiceInstant, effects: &mut GameEffects) {
        if !self.is_here(seat) {
            self.observe_presence(Fact::Absent { seat, at: self.axis.game(at) });
            self.notify_presence(seat, at, effects);
        }
    }
}
