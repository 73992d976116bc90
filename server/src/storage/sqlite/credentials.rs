//! Passwords, recovery codes, second factors and the names of closed accounts as rows; and the writes that change all that
//! proves an account at once.
//!
//! Invariants: a write that was asked for because a password was verified does nothing when that is not the password any
//! more; no code of a time step is used twice, nor one of an earlier step than the last.

use std::future::ready;
use std::sync::Arc;

use futures_util::FutureExt as _;
use rusqlite::{Connection, OptionalExtension as _, params};
use zeitnot_protocol::AccountId;
use zeitnot_rules::game::PlayerName;

use super::accounts::{self, key};
use super::shared::Shared;
use super::store::SqliteStore;
use super::{admins, contacts, tokens};
use crate::storage::credentials::name_digest;
use crate::storage::{
    AccountFacts, AuthorizationStore, Changed, CodeDigest, Credential, CredentialStore, FactorSecret,
    Granted, Kind, NewToken, PasswordHash, Person, ReadError, Reading, Registered, Registration,
    SecondFactor, SecondFactorStore, TokenDigest, Which, Writing,
};

impl CredentialStore for SqliteStore {
    fn register(&self, registration: Registration) -> Writing<Registered> {
        let shared = Arc::clone(&self.shared);
        self.write(move |connection| register(connection, &shared, &registration))
    }

    fn credential_by_name(&self, name: PlayerName) -> Reading<Option<Credential>> {
        self.read(&self.reads.accounts, move |connection| {
            with_password(connection, accounts::by_name(connection, name)?)
        })
    }

    fn credential(&self, account: AccountId) -> Reading<Option<Credential>> {
        self.read(&self.reads.accounts, move |connection| {
            with_password(connection, accounts::get(connection, account)?)
        })
    }

    fn sign_in(
        &self,
        account: AccountId,
        verified: PasswordHash,
        token: NewToken,
        replaces: Option<TokenDigest>,
    ) -> Writing<Option<Vec<TokenDigest>>> {
        self.write(move |connection| {
            if !is_password(connection, account, &verified)? {
                return Ok(None);
            }
            let mut ended = match replaces {
                Some(digest) => tokens::revoke(connection, account, &Which::One(digest))?,
                None => Vec::new(),
            };
            tokens::insert(connection, account, &token)?;
            ended.extend(tokens::revoke_oldest(connection, account)?);
            accounts::note_seen(connection, account, token.day())?;
            Ok(Some(ended))
        })
    }

    fn change_password(
        &self,
        account: AccountId,
        verified: PasswordHash,
        password: PasswordHash,
        at_unix_ms: u64,
        kept: TokenDigest,
    ) -> Writing<Option<Vec<TokenDigest>>> {
        self.write(move |connection| {
            if !is_password(connection, account, &verified)? {
                return Ok(None);
            }
            set_password(connection, account, &password, at_unix_ms)?;
            tokens::revoke(connection, account, &Which::AllSessionsBut(kept)).map(Some)
        })
    }

    fn set_recovery_codes(&self, account: AccountId, codes: Vec<CodeDigest>) -> Writing<()> {
        self.write(move |connection| set_recovery_codes(connection, account, &codes))
    }

    fn set_reset_code(&self, account: AccountId, code: CodeDigest, until_unix_ms: u64) -> Writing<()> {
        self.write(move |connection| {
            let sql = "DELETE FROM recovery_codes WHERE account = ?1 AND until_unix_ms > 0";
            connection.prepare_cached(sql)?.execute([key(account)])?;
            insert_code(connection, account, code, until_unix_ms)
        })
    }

    fn recover(
        &self,
        account: AccountId,
        code: CodeDigest,
        password: PasswordHash,
        token: NewToken,
    ) -> Writing<Option<Vec<TokenDigest>>> {
        self.write(move |connection| {
            let sql = "DELETE FROM recovery_codes WHERE hash = ?1 AND account = ?2 \
                       AND (until_unix_ms = 0 OR until_unix_ms > ?3) AND sum = row_sum(hash, account, until_unix_ms)";
            let values = params![code.0, key(account), token.made_unix_ms];
            if connection.prepare_cached(sql)?.execute(values)? == 0 {
                return Ok(None);
            }
            set_password(connection, account, &password, token.made_unix_ms)?;
            let ended = tokens::revoke(connection, account, &Which::All)?;
            tokens::insert(connection, account, &token)?;
            accounts::note_seen(connection, account, token.day())?;
            Ok(Some(ended))
        })
    }

    fn close_account(
        &self,
        account: AccountId,
        verified: Option<PasswordHash>,
    ) -> Writing<Option<(Changed, Vec<TokenDigest>)>> {
        let shared = Arc::clone(&self.shared);
        self.write(move |connection| close(connection, &shared, account, verified.as_ref()))
    }

    fn facts(&self, account: AccountId) -> Reading<Option<AccountFacts>> {
        self.read(&self.reads.accounts, move |connection| facts(connection, account))
    }
}

impl AuthorizationStore for SqliteStore {
    fn keep_code(&self, code: TokenDigest, granted: Granted, at_unix_ms: u64) -> Writing<bool> {
        ready(Ok(self.codes.keep(code, granted, at_unix_ms))).boxed()
    }

    fn take_code(&self, code: TokenDigest, at_unix_ms: u64) -> Writing<Option<Granted>> {
        ready(Ok(self.codes.take(code, at_unix_ms))).boxed()
    }
}

impl SecondFactorStore for SqliteStore {
    fn second_factor(&self, account: AccountId) -> Reading<Option<SecondFactor>> {
        self.read(&self.reads.accounts, move |connection| second_factor(connection, account))
    }

    fn begin_second_factor(&self, account: AccountId, secret: FactorSecret) -> Writing<bool> {
        self.write(move |connection| begin_second_factor(connection, account, secret))
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
        self.write(move |connection| remove_second_factor(connection, account))
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

fn register(
    connection: &Connection,
    shared: &Shared,
    registration: &Registration,
) -> rusqlite::Result<Registered> {
    let Registration { account, is_new, name, password, token, ended, .. } = registration;
    if accounts::is_taken(connection, *name, *account, token.day())? {
        return Ok(Registered::NameTaken);
    }
    if *is_new {
        accounts::insert(connection, *account, token.made_unix_ms)?;
    } else if accounts::kind(connection, *account)? != Some(Kind::Guest) {
        return Ok(Registered::NotAGuest);
    }
    let person = Person { account: *account, kind: Kind::Registered, name: Some(*name) };
    accounts::set(connection, person)?;
    set_password(connection, *account, password, token.made_unix_ms)?;
    let ended = match ended {
        Some(which) => tokens::revoke(connection, *account, which)?,
        None => Vec::new(),
    };
    tokens::insert(connection, *account, token)?;
    accounts::note_seen(connection, *account, token.day())?;
    Ok(Registered::As(Changed { person, number: shared.writer.next_change() }, ended))
}

fn with_password(connection: &Connection, person: Option<Person>) -> Result<Option<Credential>, ReadError> {
    let Some(person) = person else { return Ok(None) };
    let sql = "SELECT hash, sum = row_sum(account, hash, set_unix_ms) FROM passwords WHERE account = ?1";
    let found = connection
        .prepare_cached(sql)?
        .query_row([key(person.account)], |row| Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?)))
        .optional()?;
    match found {
        Some((_, false)) => {
            Err(ReadError::Damaged(format!("the password of {} is not as it was written", person.account)))
        }
        found => Ok(Some(Credential { person, password: found.map(|(hash, _)| PasswordHash(hash)) })),
    }
}

fn is_password(
    connection: &Connection,
    account: AccountId,
    PasswordHash(hash): &PasswordHash,
) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM passwords WHERE account = ?1 AND hash = ?2";
    connection.prepare_cached(sql)?.exists(params![key(account), hash])
}

fn set_password(
    connection: &Connection,
    account: AccountId,
    PasswordHash(hash): &PasswordHash,
    at_unix_ms: u64,
) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO passwords (account, hash, set_unix_ms, sum) \
               VALUES (?1, ?2, ?3, row_sum(?1, ?2, ?3))";
    connection.prepare_cached(sql)?.execute(params![key(account), hash, at_unix_ms]).map(drop)
}

fn set_recovery_codes(
    connection: &Connection,
    account: AccountId,
    codes: &[CodeDigest],
) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM recovery_codes WHERE account = ?1")?.execute([key(account)])?;
    codes.iter().try_for_each(|code| insert_code(connection, account, *code, 0))
}

/// One more recovery code, which ends at an instant; 0: never.
fn insert_code(
    connection: &Connection,
    account: AccountId,
    code: CodeDigest,
    until_unix_ms: u64,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO recovery_codes (hash, account, until_unix_ms, sum) \
               VALUES (?1, ?2, ?3, row_sum(?1, ?2, ?3))";
    connection.prepare_cached(sql)?.execute(params![code.0, key(account), until_unix_ms]).map(drop)
}

fn close(
    connection: &Connection,
    shared: &Shared,
    account: AccountId,
    verified: Option<&PasswordHash>,
) -> rusqlite::Result<Option<(Changed, Vec<TokenDigest>)>> {
    let is_verified = match verified {
        Some(verified) => is_password(connection, account, verified)?,
        None => accounts::kind(connection, account)?.is_some_and(Kind::is_registered),
    };
    if !is_verified {
        return Ok(None);
    }
    let sql = "SELECT name FROM accounts WHERE account = ?1 AND name IS NOT NULL";
    let name = connection.prepare_cached(sql)?.query_row([key(account)], |row| row.get::<_, String>(0));
    if let Some(name) = name.optional()? {
        let sql = "INSERT OR REPLACE INTO closed_names (hash, sum) VALUES (?1, row_sum(?1))";
        connection.prepare_cached(sql)?.execute([name_digest(&name)])?;
    }
    let person = Person { account, kind: Kind::Closed, name: None };
    accounts::set(connection, person)?;
    connection.prepare_cached("DELETE FROM passwords WHERE account = ?1")?.execute([key(account)])?;
    set_recovery_codes(connection, account, &[])?;
    remove_second_factor(connection, account)?;
    admins::remove(connection, account)?;
    admins::unmute(connection, account)?;
    contacts::remove(connection, account)?;
    let ended = tokens::revoke(connection, account, &Which::All)?;
    Ok(Some((Changed { person, number: shared.writer.next_change() }, ended)))
}

/// Whether an account that is closed had this name.
pub(super) fn is_closed_name(connection: &Connection, name: PlayerName) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM closed_names WHERE hash = ?1";
    connection.prepare_cached(sql)?.exists([name_digest(name.as_str())])
}

fn facts(connection: &Connection, account: AccountId) -> Result<Option<AccountFacts>, ReadError> {
    let sql = "SELECT made_unix_ms, seen_day, \
               (SELECT set_unix_ms FROM passwords WHERE passwords.account = accounts.account), \
               (SELECT count(*) FROM recovery_codes \
                WHERE recovery_codes.account = accounts.account AND until_unix_ms = 0), \
               (SELECT set_unix_ms FROM second_factors \
                WHERE second_factors.account = accounts.account AND set_unix_ms > 0), \
               EXISTS (SELECT 1 FROM admins WHERE admins.account = accounts.account \
                AND admins.sum = row_sum(admins.account, granted_unix_ms)), \
               (SELECT mutes.until_unix_ms FROM mutes WHERE mutes.account = accounts.account) \
               FROM accounts WHERE account = ?1";
    let facts = connection.prepare_cached(sql)?.query_row([key(account)], |row| {
        Ok(AccountFacts {
            made_unix_ms: row.get(0)?,
            seen_day: row.get(1)?,
            password_set_unix_ms: row.get(2)?,
            recovery_codes: row.get(3)?,
            second_factor_set_unix_ms: row.get(4)?,
            is_admin: row.get(5)?,
            muted_until_unix_ms: row.get(6)?,
        })
    });
    Ok(facts.optional()?)
}

fn second_factor(connection: &Connection, account: AccountId) -> Result<Option<SecondFactor>, ReadError> {
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
fn begin_second_factor(
    connection: &Connection,
    account: AccountId,
    secret: FactorSecret,
) -> rusqlite::Result<bool> {
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
fn remove_second_factor(connection: &Connection, account: AccountId) -> rusqlite::Result<bool> {
    let sql = "DELETE FROM second_factors WHERE account = ?1";
    Ok(connection.prepare_cached(sql)?.execute([key(account)])? > 0)
}
