//! What the registry offers about the chats of its games: finding one, subscribing to it, posting.
//!
//! Deliberately absent: the rooms and their lines (`chat`).

use std::sync::Arc;

use tokio::sync::mpsc;
use zeitnot_protocol::{AccountId, ChatRoom, Code, GameId};
use zeitnot_rules::board::Color;

use super::Games;
use super::across_nodes::{ChatBegun, LocalChats};
use super::chat::{ChatSubscription, Chats, GameChat, Participants, Post, Posted, admits, is_one_of};
use super::registry::Shared;
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
    /// author and an account have nothing to do with each other. When another node has the chat, `author` is told later
    /// what came of it.
    ///
    /// # Errors
    /// Why nobody heard it.
    pub(crate) fn say(
        &self,
        game: GameId,
        post: &Post<'_>,
        is_in: bool,
        is_blocked: impl Fn(AccountId) -> bool,
        author: &Outbox,
    ) -> Result<PostOutcome, Code> {
        let shared = self.shared();
        let about = shared.about(game).ok_or(Code::NotYourRoom)?;
        let is_blocked = Color::ALL.into_iter().any(|side| is_blocked(about.players[side]));
        let elsewhere = shared.across().filter(|_| shared.actor(game).is_none());
        match elsewhere.and_then(|across| Some((across, across.chats.owner(game)?))) {
            Some((across, owner)) => {
                // What is certain is said at once.
                admit(about, post, is_in, is_blocked)?;
                across.post(owner, game, post, (is_in, is_blocked), author.clone())?;
                Ok(PostOutcome::Elsewhere)
            }
            None => shared.post(game, post, is_in, is_blocked).map(PostOutcome::Here),
        }
    }

    /// Told when a chat has begun on another node about a game of players who may be here. `None` when there are no other
    /// nodes, or somebody is told already.
    pub(crate) fn hear_chats_begin(&self) -> Option<mpsc::Receiver<ChatBegun>> {
        self.shared().across()?.chats.hear_begun()
    }

    /// Closes chats that are over. To be called every few seconds.
    pub(crate) fn sweep_chats(&self) {
        let shared = self.shared();
        shared.chats.sweep(shared.clock.now());
        if let Some(across) = shared.across() {
            across.chats.sweep(|game| across.has_mirror(game) || shared.about(game).is_some());
        }
    }
}

/// What came of a post.
#[derive(Debug)]
pub(crate) enum PostOutcome {
    /// It was posted.
    Here(Posted),
    /// The owner of the game is asked to post it, and the author is told what comes of that.
    Elsewhere,
}

impl LocalChats for Shared {
    fn chats(&self) -> &Chats {
        &self.chats
    }

    fn open_chat(&self, game: GameId) -> Option<Arc<GameChat>> {
        self.chats.open(game, self.about(game)?, self.clock.now()).ok()
    }

    fn show_chat(&self, game: GameId) {
        if let Some(handle) = self.handle(game)
            && handle.feed().open_chat()
        {
            handle.relay().notify_all();
        }
    }

    fn post(&self, game: GameId, post: &Post<'_>, is_in: bool, is_blocked: bool) -> Result<Posted, Code> {
        let about = self.about(game).ok_or(Code::NotYourRoom)?;
        admit(about, post, is_in, is_blocked)?;
        // Without an actor here the game is another node's by now, or is about to be.
        if self.across().is_some() && !about.is_over && self.actor(game).is_none() {
            return Err(Code::Unavailable);
        }
        let posted = loop {
            // After a chat that is just being closed another one is opened.
            if let Some(answer) = self.chats.open(game, about, post.at)?.say(post) {
                break answer?;
            }
        };
        self.show_chat(game);
        if let Some(across) = self.across() {
            across.tell_lines(&posted.chat);
        }
        Ok(posted)
    }
}

impl Shared {
    /// `None` when there is no such game, or it ended long ago.
    pub(super) fn about(&self, game: GameId) -> Option<Participants> {
        let chats = &self.chats;
        let ended = chats.list_of_ended().players(game);
        match (ended, chats.chat(game)) {
            (Some(players), _) => Some(Participants { players, is_over: true }),
            (None, Some(chat)) => Some(chat.about()),
            (None, None) => {
                let handle = self.handle(game)?;
                Some(Participants { players: handle.players(), is_over: false })
            }
        }
    }
}

/// Whether the author may post that.
fn admit(about: Participants, post: &Post<'_>, is_in: bool, is_blocked: bool) -> Result<(), Code> {
    let is_player = is_one_of(about.players, post.by.account);
    if !(is_player || is_in) || !admits(post.room, is_player, about.is_over) {
        return Err(Code::NotYourRoom);
    }
    // Two who have nothing to do with each other are alone in this room.
    if post.room == ChatRoom::Players && is_blocked { Err(Code::Blocked) } else { Ok(()) }
}
