//! Commands that sessions of this node have read, of games that have to be found first: which games those are.
//!
//! A mirror that has just attached does not answer its owner's fence before they are handed over: they may have been read in time.
//!
//! Invariant: a command counts until its [`WaitingCommand`] is dropped, which is after it was handed over or rejected.

use std::sync::Arc;

use dashmap::{DashMap, Entry};
use zeitnot_protocol::GameId;

use super::Across;
use super::mirror_task::MirrorMail;

/// A command that waits until its game is found.
#[derive(Debug)]
pub(crate) struct WaitingCommand {
    game: GameId,
    across: Arc<Across>,
}

/// How many commands wait for each game.
#[derive(Debug, Default)]
pub(super) struct WaitingCommands(DashMap<GameId, usize>);

impl WaitingCommands {
    pub(super) fn has(&self, game: GameId) -> bool {
        self.0.contains_key(&game)
    }

    fn add(&self, game: GameId) {
        *self.0.entry(game).or_default() += 1;
    }

    /// One waits no longer. Whether it was the last one.
    fn remove(&self, game: GameId) -> bool {
        let Entry::Occupied(mut count) = self.0.entry(game) else { return false };
        *count.get_mut() -= 1;
        let is_last = *count.get() == 0;
        if is_last {
            count.remove();
        }
        is_last
    }
}

impl WaitingCommand {
    /// A command was read, and waits from now on.
    pub(in crate::games) fn new(across: &Arc<Across>, game: GameId) -> Self {
        across.waiting.add(game);
        Self { game, across: Arc::clone(across) }
    }
}

impl Drop for WaitingCommand {
    fn drop(&mut self) {
        if self.across.waiting.remove(self.game)
            && let Some(mirror) = self.across.mirrors.get(&self.game)
        {
            mirror.mail.send_reserved(MirrorMail::NoCommandWaits);
        }
    }
}
