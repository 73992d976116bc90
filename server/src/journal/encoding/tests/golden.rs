//! The rows of version 1 as they were shipped. A file here is never changed; what fails is not to be fixed by writing it
//! anew, unless the format was never shipped: `ZEITNOT_GOLDEN=write` does that.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::samples;
use crate::journal::encoding::{decode, encode};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/journal/encoding/golden/v1")
}

#[test]
fn every_row_ever_shipped_is_read_and_written_as_it_was() {
    let mut names = BTreeSet::new();
    for (name, row) in samples::rows() {
        let path = folder().join(format!("{name}.bin"));
        let mut encoded = Vec::new();
        encode(&row, &mut encoded);
        if std::env::var("ZEITNOT_GOLDEN").as_deref() == Ok("write") {
            std::fs::write(&path, &encoded).unwrap();
        }
        let golden = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(decode(&golden).as_ref(), Ok(&row), "{name}");
        assert_eq!(encoded, golden, "{name}");
        assert!(names.insert(format!("{name}.bin")), "{name} is there twice");
    }
    let files = std::fs::read_dir(folder()).unwrap();
    let files: BTreeSet<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(files, names, "every file has its sample");
}
