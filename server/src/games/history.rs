//! Games as they are read from storage for people: one game, and pages of those that have ended.
//!
//! Reading and understanding what was read are two steps, so that the second, which takes the processor's time, can be
//! taken on another thread.

use std::cmp::Reverse;
use std::sync::Arc;

use zeitnot_protocol::{Code, GameCount, GameCounts, GameId, PlayedGames, PlayedMove, PlayedMoves};
use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::game::{Event, Game, Variant};
use zeitnot_rules::verdict::Outcome;

use super::Games;
use super::event_messages::play_named;
use super::export::{ExportFormat, played_game};
use super::finding::{code_of, is_rated, read};
use super::replay::ReplayedGame;
use super::snapshot::Aftermath;
use crate::net::{Address, Origin};
use crate::storage::{
    ArchiveStore, COUNTED_MAX, Corrected, Correction, Counts, FoundPage, PositionKey, Record, Search, Tail,
    Who,
};

/// A game that was read, with what only its records say.
#[derive(Debug)]
pub(crate) struct ReadGame {
    pub(crate) id: GameId,
    pub(crate) game: Game,
    /// When its last move was made, in milliseconds of Unix time; without a move, when it began. The times at which the
    /// server stood still in between do not count.
    pub(crate) moved_unix_ms: u64,
    /// The correction of its result that is in force.
    correction: Option<Correction>,
}

impl ReadGame {
    /// The game of these records; `None` when there are none.
    fn of(id: GameId, records: &[Arc<Record>], last_correction: Option<Correction>) -> Option<Self> {
        let is_move = |event: &Event| matches!(event, Event::MovePlayed { .. });
        let last_move = records.iter().rev().find(|record| record.events.iter().any(is_move));
        records.first()?;
        let game = Game::replay(records.iter().flat_map(|record| &record.events));
        let after_ms = last_move.map_or(0, |record| record.at.0 / 1_000);
        let moved_unix_ms = game.setup().began_unix_ms.saturating_add(after_ms);
        let correction = game.outcome().and_then(|played| last_correction?.in_force(played));
        Some(Self { id, game, moved_unix_ms, correction })
    }

    /// Its result, if it has ended: the one in force.
    pub(crate) fn outcome(&self) -> Option<&Outcome> {
        self.correction.map(|correction| correction.outcome()).or(self.game.outcome())
    }

    /// A game without corrections, for tests.
    #[cfg(test)]
    pub(crate) const fn of_game(id: GameId, game: Game, moved_unix_ms: u64) -> Self {
        Self { id, game, moved_unix_ms, correction: None }
    }
}

/// The records of a game, live or ended.
#[derive(Debug)]
pub(crate) struct StoredGame {
    tail: Tail,
    /// What has become of it since its end.
    pub(crate) after: Aftermath,
}

impl StoredGame {
    /// The game that they lead to; `None` when there is no such game.
    pub(crate) fn fold(&self) -> Option<Game> {
        ReplayedGame::fold(&self.tail).map(|stored| stored.game)
    }

    /// The same with the time of its last move.
    pub(crate) fn read(&self) -> Option<ReadGame> {
        ReadGame::of(self.tail.records.first()?.game, &self.tail.records, self.tail.correction)
    }
}

/// The games that have ended. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct History(Arc<dyn ArchiveStore>);

impl History {
    /// The games in a store.
    pub(crate) fn new(store: Arc<dyn ArchiveStore>) -> Self {
        Self(store)
    }

    /// Reads a page of the games that fit, the last one first, at most `most`: those after the cursor `before`, which
    /// the previous page named as its `next`.
    ///
    /// # Errors
    /// [`Code::Unavailable`] or [`Code::Damaged`].
    pub(crate) async fn page(
        &self,
        search: Search,
        before: Option<u64>,
        most: usize,
    ) -> Result<StoredPage, Code> {
        let page = self.0.search(search, before, most).await;
        page.map(StoredPage).map_err(|error| code_of(&error, "the archive", "for a search"))
    }

    /// Counts the games that fit.
    ///
    /// # Errors
    /// As [`History::page`].
    pub(crate) async fn count(&self, search: Search) -> Result<GameCounts, Code> {
        let counts = self.0.count(search).await;
        counts.map(counted).map_err(|error| code_of(&error, "the archive", "for a count"))
    }

    /// Counts the games that had a position, and those that had the position after each of its legal moves: a count for each
    /// where there are any.
    ///
    /// # Errors
    /// As [`History::page`].
    pub(crate) async fn played_moves(&self, position: Position) -> Result<PlayedMoves, Code> {
        let games = self.count(with(&position)).await?;
        let mut moves = Vec::new();
        if games.games.counted() == 0 {
            return Ok(PlayedMoves { games, moves });
        }
        let legal = position.legal_moves();
        for &mv in legal.iter() {
            let mut after = position.clone();
            let mv = play_named(&mut after, mv, Variant::Standard);
            let games = self.count(with(&after)).await?;
            if games.games.counted() > 0 {
                moves.push(PlayedMove { mv, games });
            }
        }
        moves.sort_by_key(|played| Reverse(played.games.games.counted()));
        Ok(PlayedMoves { games, moves })
    }

    /// The first players without accounts whose names begin so, at most `most`, each as the last game has the name.
    ///
    /// # Errors
    /// As [`History::page`].
    pub(crate) async fn names_by_prefix(&self, prefix: &str, most: usize) -> Result<Vec<String>, Code> {
        let Who::Name(prefix) = Who::named(prefix) else { return Ok(Vec::new()) };
        let found = self.0.names_by_prefix(prefix, most).await;
        let found = found.map_err(|error| code_of(&error, "the archive", "for names"))?;
        let mut names = Vec::new();
        for who in found.into_iter().map(Who::Name) {
            let last = Search { player: Some(who.clone()), ..Search::default() };
            names.extend(written_name(&self.page(last, None, 1).await?, &who));
        }
        Ok(names)
    }
}

/// The name of a player in a game without accounts, as it was written there.
fn written_name(page: &StoredPage, who: &Who) -> Option<String> {
    let game = page.read().next()?.game;
    let names = Color::ALL.into_iter().filter_map(|seat| game.setup().name_elsewhere(seat));
    names.into_iter().find(|name| Who::named(name) == *who).map(str::to_owned)
}

/// The games that had this position.
fn with(position: &Position) -> Search {
    Search { positions: vec![PositionKey::of(position)], ..Search::default() }
}

/// The records of a page of games that have ended.
#[derive(Debug)]
pub(crate) struct StoredPage(FoundPage);

impl StoredPage {
    /// The page as a list shows it.
    pub(crate) fn view(&self) -> PlayedGames {
        let FoundPage { games, is_indexing, .. } = &self.0;
        let games = games.iter().filter_map(played_game).collect();
        PlayedGames { games, next: self.next().map(|place| place.to_string()), indexing: *is_indexing }
    }

    /// How many games it has.
    pub(crate) fn count(&self) -> usize {
        self.0.games.len()
    }

    /// Where the next page begins.
    pub(crate) fn next(&self) -> Option<u64> {
        self.0.next
    }

    /// The games of the page, in its order.
    pub(crate) fn read(&self) -> impl Iterator<Item = ReadGame> {
        self.0.games.iter().filter_map(|ended| ReadGame::of(ended.game, &ended.records, ended.correction))
    }

    /// The games of the page as text, one after the other.
    pub(crate) fn written(&self, format: ExportFormat, site: Option<&Origin>) -> String {
        let mut text = String::new();
        self.0.games.iter().for_each(|ended| format.write(ended, site, &mut text));
        text
    }
}

/// What a count says. Beyond a bound games are not counted, and then nothing is exact.
fn counted(counts: Counts) -> GameCounts {
    let count = |games: u64| {
        let games = u32::try_from(games.min(COUNTED_MAX)).unwrap_or(u32::MAX);
        if counts.are_more { GameCount::AtLeast { at_least: games } } else { GameCount::Exact(games) }
    };
    GameCounts {
        games: count(counts.total()),
        white_wins: count(counts.white),
        black_wins: count(counts.black),
        draws: count(counts.draw),
        others: count(counts.other),
        indexing: counts.is_indexing,
    }
}

impl Games {
    /// Reads a game, live or ended. To be called with a turn at the archive, which also folds it.
    ///
    /// # Errors
    /// [`Code::Unavailable`] or [`Code::Damaged`].
    pub(crate) async fn stored(&self, game: GameId) -> Result<StoredGame, Code> {
        let tail = read(&self.shared().store, game).await?;
        let is_rated = tail.has_ended() && is_rated(&tail);
        let after = self.aftermath(game, is_rated, tail.correction).await;
        Ok(StoredGame { tail, after })
    }

    /// The durable state of a game, live or ended, for a session at an address, which waits until it is its turn as for
    /// a snapshot; `None` when there is no such game.
    ///
    /// # Errors
    /// As [`Games::stored`]; [`Code::Unavailable`], too, when too many wait.
    pub(crate) async fn read(&self, game: GameId, address: Address) -> Result<Option<Game>, Code> {
        let archive = self.archive();
        let _place = archive.enter(address).await?;
        let stored = self.stored(game).await?;
        Ok(archive.make(move || stored.fold()).await?)
    }

    /// Corrects the result of a game, of which the store says what has become. From then on nobody is told of the old one:
    /// who watches the game already is told nothing.
    ///
    /// # Errors
    /// [`Code::Unavailable`]; [`Code::UnknownGame`]; [`Code::Damaged`].
    pub(crate) async fn correct(
        &self,
        history: &History,
        game: GameId,
        correction: Correction,
    ) -> Result<Corrected, Code> {
        let tail = read(&self.shared().store, game).await?;
        match () {
            () if tail.records.is_empty() => return Err(Code::UnknownGame),
            () if !tail.has_ended() => return Ok(Corrected::NotEnded),
            () => {}
        }
        let corrected = history.0.correct(game, correction).await.map_err(|_| Code::Unavailable)?;
        if let Corrected::From { .. } = corrected {
            self.shared().let_go(game);
        }
        Ok(corrected)
    }
}
