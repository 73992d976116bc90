//! The `zeitnot-loadtest` binary: reads its flags, runs one subcommand of the library, prints the
//! report and writes its files.

use std::io::{self, LineWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use zeitnot_loadtest::bench::{self, BenchOptions};
use zeitnot_loadtest::cluster::{self, ClusterOptions};
use zeitnot_loadtest::conditions;
use zeitnot_loadtest::crash::{self, CrashOptions};
use zeitnot_loadtest::dos::{self, DosOptions};
use zeitnot_loadtest::invalid_input::{self, InvalidInputOptions};
use zeitnot_loadtest::overload::{self, OverloadOptions};
use zeitnot_loadtest::pairing::{self, PairingOptions};
use zeitnot_loadtest::programs::{self, ProgramsOptions};
use zeitnot_loadtest::replay::{self, ReplayOptions};
use zeitnot_loadtest::report::options::ReportOptions;
use zeitnot_loadtest::report::{Outcome, Recorder, json_file};
use zeitnot_loadtest::sign_in_timing::{self, SignInOptions};

/// The exit code of a measurement whose conditions did not hold.
const INCONCLUSIVE: u8 = 3;

/// Bots and measurements for the Zeitnot chess server.
#[derive(Parser)]
#[command(name = "zeitnot-loadtest", version)]
struct Flags {
    #[command(subcommand)]
    command: Subcommands,
    #[command(flatten)]
    files: ReportOptions,
}

#[derive(Subcommand)]
enum Subcommands {
    /// Plays the games of a PGN file through a server and compares every message with the rules.
    ///
    /// Exits 1 when a game differs from the file.
    Replay(ReplayOptions),
    /// Measures cost, memory or latency, beside a reference server where there is one.
    ///
    /// Exits 1 when a required target of docs/performance.md is missed, 3 when the conditions of
    /// the measurement did not hold, so that its figures mean nothing.
    #[command(subcommand)]
    Bench(BenchOptions),
    /// Sends malformed frames and forbidden commands.
    ///
    /// Exits 1 when one is not answered as documented, or the server's memory grows.
    InvalidInput(InvalidInputOptions),
    /// Opens slow, silent, unread and flooding connections (denial of service) beside games at a
    /// steady rate.
    ///
    /// Exits 1 when the games become slower, or a connection is not closed as documented.
    Dos(DosOptions),
    /// Offers one core twice as much as it can do: moves, spectators, logins, HTTP requests and
    /// searches.
    ///
    /// Exits 1 when moves become slow or are not accepted in time, 3 when the conditions of the
    /// measurement did not hold.
    Overload(OverloadOptions),
    /// Lets bots join the quick pairing pools and checks every pairing.
    ///
    /// Exits 1 when a pairing is wrong, or a bot waits longer than 15 s while another one waits in
    /// the same pool.
    Pairing(PairingOptions),
    /// Lets bots of the Lichess API and bots of our own protocol play rated games in one pool.
    ///
    /// Exits 1 when a move is lost or doubled, or the players, the journal, the archive, its exports and the Lichess API
    /// do not all show the same games.
    Programs(ProgramsOptions),
    /// Tries wrong passwords for names that accounts have and for others, and compares the times.
    ///
    /// Exits 1 when the time tells which names accounts have.
    SignIn(SignInOptions),
    /// Kills the server again and again while games are played, or pauses it, fills its disk or
    /// cuts its power.
    ///
    /// Exits 1 when an acknowledged move is lost or doubled, or a player loses on time because of
    /// the fault.
    Crash(CrashOptions),
    /// Breaks a cluster of three nodes, its database or its bus while games are played on all nodes.
    ///
    /// Exits 1 when an acknowledged move is lost or doubled, a player loses on time because of the
    /// fault, a socket closes on a node that stays, or a game stands for too long.
    ///
    /// Limits: a turn is charged for at most 2.5 s after its move was sent. When a node was hit, p99 of
    /// the time until the next move is at most 5 s in games whose owner was hit and whose players were
    /// connected elsewhere. Every game goes on and every command is answered within 90 s after the
    /// fault was mended. A node ends within 20 s after it was declared dead. Clients give a connection
    /// up after 7.5 s of silence.
    #[command(subcommand)]
    Cluster(ClusterOptions),
    /// Makes the page of a run again, from the file that --json wrote; with --compare, beside an older
    /// one.
    Report {
        /// The file of the run.
        run: PathBuf,
    },
}

fn main() -> ExitCode {
    let matches = Flags::command().get_matches();
    let flags = Flags::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match run(&flags, &name(&matches)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let code = if conditions::is_inconclusive(&error) { INCONCLUSIVE } else { 1 };
            #[expect(clippy::print_stderr, reason = "the error of a program belongs on stderr")]
            {
                eprintln!("zeitnot-loadtest: {error:#}");
            }
            ExitCode::from(code)
        }
    }
}

/// The subcommands, such as `bench latency`.
fn name(matches: &ArgMatches) -> String {
    let below = std::iter::successors(matches.subcommand(), |(_, matches)| matches.subcommand());
    below.map(|(name, _)| name).collect::<Vec<_>>().join(" ")
}

/// Runs the subcommand and writes the files that are wanted; whether it passed.
fn run(flags: &Flags, name: &str) -> Result<bool> {
    if let Subcommands::Report { run } = &flags.command {
        let run = json_file::load(run)?;
        flags.files.prepare(&run.name)?.write(&run, &mut io::stdout())?;
        return Ok(true);
    }
    let files = flags.files.prepare(name)?;
    let recorder = Recorder::of_program(flags.files.is_any())?;
    let result = execute(&flags.command, &recorder);
    let outcome = match &result {
        Ok(true) => Outcome::Passed,
        Ok(false) => Outcome::Failed,
        Err(error) if conditions::is_inconclusive(error) => {
            let why = format!("{error:#}");
            Outcome::Inconclusive(why.strip_prefix("inconclusive: ").unwrap_or(&why).to_owned())
        }
        Err(error) => Outcome::Stopped(format!("{error:#}")),
    };
    let command = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let written = files.write(&recorder.finish(name, command, outcome), &mut io::stdout());
    let passed = result?;
    written?;
    Ok(passed)
}

/// Runs the subcommand; whether it passed.
fn execute(command: &Subcommands, recorder: &Recorder) -> Result<bool> {
    let out = &mut LineWriter::new(Output { recorder });
    let passed = match command {
        Subcommands::Replay(options) => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let report = runtime.block_on(replay::run(options, recorder))?;
            for difference in &report.named {
                writeln!(out, "{difference}")?;
            }
            if report.unfinished > 0 {
                writeln!(out, "unfinished in the file, not compared with a result: {}", report.unfinished)?;
            }
            writeln!(out, "{report}")?;
            report.is_clean()
        }
        Subcommands::Bench(options) => bench::run(options, recorder, out)?,
        Subcommands::InvalidInput(options) => invalid_input::run(options, recorder, out)?,
        Subcommands::Dos(options) => dos::run(options, recorder, out)?,
        Subcommands::Overload(options) => overload::run(options, recorder, out)?,
        Subcommands::Pairing(options) => pairing::run(options, recorder, out)?,
        Subcommands::Programs(options) => programs::run(options, recorder, out)?,
        Subcommands::SignIn(options) => sign_in_timing::run(options, recorder, out)?,
        Subcommands::Crash(options) => crash::run(options, recorder, out)?,
        Subcommands::Cluster(options) => cluster::run(options, recorder, out)?,
        Subcommands::Report { .. } => unreachable!("it runs nothing"),
    };
    out.flush()?;
    Ok(passed)
}

/// Standard output, beside the bar on the terminal; what is written there is recorded too.
struct Output<'r> {
    recorder: &'r Recorder,
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.recorder.printed(&String::from_utf8_lossy(bytes));
        self.recorder.progress().aside(|| io::stdout().write_all(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}
