//! Codes of a second factor: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds, which is what all apps know.
//!
//! Pure functions of a secret and an instant. Deliberately absent: which codes were used, and whose they are
//! (`second_factor`).

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha1::Sha1;

use crate::storage::FactorSecret;

/// How long a code is shown.
const STEP_MS: u64 = 30_000;

/// Steps before and after the present one whose codes are taken: clocks differ, and people type slowly.
const DRIFT: u64 = 1;

/// Digits of a code.
const DIGITS: usize = 6;

/// The step of an instant in milliseconds since 1970.
pub(super) const fn step_at(unix_ms: u64) -> u64 {
    unix_ms / STEP_MS
}

/// The code of a step (RFC 4226, section 5.3).
pub(super) fn code(FactorSecret(secret): FactorSecret, step: u64) -> u32 {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret.as_slice()).expect("a key may have any length");
    mac.update(&step.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let at = usize::from(digest[19] & 0xf);
    let bits = u32::from_be_bytes(std::array::from_fn(|place| digest[at + place])) & 0x7fff_ffff;
    bits % 10_u32.pow(DIGITS as u32)
}

/// Reads a code as it is typed, `492 039` too; `None` when it is none.
pub(super) fn read(text: &str) -> Option<u32> {
    let digits: String = text.chars().filter(|letter| *letter != ' ').take(DIGITS + 1).collect();
    let is_one = digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|_| is_one)
}

/// The step that a code is of, at an instant; the steps up to `used` do not count any more.
pub(super) fn step_of(secret: FactorSecret, offered: u32, at_unix_ms: u64, used: u64) -> Option<u64> {
    let now = step_at(at_unix_ms);
    let mut steps = now.saturating_sub(DRIFT)..=now + DRIFT;
    steps.find(|step| *step > used && code(secret, *step) == offered)
}

/// A secret as it is typed into an app.
pub(super) fn written(FactorSecret(secret): FactorSecret) -> String {
    BASE32_NOPAD.encode(&secret)
}

/// What an app reads from a link or a QR code. A name needs no escaping: it has letters, digits, `_` and `-`.
pub(super) fn uri(secret: FactorSecret, name: &str) -> String {
    format!("otpauth://totp/Zeitnot:{name}?secret={}&issuer=Zeitnot", written(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of the examples in RFC 6238, appendix B.
    const PUBLISHED: FactorSecret = FactorSecret(*b"12345678901234567890");

    #[test]
    fn the_codes_are_those_of_the_specification() {
        // The last six of its eight digits.
        for (unix_s, expected) in [
            (59, 287_082),
            (1_111_111_109, 81_804),
            (1_111_111_111, 50_471),
            (1_234_567_890, 5_924),
            (2_000_000_000, 279_037),
            (20_000_000_000, 353_130),
        ] {
            assert_eq!(code(PUBLISHED, step_at(unix_s * 1_000)), expected, "{unix_s}");
        }
    }

    #[test]
    fn a_code_is_taken_one_step_before_and_after_and_only_once() {
        let (unix_ms, now) = (1_111_111_111_000, step_at(1_111_111_111_000));
        let of = |step, used| step_of(PUBLISHED, code(PUBLISHED, step), unix_ms, used);
        for step in [now - 1, now, now + 1] {
            assert_eq!(of(step, 0), Some(step));
            assert_eq!(of(step, step), None, "it was used");
        }
        assert_eq!((of(now - 2, 0), of(now + 2, 0)), (None, None));
        assert_eq!(of(now, now + 1), None, "a later one was used");
    }

    #[test]
    fn a_code_is_read_as_apps_show_it() {
        for (text, expected) in
            [("081804", Some(81_804)), ("081 804", Some(81_804)), (" 0 81804 ", Some(81_804))]
        {
            assert_eq!(read(text), expected, "{text}");
        }
        for wrong in ["", "81804", "0818040", "08180x", "+81804", "\u{661}\u{661}\u{661}"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_secret_is_written_for_apps() {
        let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        assert_eq!(written(PUBLISHED), secret);
        let uri = uri(PUBLISHED, "Rook_And_Roll");
        assert_eq!(uri, format!("otpauth://totp/Zeitnot:Rook_And_Roll?secret={secret}&issuer=Zeitnot"));
    }
}
