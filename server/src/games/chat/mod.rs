//! The chats of games: each has two rooms, one for the players and one for the spectators.
//!
//! A [`GameChat`] is made with the first line that is known on any node, so a game without chat costs nothing. It does not
//! depend on the game's actor: it outlives it, and is closed when the game is over and nothing was
//! posted for [`KEPT_FOR`]. A session pulls lines as it pulls a feed, with a cursor in each room,
//! when it is notified. A slow session misses lines, and nothing waits for it.
//!
//! Invariants: while their game is in progress the players neither read nor write in the room of
//! the spectators; the room of the players is for them alone; at most [`CHATS_MAX`] chats with
//! [`BYTES_MAX`] of lines are kept, and the players of the last [`ENDED_MAX`](ended::ENDED_MAX)
//! ended games.
//!
//! Deliberately absent: storage. A chat does not survive a restart.

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

use crate::sync::unpoisoned;
use crate::telemetry::metrics;
use crate::time::ServiceInstant;
use ended::Ended;
pub(in crate::games) use game_chat::KnownLine;
pub use game_chat::{ChatSubscription, GameChat, ROOMS};
pub(crate) use game_chat::{Post, Posted};
pub(crate) use text::checked;

/// How long a chat stays open after the game's end, and after its last line.
const KEPT_FOR: Duration = Duration::from_secs(15 * 60);
/// The most chats at a time.
const CHATS_MAX: usize = 20_000;
/// The most bytes of lines, all chats together. A chat has at most 100 lines of about a kilobyte.
const BYTES_MAX: usize = 64 * 1024 * 1024;

/// All chats of the process.
#[derive(Debug, Default)]
pub(crate) struct Chats {
    by_game: DashMap<GameId, Arc<GameChat>>,
    ended: Mutex<Ended>,
    /// The bytes of the lines of all chats.
    bytes: Arc<AtomicUsize>,
}

/// Who plays a game, and whether it is over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Participants {
    pub(super) players: ByColor<AccountId>,
    pub(super) is_over: bool,
}

/// Whether an account may read a room and post in it.
pub(super) fn admits(room: ChatRoom, is_player: bool, is_over: bool) -> bool {
    match room {
        ChatRoom::Players => is_player,
        // A line from a spectator would be help.
        ChatRoom::Spectators => !is_player || is_over,
    }
}

pub(super) fn is_one_of(players: ByColor<AccountId>, account: AccountId) -> bool {
    Color::ALL.into_iter().any(|seat| players[seat] == account)
}

impl Chats {
    /// Every critical section leaves the list whole.
    pub(super) fn list_of_ended(&self) -> MutexGuard<'_, Ended> {
        unpoisoned(self.ended.lock())
    }

    pub(super) fn chat(&self, game: GameId) -> Option<Arc<GameChat>> {
        self.by_game.get(&game).map(|chat| Arc::clone(&chat))
    }

    /// Whether a game has a chat.
    pub(super) fn has_chat(&self, game: GameId) -> bool {
        self.by_game.contains_key(&game)
    }

    pub(super) fn open(
        &self,
        game: GameId,
        about: Participants,
        at: ServiceInstant,
    ) -> Result<Arc<GameChat>, Code> {
        let is_full = self.by_game.len() >= CHATS_MAX;
        let chat = match self.by_game.entry(game) {
            dashmap::Entry::Occupied(chat) => return Ok(Arc::clone(chat.get())),
            dashmap::Entry::Vacant(_) if is_full => return Err(Code::Unavailable),
            dashmap::Entry::Vacant(place) => {
                let chat = Arc::new(GameChat::new(game, about, at, Arc::clone(&self.bytes)));
                Arc::clone(&place.insert(chat))
            }
        };
        metrics().chats.increment(1);
        // The game may have ended while this was made.
        if !about.is_over && self.list_of_ended().players(game).is_some() {
            chat.end_game(at);
        }
        Ok(chat)
    }

    /// This node has the chat of a game no longer.
    pub(super) fn forget(&self, game: GameId) {
        if let Some((_, chat)) = self.by_game.remove(&game) {
            chat.close();
            metrics().chats.decrement(1);
        }
    }

    /// A game has ended: from now on its players read the spectators. To be called before anybody
    /// is notified of the end.
    pub(super) fn ended(&self, game: GameId, players: ByColor<AccountId>, at: ServiceInstant) {
        self.list_of_ended().add(game, players, at);
        if let Some(chat) = self.chat(game) {
            chat.end_game(at);
        }
    }

    /// Closes the quiet chats of finished games, and those that nobody has posted in and nobody
    /// follows.
    pub(super) fn sweep(&self, at: ServiceInstant) {
        self.list_of_ended().forget_before(at);
        self.by_game.retain(|_, chat| {
            let closes = chat.closes(at);
            if closes {
                metrics().chats.decrement(1);
            }
            !closes
        });
    }
}
