//! Tokens as rows. What a token proves has a checksum, and what its owner is shown of it has another one: a damaged label
//! signs nobody out.

use rusqlite::{Connection, Row, params};
use zeitnot_protocol::AccountId;

use super::accounts::{self, key};
use crate::storage::{
    Day, KeptToken, NewToken, Proved, ReadError, SESSIONS_MAX, TokenDigest, TokenKind, Which,
};

pub(super) fn insert(connection: &Connection, account: AccountId, token: &NewToken) -> rusqlite::Result<()> {
    let sql = "INSERT INTO tokens (hash, account, sum, kind, made_unix_ms, used_day, label, about_sum) \
               VALUES (?1, ?2, row_sum(?1, ?2), ?3, ?4, ?5, ?6, row_sum(?1, ?3, ?4, ?5, ?6))";
    let NewToken { digest, kind, made_unix_ms, label } = token;
    connection.prepare_cached(sql)?.execute(params![
        digest.0,
        key(account),
        *kind as u8,
        made_unix_ms,
        token.day(),
        label
    ])?;
    Ok(())
}

/// The query for the account of a token.
pub(super) const BY_TOKEN: &str = "SELECT accounts.account, name, accounts.kind, \
     row_sum(hash, tokens.account) = tokens.sum AND row_sum(accounts.account, name, accounts.kind) = name_sum, used_day \
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
    Ok(Proved { person: accounts::of_row(row)?, used_day: row.get(4)? })
}

/// The tokens of an account, the one that was used last first. What cannot be shown of one is left out.
pub(super) fn list(connection: &Connection, account: AccountId) -> rusqlite::Result<Vec<KeptToken>> {
    let sql = "SELECT hash, kind, made_unix_ms, used_day, label, \
               about_sum = row_sum(hash, kind, made_unix_ms, used_day, label) \
               FROM tokens WHERE account = ?1 ORDER BY used_day DESC, made_unix_ms DESC, hash";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_map([key(account)], kept)?.collect()
}

fn kept(row: &Row<'_>) -> rusqlite::Result<KeptToken> {
    let digest = TokenDigest(row.get(0)?);
    if !row.get::<_, bool>(5)? {
        let token = NewToken { digest, kind: TokenKind::Session, made_unix_ms: 0, label: String::new() };
        return Ok(KeptToken { token, used_day: 0 });
    }
    let kind = TokenKind::of_number(row.get(1)?).unwrap_or(TokenKind::Session);
    let token = NewToken { digest, kind, made_unix_ms: row.get(2)?, label: row.get(4)? };
    Ok(KeptToken { token, used_day: row.get(3)? })
}

/// Forgets tokens; the answer is which.
pub(super) fn revoke(
    connection: &Connection,
    account: AccountId,
    which: &Which,
) -> rusqlite::Result<Vec<TokenDigest>> {
    let all = list(connection, account)?.into_iter().map(|kept| kept.token.digest);
    let ended: Vec<_> = all.filter(|digest| which.has(*digest)).collect();
    forget(connection, &ended)?;
    Ok(ended)
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
