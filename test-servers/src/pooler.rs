//! A pooler between a program and PostgreSQL.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::own_server::{OwnServer, folder, free_port, user};

/// A PgBouncer, which ends with it.
#[derive(Debug)]
pub struct Pooler {
    process: Child,
    port: u16,
    _folder: TempDir,
}

impl Pooler {
    /// One before this server, in this mode.
    #[must_use]
    pub fn new(server: &OwnServer, mode: &str) -> Self {
        let (folder, port) = (folder(), free_port());
        let [settings, users] = ["pgbouncer.ini", "users"].map(|name| folder.path().join(name));
        std::fs::write(&users, "\"postgres\" \"\"\n").unwrap();
        let lines = format!(
            "[databases]\n* = host=127.0.0.1 port={}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
             unix_socket_dir =\nauth_type = trust\nauth_file = {}\npool_mode = {mode}\n",
            server.port(),
            users.display()
        );
        std::fs::write(&settings, lines).unwrap();
        let mut command = Command::new("pgbouncer");
        if let Some((user, group)) = user() {
            command.uid(user).gid(group);
        }
        let mut process =
            command.arg(&settings).stderr(Stdio::piped()).spawn().expect("pgbouncer is installed");
        let said = BufReader::new(process.stderr.take().unwrap()).lines();
        let mut said = said.map_while(Result::ok);
        assert!(said.any(|line| line.contains("process up")), "it does not start");
        // What it says later must not stop it.
        std::thread::spawn(move || said.for_each(drop));
        Self { process, port, _folder: folder }
    }

    /// Where the server's database is, through it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}
