//! `zeitnot doctor`: whether this machine is fit to run a server, a line for each thing that matters, with what to do.
//!
//! Deliberately absent: what is in the data folder (`check`), and load. Nothing is changed: a file that measures the disk is
//! removed.

use std::fmt;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use rustix::process::{Resource, getrlimit};

use crate::process::{is_clock_synchronised, kib_of, listener};
use crate::storage::encoding::FORMAT;
use crate::storage::sqlite::{STEPS, connect_reader, database_in};
use crate::time::{ServiceClock, unix_now_ms};

/// Open files below which a server is soon full: each socket is one.
const OPEN_FILES_MIN: u64 = 10_000;
/// Memory that is free below which a server may be killed: a hundred thousand live games need 700 MiB.
const MEMORY_MIN: u64 = 1 << 30;
/// Free space below which the disk may be full before anybody notices.
const SPACE_MIN: u64 = 2 << 30;
/// Each move waits for a sync of the disk, so these are what a move takes at least.
const SYNC_MEDIAN_MAX: Duration = Duration::from_millis(20);
const SYNC_P99_MAX: Duration = Duration::from_millis(100);
/// Syncs that are measured: a second on a good disk, and enough for the 99th percentile.
const SYNCS: usize = 200;
/// Syncs stop after this time; on a disk so slow nothing else matters.
const SYNCS_TAKE_MAX: Duration = Duration::from_secs(10);
/// How far the time of day and the steady clock may drift apart while the disk is measured.
const DRIFT_MAX_MS: u64 = 200;
/// The beginning of 2025: a clock before it was never set.
const WRITTEN_UNIX_MS: u64 = 1_735_689_600_000;

/// One line of the report.
#[derive(Debug)]
struct Finding {
    what: &'static str,
    found: String,
    /// What to do; `None` when it is in order.
    advice: Option<String>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Diagnosis {
    lines: Vec<Finding>,
}

impl Diagnosis {
    /// Whether nothing is to be looked at.
    #[must_use]
    pub fn is_in_order(&self) -> bool {
        self.lines.iter().all(|line| line.advice.is_none())
    }

    fn note(&mut self, what: &'static str, found: impl Into<String>, is_ok: bool, advice: &str) {
        let advice = (!is_ok).then(|| advice.to_owned());
        self.lines.push(Finding { what, found: found.into(), advice });
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Finding { what, found, advice } in &self.lines {
            let verdict = if advice.is_some() { "LOOK" } else { "ok" };
            writeln!(f, "{verdict:<5} {what}: {found}")?;
            if let Some(advice) = advice {
                writeln!(f, "      {advice}")?;
            }
        }
        Ok(())
    }
}

/// Looks at the machine for a server with this data folder that would listen there.
#[must_use]
pub fn diagnose(data: &Path, listen: SocketAddr) -> Diagnosis {
    let mut found = Diagnosis::default();
    versions(&mut found, data);
    open_files(&mut found);
    memory(&mut found);
    // A folder that is not there yet will be made in the nearest one that is.
    let folder = data.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
    space(&mut found, folder, data);
    disk_and_clocks(&mut found, folder);
    port(&mut found, listen);
    found
}

fn versions(found: &mut Diagnosis, data: &Path) {
    let kernel = rustix::system::uname();
    found.note(
        "versions",
        format!(
            "zeitnot {}, SQLite {}, schema {}, format {FORMAT}, {} {}",
            env!("CARGO_PKG_VERSION"),
            rusqlite::version(),
            STEPS.len(),
            kernel.sysname().to_string_lossy(),
            kernel.release().to_string_lossy()
        ),
        true,
        "",
    );
    let database = database_in(data);
    if !database.exists() {
        return found.note("data folder", format!("{} holds no database yet", data.display()), true, "");
    }
    let version = connect_reader(&database)
        .and_then(|connection| connection.query_row("PRAGMA user_version", [], |row| row.get::<_, usize>(0)));
    match version {
        Ok(version) => found.note(
            "data folder",
            format!("{} has schema {version}", data.display()),
            version <= STEPS.len(),
            "It was written by a newer zeitnot: start that one, or restore a backup that this one made.",
        ),
        Err(error) => {
            let text = format!("{} cannot be read: {error}", data.display());
            found.note("data folder", text, false, "`zeitnot check` says more.");
        }
    }
}

fn open_files(found: &mut Diagnosis) {
    // A server raises its limit to this one.
    let most = getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX);
    let text = if most == u64::MAX { "no limit".to_owned() } else { format!("at most {most}") };
    let advice = "Each socket is one: raise the hard limit, LimitNOFILE= in a systemd unit or `ulimit -Hn`.";
    found.note("open files", text, most >= OPEN_FILES_MIN, advice);
}

fn memory(found: &mut Diagnosis) {
    let Some(kib) =
        std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| kib_of(&text, "MemAvailable:"))
    else {
        return found.note("memory", "the system does not say", true, "");
    };
    let limit = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let limit = limit.and_then(|text| text.trim().parse::<u64>().ok());
    let free = limit.map_or(kib * 1024, |limit| limit.min(kib * 1024));
    let text = format!("{} MiB can be used", free >> 20);
    found.note(
        "memory",
        text,
        free >= MEMORY_MIN,
        "Give it 1 GiB, or start the server with a lower --live-games-max.",
    );
}

fn space(found: &mut Diagnosis, folder: &Path, data: &Path) {
    match rustix::fs::statvfs(folder) {
        Ok(stat) => {
            let free = stat.f_bavail.saturating_mul(stat.f_frsize);
            let size = std::fs::metadata(database_in(data)).map_or(0, |database| database.len());
            let text = format!("{} MiB free, the database has {} MiB", free >> 20, size >> 20);
            let advice = "Make room: a server whose disk is full ends with 74.";
            found.note("space", text, free >= SPACE_MIN && free >= size / 4, advice);
        }
        Err(error) => found.note("space", error.to_string(), false, "The data folder cannot be looked at."),
    }
}

fn disk_and_clocks(found: &mut Diagnosis, folder: &Path) {
    let wall_began = unix_now_ms();
    match ServiceClock::start().and_then(|clock| syncs(folder, &clock)) {
        Ok(mut times) => {
            times.sort_unstable();
            let wall = Duration::from_millis(unix_now_ms().saturating_sub(wall_began));
            let total: Duration = times.iter().sum();
            let at = |percent: usize| times[(times.len() - 1) * percent / 100];
            let (median, p99) = (at(50), at(99));
            let text =
                format!("a sync takes {median:.1?}, the 99th percentile is {p99:.1?}, of {}", times.len());
            let is_fast = median <= SYNC_MEDIAN_MAX && p99 <= SYNC_P99_MAX;
            found.note(
                "disk",
                text,
                is_fast,
                "Every move waits for a sync: put the data folder on a local SSD.",
            );
            let drift = wall.abs_diff(total).as_millis();
            let is_set = wall_began > WRITTEN_UNIX_MS;
            clocks(found, drift <= u128::from(DRIFT_MAX_MS) && is_set);
        }
        Err(error) => {
            let text = format!("{} cannot be written: {error}", folder.display());
            found.note("disk", text, false, "Look after the rights to that folder, or after the disk.");
            clocks(found, wall_began > WRITTEN_UNIX_MS);
        }
    }
}

/// How long each sync took, of a block that is written anew.
fn syncs(folder: &Path, clock: &ServiceClock) -> io::Result<Vec<Duration>> {
    let mut file = tempfile::tempfile_in(folder)?;
    let (mut times, began) = (Vec::new(), clock.now());
    while times.len() < SYNCS && clock.now().since(began) < SYNCS_TAKE_MAX {
        let start = clock.now();
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&[times.len() as u8; 4096])?;
        file.sync_data()?;
        times.push(clock.now().since(start));
    }
    Ok(times)
}

fn clocks(found: &mut Diagnosis, is_steady: bool) {
    let at = i64::try_from(unix_now_ms()).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    let text = at.map_or_else(String::new, |at| at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string());
    let (text, is_ok) = match is_clock_synchronised() {
        Some(true) => (format!("{text}, follows NTP"), true),
        Some(false) => (format!("{text}, does not follow NTP"), false),
        None => (format!("{text}; whether it follows NTP is not known"), true),
    };
    let advice = "Games are timed by a steady clock, but their dates come from this one: run an NTP client.";
    found.note("clock", text, is_ok, advice);
    let advice = "The time of day jumps or stands still beside the steady clock: look after the machine or its hypervisor.";
    found.note("steady clock", if is_steady { "in step" } else { "out of step" }, is_steady, advice);
}

fn port(found: &mut Diagnosis, listen: SocketAddr) {
    match listener::bind(listen) {
        Ok(_) => found.note("port", format!("{listen} is free"), true, ""),
        Err(error) => {
            let advice = "If a zeitnot that runs there is the reason, all is well.";
            found.note("port", error.to_string(), false, advice);
        }
    }
}
