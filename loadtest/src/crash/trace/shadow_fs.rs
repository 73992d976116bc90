//! A simulated folder that knows what a power cut may leave: every file as of its last fsync, and
//! what was written since.
//!
//! A write is durable when an fsync of its file that began after it has ended; a name is durable
//! when an fsync of the folder has. After a power cut anything else may be there or not, completely
//! or in part, in any order: [`ShadowFs::cut`] decides at random, sector by sector.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::syscall::{Call, Step, TraceError};
use crate::rng::Rng;

/// The size that a disk writes atomically.
const SECTOR: u64 = 512;

/// The index of the log. It is mapped into memory, so no call shows what is written to it; SQLite
/// rebuilds it.
const MAPPED: &str = "-shm";

/// A change to one file that no fsync has made durable.
#[derive(Clone, Debug)]
enum Change {
    Write { offset: u64, bytes: Vec<u8> },
    Length(u64),
}

/// One file, independent of its names.
#[derive(Clone, Debug, Default)]
struct File {
    synced: Vec<u8>,
    pending: Vec<(u64, Change)>,
}

/// The names in the folder, each with the index of its file.
type Names = BTreeMap<String, usize>;

/// A call that has begun.
#[derive(Clone, Debug)]
enum Begun {
    Call(Call),
    /// Changes up to `mark`, and these names, are durable when it ends.
    Sync {
        path: PathBuf,
        mark: u64,
        names: Names,
    },
}

/// What a power cut leaves of what no fsync has made durable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Nothing of it.
    Strict,
    /// So many of 100 sectors, and a random selection of names.
    Scattered(u64),
}

/// The simulated folder.
#[derive(Debug)]
pub struct ShadowFs {
    folder: PathBuf,
    /// Whether the folder's own name is durable.
    is_named: bool,
    names: Names,
    synced_names: Names,
    files: Vec<File>,
    begun: HashMap<u32, Begun>,
    changes: u64,
}

impl ShadowFs {
    /// A folder with these durable files; `is_named` says that the folder exists already.
    #[must_use]
    pub fn new(folder: &Path, is_named: bool, mut files: BTreeMap<String, Vec<u8>>) -> Self {
        files.retain(|name, _| !name.ends_with(MAPPED));
        let names: Names = files.keys().cloned().zip(0..).collect();
        let files = files.into_values().map(|synced| File { synced, pending: Vec::new() }).collect();
        Self {
            folder: folder.to_owned(),
            is_named,
            synced_names: names.clone(),
            names,
            files,
            begun: HashMap::new(),
            changes: 0,
        }
    }

    /// Applies a step of the trace.
    ///
    /// # Errors
    /// When a file is changed in a way that is not simulated.
    pub fn step(&mut self, step: Step) -> Result<(), TraceError> {
        match step {
            Step::Begins(thread, call) => {
                if let Some(begun) = self.begin(call)? {
                    self.begun.insert(thread, begun);
                }
            }
            Step::Ends(thread, result) => {
                // Without a result the process ended during the call: whether it took effect is
                // unknown.
                if result.is_some()
                    && let Some(begun) = self.begun.remove(&thread)
                {
                    self.end(begun, result.unwrap_or(-1));
                }
            }
            Step::Done(thread, call, result) => {
                self.step(Step::Begins(thread, call))?;
                self.step(Step::Ends(thread, result))?;
            }
        }
        Ok(())
    }

    fn begin(&self, call: Call) -> Result<Option<Begun>, TraceError> {
        if let Call::Sync { path } = call {
            let is_ours = self.name(&path).is_some() || self.folder.starts_with(&path);
            return Ok(is_ours.then(|| Begun::Sync { path, mark: self.changes, names: self.names.clone() }));
        }
        let is_ours = match &call {
            Call::Rename { from, to } => self.name(from).is_some() || self.name(to).is_some(),
            Call::MakeFolder { path } => *path == self.folder,
            Call::Other { name, path } => {
                if self.name(path).is_some() {
                    return Err(TraceError(format!("{name} of {} is not simulated", path.display())));
                }
                false
            }
            Call::Open { path, .. }
            | Call::Write { path, .. }
            | Call::Truncate { path, .. }
            | Call::Unlink { path }
            | Call::Sync { path } => self.name(path).is_some(),
        };
        Ok(is_ours.then_some(Begun::Call(call)))
    }

    /// The name of a file in the folder, if the file is simulated.
    fn name(&self, path: &Path) -> Option<String> {
        let name = path.strip_prefix(&self.folder).ok()?.to_str()?;
        (!name.is_empty() && !name.ends_with(MAPPED)).then(|| name.to_owned())
    }

    fn end(&mut self, begun: Begun, result: i64) {
        if result < 0 {
            return;
        }
        match begun {
            Begun::Sync { path, mark, names } => self.synced(&path, mark, names),
            Begun::Call(Call::Open { path, empties, .. }) => {
                let file = self.file(&path);
                if empties {
                    self.change(file, Change::Length(0));
                }
            }
            Begun::Call(Call::Write { path, offset, mut bytes }) => {
                bytes.truncate(usize::try_from(result).unwrap_or(usize::MAX));
                let file = self.file(&path);
                self.change(file, Change::Write { offset, bytes });
            }
            Begun::Call(Call::Truncate { path, length }) => {
                let file = self.file(&path);
                self.change(file, Change::Length(length));
            }
            Begun::Call(Call::Unlink { path }) => {
                if let Some(name) = self.name(&path) {
                    self.names.remove(&name);
                }
            }
            Begun::Call(Call::Rename { from, to }) => {
                let file = self.name(&from).and_then(|name| self.names.remove(&name));
                if let Some((file, name)) = file.zip(self.name(&to)) {
                    self.names.insert(name, file);
                }
            }
            Begun::Call(Call::MakeFolder { .. }) => self.is_named = false,
            Begun::Call(Call::Sync { .. } | Call::Other { .. }) => {}
        }
    }

    fn synced(&mut self, path: &Path, mark: u64, names: Names) {
        if path == self.folder {
            self.synced_names = names;
        } else if Some(path) == self.folder.parent() {
            self.is_named = true;
        } else if let Some(file) = self.name(path).and_then(|name| self.names.get(&name).copied()) {
            let File { synced, pending } = &mut self.files[file];
            let durable = pending.partition_point(|(number, _)| *number <= mark);
            pending.drain(..durable).for_each(|(_, change)| apply(synced, change));
        }
    }

    /// The index of the file with this name, which is created if it does not exist.
    fn file(&mut self, path: &Path) -> usize {
        let name = self.name(path).expect("only calls on files of the folder are begun");
        *self.names.entry(name).or_insert_with(|| {
            self.files.push(File::default());
            self.files.len() - 1
        })
    }

    fn change(&mut self, file: usize, change: Change) {
        self.changes += 1;
        self.files[file].pending.push((self.changes, change));
    }

    /// Whether a call has begun and not ended; then the content of the files is unknown.
    #[must_use]
    pub fn is_midway(&self) -> bool {
        self.begun.values().any(|begun| matches!(begun, Begun::Call(_)))
    }

    /// The files with all writes applied.
    #[must_use]
    pub fn written(&self) -> BTreeMap<String, Vec<u8>> {
        let content = |file: &File| {
            let mut bytes = file.synced.clone();
            file.pending.iter().for_each(|(_, change)| apply(&mut bytes, change.clone()));
            bytes
        };
        self.names.iter().map(|(name, file)| (name.clone(), content(&self.files[*file]))).collect()
    }

    /// How many bytes are not durable.
    #[must_use]
    pub fn at_stake(&self) -> u64 {
        let size = |change: &Change| match change {
            Change::Write { bytes, .. } => bytes.len() as u64,
            Change::Length(_) => 0,
        };
        self.files.iter().flat_map(|file| &file.pending).map(|(_, change)| size(change)).sum()
    }

    /// The files after a power cut; none when the folder's own name is not durable.
    #[must_use]
    pub fn cut(mut self, cut: Cut, rng: &mut Rng) -> BTreeMap<String, Vec<u8>> {
        let begun: Vec<Begun> = self.begun.drain().map(|(_, begun)| begun).collect();
        for call in begun {
            if let Begun::Call(Call::Write { path, offset, bytes }) = call {
                let file = self.file(&path);
                self.change(file, Change::Write { offset, bytes });
            }
        }
        let Cut::Scattered(kept) = cut else {
            let names = if self.is_named { self.synced_names } else { Names::new() };
            return names.into_iter().map(|(name, file)| (name, self.files[file].synced.clone())).collect();
        };
        let mut names = self.synced_names.clone();
        names.retain(|name, file| self.names.get(name) == Some(file) || rng.in_100(50));
        for (name, file) in &self.names {
            if !names.contains_key(name) && rng.in_100(50) {
                names.insert(name.clone(), *file);
            }
        }
        names.into_iter().map(|(name, file)| (name, scatter(&self.files[file], kept, rng))).collect()
    }
}

/// A file with some of what was written since its last fsync: random sectors in random order,
/// perhaps extended with zeros.
fn scatter(file: &File, kept: u64, rng: &mut Rng) -> Vec<u8> {
    let mut pieces: Vec<Change> =
        file.pending.iter().flat_map(|(_, change)| sectors(change)).filter(|_| rng.in_100(kept)).collect();
    rng.shuffle(&mut pieces);
    let mut bytes = file.synced.clone();
    if rng.in_100(50) {
        let mut whole = file.synced.clone();
        file.pending.iter().for_each(|(_, change)| apply(&mut whole, change.clone()));
        bytes.resize(whole.len().max(bytes.len()), 0);
    }
    pieces.into_iter().for_each(|piece| apply(&mut bytes, piece));
    bytes
}

fn sectors(change: &Change) -> Vec<Change> {
    let Change::Write { offset, bytes } = change else { return vec![change.clone()] };
    let mut pieces = Vec::with_capacity(bytes.len() / 512 + 2);
    let (mut offset, mut rest) = (*offset, bytes.as_slice());
    while !rest.is_empty() {
        let room = usize::try_from(SECTOR - offset % SECTOR).expect("at most a sector");
        let (piece, after) = rest.split_at(room.min(rest.len()));
        pieces.push(Change::Write { offset, bytes: piece.to_vec() });
        offset += piece.len() as u64;
        rest = after;
    }
    pieces
}

fn apply(bytes: &mut Vec<u8>, change: Change) {
    match change {
        Change::Length(length) => bytes.resize(usize::try_from(length).unwrap_or(usize::MAX), 0),
        Change::Write { offset, bytes: written } => {
            let from = usize::try_from(offset).unwrap_or(usize::MAX);
            let to = from + written.len();
            if bytes.len() < to {
                bytes.resize(to, 0);
            }
            bytes[from..to].copy_from_slice(&written);
        }
    }
}
