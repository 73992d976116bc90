//! A bot account on a server: it accepts challenges that fit, and plays each game in a task of its own.
//!
//! It speaks to the server through `zeitnot-client`, which reconnects, resumes and sends again: so a bot
//! that was started again goes on with its games, and one whose server was does too. Deliberately absent:
//! challenging others, rematch offers, chat.
//!
//! Invariants: no more games at once than [`Terms::games`] are accepted. Every challenge to the account is
//! accepted or declined with a reason. All tasks end with [`run`].

mod game;
mod manners;
mod terms;

use std::collections::HashMap;
use std::time::Duration;

use tokio::task::JoinSet;
use zeitnot_client::protocol::{AccountId, Challenge, ChallengeId, DeclineReason, GameId, WireColor};
use zeitnot_client::{Client, Error, Event, Game};

pub use terms::{Load, Terms};

use crate::search::mixed;
use crate::thinker::Brain;

/// How a bot plays.
#[derive(Clone, Debug)]
pub struct Bot {
    /// Which challenges it accepts.
    pub terms: Terms,
    /// What it thinks with.
    pub brain: Brain,
    /// How long it thinks about a move where there is no clock.
    pub unclocked: Duration,
    /// How long a move takes at least, so that its opponent sees the own move first. With less than a hundred times that
    /// left on the clock it is a hundredth of what is left.
    pub pause: Duration,
    /// It resigns after some turns below this score, in centipawns; `None`: it plays on until checkmate.
    pub resign_below: Option<i32>,
    /// Whether it lets its opponents take moves back.
    pub takebacks: bool,
    /// What everything that is drawn by lot follows from, with the game's name.
    pub seed: u64,
}

impl Bot {
    /// A bot with usual settings.
    #[must_use]
    pub fn new(brain: Brain) -> Self {
        Self {
            terms: Terms::default(),
            brain,
            unclocked: Duration::from_secs(2),
            pause: Duration::ZERO,
            resign_below: None,
            takebacks: true,
            seed: 1,
        }
    }

    /// What a game's lots are drawn from.
    fn seed_of(&self, game: GameId) -> u64 {
        let fold = |hash: u64, byte: u8| mixed(hash ^ u64::from(byte));
        game.as_str().bytes().fold(mixed(self.seed), fold).max(1)
    }
}

/// A game that is being played, or is about to begin.
#[derive(Clone, Copy, Debug)]
struct Entry {
    slow: bool,
    opponent: Option<AccountId>,
    /// Whether a task plays it.
    begun: bool,
}

/// Plays as the account of `client` until an error ends it: a token that was revoked, or a server that
/// closed the connection for good. To drop the future ends all games' tasks; the games go on when it is
/// run again.
///
/// # Errors
/// What ended the client.
pub async fn run(client: &Client, bot: &Bot) -> Result<(), Error> {
    let mut events = client.events().await?;
    let mut account = Account { client, bot, games: HashMap::new(), tasks: JoinSet::new() };
    loop {
        tokio::select! {
            event = events.next() => account.react(event?).await?,
            Some(ended) = account.tasks.join_next() => {
                if let Ok(game) = ended {
                    account.games.remove(&game);
                }
            }
        }
    }
}

struct Account<'a> {
    client: &'a Client,
    bot: &'a Bot,
    /// At most [`Terms::games`], and those that were in progress at the start.
    games: HashMap<GameId, Entry>,
    tasks: JoinSet<GameId>,
}

impl Account<'_> {
    async fn react(&mut self, event: Event) -> Result<(), Error> {
        match event {
            Event::Challenge(challenge) => self.consider(&challenge).await,
            Event::ChallengeGone(gone) if gone.game.is_none() => {
                self.games.remove(&GameId::from(gone.challenge));
                Ok(())
            }
            Event::Game(game) => self.begin(game).await,
            // All that is open now follows.
            Event::Missed => {
                self.games.retain(|_, entry| entry.begun);
                Ok(())
            }
            Event::Disconnected { retry_in } => {
                tracing::info!(?retry_in, "the connection is lost");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Accepts or declines a challenge to the account.
    async fn consider(&mut self, challenge: &Challenge) -> Result<(), Error> {
        let me = self.client.account();
        let game = GameId::from(challenge.challenge);
        let entry = Entry {
            slow: terms::is_slow(&challenge.time_control),
            opponent: Some(challenge.by.account),
            begun: false,
        };
        if let Some(acceptor) = &challenge.accepted_by {
            if Some(acceptor.account) == me {
                self.games.entry(game).or_insert(entry);
            }
            return Ok(());
        }
        if challenge.to != me || Some(challenge.by.account) == me || self.games.contains_key(&game) {
            return Ok(());
        }
        match self.bot.terms.objection(challenge, self.load(challenge.by.account)) {
            Some(reason) => self.decline(challenge.challenge, reason).await,
            None => {
                self.games.insert(game, entry);
                match self.client.accept_challenge(challenge.challenge).await {
                    // It begins now, or when its owner is there again: an event tells of it.
                    Ok(_) => Ok(()),
                    Err(error) => {
                        self.games.remove(&game);
                        tolerate(error)?;
                        self.decline(challenge.challenge, DeclineReason::Later).await
                    }
                }
            }
        }
    }

    async fn decline(&self, challenge: ChallengeId, reason: DeclineReason) -> Result<(), Error> {
        self.client.decline_challenge(challenge, reason).await.or_else(tolerate)
    }

    fn load(&self, challenger: AccountId) -> Load {
        let count = |what: fn(&Entry) -> bool| self.games.values().filter(|entry| what(entry)).count();
        let against = self.games.values().filter(|entry| entry.opponent == Some(challenger)).count();
        Load { games: self.games.len(), slow: count(|entry| entry.slow), against_challenger: against }
    }

    /// Starts the task of a game that has begun, or goes on.
    async fn begin(&mut self, id: GameId) -> Result<(), Error> {
        if self.games.get(&id).is_some_and(|entry| entry.begun) {
            return Ok(());
        }
        let game = match self.client.game(id).await {
            Ok(game) => game,
            Err(error) => return tolerate(error),
        };
        let state = game.state();
        let Some(color) = state.color else { return Ok(()) };
        let opponent = match color {
            WireColor::White => &state.players.black,
            WireColor::Black => &state.players.white,
        };
        let slow = terms::is_slow(&state.time_control);
        self.games.insert(id, Entry { slow, opponent: Some(opponent.account), begun: true });
        tracing::info!(game = %id.as_str(), opponent = %opponent.name, "plays");
        self.tasks.spawn(play(game, self.bot.clone()));
        Ok(())
    }
}

/// Plays a game to its end. What ends the client is told to [`run`] too.
async fn play(game: Game, bot: Bot) -> GameId {
    let id = game.id();
    match game::play(game, &bot).await {
        Ok(outcome) => tracing::info!(game = %id.as_str(), ?outcome, "has ended"),
        Err(error) => tracing::warn!(game = %id.as_str(), %error, "is not played on"),
    }
    id
}

/// Goes on after a rejection, and where no answer came; what ends the client is an error.
fn tolerate(error: Error) -> Result<(), Error> {
    match error {
        Error::Closed { .. } | Error::Stopped | Error::Upgrade { .. } => Err(error),
        other => {
            tracing::debug!(error = %other, "a command has failed");
            Ok(())
        }
    }
}
