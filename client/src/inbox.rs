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
