//! The clock that a comment states: `[%clk h:mm:ss.f]`.
//!
//! Writing it is `writer`'s. Deliberately absent: other commands, such as `[%eval …]` and `[%emt …]`.

use crate::game::Micros;

const COMMAND: &str = "[%clk";

/// The clock in a comment, if it has one that can be read. Hours and minutes may be missing.
pub(super) fn in_comment(comment: &str) -> Option<Micros> {
    let (_, rest) = comment.split_once(COMMAND)?;
    let (value, _) = rest.split_once(']')?;
    if !value.starts_with(char::is_whitespace) {
        return None;
    }
    read(value.trim())
}

fn read(text: &str) -> Option<Micros> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut seconds = 0_u64;
    for (place, part) in whole.split(':').enumerate() {
        if place > 2 {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(number(part)?)?;
    }
    let micros = if fraction.is_empty() { 0 } else { micros(fraction)? };
    Some(Micros(seconds.checked_mul(1_000_000)?.checked_add(micros)?))
}

/// Digits alone, without a sign.
pub(super) fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// The digits after the point of a number of seconds, in microseconds; those below are cut.
pub(super) fn micros(fraction: &str) -> Option<u64> {
    number(fraction)?;
    let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(6);
    Some(digits.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_in_comments() {
        for (comment, micros) in [
            ("{[%clk 1:40:29.9]}", Some(6_029_900_000)),
            ("{good [%eval 0.3] [%clk\n0:00:01] move}", Some(1_000_000)),
            ("{[%clk 5:00]}", Some(300_000_000)),
            ("{[%clk 7.1234567]}", Some(7_123_456)),
            ("{[%clk 0:00:00]}", Some(0)),
            ("{[%clk]}", None),
            ("{[%clk ]}", None),
            ("{[%clk 1:2:3:4]}", None),
            ("{[%clk -1:00]}", None),
            ("{[%clk 1:+2]}", None),
            ("{[%clk 99999999999999999999]}", None),
            ("{[%clk 18446744073709551615:00]}", None),
            ("{[%clk 1:00}", None),
            ("{[%clkx 1:00]}", None),
            ("{1:00}", None),
        ] {
            assert_eq!(in_comment(comment), micros.map(Micros), "{comment}");
        }
    }
}
