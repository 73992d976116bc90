//! The computer opponent of a server: one account for each level, all in one process.
//!
//! Deliberately absent: how the accounts are made, which is for the server that has them. Invariant: an
//! account whose connection has ended for good does not end the others.

use std::path::PathBuf;
use std::time::Duration;

use tokio::task::JoinSet;
use zeitnot_client::{Client, Error, Identity};

use crate::account::{Bot, Terms, run};
use crate::pool::Pool;
use crate::search::Level;
use crate::thinker::Brain;
use crate::uci::EngineConfig;

/// How many games a level plays at once: eight levels play 256.
const GAMES: usize = 32;

/// How many a level plays at once with an engine, which is a process for each.
const ENGINE_GAMES: usize = 4;

/// What a move loses on its way through this machine.
const OVERHEAD: Duration = Duration::from_millis(50);

/// How long it thinks about a move where there is no clock.
const UNCLOCKED: Duration = Duration::from_secs(1);

/// How long a move takes at least: who plays the computer sees the own move before the answer.
const PAUSE: Duration = Duration::from_millis(600);

/// How long to wait before a server that cannot be reached is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// An account and its level.
#[derive(Clone)]
pub struct Seat {
    /// How well it plays.
    pub level: Level,
    /// The token of the account.
    pub token: String,
}

/// A token is a secret, so it is not shown.
impl std::fmt::Debug for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seat").field("level", &self.level).finish_non_exhaustive()
    }
}

/// What the computer thinks with.
#[derive(Clone, Debug)]
pub enum Thinks {
    /// The searcher, on these threads.
    Searcher(Pool),
    /// A UCI engine, set to the level by what it offers.
    Engine(PathBuf),
}

/// Plays as all these accounts until none of them is wanted any more. To drop the future ends it.
pub async fn play(url: &str, seats: Vec<Seat>, thinks: &Thinks) {
    let mut tasks = JoinSet::new();
    for seat in seats {
        let bot = bot(seat.level, thinks);
        tasks.spawn(play_as(url.to_owned(), seat, bot));
    }
    while tasks.join_next().await.is_some() {}
}

fn bot(level: Level, thinks: &Thinks) -> Bot {
    let (brain, games) = match thinks {
        Thinks::Searcher(pool) => (Brain::Level { level, pool: pool.clone(), overhead: OVERHEAD }, GAMES),
        Thinks::Engine(path) => {
            let config = EngineConfig { level: Some(level), overhead: OVERHEAD, ..EngineConfig::new(path) };
            (Brain::Engine(config), ENGINE_GAMES)
        }
    };
    let terms = Terms { games, ..Terms::default() };
    Bot { terms, unclocked: UNCLOCKED, pause: PAUSE, seed: level.number().into(), ..Bot::new(brain) }
}

async fn play_as(url: String, seat: Seat, bot: Bot) {
    let level = seat.level;
    let ended = loop {
        match Client::connect(&url, Identity::Token(seat.token.clone())).await {
            Err(Error::Unreachable(_)) => tokio::time::sleep(RETRY_AFTER).await,
            Err(error) => break error,
            Ok(client) => match run(&client, &bot).await {
                Err(error) => break error,
                Ok(()) => return,
            },
        }
    };
    tracing::error!(%level, error = %ended, "the computer does not play at this level any more");
}
