//! Requests that are answered from storage: everything about games that are not live, and the older
//! events of all games.
//!
//! Each request is a task of its own. It waits its turn at the archive, reads, has the frames made,
//! and notifies the session once, with [`NoticeKind::Answer`]. No actor is asked, so a read delays no move. A game that turns out to be
//! live, perhaps after its recovery, is answered for by [`NoticeKind::Live`]: the session asks it.

use std::sync::Arc;

use tokio_util::task::AbortOnDropHandle;
use zeitnot_protocol::{AccountId, Code, CommandId, GameId};
use zeitnot_rules::game::{Game, Seq};

use super::answers::seat_of;
use super::finding::{Found, is_rated, read};
use super::kept_tail::KeptTail;
use super::reader::Reader;
use super::replay::{ReplayedGame, TailFold};
use super::snapshot::Aftermath;
use super::{Games, SeatCommand, snapshot};
use crate::connections::{Frame, Notice, NoticeKind, ReadAnswer, send};
use crate::storage::Tail;

/// A read under way. Dropped, it is given up.
pub(crate) type ReadTask = AbortOnDropHandle<()>;

/// The events that a session wants of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TailWanted {
    pub(crate) game: GameId,
    /// Exactly those after this one.
    pub(crate) after: Seq,
    /// Up to this one, the last in the feed of a live game; `None` for a game that is not live.
    pub(crate) published: Option<Seq>,
    pub(crate) id: Option<CommandId>,
}

/// What the session is notified of, in order, or why the request is rejected.
type Answer = Result<Vec<NoticeKind>, Code>;

/// A game that is not live as it stands, with its clock; that answers the `watch` with this `id`.
fn as_it_stands(id: Option<CommandId>, game: GameId, stored: &Game, after: &Aftermath) -> Vec<NoticeKind> {
    let clock = snapshot::standing_clock_frame(id, game, stored);
    vec![NoticeKind::Snapshot(snapshot::snapshot_frame(game, stored, after)), NoticeKind::Message(clock)]
}

/// What is told of a game that has ended after its last event: how it counts since its correction, or what it has done to
/// ratings.
fn result_frame(id: GameId, game: &Game, after: &Aftermath) -> Option<Frame> {
    if after.correction_of(game).is_some() {
        return Some(snapshot::snapshot_frame(id, game, after));
    }
    after.ratings.map(|changes| snapshot::rated_frame(id, game, &changes))
}

impl Games {
    /// Sends a game that is not live as it stands: [`NoticeKind::Snapshot`], then a
    /// [`NoticeKind::Message`] with its clock. The clock, or a rejection, names `id`.
    pub(crate) fn send_snapshot(&self, game: GameId, id: Option<CommandId>, reader: &Reader) -> ReadTask {
        self.answer_for_ended(game, id, reader, move |tail, after| {
            let stored = ReplayedGame::fold(tail).ok_or(Code::UnknownGame)?;
            Ok(as_it_stands(id, game, &stored.game, after))
        })
    }

    /// Sends exactly the events after `wanted.after`, as [`NoticeKind::Tail`], a piece at a time: `kept` is what goes on
    /// from piece to piece. For a game that is not live its clock follows as a [`NoticeKind::Message`], and it is sent
    /// as it stands when `after` is beyond its last event, and behind that event when its result was corrected. The clock, or
    /// a rejection, names the id.
    pub(crate) fn send_tail(&self, wanted: TailWanted, kept: &KeptTail, reader: &Reader) -> ReadTask {
        let (games, kept, from) = (self.clone(), kept.clone(), reader.clone());
        self.answer(wanted.game, wanted.id, reader, async move { games.tail(wanted, &kept, &from).await })
    }

    async fn tail(&self, wanted: TailWanted, kept: &KeptTail, reader: &Reader) -> Answer {
        let TailWanted { game, after, published, .. } = wanted;
        let (fold, was_kept, _place) = match (kept.take(game, after, published.is_none()), published) {
            (Some(fold), _) => (Some(fold), true, reader.place(self.archive()).await?),
            (None, Some(_)) => {
                let place = reader.place(self.archive()).await?;
                (TailFold::begin(read(&self.shared().store, game).await?), false, place)
            }
            (None, None) => match self.find(game, reader).await? {
                Found::Live => return Ok(vec![NoticeKind::Live]),
                Found::Ended(tail, place) => (TailFold::begin(tail), false, place),
            },
        };
        let mut fold = fold.ok_or(Code::UnknownGame)?;
        let is_rated = published.is_none() && fold.game().setup().rated;
        let aftermath = self.aftermath(game, is_rated, fold.correction()).await;
        let (kept, room) = (kept.clone(), Arc::clone(&self.shared().kept_events));
        let make = move || {
            let mut chunk = fold.chunk(after, published.unwrap_or(Seq::MAX));
            if published.is_none() && after > fold.game().seq() {
                return as_it_stands(wanted.id, game, fold.game(), &aftermath);
            }
            let is_last = published.is_none() && !chunk.more;
            let clock = is_last.then(|| snapshot::standing_clock_frame(wanted.id, game, fold.game()));
            // The events say how it was played out.
            let last = is_last.then(|| result_frame(game, fold.game(), &aftermath)).flatten();
            if chunk.more {
                kept.keep(fold, &room);
            } else {
                // More was published since the game was read.
                chunk.more = was_kept && published.is_some_and(|published| fold.game().seq() < published);
            }
            let tail = NoticeKind::Tail(Box::new(chunk));
            [Some(tail), last.map(NoticeKind::Message), clock.map(NoticeKind::Message)]
                .into_iter()
                .flatten()
                .collect()
        };
        Ok(self.archive().make(make).await?)
    }

    /// Sends the plies from the `from`-th on (1 for the first), at most 200, as
    /// [`NoticeKind::Message`]. The answer names `id`.
    pub(crate) fn send_history(
        &self,
        game: GameId,
        from: u32,
        id: Option<CommandId>,
        reader: &Reader,
    ) -> ReadTask {
        let (games, asks) = (self.clone(), reader.clone());
        self.answer(game, id, reader, async move {
            let _place = asks.place(games.archive()).await?;
            let tail = read(&games.shared().store, game).await?;
            let make = move || {
                let stored = ReplayedGame::fold(&tail).ok_or(Code::UnknownGame)?;
                Ok(vec![NoticeKind::Message(snapshot::history_frame(id, game, &stored.game, from))])
            };
            games.archive().make(make).await?
        })
    }

    /// Answers a command to a game that is not live: the first `ok` once more for a repetition,
    /// otherwise a rejection.
    pub(crate) fn send_answer(
        &self,
        game: GameId,
        account: AccountId,
        command: SeatCommand,
        reader: &Reader,
    ) -> ReadTask {
        self.answer_for_ended(game, command.id, reader, move |tail, _: &Aftermath| {
            let stored = ReplayedGame::fold(tail).ok_or(Code::UnknownGame)?;
            let seat = seat_of(&stored.game, account).ok_or(Code::NotYourGame)?;
            let seq = stored.answers.find(seat, &command).ok_or(Code::GameOver)?;
            Ok(vec![NoticeKind::Done { id: command.id.map(Box::new), seq }])
        })
    }

    /// Finds a game, and notifies the session of what `make` makes of its records if it has ended.
    fn answer_for_ended(
        &self,
        game: GameId,
        id: Option<CommandId>,
        reader: &Reader,
        make: impl FnOnce(&Tail, &Aftermath) -> Answer + Send + 'static,
    ) -> ReadTask {
        let (games, asks) = (self.clone(), reader.clone());
        self.answer(game, id, reader, async move {
            match games.find(game, &asks).await? {
                Found::Live => Ok(vec![NoticeKind::Live]),
                Found::Ended(tail, _place) => {
                    let after = games.aftermath(game, is_rated(&tail), tail.correction).await;
                    games.archive().make(move || make(&tail, &after)).await?
                }
            }
        })
    }

    fn answer(
        &self,
        game: GameId,
        id: Option<CommandId>,
        reader: &Reader,
        answer: impl Future<Output = Answer> + Send + 'static,
    ) -> ReadTask {
        let (outbox, read) = (reader.outbox.clone(), reader.read);
        AbortOnDropHandle::new(self.shared().tasks.spawn(async move {
            let rejected = |code| vec![NoticeKind::Rejected { id: id.map(Box::new), code }];
            let news = answer.await.unwrap_or_else(rejected);
            let kind = NoticeKind::Answer(Box::new(ReadAnswer { read, news }));
            send(&outbox, Notice { game, after: 0, kind });
        }))
    }
}
