//! Who plays whom among the players waiting in a pool, and with which colours: a pure function.
//!
//! The player who has waited longest gets an opponent first: preferably, among the next in the queue,
//! one with whom both get the colour that they did not have last. Two players who have just played each
//! other are kept apart for [`APART`], because others may come.
//!
//! Invariants: the same inputs give the same pairs; nobody is in two pairs. Of the players who have
//! waited for [`APART`] at most one is left over, so an odd number of players leaves the same one over
//! at most once.
//!
//! Deliberately absent: ratings, which no player has yet.

use std::collections::VecDeque;
use std::time::Duration;

use zeitnot_protocol::AccountId;
use zeitnot_rules::board::Color;

use crate::time::ServiceInstant;

/// How long two players who have just played each other are kept apart while both wait.
pub(crate) const APART: Duration = Duration::from_secs(5);

/// How many of the next in the queue are considered for the sake of the colours.
const CONSIDERED: usize = 8;

/// A player who waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Waiter {
    /// The player.
    pub(crate) account: AccountId,
    /// Since when.
    pub(crate) since: ServiceInstant,
    /// The last game from a pool, if it is remembered.
    pub(crate) last: Option<LastGame>,
}

/// What counts of a player's last game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LastGame {
    /// The opponent.
    pub(crate) opponent: AccountId,
    /// The player's colour.
    pub(crate) color: Color,
}

/// Two players who are to play each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    /// The player with White.
    pub(crate) white: AccountId,
    /// The player with Black.
    pub(crate) black: AccountId,
}

impl Pair {
    /// Both, White first.
    pub(crate) fn players(self) -> [AccountId; 2] {
        [self.white, self.black]
    }
}

/// Pairs the waiting players at the instant `at`. `coin` decides whether the player who has waited
/// longer gets White, where nothing else does.
pub(crate) fn pairs(
    mut waiters: Vec<Waiter>,
    at: ServiceInstant,
    mut coin: impl FnMut() -> bool,
) -> Vec<Pair> {
    waiters.sort_unstable_by_key(|waiter| (waiter.since, waiter.account));
    let mut queue = VecDeque::from(waiters);
    let mut pairs = Vec::with_capacity(queue.len() / 2);
    while let Some(first) = queue.pop_front() {
        if let Some(second) = partner(&first, &queue, at).and_then(|index| queue.remove(index)) {
            pairs.push(with_colors(&first, &second, &mut coin));
        }
    }
    pairs
}

/// Whom of the queue `first` plays: an index.
fn partner(first: &Waiter, queue: &VecDeque<Waiter>, at: ServiceInstant) -> Option<usize> {
    let may_play = |index: &usize| !are_kept_apart(first, &queue[*index], at);
    let fits = |index: &usize| {
        let colors = first.last.zip(queue[*index].last);
        colors.is_none_or(|(one, other)| one.color != other.color)
    };
    let next = (0..queue.len()).find(may_play)?;
    let among = next..queue.len().min(next + CONSIDERED);
    Some(among.filter(may_play).find(fits).unwrap_or(next))
}

fn are_kept_apart(one: &Waiter, other: &Waiter, at: ServiceInstant) -> bool {
    let played = |waiter: &Waiter, opponent: &Waiter| {
        waiter.last.is_some_and(|last| last.opponent == opponent.account)
    };
    (played(one, other) || played(other, one)) && at.since(one.since.max(other.since)) < APART
}

/// A player who had White last gets Black. If both had the same colour, the longer wait decides.
fn with_colors(first: &Waiter, second: &Waiter, coin: &mut impl FnMut() -> bool) -> Pair {
    let of_last = |waiter: &Waiter| waiter.last.map(|last| !last.color);
    let wished = of_last(first).or_else(|| of_last(second).map(|color| !color));
    let first_is_white = wished.map_or_else(coin, |color| color == Color::White);
    let (white, black) = if first_is_white { (first, second) } else { (second, first) };
    Pair { white: white.account, black: black.account }
}

#[cfg(test)]
mod tests;
