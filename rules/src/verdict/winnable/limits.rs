//! What a search may spend, and what it came to.
//!
//! Values that all searches of this module share. Deliberately absent: how the limit is divided
//! among them; that is `search_schedule`.

use crate::board::Move;

/// How far a question may go.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// How many positions all searches for one side may visit together. Each costs 50 to 60 bytes
    /// while its search runs, and twice that at worst.
    pub nodes: u32,
    /// Called now and then; `false` ends the search undecided.
    pub keep_going: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

impl Limits<'_> {
    /// A limit of `nodes` positions, without a way to stop the search early.
    #[must_use]
    pub const fn nodes(nodes: u32) -> Self {
        Self { nodes, keep_going: &|| true }
    }
}

/// What one search came to.
pub(super) enum Found {
    /// A series of moves that ends with checkmate.
    Mate(Vec<Move>),
    /// There is no checkmate; this many positions were visited.
    Nothing(u32),
    /// The limit was reached, or the search was stopped, after this many positions.
    Undecided(u32),
}
