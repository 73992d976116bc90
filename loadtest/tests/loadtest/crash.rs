//! The real binary, broken in each of the four ways, and a server that loses data, which must be
//! found.
//!
//! The binary is built with the workspace. If this package is tested alone and there is none, these
//! tests say so and pass.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use zeitnot_loadtest::crash::finding;
use zeitnot_loadtest::crash::trace::check_strace;
use zeitnot_loadtest::crash::{CrashOptions, FaultFlags, Report, crash};
use zeitnot_loadtest::report::Recorder;

/// The `zeitnot` beside the folder of this test.
pub(crate) fn zeitnot() -> Option<PathBuf> {
    let own = std::env::current_exe().expect("a test has a file");
    let binary = own.parent()?.parent()?.join("zeitnot");
    if !binary.is_file() {
        eprintln!("not tested: there is no {}; cargo build --workspace makes it", binary.display());
        return None;
    }
    Some(binary)
}

fn options(kind: FaultFlags, zeitnot: PathBuf) -> CrashOptions {
    CrashOptions {
        cycles: 2,
        kind,
        rated: false,
        pause_for: 2.0,
        games: 6,
        rate: 60,
        seed: None,
        data: None,
        zeitnot: Some(zeitnot),
    }
}

fn break_it(kind: FaultFlags) {
    let Some(binary) = zeitnot() else { return };
    let home = tempfile::tempdir().expect("a folder");
    let seed = 20_261_121;
    let report =
        crash(&options(kind, binary), home.path(), seed, &Recorder::silent()).expect("the server comes back");
    assert!(report.is_clean(), "seed {seed}: {report}\n{:#?}\n{:#?}", report.findings, report.complaints);
    assert_eq!(report.cycles, 2);
    assert!(report.moves > 20, "{report}");
    assert!(report.to_move.len() >= 2, "a first move after each fault");
}

#[test]
fn killed() {
    break_it(FaultFlags::default());
}

#[test]
fn killed_while_rated_games_end() {
    let Some(binary) = zeitnot() else { return };
    let home = tempfile::tempdir().expect("a folder");
    let rated = CrashOptions { rated: true, cycles: 3, ..options(FaultFlags::default(), binary) };
    let report = crash(&rated, home.path(), 20_261_123, &Recorder::silent()).expect("the server comes back");
    assert!(report.is_clean(), "{report}\n{:#?}\n{:#?}", report.findings, report.complaints);
    let said = report.notes.iter().find(|note| note.contains("ratings")).expect("the ratings were compared");
    assert!(said.contains("Rated games: ") && !said.contains("Rated games: 0."), "{said}");
}

#[test]
fn paused() {
    break_it(FaultFlags { pause: true, ..FaultFlags::default() });
}

#[test]
fn out_of_disk() {
    break_it(FaultFlags { full: true, ..FaultFlags::default() });
}

#[test]
fn after_a_power_cut() {
    if let Err(why) = check_strace() {
        eprintln!("not tested: {why:#}");
        return;
    }
    break_it(FaultFlags { powercut: true, ..FaultFlags::default() });
}

/// A script that runs this shell command on the data folder, `$DATA`, and then starts `zeitnot`.
fn wrapped(home: &Path, binary: &Path, act: &str) -> PathBuf {
    let script = home.join("zeitnot-wrapper");
    let text = format!(
        "#!/bin/sh\nfor word; do [ \"$last\" = --data ] && DATA=$word; last=$word; done\n{act}\nexec '{}' \"$@\"\n",
        binary.display()
    );
    std::fs::write(&script, text).expect("a script");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("its rights");
    script
}

fn break_wrapped(act: &str) -> Option<Report> {
    let binary = zeitnot()?;
    let home = tempfile::tempdir().expect("a folder");
    let data = home.path().join("home");
    std::fs::create_dir(&data).expect("a folder");
    let script = wrapped(home.path(), &binary, act);
    Some(
        crash(&options(FaultFlags::default(), script), &data, 7, &Recorder::silent())
            .expect("the server comes back"),
    )
}

#[test]
fn a_server_that_loses_commits_is_found() {
    // Without the log, everything committed since the last checkpoint is lost.
    let Some(report) = break_wrapped("rm -f \"$DATA/zeitnot.db-wal\"") else { return };
    assert!(report.count(finding::Kind::Lost) > 0 && !report.is_clean(), "{report}");
}

#[test]
fn a_server_that_loses_its_accounts_is_found() {
    let Some(report) = break_wrapped("rm -rf \"$DATA\"") else { return };
    assert!(report.count(finding::Kind::Lost) > 0, "{report}");
    assert!(report.complaints.iter().any(|complaint| complaint.contains("bad_token")), "{report:?}");
}
