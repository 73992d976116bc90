//! `zeitnot backup FILE`, and each backup by schedule: a copy of a data folder's database, also while a server writes it.
//!
//! The copy is one file, whole, checked and durable when this returns, and marked: the first server that starts from it
//! draws a new epoch, so that clients do not mistake its seqs for those of the history that they know.
//!
//! It is written slowly. A move waits for an fsync, and an fsync waits for everything that its disk has to write: a copy
//! as fast as the disk allows makes every move wait. So the copy is made in parts, each is synced before the next, and
//! between them the disk is left to others.
//!
//! Invariants: the pages are those of one instant; a copy that was given up has no name; while a copy is being made, the
//! folder in which that happens is locked, so that another process tells it from what a dead one has left.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use tempfile::TempDir;

use super::check::{CheckError, check};
use crate::process::{Priority, lower_priority};
use crate::storage::Rebuild;
use crate::storage::sqlite::{COPY, connect_reader, database_in, set_fact, sync};

/// What users of the machine may do with the copy: its owner may read and write it, as with the data folder itself.
const MODE: u32 = 0o600;

/// Pages that are copied before they are synced: 1 MiB, which a disk writes in the time of a few fsyncs.
const PAGES_PER_STEP: i32 = 256;

/// How long the disk is left to others after each step. With it a copy takes about 30 s for each GiB.
const PAUSE: Duration = Duration::from_millis(25);

/// The memory in which pages of the copy wait before they are written: little, so that each step reaches the file.
const CACHE_KIB: i32 = 256;

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is nothing to copy.
    #[error("{0} holds no database; name the data folder with --data")]
    NoDatabase(PathBuf),
    /// The file is there already.
    #[error("{0} exists; name a new file")]
    Exists(PathBuf),
    /// The copy cannot be written.
    #[error("the copy cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The database cannot be read, or the copy cannot be written.
    #[error("the copy failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The copy cannot be checked.
    #[error("the copy cannot be checked: {0}")]
    Check(#[from] CheckError),
    /// What was copied is not as it was written. The copy is there: it has everything that the folder has.
    #[error("the copy is there, but what was copied is damaged ({0}); `zeitnot check` names it")]
    Damaged(String),
    /// Nobody wants it any more.
    #[error("the copy was given up")]
    GivenUp,
}

/// Copies the database of the data folder `from` to the new file `to`, and checks the copy; `rebuild` replays its games.
/// The calling thread gets a low priority. `is_wanted` is asked after each step.
///
/// # Errors
/// See [`BackupError`]. `to` exists after [`BackupError::Damaged`] and after no other error.
pub fn backup(
    from: &Path,
    to: &Path,
    rebuild: &mut dyn Rebuild,
    is_wanted: &dyn Fn() -> bool,
) -> Result<(), BackupError> {
    let database = database_in(from);
    if !database.exists() {
        return Err(BackupError::NoDatabase(from.to_owned()));
    }
    if to.exists() {
        return Err(BackupError::Exists(to.to_owned()));
    }
    lower_priority(Priority::Low);
    let folder = match to.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    // In the same folder under another name, so that FILE is never half a copy.
    // In this order: the folder is removed before the lock is dropped.
    let (_lock, part) = begin_in(folder)?;
    let unfinished = part.path().join("copy");
    let file = File::create_new(&unfinished)?;
    file.set_permissions(Permissions::from_mode(MODE))?;
    copy(&connect_reader(&database)?, &unfinished, &file, is_wanted)?;
    file.sync_all()?;
    let report = check(&unfinished, None, rebuild)?;
    give_name(&unfinished, to)?;
    sync(folder)?;
    if report.is_in_order() { Ok(()) } else { Err(BackupError::Damaged(report.summary())) }
}

/// How the folders begin in which copies are made.
const UNFINISHED: &str = ".zeitnot-backup-";

/// Makes the folder in which a copy is made, and locks it until the process ends or drops the lock.
fn begin_in(folder: &Path) -> io::Result<(File, TempDir)> {
    loop {
        let part = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(folder)?;
        let lock = match File::open(part.path()) {
            Ok(lock) => lock,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        // Where no file can be locked, nobody removes a folder either.
        lock.lock().ok();
        // Somebody may have removed it before it was locked: then it is made again.
        if part.path().exists() {
            return Ok((lock, part));
        }
    }
}

/// Removes what a process that was killed has left in `folder`; not what one is working on.
pub(super) fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(UNFINISHED)) {
            let Ok(lock) = File::open(entry.path()) else { continue };
            if lock.try_lock().is_ok() {
                match std::fs::remove_dir_all(entry.path()) {
                    // Another process did so.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    removed => removed?,
                }
            }
        }
    }
    Ok(())
}

fn copy(
    source: &Connection,
    path: &Path,
    file: &File,
    is_wanted: &dyn Fn() -> bool,
) -> Result<(), BackupError> {
    // One transaction over all steps: a step that saw a later commit would begin anew, and on a busy server never end.
    source.execute_batch("BEGIN")?;
    source.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    let mut copy = Connection::open(path)?;
    // It is synced here, step by step, and without a name nobody takes it for a copy.
    copy.execute_batch(&format!(
        "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -{CACHE_KIB};"
    ))?;
    let steps = Backup::new(source, &mut copy)?;
    while steps.step(PAGES_PER_STEP)? != StepResult::Done {
        if !is_wanted() {
            return Err(BackupError::GivenUp);
        }
        file.sync_data()?;
        std::thread::sleep(PAUSE);
    }
    drop(steps);
    // One file, without a log beside it.
    copy.execute_batch("PRAGMA journal_mode = DELETE;")?;
    set_fact(&copy, COPY, "1")?;
    copy.close().map_err(|(_, error)| error)?;
    Ok(())
}

/// A link, unlike a rename, overwrites nothing; but not every file system has links.
fn give_name(unfinished: &Path, to: &Path) -> Result<(), BackupError> {
    match std::fs::hard_link(unfinished, to) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(BackupError::Exists(to.to_owned())),
        Err(_) => Ok(std::fs::rename(unfinished, to)?),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::games::RecoveredGames;
    use crate::storage::sqlite::{STEPS, connect, migrate};
    use crate::upkeep::schedule::Schedule;

    /// A folder of more than two steps.
    fn large_folder() -> (tempfile::TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = connect(&database_in(folder.path())).unwrap();
        migrate(&mut writer, STEPS).unwrap();
        let fill = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) \
                    INSERT INTO set_aside SELECT i, x'00', 1, zeroblob(4000) FROM n";
        writer.execute_batch(fill).unwrap();
        (folder, writer)
    }

    #[test]
    fn a_copy_is_of_one_instant_and_does_not_begin_anew_when_somebody_writes_between_its_steps() {
        let (folder, writer) = large_folder();
        let (steps, copies) = (Cell::new(0), tempfile::tempdir().unwrap());
        let file = copies.path().join("copy.db");
        let write = || {
            steps.set(steps.get() + 1);
            set_fact(&writer, "later", &steps.get().to_string()).unwrap();
            steps.get() < 20
        };
        backup(folder.path(), &file, &mut RecoveredGames::default(), &write).unwrap();
        assert!((2..6).contains(&steps.get()), "{} steps", steps.get());
        let copy = connect_reader(&file).unwrap();
        let later = "SELECT count(*) FROM facts WHERE name = 'later'";
        assert_eq!(copy.query_row(later, [], |row| row.get::<_, u32>(0)), Ok(0));
    }

    #[test]
    fn a_backup_by_schedule_removes_what_is_left_over_and_not_what_is_being_made() {
        let (folder, _writer) = large_folder();
        let copies = tempfile::tempdir().unwrap();
        std::fs::create_dir(copies.path().join(format!("{UNFINISHED}left"))).unwrap();
        let (from, to) = (folder.path().to_owned(), copies.path().to_owned());
        let schedule = Schedule { from, to, every: Duration::from_secs(3_600), keep: 2 };
        let scheduled = Cell::new(false);
        // In the midst of the one by hand there is one by schedule.
        let meanwhile = || {
            if !scheduled.replace(true) {
                schedule.make(1_763_000_000, &mut RecoveredGames::default(), &|| true).unwrap();
            }
            true
        };
        let file = copies.path().join("by-hand.db");
        backup(folder.path(), &file, &mut RecoveredGames::default(), &meanwhile).unwrap();
        let names = std::fs::read_dir(copies.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["by-hand.db", "zeitnot-20251113T021320Z.db"]);
        assert!(scheduled.get(), "the copy takes more than one step");
    }

    #[test]
    fn a_copy_that_is_given_up_leaves_nothing_and_one_of_a_damaged_folder_says_so() {
        let (folder, writer) = large_folder();
        let copies = tempfile::tempdir().unwrap();
        let file = copies.path().join("copy.db");
        let mut replay = RecoveredGames::default();
        let given_up = backup(folder.path(), &file, &mut replay, &|| false);
        assert!(matches!(given_up, Err(BackupError::GivenUp)), "{given_up:?}");
        assert_eq!(std::fs::read_dir(copies.path()).unwrap().count(), 0);
        writer
            .execute_batch(
                "INSERT INTO accounts (account, made_unix_ms, sum, name_sum) VALUES (zeroblob(16), 5, 1, 1)",
            )
            .unwrap();
        let damaged = backup(folder.path(), &file, &mut replay, &|| true);
        let Err(BackupError::Damaged(what)) = damaged else { panic!("{damaged:?}") };
        assert_eq!(what, "accounts: 1");
        assert!(file.exists(), "everything else is in it");
    }
}
