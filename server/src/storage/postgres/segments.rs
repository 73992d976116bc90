//! From one segment of the journal to the next. A game stays in its segment as long as it is live; a segment that no live game
//! names is dropped as a whole.

use std::sync::Arc;
use std::time::Duration;

use super::connection::{Failure, Link};
use super::journal::Journal;
use super::{nodes, schema};
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
    /// How long a segment that no live game names is kept after the next one was made: longer than another process takes
    /// to begin its games there.
    pub kept: Duration,
}

impl SegmentSettings {
    /// Those of a server: some gigabytes, of which most are dropped within a day or two.
    pub const SERVICE: Self = Self {
        rows: 5_000_000,
        age: Duration::from_secs(86_400),
        look_every: Duration::from_secs(60),
        kept: Duration::from_secs(3_600),
    };
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
    link.run("INSERT INTO segments (segment, made_us) VALUES ($1, $2)", &[&segment, &made]).await?;
    Ok(())
}

/// The segment after this one, which is made unless another process has made it.
pub(super) async fn after(
    link: &Link,
    segment: i32,
    made: StoreInstant,
) -> Result<(i32, StoreInstant), Failure> {
    schema::lock(link).await?;
    match newest(link).await? {
        Some(found) if found.0 > segment => Ok(found),
        Some(_) | None => {
            create(link, segment + 1, made).await?;
            Ok((segment + 1, made))
        }
    }
}

/// The newest segment, and when it was made.
pub(super) async fn newest(link: &Link) -> Result<Option<(i32, StoreInstant)>, Failure> {
    let sql = "SELECT segment, made_us FROM segments ORDER BY segment DESC LIMIT 1";
    let row = link.row(sql, &[]).await?;
    Ok(row.map(|row| (row.get(0), StoreInstant(row.get::<_, i64>(1).unsigned_abs()))))
}

/// Drops the segments before this one that no live game names, and that nobody begins games in any more; how many.
async fn drop_unused(link: &Link, newest: i32, kept: Duration) -> Result<usize, Failure> {
    link.batch_execute(LOCKED_WITHIN).await?;
    schema::lock(link).await?;
    let sql = "SELECT segment FROM segments WHERE segment < $1 \
               AND NOT EXISTS (SELECT FROM live WHERE live.segment = segments.segment) \
               AND EXISTS (SELECT FROM segments AS next WHERE next.segment > segments.segment \
                AND next.made <= now() - make_interval(secs => $2)) ORDER BY segment";
    let unused = link.rows(sql, &[&newest, &kept.as_secs_f64()]).await?;
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
            let making = |link: Arc<Link>| async move { after(&link, newest, at).await };
            let (segment, made) = self.keeper.transact(making).await?;
            self.segments = Segments { newest: segment, made, rows: 0, looked };
            tracing::debug!(segment, "games begin in a new segment");
        } else if at >= looked.after(self.settings.look_every) {
            self.segments.looked = at;
            self.shorten_beats(at).await?;
            self.look_at_segments().await?;
            self.forget_dead(at).await?;
            self.forget_changes().await?;
        }
        Ok(())
    }

    /// Forgets processes that have long been dead.
    async fn forget_dead(&mut self, at: StoreInstant) -> Result<(), Failure> {
        let node = self.node;
        let forgetting =
            self.keeper.transact_once(|link| async move { nodes::forget_dead(&link, node, at).await });
        let forgotten = forgetting.await?.unwrap_or_default();
        if forgotten > 0 {
            tracing::info!(forgotten, "nodes that have long been dead are forgotten");
        }
        Ok(())
    }

    /// Forgets what was changed about people long ago.
    async fn forget_changes(&mut self) -> Result<(), Failure> {
        let forgetting = self.keeper.transact_once(|link| async move { nodes::changes::forget(&link).await });
        forgetting.await?;
        Ok(())
    }

    /// Goes on to a segment that another process has made, and drops old ones.
    async fn look_at_segments(&mut self) -> Result<(), Failure> {
        let (before, kept) = (self.segments.newest, self.settings.kept);
        let looking = self.keeper.transact_once(|link| async move {
            let found = newest(&link).await?.filter(|found| found.0 > before);
            let newest = found.map_or(before, |(segment, _)| segment);
            Ok((found, drop_unused(&link, newest, kept).await?))
        });
        // A reader may be in the way: then it is tried when it is looked next.
        let (found, dropped) = looking.await?.unwrap_or_default();
        if let Some((segment, made)) = found {
            self.segments = Segments { newest: segment, made, rows: 0, ..self.segments };
        }
        if dropped > 0 {
            tracing::debug!(dropped, "old segments are dropped");
        }
        Ok(())
    }
}
