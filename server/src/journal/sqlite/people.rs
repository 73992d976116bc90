//! Accounts, tokens and open challenges as rows.

use std::str::FromStr;

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use zeitnot_protocol::{AccountId, ChallengeId, GameId};
use zeitnot_rules::game::PlayerName;

use super::requests::OpenChallenge;
use crate::accounts::Person;

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

/// The account in the first column, its name in the second.
fn person_of_row(row: &Row<'_>) -> rusqlite::Result<Person> {
    let account = AccountId::from_u128(u128::from_be_bytes(row.get(0)?));
    let text = row.get_ref(1)?.as_str_or_null()?;
    let name = text.and_then(|text| {
        let name = text.parse::<PlayerName>();
        name.inspect_err(|error| tracing::error!(%account, %error, "a name is none: it is left out")).ok()
    });
    Ok(Person { account, name })
}

pub(super) fn person_of_token(
    connection: &Connection,
    token_hash: &[u8; 32],
) -> rusqlite::Result<Option<Person>> {
    let sql = "SELECT account, name FROM tokens JOIN accounts USING (account) WHERE hash = ?1";
    connection.prepare_cached(sql)?.query_row([token_hash], person_of_row).optional()
}

pub(super) fn person(connection: &Connection, account: AccountId) -> rusqlite::Result<Option<Person>> {
    let mut statement = connection.prepare_cached("SELECT account, name FROM accounts WHERE account = ?1")?;
    statement.query_row([account.as_u128().to_be_bytes()], person_of_row).optional()
}

/// How the account of a name is found: by the index of that.
pub(super) const PERSON_NAMED: &str = "SELECT account, name FROM accounts WHERE name = ?1 COLLATE NOCASE";

pub(super) fn person_named(connection: &Connection, name: PlayerName) -> rusqlite::Result<Option<Person>> {
    connection.prepare_cached(PERSON_NAMED)?.query_row([name.as_str()], person_of_row).optional()
}

/// `false` when another account has the name.
pub(super) fn rename(
    connection: &Connection,
    account: AccountId,
    name: PlayerName,
) -> rusqlite::Result<bool> {
    let mut statement =
        connection.prepare_cached("UPDATE OR IGNORE accounts SET name = ?2 WHERE account = ?1")?;
    Ok(statement.execute(params![account.as_u128().to_be_bytes(), name.as_str()])? == 1)
}

pub(super) fn revoke_token(connection: &Connection, token_hash: &[u8; 32]) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM tokens WHERE hash = ?1")?.execute([token_hash])?;
    Ok(())
}

pub(super) fn open_challenge(connection: &Connection, open: &OpenChallenge) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO challenges (challenge, owner, terms, rematch_of) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![
            open.challenge.as_bytes(),
            open.owner.account.as_u128().to_be_bytes(),
            open.terms,
            open.rematch_of.as_ref().map(GameId::as_bytes)
        ])?;
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
    let mut statement = connection.prepare(
        "SELECT owner, name, challenge, terms, rematch_of FROM challenges LEFT JOIN accounts ON account = owner ORDER BY id",
    )?;
    let mut rows = statement.query([])?;
    let mut challenges = Vec::new();
    while let Some(row) = rows.next()? {
        let owner = person_of_row(row)?;
        let challenge = id(row.get_ref(2)?.as_blob()?);
        // `None` when there is one that is none.
        let rematch_of = row.get_ref(4)?.as_blob_or_null()?.map_or(Some(None), |bytes| id(bytes).map(Some));
        match challenge.zip(rematch_of) {
            Some((challenge, rematch_of)) => {
                challenges.push(OpenChallenge { challenge, owner, terms: row.get(3)?, rematch_of });
            }
            None => {
                tracing::error!(owner = %owner.account, "a challenge has an id that is none: it is left out");
            }
        }
    }
    Ok(challenges)
}

/// An id as it is kept.
fn id<T: FromStr>(bytes: &[u8]) -> Option<T> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}
