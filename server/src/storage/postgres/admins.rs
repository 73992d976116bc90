//! Admins as rows: who is one, what they have done, and what they put in force.
//!
//! Invariants: an account without a row has no token with the scope `admin`; rows of the audit log are only ever added to;
//! mutes and cuts that are over go when the next one is kept.

use tokio_postgres::types::{FromSql, ToSql};
use uuid::Uuid;
use zeitnot_protocol::{AccountId, Needs, Scope};

use super::accounts::{self, account_of, key};
use super::connection::{Failure, Link};
use super::credentials::column;
use super::store::PostgresStore;
use super::tokens;
use crate::storage::{
    AdminStore, AuditEntry, AuditStore, CUTS_MAX, Cut, Kind, MUTES_MAX, Mute, Reading, RestrictionStore,
    Restrictions, TokenDigest, Which, Writing,
};

impl AdminStore for PostgresStore {
    fn is_admin(&self, account: AccountId) -> Reading<bool> {
        self.reads.accounts.read(account, |link, account| async move { is_admin(&link, account).await })
    }

    fn grant_admin(&self, account: AccountId, at_unix_ms: u64) -> Writing<bool> {
        self.write((account, at_unix_ms), |link, (account, at)| async move {
            if accounts::kind(&link, account).await? != Some(Kind::Registered) {
                return Ok(false);
            }
            let sql = "INSERT INTO admins VALUES ($1, $2) \
                       ON CONFLICT (account) DO UPDATE SET granted_unix_ms = excluded.granted_unix_ms";
            link.run(sql, &[&key(account), &column(at)]).await?;
            Ok(true)
        })
    }

    fn withdraw_admin(&self, account: AccountId) -> Writing<Option<Vec<TokenDigest>>> {
        self.write(account, |link, account| async move {
            let had_it = remove(&link, account).await?;
            let of_admins = Which::Allowing(Needs::Scope(Scope::Admin));
            let ended = tokens::revoke(&link, account, &of_admins).await?;
            Ok((had_it || !ended.is_empty()).then_some(ended))
        })
    }
}

/// Whether the account is an admin.
pub(super) async fn is_admin(link: &Link, account: AccountId) -> Result<bool, Failure> {
    link.has("SELECT 1 FROM admins WHERE account = $1", &[&key(account)]).await
}

/// Takes the role away; whether the account had it.
pub(super) async fn remove(link: &Link, account: AccountId) -> Result<bool, Failure> {
    Ok(link.run("DELETE FROM admins WHERE account = $1", &[&key(account)]).await? > 0)
}

impl AuditStore for PostgresStore {
    fn note_act(&self, entry: AuditEntry) -> Writing<()> {
        self.write(entry, |link, AuditEntry { at_unix_ms, by, act }| async move {
            let sql = "INSERT INTO audit (at_unix_ms, by, act) VALUES ($1, $2, $3)";
            link.run(sql, &[&column(at_unix_ms), &by, &act]).await.map(drop)
        })
    }

    fn acts(&self, most: usize) -> Reading<Vec<AuditEntry>> {
        self.reads.accounts.read(most, |link, most| async move {
            let sql = "SELECT at_unix_ms, by, act FROM audit ORDER BY id DESC LIMIT $1";
            let rows = link.rows(sql, &[&i64::try_from(most).unwrap_or(i64::MAX)]).await?;
            let entry = |row: &tokio_postgres::Row| {
                let at_unix_ms = row.try_get::<_, i64>(0)?.unsigned_abs();
                Ok(AuditEntry { at_unix_ms, by: row.try_get(1)?, act: row.try_get(2)? })
            };
            rows.iter().map(entry).collect()
        })
    }
}

impl RestrictionStore for PostgresStore {
    fn mute(&self, mute: Mute, at_unix_ms: u64) -> Writing<bool> {
        self.write((mute, at_unix_ms), |link, (Mute { account, until_unix_ms }, at)| async move {
            MUTES.keep(&link, key(account), until_unix_ms, at).await
        })
    }

    fn unmute(&self, account: AccountId) -> Writing<bool> {
        self.write(account, |link, account| async move { unmute(&link, account).await })
    }

    fn cut(&self, cut: Cut, at_unix_ms: u64) -> Writing<bool> {
        self.write((cut, at_unix_ms), |link, (Cut { network, until_unix_ms }, at)| async move {
            CUTS.keep(&link, network, until_unix_ms, at).await
        })
    }

    fn uncut(&self, network: String) -> Writing<bool> {
        self.write(network, |link, network| async move { CUTS.remove(&link, network).await })
    }
}

/// A table of what is in force: what it is about, and until when.
struct Table {
    over: &'static str,
    others: &'static str,
    put: &'static str,
    remove: &'static str,
    all: &'static str,
    most: usize,
}

const MUTES: Table = Table {
    over: "DELETE FROM mutes WHERE until_unix_ms <= $1",
    others: "SELECT count(*) FROM mutes WHERE account <> $1",
    put: "INSERT INTO mutes VALUES ($1, $2) ON CONFLICT (account) DO UPDATE SET until_unix_ms = excluded.until_unix_ms",
    remove: "DELETE FROM mutes WHERE account = $1",
    all: "SELECT account, until_unix_ms FROM mutes ORDER BY account",
    most: MUTES_MAX,
};
const CUTS: Table = Table {
    over: "DELETE FROM cuts WHERE until_unix_ms <= $1",
    others: "SELECT count(*) FROM cuts WHERE network <> $1",
    put: "INSERT INTO cuts VALUES ($1, $2) ON CONFLICT (network) DO UPDATE SET until_unix_ms = excluded.until_unix_ms",
    remove: "DELETE FROM cuts WHERE network = $1",
    all: "SELECT network, until_unix_ms FROM cuts ORDER BY network",
    most: CUTS_MAX,
};

impl Table {
    /// Keeps one, in place of another one about the same; `false` when there are as many as there may be.
    async fn keep(
        &self,
        link: &Link,
        whom: impl ToSql + Sync,
        until_unix_ms: u64,
        at_unix_ms: u64,
    ) -> Result<bool, Failure> {
        link.run(self.over, &[&column(at_unix_ms)]).await?;
        let others =
            link.row(self.others, &[&whom]).await?.map_or(0, |row| row.get::<_, i64>(0).unsigned_abs());
        if others >= self.most as u64 {
            return Ok(false);
        }
        link.run(self.put, &[&whom, &column(until_unix_ms)]).await?;
        Ok(true)
    }

    /// Removes the one about this; whether there was one.
    async fn remove(&self, link: &Link, whom: impl ToSql + Sync) -> Result<bool, Failure> {
        Ok(link.run(self.remove, &[&whom]).await? > 0)
    }

    /// All of them.
    async fn all<W: for<'a> FromSql<'a>, T>(
        &self,
        link: &Link,
        of: impl Fn(W, u64) -> T,
    ) -> Result<Vec<T>, Failure> {
        let rows = link.rows(self.all, &[]).await?;
        rows.iter().map(|row| Ok(of(row.try_get(0)?, row.try_get::<_, i64>(1)?.unsigned_abs()))).collect()
    }
}

/// Whether the account was muted.
pub(super) async fn unmute(link: &Link, account: AccountId) -> Result<bool, Failure> {
    MUTES.remove(link, key(account)).await
}

/// All that is in force at a start.
pub(super) async fn restrictions(link: &Link) -> Result<Restrictions, Failure> {
    let mute = |account: Uuid, until_unix_ms| Mute { account: account_of(account), until_unix_ms };
    let mutes = MUTES.all(link, mute).await?;
    let cuts = CUTS.all(link, |network, until_unix_ms| Cut { network, until_unix_ms }).await?;
    Ok(Restrictions { mutes, cuts })
}
