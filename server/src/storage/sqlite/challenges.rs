//! Open challenges as rows.

use std::str::FromStr;

use rusqlite::{Connection, params};
use zeitnot_protocol::GameId;

use super::accounts;
use crate::storage::OpenChallenge;

pub(super) fn open(connection: &Connection, open: &OpenChallenge) -> rusqlite::Result<()> {
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

/// Removes a challenge. Its id is also that of the game that was made from it.
pub(super) fn close(connection: &Connection, id: &[u8]) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM challenges WHERE challenge = ?1")?.execute([id])?;
    Ok(())
}

/// The open challenges in the order in which they were made.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<OpenChallenge>> {
    let mut statement = connection.prepare(
        "SELECT owner, name, challenge, terms, rematch_of FROM challenges LEFT JOIN accounts ON account = owner ORDER BY id",
    )?;
    let mut rows = statement.query([])?;
    let mut challenges = Vec::new();
    while let Some(row) = rows.next()? {
        let owner = accounts::of_row(row)?;
        let challenge = id(row.get_ref(2)?.as_blob()?);
        // `None`: present but malformed.
        let rematch_of = row.get_ref(4)?.as_blob_or_null()?.map_or(Some(None), |bytes| id(bytes).map(Some));
        match challenge.zip(rematch_of) {
            Some((challenge, rematch_of)) => {
                challenges.push(OpenChallenge { challenge, owner, terms: row.get(3)?, rematch_of });
            }
            None => {
                tracing::error!(owner = %owner.account, "a stored challenge has an invalid id: it is left out");
            }
        }
    }
    Ok(challenges)
}

/// An id as it is kept.
fn id<T: FromStr>(bytes: &[u8]) -> Option<T> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}
