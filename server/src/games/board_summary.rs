//! What a small board shows of a live game, without asking its actor: what never changes, and the
//! last position.
//!
//! Invariant: the position is that of the last event that was committed and published, or is just
//! being published.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use zeitnot_protocol::{GameId, LiveGame, Uci};
use zeitnot_rules::board::Position;
use zeitnot_rules::game::{Game, GameSetup, TimeControl};
use zeitnot_rules::notation::fen;

use super::event_messages;
use crate::sync::unpoisoned;

/// The board after an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BoardSummary {
    pub(crate) position: Position,
    /// The last move, if there is one on the board.
    pub(crate) last: Option<Uci>,
    pub(crate) ply_count: u32,
    /// The game has ended.
    pub(crate) has_ended: bool,
}

impl BoardSummary {
    /// The board of a game whose last move is known.
    pub(crate) fn of(game: &Game, last: Option<Uci>) -> Self {
        let (position, ply_count) = (game.position().clone(), game.ply_count());
        Self { position, last, ply_count, has_ended: game.has_ended() }
    }
}

/// The last move on the board, found by playing the game again: for a recovered game, and after a
/// takeback.
pub(crate) fn last_move(game: &Game) -> Option<Uci> {
    let mut position = game.setup().start.clone();
    let mut last = None;
    for played in game.moves() {
        if played.ply == game.ply_count() {
            last = Some(event_messages::wire_uci(played.mv, &position, game.variant()));
        }
        position.play_unchecked(played.mv);
    }
    last
}

/// What a small board shows of one live game.
#[derive(Debug)]
pub(crate) struct GameSummary {
    setup: Arc<GameSetup>,
    /// That of the face, for a look without the lock.
    has_ended: AtomicBool,
    face: Mutex<BoardSummary>,
}

impl GameSummary {
    /// A game of this setup whose board is that.
    pub(crate) fn new(setup: Arc<GameSetup>, face: BoardSummary) -> Self {
        Self { setup, has_ended: AtomicBool::new(face.has_ended), face: Mutex::new(face) }
    }

    /// The board has changed.
    pub(crate) fn set(&self, face: BoardSummary) {
        self.has_ended.store(face.has_ended, Ordering::Release);
        *unpoisoned(self.face.lock()) = face;
    }

    /// The board.
    pub(crate) fn board(&self) -> BoardSummary {
        unpoisoned(self.face.lock()).clone()
    }

    /// Whether the game has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Acquire)
    }

    /// Whether the game is played with clocks.
    pub(crate) fn has_clocks(&self) -> bool {
        matches!(self.setup.time_control, TimeControl::Clock(_))
    }

    /// What the game started from.
    pub(crate) fn setup(&self) -> &GameSetup {
        &self.setup
    }

    /// When the game began, in milliseconds of Unix time.
    pub(crate) fn began_unix_ms(&self) -> u64 {
        self.setup.began_unix_ms
    }

    /// The game as the lobby shows it, but for its clocks.
    pub(crate) fn view(&self, game: GameId, watchers: u32) -> LiveGame {
        let BoardSummary { position, last, ply_count, .. } = self.board();
        LiveGame {
            game,
            players: event_messages::players(&self.setup),
            variant: self.setup.variant.into(),
            time_control: event_messages::time_control(&self.setup),
            rated: self.setup.rated,
            fen: fen::write(&position),
            last,
            ply_count,
            watchers,
            white_ms: None,
            black_ms: None,
            running: None,
        }
    }
}
