//! The real binary, broken in each of the four ways; and one that forgets, which must be found.
//!
//! The binary is built with the workspace; where this package is tested alone and there is none, these tests say so and
//! pass.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use zeitnot_loadtest::crash::finding;
use zeitnot_loadtest::crash::trace::check_strace;
use zeitnot_loadtest::crash::{CrashOptions, Kind, Report, crash};

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

fn options(kind: Kind, zeitnot: PathBuf) -> CrashOptions {
    CrashOptions {
        cycles: 2,
        kind,
        pause_for: 2.0,
        games: 6,
        rate: 60,
        seed: None,
        data: None,
        zeitnot: Some(zeitnot),
    }
}

fn break_it(kind: Kind) {
    let Some(binary) = zeitnot() else { return };
    let home = tempfile::tempdir().expect("a folder");
    let seed = 20_261_121;
    let report = crash(&options(kind, binary), home.path(), seed).expect("the server comes back");
    assert!(report.is_clean(), "seed {seed}: {report}\n{:#?}\n{:#?}", report.findings, report.complaints);
    assert_eq!(report.cycles, 2);
    assert!(report.moves > 20, "{report}");
    assert!(report.to_move.len() >= 2, "a first move after each fault");
}

#[test]
fn killed() {
    break_it(Kind::default());
}

#[test]
fn paused() {
    break_it(Kind { pause: true, ..Kind::default() });
}

#[test]
fn out_of_disk() {
    break_it(Kind { full: true, ..Kind::default() });
}

#[test]
fn after_a_power_cut() {
    if let Err(why) = check_strace() {
        eprintln!("not tested: {why:#}");
        return;
    }
    break_it(Kind { powercut: true, ..Kind::default() });
}

/// A `zeitnot` that does this to its data folder, `$DATA`, before it starts.
fn planted(home: &Path, binary: &Path, act: &str) -> PathBuf {
    let script = home.join("planted");
    let text = format!(
        "#!/bin/sh\nfor word; do [ \"$last\" = --data ] && DATA=$word; last=$word; done\n{act}\nexec '{}' \"$@\"\n",
        binary.display()
    );
    std::fs::write(&script, text).expect("a script");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("its rights");
    script
}

fn break_planted(act: &str) -> Option<Report> {
    let binary = zeitnot()?;
    let home = tempfile::tempdir().expect("a folder");
    let data = home.path().join("home");
    std::fs::create_dir(&data).expect("a folder");
    let script = planted(home.path(), &binary, act);
    Some(crash(&options(Kind::default(), script), &data, 7).expect("the server comes back"))
}

#[test]
fn a_server_that_forgets_is_found() {
    // The log goes: what was committed since the last checkpoint.
    let Some(report) = break_planted("rm -f \"$DATA/zeitnot.db-wal\"") else { return };
    assert!(report.count(finding::Kind::Lost) > 0 && !report.is_clean(), "{report}");
}

#[test]
fn a_server_that_forgets_its_accounts_is_found() {
    let Some(report) = break_planted("rm -rf \"$DATA\"") else { return };
    assert!(report.count(finding::Kind::Lost) > 0, "{report}");
    assert!(report.complaints.iter().any(|complaint| complaint.contains("bad_token")), "{report:?}");
}
