//! Requests that are answered from storage: everything about games that are not live, and the older
//! events of all games.
//!
//! Each request is a task of its own. It reads, makes the frames, and notifies the session. No
//! actor is asked, so a read delays no move.
//!
//! A game that has no actor and has not ended is about to be recovered, and is `unavailable` until
//! then: a session that got its events from here would wait for ever for the next ones.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, Code, CommandId, GameId};
use zeitnot_rules::game::{Game, Seq};

use super::answers::seat_of;
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
        self.answer_from_journal(game, id, outbox, move |tail| {
            let stored = ReplayedGame::fold(tail).ok_or(Code::UnknownGame)?;
            if !stored.game.has_ended() {
                return Err(Code::Unavailable);
            }
            Ok(as_it_stands(id, game, &stored.game))
        });
    }

    /// Sends exactly the events after `after`, the first of them as [`NoticeKind::Tail`]; for a
    /// live game, those that its feed has published. A game that is not live ends with its clock, as
    /// a [`NoticeKind::Message`], and is sent as it stands when `after` is beyond its last event.
    /// That clock, or a rejection, names `id`.
    pub fn send_tail(&self, game: GameId, after: Seq, id: Option<CommandId>, outbox: &Outbox) {
        let published = self.get(game).map(|handle| handle.feed().head());
        self.answer_from_journal(game, id, outbox, move |tail| {
            if published.is_none() && !tail.has_ended() && !tail.records.is_empty() {
                return Err(Code::Unavailable);
            }
            let chunk = tail_chunk(tail, after, published.unwrap_or(Seq::MAX));
            let (chunk, state) = chunk.ok_or(Code::UnknownGame)?;
            if published.is_none() && after > state.seq() {
                return Ok(as_it_stands(id, game, &state));
            }
            let ends_here = !chunk.more && published.is_none();
            let mut notices = vec![NoticeKind::Tail(Box::new(chunk))];
            if ends_here {
                notices.push(NoticeKind::Message(snapshot::standing_clock_frame(id, game, &state)));
            }
            Ok(notices)
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
        self.answer_from_journal(game, command.id, outbox, move |tail| {
            let stored = ReplayedGame::fold(tail).ok_or(Code::UnknownGame)?;
            let seat = seat_of(&stored.game, account).ok_or(Code::NotYourGame)?;
            match stored.answers.find(seat, &command) {
                Some(seq) => Ok(vec![NoticeKind::Done { id: command.id.map(Box::new), seq }]),
                // A game that is about to be recovered is not over: its sessions are told to
                // resume.
                None if !stored.game.has_ended() => Err(Code::Unavailable),
                None => Err(Code::GameOver),
            }
        });
    }

    /// Reads all records of a game, and notifies the session of what `answer` makes of them.
    fn answer_from_journal(
        &self,
        game: GameId,
        id: Option<CommandId>,
        outbox: &Outbox,
        answer: impl FnOnce(&Tail) -> Answer + Send + 'static,
    ) {
        let (store, outbox) = (Arc::clone(&self.shared().store), outbox.clone());
        self.shared().tasks.spawn(async move {
            let answer = match store.tail(game, 1).await {
                Ok(tail) => answer(&tail),
                Err(error) => {
                    tracing::warn!(%game, %error, "a game cannot be read");
                    Err(Code::Unavailable)
                }
            };
            let rejected = |code| vec![NoticeKind::Rejected { id: id.map(Box::new), code }];
            for kind in answer.unwrap_or_else(rejected) {
                send(&outbox, Notice { game, after: 0, kind });
            }
        });
    }
}
