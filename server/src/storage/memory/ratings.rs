//! Ratings in memory: the changes of each player in each category. Where a player stands is what the last one left.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Category, Event};

use super::ended_unix_ms;
use crate::storage::rating::{correction_events, events, in_all};
use crate::storage::{Correction, EndedGame, NoRatings, Rater, RatingChange, RatingEvent, Record, Standing};
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
    of_game: HashMap<GameId, Vec<ByColor<RatingEvent>>>,
}

impl Changes {
    fn standing(&self, account: AccountId, category: Category) -> Option<Standing> {
        Some(self.of_player.get(&(account, category))?.last()?.standing())
    }

    fn add(
        &mut self,
        game: GameId,
        players: ByColor<AccountId>,
        category: Category,
        events: ByColor<RatingEvent>,
    ) {
        for color in Color::ALL {
            self.of_player.entry((players[color], category)).or_default().push(events[color]);
        }
        self.of_game.entry(game).or_default().push(events);
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
        let Some(counted) = self.rater.counts(records, None) else { return };
        let Some(Event::Started(setup)) = records.first().and_then(|first| first.events.first()) else {
            return;
        };
        let at = ended_unix_ms(setup.began_unix_ms, records);
        let mut changes = self.changes_so_far();
        let before = counted.players.map(|account| changes.standing(account, counted.category));
        let events = events(self.rater, game, &counted, before, at);
        changes.add(game, counted.players, counted.category, events);
    }

    /// The result of a game was corrected; whether that has changed ratings.
    pub(super) fn correct(&self, game: GameId, records: &[Arc<Record>], to: Correction) -> bool {
        let Some(EndedGame { setup, .. }) = EndedGame::of(records, None) else { return false };
        let (players, category) = (setup.players.map(AccountId::from_u128), setup.category());
        let points = self.rater.counts(records, Some(to)).map(|counted| counted.points);
        let mut changes = self.changes_so_far();
        let before = players.map(|account| changes.standing(account, category));
        let past = changes.of_game.get(&game).map_or(&[][..], Vec::as_slice);
        let events = correction_events(self.rater, game, players, points, past, before, to.at_unix_ms);
        let Some(events) = events else { return false };
        changes.add(game, players, category, events);
        true
    }

    pub(super) fn changes(&self, game: GameId) -> Option<ByColor<RatingChange>> {
        in_all(self.changes_so_far().of_game.get(&game)?)
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
