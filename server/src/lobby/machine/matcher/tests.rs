//! Tests of the matcher: by hand, and over long random evenings in a pool.

use std::collections::{HashMap, HashSet};

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use super::*;

fn account(number: u128) -> AccountId {
    AccountId::from_u128(number)
}

fn at(ms: u64) -> ServiceInstant {
    ServiceInstant(ms * 1_000)
}

/// Everybody may meet everybody.
const ALL: fn(AccountId, AccountId) -> bool = |_, _| true;

/// A rating that says how somebody plays.
fn points(rating: u16) -> ShownRating {
    ShownRating { rating, provisional: false }
}

/// One who never played.
fn new(number: u128, since_ms: u64) -> Waiter {
    Waiter { account: account(number), since: at(since_ms), rating: points(1_500), last: None }
}

/// One who played last against `opponent`.
fn had(number: u128, since_ms: u64, opponent: u128, color: Color) -> Waiter {
    Waiter { last: Some(LastGame { opponent: account(opponent), color }), ..new(number, since_ms) }
}

/// The pairs at `at_ms` as numbers, White first, with a coin that gives the longer waiting White.
fn paired(waiters: &[Waiter], at_ms: u64) -> Vec<(u128, u128)> {
    let pairs = pairs(waiters.to_vec(), at(at_ms), ALL, || true);
    pairs.iter().map(|pair| (pair.white.as_u128(), pair.black.as_u128())).collect()
}

#[test]
fn two_who_may_not_meet_are_not_paired_however_long_they_wait() {
    let may_meet = |one: AccountId, other: AccountId| one.as_u128() + other.as_u128() != 3;
    let waiting = vec![new(1, 0), new(2, 1)];
    assert_eq!(pairs(waiting.clone(), at(3_600_000), may_meet, || true), []);
    let third = [waiting, vec![new(3, 2)]].concat();
    let pairs = pairs(third, at(3_600_000), may_meet, || true);
    assert_eq!(pairs.iter().map(|pair| pair.players()).collect::<Vec<_>>(), [[account(1), account(3)]]);
}

#[test]
fn nobody_plays_alone() {
    assert_eq!(paired(&[], 0), []);
    assert_eq!(paired(&[new(1, 0)], 60_000), []);
}

#[test]
fn who_has_waited_longest_is_paired_first() {
    assert_eq!(paired(&[new(3, 30), new(1, 10), new(4, 40), new(2, 20)], 50), [(1, 2), (3, 4)]);
    assert_eq!(paired(&[new(3, 30), new(1, 10), new(2, 20)], 50), [(1, 2)], "the last to come is left over");
}

#[test]
fn who_had_white_gets_black() {
    let (white, black) = (Color::White, Color::Black);
    assert_eq!(paired(&[had(1, 0, 9, white), had(2, 1, 8, black)], 5), [(2, 1)]);
    assert_eq!(paired(&[had(1, 0, 9, black), had(2, 1, 8, white)], 5), [(1, 2)]);
    assert_eq!(paired(&[had(1, 0, 9, white), new(2, 1)], 5), [(2, 1)]);
    assert_eq!(paired(&[new(1, 0), had(2, 1, 9, white)], 5), [(1, 2)]);
    assert_eq!(paired(&[new(1, 0), had(2, 1, 9, black)], 5), [(2, 1)]);
}

#[test]
fn where_both_had_the_same_the_longer_waiting_gets_the_other() {
    let (white, black) = (Color::White, Color::Black);
    assert_eq!(paired(&[had(1, 0, 9, white), had(2, 1, 8, white)], 5), [(2, 1)]);
    assert_eq!(paired(&[had(1, 0, 9, black), had(2, 1, 8, black)], 5), [(1, 2)]);
}

#[test]
fn an_opponent_with_the_other_colour_is_preferred() {
    let (white, black) = (Color::White, Color::Black);
    let waiters = [had(1, 0, 9, white), had(2, 1, 8, white), had(3, 2, 7, black), had(4, 3, 6, black)];
    assert_eq!(paired(&waiters, 5), [(3, 1), (4, 2)]);
}

#[test]
fn two_who_have_just_played_wait_for_others_a_while() {
    let two = [had(1, 0, 2, Color::White), had(2, 1_000, 1, Color::Black)];
    assert_eq!(paired(&two, 2_999), []);
    assert_eq!(paired(&two, 3_000), [(2, 1)], "two seconds after the second came");
    let three = [two[0], two[1], new(3, 1_500)];
    assert_eq!(paired(&three, 2_000), [(3, 1)]);
    let far = [two[0], two[1], Waiter { rating: points(2_800), ..new(3, 1_500) }];
    assert_eq!(paired(&far, 5_999), []);
    assert_eq!(paired(&far, 6_000), [(2, 1)], "five seconds, as somebody else waits");
    let four = [two[0], two[1], new(3, 1_500), new(4, 1_600)];
    assert_eq!(paired(&four, 2_000).len(), 2);
}

/// One with a rating who never played.
fn rated(number: u128, since_ms: u64, rating: u16) -> Waiter {
    Waiter { rating: points(rating), ..new(number, since_ms) }
}

#[test]
fn the_nearest_rating_is_preferred() {
    let waiters = [rated(1, 0, 1_500), rated(2, 1, 1_590), rated(3, 2, 1_490), rated(4, 3, 1_640)];
    assert_eq!(paired(&waiters, 5), [(1, 3), (2, 4)]);
}

#[test]
fn the_window_widens_with_the_wait_until_anybody_will_do() {
    let two = [rated(1, 0, 1_500), rated(2, 1_000, 1_800)];
    assert_eq!(paired(&two, 4_999), []);
    assert_eq!(paired(&two, 5_000), [(1, 2)], "100 points, and 40 for each second of the longer wait");
    let far = [rated(1, 0, 400), rated(2, 1_000, 2_800)];
    assert_eq!(paired(&far, 14_999), []);
    assert_eq!(paired(&far, 15_000), [(1, 2)]);
    let club = [far[0], far[1], rated(3, 14_000, 500)];
    assert_eq!(paired(&club, 15_000), [(1, 3)], "the nearest all the same");
}

#[test]
fn a_provisional_rating_keeps_nobody_waiting_beside_somebody() {
    let is_new =
        |waiter: Waiter| Waiter { rating: ShownRating { provisional: true, ..waiter.rating }, ..waiter };
    let (one, other) = (rated(1, 0, 1_371), rated(2, 1, 1_629));
    assert_eq!(paired(&[one, other], 5), []);
    for two in [[is_new(one), other], [one, is_new(other)]] {
        assert_eq!(paired(&two, 5), [(1, 2)]);
    }
    assert_eq!(paired(&[is_new(one), rated(2, 1, 1_672)], 5), [], "more than 300 points");
    let three = [is_new(one), other, rated(3, 2, 1_400)];
    assert_eq!(paired(&three, 5), [(1, 3)], "the nearest all the same");
    let near = [one, rated(2, 1, 1_629), is_new(rated(3, 2, 1_660))];
    assert_eq!(paired(&near, 5), [(1, 3)], "behind one who is too far away");
}

#[test]
fn fitting_colours_are_worth_some_points() {
    let white =
        |number, since, rating| Waiter { rating: points(rating), ..had(number, since, 99, Color::White) };
    let black =
        |number, since, rating| Waiter { rating: points(rating), ..had(number, since, 98, Color::Black) };
    let near = [white(1, 0, 1_500), white(2, 1, 1_500), black(3, 2, 1_540)];
    assert_eq!(paired(&near, 5)[0], (3, 1));
    let far = [white(1, 0, 1_500), white(2, 1, 1_500), black(3, 2, 1_560)];
    assert_eq!(paired(&far, 5)[0], (2, 1));
}

#[test]
fn a_lot_decides_where_nothing_else_does() {
    assert_eq!(pairs(vec![new(1, 0), new(2, 1)], at(5), ALL, || false)[0].white, account(2));
}

/// People come, wait, play for a while and come again: nobody is in two games, colours alternate for most, and nobody waits
/// long beside somebody else.
#[test]
fn long_evenings() {
    for seed in 0..20 {
        Evening::new(seed).run();
    }
}

struct Evening {
    rng: StdRng,
    waiting: HashMap<AccountId, Waiter>,
    /// Who comes again, and when.
    away: Vec<(u64, AccountId)>,
    last: HashMap<AccountId, LastGame>,
    /// For how long each has waited beside somebody else.
    beside: HashMap<AccountId, u64>,
    games: u32,
    same_color: u32,
}

const ROUND_MS: u64 = 500;

impl Evening {
    fn new(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let people = rng.random_range(2..40);
        let away = (1..=people).map(|number| (rng.random_range(0..10_000), account(number))).collect();
        let (waiting, last, beside) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { rng, waiting, away, last, beside, games: 0, same_color: 0 }
    }

    fn run(&mut self) {
        for now in (0..600_000).step_by(ROUND_MS as usize) {
            self.come(now);
            let waiters = self.waiting.values().copied().collect::<Vec<_>>();
            let round = pairs(waiters.clone(), at(now), ALL, || self.rng.random());
            let mut reversed = waiters;
            reversed.sort_by_key(|waiter| std::cmp::Reverse(waiter.account));
            let again = pairs(reversed, at(now), ALL, || true);
            assert_eq!(again.len(), round.len(), "the order in which they are given does not matter");
            let mut seen = HashSet::new();
            assert!(round.iter().flat_map(|pair| pair.players()).all(|account| seen.insert(account)));
            round.into_iter().for_each(|pair| self.play(pair, now));
            self.wait();
        }
        assert!(self.games >= 20, "{} games", self.games);
        assert!(self.same_color * 3 < self.games * 2, "{} of {} twice", self.same_color, self.games * 2);
    }

    fn come(&mut self, now: u64) {
        let (coming, away) = std::mem::take(&mut self.away).into_iter().partition(|(when, _)| *when <= now);
        self.away = away;
        let coming: Vec<(u64, AccountId)> = coming;
        for (_, account) in coming {
            let last = self.last.get(&account).copied();
            self.waiting.insert(account, Waiter { account, since: at(now), rating: points(1_500), last });
        }
    }

    fn play(&mut self, pair: Pair, now: u64) {
        self.games += 1;
        for (account, opponent, color) in
            [(pair.white, pair.black, Color::White), (pair.black, pair.white, Color::Black)]
        {
            assert!(self.waiting.remove(&account).is_some());
            let before = self.last.insert(account, LastGame { opponent, color });
            self.same_color += u32::from(before.is_some_and(|last| last.color == color));
            self.away.push((now + self.rng.random_range(0..20_000), account));
            self.beside.remove(&account);
        }
    }

    fn wait(&mut self) {
        if self.waiting.len() < 2 {
            return self.beside.clear();
        }
        for account in self.waiting.keys() {
            let waited = self.beside.entry(*account).or_default();
            *waited += ROUND_MS;
            assert!(*waited <= 15_000, "{account} waits for {waited} ms beside others");
        }
    }
}
