//! What owners have granted programs as rows: a program may show its code to another node.

use zeitnot_protocol::Scopes;

use super::accounts::{account_of, key};
use super::connection::{Failure, Link};
use super::credentials::column;
use super::store::PostgresStore;
use crate::storage::{
    AuthorizationStore, CODE_LASTS_MS, CODES_MAX, CODES_PER_ACCOUNT_MAX, CodeChallenge, Granted, TokenDigest,
    Writing,
};

impl AuthorizationStore for PostgresStore {
    fn keep_code(&self, code: TokenDigest, granted: Granted, at_unix_ms: u64) -> Writing<bool> {
        self.write((code, granted, at_unix_ms), |link, (code, granted, at)| async move {
            keep(&link, code, &granted, at).await
        })
    }

    fn take_code(&self, code: TokenDigest, at_unix_ms: u64) -> Writing<Option<Granted>> {
        self.write((code, at_unix_ms), |link, (code, at)| async move { take(&link, code, at).await })
    }
}

async fn keep(link: &Link, code: TokenDigest, granted: &Granted, at_unix_ms: u64) -> Result<bool, Failure> {
    let Granted { account, client, redirect, challenge, scopes } = granted;
    link.run("DELETE FROM codes WHERE until_unix_ms <= $1", &[&column(at_unix_ms)]).await?;
    let beyond = "DELETE FROM codes WHERE hash IN (SELECT hash FROM codes WHERE account = $1 \
                  ORDER BY until_unix_ms DESC, hash DESC OFFSET $2)";
    link.run(beyond, &[&key(*account), &i64::try_from(CODES_PER_ACCOUNT_MAX - 1).unwrap_or(i64::MAX)])
        .await?;
    let count = link.row("SELECT count(*) FROM codes", &[]).await?;
    if count.map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()) >= CODES_MAX as u64 {
        return Ok(false);
    }
    let sql = "INSERT INTO codes (hash, account, client, redirect, challenge, scopes, until_unix_ms) \
               VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let (scopes, until) = (i64::from(scopes.bits()), column(at_unix_ms + CODE_LASTS_MS));
    let values = (&code.0[..], &challenge.0[..]);
    link.run(sql, &[&values.0, &key(*account), client, redirect, &values.1, &scopes, &until]).await?;
    Ok(true)
}

async fn take(link: &Link, code: TokenDigest, at_unix_ms: u64) -> Result<Option<Granted>, Failure> {
    let sql = "DELETE FROM codes WHERE hash = $1 \
               RETURNING account, client, redirect, challenge, scopes, until_unix_ms > $2";
    let Some(row) = link.row(sql, &[&&code.0[..], &column(at_unix_ms)]).await? else { return Ok(None) };
    if !row.try_get::<_, bool>(5)? {
        return Ok(None);
    }
    let damaged = || Failure::Damaged("a code is not as it was written".to_owned());
    let challenge = row.try_get::<_, &[u8]>(3)?.try_into().map_err(|_| damaged())?;
    let scopes = u8::try_from(row.try_get::<_, i64>(4)?).map_err(|_| damaged())?;
    Ok(Some(Granted {
        account: account_of(row.try_get(0)?),
        client: row.try_get(1)?,
        redirect: row.try_get(2)?,
        challenge: CodeChallenge(challenge),
        scopes: Scopes::of_bits(scopes),
    }))
}
