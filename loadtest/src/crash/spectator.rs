//! A spectator: watches some of the games, and after reconnecting asks for the events that it
//! missed.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Duration;

use anyhow::{Context, Result};
use zeitnot_protocol::{ClientMessage, Code, GameId, GameRef, Hello, ServerMessage, Watch};

use super::game_history;
use super::history_checker::Cursor;
use super::world::{World, ends_a_connection};
use crate::client::{Client, ClientError, ReceivedMessage};

/// How often a spectator looks for new games.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// One spectator.
#[derive(Debug)]
pub(crate) struct Spectator {
    number: usize,
    /// It watches every `of`th table.
    of: usize,
    cursors: BTreeMap<GameId, Cursor>,
}

impl Spectator {
    pub(crate) fn new(number: usize, of: usize) -> Self {
        Self { number, of, cursors: BTreeMap::new() }
    }

    /// Watches forever; ends only when the server sends something that is not valid.
    pub(crate) async fn watch(mut self, world: &World) -> Result<Infallible> {
        let index = 2 * world.tables.borrow().len() + self.number;
        loop {
            let connected = world.places.connect(index, || None, Hello::default).await;
            let (place, client) = connected.context("a spectator")?;
            let process = world.places.entered(place);
            let end = self.session(world, client).await;
            world.places.left((place, process), Some(&end), world.was_late());
            if !ends_a_connection(&end) {
                return Err(end).context("a spectator");
            }
        }
    }

    async fn session(&mut self, world: &World, mut client: Client) -> ClientError {
        let mut out: Vec<ClientMessage> =
            self.cursors.iter().map(|(game, cursor)| watch(*game, cursor)).collect();
        loop {
            for message in std::mem::take(&mut out) {
                if let Err(error) = client.send(&message).await {
                    return error;
                }
            }
            tokio::select! {
                biased;
                received = client.next() => match received {
                    Ok(received) => self.receive(world, &received),
                    Err(error) => return error,
                },
                () = tokio::time::sleep(LOOK_EVERY) => out = self.look(world),
            }
        }
    }

    fn receive(&mut self, world: &World, received: &ReceivedMessage) {
        let mut checker = world.checker.borrow_mut();
        match &received.message {
            ServerMessage::Snapshot(snapshot) => {
                if let Some(cursor) = self.cursors.get_mut(&snapshot.game) {
                    checker.snapshot(cursor, snapshot, world.service(), world.was_late());
                }
            }
            ServerMessage::Clock(clock) => {
                checker.shown(clock.game, clock.seq, clock.white_ms, clock.black_ms, world.service());
            }
            ServerMessage::Rejected(rejected) => match (rejected.game, rejected.code) {
                // It is watched again.
                (Some(game), Code::Unavailable) => {
                    self.cursors.remove(&game);
                }
                (Some(game), _) => checker.missing(game),
                (None, _) => {}
            },
            message => {
                let cursor = game_history::event(message).and_then(|event| self.cursors.get_mut(&event.game));
                if let Some(cursor) = cursor {
                    checker.received(cursor, received, world.service(), world.was_late());
                }
            }
        }
    }

    /// Watches new games from their start, and unwatches those that have ended.
    fn look(&mut self, world: &World) -> Vec<ClientMessage> {
        let checker = world.checker.borrow();
        let over: Vec<GameId> = self.cursors.keys().copied().filter(|game| checker.is_over(*game)).collect();
        let mut out = Vec::new();
        for game in over {
            self.cursors.remove(&game);
            out.push(ClientMessage::Unwatch(GameRef { game }));
        }
        let tables = world.tables.borrow();
        let games = tables.iter().skip(self.number % self.of).step_by(self.of).filter_map(|table| table.game);
        for game in games.filter(|game| !checker.is_over(*game)) {
            self.cursors.entry(game).or_insert_with(|| {
                let cursor = Cursor::after(0);
                out.push(watch(game, &cursor));
                cursor
            });
        }
        out
    }
}

fn watch(game: GameId, cursor: &Cursor) -> ClientMessage {
    ClientMessage::Watch(Watch { game, after: cursor.last(), id: None })
}
