//! The arithmetic of a running clock (article 6, docs/laws.md "Clocks"), as pure functions.
//!
//! Everything is counted in whole microseconds. `counted` is what a turn took without what is
//! forgiven for the network (`lag`). Deliberately absent: whose clock runs, and since when.

use super::time_control::Bonus;
use super::{Micros, TimeControl};

/// What a running clock shows after `counted`, before any increment. Zero means that the flag has
/// fallen.
pub(super) fn left(remaining: Micros, bonus: Bonus, counted: Micros) -> Micros {
    match bonus {
        Bonus::SimpleDelay(delay) => remaining.saturating_sub(counted.saturating_sub(delay)),
        Bonus::None | Bonus::Increment(_) | Bonus::Bronstein(_) => remaining.saturating_sub(counted),
    }
}

/// The clock after a move that does not end the game.
pub(super) fn after_move(remaining: Micros, bonus: Bonus, counted: Micros) -> Micros {
    let left = left(remaining, bonus, counted);
    match bonus {
        Bonus::None | Bonus::SimpleDelay(_) => left,
        Bonus::Increment(increment) => add(left, increment),
        Bonus::Bronstein(delay) => left + counted.min(delay),
    }
}

/// What a turn may take at most: a move that took this long or longer comes after the flag.
pub(super) fn flag_after(remaining: Micros, bonus: Bonus, allowance: Micros) -> Micros {
    let delay = match bonus {
        Bonus::SimpleDelay(delay) => delay,
        Bonus::None | Bonus::Increment(_) | Bonus::Bronstein(_) => Micros::ZERO,
    };
    allowance + remaining + delay
}

/// A clock with time added: never above [`TimeControl::CLOCK_MAX`].
pub(super) fn add(remaining: Micros, amount: Micros) -> Micros {
    (remaining + amount).min(TimeControl::CLOCK_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::lag::Spent;

    const INCREMENT: Bonus = Bonus::Increment(Micros(2_000));
    const SIMPLE: Bonus = Bonus::SimpleDelay(Micros(2_000));
    const BRONSTEIN: Bonus = Bonus::Bronstein(Micros(2_000));

    #[track_caller]
    fn check_move(remaining: u64, bonus: Bonus, counted: u64, after: u64) {
        assert!(counted < flag_after(Micros(remaining), bonus, Micros::ZERO).0, "the move stands");
        assert_eq!(after_move(Micros(remaining), bonus, Micros(counted)), Micros(after));
    }

    #[track_caller]
    fn check_flag(remaining: u64, bonus: Bonus, allowance: u64, after: u64) {
        let flag = flag_after(Micros(remaining), bonus, Micros(allowance));
        assert_eq!(flag, Micros(after));
        let just_before = Spent::new(flag.saturating_sub(Micros(1)), Micros(allowance)).counted();
        assert!(
            left(Micros(remaining), bonus, just_before) > Micros::ZERO,
            "a microsecond before, it stands"
        );
        let counted = Spent::new(flag, Micros(allowance)).counted();
        assert_eq!(left(Micros(remaining), bonus, counted), Micros::ZERO, "r = 0 is a flag fall");
    }

    #[test]
    fn credit_is_at_most_the_allowance() {
        assert_eq!(Spent::new(Micros(50), Micros(100)), Spent { took: Micros(50), credit: Micros(50) });
        assert_eq!(Spent::new(Micros(150), Micros(100)), Spent { took: Micros(150), credit: Micros(100) });
        assert_eq!(Spent::new(Micros(150), Micros(100)).counted(), Micros(50));
    }

    #[test]
    fn nothing_is_added_without_a_bonus() {
        check_move(10_000, Bonus::None, 0, 10_000);
        check_move(10_000, Bonus::None, 9_999, 1);
    }

    #[test]
    fn an_increment_is_added_after_the_move() {
        check_move(10_000, INCREMENT, 3_000, 9_000);
        check_move(10_000, INCREMENT, 9_999, 2_001);
        check_move(10_000, INCREMENT, 0, 12_000);
    }

    #[test]
    fn simple_delay_counts_what_is_over_it() {
        check_move(10_000, SIMPLE, 1_999, 10_000);
        check_move(10_000, SIMPLE, 2_000, 10_000);
        check_move(10_000, SIMPLE, 2_001, 9_999);
        check_move(10_000, SIMPLE, 11_999, 1);
    }

    #[test]
    fn bronstein_gives_back_what_was_used_and_never_more() {
        check_move(10_000, BRONSTEIN, 1_500, 10_000);
        check_move(10_000, BRONSTEIN, 5_000, 7_000);
        check_move(10_000, BRONSTEIN, 9_999, 2_001);
    }

    #[test]
    fn the_flag_falls_at_r_and_with_simple_delay_at_r_plus_d() {
        check_flag(10_000, Bonus::None, 0, 10_000);
        check_flag(10_000, INCREMENT, 0, 10_000);
        check_flag(10_000, BRONSTEIN, 0, 10_000);
        check_flag(10_000, SIMPLE, 0, 12_000);
        check_flag(10_000, SIMPLE, 500, 12_500);
    }

    #[test]
    fn a_clock_holds_at_most_1000_hours() {
        assert_eq!(add(TimeControl::CLOCK_MAX, Micros(1)), TimeControl::CLOCK_MAX);
        let almost = TimeControl::CLOCK_MAX.saturating_sub(Micros(1_000));
        assert_eq!(after_move(almost, INCREMENT, Micros(0)), TimeControl::CLOCK_MAX);
    }
}
