//! Both clocks of a replayed game, as far as a client can check them.
//!
//! Clocks are rounded up to ms; the time a move took and its lag compensation (`credit`) are
//! rounded down, so a sum of them is exact to 1 ms. Invariant: a clock rises only by the increment
//! after its own move.

use std::fmt;

use zeitnot_protocol::{Period, TimeControl};
use zeitnot_rules::board::{ByColor, Color};

/// The base of a replayed game: 3 minutes.
pub const BASE_MS: u32 = 180_000;

/// Its increment: 2 s.
pub const INCREMENT_MS: u32 = 2_000;

/// The time control of a replayed game: 3+2.
#[must_use]
pub fn time_control() -> TimeControl {
    let period = Period { base_ms: BASE_MS, increment_ms: Some(INCREMENT_MS), ..Period::default() };
    TimeControl::Clock { periods: vec![period], black_periods: None }
}

/// White's and Black's clock in a message.
pub type Shown = [Option<u32>; 2];

/// The cost of a move in a message.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// The time it took, in ms.
    pub took: Option<u32>,
    /// The lag compensation, in ms.
    pub credit: Option<u32>,
}

/// The clocks as they were last shown.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    ms: ByColor<u32>,
    /// How many moves each side has played: under `fide_online` a clock runs from its side's second
    /// move on.
    moves: ByColor<u32>,
}

impl Clocks {
    /// Both at the base, before any move.
    #[must_use]
    pub fn at_base() -> Self {
        Self { ms: ByColor::both(BASE_MS), moves: ByColor::both(0) }
    }

    /// Checks clocks that are not running: nothing may have changed.
    ///
    /// # Errors
    /// When a clock shows something else, in words.
    pub fn unchanged(&self, shown: Shown) -> Result<(), String> {
        let shown = both(shown)?;
        each(|color| same(color, self.ms[color], shown[color]))
    }

    /// Checks the clocks during the turn of `turn`: only its own may have gone down.
    ///
    /// # Errors
    /// When a clock rose, or one that is not running changed.
    pub fn during(&self, turn: Color, shown: Shown) -> Result<(), String> {
        let shown = both(shown)?;
        each(|color| {
            if color == turn && self.moves[turn] > 0 {
                not_above(color, self.ms[color], shown[color])
            } else {
                same(color, self.ms[color], shown[color])
            }
        })
    }

    /// As [`Clocks::during`], for an event that stops the clock: the clocks are kept as shown.
    ///
    /// # Errors
    /// As [`Clocks::during`].
    pub fn stopped(&mut self, turn: Color, shown: Shown) -> Result<(), String> {
        self.during(turn, shown)?;
        self.ms = both(shown)?;
        Ok(())
    }

    /// Checks the clocks after a move of `mover`. `ends` says that the move ends the game and gains
    /// no increment.
    ///
    /// # Errors
    /// When the mover's clock does not follow from cost and increment, or the opponent's clock
    /// changed.
    pub fn moved(&mut self, mover: Color, ends: bool, shown: Shown, cost: Cost) -> Result<(), String> {
        let shown = both(shown)?;
        let (before, after) = (self.ms[mover], shown[mover]);
        if self.moves[mover] == 0 {
            same(mover, before, after)?;
        } else {
            let earned = if ends { 0 } else { INCREMENT_MS };
            not_above(mover, before + earned, after)?;
            let (took, credit) = cost.took.zip(cost.credit).ok_or("a move on a running clock took null")?;
            let counted = took
                .checked_sub(credit)
                .ok_or_else(|| format!("credit {credit} is more than took {took}"))?;
            if (before + earned - after).abs_diff(counted) > 1 {
                return Err(format!(
                    "{mover}'s clock went from {before} to {after} ms, with {earned} earned, though the move took {took} \
                     and {credit} was forgiven"
                ));
            }
        }
        same(!mover, self.ms[!mover], shown[!mover])?;
        self.ms = shown;
        self.moves[mover] += 1;
        Ok(())
    }
}

impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {} ms", self.ms.white, self.ms.black)
    }
}

fn both([white, black]: Shown) -> Result<ByColor<u32>, String> {
    let (white, black) = white.zip(black).ok_or("a clock is missing")?;
    Ok(ByColor { white, black })
}

fn each(mut check: impl FnMut(Color) -> Result<(), String>) -> Result<(), String> {
    check(Color::White)?;
    check(Color::Black)
}

fn same(color: Color, before: u32, now: u32) -> Result<(), String> {
    if before == now {
        Ok(())
    } else {
        Err(format!("{color}'s clock stands at {before} ms, but shows {now}"))
    }
}

fn not_above(color: Color, most: u32, now: u32) -> Result<(), String> {
    if now <= most {
        Ok(())
    } else {
        Err(format!("{color}'s clock rose: at most {most} ms were left, it shows {now}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Cost = Cost { took: Some(40), credit: Some(40) };

    fn after_first_moves() -> Clocks {
        let mut clocks = Clocks::at_base();
        clocks.moved(Color::White, false, [Some(BASE_MS), Some(BASE_MS)], FREE).unwrap();
        clocks.moved(Color::Black, false, [Some(BASE_MS), Some(BASE_MS)], FREE).unwrap();
        clocks
    }

    #[test]
    fn the_first_move_of_a_side_costs_and_earns_nothing() {
        let mut clocks = Clocks::at_base();
        let error = clocks.moved(Color::White, false, [Some(182_000), Some(BASE_MS)], FREE).unwrap_err();
        assert!(error.contains("white's clock stands at 180000 ms, but shows 182000"), "{error}");
    }

    #[test]
    fn a_later_move_costs_what_it_took_and_earns_the_increment() {
        let cost = Cost { took: Some(1_500), credit: Some(100) };
        let shown = |white| [Some(white), Some(BASE_MS)];
        after_first_moves().moved(Color::White, false, shown(180_600), cost).unwrap();
        after_first_moves().moved(Color::White, false, shown(180_601), cost).unwrap();
        after_first_moves().moved(Color::White, true, shown(178_600), cost).unwrap();
        for (ends, white) in [(false, 180_602), (false, 180_598), (false, 182_001), (true, 180_600)] {
            let result = after_first_moves().moved(Color::White, ends, shown(white), cost);
            assert!(result.is_err(), "{white} was taken");
        }
        let forgiven = Cost { took: Some(100), credit: Some(200) };
        assert!(after_first_moves().moved(Color::White, false, shown(182_000), forgiven).is_err());
    }

    #[test]
    fn the_other_clock_stands() {
        let cost = Cost { took: Some(0), credit: Some(0) };
        let error =
            after_first_moves().moved(Color::White, false, [Some(182_000), Some(179_999)], cost).unwrap_err();
        assert!(error.contains("black's clock stands"), "{error}");
    }

    #[test]
    fn only_the_running_clock_goes_down_between_moves() {
        let clocks = after_first_moves();
        clocks.during(Color::White, [Some(170_000), Some(BASE_MS)]).unwrap();
        assert!(clocks.during(Color::White, [Some(180_001), Some(BASE_MS)]).is_err());
        assert!(clocks.during(Color::White, [Some(BASE_MS), Some(170_000)]).is_err());
        assert!(clocks.unchanged([Some(179_999), Some(BASE_MS)]).is_err());
        assert!(Clocks::at_base().during(Color::White, [Some(179_999), Some(BASE_MS)]).is_err());
        assert!(clocks.during(Color::White, [None, Some(BASE_MS)]).is_err());
    }
}
