//! The rows of each version as they were shipped. A file here is never changed; what fails is not
//! to be fixed by writing it anew, unless the format was never shipped: `ZEITNOT_GOLDEN=write` does
//! that for the version that is written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::samples;
use crate::storage::encoding::{FORMAT, Row, decode, encode};

fn folder(version: u8) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/storage/encoding/golden/v{version}"))
}

fn check(version: u8, rows: Vec<(&'static str, Row)>) {
    let mut names = BTreeSet::new();
    for (name, row) in rows {
        let path = folder(version).join(format!("{name}.bin"));
        let mut encoded = Vec::new();
        encode(&row, &mut encoded);
        if version == FORMAT && std::env::var("ZEITNOT_GOLDEN").as_deref() == Ok("write") {
            std::fs::write(&path, &encoded).unwrap();
        }
        let golden = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(decode(&golden).as_ref(), Ok(&row), "{name} of version {version}");
        if version == FORMAT {
            assert_eq!(encoded, golden, "{name}");
        }
        assert!(names.insert(format!("{name}.bin")), "{name} is there twice");
    }
    let files = std::fs::read_dir(folder(version)).unwrap();
    let files: BTreeSet<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(files, names, "every file has its sample");
}

#[test]
fn every_row_of_today_is_read_and_written_as_it_was() {
    let rows = [
        samples::rows(),
        samples::named_rows(),
        samples::resting_rows(),
        samples::rated_rows(),
        samples::imported_rows(),
        samples::claim_rows(),
    ];
    check(FORMAT, rows.concat());
}

#[test]
fn every_row_of_version_5_is_read() {
    let rows = [
        samples::rows(),
        samples::named_rows(),
        samples::resting_rows(),
        samples::rated_rows(),
        samples::imported_rows(),
    ];
    check(5, rows.concat());
}

#[test]
fn every_row_of_version_4_is_read() {
    let rows = [samples::rows(), samples::named_rows(), samples::resting_rows(), samples::rated_rows()];
    check(4, rows.concat());
}

#[test]
fn every_row_of_version_3_is_read() {
    check(3, [samples::rows(), samples::named_rows(), samples::resting_rows()].concat());
}

#[test]
fn every_row_of_version_2_is_read() {
    check(2, [samples::rows(), samples::named_rows()].concat());
}

#[test]
fn every_row_of_version_1_is_read() {
    check(1, samples::rows());
}
