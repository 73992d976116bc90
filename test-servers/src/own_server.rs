//! A PostgreSQL server of a test's own, which it may stop, kill and give a standby. It needs no server that is shared.

use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::TempDir;

use crate::test_database::{programs, sql};

/// A server with its data, which ends with it.
#[derive(Debug)]
pub struct OwnServer {
    folder: TempDir,
    data: PathBuf,
    port: u16,
    is_kept: AtomicBool,
}

/// Neither PostgreSQL nor a pooler runs as root: whom they run as then.
pub(crate) fn user() -> Option<(u32, u32)> {
    let id = |flag: &str| {
        let said = Command::new("id").args([flag, "postgres"]).output().unwrap();
        String::from_utf8(said.stdout).unwrap().trim().parse().unwrap()
    };
    let me = Command::new("id").arg("-u").output().unwrap();
    (me.stdout.trim_ascii() == b"0").then(|| (id("-u"), id("-g")))
}

fn run(program: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(programs().join(program));
    if let Some((user, group)) = user() {
        command.uid(user).gid(group);
    }
    let done = command.args(arguments).current_dir("/").output().unwrap();
    assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
    done
}

/// A port that nobody had a moment ago.
pub(crate) fn free_port() -> u16 {
    let probe = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    probe.local_addr().unwrap().port()
}

/// A folder of that user.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    if let Some((user, group)) = user() {
        chown(folder.path(), Some(user), Some(group)).unwrap();
    }
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

impl OwnServer {
    /// A new server with these settings.
    #[must_use]
    pub fn new(settings: &[&str]) -> Self {
        let (folder, port) = (folder(), free_port());
        let data = folder.path().join("data");
        run("initdb", &["-D", text(&data), "-U", "postgres", "-A", "trust", "--no-sync", "-k"]);
        let server = Self { folder, data, port, is_kept: AtomicBool::new(false) };
        let mut lines: Vec<String> = settings.iter().map(|line| (*line).to_owned()).collect();
        lines.push(format!("unix_socket_directories = '{}'", server.folder.path().display()));
        lines.push("shared_buffers = 16MB".to_owned());
        server.configure(&lines.join("\n"));
        server.start();
        server
    }

    /// A standby of another one, with this name.
    #[must_use]
    pub fn standby(primary: &Self, name: &str) -> Self {
        let (folder, port) = (folder(), free_port());
        let data = folder.path().join("data");
        let from = format!("host=127.0.0.1 port={} user=postgres application_name={name}", primary.port);
        run(
            "pg_basebackup",
            &["-D", text(&data), "-d", &from, "-R", "-X", "stream", "--no-sync", "-c", "fast"],
        );
        let server = Self { folder, data, port, is_kept: AtomicBool::new(false) };
        let line = format!("unix_socket_directories = '{}'", server.folder.path().display());
        server.configure(&line);
        server.start();
        server
    }

    /// Adds lines to the settings.
    pub fn configure(&self, lines: &str) {
        let file = self.data.join("postgresql.conf");
        let settings = format!("{}\n{lines}\n", std::fs::read_to_string(&file).unwrap());
        std::fs::write(&file, settings).unwrap();
    }

    /// Starts it, and waits until it can be connected to.
    pub fn start(&self) {
        let options = format!("-p {} -c listen_addresses=127.0.0.1", self.port);
        let log = self.folder.path().join("log");
        run("pg_ctl", &["-D", text(&self.data), "-o", &options, "-l", text(&log), "-w", "start"]);
    }

    /// Stops it: `fast` ends its connections, `immediate` is a crash.
    pub fn stop(&self, how: &str) {
        run("pg_ctl", &["-D", text(&self.data), "-m", how, "-w", "stop"]);
    }

    /// Takes the settings in again.
    pub fn reload(&self) {
        run("pg_ctl", &["-D", text(&self.data), "reload"]);
    }

    /// Makes a standby a primary.
    pub fn promote(&self) {
        run("pg_ctl", &["-D", text(&self.data), "-w", "promote"]);
    }

    /// Has it take TLS, with this certificate and key as PEM.
    pub fn encrypt(&self, certificate: &str, key: &str) {
        for (file, text) in [("server.crt", certificate), ("server.key", key)] {
            let path = self.data.join(file);
            std::fs::write(&path, text).unwrap();
            // PostgreSQL rejects a key that others can read.
            std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
            if let Some((user, group)) = user() {
                chown(&path, Some(user), Some(group)).unwrap();
            }
        }
        self.configure("ssl = on");
        self.reload();
    }

    /// Leaves its data when it ends; the folder.
    pub fn keep(&self) -> &Path {
        self.is_kept.store(true, Ordering::Relaxed);
        &self.data
    }

    /// Where it listens on this machine.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its host and port.
    #[must_use]
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Where its database is.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://postgres@{}/postgres", self.address())
    }

    /// Has it do something, and gives back what it says.
    pub fn sql(&self, what: &str) -> String {
        sql(&self.url(), what)
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        self.folder.disable_cleanup(*self.is_kept.get_mut());
        // It may be stopped already.
        let mut command = Command::new(programs().join("pg_ctl"));
        if let Some((user, group)) = user() {
            command.uid(user).gid(group);
        }
        command.args(["-D", text(&self.data), "-m", "immediate", "-w", "stop"]).output().unwrap();
    }
}
