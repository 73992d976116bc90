//! A NATS server of a test's own. `scripts/with-nats` says in `ZEITNOT_NATS_SERVER` where the program is.
//!
//! Deliberately absent: what is said over it.
//!
//! Invariant: whoever connects to its address reaches this server. Another process may take a port between the look at a
//! free one and its use, so a server counts as started when it has itself written that it listens there.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

use crate::own_server::free_port;

/// So many ports are tried, and so often one that somebody else has for a moment.
const TRIES: usize = 20;
const LOOKS_EVERY: Duration = Duration::from_millis(5);

/// A server with its configuration. It can be killed, started again at the same port, and frozen.
#[derive(Debug)]
pub struct NatsServer {
    port: u16,
    folder: TempDir,
    process: Child,
}

impl NatsServer {
    /// Starts one, with these lines in its configuration, and waits until it listens.
    ///
    /// # Panics
    ///
    /// When there is no program, or it does not start.
    #[must_use]
    pub fn start(config: &str) -> Self {
        let start = || {
            let (port, folder) = (free_port(), tempfile::tempdir().unwrap());
            let mut file = std::fs::File::create(folder.path().join("nats.conf")).unwrap();
            write!(file, "listen: 127.0.0.1:{port}\n{config}\n").unwrap();
            let process = spawn(&folder)?;
            Some(Self { port, folder, process })
        };
        (0..TRIES).find_map(|_| start()).expect("the NATS server does not start")
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it.
    ///
    /// # Panics
    ///
    /// When it cannot be killed.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Starts one that was killed, at the same port.
    ///
    /// # Panics
    ///
    /// When somebody else keeps the port.
    pub fn start_again(&mut self) {
        self.process = (0..TRIES).find_map(|_| spawn(&self.folder)).expect("the NATS server does not start");
    }

    /// The number of its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        // One that was killed is dead already.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// A server that listens; `None` when it has ended before, as somebody else has its port.
fn spawn(folder: &TempDir) -> Option<Child> {
    let program = std::env::var("ZEITNOT_NATS_SERVER").expect("scripts/with-nats sets it");
    let mut command = Command::new(program);
    command.arg("-c").arg(folder.path().join("nats.conf")).arg("--ports_file_dir").arg(folder.path());
    let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let written = format!("_{}.ports", process.id());
    while process.try_wait().unwrap().is_none() {
        let mut files = std::fs::read_dir(folder.path()).unwrap();
        if files.any(|file| file.unwrap().file_name().to_string_lossy().ends_with(&written)) {
            return Some(process);
        }
        sleep(LOOKS_EVERY);
    }
    None
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    #[ignore = "needs a NATS server: scripts/test cluster"]
    fn a_server_whose_port_somebody_else_has_is_not_taken_for_started() {
        let mut server = NatsServer::start("");
        server.kill();
        let other = TcpListener::bind(("127.0.0.1", server.port)).unwrap();
        assert!(spawn(&server.folder).is_none());
        drop(other);
        server.start_again();
        assert!(TcpListener::bind(("127.0.0.1", server.port)).is_err());
    }
}
