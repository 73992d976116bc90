//! Which live games are worth a look: the most watched first, then the newest.
//!
//! One pass over all games, a few loads each and no allocation but for those that are chosen:
//! 10,000 games take about a millisecond. Nothing is kept between two looks.

use std::cmp::Reverse;

use zeitnot_protocol::{GameId, LiveGame};
use zeitnot_rules::game::GameSetup;

use super::{ClockReading, GameHandle, Games};
use crate::time::ServiceInstant;

/// Most watched, then newest; the id makes the order whole.
type Rank = (u32, u64, Reverse<GameId>);

impl GameHandle {
    /// How many watch, as last published.
    fn watchers(&self) -> u32 {
        self.feed().watchers().count
    }

    fn rank(&self) -> Rank {
        (self.watchers(), self.summary().began_unix_ms(), Reverse(self.id()))
    }

    /// When the game began, in milliseconds of Unix time.
    pub(crate) fn began_unix_ms(&self) -> u64 {
        self.summary().began_unix_ms()
    }

    /// Whether the game has ended, and is only kept for a while.
    pub fn has_ended(&self) -> bool {
        self.summary().has_ended()
    }

    /// What the game started from.
    pub(crate) fn setup(&self) -> &GameSetup {
        self.summary().setup()
    }

    /// The game as the lobby shows it, but for its clocks.
    pub fn live_game(&self) -> LiveGame {
        self.summary().view(self.id(), self.watchers())
    }

    /// The game as the lobby shows it.
    pub(crate) fn live_board(&self) -> LiveBoard {
        LiveBoard { game: self.live_game(), clocks: self.feed().clock() }
    }
}

/// A small board with its clocks, which stays the same while nobody moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LiveBoard {
    /// The game without clocks.
    pub(crate) game: LiveGame,
    /// The clocks; `None` in the moment in which a turn begins.
    pub(crate) clocks: Option<ClockReading>,
}

impl LiveBoard {
    /// The game with its clocks as they are at `at`.
    pub(crate) fn shown(&self, at: ServiceInstant) -> LiveGame {
        let mut game = self.game.clone();
        if let Some(clocks) = self.clocks {
            let shown = clocks.shown(at);
            game.white_ms = shown.map(|shown| shown.white.to_ms_up());
            game.black_ms = shown.map(|shown| shown.black.to_ms_up());
            game.running = clocks.running.filter(|_| shown.is_some()).map(|(seat, _)| seat.into());
        }
        game
    }
}

impl Games {
    /// How many games are in progress, and the first `count` of them.
    pub fn most_watched(&self, count: usize) -> (usize, Vec<GameHandle>) {
        self.ranked(count, |game| Some(game.rank()))
    }

    /// How many games in progress have a rank, and the `count` of them that rank highest, the highest first.
    pub(crate) fn ranked<R: Ord>(
        &self,
        count: usize,
        rank: impl Fn(&GameHandle) -> Option<R>,
    ) -> (usize, Vec<GameHandle>) {
        let mut chosen = Vec::<(R, GameHandle)>::with_capacity(count + 1);
        let mut total = 0;
        for game in self.shared().live() {
            if game.has_ended() {
                continue;
            }
            let Some(rank) = rank(&game) else { continue };
            total += 1;
            if chosen.len() == count && chosen.last().is_none_or(|(last, _)| rank <= *last) {
                continue;
            }
            let place = chosen.partition_point(|(other, _)| *other > rank);
            chosen.insert(place, (rank, game.value().clone()));
            chosen.truncate(count);
        }
        (total, chosen.into_iter().map(|(_, game)| game).collect())
    }
}
