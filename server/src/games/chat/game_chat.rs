//! The chat of one game: its two rooms, the rate of each account, and the subscriptions.
//!
//! Sessions pull with cursors of their own, as from a feed. Deliberately absent: which text is
//! allowed (`text`), and which session may read a room.
//!
//! Invariants: a session that is notified finds at least the post that it was notified of; an
//! account posts no more than its rate, in both rooms together; a closed chat takes no posts.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use zeitnot_protocol::{AccountId, ChatRoom, Code, CommandId, GameId, PlayerView, Said, ServerMessage};
use zeitnot_rules::board::ByColor;

use super::room::Room;
use super::{BYTES_MAX, KEPT_FOR, Participants, admits, is_one_of};
use crate::connections::{Frame, Member, Outbox, WakerGroups};
use crate::rate::{Allowance, Rate};
use crate::sync::unpoisoned;
use crate::tasks::Tasks;
use crate::telemetry::metrics;
use crate::time::ServiceInstant;

/// The rooms of a chat.
pub const ROOMS: [ChatRoom; 2] = [ChatRoom::Players, ChatRoom::Spectators];

/// The most accounts whose rate is kept: those that spoke in the last seconds.
const SPEAKERS_MAX: usize = 4_096;
/// From so many on, those that have been quiet are forgotten.
const SPEAKERS_USUAL: usize = 64;

/// The chat of one game.
#[derive(Debug)]
pub struct GameChat {
    game: GameId,
    players: ByColor<AccountId>,
    /// The number of each room's last line, for a look without the lock.
    heads: [AtomicU32; 2],
    is_over: AtomicBool,
    is_closed: AtomicBool,
    relay: Arc<WakerGroups>,
    state: Mutex<State>,
    /// The bytes of the lines of all chats.
    bytes_of_all: Arc<AtomicUsize>,
}

#[derive(Debug)]
struct State {
    rooms: [Room; 2],
    speakers: HashMap<AccountId, Allowance>,
    /// When the game ended, or the last line was said.
    quiet_since: ServiceInstant,
    /// Whether the players were notified that the chat has begun.
    players_know: bool,
}

/// A line to be posted.
#[derive(Debug)]
pub(crate) struct Post<'a> {
    pub(crate) by: &'a PlayerView,
    pub(crate) room: ChatRoom,
    /// As [`checked`](super::checked) gave it.
    pub(crate) text: &'a str,
    pub(crate) id: Option<CommandId>,
    /// When it was read.
    pub(crate) at: ServiceInstant,
    /// The same in seconds of Unix time.
    pub(crate) unix: u32,
    pub(crate) rate: Rate,
}

/// A kept line, with who said it by which command.
#[derive(Debug)]
pub(in crate::games) struct KnownLine {
    pub(in crate::games) by: AccountId,
    pub(in crate::games) id: Option<CommandId>,
    pub(in crate::games) frame: Frame,
}

/// A line that was posted.
#[derive(Debug)]
pub(crate) struct Posted {
    pub(crate) chat: Arc<GameChat>,
    /// The number of the line in its room.
    pub(crate) n: u32,
    /// Set for the first line: the players to notify that the chat has begun.
    pub(crate) notify: Option<ByColor<AccountId>>,
}

impl GameChat {
    pub(super) fn new(
        game: GameId,
        about: Participants,
        at: ServiceInstant,
        bytes_of_all: Arc<AtomicUsize>,
    ) -> Self {
        let state = State {
            rooms: <[Room; 2]>::default(),
            speakers: HashMap::new(),
            quiet_since: at,
            players_know: false,
        };
        Self {
            game,
            players: about.players,
            heads: <[AtomicU32; 2]>::default(),
            is_over: AtomicBool::new(about.is_over),
            is_closed: AtomicBool::new(false),
            relay: Arc::default(),
            state: Mutex::new(state),
            bytes_of_all,
        }
    }

    /// Nothing in a critical section panics but by running out of memory.
    fn state(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }

    /// The game.
    pub fn game(&self) -> GameId {
        self.game
    }

    /// Whether this account plays the game.
    pub fn is_player(&self, account: AccountId) -> bool {
        is_one_of(self.players, account)
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Whether the chat is closed.
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    pub(in crate::games) fn about(&self) -> Participants {
        Participants { players: self.players, is_over: self.is_over() }
    }

    /// Whether a room has lines after `heard` that a player, or somebody else, may read now.
    pub fn has_news(&self, room: ChatRoom, heard: u32, is_player: bool) -> bool {
        self.heads[room as usize].load(Ordering::Acquire) > heard && admits(room, is_player, self.is_over())
    }

    /// Hands the kept lines of a room after `heard` to `each`, in order, with who said them, under a short lock, until
    /// that returns `false`, which says that it took no more. Where to go on.
    #[must_use]
    pub fn pull(&self, room: ChatRoom, heard: u32, each: impl FnMut(&Frame, AccountId) -> bool) -> u32 {
        self.state().rooms[room as usize].pull(heard, each)
    }

    /// The number of the last line of each room.
    pub(in crate::games) fn heads(&self) -> [u32; 2] {
        self.heads.each_ref().map(|head| head.load(Ordering::Acquire))
    }

    /// The kept lines of a room after `heard`, in order.
    pub(in crate::games) fn lines(&self, room: ChatRoom, heard: u32) -> Vec<KnownLine> {
        let state = self.state();
        let room = &state.rooms[room as usize];
        let mut lines = Vec::new();
        room.pull(heard, |frame, by| {
            lines.push(KnownLine { by, id: room.id_of(frame.seq()), frame: frame.clone() });
            true
        });
        lines
    }

    /// Lines up to these are known on other nodes: the next ones have higher numbers, and a room that lacks some keeps
    /// none from before. Whether the chat is open.
    pub(in crate::games) fn go_on_after(&self, heads: [u32; 2]) -> bool {
        let mut state = self.state();
        if self.is_closed() {
            return false;
        }
        let before = state.bytes();
        for (room, head) in heads.into_iter().enumerate() {
            state.rooms[room].go_on_after(head);
            self.heads[room].store(state.rooms[room].lines.head(), Ordering::Release);
        }
        // The players have been told of what is gone.
        state.players_know = true;
        self.count_bytes(&state, before);
        true
    }

    /// Takes a line that was posted on another node. One that is known is not taken again, and when all chats have as many
    /// bytes as they may, only its number is. Whether the players are to be told that the chat has begun; `None` when it is
    /// closed.
    pub(in crate::games) fn take(
        &self,
        room: ChatRoom,
        line: &Frame,
        by: AccountId,
        id: Option<CommandId>,
        at: ServiceInstant,
    ) -> Option<bool> {
        let n = line.seq();
        let state = self.state();
        if self.is_closed() {
            return None;
        }
        if n <= state.rooms[room as usize].lines.head() {
            return Some(false);
        }
        let has_space = self.bytes_of_all.load(Ordering::Relaxed) < BYTES_MAX;
        Some(self.add(state, room, at, |lines| {
            lines.go_on_after(if has_space { n - 1 } else { n });
            if has_space {
                lines.push(line.clone(), by, id);
            }
        }))
    }

    /// Has a room take lines, and notifies whoever reads it. Whether the players are to be told that the chat has begun.
    fn add(
        &self,
        mut state: MutexGuard<'_, State>,
        room: ChatRoom,
        at: ServiceInstant,
        change: impl FnOnce(&mut Room),
    ) -> bool {
        let (room, before) = (room as usize, state.bytes());
        change(&mut state.rooms[room]);
        self.count_bytes(&state, before);
        state.quiet_since = at;
        let begins = !std::mem::replace(&mut state.players_know, true);
        self.heads[room].store(state.rooms[room].lines.head(), Ordering::Release);
        drop(state);
        self.relay.notify_all();
        begins
    }

    /// Counts what the lines take now, and took `before`.
    fn count_bytes(&self, state: &State, before: usize) {
        // This wraps round where the line that went was longer, and so does the addition.
        self.bytes_of_all.fetch_add(state.bytes().wrapping_sub(before), Ordering::Relaxed);
    }

    /// Posts a line. The same command again gives the same line. `None` when the chat is closed.
    pub(in crate::games) fn say(self: &Arc<Self>, post: &Post<'_>) -> Option<Result<Posted, Code>> {
        let state = self.state();
        (!self.is_closed()).then(|| self.say_in(state, post))
    }

    fn say_in(self: &Arc<Self>, mut state: MutexGuard<'_, State>, post: &Post<'_>) -> Result<Posted, Code> {
        let (by, index) = (post.by.account, post.room as usize);
        let posted = |n, notify| Posted { chat: Arc::clone(self), n, notify };
        if let Some(n) = post.id.and_then(|id| state.rooms[index].said_by(by, id)) {
            return Ok(posted(n, None));
        }
        if self.bytes_of_all.load(Ordering::Relaxed) >= BYTES_MAX {
            return Err(Code::Unavailable);
        }
        state.use_rate(by, post.at, post.rate)?;
        let n = state.rooms[index].lines.head() + 1;
        let begins = self.add(state, post.room, post.at, |lines| lines.push(self.line(n, post), by, post.id));
        metrics().chat_lines.increment(1);
        let notify = begins.then_some(self.players);
        Ok(posted(n, notify))
    }

    fn line(&self, n: u32, post: &Post<'_>) -> Frame {
        let said = Said {
            game: self.game,
            room: post.room,
            n,
            by: post.by.clone(),
            text: post.text.to_owned(),
            at: post.unix,
        };
        Frame::new(n, &ServerMessage::Said(said))
    }

    /// The game is over: its players may read and write in the room of the spectators.
    pub(super) fn end_game(&self, at: ServiceInstant) {
        let mut state = self.state();
        state.quiet_since = state.quiet_since.max(at);
        self.is_over.store(true, Ordering::Release);
        drop(state);
        self.relay.notify_all();
    }

    /// Closes the chat if nobody needs it at `at`. Whether it is closed.
    pub(super) fn closes(&self, at: ServiceInstant) -> bool {
        // No post comes in between.
        let state = self.state();
        let is_quiet = self.is_over() && at.since(state.quiet_since) >= KEPT_FOR;
        let is_empty = !state.players_know && self.relay.count() == 0;
        if is_quiet || is_empty {
            self.mark_closed();
        }
        is_quiet || is_empty
    }

    /// Closes the chat whoever needs it.
    pub(super) fn close(&self) {
        let _between_posts = self.state();
        self.mark_closed();
    }

    fn mark_closed(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.relay.close();
    }

    pub(in crate::games) fn enter(self: &Arc<Self>, outbox: Outbox, tasks: &Tasks) -> ChatSubscription {
        ChatSubscription { place: self.relay.enter(outbox, tasks), chat: Arc::clone(self) }
    }
}

impl Drop for GameChat {
    fn drop(&mut self) {
        let bytes = self.state().bytes();
        self.bytes_of_all.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl State {
    /// The bytes of the lines of both rooms.
    fn bytes(&self) -> usize {
        self.rooms.iter().map(|room| room.lines.bytes()).sum()
    }

    /// Uses one line of the account's rate.
    fn use_rate(&mut self, by: AccountId, at: ServiceInstant, rate: Rate) -> Result<(), Code> {
        if self.speakers.len() >= SPEAKERS_USUAL && !self.speakers.contains_key(&by) {
            self.speakers.retain(|_, allowance| !allowance.is_full(at));
            if self.speakers.len() >= SPEAKERS_MAX {
                return Err(Code::Unavailable);
            }
        }
        let taken = self.speakers.entry(by).or_default().take(at, rate);
        if taken { Ok(()) } else { Err(Code::ChatTooFast) }
    }
}

/// A session's subscription to a chat. Dropping it ends it.
#[derive(Debug)]
pub struct ChatSubscription {
    chat: Arc<GameChat>,
    place: Member,
}

impl ChatSubscription {
    /// The chat.
    pub fn chat(&self) -> &GameChat {
        &self.chat
    }
}

impl Drop for ChatSubscription {
    fn drop(&mut self) {
        self.chat.relay.leave(&self.place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAYERS: ByColor<AccountId> =
        ByColor { white: AccountId::from_u128(1), black: AccountId::from_u128(2) };
    const RATE: Rate = Rate { burst: 5, every_us: 2_000_000 };

    fn chat(bytes: &Arc<AtomicUsize>) -> Arc<GameChat> {
        let about = Participants { players: PLAYERS, is_over: false };
        Arc::new(GameChat::new(GameId::from_random(7), about, ServiceInstant(0), Arc::clone(bytes)))
    }

    fn say(chat: &Arc<GameChat>, by: u128, room: ChatRoom, at: u64) -> Result<u32, Code> {
        let by = &PlayerView::unrated(AccountId::from_u128(by), "Guest-00000".to_owned());
        let at = ServiceInstant(at);
        let post = Post { by, room, text: "gg", id: None, at, unix: 0, rate: RATE };
        chat.say(&post).expect("the chat is open").map(|posted| posted.n)
    }

    #[test]
    fn an_account_has_one_rate_for_both_rooms_and_others_have_theirs() {
        let chat = chat(&Arc::default());
        chat.end_game(ServiceInstant(0));
        for n in 1..=3 {
            assert_eq!(say(&chat, 1, ChatRoom::Players, 10), Ok(n));
        }
        assert_eq!(say(&chat, 1, ChatRoom::Spectators, 10), Ok(1));
        assert_eq!(say(&chat, 1, ChatRoom::Spectators, 10), Ok(2));
        assert_eq!(say(&chat, 1, ChatRoom::Players, 10), Err(Code::ChatTooFast));
        assert_eq!(say(&chat, 2, ChatRoom::Players, 10), Ok(4));
        assert_eq!(say(&chat, 1, ChatRoom::Players, 2_000_009), Err(Code::ChatTooFast));
        assert_eq!(say(&chat, 1, ChatRoom::Players, 2_000_010), Ok(5));
        assert_eq!(say(&chat, 1, ChatRoom::Players, 2_000_010), Err(Code::ChatTooFast));
    }

    #[test]
    fn who_has_been_quiet_is_forgotten_and_a_rush_is_bounded() {
        let chat = chat(&Arc::default());
        for account in 0..SPEAKERS_MAX as u128 {
            assert!(say(&chat, 10 + account, ChatRoom::Spectators, 10).is_ok());
        }
        assert_eq!(say(&chat, 9, ChatRoom::Spectators, 11), Err(Code::Unavailable));
        assert!(say(&chat, 10, ChatRoom::Spectators, 11).is_ok(), "who speaks already goes on");
        assert!(say(&chat, 9, ChatRoom::Spectators, 10_000_000).is_ok());
        assert_eq!(chat.state().speakers.len(), 1);
    }

    #[test]
    fn the_lines_of_all_chats_are_bounded_and_counted() {
        let bytes = Arc::new(AtomicUsize::new(0));
        let (one, other) = (chat(&bytes), chat(&bytes));
        let said = |chat, n: u64| say(chat, 1, ChatRoom::Players, n * 2_000_000).unwrap();
        for n in 1..=60 {
            assert_eq!(u64::from(said(&one, n)), n);
        }
        let kept = one.state().bytes();
        assert_eq!(bytes.load(Ordering::Relaxed), kept);
        let mut lines = 0;
        assert_eq!(
            one.pull(ChatRoom::Players, 0, |line, _| {
                lines += line.framed().len();
                true
            }),
            60
        );
        assert_eq!(lines, kept, "the last fifty");
        said(&other, 1);
        drop(one);
        assert_eq!(bytes.load(Ordering::Relaxed), other.state().bytes());
        bytes.fetch_add(BYTES_MAX, Ordering::Relaxed);
        assert_eq!(say(&other, 1, ChatRoom::Players, 9), Err(Code::Unavailable));
    }

    #[test]
    fn a_cursor_goes_on_where_it_stopped_and_skips_what_is_gone() {
        let chat = chat(&Arc::default());
        for n in 1..=60 {
            say(&chat, 1, ChatRoom::Players, n * 2_000_000).unwrap();
        }
        let pulled = |heard, most: usize| {
            let mut lines = Vec::new();
            let cursor = chat.pull(ChatRoom::Players, heard, |line, _| {
                let has_room = lines.len() < most;
                if has_room {
                    lines.push(line.seq());
                }
                has_room
            });
            (lines.first().copied(), lines.len(), cursor)
        };
        assert_eq!(pulled(0, 100), (Some(11), 50, 60));
        assert_eq!(pulled(5, 2), (Some(11), 2, 12));
        assert_eq!(pulled(12, 2), (Some(13), 2, 14));
        assert_eq!(pulled(60, 100), (None, 0, 60));
    }
}
