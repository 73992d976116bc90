//! What is decided next, and the flag: a deadline comes after everything that was stamped before
//! it, and before all else.
//!
//! When a deadline has passed, nothing is decided until a [`Fence`] is complete. Then the commands
//! stamped before the deadline are decided, in the order of their stamps; then, if it still stands,
//! the deadline itself, at its own instant; then the rest.

use zeitnot_protocol::{Code, CommandId};
use zeitnot_rules::game::{GameInstant, Input as RulesInput, Rejection};

use super::timers::Timer;
use super::{Closing, Deadline, GameEffects, GameMachine, GameStage, TaskRequest};
use crate::connections::{ConnectionId, NoticeKind};
use crate::games::fence::Fence;
use crate::games::inputs::StampedCommand;
use crate::seeded_bugs::bug;
use crate::storage::WriteError;
use crate::time::ServiceInstant;

/// What stands in the way of deciding a command.
enum Due {
    /// Nothing: no deadline has passed.
    Nothing,
    /// A deadline has passed, and not all that was stamped before it is in.
    Wait,
    /// A deadline has passed, and all that was stamped before it is in.
    Settle(Deadline),
}

/// A rejection that nobody is told of yet.
#[derive(Debug)]
pub(super) struct Undelivered {
    connection: ConnectionId,
    id: Option<Box<CommandId>>,
    code: Code,
}

impl GameMachine {
    /// Puts a player's command where its stamp belongs. A connection that was given up says nothing more.
    pub(super) fn command(&mut self, command: StampedCommand) {
        if self.seat_of(command.connection).is_none() {
            return;
        }
        match self.fence {
            // After what has the same stamp.
            Some(_) => {
                let place = self.waiting.partition_point(|other| other.stamp <= command.stamp);
                self.waiting.insert(place, command);
            }
            None => self.waiting.push_back(command),
        }
    }

    pub(super) fn fenced(&mut self, connection: ConnectionId, number: u32) {
        if let Some(fence) = &mut self.fence
            && fence.number == number
        {
            fence.answered(connection);
        }
    }

    /// Decides what can be decided now.
    pub(super) fn decide_waiting(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        while matches!(self.stage, GameStage::Open) {
            if self.is_stopping {
                return self.close(Closing::Stopped, effects);
            }
            if self.is_released {
                return self.release(at, effects);
            }
            if !self.verdicts.is_empty() {
                let verdict = self.verdicts.remove(0);
                self.decide_verdict(verdict, at, effects);
                continue;
            }
            match self.due(at, effects) {
                Due::Wait => return,
                Due::Nothing => match self.waiting.pop_front() {
                    Some(waiting) => self.decide_command(waiting, effects),
                    None => return,
                },
                Due::Settle(deadline) => {
                    bug!(StampsIgnored => { self.decide_deadline(deadline.game, effects); continue });
                    match self.waiting.pop_front_if(|first| first.stamp < deadline.service) {
                        Some(waiting) => self.decide_command(waiting, effects),
                        None => self.decide_deadline(deadline.game, effects),
                    }
                }
            }
        }
    }

    /// Looks whether a deadline has passed, and puts up the fence when it has.
    fn due(&mut self, at: ServiceInstant, effects: &mut GameEffects) -> Due {
        let Some(deadline) = self.deadline.filter(|deadline| deadline.service <= at) else {
            self.fence = None;
            self.timers.stop(Timer::Fence);
            return Due::Nothing;
        };
        if self.fence.as_ref().is_none_or(|fence| fence.deadline != deadline.game) {
            self.raise_fence(deadline, at, effects);
        }
        bug!(FlagWithoutFence => return Due::Settle(deadline));
        match &self.fence {
            Some(fence) if !fence.is_complete() => Due::Wait,
            Some(_) | None => Due::Settle(deadline),
        }
    }

    fn raise_fence(&mut self, deadline: Deadline, at: ServiceInstant, effects: &mut GameEffects) {
        self.fence_number = self.fence_number.wrapping_add(1);
        let fence = Fence::new(self.fence_number, deadline.game, at);
        self.timers.arm(Timer::Fence, fence.give_up);
        self.fence = Some(Box::new(fence));
        let here = self.connections.iter().map(|connection| connection.id).filter(|id| id.node().is_none());
        let asked: Vec<_> = here.chain(self.mirrors.iter().copied()).collect();
        asked.into_iter().for_each(|id| self.ask_by_fence(id, effects));
        self.waiting.make_contiguous().sort_by_key(|waiting| waiting.stamp);
    }

    /// A connection here, or a mirror, has to answer the fence that stands, if one does.
    pub(super) fn ask_by_fence(&mut self, id: ConnectionId, effects: &mut GameEffects) {
        let Some(fence) = &mut self.fence else { return };
        fence.ask(id);
        self.timers.arm(Timer::Fence, fence.give_up);
        let fence = NoticeKind::Fence { number: fence.number, due: self.axis.service(fence.deadline) };
        self.notify(id, fence, effects);
    }

    /// Connections that did not answer the fence in time are no longer connected, nor are those of a mirror that did not.
    pub(super) fn give_up_silent(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        let Some(fence) = &mut self.fence else { return };
        let silent = fence.give_up();
        let asked_by = |id: ConnectionId| id.node().map_or(id, ConnectionId::of_mirror);
        let connections = self.connections.iter().map(|connection| connection.id);
        let given_up: Vec<_> = connections.filter(|id| silent.contains(&asked_by(*id))).collect();
        for connection in given_up {
            self.notify(connection, NoticeKind::Silent, effects);
            self.leave(connection, at, effects);
        }
    }

    fn decide_deadline(&mut self, deadline: GameInstant, effects: &mut GameEffects) {
        bug!(DeadlineAfterTheEnd => if self.flag_after_the_end(deadline, effects) { return });
        let events = self.game.decide(deadline, &RulesInput::Deadline).expect("the deadline is due");
        self.append(events, deadline, effects);
    }

    fn decide_command(&mut self, command: StampedCommand, effects: &mut GameEffects) {
        let StampedCommand { connection, seat, stamp, took, command } = command;
        bug!(ReplayAfterTakeback => let command = self.on_current_position(command));
        if let Some(seq) = self.answers.find(seat, &command) {
            return self.notify(connection, NoticeKind::Done { id: command.id.map(Box::new), seq }, effects);
        }
        self.found_acting(connection, seat, stamp, effects);
        let at = self.axis.game(stamp);
        let input = RulesInput::Player { seat, command: command.command.clone() };
        let decision = self.decide_stamped(seat, stamp, took, &input);
        bug!(OfferAnsweredTwice => let decision = self.answered_again(decision, seat, &command));
        match decision {
            Ok(events) => self.append_for(seat, connection, command.id, events, at, effects),
            Err(rejection) => self.reject(connection, command.id, rejection, effects),
        }
    }

    /// Rejects a command, as soon as it is certain that the state is the newest: if the game was taken over, the command may
    /// have been accepted since. An `ok` has that certainty from its append, and nothing comes after the end.
    fn reject(
        &mut self,
        connection: ConnectionId,
        id: Option<CommandId>,
        rejection: Rejection,
        effects: &mut GameEffects,
    ) {
        let undelivered = Undelivered { connection, id: id.map(Box::new), code: Code::from(rejection) };
        self.stage = GameStage::Rejecting(undelivered);
        if self.game.has_ended() {
            return self.confirmed(Ok(()), effects);
        }
        bug!(RejectedUnconfirmed => return self.confirmed(Ok(()), effects));
        effects.push_back(TaskRequest::Confirm.into());
    }

    /// The state was the newest when the command was rejected, or that is not known.
    pub(super) fn confirmed(&mut self, answer: Result<(), WriteError>, effects: &mut GameEffects) {
        let GameStage::Rejecting(undelivered) = std::mem::replace(&mut self.stage, GameStage::Open) else {
            panic!("nothing was to be confirmed");
        };
        let Undelivered { connection, id, code } = undelivered;
        if self.seat_of(connection).is_some() {
            let code = if answer.is_ok() { code } else { Code::Unavailable };
            self.notify(connection, NoticeKind::Rejected { id, code }, effects);
        }
    }
}
