//! Accounts, tokens and open challenges as rows.

use rusqlite::{Connection, OptionalExtension as _, params};
use zeitnot_protocol::{AccountId, ChallengeId, GameId};

use super::requests::OpenChallenge;

pub(super) fn put_account(
    connection: &Connection,
    account: AccountId,
    token_hash: &[u8; 32],
    made_unix_ms: u64,
) -> rusqlite::Result<()> {
    let bytes = account.as_u128().to_be_bytes();
    connection
        .prepare_cached("INSERT INTO accounts (account, made_unix_ms) VALUES (?1, ?2)")?
        .execute(params![bytes, made_unix_ms])?;
    connection
        .prepare_cached("INSERT INTO tokens (hash, account) VALUES (?1, ?2)")?
        .execute(params![token_hash, bytes])?;
    Ok(())
}

pub(super) fn account_of_token(
    connection: &Connection,
    token_hash: &[u8; 32],
) -> rusqlite::Result<Option<AccountId>> {
    let mut statement = connection.prepare_cached("SELECT account FROM tokens WHERE hash = ?1")?;
    let account = statement.query_row([token_hash], |row| row.get::<_, [u8; 16]>(0)).optional()?;
    Ok(account.map(|bytes| AccountId::from_u128(u128::from_be_bytes(bytes))))
}

pub(super) fn revoke_token(connection: &Connection, token_hash: &[u8; 32]) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM tokens WHERE hash = ?1")?.execute([token_hash])?;
    Ok(())
}

pub(super) fn account_exists(connection: &Connection, account: AccountId) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM accounts WHERE account = ?1")?;
    statement.exists([account.as_u128().to_be_bytes()])
}

pub(super) fn open_challenge(connection: &Connection, open: &OpenChallenge) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO challenges (challenge, owner, terms) VALUES (?1, ?2, ?3)")?
        .execute(params![open.challenge.as_bytes(), open.owner.as_u128().to_be_bytes(), open.terms])?;
    Ok(())
}

/// A game has the id of the challenge that it was made from.
pub(super) fn challenge_is_played(connection: &Connection, game: GameId) -> rusqlite::Result<()> {
    remove_challenge(connection, game.as_bytes())
}

pub(super) fn close_challenge(connection: &Connection, challenge: ChallengeId) -> rusqlite::Result<()> {
    remove_challenge(connection, challenge.as_bytes())
}

fn remove_challenge(connection: &Connection, name: &[u8]) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM challenges WHERE challenge = ?1")?.execute([name])?;
    Ok(())
}

/// The open challenges in the order in which they were made.
pub(super) fn challenges(connection: &Connection) -> rusqlite::Result<Vec<OpenChallenge>> {
    let mut statement = connection.prepare("SELECT challenge, owner, terms FROM challenges ORDER BY id")?;
    let mut rows = statement.query([])?;
    let mut challenges = Vec::new();
    while let Some(row) = rows.next()? {
        let name = std::str::from_utf8(row.get_ref(0)?.as_blob()?).ok().and_then(|text| text.parse().ok());
        let owner = AccountId::from_u128(u128::from_be_bytes(row.get(1)?));
        match name {
            Some(challenge) => challenges.push(OpenChallenge { challenge, owner, terms: row.get(2)? }),
            None => tracing::error!(%owner, "a challenge has a name that is none: it is left out"),
        }
    }
    Ok(challenges)
}
