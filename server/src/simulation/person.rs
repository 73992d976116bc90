//! People and their tabs: clients that follow docs/protocol.md.
//!
//! A person keeps what was not answered, and sends it again on any connection until it is. A tab
//! keeps the last event it has of each game, and asks for what follows. What they want to do is
//! drawn in `acts`.

use std::collections::{BTreeMap, BTreeSet};

use zeitnot_protocol::{
    AccountId, ClientMessage, Code, CommandId, GameId, GameRef, ServerMessage, Turn, Watch, WireColor,
};

use super::World;
use super::checker::TabId;
use super::world::What;
use crate::connections::ConnectionId;

/// The id of every `watch`.
const WATCH: &str = "w";

/// A command that was not answered yet.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) game: GameId,
    pub(super) id: Option<CommandId>,
    pub(super) text: String,
    pub(super) at: u64,
}

/// What a person knows of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Board {
    pub(super) turn: Option<Turn>,
    pub(super) draw_offer: Option<(WireColor, u32)>,
    pub(super) takeback_offer: Option<(WireColor, u32)>,
    /// Since when the opponent can be claimed absent.
    pub(super) claimable_at: Option<u64>,
    pub(super) last_own_move: Option<String>,
    pub(super) has_ended: bool,
    pub(super) moves_while_healing: u32,
}

/// A player of some games, or a spectator.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) account: Option<AccountId>,
    pub(super) seats: BTreeMap<GameId, WireColor>,
    pub(super) watches: Vec<GameId>,
    pub(super) tabs: Vec<TabId>,
    pub(super) boards: BTreeMap<GameId, Board>,
    pub(super) unanswered: Vec<Sent>,
    pub(super) commands: u32,
    /// Plays back and forth.
    pub(super) shuffles: bool,
    /// Likes to wait until the flag is about to fall.
    pub(super) races: bool,
    /// Stays away from this instant until everything heals.
    pub(super) quits_at: u64,
}

/// A client's connection, or the lack of one.
#[derive(Debug)]
pub(super) struct Tab {
    pub(super) person: usize,
    pub(super) connection: Option<ConnectionId>,
    pub(super) bytes: Vec<u8>,
    /// Games that are not watched any more.
    pub(super) unwatched: BTreeSet<GameId>,
    pub(super) is_connecting: bool,
}

impl World {
    /// Bytes have come to a tab.
    pub(super) fn bytes_come(&mut self, connection: ConnectionId, bytes: &[u8]) {
        let tab_id = self.wires[&connection].tab;
        let tab = &mut self.tabs[tab_id as usize];
        if tab.connection != Some(connection) {
            return;
        }
        tab.bytes.extend_from_slice(bytes);
        while let Some((is_ping, payload)) = next_frame(&mut self.tabs[tab_id as usize].bytes) {
            if is_ping {
                let number = payload.try_into().map_or(0, u32::from_be_bytes);
                self.send_up(connection, crate::session::tests::simulated::Up::Pong(number));
            } else {
                let text = String::from_utf8(payload).expect("the server writes UTF-8");
                self.hears(tab_id, &text);
            }
            if self.checker.has_complaint() {
                return;
            }
        }
    }

    fn hears(&mut self, tab: TabId, text: &str) {
        self.trace(&format!("{} tab {tab} {text}", self.now));
        let message = zeitnot_protocol::decode_server(text).expect("the server writes what can be read");
        let person = self.tabs[tab as usize].person;
        let account = self.people[person].account;
        self.checker.heard(tab, account, &message, text);
        if self.checker.has_complaint() {
            return;
        }
        match message {
            ServerMessage::Welcome(_) => self.comes_back(tab),
            ServerMessage::Turn(turn) => self.has_the_turn(person, turn),
            ServerMessage::Ok(ok) => self.answered(person, ok.id, ok.game, None),
            ServerMessage::Rejected(no) => {
                // A rejected `watch` is to be asked again.
                if let Some(game) = no.game.filter(|_| no.id.is_some_and(|id| id.to_string() == WATCH)) {
                    self.tabs[tab as usize].unwatched.insert(game);
                }
                self.answered(person, no.id, no.game, Some(no.code));
            }
            ServerMessage::Presence(presence) => {
                self.checker.coverage.hit("heard: presence");
                let at = presence.claim_in_ms.map(|ms| self.now + u64::from(ms) * 1_000);
                self.board(person, presence.game).claimable_at = at.filter(|_| !presence.here);
            }
            message => self.sees(person, &message),
        }
    }

    pub(super) fn board(&mut self, person: usize, game: GameId) -> &mut Board {
        self.people[person].boards.entry(game).or_default()
    }

    fn sees(&mut self, person: usize, message: &ServerMessage) {
        match message {
            ServerMessage::Snapshot(snapshot) => {
                self.checker.coverage.hit("heard: snapshot");
                let (draw, takeback) = (snapshot.state.draw_offer, snapshot.state.takeback_offer);
                let board = self.board(person, snapshot.game);
                board.draw_offer = draw.map(|offer| (offer.by, offer.seq));
                board.takeback_offer = takeback.map(|offer| (offer.by, offer.seq));
                board.has_ended |= snapshot.state.outcome.is_some();
            }
            ServerMessage::DrawOffered(offer) | ServerMessage::IlcAsked(offer) => {
                self.board(person, offer.game).draw_offer = Some((offer.by, offer.seq));
            }
            ServerMessage::TakebackOffered(offer) => {
                self.board(person, offer.game).takeback_offer = Some((offer.by, offer.seq));
            }
            ServerMessage::Ended(ended) => self.board(person, ended.game).has_ended = true,
            ServerMessage::Clock(_) => self.checker.coverage.hit("heard: clock"),
            ServerMessage::Watchers(_) => self.checker.coverage.hit("heard: watchers"),
            ServerMessage::History(_) => self.checker.coverage.hit("heard: history"),
            _ => {}
        }
    }

    fn has_the_turn(&mut self, person: usize, turn: Turn) {
        self.checker.coverage.hit("heard: turn");
        let (game, on) = (turn.game, turn.on);
        let is_new = self.board(person, game).turn.as_ref().is_none_or(|known| known.on != on);
        let wait = self.think_time(person, &turn);
        self.board(person, game).turn = Some(turn);
        if is_new {
            self.after(wait, What::Think { person, game, on });
        }
    }

    fn answered(&mut self, person: usize, id: Option<CommandId>, game: Option<GameId>, no: Option<Code>) {
        if no.is_some() {
            self.checker.coverage.hit("heard: rejected");
        }
        // It cannot be done now: later, again.
        if no == Some(Code::Unavailable) {
            return;
        }
        let unanswered = &mut self.people[person].unanswered;
        let is_it = |sent: &Sent| sent.id == id && Some(sent.game) == game;
        if let Some(index) = unanswered.iter().position(is_it) {
            unanswered.remove(index);
        }
    }

    /// The connection is open: what was not answered is sent again, and what is watched is asked
    /// for.
    fn comes_back(&mut self, tab: TabId) {
        let person = self.tabs[tab as usize].person;
        for sent in self.people[person].unanswered.clone() {
            self.say(tab, &sent.text);
        }
        for game in self.people[person].watches.clone() {
            self.watches(tab, game);
        }
        for game in self.people[person].seats.keys().copied().collect::<Vec<_>>() {
            if self.checker.seen(tab, game) > 0 && self.dice.one_in(4) {
                self.watches(tab, game);
            }
        }
    }

    /// Asks for a game: for what follows the last event that is known, or for everything.
    pub(super) fn watches(&mut self, tab: TabId, game: GameId) {
        self.tabs[tab as usize].unwatched.remove(&game);
        let seen = self.checker.seen(tab, game);
        let after = if seen > 0 && !self.dice.one_in(4) {
            Some(seen)
        } else if self.dice.one_in(6) {
            Some(self.dice.below(u64::from(seen) + 1) as u32)
        } else {
            None
        };
        if let Some(after) = after {
            self.checker.asks_after(tab, game, after);
        }
        self.checker.coverage.hit(if after.is_some() { "act: watch after" } else { "act: watch" });
        let id = Some(WATCH.parse().expect("one letter is an id"));
        let watch = ClientMessage::Watch(Watch { game, after, id });
        self.say(tab, &watch.to_text());
    }

    /// A spectator looks away.
    pub(super) fn looks_away(&mut self, tab: TabId, game: GameId) {
        self.checker.coverage.hit("act: unwatch");
        self.tabs[tab as usize].unwatched.insert(game);
        self.say(tab, &ClientMessage::Unwatch(GameRef { game }).to_text());
    }

    /// Sends a text on a tab's connection, if it has one.
    pub(super) fn say(&mut self, tab: TabId, text: &str) {
        if let Some(connection) = self.tabs[tab as usize].connection {
            self.send_up(connection, crate::session::tests::simulated::Up::Text(text.to_owned()));
            if !self.is_healing && self.dice.permille(self.faults.cut) {
                self.cut(connection);
            }
        }
    }

    /// One of a person's connected tabs.
    pub(super) fn some_tab(&mut self, person: usize) -> Option<TabId> {
        let open = |tab: &&TabId| self.tabs[**tab as usize].connection.is_some();
        let open: Vec<_> = self.people[person].tabs.iter().filter(open).copied().collect();
        if open.is_empty() { None } else { Some(*self.dice.pick(&open)) }
    }
}

/// Takes the first whole frame (RFC 6455, section 5.2): whether it is a ping, and its payload.
pub(super) fn next_frame(bytes: &mut Vec<u8>) -> Option<(bool, Vec<u8>)> {
    let (&first, &second) = (bytes.first()?, bytes.get(1)?);
    let (head, length) = match second {
        126 => (4, usize::from(u16::from_be_bytes([*bytes.get(2)?, *bytes.get(3)?]))),
        127 => panic!("no frame of ours is longer than 32 KiB"),
        length => (2, usize::from(length)),
    };
    if bytes.len() < head + length {
        return None;
    }
    let payload = bytes[head..head + length].to_vec();
    bytes.drain(..head + length);
    Some((first == 0x89, payload))
}
