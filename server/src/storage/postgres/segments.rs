//! From one segment of the journal to the next. A game stays in its segment as long as it is live; a segment that no live game
//! names is dropped as a whole.

use std::time::Duration;

use super::connection::{Failure, Link};
use super::journal::Journal;
use crate::storage::StoreInstant;

/// When a segment is followed by the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentSettings {
    /// A segment with so many rows.
    pub rows: u64,
    /// A segment that is so old.
    pub age: Duration,
    /// How often old segments are looked at.
    pub look_every: Duration,
}

impl SegmentSettings {
    /// Those of a server: some gigabytes, of which most are dropped within a day or two.
    pub const SERVICE: Self =
        Self { rows: 5_000_000, age: Duration::from_secs(86_400), look_every: Duration::from_secs(60) };
}

/// What the journal's task knows of the segments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segments {
    /// The one in which games begin.
    pub(super) newest: i32,
    pub(super) made: StoreInstant,
    /// How many rows this process has written there.
    pub(super) rows: u64,
    pub(super) looked: StoreInstant,
}

/// How long the tables may be locked while one is dropped: moves wait for that.
const LOCKED_WITHIN: &str = "SET LOCAL lock_timeout = '1s'";

/// Makes the partition of a segment.
pub(super) async fn create(link: &Link, segment: i32, made: StoreInstant) -> Result<(), Failure> {
    let sql = format!("CREATE TABLE journal_{segment} PARTITION OF journal FOR VALUES IN ({segment})");
    link.batch_execute(&sql).await?;
    let made = i64::try_from(made.0).unwrap_or(i64::MAX);
    link.run("INSERT INTO segments VALUES ($1, $2)", &[&segment, &made]).await?;
    Ok(())
}

/// The newest segment, and when it was made.
pub(super) async fn newest(link: &Link) -> Result<Option<(i32, StoreInstant)>, Failure> {
    let sql = "SELECT segment, made_us FROM segments ORDER BY segment DESC LIMIT 1";
    let row = link.row(sql, &[]).await?;
    Ok(row.map(|row| (row.get(0), StoreInstant(row.get::<_, i64>(1).unsigned_abs()))))
}

/// Drops the segments before this one that no live game names; how many.
async fn drop_unused(link: &Link, newest: i32) -> Result<usize, Failure> {
    link.batch_execute(LOCKED_WITHIN).await?;
    let sql = "SELECT segment FROM segments WHERE segment < $1 \
               AND NOT EXISTS (SELECT FROM live WHERE live.segment = segments.segment) ORDER BY segment";
    let unused = link.rows(sql, &[&newest]).await?;
    for row in &unused {
        let segment: i32 = row.try_get(0)?;
        link.batch_execute(&format!("DROP TABLE journal_{segment}")).await?;
        link.run("DELETE FROM segments WHERE segment = $1", &[&segment]).await?;
    }
    Ok(unused.len())
}

impl Journal {
    /// Takes one step, if there is one to take.
    pub(super) async fn work_on_segments(&mut self, at: StoreInstant) -> Result<(), Failure> {
        let Segments { newest, made, rows, looked } = self.segments;
        if rows >= self.settings.rows || at >= made.after(self.settings.age) {
            let next = newest + 1;
            self.keeper.transact(|link| async move { create(&link, next, at).await }).await?;
            self.segments = Segments { newest: next, made: at, rows: 0, looked };
            tracing::debug!(segment = next, "a new segment is opened");
        } else if at >= looked.after(self.settings.look_every) {
            self.segments.looked = at;
            self.shorten_beats(at).await?;
            // A reader may be in the way: then it is tried when it is looked next.
            let dropping = self.keeper.transact_once(|link| async move { drop_unused(&link, newest).await });
            let dropped = dropping.await?.unwrap_or_default();
            if dropped > 0 {
                tracing::debug!(dropped, "old segments are dropped");
            }
        }
        Ok(())
    }
}
