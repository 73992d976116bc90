//! Taking in what was changed about people over whichever node: what this one keeps of it in memory, and what its sessions are
//! told. What was changed over this node was done at once, and comes again.
//!
//! Invariant: nothing of a change is done twice that anybody would notice.
//!
//! Deliberately absent: reading the changes (`storage`, `cluster`), and everything that is not kept in memory.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::accounts::Accounts;
use crate::net::CutNetwork;
use crate::session::Sessions;
use crate::storage::{Change, Changed, Cut, Restrictions};

/// Takes changes in as they are read, until the server stops.
pub(super) async fn take_in(sessions: Arc<Sessions>, mut read: mpsc::Receiver<Vec<Change>>) {
    let stopping = sessions.tasks.stopping();
    while let Some(Some(changes)) = stopping.run_until_cancelled(read.recv()).await {
        changes.into_iter().for_each(|change| take(&sessions, change));
    }
}

fn take(Sessions { accounts, connections, lobby, clock, .. }: &Sessions, change: Change) {
    let now = clock.now();
    match change {
        Change::Account(Changed { person, number }) => {
            connections.changed(person, number, now, || lobby.changed_by_a_node(person));
        }
        Change::Revoked { account, token } => connections.revoke(account, &[token], now),
        Change::Replaced { account, last, new } => connections.replace(account, last, new),
        Change::Muted(mute) => accounts.mutes.insert(mute),
        Change::Unmuted(account) => accounts.mutes.remove(account),
        Change::Cut(cut) => {
            if let Some(CutNetwork { network, .. }) = put_in_force(accounts, &cut) {
                connections.cut(network);
            }
        }
        Change::Uncut(network) => {
            if let Ok(network) = network.parse() {
                accounts.addresses.cuts.remove(network);
            }
        }
        Change::Blocked(block) => {
            accounts.blocks.take_in(block, true);
            lobby.blocked_by_a_node(block);
        }
        Change::Unblocked(block) => accounts.blocks.take_in(block, false),
    }
}

/// Puts in force what admins had put in force before.
pub(super) fn restore(accounts: &Accounts, Restrictions { mutes, cuts }: &Restrictions) {
    accounts.mutes.restore(mutes);
    for cut in cuts {
        put_in_force(accounts, cut);
    }
}

/// Cuts a network, if what is kept of that is one.
fn put_in_force(accounts: &Accounts, Cut { network, until_unix_ms }: &Cut) -> Option<CutNetwork> {
    let cut = match network.parse() {
        Ok(network) => CutNetwork { network, until_unix_ms: *until_unix_ms },
        Err(error) => {
            tracing::error!(%error, "a cut is not read: its network is answered");
            return None;
        }
    };
    accounts.addresses.cuts.insert(cut);
    Some(cut)
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::AccountId;

    use super::*;
    use crate::connections::{Inbox, ToSession};
    use crate::server::Server;
    use crate::storage::{Block, MemoryStore, Mute, Person, TokenDigest};
    use crate::time::unix_now_ms;

    const ALICE: AccountId = AccountId::from_u128(1);
    const BOB: AccountId = AccountId::from_u128(2);

    #[tokio::test(start_paused = true)]
    async fn what_was_changed_over_other_nodes_is_taken_in_once_and_in_its_order() {
        let server = Server::on(Arc::new(MemoryStore::default()));
        let Sessions { connections, accounts, tasks, .. } = &*server.sessions;
        let (first, second) = (TokenDigest([1; 32]), TokenDigest([2; 32]));
        let (inbox, address) = (Inbox::default(), std::net::IpAddr::from([192, 0, 2, 7]));
        let connection = connections.open(&inbox.outbox(), address.into());
        connections.enter(ALICE, Some(first), connection, inbox.outbox()).unwrap();
        let (tell, read) = mpsc::channel(1);
        tasks.spawn(take_in(Arc::clone(&server.sessions), read));
        let told = async |changes: Vec<Change>| {
            tell.send(changes).await.unwrap();
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            std::iter::from_fn(|| inbox.pop()).collect::<Vec<_>>()
        };

        let castle = Person { name: "Castle".parse().ok(), ..Person::guest(ALICE) };
        let named = |person, number| Change::Account(Changed { person, number });
        let news = told(vec![named(castle, 2), named(castle, 2), named(Person::guest(ALICE), 1)]).await;
        assert!(matches!(news[..], [ToSession::Changed(person)] if person == castle), "{news:?}");
        let revoked = |token| Change::Revoked { account: ALICE, token };
        let replaced = Change::Replaced { account: ALICE, last: first, new: second };
        assert!(told(vec![replaced, revoked(first)]).await.is_empty(), "it goes on with the other token");
        let news = told(vec![revoked(second)]).await;
        assert!(matches!(news[..], [ToSession::Revoked]), "{news:?}");

        let (until_unix_ms, network) = (unix_now_ms() + 600_000, "192.0.2.0/24".to_owned());
        let block = Block { by: ALICE, whom: BOB };
        let cut = Change::Cut(Cut { network: network.clone(), until_unix_ms });
        let muted = Change::Muted(Mute { account: ALICE, until_unix_ms });
        let news = told(vec![muted, cut, Change::Blocked(block), Change::Blocked(block)]).await;
        assert!(matches!(news[..], [ToSession::CutOff]), "{news:?}");
        let in_force = || {
            let is_muted = accounts.mutes.until(ALICE).is_some();
            (is_muted, accounts.addresses.cuts.hold(address), accounts.blocks.are_between(BOB, ALICE))
        };
        assert_eq!(in_force(), (true, true, true));
        told(vec![Change::Unmuted(ALICE), Change::Uncut(network), Change::Unblocked(block)]).await;
        assert_eq!(in_force(), (false, false, false));
    }
}
