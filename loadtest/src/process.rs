//! What the operating system knows of a process: CPU time, resident memory, what it read from disk
//! and wrote there, and the cores it may use.
//!
//! The kernel counts CPU time in ticks of 10 ms, so a measured window must hold seconds of it.

use std::fs;
use std::io;
use std::process::{Child, Command};

use anyhow::{Context, Result};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// A process to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process {
    pid: u32,
}

impl Process {
    pub(crate) const fn new(pid: u32) -> Self {
        Self { pid }
    }

    /// This program itself, with all its threads.
    pub(crate) fn own() -> Self {
        Self::new(std::process::id())
    }

    /// The CPU time it has used so far, user and system, in microseconds.
    pub(crate) fn cpu_micros(self) -> Result<f64> {
        let stat = self.file("stat")?;
        ticks(&stat).map(micros).with_context(|| format!("cannot read /proc/{}/stat", self.pid))
    }

    /// As [`Process::cpu_micros`], without threads of low priority: those that run now.
    pub(crate) fn urgent_cpu_micros(self) -> Result<f64> {
        let folder = format!("/proc/{}/task", self.pid);
        let threads = fs::read_dir(&folder).with_context(|| format!("cannot read {folder}"))?;
        // A thread that has ended meanwhile has no file.
        let stats =
            threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("stat")).ok());
        Ok(stats.filter(|stat| is_normal(stat)).filter_map(|stat| ticks(&stat)).map(micros).sum())
    }

    /// Its resident memory in bytes.
    pub(crate) fn rss_bytes(self) -> Result<f64> {
        let status = self.file("status")?;
        rss_kib(&status)
            .map(|kib| kib as f64 * 1024.0)
            .with_context(|| format!("process {} has no memory", self.pid))
    }

    /// What it has read from disk and written there so far, in bytes: what the caches absorb is not
    /// part of it.
    pub(crate) fn disk_bytes(self) -> Result<[f64; 2]> {
        let io = self.file("io")?;
        disk_bytes(&io).with_context(|| format!("cannot understand /proc/{}/io", self.pid))
    }

    fn file(self, name: &str) -> Result<String> {
        let path = format!("/proc/{}/{name}", self.pid);
        fs::read_to_string(&path).with_context(|| format!("cannot read {path}: the server is gone"))
    }
}

/// The time of all cores together, in microseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MachineTime {
    /// In which a core did something, or the hypervisor ran another machine on it.
    pub(crate) busy: f64,
    pub(crate) total: f64,
}

/// How the cores of this machine have spent their time since it was started.
pub(crate) fn machine_time() -> Result<MachineTime> {
    let stat = fs::read_to_string("/proc/stat").context("cannot read /proc/stat")?;
    machine_ticks(&stat)
        .map(|(busy, total)| MachineTime { busy: micros(busy), total: micros(total) })
        .context("cannot understand /proc/stat")
}

fn micros(ticks: u64) -> f64 {
    ticks as f64 * 1e6 / rustix::param::clock_ticks_per_second() as f64
}

/// The busy ticks and all ticks in the first line of `/proc/stat`: user, nice, system, idle,
/// iowait, irq, softirq, steal.
fn machine_ticks(stat: &str) -> Option<(u64, u64)> {
    let fields = stat.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Vec<u64> =
        fields.split_ascii_whitespace().take(8).map(str::parse).collect::<Result<_, _>>().ok()?;
    let [user, nice, system, idle, iowait, irq, softirq, steal] = ticks[..] else { return None };
    let busy = user + nice + system + irq + softirq + steal;
    Some((busy, busy + idle + iowait))
}

/// utime + stime. The name of the program, in parentheses, may hold blanks and parentheses itself.
fn ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let user: u64 = fields.nth(11)?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

/// Whether a thread has the priority that threads have: it is not nice to others, and does not only take what they leave.
fn is_normal(stat: &str) -> bool {
    let Some((_, fields)) = stat.rsplit_once(')') else { return false };
    let mut fields = fields.split_ascii_whitespace();
    // SCHED_OTHER and SCHED_BATCH: a batch has the same share of a core.
    fields.nth(16) == Some("0") && matches!(fields.nth(21), Some("0" | "3"))
}

fn rss_kib(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// `read_bytes` and `write_bytes`.
fn disk_bytes(io: &str) -> Option<[f64; 2]> {
    let value = |name: &str| {
        let number = io.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))?;
        number.trim().parse::<u64>().ok()
    };
    Some([value("read_bytes")? as f64, value("write_bytes")? as f64])
}

/// Starts a process pinned to `core`, or unpinned without one.
///
/// A child inherits the affinity of the thread that starts it: the thread moves there, starts it,
/// and moves back.
///
/// # Errors
/// When the process cannot be started or there is no such core.
pub(crate) fn spawn_on(core: Option<usize>, command: &mut Command) -> io::Result<Child> {
    let Some(core) = core else { return command.spawn() };
    let home = sched_getaffinity(None)?;
    sched_setaffinity(None, &only(core))?;
    let child = command.spawn();
    sched_setaffinity(None, &home)?;
    child
}

/// Pins the calling thread to `core`. Threads that it starts later inherit this.
///
/// # Errors
/// When there is no such core.
pub(crate) fn move_to(core: usize) -> Result<()> {
    sched_setaffinity(None, &only(core)).with_context(|| format!("there is no core {core}"))
}

/// Lets every other thread of the machine go before the calling one, which gets what they leave over. From a thread that is
/// merely nice Linux takes the core after some milliseconds only.
///
/// # Errors
/// When the system does not allow it.
#[expect(unsafe_code, reason = "rustix does not set scheduling policies")]
pub(crate) fn yield_to_others() -> Result<()> {
    let parameters = libc::sched_param { sched_priority: 0 };
    // SAFETY: the kernel reads one `sched_param`, which lives until the call returns; 0 is the calling thread.
    let result = unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const parameters) };
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error()).context("cannot lower the priority of a thread")
    }
}

fn only(core: usize) -> CpuSet {
    let mut set = CpuSet::new();
    set.set(core);
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_read_as_proc_5_describes_them() {
        let stat = "4242 (a (b) c) S 1 4242 4242 0 -1 4194560 100 0 0 0 37 5 0 0 20 0 3 0 123 456 789";
        assert_eq!(ticks(stat), Some(42));
        assert_eq!(ticks("4242 (short) S 1"), None);
        let thread = |nice, policy| {
            let between = vec!["7"; 21].join(" ");
            format!("1 (t) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 {nice} {between} {policy} 0")
        };
        assert!(is_normal(&thread(0, 0)) && is_normal(&thread(0, 3)));
        assert!(!is_normal(&thread(10, 0)) && !is_normal(&thread(0, 5)) && !is_normal("4242 (short) S 1"));
        let machine = "cpu  100 10 50 800 20 3 7 5 99 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n";
        assert_eq!(machine_ticks(machine), Some((175, 995)));
        let io = "rchar: 1\nwchar: 2\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 7\n";
        assert_eq!(disk_bytes(io), Some([4096.0, 8192.0]));
        assert_eq!(rss_kib("Name:\tx\nVmRSS:\t   1234 kB\nRssAnon:\t1 kB\n"), Some(1234));
    }

    #[test]
    fn this_process_has_used_something() {
        let own = Process::new(std::process::id());
        assert!(own.cpu_micros().unwrap() >= 0.0);
        assert!(own.rss_bytes().unwrap() > 100_000.0);
    }
}
