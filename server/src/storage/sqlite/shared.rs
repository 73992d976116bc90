//! What the readers know of what is committed. The writer changes it after each commit and before its answers.

use std::sync::RwLock;

use dashmap::{DashMap, DashSet};
use zeitnot_protocol::GameId;

use super::game_rows::Segments;
use crate::storage::writer_state::WriterState;
use crate::sync::unpoisoned;

/// What is committed, as far as readers need to know.
pub(super) struct Shared {
    /// The last row of every live game.
    pub(super) heads: DashMap<GameId, u64>,
    /// Games whose rows cannot be read.
    pub(super) set_aside: DashSet<GameId>,
    segments: RwLock<Segments>,
    pub(super) writer: WriterState,
}

impl Shared {
    pub(super) fn new(segments: Segments) -> Self {
        Self {
            heads: DashMap::new(),
            set_aside: DashSet::new(),
            segments: RwLock::new(segments),
            writer: WriterState::default(),
        }
    }

    pub(super) fn segments(&self) -> Segments {
        unpoisoned(self.segments.read()).clone()
    }

    pub(super) fn set_segments(&self, segments: &Segments) {
        unpoisoned(self.segments.write()).clone_from(segments);
    }
}
