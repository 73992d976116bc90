//! Every write and fsync of a server, recorded, so that its files can be made as a power cut would leave them.
//!
//! The server runs under `strace`, which writes the calls that change files into a pipe of ours, bytes and all ([`mod@syscall`]);
//! a thread cursors them in a [`shadow`] of the folder. The server is our own child (`strace -D`), so it is killed as
//! without. Only calls that change files stop it (`--seccomp-bpf`).
//!
//! Invariant: after a kill the shadow's idea of what was written equals what is in the folder; [`Recorder::end`] compares,
//! so a call that escapes the trace is found and does not weaken the test in silence.

pub mod shadow_fs;
pub mod syscall;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow, bail, ensure};
use rustix::fs::{CWD, Mode, OFlags, mkfifoat};

use shadow_fs::ShadowFs;

/// No write of SQLite is longer: a history is 4 KiB.
const LONGEST_WRITE: &str = "131072";

/// A recording under way.
#[derive(Debug)]
pub struct Recorder {
    folder: PathBuf,
    pipe: PathBuf,
    reader: Option<JoinHandle<Result<ShadowFs>>>,
}

/// Whether there is a `strace` that can cursor a process here.
///
/// # Errors
/// When not: the message says what to install.
pub fn check_strace() -> Result<()> {
    let tried = Command::new("strace")
        .args(["-D", "-f", "--seccomp-bpf", "-e", "trace=fsync", "-o", "/dev/null", "true"])
        .stdin(Stdio::null())
        .output();
    match tried {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => bail!(
            "strace cannot cursor a process here (it needs the right to ptrace): {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ),
        Err(error) => {
            bail!(
                "--powercut needs strace, to see what was fsynced: {error}; on Debian: apt-get install strace"
            )
        }
    }
}

impl Recorder {
    /// Makes a recorder of `folder`, whose pipe is in `beside`, and the start of the command that the server's own is
    /// appended to.
    ///
    /// # Errors
    /// When the pipe cannot be made or the folder cannot be read.
    pub fn start(folder: &Path, beside: &Path) -> Result<(Self, Command)> {
        let pipe = beside.join("trace");
        remove_if_there(&pipe)?;
        mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).context("cannot make a pipe for the trace")?;
        let is_named = folder.is_dir();
        let mut shadow =
            ShadowFs::new(folder, is_named, if is_named { read(folder)? } else { BTreeMap::new() });
        let source = pipe.clone();
        let cursor = move || -> Result<ShadowFs> {
            for text in BufReader::with_capacity(1 << 20, File::open(&source)?).lines() {
                if let Some(step) = syscall::read(&text?)? {
                    shadow.step(step)?;
                }
            }
            Ok(shadow)
        };
        let reader = thread::Builder::new().name("trace".to_owned()).spawn(cursor)?;
        let mut command = Command::new("strace");
        command.args(["-D", "-f", "-q", "--seccomp-bpf", "-y", "-xx", "-s", LONGEST_WRITE]);
        command.args(["-e", syscall::CALLS, "-e", "signal=none", "-o"]).arg(&pipe);
        Ok((Self { folder: folder.to_owned(), pipe, reader: Some(reader) }, command))
    }

    /// The files as the killed server left them in the trace; compared with those in the folder.
    ///
    /// # Errors
    /// When the trace was not understood, or is not all of it.
    pub fn end(mut self) -> Result<ShadowFs> {
        let reader = self.reader.take().context("the recording has ended")?;
        let shadow = reader.join().map_err(|_| anyhow!("the trace's reader died of a bug"))??;
        if !shadow.is_midway() {
            let (written, mut there) = (shadow.written(), read(&self.folder)?);
            there.retain(|name, _| !name.ends_with("-shm"));
            for (name, bytes) in &there {
                let seen = written.get(name);
                ensure!(
                    seen == Some(bytes),
                    "the trace is not all that was written: {name} has {} bytes, {} were seen",
                    bytes.len(),
                    seen.map_or(0, Vec::len)
                );
            }
            let gone: Vec<&String> = written.keys().filter(|name| !there.contains_key(*name)).collect();
            ensure!(gone.is_empty(), "the trace has files that are not there: {gone:?}");
        }
        Ok(shadow)
    }
}

impl Drop for Recorder {
    /// A reader that waits for a server that never came is let go.
    fn drop(&mut self) {
        if self.reader.is_some() {
            let opened = rustix::fs::open(&self.pipe, OFlags::WRONLY | OFlags::NONBLOCK, Mode::empty());
            drop(opened);
        }
    }
}

fn remove_if_there(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// The files of a folder.
///
/// # Errors
/// When one cannot be read.
pub fn read(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        files.insert(name, fs::read(entry.path())?);
    }
    Ok(files)
}

/// Puts these files into a folder, and nothing else.
///
/// # Errors
/// When they cannot be written.
pub fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder)?;
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).with_context(|| format!("cannot write {name}"))?;
    }
    Ok(())
}
