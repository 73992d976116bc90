//! A NATS server of a test's own. `scripts/with-nats` says in `ZEITNOT_NATS_SERVER` where the program is.

use std::io::Write as _;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::NamedTempFile;

use super::super::BusUrl;

/// A server with its configuration. It can be killed, started again at the same port, and frozen.
pub(super) struct NatsServer {
    port: u16,
    config: NamedTempFile,
    process: Child,
}

impl NatsServer {
    pub(super) fn start(config: &str) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let mut file = NamedTempFile::new().unwrap();
        write!(file, "listen: 127.0.0.1:{port}\n{config}\n").unwrap();
        let process = spawn(&file);
        Self { port, config: file, process }
    }

    pub(super) fn url(&self) -> BusUrl {
        format!("nats://127.0.0.1:{}", self.port).parse().unwrap()
    }

    pub(super) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub(super) fn start_again(&mut self) {
        self.process = spawn(&self.config);
    }

    /// Lets it stand still, or go on.
    pub(super) fn freeze(&self, stands: bool) {
        let pid = Pid::from_child(&self.process);
        kill_process(pid, if stands { Signal::STOP } else { Signal::CONT }).unwrap();
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        // One that was killed is dead already.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn spawn(config: &NamedTempFile) -> Child {
    let program = std::env::var("ZEITNOT_NATS_SERVER").expect("scripts/with-nats sets it");
    let mut command = Command::new(program);
    command.arg("-c").arg(config.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}
