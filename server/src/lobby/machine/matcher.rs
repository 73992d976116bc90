//! Who plays whom among the players waiting in a pool, and with which colours: a pure function.
//!
//! The player who has waited longest gets an opponent first: the one with the nearest rating, within a window that widens
//! with the wait ([`are_near`]) until anybody will do, and is wider where one of the two ratings says little. A pair in
//! which both get the colour that they did not have last is preferred to one whose ratings are [`COLOR_WORTH`] points
//! nearer; of equally good ones the longer wait counts. Two players who have just played each other are kept apart for
//! [`APART`], because others may come, and for [`APART_ALONE`] where nobody else waits: a longer wait would be without a reason
//! that they see.
//!
//! Invariants: the same inputs give the same pairs; nobody is in two pairs, nor with somebody whom they may not meet. Of
//! the players who have waited for [`ANYBODY`], and may meet each other, at most one is left over, so an odd number of players leaves the same one over at most once.

use std::collections::BTreeSet;
use std::time::Duration;

use zeitnot_protocol::AccountId;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::ShownRating;

use crate::time::ServiceInstant;

/// How long two players who have just played each other are kept apart while both wait.
pub(crate) const APART: Duration = Duration::from_secs(5);
/// The same while nobody else waits.
pub(crate) const APART_ALONE: Duration = Duration::from_secs(2);

/// After this long a player gets anybody: in a small club the next one may never be nearer.
pub(crate) const ANYBODY: Duration = Duration::from_secs(15);

/// How far the ratings of a pair may be apart at first: a game of 64 to 36.
const WINDOW: u32 = 100;
/// How much further for each second of the longer wait.
const WINDOW_PER_SECOND: u32 = 40;

/// How much further when one of the two ratings is provisional: it may be wrong by so much.
const PROVISIONAL_WORTH: u32 = 200;

/// How much nearer, in points, an opponent must be to be preferred to one with whom the colours fit.
const COLOR_WORTH: u32 = 50;

/// How many of the nearest are considered on either side.
const CONSIDERED: usize = 8;

/// A player who waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Waiter {
    /// The player.
    pub(crate) account: AccountId,
    /// Since when.
    pub(crate) since: ServiceInstant,
    /// The rating that counts for the pairing.
    pub(crate) rating: ShownRating,
    /// The last game from a pool or its last rematch, if it is remembered.
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

/// Pairs the waiting players at the instant `at`. `may_meet` says whether two of them may play each other, and `coin` decides whether the player who has waited
/// longer gets White, where nothing else does.
pub(crate) fn pairs(
    mut waiters: Vec<Waiter>,
    at: ServiceInstant,
    may_meet: impl Fn(AccountId, AccountId) -> bool,
    mut coin: impl FnMut() -> bool,
) -> Vec<Pair> {
    waiters.sort_unstable_by_key(|waiter| (waiter.since, waiter.account));
    let mut free: BTreeSet<_> =
        waiters.iter().enumerate().map(|(place, one)| (one.rating.rating, place)).collect();
    let mut pairs = Vec::with_capacity(waiters.len() / 2);
    for (place, first) in waiters.iter().enumerate() {
        if !free.remove(&(first.rating.rating, place)) {
            continue;
        }
        let may_meet = |other: &Waiter| may_meet(first.account, other.account);
        if let Some(partner) = partner(first, place, &waiters, &free, at, may_meet) {
            let second = &waiters[partner];
            free.remove(&(second.rating.rating, partner));
            pairs.push(with_colors(first, second, &mut coin));
        }
    }
    pairs
}

/// How far the ratings of a pair may be apart when the longer of the two waits is this, and whether one of them is provisional;
/// `u32::MAX`: as far as they are.
fn window(waited: Duration, provisional: bool) -> u32 {
    if waited >= ANYBODY {
        return u32::MAX;
    }
    let widened =
        u32::try_from(waited.as_millis()).unwrap_or(u32::MAX).saturating_mul(WINDOW_PER_SECOND) / 1_000;
    WINDOW.saturating_add(widened) + if provisional { PROVISIONAL_WORTH } else { 0 }
}

/// Whether two ratings are near enough for a pair of which the longer wait is this.
pub(crate) fn are_near(one: ShownRating, other: ShownRating, waited: Duration) -> bool {
    u32::from(one.rating.abs_diff(other.rating)) <= window(waited, one.provisional || other.provisional)
}

/// Whom of those who are free `first` plays: a place in the queue. Who is free has waited for less time than `first`, who
/// is at `place`, or could play nobody before.
fn partner(
    first: &Waiter,
    place: usize,
    waiters: &[Waiter],
    free: &BTreeSet<(u16, usize)>,
    at: ServiceInstant,
    may_meet: impl Fn(&Waiter) -> bool,
) -> Option<usize> {
    let (waited, own) = (at.since(first.since), first.rating.rating);
    let (widest, apart) = (window(waited, true), |rating: u16| u32::from(rating.abs_diff(own)));
    let may_be_near = |(rating, _): &&(u16, usize)| apart(*rating) <= widest;
    let may_play = |(_, other): &&(u16, usize)| {
        let other = &waiters[*other];
        are_near(first.rating, other.rating, waited)
            && !are_kept_apart(first, other, waiters.len(), at)
            && may_meet(other)
    };
    let above = free.range((own, place)..).take_while(may_be_near).filter(may_play).take(CONSIDERED);
    let below = free.range(..(own, place)).rev().take_while(may_be_near).filter(may_play).take(CONSIDERED);
    let cost = |&(rating, other): &(u16, usize)| {
        let colors = first.last.zip(waiters[other].last);
        let fits = colors.is_none_or(|(one, other)| one.color != other.color);
        (apart(rating) + if fits { 0 } else { COLOR_WORTH }, other)
    };
    above.chain(below).map(cost).min().map(|(_, partner)| partner)
}

fn are_kept_apart(one: &Waiter, other: &Waiter, waiting: usize, at: ServiceInstant) -> bool {
    let apart = if waiting == 2 { APART_ALONE } else { APART };
    let played = |waiter: &Waiter, opponent: &Waiter| {
        waiter.last.is_some_and(|last| last.opponent == opponent.account)
    };
    (played(one, other) || played(other, one)) && at.since(one.since.max(other.since)) < apart
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
mod evenings;
#[cfg(test)]
mod tests;
