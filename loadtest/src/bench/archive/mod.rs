//! P15: an archive of many finished games: how soon a page of a search is there, on a server with
//! nothing else to do and beside moves; how soon the server is ready; what a game takes on disk;
//! and what a copy of the folder does to moves.
//!
//! The games are made and imported once. `--data` keeps the folder, and a later run with the same
//! folder measures without making them again.

mod games;
mod measured;
mod searches;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::Args;
use hdrhistogram::Histogram;

use self::measured::{Measured, ms};
use self::searches::Found;
use super::open_loop::Players;
use super::{durable, openings};
use crate::conditions::Watch;
use crate::process::Process;
use crate::report::{Recorder, figure};
use crate::rng::Rng;
use crate::server_process::zeitnot_binary;
use crate::stopwatch::Stopwatch;

/// Games that are made and imported at a time.
const BATCH: usize = 50_000;

/// Half-moves of the games beside which is searched; then they are resigned and others begin.
const PLIES: usize = 200;

/// About how long an import and a copy take, in seconds.
const IMPORT_TAKES: f64 = 20.0;
const COPY_TAKES: f64 = 10.0;

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

/// What every round uses.
#[derive(Clone, Copy)]
struct Setting<'b> {
    options: &'b ArchiveOptions,
    binary: &'b Path,
    data: &'b Path,
    /// A folder for what is not kept.
    home: &'b Path,
    openings: &'b [Vec<String>],
    recorder: &'b Recorder,
}

/// Measures; whether the required targets hold.
pub(crate) fn run(options: &ArchiveOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    ensure!(options.games > 0, "--games: at least one");
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    recorder.server_binary(&binary);
    let openings = openings::read(None)?;
    let home = durable::folder(None)?;
    let data = options.data.clone().unwrap_or_else(|| home.path().join("data"));
    let (home, openings) = (home.path(), &openings);
    let setting = Setting { options, binary: &binary, data: &data, home, openings, recorder };
    let is_new = !data.join("zeitnot.db").exists();
    recorder.disk(options.data.as_deref().filter(|folder| folder.exists()).unwrap_or(home))?;
    if is_new {
        recorder.progress().plan(options.games.div_ceil(BATCH) as u64, "imports", IMPORT_TAKES);
        recorder.phase("import", || fill(setting, out))?;
    }
    recorder.progress().plan(options.rounds.into(), "rounds", 3.0 * options.seconds + COPY_TAKES);
    let bytes = durable::folder_bytes(&data)? / options.games as f64 / 1e3;
    let mut measured = Measured::new()?;
    for round in 1..=options.rounds {
        measure(setting, round, &mut measured).with_context(|| format!("round {round}"))?;
        recorder.progress().step();
    }
    measured.report(bytes, recorder, out)
}

/// Makes the games and imports them.
fn fill(setting: Setting<'_>, out: &mut dyn Write) -> Result<()> {
    let Setting { options, binary, data, home, openings, recorder } = setting;
    let (time, mut rng, pgn) = (Stopwatch::start(), Rng::new(options.seed), home.join("games.pgn"));
    for first in (0..options.games).step_by(BATCH) {
        let count = BATCH.min(options.games - first);
        let mut file = BufWriter::new(File::create(&pgn).context("cannot write the games")?);
        games::write(count, openings, &mut rng, &mut file)?;
        file.flush().context("cannot write the games")?;
        let mut import = Command::new(binary);
        import.args(["import", "--data"]).arg(data).arg(&pgn).stdout(Stdio::null());
        ensure!(import.status().context("cannot import")?.success(), "the import of {count} games failed");
        recorder.progress().step();
    }
    writeln!(out, "{} games imported in {} s", options.games, figure(time.seconds()))?;
    Ok(())
}

/// One start of the server: searches alone, moves alone, both, and a copy beside moves.
fn measure(setting: Setting<'_>, round: u32, measured: &mut Measured) -> Result<()> {
    let Setting { options, binary, data, home, openings, recorder } = setting;
    let empty = home.join(format!("empty-{round}"));
    let time = Stopwatch::start();
    durable::start(binary, &empty, None)?.0.kill()?;
    measured.empty_starts.push(time.seconds());
    let time = Stopwatch::start();
    let (server, _) = durable::start(binary, data, None)?;
    measured.starts.push(time.seconds());
    recorder.watch("zeitnot", &server);
    let process = Process::new(server.pid());
    let mut rng = Rng::new(options.seed).branch(u64::from(round));
    let endpoint = server.endpoint();
    let watch = Watch::start(Some(process))?;
    let mut search = |seconds, found: &mut Found| {
        let mut over_time = recorder.latencies("searches");
        searches::search(endpoint, options.searches, seconds, openings, &mut rng, found, &mut over_time)?;
        recorder.add(over_time);
        anyhow::Ok(())
    };
    recorder.phase("searches", || search(options.seconds, &mut measured.alone))?;
    let mut players = Players::begin(endpoint, 200, PLIES)?;
    let mut play = |condition| players.play(options.rate, options.seconds, recorder, condition);
    let alone = recorder.phase("moves", || play("alone"))?;
    let both = || {
        thread::scope(|scope| {
            let searching = scope.spawn(|| search(options.seconds, &mut measured.beside));
            let played = play("beside searches");
            searching.join().map_err(|_| anyhow!("the thread that searches panicked"))??;
            played
        })
    };
    let beside = recorder.phase("both", both)?;
    let copy = || beside_copy(setting, &mut players);
    let (copied, seconds) = recorder.phase("copy", copy)?;
    measured.conditions.add_others(watch.others_percent(process)?);
    measured.conditions.add_lateness(ms(&beside.late, 0.99));
    measured.moves_alone.push(ms(&alone.times, 0.99));
    measured.moves_beside_searches.push(ms(&beside.times, 0.99));
    measured.moves_beside_copy.push(ms(&copied, 0.99));
    measured.copy_seconds.push(seconds);
    // The next start is that of an archive, not of the games that were played beside it.
    players.end()?;
    server.kill()
}

/// Moves while `zeitnot backup` copies the folder, and how many seconds that took.
fn beside_copy(setting: Setting<'_>, players: &mut Players) -> Result<(Histogram<u64>, f64)> {
    let Setting { options, binary, data, home, recorder, .. } = setting;
    let file = home.join("copy.db");
    let mut copy = Command::new(binary);
    copy.args(["backup", "--data"]).arg(data).arg(&file).stdout(Stdio::null());
    let mut copy = copy.spawn().context("cannot copy")?;
    let (time, mut times) = (Stopwatch::start(), crate::schedule::times()?);
    let status = loop {
        let played = players.play(options.rate, 1.0, recorder, "beside a copy")?;
        times.add(&played.times).context("the histograms have the same bounds")?;
        if let Some(status) = copy.try_wait().context("cannot wait for the copy")? {
            break status;
        }
    };
    ensure!(status.success(), "the copy failed: {status}");
    fs::remove_file(&file).context("cannot remove the copy")?;
    Ok((times, time.seconds()))
}
