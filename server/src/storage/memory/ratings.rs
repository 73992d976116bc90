//! Ratings in memory: the changes of each player in each category. Where a player stands is what the last one left.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Category, Event};

use super::ended_unix_ms;
use crate::storage::rating::events;
use crate::storage::{NoRatings, Rater, RatingChange, RatingEvent, Record, Standing};
use crate::sync::unpoisoned;

/// All changes.
#[derive(Debug)]
pub(super) struct Ratings {
    rater: &'static dyn Rater,
    changes: Mutex<Changes>,
}

/// By player and by game, under one lock.
#[derive(Debug, Default)]
struct Changes {
    /// In the order of their numbers, without gaps.
    of_player: BTreeMap<(AccountId, Category), Vec<RatingEvent>>,
    of_game: HashMap<GameId, ByColor<RatingChange>>,
}

impl Changes {
    fn standing(&self, account: AccountId, category: Category) -> Option<Standing> {
        Some(self.of_player.get(&(account, category))?.last()?.standing())
    }
}

impl Default for Ratings {
    fn default() -> Self {
        Self::with(&NoRatings)
    }
}

impl Ratings {
    /// No changes; those to come are what `rater` says.
    pub(super) fn with(rater: &'static dyn Rater) -> Self {
        Self { rater, changes: Mutex::default() }
    }

    fn changes_so_far(&self) -> MutexGuard<'_, Changes> {
        unpoisoned(self.changes.lock())
    }

    /// A game has ended.
    pub(super) fn note(&self, game: GameId, records: &[Arc<Record>]) {
        let Some(counted) = self.rater.counts(records) else { return };
        let Some(Event::Started(setup)) = records.first().and_then(|first| first.events.first()) else {
            return;
        };
        let at = ended_unix_ms(setup.began_unix_ms, records);
        let mut changes = self.changes_so_far();
        let before = counted.players.map(|account| changes.standing(account, counted.category));
        let events = events(self.rater, game, &counted, before, at);
        for color in Color::ALL {
            let key = (counted.players[color], counted.category);
            changes.of_player.entry(key).or_default().push(events[color]);
        }
        changes.of_game.insert(game, events.map(|event| event.change));
    }

    pub(super) fn changes(&self, game: GameId) -> Option<ByColor<RatingChange>> {
        self.changes_so_far().of_game.get(&game).copied()
    }

    pub(super) fn standings(&self, account: AccountId) -> Vec<(Category, Standing)> {
        let changes = self.changes_so_far();
        let standing = |category| Some((category, changes.standing(account, category)?));
        Category::ALL.into_iter().filter_map(standing).collect()
    }

    pub(super) fn history(
        &self,
        account: AccountId,
        category: Category,
        before: Option<u64>,
        most: usize,
    ) -> Vec<RatingEvent> {
        let changes = self.changes_so_far();
        let events = changes.of_player.get(&(account, category)).map_or(&[][..], Vec::as_slice);
        let wanted = events.iter().rev().filter(|event| before.is_none_or(|before| event.number < before));
        wanted.take(most).copied().collect()
    }
}
