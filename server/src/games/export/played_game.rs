//! A finished game as a list shows it. What that needs is counted from the records: no position is set up.

use zeitnot_protocol::PlayedGame;
use zeitnot_rules::game::Event;

use crate::games::event_messages;
use crate::storage::FinishedGame;

/// A game as a list shows it; `None` for records that do not begin a game and end it.
pub(crate) fn played_game(played: &FinishedGame) -> Option<PlayedGame> {
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
