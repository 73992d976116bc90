//! Finished games outside: as PGN, as one JSON object a line, and as a list shows them.

mod pgn;
mod played_game;
mod proof_text;

use zeitnot_protocol::WholeGame;
use zeitnot_rules::board::Position;
use zeitnot_rules::game::Game;
use zeitnot_rules::notation::{fen, uci};

pub(crate) use pgn::{date_and_time, write as pgn};
pub(crate) use played_game::played_game;

use crate::net::Origin;
use crate::storage::FinishedGame;

/// How finished games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportFormat {
    /// One after the other, with an empty line between.
    Pgn,
    /// One a line.
    Ndjson,
}

impl ExportFormat {
    /// Appends a game to `text`. `site`: our origin, if it is known.
    ///
    /// # Panics
    /// When its records make no game.
    pub fn write(self, ended: &FinishedGame, site: Option<&Origin>, text: &mut String) {
        let game = Game::replay(ended.records.iter().flat_map(|record| &record.events));
        match self {
            Self::Pgn => text.push_str(&pgn(ended.game, &game, ended.correction, site)),
            Self::Ndjson => {
                let line = whole(ended, &game).and_then(|whole| serde_json::to_string(&whole).ok());
                text.push_str(&line.unwrap_or_default());
            }
        }
        text.push('\n');
    }
}

/// A game with its moves and clocks.
fn whole(ended: &FinishedGame, game: &Game) -> Option<WholeGame> {
    let (variant, mut position) = (game.variant(), game.setup().start.clone());
    let is_usual = position == Position::standard();
    let start = (!is_usual).then(|| fen::write(&position));
    let (mut moves, mut clocks_ms) = (Vec::new(), Vec::new());
    for played in game.moves() {
        moves.push(uci::write(played.mv, &position, variant).to_string());
        position.play_unchecked(played.mv);
        if let Some(time) = played.time {
            clocks_ms.push(u32::try_from(time.clocks[played.by].0 / 1_000).unwrap_or(u32::MAX));
        }
    }
    Some(WholeGame { game: played_game(ended)?, start, moves: moves.join(" "), clocks_ms })
}
