//! What was played of a game before a stream of it was opened: its description, and a line for each position.
//!
//! The lines are made one by one, when there is room for them: a long game has thousands.
//!
//! Deliberately absent: what comes afterwards (`watcher`).

use std::vec;

use bytes::Bytes;
use serde_json::Value;
use zeitnot_protocol::{PlyView, Uci, WireVariant};
use zeitnot_rules::board::Position;
use zeitnot_rules::notation::{fen, uci};

use crate::lichess_api::game_view::{GameView, Shown};

/// A ply on the board, and the clocks after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PastPly {
    pub(super) uci: Uci,
    pub(super) white_ms: Option<u32>,
    pub(super) black_ms: Option<u32>,
}

impl From<&PlyView> for PastPly {
    fn from(ply: &PlyView) -> Self {
        Self { uci: ply.uci, white_ms: ply.white_ms, black_ms: ply.black_ms }
    }
}

/// The lines that come first.
#[derive(Debug)]
pub(super) struct Past {
    first: Option<Value>,
    start: Option<Shown>,
    position: Option<Position>,
    variant: WireVariant,
    plies: vec::IntoIter<PastPly>,
    /// The description of a game that has ended.
    last: Option<Value>,
}

impl Past {
    /// Those of a game with these plies.
    pub(super) fn of(view: &GameView, plies: Vec<PastPly>) -> Self {
        let (description, clock) = (view.description(), view.start_clock());
        let start = Shown { fen: view.start_fen().to_owned(), last: None, white_ms: clock, black_ms: clock };
        Self {
            last: view.outcome.is_some().then(|| description.clone()),
            first: Some(description),
            position: fen::parse(&start.fen).ok(),
            start: Some(start),
            variant: view.variant,
            plies: plies.into_iter(),
        }
    }

    fn next_position(&mut self) -> Option<Shown> {
        let ply = self.plies.next()?;
        let position = self.position.as_mut()?;
        let mv = uci::parse(&ply.uci.to_string(), position, self.variant.into()).ok()?;
        position.play(mv).ok()?;
        let PastPly { uci, white_ms, black_ms } = ply;
        Some(Shown { fen: fen::write(position), last: Some(uci), white_ms, black_ms })
    }
}

impl Iterator for Past {
    type Item = Bytes;

    fn next(&mut self) -> Option<Bytes> {
        let line = (self.first.take())
            .or_else(|| self.start.take().map(|start| start.object()))
            .or_else(|| self.next_position().map(|shown| shown.object()))
            .or_else(|| self.last.take())?;
        Some(format!("{line}\n").into())
    }
}
