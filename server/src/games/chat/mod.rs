//! What is said about games: two rooms a game, one for the players and one for the spectators.
//!
//! A [`Talk`] is made when the first line is said about a game, so a game about which nothing is said costs nothing. It does
//! not depend on the game's actor: it outlives it, and is closed when the game is over and nothing was said for
//! [`KEPT_FOR`]. Sessions hear as they follow a game: each has a cursor in each of its rooms, is rung, and pulls. Whoever
//! falls behind misses lines, and nothing waits for anybody.
//!
//! Invariants: the players neither hear nor write the spectators' room while their game is in progress, and nobody else ever
//! has to do with the players' room; at most [`TALKS_MAX`] talks with [`BYTES_MAX`] of lines are kept, and the players of
//! the last [`ENDED_MAX`](ended::ENDED_MAX) games that have ended.
//!
//! Deliberately absent: the journal. What is said does not survive a restart.

mod ended;
mod room;
mod talk;
mod text;

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use dashmap::DashMap;
use zeitnot_protocol::{AccountId, ChatRoom, Code, GameId};
use zeitnot_rules::board::{ByColor, Color};

use super::Games;
use crate::connections::Outbox;
use crate::sync::unpoisoned;
use crate::telemetry::metrics;
use crate::time::ServiceInstant;
use ended::Ended;
pub use talk::{Listener, ROOMS, Talk};
pub(crate) use talk::{Spoken, Words};
pub(crate) use text::checked;

/// How long after a game's end, and after the last line about it, one can go on talking.
const KEPT_FOR: Duration = Duration::from_secs(15 * 60);
/// The most talks at a time.
const TALKS_MAX: usize = 20_000;
/// The most bytes of lines, all talks together. A talk has at most 100 lines of about a kilobyte.
const BYTES_MAX: usize = 64 * 1024 * 1024;

/// All talks of the process.
#[derive(Debug, Default)]
pub(super) struct Chat {
    talks: DashMap<GameId, Arc<Talk>>,
    ended: Mutex<Ended>,
    /// What the lines of all talks take.
    bytes: Arc<AtomicUsize>,
}

/// Who plays a game, and whether it is over.
#[derive(Clone, Copy, Debug)]
struct About {
    players: ByColor<AccountId>,
    is_over: bool,
}

/// Whether somebody hears a room and may write in it.
fn admits(room: ChatRoom, is_player: bool, is_over: bool) -> bool {
    match room {
        ChatRoom::Players => is_player,
        // A word from a spectator would be help.
        ChatRoom::Spectators => !is_player || is_over,
    }
}

fn is_one_of(players: ByColor<AccountId>, account: AccountId) -> bool {
    Color::ALL.into_iter().any(|seat| players[seat] == account)
}

impl Chat {
    /// Every critical section leaves the list whole.
    fn list_of_ended(&self) -> MutexGuard<'_, Ended> {
        unpoisoned(self.ended.lock())
    }

    fn talk(&self, game: GameId) -> Option<Arc<Talk>> {
        self.talks.get(&game).map(|talk| Arc::clone(&talk))
    }

    /// Whether anything was said about a game, or somebody waits for it.
    pub(super) fn has_talk(&self, game: GameId) -> bool {
        self.talks.contains_key(&game)
    }

    fn open(&self, game: GameId, about: About, at: ServiceInstant) -> Result<Arc<Talk>, Code> {
        let is_full = self.talks.len() >= TALKS_MAX;
        let talk = match self.talks.entry(game) {
            dashmap::Entry::Occupied(talk) => return Ok(Arc::clone(talk.get())),
            dashmap::Entry::Vacant(_) if is_full => return Err(Code::Unavailable),
            dashmap::Entry::Vacant(place) => {
                let talk = Arc::new(Talk::new(game, about, at, Arc::clone(&self.bytes)));
                Arc::clone(&place.insert(talk))
            }
        };
        metrics().talks.increment(1);
        // The game may have ended while this was made.
        if !about.is_over && self.list_of_ended().players(game).is_some() {
            talk.game_is_over(at);
        }
        Ok(talk)
    }

    /// A game has ended: from now on its players hear the spectators. To be called before anybody hears of the end.
    pub(super) fn ended(&self, game: GameId, players: ByColor<AccountId>, at: ServiceInstant) {
        self.list_of_ended().add(game, players, at);
        if let Some(talk) = self.talk(game) {
            talk.game_is_over(at);
        }
    }

    /// Closes talks of finished games in which it has been quiet, and those that nobody began.
    fn sweep(&self, at: ServiceInstant) {
        self.list_of_ended().forget_before(at);
        self.talks.retain(|_, talk| {
            let closes = talk.closes(at);
            if closes {
                metrics().talks.decrement(1);
            }
            !closes
        });
    }
}

impl Games {
    /// What is said about a game, if anything was.
    #[must_use]
    pub fn talk(&self, game: GameId) -> Option<Arc<Talk>> {
        self.house().chat.talk(game)
    }

    /// The talk about a game that has ended a short while ago, also when nothing was said yet: for somebody who stays.
    #[must_use]
    pub fn talk_after(&self, game: GameId) -> Option<Arc<Talk>> {
        let chat = &self.house().chat;
        if let Some(talk) = chat.talk(game) {
            return Some(talk);
        }
        let players = chat.list_of_ended().players(game)?;
        chat.open(game, About { players, is_over: true }, self.house().clock.now()).ok()
    }

    /// A place among those who hear a talk: the session is rung when there is something new.
    #[must_use]
    pub fn listen(&self, talk: &Arc<Talk>, outbox: Outbox) -> Listener {
        talk.enter(outbox, &self.house().tasks)
    }

    /// Says something about a game. `is_in` says whether the speaker's session watches it.
    ///
    /// # Errors
    /// Why nobody heard it.
    pub(crate) fn say(&self, game: GameId, words: &Words<'_>, is_in: bool) -> Result<Spoken, Code> {
        let about = self.about(game).ok_or(Code::NotYourRoom)?;
        let is_player = is_one_of(about.players, words.by.account);
        if !(is_player || is_in) || !admits(words.room, is_player, about.is_over) {
            return Err(Code::NotYourRoom);
        }
        let spoken = loop {
            // One that is just being closed is followed by another.
            if let Some(answer) = self.house().chat.open(game, about, words.at)?.say(words) {
                break answer?;
            }
        };
        // Those who follow the game look for its talk when they are rung.
        if let Some(handle) = self.get(game)
            && handle.feed().begin_talk()
        {
            handle.relay().notify_all();
        }
        Ok(spoken)
    }

    /// Forgets what is no longer talked about. To be called every few seconds.
    pub(crate) fn sweep_talks(&self) {
        self.house().chat.sweep(self.house().clock.now());
    }

    /// `None` when there is no such game, or it ended long ago.
    fn about(&self, game: GameId) -> Option<About> {
        let chat = &self.house().chat;
        let ended = chat.list_of_ended().players(game);
        match (ended, chat.talk(game)) {
            (Some(players), _) => Some(About { players, is_over: true }),
            (None, Some(talk)) => Some(talk.about()),
            (None, None) => {
                let handle = self.get(game)?;
                Some(About { players: handle.players(), is_over: false })
            }
        }
    }
}
