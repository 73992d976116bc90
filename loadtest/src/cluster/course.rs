//! The course of a run: play, break something, wait until all games go on, check; again and again.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::signal::unix::{SignalKind, signal};
use zeitnot_protocol::GameId;

use super::harness::{Harness, NODES};
use super::plan::{Kind, Plan};
use super::totals::{Batch, FaultRecord};
use super::{Options, audit};
use crate::crash::finding;
use crate::crash::history_checker::HistoryChecker;
use crate::crash::pauses::{Hit, Probe};
use crate::crash::places::{Patience, Places};
use crate::crash::player::Player;
use crate::crash::spectator::Spectator;
use crate::crash::world::{Play, Table, World};
use crate::report::{MarkKind, Recorder};
use crate::rng::Rng;
use crate::stopwatch::Stopwatch;

/// Clients give a connection up as the Rust client does (`zeitnot-client`), and try another node soon.
const PATIENCE: Patience = Patience {
    silence: Duration::from_millis(7_500),
    connecting: Duration::from_secs(3),
    again_after: Duration::from_millis(250),
};

/// For how long a turn may be charged after its move was sent, in µs: until a player whose node was
/// lost has joined another and sent the move again, on a busy machine.
const AFTER_SENT: u64 = 2_500_000;

/// How long all clients may take to connect and begin their games.
const BEGUN_WITHIN: Duration = Duration::from_secs(90);

/// How long everything may take to go on after a fault was mended.
const BACK_WITHIN: Duration = Duration::from_secs(90);

/// How long is played before a fault, in ms.
const RUNS_MS: (u64, u64) = (1_000, 3_000);

/// So many of the games are probed of the node that is replaced, at most: all together move about a thousand times a
/// second, so that what is measured is no load.
const PROBED_MAX: usize = 50;
/// For how long a player thinks whose game is probed, in µs: at least, and for each game that is.
const PROBED_US: u64 = 15_000;
const PROBE_COSTS_US: u64 = 1_000;

/// Each spectator watches about so many games.
const PER_SPECTATOR: usize = 2;

/// The run ends after so many findings.
const ENOUGH: usize = 500;

/// Runs the faults. What came of them, and how late this program was.
pub(super) async fn run(
    kind: Kind,
    options: &Options,
    (binary, home): (&Path, &Path),
    begun: Batch,
    recorder: &Recorder,
    save: impl FnMut(&Batch) -> Result<()>,
) -> Result<(Batch, f64)> {
    let rng = Rng::new(begun.seed);
    let programs = (binary.to_owned(), options.programs.nats.as_deref());
    let mut harness = Harness::start(kind, programs, home, recorder).await?;
    let places = Places::new(harness.endpoints(), PATIENCE, rng.branch(1 << 43));
    let tables = options.players as usize / 2;
    let table = |number| Table::meeting_at(number % NODES);
    let checker = HistoryChecker::new(0).of_cluster(AFTER_SENT);
    let play = Play { rated: false, rate: options.rate };
    let moves = recorder.latencies("moves");
    let world = World::new(places, checker, (0..tables).map(table).collect(), play, &rng, moves)?;
    let players =
        (0..2 * tables).map(|index| Player::new(index / 2, index % 2, rng.branch(index as u64)).play(&world));
    let of = tables.div_ceil(PER_SPECTATOR).max(1);
    let spectators = (0..options.spectators as usize).map(|number| Spectator::new(number, of).watch(&world));
    let mut players: FuturesUnordered<_> = players.collect();
    let mut spectators: FuturesUnordered<_> = spectators.collect();
    recorder.progress().plan(options.faults, "faults", kind.takes());
    let mut course = Course { kind, options, world: &world, recorder, batch: begun, noted: [0; 3], save };
    let mut terminated = signal(SignalKind::terminate())?;
    let end = tokio::select! {
        biased;
        () = world.watch_lateness() => unreachable!("it never ends"),
        Some(end) = players.next() => Err(failure(end)),
        Some(end) = spectators.next() => Err(failure(end)),
        done = course.go(&mut harness, rng.branch(1 << 42)) => done,
        _ = tokio::signal::ctrl_c() => Err(anyhow::anyhow!("interrupted")),
        _ = terminated.recv() => Err(anyhow::anyhow!("terminated")),
    };
    if let Err(error) = end {
        harness.wrong.complaints.push(format!("{error:#}"));
    }
    course.note(&harness)?;
    let batch = course.batch;
    if !batch.findings.is_empty() {
        harness.database.keep(home)?;
    }
    world.take_times().into_iter().for_each(|times| recorder.add_under("through all faults", times));
    Ok((batch, world.lateness_ms()))
}

fn failure(end: Result<Infallible>) -> anyhow::Error {
    end.expect_err("clients never stop")
}

/// A run, and what it has come to.
struct Course<'c, S> {
    kind: Kind,
    options: &'c Options,
    world: &'c World,
    recorder: &'c Recorder,
    batch: Batch,
    /// How many findings of each list are in the batch.
    noted: [usize; 3],
    save: S,
}

impl<S: FnMut(&Batch) -> Result<()>> Course<'_, S> {
    async fn go(&mut self, harness: &mut Harness<'_>, mut rng: Rng) -> Result<()> {
        self.world.runs(Stopwatch::start());
        harness.start_nodes(self.world).await?;
        self.begin().await?;
        for number in 0..self.options.faults {
            tokio::time::sleep(rng.millis(RUNS_MS.0, RUNS_MS.1)).await;
            let plan = Plan::draw(self.kind, number, NODES, &mut rng);
            let fault = self.fault(harness, plan, &mut rng).await;
            self.note(harness)?;
            fault.with_context(|| plan.act.to_string())?;
            self.recorder.progress().step();
            if self.batch.findings.len() >= ENOUGH {
                bail!("there are enough findings");
            }
        }
        self.world.breaks();
        tokio::time::sleep(Duration::from_secs(1)).await;
        self.audit(&mut rng, true).await.context("the last audit")?;
        audit::archive(self.world).await.context("the archive")
    }

    /// Reads games from each node, and notes which nodes were behind after the last fault.
    async fn audit(&mut self, rng: &mut Rng, all: bool) -> Result<()> {
        let behind = audit::on_each_node(self.world, rng, all).await?;
        if let Some(fault) = self.batch.faults.last_mut() {
            fault.behind_ms.extend(behind);
        }
        Ok(())
    }

    fn clients(&self) -> usize {
        self.options.players as usize / 2 * 2 + self.options.spectators as usize
    }

    /// Waits until all clients are connected and all games have begun.
    async fn begin(&self) -> Result<()> {
        let waiting = Stopwatch::start();
        let tables = self.options.players as usize / 2;
        let (connected, live) = (|| self.world.places.connected(), || self.world.live());
        while connected() < self.clients() || live() < tables {
            ensure!(
                waiting.elapsed() < BEGUN_WITHIN,
                "{} of {} clients have connected, {} of {tables} games have begun",
                connected(),
                self.clients(),
                live()
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// One fault, with all that follows.
    async fn fault(&mut self, harness: &mut Harness<'_>, plan: Plan, rng: &mut Rng) -> Result<()> {
        let world = self.world;
        let owners = harness.owners().await?;
        if self.kind == Kind::Deploy {
            self.probe(&self.games(&owners, plan)).await;
        } else {
            world.hurry(true);
            tokio::time::sleep(plan.hurried).await;
        }
        let games = self.games(&owners, plan);
        let mark = self.recorder.begin(MarkKind::Fault, &plan.act.to_string());
        harness.expect(world, plan.act);
        world.pauses.borrow_mut().begin(world.now(), games);
        world.breaks();
        world.hurry(false);
        harness.act(world, plan.act).await?;
        let recovered = harness.recover(world, BACK_WITHIN, || self.is_back()).await;
        let ago = Duration::from_micros(world.now() - world.pauses.borrow().last());
        self.recorder.end_ago(mark, ago);
        world.pauses.borrow_mut().probe(Probe::default());
        self.batch.faults.push(self.record(plan, harness.mended));
        recovered?;
        self.audit(rng, false).await?;
        let aside = harness.database.set_aside().await?;
        harness.wrong.complaints.extend(aside.into_iter().map(|game| format!("set aside: {game}")));
        harness.repair(plan.act).await?;
        (0..NODES).for_each(|place| world.places.set_hit(place, false));
        Ok(())
    }

    /// Probes some of the games whose owner will be hit, and ends when all of them are played so.
    async fn probe(&self, games: &BTreeMap<GameId, Hit>) {
        let hit: Vec<_> = games.iter().filter(|(_, hit)| hit.is_of_owner()).map(|(game, _)| *game).collect();
        let every = hit.len().div_ceil(PROBED_MAX).max(1);
        let games: BTreeSet<_> = hit.into_iter().step_by(every).collect();
        let thinks = PROBED_US.max(games.len() as u64 * PROBE_COSTS_US);
        self.world.pauses.borrow_mut().probe(Probe { games, thinks });
        tokio::time::sleep(Duration::from_micros(2 * self.world.pace)).await;
    }

    /// The games that are played, and how the fault hits them.
    fn games(&self, owners: &BTreeMap<GameId, usize>, plan: Plan) -> BTreeMap<GameId, Hit> {
        let (tables, checker) = (self.world.tables.borrow(), self.world.checker.borrow());
        let played = tables.iter().filter_map(|table| Some((table.game?, table.at)));
        played
            .filter(|(game, _)| !checker.is_over(*game))
            .filter_map(|(game, at)| Some((game, Harness::hit(plan.act, *owners.get(&game)?, at))))
            .collect()
    }

    /// Whether all clients and games are there again; else what is not.
    fn is_back(&self) -> Result<(), String> {
        let world = self.world;
        let mut pauses = world.pauses.borrow_mut();
        pauses.forget(|game| world.checker.borrow().is_over(game));
        let (stand, connected) = (pauses.left(), world.places.connected());
        let unanswered = world.unanswered();
        if stand.is_empty() && connected == self.clients() && unanswered == 0 {
            return Ok(());
        }
        let stand: Vec<_> = stand.iter().map(|(game, hit)| format!("{game} ({})", hit.name())).collect();
        Err(format!(
            "{connected} of {} clients are connected, {unanswered} commands are unanswered, {} games stand: {}",
            self.clients(),
            stand.len(),
            stand.join(", ")
        ))
    }

    fn record(&self, plan: Plan, mended: u64) -> FaultRecord {
        let pauses = self.world.pauses.borrow();
        let mended_ms = mended.saturating_sub(pauses.since()) as f64 / 1e3;
        let mut pauses_ms: BTreeMap<Hit, Vec<f64>> = BTreeMap::new();
        let stood: Vec<(Hit, u64)> =
            if self.kind == Kind::Deploy { pauses.longest().collect() } else { pauses.took().to_vec() };
        for (hit, micros) in stood {
            pauses_ms.entry(hit).or_default().push(micros as f64 / 1e3);
        }
        FaultRecord { what: plan.act.to_string(), mended_ms, pauses_ms, behind_ms: Vec::new() }
    }

    /// Notes what has come of the run so far, and saves it.
    fn note(&mut self, harness: &Harness<'_>) -> Result<()> {
        let (world, wrong) = (self.world, &harness.wrong);
        let (findings, closed) = (world.findings(), world.places.closed());
        let count = |kind| findings.iter().filter(|finding| finding.kind == kind).count() as u64;
        let words = [
            findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            closed.iter().map(|why| format!("closed: {why}")).collect(),
            wrong.complaints.clone(),
        ];
        let batch = &mut self.batch;
        batch.moves = world.checker.borrow().moves();
        batch.excused = world.checker.borrow().excused() + world.places.excused();
        batch.sent_again = world.sent_again.get();
        batch.lost = count(finding::Kind::Lost);
        batch.doubled = count(finding::Kind::Doubled);
        batch.flagged = count(finding::Kind::Flagged);
        batch.closed = closed.len() as u64;
        batch.dead = wrong.dead;
        batch.complaints = wrong.complaints.len() as u64;
        for (words, noted) in words.iter().zip(&mut self.noted) {
            let fault = batch.faults.len();
            batch.findings.extend(words[*noted..].iter().map(|words| format!("fault {fault}: {words}")));
            *noted = words.len();
        }
        (self.save)(batch)
    }
}
