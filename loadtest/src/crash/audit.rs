//! After a fault, reads every game from its first event on and compares it with all that any client
//! was ever told.
//!
//! A node of a cluster may be behind for a moment: its link with the owner of a game opens later than others. It is
//! read again until it has caught up, and that it was behind is no finding unless it stays so.

use std::cell::RefCell;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::{StreamExt, TryStreamExt, stream};
use zeitnot_protocol::{ClientMessage, Code, GameId, GameRef, Hello, ServerMessage, Watch};

use super::game_history;
use super::history_checker::{Cursor, HistoryChecker};
use super::world::World;
use crate::client::Client;
use crate::rng::Rng;
use crate::stopwatch::Stopwatch;

/// How many connections read games at the same time.
const CONNECTIONS: usize = 4;

/// So many of 100 games that have ended are read after each fault; all of them are read at the end.
const ENDED_IN_100: u64 = 20;

/// How often it tries to connect where it must read, and how long it waits in between.
const ATTEMPTS: usize = 40;
const AGAIN_AFTER: Duration = Duration::from_millis(500);

/// How long a node of a cluster may be behind from when it is read first, and how often it is read.
const BEHIND_MAX: Duration = Duration::from_secs(15);
const READ_EVERY: Duration = Duration::from_millis(100);

/// Reads the current games, and a random sample of those that have ended, or `all` of them.
pub(super) async fn audit(world: &World, rng: &mut Rng, all: bool) -> Result<()> {
    read_at(world, &choose(world, rng, all), None).await?;
    Ok(())
}

/// The current games, and a random sample of those that have ended, or `all` of them.
pub(crate) fn choose(world: &World, rng: &mut Rng, all: bool) -> Vec<GameId> {
    let checker = world.checker.borrow();
    let games = checker.games().filter(|(_, is_over)| !is_over || all || rng.in_100(ENDED_IN_100));
    games.map(|(game, _)| game).collect()
}

/// Reads these games, at this place or at any. How long it took until this place had caught up with each game that it
/// was behind with, in ms.
pub(crate) async fn read_at(world: &World, games: &[GameId], place: Option<usize>) -> Result<Vec<f64>> {
    let first = 2 * world.tables.borrow().len() + 1_000;
    let share = games.len().div_ceil(CONNECTIONS).max(1);
    stream::iter(games.chunks(share).enumerate())
        .map(|(number, games)| read(world, first + number, games, place))
        .buffer_unordered(CONNECTIONS)
        .try_concat()
        .await
}

/// A connection to this place, which others may have found slow a moment ago, or to any.
async fn connect(world: &World, index: usize, place: Option<usize>) -> Result<Client> {
    for _ in 0..ATTEMPTS {
        let (there, client) = world.places.connect(index, || place, Hello::default).await?;
        if place.is_none_or(|place| place == there) {
            return Ok(client);
        }
        client.close().await?;
        tokio::time::sleep(AGAIN_AFTER).await;
    }
    bail!("it cannot connect where it must read")
}

async fn read(world: &World, index: usize, games: &[GameId], place: Option<usize>) -> Result<Vec<f64>> {
    let mut client = connect(world, index, place).await.context("the audit")?;
    let patience = place.map_or(Duration::ZERO, |_| BEHIND_MAX);
    let mut behind = Vec::new();
    for game in games {
        let caught_up = until_caught_up(world, &mut client, *game, patience).await;
        let caught_up = caught_up.with_context(|| format!("the audit of game {game}"))?;
        behind.extend(caught_up.map(|after| after.as_secs_f64() * 1e3));
    }
    client.close().await?;
    Ok(behind)
}

/// Reads one game until it has all that was told before the fault, for so long at most. How long that took if it was
/// behind.
async fn until_caught_up(
    world: &World,
    client: &mut Client,
    game: GameId,
    patience: Duration,
) -> Result<Option<Duration>> {
    let (began, now) = (Stopwatch::start(), || (world.service(), world.was_late()));
    let mut last = whole(&world.checker, client, game, now).await?;
    let is_behind = |last| world.checker.borrow().is_behind(game, last);
    let was_behind = is_behind(last);
    while is_behind(last) && began.elapsed() < patience {
        tokio::time::sleep(READ_EVERY).await;
        last = whole(&world.checker, client, game, now).await?;
    }
    world.checker.borrow_mut().reaches(game, last);
    Ok(was_behind.then(|| began.elapsed()))
}

/// Reads one game from its first event up to now, and gives back its last event, 0 if the server does not know the
/// game. `now` is the service time in µs, and whether this program was so late that a flag may have fallen rightly.
pub(crate) async fn whole(
    checker: &RefCell<HistoryChecker>,
    client: &mut Client,
    game: GameId,
    now: impl Fn() -> (u64, bool),
) -> Result<u32> {
    let mut cursor = Cursor::after(0);
    client.send(&ClientMessage::Watch(Watch { game, after: Some(0), id: None })).await?;
    loop {
        let received = client.next().await?;
        let (mut checker, (at, excuse)) = (checker.borrow_mut(), now());
        match &received.message {
            ServerMessage::Clock(clock) if clock.game == game => {
                checker.shown(game, clock.seq, clock.white_ms, clock.black_ms, at);
                break;
            }
            ServerMessage::Rejected(rejected) if rejected.game == Some(game) => {
                if rejected.code != Code::UnknownGame {
                    bail!("the game cannot be read: {}, {}", rejected.code, rejected.message);
                }
                break;
            }
            ServerMessage::Snapshot(snapshot) if snapshot.game == game => {
                bail!("received a snapshot instead of events")
            }
            message if game_history::event(message).is_some_and(|event| event.game == game) => {
                checker.received(&mut cursor, &received, at, excuse);
            }
            _ => {}
        }
    }
    client.send(&ClientMessage::Unwatch(GameRef { game })).await?;
    Ok(cursor.last().unwrap_or(0))
}
