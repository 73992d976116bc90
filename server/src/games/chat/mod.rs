//! What is said about games: two rooms a game, one for the players and one for the spectators.
//!
//! A [`GameChat`] is made when the first line is said about a game, so a game about which nothing is said costs nothing. It does
//! not depend on the game's actor: it outlives it, and is closed when the game is over and nothing was said for
//! [`KEPT_FOR`]. Sessions hear as they follow a game: each has a cursor in each of its rooms, is rung, and pulls. Whoever
//! falls behind misses lines, and nothing waits for anybody.
//!
//! Invariants: the players neither hear nor write the spectators' room while their game is in progress, and nobody else ever
//! has to do with the players' room; at most [`CHATS_MAX`] talks with [`BYTES_MAX`] of lines are kept, and the players of
//! the last [`ENDED_MAX`](ended::ENDED_MAX) games that have ended.
//!
//! Deliberately absent: the journal. What is said does not survive a restart.

mod ended;
mod game_chat;
mod room;
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
pub use game_chat::{ChatSubscription, GameChat, ROOMS};
pub(crate) use game_chat::{Post, Posted};
pub(crate) use text::checked;

/// How long after a game's end, and after the last line about it, one can go on talking.
const KEPT_FOR: Duration = Duration::from_secs(15 * 60);
/// The most talks at a time.
const CHATS_MAX: usize = 20_000;
/// The most bytes of lines, all talks together. A talk has at most 100 lines of about a kilobyte.
const BYTES_MAX: usize = 64 * 1024 * 1024;

/// All talks of the process.
#[derive(Debug, Default)]
pub(super) struct Chats {
    by_game: DashMap<GameId, Arc<GameChat>>,
    ended: Mutex<Ended>,
    /// What the lines of all talks take.
    bytes: Arc<AtomicUsize>,
}

/// Who plays a game, and whether it is over.
#[derive(Clone, Copy, Debug)]
struct Participants {
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

impl Chats {
    /// Every critical section leaves the list whole.
    fn list_of_ended(&self) -> MutexGuard<'_, Ended> {
        unpoisoned(self.ended.lock())
    }

    fn chat(&self, game: GameId) -> Option<Arc<GameChat>> {
        self.by_game.get(&game).map(|chat| Arc::clone(&chat))
    }

    /// Whether anything was said about a game, or somebody waits for it.
    pub(super) fn has_chat(&self, game: GameId) -> bool {
        self.by_game.contains_key(&game)
    }

    fn open(&self, game: GameId, about: Participants, at: ServiceInstant) -> Result<Arc<GameChat>, Code> {
        let is_full = self.by_game.len() >= CHATS_MAX;
        let chat = match self.by_game.entry(game) {
            dashmap::Entry::Occupied(chat) => return Ok(Arc::clone(chat.get())),
            dashmap::Entry::Vacant(_) if is_full => return Err(Code::Unavailable),
            dashmap::Entry::Vacant(place) => {
                let chat = Arc::new(GameChat::new(game, about, at, Arc::clone(&self.bytes)));
                Arc::clone(&place.insert(chat))
            }
        };
        metrics().talks.increment(1);
        // The game may have ended while this was made.
        if !about.is_over && self.list_of_ended().players(game).is_some() {
            chat.end_game(at);
        }
        Ok(chat)
    }

    /// A game has ended: from now on its players hear the spectators. To be called before anybody hears of the end.
    pub(super) fn ended(&self, game: GameId, players: ByColor<AccountId>, at: ServiceInstant) {
        self.list_of_ended().add(game, players, at);
        if let Some(chat) = self.chat(game) {
            chat.end_game(at);
        }
    }

    /// Closes talks of finished games in which it has been quiet, and those that nobody began.
    fn sweep(&self, at: ServiceInstant) {
        self.list_of_ended().forget_before(at);
        self.by_game.retain(|_, chat| {
            let closes = chat.closes(at);
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
    pub fn chat(&self, game: GameId) -> Option<Arc<GameChat>> {
        self.shared().chats.chat(game)
    }

    /// The talk about a game that has ended a short while ago, also when nothing was said yet: for somebody who stays.
    #[must_use]
    pub fn chat_after_end(&self, game: GameId) -> Option<Arc<GameChat>> {
        let chats = &self.shared().chats;
        if let Some(chat) = chats.chat(game) {
            return Some(chat);
        }
        let players = chats.list_of_ended().players(game)?;
        chats.open(game, Participants { players, is_over: true }, self.shared().clock.now()).ok()
    }

    /// A place among those who hear a talk: the session is rung when there is something new.
    #[must_use]
    pub fn subscribe_to_chat(&self, chat: &Arc<GameChat>, outbox: Outbox) -> ChatSubscription {
        chat.enter(outbox, &self.shared().tasks)
    }

    /// Says something about a game. `is_in` says whether the speaker's session watches it.
    ///
    /// # Errors
    /// Why nobody heard it.
    pub(crate) fn say(&self, game: GameId, post: &Post<'_>, is_in: bool) -> Result<Posted, Code> {
        let about = self.about(game).ok_or(Code::NotYourRoom)?;
        let is_player = is_one_of(about.players, post.by.account);
        if !(is_player || is_in) || !admits(post.room, is_player, about.is_over) {
            return Err(Code::NotYourRoom);
        }
        let posted = loop {
            // One that is just being closed is followed by another.
            if let Some(answer) = self.shared().chats.open(game, about, post.at)?.say(post) {
                break answer?;
            }
        };
        // Those who follow the game look for its talk when they are rung.
        if let Some(handle) = self.get(game)
            && handle.feed().open_chat()
        {
            handle.relay().notify_all();
        }
        Ok(posted)
    }

    /// Forgets what is no longer talked about. To be called every few seconds.
    pub(crate) fn sweep_chats(&self) {
        self.shared().chats.sweep(self.shared().clock.now());
    }

    /// `None` when there is no such game, or it ended long ago.
    fn about(&self, game: GameId) -> Option<Participants> {
        let chats = &self.shared().chats;
        let ended = chats.list_of_ended().players(game);
        match (ended, chats.chat(game)) {
            (Some(players), _) => Some(Participants { players, is_over: true }),
            (None, Some(chat)) => Some(chat.about()),
            (None, None) => {
                let handle = self.get(game)?;
                Some(Participants { players: handle.players(), is_over: false })
            }
        }
    }
}
