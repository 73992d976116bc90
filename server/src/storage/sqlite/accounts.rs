//! Accounts, their names and their tokens as rows. Each row has a checksum, and a row that is not as it was written is
//! nobody's account.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params};
use zeitnot_protocol::AccountId;
use zeitnot_rules::game::PlayerName;

use super::shared::Shared;
use super::store::SqliteStore;
use crate::storage::{AccountStore, Changed, Kind, Person, ReadError, Reading, TokenDigest, Writing};

impl AccountStore for SqliteStore {
    fn create_account(&self, account: AccountId, token: TokenDigest, created_unix_ms: u64) -> Writing<()> {
        self.write(move |connection| create(connection, account, token, created_unix_ms))
    }

    fn account(&self, account: AccountId) -> Reading<Option<Person>> {
        self.read(&self.reads.accounts, move |connection| get(connection, account))
    }

    fn account_by_token(&self, token: TokenDigest) -> Reading<Option<Person>> {
        self.read(&self.reads.accounts, move |connection| by_token(connection, token))
    }

    fn account_by_name(&self, name: PlayerName) -> Reading<Option<Person>> {
        self.read(&self.reads.accounts, move |connection| by_name(connection, name))
    }

    fn rename(&self, account: AccountId, name: PlayerName) -> Writing<Option<Changed>> {
        let shared = Arc::clone(&self.shared);
        self.write(move |connection| rename(connection, &shared, account, name))
    }

    fn set_kind(&self, account: AccountId, kind: Kind) -> Writing<Option<Changed>> {
        let shared = Arc::clone(&self.shared);
        self.write(move |connection| set_kind(connection, &shared, account, kind))
    }

    fn revoke_token(&self, token: TokenDigest) -> Writing<()> {
        self.write(move |connection| revoke_token(connection, token))
    }
}

pub(super) fn create(
    connection: &Connection,
    account: AccountId,
    token: TokenDigest,
    created_unix_ms: u64,
) -> rusqlite::Result<()> {
    let bytes = account.as_u128().to_be_bytes();
    let sql = "INSERT INTO accounts (account, made_unix_ms, kind, sum, name_sum) \
               VALUES (?1, ?2, ?3, row_sum(?1, ?2), row_sum(?1, NULL, ?3))";
    connection.prepare_cached(sql)?.execute(params![bytes, created_unix_ms, Kind::Guest as u8])?;
    let sql = "INSERT INTO tokens (hash, account, sum) VALUES (?1, ?2, row_sum(?1, ?2))";
    connection.prepare_cached(sql)?.execute(params![token.0, bytes])?;
    Ok(())
}

/// The account in the first column, its name in the second, its kind in the third, and in the fourth whether all three are
/// as they were written.
pub(super) fn of_row(row: &Row<'_>) -> Result<Person, ReadError> {
    let Some(id) = row.get::<_, Option<[u8; 16]>>(0)? else {
        return Err(ReadError::Damaged("the row of an account is missing".to_owned()));
    };
    let id = AccountId::from_u128(u128::from_be_bytes(id));
    let kind = Kind::of_number(row.get(2)?);
    let Some(kind) = kind.filter(|_| row.get::<_, bool>(3).is_ok_and(|is_as_written| is_as_written)) else {
        return Err(ReadError::Damaged(format!("the row of the account {id} is not as it was written")));
    };
    let text = row.get_ref(1)?.as_str_or_null().map_err(rusqlite::Error::from)?;
    let name = text.and_then(|text| {
        let name = text.parse::<PlayerName>();
        name.inspect_err(
            |error| tracing::error!(account = %id, %error, "a stored name is invalid: it is left out"),
        )
        .ok()
    });
    Ok(Person { account: id, kind, name })
}

/// The only row of a query for an account.
fn find(connection: &Connection, sql: &str, key: impl ToSql) -> Result<Option<Person>, ReadError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([key])?;
    rows.next()?.map(of_row).transpose()
}

/// The query for the account of a token.
pub(super) const BY_TOKEN: &str = "SELECT accounts.account, name, kind, \
     row_sum(hash, tokens.account) = tokens.sum AND row_sum(accounts.account, name, kind) = name_sum \
     FROM tokens LEFT JOIN accounts USING (account) WHERE hash = ?1";

/// The query for a token in the index that has every hash once more.
pub(super) const TOKEN_AGAIN: &str = "SELECT 1 FROM tokens INDEXED BY token_again WHERE hash = ?1";

/// The account of a token. A damaged page may hide a row from a look-up, so a token is unknown only when the index does
/// not have it either: who is told that would throw the account away.
pub(super) fn by_token(connection: &Connection, token: TokenDigest) -> Result<Option<Person>, ReadError> {
    let found = find(connection, BY_TOKEN, token.0)?;
    if found.is_none() && connection.prepare_cached(TOKEN_AGAIN)?.exists([token.0])? {
        return Err(ReadError::Damaged("the row of a token is missing".to_owned()));
    }
    Ok(found)
}

const BY_ID: &str =
    "SELECT account, name, kind, row_sum(account, name, kind) = name_sum FROM accounts WHERE account = ?1";

pub(super) fn get(connection: &Connection, account: AccountId) -> Result<Option<Person>, ReadError> {
    find(connection, BY_ID, account.as_u128().to_be_bytes())
}

/// The query for the account of a name, which the index of names serves.
pub(super) const BY_NAME: &str = "SELECT account, name, kind, row_sum(account, name, kind) = name_sum \
     FROM accounts WHERE name = ?1 COLLATE NOCASE";

pub(super) fn by_name(connection: &Connection, name: PlayerName) -> Result<Option<Person>, ReadError> {
    find(connection, BY_NAME, name.as_str())
}

/// `None` when another account has the name, and when the row is not as it was written: a new sum would hide that.
pub(super) fn rename(
    connection: &Connection,
    shared: &Shared,
    account: AccountId,
    name: PlayerName,
) -> rusqlite::Result<Option<Changed>> {
    let sql = "UPDATE OR IGNORE accounts SET name = ?2, name_sum = row_sum(?1, ?2, kind) \
               WHERE account = ?1 AND name_sum = row_sum(account, name, kind) RETURNING kind";
    let values = params![account.as_u128().to_be_bytes(), name.as_str()];
    let kind = connection.prepare_cached(sql)?.query_row(values, |row| row.get(0)).optional()?;
    let kind = kind.and_then(Kind::of_number);
    Ok(kind.map(|kind| changed(shared, Person { account, kind, name: Some(name) })))
}

/// The account after a change.
fn changed(shared: &Shared, person: Person) -> Changed {
    Changed { person, number: shared.next_change() }
}

/// `None` when there is no such account, or its row is not as it was written.
fn set_kind(
    connection: &Connection,
    shared: &Shared,
    account: AccountId,
    kind: Kind,
) -> rusqlite::Result<Option<Changed>> {
    let sql = "UPDATE accounts SET kind = ?2, name_sum = row_sum(?1, name, ?2) \
               WHERE account = ?1 AND name_sum = row_sum(account, name, kind) RETURNING name";
    let values = params![account.as_u128().to_be_bytes(), kind as u8];
    let name = connection.prepare_cached(sql)?.query_row(values, |row| row.get::<_, Option<String>>(0));
    let name = name.optional()?.map(|name| name.and_then(|name| name.parse().ok()));
    Ok(name.map(|name| changed(shared, Person { account, kind, name })))
}

fn revoke_token(connection: &Connection, token: TokenDigest) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM tokens WHERE hash = ?1")?.execute([token.0])?;
    Ok(())
}
