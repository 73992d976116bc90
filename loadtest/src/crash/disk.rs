//! Makes the disk full for a running server, and frees it again.
//!
//! If the data folder is on a small file system (`--data` names a small tmpfs, say), a filler file
//! takes the free space, so writes fail with ENOSPC. Otherwise `RLIMIT_FSIZE` is lowered for the
//! running process (`prlimit` needs no privilege), so writes past the limit fail with EFBIG. The
//! server is started by a shell that ignores SIGXFSZ, because the signal would kill it.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use anyhow::{Context, Result};
use rustix::fs::statvfs;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

use crate::rng::Rng;

/// A shell script that starts a program with SIGXFSZ ignored.
pub(super) const IGNORES_XFSZ: &str = r#"trap "" XFSZ; exec "$0" "$@""#;

/// A file system with less free space than this is filled.
const SMALL: u64 = 64 << 20;

/// A file size that not even the start of a log fits into.
const NOTHING_FITS: u64 = 4_096;

/// What makes writes fail.
#[derive(Debug)]
enum Cause {
    Filler(PathBuf),
    Limit { pid: u32 },
}

/// A disk that is nearly full, until [`FullDisk::free`].
#[derive(Debug)]
pub(super) struct FullDisk {
    cause: Cause,
}

impl FullDisk {
    /// Leaves a random small amount of space to a server with its data in `home/data`.
    pub(super) fn make(home: &Path, pid: u32, rng: &mut Rng) -> Result<Self> {
        if free(home)? < SMALL {
            let filler = home.join("filler");
            fill(&filler, rng.below(200_000))?;
            return Ok(Self { cause: Cause::Filler(filler) });
        }
        let size = |name: &str| home.join("data").join(name).metadata().map_or(0, |file| file.len());
        let sizes = [size("zeitnot.db"), size("zeitnot.db-wal")];
        let near = sizes[usize::from(rng.in_100(50))];
        limit_files(pid, near * rng.between(60, 130) / 100 + rng.below(5_000))?;
        Ok(Self { cause: Cause::Limit { pid } })
    }

    /// Leaves no space at all.
    pub(super) fn tighten(&self) -> Result<()> {
        match &self.cause {
            Cause::Filler(filler) => fill(filler, 0),
            Cause::Limit { pid } => limit_files(*pid, NOTHING_FITS),
        }
    }

    /// What is wrong with how the server ended. It must end by itself with a nonzero exit code, and
    /// say what failed and what to do.
    pub(super) fn check_end(&self, status: ExitStatus, said: &str, data: &Path) -> Vec<String> {
        let mut wrong = Vec::new();
        if status.code().is_none_or(|code| code == 0) {
            wrong.push(format!("with a full disk the server ended with {status}"));
        }
        let folder = format!("the data folder {} failed while ", data.display());
        let advice = match self.cause {
            Cause::Filler(_) => "Free some space on that disk, then start again",
            Cause::Limit { .. } => "then start again",
        };
        for text in [folder.as_str(), advice] {
            if !said.contains(text) {
                wrong.push(format!("with a full disk the server did not say “{text}” but: {}", said.trim()));
            }
        }
        wrong
    }

    /// Frees the space.
    pub(super) fn free(self) -> Result<()> {
        match self.cause {
            Cause::Filler(filler) => fs::remove_file(filler).context("cannot remove the filler file"),
            // The limit ended with the process.
            Cause::Limit { .. } => Ok(()),
        }
    }
}

fn free(folder: &Path) -> Result<u64> {
    let system = statvfs(folder).context("cannot query the free space")?;
    Ok(system.f_bavail * system.f_frsize)
}

/// Grows a file until only `left` bytes are free.
fn fill(filler: &Path, left: u64) -> Result<()> {
    let home = filler.parent().context("the filler file has a folder")?;
    let mut file = File::options().create(true).append(true).open(filler)?;
    let zeros = [0; 4_096];
    while free(home)? > left {
        match file.write_all(&zeros) {
            Err(error) if error.kind() == ErrorKind::StorageFull => break,
            done => done.context("cannot fill the disk")?,
        }
    }
    Ok(())
}

fn limit_files(pid: u32, limit: u64) -> Result<()> {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).context("the process has a valid id")?;
    let maximum = getrlimit(Resource::Fsize).maximum;
    prlimit(Some(pid), Resource::Fsize, Rlimit { current: Some(limit), maximum })
        .context("cannot limit the size of the server's files")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    #[test]
    fn the_end_is_checked_by_exit_code_and_message() {
        let disk = FullDisk { cause: Cause::Filler("/d/filler".into()) };
        let data = Path::new("/d/data");
        let good = "zeitnot: the data folder /d/data failed while writing: database or disk is full. The server has \
                    ended. Free some space on that disk, then start again.";
        let ended = |code: i32| ExitStatus::from_raw(code << 8);
        assert_eq!(disk.check_end(ended(74), good, data), [""; 0]);
        assert_eq!(disk.check_end(ended(0), good, data).len(), 1);
        assert_eq!(disk.check_end(ExitStatus::from_raw(25), good, data).len(), 1, "killed by SIGXFSZ");
        assert_eq!(disk.check_end(ended(74), "", data).len(), 2);
        assert_eq!(disk.check_end(ended(74), good, Path::new("/elsewhere")).len(), 1);
    }
}
