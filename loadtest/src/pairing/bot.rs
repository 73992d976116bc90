//! One bot: joins a pool, waits, ends its game soon, and joins again.

use std::collections::HashMap;
use std::pin::pin;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::time::timeout;
use zeitnot_protocol::{
    AccountId, ClientMessage, Code, GameCommand, GameId, Hello, JoinPool, LobbyCommand, PlayMove, PoolId,
    ServerMessage, Snapshot, Turn,
};

use super::World;
use super::checker::Seen;
use crate::account_requests;
use crate::client::Client;
use crate::endpoint::Endpoint;
use crate::rng::Rng;

/// The pause before a bot joins a pool or ends its game, in ms: the least and the most.
const PAUSE_MS: (u64, u64) = (0, 1_000);

/// In so many of 100 games a bot plays a move before it ends the game.
const MOVES: u64 = 30;

/// The event after which a game counts for ratings: the start is the first one.
const AFTER_TWO_PLIES: u32 = 3;

/// How often a waiting bot checks whether the run is over.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How long a game that is being started may still reach a bot that has left its pool.
const LINGER: Duration = Duration::from_secs(1);

/// How strong each bot is.
#[derive(Debug, Default)]
pub(super) struct Strengths(HashMap<AccountId, u64>);

impl Strengths {
    fn draw(&mut self, account: AccountId, rng: &mut Rng) {
        self.0.insert(account, rng.below(1 << 40));
    }

    /// Whether an account is the weaker one of the two players of a game.
    fn is_weaker(&self, account: AccountId, snapshot: &Snapshot) -> bool {
        let players = [&snapshot.players.white, &snapshot.players.black];
        let other = players.into_iter().find(|player| player.account != account);
        self.0.get(&account) < other.and_then(|other| self.0.get(&other.account))
    }
}

/// A bot and its connection.
pub(super) struct Bot {
    client: Client,
    account: AccountId,
    rng: Rng,
}

impl Bot {
    /// Connects as a new guest, who is registered if the games are rated.
    pub(super) async fn connect(endpoint: &Endpoint, index: usize, rng: Rng, world: &World) -> Result<Self> {
        let hello = Hello { guest: true, token: None };
        let client = Client::connect(endpoint, index, hello).await.context("a bot cannot connect")?;
        let account = client.welcome().account.context("a guest has an account")?;
        let mut bot = Self { client, account, rng };
        if let Some(strengths) = &world.strengths {
            let token = bot.client.welcome().token.clone().context("a guest has a token")?;
            let name = format!("Loadtest{index}");
            let mut registering = pin!(account_requests::register(endpoint, index, &token, &name));
            // Others are registered first; meanwhile it answers pings.
            loop {
                tokio::select! {
                    registered = &mut registering => break registered?,
                    received = bot.client.next() => drop(received?),
                }
            }
            strengths.borrow_mut().draw(account, &mut bot.rng);
        }
        Ok(bot)
    }

    /// Plays game after game until the run is over.
    pub(super) async fn play(mut self, world: &World) -> Result<()> {
        while !world.is_over.get() {
            let pause = self.pause();
            self.drain(pause, world).await?;
            let pool = world.pools[usize::try_from(self.rng.below(world.pools.len() as u64))?];
            let Some((game, snapshot)) = self.wait_in(pool, world).await? else { break };
            let snapshot = match snapshot {
                Some(snapshot) => snapshot,
                None => self.snapshot(game).await?,
            };
            world
                .checker
                .borrow_mut()
                .sees(self.account, &Seen::of(&snapshot, pool, world.strengths.is_some()));
            match &world.strengths {
                Some(strengths) => {
                    let is_weaker = strengths.borrow().is_weaker(self.account, &snapshot);
                    self.end_rated(game, is_weaker).await?;
                }
                None => self.end(game).await?,
            }
            world.checker.borrow_mut().ended(self.account, game);
        }
        self.client.close().await.context("a bot cannot close its connection")
    }

    fn pause(&mut self) -> Duration {
        self.rng.millis(PAUSE_MS.0, PAUSE_MS.1)
    }

    /// Waits in a pool until there is a game. Its snapshot may arrive before `waiting` names the
    /// game. `None` at the end of the run.
    async fn wait_in(&mut self, pool: PoolId, world: &World) -> Result<Option<(GameId, Option<Snapshot>)>> {
        self.client.send(&ClientMessage::JoinPool(JoinPool { pool, id: None })).await?;
        let (mut shown, mut has_left) = (None, false);
        loop {
            let patience = if has_left { LINGER } else { LOOK_EVERY };
            let Ok(received) = timeout(patience, self.client.next()).await else {
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
            match received?.message {
                ServerMessage::Waiting(waiting) => match (waiting.pool, waiting.game) {
                    (Some(in_pool), None) if in_pool == pool => checker.waits(self.account, pool, now),
                    (None, Some(game)) => {
                        checker.paired(self.account, game, now);
                        return Ok(Some((game, shown)));
                    }
                    (None, None) if has_left => checker.left(self.account, now),
                    other => {
                        checker.wrong(format!("{} received {other:?} in {}", self.account, pool.as_str()));
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

    /// Aborts or resigns the game, perhaps after a move, unless the opponent has ended it before.
    async fn end(&mut self, game: GameId) -> Result<()> {
        let (moves, pause) = (self.rng.in_100(MOVES), self.pause());
        let mut command = Some(self.ending(game));
        loop {
            let Ok(received) = timeout(pause, self.client.next()).await else {
                if let Some(command) = command.take() {
                    self.client.send(&command).await?;
                }
                continue;
            };
            match received?.message {
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

    /// Plays a move when it is its turn; after one of each the weaker player resigns.
    async fn end_rated(&mut self, game: GameId, is_weaker: bool) -> Result<()> {
        let command = GameCommand { game, id: None };
        loop {
            match self.client.next().await?.message {
                ServerMessage::Ended(ended) if ended.game == game => return Ok(()),
                ServerMessage::Turn(turn) if turn.game == game && turn.on < AFTER_TWO_PLIES => {
                    self.play_any(&turn).await?;
                }
                ServerMessage::Move(moved)
                    if moved.game == game && moved.seq == AFTER_TWO_PLIES && is_weaker =>
                {
                    self.client.send(&ClientMessage::Resign(command.clone())).await?;
                }
                ServerMessage::Rejected(rejected) => bail!("{}: {}", rejected.code, rejected.message),
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

    /// Reads for a while and discards the last messages about the previous game.
    async fn drain(&mut self, pause: Duration, world: &World) -> Result<()> {
        let reading = async {
            loop {
                match self.client.next().await?.message {
                    ServerMessage::Waiting(waiting) => {
                        world.checker.borrow_mut().wrong(format!("{} received {waiting:?}", self.account));
                    }
                    ServerMessage::Rejected(rejected) if rejected.code != Code::GameOver => {
                        bail!("{}: {}", rejected.code, rejected.message);
                    }
                    _ => {}
                }
            }
        };
        timeout(pause, reading).await.unwrap_or(Ok(()))
    }
}
