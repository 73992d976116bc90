//! The chats of the games that this session follows: a cursor in each room, pulled after a wake-up.
//!
//! Deliberately absent: who may say what (`games::chat`).
//!
//! Invariants: nothing is queued for a session; it subscribes to at most [`CHATS_MAX`] chats; the `ok`
//! for a line comes after that line; the chat of a game in progress is kept as long as the game is
//! followed.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, ChatRoom, CommandId, GameId, OkAnswer, ServerMessage};

use super::super::output::Output;
use crate::accounts::Blocks;
use crate::connections::ConnectionRef;
use crate::games::{ChatSubscription, GameChat, Games, ROOMS};

/// The most chats: the account's own games, those that a connection may watch, and as many that have
/// ended.
const CHATS_MAX: usize = 192;

/// The chats of one session, and the posts whose `ok` is still due.
#[derive(Debug, Default)]
pub(super) struct Chats {
    /// For whom the session acts.
    pub(super) account: Option<AccountId>,
    subscriptions: Vec<ReadChat>,
    pending: Vec<PendingAck>,
    /// Posts that another node was asked for and has not answered.
    pub(super) asked: u32,
}

#[derive(Debug)]
struct ReadChat {
    listener: ChatSubscription,
    is_player: bool,
    /// The number of the last line written, of each room.
    cursors: [u32; 2],
}

/// An `ok` that waits until its line is written.
#[derive(Debug)]
pub(super) struct PendingAck {
    pub(super) game: GameId,
    pub(super) room: ChatRoom,
    pub(super) n: u32,
    pub(super) id: Option<CommandId>,
}

impl Chats {
    fn of(&self, game: GameId) -> Option<usize> {
        self.subscriptions.iter().position(|heard| heard.listener.chat().game() == game)
    }

    /// Whether the session subscribes to the chat of this game.
    pub(super) fn has(&self, game: GameId) -> bool {
        self.of(game).is_some()
    }

    /// Subscribes to a chat, from the first line that is kept. When there are too many, the session
    /// leaves one of a game that is over.
    pub(super) fn enter(&mut self, games: &Games, line: &ConnectionRef, chat: &Arc<GameChat>) {
        if self.has(chat.game()) {
            return;
        }
        if self.subscriptions.len() >= CHATS_MAX {
            let Some(left) = self.subscriptions.iter().position(|heard| heard.listener.chat().is_over())
            else {
                return;
            };
            self.subscriptions.remove(left);
        }
        let is_player = self.account.is_some_and(|account| chat.is_player(account));
        let listener = games.subscribe_to_chat(chat, line.outbox.clone());
        self.subscriptions.push(ReadChat { listener, is_player, cursors: [0; 2] });
    }

    /// Leaves the chat of a game, unless the account plays it.
    pub(super) fn leave(&mut self, game: GameId) {
        self.subscriptions.retain(|heard| heard.is_player || heard.listener.chat().game() != game);
    }

    /// Writes an `ok` as soon as its line is written.
    pub(super) fn ack_after(&mut self, ok: PendingAck) {
        self.pending.push(ok);
    }

    /// Writes what is new, as far as there is room. Whether there is more.
    pub(super) fn advance(&mut self, blocks: &Blocks, output: &mut Output) -> bool {
        let mut is_due = false;
        let reader = self.account;
        let is_blocked = |by| reader.is_some_and(|reader| blocks.are_between(reader, by));
        self.subscriptions.retain_mut(|heard| {
            // Read before the pull: a line that was posted before the end is written.
            let is_closed = heard.listener.chat().is_closed();
            is_due |= heard.pull(&is_blocked, output);
            !is_closed
        });
        if !self.pending.is_empty() {
            self.write_due_acks(output);
        }
        if self.subscriptions.is_empty() {
            self.subscriptions = Vec::new();
        }
        is_due
    }

    fn write_due_acks(&mut self, output: &mut Output) {
        for pending in std::mem::take(&mut self.pending) {
            let cursor =
                self.of(pending.game).map(|index| self.subscriptions[index].cursors[pending.room as usize]);
            if cursor.is_some_and(|cursor| cursor < pending.n) {
                self.pending.push(pending);
            } else {
                let ok = OkAnswer { id: pending.id, game: Some(pending.game), seq: None };
                output.message(&ServerMessage::Ok(ok));
            }
        }
    }
}

impl ReadChat {
    /// Leaves out what accounts say with which the reader has nothing to do. Whether there is more than there was room for.
    fn pull(&mut self, is_blocked: &impl Fn(AccountId) -> bool, output: &mut Output) -> bool {
        let chat = self.listener.chat();
        for room in ROOMS {
            let cursor = &mut self.cursors[room as usize];
            if chat.has_news(room, *cursor, self.is_player) {
                *cursor = chat.pull(room, *cursor, |line, by| {
                    let has_room = output.has_room();
                    if has_room && !is_blocked(by) {
                        output.framed(line.framed());
                    }
                    has_room
                });
                if !output.has_room() && chat.has_news(room, *cursor, self.is_player) {
                    return true;
                }
            }
        }
        false
    }
}
