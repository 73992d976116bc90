//! Accounts and their names as rows. Each row has checksums, and a row that is not as it was written is nobody's account.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params};
use zeitnot_protocol::AccountId;
use zeitnot_rules::game::PlayerName;

use super::shared::Shared;
use super::store::SqliteStore;
use super::{admins, credentials, tokens};
use crate::storage::{
    AccountStore, BotMade, Changed, Day, KeptToken, Kind, NAME_KEPT_DAYS, NewToken, Person, Proved,
    ReadError, Reading, TokenDigest, TokenMade, Which, Writing,
};

impl AccountStore for SqliteStore {
    fn create_account(&self, account: AccountId, token: NewToken) -> Writing<()> {
        self.write(move |connection| create(connection, account, &token))
    }

    fn account(&self, account: AccountId) -> Reading<Option<Person>> {
        self.read(&self.reads.accounts, move |connection| get(connection, account))
    }

    fn account_by_token(&self, token: TokenDigest) -> Reading<Option<Proved>> {
        self.read(&self.reads.accounts, move |connection| tokens::by_token(connection, token))
    }

    fn account_by_name(&self, name: PlayerName) -> Reading<Option<Person>> {
        self.read(&self.reads.accounts, move |connection| by_name(connection, name))
    }

    fn accounts_by_prefix(&self, prefix: PlayerName, most: usize) -> Reading<Vec<Person>> {
        self.read(&self.reads.accounts, move |connection| by_prefix(connection, prefix, most))
    }

    fn rename(&self, account: AccountId, name: PlayerName, today: Day) -> Writing<Option<Changed>> {
        let shared = Arc::clone(&self.shared);
        self.write(move |connection| rename(connection, &shared, account, name, today))
    }

    fn make_bot(&self, account: AccountId) -> Writing<BotMade> {
        let shared = Arc::clone(&self.shared);
        self.write(move |connection| make_bot(connection, &shared, account))
    }

    fn keep_api_token(&self, account: AccountId, token: NewToken) -> Writing<TokenMade> {
        self.write(move |connection| tokens::keep_api_token(connection, account, &token))
    }

    fn revoke_tokens(&self, account: AccountId, which: Which) -> Writing<Vec<TokenDigest>> {
        self.write(move |connection| tokens::revoke(connection, account, &which))
    }

    fn tokens(&self, account: AccountId) -> Reading<Vec<KeptToken>> {
        self.read(&self.reads.accounts, move |connection| tokens::list(connection, account))
    }

    fn note_use(&self, account: AccountId, token: TokenDigest, today: Day) -> Writing<()> {
        self.write(move |connection| tokens::note_use(connection, account, token, today))
    }
}

/// An account as rows name it.
pub(super) fn key(account: AccountId) -> [u8; 16] {
    account.as_u128().to_be_bytes()
}

pub(super) fn create(connection: &Connection, account: AccountId, token: &NewToken) -> rusqlite::Result<()> {
    insert(connection, account, token.made_unix_ms)?;
    tokens::insert(connection, account, token)?;
    note_seen(connection, account, token.day())
}

/// A new guest, who was not seen yet.
pub(super) fn insert(connection: &Connection, account: AccountId, made_unix_ms: u64) -> rusqlite::Result<()> {
    let sql = "INSERT INTO accounts (account, made_unix_ms, kind, sum, name_sum) \
               VALUES (?1, ?2, ?3, row_sum(?1, ?2, 0), row_sum(?1, NULL, ?3))";
    connection.prepare_cached(sql)?.execute(params![key(account), made_unix_ms, Kind::Guest as u8]).map(drop)
}

/// Gives an account its name and its kind.
pub(super) fn set(connection: &Connection, person: Person) -> rusqlite::Result<()> {
    let Person { account, kind, name } = person;
    let sql = "UPDATE accounts SET name = ?2, kind = ?3, name_sum = row_sum(?1, ?2, ?3) WHERE account = ?1";
    let name = name.as_ref().map(PlayerName::as_str);
    connection.prepare_cached(sql)?.execute(params![key(account), name, kind as u8]).map(drop)
}

/// Notes when an account was last seen. A row that is not as it was written stays so.
pub(super) fn note_seen(connection: &Connection, account: AccountId, today: Day) -> rusqlite::Result<()> {
    let sql = "UPDATE accounts SET seen_day = ?2, sum = row_sum(?1, made_unix_ms, ?2) \
               WHERE account = ?1 AND seen_day < ?2 AND sum = row_sum(account, made_unix_ms, seen_day)";
    connection.prepare_cached(sql)?.execute(params![key(account), today]).map(drop)
}

/// What kind of account it is, by a row that is as it was written.
pub(super) fn kind(connection: &Connection, account: AccountId) -> rusqlite::Result<Option<Kind>> {
    let sql = "SELECT kind FROM accounts WHERE account = ?1 AND name_sum = row_sum(account, name, kind)";
    let kind = connection.prepare_cached(sql)?.query_row([key(account)], |row| row.get(0)).optional()?;
    Ok(kind.and_then(Kind::of_number))
}

/// Whether `account` cannot have this name, because another one has it, or had it when it was closed. A guest who was not
/// seen for long loses it here. Who was never noted as seen counts as seen today.
pub(super) fn is_taken(
    connection: &Connection,
    name: PlayerName,
    account: AccountId,
    today: Day,
) -> rusqlite::Result<bool> {
    if credentials::is_closed_name(connection, name)? {
        return Ok(true);
    }
    let sql = "SELECT account, kind, seen_day, name_sum = row_sum(account, name, kind) \
               AND sum = row_sum(account, made_unix_ms, seen_day) \
               FROM accounts WHERE name = ?1 COLLATE NOCASE";
    let owner = connection.prepare_cached(sql)?.query_row([name.as_str()], |row| {
        let owner = AccountId::from_u128(u128::from_be_bytes(row.get(0)?));
        // A number that is none is damage, which the checksum sees.
        Ok((owner, Kind::of_number(row.get(1)?), row.get(2).unwrap_or(Day::MAX), row.get::<_, bool>(3)?))
    });
    match owner.optional()? {
        None => Ok(false),
        Some((owner, ..)) if owner == account => Ok(false),
        Some((owner, Some(Kind::Guest), 0, true)) => note_seen(connection, owner, today).map(|()| true),
        Some((owner, Some(Kind::Guest), seen, true)) if seen.saturating_add(NAME_KEPT_DAYS) < today => {
            set(connection, Person::guest(owner)).map(|()| false)
        }
        Some(_) => Ok(true),
    }
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

const BY_ID: &str =
    "SELECT account, name, kind, row_sum(account, name, kind) = name_sum FROM accounts WHERE account = ?1";

pub(super) fn get(connection: &Connection, account: AccountId) -> Result<Option<Person>, ReadError> {
    find(connection, BY_ID, key(account))
}

/// The query for the account of a name, which the index of names serves.
pub(super) const BY_NAME: &str = "SELECT account, name, kind, row_sum(account, name, kind) = name_sum \
     FROM accounts WHERE name = ?1 COLLATE NOCASE";

pub(super) fn by_name(connection: &Connection, name: PlayerName) -> Result<Option<Person>, ReadError> {
    find(connection, BY_NAME, name.as_str())
}

/// The query for the accounts whose names begin so, which the index of names serves too: they come before the prefix with
/// a letter that no name has.
pub(super) const BY_PREFIX: &str = "SELECT account, name, kind, row_sum(account, name, kind) = name_sum \
     FROM accounts WHERE name >= ?1 COLLATE NOCASE AND name < (?1 || x'7f') COLLATE NOCASE \
     ORDER BY name COLLATE NOCASE LIMIT ?2";

fn by_prefix(connection: &Connection, prefix: PlayerName, most: usize) -> Result<Vec<Person>, ReadError> {
    let mut statement = connection.prepare_cached(BY_PREFIX)?;
    let mut rows = statement.query(params![prefix.as_str(), most])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        match of_row(row) {
            Ok(person) => found.push(person),
            Err(ReadError::Damaged(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// `None` when another account has the name, and when the row is not as it was written: a new sum would hide that.
pub(super) fn rename(
    connection: &Connection,
    shared: &Shared,
    account: AccountId,
    name: PlayerName,
    today: Day,
) -> rusqlite::Result<Option<Changed>> {
    if is_taken(connection, name, account, today)? {
        return Ok(None);
    }
    let sql = "UPDATE OR IGNORE accounts SET name = ?2, name_sum = row_sum(?1, ?2, kind) \
               WHERE account = ?1 AND name_sum = row_sum(account, name, kind) RETURNING kind";
    let values = params![key(account), name.as_str()];
    let kind = connection.prepare_cached(sql)?.query_row(values, |row| row.get(0)).optional()?;
    let kind = kind.and_then(Kind::of_number);
    Ok(kind.map(|kind| changed(shared, Person { account, kind, name: Some(name) })))
}

/// The account after a change.
fn changed(shared: &Shared, person: Person) -> Changed {
    Changed { person, number: shared.writer.next_change() }
}

/// A row that is not as it was written is no person's.
fn make_bot(connection: &Connection, shared: &Shared, account: AccountId) -> rusqlite::Result<BotMade> {
    let rated = "SELECT 1 FROM rating_events WHERE account = ?1";
    if connection.prepare_cached(rated)?.exists([key(account)])? {
        return Ok(BotMade::HasRatedGames);
    }
    if admins::is_admin(connection, account)? {
        return Ok(BotMade::IsAdmin);
    }
    let sql = "UPDATE accounts SET kind = ?2, name_sum = row_sum(?1, name, ?2) \
               WHERE account = ?1 AND kind = ?3 AND name_sum = row_sum(account, name, kind) RETURNING name";
    let values = params![key(account), Kind::Bot as u8, Kind::Registered as u8];
    let name = connection.prepare_cached(sql)?.query_row(values, |row| row.get::<_, Option<String>>(0));
    let name = name.optional()?.map(|name| name.and_then(|name| name.parse().ok()));
    let bot = |name| BotMade::As(changed(shared, Person { account, kind: Kind::Bot, name }));
    Ok(name.map_or(BotMade::NotAPerson, bot))
}
