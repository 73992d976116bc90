//! P15: an archive of many finished games: how soon a page of a search is there, on a server with
//! nothing else to do and beside moves; how soon the server is ready; what a game takes on disk;
//! and what a copy of the folder does to moves.
//!
//! The games are made and imported once. `--data` keeps the folder, and a later run with the same
//! folder measures without making them again.

mod games;
mod searches;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::Args;
use hdrhistogram::Histogram;

use self::searches::Found;
use super::open_loop::Players;
use super::{durable, openings};
use crate::conditions::{Conditions, Watch};
use crate::process::Process;
use crate::report::{Series, Table, Target, figure};
use crate::rng::Rng;
use crate::server_process::zeitnot_binary;
use crate::stopwatch::Stopwatch;

const ALONE: Target = Target { name: "P15 search p99", must: 50.0, aim: 10.0, unit: " ms" };
const BESIDE: Target = Target { name: "P15 search p99 beside moves", must: 200.0, aim: 50.0, unit: " ms" };
const START: Target = Target { name: "P15 start", must: 0.2, aim: 0.1, unit: " s" };
const BYTES: Target = Target { name: "P15 game on disk, with its indexes", must: 3.6, aim: 2.0, unit: " KB" };

/// Games that are made and imported at a time.
const BATCH: usize = 50_000;

/// Half-moves of the games beside which is searched; then they are resigned and others begin.
const PLIES: usize = 200;

/// How many games, how many searches, beside how many moves.
#[derive(Clone, Debug, Args)]
pub struct ArchiveOptions {
    /// Number of finished games.
    #[arg(long, default_value_t = 1_000_000)]
    pub games: usize,
    /// Searches per second.
    #[arg(long, default_value_t = 10)]
    pub searches: u32,
    /// Moves per second beside them, over 200 games.
    #[arg(long, default_value_t = 200)]
    pub rate: u32,
    /// How long is searched in each round, alone and beside moves, in seconds.
    #[arg(long, default_value_t = 20.0)]
    pub seconds: f64,
    /// Number of rounds, each with a start of the server.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// A folder to keep the games in, for other runs; by default a temporary one.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// What the games, players and searches are drawn with.
    #[arg(long, default_value_t = 15)]
    pub seed: u64,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// What was measured, in ms but for the starts, which are in seconds.
#[derive(Debug)]
struct Measured {
    alone: Found,
    beside: Found,
    starts: Series,
    empty_starts: Series,
    moves_alone: Series,
    moves_beside_searches: Series,
    moves_beside_copy: Series,
    copy_seconds: Series,
    conditions: Conditions,
}

/// Measures; whether the required targets hold.
pub(crate) fn run(options: &ArchiveOptions, out: &mut dyn Write) -> Result<bool> {
    ensure!(options.games > 0, "--games: at least one");
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    let openings = openings::read(None)?;
    let home = durable::folder(None)?;
    let data = options.data.clone().unwrap_or_else(|| home.path().join("data"));
    let is_new = !data.join("zeitnot.db").exists();
    if is_new {
        fill(options, &binary, &data, home.path(), &openings, out)?;
    }
    let bytes = durable::folder_bytes(&data)? / options.games as f64 / 1e3;
    let mut measured = Measured::new()?;
    for round in 1..=options.rounds {
        measure(options, &binary, &data, home.path(), &openings, round, &mut measured)
            .with_context(|| format!("round {round}"))?;
    }
    report(&measured, bytes, out)
}

/// Makes the games and imports them.
fn fill(
    options: &ArchiveOptions,
    binary: &Path,
    data: &Path,
    home: &Path,
    openings: &[Vec<String>],
    out: &mut dyn Write,
) -> Result<()> {
    let (time, mut rng, pgn) = (Stopwatch::start(), Rng::new(options.seed), home.join("games.pgn"));
    for first in (0..options.games).step_by(BATCH) {
        let count = BATCH.min(options.games - first);
        let mut file = BufWriter::new(File::create(&pgn).context("cannot write the games")?);
        games::write(count, openings, &mut rng, &mut file)?;
        file.flush().context("cannot write the games")?;
        let mut import = Command::new(binary);
        import.args(["import", "--data"]).arg(data).arg(&pgn).stdout(Stdio::null());
        ensure!(import.status().context("cannot import")?.success(), "the import of {count} games failed");
    }
    writeln!(out, "{} games imported in {} s", options.games, figure(time.seconds()))?;
    Ok(())
}

/// One start of the server: searches alone, moves alone, both, and a copy beside moves.
fn measure(
    options: &ArchiveOptions,
    binary: &Path,
    data: &Path,
    home: &Path,
    openings: &[Vec<String>],
    round: u32,
    measured: &mut Measured,
) -> Result<()> {
    let empty = home.join(format!("empty-{round}"));
    let time = Stopwatch::start();
    durable::start(binary, &empty, None)?.0.kill()?;
    measured.empty_starts.push(time.seconds());
    let time = Stopwatch::start();
    let (server, _) = durable::start(binary, data, None)?;
    measured.starts.push(time.seconds());
    let process = Process::new(server.pid());
    let mut rng = Rng::new(options.seed).branch(u64::from(round));
    let endpoint = server.endpoint();
    let watch = Watch::start(Some(process))?;
    let mut search = |seconds, found: &mut Found| {
        searches::search(endpoint, options.searches, seconds, openings, &mut rng, found)
    };
    search(options.seconds, &mut measured.alone)?;
    let mut players = Players::begin(endpoint, 200, PLIES)?;
    let alone = players.play(options.rate, options.seconds)?;
    let beside = thread::scope(|scope| {
        let searching = scope.spawn(|| search(options.seconds, &mut measured.beside));
        let played = players.play(options.rate, options.seconds);
        searching.join().map_err(|_| anyhow!("the thread that searches panicked"))??;
        played
    })?;
    let (copied, seconds) = beside_copy(options, binary, data, home, &mut players)?;
    measured.conditions.add_others(watch.others_percent(process)?);
    measured.conditions.add_lateness(ms(&beside.late, 0.99));
    measured.moves_alone.push(ms(&alone.times, 0.99));
    measured.moves_beside_searches.push(ms(&beside.times, 0.99));
    measured.moves_beside_copy.push(ms(&copied, 0.99));
    measured.copy_seconds.push(seconds);
    drop(players);
    server.kill()
}

/// Moves while `zeitnot backup` copies the folder, and how many seconds that took.
fn beside_copy(
    options: &ArchiveOptions,
    binary: &Path,
    data: &Path,
    home: &Path,
    players: &mut Players,
) -> Result<(Histogram<u64>, f64)> {
    let file = home.join("copy.db");
    let mut copy = Command::new(binary);
    copy.args(["backup", "--data"]).arg(data).arg(&file).stdout(Stdio::null());
    let mut copy = copy.spawn().context("cannot copy")?;
    let (time, mut times) = (Stopwatch::start(), crate::schedule::times()?);
    let status = loop {
        let played = players.play(options.rate, 1.0)?;
        times.add(&played.times).context("the histograms have the same bounds")?;
        if let Some(status) = copy.try_wait().context("cannot wait for the copy")? {
            break status;
        }
    };
    ensure!(status.success(), "the copy failed: {status}");
    fs::remove_file(&file).context("cannot remove the copy")?;
    Ok((times, time.seconds()))
}

fn report(measured: &Measured, kilobytes: f64, out: &mut dyn Write) -> Result<bool> {
    let mut table = Table::new(&["search", "alone: p50 ms", "p99", "beside moves: p50 ms", "p99"]);
    for ((kind, alone), (_, beside)) in measured.alone.kinds().zip(measured.beside.kinds()) {
        let cells = [(alone, 0.5), (alone, 0.99), (beside, 0.5), (beside, 0.99)];
        let cells = cells.map(|(times, quantile)| figure(ms(times, quantile)));
        table.row([kind.to_owned()].into_iter().chain(cells).collect());
    }
    write!(out, "{table}")?;
    let Measured { starts, empty_starts, moves_alone, moves_beside_searches, moves_beside_copy, .. } =
        measured;
    writeln!(out, "start {starts} s, of an empty folder {empty_starts} s")?;
    writeln!(
        out,
        "p99 of moves: {moves_alone} ms alone, {moves_beside_searches} ms beside searches, {moves_beside_copy} ms beside \
         a copy of {} s",
        measured.copy_seconds
    )?;
    let judged = [
        (ALONE, ms(&measured.alone.all()?, 0.99)),
        (BESIDE, ms(&measured.beside.all()?, 0.99)),
        (START, starts.median()),
        (BYTES, kilobytes),
    ];
    for (target, value) in &judged {
        writeln!(out, "{}", target.judge(*value))?;
    }
    measured.conditions.conclude(judged.iter().all(|(target, value)| target.holds(*value)))
}

impl Measured {
    fn new() -> Result<Self> {
        Ok(Self {
            alone: Found::new()?,
            beside: Found::new()?,
            starts: Series::default(),
            empty_starts: Series::default(),
            moves_alone: Series::default(),
            moves_beside_searches: Series::default(),
            moves_beside_copy: Series::default(),
            copy_seconds: Series::default(),
            conditions: Conditions::default(),
        })
    }
}

fn ms(times: &Histogram<u64>, quantile: f64) -> f64 {
    times.value_at_quantile(quantile) as f64 / 1e3
}
