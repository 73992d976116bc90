//! The games that one session follows, and how far each is written.
//!
//! Public events take one path, whether the session plays or watches: a cursor in the game's feed.
//! What a game tells this session alone waits until the events before it are written. A session
//! that fell behind takes a snapshot and continues after it; one that asked for an exact tail gets
//! it from the journal, a chunk at a time as the socket drains.
//!
//! Nothing here waits, and nothing decides about chess: every step reads a feed, posts to an actor,
//! or writes bytes.
//!
//! Invariants: a game is followed once, and as a player whenever the account has a seat in it; nothing of a game is
//! written between the moment its cursor is lost and the snapshot or tail that sets it again, but is held back in order.

mod chat;
mod dispatch;
mod journal_reads;
mod lobby_view;
mod subscription;

use std::sync::Arc;
use std::time::Duration;

use zeitnot_protocol::{CloseCode, Code, CommandId, GameId, HistoryRequest, OkAnswer, ServerMessage, Watch};
use zeitnot_rules::game::Seq;

use super::output::Output;
use super::request::GameRequest;
use crate::accounts::Blocks;
use crate::connections::{ConnectionRef, Notice, NoticeKind, PostAnswer, ReadAnswer, SendError};
use crate::games::{Feed, GameChat, GameHandle, Games, Post, PostOutcome, Posted, Reader, SeatCommand};
use crate::net::Address;
use crate::time::{ServiceClock, ServiceInstant};
use chat::{Chats, PendingAck};
pub(crate) use dispatch::Identity;
use journal_reads::{AccountCommand, JournalRead, JournalReads, Wanted};
pub(crate) use lobby_view::LobbyView;
use subscription::{Flow, Place, Subscription, reject, say};

/// The most posts of a session that another node was asked for and has not answered.
const ASKED_MAX: u32 = 16;

/// The event that every live game has.
const FIRST_EVENT: Seq = 1;

/// What every step needs.
#[derive(Debug)]
pub(crate) struct GamesContext<'a> {
    pub(crate) games: &'a Games,
    pub(crate) clock: &'a ServiceClock,
    pub(crate) line: &'a ConnectionRef,
    /// Where the connection comes from.
    pub(crate) address: Address,
    pub(crate) identity: Identity,
    /// The most games that the connection may watch.
    pub(crate) watched_max: u32,
    /// Who has nothing to do with whom.
    pub(crate) blocks: &'a Blocks,
    pub(crate) output: &'a mut Output,
}

impl GamesContext<'_> {
    /// Whether the account plays this game, and its end is not durable.
    fn is_own(&self, game: GameId) -> bool {
        self.identity.account.is_some_and(|account| self.games.unended_of(account).contains(&game))
    }
}

/// The games of one session.
#[derive(Debug, Default)]
pub(crate) struct Subscriptions {
    games: Vec<Subscription>,
    journal_reads: JournalReads,
    chats: Chats,
    is_due: bool,
}

impl Subscriptions {
    /// Something that the session subscribes to is new: every feed is pulled at the next turn.
    pub(crate) fn notified(&mut self) {
        self.is_due = true;
    }

    /// Whether [`Subscriptions::advance`] has something to do.
    pub(crate) fn is_due(&self) -> bool {
        self.is_due
    }

    fn index(&self, game: GameId) -> Option<usize> {
        self.games.iter().position(|followed| followed.game == game)
    }

    fn add(&mut self, followed: Subscription) -> usize {
        debug_assert!(self.index(followed.game).is_none(), "a game is followed once");
        if self.games.is_empty() {
            // Most sessions follow one game.
            self.games.reserve_exact(1);
        }
        self.games.push(followed);
        self.games.len() - 1
    }

    /// Subscribes to a game as a spectator.
    fn add_spectator(&mut self, line: &ConnectionRef, game: &GameHandle) -> usize {
        let place = Place::Spectator(game.watch(line.outbox.clone()));
        // The number of watchers that was published last is new to this session.
        let watchers = game.feed().watchers().version.wrapping_sub(1);
        self.add(Subscription::new(game.id(), place, watchers))
    }

    fn remove(&mut self, index: usize) {
        self.games.swap_remove(index);
        if self.games.is_empty() {
            self.games = Vec::new();
        }
    }

    /// Leaves all games.
    pub(crate) fn leave_all(&mut self) {
        *self = Self::default();
    }

    /// Takes the account's seat in a game; a snapshot comes by itself. `false` when the account does not play there, or
    /// the game is gone.
    ///
    /// # Errors
    /// When too much waits for the game.
    fn take_seat(&mut self, at: &GamesContext<'_>, game: &GameHandle) -> Result<bool, CloseCode> {
        let (line, identity) = (at.line, at.identity);
        let Some(color) = identity.account.and_then(|account| game.seat_of(account)) else {
            return Ok(false);
        };
        if self.has_seat(game.id()) {
            return Ok(true);
        }
        match game.join(color, line.id, line.outbox.clone(), identity.round_trip) {
            Ok(seat) => {
                let watch_id = self.forget(game.id());
                let index = self.add(Subscription::new(game.id(), Place::Seat(seat), 0));
                self.games[index].answer_with_clock(watch_id);
                self.is_due |= game.feed().has_chat();
                Ok(true)
            }
            Err(SendError::Full) => Err(CloseCode::Overloaded),
            Err(SendError::Closed) => Ok(false),
        }
    }

    /// The smoothed round trip of this connection has changed.
    pub(crate) fn round_trip(&self, smoothed: Duration) {
        for followed in &self.games {
            if let Place::Seat(seat) = &followed.place {
                seat.round_trip(smoothed);
            }
        }
    }

    /// How many games are followed beside the account's own.
    fn watched(&self) -> usize {
        self.games.iter().filter(|followed| !matches!(followed.place, Place::Seat(_))).count()
    }

    /// Answers `watch`.
    ///
    /// # Errors
    /// When the socket must be closed.
    fn watch(&mut self, at: &mut GamesContext<'_>, watch: &Watch) -> Result<(), CloseCode> {
        let index = match self.index(watch.game) {
            Some(index) => index,
            None if self.watched() >= at.watched_max as usize => {
                reject(at.output, Some(watch.game), watch.id, Code::TooManyWatched);
                return Ok(());
            }
            None => match at.games.get(watch.game) {
                Some(game) => self.add_spectator(at.line, &game),
                None => self.add(Subscription::new(watch.game, Place::Archived, 0)),
            },
        };
        self.journal_reads.forget_tail(watch.game);
        self.give_up_snapshots(at.output, watch.game, watch.id);
        self.answer_with_clock(at.output, index, watch.id);
        let followed = &mut self.games[index];
        match watch.after {
            Some(after) => followed.want_tail(after),
            None => followed.want_snapshot(),
        }?;
        if at.output.has_room() {
            self.step(index, at)
        } else {
            self.is_due = true;
            Ok(())
        }
    }

    /// The next `clock` of this game answers the `watch` with this `id`. A `watch` that still waits is rejected.
    fn answer_with_clock(&mut self, output: &mut Output, index: usize, id: Option<CommandId>) {
        let followed = &mut self.games[index];
        if let Some(replaced) = followed.answer_with_clock(id.map(Box::new)) {
            reject(output, Some(followed.game), Some(*replaced), Code::Unavailable);
        }
    }

    /// Answers `unwatch`: nothing is said but to a `watch` that still waits, and one's own live game stays, also while
    /// it is recovered.
    fn unwatch(&mut self, at: &mut GamesContext<'_>, game: GameId) {
        if !at.is_own(game) {
            if let Some(id) = self.forget(game) {
                reject(at.output, Some(game), Some(*id), Code::Unavailable);
            }
            self.give_up_snapshots(at.output, game, None);
            self.read_on(at);
        }
        self.chats.leave(game);
    }

    /// A snapshot of this game that is being read, or will be, is no longer wanted. `again` is the `watch` that comes in its
    /// place: the same one sent again has one answer.
    fn give_up_snapshots(&mut self, output: &mut Output, game: GameId, again: Option<CommandId>) {
        for read in self.journal_reads.take_snapshots(game) {
            let id = read.id.map(|id| *id);
            if id.is_none() || id != again {
                reject(output, Some(game), id, Code::Unavailable);
            }
            read.then.into_iter().for_each(|news| say(output, game, news));
        }
    }

    /// Ends the subscription to a game that the account does not play. Returns the `watch` that still waits for its
    /// answer.
    fn forget(&mut self, game: GameId) -> Option<Box<CommandId>> {
        let index = self.index(game)?;
        if matches!(self.games[index].place, Place::Seat(_)) {
            return None;
        }
        self.journal_reads.forget_tail(game);
        let watch_id = self.games[index].take_watch_id();
        self.remove(index);
        watch_id
    }

    /// Answers `history`.
    fn history(&mut self, at: &mut GamesContext<'_>, history: &HistoryRequest) {
        let what = Wanted::History { from: history.from };
        self.ask(at, JournalRead::new(history.game, history.id, what));
    }

    /// Answers a command to a game that is not live.
    fn answer(&mut self, at: &mut GamesContext<'_>, game: GameId, asked: AccountCommand) {
        let id = asked.command.id;
        self.ask(at, JournalRead::new(game, id, Wanted::Answer(Box::new(asked))));
    }

    /// The game that is being read is live: asks it instead.
    fn ask_live_game(&mut self, at: &mut GamesContext<'_>, read: JournalRead) -> Result<(), CloseCode> {
        let (game, id, now) = (read.game, read.id.map(|id| *id), at.clock.now());
        match read.what {
            Wanted::Snapshot => self.act(at, GameRequest::Watch(Watch { game, after: None, id }), now)?,
            Wanted::Tail { after, .. } => {
                self.forget(game);
                self.act(at, GameRequest::Watch(Watch { game, after: Some(after), id }), now)?;
            }
            Wanted::Answer(asked) => {
                let AccountCommand { stamp, command, waits, .. } = *asked;
                self.act(at, GameRequest::Command(game, command), stamp)?;
                // It is with its game now.
                drop(waits);
            }
            // Read from the journal, whether the game is live or not.
            Wanted::History { .. } => {}
        }
        // As notices of the live game they come after its snapshot.
        let after = FIRST_EVENT;
        read.then.into_iter().try_for_each(|kind| self.notice(at, Notice { game, after, kind }))
    }

    fn ask(&mut self, at: &mut GamesContext<'_>, reading: JournalRead) {
        let game = reading.game;
        // An account has so many games of its own, and its seats in them are taken.
        let is_bounded = !(reading.is_snapshot() && at.is_own(game));
        match self.journal_reads.ask(reading, is_bounded) {
            Ok(()) => self.read_on(at),
            Err(reading) => {
                reject(at.output, Some(game), reading.id.map(|id| *id), Code::Unavailable);
                reading.then.into_iter().for_each(|news| say(at.output, game, news));
            }
        }
    }

    /// Starts the next read when there is room for its answer.
    fn read_on(&mut self, at: &mut GamesContext<'_>) {
        if at.output.has_room() {
            let (account, address) = (at.identity.account, at.address);
            let reader = |read| Reader { outbox: at.line.outbox.clone(), account, address, read };
            self.journal_reads.go_on(at.games, reader);
        } else if self.journal_reads.is_due() {
            self.is_due = true;
        }
    }

    /// Hands over a command that was read at `stamp`. `false`: this session has no seat in a live game of that name.
    ///
    /// # Errors
    /// When the socket must be closed.
    fn command(
        &mut self,
        game: GameId,
        stamp: ServiceInstant,
        command: SeatCommand,
    ) -> Result<bool, CloseCode> {
        let Some(index) = self.index(game) else { return Ok(false) };
        let Place::Seat(seat) = &self.games[index].place else { return Ok(false) };
        match seat.command(stamp, command) {
            Ok(()) => Ok(true),
            Err(SendError::Full) => Err(CloseCode::Overloaded),
            // The subscription stays: what the actor told this session before it ended still waits,
            // and events come before it. The last of these notices ends the subscription, or the
            // session.
            Err(SendError::Closed) => Ok(false),
        }
    }

    /// Whether the session has a seat in this game.
    fn has_seat(&self, game: GameId) -> bool {
        self.index(game).is_some_and(|index| matches!(self.games[index].place, Place::Seat(_)))
    }

    /// Handles a notice of a game. Events before it are written first.
    ///
    /// # Errors
    /// When the socket must be closed.
    pub(crate) fn notice(&mut self, at: &mut GamesContext<'_>, notice: Notice) -> Result<(), CloseCode> {
        match notice.kind {
            NoticeKind::Answer(answer) => self.answered(at, *answer)?,
            kind => match self.index(notice.game) {
                Some(index) => self.noticed(at, index, kind, false)?,
                None => not_followed(at.output, notice.game, kind)?,
            },
        }
        self.read_on(at);
        Ok(())
    }

    /// Handles a notice of a game that is followed. `is_rejected_tail`: it rejects the tail that was asked for.
    fn noticed(
        &mut self,
        at: &mut GamesContext<'_>,
        index: usize,
        kind: NoticeKind,
        is_rejected_tail: bool,
    ) -> Result<(), CloseCode> {
        let game = self.games[index].game;
        let is_tail = matches!(kind, NoticeKind::Tail(_)) || is_rejected_tail;
        let flow = self.games[index].notice(at, kind, is_rejected_tail);
        self.settle(at, index, flow?);
        self.is_due |= is_tail || self.wants_archived_snapshot(game);
        Ok(())
    }

    /// Storage has answered. What was given up meanwhile is not written.
    fn answered(&mut self, at: &mut GamesContext<'_>, answer: ReadAnswer) -> Result<(), CloseCode> {
        let Some(mut read) = self.journal_reads.answered(answer.read) else { return Ok(()) };
        if answer.news == [NoticeKind::Live] {
            return self.ask_live_game(at, read);
        }
        let (game, then) = (read.game, std::mem::take(&mut read.then));
        if read.is_unasked_snapshot()
            && is_unavailable(&answer.news)
            && let Some(account) = at.identity.account
        {
            at.games.tell_again(account, game, &at.line.outbox);
        }
        for kind in answer.news {
            let is_rejected_tail = read.is_tail() && matches!(kind, NoticeKind::Rejected { .. });
            match self.index(game) {
                Some(index) => self.noticed(at, index, kind, is_rejected_tail)?,
                None => say(at.output, game, kind),
            }
        }
        then.into_iter().for_each(|news| say(at.output, game, news));
        Ok(())
    }

    /// Pulls every feed, as far as there is room.
    ///
    /// # Errors
    /// When the socket must be closed.
    pub(crate) fn advance(&mut self, at: &mut GamesContext<'_>) -> Result<(), CloseCode> {
        self.is_due = false;
        let mut index = 0;
        while index < self.games.len() {
            if !at.output.has_room() {
                self.is_due = true;
                return Ok(());
            }
            let before = self.games.len();
            self.step(index, at)?;
            // A subscription that ended was replaced by the last one, which is next.
            index += usize::from(self.games.len() == before);
        }
        self.is_due |= self.chats.advance(at.blocks, at.output);
        self.read_on(at);
        Ok(())
    }

    /// One step of one game.
    fn step(&mut self, index: usize, at: &mut GamesContext<'_>) -> Result<(), CloseCode> {
        let game = self.games[index].game;
        if self.games[index].place.feed().is_some_and(Feed::has_chat)
            && !self.chats.has(game)
            && let Some(chat) = at.games.chat(game)
        {
            self.subscribe_to_chat(at.games, at.line, &chat);
        }
        let flow = self.games[index].advance(at, &mut self.journal_reads);
        self.settle(at, index, flow?);
        if self.wants_archived_snapshot(game) {
            let (id, then) = (self.games[index].take_watch_id(), self.games[index].take_answers());
            self.leave(at, index);
            self.ask(at, JournalRead::new(game, id.map(|id| *id), Wanted::Snapshot).then(then));
        }
        self.read_on(at);
        Ok(())
    }

    /// Whether a snapshot is wanted of a game that is not live, or no longer: the journal is asked once, and there is
    /// nothing to follow.
    fn wants_archived_snapshot(&self, game: GameId) -> bool {
        self.index(game).is_some_and(|index| self.games[index].wants_archived_snapshot())
    }

    fn settle(&mut self, at: &GamesContext<'_>, index: usize, flow: Flow) {
        if flow == Flow::Unsubscribe {
            self.leave(at, index);
        }
    }

    /// The game is over for this session; keep its chat subscription. A player without one is told when
    /// somebody posts.
    fn leave(&mut self, at: &GamesContext<'_>, index: usize) {
        let followed = &self.games[index];
        let game = followed.game;
        let chat = match followed.place {
            Place::Seat(_) => at.games.chat(game),
            Place::Spectator(_) | Place::Archived => at.games.chat_after_end(game),
        };
        self.remove(index);
        if let Some(chat) = chat {
            self.subscribe_to_chat(at.games, at.line, &chat);
        }
    }

    /// A chat about a game of the account has begun: subscribes to it.
    pub(crate) fn chat_opened(&mut self, at: &GamesContext<'_>, game: GameId) {
        if let Some(chat) = at.games.chat(game).or_else(|| at.games.chat_after_end(game)) {
            self.subscribe_to_chat(at.games, at.line, &chat);
        }
    }

    /// Subscribes to a chat.
    fn subscribe_to_chat(&mut self, games: &Games, line: &ConnectionRef, chat: &Arc<GameChat>) {
        self.chats.enter(games, line, chat);
        self.is_due = true;
    }

    /// Posts a line to the chat of a game. The line is written here first, then `ok`. `None`: the node that has the chat
    /// is asked to post it, and [`Subscriptions::posted`] is called with the answer.
    ///
    /// # Errors
    /// Why the line was not posted.
    pub(crate) fn say(
        &mut self,
        at: &mut GamesContext<'_>,
        game: GameId,
        words: &Post<'_>,
    ) -> Result<Option<Posted>, Code> {
        let is_in = self.index(game).is_some() || self.chats.has(game);
        let (by, blocks) = (words.by.account, at.blocks);
        let is_blocked = |other| blocks.are_between(by, other);
        if self.chats.asked >= ASKED_MAX {
            return Err(Code::Unavailable);
        }
        match at.games.say(game, words, is_in, is_blocked, &at.line.outbox)? {
            PostOutcome::Elsewhere => {
                self.chats.asked += 1;
                Ok(None)
            }
            PostOutcome::Here(posted) => {
                let ack = PendingAck { game, room: words.room, n: posted.n, id: words.id };
                self.ack_after(at, &posted.chat, ack);
                Ok(Some(posted))
            }
        }
    }

    /// Another node has answered a post of this session.
    pub(crate) fn posted(&mut self, at: &mut GamesContext<'_>, answer: &PostAnswer) {
        let PostAnswer { game, room, id, answer } = *answer;
        self.chats.asked -= 1;
        let account = at.identity.account;
        let follows = |chat: &Arc<GameChat>| {
            self.index(game).is_some()
                || self.chats.has(game)
                || account.is_some_and(|account| chat.is_player(account))
        };
        match (answer, at.games.chat(game).filter(follows)) {
            (Ok(n), Some(chat)) => self.ack_after(at, &chat, PendingAck { game, room, n, id }),
            // The session has left the chat since, or it is closed.
            (Ok(_), None) => {
                at.output.message(&ServerMessage::Ok(OkAnswer { id, game: Some(game), seq: None }));
            }
            (Err(code), _) => reject(at.output, Some(game), id, code),
        }
    }

    fn ack_after(&mut self, at: &mut GamesContext<'_>, chat: &Arc<GameChat>, ack: PendingAck) {
        self.chats.enter(at.games, at.line, chat);
        self.chats.ack_after(ack);
        self.is_due |= self.chats.advance(at.blocks, at.output);
    }
}

/// Handles what an actor sent before its seat was left. The events before it are no longer written, so only answers
/// are.
fn is_unavailable(news: &[NoticeKind]) -> bool {
    matches!(news, [NoticeKind::Rejected { code: Code::Unavailable, .. }])
}

fn not_followed(output: &mut Output, game: GameId, kind: NoticeKind) -> Result<(), CloseCode> {
    match kind {
        NoticeKind::Reset => return Err(CloseCode::GameReset),
        NoticeKind::Silent => return Err(CloseCode::Overloaded),
        NoticeKind::Message(_) | NoticeKind::Snapshot(_) | NoticeKind::Watchers(_) => {}
        answer => say(output, game, answer),
    }
    Ok(())
}
