//! What several processes that serve from one database read of what was changed about people.

use std::sync::Arc;

use zeitnot_protocol::AccountId;
use zeitnot_test_servers::{TestDatabase, until};

use super::{open, open_as};
use crate::storage::{
    Block, Change, Changed, Cut, Grant, Kind, Mute, NewToken, NodeStore, Nodes, PasswordHash, Person,
    Registered, Registration, Store, TokenDigest, TokenKind, Which,
};

const ALICE: AccountId = AccountId::from_u128(1);
const BOB: AccountId = AccountId::from_u128(2);
const TOMORROW: u64 = u64::MAX >> 12;

/// A process beside others, which has said that it lives.
struct Process {
    store: Arc<dyn Store>,
    nodes: Arc<dyn NodeStore>,
}

impl Process {
    async fn begin(database: &TestDatabase) -> Self {
        let (opened, ..) = open_as(&database.url(), Nodes::Several).unwrap();
        let nodes = opened.nodes.unwrap();
        nodes.poll().await.unwrap();
        Self { store: opened.store, nodes }
    }

    async fn changes(&self) -> Vec<Change> {
        self.nodes.changes().await.unwrap()
    }

    async fn mute(&self, account: AccountId) -> Change {
        let mute = Mute { account, until_unix_ms: TOMORROW };
        assert_eq!(self.store.mute(mute, 5).await, Ok(true));
        Change::Muted(mute)
    }
}

fn digest(number: u8) -> TokenDigest {
    TokenDigest([number; 32])
}

fn session(number: u8) -> NewToken {
    let (digest, kind, label) = (digest(number), TokenKind::Session, String::new());
    NewToken { digest, kind, made_unix_ms: 5, label, grant: Grant::SESSION }
}

fn account(kind: Kind, name: Option<&str>, number: u64) -> Change {
    let name = name.map(|name| name.parse().unwrap());
    Change::Account(Changed { person: Person { account: ALICE, kind, name }, number })
}

fn revoked(number: u8) -> Change {
    Change::Revoked { account: ALICE, token: digest(number) }
}

fn mute_in_sql(account: u8) -> String {
    format!("INSERT INTO mutes VALUES ('00000000-0000-0000-0000-{account:012}', {TOMORROW})")
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn every_process_reads_once_and_in_order_what_was_changed_over_any() {
    let database = TestDatabase::new();
    let (one, other) = (Process::begin(&database).await, Process::begin(&database).await);
    let block = Block { by: ALICE, whom: BOB };
    let cut = Cut { network: "192.0.2.0/24".to_owned(), until_unix_ms: TOMORROW };
    one.store.create_account(ALICE, session(1)).await.unwrap();
    assert_eq!(other.changes().await, [], "nobody knows the account yet");
    let named = one.store.rename(ALICE, "Castle".parse().unwrap(), 0).await.unwrap().unwrap();
    let again = other.store.rename(ALICE, "Rook".parse().unwrap(), 0).await.unwrap().unwrap();
    assert_eq!((named.number, again.number), (1, 2), "whichever process has made it");
    let muted = one.mute(ALICE).await;
    assert_eq!(other.store.cut(cut.clone(), 5).await, Ok(true));
    other.store.block(block).await.unwrap();
    other.store.block(block).await.unwrap();
    let expected = [
        account(Kind::Guest, Some("Castle"), 1),
        account(Kind::Guest, Some("Rook"), 2),
        muted,
        Change::Cut(cut.clone()),
        Change::Blocked(block),
    ];
    assert_eq!((one.changes().await, other.changes().await), (expected.to_vec(), expected.to_vec()));
    assert_eq!(one.store.unmute(ALICE).await, Ok(true));
    assert_eq!(one.store.uncut(cut.network.clone()).await, Ok(true));
    one.store.unblock(block).await.unwrap();
    let expected = [Change::Unmuted(ALICE), Change::Uncut(cut.network), Change::Unblocked(block)];
    for process in [&one, &other] {
        assert_eq!(process.changes().await, expected);
        assert_eq!(process.changes().await, []);
    }
    one.store.note_use(ALICE, digest(1), 9).await.unwrap();
    assert_eq!(other.changes().await, [], "when it was used is nobody's business");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn tokens_that_are_revoked_or_replaced_are_told_and_all_that_a_closed_account_had() {
    let database = TestDatabase::new();
    let (one, other) = (Process::begin(&database).await, Process::begin(&database).await);
    let (name, password) = ("Castle".parse().unwrap(), PasswordHash("hash".to_owned()));
    one.store.create_account(ALICE, session(1)).await.unwrap();
    let registration = Registration {
        account: ALICE,
        is_new: false,
        name,
        password: password.clone(),
        token: session(2),
        replaces: Some(digest(1)),
        ended: Some(Which::All),
    };
    let Registered::As(registered, _) = one.store.register(registration).await.unwrap() else { panic!() };
    let replaced = |last, new| Change::Replaced { account: ALICE, last: digest(last), new: digest(new) };
    assert_eq!(other.changes().await, [Change::Account(registered), replaced(1, 2), revoked(1)]);
    let signed_in = one.store.sign_in(ALICE, password, session(3), Some(digest(2))).await;
    assert_eq!(signed_in, Ok(Some(vec![digest(2)])));
    assert_eq!(other.changes().await, [replaced(2, 3), revoked(2)]);

    one.mute(ALICE).await;
    let blocks = [(ALICE, BOB), (BOB, ALICE)].map(|(by, whom)| Block { by, whom });
    for block in blocks {
        one.store.block(block).await.unwrap();
    }
    other.changes().await;
    one.store.close_account(ALICE, None).await.unwrap().unwrap();
    let told = other.changes().await;
    assert_eq!(told[0], account(Kind::Closed, None, 2));
    assert_eq!(told[1], Change::Unmuted(ALICE));
    assert!(blocks.iter().all(|block| told[2..4].contains(&Change::Unblocked(*block))), "{told:?}");
    assert_eq!(told[4..], [revoked(3)]);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_change_that_is_committed_late_is_read_once_like_all_others() {
    let database = TestDatabase::new();
    let process = Process::begin(&database).await;
    // Its number is lower than that of what is committed before it.
    let mut late = database.hold(&mute_in_sql(1));
    let bob = process.mute(BOB).await;
    assert_eq!(process.changes().await, [bob]);
    process.nodes.poll().await.unwrap();
    assert_eq!(process.changes().await, []);
    late.also("COMMIT");
    late.release();
    assert_eq!(process.changes().await, [Change::Muted(Mute { account: ALICE, until_unix_ms: TOMORROW })]);
    assert_eq!(process.changes().await, []);
    let first = "SELECT change ->> 'account' FROM changes ORDER BY id LIMIT 1";
    assert_eq!(database.sql(first), ALICE.to_string());
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_change_that_was_under_way_at_a_start_is_read() {
    let database = TestDatabase::new();
    let first = Process::begin(&database).await;
    let old = first.mute(BOB).await;
    let mut under_way = database.hold(&mute_in_sql(1));
    let (opened, ..) = open_as(&database.url(), Nodes::Several).unwrap();
    assert_eq!(opened.restrictions.mutes.len(), 1, "the start has not seen it");
    under_way.also("COMMIT");
    under_way.release();
    let read = opened.nodes.unwrap().changes().await.unwrap();
    let new = Change::Muted(Mute { account: ALICE, until_unix_ms: TOMORROW });
    assert_eq!(read.last(), Some(&new));
    assert!(read.len() == 1 || read[..] == [old, new], "what it has seen may come again: {read:?}");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn very_many_changes_are_read_in_parts_and_others_wait_behind_them() {
    let database = TestDatabase::new();
    let process = Process::begin(&database).await;
    database.sql(&format!(
        "INSERT INTO mutes SELECT ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, {TOMORROW} \
         FROM generate_series(1, 1500) AS n"
    ));
    database.sql("DELETE FROM mutes WHERE account = '00000000-0000-0000-0000-000000000001'");
    let mut read = process.changes().await;
    assert_eq!(read.len(), 1_024);
    read.extend(process.changes().await);
    assert_eq!((read.len(), read.last()), (1_501, Some(&Change::Unmuted(ALICE))));
    assert_eq!(process.changes().await, []);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn rows_go_after_an_hour_and_not_before_every_process_has_read_them() {
    let database = TestDatabase::new();
    let (one, other) = (Process::begin(&database).await, Process::begin(&database).await);
    one.mute(ALICE).await;
    assert_eq!(one.changes().await.len(), 1);
    one.nodes.poll().await.unwrap();
    database.sql("UPDATE changes SET at = at - interval '2 hours'");
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    assert_eq!(database.sql("SELECT count(*) FROM changes"), "1");
    assert_eq!(other.changes().await.len(), 1);
    one.mute(BOB).await;
    // A transaction of another test, in another database, may be open: then it could still be read.
    while database.sql("SELECT min(id) FROM changes") != "2" {
        for process in [&one, &other] {
            process.changes().await;
            process.nodes.poll().await.unwrap();
        }
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn rows_do_not_pile_up_where_one_process_serves_alone() {
    let database = TestDatabase::new();
    let (opened, _) = open(&database);
    opened.store.create_account(ALICE, session(1)).await.unwrap();
    opened.store.rename(ALICE, "Castle".parse().unwrap(), 0).await.unwrap().unwrap();
    assert_eq!(database.sql("SELECT count(*) FROM changes"), "1");
    database.sql("UPDATE changes SET at = at - interval '2 hours'");
    until(&database.url(), "SELECT count(*) FROM changes", "0");
}
