//! All connections: every session by its number, and the sessions of each account.
//!
//! For telling an account something on all its connections and everybody that the server stops, and for closing the
//! connections whose token was revoked. It knows no games and no protocol.
//!
//! Invariants: an account has at most `per_account` connections; after [`Connections::stop`] every session is told, also one
//! that comes later; every session of an account is told what the account was last made, or enters as that.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use dashmap::{DashMap, DashSet, Entry};
use zeitnot_protocol::{AccountId, CloseCode};

use super::{ConnectionId, Outbox, ToSession};
use crate::net::{Address, Network};
use crate::storage::{Kind, Person, TokenDigest};
use crate::sync::unpoisoned;
use crate::time::ServiceInstant;

/// How long a revoked token is kept out and a change is remembered: longer than any connection takes from the
/// look-up of its token to [`Connections::enter`]. After that the look-up itself finds no token, and the account as it is.
const REMEMBERED_FOR: Duration = Duration::from_secs(60);

/// An account after its last change.
#[derive(Clone, Copy, Debug)]
struct Change {
    person: Person,
    /// Of two changes of an account the later has the higher one.
    number: u64,
    at: ServiceInstant,
}

/// One connection of an account.
#[derive(Debug)]
struct Tab {
    connection: ConnectionId,
    /// The token that it came in with.
    proof: Option<TokenDigest>,
    outbox: Outbox,
}

/// One session.
#[derive(Debug)]
struct OpenSession {
    outbox: Outbox,
    /// Where it comes from.
    from: Address,
    /// For whom it acts.
    account: Option<AccountId>,
}

/// The connections of one server.
#[derive(Debug)]
pub(crate) struct Connections {
    sessions: DashMap<ConnectionId, OpenSession>,
    accounts: DashMap<AccountId, Vec<Tab>>,
    /// Those of them that are bots.
    bots: DashSet<AccountId>,
    revoked: DashMap<TokenDigest, ServiceInstant>,
    /// The accounts that were changed lately. Never locked while an account's connections are.
    changes: Mutex<HashMap<AccountId, Change>>,
    per_account: usize,
    numbers: AtomicU64,
    /// The server stops.
    stopped: AtomicBool,
    /// Whoever is connected is better off with another node.
    turns_away: AtomicBool,
}

impl Connections {
    /// Nobody; at most `per_account` sessions an account.
    pub(crate) fn new(per_account: usize) -> Self {
        Self {
            sessions: DashMap::new(),
            accounts: DashMap::new(),
            bots: DashSet::new(),
            revoked: DashMap::new(),
            changes: Mutex::default(),
            per_account,
            numbers: AtomicU64::new(1),
            stopped: AtomicBool::new(false),
            turns_away: AtomicBool::new(false),
        }
    }

    /// A new connection from an address. To be given back with [`Connections::close`].
    pub(crate) fn open(&self, outbox: &Outbox, from: Address) -> ConnectionId {
        let connection = ConnectionId(self.numbers.fetch_add(1, Ordering::Relaxed));
        self.sessions.insert(connection, OpenSession { outbox: outbox.clone(), from, account: None });
        // Looked at after the insert: either `stop` finds the session, or the session finds that it came too late.
        if self.stopped.load(Ordering::SeqCst) || self.turns_away() {
            outbox.stop();
        }
        connection
    }

    /// The connection acts for an account from now on, which this token proves, unless the code says why not.
    pub(crate) fn enter(
        &self,
        account: AccountId,
        proof: Option<TokenDigest>,
        connection: ConnectionId,
        outbox: Outbox,
    ) -> Result<(), CloseCode> {
        match self.accounts.entry(account) {
            // Read under the lock of the account's connections: either this sees the revocation, or `revoke` sees the connection.
            _ if proof.is_some_and(|proof| self.revoked.contains_key(&proof)) => Err(CloseCode::Revoked),
            Entry::Occupied(tabs) if tabs.get().len() >= self.per_account => {
                Err(CloseCode::TooManyConnections)
            }
            tabs => {
                if let Some(mut session) = self.sessions.get_mut(&connection) {
                    session.account = Some(account);
                }
                tabs.or_default().push(Tab { connection, proof, outbox });
                Ok(())
            }
        }
    }

    /// Tokens of an account were revoked: the connections that came in with them are closed, and those that were on
    /// their way in.
    pub(crate) fn revoke(&self, account: AccountId, tokens: &[TokenDigest], at: ServiceInstant) {
        self.revoked.retain(|_, since| at.since(*since) < REMEMBERED_FOR);
        for token in tokens {
            self.revoked.insert(*token, at);
        }
        let is_revoked = |tab: &Tab| tab.proof.is_some_and(|proof| tokens.contains(&proof));
        self.tell_those(account, is_revoked, || ToSession::Revoked);
    }

    /// A browser of an account was given another token in place of its last one: the connections that came in with that
    /// go on, and count as come in with the new one.
    pub(crate) fn replace(&self, account: AccountId, last: TokenDigest, new: TokenDigest) {
        let Some(mut tabs) = self.accounts.get_mut(&account) else { return };
        for tab in tabs.iter_mut().filter(|tab| tab.proof == Some(last)) {
            tab.proof = Some(new);
        }
    }

    /// The accounts that were changed lately.
    fn changes(&self) -> MutexGuard<'_, HashMap<AccountId, Change>> {
        unpoisoned(self.changes.lock())
    }

    /// What an account is that was read as `person`: it may have changed since. To be called after
    /// [`Connections::enter`]: every later change is told.
    pub(crate) fn latest(&self, person: Person) -> Person {
        self.changes().get(&person.account).map_or(person, |change| change.person)
    }

    /// The account was changed to this: all its connections are told, and `first` is done before that. Neither happens
    /// when this change, or a later one, which has a higher number, came first.
    pub(crate) fn changed(&self, person: Person, number: u64, at: ServiceInstant, first: impl FnOnce()) {
        let mut changes = self.changes();
        changes.retain(|_, change| at.since(change.at) < REMEMBERED_FOR);
        if changes.get(&person.account).is_some_and(|change| change.number >= number) {
            return;
        }
        changes.insert(person.account, Change { person, number, at });
        if person.kind == Kind::Bot {
            self.note_bot(person.account);
        }
        first();
        self.tell(person.account, None, || ToSession::Changed(person));
    }

    /// The connection is gone. `true` when it was the last one of `account`.
    pub(crate) fn close(&self, connection: ConnectionId, account: Option<AccountId>) -> bool {
        self.sessions.remove(&connection);
        let Some(account) = account else { return false };
        let mut was_there = false;
        if let Some(mut tabs) = self.accounts.get_mut(&account) {
            let before = tabs.len();
            tabs.retain(|tab| tab.connection != connection);
            was_there = tabs.len() < before;
        }
        // Noted under the lock of the account's connections: one that enters after this notes it again.
        let forgets_bot = |_: &AccountId, tabs: &mut Vec<Tab>| {
            tabs.is_empty() && {
                self.bots.remove(&account);
                true
            }
        };
        let is_gone = self.accounts.remove_if_mut(&account, forgets_bot).is_some();
        was_there && is_gone
    }

    /// The account is a bot's. It counts as one for as long as it has a connection.
    pub(crate) fn note_bot(&self, account: AccountId) {
        if let Some(_tabs) = self.accounts.get(&account) {
            self.bots.insert(account);
        }
    }

    /// How many accounts have a connection, without bots.
    pub(crate) fn people_here(&self) -> usize {
        self.accounts.len().saturating_sub(self.bots.len())
    }

    /// Whether the account has a connection.
    pub(crate) fn is_here(&self, account: AccountId) -> bool {
        self.accounts.contains_key(&account)
    }

    /// Where the last connection of the account comes from.
    pub(crate) fn address_of(&self, account: AccountId) -> Option<Address> {
        let last = self.accounts.get(&account)?.last()?.connection;
        self.sessions.get(&last).map(|session| session.from)
    }

    /// For whom a connection acts.
    pub(crate) fn account_of(&self, connection: ConnectionId) -> Option<AccountId> {
        self.sessions.get(&connection)?.account
    }

    /// Whether the account is a bot's with a connection.
    pub(crate) fn is_bot(&self, account: AccountId) -> bool {
        self.bots.contains(&account)
    }

    /// Every connection of an account, with where it comes from.
    pub(crate) fn tabs(&self) -> Vec<(AccountId, ConnectionId, Address)> {
        let mut all = Vec::new();
        for tabs in &self.accounts {
            for tab in tabs.value() {
                if let Some(session) = self.sessions.get(&tab.connection) {
                    all.push((*tabs.key(), tab.connection, session.from));
                }
            }
        }
        all
    }

    /// How the sessions of an account are reached.
    pub(crate) fn outboxes(&self, account: AccountId) -> Vec<Outbox> {
        let tabs = self.accounts.get(&account);
        tabs.map(|tabs| tabs.iter().map(|tab| tab.outbox.clone()).collect()).unwrap_or_default()
    }

    /// The bots that have a connection.
    pub(crate) fn bots_here(&self) -> impl Iterator<Item = AccountId> {
        self.bots.iter().map(|bot| *bot)
    }

    /// Tells every session of an account but `except`. One that cannot take it closes its socket by itself, and one that
    /// has ended needs nothing.
    pub(crate) fn tell(
        &self,
        account: AccountId,
        except: Option<ConnectionId>,
        message: impl FnMut() -> ToSession,
    ) {
        self.tell_those(account, |tab| Some(tab.connection) != except, message);
    }

    fn tell_those(
        &self,
        account: AccountId,
        which: impl Fn(&Tab) -> bool,
        mut message: impl FnMut() -> ToSession,
    ) {
        let Some(tabs) = self.accounts.get(&account) else { return };
        for Tab { connection, outbox, .. } in tabs.iter().filter(|tab| which(tab)) {
            if let Err(error) = outbox.try_send(message()) {
                tracing::debug!(connection = connection.0, ?error, "a session was not told");
            }
        }
    }

    /// Tells one session. One that cannot take it closes its socket by itself, and one that has ended needs
    /// nothing.
    pub(crate) fn tell_one(&self, connection: ConnectionId, message: ToSession) {
        let Some(session) = self.sessions.get(&connection) else { return };
        if let Err(error) = session.outbox.try_send(message) {
            tracing::debug!(connection = connection.0, ?error, "a session was not told");
        }
    }

    /// A network was cut: its sessions are told to close. The answer is how many.
    pub(crate) fn cut(&self, network: Network) -> usize {
        let mut told = 0;
        for line in self.sessions.iter().filter(|line| network.holds(line.from.ip())) {
            // A session whose queue is full closes as well, and comes back in vain.
            line.outbox.try_send(ToSession::CutOff).ok();
            told += 1;
        }
        told
    }

    /// Tells every session that the server stops.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.close_all();
    }

    /// Tells every session to come back, which it does to another node, and each one that comes, until [`Self::let_in`].
    pub(crate) fn turn_away(&self) {
        self.take_no_more();
        self.close_all();
    }

    /// Tells each session that comes from here on to come back, which it does to another node, until [`Self::let_in`].
    pub(crate) fn take_no_more(&self) {
        self.turns_away.store(true, Ordering::SeqCst);
    }

    /// Sessions may come again.
    pub(crate) fn let_in(&self) {
        self.turns_away.store(false, Ordering::SeqCst);
    }

    /// Whether sessions are told to go elsewhere.
    pub(crate) fn turns_away(&self) -> bool {
        self.turns_away.load(Ordering::SeqCst)
    }

    fn close_all(&self) {
        for session in &self.sessions {
            session.outbox.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Inbox;
    use super::*;

    const ALICE: AccountId = AccountId::from_u128(1);
    const BOB: AccountId = AccountId::from_u128(2);

    fn here() -> Address {
        std::net::IpAddr::from([192, 0, 2, 1]).into()
    }

    fn enter(connections: &Connections, account: AccountId) -> (Inbox, ConnectionId) {
        enter_with(connections, account, None)
    }

    fn enter_with(
        connections: &Connections,
        account: AccountId,
        proof: Option<TokenDigest>,
    ) -> (Inbox, ConnectionId) {
        let inbox = Inbox::default();
        let connection = connections.open(&inbox.outbox(), here());
        connections.enter(account, proof, connection, inbox.outbox()).unwrap();
        (inbox, connection)
    }

    fn hello() -> ToSession {
        ToSession::Text("hello".into())
    }

    #[test]
    fn all_tabs_of_an_account_are_told_but_the_one_left_out() {
        let connections = Connections::new(8);
        let (first, _) = enter(&connections, ALICE);
        let (second, asking) = enter(&connections, ALICE);
        let (other, _) = enter(&connections, BOB);
        connections.tell(ALICE, Some(asking), hello);
        assert!(first.signals().queued);
        assert!(!second.signals().queued);
        assert!(!other.signals().queued);
    }

    #[test]
    fn an_account_has_only_so_many() {
        let connections = Connections::new(2);
        let (_first, number) = enter(&connections, ALICE);
        let _second = enter(&connections, ALICE);
        let third = Inbox::default();
        let connection = connections.open(&third.outbox(), here());
        assert_eq!(
            connections.enter(ALICE, None, connection, third.outbox()),
            Err(CloseCode::TooManyConnections)
        );
        assert!(!connections.close(connection, None));
        assert!(!connections.close(number, Some(ALICE)));
        enter(&connections, ALICE);
    }

    #[test]
    fn what_came_in_with_a_revoked_token_is_told_and_the_token_kept_out_for_a_while() {
        let connections = Connections::new(8);
        let [phone, laptop, bobs] = [1, 2, 3].map(|number| TokenDigest([number; 32]));
        let (tab, number) = enter_with(&connections, ALICE, Some(phone));
        let (kept, _) = enter_with(&connections, ALICE, Some(laptop));
        let (other, _) = enter_with(&connections, BOB, Some(bobs));
        connections.revoke(ALICE, &[phone], ServiceInstant(0));
        assert!(matches!(tab.pop(), Some(ToSession::Revoked)));
        assert!(kept.pop().is_none() && other.pop().is_none());
        let late = Inbox::default();
        let connection = connections.open(&late.outbox(), here());
        assert_eq!(connections.enter(ALICE, Some(phone), connection, late.outbox()), Err(CloseCode::Revoked));
        assert_eq!(connections.enter(ALICE, Some(laptop), connection, late.outbox()), Ok(()));
        connections.close(number, Some(ALICE));
        connections.revoke(BOB, &[bobs], ServiceInstant(60_000_000));
        assert_eq!(connections.revoked.len(), 1, "the revocation of Alice's phone is over");
    }

    #[test]
    fn connections_go_on_with_the_token_that_replaced_theirs() {
        let connections = Connections::new(8);
        let [last, new] = [1, 2].map(|number| TokenDigest([number; 32]));
        let (tab, _) = enter_with(&connections, ALICE, Some(last));
        connections.replace(ALICE, last, new);
        connections.revoke(ALICE, &[last], ServiceInstant(0));
        assert!(tab.pop().is_none());
        connections.revoke(ALICE, &[new], ServiceInstant(0));
        assert!(matches!(tab.pop(), Some(ToSession::Revoked)));
    }

    #[test]
    fn the_last_change_of_an_account_is_told_and_found_by_who_comes_in() {
        let connections = Connections::new(8);
        let (tab, _) = enter(&connections, ALICE);
        let named = |account, name: &str| Person { name: name.parse().ok(), ..Person::guest(account) };
        let (first, second) = (named(ALICE, "First"), named(ALICE, "Second"));
        let mut done = Vec::new();
        connections.changed(second, 2, ServiceInstant(0), || done.push(2));
        connections.changed(first, 1, ServiceInstant(0), || done.push(1));
        connections.changed(second, 2, ServiceInstant(0), || done.push(2));
        assert_eq!(done, [2], "the earlier one was answered later, and the same one again changes nothing");
        assert!(matches!(tab.pop(), Some(ToSession::Changed(told)) if told == second));
        assert!(tab.pop().is_none());
        assert_eq!(connections.latest(first), second);
        connections.changed(named(BOB, "Bishop"), 3, ServiceInstant(60_000_000), || {});
        assert_eq!(connections.latest(first), first, "by now it is found where accounts are kept");
    }

    #[test]
    fn the_last_one_to_leave_is_noticed_once() {
        let connections = Connections::new(8);
        let (_first, first) = enter(&connections, ALICE);
        let (_second, second) = enter(&connections, ALICE);
        assert!(!connections.close(first, Some(ALICE)));
        assert!(connections.is_here(ALICE));
        assert!(connections.close(second, Some(ALICE)));
        assert!(!connections.is_here(ALICE));
        assert!(!connections.close(second, Some(ALICE)));
        assert!(
            connections.sessions.is_empty() && connections.accounts.is_empty(),
            "nothing is kept of them"
        );
    }

    #[test]
    fn every_session_is_told_of_the_stop_also_a_late_one() {
        let connections = Connections::new(8);
        let (early, _) = enter(&connections, ALICE);
        connections.stop();
        assert!(early.signals().stop);
        let (late, _) = enter(&connections, BOB);
        assert!(late.signals().stop);
    }

    #[test]
    fn sessions_that_are_turned_away_come_in_again_later() {
        let connections = Connections::new(8);
        let (early, _) = enter(&connections, ALICE);
        connections.turn_away();
        assert!(early.signals().stop && connections.turns_away());
        let (meanwhile, _) = enter(&connections, BOB);
        assert!(meanwhile.signals().stop);
        connections.let_in();
        let (later, _) = enter(&connections, BOB);
        assert!(!later.signals().stop);
    }

    #[test]
    fn people_are_accounts_with_a_connection_that_are_no_bots() {
        let connections = Connections::new(3);
        let (_alice, first) = enter(&connections, ALICE);
        let (_again, second) = enter(&connections, ALICE);
        let (_bob, bob) = enter(&connections, BOB);
        assert_eq!(connections.people_here(), 2);
        connections.note_bot(BOB);
        connections.note_bot(AccountId::from_u128(3));
        assert_eq!(connections.people_here(), 1, "who has no connection is no bot that is here");
        connections.close(bob, Some(BOB));
        assert!(connections.bots.is_empty());
        connections.close(first, Some(ALICE));
        assert_eq!(connections.people_here(), 1);
        connections.close(second, Some(ALICE));
        assert_eq!(connections.people_here(), 0);
    }
}
