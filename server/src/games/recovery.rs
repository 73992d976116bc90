//! The live games of a store at a start: folded record by record while storage is read, then given
//! their actors. Those at rest are only listed. And games of other nodes that were claimed later.
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
use crate::cluster::Hint;
use crate::storage::{ClaimedGame, Found, FoundGame, JournalOffset, Rebuild, Record};

/// Claimed games that the others are told of at once.
const TOLD_AT_ONCE: usize = 50;

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
    /// Plays on games that were claimed: each gets its actor.
    pub(crate) async fn play_on(&self, claimed: Vec<ClaimedGame>) {
        if self.shared().releasing.is_on() {
            // They were claimed at the same moment.
            return self.give_up(claimed.iter().map(|claimed| claimed.game).collect()).await;
        }
        let mut told = Vec::new();
        for ClaimedGame { game, records, offset, spent } in claimed {
            let mut rebuilt = RecoveredGames::default();
            let made = rebuilt.all(game, &records);
            match (made, rebuilt.0.remove(&game)) {
                (Ok(()), Some(stored)) => {
                    let stored = as_found(*stored, FoundGame { game, offset, spent });
                    self.shared().run(GameMachine::claimed(stored, self.shared().clock.now()));
                    told.push(game);
                }
                // It is nobody's from here on: nobody claims it again, and the store says so.
                (made, _) => {
                    let why = made.err().unwrap_or_else(|| "it has no records".to_owned());
                    drop(self.shared().store.set_aside(game, format!("its records make no game: {why}")));
                }
            }
            if told.len() == TOLD_AT_ONCE {
                self.tell_claimed(std::mem::take(&mut told));
            }
            // Moves of other games do not wait for all of them.
            tokio::task::yield_now().await;
        }
        self.tell_claimed(told);
    }

    /// Whoever follows these games elsewhere finds them here.
    fn tell_claimed(&self, games: Vec<GameId>) {
        if let Some(across) = self.shared().across()
            && !games.is_empty()
        {
            across.claimed(&games);
            across.announce(Hint::Claimed(games));
        }
    }

    fn recover(&self, stored: ReplayedGame, found: FoundGame) {
        self.shared().run(GameMachine::recovered(as_found(stored, found), self.shared().clock.now()));
    }

    /// Gives every game that was found its actor, or lists it as at rest, and wakes those from then on
    /// when they are due. To be called once, before anybody asks for games.
    pub fn recover_all(&self, rebuilt: RecoveredGames, found: &Found) {
        let RecoveredGames(mut games) = rebuilt;
        let shared = self.shared();
        found.resting.iter().for_each(|resting| shared.found_at_rest(resting));
        for found in &found.live {
            match games.remove(&found.game) {
                Some(stored) => self.recover(*stored, *found),
                None => {
                    let game = found.game;
                    tracing::error!(%game, "a game that was found was not rebuilt: it cannot be played on");
                }
            }
        }
        shared.tasks.spawn(Arc::clone(shared).wake_due());
    }
}

fn as_found(mut stored: ReplayedGame, FoundGame { offset, spent, .. }: FoundGame) -> ReplayedGame {
    (stored.offset, stored.spent) = (offset, spent);
    stored.answers.trim();
    stored
}
