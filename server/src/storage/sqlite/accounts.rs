//! Accounts, their names and their tokens as rows.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use zeitnot_protocol::AccountId;
use zeitnot_rules::game::PlayerName;

use super::shared::Shared;
use crate::storage::{Person, TokenDigest};

pub(super) fn create(
    connection: &Connection,
    account: AccountId,
    token: TokenDigest,
    created_unix_ms: u64,
) -> rusqlite::Result<()> {
    let bytes = account.as_u128().to_be_bytes();
    connection
        .prepare_cached("INSERT INTO accounts (account, made_unix_ms) VALUES (?1, ?2)")?
        .execute(params![bytes, created_unix_ms])?;
    connection
        .prepare_cached("INSERT INTO tokens (hash, account) VALUES (?1, ?2)")?
        .execute(params![token.0, bytes])?;
    Ok(())
}

/// The account in the first column, its name in the second.
pub(super) fn of_row(row: &Row<'_>) -> rusqlite::Result<Person> {
    let id = AccountId::from_u128(u128::from_be_bytes(row.get(0)?));
    let text = row.get_ref(1)?.as_str_or_null()?;
    let name = text.and_then(|text| {
        let name = text.parse::<PlayerName>();
        name.inspect_err(
            |error| tracing::error!(account = %id, %error, "a stored name is invalid: it is left out"),
        )
        .ok()
    });
    Ok(Person { account: id, name })
}

pub(super) fn by_token(connection: &Connection, token: TokenDigest) -> rusqlite::Result<Option<Person>> {
    let sql = "SELECT account, name FROM tokens JOIN accounts USING (account) WHERE hash = ?1";
    connection.prepare_cached(sql)?.query_row([token.0], of_row).optional()
}

pub(super) fn get(connection: &Connection, account: AccountId) -> rusqlite::Result<Option<Person>> {
    let mut statement = connection.prepare_cached("SELECT account, name FROM accounts WHERE account = ?1")?;
    statement.query_row([account.as_u128().to_be_bytes()], of_row).optional()
}

/// The query for the account of a name, which the index of names serves.
pub(super) const BY_NAME: &str = "SELECT account, name FROM accounts WHERE name = ?1 COLLATE NOCASE";

pub(super) fn by_name(connection: &Connection, name: PlayerName) -> rusqlite::Result<Option<Person>> {
    connection.prepare_cached(BY_NAME)?.query_row([name.as_str()], of_row).optional()
}

/// The number of this naming; `None` when another account has the name.
pub(super) fn rename(
    connection: &Connection,
    shared: &Shared,
    account: AccountId,
    name: PlayerName,
) -> rusqlite::Result<Option<u64>> {
    let mut statement =
        connection.prepare_cached("UPDATE OR IGNORE accounts SET name = ?2 WHERE account = ?1")?;
    let given = statement.execute(params![account.as_u128().to_be_bytes(), name.as_str()])? == 1;
    Ok(given.then(|| shared.next_naming()))
}

pub(super) fn revoke_token(connection: &Connection, token: TokenDigest) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM tokens WHERE hash = ?1")?.execute([token.0])?;
    Ok(())
}
