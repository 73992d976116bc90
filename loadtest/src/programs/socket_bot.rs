//! A bot of our own protocol: joins the pool, plays its game over the WebSocket, and joins again.
//!
//! Now and then it sends a move twice, as a client does whose connection was lost before the answer.

use std::collections::HashSet;

use anyhow::{Context as _, Result, bail};
use tokio::time::{sleep, timeout};
use zeitnot_protocol::{
    AccountId, ClientMessage, Code, CommandId, GameCommand, GameId, Hello, JoinPool, LobbyCommand, PlayMove,
    ServerMessage, Snapshot, WireColor,
};

use super::line::{Choice, Line};
use super::world::{Api, Told, World};
use super::{Account, LOOK_EVERY, PAUSE_MS, POOL, TWICE};
use crate::client::{Client, ReceivedMessage};
use crate::crash::history_checker::Cursor;
use crate::rng::Rng;

/// A bot and its connection.
pub(super) struct SocketBot<'w> {
    world: &'w World<'w>,
    client: Client,
    account: AccountId,
    name: String,
    rng: Rng,
    played: HashSet<GameId>,
}

/// A game that it plays.
struct Playing {
    game: GameId,
    color: WireColor,
    line: Line,
    cursor: Cursor,
    /// When the move that is not answered yet was sent.
    sent: Option<u64>,
}

impl<'w> SocketBot<'w> {
    pub(super) async fn start(world: &'w World<'w>, account: Account, rng: Rng) -> Result<Self> {
        let hello = Hello { guest: false, token: Some(account.token) };
        let client = Client::connect(world.endpoint, 0, hello).await.context("a bot cannot connect")?;
        let id = client.welcome().account.context("a token names an account")?;
        Ok(Self { world, client, account: id, name: account.name, rng, played: HashSet::new() })
    }

    /// Plays game after game until the run is over.
    pub(super) async fn play(mut self) -> Result<()> {
        self.world.begins();
        while let Some(snapshot) = self.find().await? {
            let game = snapshot.game;
            self.played.insert(game);
            self.game(&snapshot).await.with_context(|| format!("{} in game {game}", self.name))?;
        }
        Ok(self.client.close().await?)
    }

    /// Waits in the pool until a game begins; `None`: the run is over.
    async fn find(&mut self) -> Result<Option<Snapshot>> {
        let world = self.world;
        if !world.is_over.get() {
            sleep(self.rng.millis(PAUSE_MS.0, PAUSE_MS.1)).await;
            self.client.send(&ClientMessage::JoinPool(JoinPool { pool: POOL, id: None })).await?;
            while !world.is_over.get() {
                if let Ok(snapshot) = timeout(LOOK_EVERY, self.beginning()).await {
                    return snapshot.map(Some);
                }
            }
            self.client.send(&ClientMessage::LeavePool(LobbyCommand::default())).await?;
        }
        world.rests();
        tokio::select! {
            biased;
            snapshot = self.beginning() => {
                world.begins();
                snapshot.map(Some)
            }
            () = world.quiet() => Ok(None),
        }
    }

    /// The next game that begins.
    async fn beginning(&mut self) -> Result<Snapshot> {
        loop {
            match self.client.next().await?.message {
                ServerMessage::Snapshot(snapshot) if !self.played.contains(&snapshot.game) => {
                    return Ok(snapshot);
                }
                ServerMessage::Rejected(rejected) if rejected.code != Code::GameOver => {
                    bail!("{}: {}", rejected.code, rejected.message)
                }
                _ => {}
            }
        }
    }

    async fn game(&mut self, snapshot: &Snapshot) -> Result<()> {
        let is_white = snapshot.players.white.account == self.account;
        let color = if is_white { WireColor::White } else { WireColor::Black };
        let line = Line::new(&mut self.rng)?;
        let mut playing = Playing { game: snapshot.game, color, line, cursor: Cursor::default(), sent: None };
        let now = self.world.now();
        self.world.checker.borrow_mut().snapshot(&mut playing.cursor, snapshot, now, false);
        for ply in &snapshot.plies {
            playing.line.add(ply.uci)?;
        }
        loop {
            let received = self.client.next().await?;
            if self.take(&mut playing, &received).await? {
                return Ok(());
            }
        }
    }

    /// Takes a message in, and acts on a turn. Whether the game is over.
    async fn take(&mut self, playing: &mut Playing, received: &ReceivedMessage) -> Result<bool> {
        let (game, now) = (playing.game, self.world.now());
        self.world.checker.borrow_mut().received(&mut playing.cursor, received, now, false);
        match &received.message {
            ServerMessage::Move(moved) if moved.game == game => playing.line.add(moved.uci)?,
            ServerMessage::Turn(turn) if turn.game == game && turn.on == playing.line.on() => {
                sleep(self.rng.millis(PAUSE_MS.0, PAUSE_MS.1)).await;
                self.act(playing).await?;
            }
            ServerMessage::Ok(ok) if ok.game == Some(game) => {
                let on = ok.id.and_then(|id| id.as_str().parse().ok());
                if let Some(on) = on {
                    playing.sent.take().into_iter().for_each(|sent| self.world.answered(Api::Own, sent));
                    self.world.checker.borrow_mut().acked(game, on, ok.seq);
                }
            }
            ServerMessage::Rejected(rejected) => {
                let on = rejected.id.and_then(|id| id.as_str().parse().ok()).unwrap_or(0);
                self.world.checker.borrow_mut().rejected(game, on, rejected.code.as_str());
            }
            ServerMessage::Ended(ended) if ended.game == game => {
                let (name, moves) = (self.name.clone(), playing.line.moves().to_vec());
                let (color, score) = (playing.color, ended.outcome.score);
                self.world.ended(game, Told { api: Api::Own, name, color, moves, score });
                return Ok(true);
            }
            _ => {}
        }
        Ok(false)
    }

    async fn act(&mut self, playing: &mut Playing) -> Result<()> {
        let (game, on) = (playing.game, playing.line.on());
        match playing.line.choose(&mut self.rng) {
            Choice::Resign => {
                self.client.send(&ClientMessage::Resign(GameCommand { game, id: None })).await?;
            }
            Choice::Play(uci) => {
                self.world.sends(game, on, uci);
                let id: CommandId = on.to_string().parse().expect("digits");
                let message = ClientMessage::Move(PlayMove { game, on, uci, id: Some(id) });
                playing.sent = Some(self.world.now());
                self.client.send(&message).await?;
                if self.rng.in_100(TWICE) {
                    self.world.sent_again(1);
                    self.client.send(&message).await?;
                }
            }
        }
        Ok(())
    }
}
