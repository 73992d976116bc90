//! Records every write and fsync of a server, so that its files can be restored as a power cut
//! would leave them.
//!
//! The server runs under `strace`, which writes all calls that change files, with their bytes, into
//! a pipe ([`mod@syscall`]). A thread applies them to a simulated folder ([`shadow_fs`]). The
//! server is our own child (`strace -D`), so it is killed as usual. Only calls that change files
//! stop it (`--seccomp-bpf`).
//!
//! Invariant: after a kill the simulated folder, with all writes applied, equals the real one.
//! [`Recorder::end`] compares them, so that a call which escapes the trace is an error and does not
//! weaken the test unnoticed.

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

/// A recording in progress.
#[derive(Debug)]
pub struct Recorder {
    folder: PathBuf,
    pipe: PathBuf,
    reader: Option<JoinHandle<Result<ShadowFs>>>,
}

/// Whether there is a `strace` that can cursor a process here.
///
/// # Errors
/// When it is not; the message says what to install.
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
    /// Starts to record `folder`, with a pipe in `beside`. Also returns the command to which that
    /// of the server is to be appended.
    ///
    /// # Errors
    /// When the pipe cannot be created or the folder cannot be read.
    pub fn start(folder: &Path, beside: &Path) -> Result<(Self, Command)> {
        let pipe = beside.join("trace");
        remove_if_there(&pipe)?;
        mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).context("cannot create a pipe for the trace")?;
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

    /// The simulated folder after the server was killed, compared with the real one.
    ///
    /// # Errors
    /// When the trace cannot be parsed or is incomplete.
    pub fn end(mut self) -> Result<ShadowFs> {
        let reader = self.reader.take().context("the recording has ended")?;
        let shadow = reader.join().map_err(|_| anyhow!("the thread that reads the trace panicked"))??;
        if !shadow.is_midway() {
            let (written, mut there) = (shadow.written(), read(&self.folder)?);
            there.retain(|name, _| !name.ends_with("-shm"));
            for (name, bytes) in &there {
                let seen = written.get(name);
                ensure!(
                    seen == Some(bytes),
                    "the trace is incomplete: {name} has {} bytes, the trace {}",
                    bytes.len(),
                    seen.map_or(0, Vec::len)
                );
            }
            let gone: Vec<&String> = written.keys().filter(|name| !there.contains_key(*name)).collect();
            ensure!(gone.is_empty(), "the trace has files that do not exist: {gone:?}");
        }
        Ok(shadow)
    }
}

impl Drop for Recorder {
    /// Ends a reader that waits for a server which was never started.
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

/// Reads the files of a folder, but not the socket in it.
///
/// # Errors
/// When one cannot be read.
pub fn read(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        if !entry.file_type()?.is_file() {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        files.insert(name, fs::read(entry.path())?);
    }
    Ok(files)
}

/// Replaces the content of a folder by these files.
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
