//! The flags of `zeitnot-bot` as a bot account, and what they start.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use zeitnot_bot::account::{Bot, Terms, run as play};
use zeitnot_bot::search::Level;
use zeitnot_bot::uci::{EngineConfig, UciOption};
use zeitnot_bot::{Brain, Pool};
use zeitnot_client::{Client, Error, Identity};

/// How long to wait before a server that cannot be reached is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// How nice the threads are that think.
const NICE: i32 = 10;

/// A bot account.
#[derive(Args, Debug)]
pub(crate) struct AccountOptions {
    /// The server, such as ws://127.0.0.1:8080.
    #[arg(long)]
    server: String,
    /// The API token of the account, with the scopes play, challenge and bot.
    #[arg(long, env = "ZEITNOT_TOKEN", hide_env_values = true)]
    token: String,
    /// A UCI engine; without it the searcher of this program plays.
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// An option of the engine; may be given several times.
    #[arg(long, value_name = "NAME=VALUE", requires = "engine")]
    uci_option: Vec<UciOption>,
    /// How well it plays, 1 to 8: of an engine, a rating or skill in its range.
    #[arg(long)]
    level: Option<Level>,
    /// How many games at once.
    #[arg(long, default_value_t = 8)]
    games: usize,
    /// How many of them against one opponent.
    #[arg(long, default_value_t = 2)]
    games_per_opponent: usize,
    /// How many threads think, for all games together; engines have their own.
    #[arg(long, default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,
    /// What a move loses on its way, in ms: not spent on thinking.
    #[arg(long, default_value_t = 100)]
    move_overhead: u64,
    /// The least time of a side for 40 moves, in seconds: shorter games are declined.
    #[arg(long, default_value_t = 15)]
    shortest: u64,
    /// The most: longer games are declined.
    #[arg(long, default_value_t = 86_400)]
    longest: u64,
    /// Declines games without clocks, and those with days for a move.
    #[arg(long)]
    no_slow: bool,
    /// Declines Chess960.
    #[arg(long)]
    no_chess960: bool,
    /// Declines games from given positions.
    #[arg(long)]
    no_positions: bool,
    /// Declines rated games.
    #[arg(long, conflicts_with = "no_casual")]
    no_rated: bool,
    /// Declines casual games.
    #[arg(long)]
    no_casual: bool,
    /// Declines games against bots.
    #[arg(long, conflicts_with = "no_people")]
    no_bots: bool,
    /// Declines games against people.
    #[arg(long)]
    no_people: bool,
    /// Lets nobody take a move back.
    #[arg(long)]
    no_takebacks: bool,
    /// Resigns after four turns below this score, in centipawns; without it, it plays until checkmate.
    #[arg(long, value_name = "CENTIPAWNS", allow_hyphen_values = true)]
    resign_below: Option<i32>,
    /// What mistakes and small differences are drawn from, with the name of each game.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl AccountOptions {
    fn terms(&self) -> Terms {
        Terms {
            games: self.games,
            games_per_opponent: self.games_per_opponent,
            shortest: Duration::from_secs(self.shortest),
            longest: Duration::from_secs(self.longest),
            slow: !self.no_slow,
            chess960: !self.no_chess960,
            positions: !self.no_positions,
            rated: !self.no_rated,
            casual: !self.no_casual,
            bots: !self.no_bots,
            people: !self.no_people,
        }
    }

    fn bot(&self) -> Result<Bot> {
        let overhead = Duration::from_millis(self.move_overhead);
        let brain = match &self.engine {
            Some(path) => Brain::Engine(EngineConfig {
                options: self.uci_option.clone(),
                level: self.level,
                overhead,
                ..EngineConfig::new(path)
            }),
            None => Brain::Level {
                level: self.level.unwrap_or(Level::HIGHEST),
                pool: Pool::start(self.threads.get(), yield_to_others).context("no threads to think with")?,
                overhead,
            },
        };
        Ok(Bot {
            terms: self.terms(),
            resign_below: self.resign_below,
            takebacks: !self.no_takebacks,
            seed: self.seed,
            ..Bot::new(brain)
        })
    }
}

/// On Linux the priority of "this process" is that of the calling thread alone.
fn yield_to_others() {
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::warn!(%error, "a thread that should yield to others runs at full priority");
    }
}

/// Plays until it is told to stop, or the server wants it no more.
pub(crate) fn run(options: &AccountOptions) -> Result<()> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let bot = options.bot()?;
        if let Brain::Engine(config) = &bot.brain {
            // An engine that cannot be started is better known now than in a game.
            zeitnot_bot::uci::Engine::start(config.clone()).await?.quit().await;
        }
        let (mut interrupt, mut terminate) =
            (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        tokio::select! {
            ended = connect_and_play(options, &bot) => ended,
            _ = interrupt.recv() => Ok(()),
            _ = terminate.recv() => Ok(()),
        }
    })
}

async fn connect_and_play(options: &AccountOptions, bot: &Bot) -> Result<()> {
    let client = loop {
        match Client::connect(&options.server, Identity::Token(options.token.clone())).await {
            Err(error @ Error::Unreachable(_)) => {
                tracing::warn!(%error, "tries again");
                tokio::time::sleep(RETRY_AFTER).await;
            }
            client => break client?,
        }
    };
    tracing::info!(server = options.server, "waits for challenges");
    Ok(play(&client, bot).await?)
}
