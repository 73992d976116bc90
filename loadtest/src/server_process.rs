//! A server as a process of ours: started, waited for, stopped.
//!
//! The `zeitnot` binary beside our own, or a reference server for a comparison. Invariant: a process that was started
//! here is gone when its [`ServerProcess`] is.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};

use crate::endpoint::Endpoint;
use crate::process;
use crate::stopwatch::Stopwatch;

/// How long a server may take to say that it listens.
const START_LIMIT: Duration = Duration::from_secs(20);

/// How long a server may take to stop after SIGTERM before it is killed.
const STOP_LIMIT: Duration = Duration::from_secs(10);

/// What the `zeitnot` binary prints when it takes connections; its port follows.
const ZEITNOT_READY: &str = "zeitnot listening on http://127.0.0.1:";

/// Flags and their values.
pub type Flags = &'static [(&'static str, &'static str)];

/// A running server.
#[derive(Debug)]
pub struct ServerProcess {
    child: Child,
    endpoint: Endpoint,
}

impl ServerProcess {
    /// The flags that raise the limits per address: all clients of a measurement have few addresses.
    pub const ADDRESS_LIMITS: Flags =
        &[("--connections-per-address", "20000"), ("--guests-per-address-per-minute", "1000000")];

    /// The flags that raise the limits per connection: a measured client has no pauses.
    pub(crate) const CONNECTION_LIMITS: Flags =
        &[("--frames-per-second", "1000000"), ("--frames-burst", "1000000")];

    /// One worker: what a measurement of cost needs.
    pub(crate) const ONE_WORKER: Flags = &[("--workers", "1")];

    /// A journal in memory, as the reference servers have it.
    pub const IN_MEMORY: Flags = &[("--journal", "memory")];

    /// The journal that lasts.
    pub const ON_DISK: Flags = &[("--journal", "sqlite")];

    /// Starts `zeitnot` with all limits raised that would stop a measurement and not the server.
    ///
    /// # Errors
    /// When it does not come up.
    pub fn zeitnot(binary: &Path) -> Result<Self> {
        Self::zeitnot_with(binary, None, &[Self::ADDRESS_LIMITS, Self::CONNECTION_LIMITS])
    }

    /// As [`ServerProcess::zeitnot`], with one worker on one core and more flags.
    ///
    /// # Errors
    /// When it does not come up.
    pub fn zeitnot_on(binary: &Path, core: usize, flags: Flags) -> Result<Self> {
        Self::zeitnot_with(
            binary,
            Some(core),
            &[Self::ADDRESS_LIMITS, Self::CONNECTION_LIMITS, Self::ONE_WORKER, flags],
        )
    }

    /// Starts `zeitnot` on a free port with these flags. `core` pins all its threads. Its data are in a temporary folder
    /// unless a flag says otherwise.
    ///
    /// # Errors
    /// When it does not come up.
    pub fn zeitnot_with(binary: &Path, core: Option<usize>, flags: &[Flags]) -> Result<Self> {
        let mut command = Command::new(binary);
        command.args(["--listen", "127.0.0.1:0", "--log", "warn"]);
        let flags = flags.iter().copied().flatten();
        if !flags.clone().any(|(flag, _)| *flag == "--data") {
            command.args(["--data", ":memory:"]);
        }
        command.args(flags.flat_map(|(flag, value)| [flag, value]));
        Self::start(command, core, zeitnot_is_ready)
    }

    /// Starts `zeitnot` by this command, which says where it listens and what else it is to do. `core` pins all its
    /// threads.
    ///
    /// # Errors
    /// When it does not come up.
    pub(crate) fn zeitnot_by(command: Command, core: Option<usize>) -> Result<Self> {
        Self::start(command, core, zeitnot_is_ready)
    }

    /// Starts a reference server with `mode` on a free port: it prints a line that begins with `listening` when it is
    /// ready.
    ///
    /// # Errors
    /// When it does not come up.
    pub fn reference(binary: &Path, mode: &str, core: usize) -> Result<Self> {
        let port = free_port().context("no free port")?;
        let mut command = Command::new(binary);
        command.args([mode, &port.to_string()]);
        let server = Self::start(command, Some(core), move |line| {
            line.starts_with("listening").then(|| Endpoint::loopback(port, "/"))
        })?;
        // A reference says so a moment before it does.
        let waiting = Stopwatch::start();
        while let Err(error) = TcpStream::connect(server.endpoint.address) {
            ensure!(waiting.elapsed() < START_LIMIT, "{} does not listen: {error}", binary.display());
            thread::sleep(Duration::from_millis(10));
        }
        Ok(server)
    }

    fn start(
        mut command: Command,
        core: Option<usize>,
        ready: impl Fn(&str) -> Option<Endpoint> + Send + 'static,
    ) -> Result<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child =
            process::spawn_on(core, &mut command).with_context(|| format!("cannot start {name}"))?;
        let stdout = child.stdout.take().expect("the command has a pipe");
        let lines = watch_for(stdout, ready)?;
        match lines.recv_timeout(START_LIMIT) {
            Ok(endpoint) => {
                let server = Self { child, endpoint };
                server.wait_until_open().with_context(|| format!("{name} said that it listens"))?;
                Ok(server)
            }
            Err(reason) => {
                let status = stop(&mut child);
                bail!(match reason {
                    RecvTimeoutError::Disconnected => format!("{name} ended before it listened ({status})"),
                    RecvTimeoutError::Timeout =>
                        format!("{name} did not listen within {} s", START_LIMIT.as_secs()),
                })
            }
        }
    }

    /// A reference says that it listens a moment before it does.
    fn wait_until_open(&self) -> std::io::Result<()> {
        let waiting = Stopwatch::start();
        loop {
            match TcpStream::connect(self.endpoint.address) {
                Ok(_) => return Ok(()),
                Err(error) if waiting.elapsed() > START_LIMIT => return Err(error),
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Where it listens.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Its process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it still runs.
    ///
    /// # Errors
    /// When it does not: the message has its exit status.
    pub fn check_alive(&mut self) -> Result<()> {
        match self.child.try_wait().context("cannot ask for the server's state")? {
            None => Ok(()),
            Some(status) => Err(anyhow!("the server ended by itself: {status}")),
        }
    }

    /// How it ended, if it has.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        self.child.try_wait().context("cannot ask for the server's state")
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, signal: Signal) -> Result<()> {
        kill_process(Pid::from_child(&self.child), signal).context("the server cannot be signalled")
    }

    /// Kills it: nothing in it runs any more when this returns.
    pub(crate) fn kill(mut self) -> Result<()> {
        self.child.kill().context("the server cannot be killed")?;
        self.child.wait().context("the killed server is lost")?;
        Ok(())
    }

    /// Its standard error stream, when the command made a pipe of it.
    pub(crate) fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }
}

fn zeitnot_is_ready(line: &str) -> Option<Endpoint> {
    let port = line.strip_prefix(ZEITNOT_READY)?.trim().trim_end_matches('/').parse().ok()?;
    Some(Endpoint::loopback(port, "/ws"))
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        stop(&mut self.child);
    }
}

/// Reads a server's output to its end on a thread of its own, so that it never waits for us, and reports the endpoint
/// of its first line that has one.
fn watch_for(
    stdout: ChildStdout,
    ready: impl Fn(&str) -> Option<Endpoint> + Send + 'static,
) -> Result<Receiver<Endpoint>> {
    let (report, endpoint) = sync_channel(1);
    let read = move || {
        let mut report = Some(report);
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if let Some(endpoint) = ready(&line)
                && let Some(report) = report.take()
                && report.send(endpoint).is_err()
            {
                return; // The start was given up.
            }
        }
    };
    thread::Builder::new().name("server-output".to_owned()).spawn(read).context("cannot start a thread")?;
    Ok(endpoint)
}

/// SIGTERM, then SIGKILL when it does not help. Says how it ended.
fn stop(child: &mut Child) -> String {
    // One that has ended is not signalled: its number may be another's by now.
    if let Ok(Some(status)) = child.try_wait() {
        return status.to_string();
    }
    let pid = Pid::from_child(child);
    if let Err(error) = kill_process(pid, Signal::TERM)
        && error != rustix::io::Errno::SRCH
    {
        return format!("cannot be stopped: {error}");
    }
    let waiting = Stopwatch::start();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.to_string(),
            Err(error) => return format!("lost: {error}"),
            Ok(None) if waiting.elapsed() < STOP_LIMIT => thread::sleep(Duration::from_millis(10)),
            Ok(None) => break,
        }
    }
    match child.kill().and_then(|()| child.wait()) {
        Ok(status) => format!("killed: {status}"),
        Err(error) => format!("cannot be killed: {error}"),
    }
}

/// The `zeitnot` binary: the one given, or the one beside our own.
///
/// # Errors
/// When there is none; the message says what to build.
pub fn zeitnot_binary(given: Option<&Path>) -> Result<PathBuf> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => std::env::current_exe().context("cannot find our own binary")?.with_file_name("zeitnot"),
    };
    if path.is_file() {
        return Ok(path);
    }
    bail!(
        "{} is missing: build it with `cargo build --release --workspace`, or name a server with --server",
        path.display()
    )
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_binary_says_what_to_build() {
        let error = zeitnot_binary(Some(Path::new("/nowhere/zeitnot"))).unwrap_err().to_string();
        assert!(
            error.contains("/nowhere/zeitnot is missing: build it with `cargo build --release --workspace`"),
            "{error}"
        );
    }

    #[test]
    fn a_server_that_ends_at_once_is_an_error() {
        let error = ServerProcess::zeitnot(Path::new("/bin/false")).unwrap_err().to_string();
        assert!(error.contains("/bin/false ended before it listened"), "{error}");
    }
}
