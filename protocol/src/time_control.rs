//! How much time a game gives, as a client writes it.
//!
//! Not everything that can be written can be played: a period may have two ways to give time, or
//! days may be too many. The conversion to the [`TimeControl`](zeitnot_rules::game::TimeControl) of
//! the rules finds that out; it has its own code.

use serde::{Deserialize, Serialize};

use crate::object;

/// How much time a game gives.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TimeControl {
    /// A clock a side.
    Clock {
        /// The periods, first to last: 1 to 8. White's, when `black_periods` is there.
        #[serde(deserialize_with = "object::many")]
        periods: Vec<Period>,
        /// Black's periods, when the clocks are unequal.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "object::maybe_many")]
        #[cfg_attr(test, ts(optional))]
        black_periods: Option<Vec<Period>>,
    },
    /// Days for each move.
    Days {
        /// 1 to 30.
        days: u32,
    },
    /// No clock.
    Unlimited,
}

/// One period of a clock, with at most one of the three ways in which a move gives time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Period {
    /// How many moves the player must make in this period, 1 to 200. Absent, in the last period
    /// only: the rest of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub moves: Option<u32>,
    /// Added when the period begins, in ms: up to 24 h.
    pub base_ms: u32,
    /// Added after each move, in ms: up to 1 h.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub increment_ms: Option<u32>,
    /// The clock waits this long before it counts, in ms: up to 1 h.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub delay_ms: Option<u32>,
    /// What the move took is given back up to this much, in ms: up to 1 h.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub bronstein_ms: Option<u32>,
}

/// What each move gives: at most one of the three, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct WireBonus {
    /// Added after each move, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub increment_ms: Option<u32>,
    /// The clock waits this long before it counts, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub delay_ms: Option<u32>,
    /// What the move took is given back up to this much, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub bronstein_ms: Option<u32>,
}
