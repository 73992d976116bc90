//! One bot: joins a pool, waits, ends its game shortly, and joins again.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::time::timeout;
use zeitnot_protocol::{
    AccountId, ClientMessage, Code, GameCommand, GameId, Hello, JoinPool, LobbyCommand, PlayMove, PoolId,
    ServerMessage, Snapshot, Turn,
};

use super::World;
use super::checker::Seen;
use crate::client::Client;
use crate::endpoint::Endpoint;
use crate::rng::Rng;

/// The least and the most that a bot thinks before it joins, or before it ends its game, in ms.
const PAUSE_MS: (u64, u64) = (0, 1_000);

/// Of 100 games in which a bot is to move, it plays a move first in so many.
const MOVES: u64 = 30;

/// How often a bot that waits looks whether the evening is over.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How long a game that is being started may still come to one who has left its pool.
const LINGER: Duration = Duration::from_secs(1);

/// See the module.
pub(super) struct Bot {
    client: Client,
    account: AccountId,
    rng: Rng,
}

impl Bot {
    /// A new guest.
    pub(super) async fn connect(endpoint: &Endpoint, index: usize, rng: Rng) -> Result<Self> {
        let hello = Hello { guest: true, token: None };
        let client = Client::connect(endpoint, index, hello).await.context("a bot cannot connect")?;
        let account = client.welcome().account.context("a guest has an account")?;
        Ok(Self { client, account, rng })
    }

    /// Plays game after game until the evening is over.
    pub(super) async fn play(mut self, world: &World) -> Result<()> {
        while !world.is_over.get() {
            let pause = self.pause();
            self.hear_for(pause, world).await?;
            let pool = world.pools[usize::try_from(self.rng.below(world.pools.len() as u64))?];
            let Some((game, snapshot)) = self.wait_in(pool, world).await? else { break };
            let snapshot = match snapshot {
                Some(snapshot) => snapshot,
                None => self.snapshot(game).await?,
            };
            world.checker.borrow_mut().sees(self.account, &Seen::of(&snapshot, pool));
            self.end(game).await?;
            world.checker.borrow_mut().ended(self.account, game);
        }
        self.client.close().await.context("a bot cannot close its connection")
    }

    fn pause(&mut self) -> Duration {
        self.rng.millis(PAUSE_MS.0, PAUSE_MS.1)
    }

    /// Waits in a pool until there is a game; a snapshot may come before the bot is told which. `None` at the end of the
    /// evening.
    async fn wait_in(&mut self, pool: PoolId, world: &World) -> Result<Option<(GameId, Option<Snapshot>)>> {
        self.client.send(&ClientMessage::JoinPool(JoinPool { pool, id: None })).await?;
        let (mut shown, mut has_left) = (None, false);
        loop {
            let patience = if has_left { LINGER } else { LOOK_EVERY };
            let Ok(heard) = timeout(patience, self.client.next()).await else {
                if has_left {
                    return Ok(None);
                }
                if world.is_over.get() {
                    has_left = true;
                    self.client.send(&ClientMessage::LeavePool(LobbyCommand::default())).await?;
                }
                continue;
            };
            let (mut checker, now) = (world.checker.borrow_mut(), world.clock.micros() / 1_000);
            match heard?.message {
                ServerMessage::Waiting(waiting) => match (waiting.pool, waiting.game) {
                    (Some(in_pool), None) if in_pool == pool => checker.waits(self.account, pool, now),
                    (None, Some(game)) => {
                        checker.paired(self.account, game, now);
                        return Ok(Some((game, shown)));
                    }
                    (None, None) if has_left => checker.left(self.account, now),
                    other => {
                        checker.wrong(format!("{} is told {other:?} in {}", self.account, pool.as_str()));
                    }
                },
                ServerMessage::Snapshot(snapshot) => shown = Some(snapshot),
                ServerMessage::Rejected(rejected) => {
                    checker.wrong(format!("{} gets {}: {}", self.account, rejected.code, rejected.message));
                    return Ok(None);
                }
                _ => {}
            }
        }
    }

    async fn snapshot(&mut self, game: GameId) -> Result<Snapshot> {
        loop {
            match self.client.next().await?.message {
                ServerMessage::Snapshot(snapshot) if snapshot.game == game => return Ok(snapshot),
                _ => {}
            }
        }
    }

    /// Ends the game: by aborting it, or by resigning, perhaps behind a move, unless the other one does before.
    async fn end(&mut self, game: GameId) -> Result<()> {
        let (moves, pause) = (self.rng.in_100(MOVES), self.pause());
        let mut command = Some(self.ending(game));
        loop {
            let Ok(heard) = timeout(pause, self.client.next()).await else {
                if let Some(command) = command.take() {
                    self.client.send(&command).await?;
                }
                continue;
            };
            match heard?.message {
                ServerMessage::Ended(ended) if ended.game == game => return Ok(()),
                ServerMessage::Turn(turn) if moves && turn.game == game => self.play_any(&turn).await?,
                ServerMessage::Rejected(rejected) if rejected.code == Code::TooLateToAbort => {
                    self.client.send(&ClientMessage::Resign(GameCommand { game, id: None })).await?;
                }
                ServerMessage::Rejected(rejected)
                    if !matches!(rejected.code, Code::GameOver | Code::Stale | Code::NotYourTurn) =>
                {
                    bail!("{}: {}", rejected.code, rejected.message);
                }
                _ => {}
            }
        }
    }

    fn ending(&mut self, game: GameId) -> ClientMessage {
        let command = GameCommand { game, id: None };
        if self.rng.in_100(50) { ClientMessage::Abort(command) } else { ClientMessage::Resign(command) }
    }

    async fn play_any(&mut self, turn: &Turn) -> Result<()> {
        let place = usize::try_from(self.rng.below(turn.legal.len() as u64))?;
        let uci = *turn.legal.get(place).context("a turn without a legal move")?;
        let play = PlayMove { game: turn.game, on: turn.on, uci, id: None };
        Ok(self.client.send(&ClientMessage::Move(play)).await?)
    }

    /// Hears, and throws away what is said, for a while: the end of the last game has more to say.
    async fn hear_for(&mut self, pause: Duration, world: &World) -> Result<()> {
        let hearing = async {
            loop {
                match self.client.next().await?.message {
                    ServerMessage::Waiting(waiting) => {
                        world.checker.borrow_mut().wrong(format!("{} is told {waiting:?}", self.account));
                    }
                    ServerMessage::Rejected(rejected) if rejected.code != Code::GameOver => {
                        bail!("{}: {}", rejected.code, rejected.message);
                    }
                    _ => {}
                }
            }
        };
        timeout(pause, hearing).await.unwrap_or(Ok(()))
    }
}
