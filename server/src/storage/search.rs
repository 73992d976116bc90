//! A search of the archive: what is looked for, a page of what was found, and how many there are.
//!
//! Deliberately absent: how it is found (`sqlite`, `memory`), and how a client asks (`http`).
//!
//! Invariant: pages that follow each other by their cursors have every game that fits once, also while games end.

use std::sync::Arc;

use zeitnot_protocol::GameId;
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::verdict::Score;

use super::correction::Correction;
use super::facts::{Facet, FacetFilter, GameFacts, PositionKey, Who};
use super::rating::RatingChange;
use super::record::{EndedGame, Record};

/// Games beyond which none is counted.
pub const COUNTED_MAX: u64 = 10_000;

/// What is looked for: games that fit all of it. What is `None` may be anything.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Search {
    /// Somebody who played.
    pub player: Option<Who>,
    /// The seat of `player`; it says nothing without one.
    pub seat: Option<Color>,
    /// Whom `player` played; it says nothing without one.
    pub opponent: Option<Who>,
    /// What kind of game.
    pub kind: FacetFilter,
    /// One of these was on the board in the first plies; without any, whatever was.
    pub positions: Vec<PositionKey>,
    /// When it ended, in milliseconds of Unix time: then or later.
    pub since_unix_ms: Option<u64>,
    /// When it ended: before then.
    pub until_unix_ms: Option<u64>,
}

impl Search {
    /// Whether a game that ended at `unix_ms` is looked for.
    #[must_use]
    pub fn takes(&self, facts: &GameFacts, unix_ms: u64) -> bool {
        self.takes_end(unix_ms) && self.takes_game(facts)
    }

    /// Whether a game is looked for, whenever it ended.
    pub(super) fn takes_game(&self, facts: &GameFacts) -> bool {
        let has_played = |seat: Color| {
            self.seat.is_none_or(|wanted| wanted == seat)
                && facts.players[seat] == self.player
                && (self.opponent.is_none() || facts.players[!seat] == self.opponent)
        };
        self.kind.mask().takes(facts.facet)
            && (self.player.is_none() || Color::ALL.into_iter().any(has_played))
            && (self.positions.is_empty()
                || self.positions.iter().any(|key| facts.positions.binary_search(key).is_ok()))
    }

    /// Whether games that ended at `unix_ms` are looked for.
    pub(super) fn takes_end(&self, unix_ms: u64) -> bool {
        self.since_unix_ms.is_none_or(|since| unix_ms >= since)
            && self.until_unix_ms.is_none_or(|until| unix_ms < until)
    }
}

/// A game that has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinishedGame {
    /// Its place in the order in which games ended, from 1: a cursor for
    /// [`ArchiveStore::search`](super::ArchiveStore).
    pub place: u64,
    /// The game.
    pub game: GameId,
    /// When it ended, in milliseconds of Unix time.
    pub ended_unix_ms: u64,
    /// All of its records.
    pub records: Vec<Arc<Record>>,
    /// The last correction of its result.
    pub correction: Option<Correction>,
    /// What it has done to both ratings, with its corrections; `None` when it has changed none, or nobody knows any more.
    pub ratings: Option<ByColor<RatingChange>>,
}

impl FinishedGame {
    /// Whether it was to count for ratings: whether there can be changes of them.
    pub(crate) fn is_rated(&self) -> bool {
        self.ended().is_some_and(|ended| ended.setup.rated)
    }

    /// What the records and the correction say together; `None` for records that do not begin a game and end it.
    #[must_use]
    pub fn ended(&self) -> Option<EndedGame<'_>> {
        EndedGame::of(&self.records, self.correction)
    }
}

/// A page of the games that fit, the last one to end first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FoundPage {
    /// As many as were asked for, or fewer: at the end, or when the search has looked at as many rows as it may.
    pub games: Vec<FinishedGame>,
    /// From where the search goes on: the `before` of the next page. `None` at the end.
    pub next: Option<u64>,
    /// Whether games of an older version are not indexed yet, and so are not found.
    pub is_indexing: bool,
}

/// How many games fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Won by White.
    pub white: u64,
    /// Won by Black.
    pub black: u64,
    /// Drawn.
    pub draw: u64,
    /// With another result, or none.
    pub other: u64,
    /// Whether there may be more: beyond [`COUNTED_MAX`], or beyond the rows that one count may look at.
    pub are_more: bool,
    /// See [`FoundPage::is_indexing`].
    pub is_indexing: bool,
}

impl Counts {
    /// All games.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.white + self.black + self.draw + self.other
    }

    /// Counts so many more games of this kind.
    pub(super) fn add(&mut self, facet: Facet, games: u64) {
        match () {
            () if facet.has_score(Score::WhiteWins) => self.white += games,
            () if facet.has_score(Score::BlackWins) => self.black += games,
            () if facet.has_score(Score::Draw) => self.draw += games,
            () => self.other += games,
        }
    }
}
