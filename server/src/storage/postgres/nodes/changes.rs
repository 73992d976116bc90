//! What was changed about people, as one of several processes reads it with its polls.
//!
//! Triggers write the rows, each in the transaction of its change. A row with a lower id may become visible after one with a
//! higher id, when its transaction commits later. So what is new is found by transaction: of every transaction that was not over
//! at the look before, the rows beyond those that were read of it already. All rows of a transaction become visible together.
//!
//! Invariants: a row is read once by each process that polls, whenever it becomes visible, also one of a change that the process
//! made itself; rows about the same account, network or block come in the order of their changes. A row is forgotten only after
//! every process that polls has read it.
//!
//! Deliberately absent: what follows from a change (`server`).

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;
use zeitnot_protocol::AccountId;

use super::super::connection::{Failure, Link};
use crate::storage::{Block, Change, Changed, Cut, Kind, Mute, Person, TokenDigest};

/// Rows of one read; the next poll reads the others.
const ROWS_MAX: usize = 1_024;
/// Transactions of which it is known how far they were read. There are more only while somebody's transaction stays open for
/// as long as so many others take. Then it is not waited for.
const TRANSACTIONS_MAX: usize = 16_384;
/// How long rows are kept.
const KEPT: Duration = Duration::from_secs(3_600);

/// `xid < …` leaves out rows of a dump of another database, whose transactions have other numbers.
const READ: &str = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint, id, xid, change \
     FROM (SELECT) AS always LEFT JOIN (SELECT id, changes.xid, change FROM changes \
      LEFT JOIN unnest($3::bigint[], $4::bigint[]) AS before (xid, last) ON before.xid = changes.xid \
      WHERE changes.xid >= greatest($2, (SELECT changes_read FROM nodes WHERE boot = $1)) \
       AND changes.xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint AND id > coalesce(before.last, 0) \
      ORDER BY id LIMIT $5) AS new ON true ORDER BY id";

/// How far a process has read.
#[derive(Debug, Default)]
pub(super) struct Position {
    /// All of the transactions before this one. 0 until something was read: then what the process found at its start counts.
    since: i64,
    /// Of some of the others: up to which row.
    transactions: BTreeMap<i64, i64>,
}

/// A row, by its id and its transaction.
#[derive(Clone, Copy, Debug)]
struct RowKey {
    id: i64,
    xid: i64,
}

impl Position {
    /// As the next poll says it to the others.
    pub(super) fn since(&self) -> i64 {
        self.since
    }

    /// These rows were read when all transactions before `oldest` were over; `is_all`: there were no more.
    fn read(&mut self, rows: impl Iterator<Item = RowKey>, oldest: i64, is_all: bool) {
        for RowKey { id, xid } in rows {
            let last = self.transactions.entry(xid).or_default();
            *last = id.max(*last);
        }
        if is_all {
            self.since = oldest.max(self.since);
        }
        self.transactions = self.transactions.split_off(&self.since);
        while self.transactions.len() > TRANSACTIONS_MAX
            && let Some((xid, _)) = self.transactions.pop_first()
        {
            self.since = xid + 1;
        }
    }

    /// What has become visible since the last time.
    pub(super) async fn read_on(&mut self, link: &Link, boot: Uuid) -> Result<Vec<Change>, Failure> {
        let (xids, last): (Vec<i64>, Vec<i64>) = self.transactions.iter().unzip();
        let most = i64::try_from(ROWS_MAX).unwrap_or(i64::MAX);
        let rows = link.rows(READ, &[&boot, &self.since, &xids, &last, &most]).await?;
        let mut oldest = self.since;
        let (mut keys, mut changes) = (Vec::new(), Vec::new());
        for row in rows {
            oldest = row.try_get(0)?;
            // The one row without a change.
            let Some(id) = row.try_get::<_, Option<i64>>(1)? else { continue };
            keys.push(RowKey { id, xid: row.try_get(2)? });
            let change = serde_json::from_value::<Row>(row.try_get::<_, Value>(3)?).ok().and_then(Row::read);
            match change {
                Some(change) => changes.push(change),
                None => {
                    tracing::error!(
                        id,
                        "a change of the database cannot be read: this node does not heed it"
                    );
                }
            }
        }
        let is_all = keys.len() < ROWS_MAX;
        self.read(keys.into_iter(), oldest, is_all);
        Ok(changes)
    }
}

/// Forgets old rows that all processes have read; how many.
pub(in crate::storage::postgres) async fn forget(link: &Link) -> Result<u64, Failure> {
    let sql = "DELETE FROM changes WHERE at < now() - make_interval(secs => $1) AND NOT EXISTS \
               (SELECT FROM nodes WHERE NOT dead AND at_us IS NOT NULL AND changes_read <= changes.xid)";
    link.run(sql, &[&KEPT.as_secs_f64()]).await
}

/// A change as a trigger writes it.
#[derive(Debug, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
enum Row {
    Account { account: AccountId, kind: i64, name: Option<String>, version: u64 },
    Revoked { account: AccountId, token: String },
    Replaced { account: AccountId, last: String, new: String },
    Muted { account: AccountId, until: u64 },
    Unmuted { account: AccountId },
    Cut { network: String, until: u64 },
    Uncut { network: String },
    Blocked { by: AccountId, whom: AccountId },
    Unblocked { by: AccountId, whom: AccountId },
}

impl Row {
    /// `None` when it says nothing that there can be.
    fn read(self) -> Option<Change> {
        Some(match self {
            Self::Account { account, kind, name, version } => {
                let name = name.map(|name| name.parse()).transpose().ok()?;
                let person = Person { account, kind: Kind::of_number(kind)?, name };
                Change::Account(Changed { person, number: version })
            }
            Self::Revoked { account, token } => Change::Revoked { account, token: digest(&token)? },
            Self::Replaced { account, last, new } => {
                Change::Replaced { account, last: digest(&last)?, new: digest(&new)? }
            }
            Self::Muted { account, until } => Change::Muted(Mute { account, until_unix_ms: until }),
            Self::Unmuted { account } => Change::Unmuted(account),
            Self::Cut { network, until } => Change::Cut(Cut { network, until_unix_ms: until }),
            Self::Uncut { network } => Change::Uncut(network),
            Self::Blocked { by, whom } => Change::Blocked(Block { by, whom }),
            Self::Unblocked { by, whom } => Change::Unblocked(Block { by, whom }),
        })
    }
}

fn digest(text: &str) -> Option<TokenDigest> {
    STANDARD.decode(text).ok()?.try_into().ok().map(TokenDigest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(rows: &[(i64, i64)]) -> impl Iterator<Item = RowKey> {
        rows.iter().map(|(id, xid)| RowKey { id: *id, xid: *xid })
    }

    #[test]
    fn of_a_transaction_that_may_not_be_over_it_is_known_how_far_it_was_read() {
        let mut position = Position::default();
        position.read(keys(&[(1, 10), (2, 12), (3, 12)]), 11, true);
        assert_eq!((position.since, &position.transactions), (11, &BTreeMap::from([(12, 3)])));
        position.read(keys(&[(4, 14)]), 11, true);
        assert_eq!((position.since, position.transactions.len()), (11, 2), "the one with number 11 is open");
        position.read(keys(&[]), 15, true);
        assert_eq!((position.since, position.transactions.len()), (15, 0));
        position.read(keys(&[]), 14, true);
        assert_eq!(position.since, 15, "it never goes back");
    }

    #[test]
    fn while_there_are_more_rows_nothing_of_before_is_left_out() {
        let mut position = Position::default();
        position.read(keys(&[(1, 10), (2, 11)]), 20, false);
        assert_eq!((position.since, &position.transactions), (0, &BTreeMap::from([(10, 1), (11, 2)])));
        position.read(keys(&[(3, 11)]), 20, true);
        assert_eq!((position.since, position.transactions.len()), (20, 0));
    }

    #[test]
    fn only_so_many_transactions_are_known() {
        let mut position = Position::default();
        let most = TRANSACTIONS_MAX as i64;
        for xid in 1..=most + 2 {
            position.read(keys(&[(xid, xid)]), 1, true);
        }
        assert_eq!((position.since, position.transactions.len()), (3, TRANSACTIONS_MAX));
    }

    #[test]
    fn what_no_change_can_be_is_not_read() {
        let read = |text: &str| serde_json::from_str::<Row>(text).ok().and_then(Row::read);
        let account = "00000000-0000-0000-0000-000000000001";
        let named = |kind, name| {
            format!(r#"{{"what":"account","account":"{account}","kind":{kind},"name":{name},"version":2}}"#)
        };
        let person = Person { name: "Castle".parse().ok(), ..Person::guest(AccountId::from_u128(1)) };
        assert_eq!(read(&named(0, r#""Castle""#)), Some(Change::Account(Changed { person, number: 2 })));
        for wrong in [
            &*named(9, r#""Castle""#),
            &named(0, r#""no name""#),
            &format!(r#"{{"what":"revoked","account":"{account}","token":"c2hvcnQ="}}"#),
            r#"{"what":"something else"}"#,
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
