//! Which challenges a bot accepts, and why it declines the others.
//!
//! Pure: a challenge and what is being played in, a reason out. Deliberately absent: what the server
//! checks anyway, such as whether a game can be rated.

use std::time::Duration;

use zeitnot_client::protocol::{Challenge, DeclineReason, TimeControl, WireVariant};
use zeitnot_rules::board::Color;
use zeitnot_rules::game;

/// How many moves a game is reckoned to have, for its length.
const MOVES: u64 = 40;

/// What a bot plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// How many games at once.
    pub games: usize,
    /// How many of them against one opponent.
    pub games_per_opponent: usize,
    /// The least time of a side for 40 moves.
    pub shortest: Duration,
    /// The most.
    pub longest: Duration,
    /// Whether it plays with days for a move, and without clocks. At most half of its games are such ones,
    /// so that nobody who leaves them lying keeps all others out.
    pub slow: bool,
    /// Whether it plays Chess960.
    pub chess960: bool,
    /// Whether it plays from given positions.
    pub positions: bool,
    /// Whether it plays rated games.
    pub rated: bool,
    /// Whether it plays casual games.
    pub casual: bool,
    /// Whether it plays against bots.
    pub bots: bool,
    /// Whether it plays against people.
    pub people: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            games: 8,
            games_per_opponent: 2,
            shortest: Duration::from_secs(15),
            longest: Duration::from_secs(24 * 3_600),
            slow: true,
            chess960: true,
            positions: true,
            rated: true,
            casual: true,
            bots: true,
            people: true,
        }
    }
}

/// What a bot is playing, as far as it decides about further games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Load {
    /// All games, those about to begin too.
    pub games: usize,
    /// Those without clocks, or with days for a move.
    pub slow: usize,
    /// Those against the challenger.
    pub against_challenger: usize,
}

impl Terms {
    /// Why this challenge is declined, or `None` if it is accepted.
    #[must_use]
    pub fn objection(&self, challenge: &Challenge, load: Load) -> Option<DeclineReason> {
        let opponent_fits = if challenge.by.bot { self.bots } else { self.people };
        if !opponent_fits {
            return Some(DeclineReason::No);
        }
        let variant_fits = challenge.variant == WireVariant::Standard || self.chess960;
        if !variant_fits || challenge.fen.is_some() && !self.positions {
            return Some(DeclineReason::OtherVariant);
        }
        if !(if challenge.rated { self.rated } else { self.casual }) {
            return Some(DeclineReason::OtherRules);
        }
        let slow = is_slow(&challenge.time_control);
        let wrong_time = self.objection_to_time(&challenge.time_control);
        if wrong_time.is_some() {
            return wrong_time;
        }
        let full = load.games >= self.games
            || load.against_challenger >= self.games_per_opponent
            || slow && load.slow >= self.games.div_ceil(2);
        full.then_some(DeclineReason::Later)
    }

    fn objection_to_time(&self, time_control: &TimeControl) -> Option<DeclineReason> {
        if is_slow(time_control) {
            return (!self.slow).then_some(DeclineReason::OtherTimeControl);
        }
        let Ok(rules) = game::TimeControl::try_from(time_control) else {
            return Some(DeclineReason::OtherTimeControl);
        };
        let length = |seat| rules.estimate(seat, MOVES).map(|length| Duration::from_micros(length.0));
        let lengths = [length(Color::White), length(Color::Black)];
        if lengths.iter().flatten().any(|length| *length < self.shortest) {
            return Some(DeclineReason::TooFast);
        }
        lengths.iter().flatten().any(|length| *length > self.longest).then_some(DeclineReason::TooSlow)
    }
}

/// Whether a game may lie for days.
pub(super) const fn is_slow(time_control: &TimeControl) -> bool {
    !matches!(time_control, TimeControl::Clock { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeitnot_client::protocol::{AccountId, Period, PlayerView};

    fn challenge() -> Challenge {
        let nobody: AccountId = "0193a5c2-7b1e-7c4d-8f2a-1b3c5d7e9f01".parse().expect("an account");
        Challenge {
            challenge: "7Yh2kQ0xVb3N".parse().expect("a challenge"),
            id: None,
            by: PlayerView::unrated(nobody, "Somebody".to_owned()),
            to: None,
            seek: false,
            rematch_of: None,
            color: None,
            variant: WireVariant::Standard,
            fen: None,
            time_control: clock(180, 2),
            options: zeitnot_client::protocol::GameOptions::default(),
            rated: false,
            rating_min: None,
            rating_max: None,
            accepted_by: None,
            ends_in_ms: None,
        }
    }

    fn clock(base: u32, increment: u32) -> TimeControl {
        let period =
            Period { base_ms: base * 1_000, increment_ms: Some(increment * 1_000), ..Period::default() };
        TimeControl::Clock { periods: vec![period], black_periods: None }
    }

    fn objection(terms: &Terms, change: impl FnOnce(&mut Challenge)) -> Option<DeclineReason> {
        let mut challenge = challenge();
        change(&mut challenge);
        terms.objection(&challenge, Load::default())
    }

    #[test]
    fn a_usual_challenge_is_accepted() {
        assert_eq!(objection(&Terms::default(), |_| ()), None);
        assert_eq!(objection(&Terms::default(), |challenge| challenge.rated = true), None);
        assert_eq!(
            objection(&Terms::default(), |challenge| challenge.time_control = TimeControl::Unlimited),
            None
        );
    }

    #[test]
    fn each_reason_is_the_right_one() {
        let terms = Terms {
            chess960: false,
            positions: false,
            rated: false,
            bots: false,
            slow: false,
            longest: Duration::from_secs(600),
            ..Terms::default()
        };
        let reason = |change: fn(&mut Challenge)| objection(&terms, change);
        assert_eq!(reason(|challenge| challenge.by.bot = true), Some(DeclineReason::No));
        let chess960 = reason(|challenge| challenge.variant = WireVariant::Chess960);
        assert_eq!(chess960, Some(DeclineReason::OtherVariant));
        assert_eq!(
            reason(|challenge| challenge.fen = Some(String::new())),
            Some(DeclineReason::OtherVariant)
        );
        assert_eq!(reason(|challenge| challenge.rated = true), Some(DeclineReason::OtherRules));
        assert_eq!(reason(|challenge| challenge.time_control = clock(5, 0)), Some(DeclineReason::TooFast));
        assert_eq!(reason(|challenge| challenge.time_control = clock(900, 0)), Some(DeclineReason::TooSlow));
        let days = reason(|challenge| challenge.time_control = TimeControl::Days { days: 3 });
        assert_eq!(days, Some(DeclineReason::OtherTimeControl));
        let casual = Terms { casual: false, ..Terms::default() };
        assert_eq!(objection(&casual, |_| ()), Some(DeclineReason::OtherRules));
    }

    #[test]
    fn a_bot_that_has_enough_games_says_later() {
        let terms = Terms::default();
        let with = |load, change: fn(&mut Challenge)| {
            let mut challenge = challenge();
            change(&mut challenge);
            terms.objection(&challenge, load)
        };
        let later = Some(DeclineReason::Later);
        assert_eq!(with(Load { games: 8, ..Load::default() }, |_| ()), later);
        assert_eq!(with(Load { against_challenger: 2, ..Load::default() }, |_| ()), later);
        let slow = Load { slow: 4, games: 4, ..Load::default() };
        assert_eq!(with(slow, |challenge| challenge.time_control = TimeControl::Unlimited), later);
        assert_eq!(with(slow, |_| ()), None);
    }
}
