//! Accounts and their names as rows.

use tokio_postgres::Row;
use uuid::Uuid;
use zeitnot_protocol::AccountId;
use zeitnot_rules::game::PlayerName;

use super::connection::{Failure, Link};
use super::store::PostgresStore;
use super::{admins, credentials, tokens};
use crate::storage::{
    AccountStore, BotMade, Changed, Day, KeptToken, Kind, NAME_KEPT_DAYS, NewToken, Person, Proved, Reading,
    TokenDigest, TokenMade, Which, Writing,
};

impl AccountStore for PostgresStore {
    fn create_account(&self, account: AccountId, token: NewToken) -> Writing<()> {
        self.write((account, token), |link, (account, token)| async move {
            insert(&link, account, token.made_unix_ms).await?;
            tokens::insert(&link, account, &token).await?;
            note_seen(&link, account, token.day()).await
        })
    }

    fn account(&self, account: AccountId) -> Reading<Option<Person>> {
        self.reads.accounts.read(account, |link, account| async move { get(&link, account).await })
    }

    fn account_by_token(&self, token: TokenDigest) -> Reading<Option<Proved>> {
        self.reads.accounts.read(token, |link, token| async move { tokens::by_token(&link, token).await })
    }

    fn account_by_name(&self, name: PlayerName) -> Reading<Option<Person>> {
        self.reads.accounts.read(name, |link, name| async move { by_name(&link, name).await })
    }

    fn accounts_by_prefix(&self, prefix: PlayerName, most: usize) -> Reading<Vec<Person>> {
        self.reads
            .accounts
            .read((prefix, most), |link, (prefix, most)| async move { by_prefix(&link, prefix, most).await })
    }

    fn rename(&self, account: AccountId, name: PlayerName, today: Day) -> Writing<Option<Changed>> {
        self.write((account, name, today), |link, (account, name, today)| async move {
            rename(&link, account, name, today).await
        })
    }

    fn make_bot(&self, account: AccountId) -> Writing<BotMade> {
        self.write(account, |link, account| async move { make_bot(&link, account).await })
    }

    fn keep_api_token(&self, account: AccountId, token: NewToken) -> Writing<TokenMade> {
        self.write((account, token), |link, (account, token)| async move {
            tokens::keep_api_token(&link, account, &token).await
        })
    }

    fn revoke_tokens(&self, account: AccountId, which: Which) -> Writing<Vec<TokenDigest>> {
        self.write((account, which), |link, (account, which)| async move {
            tokens::revoke(&link, account, &which).await
        })
    }

    fn tokens(&self, account: AccountId) -> Reading<Vec<KeptToken>> {
        self.reads.accounts.read(account, |link, account| async move { tokens::list(&link, account).await })
    }

    fn note_use(&self, account: AccountId, token: TokenDigest, today: Day) -> Writing<()> {
        self.write((account, token, today), |link, (account, token, today)| async move {
            tokens::note_use(&link, account, token, today).await
        })
    }
}

/// An account as rows name it.
pub(super) fn key(account: AccountId) -> Uuid {
    Uuid::from_u128(account.as_u128())
}

/// The account that a row names.
pub(super) fn account_of(column: Uuid) -> AccountId {
    AccountId::from_u128(column.as_u128())
}

/// A new guest, who was not seen yet.
pub(super) async fn insert(link: &Link, account: AccountId, made_unix_ms: u64) -> Result<(), Failure> {
    let made = i64::try_from(made_unix_ms).unwrap_or(i64::MAX);
    link.run("INSERT INTO accounts (account, made_unix_ms) VALUES ($1, $2)", &[&key(account), &made]).await?;
    Ok(())
}

/// Gives an account its name and its kind.
pub(super) async fn set(link: &Link, person: Person) -> Result<Changed, Failure> {
    let Person { account, kind, name } = person;
    let (name, kind) = (name.as_ref().map(PlayerName::as_str), kind as i16);
    let sql = "UPDATE accounts SET name = $2, kind = $3 WHERE account = $1 RETURNING version";
    let row = link.row(sql, &[&key(account), &name, &kind]).await?;
    let row = row.ok_or_else(|| Failure::Damaged("the row of an account is missing".to_owned()))?;
    changed(&row, 0, person)
}

/// Notes when an account was last seen.
pub(super) async fn note_seen(link: &Link, account: AccountId, today: Day) -> Result<(), Failure> {
    let sql = "UPDATE accounts SET seen_day = $2 WHERE account = $1 AND seen_day < $2";
    link.run(sql, &[&key(account), &i64::from(today)]).await?;
    Ok(())
}

/// What kind of account it is; `None` when there is none.
pub(super) async fn kind(link: &Link, account: AccountId) -> Result<Option<Kind>, Failure> {
    let row = link.row("SELECT kind FROM accounts WHERE account = $1", &[&key(account)]).await?;
    Ok(row.and_then(|row| Kind::of_number(i64::from(row.get::<_, i16>(0)))))
}

/// Whether `account` cannot have this name, because another one has it, or had it when it was closed. A guest who was not seen
/// for long loses it here. Who was never noted as seen counts as seen today.
pub(super) async fn is_taken(
    link: &Link,
    name: PlayerName,
    account: AccountId,
    today: Day,
) -> Result<bool, Failure> {
    if credentials::is_closed_name(link, name).await? {
        return Ok(true);
    }
    let sql = "SELECT account, kind, seen_day FROM accounts WHERE lower(name) = lower($1 COLLATE \"C\")";
    let Some(row) = link.row(sql, &[&name.as_str()]).await? else { return Ok(false) };
    let (owner, kind) = (account_of(row.try_get(0)?), Kind::of_number(i64::from(row.try_get::<_, i16>(1)?)));
    let seen = Day::try_from(row.try_get::<_, i64>(2)?).unwrap_or(Day::MAX);
    match (kind, seen) {
        _ if owner == account => Ok(false),
        (Some(Kind::Guest), 0) => note_seen(link, owner, today).await.map(|()| true),
        (Some(Kind::Guest), seen) if seen.saturating_add(NAME_KEPT_DAYS) < today => {
            set(link, Person::guest(owner)).await.map(|_| false)
        }
        _ => Ok(true),
    }
}

/// The account in the first column, its name in the second and its kind in the third.
pub(super) fn of_row(row: &Row) -> Result<Person, Failure> {
    let Some(id) = row.try_get::<_, Option<Uuid>>(0)? else {
        return Err(Failure::Damaged("the row of an account is missing".to_owned()));
    };
    let account = account_of(id);
    let Some(kind) = Kind::of_number(i64::from(row.try_get::<_, i16>(2)?)) else {
        return Err(Failure::Damaged(format!("the account {account} is of no kind")));
    };
    let name = row.try_get::<_, Option<&str>>(1)?.and_then(|text| {
        let name = text.parse::<PlayerName>();
        name.inspect_err(
            |error| tracing::error!(%account, %error, "a stored name is invalid: it is left out"),
        )
        .ok()
    });
    Ok(Person { account, kind, name })
}

pub(super) async fn get(link: &Link, account: AccountId) -> Result<Option<Person>, Failure> {
    let sql = "SELECT account, name, kind FROM accounts WHERE account = $1";
    link.row(sql, &[&key(account)]).await?.as_ref().map(of_row).transpose()
}

pub(super) async fn by_name(link: &Link, name: PlayerName) -> Result<Option<Person>, Failure> {
    let sql = "SELECT account, name, kind FROM accounts WHERE lower(name) = lower($1 COLLATE \"C\")";
    link.row(sql, &[&name.as_str()]).await?.as_ref().map(of_row).transpose()
}

/// The index of names serves it: they come before the prefix with a letter that no name has.
async fn by_prefix(link: &Link, prefix: PlayerName, most: usize) -> Result<Vec<Person>, Failure> {
    let sql = "SELECT account, name, kind FROM accounts WHERE lower(name) >= $1 COLLATE \"C\" \
               AND lower(name) < $2 COLLATE \"C\" ORDER BY lower(name) LIMIT $3";
    let first = prefix.as_str().to_ascii_lowercase();
    let (end, most) = (format!("{first}\u{7f}"), i64::try_from(most).unwrap_or(i64::MAX));
    let rows = link.rows(sql, &[&first, &end, &most]).await?;
    let mut found = Vec::new();
    for row in &rows {
        match of_row(row) {
            Ok(person) => found.push(person),
            Err(Failure::Damaged(_)) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(found)
}

/// `None` when another account has the name, or there is no such account.
async fn rename(
    link: &Link,
    account: AccountId,
    name: PlayerName,
    today: Day,
) -> Result<Option<Changed>, Failure> {
    if is_taken(link, name, account, today).await? {
        return Ok(None);
    }
    let sql = "UPDATE accounts SET name = $2 WHERE account = $1 RETURNING account, name, kind, version";
    let row = link.row(sql, &[&key(account), &name.as_str()]).await?;
    row.map(|row| changed(&row, 3, of_row(&row)?)).transpose()
}

/// The account after a change, whose number is in this column.
fn changed(row: &Row, column: usize, person: Person) -> Result<Changed, Failure> {
    Ok(Changed { person, number: row.try_get::<_, i64>(column)?.unsigned_abs() })
}

async fn make_bot(link: &Link, account: AccountId) -> Result<BotMade, Failure> {
    if link.has("SELECT 1 FROM rating_events WHERE account = $1 LIMIT 1", &[&key(account)]).await? {
        return Ok(BotMade::HasRatedGames);
    }
    if admins::is_admin(link, account).await? {
        return Ok(BotMade::IsAdmin);
    }
    let sql = "UPDATE accounts SET kind = $2 WHERE account = $1 AND kind = $3 RETURNING account, name, kind, version";
    let row = link.row(sql, &[&key(account), &(Kind::Bot as i16), &(Kind::Registered as i16)]).await?;
    let change = row.map(|row| changed(&row, 3, of_row(&row)?)).transpose()?;
    Ok(change.map_or(BotMade::NotAPerson, BotMade::As))
}
