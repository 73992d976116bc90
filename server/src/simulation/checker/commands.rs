//! What sessions read, and what it was answered: a command that was accepted is never rejected, and
//! a flag does not fall while a move that was read before it is on its way.

use zeitnot_protocol::{AccountId, GameId, Limits};
use zeitnot_rules::game::Command;

use super::book::{Book, Read};
use super::{Checker, Fault, Look, holds};
use crate::connections::{ConnectionId, NoticeKind};
use crate::games::SeatCommand;
use crate::session::request::{GameRequest, Message, Request};
use crate::time::ServiceInstant;

impl Checker {
    /// A session read this from its socket at `stamp`.
    pub(in crate::simulation) fn read(
        &mut self,
        connection: ConnectionId,
        account: Option<AccountId>,
        stamp: ServiceInstant,
        text: &str,
    ) {
        let awake = self.awake;
        let Ok(message) = zeitnot_protocol::decode_client(text) else { return };
        let (Some(account), kind) = (account, message.to_text()) else { return };
        let Message::Request(Request::Game(GameRequest::Command(game, command))) = message.into() else {
            return;
        };
        self.note_act(&kind);
        let Some(book) = self.books.get_mut(&game) else { return };
        if book.seat_of(account).is_none() {
            return;
        }
        let SeatCommand { id, command } = command;
        if id.is_some() && book.reads.iter().any(|read| read.account == account && read.id == id) {
            let elsewhere = book.reads.iter().any(|read| read.id == id && read.connection != connection);
            self.coverage.hit("act: sent again");
            if elsewhere {
                self.coverage.hit("act: sent again on another connection");
            }
        }
        book.reads.push(Read { connection, account, stamp, awake, id, command, is_settled: false });
    }

    fn note_act(&mut self, text: &str) {
        let kind = text.split('"').nth(3).unwrap_or_default();
        self.coverage.hit(&format!("act: {kind}"));
    }

    /// What a session had in hand will not come: the server was killed, or gave the session up.
    pub(in crate::simulation) fn nothing_more_comes_from(&mut self, connection: ConnectionId) {
        for book in self.books.values_mut() {
            book.settle_all(|read| read.connection == connection);
        }
    }

    /// Everything on its way to this actor is lost with it.
    pub(in crate::simulation) fn actor_is_gone(&mut self, game: GameId) {
        self.books.get_mut(&game).expect("every game has its books").settle_all(|_| true);
    }
}

impl Book {
    fn settle_all(&mut self, which: impl Fn(&Read) -> bool) {
        self.reads.iter_mut().filter(|read| which(read)).for_each(|read| read.is_settled = true);
    }

    /// An actor answers a command.
    pub(super) fn answered(&mut self, connection: ConnectionId, kind: &NoticeKind) -> Look {
        let (id, is_rejected) = match kind {
            NoticeKind::Done { id, .. } => (id, false),
            NoticeKind::Rejected { id, .. } => (id, true),
            NoticeKind::Silent => {
                self.settle_all(|read| read.connection == connection);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let id = id.as_deref().copied();
        let is_it = |read: &&mut Read| read.connection == connection && read.id == id && !read.is_settled;
        let alike = self.reads.iter_mut().filter(|read| is_it(read)).count();
        let Some(read) = self.reads.iter_mut().find(is_it) else { return Ok(()) };
        read.is_settled = true;
        let (account, command) = (read.account, read.command.clone());
        // Without an id an answer may be to another command that the journal's readers have
        // answered.
        if !is_rejected || id.is_none() && alike > 1 {
            return Ok(());
        }
        // So many answers are kept for each seat; a repetition that is later than that may be
        // rejected.
        let kept = Limits::STANDARD.answers_kept as usize;
        let accepted = self.record_of(account, id, &command);
        let is_kept = accepted.is_some_and(|index| self.later_records(account, index) < kept);
        holds(!is_kept, Fault::RejectedAfterOk, || {
            format!("{command:?} ({id:?}) was accepted before: {kind:?}")
        })
    }

    /// No move that was read before `deadline` is on its way.
    pub(super) fn check_nothing_in_hand(&self, deadline: ServiceInstant) -> Look {
        let mover = self.account(self.game.turn());
        let in_time = |read: &&Read| !read.is_settled && read.stamp < deadline && read.account == mover;
        for read in self.reads.iter().filter(in_time) {
            let Command::PlayMove { on, mv } = read.command else { continue };
            let position = self.game.position();
            let is_move = position.is_legal(self.game.variant().normalized(mv, position));
            holds(!(is_move && on == self.game.position_seq()), Fault::FlagAgainstMove, || {
                format!("{mv:?} was read at {:?}, and the flag fell at {deadline:?}", read.stamp)
            })?;
        }
        Ok(())
    }
}
