//! The second factor of an account, as it is kept.
//!
//! Deliberately absent: what its codes are and which one is right (`accounts`).

use std::fmt;

/// Random bytes of a secret: the length that the algorithm's specification recommends (RFC 4226, section 4).
const FACTOR_SECRET_BYTES: usize = 20;

/// What the codes of a second factor are computed from. `Debug` does not show it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FactorSecret(pub [u8; FACTOR_SECRET_BYTES]);

impl fmt::Debug for FactorSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FactorSecret(secret)")
    }
}

/// The second factor of an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SecondFactor {
    /// What its codes are computed from.
    pub secret: FactorSecret,
    /// When its owner confirmed it with a code, in milliseconds since 1970; `None`: not yet, and until then it counts for
    /// nothing.
    pub set_unix_ms: Option<u64>,
    /// The time step of the last code that was used; 0: none was.
    pub used_step: u64,
}
