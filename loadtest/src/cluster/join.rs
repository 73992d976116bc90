//! How a server joins a cluster: with the two flags and nothing else; and what it says where it must not.
//!
//! Each start is one of a list ([`CASES`]): it serves, or it ends with an exit code and says what to do.

use std::io::{Read as _, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use zeitnot_test_servers::{OwnServer, find_programs};

use super::Programs;
use super::nats::Nats;
use super::proxy::ProxyThread;
use crate::report::{Figure, Recorder, Series};
use crate::server_process::{ServerProcess, free_port};
use crate::stopwatch::Stopwatch;

/// How long a rejection may take.
const REJECTS_WITHIN: Duration = Duration::from_secs(20);

/// What must come of a start.
#[derive(Clone, Copy, Debug)]
enum Outcome {
    /// It serves beside those before it.
    Serves,
    /// It ends, and what it says names this.
    Names(&'static str),
}

/// A start, in the words of a report, with its flags. In a flag `{database}`, `{unsafe}` and `{torn}` are URLs of databases,
/// `{bus}` one of the bus, and `{nobody}` an address at which nobody listens.
type Case = (&'static str, &'static [&'static str], Outcome);

const CASES: &[Case] = &[
    ("a first server", &["--cluster", "{database}", "--bus", "{bus}"], Outcome::Serves),
    ("a second one", &["--cluster", "{database}", "--bus", "{bus}"], Outcome::Serves),
    (
        "a third one, of whose two NATS servers one is away",
        &["--cluster", "{database}", "--bus", "nats://{nobody},{bus}"],
        Outcome::Serves,
    ),
    ("a bus and no database", &["--bus", "{bus}"], Outcome::Names("--cluster")),
    ("a database that others serve from, and no bus", &["--cluster", "{database}"], Outcome::Names("--bus")),
    (
        "a bus in plain text on another machine",
        &["--cluster", "{database}", "--bus", "nats://192.0.2.1:4222"],
        Outcome::Names("tls://"),
    ),
    (
        "a password in the address of the bus",
        &["--cluster", "{database}", "--bus", "nats://name:secret@192.0.2.1"],
        Outcome::Names("--bus-creds"),
    ),
    (
        "no database there",
        &["--cluster", "postgres://postgres@{nobody}/postgres", "--bus", "{bus}"],
        Outcome::Names("PostgreSQL"),
    ),
    ("a database without fsync", &["--cluster", "{unsafe}", "--bus", "{bus}"], Outcome::Names("fsync")),
    (
        "a database without full_page_writes",
        &["--cluster", "{torn}", "--bus", "{bus}"],
        Outcome::Names("full_page_writes"),
    ),
];

/// Starts all of them; whether each did what it must.
///
/// # Errors
/// When PostgreSQL or NATS does not start.
pub(super) fn run(programs: &Programs, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    let binary = programs.zeitnot(recorder)?;
    recorder.progress().plan(CASES.len() as u64, "starts", 1.5);
    ensure!(find_programs().is_some(), "PostgreSQL is not there: apt-get install postgresql");
    let home = tempfile::Builder::new().prefix("zeitnot-join-").tempdir()?;
    let proxies = ProxyThread::start()?;
    let nats = Nats::start(1, home.path(), programs.nats.as_deref(), &proxies)?;
    let servers = [&[][..], &["fsync = off"], &["full_page_writes = off"]].map(OwnServer::new);
    let [database, without_fsync, torn] = &servers;
    let nobody = format!("127.0.0.1:{}", free_port().context("no free port")?);
    let filled = |flag: &str| {
        flag.replace("{database}", &database.url())
            .replace("{unsafe}", &without_fsync.url())
            .replace("{torn}", &torn.url())
            .replace("{bus}", &format!("nats://{}", nats.of(0).address()))
            .replace("{nobody}", &nobody)
    };
    let (mut nodes, mut ready, mut all) = (Vec::new(), Series::default(), true);
    for (number, (name, flags, outcome)) in CASES.iter().enumerate() {
        let flags: Vec<_> = flags.iter().map(|flag| filled(flag)).collect();
        let start = command(&binary, home.path(), number, &flags);
        let holds = match outcome {
            Outcome::Serves => {
                let watch = Stopwatch::start();
                nodes.push(ServerProcess::zeitnot_by(start, None).with_context(|| (*name).to_owned())?);
                ready.push(watch.seconds() * 1e3);
                writeln!(out, "{name}: serves after {:.0} ms", watch.seconds() * 1e3)?;
                true
            }
            Outcome::Names(wanted) => {
                let (code, said) = rejected(start)?;
                let holds = code.is_some_and(|code| code != 0) && said.contains(wanted);
                writeln!(out, "{name}: exit code {code:?}{}: {said}", if holds { "" } else { ", WRONG" })?;
                holds
            }
        };
        all &= holds;
        recorder.progress().step();
    }
    let lived = nodes.iter_mut().try_for_each(ServerProcess::check_alive);
    recorder.figure(Figure::of_rounds("A start", "until it serves", "ms", &ready));
    lived.map(|()| all)
}

fn command(binary: &Path, home: &Path, number: usize, flags: &[String]) -> Command {
    let mut command = Command::new(binary);
    command.args(["--listen", "127.0.0.1:0", "--log", "error"]).args(flags);
    command.arg("--data").arg(home.join(format!("node-{number}")));
    command
}

/// The exit code of a start that is rejected, and what it says, as one line.
fn rejected(mut command: Command) -> Result<(Option<i32>, String)> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().context("cannot start the server")?;
    let waiting = Stopwatch::start();
    while child.try_wait()?.is_none() {
        if waiting.elapsed() > REJECTS_WITHIN {
            child.kill()?;
            child.wait()?;
            return Ok((None, format!("it did not end within {} s", REJECTS_WITHIN.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut said = String::new();
    child.stderr.take().context("it has a pipe")?.read_to_string(&mut said)?;
    let said = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    Ok((child.wait()?.code(), said))
}
