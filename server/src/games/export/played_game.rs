//! A finished game as a list shows it. What that needs is counted from the records: no position is set up.

use zeitnot_protocol::PlayedGame;

use crate::games::event_messages;
use crate::storage::{EndedGame, FinishedGame};

/// A game as a list shows it; `None` for records that do not begin a game and end it.
pub(crate) fn played_game(played: &FinishedGame) -> Option<PlayedGame> {
    let ended = played.ended()?;
    let EndedGame { setup, outcome, correction, .. } = ended;
    Some(PlayedGame {
        game: played.game,
        players: event_messages::players(setup),
        variant: setup.variant.into(),
        time_control: event_messages::time_control(setup),
        score: outcome.score.into(),
        reason: outcome.reason.into(),
        played_out: correction.map(|correction| event_messages::played_out(ended.played, correction)),
        ply_count: u32::try_from(ended.moves().len()).unwrap_or(u32::MAX),
        began: event_messages::began(setup),
        ended: u32::try_from(played.ended_unix_ms / 1_000).unwrap_or(u32::MAX),
        rated: setup.rated,
        imported: setup.imported.is_some(),
        origin: event_messages::origin(setup),
    })
}
