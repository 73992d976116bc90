//! One game that a caller has open: from the server's messages to events that come once each and in order.
//!
//! The cursor is the last event that the caller was told of, or that waits for it. An event that does not follow the
//! cursor is dropped, and the server is asked for exactly what comes after the cursor: after a reconnect, when the
//! server has left events out for a slow connection, and when the caller had no room. So nothing is lost, and nothing
//! is kept that the server keeps anyway.
//!
//! Deliberately absent: when the server is asked. The machine does that when [`Follow::wants`] says so.

use zeitnot_protocol::{ChatRoom, Clock, GameId, Phase, Said, ServerMessage, Snapshot, Turn, Watch};

use super::effects::{Delivery, Effect};
use super::{Key, Moment};
use crate::clocks::ClockModel;
use crate::event::GameEvent;

/// A game that a caller has open.
#[derive(Debug)]
pub(super) struct Follow {
    game: GameId,
    /// Who waits for the first snapshot.
    pub(super) opening: Option<Key>,
    cursor: Option<u32>,
    stage: Stage,
    has_ended: bool,
    /// How many events wait for the caller.
    unread: usize,
    /// The `on` of the turn that the caller was told of last.
    told_turn: Option<u32>,
    /// The last line of each room that the caller was told of.
    said: [u32; 2],
    clocks: Option<ClockModel>,
}

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The server is to be asked for what follows the cursor.
    Wants,
    /// It was asked.
    Requested,
    /// Events come by themselves.
    Follows,
    /// The caller has no room.
    Full,
}

impl Follow {
    pub(super) fn new(game: GameId, opening: Key) -> Self {
        Self {
            game,
            opening: Some(opening),
            cursor: None,
            stage: Stage::Wants,
            has_ended: false,
            unread: 0,
            told_turn: None,
            said: [0; 2],
            clocks: None,
        }
    }

    /// What the server is to be asked for, if anything. It counts as asked from then on.
    pub(super) fn wants(&mut self) -> Option<Watch> {
        (self.stage == Stage::Wants).then(|| {
            self.stage = Stage::Requested;
            Watch { game: self.game, after: self.cursor, id: None }
        })
    }

    /// A connection is open. `is_restored`: what was known of the game may never have happened.
    pub(super) fn resume(&mut self, is_restored: bool, is_restarted: bool) {
        if is_restored {
            (self.cursor, self.told_turn, self.has_ended) = (None, None, false);
        }
        if is_restored || is_restarted {
            self.said = [0; 2];
        }
        if !self.has_ended && self.stage != Stage::Full {
            self.stage = Stage::Wants;
        }
    }

    /// So many events wait for the caller. With room for `capacity`.
    pub(super) fn unread(&mut self, count: usize, capacity: usize) {
        self.unread = count;
        if self.stage == Stage::Full && count <= capacity / 2 {
            self.stage = Stage::Wants;
        }
    }

    /// Whether the caller had no room: then it is to be asked for [`Follow::unread`].
    pub(super) fn is_full(&self) -> bool {
        self.stage == Stage::Full
    }

    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    fn tell(&self, event: GameEvent, out: &mut Vec<Effect>) {
        out.push(Effect::Game(self.game, Delivery::Event(event)));
    }

    fn tell_clocks(&self, out: &mut Vec<Effect>) {
        if let Some(clocks) = &self.clocks {
            out.push(Effect::Game(self.game, Delivery::Clocks(clocks.reading())));
        }
    }

    /// A snapshot came: the first one is what the caller begins with. Later ones only show that events were missed.
    /// Whether it was told.
    pub(super) fn snapshot(&mut self, snapshot: &Snapshot, out: &mut Vec<Effect>) -> bool {
        match self.cursor {
            Some(cursor) => {
                if snapshot.seq > cursor && self.stage == Stage::Follows {
                    self.stage = Stage::Wants;
                }
                false
            }
            None => {
                self.cursor = Some(snapshot.seq);
                self.has_ended = snapshot.state.phase == Phase::Ended;
                self.clocks = Some(ClockModel::of_snapshot(snapshot));
                self.unread += 1;
                // Before the event, so that whoever has read it sees the clocks after it.
                self.tell_clocks(out);
                self.tell(GameEvent::Snapshot(Box::new(snapshot.clone())), out);
                true
            }
        }
    }

    /// An event came, `travelled` ago written. Whether it was told.
    pub(super) fn event(
        &mut self,
        event: &GameEvent,
        seq: u32,
        written: Moment,
        capacity: usize,
        out: &mut Vec<Effect>,
    ) -> bool {
        if !self.advance(seq, capacity) {
            return false;
        }
        self.has_ended |= matches!(event, GameEvent::Ended(_));
        if let GameEvent::Started(started) = event {
            self.clocks = Some(ClockModel::of_start(started));
        }
        let moved = self.clocks.as_mut().is_some_and(|clocks| clocks.event(event, written));
        self.unread += 1;
        if moved {
            self.tell_clocks(out);
        }
        self.tell(event.clone(), out);
        true
    }

    /// An event of a kind that this version does not know: it is passed over.
    pub(super) fn unknown_event(&mut self, seq: u32, capacity: usize) {
        self.advance(seq, capacity);
    }

    fn advance(&mut self, seq: u32, capacity: usize) -> bool {
        let Some(cursor) = self.cursor else { return false };
        if seq <= cursor || self.stage == Stage::Full {
            return false;
        }
        if seq > cursor + 1 {
            if self.stage == Stage::Follows {
                self.stage = Stage::Wants;
            }
            return false;
        }
        if self.unread >= capacity {
            self.stage = Stage::Full;
            return false;
        }
        self.cursor = Some(seq);
        true
    }

    /// The clocks came. `answers`: it is the end of the answer to what was asked.
    pub(super) fn clock(&mut self, clock: &Clock, answers: bool, written: Moment, out: &mut Vec<Effect>) {
        if answers && self.stage == Stage::Requested {
            self.stage = Stage::Follows;
        }
        let Some(cursor) = self.cursor else { return };
        if answers && clock.seq < cursor {
            // The server knows less than the caller, which is possible only when its data are others.
            (self.cursor, self.told_turn) = (None, None);
            self.stage = Stage::Wants;
            return;
        }
        if clock.seq > cursor && self.stage == Stage::Follows {
            self.stage = Stage::Wants;
        }
        if let Some(model) = &mut self.clocks
            && clock.seq >= cursor
        {
            model.clock(clock, written);
            self.tell_clocks(out);
        }
    }

    /// Tells the caller of the turn, once it has been told of everything before it.
    pub(super) fn turn(&mut self, turn: &Turn, out: &mut Vec<Effect>) {
        let is_reached = self.cursor.is_some_and(|cursor| cursor >= turn.on);
        if !is_reached && self.stage == Stage::Follows {
            self.stage = Stage::Wants;
        }
        if is_reached && self.told_turn != Some(turn.on) && !self.has_ended {
            self.told_turn = Some(turn.on);
            self.tell(GameEvent::Turn(turn.clone()), out);
        }
    }

    /// A line of chat: each once.
    pub(super) fn said(&mut self, said: &Said, out: &mut Vec<Effect>) {
        let last = &mut self.said[usize::from(said.room == ChatRoom::Spectators)];
        if said.n > *last {
            *last = said.n;
            self.tell(GameEvent::Said(said.clone()), out);
        }
    }

    /// Whatever else tells how the game stands.
    pub(super) fn other(&self, message: ServerMessage, out: &mut Vec<Effect>) {
        match message {
            ServerMessage::Rated(rated) => self.tell(GameEvent::Rated(rated), out),
            ServerMessage::Presence(presence) => self.tell(GameEvent::Presence(presence), out),
            ServerMessage::Watchers(watchers) => self.tell(GameEvent::Watchers(watchers), out),
            _ => {}
        }
    }
}
