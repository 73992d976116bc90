//! The live games of a data folder at a start: folded record by record while storage is read, then
//! given their actors. Those at rest are only listed.
//!
//! Invariants: a game whose records do not follow from each other is rejected, and storage sets it
//! aside; every other game gets its actor. The actor resumes the turn when the player to move is
//! back or after a while, and asks an open question again.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use zeitnot_protocol::GameId;
use zeitnot_rules::game::Event;

use super::Games;
use super::machine::GameMachine;
use super::replay::ReplayedGame;
use crate::storage::{Found, FoundGame, JournalOffset, Rebuild, Record};

/// Games on the way from records to actors.
#[derive(Debug, Default)]
pub struct RecoveredGames(HashMap<GameId, Box<ReplayedGame>>);

impl Rebuild for RecoveredGames {
    fn record(&mut self, record: &Record) -> Result<(), String> {
        match self.0.get_mut(&record.game) {
            Some(stored) => guarded(|| stored.add(record)),
            None => self.begin(record),
        }
    }

    fn all(&mut self, game: GameId, records: &[Arc<Record>]) -> Result<(), String> {
        self.forget(game);
        records.iter().try_for_each(|record| self.record(record))
    }

    fn forget(&mut self, game: GameId) {
        self.0.remove(&game);
    }
}

impl RecoveredGames {
    /// What is there of a game: for tests.
    #[cfg(test)]
    pub(super) fn get(&self, game: GameId) -> Option<&ReplayedGame> {
        self.0.get(&game).map(AsRef::as_ref)
    }

    fn begin(&mut self, record: &Record) -> Result<(), String> {
        if !matches!(record.events.first(), Some(Event::Started(_))) {
            return Err("its first event begins no game".to_owned());
        }
        let stored = guarded(|| Box::new(ReplayedGame::begun(record, JournalOffset::NONE)))?;
        self.0.insert(record.game, stored);
        Ok(())
    }
}

/// The rules panic on events that nobody can have decided; a checksum keeps such records out, but
/// for a bug.
fn guarded<T>(fold: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(fold)).map_err(|_| "the rules know no such event there".to_owned())
}

impl Games {
    /// Gives every game that was found its actor, or lists it as at rest, and wakes those from then on
    /// when they are due. To be called once, before anybody asks for games.
    pub fn recover_all(&self, rebuilt: RecoveredGames, found: &Found) {
        let RecoveredGames(mut games) = rebuilt;
        let (shared, now) = (self.shared(), self.shared().clock.now());
        found.resting.iter().for_each(|resting| shared.found_at_rest(resting));
        for FoundGame { game, offset, spent } in &found.live {
            let Some(mut stored) = games.remove(game) else {
                tracing::error!(%game, "a game that was found was not rebuilt: it cannot be played on");
                continue;
            };
            stored.offset = *offset;
            stored.spent = *spent;
            stored.answers.trim();
            shared.run(GameMachine::recovered(*stored, now));
        }
        shared.tasks.spawn(Arc::clone(shared).wake_due());
    }
}
