//! A database of a test's own, on the server that `scripts/test cluster` has started.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Where Debian has a folder for each version.
const DEBIAN: &str = "/usr/lib/postgresql";

/// The folder with PostgreSQL's programs: the one that `ZEITNOT_POSTGRES_BIN` names, or Debian's newest. `None`: PostgreSQL
/// is not installed.
#[must_use]
pub fn find_programs() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("ZEITNOT_POSTGRES_BIN") {
        return Some(named.into());
    }
    let version = |folder: &PathBuf| -> u32 {
        let name = folder.file_name().and_then(OsStr::to_str);
        name.and_then(|name| name.parse().ok()).unwrap_or(0)
    };
    let versions = std::fs::read_dir(DEBIAN).ok()?.map_while(Result::ok).map(|entry| entry.path());
    let newest = versions.filter(|folder| folder.join("bin/initdb").is_file()).max_by_key(version)?;
    Some(newest.join("bin"))
}

pub(crate) fn programs() -> PathBuf {
    find_programs().expect("PostgreSQL is not there: apt-get install postgresql")
}

/// Where the server of all tests is.
fn server() -> String {
    std::env::var("ZEITNOT_POSTGRES_URL").expect("scripts/test cluster starts PostgreSQL")
}

/// Has a server do something, and gives back what it says.
pub fn sql(url: &str, sql: &str) -> String {
    let mut psql = Command::new(programs().join("psql"));
    let done = psql.args(["-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql]).output().unwrap();
    assert!(done.status.success(), "{sql}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}

/// Waits until a query answers this.
pub fn until(url: &str, query: &str, answer: &str) {
    let mut said = String::new();
    for _ in 0..200 {
        said = sql(url, query);
        if said == answer {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{query} says {said}, not {answer}");
}

/// Begins a transaction that does this, and keeps it open.
#[must_use]
pub fn hold(url: &str, what: &str) -> Held {
    let mut psql = Command::new(programs().join("psql"));
    let psql = psql.args(["-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url]);
    let mut child = psql.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let begin = format!("BEGIN;\n{what};\n\\echo held\n");
    child.stdin.as_mut().unwrap().write_all(begin.as_bytes()).unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "held"), "{what}");
    Held(child)
}

/// A transaction that is open until it is dropped.
#[derive(Debug)]
pub struct Held(Child);

impl Held {
    /// Does something more in the transaction, without waiting for it.
    pub fn also(&mut self, what: &str) {
        self.0.stdin.as_mut().unwrap().write_all(format!("{what};\n").as_bytes()).unwrap();
    }

    /// Ends the transaction without effect, and waits for that.
    pub fn release(self) {
        drop(self);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        self.0.wait().unwrap();
    }
}

/// A database that is dropped at the end.
#[derive(Debug)]
pub struct TestDatabase {
    name: String,
}

impl Default for TestDatabase {
    fn default() -> Self {
        Self::new()
    }
}

impl TestDatabase {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let name = format!("t_{}_{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        sql(&server(), &format!("CREATE DATABASE {name}"));
        Self { name }
    }

    /// Where it is.
    #[must_use]
    pub fn url(&self) -> String {
        let server = server();
        let (before, _) = server.rsplit_once('/').unwrap();
        format!("{before}/{}", self.name)
    }

    /// Has it do something, and gives back what it says.
    pub fn sql(&self, what: &str) -> String {
        sql(&self.url(), what)
    }

    /// Begins a transaction in it that does this, and keeps it open.
    #[must_use]
    pub fn hold(&self, what: &str) -> Held {
        hold(&self.url(), what)
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        sql(&server(), &format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}
