//! A finished game as a list shows it. The records say all of it: its moves are played, and nothing is decided again.

use zeitnot_protocol::{PlayedGame, Uci};
use zeitnot_rules::board::{Move, Position};
use zeitnot_rules::game::GameSetup;
use zeitnot_rules::notation::fen;

use crate::games::event_messages;
use crate::openings;
use crate::storage::{EndedGame, FinishedGame};

/// A game as a list shows it; `None` for records that do not begin a game and end it.
pub(crate) fn played_game(played: &FinishedGame) -> Option<PlayedGame> {
    let ended = played.ended()?;
    let EndedGame { setup, outcome, correction, .. } = ended;
    let moves = ended.moves();
    let (position, last) = end_of(setup, &moves);
    let opening = openings::of_line(&setup.start, moves.iter().copied());
    Some(PlayedGame {
        game: played.game,
        players: event_messages::players(setup),
        variant: setup.variant.into(),
        time_control: event_messages::time_control(setup),
        score: outcome.score.into(),
        reason: outcome.reason.into(),
        played_out: correction.map(|correction| event_messages::played_out(ended.played, correction)),
        ply_count: u32::try_from(moves.len()).unwrap_or(u32::MAX),
        fen: fen::write(&position),
        last,
        began: event_messages::began(setup),
        ended: u32::try_from(played.ended_unix_ms / 1_000).unwrap_or(u32::MAX),
        rated: setup.rated,
        ratings: played.ratings.as_ref().map(event_messages::rating_steps),
        opening: opening.map(|(opening, ply)| Box::new(opening.shown(ply))),
        imported: setup.imported.is_some(),
        origin: event_messages::origin(setup),
    })
}

/// The position after these moves, and the last of them.
fn end_of(setup: &GameSetup, moves: &[Move]) -> (Position, Option<Uci>) {
    let mut position = setup.start.clone();
    let mut last = None;
    for (n, mv) in moves.iter().enumerate() {
        if n + 1 == moves.len() {
            last = Some(event_messages::wire_uci(*mv, &position, setup.variant));
        }
        position.play_unchecked(*mv);
    }
    (position, last)
}
