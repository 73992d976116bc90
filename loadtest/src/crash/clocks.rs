//! How much a player's clock may have been charged, as far as a client can tell.
//!
//! A turn cannot have begun before the command that led to it was sent, nor have ended after its
//! event was received. So the service time between the two is the most that may be missing from the
//! clock. Our stopwatch measures it without downtime and pauses: a clock that lost more was charged
//! for a fault. A clock rises only by the increment.

/// White's and Black's clock in ms.
pub type Clocks = [u32; 2];

/// The most that a clock may lose beside the time itself, because two figures are rounded to ms.
pub const ROUNDING_MS: u64 = 2;

/// The time span of a turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The player: 0 is White.
    pub side: usize,
    /// The most service time that it can have taken, in µs; `None` if unknown.
    pub at_most: Option<u64>,
    /// The tolerance beside it, in ms.
    pub slack_ms: u64,
}

impl Turn {
    /// Checks the clocks shown during the turn, or at its end, when the mover gained `earned` ms.
    ///
    /// # Errors
    /// What is wrong with one of them, in words.
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
