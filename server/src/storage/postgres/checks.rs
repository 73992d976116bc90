//! What a start demands of PostgreSQL, and what it says about it.

use super::connection::Link;
use super::open::OpenError;

/// The oldest major version: from here on a backend can be ended and its end be waited for.
const VERSION_MIN: i32 = 140_000;

/// Rejects a server that may lose what it has answered, and says how many copies an answer means.
///
/// # Errors
/// Which setting is in the way.
pub(super) async fn settings(link: &Link) -> Result<(), OpenError> {
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
