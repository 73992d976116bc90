//! A spectator: watches the games of some tables, and comes back with `after`, missing nothing.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Duration;

use anyhow::{Context, Result};
use zeitnot_protocol::{ClientMessage, GameId, GameRef, Hello, ServerMessage, Watch};

use super::ledger::Follow;
use super::page;
use super::world::{World, ends_a_connection};
use crate::client::{Client, ClientError, Heard};

/// How often a spectator looks for new games.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// One spectator.
#[derive(Debug)]
pub(super) struct Spectator {
    number: usize,
    /// How many there are: each watches every so many tables.
    of: usize,
    follows: BTreeMap<GameId, Follow>,
}

impl Spectator {
    pub(super) fn new(number: usize, of: usize) -> Self {
        Self { number, of, follows: BTreeMap::new() }
    }

    /// Watches for ever. Ends when a server says what none may say.
    pub(super) async fn watch(mut self, world: &World) -> Result<Infallible> {
        let index = 2 * world.tables.borrow().len() + self.number;
        loop {
            let client = world.connect(index, Hello::default).await.context("a spectator")?;
            world.connected.set(world.connected.get() + 1);
            let end = self.session(world, client).await;
            world.connected.set(world.connected.get() - 1);
            if !ends_a_connection(&end) {
                return Err(end).context("a spectator");
            }
        }
    }

    async fn session(&mut self, world: &World, mut client: Client) -> ClientError {
        let mut out: Vec<ClientMessage> =
            self.follows.iter().map(|(game, follow)| watch(*game, follow)).collect();
        loop {
            for message in std::mem::take(&mut out) {
                if let Err(error) = client.send(&message).await {
                    return error;
                }
            }
            tokio::select! {
                biased;
                heard = client.next() => match heard {
                    Ok(heard) => self.hear(world, &heard),
                    Err(error) => return error,
                },
                () = tokio::time::sleep(LOOK_EVERY) => out = self.look(world),
            }
        }
    }

    fn hear(&mut self, world: &World, heard: &Heard) {
        let mut ledger = world.ledger.borrow_mut();
        match &heard.message {
            ServerMessage::Snapshot(snapshot) => {
                if let Some(follow) = self.follows.get_mut(&snapshot.game) {
                    ledger.snapshot(follow, snapshot, world.service(), world.was_late());
                }
            }
            ServerMessage::Clock(clock) => {
                ledger.shown(clock.game, clock.seq, clock.white_ms, clock.black_ms, world.service());
            }
            ServerMessage::Rejected(rejected) => {
                if let Some(game) = rejected.game {
                    ledger.missing(game);
                }
            }
            message => {
                let follow = page::event(message).and_then(|event| self.follows.get_mut(&event.game));
                if let Some(follow) = follow {
                    ledger.heard(follow, heard, world.service(), world.was_late());
                }
            }
        }
    }

    /// New games are watched from their start; those that are over no more.
    fn look(&mut self, world: &World) -> Vec<ClientMessage> {
        let ledger = world.ledger.borrow();
        let over: Vec<GameId> = self.follows.keys().copied().filter(|game| ledger.is_over(*game)).collect();
        let mut out = Vec::new();
        for game in over {
            self.follows.remove(&game);
            out.push(ClientMessage::Unwatch(GameRef { game }));
        }
        let tables = world.tables.borrow();
        let games = tables.iter().skip(self.number).step_by(self.of).filter_map(|table| table.game);
        for game in games.filter(|game| !ledger.is_over(*game)) {
            self.follows.entry(game).or_insert_with(|| {
                let follow = Follow::after(0);
                out.push(watch(game, &follow));
                follow
            });
        }
        out
    }
}

fn watch(game: GameId, follow: &Follow) -> ClientMessage {
    ClientMessage::Watch(Watch { game, after: follow.last(), id: None })
}
