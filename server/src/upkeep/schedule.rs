//! Backups by schedule: one when the newest is old enough, and the oldest beyond the wanted number are removed.
//!
//! Deliberately absent: how a backup is made and checked (`backup`).
//!
//! Invariants: only files with the name of a scheduled backup are removed, and only after a newer one was made and checked;
//! a backup that fails is logged, counted and tried again, and the server goes on.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::backup::{BackupError, backup, remove_unfinished};
use crate::storage::Rebuild;
use crate::telemetry::metrics;
use crate::time::unix_now_ms;

/// How long after a failure the next try comes, if the schedule does not want one earlier: a full disk may be emptied.
const AGAIN_AFTER: Duration = Duration::from_secs(15 * 60);

/// How often the age of the last backup is measured.
const MEASURE_EVERY: Duration = Duration::from_secs(1);

/// How the name of a backup begins, how its time is written, and how it ends.
const PREFIX: &str = "zeitnot-";
const TIME: &str = "%Y%m%dT%H%M%SZ";
const SUFFIX: &str = ".db";

/// The name of the last copy of a folder that is damaged. There is one.
const DAMAGED: &str = "zeitnot-damaged.db";

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The data folder.
    pub from: PathBuf,
    /// Where the backups are: a folder, best on another disk.
    pub to: PathBuf,
    /// The age of the newest backup at which the next one is made.
    pub every: Duration,
    /// How many are kept.
    pub keep: usize,
}

/// The backups of a folder with the second of Unix time that is in their names, the oldest first.
fn found(folder: &Path) -> io::Result<Vec<(i64, PathBuf)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let time = name.and_then(|name| name.strip_prefix(PREFIX)).and_then(|name| name.strip_suffix(SUFFIX));
        if let Some(at) = time.and_then(second_of) {
            found.push((at, path));
        }
    }
    found.sort();
    Ok(found)
}

/// The second of Unix time that a name says.
fn second_of(text: &str) -> Option<i64> {
    let at = jiff::civil::DateTime::strptime(TIME, text).ok()?;
    Some(jiff::tz::TimeZone::UTC.to_timestamp(at).ok()?.as_second())
}

fn name_of(second: i64) -> Option<String> {
    let at = Timestamp::from_second(second).ok()?;
    Some(format!("{PREFIX}{}{SUFFIX}", at.strftime(TIME)))
}

fn now() -> i64 {
    i64::try_from(unix_now_ms() / 1_000).unwrap_or(i64::MAX)
}

impl Schedule {
    /// Makes backups until `stopping`. `rebuild` makes what replays the games of a copy.
    pub async fn run<R: Rebuild + 'static>(self, stopping: CancellationToken, rebuild: fn() -> R) {
        let schedule = Arc::new(self);
        let make = {
            let (schedule, stopping) = (Arc::clone(&schedule), stopping.clone());
            move || schedule.in_a_thread(stopping.clone(), rebuild)
        };
        let last = found(&schedule.to).ok().and_then(|found| found.last().map(|(at, _)| *at));
        keep_making(schedule.every, last.map(|at| now() - at), &stopping, make).await;
    }

    /// One backup in a thread of its own.
    fn in_a_thread<R: Rebuild + 'static>(
        self: &Arc<Self>,
        stopping: CancellationToken,
        rebuild: fn() -> R,
    ) -> oneshot::Receiver<Result<PathBuf, BackupError>> {
        let (done, made) = oneshot::channel();
        let schedule = Arc::clone(self);
        let make =
            move || drop(done.send(schedule.make(now(), &mut rebuild(), &|| !stopping.is_cancelled())));
        // Without a thread the sender is dropped, which is a failure.
        drop(std::thread::Builder::new().name("backup".to_owned()).spawn(make));
        made
    }

    /// Makes one, then removes those that are too many.
    pub(super) fn make(
        &self,
        second: i64,
        rebuild: &mut dyn Rebuild,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<PathBuf, BackupError> {
        std::fs::create_dir_all(&self.to)?;
        remove_unfinished(&self.to)?;
        let name = name_of(second).ok_or_else(|| io::Error::other("this time of day has no name"))?;
        let file = self.to.join(name);
        let done = backup(&self.from, &file, rebuild, is_wanted);
        if let Err(BackupError::Damaged(_)) = done {
            // It has what came after the last good one, and pushes none of those out.
            std::fs::rename(&file, self.to.join(DAMAGED))?;
        }
        done?;
        let found = found(&self.to)?;
        for (_, old) in &found[..found.len().saturating_sub(self.keep)] {
            std::fs::remove_file(old)?;
        }
        Ok(file)
    }
}

/// Has one made whenever the newest is older than `every`, of which `age` is the seconds of the newest one. Sets the age.
async fn keep_making(
    every: Duration,
    age: Option<i64>,
    stopping: &CancellationToken,
    make: impl Fn() -> oneshot::Receiver<Result<PathBuf, BackupError>>,
) {
    let age = age.map(|seconds| Duration::from_secs(u64::try_from(seconds).unwrap_or(0)));
    let mut newest = age;
    let mut wait = age.map_or(Duration::ZERO, |age| every.saturating_sub(age));
    loop {
        let waited = age_while(tokio::time::sleep(wait), &mut newest, stopping).await;
        let Some(()) = waited else { return };
        let Some(made) = age_while(make(), &mut newest, stopping).await else { return };
        wait = match made {
            Ok(Ok(file)) => {
                tracing::info!(file = %file.display(), "a backup is made and checked");
                metrics().backups.increment(1);
                newest = Some(Duration::ZERO);
                every
            }
            failed => {
                let why = failed.map_or_else(
                    |_| "its thread has ended".to_owned(),
                    |made| made.err().map_or_else(String::new, |error| error.to_string()),
                );
                tracing::error!(why, "a backup failed: the server goes on, and tries again");
                metrics().backups_failed.increment(1);
                every.min(AGAIN_AFTER)
            }
        };
    }
}

/// Waits for something and lets the newest backup grow older; `None` when the server stops.
async fn age_while<T>(
    wait: impl Future<Output = T>,
    newest: &mut Option<Duration>,
    stopping: &CancellationToken,
) -> Option<T> {
    tokio::pin!(wait);
    loop {
        metrics().backup_age_seconds.set(newest.map_or(f64::INFINITY, |age| age.as_secs_f64()));
        tokio::select! {
            biased;
            () = stopping.cancelled() => return None,
            done = &mut wait => return Some(done),
            () = tokio::time::sleep(MEASURE_EVERY) => {
                *newest = newest.map(|age| age + MEASURE_EVERY);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::games::RecoveredGames;
    use crate::storage::sqlite::{STEPS, connect, database_in, migrate};
    use crate::sync::unpoisoned;
    use crate::time::{ServiceClock, ServiceInstant};

    const HOUR: Duration = Duration::from_secs(3_600);

    /// The hours at which backups are asked for within this time, when those of `fails` fail.
    async fn asked(every: Duration, age: Option<i64>, within: Duration, fails: &[usize]) -> Vec<f64> {
        let clock = ServiceClock::of_runtime();
        let (began, at) = (clock.now(), Mutex::new(Vec::<ServiceInstant>::new()));
        let make = || {
            let mut at = unpoisoned(at.lock());
            let (done, made) = oneshot::channel();
            let outcome =
                if fails.contains(&at.len()) { Err(BackupError::GivenUp) } else { Ok(PathBuf::new()) };
            at.push(clock.now());
            done.send(outcome).unwrap();
            made
        };
        let stopping = CancellationToken::new();
        drop(tokio::time::timeout(within, keep_making(every, age, &stopping, make)).await);
        let at = unpoisoned(at.lock()).clone();
        at.iter().map(|at| (at.since(began).as_secs_f64() / 36.0).round() / 100.0).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn a_backup_is_made_when_the_newest_is_old_enough_and_a_failed_one_again_soon() {
        assert_eq!(asked(6 * HOUR, None, 13 * HOUR, &[]).await, [0.0, 6.0, 12.0]);
        assert_eq!(asked(6 * HOUR, Some(5 * 3_600), 8 * HOUR, &[]).await, [1.0, 7.0]);
        assert_eq!(asked(6 * HOUR, Some(99 * 3_600), HOUR, &[]).await, [0.0]);
        assert_eq!(asked(6 * HOUR, Some(-3_600), 7 * HOUR, &[]).await, [6.0], "the time of day was set back");
        assert_eq!(asked(6 * HOUR, None, 7 * HOUR, &[0, 1]).await, [0.0, 0.25, 0.5, 6.5]);
    }

    #[test]
    fn the_newest_are_kept_and_nothing_else_is_touched() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut writer = connect(&database_in(from.path())).unwrap();
        migrate(&mut writer, STEPS).unwrap();
        std::fs::write(to.path().join("zeitnot-notes.db"), "mine").unwrap();
        let schedule =
            Schedule { from: from.path().to_owned(), to: to.path().to_owned(), every: HOUR, keep: 2 };
        let make = |second| schedule.make(second, &mut RecoveredGames::default(), &|| true);
        for second in [1_763_000_000, 1_763_003_600, 1_763_007_200] {
            make(second).unwrap();
        }
        let names = || {
            let files = std::fs::read_dir(to.path()).unwrap().map(|file| file.unwrap().file_name());
            let mut names: Vec<_> = files.map(|name| name.into_string().unwrap()).collect();
            names.sort();
            names
        };
        let kept = ["zeitnot-20251113T031320Z.db", "zeitnot-20251113T041320Z.db"];
        assert_eq!(names(), [kept[0], kept[1], "zeitnot-notes.db"]);
        writer
            .execute_batch(
                "INSERT INTO accounts (account, made_unix_ms, sum, name_sum) VALUES (zeroblob(16), 5, 1, 1)",
            )
            .unwrap();
        assert!(matches!(make(1_763_010_800), Err(BackupError::Damaged(_))));
        assert!(matches!(make(1_763_014_400), Err(BackupError::Damaged(_))));
        let with_damaged = [kept[0], kept[1], DAMAGED, "zeitnot-notes.db"];
        assert_eq!(names(), with_damaged, "a good one is never removed for a bad one");
    }
}
