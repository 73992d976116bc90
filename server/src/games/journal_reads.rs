//! Requests that are answered from storage: everything about games that are not live, and the older
//! events of all games.
//!
//! Each request is a task of its own. It reads, makes the frames, and notifies the session. No
//! actor is asked, so a read delays no move. A game that turns out to be live, perhaps after its
//! recovery, is answered for by [`NoticeKind::Live`]: the session asks it.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, Code, CommandId, GameId};
use zeitnot_rules::game::{Game, Seq};

use super::answers::seat_of;
use super::finding::{Found, read};
use super::replay::{ReplayedGame, tail_chunk};
use super::{Games, SeatCommand, snapshot};
use crate::connections::{Notice, NoticeKind, Outbox, send};
use crate::storage::Tail;

/// What the session is notified of, in order, or why the request is rejected.
type Answer = Result<Vec<NoticeKind>, Code>;

/// A game that is not live as it stands, with its clock; that answers the `watch` with this `id`.
fn as_it_stands(id: Option<CommandId>, game: GameId, stored: &Game) -> Vec<NoticeKind> {
    let clock = snapshot::standing_clock_frame(id, game, stored);
    vec![NoticeKind::Snapshot(snapshot::snapshot_frame(game, stored)), NoticeKind::Message(clock)]
}

impl Games {
    /// Sends a game that is not live as it stands: [`NoticeKind::Snapshot`], then a
    /// [`NoticeKind::Message`] with its clock. The clock, or a rejection, names `id`.
    pub fn send_snapshot(&self, game: GameId, id: Option<CommandId>, outbox: &Outbox) {
        self.answer_for_ended(game, id, outbox, move |tail| {
            let stored = ReplayedGame::fold(tail).ok_or(Code::UnknownGame)?;
            Ok(as_it_stands(id, game, &stored.game))
        });
    }

    /// Sends exactly the events after `after`, as [`NoticeKind::Tail`], of a game that is not live,
    /// then its clock as a [`NoticeKind::Message`]. The game is sent as it stands when `after` is
    /// beyond its last event. The clock, or a rejection, names `id`.
    pub fn send_tail(&self, game: GameId, after: Seq, id: Option<CommandId>, outbox: &Outbox) {
        self.answer_for_ended(game, id, outbox, move |tail| {
            let (chunk, state) = tail_chunk(tail, after, Seq::MAX).ok_or(Code::UnknownGame)?;
            if after > state.seq() {
                return Ok(as_it_stands(id, game, &state));
            }
            let clock = (!chunk.more).then(|| snapshot::standing_clock_frame(id, game, &state));
            let tail = NoticeKind::Tail(Box::new(chunk));
            Ok([Some(tail), clock.map(NoticeKind::Message)].into_iter().flatten().collect())
        });
    }

    /// Sends exactly the events after `after`, as [`NoticeKind::Tail`], up to `published`, the last
    /// one in the feed of a live game. A rejection names `id`.
    pub fn send_published(
        &self,
        game: GameId,
        after: Seq,
        published: Seq,
        id: Option<CommandId>,
        outbox: &Outbox,
    ) {
        self.answer_from_journal(game, id, outbox, move |tail| {
            let (chunk, _) = tail_chunk(tail, after, published).ok_or(Code::UnknownGame)?;
            Ok(vec![NoticeKind::Tail(Box::new(chunk))])
        });
    }

    /// Sends the plies from the `from`-th on (1 for the first), at most 200, as
    /// [`NoticeKind::Message`]. The answer names `id`.
    pub fn send_history(&self, game: GameId, from: u32, id: Option<CommandId>, outbox: &Outbox) {
        self.answer_from_journal(game, id, outbox, move |tail| {
            let stored = ReplayedGame::fold(tail).ok_or(Code::UnknownGame)?;
            Ok(vec![NoticeKind::Message(snapshot::history_frame(id, game, &stored.game, from))])
        });
    }

    /// Answers a command to a game that is not live: the first `ok` once more for a repetition,
    /// otherwise a rejection.
    pub fn send_answer(&self, game: GameId, account: AccountId, command: SeatCommand, outbox: &Outbox) {
        self.answer_for_ended(game, command.id, outbox, move |tail| {
            let stored = ReplayedGame::fold(tail).ok_or(Code::UnknownGame)?;
            let seat = seat_of(&stored.game, account).ok_or(Code::NotYourGame)?;
            let seq = stored.answers.find(seat, &command).ok_or(Code::GameOver)?;
            Ok(vec![NoticeKind::Done { id: command.id.map(Box::new), seq }])
        });
    }

    /// Finds a game, and notifies the session of what `answer` makes of its records if it has ended.
    fn answer_for_ended(
        &self,
        game: GameId,
        id: Option<CommandId>,
        outbox: &Outbox,
        answer: impl FnOnce(&Tail) -> Answer + Send + 'static,
    ) {
        let games = self.clone();
        self.answer(game, id, outbox, async move {
            match games.find(game).await? {
                Found::Live => Ok(vec![NoticeKind::Live]),
                Found::Ended(tail) => answer(&tail),
            }
        });
    }

    /// Reads all records of a game, live or not, and notifies the session of what `answer` makes of
    /// them.
    fn answer_from_journal(
        &self,
        game: GameId,
        id: Option<CommandId>,
        outbox: &Outbox,
        answer: impl FnOnce(&Tail) -> Answer + Send + 'static,
    ) {
        let store = Arc::clone(&self.shared().store);
        self.answer(game, id, outbox, async move { answer(&read(&store, game).await?) });
    }

    fn answer(
        &self,
        game: GameId,
        id: Option<CommandId>,
        outbox: &Outbox,
        answer: impl Future<Output = Answer> + Send + 'static,
    ) {
        let outbox = outbox.clone();
        self.shared().tasks.spawn(async move {
            let rejected = |code| vec![NoticeKind::Rejected { id: id.map(Box::new), code }];
            for kind in answer.await.unwrap_or_else(rejected) {
                send(&outbox, Notice { game, after: 0, kind });
            }
        });
    }
}
