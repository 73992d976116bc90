//! Open challenges as rows.

use std::str::FromStr;

use rusqlite::{Connection, Row, params};
use zeitnot_protocol::{AccountId, ChallengeId, GameId};

use super::accounts;
use super::store::SqliteStore;
use crate::storage::{ChallengeStore, OpenChallenge, ReadError, Writing};

impl ChallengeStore for SqliteStore {
    fn open_challenge(&self, challenge: OpenChallenge) -> Writing<()> {
        self.write(move |connection| open(connection, &challenge))
    }

    fn close_challenge(&self, challenge: ChallengeId) -> Writing<()> {
        self.write(move |connection| close(connection, challenge.as_bytes()))
    }
}

pub(super) fn open(connection: &Connection, open: &OpenChallenge) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO challenges (challenge, owner, terms, rematch_of, until_unix_ms, accepted_by, sum) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, row_sum(?1, ?2, ?3, ?4, ?5, ?6)) \
             ON CONFLICT (challenge) DO UPDATE SET until_unix_ms = excluded.until_unix_ms, \
             accepted_by = excluded.accepted_by, sum = excluded.sum",
        )?
        .execute(params![
            open.challenge.as_bytes(),
            open.owner.account.as_u128().to_be_bytes(),
            open.terms,
            open.rematch_of.as_ref().map(GameId::as_bytes),
            i64::try_from(open.until_unix_ms).unwrap_or(i64::MAX),
            open.accepted_by.map(|by| by.account.as_u128().to_be_bytes())
        ])?;
    Ok(())
}

/// Removes a challenge. Its id is also that of the game that was made from it.
pub(super) fn close(connection: &Connection, id: &[u8]) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM challenges WHERE challenge = ?1")?.execute([id])?;
    Ok(())
}

/// The open challenges in the order in which they were made. One that is not as it was written is left out.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<OpenChallenge>> {
    let mut statement = connection.prepare(
        "SELECT account, name, kind, row_sum(account, name, kind) = name_sum, challenge, terms, rematch_of, \
         row_sum(challenge, owner, terms, rematch_of, until_unix_ms, accepted_by) = challenges.sum, id, \
         until_unix_ms, accepted_by \
         FROM challenges LEFT JOIN accounts ON account = owner ORDER BY id",
    )?;
    let mut rows = statement.query([])?;
    let mut challenges = Vec::new();
    while let Some(row) = rows.next()? {
        match of_row(connection, row) {
            Ok(challenge) => challenges.push(challenge),
            Err(error) => {
                let id: i64 = row.get(8)?;
                tracing::error!(id, %error, "an open challenge is damaged: it is left out");
            }
        }
    }
    Ok(challenges)
}

fn of_row(connection: &Connection, row: &Row<'_>) -> Result<OpenChallenge, ReadError> {
    let is_as_written: bool = row.get(7)?;
    let challenge = id(row.get_ref(4)?.as_blob().map_err(rusqlite::Error::from)?);
    // `None`: present but malformed.
    let rematch_of = row.get_ref(6)?.as_blob_or_null().map_err(rusqlite::Error::from)?;
    let rematch_of = rematch_of.map_or(Some(None), |bytes| id(bytes).map(Some));
    match challenge.zip(rematch_of).filter(|_| is_as_written) {
        Some((challenge, rematch_of)) => {
            let until_unix_ms = u64::try_from(row.get::<_, i64>(9)?).unwrap_or_default();
            let (owner, terms) = (accounts::of_row(row)?, row.get(5)?);
            let accepter = row.get::<_, Option<[u8; 16]>>(10)?;
            let accepter = accepter.map(|id| AccountId::from_u128(u128::from_be_bytes(id)));
            let accepted_by = match accepter {
                Some(account) => accounts::get(connection, account)?,
                None => None,
            };
            if accepter.is_some() && accepted_by.is_none() {
                return Err(ReadError::Damaged("the account that has accepted it is missing".to_owned()));
            }
            Ok(OpenChallenge { challenge, owner, terms, rematch_of, accepted_by, until_unix_ms })
        }
        None => Err(ReadError::Damaged("its row is not as it was written".to_owned())),
    }
}

/// An id as it is kept.
fn id<T: FromStr>(bytes: &[u8]) -> Option<T> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}
