//! The chats of games that are followed from several nodes.
//!
//! The owner of a game has its chat: what is said on any node is posted there, and each line goes to the nodes that follow
//! the game, which keep the same lines for their sessions. After the game's end it stays with the node that owned it last.
//! A node that claims the game goes on with the lines that it has, and is told by the nodes that follow what it lacks. What it
//! posts before that may have the number of a line that others have, and is not heard there. When the node is lost that had
//! the chat of a game that has ended, every node has it for itself.
//!
//! Deliberately absent: the rooms and their lines (`games::chat`), and who may post (`games::chat_access`).
//!
//! Invariants: a node is told the lines of a room in the order of their numbers; the answer to a post comes after its line;
//! a post has one answer, [`Code::Unavailable`] when the link with the owner is lost, and sent again with its id it is the
//! same line; at most [`POSTS_MAX`] posts of a node have no answer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use dashmap::DashMap;
use tokio::sync::mpsc;
use zeitnot_protocol::{AccountId, ChatRoom, Code, CommandId, GameId};
use zeitnot_rules::board::ByColor;

use super::super::chat::{Chats, GameChat, KnownLine, Post, Posted, ROOMS};
use super::{Across, in_order};
use crate::cluster::wire::{self, ChatMessage, ChatNews, LinkMessage, SentLine, SentPost};
use crate::connections::{Frame, Outbox, PostAnswer, ToSession};
use crate::rate::Rate;
use crate::storage::NodeNumber;
use crate::sync::unpoisoned;

/// The most posts of this node without an answer.
pub(in crate::games) const POSTS_MAX: usize = 10_000;

/// The most chats that have begun and of which the players are not told yet.
const BEGUN_MAX: usize = 1_024;

/// A chat has begun about a game of these players: whoever of them is here is to be told.
pub(crate) type ChatBegun = (GameId, ByColor<AccountId>);

/// The chats of this node, as they are shared with others.
pub(crate) trait LocalChats {
    /// All that it knows.
    fn chats(&self) -> &Chats;

    /// The chat of a game, made now if there is none. `None` when this node does not know the game, or there are too many
    /// chats.
    fn open_chat(&self, game: GameId) -> Option<Arc<GameChat>>;

    /// A game has a chat: sessions that follow the game look for it when they are notified.
    fn show_chat(&self, game: GameId);

    /// Posts a line to a chat that this node has. `is_in` says whether the session of the author watches the game, and
    /// `is_blocked` whether the author and a player have nothing to do with each other.
    ///
    /// # Errors
    /// Why nobody heard it.
    fn post(&self, game: GameId, post: &Post<'_>, is_in: bool, is_blocked: bool) -> Result<Posted, Code>;
}

/// What this node knows of chats that it shares with others.
#[derive(Debug)]
pub(in crate::games) struct SharedChats {
    /// The nodes that follow a game here.
    followers: DashMap<GameId, Vec<Follower>>,
    /// Which other node owns a game that is followed here, or owned it last.
    owners: DashMap<GameId, NodeNumber>,
    posts: Mutex<Posts>,
    begun: mpsc::Sender<ChatBegun>,
    /// Until somebody takes it.
    hear_begun: Mutex<Option<mpsc::Receiver<ChatBegun>>>,
}

/// A node that follows a game, and the last line of each room that it has.
#[derive(Debug)]
struct Follower {
    node: NodeNumber,
    heads: [u32; 2],
}

/// The posts without an answer.
#[derive(Debug, Default)]
struct Posts {
    by_number: BTreeMap<u64, OpenPost>,
    last: u64,
}

#[derive(Debug)]
struct OpenPost {
    to: NodeNumber,
    author: Outbox,
    game: GameId,
    room: ChatRoom,
    id: Option<CommandId>,
}

impl OpenPost {
    fn answer(self, answer: Result<u32, Code>) {
        let Self { author, game, room, id, .. } = self;
        // A session that has ended, or that closes because it is told too much, needs no answer.
        author.try_send(ToSession::Posted(Box::new(PostAnswer { game, room, id, answer }))).ok();
    }
}

impl SharedChats {
    pub(super) fn new() -> Self {
        let (begun, hear_begun) = mpsc::channel(BEGUN_MAX);
        Self {
            followers: DashMap::new(),
            owners: DashMap::new(),
            posts: Mutex::default(),
            begun,
            hear_begun: Mutex::new(Some(hear_begun)),
        }
    }

    fn posts(&self) -> MutexGuard<'_, Posts> {
        unpoisoned(self.posts.lock())
    }

    /// Told when a chat begins that was begun on another node. `None` when somebody is told already.
    pub(in crate::games) fn hear_begun(&self) -> Option<mpsc::Receiver<ChatBegun>> {
        unpoisoned(self.hear_begun.lock()).take()
    }

    fn tell_begun(&self, chat: ChatBegun) {
        if let Err(mpsc::error::TrySendError::Full((game, _))) = self.begun.try_send(chat) {
            tracing::warn!(%game, "players who do not follow the game are not told that its chat has begun");
        }
    }

    /// The other node that has the chat of a game, as far as this one knows.
    pub(in crate::games) fn owner(&self, game: GameId) -> Option<NodeNumber> {
        self.owners.get(&game).map(|owner| *owner)
    }

    /// No other node has the chat of a game for this one: this node owns the game now, or nobody here follows it any more.
    /// Whether another one had it.
    pub(in crate::games) fn forget_owner(&self, game: GameId) -> bool {
        self.owners.remove(&game).is_some()
    }

    /// How many games are followed from other nodes, and how many of other nodes' are followed here.
    #[cfg(test)]
    pub(in crate::games) fn known(&self) -> [usize; 2] {
        [self.followers.len(), self.owners.len()]
    }

    /// A node follows a game here no longer.
    fn unfollow(&self, game: GameId, node: NodeNumber) {
        self.followers.remove_if_mut(&game, |_, followers| {
            followers.retain(|follower| follower.node != node);
            followers.is_empty()
        });
    }

    /// Forgets what is known about games of which nobody needs it.
    pub(in crate::games) fn sweep(&self, is_needed: impl Fn(GameId) -> bool) {
        self.followers.retain(|game, _| is_needed(*game));
        self.owners.retain(|game, _| is_needed(*game));
    }

    /// The link with a node is closed: nothing more comes from it, and it asks anew for what it misses.
    fn closed(&self, node: NodeNumber) {
        self.followers.retain(|_, followers| {
            followers.retain(|follower| follower.node != node);
            !followers.is_empty()
        });
        let mut posts = self.posts();
        let lost: Vec<OpenPost> =
            posts.by_number.extract_if(.., |_, post| post.to == node).map(|(_, post)| post).collect();
        drop(posts);
        lost.into_iter().for_each(|post| post.answer(Err(Code::Unavailable)));
    }
}

impl Across {
    fn say_of_chat(&self, to: NodeNumber, game: GameId, news: ChatNews) {
        self.links.send(to, wire::message(&LinkMessage::Chat(ChatMessage { game, news })));
    }

    /// This node follows a game that another one owns, and its chat from now on.
    pub(super) fn follow_chat(&self, game: GameId, owner: NodeNumber) {
        if owner == self.own {
            self.chats.forget_owner(game);
            return;
        }
        let before = self.chats.owners.insert(game, owner);
        let Some(games) = self.games.upgrade() else { return };
        let chat = games.chats().chat(game);
        if let Some(chat) = chat.as_ref().filter(|_| before != Some(owner)) {
            for room in ROOMS {
                for line in chat.lines(room, 0) {
                    self.say_of_chat(owner, game, ChatNews::Known(sent(room, &line)));
                }
            }
        }
        let heads = chat.map_or([0; 2], |chat| chat.heads());
        self.say_of_chat(owner, game, ChatNews::Follow { heads });
    }

    /// Has the owner post a line; the author is told what comes of it.
    ///
    /// # Errors
    /// When the owner cannot be reached, or too many posts have no answer.
    pub(in crate::games) fn post(
        &self,
        owner: NodeNumber,
        game: GameId,
        post: &Post<'_>,
        (is_in, is_blocked): (bool, bool),
        author: Outbox,
    ) -> Result<(), Code> {
        if !self.open.contains(&owner) {
            return Err(Code::Unavailable);
        }
        let by = serde_json::to_string(post.by).expect("a player can be written");
        let sent = SentPost {
            by,
            room: post.room,
            text: post.text.to_owned(),
            id: post.id,
            unix: post.unix,
            rate: (post.rate.burst, post.rate.every_us),
            is_in,
            is_blocked,
        };
        let number = {
            let mut posts = self.chats.posts();
            if posts.by_number.len() >= POSTS_MAX {
                return Err(Code::Unavailable);
            }
            posts.last += 1;
            let number = posts.last;
            let (room, id) = (post.room, post.id);
            posts.by_number.insert(number, OpenPost { to: owner, author, game, room, id });
            number
        };
        self.say_of_chat(owner, game, ChatNews::Post { number, post: sent });
        // It may have been lost in between, and nobody has looked for this post since.
        if !self.open.contains(&owner) {
            let lost = self.chats.posts().by_number.remove(&number);
            lost.into_iter().for_each(|post| post.answer(Err(Code::Unavailable)));
        }
        Ok(())
    }

    /// A chat has lines that the nodes that follow the game do not have.
    pub(in crate::games) fn tell_lines(&self, chat: &GameChat) {
        if let Some(mut followers) = self.chats.followers.get_mut(&chat.game()) {
            followers.iter_mut().for_each(|follower| self.tell_follower(chat, follower));
        }
    }

    fn tell_follower(&self, chat: &GameChat, follower: &mut Follower) {
        for room in ROOMS {
            let head = &mut follower.heads[room as usize];
            for line in chat.lines(room, *head) {
                *head = line.frame.seq();
                self.say_of_chat(follower.node, chat.game(), ChatNews::Line(sent(room, &line)));
            }
        }
    }

    /// Another node says something about a chat.
    pub(super) fn take_of_chat(&self, from: NodeNumber, ChatMessage { game, news }: ChatMessage) {
        match news {
            ChatNews::Follow { heads } => self.followed(from, game, heads),
            ChatNews::Post { number, post } => {
                let answer = self.post_for_another(game, &post);
                self.say_of_chat(from, game, ChatNews::Posted { number, answer });
            }
            ChatNews::Posted { number, answer } => {
                let post = self.chats.posts().by_number.remove(&number);
                if let Some(post) = post {
                    post.answer(answer);
                }
            }
            ChatNews::Known(line) if self.chats.owner(game).is_none() => self.take_line(game, line),
            ChatNews::Line(line) if self.chats.owner(game) == Some(from) => self.take_line(game, line),
            ChatNews::Known(_) | ChatNews::Line(_) => {}
        }
    }

    fn followed(&self, node: NodeNumber, game: GameId, heads: [u32; 2]) {
        let Some(games) = self.games.upgrade() else { return };
        // Numbers that are known there are not given to other lines.
        if heads != [0; 2] {
            while games.open_chat(game).is_some_and(|chat| !chat.go_on_after(heads)) {}
        }
        let mut follower = Follower { node, heads };
        let mut followers = self.chats.followers.entry(game).or_default();
        followers.retain(|other| other.node != node);
        let chat = games.chats().chat(game);
        if let Some(chat) = &chat {
            self.tell_follower(chat, &mut follower);
        }
        followers.push(follower);
        drop(followers);
        // What this one knew others may lack, too.
        if let Some(chat) = chat {
            self.tell_lines(&chat);
        }
    }

    fn post_for_another(&self, game: GameId, sent: &SentPost) -> Result<u32, Code> {
        let games = self.games.upgrade().ok_or(Code::Unavailable)?;
        let by = serde_json::from_str(&sent.by).map_err(|_| Code::Unavailable)?;
        let (burst, every_us) = sent.rate;
        let post = Post {
            by: &by,
            room: sent.room,
            text: &sent.text,
            id: sent.id,
            at: games.basis().1.now(),
            unix: sent.unix,
            rate: Rate { burst, every_us },
        };
        let posted = games.post(game, &post, sent.is_in, sent.is_blocked)?;
        if let Some(players) = posted.notify {
            self.chats.tell_begun((game, players));
        }
        Ok(posted.n)
    }

    fn take_line(&self, game: GameId, SentLine { room, by, id, said }: SentLine) {
        let Some(games) = self.games.upgrade() else { return };
        let (line, at) = (Frame::from(said), games.basis().1.now());
        // After a chat that is just being closed another one is opened.
        while let Some(chat) = games.open_chat(game) {
            let Some(begins) = chat.take(room, &line, by, id, at) else { continue };
            games.show_chat(game);
            if begins {
                self.chats.tell_begun((game, chat.about().players));
            }
            return;
        }
    }

    /// The link with a node is open: its chats are followed again.
    pub(super) fn chats_opened(&self, node: NodeNumber) {
        let theirs = in_order(self.chats.owners.iter().map(|owner| (*owner.value(), *owner.key())), node);
        theirs.into_iter().for_each(|game| self.follow_chat(game, node));
    }

    /// A mirror on another node has ended. Of a game that has ended its chat is still followed there.
    pub(super) fn chat_left(&self, node: NodeNumber, game: GameId) {
        let Some(games) = self.games.upgrade() else { return };
        if games.chats().list_of_ended().players(game).is_none() {
            self.chats.unfollow(game, node);
        }
    }

    /// A node is lost for ever, and with it the chats that it had. Those of games that go on come back with their next
    /// owner.
    pub(super) fn chats_gone(&self, node: NodeNumber) {
        self.chats.owners.retain(|_, owner| *owner != node);
    }

    /// The link with a node is closed.
    pub(super) fn chats_closed(&self, node: NodeNumber) {
        self.chats.closed(node);
    }
}

/// A line of a room, as it goes to another node.
fn sent(room: ChatRoom, line: &KnownLine) -> SentLine {
    SentLine { room, by: line.by, id: line.id, said: (&line.frame).into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_chats_that_have_begun_wait_to_be_told() {
        let chats = SharedChats::new();
        let mut told = chats.hear_begun().unwrap();
        assert!(chats.hear_begun().is_none(), "one listens");
        for number in 0..=BEGUN_MAX as u128 {
            let players = ByColor::from_fn(|_| AccountId::from_u128(number));
            chats.tell_begun((GameId::from_random(number), players));
        }
        let count = std::iter::from_fn(|| told.try_recv().ok()).count();
        assert_eq!(count, BEGUN_MAX);
    }
}
