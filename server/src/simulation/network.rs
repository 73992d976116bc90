//! Connections: bytes and frames on their way, in order, late, or cut off.

use super::World;
use super::checker::TabId;
use super::world::What;
use crate::connections::ConnectionId;
use crate::session::tests::simulated::Up;

/// A connection as the network sees it.
#[derive(Debug)]
pub(super) struct Wire {
    pub(super) tab: TabId,
    /// When the last frame arrives that was sent up, and down.
    up_until: u64,
    down_until: u64,
    /// What is sent up arrives.
    pub(super) is_open_up: bool,
    /// What is sent down is.
    is_open_down: bool,
}

impl World {
    /// How long a frame is on its way.
    fn way(&mut self) -> u64 {
        let longest = if self.is_healing { 2_000 } else { self.faults.latency };
        self.dice.span(longest)
    }

    /// A client sends a frame.
    pub(super) fn send_up(&mut self, connection: ConnectionId, up: Up) {
        let way = self.way();
        let wire = self.wires.get_mut(&connection).expect("a tab's connection has a wire");
        let said = format!("{} tab {} on {} says {up:?}", self.now, wire.tab, connection.0);
        // Never at the same instant: what is due then happens in any order.
        wire.up_until = (wire.up_until + 1).max(self.now + way);
        let at = wire.up_until;
        self.trace(&said);
        self.at(at, What::Up { connection, up });
    }

    /// The server's kernel sends bytes.
    pub(super) fn send_down(&mut self, connection: ConnectionId, bytes: Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let way = self.way();
        let wire = self.wires.get_mut(&connection).expect("a session has a wire");
        if !wire.is_open_down {
            return;
        }
        wire.down_until = (wire.down_until + 1).max(self.now + way);
        let at = wire.down_until;
        self.at(at, What::Down { connection, bytes });
    }

    /// The server's end closes: the client is notified after everything that was sent.
    pub(super) fn close_down(&mut self, connection: ConnectionId) {
        let way = self.way();
        let wire = self.wires.get_mut(&connection).expect("a session has a wire");
        (wire.is_open_up, wire.is_open_down) = (false, false);
        let at = (wire.down_until + 1).max(self.now + way);
        self.at(at, What::Closed { connection });
    }

    /// A connection breaks: the client knows at once, the server later or never.
    pub(super) fn cut(&mut self, connection: ConnectionId) {
        self.checker.coverage.hit("fault: cut");
        let arrives = self.dice.one_in(2);
        let wire = self.wires.get_mut(&connection).expect("a tab's connection has a wire");
        wire.is_open_up &= arrives;
        wire.is_open_down = false;
        let (tab, until) = (wire.tab, wire.up_until);
        self.hangs_up(tab);
        if self.dice.permille(self.faults.half_open) {
            self.checker.coverage.hit("fault: half open");
        } else {
            let at = until.max(self.now) + 1 + self.dice.span(500_000);
            self.at(at, What::EndOfUp { connection });
        }
    }

    /// A tab has lost its connection, and comes back.
    pub(super) fn hangs_up(&mut self, tab_id: TabId) {
        let tab = &mut self.tabs[tab_id as usize];
        tab.connection = None;
        tab.bytes.clear();
        self.checker.disconnected(tab_id);
        self.connects_later(tab_id);
    }

    pub(super) fn connects_later(&mut self, tab: TabId) {
        if std::mem::replace(&mut self.tabs[tab as usize].is_connecting, true) {
            return;
        }
        let wait = if self.is_healing { 100_000 } else { self.dice.span(4_000_000) };
        self.after(wait, What::Connect { tab });
    }

    /// Every tab of a person connects, unless the person stays away.
    pub(super) fn connects(&mut self, person: usize) {
        let is_away = self.is_away(person);
        for tab in self.people[person].tabs.clone() {
            match self.tabs[tab as usize].connection {
                Some(connection) if is_away => self.cut(connection),
                None if !is_away => self.connects_later(tab),
                _ => {}
            }
        }
    }

    pub(super) fn is_away(&self, person: usize) -> bool {
        let nobody = self.faults.nobody.is_some_and(|(from, until)| (from..until).contains(&self.now));
        !self.is_healing && (nobody || self.now >= self.people[person].quits_at)
    }

    /// A tab connects, if there is a server.
    pub(super) fn connect(&mut self, tab_id: TabId) {
        let person = self.tabs[tab_id as usize].person;
        self.tabs[tab_id as usize].is_connecting = false;
        if self.tabs[tab_id as usize].connection.is_some() || self.is_away(person) {
            return;
        }
        if self.process.is_none() {
            return self.connects_later(tab_id);
        }
        self.connections += 1;
        let connection = ConnectionId(self.connections);
        let wire = Wire {
            tab: tab_id,
            up_until: self.now,
            down_until: self.now,
            is_open_up: true,
            is_open_down: true,
        };
        self.wires.insert(connection, wire);
        self.tabs[tab_id as usize].connection = Some(connection);
        let account = self.people[person].account;
        self.opens(connection, account);
        if account.is_none() {
            self.send_up(connection, Up::Text(r#"{"t":"hello","d":{}}"#.to_owned()));
        }
    }

    /// The client hears that the connection is closed.
    pub(super) fn closed(&mut self, connection: ConnectionId) {
        let tab = self.wires[&connection].tab;
        if self.tabs[tab as usize].connection == Some(connection) {
            self.hangs_up(tab);
        }
    }
}
