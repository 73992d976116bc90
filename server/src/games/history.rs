//! The games that somebody has played, as a list shows them.
//!
//! What a list needs is counted from the records: no position is set up, so a page of long games is
//! cheap.

use zeitnot_protocol::{AccountId, GameId, PlayedGame, PlayedGames};
use zeitnot_rules::game::Event;

use super::{Games, event_messages};
use crate::storage::{self, ReadError};

/// The most games of one page.
const PAGE: usize = 50;

impl Games {
    /// A page of the finished games of an account, the last one first: those after the cursor
    /// `before`, which the previous page named as its `next`.
    ///
    /// # Errors
    /// When the journal cannot be read now.
    pub(crate) async fn played(
        &self,
        account: AccountId,
        before: Option<u64>,
    ) -> Result<PlayedGames, ReadError> {
        // One more says whether there is another page.
        let mut played = self.shared().store.finished_games(account, before, PAGE + 1).await?;
        let is_last = played.len() <= PAGE;
        played.truncate(PAGE);
        let next = played.last().filter(|_| !is_last).map(|last| last.place.to_string());
        let games = played.iter().filter_map(view).collect();
        Ok(PlayedGames { games, next })
    }

    /// The ids of an account's games whose end is not durable.
    pub(crate) fn live_ids(&self, account: AccountId) -> Vec<GameId> {
        self.live_of(account).iter().map(super::GameHandle::id).collect()
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
    })
}
