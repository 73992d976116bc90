//! The only place of the server that draws random numbers, so that a seed reproduces a run.
//!
//! From the operating system's randomness in service, from a seed in tests. The generator is a cryptographic one:
//! tokens and ids cannot be guessed from others.

use crate::sync::unpoisoned;
use std::sync::{Arc, Mutex};

use rand::rngs::StdRng;
use rand::{Rng as _, RngCore as _, SeedableRng as _};
use zeitnot_protocol::{AccountId, BootId, ChallengeId, CommandId, EpochId};

/// A source of random numbers. Clones draw from the same source.
#[derive(Clone, Debug)]
pub struct Entropy(Arc<Mutex<StdRng>>);

impl Entropy {
    /// Randomness that nobody can foresee.
    #[must_use]
    pub fn from_os() -> Self {
        Self(Arc::new(Mutex::new(StdRng::from_os_rng())))
    }

    /// The same numbers for the same seed: for tests.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    fn draw<T>(&self, draw: impl FnOnce(&mut StdRng) -> T) -> T {
        // A panic elsewhere leaves the generator as it was: usable.
        let mut rng = unpoisoned(self.0.lock());
        draw(&mut rng)
    }

    fn number(&self) -> u128 {
        self.draw(|rng| rng.random())
    }

    /// A new challenge's id, and so that of the game it may become.
    #[must_use]
    pub fn challenge_id(&self) -> ChallengeId {
        ChallengeId::from_random(self.number())
    }

    /// The name of this start of the server.
    #[must_use]
    pub fn boot_id(&self) -> BootId {
        BootId::from_random(self.number())
    }

    /// The name of a history of the server's data.
    #[must_use]
    pub fn epoch_id(&self) -> EpochId {
        EpochId::from_random(self.number())
    }

    /// A new account's id: a UUID of version 7, made at `unix_ms` (milliseconds since 1970).
    #[must_use]
    pub fn account_id(&self, unix_ms: u64) -> AccountId {
        let mut bytes = [0; 10];
        self.draw(|rng| rng.fill_bytes(&mut bytes));
        AccountId::from(uuid::Builder::from_unix_timestamp_millis(unix_ms, &bytes).into_uuid())
    }

    /// What tells this process from all others that serve from the same database.
    #[must_use]
    pub fn node_boot(&self) -> uuid::Uuid {
        let mut bytes = [0; 16];
        self.draw(|rng| rng.fill_bytes(&mut bytes));
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }

    /// An id for a command that has none: nobody has used it before.
    #[must_use]
    pub(crate) fn command_id(&self) -> CommandId {
        format!("{:032x}", self.number()).parse().expect("32 digits are an id")
    }

    /// A new token's bytes.
    #[must_use]
    pub fn token(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.draw(|rng| rng.fill_bytes(&mut bytes));
        bytes
    }

    /// Heads or tails.
    #[must_use]
    pub fn coin(&self) -> bool {
        self.draw(|rng| rng.random())
    }

    /// The number of a Chess960 start position, 0 to 959.
    #[must_use]
    pub fn chess960(&self) -> u16 {
        self.between(0, 959) as u16
    }

    /// A number from `least` to `most`, both included: for spreading what would otherwise happen at once.
    ///
    /// # Panics
    /// When `least` is over `most`.
    #[must_use]
    pub fn between(&self, least: u32, most: u32) -> u32 {
        self.draw(|rng| rng.random_range(least..=most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_reproduces_a_run() {
        let run = |seed| {
            let entropy = Entropy::from_seed(seed);
            (
                entropy.challenge_id(),
                entropy.token(),
                entropy.account_id(1),
                entropy.between(3, 900),
                entropy.coin(),
            )
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }

    #[test]
    fn an_account_is_a_uuid_of_version_7_with_its_time_in_front() {
        let unix_ms = 1_763_000_000_123;
        let account = Entropy::from_seed(5).account_id(unix_ms);
        let uuid = uuid::Uuid::from_u128(account.as_u128());
        assert_eq!(uuid.get_version_num(), 7);
        assert_eq!((account.as_u128() >> 80) as u64, unix_ms);
    }

    #[test]
    fn numbers_keep_their_range() {
        let entropy = Entropy::from_seed(6);
        assert!((0..1_000).all(|_| entropy.chess960() < 960));
        assert!((0..1_000).all(|_| (500..=5_000).contains(&entropy.between(500, 5_000))));
    }
}
