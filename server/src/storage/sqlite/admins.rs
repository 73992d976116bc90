//! Admins as rows: who is one, what they have done, and what they put in force.
//!
//! Invariants: an account without a row has no token with the scope `admin`; rows of the audit log are only ever added to;
//! mutes and cuts that are over go when the next one is kept.

use rusqlite::types::FromSql;
use rusqlite::{Connection, ToSql, params};
use zeitnot_protocol::{AccountId, Needs, Scope};

use super::accounts::{self, key};
use super::store::SqliteStore;
use super::tokens;
use crate::storage::{
    AdminStore, AuditEntry, AuditStore, CUTS_MAX, Cut, Kind, MUTES_MAX, Mute, ReadError, Reading,
    RestrictionStore, Restrictions, TokenDigest, Which, Writing,
};

impl AdminStore for SqliteStore {
    fn is_admin(&self, account: AccountId) -> Reading<bool> {
        self.read(&self.reads.accounts, move |connection| {
            is_admin(connection, account).map_err(ReadError::from)
        })
    }

    fn grant_admin(&self, account: AccountId, at_unix_ms: u64) -> Writing<bool> {
        self.write(move |connection| {
            if accounts::kind(connection, account)? != Some(Kind::Registered) {
                return Ok(false);
            }
            let sql = "INSERT OR REPLACE INTO admins (account, granted_unix_ms, sum) VALUES (?1, ?2, row_sum(?1, ?2))";
            connection.prepare_cached(sql)?.execute(params![key(account), at_unix_ms])?;
            Ok(true)
        })
    }

    fn withdraw_admin(&self, account: AccountId) -> Writing<Option<Vec<TokenDigest>>> {
        self.write(move |connection| {
            let had_it = remove(connection, account)?;
            let ended = tokens::revoke(connection, account, &Which::Allowing(Needs::Scope(Scope::Admin)))?;
            Ok((had_it || !ended.is_empty()).then_some(ended))
        })
    }
}

/// Whether the account is an admin, by a row that is as it was written.
pub(super) fn is_admin(connection: &Connection, account: AccountId) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM admins WHERE account = ?1 AND sum = row_sum(account, granted_unix_ms)";
    connection.prepare_cached(sql)?.exists([key(account)])
}

/// Takes the role away; whether the account had it.
pub(super) fn remove(connection: &Connection, account: AccountId) -> rusqlite::Result<bool> {
    let sql = "DELETE FROM admins WHERE account = ?1";
    Ok(connection.prepare_cached(sql)?.execute([key(account)])? > 0)
}

impl AuditStore for SqliteStore {
    fn note_act(&self, entry: AuditEntry) -> Writing<()> {
        self.write(move |connection| note_act(connection, &entry))
    }

    fn acts(&self, most: usize) -> Reading<Vec<AuditEntry>> {
        self.read(&self.reads.accounts, move |connection| acts(connection, most))
    }
}

fn note_act(
    connection: &Connection,
    AuditEntry { at_unix_ms, by, act }: &AuditEntry,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO audit (at_unix_ms, by, act, sum) VALUES (?1, ?2, ?3, row_sum(?1, ?2, ?3))";
    connection.prepare_cached(sql)?.execute(params![at_unix_ms, by, act]).map(drop)
}

/// A row that is not as it was written says so in place of the act.
fn acts(connection: &Connection, most: usize) -> Result<Vec<AuditEntry>, ReadError> {
    let sql =
        "SELECT at_unix_ms, by, act, sum = row_sum(at_unix_ms, by, act) FROM audit ORDER BY id DESC LIMIT ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([most], |row| {
        let act = if row.get(3)? { row.get(2)? } else { "damaged".to_owned() };
        Ok(AuditEntry { at_unix_ms: row.get(0)?, by: row.get(1)?, act })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

impl RestrictionStore for SqliteStore {
    fn mute(&self, Mute { account, until_unix_ms }: Mute, at_unix_ms: u64) -> Writing<bool> {
        self.write(move |connection| MUTES.keep(connection, key(account), until_unix_ms, at_unix_ms))
    }

    fn unmute(&self, account: AccountId) -> Writing<bool> {
        self.write(move |connection| unmute(connection, account))
    }

    fn cut(&self, Cut { network, until_unix_ms }: Cut, at_unix_ms: u64) -> Writing<bool> {
        self.write(move |connection| CUTS.keep(connection, &network, until_unix_ms, at_unix_ms))
    }

    fn uncut(&self, network: String) -> Writing<bool> {
        self.write(move |connection| CUTS.remove(connection, &network))
    }
}

/// A table of what is in force: what it is about, and until when.
struct Table {
    name: &'static str,
    /// The column of what it is about.
    whom: &'static str,
    most: usize,
}

const MUTES: Table = Table { name: "mutes", whom: "account", most: MUTES_MAX };
const CUTS: Table = Table { name: "cuts", whom: "network", most: CUTS_MAX };

impl Table {
    /// Keeps one, in place of another one about the same; `false` when there are as many as there may be.
    fn keep(
        &self,
        connection: &Connection,
        whom: impl ToSql,
        until_unix_ms: u64,
        at_unix_ms: u64,
    ) -> rusqlite::Result<bool> {
        let Self { name, whom: column, most } = self;
        let sql = format!("DELETE FROM {name} WHERE until_unix_ms <= ?1");
        connection.prepare_cached(&sql)?.execute([at_unix_ms])?;
        let sql = format!("SELECT count(*) FROM {name} WHERE {column} <> ?1");
        let others: usize = connection.prepare_cached(&sql)?.query_row([&whom], |row| row.get(0))?;
        if others >= *most {
            return Ok(false);
        }
        let sql = format!(
            "INSERT OR REPLACE INTO {name} ({column}, until_unix_ms, sum) VALUES (?1, ?2, row_sum(?1, ?2))"
        );
        connection.prepare_cached(&sql)?.execute(params![whom, until_unix_ms])?;
        Ok(true)
    }

    /// Removes the one about this; whether there was one.
    fn remove(&self, connection: &Connection, whom: impl ToSql) -> rusqlite::Result<bool> {
        let Self { name, whom: column, .. } = self;
        let sql = format!("DELETE FROM {name} WHERE {column} = ?1");
        Ok(connection.prepare_cached(&sql)?.execute([whom])? > 0)
    }

    /// All of them. A row that is not as it was written is left out.
    fn all<W: FromSql, T>(
        &self,
        connection: &Connection,
        of: impl Fn(W, u64) -> T,
    ) -> rusqlite::Result<Vec<T>> {
        let Self { name, whom, .. } = self;
        let sql =
            format!("SELECT {whom}, until_unix_ms FROM {name} WHERE sum = row_sum({whom}, until_unix_ms)");
        let mut statement = connection.prepare(&sql)?;
        statement.query_map([], |row| Ok(of(row.get(0)?, row.get(1)?)))?.collect()
    }
}

/// Whether the account was muted.
pub(super) fn unmute(connection: &Connection, account: AccountId) -> rusqlite::Result<bool> {
    MUTES.remove(connection, key(account))
}

/// All that is in force at a start.
pub(super) fn restrictions(connection: &Connection) -> rusqlite::Result<Restrictions> {
    let mute = |account, until_unix_ms| {
        let account = AccountId::from_u128(u128::from_be_bytes(account));
        Mute { account, until_unix_ms }
    };
    let mutes = MUTES.all(connection, mute)?;
    let cuts = CUTS.all(connection, |network, until_unix_ms| Cut { network, until_unix_ms })?;
    Ok(Restrictions { mutes, cuts })
}
