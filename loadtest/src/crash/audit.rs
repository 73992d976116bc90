//! After a fault, reads every game from its first event on and compares it with all that any client
//! was ever told.

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

/// How many connections read games at the same time.
const CONNECTIONS: usize = 4;

/// So many of 100 games that have ended are read after each fault; all of them are read at the end.
const ENDED_IN_100: u64 = 20;

/// How often it tries to connect where it must read, and how long it waits in between.
const ATTEMPTS: usize = 40;
const AGAIN_AFTER: Duration = Duration::from_millis(500);

/// Reads the current games, and a random sample of those that have ended, or `all` of them.
pub(super) async fn audit(world: &World, rng: &mut Rng, all: bool) -> Result<()> {
    read_at(world, &choose(world, rng, all), None).await
}

/// The current games, and a random sample of those that have ended, or `all` of them.
pub(crate) fn choose(world: &World, rng: &mut Rng, all: bool) -> Vec<GameId> {
    let checker = world.checker.borrow();
    let games = checker.games().filter(|(_, is_over)| !is_over || all || rng.in_100(ENDED_IN_100));
    games.map(|(game, _)| game).collect()
}

/// Reads these games, at this place or at any.
pub(crate) async fn read_at(world: &World, games: &[GameId], place: Option<usize>) -> Result<()> {
    let first = 2 * world.tables.borrow().len() + 1_000;
    let share = games.len().div_ceil(CONNECTIONS).max(1);
    stream::iter(games.chunks(share).enumerate())
        .map(|(number, games)| read(world, first + number, games, place))
        .buffer_unordered(CONNECTIONS)
        .try_collect()
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

async fn read(world: &World, index: usize, games: &[GameId], place: Option<usize>) -> Result<()> {
    let mut client = connect(world, index, place).await.context("the audit")?;
    for game in games {
        let now = || (world.service(), world.was_late());
        let read = whole(&world.checker, &mut client, *game, now).await;
        read.with_context(|| format!("the audit of game {game}"))?;
    }
    Ok(client.close().await?)
}

/// Reads one game from its first event up to now. `now` is the service time in µs, and whether this program was so late
/// that a flag may have fallen rightly.
pub(crate) async fn whole(
    checker: &RefCell<HistoryChecker>,
    client: &mut Client,
    game: GameId,
    now: impl Fn() -> (u64, bool),
) -> Result<()> {
    let mut cursor = Cursor::after(0);
    client.send(&ClientMessage::Watch(Watch { game, after: Some(0), id: None })).await?;
    loop {
        let received = client.next().await?;
        let (mut checker, (at, excuse)) = (checker.borrow_mut(), now());
        match &received.message {
            ServerMessage::Clock(clock) if clock.game == game => {
                checker.reaches(game, cursor.last().unwrap_or(0));
                checker.shown(game, clock.seq, clock.white_ms, clock.black_ms, at);
                break;
            }
            ServerMessage::Rejected(rejected) if rejected.game == Some(game) => {
                if rejected.code != Code::UnknownGame {
                    bail!("the game cannot be read: {}, {}", rejected.code, rejected.message);
                }
                checker.missing(game);
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
    Ok(client.send(&ClientMessage::Unwatch(GameRef { game })).await?)
}
