//! Open challenges as rows. They are written in order with the games: the first record of a game removes the challenge that
//! has its id.

use tokio_postgres::Row;
use uuid::Uuid;
use zeitnot_protocol::{ChallengeId, GameId};

use super::accounts::{self, account_of, key};
use super::connection::{Failure, Link};
use super::store::PostgresStore;
use crate::storage::{ChallengeStore, OpenChallenge, Writing};

impl ChallengeStore for PostgresStore {
    fn open_challenge(&self, challenge: OpenChallenge) -> Writing<()> {
        self.write_in_order(challenge, |link, challenge| async move { open(&link, &challenge).await })
    }

    fn close_challenge(&self, challenge: ChallengeId) -> Writing<()> {
        self.write_in_order(challenge, |link, challenge| async move {
            link.run("DELETE FROM challenges WHERE challenge = $1", &[&challenge.as_str()]).await.map(drop)
        })
    }
}

async fn open(link: &Link, open: &OpenChallenge) -> Result<(), Failure> {
    let sql = "INSERT INTO challenges (challenge, owner, terms, rematch_of, until_unix_ms, accepted_by) \
               VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (challenge) DO UPDATE SET \
               until_unix_ms = excluded.until_unix_ms, accepted_by = excluded.accepted_by";
    let rematch_of = open.rematch_of.as_ref().map(GameId::as_str);
    let until = i64::try_from(open.until_unix_ms).unwrap_or(i64::MAX);
    let accepted_by = open.accepted_by.map(|by| key(by.account));
    let owner = key(open.owner.account);
    link.run(sql, &[&open.challenge.as_str(), &owner, &open.terms, &rematch_of, &until, &accepted_by])
        .await?;
    Ok(())
}

/// The open challenges in the order in which they were made. One that cannot be read is left out.
pub(super) async fn all(link: &Link) -> Result<Vec<OpenChallenge>, Failure> {
    let sql = "SELECT account, name, kind, challenge, terms, rematch_of, until_unix_ms, accepted_by, id \
               FROM challenges LEFT JOIN accounts ON account = owner ORDER BY id";
    let mut challenges = Vec::new();
    for row in link.rows(sql, &[]).await? {
        match of_row(link, &row).await {
            Ok(challenge) => challenges.push(challenge),
            Err(Failure::Damaged(error)) => {
                let id: i64 = row.try_get(8)?;
                tracing::error!(id, error, "an open challenge is damaged: it is left out");
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(challenges)
}

async fn of_row(link: &Link, row: &Row) -> Result<OpenChallenge, Failure> {
    let damaged = |what: &str| Failure::Damaged(what.to_owned());
    let challenge = row.try_get::<_, &str>(3)?.parse().map_err(|_| damaged("its id is none"))?;
    let rematch_of = row.try_get::<_, Option<&str>>(5)?.map(str::parse).transpose();
    let rematch_of = rematch_of.map_err(|_| damaged("it is a rematch of no game"))?;
    let accepted_by = match row.try_get::<_, Option<Uuid>>(7)? {
        Some(accepter) => {
            let found = accounts::get(link, account_of(accepter)).await?;
            Some(found.ok_or_else(|| damaged("the account that has accepted it is missing"))?)
        }
        None => None,
    };
    let until_unix_ms = row.try_get::<_, i64>(6)?.unsigned_abs();
    let (owner, terms) = (accounts::of_row(row)?, row.try_get(4)?);
    Ok(OpenChallenge { challenge, owner, terms, rematch_of, accepted_by, until_unix_ms })
}
