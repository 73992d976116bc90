//! A server as a child process: started, waited for, stopped.
//!
//! It is the `zeitnot` binary, by default the one beside our own, or a reference server for a
//! comparison. Invariant: the process has ended when its [`ServerProcess`] is dropped.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use rustix::process::{Pid, Signal, kill_process};

use crate::endpoint::Endpoint;
use crate::process;
use crate::stopwatch::Stopwatch;

/// How long a server may take until it listens.
const START_LIMIT: Duration = Duration::from_secs(20);

/// How long a server may take to stop after SIGTERM before it is killed.
const STOP_LIMIT: Duration = Duration::from_secs(10);

/// What the `zeitnot` binary prints when it accepts connections; its port follows.
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
    /// The flags that raise the limits per address and account: the many clients of a measurement
    /// share few addresses, and play one game after the other.
    pub const ADDRESS_LIMITS: Flags = &[
        ("--connections-per-address", "20000"),
        ("--guests-per-address-per-minute", "1000000"),
        ("--bad-tokens-per-address-per-minute", "1000000"),
        ("--challenges-per-account-per-minute", "1000000"),
        ("--games-per-account-per-minute", "1000000"),
        ("--games-per-address-per-minute", "1000000"),
        ("--games-per-address-per-day", "1000000"),
    ];

    /// The flags that raise the limits per connection: a measured client makes no pauses.
    pub(crate) const CONNECTION_LIMITS: Flags =
        &[("--frames-per-second", "1000000"), ("--frames-burst", "1000000")];

    /// One worker thread, for measurements of cost.
    pub(crate) const ONE_WORKER: Flags = &[("--workers", "1")];

    /// The journal in memory: the reference servers store nothing either.
    pub const IN_MEMORY: Flags = &[("--journal", "memory")];

    /// The journal on disk.
    pub const ON_DISK: Flags = &[("--journal", "sqlite")];

    /// Starts `zeitnot` with every limit raised that would stop a measurement.
    ///
    /// # Errors
    /// When it does not start.
    pub fn zeitnot(binary: &Path) -> Result<Self> {
        Self::zeitnot_with(binary, None, &[Self::ADDRESS_LIMITS, Self::CONNECTION_LIMITS])
    }

    /// As [`ServerProcess::zeitnot`], with one worker pinned to a core, and with more flags.
    ///
    /// # Errors
    /// When it does not start.
    pub fn zeitnot_on(binary: &Path, core: usize, flags: Flags) -> Result<Self> {
        Self::zeitnot_with(
            binary,
            Some(core),
            &[Self::ADDRESS_LIMITS, Self::CONNECTION_LIMITS, Self::ONE_WORKER, flags],
        )
    }

    /// Starts `zeitnot` on a free port with these flags. `core` pins all its threads. Its data
    /// folder is temporary unless a flag names one.
    ///
    /// # Errors
    /// When it does not start.
    pub fn zeitnot_with(binary: &Path, core: Option<usize>, flags: &[Flags]) -> Result<Self> {
        Self::zeitnot_by(command(binary, flags), core)
    }

    /// As [`ServerProcess::zeitnot_with`], on all cores and with its computer opponent.
    ///
    /// # Errors
    /// When it does not start.
    pub(crate) fn zeitnot_with_computer(binary: &Path, flags: &[Flags]) -> Result<Self> {
        Self::start(command(binary, flags), None, zeitnot_is_ready)
    }

    /// Starts `zeitnot` with a command that already has all flags. `core` pins all its threads. The computer opponent is
    /// off: what is measured is the server. By a variable, because a server to compare with may not know the flag.
    ///
    /// # Errors
    /// When it does not start.
    pub(crate) fn zeitnot_by(mut command: Command, core: Option<usize>) -> Result<Self> {
        command.env("ZEITNOT_NO_COMPUTER", "true");
        Self::start(command, core, zeitnot_is_ready)
    }

    /// Starts a reference server in this mode on a free port. It prints a line that begins with
    /// `listening` when it is ready.
    ///
    /// # Errors
    /// When it does not start.
    pub fn reference(binary: &Path, mode: &str, core: usize) -> Result<Self> {
        let port = free_port().context("no free port")?;
        let mut command = Command::new(binary);
        command.args([mode, &port.to_string()]);
        Self::start(command, Some(core), move |line| {
            line.starts_with("listening").then(|| Endpoint::loopback(port, "/"))
        })
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
                server
                    .wait_until_open()
                    .with_context(|| format!("{name} printed that it listens, but accepts no connection"))?;
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

    /// Waits until a connection is accepted: a reference server prints its line a moment earlier.
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

    /// The address it listens on.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Its process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Checks that it still runs.
    ///
    /// # Errors
    /// When it has ended; the message has its exit status.
    pub fn check_alive(&mut self) -> Result<()> {
        match self.child.try_wait().context("cannot query the server's state")? {
            None => Ok(()),
            Some(status) => Err(anyhow!("the server ended by itself: {status}")),
        }
    }

    /// Its exit status, once it has ended.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        self.child.try_wait().context("cannot query the server's state")
    }

    /// Sends a signal to it.
    pub(crate) fn signal(&self, signal: Signal) -> Result<()> {
        kill_process(Pid::from_child(&self.child), signal).context("cannot send a signal to the server")
    }

    /// Kills it and waits until it has ended.
    pub(crate) fn kill(mut self) -> Result<()> {
        self.child.kill().context("cannot kill the server")?;
        self.child.wait().context("cannot wait for the killed server")?;
        Ok(())
    }

    /// Its standard error stream, if the command connected it to a pipe.
    pub(crate) fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }
}

/// `zeitnot` on a free port with these flags; its data folder is temporary unless a flag names one.
fn command(binary: &Path, flags: &[Flags]) -> Command {
    let mut command = Command::new(binary);
    command.args(["--listen", "127.0.0.1:0", "--log", "warn"]);
    let flags = flags.iter().copied().flatten();
    if !flags.clone().any(|(flag, _)| *flag == "--data") {
        command.args(["--data", ":memory:"]);
    }
    command.args(flags.flat_map(|(flag, value)| [flag, value]));
    command
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

/// Reads a server's output on a thread of its own, so that the server never blocks on a full pipe.
/// Reports the endpoint in the first line that has one.
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

/// Sends SIGTERM, then SIGKILL if the process does not end. Returns how it ended, in words.
fn stop(child: &mut Child) -> String {
    // A process that has ended gets no signal: its id may belong to another process by now.
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

/// The path of the `zeitnot` binary: the one given, or the one beside our own.
///
/// # Errors
/// When there is no such file; the message says what to build.
pub fn zeitnot_binary(given: Option<&Path>) -> Result<PathBuf> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => {
            std::env::current_exe().context("cannot find the path of this program")?.with_file_name("zeitnot")
        }
    };
    if path.is_file() {
        return Ok(path);
    }
    bail!(
        "{} is missing: build it with `cargo build --release --workspace`, or name a server with --server",
        path.display()
    )
}

/// A port that was free when this was called.
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
    fn a_server_that_ends_immediately_is_an_error() {
        let error = ServerProcess::zeitnot(Path::new("/bin/false")).unwrap_err().to_string();
        assert!(error.contains("/bin/false ended before it listened"), "{error}");
    }
}
