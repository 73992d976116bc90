//! The batches of many runs in one file, so that a long run can be ended and resumed.
//!
//! The file keeps each batch with its seed, each fault with how long every game stood, and the totals
//! that follow from them. It is written after each fault, whole or not at all. Several runs may write it:
//! a lock on its folder lets one at a time read and write.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::plan::Kind;
use super::totals::{Batch, Totals};

const SCHEMA: &str = "zeitnot-loadtest-cluster";
const VERSION: u32 = 1;

/// All batches of a file, by the name of their kind.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TotalsFile {
    schema: String,
    version: u32,
    totals: BTreeMap<String, Totals>,
    batches: BTreeMap<String, Vec<Batch>>,
}

impl Default for TotalsFile {
    fn default() -> Self {
        let (totals, batches) = (BTreeMap::new(), BTreeMap::new());
        Self { schema: SCHEMA.to_owned(), version: VERSION, totals, batches }
    }
}

impl TotalsFile {
    /// Reads a file; one that is not there has no batches.
    ///
    /// # Errors
    /// When it is none of ours.
    pub fn load(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file: Self = serde_json::from_str(&text)
            .with_context(|| format!("{} has no batches of this program", path.display()))?;
        ensure!(file.schema == SCHEMA, "{} has no batches of this program", path.display());
        ensure!(file.version == VERSION, "{}: version {}, not {VERSION}", path.display(), file.version);
        Ok(file)
    }

    /// How many faults of this kind there were.
    #[must_use]
    pub fn faults(&self, kind: Kind) -> u64 {
        self.totals.get(kind.name()).map_or(0, |totals| totals.faults)
    }

    /// What came of those of this kind.
    #[must_use]
    pub fn totals(&self, kind: Kind) -> Totals {
        self.totals.get(kind.name()).cloned().unwrap_or_default()
    }

    /// All kinds with what came of them.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Totals)> {
        self.totals.iter().map(|(name, totals)| (&**name, totals))
    }

    /// Adds a batch, or puts a longer one in place of the one with its seed.
    pub fn put(&mut self, kind: Kind, batch: &Batch) {
        let batches = self.batches.entry(kind.name().to_owned()).or_default();
        match batches.iter_mut().find(|one| one.seed == batch.seed && one.began == batch.began) {
            Some(one) => one.clone_from(batch),
            None => batches.push(batch.clone()),
        }
        self.totals.insert(kind.name().to_owned(), Totals::of(batches));
    }

    /// Adds a batch to a file, to which other runs may add theirs at the same time. What is in it then.
    ///
    /// # Errors
    /// When it is none of ours, or cannot be written.
    pub fn add(path: &Path, kind: Kind, batch: &Batch) -> Result<Self> {
        let folder = File::open(folder(path)).with_context(|| format!("no folder of {}", path.display()))?;
        folder.lock().with_context(|| format!("cannot lock the folder of {}", path.display()))?;
        let mut file = Self::load(path)?;
        file.put(kind, batch);
        file.save(path)?;
        Ok(file)
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let write = || -> Result<()> {
            let mut file = NamedTempFile::new_in(folder(path))?;
            serde_json::to_writer_pretty(&mut file, self)?;
            writeln!(file)?;
            file.persist(path)?;
            Ok(())
        };
        write().with_context(|| format!("cannot write {}", path.display()))
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::totals::FaultRecord;
    use crate::crash::pauses::Hit;

    fn batch(seed: u64, owner_ms: &[f64], others_ms: &[f64]) -> Batch {
        let pauses_ms = BTreeMap::from([(Hit::Owner, owner_ms.to_vec()), (Hit::Nothing, others_ms.to_vec())]);
        let fault = FaultRecord {
            what: "node 1 killed".to_owned(),
            mended_ms: 700.0,
            pauses_ms,
            behind_ms: Vec::new(),
        };
        Batch { seed, moves: 100, faults: vec![fault.clone(), fault], ..Batch::default() }
    }

    #[test]
    fn totals_are_over_all_batches_of_a_kind() {
        let mut file = TotalsFile::default();
        file.put(Kind::Kill, &batch(1, &[3_000.0], &[10.0, 20.0]));
        file.put(Kind::Kill, &Batch { flagged: 1, ..batch(2, &[4_000.0], &[30.0]) });
        file.put(Kind::Nats, &batch(3, &[1.0], &[]));
        let totals = file.totals(Kind::Kill);
        assert_eq!((file.faults(Kind::Kill), totals.moves, totals.flagged), (4, 200, 1));
        assert!(!totals.is_clean() && file.totals(Kind::Nats).is_clean());
        assert_eq!(
            totals.to_string(),
            "faults 4, acked moves 200, lost 0, doubled 0, flagged 1, sockets closed 0, nodes declared dead 0, \
             complaints 0, fault-to-move of hit games p50 3000 ms p99 4000 ms, fault-to-move of other games p50 20.00 ms \
             p99 30.00 ms"
        );
    }

    #[test]
    fn a_batch_that_goes_on_takes_its_own_place() {
        let mut file = TotalsFile::default();
        let mut one = batch(1, &[3_000.0], &[]);
        file.put(Kind::Kill, &one);
        one.faults.push(one.faults[0].clone());
        file.put(Kind::Kill, &one);
        assert_eq!(file.faults(Kind::Kill), 3);
    }

    #[test]
    fn two_runs_add_to_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("totals.json");
        TotalsFile::add(&path, Kind::Kill, &batch(1, &[3_000.0], &[])).unwrap();
        TotalsFile::add(&path, Kind::Nats, &batch(2, &[1.0], &[])).unwrap();
        let file = TotalsFile::add(&path, Kind::Kill, &batch(3, &[4_000.0], &[])).unwrap();
        assert_eq!((file.faults(Kind::Kill), file.faults(Kind::Nats)), (4, 2));
    }

    #[test]
    fn a_file_is_read_as_it_was_written_and_no_other_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("totals.json");
        let mut file = TotalsFile::load(&path).unwrap();
        assert_eq!(file.faults(Kind::Kill), 0);
        file.put(Kind::Kill, &batch(1, &[3_000.5], &[10.0]));
        file.save(&path).unwrap();
        assert_eq!(TotalsFile::load(&path).unwrap(), file);
        let text = std::fs::read_to_string(&path).unwrap();
        for other in ["{}", "[1]", &text[..60], &text.replacen("-cluster", "-run", 1)] {
            std::fs::write(&path, other).unwrap();
            let error = TotalsFile::load(&path).unwrap_err().to_string();
            assert!(error.contains("has no batches of this program"), "{error}");
        }
    }
}
