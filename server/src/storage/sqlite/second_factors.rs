//! Second factors as rows.
//!
//! Invariant: no code of a time step is used twice, nor one of an earlier step than the last.

use rusqlite::{Connection, OptionalExtension as _, params};
use zeitnot_protocol::AccountId;

use super::accounts::{self, key};
use super::store::SqliteStore;
use crate::storage::{
    CodeDigest, FactorSecret, Kind, ReadError, Reading, SecondFactor, SecondFactorStore, Writing,
};

impl SecondFactorStore for SqliteStore {
    fn second_factor(&self, account: AccountId) -> Reading<Option<SecondFactor>> {
        self.read(&self.reads.accounts, move |connection| get(connection, account))
    }

    fn begin_second_factor(&self, account: AccountId, secret: FactorSecret) -> Writing<bool> {
        self.write(move |connection| begin(connection, account, secret))
    }

    fn use_second_factor(
        &self,
        account: AccountId,
        secret: FactorSecret,
        step: u64,
        at_unix_ms: u64,
    ) -> Writing<bool> {
        self.write(move |connection| {
            let sql = "UPDATE second_factors SET used_step = ?3, \
                       set_unix_ms = CASE set_unix_ms WHEN 0 THEN ?4 ELSE set_unix_ms END, \
                       sum = row_sum(?1, ?2, CASE set_unix_ms WHEN 0 THEN ?4 ELSE set_unix_ms END, ?3) \
                       WHERE account = ?1 AND secret = ?2 AND used_step < ?3 \
                       AND sum = row_sum(account, secret, set_unix_ms, used_step)";
            let values = params![key(account), secret.0, step, at_unix_ms];
            Ok(connection.prepare_cached(sql)?.execute(values)? > 0)
        })
    }

    fn remove_second_factor(&self, account: AccountId) -> Writing<bool> {
        self.write(move |connection| remove(connection, account))
    }

    fn has_recovery_code(&self, account: AccountId, code: CodeDigest, at_unix_ms: u64) -> Reading<bool> {
        self.read(&self.reads.accounts, move |connection| {
            let sql = "SELECT 1 FROM recovery_codes WHERE hash = ?1 AND account = ?2 \
                       AND (until_unix_ms = 0 OR until_unix_ms > ?3) \
                       AND sum = row_sum(hash, account, until_unix_ms)";
            let found = connection.prepare_cached(sql)?.exists(params![code.0, key(account), at_unix_ms]);
            found.map_err(ReadError::from)
        })
    }

    fn use_recovery_code(&self, account: AccountId, code: CodeDigest) -> Writing<bool> {
        self.write(move |connection| {
            let sql = "DELETE FROM recovery_codes WHERE hash = ?1 AND account = ?2 AND until_unix_ms = 0 \
                       AND sum = row_sum(hash, account, until_unix_ms)";
            Ok(connection.prepare_cached(sql)?.execute(params![code.0, key(account)])? > 0)
        })
    }
}

fn get(connection: &Connection, account: AccountId) -> Result<Option<SecondFactor>, ReadError> {
    let sql = "SELECT secret, set_unix_ms, used_step, sum = row_sum(account, secret, set_unix_ms, used_step) \
               FROM second_factors WHERE account = ?1";
    let found = connection.prepare_cached(sql)?.query_row([key(account)], |row| {
        if !row.get::<_, bool>(3)? {
            return Ok(None);
        }
        let set_unix_ms: u64 = row.get(1)?;
        let set_unix_ms = (set_unix_ms > 0).then_some(set_unix_ms);
        Ok(Some(SecondFactor { secret: FactorSecret(row.get(0)?), set_unix_ms, used_step: row.get(2)? }))
    });
    match found.optional()? {
        Some(None) => {
            Err(ReadError::Damaged(format!("the second factor of {account} is not as it was written")))
        }
        found => Ok(found.flatten()),
    }
}

/// Whether the account is registered and has none that counts, so that this one is kept.
fn begin(connection: &Connection, account: AccountId, secret: FactorSecret) -> rusqlite::Result<bool> {
    if accounts::kind(connection, account)?.is_none_or(|kind: Kind| !kind.is_registered()) {
        return Ok(false);
    }
    let sql = "INSERT INTO second_factors (account, secret, set_unix_ms, used_step, sum) \
               VALUES (?1, ?2, 0, 0, row_sum(?1, ?2, 0, 0)) \
               ON CONFLICT (account) DO UPDATE SET secret = excluded.secret, used_step = 0, sum = excluded.sum \
               WHERE set_unix_ms = 0";
    Ok(connection.prepare_cached(sql)?.execute(params![key(account), secret.0])? > 0)
}

/// Forgets a second factor; whether there was one.
pub(super) fn remove(connection: &Connection, account: AccountId) -> rusqlite::Result<bool> {
    let sql = "DELETE FROM second_factors WHERE account = ?1";
    Ok(connection.prepare_cached(sql)?.execute([key(account)])? > 0)
}
