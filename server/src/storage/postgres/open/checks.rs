//! What a start demands of PostgreSQL and of the way there, and what it says about it.

use std::time::Duration;

use super::super::connection::{Database, Link};
use super::OpenError;

/// How long PostgreSQL takes at most to say which backend it is: a pooler that has no other one waits for longer.
const SAID_WITHIN: Duration = Duration::from_secs(5);

/// Rejects a pooler that gives a connection another backend for each transaction: what is set, prepared and waited for on one
/// would be on another one. Such a pooler gives two connections the same backend one after the other, or takes this one's away
/// while the other one is in a transaction.
///
/// # Errors
/// When there is one.
pub(in crate::storage::postgres) async fn no_pooler(
    database: &Database,
    link: &Link,
) -> Result<(), OpenError> {
    let other = database.connect().await?;
    if other.backend == link.backend {
        return Err(OpenError::Pooled);
    }
    other.batch_execute("BEGIN").await?;
    match tokio::time::timeout(SAID_WITHIN, link.backend_now()).await {
        Ok(backend) => {
            if backend? == link.backend {
                Ok(())
            } else {
                Err(OpenError::Pooled)
            }
        }
        Err(_) => Err(OpenError::Pooled),
    }
}

/// The oldest major version: from here on a backend can be ended and its end be waited for.
const VERSION_MIN: i32 = 140_000;

/// Rejects a server that may lose what it has answered, and says how many copies an answer means.
///
/// # Errors
/// Which setting is in the way.
pub(in crate::storage::postgres) async fn settings(link: &Link) -> Result<(), OpenError> {
    let sql = "SELECT current_setting('server_version_num')::int, current_setting('fsync'), \
               current_setting('full_page_writes'), current_setting('synchronous_standby_names'), \
               current_setting('data_checksums'), current_setting('server_version')";
    let row = link.query_one(sql, &[]).await?;
    let (number, version): (i32, String) = (row.try_get(0)?, row.try_get(5)?);
    if number < VERSION_MIN {
        return Err(OpenError::TooOld { version });
    }
    for (column, setting) in [(1, "fsync"), (2, "full_page_writes")] {
        if row.try_get::<_, String>(column)? != "on" {
            return Err(OpenError::Unsafe { setting });
        }
    }
    let (standbys, checksums): (String, String) = (row.try_get(3)?, row.try_get(4)?);
    let copies = 1 + standbys_waited_for(&standbys);
    tracing::info!(
        version,
        copies,
        standbys,
        checksums,
        "what is answered is on the disks of so many machines"
    );
    if checksums != "on" {
        tracing::warn!("PostgreSQL has no data checksums: it does not notice what a disk has changed");
    }
    Ok(())
}

/// How many standbys PostgreSQL waits for, by its setting `synchronous_standby_names`.
fn standbys_waited_for(names: &str) -> usize {
    let names = names.trim();
    if names.is_empty() {
        return 0;
    }
    let Some((before, _)) = names.split_once('(') else { return 1 };
    let count = before.split_whitespace().next_back();
    count.and_then(|count| count.parse().ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_means_so_many_copies() {
        for (names, standbys) in [
            ("", 0),
            ("*", 1),
            ("one", 1),
            ("one, two", 1),
            ("2 (one, two, three)", 2),
            ("FIRST 2 (one, two)", 2),
            ("ANY 1 (one, two)", 1),
            ("any 3(a,b,c)", 3),
        ] {
            assert_eq!(standbys_waited_for(names), standbys, "{names}");
        }
    }
}
