//! What a power cut leaves of a traced folder: only what was fsynced, or a part of the rest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use zeitnot_loadtest::crash::trace::shadow_fs::{Cut, ShadowFs};
use zeitnot_loadtest::crash::trace::syscall::{Call, Step};
use zeitnot_loadtest::rng::Rng;

const FOLDER: &str = "/home/data";

fn path(name: &str) -> PathBuf {
    Path::new(FOLDER).join(name)
}

fn write(name: &str, offset: u64, bytes: &[u8]) -> Call {
    Call::Write { path: path(name), offset, bytes: bytes.to_vec() }
}

fn sync(path: &Path) -> Call {
    Call::Sync { path: path.to_owned() }
}

fn open(name: &str) -> Call {
    Call::Open { path: path(name), creates: true, empties: false }
}

/// A folder that holds `a` with `old`, and what these calls make of it.
fn after(calls: impl IntoIterator<Item = Call>) -> ShadowFs {
    let files = BTreeMap::from([("a".to_owned(), b"old".to_vec())]);
    let mut shadow = ShadowFs::new(Path::new(FOLDER), true, files);
    for call in calls {
        let done = if let Call::Write { bytes, .. } = &call { bytes.len() as i64 } else { 0 };
        shadow.step(Step::Done(1, call, Some(done))).expect("it is followed");
    }
    shadow
}

fn strict(shadow: ShadowFs) -> BTreeMap<String, Vec<u8>> {
    shadow.cut(Cut::Strict, &mut Rng::new(1))
}

fn is(files: &BTreeMap<String, Vec<u8>>, wanted: &[(&str, &[u8])]) {
    let wanted = wanted.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    assert_eq!(*files, wanted);
}

#[test]
fn a_write_lasts_from_the_fsync_on() {
    let unsynced = after([write("a", 0, b"new")]);
    assert_eq!(unsynced.at_stake(), 3);
    is(&unsynced.written(), &[("a", b"new")]);
    is(&strict(unsynced), &[("a", b"old")]);
    is(&strict(after([write("a", 0, b"new"), sync(&path("a"))])), &[("a", b"new")]);
    is(&strict(after([write("a", 3, b"er"), sync(&path("a")), write("a", 0, b"c")])), &[("a", b"older")]);
}

#[test]
fn a_write_during_an_fsync_does_not_last() {
    let mut shadow = after([write("a", 0, b"1")]);
    shadow.step(Step::Begins(2, sync(&path("a")))).unwrap();
    shadow.step(Step::Done(1, write("a", 1, b"2"), Some(1))).unwrap();
    shadow.step(Step::Ends(2, Some(0))).unwrap();
    is(&shadow.written(), &[("a", b"12d")]);
    is(&strict(shadow), &[("a", b"1ld")]);
}

#[test]
fn an_fsync_that_fails_or_never_ends_keeps_nothing() {
    let mut failed = after([write("a", 0, b"new")]);
    failed.step(Step::Done(1, sync(&path("a")), Some(-1))).unwrap();
    is(&strict(failed), &[("a", b"old")]);
    let mut killed = after([write("a", 0, b"new")]);
    killed.step(Step::Begins(1, sync(&path("a")))).unwrap();
    killed.step(Step::Ends(1, None)).unwrap();
    is(&strict(killed), &[("a", b"old")]);
}

#[test]
fn a_name_lasts_from_the_fsync_of_its_folder_on() {
    let contents = [open("b"), write("b", 0, b"x"), sync(&path("b"))];
    is(&strict(after(contents.clone())), &[("a", b"old")]);
    let folder = sync(Path::new(FOLDER));
    is(&strict(after(contents.into_iter().chain([folder.clone()]))), &[("a", b"old"), ("b", b"x")]);
    let removed = Call::Unlink { path: path("a") };
    is(&strict(after([removed.clone()])), &[("a", b"old")]);
    is(&strict(after([removed, folder.clone()])), &[]);
    let renamed = Call::Rename { from: path("a"), to: path("c") };
    is(&strict(after([renamed, folder])), &[("c", b"old")]);
}

#[test]
fn a_folder_lasts_from_the_fsync_of_the_one_it_is_in_on() {
    let made = |more: &[Call]| {
        let mut shadow = ShadowFs::new(Path::new(FOLDER), false, BTreeMap::new());
        let calls = [Call::MakeFolder { path: FOLDER.into() }, open("a"), sync(Path::new(FOLDER))];
        for call in calls.iter().chain(more) {
            shadow.step(Step::Done(1, call.clone(), Some(0))).unwrap();
        }
        strict(shadow)
    };
    is(&made(&[]), &[]);
    is(&made(&[sync(Path::new("/home"))]), &[("a", b"")]);
}

#[test]
fn the_rest_is_torn_at_sectors() {
    let blocks: Vec<u8> = (1..=16).flat_map(|number| [number; 512]).collect();
    let mut seen = [false; 3];
    for seed in 0..40 {
        let files =
            after([Call::Truncate { path: path("a"), length: 0 }, sync(&path("a")), write("a", 0, &blocks)])
                .cut(Cut::Scattered(50), &mut Rng::new(seed));
        let kept = files["a"].chunks(512).enumerate().filter(|(number, sector)| {
            let whole = [u8::try_from(number + 1).unwrap(); 512];
            assert!(**sector == whole || **sector == [0; 512], "a torn sector");
            **sector == whole
        });
        match kept.count() {
            0 => seen[0] = true,
            16 => seen[2] = true,
            _ => seen[1] = true,
        }
    }
    assert!(seen[1], "nothing is ever torn");
    let all = after([write("a", 0, &blocks)]).cut(Cut::Scattered(100), &mut Rng::new(1));
    assert_eq!(all["a"], blocks);
}

#[test]
fn what_is_not_followed_is_an_error_in_the_folder_only() {
    let mut shadow = after([]);
    let other = |path: PathBuf| Step::Done(1, Call::Other { name: "linkat".to_owned(), path }, Some(0));
    shadow.step(other("/elsewhere/x".into())).unwrap();
    let error = shadow.step(other(path("a"))).unwrap_err().to_string();
    assert!(error.contains("linkat of /home/data/a"), "{error}");
}
