//! Tokens as rows. What a token proves has a checksum, and what its owner is shown of it has another one: a damaged label
//! signs nobody out.

use rusqlite::{Connection, Row, params};
use zeitnot_protocol::{AccountId, Needs, Scope, Scopes};

use super::accounts::{self, key};
use super::admins;
use crate::storage::{
    API_TOKENS_MAX, Day, Grant, KeptToken, NewToken, Proved, ReadError, SESSIONS_MAX, TokenDigest, TokenKind,
    TokenMade, Which,
};

pub(super) fn insert(connection: &Connection, account: AccountId, token: &NewToken) -> rusqlite::Result<()> {
    let sql = "INSERT INTO tokens (hash, account, scopes, until_unix_ms, sum, \
               kind, made_unix_ms, used_day, label, about_sum) \
               VALUES (?1, ?2, ?7, ?8, row_sum(?1, ?2, ?7, ?8), ?3, ?4, ?5, ?6, row_sum(?1, ?3, ?4, ?5, ?6))";
    let NewToken { digest, kind, made_unix_ms, label, grant } = token;
    connection.prepare_cached(sql)?.execute(params![
        digest.0,
        key(account),
        *kind as u8,
        made_unix_ms,
        token.day(),
        label,
        grant.scopes.bits(),
        grant.until_unix_ms.unwrap_or_default()
    ])?;
    Ok(())
}

/// The query for the account of a token.
pub(super) const BY_TOKEN: &str = "SELECT accounts.account, name, accounts.kind, \
     row_sum(hash, tokens.account, scopes, until_unix_ms) = tokens.sum \
     AND row_sum(accounts.account, name, accounts.kind) = name_sum, used_day, scopes, until_unix_ms \
     FROM tokens LEFT JOIN accounts USING (account) WHERE hash = ?1";

/// The query for a token in the index that has every hash once more.
pub(super) const TOKEN_AGAIN: &str = "SELECT 1 FROM tokens INDEXED BY token_again WHERE hash = ?1";

/// The account of a token. A damaged page may hide a row from a look-up, so a token is unknown only when the index does
/// not have it either: who is told that would throw the account away.
pub(super) fn by_token(connection: &Connection, token: TokenDigest) -> Result<Option<Proved>, ReadError> {
    let mut statement = connection.prepare_cached(BY_TOKEN)?;
    let mut rows = statement.query([token.0])?;
    let found = rows.next()?.map(proved).transpose()?;
    if found.is_none() && connection.prepare_cached(TOKEN_AGAIN)?.exists([token.0])? {
        return Err(ReadError::Damaged("the row of a token is missing".to_owned()));
    }
    Ok(found)
}

fn proved(row: &Row<'_>) -> Result<Proved, ReadError> {
    Ok(Proved { person: accounts::of_row(row)?, used_day: row.get(4)?, grant: grant(row, 5)? })
}

/// What a token may be used for, in this column and the next one.
fn grant(row: &Row<'_>, column: usize) -> rusqlite::Result<Grant> {
    let until: u64 = row.get(column + 1)?;
    Ok(Grant { scopes: Scopes::of_bits(row.get(column)?), until_unix_ms: (until > 0).then_some(until) })
}

/// The tokens of an account, the one that was used last first. What cannot be shown of one is left out.
pub(super) fn list(connection: &Connection, account: AccountId) -> rusqlite::Result<Vec<KeptToken>> {
    let sql = "SELECT hash, kind, made_unix_ms, used_day, label, \
               about_sum = row_sum(hash, kind, made_unix_ms, used_day, label) \
               AND sum = row_sum(hash, account, scopes, until_unix_ms), scopes, until_unix_ms \
               FROM tokens WHERE account = ?1 ORDER BY used_day DESC, made_unix_ms DESC, hash";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_map([key(account)], kept)?.collect()
}

fn kept(row: &Row<'_>) -> rusqlite::Result<KeptToken> {
    let digest = TokenDigest(row.get(0)?);
    if !row.get::<_, bool>(5)? {
        let (label, grant) = (String::new(), Grant { scopes: Scopes::NONE, until_unix_ms: None });
        let token = NewToken { digest, kind: TokenKind::Session, made_unix_ms: 0, label, grant };
        return Ok(KeptToken { token, used_day: 0 });
    }
    let kind = TokenKind::of_number(row.get(1)?).unwrap_or(TokenKind::Session);
    let token =
        NewToken { digest, kind, made_unix_ms: row.get(2)?, label: row.get(4)?, grant: grant(row, 6)? };
    Ok(KeptToken { token, used_day: row.get(3)? })
}

/// Forgets tokens; the answer is which.
pub(super) fn revoke(
    connection: &Connection,
    account: AccountId,
    which: &Which,
) -> rusqlite::Result<Vec<TokenDigest>> {
    let all = list(connection, account)?.into_iter().map(|kept| kept.token);
    let ended: Vec<_> = all.filter(|token| which.has(token)).map(|token| token.digest).collect();
    forget(connection, &ended)?;
    Ok(ended)
}

/// Keeps an API token, and forgets those that have expired.
pub(super) fn keep_api_token(
    connection: &Connection,
    account: AccountId,
    token: &NewToken,
) -> rusqlite::Result<TokenMade> {
    if accounts::kind(connection, account)?.is_none_or(|kind| !kind.is_registered()) {
        return Ok(TokenMade::NotRegistered);
    }
    if token.grant.scopes.allow(Needs::Scope(Scope::Admin)) && !admins::is_admin(connection, account)? {
        return Ok(TokenMade::NotAdmin);
    }
    let all = list(connection, account)?.into_iter().map(|kept| kept.token);
    let (over, left): (Vec<_>, Vec<_>) = all
        .filter(|token| token.kind == TokenKind::Api)
        .partition(|kept| kept.grant.is_over(token.made_unix_ms));
    forget(connection, &over.iter().map(|token| token.digest).collect::<Vec<_>>())?;
    if left.len() >= API_TOKENS_MAX {
        return Ok(TokenMade::TooMany);
    }
    insert(connection, account, token)?;
    Ok(TokenMade::Kept)
}

/// Forgets the sessions beyond those that an account may have; the answer is which.
pub(super) fn revoke_oldest(
    connection: &Connection,
    account: AccountId,
) -> rusqlite::Result<Vec<TokenDigest>> {
    let mut sessions = list(connection, account)?;
    sessions.retain(|kept| kept.token.kind == TokenKind::Session);
    let ended: Vec<_> = sessions.iter().skip(SESSIONS_MAX).map(|kept| kept.token.digest).collect();
    forget(connection, &ended)?;
    Ok(ended)
}

fn forget(connection: &Connection, tokens: &[TokenDigest]) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("DELETE FROM tokens WHERE hash = ?1")?;
    tokens.iter().try_for_each(|token| statement.execute([token.0]).map(drop))
}

/// Notes when a token and its account were last used. Rows that are not as they were written stay so.
pub(super) fn note_use(
    connection: &Connection,
    account: AccountId,
    token: TokenDigest,
    today: Day,
) -> rusqlite::Result<()> {
    let sql = "UPDATE tokens SET used_day = ?2, about_sum = row_sum(hash, kind, made_unix_ms, ?2, label) \
               WHERE hash = ?1 AND used_day < ?2 \
               AND about_sum = row_sum(hash, kind, made_unix_ms, used_day, label)";
    connection.prepare_cached(sql)?.execute(params![token.0, today])?;
    accounts::note_seen(connection, account, today)
}
