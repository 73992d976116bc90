//! A bot of the Lichess API: seeks a game, plays it by calls, reads it from its stream, and seeks the next one.
//!
//! Now and then it makes the call of a move twice, as a program does whose first call had no answer.

use std::collections::HashSet;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use hyper::{Method, StatusCode};
use serde_json::Value;
use tokio::time::{sleep, timeout};
use zeitnot_protocol::{GameId, WireColor, WireScore};

use super::http::{Heard, Lines, Program};
use super::line::{Choice, Line};
use super::world::{Api, Told, World};
use super::{Account, LOOK_EVERY, PAUSE_MS, POOL, TWICE};
use crate::rng::Rng;

/// How long after the end of a seek its game begins.
const BEGINS_WITHIN: Duration = Duration::from_secs(5);

/// A bot and its stream of events.
pub(super) struct HttpBot<'w> {
    world: &'w World<'w>,
    program: Program<'w>,
    name: String,
    rng: Rng,
    events: Lines,
    played: HashSet<GameId>,
}

/// A game that it plays.
struct Playing {
    game: GameId,
    line: Line,
    color: Option<WireColor>,
    /// The half-moves after which it has played or resigned.
    acted_after: Option<usize>,
}

impl<'w> HttpBot<'w> {
    pub(super) async fn start(world: &'w World<'w>, account: Account, rng: Rng) -> Result<Self> {
        let program = Program::new(world.endpoint, Some(account.token));
        let events = program.stream(Method::GET, "/api/stream/event", "").await?;
        Ok(Self { world, program, name: account.name, rng, events, played: HashSet::new() })
    }

    /// Plays game after game until the run is over.
    pub(super) async fn play(mut self) -> Result<()> {
        self.world.begins();
        while let Some(game) = self.find().await? {
            self.played.insert(game);
            self.game(game).await.with_context(|| format!("{} in game {game}", self.name))?;
        }
        self.world.sent_again(self.program.again);
        Ok(())
    }

    /// Seeks until a game begins; `None`: the run is over.
    async fn find(&mut self) -> Result<Option<GameId>> {
        let (minutes, seconds) = POOL.clock();
        let terms = format!("time={minutes}&increment={seconds}&rated=true");
        while !self.world.is_over.get() {
            sleep(self.rng.millis(PAUSE_MS.0, PAUSE_MS.1)).await;
            let mut seek = self.program.stream(Method::POST, "/api/board/seek", &terms).await?;
            while !self.world.is_over.get() {
                tokio::select! {
                    heard = self.events.next() => if let Some(game) = self.begins(heard?).await? {
                        return Ok(Some(game));
                    },
                    // It has found a game, which the events tell of, or was rejected: then it seeks again.
                    heard = seek.next() => {
                        heard?;
                        if let Ok(game) = timeout(BEGINS_WITHIN, self.beginning()).await {
                            return game.map(Some);
                        }
                        break;
                    },
                    () = sleep(LOOK_EVERY) => {}
                }
            }
        }
        self.world.rests();
        let world = self.world;
        tokio::select! {
            biased;
            game = self.beginning() => {
                world.begins();
                game.map(Some)
            }
            () = world.quiet() => Ok(None),
        }
    }

    /// The next game that begins.
    async fn beginning(&mut self) -> Result<GameId> {
        loop {
            let heard = self.events.next().await?;
            if let Some(game) = self.begins(heard).await? {
                return Ok(game);
            }
        }
    }

    /// The game that an event tells of, if it is a new one. A stream that broke off is opened again.
    async fn begins(&mut self, heard: Heard) -> Result<Option<GameId>> {
        let Heard::Line(event) = heard else {
            self.events = self.program.stream(Method::GET, "/api/stream/event", "").await?;
            self.world.sent_again(1);
            return Ok(None);
        };
        if event["type"] != "gameStart" {
            return Ok(None);
        }
        let game: GameId = event["game"]["gameId"].as_str().context("a game without an id")?.parse()?;
        Ok(Some(game).filter(|game| !self.played.contains(game)))
    }

    async fn game(&mut self, game: GameId) -> Result<()> {
        let path = format!("/api/bot/game/stream/{game}");
        let mut stream = self.program.stream(Method::GET, &path, "").await?;
        let mut playing = Playing { game, line: Line::new(&mut self.rng)?, color: None, acted_after: None };
        let mut is_told = false;
        loop {
            match stream.next().await? {
                Heard::Line(line) => {
                    if let Some(told) = self.take(&mut playing, &line).await? {
                        is_told = true;
                        self.world.ended(game, told);
                    }
                }
                Heard::End => {
                    ensure!(is_told, "its stream ended before it did");
                    return Ok(());
                }
                Heard::BrokenOff if is_told => return Ok(()),
                Heard::BrokenOff => {
                    stream = self.program.stream(Method::GET, &path, "").await?;
                    self.world.sent_again(1);
                }
            }
        }
    }

    /// Takes a line of the game's stream in, and acts when it is to move. What it was told, if the game has ended.
    async fn take(&mut self, playing: &mut Playing, line: &Value) -> Result<Option<Told>> {
        let state = match line["type"].as_str() {
            Some("gameFull") => {
                let is_white = line["white"]["name"] == self.name.as_str();
                playing.color = Some(if is_white { WireColor::White } else { WireColor::Black });
                &line["state"]
            }
            Some("gameState") => line,
            _ => return Ok(None),
        };
        playing.line.follow(state["moves"].as_str().context("a state without moves")?)?;
        let color = playing.color.context("a state came before the game")?;
        if state["status"] != "started" {
            let score = score(state)?;
            let (name, moves) = (self.name.clone(), playing.line.moves().to_vec());
            return Ok(Some(Told { api: Api::Lichess, name, color, moves, score }));
        }
        let half_moves = playing.line.moves().len();
        if playing.line.turn() == color && playing.acted_after != Some(half_moves) {
            playing.acted_after = Some(half_moves);
            sleep(self.rng.millis(PAUSE_MS.0, PAUSE_MS.1)).await;
            self.act(playing).await?;
        }
        Ok(None)
    }

    async fn act(&mut self, playing: &Playing) -> Result<()> {
        let (game, on) = (playing.game, playing.line.on());
        let path = format!("/api/bot/game/{game}");
        match playing.line.choose(&mut self.rng) {
            Choice::Resign => {
                let (status, answer) = self.program.post(&format!("{path}/resign")).await?;
                ensure!(status == StatusCode::OK, "resign: {status} {answer}");
            }
            Choice::Play(uci) => {
                self.world.sends(game, on, uci);
                let path = format!("{path}/move/{uci}");
                let sent = self.world.now();
                let (status, answer) = self.program.post(&path).await?;
                self.world.answered(Api::Lichess, sent);
                if status == StatusCode::OK {
                    self.world.checker.borrow_mut().acked(game, on, Some(on + 1));
                } else {
                    self.world.checker.borrow_mut().rejected(game, on, &answer.to_string());
                }
                if self.rng.in_100(TWICE) {
                    self.world.sent_again(1);
                    // Until the opponent has moved it is the same move; after that it is a wrong one.
                    let (status, answer) = self.program.post(&path).await?;
                    let known = [StatusCode::OK, StatusCode::BAD_REQUEST];
                    ensure!(known.contains(&status), "{uci} once more: {status} {answer}");
                }
            }
        }
        Ok(())
    }
}

/// How a game has ended, by its last state.
fn score(state: &Value) -> Result<WireScore> {
    Ok(match (state["status"].as_str(), state["winner"].as_str()) {
        (Some("aborted"), None) => WireScore::NoResult,
        (Some(_), Some("white")) => WireScore::WhiteWins,
        (Some(_), Some("black")) => WireScore::BlackWins,
        (Some(_), None) => WireScore::Draw,
        other => bail!("a game ended with {other:?}"),
    })
}
