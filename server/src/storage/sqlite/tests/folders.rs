//! The folder: who may have it, what version it is of, copies of it.

use std::path::Path;

use rusqlite::Connection;

use super::harness::{Collected, Harness, ONE_SEGMENT, database, epoch, game, load, moved, started};
use crate::storage::sqlite::{DataFolder, OpenError, schema};
use crate::upkeep::{self, BackupError};

#[test]
fn a_second_server_is_rejected_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/data");
    let first = DataFolder::take(&path).unwrap();
    let rejected = DataFolder::take(&path).unwrap_err();
    assert!(matches!(rejected, OpenError::InUse { .. }), "{rejected}");
    assert!(
        rejected.to_string().contains(path.to_str().unwrap()) && rejected.to_string().contains("--data"),
        "{rejected}"
    );
    drop(first);
    DataFolder::take(&path).unwrap();
}

#[test]
fn a_temporary_folder_is_removed() {
    let folder = DataFolder::take(Path::new(":memory:")).unwrap();
    let path = folder.path().to_owned();
    assert!(path.is_dir());
    drop(folder);
    assert!(!path.exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = DataFolder::take(&file.path().join("data")).unwrap_err().to_string();
    assert!(error.contains(file.path().to_str().unwrap()) && error.contains("--data"), "{error}");
}

fn backup(from: &Path, to: &Path) -> Result<(), BackupError> {
    upkeep::backup(from, to, &mut Collected::default(), &|| true)
}

#[test]
fn a_newer_folder_is_rejected_and_left_as_it_is() {
    let harness = Harness::new(ONE_SEGMENT);
    let connection = Connection::open(database(harness.folder.path())).unwrap();
    let all = schema::STEPS.len();
    connection.pragma_update(None, "user_version", all + 1).unwrap();
    let error = load(&database(harness.folder.path()), ONE_SEGMENT, epoch(2), &mut Collected::default())
        .err()
        .unwrap();
    let text = error.to_string();
    let (newer, knows) = match error {
        OpenError::Newer { found, known } => (found, known),
        other => panic!("{other}"),
    };
    assert_eq!((newer, knows), (all as i64 + 1, all));
    assert!(text.contains("newer") && text.contains("backup"), "{text}");
    let starts: i64 = connection.query_row("SELECT count(*) FROM starts", [], |row| row.get(0)).unwrap();
    assert_eq!(starts, 1);
}

#[test]
fn an_older_database_is_taken_forward_step_by_step_and_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = schema::connect(&database(folder.path())).unwrap();
    let first = schema::STEPS[0];
    schema::migrate(&mut connection, &[first]).unwrap();
    connection.execute("INSERT INTO facts VALUES ('epoch', 'kept')", []).unwrap();
    let steps = [
        first,
        "ALTER TABLE archive ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;",
        "CREATE TABLE later (x) ",
    ];
    schema::migrate(&mut connection, &steps).unwrap();
    schema::migrate(&mut connection, &steps).unwrap();
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    let kept: String = connection.query_row("SELECT value FROM facts", [], |row| row.get(0)).unwrap();
    assert_eq!((version, &*kept), (3, "kept"));
    assert!(matches!(
        schema::migrate(&mut connection, &steps[..2]),
        Err(OpenError::Newer { found: 3, known: 2 })
    ));
}

#[test]
fn a_step_that_fails_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = schema::connect(&database(folder.path())).unwrap();
    let steps = ["CREATE TABLE one (x);", "CREATE TABLE two (x); INSERT INTO three VALUES (1);"];
    assert!(schema::migrate(&mut connection, &steps).is_err());
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!((tables, version), (1, 1));
}

#[test]
fn a_backup_of_a_folder_whose_server_was_killed_has_what_is_in_its_log() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1))]);
    // As a kill leaves it: the log was never moved.
    let killed = tempfile::tempdir().unwrap();
    for name in ["zeitnot.db", "zeitnot.db-wal"] {
        std::fs::copy(harness.folder.path().join(name), killed.path().join(name)).unwrap();
    }
    let restored = tempfile::tempdir().unwrap();
    backup(killed.path(), &database(restored.path())).unwrap();
    let mut collected = Collected::default();
    load(&database(restored.path()), ONE_SEGMENT, epoch(2), &mut collected).unwrap();
    assert_eq!(collected, harness.acked);
}

#[test]
fn a_backup_is_made_while_the_database_is_written_and_starts_a_new_epoch() {
    let mut harness = Harness::new(ONE_SEGMENT);
    assert_eq!(harness.loaded.epoch, epoch(1));
    harness.commit(vec![started(game(1))]);
    let before = harness.acked.clone();
    let copies = tempfile::tempdir().unwrap();
    let copy = copies.path().join("copy.db");
    backup(harness.folder.path(), &copy).unwrap();
    harness.commit(vec![moved(game(1), 2)]);
    let names: Vec<_> =
        std::fs::read_dir(copies.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names, ["copy.db"], "nothing else is left");
    assert!(matches!(backup(harness.folder.path(), &copy), Err(BackupError::Exists(_))));
    assert!(matches!(backup(copies.path(), &copies.path().join("x")), Err(BackupError::NoDatabase(_))));

    let restored = tempfile::tempdir().unwrap();
    std::fs::copy(&copy, database(restored.path())).unwrap();
    let mut collected = Collected::default();
    let loaded = load(&database(restored.path()), ONE_SEGMENT, epoch(2), &mut collected).unwrap();
    assert_eq!((loaded.epoch, collected), (epoch(2), before));
    drop(loaded);
    let again = load(&database(restored.path()), ONE_SEGMENT, epoch(3), &mut Collected::default()).unwrap();
    assert_eq!(again.epoch, epoch(2), "once");
    // The original goes on with its own.
    let harness = harness.crash();
    assert_eq!(harness.loaded.epoch, epoch(1));
}
