//! The course of a crash test: play, break the server, restart it, check; again and again.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use futures_util::StreamExt;
use futures_util::future::select_all;
use futures_util::stream::FuturesUnordered;

use super::audit::audit;
use super::harness::Harness;
use super::history_checker::HistoryChecker;
use super::places::{Patience, Places};
use super::player::Player;
use super::spectator::Spectator;
use super::world::{Play, Table, World};
use super::{CrashOptions, Fault, Report};
use crate::endpoint::Endpoint;
use crate::report::Recorder;
use crate::rng::Rng;
use crate::stopwatch::Stopwatch;

/// How long the server runs before it is broken, in ms: at least and at most.
const RUNS_MS: (u64, u64) = (300, 2_000);

/// How long all clients may take to connect.
const BACK_WITHIN: Duration = Duration::from_secs(60);

/// How long they may take to register, besides.
const REGISTERED_WITHIN: Duration = Duration::from_secs(600);

/// How long commands that were sent again may stay unanswered.
const ANSWERED_WITHIN: Duration = Duration::from_secs(15);

/// About how long one fault takes with all that follows, in seconds.
const FAULT_TAKES: f64 = 4.0;

/// How many games a spectator watches: far fewer than a connection may.
const PER_SPECTATOR: usize = 25;

/// The run ends after so many findings.
const ENOUGH: usize = 50;

/// What a pause may cost a player, in ms: one step of the service clock, and the time until the
/// process stops.
const PAUSE_COSTS_MS: u64 = 150;

/// One in so many games is played in time trouble when pauses are tested.
const HURRIED: usize = 4;

/// Runs the cycles with the data folder in `home`.
pub(super) async fn run(
    options: &CrashOptions,
    binary: PathBuf,
    home: &std::path::Path,
    seed: u64,
    recorder: &Recorder,
) -> Result<Report> {
    let (fault, rng) = (options.kind.fault(), Rng::new(seed));
    let mut harness = Harness::new(binary, options, home, rng.branch(1 << 41), recorder)?;
    let endpoint = Endpoint::loopback(harness.port(), "/ws");
    let is_hurried = |table: usize| fault == Fault::Pause && table.is_multiple_of(HURRIED);
    let tables = (0..options.games).map(|table| Table { is_hurried: is_hurried(table), ..Table::default() });
    let checker = HistoryChecker::new(if fault == Fault::Pause { PAUSE_COSTS_MS } else { 0 });
    let places = Places::new(vec![endpoint], Patience::ONE_SERVER, rng.branch(1 << 43));
    // Whatever ends a connection here is a fault.
    places.set_hit(0, true);
    let play = Play { rated: options.rated, rate: options.rate };
    let world = World::new(places, checker, tables.collect(), play, &rng, recorder.latencies("moves"))?;
    let players = (0..2 * options.games)
        .map(|index| Player::new(index / 2, index % 2, rng.branch(index as u64)).play(&world));
    let mut players: FuturesUnordered<_> = players.collect();
    let watching = options.games.div_ceil(PER_SPECTATOR).max(2);
    let spectators =
        select_all((0..watching).map(|number| Box::pin(Spectator::new(number, watching).watch(&world))));
    let all_clients = 2 * options.games + watching;
    recorder.progress().plan(options.cycles, "faults", FAULT_TAKES);
    let failure = tokio::select! {
        biased;
        () = world.watch_lateness() => unreachable!("it never ends"),
        Some(end) = players.next() => Some(end.expect_err("players never stop")),
        (end, ..) = spectators => Some(end.expect_err("spectators never stop")),
        done = cycles(options, &world, &mut harness, all_clients, recorder, rng.branch(1 << 42)) => done.map(|()| None)?,
    };
    world.take_times().into_iter().for_each(|times| recorder.add_under("through all faults", times));
    harness.complaints.extend(failure.map(|why| format!("{why:#}")));
    let mut notes = vec![format!("commands sent again: {}", world.sent_again.get())];
    notes.extend(harness.notes());
    Ok(Report {
        notes,
        cycles: world.cycles.get(),
        moves: world.checker.borrow().moves(),
        findings: world.findings(),
        complaints: harness.complaints,
        excused: world.checker.borrow().excused(),
        to_move: world.to_move(),
    })
}

async fn cycles(
    options: &CrashOptions,
    world: &World,
    harness: &mut Harness<'_>,
    all_clients: usize,
    recorder: &Recorder,
    mut rng: Rng,
) -> Result<()> {
    harness.start(world)?;
    let within = if options.rated { REGISTERED_WITHIN } else { BACK_WITHIN };
    wait_for(world, harness, "all players to start their games", within, |world| {
        // Short games end while others begin.
        world.places.connected() == all_clients && (options.rated || world.live() == options.games)
    })
    .await?;
    for cycle in 1..=options.cycles {
        tokio::time::sleep(rng.millis(RUNS_MS.0, RUNS_MS.1)).await;
        harness.fault(world).await?;
        wait_for(world, harness, "all clients to reconnect", BACK_WITHIN, |world| {
            world.places.connected() == all_clients && !world.waits_for_move()
        })
        .await?;
        harness.is_back(world);
        let answered =
            wait_for(world, harness, "answers", ANSWERED_WITHIN, |world| world.unanswered() == 0).await;
        if let Err(error) = answered {
            harness.complaints.push(format!(
                "cycle {cycle}: {} commands that were sent again are unanswered: {error:#}",
                world.unanswered()
            ));
        }
        audit(world, &mut rng, cycle == options.cycles).await?;
        world.cycles.set(cycle);
        recorder.progress().step();
        if world.checker.borrow().findings().len() + harness.complaints.len() >= ENOUGH {
            break;
        }
    }
    Ok(())
}

async fn wait_for(
    world: &World,
    harness: &mut Harness<'_>,
    what: &str,
    limit: Duration,
    holds: impl Fn(&World) -> bool,
) -> Result<()> {
    let waiting = Stopwatch::start();
    while !holds(world) {
        harness.check_alive()?;
        ensure!(
            waiting.elapsed() < limit,
            "waited {} s for {what}: {} clients are connected, {} games are live, {} commands are unanswered",
            limit.as_secs(),
            world.places.connected(),
            world.live(),
            world.unanswered()
        );
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    Ok(())
}
