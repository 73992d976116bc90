//! Instants and spans of time on a game's own axis, in whole microseconds.
//!
//! Nothing here reads a clock. The axis begins with the game and counts service time only: restarts
//! and downtime do not exist on it, so a recorded game means the same whenever it is replayed.

use std::fmt;
use std::ops::{Add, AddAssign};

/// A span of time in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Micros(pub u64);

impl Micros {
    /// No time.
    pub const ZERO: Self = Self(0);

    /// A span of whole milliseconds.
    #[must_use]
    pub const fn from_millis(milliseconds: u64) -> Self {
        Self(milliseconds.saturating_mul(1_000))
    }

    /// A span of whole seconds.
    #[must_use]
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds.saturating_mul(1_000_000))
    }

    /// In milliseconds, rounded up: how a clock is shown, so that 0 means that the flag has fallen.
    /// At most `u32::MAX`, 49 days, which no clock reaches.
    #[must_use]
    pub const fn to_ms_up(self) -> u32 {
        saturating_u32(self.0.div_ceil(1_000))
    }

    /// In milliseconds, rounded down: how PGN and what a move took are written. At most `u32::MAX`.
    #[must_use]
    pub const fn to_ms_down(self) -> u32 {
        saturating_u32(self.0 / 1_000)
    }

    /// The sum, at most `u64::MAX` microseconds.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference, or zero when `other` is longer.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The sum, or `None` above `u64::MAX` microseconds.
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }

    /// The difference, or `None` when `other` is longer.
    #[must_use]
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        match self.0.checked_sub(other.0) {
            Some(difference) => Some(Self(difference)),
            None => None,
        }
    }

    /// `count` times this span, at most `u64::MAX` microseconds.
    #[must_use]
    pub const fn saturating_mul(self, count: u64) -> Self {
        Self(self.0.saturating_mul(count))
    }
}

const fn saturating_u32(number: u64) -> u32 {
    if number > u32::MAX as u64 { u32::MAX } else { number as u32 }
}

/// Saturates at `u64::MAX` microseconds, half a million years.
impl Add for Micros {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.saturating_add(other)
    }
}

impl AddAssign for Micros {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Seconds, with as many decimals as are needed: `1.5s`.
impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, rest) = (self.0 / 1_000_000, self.0 % 1_000_000);
        if rest == 0 {
            return write!(f, "{seconds}s");
        }
        let decimals = format!("{rest:06}");
        write!(f, "{seconds}.{}s", decimals.trim_end_matches('0'))
    }
}

impl fmt::Debug for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An instant: microseconds of service since the game began.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct GameInstant(pub u64);

impl GameInstant {
    /// When the game began.
    pub const START: Self = Self(0);

    /// The time from `earlier` to here, or zero when `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Micros {
        Micros(self.0.saturating_sub(earlier.0))
    }

    /// The instant that lies `span` before this one, at the earliest the start.
    #[must_use]
    pub const fn saturating_sub(self, span: Micros) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

/// Saturates at the end of the axis.
impl Add<Micros> for GameInstant {
    type Output = Self;

    fn add(self, span: Micros) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl fmt::Debug for GameInstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{:?}", Micros(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_rounding(micros: u64, up: u32, down: u32) {
        assert_eq!((Micros(micros).to_ms_up(), Micros(micros).to_ms_down()), (up, down));
    }

    #[test]
    fn a_shown_clock_is_rounded_up_so_that_0_means_flag() {
        check_rounding(0, 0, 0);
        check_rounding(1, 1, 0);
        check_rounding(999, 1, 0);
        check_rounding(1_000, 1, 1);
        check_rounding(1_001, 2, 1);
        check_rounding(u64::MAX, u32::MAX, u32::MAX);
    }

    #[test]
    fn spans_are_written_as_seconds() {
        assert_eq!(Micros(1_500_000).to_string(), "1.5s");
        assert_eq!(Micros::from_secs(30).to_string(), "30s");
        assert_eq!(Micros(1).to_string(), "0.000001s");
        assert_eq!(format!("{:?}", GameInstant(2_000_000)), "@2s");
    }

    #[test]
    fn arithmetic_saturates() {
        assert_eq!(GameInstant(5).since(GameInstant(7)), Micros::ZERO);
        assert_eq!(GameInstant(u64::MAX) + Micros(1), GameInstant(u64::MAX));
        assert_eq!(Micros(3).saturating_sub(Micros(4)), Micros::ZERO);
        assert_eq!(Micros(3).checked_sub(Micros(4)), None);
        assert_eq!(Micros(u64::MAX).checked_add(Micros(1)), None);
        assert_eq!(Micros::from_secs(u64::MAX), Micros(u64::MAX));
    }
}
