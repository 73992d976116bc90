//! What a player's clock may have been charged, as far as one who only listens can tell.
//!
//! A turn cannot begin before the command that led to it was sent, nor can it have ended after its event was heard. So the
//! service time between the two, which our stopwatch knows, is the most that may be missing: downtime and pauses are in no
//! span. A clock that lost more was charged for a crash. Clocks never rise by more than the increment.

/// White's clock and Black's in ms.
pub type Clocks = [u32; 2];

/// The most a clock may lose beside the time itself: two figures that are rounded to ms.
pub const ROUNDING_MS: u64 = 2;

/// A span in which a turn was played.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Whose: 0 is White.
    pub side: usize,
    /// The service time it can have taken at most, in µs; `None` when nobody knows.
    pub at_most: Option<u64>,
    /// What is forgiven beside it, in ms.
    pub slack_ms: u64,
}

impl Turn {
    /// Clocks shown during the turn, or at its end, when the mover earned `earned` ms.
    ///
    /// # Errors
    /// When one of them is not as it may be, in words.
    pub fn check(&self, before: Clocks, shown: Clocks, earned: u32) -> Result<(), String> {
        let other = 1 - self.side;
        if shown[other] != before[other] {
            let (name, had, has) = (name(other), before[other], shown[other]);
            return Err(format!("{name}'s clock stood at {had} ms and shows {has} ms"));
        }
        let most = before[self.side] + earned;
        let has = shown[self.side];
        let name = name(self.side);
        if has > most {
            return Err(format!("{name}'s clock rose: at most {most} ms were left, it shows {has} ms"));
        }
        let Some(at_most) = self.at_most else { return Ok(()) };
        let spent_at_most = at_most.div_ceil(1_000) + self.slack_ms;
        let charged = u64::from(most - has);
        if charged > spent_at_most {
            return Err(format!(
                "{name}'s clock lost {charged} ms of {most}, but the server ran for {spent_at_most} ms at most"
            ));
        }
        Ok(())
    }
}

fn name(side: usize) -> &'static str {
    if side == 0 { "white" } else { "black" }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Turn = Turn { side: 0, at_most: Some(1_500_000), slack_ms: ROUNDING_MS };

    #[test]
    fn a_turn_costs_at_most_what_it_took() {
        TURN.check([60_000, 50_000], [58_500, 50_000], 0).unwrap();
        TURN.check([60_000, 50_000], [60_500, 50_000], 2_000).unwrap();
        TURN.check([60_000, 50_000], [62_000, 50_000], 2_000).unwrap();
        let error = TURN.check([60_000, 50_000], [58_497, 50_000], 0).unwrap_err();
        assert!(error.contains("lost 1503 ms"), "{error}");
        assert!(TURN.check([60_000, 50_000], [60_001, 50_000], 0).is_err());
        assert!(TURN.check([60_000, 50_000], [60_000, 49_999], 0).is_err());
    }

    #[test]
    fn without_knowledge_only_the_other_clock_and_a_rise_count() {
        let turn = Turn { at_most: None, ..TURN };
        turn.check([60_000, 50_000], [0, 50_000], 0).unwrap();
        assert!(turn.check([60_000, 50_000], [0, 50_001], 0).is_err());
    }
}
