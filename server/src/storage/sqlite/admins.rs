//! The accounts that are admins, as rows.
//!
//! Invariant: an account without a row has no token with the scope `admin`.

use rusqlite::{Connection, params};
use zeitnot_protocol::{AccountId, Needs, Scope};

use super::accounts::{self, key};
use super::store::SqliteStore;
use super::tokens;
use crate::storage::{AdminStore, Kind, ReadError, Reading, TokenDigest, Which, Writing};

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
