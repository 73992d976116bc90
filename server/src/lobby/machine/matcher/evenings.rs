//! How good pairs are and how long players wait, in pools of 10, 100 and 10,000 players: a simulation of an evening.
//!
//! Ratings are spread as in a large club: 1500 on average, a deviation of 350. A player comes back within a minute after a
//! game of three minutes on average. `--nocapture` prints the table.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use super::*;

/// A pairing round, in milliseconds.
const ROUND_MS: u64 = 500;

/// After how long an evening is looked at: by then all have come.
const BEGINS_MS: u64 = 240_000;

/// What an evening comes to: the waits in milliseconds and the differences of ratings, each in order.
struct Evening {
    waits: Vec<u64>,
    apart: Vec<u64>,
}

/// Which of `values`, in order, so many percent do not exceed.
fn share(values: &[u64], percent: usize) -> u64 {
    values[(values.len() * percent / 100).min(values.len() - 1)]
}

impl Evening {
    fn of(players: usize, minutes: u64, seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        // The sum of twelve even draws is nearly normal, with a deviation of 1.
        let normal = |rng: &mut StdRng| (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
        let ratings: Vec<u16> =
            (0..players).map(|_| (1_500.0 + 350.0 * normal(&mut rng)).clamp(400.0, 2_900.0) as u16).collect();
        let mut away: BinaryHeap<_> =
            (0..players).map(|player| Reverse((rng.random_range(0..BEGINS_MS), player))).collect();
        let (mut waiting, mut last) = (Vec::<Waiter>::new(), vec![None; players]);
        let mut evening = Self { waits: Vec::new(), apart: Vec::new() };
        for now in (0..minutes * 60_000).step_by(ROUND_MS as usize) {
            while let Some(&Reverse((comes, player))) = away.peek().filter(|next| next.0.0 <= now) {
                away.pop();
                let (account, since) = (AccountId::from_u128(player as u128), ServiceInstant(comes * 1_000));
                let rating = ShownRating { rating: ratings[player], provisional: false };
                waiting.push(Waiter { account, since, rating, last: last[player] });
            }
            for pair in pairs(waiting.clone(), ServiceInstant(now * 1_000), |_, _| true, || rng.random()) {
                let both = pair.players().map(|account| account.as_u128() as usize);
                if now >= BEGINS_MS {
                    evening.apart.push(ratings[both[0]].abs_diff(ratings[both[1]]).into());
                }
                for (player, color) in both.into_iter().zip([Color::White, Color::Black]) {
                    let opponent = if color == Color::White { pair.black } else { pair.white };
                    last[player] = Some(LastGame { opponent, color });
                    let place =
                        waiting.iter().position(|one| one.account.as_u128() as usize == player).unwrap();
                    let waiter = waiting.swap_remove(place);
                    if now >= BEGINS_MS {
                        evening.waits.push(now - waiter.since.0 / 1_000);
                    }
                    let returns = now + rng.random_range(60_000..300_000) + rng.random_range(1_000..60_000);
                    away.push(Reverse((returns, player)));
                }
            }
        }
        evening.waits.sort_unstable();
        evening.apart.sort_unstable();
        evening
    }
}

#[test]
fn waits_and_differences_stay_within_bounds_in_small_and_large_pools() {
    println!("players | wait p50, p90, p99, most (ms) | difference p50, p90, p99, most (points) | games");
    // For how many minutes; the most that half, and 99 of 100, may wait in milliseconds and be apart in points.
    let pools = [
        (10, 600, [15_500, 90_000], [600, 1_800]),
        (100, 120, [6_000, 20_000], [300, 1_000]),
        (10_000, 15, [1_000, 3_000], [60, 300]),
    ];
    for (players, minutes, waits, apart) in pools {
        let evening = Evening::of(players, minutes, 7);
        let of = |values: &[u64]| [50, 90, 99, 100].map(|percent| share(values, percent));
        let (waited, differed) = (of(&evening.waits), of(&evening.apart));
        println!("{players:7} | {waited:?} | {differed:?} | {}", evening.apart.len());
        assert!(evening.apart.len() > players, "{players} players have played {} games", evening.apart.len());
        assert!(waited[0] <= waits[0] && waited[2] <= waits[1], "{players} players wait for {waited:?}");
        assert!(
            differed[0] <= apart[0] && differed[2] <= apart[1],
            "{players} players differ by {differed:?}"
        );
    }
}
