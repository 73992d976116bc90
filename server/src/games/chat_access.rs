//! What the registry offers about the chats of its games: finding one, subscribing to it, posting.
//!
//! Deliberately absent: the rooms and their lines (`chat`).

use std::sync::Arc;

use zeitnot_protocol::{AccountId, ChatRoom, Code, GameId};
use zeitnot_rules::board::Color;

use super::Games;
use super::chat::{ChatSubscription, GameChat, Participants, Post, Posted, admits, is_one_of};
use crate::connections::Outbox;

impl Games {
    /// The chat of a game, if it has one.
    pub fn chat(&self, game: GameId) -> Option<Arc<GameChat>> {
        self.shared().chats.chat(game)
    }

    /// The chat of a game that ended a short while ago, made now if there was none: for a session
    /// that stays.
    pub fn chat_after_end(&self, game: GameId) -> Option<Arc<GameChat>> {
        let chats = &self.shared().chats;
        if let Some(chat) = chats.chat(game) {
            return Some(chat);
        }
        let players = chats.list_of_ended().players(game)?;
        chats.open(game, Participants { players, is_over: true }, self.shared().clock.now()).ok()
    }

    /// Subscribes a session to a chat: it is notified of new lines.
    #[must_use]
    pub fn subscribe_to_chat(&self, chat: &Arc<GameChat>, outbox: Outbox) -> ChatSubscription {
        chat.enter(outbox, &self.shared().tasks)
    }

    /// Posts a line about a game. `is_in` says whether the session of the author watches it, and `is_blocked` whether the
    /// author and an account have nothing to do with each other.
    ///
    /// # Errors
    /// Why nobody heard it.
    pub(crate) fn say(
        &self,
        game: GameId,
        post: &Post<'_>,
        is_in: bool,
        is_blocked: impl Fn(AccountId) -> bool,
    ) -> Result<Posted, Code> {
        let about = self.about(game).ok_or(Code::NotYourRoom)?;
        // Those on other nodes would not hear it.
        if self.is_across_nodes(game) {
            return Err(Code::Unavailable);
        }
        let is_player = is_one_of(about.players, post.by.account);
        if !(is_player || is_in) || !admits(post.room, is_player, about.is_over) {
            return Err(Code::NotYourRoom);
        }
        // Two who have nothing to do with each other are alone in this room.
        if post.room == ChatRoom::Players
            && Color::ALL.into_iter().any(|side| is_blocked(about.players[side]))
        {
            return Err(Code::Blocked);
        }
        let posted = loop {
            // After a chat that is just being closed another one is opened.
            if let Some(answer) = self.shared().chats.open(game, about, post.at)?.say(post) {
                break answer?;
            }
        };
        // Sessions that follow the game look for its chat when they are notified.
        if let Some(handle) = self.get(game)
            && handle.feed().open_chat()
        {
            handle.relay().notify_all();
        }
        Ok(posted)
    }

    /// Closes chats that are over. To be called every few seconds.
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
