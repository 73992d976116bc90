//! On the node that has the lobby: which accounts are connected to other nodes.
//!
//! Invariant: what a node has told counts until its link is closed, or it begins anew.

use std::collections::{HashMap, HashSet};

use zeitnot_protocol::AccountId;

use crate::cluster::wire::Playing;
use crate::net::Address;
use crate::storage::NodeNumber;

/// An account that has a connection on another node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lobby) struct Guest {
    /// Where its last connection comes from.
    pub(in crate::lobby) address: Address,
    pub(in crate::lobby) is_bot: bool,
    pub(in crate::lobby) playing: Playing,
    /// Since it arrived something was decided about its place in a pool: what its node remembers of that counts no more.
    pub(in crate::lobby) is_settled: bool,
}

/// Those of all other nodes.
#[derive(Debug, Default)]
pub(in crate::lobby) struct Guests {
    nodes: HashMap<NodeNumber, HashMap<AccountId, Guest>>,
}

impl Guests {
    /// An account has a connection there.
    pub(in crate::lobby) fn connected(&mut self, node: NodeNumber, account: AccountId, guest: Guest) {
        let there = self.nodes.entry(node).or_default();
        let is_settled = there.get(&account).is_some_and(|before| before.is_settled);
        there.insert(account, Guest { is_settled, ..guest });
    }

    /// An account is a bot's from now on.
    pub(in crate::lobby) fn note_bot(&mut self, account: AccountId) {
        for guest in self.nodes.values_mut().filter_map(|there| there.get_mut(&account)) {
            guest.is_bot = true;
        }
    }

    /// What an account plays, as its node says with a command.
    pub(in crate::lobby) fn plays(&mut self, node: NodeNumber, account: AccountId, playing: Playing) {
        if let Some(guest) = self.nodes.get_mut(&node).and_then(|there| there.get_mut(&account)) {
            guest.playing = playing;
        }
    }

    /// Something was decided about the account's place in a pool.
    pub(in crate::lobby) fn settle(&mut self, account: AccountId) {
        for guest in self.nodes.values_mut().filter_map(|there| there.get_mut(&account)) {
            guest.is_settled = true;
        }
    }

    /// The account as it is known from that node.
    pub(in crate::lobby) fn at(&self, node: NodeNumber, account: AccountId) -> Option<&Guest> {
        self.nodes.get(&node)?.get(&account)
    }

    pub(in crate::lobby) fn left(&mut self, node: NodeNumber, account: AccountId) {
        if let Some(there) = self.nodes.get_mut(&node) {
            there.remove(&account);
        }
    }

    /// Everybody there is gone: them.
    pub(in crate::lobby) fn lose(&mut self, node: NodeNumber) -> Vec<AccountId> {
        self.nodes.remove(&node).map(|there| there.into_keys().collect()).unwrap_or_default()
    }

    /// The account, on each node where it has a connection.
    pub(in crate::lobby) fn of(&self, account: AccountId) -> impl Iterator<Item = (NodeNumber, &Guest)> {
        self.nodes.iter().filter_map(move |(node, there)| Some((*node, there.get(&account)?)))
    }

    /// The bots that are connected to other nodes, on each of them.
    pub(in crate::lobby) fn bots(&self) -> impl Iterator<Item = AccountId> {
        let bots = self.nodes.values().flatten().filter(|(_, guest)| guest.is_bot);
        bots.map(|(account, _)| *account)
    }

    /// How many people are connected to other nodes and not to this one, without bots.
    pub(in crate::lobby) fn people(&self, is_here: impl Fn(AccountId) -> bool) -> usize {
        let people = self.nodes.values().flatten().filter(|(_, guest)| !guest.is_bot);
        people.map(|(account, _)| *account).filter(|account| !is_here(*account)).collect::<HashSet<_>>().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: NodeNumber = NodeNumber(1);
    const B: NodeNumber = NodeNumber(2);
    const ALICE: AccountId = AccountId::from_u128(1);
    const BOB: AccountId = AccountId::from_u128(2);
    const BOT: AccountId = AccountId::from_u128(3);

    fn guest(is_bot: bool) -> Guest {
        let address = std::net::IpAddr::from([192, 0, 2, 1]).into();
        Guest { address, is_bot, playing: Playing::default(), is_settled: false }
    }

    #[test]
    fn an_account_is_counted_once_and_stays_until_its_last_node_is_lost() {
        let mut guests = Guests::default();
        for (node, account, is_bot) in [(A, ALICE, false), (B, ALICE, false), (B, BOB, false), (A, BOT, true)]
        {
            guests.connected(node, account, guest(is_bot));
        }
        assert_eq!(guests.people(|_| false), 2);
        assert_eq!(guests.people(|account| account == BOB), 1, "who is here is counted here");
        assert_eq!(guests.of(ALICE).count(), 2);
        guests.note_bot(BOB);
        let mut bots: Vec<_> = guests.bots().collect();
        bots.sort();
        assert_eq!(bots, [BOB, BOT]);
        assert_eq!(guests.people(|_| false), 1);
        let mut gone = guests.lose(A);
        gone.sort();
        assert_eq!(gone, [ALICE, BOT]);
        assert_eq!(guests.of(ALICE).map(|(node, _)| node).collect::<Vec<_>>(), [B]);
        guests.left(B, ALICE);
        assert_eq!(guests.of(ALICE).count(), 0);
        assert_eq!(guests.people(|_| false), 0);
    }

    #[test]
    fn what_was_decided_about_a_place_is_known_until_the_node_begins_anew() {
        let mut guests = Guests::default();
        guests.connected(A, ALICE, guest(false));
        guests.settle(ALICE);
        guests.connected(A, ALICE, guest(false));
        guests.connected(B, ALICE, guest(false));
        let is_settled = |guests: &Guests, node| guests.at(node, ALICE).map(|guest| guest.is_settled);
        assert_eq!((is_settled(&guests, A), is_settled(&guests, B)), (Some(true), Some(false)));
        guests.lose(A);
        guests.connected(A, ALICE, guest(false));
        assert_eq!(is_settled(&guests, A), Some(false));
    }

    #[test]
    fn what_an_account_plays_is_what_its_node_said_last() {
        let mut guests = Guests::default();
        guests.connected(A, ALICE, guest(false));
        let playing = Playing { live: 1, with_clocks: true };
        guests.plays(A, ALICE, playing);
        guests.plays(B, ALICE, Playing::default());
        assert_eq!(guests.of(ALICE).map(|(_, guest)| guest.playing).collect::<Vec<_>>(), [playing]);
    }
}
