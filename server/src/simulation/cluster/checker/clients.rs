//! What tabs hear: a prefix of the log without gaps, the same text for the same event on every node, and every `ok` true.

use std::collections::btree_map::Entry;

use zeitnot_protocol::{AccountId, Code, CommandId, GameId, OkAnswer, Rejected, ServerMessage, Snapshot};
use zeitnot_rules::game::{Command, Event, Seq};

use super::{Checker, Connection, Fault, Look, Read, holds};
use crate::session::request::{GameRequest, Message, Request};
use crate::simulation::checker::clients::{is_told_as, place};
use crate::storage::Record;
use crate::time::ServiceInstant;

/// Whether a command asks for just what a record says, so that it gets its `ok` too. Which position or offer it is about, the
/// log says.
fn means(text: &str, record: &Record) -> bool {
    let kind = text.split('"').nth(3).unwrap_or_default();
    match record.events.first() {
        Some(Event::MovePlayed { .. }) => kind == "move",
        Some(Event::DrawDeclined { .. } | Event::IlcRemedied { .. }) => kind == "decline_draw",
        Some(Event::TakebackDeclined { .. }) => kind == "decline_takeback",
        Some(Event::TakenBack { .. }) => kind == "accept_takeback",
        Some(Event::Ended { .. }) => kind == "accept_draw",
        Some(Event::DrawClaimed { .. }) => kind == "claim_draw",
        _ => false,
    }
}

/// What a tab has of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct View {
    /// The last event that it has.
    pub(super) seq: Seq,
    /// The game has shown itself on the present connection.
    is_following: bool,
}

/// How often a connection has read a command, and what it was answered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tries {
    /// Before the command was accepted, on this connection or on another one.
    read_before: usize,
    answered: usize,
}

impl Checker {
    pub(in crate::simulation::cluster) fn connected(&mut self, tab: u32, connection: Connection) {
        self.tabs.insert(tab, connection);
        self.open.insert(connection);
        self.hit("connected");
    }

    pub(in crate::simulation::cluster) fn disconnected(&mut self, tab: u32) {
        self.tabs.remove(&tab);
        for view in self.views.iter_mut().filter(|((of, _), _)| *of == tab).map(|(_, view)| view) {
            view.is_following = false;
        }
    }

    /// A session has ended.
    pub(in crate::simulation::cluster) fn closed(&mut self, connection: Connection) {
        self.open.remove(&connection);
    }

    /// A client sends a command for the first time.
    pub(in crate::simulation::cluster) fn sends(
        &mut self,
        account: Option<AccountId>,
        game: GameId,
        text: &str,
    ) {
        let kind = text.split('"').nth(3).unwrap_or_default().to_owned();
        self.hit(format!("act: {kind}"));
        if let Some(account) = account {
            *self.sent.entry((game, account, kind)).or_default() += 1;
            if let Some((_, id)) = text.split_once(r#""id":""#) {
                let id = id.split('"').next().unwrap_or_default().to_owned();
                self.texts.insert((account, id), text.to_owned());
            }
        }
    }

    /// A session read this at `at`.
    pub(in crate::simulation::cluster) fn read(
        &mut self,
        connection: Connection,
        account: Option<AccountId>,
        at: ServiceInstant,
        text: &str,
    ) {
        let (Some(account), Ok(message)) = (account, zeitnot_protocol::decode_client(text)) else { return };
        let Message::Request(Request::Game(GameRequest::Command(game, command))) = message.into() else {
            return;
        };
        self.accounts.insert(connection, account);
        self.acted.insert((game, account, connection.node), at);
        let id = command.id.map(|id| id.to_string());
        if let Some(id) = id.filter(|id| !self.commands.contains_key(&(game, account, id.clone()))) {
            self.tries.entry((connection, game, id)).or_default().read_before += 1;
        }
        if let Command::PlayMove { on, .. } | Command::ClaimDraw { on, .. } = command.command {
            let text = text.to_owned();
            self.reads.push(Read { connection, account, game, on, text, at });
        }
    }

    /// A session has written this at `at`.
    pub(in crate::simulation::cluster) fn written(
        &mut self,
        connection: Connection,
        at: ServiceInstant,
        text: &[u8],
    ) {
        if !text.starts_with(br#"{"t":"turn""#) {
            return;
        }
        let text = std::str::from_utf8(text).expect("the server writes UTF-8");
        if let Ok(ServerMessage::Turn(turn)) = zeitnot_protocol::decode_server(text) {
            self.written.entry((connection.node, turn.game, turn.on)).or_insert(at);
        }
    }

    /// A tab got this text.
    pub(in crate::simulation::cluster) fn heard(
        &mut self,
        tab: u32,
        account: Option<AccountId>,
        message: &ServerMessage,
        text: &str,
    ) {
        let looked = match message {
            ServerMessage::Snapshot(snapshot) => self.heard_snapshot(tab, snapshot),
            ServerMessage::Ok(ok) => self.heard_ok(tab, account, ok),
            ServerMessage::Rejected(no) => self.heard_no(tab, account, no),
            ServerMessage::Turn(turn) => {
                let shown = self.shown(turn.game, turn.on).cloned();
                holds(shown.is_some_and(|(fen, _)| fen == turn.fen), Fault::WrongFrame, || {
                    format!("{turn:?}")
                })
            }
            message => match place(message) {
                Some((game, seq)) => self.heard_event(tab, game, seq, text, message),
                None => Ok(()),
            },
        };
        self.keep(looked, &format!("tab {tab} hears {text}"));
    }

    fn shown(&self, game: GameId, seq: Seq) -> Option<&(String, bool)> {
        self.books.get(&game)?.shown.get((seq as usize).checked_sub(1)?)
    }

    fn heard_event(&mut self, tab: u32, game: GameId, seq: Seq, text: &str, message: &ServerMessage) -> Look {
        let Some(book) = self.books.get_mut(&game) else {
            return Err((Fault::NotDurable, "the game is not durable".to_owned()));
        };
        let last = book.game.seq();
        holds(seq <= last, Fault::NotDurable, || format!("event {seq} of {last}"))?;
        let known = book.texts.entry(seq).or_insert_with(|| text.to_owned());
        holds(known == text, Fault::WrongFrame, || format!("before it was {known}"))?;
        let event = book.records.iter().flat_map(|(record, _)| &record.events).nth(seq as usize - 1);
        let event = event.expect("it is durable");
        holds(is_told_as(event, message), Fault::WrongFrame, || format!("{event:?}"))?;
        let view = self.views.entry((tab, game)).or_default();
        holds(seq == view.seq + 1, Fault::Gap, || format!("after event {}", view.seq))?;
        *view = View { seq, is_following: true };
        self.hit("heard: event");
        Ok(())
    }

    fn heard_snapshot(&mut self, tab: u32, snapshot: &Snapshot) -> Look {
        let (game, seq) = (snapshot.game, snapshot.seq);
        let Some((fen, has_ended)) = self.shown(game, seq) else {
            return Err((Fault::NotDurable, format!("a snapshot of event {seq}")));
        };
        let is_right = *fen == snapshot.fen && *has_ended == snapshot.state.outcome.is_some();
        holds(is_right, Fault::WrongFrame, || format!("{snapshot:?} is not {fen}"))?;
        self.views.insert((tab, game), View { seq, is_following: true });
        self.hit("heard: snapshot");
        Ok(())
    }

    fn heard_ok(&mut self, tab: u32, account: Option<AccountId>, ok: &OkAnswer) -> Look {
        let (Some(game), Some(seq), Some(account)) = (ok.game, ok.seq, account) else { return Ok(()) };
        let records = self.books.get(&game).map(|book| book.records.as_slice()).unwrap_or_default();
        let record = records.iter().map(|(record, _)| record).find(|record| record.first_seq == seq);
        let Some(record) = record else {
            return Err((Fault::NotDurable, "there is no such record".to_owned()));
        };
        let is_meant = ok.id.is_none_or(|id| {
            let text = self.texts.get(&(account, id.to_string()));
            record.command == Some(id) || text.is_some_and(|text| means(text, record))
        });
        holds(record.account == Some(account) && is_meant, Fault::WrongOk, || format!("{record:?}"))?;
        self.hit("heard: ok");
        let Some(id) = ok.id else { return Ok(()) };
        self.answered(tab, game, id);
        let first = match self.oks.entry((account, id.to_string())) {
            Entry::Vacant(vacant) => *vacant.insert(seq),
            Entry::Occupied(first) => *first.get(),
        };
        holds(first == seq, Fault::WrongOk, || format!("before it was {first}"))
    }

    /// A command that was sent several times at once, on several connections, may be rejected before it is accepted, and the
    /// rejection may come later than the `ok`. But what was read after it was accepted is not rejected while its answer is kept.
    fn heard_no(&mut self, tab: u32, account: Option<AccountId>, no: &Rejected) -> Look {
        self.hit(format!("rejected: {:?}", no.code));
        let (Some(account), Some(id), Some(game)) = (account, no.id, no.game) else { return Ok(()) };
        let tries = self.answered(tab, game, id);
        let accepted = self.commands.get(&(game, account, id.to_string()));
        let is_known = accepted.is_some_and(|accepted| self.is_kept(game, account, *accepted));
        let is_early = tries.answered <= tries.read_before;
        holds(!is_known || is_early || no.code == Code::Unavailable, Fault::RejectedAfterOk, || {
            format!("it was accepted: {tries:?}")
        })
    }

    /// A tab got an answer. A connection is answered in the order in which it was read.
    fn answered(&mut self, tab: u32, game: GameId, id: CommandId) -> Tries {
        let Some(connection) = self.tabs.get(&tab) else { return Tries::default() };
        let tries = self.tries.entry((*connection, game, id.to_string())).or_default();
        tries.answered += 1;
        *tries
    }

    /// The last event that a tab has of a game.
    pub(in crate::simulation::cluster) fn seen(&self, tab: u32, game: GameId) -> Seq {
        self.views.get(&(tab, game)).map_or(0, |view| view.seq)
    }
}
