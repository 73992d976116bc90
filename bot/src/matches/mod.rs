//! Matches between two players: levels of the searcher and engines.
//!
//! [`play_match`] plays games in pairs: each opening twice, with colours swapped. [`ladder`] plays each
//! level against the next. With nodes instead of clocks a match between levels is decided by its seed
//! alone, however many threads play it.
//!
//! Deliberately absent: servers. Games of a match are played in this process.

mod game;
mod openings;
mod pgn;
mod player;
mod tally;

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use zeitnot_rules::board::{ByColor, Color};

pub use game::{Budget, Control, Ending, ThinkerError};
use game::{Played, Thinker, play};
use openings::Opening;
pub use player::{Player, PlayerName, PlayerNameError};
pub use tally::{Result, Tally};

use crate::search::Level;
use crate::search::mixed;

/// How a match is played.
#[derive(Clone, Debug)]
pub struct MatchTerms {
    /// How many games; an odd number counts as the next even one.
    pub games: usize,
    /// Nodes or clocks.
    pub control: Control,
    /// What everything that is drawn by lot follows from.
    pub seed: u64,
    /// How many games are played at a time.
    pub threads: usize,
}

/// What came of a match, for its first player.
#[derive(Clone, Default, Debug)]
pub struct Outcome {
    /// The score.
    pub tally: Tally,
    /// Games that ended otherwise than by the rules, each with who lost it.
    pub faults: Vec<(PlayerName, Ending)>,
    /// All games as PGN, in their order.
    pub pgn: String,
}

/// Plays a match.
///
/// # Errors
/// When a player cannot be started.
pub fn play_match(players: &[Player; 2], terms: &MatchTerms) -> std::result::Result<Outcome, ThinkerError> {
    let openings = openings::all();
    let pairs = terms.games.div_ceil(2);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(pairs)));
    let work = || -> std::result::Result<(), ThinkerError> {
        let [first, second] = players.each_ref().map(Player::open);
        let mut thinkers = [first?, second?];
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= pairs {
                return Ok(());
            }
            let opening = &openings[number % openings.len()];
            let pair = play_pair(opening, &mut thinkers, terms, number)?;
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((number, pair));
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..terms.threads.clamp(1, pairs.max(1))).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(ThinkerError("a thread of the match died".to_owned())))
        })
    })?;
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    Ok(outcome(players, terms, &openings, done))
}

/// Two games from one opening: the first player is White in the first, Black in the second.
fn play_pair(
    opening: &Opening,
    thinkers: &mut [Box<dyn Thinker>; 2],
    terms: &MatchTerms,
    number: usize,
) -> std::result::Result<[Played; 2], ThinkerError> {
    let mut game = |swapped: bool| {
        let seed = mixed(terms.seed ^ mixed(2 * number as u64 + u64::from(swapped)));
        let [first, second] = thinkers;
        first.begin(seed)?;
        second.begin(mixed(seed))?;
        let (white, black) = if swapped { (second, first) } else { (first, second) };
        let mut sides: ByColor<&mut dyn Thinker> = ByColor { white: &mut **white, black: &mut **black };
        Ok(play(&opening.line, &mut sides, terms.control))
    };
    Ok([game(false)?, game(true)?])
}

fn outcome(
    players: &[Player; 2],
    terms: &MatchTerms,
    openings: &[Opening],
    done: Vec<(usize, [Played; 2])>,
) -> Outcome {
    let mut outcome = Outcome::default();
    for (number, pair) in done {
        let firsts = [Color::White, Color::Black];
        let results = [0, 1].map(|nth| match pair[nth].winner {
            None => Result::Draw,
            Some(winner) if winner == firsts[nth] => Result::Win,
            Some(_) => Result::Loss,
        });
        outcome.tally.count(results);
        for (nth, game) in pair.into_iter().enumerate() {
            let (white, black) = (&players[nth], &players[1 - nth]);
            let names = [white.name.to_string(), black.name.to_string()];
            let opening = openings[number % openings.len()].name;
            let round = 2 * number + nth + 1;
            outcome.pgn.push_str(&pgn::text(&game, names, opening, round, terms.control));
            outcome.pgn.push('\n');
            if !matches!(game.ending, Ending::Rules(_)) {
                let loser = if game.winner == Some(Color::White) { black } else { white };
                outcome.faults.push((loser.name.clone(), game.ending));
            }
        }
    }
    outcome
}

/// A match of the ladder, and what its first player has to score.
#[derive(Clone, Debug)]
pub struct Step {
    /// The stronger level, then the weaker one.
    pub levels: [Level; 2],
    /// What came of it.
    pub outcome: Outcome,
    /// The least share of the points, 0 to 1.
    pub wanted: f64,
}

impl Step {
    /// Whether the stronger level has scored enough, and nobody lost otherwise than by the rules.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.outcome.tally.score() >= self.wanted && self.outcome.faults.is_empty()
    }
}

/// Plays each level against the next one, and the highest against the lowest, and writes a line for
/// each match as it ends.
///
/// A level has to score 60 % against the one below it, the highest 90 % against the lowest.
///
/// # Errors
/// When a player cannot be started, or `out` cannot be written.
pub fn ladder(terms: &MatchTerms, out: &mut impl Write) -> io::Result<Vec<Step>> {
    let levels: Vec<Level> = Level::all().collect();
    let steps = levels.windows(2).map(|pair| ([pair[1], pair[0]], 0.6));
    let ends = std::iter::once(([Level::HIGHEST, Level::LOWEST], 0.9));
    let mut played = Vec::new();
    for (levels, wanted) in steps.chain(ends) {
        let players = levels.map(Player::from);
        let outcome = play_match(&players, terms).map_err(io::Error::other)?;
        let step = Step { levels, outcome, wanted };
        let [stronger, weaker] = levels;
        let verdict = if step.holds() { "ok" } else { "FAILED" };
        writeln!(out, "level {stronger} - level {weaker}  {}  {verdict}", step.outcome.tally)?;
        played.push(step);
    }
    Ok(played)
}

#[cfg(test)]
mod tests;
