//! One node: the process, the proxies before it, and its number in the database.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use anyhow::{Context as _, Result};
use rustix::process::Signal;

use super::database::{Database, blocking};
use super::nats::Nats;
use super::proxy::{Proxy, ProxyThread, Traffic};
use crate::endpoint::Endpoint;
use crate::report::Recorder;
use crate::server_process::{ServerProcess, free_port};

/// A node. It has the same port, folder and proxies for all its processes.
#[derive(Debug)]
pub(super) struct Node {
    place: usize,
    binary: PathBuf,
    /// Its data folder and its log are here.
    home: PathBuf,
    port: u16,
    /// By slot.
    to_database: Vec<Proxy>,
    to_bus: Proxy,
    process: Option<ServerProcess>,
    /// The number of the running process among all nodes that ever were.
    number: u32,
}

impl Node {
    /// A node that does not run yet.
    pub(super) fn new(
        place: usize,
        binary: PathBuf,
        home: PathBuf,
        (database, nats, proxies): (&Database, &Nats, &ProxyThread),
    ) -> Result<Self> {
        let slots = 0..database.slots();
        let to_database =
            slots.map(|slot| proxies.proxy(database.address(slot)?)).collect::<Result<Vec<_>>>()?;
        let to_bus = proxies.proxy(nats.of(place).address())?;
        let port = free_port().context("no free port")?;
        Ok(Self { place, binary, home, port, to_database, to_bus, process: None, number: 0 })
    }

    pub(super) fn endpoint(&self) -> Endpoint {
        Endpoint::loopback(self.port, "/ws")
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// The id of its process, if it runs.
    pub(super) fn pid(&self) -> Option<u32> {
        self.process.as_ref().map(ServerProcess::pid)
    }

    pub(super) fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// What people call it.
    pub(super) fn name(&self) -> String {
        format!("node {}", self.place + 1)
    }

    fn command(&self) -> Result<Command> {
        let hosts: Vec<_> = self.to_database.iter().map(|proxy| proxy.address().to_string()).collect();
        let cluster = format!("postgres://postgres@{}/postgres", hosts.join(","));
        let log = self.home.join(format!("node-{}.log", self.place + 1));
        let mut command = Command::new(&self.binary);
        command.args(["--listen", &format!("127.0.0.1:{}", self.port), "--log", "info"]);
        command.args(["--cluster", &cluster, "--bus", &format!("nats://{}", self.to_bus.address())]);
        command.arg("--data").arg(self.home.join(format!("node-{}", self.place + 1)));
        command.args(ServerProcess::ADDRESS_LIMITS.iter().flat_map(|(flag, value)| [flag, value]));
        command.stderr(File::options().create(true).append(true).open(log)?);
        Ok(command)
    }

    /// Starts a process, and waits until it serves.
    pub(super) async fn start(&mut self, database: &Database, recorder: &Recorder) -> Result<()> {
        let command = self.command()?;
        let started = blocking("a node does not start", move || ServerProcess::zeitnot_by(command, None));
        let process = started.await?.with_context(|| format!("{} does not start", self.name()))?;
        recorder.watch(&self.name(), &process);
        self.process = Some(process);
        // One node starts at a time, so the last number is its own.
        let nodes = database.nodes().await?;
        self.number = nodes.last().context("a node is not in the database")?.number;
        Ok(())
    }

    /// Kills the process, and waits until it has ended.
    pub(super) async fn kill(&mut self) -> Result<()> {
        let process = self.process.take().context("the node does not run")?;
        blocking("a node does not end", move || process.kill()).await?
    }

    /// Sends a signal to the process.
    pub(super) fn signal(&self, signal: Signal) -> Result<()> {
        self.process.as_ref().context("the node does not run")?.signal(signal)
    }

    /// How the process has ended by itself, if it has.
    pub(super) fn has_ended(&mut self) -> Result<Option<ExitStatus>> {
        let Some(process) = &mut self.process else { return Ok(None) };
        let ended = process.ended()?;
        if ended.is_some() {
            self.process = None;
        }
        Ok(ended)
    }

    /// What becomes from now on of what it sends to all servers of the database.
    pub(super) fn set_database(&self, traffic: Traffic) {
        self.to_database.iter().for_each(|proxy| proxy.set(traffic));
    }

    /// What becomes from now on of what it sends to one server of the database.
    pub(super) fn set_slot(&self, slot: usize, traffic: Traffic) {
        self.to_database[slot].set(traffic);
    }

    /// A slot has another server.
    pub(super) fn lead_slot(&self, slot: usize, database: &Database) -> Result<()> {
        self.to_database[slot].lead_to(database.address(slot)?);
        Ok(())
    }

    /// What becomes from now on of what it sends to the bus.
    pub(super) fn set_bus(&self, traffic: Traffic) {
        self.to_bus.set(traffic);
    }
}
