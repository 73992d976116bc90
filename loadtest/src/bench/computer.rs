//! What the computer opponent costs the other games: the p99 latency of moves in quiet games, alone and beside games
//! against it. [`super::beside`] says how that is measured.
//!
//! Its opponents answer at once, so that it always has something to think about. The server has its computer opponent in
//! both cases.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use zeitnot_protocol::{
    ClientMessage, CreateChallenge, Hello, Period, PlayMove, ServerMessage, TimeControl, Turn,
};

use super::beside::{Compared, Load, QuietOptions, compare};
use crate::client::Client;
use crate::endpoint::Endpoint;
use crate::report::{Recorder, Target};
use crate::rng::Rng;
use crate::server_process::{ServerProcess, zeitnot_binary};

const GOAL: Target = Target { name: "p99 beside the computer", must: 1.25, aim: 1.1, unit: "x" };

/// The computer's levels.
const LEVELS: usize = 8;

/// The numbers of these sockets follow those of the quiet games.
const FIRST_INDEX: usize = 10_000;

/// How long the computer may take to come, and to begin its games.
const BEGINS_WITHIN: Duration = Duration::from_secs(60);

/// How long somebody waits who was declined, or whose challenge found nobody yet.
const AGAIN_AFTER: Duration = Duration::from_millis(500);

/// How often somebody tries to connect.
const CONNECTS_MAX: usize = 60;

/// How many games, and how long.
#[derive(Clone, Debug, Args)]
pub struct ComputerOptions {
    /// The quiet games.
    #[command(flatten)]
    pub quiet: QuietOptions,
    /// Number of games against the computer at once.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub against: u32,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// Measures; whether the required target holds.
pub(crate) fn run(options: &ComputerOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    recorder.server_binary(&binary);
    let compared = Compared { quiet: &options.quiet, what: "games against the computer", goal: GOAL };
    let flags = [ServerProcess::ADDRESS_LIMITS, ServerProcess::IN_MEMORY];
    let server = || ServerProcess::zeitnot_with_computer(&binary, &flags);
    let load = |endpoint: &Endpoint| -> Result<Load> {
        let opponents = Opponents::start(endpoint, options.against as usize)?;
        Ok(Box::new(|| opponents.end()))
    };
    compare(&compared, server, load, recorder, out)
}

/// Those who play against the computer, on a thread of their own.
struct Opponents {
    is_over: Arc<AtomicBool>,
    moves: Arc<AtomicU64>,
    thread: JoinHandle<Result<()>>,
}

impl Opponents {
    /// Comes back when all of them play.
    fn start(endpoint: &Endpoint, count: usize) -> Result<Self> {
        let (is_over, moves) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (begun, games) = mpsc::sync_channel(count);
        let all = All {
            endpoint: endpoint.clone(),
            is_over: Arc::clone(&is_over),
            moves: Arc::clone(&moves),
            begun,
        };
        let thread = thread::Builder::new().name("opponents".to_owned());
        let thread = thread.spawn(move || all.play(count)).context("cannot start a thread")?;
        for number in 0..count {
            if games.recv_timeout(BEGINS_WITHIN).is_err() {
                is_over.store(true, Ordering::Relaxed);
                thread.join().map_err(|_| anyhow!("the opponents' thread panicked"))??;
                bail!("{number} of {count} games against the computer have begun");
            }
        }
        moves.store(0, Ordering::Relaxed);
        Ok(Self { is_over, moves, thread })
    }

    /// The number of their own moves.
    fn end(self) -> Result<u64> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| anyhow!("the opponents' thread panicked"))??;
        Ok(self.moves.load(Ordering::Relaxed))
    }
}

/// What all of them share.
struct All {
    endpoint: Endpoint,
    is_over: Arc<AtomicBool>,
    moves: Arc<AtomicU64>,
    begun: mpsc::SyncSender<()>,
}

impl All {
    fn play(&self, count: usize) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let mut playing: FuturesUnordered<_> = (0..count).map(|number| self.opponent(number)).collect();
            let over = async {
                while !self.is_over.load(Ordering::Relaxed) {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            };
            tokio::select! {
                end = async { while let Some(end) = playing.next().await { end?; } anyhow::Ok(()) } => end,
                () = over => Ok(()),
            }
        })
    }

    /// Plays one game after the other against a level.
    async fn opponent(&self, number: usize) -> Result<()> {
        let mut client = self.connect(FIRST_INDEX + number).await?;
        let mut rng = Rng::new(number as u64);
        let mut has_begun = false;
        loop {
            self.challenge(&mut client, number % LEVELS + 1).await?;
            loop {
                match client.next().await?.message {
                    ServerMessage::Turn(turn) => {
                        if !has_begun {
                            has_begun = true;
                            self.begun.send(()).ok();
                        }
                        self.answer(&mut client, &turn, &mut rng).await?;
                    }
                    ServerMessage::Ended(_) => break,
                    // There is no computer yet, or it has no place free.
                    ServerMessage::ChallengeGone(gone) if gone.game.is_none() => {
                        tokio::time::sleep(AGAIN_AFTER).await;
                        break;
                    }
                    ServerMessage::Rejected(rejected) if rejected.game.is_none() => {
                        tokio::time::sleep(AGAIN_AFTER).await;
                        break;
                    }
                    _ => {}
                }
            }
        }
    }

    /// All come at once, so the server may tell some to come again.
    async fn connect(&self, index: usize) -> Result<Client> {
        for _ in 0..CONNECTS_MAX {
            let hello = Hello { guest: true, token: None };
            if let Ok(client) = Client::connect(&self.endpoint, index, hello).await {
                return Ok(client);
            }
            tokio::time::sleep(AGAIN_AFTER).await;
        }
        bail!("an opponent of the computer cannot connect")
    }

    async fn challenge(&self, client: &mut Client, level: usize) -> Result<()> {
        let period = Period { base_ms: 180_000, increment_ms: Some(2_000), ..Period::default() };
        let time_control = TimeControl::Clock { periods: vec![period], black_periods: None };
        let to_name = Some(format!("Computer-{level}").parse().context("a name")?);
        let wanted = CreateChallenge { to_name, ..CreateChallenge::with(time_control) };
        Ok(client.send(&ClientMessage::CreateChallenge(wanted)).await?)
    }

    /// Plays any move.
    async fn answer(&self, client: &mut Client, turn: &Turn, rng: &mut Rng) -> Result<()> {
        let place = usize::try_from(rng.below(turn.legal.len() as u64))?;
        let uci = *turn.legal.get(place).context("a turn without a legal move")?;
        self.moves.fetch_add(1, Ordering::Relaxed);
        let play = PlayMove { game: turn.game, on: turn.on, uci, id: None };
        Ok(client.send(&ClientMessage::Move(play)).await?)
    }
}
