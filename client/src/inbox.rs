//! What waits for a caller, between the driver and the [`Game`](crate::Game) or [`Events`](crate::Events) that reads it.
//!
//! Invariant: bounded. The events of a game are as many as the machine allows, which asks the server for the others
//! later. Of chat the last lines stay; of everything else the last of its kind. The driver never waits for a caller.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use zeitnot_protocol::{Presence, Rated, Said, Turn, Watchers};

use crate::clocks::Clocks;
use crate::event::index;
use crate::{Error, Event, GameEvent, Options};

/// How many lines of chat wait.
const CHAT_MAX: usize = 100;

/// What waits for the caller of a game.
#[derive(Debug, Default)]
pub(crate) struct GameInbox {
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    events: VecDeque<GameEvent>,
    chat: VecDeque<Said>,
    presence: [Option<Presence>; 2],
    watchers: Option<Watchers>,
    rated: Option<Rated>,
    turn: Option<Turn>,
    clocks: Option<Clocks>,
    /// Why nothing more will come.
    end: Option<Error>,
    /// Whether nobody will read any more.
    is_closed: bool,
    /// Whether the machine wants to know when there is room.
    wants_room: bool,
    reader: Option<Waker>,
}

impl Waiting {
    fn push(&mut self, event: GameEvent) {
        match event {
            GameEvent::Turn(turn) => self.turn = Some(turn),
            GameEvent::Presence(presence) => {
                let place = index(presence.color);
                self.presence[place] = Some(presence);
            }
            GameEvent::Watchers(watchers) => self.watchers = Some(watchers),
            GameEvent::Rated(rated) => self.rated = Some(rated),
            GameEvent::Said(said) => {
                if self.chat.len() == CHAT_MAX {
                    self.chat.pop_front();
                }
                self.chat.push_back(said);
            }
            event => {
                if event.ends_turn() {
                    self.turn = None;
                }
                self.events.push_back(event);
            }
        }
    }

    /// The game's own events come first, and the turn comes last: it stands for the position after all of them.
    fn pop(&mut self) -> Option<GameEvent> {
        let event = self.events.pop_front();
        let event = event.or_else(|| self.rated.take().map(GameEvent::Rated));
        let event = event.or_else(|| self.chat.pop_front().map(GameEvent::Said));
        let present = |both: &mut [Option<Presence>; 2]| both.iter_mut().find_map(Option::take);
        let event = event.or_else(|| present(&mut self.presence).map(GameEvent::Presence));
        let event = event.or_else(|| self.watchers.take().map(GameEvent::Watchers));
        event.or_else(|| self.turn.take().map(GameEvent::Turn))
    }
}

impl GameInbox {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, event: GameEvent) {
        let mut waiting = self.lock();
        if waiting.is_closed {
            return;
        }
        waiting.push(event);
        wake(waiting.reader.take());
    }

    pub(crate) fn set_clocks(&self, clocks: Clocks) {
        self.lock().clocks = Some(clocks);
    }

    pub(crate) fn clocks(&self) -> Option<Clocks> {
        self.lock().clocks
    }

    /// Nothing more will come.
    pub(crate) fn end(&self, error: Error) {
        let mut waiting = self.lock();
        waiting.end.get_or_insert(error);
        wake(waiting.reader.take());
    }

    /// Nobody will read any more.
    pub(crate) fn close(&self) {
        *self.lock() = Waiting { is_closed: true, ..Waiting::default() };
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// How many events wait. `wants_room`: [`GameInbox::poll_next`] says when half of `capacity` is free.
    pub(crate) fn unread(&self, wants_room: bool) -> usize {
        let mut waiting = self.lock();
        waiting.wants_room = wants_room;
        waiting.events.len()
    }

    /// The next event. The flag says that the machine wants to know that there is room.
    pub(crate) fn poll_next(
        &self,
        capacity: usize,
        cx: &Context<'_>,
    ) -> Poll<(Result<GameEvent, Error>, bool)> {
        let mut waiting = self.lock();
        match (waiting.pop(), &waiting.end) {
            (Some(event), _) => {
                let has_room = waiting.wants_room && waiting.events.len() <= capacity / 2;
                Poll::Ready((Ok(event), has_room))
            }
            (None, Some(error)) => Poll::Ready((Err(error.clone()), false)),
            (None, None) => {
                waiting.reader = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}

/// What waits for a reader of the account's events.
#[derive(Debug, Default)]
pub(crate) struct EventInbox {
    waiting: Mutex<EventQueue>,
}

#[derive(Debug, Default)]
struct EventQueue {
    events: VecDeque<Event>,
    end: Option<Error>,
    reader: Option<Waker>,
}

impl EventInbox {
    fn lock(&self) -> MutexGuard<'_, EventQueue> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an event. `false`: there was no room, and all that waited was thrown away. What is open now is to follow.
    #[must_use]
    pub(crate) fn push(&self, event: Event, capacity: usize) -> bool {
        let mut waiting = self.lock();
        let has_room = waiting.events.len() < capacity.max(Options::EVENT_BUFFER);
        if has_room {
            waiting.events.push_back(event);
        } else {
            waiting.events.clear();
            waiting.events.push_back(Event::Missed);
        }
        wake(waiting.reader.take());
        has_room
    }

    /// Nothing more will come.
    pub(crate) fn end(&self, error: Error) {
        let mut waiting = self.lock();
        waiting.end.get_or_insert(error);
        wake(waiting.reader.take());
    }

    pub(crate) fn poll_next(&self, cx: &Context<'_>) -> Poll<Result<Event, Error>> {
        let mut waiting = self.lock();
        match (waiting.events.pop_front(), &waiting.end) {
            (Some(event), _) => Poll::Ready(Ok(event)),
            (None, Some(error)) => Poll::Ready(Err(error.clone())),
            (None, None) => {
                waiting.reader = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}

fn wake(reader: Option<Waker>) {
    if let Some(reader) = reader {
        reader.wake();
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::{ByEvent, GameId, WireColor};

    use super::*;

    const CAPACITY: usize = 8;

    fn game() -> GameId {
        GameId::from_random(1)
    }

    fn next(inbox: &GameInbox) -> Option<(GameEvent, bool)> {
        match inbox.poll_next(CAPACITY, &Context::from_waker(Waker::noop())) {
            Poll::Ready((event, has_room)) => Some((event.unwrap(), has_room)),
            Poll::Pending => None,
        }
    }

    fn turn(on: u32) -> GameEvent {
        let (fen, legal) = (String::new(), Vec::new());
        GameEvent::Turn(Turn { game: game(), on, fen, legal, white_ms: None, black_ms: None })
    }

    fn offer(seq: u32) -> GameEvent {
        GameEvent::DrawOffered(ByEvent { game: game(), seq, by: WireColor::White })
    }

    fn here(color: WireColor, here: bool) -> GameEvent {
        GameEvent::Presence(Presence { game: game(), color, here, claim_in_ms: None })
    }

    #[test]
    fn events_come_first_and_of_what_only_tells_how_things_stand_the_last_is_kept() {
        let inbox = GameInbox::default();
        for (count, event) in
            [(1, turn(1)), (2, here(WireColor::Black, true)), (3, here(WireColor::Black, false))]
        {
            (0..count).for_each(|_| inbox.push(event.clone()));
        }
        inbox.push(offer(2));
        let told: Vec<_> = std::iter::from_fn(|| next(&inbox).map(|(event, _)| event)).collect();
        assert_eq!(told, [offer(2), here(WireColor::Black, false), turn(1)]);
        // The turn of a position that has passed is not told.
        inbox.push(turn(2));
        let (by, white_ms, black_ms) = (WireColor::White, None, None);
        let resigned = zeitnot_protocol::StoppedBy { game: game(), seq: 3, by, white_ms, black_ms };
        inbox.push(GameEvent::Resigned(resigned.clone()));
        assert_eq!(next(&inbox), Some((GameEvent::Resigned(resigned), false)));
        assert_eq!(next(&inbox), None);
    }

    #[test]
    fn the_machine_is_told_when_half_is_free() {
        let inbox = GameInbox::default();
        (0..CAPACITY as u32).for_each(|seq| inbox.push(offer(seq)));
        assert_eq!(inbox.unread(true), CAPACITY);
        let told: Vec<_> = (0..CAPACITY).map(|_| next(&inbox).unwrap().1).collect();
        assert_eq!(told, [false, false, false, true, true, true, true, true]);
    }

    #[test]
    fn too_many_events_of_the_account_are_replaced_by_what_is_open() {
        let inbox = EventInbox::default();
        let name = |n: usize| Event::Name(n.to_string());
        (0..Options::EVENT_BUFFER).for_each(|n| assert!(inbox.push(name(n), 0)));
        assert!(!inbox.push(name(999), 0));
        assert!(inbox.push(name(7), 0), "there is room again");
        inbox.end(Error::Stopped);
        let told = || match inbox.poll_next(&Context::from_waker(Waker::noop())) {
            Poll::Ready(event) => event,
            Poll::Pending => panic!("there is an end"),
        };
        assert_eq!(told(), Ok(Event::Missed));
        assert_eq!(told(), Ok(name(7)));
        assert_eq!(told(), Err(Error::Stopped));
    }
}
