//! Games as they are read from storage for people: one game, and a page of those that somebody has finished.
//!
//! Reading and understanding what was read are two steps, so that the second, which takes the processor's time, can be
//! taken on another thread. What a list needs is counted from the records: no position is set up.

use zeitnot_protocol::{AccountId, Code, GameId, PlayedGame, PlayedGames};
use zeitnot_rules::game::{Event, Game};

use super::finding::{code_of, is_rated, read};
use super::replay::ReplayedGame;
use super::snapshot::RatingChanges;
use super::{Games, event_messages};
use crate::net::Address;
use crate::storage::{self, Tail};

/// The most games of one page.
const PAGE: usize = 50;

/// The records of a game, live or ended.
#[derive(Debug)]
pub(crate) struct StoredGame {
    tail: Tail,
    /// What its end has done to ratings.
    pub(crate) ratings: Option<RatingChanges>,
}

impl StoredGame {
    /// The game that they lead to; `None` when there is no such game.
    pub(crate) fn fold(&self) -> Option<Game> {
        ReplayedGame::fold(&self.tail).map(|stored| stored.game)
    }
}

/// The records of a page of finished games, and of one more that says whether there is another page.
#[derive(Debug)]
pub(crate) struct StoredPage(Vec<storage::FinishedGame>);

impl StoredPage {
    /// The page as a list shows it.
    pub(crate) fn view(mut self) -> PlayedGames {
        let is_last = self.0.len() <= PAGE;
        self.0.truncate(PAGE);
        let next = self.0.last().filter(|_| !is_last).map(|last| last.place.to_string());
        let games = self.0.iter().filter_map(view).collect();
        PlayedGames { games, next }
    }
}

impl Games {
    /// Reads a game, live or ended. To be called with a turn at the archive, which also folds it.
    ///
    /// # Errors
    /// [`Code::Unavailable`] or [`Code::Damaged`].
    pub(crate) async fn stored(&self, game: GameId) -> Result<StoredGame, Code> {
        let tail = read(&self.shared().store, game).await?;
        let ratings = self.rating_changes(game, tail.has_ended() && is_rated(&tail)).await;
        Ok(StoredGame { tail, ratings })
    }

    /// The durable state of a game, live or ended, for a session at an address, which waits until it is its turn as for
    /// a snapshot; `None` when there is no such game.
    ///
    /// # Errors
    /// As [`Games::stored`]; [`Code::Unavailable`], too, when too many wait.
    pub(crate) async fn read(&self, game: GameId, address: Address) -> Result<Option<Game>, Code> {
        let archive = self.archive();
        let _place = archive.enter(address).await?;
        let stored = self.stored(game).await?;
        Ok(archive.make(move || stored.fold()).await?)
    }

    /// Reads a page of the finished games of an account, the last one first: those after the cursor
    /// `before`, which the previous page named as its `next`.
    ///
    /// # Errors
    /// [`Code::Unavailable`] or [`Code::Damaged`].
    pub(crate) async fn played(&self, account: AccountId, before: Option<u64>) -> Result<StoredPage, Code> {
        let page = self.shared().store.finished_games(account, before, PAGE + 1).await;
        page.map(StoredPage).map_err(|error| code_of(&error, "the games of", account))
    }

    /// The ids of an account's games whose end is not durable.
    pub(crate) fn live_ids(&self, account: AccountId) -> Vec<GameId> {
        self.unended_of(account)
    }
}

/// `None` for records that do not begin a game and end it.
fn view(played: &storage::FinishedGame) -> Option<PlayedGame> {
    let mut events = played.records.iter().flat_map(|record| &record.events);
    let Some(Event::Started(setup)) = events.next() else { return None };
    let (mut ply_count, mut outcome) = (0_u32, None);
    for event in events {
        match event {
            Event::MovePlayed { .. } => ply_count += 1,
            Event::TakenBack { plies, .. } => ply_count = ply_count.saturating_sub(u32::from(*plies)),
            Event::Ended { outcome: found, .. } => outcome = Some(found),
            _ => {}
        }
    }
    let outcome = outcome?;
    Some(PlayedGame {
        game: played.game,
        players: event_messages::players(setup),
        variant: setup.variant.into(),
        time_control: event_messages::time_control(setup),
        score: outcome.score.into(),
        reason: outcome.reason.into(),
        ply_count,
        began: event_messages::began(setup),
        ended: u32::try_from(played.ended_unix_ms / 1_000).unwrap_or(u32::MAX),
        rated: setup.rated,
        imported: setup.imported,
    })
}
