//! What clients hear: a gap-free prefix of the log, the same text for the same event, and every
//! `ok` true.

use std::collections::btree_map::Entry;

use zeitnot_protocol::{AccountId, GameId, OkAnswer, ServerMessage, Snapshot};
use zeitnot_rules::game::{Event, Seq};

use super::{Checker, Fault, Look, holds};

/// One tab of a person.
pub(in crate::simulation) type TabId = u32;

/// What a tab has of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    /// The last event it has, or that a snapshot held.
    seq: Seq,
    /// It has asked for the events after these.
    asked_after: Vec<Seq>,
    /// It was notified of the game on the present connection.
    is_following: bool,
}

impl Checker {
    /// The connection of a tab is gone: what it remembers, it keeps.
    pub(in crate::simulation) fn disconnected(&mut self, tab: TabId) {
        for ((_, _), view) in
            self.views.range_mut((tab, GameId::from_random(0))..).take_while(|((of, _), _)| *of == tab)
        {
            view.is_following = false;
            view.asked_after.clear();
        }
    }

    /// A tab asks for the events after `after`.
    pub(in crate::simulation) fn asks_after(&mut self, tab: TabId, game: GameId, after: Seq) {
        self.views.entry((tab, game)).or_default().asked_after.push(after);
    }

    /// A tab got this text.
    pub(in crate::simulation) fn heard(
        &mut self,
        tab: TabId,
        account: Option<AccountId>,
        message: &ServerMessage,
        text: &str,
    ) {
        let looked = match message {
            ServerMessage::Snapshot(snapshot) => self.heard_snapshot(tab, snapshot),
            ServerMessage::Ok(ok) => self.heard_ok(tab, account, ok),
            ServerMessage::Turn(turn) => {
                let seq = self.views.get(&(tab, turn.game)).map_or(0, |view| view.seq);
                let shown = self.books[&turn.game].shown_at(turn.on);
                let is_right = shown.is_some_and(|shown| shown.fen == turn.fen && shown.on == turn.on);
                holds(turn.on <= seq, Fault::TooEarly, || format!("turn on {} after {seq}", turn.on))
                    .and_then(|()| holds(is_right, Fault::WrongFrame, || format!("{turn:?}")))
            }
            ServerMessage::Clock(clock) => {
                let view = self.views.entry((tab, clock.game)).or_default();
                view.is_following = true;
                let last = self.books[&clock.game].last_seq();
                holds(clock.seq <= last, Fault::NotDurable, || format!("{clock:?}"))
            }
            message => match place(message) {
                Some((game, seq)) => self.heard_event(tab, game, seq, text, message),
                None => Ok(()),
            },
        };
        if let Err((fault, detail)) = looked {
            self.complain(fault, format!("tab {tab}: {detail}"));
        }
    }

    fn heard_event(
        &mut self,
        tab: TabId,
        game: GameId,
        seq: Seq,
        text: &str,
        message: &ServerMessage,
    ) -> Look {
        let book = self.books.get_mut(&game).expect("every game has its books");
        holds(seq <= book.last_seq(), Fault::NotDurable, || format!("event {seq} of {}", book.last_seq()))?;
        let known = book.texts.entry(seq).or_insert_with(|| text.to_owned());
        holds(known == text, Fault::WrongFrame, || format!("{known} is also {text}"))?;
        let event = book.events().nth(seq as usize - 1).expect("it is durable");
        holds(is_told_as(event, message), Fault::WrongFrame, || format!("{event:?} is told as {text}"))?;
        let view = self.views.entry((tab, game)).or_default();
        let tail = view.asked_after.iter().position(|after| after + 1 == seq);
        holds(seq == view.seq + 1 || tail.is_some(), Fault::Gap, || {
            format!("event {seq} came after {}", view.seq)
        })?;
        if let Some(asked) = tail {
            self.coverage.hit("tail: exact");
            // What was on its way already may come first: only going back ends the tail.
            if seq != view.seq + 1 {
                view.asked_after.remove(asked);
            }
        }
        (view.seq, view.is_following) = (seq, true);
        Ok(())
    }

    fn heard_snapshot(&mut self, tab: TabId, snapshot: &Snapshot) -> Look {
        let (book, seq) = (&self.books[&snapshot.game], snapshot.seq);
        holds(seq <= book.last_seq(), Fault::NotDurable, || {
            format!("a snapshot of event {seq}, and {} is durable", book.last_seq())
        })?;
        let shown = book.shown_at(seq).expect("it is durable");
        let is_right = shown.fen == snapshot.fen
            && shown.on == snapshot.on
            && shown.plies == snapshot.ply_count
            && shown.clocks_ms.white == snapshot.white_ms
            && shown.clocks_ms.black == snapshot.black_ms
            && shown.has_ended == snapshot.state.outcome.is_some();
        holds(is_right, Fault::WrongFrame, || format!("{snapshot:?} is not {shown:?}"))?;
        let view = self.views.entry((tab, snapshot.game)).or_default();
        (view.seq, view.is_following) = (seq, true);
        Ok(())
    }

    fn heard_ok(&mut self, tab: TabId, account: Option<AccountId>, ok: &OkAnswer) -> Look {
        let (Some(game), Some(seq), Some(account)) = (ok.game, ok.seq, account) else { return Ok(()) };
        let book = &self.books[&game];
        let record = book.records.iter().find(|record| record.first_seq == seq);
        let is_true = record.is_some_and(|record| {
            record.account == Some(account)
                && ok.id.is_none_or(|id| record.command == Some(id) || book.means(account, id, record))
        });
        holds(is_true, Fault::WrongOk, || format!("{ok:?} for {record:?}"))?;
        let view = self.views.get(&(tab, game)).cloned().unwrap_or_default();
        holds(
            !view.is_following || view.seq >= seq || !view.asked_after.is_empty(),
            Fault::TooEarly,
            || format!("ok for {seq} after event {}", view.seq),
        )?;
        self.coverage.hit("heard: ok");
        let Some(id) = ok.id else { return Ok(()) };
        let first = match self.oks.entry((account, id.to_string())) {
            Entry::Vacant(vacant) => *vacant.insert(seq),
            Entry::Occupied(first) => {
                self.coverage.hit("heard: the same ok again");
                *first.get()
            }
        };
        holds(first == seq, Fault::WrongOk, || format!("{ok:?}, and before it was {first}"))
    }

    /// What a tab has of a game: the last event.
    pub(in crate::simulation) fn seen(&self, tab: TabId, game: GameId) -> Seq {
        self.views.get(&(tab, game)).map_or(0, |view| view.seq)
    }

    /// Whether a tab was notified of a game on its present connection.
    pub(in crate::simulation) fn is_following(&self, tab: TabId, game: GameId) -> bool {
        self.views.get(&(tab, game)).is_some_and(|view| view.is_following)
    }
}

/// The game and the seq of an event.
pub(in crate::simulation) fn place(message: &ServerMessage) -> Option<(GameId, Seq)> {
    Some(match message {
        ServerMessage::Started(e) => (e.game, e.seq),
        ServerMessage::Move(e) => (e.game, e.seq),
        ServerMessage::DrawOffered(e)
        | ServerMessage::DrawDeclined(e)
        | ServerMessage::TakebackDeclined(e)
        | ServerMessage::IlcAsked(e) => (e.game, e.seq),
        ServerMessage::DrawClaimed(e) => (e.game, e.seq),
        ServerMessage::AbsenceClaimed(e) => (e.game, e.seq),
        ServerMessage::TakebackOffered(e) => (e.game, e.seq),
        ServerMessage::TakenBack(e) => (e.game, e.seq),
        ServerMessage::TimeAdjusted(e) => (e.game, e.seq),
        ServerMessage::IlcRemedied(e) => (e.game, e.seq),
        ServerMessage::FlagFell(e) | ServerMessage::Resigned(e) => (e.game, e.seq),
        ServerMessage::Ended(e) => (e.game, e.seq),
        _ => return None,
    })
}

/// Whether this is how an event is told.
pub(in crate::simulation) fn is_told_as(event: &Event, message: &ServerMessage) -> bool {
    matches!(
        (event, message),
        (Event::Started(_), ServerMessage::Started(_))
            | (Event::MovePlayed { .. }, ServerMessage::Move(_))
            | (Event::DrawOffered { .. }, ServerMessage::DrawOffered(_))
            | (Event::DrawDeclined { .. }, ServerMessage::DrawDeclined(_))
            | (Event::DrawClaimed { .. }, ServerMessage::DrawClaimed(_))
            | (Event::AbsenceClaimed { .. }, ServerMessage::AbsenceClaimed(_))
            | (Event::TakebackOffered { .. }, ServerMessage::TakebackOffered(_))
            | (Event::TakebackDeclined { .. }, ServerMessage::TakebackDeclined(_))
            | (Event::TakenBack { .. }, ServerMessage::TakenBack(_))
            | (Event::TimeAdjusted { .. }, ServerMessage::TimeAdjusted(_))
            | (Event::IlcAsked { .. }, ServerMessage::IlcAsked(_))
            | (Event::IlcRemedied { .. }, ServerMessage::IlcRemedied(_))
            | (Event::FlagFell { .. }, ServerMessage::FlagFell(_))
            | (Event::Resigned { .. }, ServerMessage::Resigned(_))
            | (Event::Ended { .. }, ServerMessage::Ended(_))
    )
}
