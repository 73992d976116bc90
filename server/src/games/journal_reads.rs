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
use zeitnot_rules::game::Seq;

use super::answers::seat_of;
use super::replay::{ReplayedGame, tail_chunk};
use super::{Games, SeatCommand, snapshot};
use crate::connections::{Notice, NoticeKind, Outbox, send};

/// One request, and the session to notify.
struct Request {
    games: Games,
    game: GameId,
    id: Option<CommandId>,
    outbox: Outbox,
}

impl Games {
    /// Sends a game that is not live as it stands: [`NoticeKind::Snapshot`], then a
    /// [`NoticeKind::Message`] with its clock. A rejection names `id`.
    pub fn send_snapshot(&self, game: GameId, id: Option<CommandId>, outbox: &Outbox) {
        let request = self.request(game, id, outbox);
        self.shared().tasks.spawn(async move {
            let Some(stored) = request.stored().await else { return };
            if !stored.game.has_ended() {
                return request.reject(Code::Unavailable);
            }
            let frame = snapshot::snapshot_frame(game, &stored.game);
            request.notify(NoticeKind::Snapshot(frame));
            request.notify(NoticeKind::Message(snapshot::standing_clock_frame(game, &stored.game)));
        });
    }

    /// Sends exactly the events after `after`, the first of them as [`NoticeKind::Tail`]; for a
    /// live game, those that its feed has published. A rejection names `id`.
    pub fn send_tail(&self, game: GameId, after: Seq, id: Option<CommandId>, outbox: &Outbox) {
        let request = self.request(game, id, outbox);
        let live = self.get(game);
        let through = live.as_ref().map_or(Seq::MAX, |handle| handle.feed().head());
        self.shared().tasks.spawn(async move {
            let store = &request.games.shared().store;
            let Ok(tail) = store.tail(game, 1).await else { return request.reject(Code::Unavailable) };
            if live.is_none() && !tail.has_ended() && !tail.records.is_empty() {
                return request.reject(Code::Unavailable);
            }
            let Some((chunk, state)) = tail_chunk(&tail, after, through) else {
                return request.reject(Code::UnknownGame);
            };
            let is_last = !chunk.more;
            request.notify(NoticeKind::Tail(Box::new(chunk)));
            if is_last && live.is_none() {
                request.notify(NoticeKind::Message(snapshot::standing_clock_frame(game, &state)));
            }
        });
    }

    /// Sends the plies from the `from`-th on (1 for the first), at most 200, as
    /// [`NoticeKind::Message`]. A rejection names `id`.
    pub fn send_history(&self, game: GameId, from: u32, id: Option<CommandId>, outbox: &Outbox) {
        let request = self.request(game, id, outbox);
        self.shared().tasks.spawn(async move {
            if let Some(stored) = request.stored().await {
                request.notify(NoticeKind::Message(snapshot::history_frame(game, &stored.game, from)));
            }
        });
    }

    /// Answers a command to a game that is not live: the first `ok` once more for a repetition,
    /// otherwise a rejection.
    pub fn send_answer(&self, game: GameId, account: AccountId, command: SeatCommand, outbox: &Outbox) {
        let request = self.request(game, command.id, outbox);
        self.shared().tasks.spawn(async move {
            let Some(stored) = request.stored().await else { return };
            let Some(seat) = seat_of(&stored.game, account) else { return request.reject(Code::NotYourGame) };
            match stored.answers.find(seat, &command) {
                Some(seq) => request.notify(NoticeKind::Done { id: command.id.map(Box::new), seq }),
                // A game that is about to be recovered is not over: its sessions are told to
                // resume.
                None if !stored.game.has_ended() => request.reject(Code::Unavailable),
                None => request.reject(Code::GameOver),
            }
        });
    }

    fn request(&self, game: GameId, id: Option<CommandId>, outbox: &Outbox) -> Request {
        Request { games: self.clone(), game, id, outbox: outbox.clone() }
    }
}

impl Request {
    /// Reads the game, or rejects the request.
    async fn stored(&self) -> Option<ReplayedGame> {
        let store = Arc::clone(&self.games.shared().store);
        match ReplayedGame::read(&store, self.game).await {
            Ok(Some(stored)) => Some(stored),
            Ok(None) => {
                self.reject(Code::UnknownGame);
                None
            }
            Err(error) => {
                tracing::warn!(game = %self.game, %error, "a game cannot be read");
                self.reject(Code::Unavailable);
                None
            }
        }
    }

    fn reject(&self, code: Code) {
        self.notify(NoticeKind::Rejected { id: self.id.map(Box::new), code });
    }

    fn notify(&self, what: NoticeKind) {
        send(&self.outbox, Notice { game: self.game, after: 0, kind: what });
    }
}
