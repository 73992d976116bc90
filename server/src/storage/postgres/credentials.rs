//! Passwords, recovery codes, second factors and the names of closed accounts as rows; and the writes that change all that
//! proves an account at once.
//!
//! Invariants: a write that was asked for because a password was verified does nothing when that is not the password any
//! more; no code of a time step is used twice, nor one of an earlier step than the last.

use zeitnot_protocol::AccountId;
use zeitnot_rules::game::PlayerName;

use super::accounts::{self, key};
use super::connection::{Failure, Link};
use super::store::PostgresStore;
use super::{admins, contacts, tokens};
use crate::storage::credentials::name_digest;
use crate::storage::{
    AccountFacts, Changed, CodeDigest, Credential, CredentialStore, Day, FactorSecret, Kind, NewToken,
    PasswordHash, Person, Reading, Registered, Registration, SecondFactor, SecondFactorStore, TokenDigest,
    Which, Writing,
};

impl CredentialStore for PostgresStore {
    fn register(&self, registration: Registration) -> Writing<Registered> {
        self.write(registration, |link, registration| async move { register(&link, &registration).await })
    }

    fn credential_by_name(&self, name: PlayerName) -> Reading<Option<Credential>> {
        self.reads.accounts.read(name, |link, name| async move {
            with_password(&link, accounts::by_name(&link, name).await?).await
        })
    }

    fn credential(&self, account: AccountId) -> Reading<Option<Credential>> {
        self.reads.accounts.read(account, |link, account| async move {
            with_password(&link, accounts::get(&link, account).await?).await
        })
    }

    fn sign_in(
        &self,
        account: AccountId,
        verified: PasswordHash,
        token: NewToken,
        replaces: Option<TokenDigest>,
    ) -> Writing<Option<Vec<TokenDigest>>> {
        let with = (account, verified, token, replaces);
        self.write(with, |link, (account, verified, token, replaces)| async move {
            if !is_password(&link, account, &verified).await? {
                return Ok(None);
            }
            let mut ended = Vec::new();
            if let Some(last) = replaces {
                tokens::note_replaced(&link, account, last, token.digest).await?;
                ended = tokens::revoke(&link, account, &Which::One(last)).await?;
            }
            tokens::insert(&link, account, &token).await?;
            ended.extend(tokens::revoke_oldest(&link, account).await?);
            accounts::note_seen(&link, account, token.day()).await?;
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
        let with = (account, verified, password, at_unix_ms, kept);
        self.write(with, |link, (account, verified, password, at_unix_ms, kept)| async move {
            if !is_password(&link, account, &verified).await? {
                return Ok(None);
            }
            set_password(&link, account, &password, at_unix_ms).await?;
            tokens::revoke(&link, account, &Which::AllSessionsBut(kept)).await.map(Some)
        })
    }

    fn set_recovery_codes(&self, account: AccountId, codes: Vec<CodeDigest>) -> Writing<()> {
        self.write((account, codes), |link, (account, codes)| async move {
            set_recovery_codes(&link, account, &codes).await
        })
    }

    fn set_reset_code(&self, account: AccountId, code: CodeDigest, until_unix_ms: u64) -> Writing<()> {
        self.write((account, code, until_unix_ms), |link, (account, code, until)| async move {
            let sql = "DELETE FROM recovery_codes WHERE account = $1 AND until_unix_ms IS NOT NULL";
            link.run(sql, &[&key(account)]).await?;
            insert_code(&link, account, code, Some(column(until))).await
        })
    }

    fn recover(
        &self,
        account: AccountId,
        code: CodeDigest,
        password: PasswordHash,
        token: NewToken,
    ) -> Writing<Option<Vec<TokenDigest>>> {
        self.write((account, code, password, token), |link, (account, code, password, token)| async move {
            let sql = "DELETE FROM recovery_codes WHERE hash = $1 AND account = $2 \
                       AND (until_unix_ms IS NULL OR until_unix_ms > $3)";
            let values = (code.0, key(account), column(token.made_unix_ms));
            if link.run(sql, &[&&values.0[..], &values.1, &values.2]).await? == 0 {
                return Ok(None);
            }
            set_password(&link, account, &password, token.made_unix_ms).await?;
            let ended = tokens::revoke(&link, account, &Which::All).await?;
            tokens::insert(&link, account, &token).await?;
            accounts::note_seen(&link, account, token.day()).await?;
            Ok(Some(ended))
        })
    }

    fn close_account(
        &self,
        account: AccountId,
        verified: Option<PasswordHash>,
    ) -> Writing<Option<(Changed, Vec<TokenDigest>)>> {
        self.write((account, verified), |link, (account, verified)| async move {
            close(&link, account, verified.as_ref()).await
        })
    }

    fn facts(&self, account: AccountId) -> Reading<Option<AccountFacts>> {
        self.reads.accounts.read(account, |link, account| async move { facts(&link, account).await })
    }
}

/// A number of milliseconds as a column has it.
pub(super) fn column(unix_ms: u64) -> i64 {
    i64::try_from(unix_ms).unwrap_or(i64::MAX)
}

async fn register(link: &Link, registration: &Registration) -> Result<Registered, Failure> {
    let Registration { account, is_new, name, password, token, replaces, ended } = registration;
    if accounts::is_taken(link, *name, *account, token.day()).await? {
        return Ok(Registered::NameTaken);
    }
    if *is_new {
        accounts::insert(link, *account, token.made_unix_ms).await?;
    } else if accounts::kind(link, *account).await? != Some(Kind::Guest) {
        return Ok(Registered::NotAGuest);
    }
    let person = Person { account: *account, kind: Kind::Registered, name: Some(*name) };
    let change = accounts::set(link, person).await?;
    if let Some(last) = replaces {
        tokens::note_replaced(link, *account, *last, token.digest).await?;
    }
    set_password(link, *account, password, token.made_unix_ms).await?;
    let ended = match ended {
        Some(which) => tokens::revoke(link, *account, which).await?,
        None => Vec::new(),
    };
    tokens::insert(link, *account, token).await?;
    accounts::note_seen(link, *account, token.day()).await?;
    Ok(Registered::As(change, ended))
}

async fn with_password(link: &Link, person: Option<Person>) -> Result<Option<Credential>, Failure> {
    let Some(person) = person else { return Ok(None) };
    let row = link.row("SELECT hash FROM passwords WHERE account = $1", &[&key(person.account)]).await?;
    let password = row.map(|row| row.try_get(0).map(PasswordHash)).transpose()?;
    Ok(Some(Credential { person, password }))
}

async fn is_password(
    link: &Link,
    account: AccountId,
    PasswordHash(hash): &PasswordHash,
) -> Result<bool, Failure> {
    link.has("SELECT 1 FROM passwords WHERE account = $1 AND hash = $2", &[&key(account), hash]).await
}

async fn set_password(
    link: &Link,
    account: AccountId,
    PasswordHash(hash): &PasswordHash,
    at_unix_ms: u64,
) -> Result<(), Failure> {
    let sql = "INSERT INTO passwords (account, hash, set_unix_ms) VALUES ($1, $2, $3) \
               ON CONFLICT (account) DO UPDATE SET hash = excluded.hash, set_unix_ms = excluded.set_unix_ms";
    link.run(sql, &[&key(account), hash, &column(at_unix_ms)]).await?;
    Ok(())
}

async fn set_recovery_codes(link: &Link, account: AccountId, codes: &[CodeDigest]) -> Result<(), Failure> {
    link.run("DELETE FROM recovery_codes WHERE account = $1", &[&key(account)]).await?;
    for code in codes {
        insert_code(link, account, *code, None).await?;
    }
    Ok(())
}

/// One more recovery code, which may end at an instant.
async fn insert_code(
    link: &Link,
    account: AccountId,
    code: CodeDigest,
    until: Option<i64>,
) -> Result<(), Failure> {
    let sql = "INSERT INTO recovery_codes (hash, account, until_unix_ms) VALUES ($1, $2, $3)";
    link.run(sql, &[&&code.0[..], &key(account), &until]).await?;
    Ok(())
}

async fn close(
    link: &Link,
    account: AccountId,
    verified: Option<&PasswordHash>,
) -> Result<Option<(Changed, Vec<TokenDigest>)>, Failure> {
    let is_verified = match verified {
        Some(verified) => is_password(link, account, verified).await?,
        None => accounts::kind(link, account).await?.is_some_and(Kind::is_registered),
    };
    if !is_verified {
        return Ok(None);
    }
    let sql = "SELECT name FROM accounts WHERE account = $1 AND name IS NOT NULL";
    if let Some(row) = link.row(sql, &[&key(account)]).await? {
        let sql = "INSERT INTO closed_names VALUES ($1) ON CONFLICT DO NOTHING";
        link.run(sql, &[&&name_digest(row.try_get(0)?)[..]]).await?;
    }
    let change = accounts::set(link, Person { account, kind: Kind::Closed, name: None }).await?;
    link.run("DELETE FROM passwords WHERE account = $1", &[&key(account)]).await?;
    set_recovery_codes(link, account, &[]).await?;
    remove_second_factor(link, account).await?;
    admins::remove(link, account).await?;
    link.run("DELETE FROM codes WHERE account = $1", &[&key(account)]).await?;
    admins::unmute(link, account).await?;
    contacts::remove(link, account).await?;
    let ended = tokens::revoke(link, account, &Which::All).await?;
    Ok(Some((change, ended)))
}

/// Whether an account that is closed had this name.
pub(super) async fn is_closed_name(link: &Link, name: PlayerName) -> Result<bool, Failure> {
    link.has("SELECT 1 FROM closed_names WHERE hash = $1", &[&&name_digest(name.as_str())[..]]).await
}

async fn facts(link: &Link, account: AccountId) -> Result<Option<AccountFacts>, Failure> {
    let sql = "SELECT made_unix_ms, seen_day, \
               (SELECT set_unix_ms FROM passwords p WHERE p.account = a.account), \
               (SELECT count(*) FROM recovery_codes c WHERE c.account = a.account AND until_unix_ms IS NULL), \
               (SELECT set_unix_ms FROM second_factors f WHERE f.account = a.account), \
               EXISTS (SELECT FROM admins d WHERE d.account = a.account), \
               (SELECT until_unix_ms FROM mutes m WHERE m.account = a.account) \
               FROM accounts a WHERE account = $1";
    let Some(row) = link.row(sql, &[&key(account)]).await? else { return Ok(None) };
    let when = |column| Ok::<_, Failure>(row.try_get::<_, Option<i64>>(column)?.map(i64::unsigned_abs));
    Ok(Some(AccountFacts {
        made_unix_ms: when(0)?.unwrap_or_default(),
        seen_day: Day::try_from(row.try_get::<_, i64>(1)?).unwrap_or(Day::MAX),
        password_set_unix_ms: when(2)?,
        recovery_codes: u32::try_from(row.try_get::<_, i64>(3)?).unwrap_or(u32::MAX),
        second_factor_set_unix_ms: when(4)?,
        is_admin: row.try_get(5)?,
        muted_until_unix_ms: when(6)?,
    }))
}

impl SecondFactorStore for PostgresStore {
    fn second_factor(&self, account: AccountId) -> Reading<Option<SecondFactor>> {
        self.reads.accounts.read(account, |link, account| async move { second_factor(&link, account).await })
    }

    fn begin_second_factor(&self, account: AccountId, secret: FactorSecret) -> Writing<bool> {
        self.write((account, secret), |link, (account, secret)| async move {
            begin_second_factor(&link, account, secret).await
        })
    }

    fn use_second_factor(
        &self,
        account: AccountId,
        secret: FactorSecret,
        step: u64,
        at_unix_ms: u64,
    ) -> Writing<bool> {
        self.write((account, secret, step, at_unix_ms), |link, (account, secret, step, at)| async move {
            let sql = "UPDATE second_factors SET used_step = $3, set_unix_ms = coalesce(set_unix_ms, $4) \
                       WHERE account = $1 AND secret = $2 AND used_step < $3";
            Ok(link.run(sql, &[&key(account), &&secret.0[..], &column(step), &column(at)]).await? > 0)
        })
    }

    fn remove_second_factor(&self, account: AccountId) -> Writing<bool> {
        self.write(account, |link, account| async move { remove_second_factor(&link, account).await })
    }

    fn has_recovery_code(&self, account: AccountId, code: CodeDigest, at_unix_ms: u64) -> Reading<bool> {
        self.reads.accounts.read((account, code, at_unix_ms), |link, (account, code, at)| async move {
            let sql = "SELECT 1 FROM recovery_codes WHERE hash = $1 AND account = $2 \
                       AND (until_unix_ms IS NULL OR until_unix_ms > $3)";
            link.has(sql, &[&&code.0[..], &key(account), &column(at)]).await
        })
    }

    fn use_recovery_code(&self, account: AccountId, code: CodeDigest) -> Writing<bool> {
        self.write((account, code), |link, (account, code)| async move {
            let sql = "DELETE FROM recovery_codes WHERE hash = $1 AND account = $2 AND until_unix_ms IS NULL";
            Ok(link.run(sql, &[&&code.0[..], &key(account)]).await? > 0)
        })
    }
}

async fn second_factor(link: &Link, account: AccountId) -> Result<Option<SecondFactor>, Failure> {
    let sql = "SELECT secret, set_unix_ms, used_step FROM second_factors WHERE account = $1";
    let Some(row) = link.row(sql, &[&key(account)]).await? else { return Ok(None) };
    let secret = row.try_get::<_, &[u8]>(0)?.try_into();
    let secret =
        secret.map_err(|_| Failure::Damaged(format!("the second factor of {account} has no secret")))?;
    let set_unix_ms = row.try_get::<_, Option<i64>>(1)?.map(i64::unsigned_abs);
    let used_step = row.try_get::<_, i64>(2)?.unsigned_abs();
    Ok(Some(SecondFactor { secret: FactorSecret(secret), set_unix_ms, used_step }))
}

/// Whether the account is registered and has none that counts, so that this one is kept.
async fn begin_second_factor(link: &Link, account: AccountId, secret: FactorSecret) -> Result<bool, Failure> {
    if accounts::kind(link, account).await?.is_none_or(|kind: Kind| !kind.is_registered()) {
        return Ok(false);
    }
    let sql = "INSERT INTO second_factors (account, secret, used_step) VALUES ($1, $2, 0) \
               ON CONFLICT (account) DO UPDATE SET secret = excluded.secret, used_step = 0 \
               WHERE second_factors.set_unix_ms IS NULL";
    Ok(link.run(sql, &[&key(account), &&secret.0[..]]).await? > 0)
}

/// Forgets a second factor; whether there was one.
async fn remove_second_factor(link: &Link, account: AccountId) -> Result<bool, Failure> {
    Ok(link.run("DELETE FROM second_factors WHERE account = $1", &[&key(account)]).await? > 0)
}
