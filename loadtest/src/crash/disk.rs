//! A disk that is full for a running server, and then is not.
//!
//! Where the data folder is on a small file system (`--data` names a small tmpfs, say) a file of ours takes what is free
//! there: writes fail with ENOSPC. Anywhere else it is `RLIMIT_FSIZE`, lowered for the running process (`prlimit`), which
//! needs no right: writes past the limit fail with EFBIG. The server is then started by a shell that ignores SIGXFSZ, so
//! that it fails and is not killed.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use anyhow::{Context, Result};
use rustix::fs::statvfs;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

use crate::rng::Rng;

/// Starts a program that ignores SIGXFSZ.
pub(super) const IGNORES_XFSZ: &str = r#"trap "" XFSZ; exec "$0" "$@""#;

/// A file system with less free space is filled up.
const SMALL: u64 = 64 << 20;

/// A limit that no start of a log fits into.
const NOTHING_FITS: u64 = 4_096;

/// What keeps a server from writing.
#[derive(Debug)]
enum Means {
    Filler(PathBuf),
    Limit { pid: u32 },
}

/// A disk that is nearly full, until [`FullDisk::free`].
#[derive(Debug)]
pub(super) struct FullDisk {
    means: Means,
}

impl FullDisk {
    /// Leaves a server with its data in `home/data` little room, by lot.
    pub(super) fn make(home: &Path, pid: u32, rng: &mut Rng) -> Result<Self> {
        if free(home)? < SMALL {
            let filler = home.join("filler");
            fill(&filler, rng.below(200_000))?;
            return Ok(Self { means: Means::Filler(filler) });
        }
        let size = |name: &str| home.join("data").join(name).metadata().map_or(0, |file| file.len());
        let sizes = [size("zeitnot.db"), size("zeitnot.db-wal")];
        let near = sizes[usize::from(rng.in_100(50))];
        limit_files(pid, near * rng.between(60, 130) / 100 + rng.below(5_000))?;
        Ok(Self { means: Means::Limit { pid } })
    }

    /// Leaves no room at all.
    pub(super) fn tighten(&self) -> Result<()> {
        match &self.means {
            Means::Filler(filler) => fill(filler, 0),
            Means::Limit { pid } => limit_files(*pid, NOTHING_FITS),
        }
    }

    /// What is wrong with how the server ended: it must end by itself, with an exit code that says so, and say what
    /// failed and what to do.
    pub(super) fn judge(&self, status: ExitStatus, said: &str, data: &Path) -> Vec<String> {
        let mut wrong = Vec::new();
        if status.code().is_none_or(|code| code == 0) {
            wrong.push(format!("with a full disk the server ended with {status}"));
        }
        let folder = format!("the data folder {} failed while ", data.display());
        let advice = match self.means {
            Means::Filler(_) => "Free some space on that disk, then start again",
            Means::Limit { .. } => "then start again",
        };
        for words in [folder.as_str(), advice] {
            if !said.contains(words) {
                wrong.push(format!("with a full disk the server did not say “{words}” but: {}", said.trim()));
            }
        }
        wrong
    }

    /// Frees the space.
    pub(super) fn free(self) -> Result<()> {
        match self.means {
            Means::Filler(filler) => fs::remove_file(filler).context("the filler cannot be removed"),
            // The limit went with the process.
            Means::Limit { .. } => Ok(()),
        }
    }
}

fn free(folder: &Path) -> Result<u64> {
    let system = statvfs(folder).context("cannot ask how much is free")?;
    Ok(system.f_bavail * system.f_frsize)
}

/// Lets a file grow until only `left` bytes are free.
fn fill(filler: &Path, left: u64) -> Result<()> {
    let home = filler.parent().context("the filler is in a folder")?;
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
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).context("a process has a number")?;
    let maximum = getrlimit(Resource::Fsize).maximum;
    prlimit(Some(pid), Resource::Fsize, Rlimit { current: Some(limit), maximum })
        .context("the server's file size cannot be limited")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    #[test]
    fn the_end_is_judged_by_its_code_and_its_words() {
        let disk = FullDisk { means: Means::Filler("/d/filler".into()) };
        let data = Path::new("/d/data");
        let good = "zeitnot: the data folder /d/data failed while writing: database or disk is full. The server has \
                    ended. Free some space on that disk, then start again.";
        let ended = |code: i32| ExitStatus::from_raw(code << 8);
        assert_eq!(disk.judge(ended(74), good, data), [""; 0]);
        assert_eq!(disk.judge(ended(0), good, data).len(), 1);
        assert_eq!(disk.judge(ExitStatus::from_raw(25), good, data).len(), 1, "killed by SIGXFSZ");
        assert_eq!(disk.judge(ended(74), "", data).len(), 2);
        assert_eq!(disk.judge(ended(74), good, Path::new("/elsewhere")).len(), 1);
    }
}
