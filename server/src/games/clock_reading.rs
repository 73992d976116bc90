//! What a game's clocks show, as a value that outlives the look at the game: so that a session can
//! say `clock` at any instant without asking the actor.

use zeitnot_protocol::{Clock, CommandId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Game, Micros, Seq};

use crate::time::ServiceInstant;

/// The clocks after an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockReading {
    /// The event the clocks stand after.
    pub seq: Seq,
    /// Both clocks at the start of the running turn, or as they stopped; `None` in a game without
    /// clocks.
    pub clocks: Option<ByColor<Micros>>,
    /// Whose clock runs, and when it will show 0. It stands still as long as more than its time is
    /// left until then: delay and what is forgiven for the network come first.
    pub running: Option<(Color, ServiceInstant)>,
    /// The event that made the position on the board.
    pub base: Seq,
    /// When its turn began; after an interruption, when it would have begun without one. `None` while it stands.
    pub began: Option<ServiceInstant>,
    /// When the first move of the side to move is late; `None` while no such move is awaited.
    pub first_move: Option<ServiceInstant>,
}

impl ClockReading {
    /// The clocks of a game that nobody plays on here: they stand.
    pub(crate) fn standing(game: &Game) -> Self {
        let (seq, base) = (game.seq(), game.position_seq());
        Self { seq, clocks: game.clocks(), running: None, base, began: None, first_move: None }
    }

    /// Both clocks at `at`.
    pub fn shown(&self, at: ServiceInstant) -> Option<ByColor<Micros>> {
        let mut clocks = self.clocks?;
        if let Some((seat, zero)) = self.running {
            let left = Micros(zero.0.saturating_sub(at.0));
            clocks[seat] = clocks[seat].min(left);
        }
        Some(clocks)
    }

    /// The message for `at`. `id` is that of the `watch` it answers.
    pub fn message(&self, id: Option<CommandId>, game: GameId, at: ServiceInstant) -> Clock {
        let shown = self.shown(at);
        let stands = self.running.zip(self.clocks).map_or(Micros::ZERO, |((seat, zero), clocks)| {
            Micros(zero.0.saturating_sub(at.0).saturating_sub(clocks[seat].0))
        });
        Clock {
            id,
            game,
            seq: self.seq,
            white_ms: shown.map(|clocks| clocks.white.to_ms_up()),
            black_ms: shown.map(|clocks| clocks.black.to_ms_up()),
            running: self.running.map(|(seat, _)| seat.into()),
            stands_ms: stands.to_ms_up(),
            first_move_ms: self.first_move.map(|late| Micros(late.0.saturating_sub(at.0)).to_ms_up()),
        }
    }
}
