//! How long something lasts that admins do, as it is written: `30m`, `12h`, `7d`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The longest: ten years. What is to hold for ever is done by closing an account.
const MINUTES_MAX: u32 = 3_650 * DAY;

const HOUR: u32 = 60;
const DAY: u32 = 24 * HOUR;

/// A time of whole minutes, at least one and at most ten years.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Lasts {
    minutes: u32,
}

/// The text is no such time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a time such as 30m, 12h or 7d, of at most 3650d")]
pub struct NoTime;

impl Lasts {
    /// When it is over, in milliseconds since 1970, if it begins then.
    pub(super) const fn until(self, from_unix_ms: u64) -> u64 {
        from_unix_ms.saturating_add(self.minutes as u64 * 60_000)
    }
}

impl FromStr for Lasts {
    type Err = NoTime;

    fn from_str(text: &str) -> Result<Self, NoTime> {
        let minutes = [("d", DAY), ("h", HOUR), ("m", 1)].iter().find_map(|(unit, minutes)| {
            let count = text.strip_suffix(unit)?;
            let is_plain = count.bytes().all(|digit| digit.is_ascii_digit());
            count.parse::<u32>().ok().filter(|_| is_plain)?.checked_mul(*minutes)
        });
        let minutes = minutes.filter(|minutes| (1..=MINUTES_MAX).contains(minutes));
        minutes.map(|minutes| Self { minutes }).ok_or(NoTime)
    }
}

impl TryFrom<String> for Lasts {
    type Error = NoTime;

    fn try_from(text: String) -> Result<Self, NoTime> {
        text.parse()
    }
}

impl From<Lasts> for String {
    fn from(lasts: Lasts) -> Self {
        lasts.to_string()
    }
}

impl fmt::Display for Lasts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.minutes {
            days if days % DAY == 0 => write!(f, "{}d", days / DAY),
            hours if hours % HOUR == 0 => write!(f, "{}h", hours / HOUR),
            minutes => write!(f, "{minutes}m"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_as_it_is_written() {
        for (text, minutes, written) in [
            ("1m", 1, "1m"),
            ("90m", 90, "90m"),
            ("24h", DAY, "1d"),
            ("7d", 7 * DAY, "7d"),
            ("3650d", MINUTES_MAX, "3650d"),
        ] {
            let lasts: Lasts = text.parse().unwrap();
            assert_eq!((lasts.minutes, lasts.to_string().as_str()), (minutes, written));
            assert_eq!(lasts.until(5), 5 + u64::from(minutes) * 60_000);
        }
        for wrong in ["", "d", "0m", "-1d", "+1d", "1", "1w", "1.5h", "3651d", "4294967295d", "1 d"] {
            assert_eq!(wrong.parse::<Lasts>(), Err(NoTime), "{wrong}");
        }
    }
}
