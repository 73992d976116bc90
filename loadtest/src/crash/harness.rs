//! The server of a crash test: started, broken in one of four ways, and started again on the same
//! folder and port.
//!
//! - A kill is SIGKILL.
//! - A pause is SIGSTOP, followed by SIGCONT some seconds later.
//! - A full disk is made by [`super::disk`].
//! - A power cut is SIGKILL and a data folder restored from what was fsynced (see
//!   [`super::trace`]).

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use rustix::process::Signal;

use super::disk::{FullDisk, IGNORES_XFSZ};
use super::trace::shadow_fs::{Cut, ShadowFs};
use super::trace::{self, Recorder};
use super::world::World;
use super::{CrashOptions, Fault};
use crate::report::{self, MarkKind, OpenMark};
use crate::rng::Rng;
use crate::server_process::{ServerProcess, free_port};
use crate::stopwatch::Stopwatch;

/// How long all clients may take to notice that the server has ended.
const NOTICED_WITHIN: Duration = Duration::from_secs(10);

/// How long a server may continue on a nearly full disk before the rest of the space is taken.
const FULL_WITHIN: Duration = Duration::from_secs(3);

/// So many of 100 kills are followed by another one, within this time in ms.
const AGAIN_IN_100: u64 = 20;
const AGAIN_WITHIN_MS: u64 = 150;

/// A running server.
#[derive(Debug)]
struct Running {
    process: ServerProcess,
    recorder: Option<Recorder>,
    /// Reads its standard error stream to the end.
    errors: Option<JoinHandle<std::io::Result<String>>>,
}

/// What the faults affected.
#[derive(Debug, Default)]
struct Hit {
    /// Players with less than a second left at the time of a pause.
    in_time_trouble: u64,
    /// Power cuts with writes that no fsync had made durable, and the most bytes of such writes.
    unsynced: u64,
    most_at_stake: u64,
}

/// Starts and breaks the server.
#[derive(Debug)]
pub(super) struct Harness<'r> {
    binary: PathBuf,
    fault: Fault,
    pause: Duration,
    /// Whether the ratings are compared with the games after each end.
    rated: bool,
    port: u16,
    /// The folder that the data folder is in.
    home: PathBuf,
    running: Option<Running>,
    rng: Rng,
    /// What the last comparison of the ratings with the games has said.
    ratings: String,
    /// What the faults affected, for `Harness::notes`.
    hit: Hit,
    /// What is wrong, apart from the games.
    pub(super) complaints: Vec<String>,
    recorder: &'r report::Recorder,
    /// The fault after which no move has been accepted yet.
    broken: Option<OpenMark>,
}

impl<'r> Harness<'r> {
    pub(super) fn new(
        binary: PathBuf,
        options: &CrashOptions,
        home: &Path,
        rng: Rng,
        recorder: &'r report::Recorder,
    ) -> Result<Self> {
        let fault = options.kind.fault();
        if fault == Fault::PowerCut {
            trace::check_strace()?;
        }
        // strace names files by their real paths.
        let home = home.canonicalize().with_context(|| format!("cannot use {}", home.display()))?;
        let port = free_port().context("no free port")?;
        let pause = Duration::try_from_secs_f64(options.pause_for).context("--pause-for")?;
        Ok(Self {
            binary,
            fault,
            pause,
            rated: options.rated,
            port,
            home,
            running: None,
            rng,
            ratings: String::new(),
            hit: Hit::default(),
            complaints: Vec::new(),
            recorder,
            broken: None,
        })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    fn data(&self) -> PathBuf {
        self.home.join("data")
    }

    /// Starts the server on the data folder, and lets clients connect.
    pub(super) fn start(&mut self, world: &World) -> Result<()> {
        let since = Stopwatch::start();
        let (mut command, recorder) = match self.fault {
            Fault::Kill | Fault::Pause => (Command::new(&self.binary), None),
            Fault::Full => {
                let mut command = Command::new("sh");
                command.args(["-c", IGNORES_XFSZ]).arg(&self.binary).stderr(Stdio::piped());
                (command, None)
            }
            Fault::PowerCut => {
                let (recorder, mut command) = Recorder::start(&self.data(), &self.home)?;
                command.arg(&self.binary);
                (command, Some(recorder))
            }
        };
        let listen = format!("127.0.0.1:{}", self.port);
        command.args(["--listen", &listen, "--log", "warn", "--data"]).arg(self.data());
        command.args(ServerProcess::ADDRESS_LIMITS.iter().flat_map(|(flag, value)| [flag, value]));
        let mut process = ServerProcess::zeitnot_by(command, None)?;
        self.recorder.watch("zeitnot", &process);
        let errors = process.take_stderr().map(|mut stream| {
            thread::spawn(move || {
                let mut text = String::new();
                stream.read_to_string(&mut text).map(|_| text)
            })
        });
        self.running = Some(Running { process, recorder, errors });
        world.runs(since);
        world.places.set_up(0, true);
        Ok(())
    }

    /// The server is broken now. One that was broken before it was back is broken anew.
    fn breaks(&mut self) {
        let mark = self.recorder.begin(MarkKind::Fault, self.fault.name());
        self.broken.replace(mark).into_iter().for_each(|before| self.recorder.end(before));
    }

    /// A move has been accepted since the server was broken.
    pub(super) fn is_back(&mut self, world: &World) {
        self.broken.take().into_iter().for_each(|mark| self.recorder.end_ago(mark, world.moved_ago()));
    }

    /// Breaks the server and starts it again. A kill may be followed by another one while clients
    /// reconnect.
    pub(super) async fn fault(&mut self, world: &World) -> Result<()> {
        if self.fault == Fault::Pause {
            return self.pause(world).await;
        }
        self.end(world).await?;
        self.start(world)?;
        while self.fault != Fault::Full && self.rng.in_100(AGAIN_IN_100) {
            tokio::time::sleep(self.rng.millis(0, AGAIN_WITHIN_MS)).await;
            self.end(world).await?;
            self.start(world)?;
        }
        Ok(())
    }

    /// Ends the server, and waits until clients have read everything that it sent.
    async fn end(&mut self, world: &World) -> Result<()> {
        self.breaks();
        match self.fault {
            Fault::Kill | Fault::Pause => self.running()?.process.kill()?,
            Fault::Full => self.fill(world).await?,
            Fault::PowerCut => {
                let Running { process, recorder, .. } = self.running()?;
                process.kill()?;
                let shadow = recorder.context("nothing was recorded")?.end()?;
                self.cut(shadow)?;
            }
        }
        world.stands();
        world.places.set_up(0, false);
        let waiting = Stopwatch::start();
        while world.places.connected() > 0 {
            let left = world.places.connected();
            ensure!(
                waiting.elapsed() < NOTICED_WITHIN,
                "{left} connections are open after the end of the server"
            );
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        world.checker.borrow_mut().crashed();
        if self.rated { self.compare_ratings() } else { Ok(()) }
    }

    /// Compares all ratings with the games in the folder, while no server runs.
    fn compare_ratings(&mut self) -> Result<()> {
        let mut command = Command::new(&self.binary);
        let output = command.args(["ratings", "--verify", "--data"]).arg(self.data()).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stdout);
            let why = String::from_utf8_lossy(&output.stderr);
            self.complaints.push(format!("the ratings are not what the games come to: {said}{why}"));
        }
        self.ratings = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        Ok(())
    }

    fn running(&mut self) -> Result<Running> {
        self.running.take().context("no server is running")
    }

    pub(super) fn check_alive(&mut self) -> Result<()> {
        self.running.as_mut().context("no server is running")?.process.check_alive()
    }

    /// What the faults affected, in words.
    pub(super) fn notes(&self) -> Option<String> {
        let Hit { in_time_trouble, unsynced, most_at_stake } = self.hit;
        match self.fault {
            Fault::Kill | Fault::Full if self.rated => {
                Some(format!("the ratings at the end: {}", self.ratings))
            }
            Fault::Kill | Fault::Full => None,
            Fault::Pause => {
                Some(format!("players with less than 1 s left when the server stopped: {in_time_trouble}"))
            }
            Fault::PowerCut => Some(format!(
                "power cuts with writes that were not fsynced: {unsynced}, at most {most_at_stake} bytes of them"
            )),
        }
    }

    fn signal(&self, signal: Signal) -> Result<()> {
        self.running.as_ref().context("no server is running")?.process.signal(signal)
    }

    async fn pause(&mut self, world: &World) -> Result<()> {
        self.signal(Signal::STOP)?;
        self.breaks();
        world.stands();
        self.hit.in_time_trouble += world.in_time_trouble();
        tokio::time::sleep(self.pause).await;
        let since = Stopwatch::start();
        self.signal(Signal::CONT)?;
        world.runs(since);
        Ok(())
    }

    /// Fills the disk until the server ends, then frees it.
    async fn fill(&mut self, world: &World) -> Result<()> {
        let Running { mut process, errors, .. } = self.running()?;
        let disk = FullDisk::make(&self.home, process.pid(), &mut self.rng)?;
        let waiting = Stopwatch::start();
        let mut is_tight = false;
        let status = loop {
            if let Some(status) = process.ended()? {
                break status;
            }
            let waited = waiting.elapsed();
            if waited > FULL_WITHIN && !is_tight {
                is_tight = true;
                disk.tighten()?;
            }
            ensure!(waited < 3 * FULL_WITHIN, "the server continues on a full disk");
            tokio::time::sleep(Duration::from_millis(2)).await;
        };
        world.stands();
        let said = match errors.map(JoinHandle::join) {
            Some(Ok(said)) => said.context("cannot read the server's standard error stream")?,
            _ => String::new(),
        };
        self.complaints.extend(disk.check_end(status, &said, &self.data()));
        disk.free()
    }

    /// Leaves the folder as after a power cut: only what was fsynced, or with a random part of the
    /// rest.
    fn cut(&mut self, shadow: ShadowFs) -> Result<()> {
        let cut = match self.rng.below(5) {
            0 | 1 => Cut::Strict,
            2 => Cut::Scattered(10),
            3 => Cut::Scattered(50),
            _ => Cut::Scattered(95),
        };
        let at_stake = shadow.at_stake();
        self.hit.unsynced += u64::from(at_stake > 0);
        self.hit.most_at_stake = self.hit.most_at_stake.max(at_stake);
        let mut files = shadow.cut(cut, &mut self.rng);
        // The log's index is not durable, but may exist with any content.
        if cut != Cut::Strict && self.rng.in_100(50) {
            let there = trace::read(&self.data())?;
            files.extend(there.into_iter().filter(|(name, _)| name.ends_with("-shm")));
        }
        trace::write(&self.data(), &files)
    }
}
