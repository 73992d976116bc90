//! A fence: when a deadline has passed, every connection of the players answers once that it has
//! forwarded all it had read. Then every command stamped before the deadline is in the mailbox.
//!
//! Both players' connections are asked: a resignation, an acceptance or a claim of the opponent
//! that was stamped before the flag is handled first too (6.9). The connections of another node are asked by its mirror, also
//! those of which nothing is known here yet.

use std::time::Duration;

use zeitnot_rules::game::GameInstant;

use crate::connections::{ConnectionId, FENCE_PATIENCE};
use crate::time::ServiceInstant;

/// How long the mirror of another node may take: its sessions as long as those here, and the way to it and back as long as a
/// link may be silent.
const PATIENCE_ELSEWHERE: Duration = Duration::from_secs(6);

/// A question to every connection of the players here and to every mirror, and who has not answered.
#[derive(Debug)]
pub(super) struct Fence {
    /// What an answer names.
    pub(super) number: u32,
    /// The deadline that has passed.
    pub(super) deadline: GameInstant,
    /// When silent connections are given up.
    pub(super) give_up: ServiceInstant,
    /// When it was put up.
    since: ServiceInstant,
    silent: Vec<ConnectionId>,
}

impl Fence {
    /// A fence that nobody has to answer yet.
    pub(super) fn new(number: u32, deadline: GameInstant, at: ServiceInstant) -> Self {
        Self { number, deadline, give_up: at + FENCE_PATIENCE, since: at, silent: Vec::new() }
    }

    /// One more connection has to answer.
    pub(super) fn ask(&mut self, connection: ConnectionId) {
        if connection.node().is_some() {
            self.give_up = self.since + PATIENCE_ELSEWHERE;
        }
        self.silent.push(connection);
    }

    /// A connection has answered, or is gone.
    pub(super) fn answered(&mut self, connection: ConnectionId) {
        self.silent.retain(|silent| *silent != connection);
    }

    /// Whether everything stamped before the deadline is in.
    pub(super) fn is_complete(&self) -> bool {
        self.silent.is_empty()
    }

    /// Who has not answered, and now is done with.
    pub(super) fn give_up(&mut self) -> Vec<ConnectionId> {
        std::mem::take(&mut self.silent)
    }
}
