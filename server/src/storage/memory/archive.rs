//! The archive in memory: the facts of every game that has ended, looked at one after the other.
//!
//! It is what the indexes of a data folder are compared with in tests.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};

use zeitnot_protocol::GameId;

use crate::storage::facts::Facet;
use crate::storage::search::COUNTED_MAX;
use crate::storage::{Counts, GameFacts, Search, Who};
use crate::sync::unpoisoned;

/// A game that has ended.
#[derive(Debug)]
struct Ended {
    game: GameId,
    unix_ms: u64,
    facts: GameFacts,
}

/// The games that have ended, in the order of their ends: the place of one is that in this list, from 1.
#[derive(Debug, Default)]
pub(super) struct Archive(Mutex<Vec<Ended>>);

/// A game that was found: its place, its id, and when it ended.
pub(super) type Found = (u64, GameId, u64);

impl Archive {
    fn games(&self) -> MutexGuard<'_, Vec<Ended>> {
        unpoisoned(self.0.lock())
    }

    pub(super) fn add(&self, game: GameId, unix_ms: u64, facts: GameFacts) {
        self.games().push(Ended { game, unix_ms, facts });
    }

    /// A game is of this kind from now on.
    pub(super) fn change(&self, game: GameId, facet: Facet) {
        for ended in self.games().iter_mut().filter(|ended| ended.game == game) {
            ended.facts.facet = facet;
        }
    }

    /// The games that fit, the last one first, and whether there are more of them.
    pub(super) fn search(&self, search: &Search, before: Option<u64>, most: usize) -> (Vec<Found>, bool) {
        let games = self.games();
        let newest = games.iter().enumerate().rev().map(|(index, ended)| (index as u64 + 1, ended));
        let below = newest.filter(|(place, _)| before.is_none_or(|before| *place < before));
        let mut fitting = below.filter(|(_, ended)| search.takes(&ended.facts, ended.unix_ms));
        let page = fitting.by_ref().take(most);
        let page = page.map(|(place, ended)| (place, ended.game, ended.unix_ms)).collect();
        (page, fitting.next().is_some())
    }

    pub(super) fn count(&self, search: &Search) -> Counts {
        let mut counts = Counts::default();
        let games = self.games();
        let facets: Vec<Facet> = games
            .iter()
            .rev()
            .filter(|ended| search.takes(&ended.facts, ended.unix_ms))
            .map(|ended| ended.facts.facet)
            .collect();
        let most = COUNTED_MAX as usize;
        facets.iter().take(most).for_each(|facet| counts.add(*facet, 1));
        counts.are_more = facets.len() > most;
        counts
    }

    pub(super) fn names_by_prefix(&self, prefix: &str, most: usize) -> Vec<String> {
        let games = self.games();
        let players = games.iter().flat_map(|ended| [&ended.facts.players.white, &ended.facts.players.black]);
        let names: BTreeSet<_> = players
            .filter_map(|who| match who {
                Some(Who::Name(name)) if name.starts_with(prefix) => Some(name),
                _ => None,
            })
            .collect();
        names.into_iter().take(most).cloned().collect()
    }
}
