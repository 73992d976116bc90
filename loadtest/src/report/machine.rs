//! The machine that a run was made on: cores, memory, kernel, and how long its disk takes to sync.
//!
//! What the system does not tell is empty or 0: a run is not worth less without it.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};

use super::run::{Machine, rounded};
use super::text::Series;
use crate::stopwatch::Stopwatch;

/// How often the disk is synced to see how long that takes: a tenth of a second on a slow one.
const SYNCS: usize = 15;

/// What is written before each of them: a page.
const SYNCED: [u8; 4096] = [b'z'; 4096];

/// This machine.
pub(super) fn this() -> Machine {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let uname = rustix::system::uname();
    Machine {
        cores: std::thread::available_parallelism().map_or(0, |cores| cores.get() as u32),
        processor: processor(&cpus),
        memory_bytes: total_kib(&memory).unwrap_or(0) * 1024,
        kernel: format!(
            "{} {} {}",
            uname.sysname().to_string_lossy(),
            uname.release().to_string_lossy(),
            uname.machine().to_string_lossy()
        ),
        sync_ms: None,
    }
}

fn processor(cpuinfo: &str) -> String {
    let line = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    line.map_or_else(String::new, |(_, name)| name.trim().to_owned())
}

fn total_kib(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// How long a sync of a page takes on the disk of this folder, in milliseconds: the median.
///
/// # Errors
/// When no file can be written there.
pub(super) fn sync_ms(folder: &Path) -> Result<f64> {
    let time = |mut file: File| -> std::io::Result<Series> {
        let mut times = Series::default();
        for _ in 0..SYNCS {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&SYNCED)?;
            let clock = Stopwatch::start();
            file.sync_data()?;
            times.push(clock.micros() as f64 / 1e3);
        }
        Ok(times)
    };
    let times = tempfile::tempfile_in(folder).and_then(time);
    Ok(rounded(times.context("cannot write to the disk of the server's data")?.median()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_read_as_proc_5_describes_them() {
        assert_eq!(processor("processor\t: 0\nmodel name\t: A CPU @ 2.60GHz\n"), "A CPU @ 2.60GHz");
        assert_eq!(processor("processor : 0\n"), "");
        assert_eq!(total_kib("MemTotal:       16384 kB\nMemFree: 1 kB\n"), Some(16_384));
    }

    #[test]
    fn this_machine_has_cores_and_memory_and_a_disk() {
        let machine = this();
        assert!(machine.cores > 0 && machine.memory_bytes > 1 << 20, "{machine:?}");
        assert!(sync_ms(&std::env::temp_dir()).unwrap() >= 0.0);
        assert!(sync_ms(Path::new("/nowhere")).is_err());
    }
}
