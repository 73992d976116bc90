//! Tokens as rows.

use tokio_postgres::Row;
use zeitnot_protocol::{AccountId, Needs, Scope, Scopes};

use super::accounts::{self, key};
use super::admins;
use super::connection::{Failure, Link};
use crate::storage::{
    API_TOKENS_MAX, Day, Grant, KeptToken, NewToken, Proved, SESSIONS_MAX, TokenDigest, TokenKind, TokenMade,
    Which,
};

pub(super) async fn insert(link: &Link, account: AccountId, token: &NewToken) -> Result<(), Failure> {
    let sql = "INSERT INTO tokens (hash, account, kind, made_unix_ms, used_day, label, scopes, until_unix_ms) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let NewToken { digest, kind, made_unix_ms, label, grant } = token;
    let made = i64::try_from(*made_unix_ms).unwrap_or(i64::MAX);
    let until = grant.until_unix_ms.map(|until| i64::try_from(until).unwrap_or(i64::MAX));
    let (day, scopes) = (i64::from(token.day()), i64::from(grant.scopes.bits()));
    link.run(sql, &[&&digest.0[..], &key(account), &(*kind as i16), &made, &day, label, &scopes, &until])
        .await?;
    Ok(())
}

/// The account of a token.
pub(super) async fn by_token(link: &Link, token: TokenDigest) -> Result<Option<Proved>, Failure> {
    let sql = "SELECT accounts.account, name, accounts.kind, used_day, scopes, until_unix_ms \
               FROM tokens LEFT JOIN accounts USING (account) WHERE hash = $1";
    let row = link.row(sql, &[&&token.0[..]]).await?;
    row.map(|row| {
        Ok(Proved { person: accounts::of_row(&row)?, used_day: day(&row, 3)?, grant: grant(&row, 4)? })
    })
    .transpose()
}

fn day(row: &Row, column: usize) -> Result<Day, Failure> {
    Ok(Day::try_from(row.try_get::<_, i64>(column)?).unwrap_or(Day::MAX))
}

/// What a token may be used for, in this column and the next one.
fn grant(row: &Row, column: usize) -> Result<Grant, Failure> {
    let until = row.try_get::<_, Option<i64>>(column + 1)?;
    let bits = u8::try_from(row.try_get::<_, i64>(column)?);
    let scopes = bits.map(Scopes::of_bits);
    let scopes = scopes.map_err(|_| Failure::Damaged("a token has scopes that are none".to_owned()))?;
    Ok(Grant { scopes, until_unix_ms: until.map(i64::unsigned_abs) })
}

/// The tokens of an account, the one that was used last first.
pub(super) async fn list(link: &Link, account: AccountId) -> Result<Vec<KeptToken>, Failure> {
    let sql = "SELECT hash, kind, made_unix_ms, used_day, label, scopes, until_unix_ms \
               FROM tokens WHERE account = $1 ORDER BY used_day DESC, made_unix_ms DESC, hash";
    link.rows(sql, &[&key(account)]).await?.iter().map(kept).collect()
}

fn digest(row: &Row) -> Result<TokenDigest, Failure> {
    let bytes = row.try_get::<_, &[u8]>(0)?.try_into();
    bytes.map(TokenDigest).map_err(|_| Failure::Damaged("a token has another length".to_owned()))
}

fn kept(row: &Row) -> Result<KeptToken, Failure> {
    let kind = TokenKind::of_number(i64::from(row.try_get::<_, i16>(1)?)).unwrap_or(TokenKind::Session);
    let made_unix_ms = row.try_get::<_, i64>(2)?.unsigned_abs();
    let (label, grant) = (row.try_get(4)?, grant(row, 5)?);
    let token = NewToken { digest: digest(row)?, kind, made_unix_ms, label, grant };
    Ok(KeptToken { token, used_day: day(row, 3)? })
}

/// Forgets tokens; the answer is which.
pub(super) async fn revoke(
    link: &Link,
    account: AccountId,
    which: &Which,
) -> Result<Vec<TokenDigest>, Failure> {
    let all = list(link, account).await?.into_iter().map(|kept| kept.token);
    let ended: Vec<_> = all.filter(|token| which.has(token)).map(|token| token.digest).collect();
    forget(link, &ended).await?;
    Ok(ended)
}

/// Keeps an API token, and forgets those that have expired.
pub(super) async fn keep_api_token(
    link: &Link,
    account: AccountId,
    token: &NewToken,
) -> Result<TokenMade, Failure> {
    if accounts::kind(link, account).await?.is_none_or(|kind| !kind.is_registered()) {
        return Ok(TokenMade::NotRegistered);
    }
    if token.grant.scopes.allow(Needs::Scope(Scope::Admin)) && !admins::is_admin(link, account).await? {
        return Ok(TokenMade::NotAdmin);
    }
    let all = list(link, account).await?.into_iter().map(|kept| kept.token);
    let (over, left): (Vec<_>, Vec<_>) = all
        .filter(|token| token.kind == TokenKind::Api)
        .partition(|kept| kept.grant.is_over(token.made_unix_ms));
    forget(link, &over.iter().map(|token| token.digest).collect::<Vec<_>>()).await?;
    if left.len() >= API_TOKENS_MAX {
        return Ok(TokenMade::TooMany);
    }
    insert(link, account, token).await?;
    Ok(TokenMade::Kept)
}

/// Forgets the sessions beyond those that an account may have; the answer is which.
pub(super) async fn revoke_oldest(link: &Link, account: AccountId) -> Result<Vec<TokenDigest>, Failure> {
    let mut sessions = list(link, account).await?;
    sessions.retain(|kept| kept.token.kind == TokenKind::Session);
    let ended: Vec<_> = sessions.iter().skip(SESSIONS_MAX).map(|kept| kept.token.digest).collect();
    forget(link, &ended).await?;
    Ok(ended)
}

/// Notes, before the one is revoked, that another token takes its place: the connections that came in with it go on.
pub(super) async fn note_replaced(
    link: &Link,
    account: AccountId,
    last: TokenDigest,
    new: TokenDigest,
) -> Result<(), Failure> {
    let sql = "SELECT note_change(jsonb_build_object('what', 'replaced', 'account', $1::uuid, \
               'last', encode($2, 'base64'), 'new', encode($3, 'base64')))";
    link.row(sql, &[&key(account), &&last.0[..], &&new.0[..]]).await?;
    Ok(())
}

async fn forget(link: &Link, tokens: &[TokenDigest]) -> Result<(), Failure> {
    if !tokens.is_empty() {
        let tokens: Vec<&[u8]> = tokens.iter().map(|token| &token.0[..]).collect();
        link.run("DELETE FROM tokens WHERE hash = ANY($1)", &[&tokens]).await?;
    }
    Ok(())
}

/// Notes when a token and its account were last used.
pub(super) async fn note_use(
    link: &Link,
    account: AccountId,
    token: TokenDigest,
    today: Day,
) -> Result<(), Failure> {
    let sql = "UPDATE tokens SET used_day = $2 WHERE hash = $1 AND used_day < $2";
    link.run(sql, &[&&token.0[..], &i64::from(today)]).await?;
    accounts::note_seen(link, account, today).await
}
