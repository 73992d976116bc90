//! The hashes of passwords, made and compared on one thread of low priority: each takes 19 MiB and tens of milliseconds on
//! purpose, and no game waits for that.
//!
//! The hash is Argon2id with the parameters that OWASP names first (19 MiB, 2 passes, 1 lane), kept as a PHC string, so
//! that others can be read later. Who asks for a name that no account has waits for a comparison as well, with a decoy.
//! The thread takes the 19 MiB when it is first asked, and keeps them: to get them from the system anew for each hash takes
//! the system's locks from the threads that serve games, and leaves the allocator with memory that it does not give back.
//!
//! Deliberately absent: how often somebody may ask (`attempts`).
//!
//! Invariants: at most [`WAITING_MAX`] comparisons wait, [`WAITING_PER_ADDRESS_MAX`] of them of one address, and one more
//! is rejected at once; what nobody waits for any more is not begun.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};

use argon2::password_hash::{Error, Output, ParamsString, PasswordHash as Phc, SaltString};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::oneshot;

use super::password::Password;
use crate::net::Address;
use crate::process::{Priority, lower_priority};
use crate::storage::PasswordHash;
use crate::sync::unpoisoned;

/// Comparisons that wait: a second or two of work.
const WAITING_MAX: usize = 32;

/// Those of one address: a class that signs in at once has some, and nobody takes all places.
const WAITING_PER_ADDRESS_MAX: usize = 8;

/// Random bytes of a salt: what the specification recommends (RFC 9106, section 3.1).
pub(super) const SALT_BYTES: usize = 16;

/// Why no hash was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooMany;

type Job = Box<dyn FnOnce(&mut Hasher) + Send>;

/// The way to the thread. Clones lead to the same one.
#[derive(Clone)]
pub(crate) struct Hashing(Arc<Shared>);

struct Shared {
    work: Work,
    /// How many wait, of each address that has some.
    waiting: Mutex<HashMap<Address, usize>>,
}

/// Who does the work.
enum Work {
    Thread(SyncSender<Job>),
    /// Whoever asks, with a hash that is quickly made: in virtual time nobody waits for a thread.
    #[cfg(test)]
    InPlace(Mutex<Hasher>),
}

/// What hashes.
struct Hasher {
    params: Params,
    /// What each hash is computed in: as much as the largest so far took.
    memory: Vec<Block>,
    /// A hash that no password has.
    decoy: PasswordHash,
}

impl Hasher {
    fn new(params: Params) -> Self {
        let mut hasher = Self { params, memory: Vec::new(), decoy: PasswordHash(String::new()) };
        hasher.decoy = hasher.phc(b"decoy", [0; SALT_BYTES]);
        hasher
    }

    fn hash(&mut self, password: &Password, salt: [u8; SALT_BYTES]) -> PasswordHash {
        self.phc(password.bytes(), salt)
    }

    /// Whether it is the password with this hash. Without a hash it never is, and that takes as long.
    fn verify(&mut self, password: &Password, hash: Option<&PasswordHash>) -> bool {
        let PasswordHash(text) = hash.unwrap_or(&self.decoy).clone();
        let is_right = Phc::new(&text).and_then(|phc| self.has_hash(password.bytes(), &phc));
        is_right.unwrap_or(false) && hash.is_some()
    }

    /// Whether it is the password with this hash, by the algorithm and the parameters that stand in it. The comparison takes
    /// as long wherever the two differ.
    fn has_hash(&mut self, password: &[u8], phc: &Phc<'_>) -> Result<bool, Error> {
        let algorithm = Algorithm::try_from(phc.algorithm)?;
        let version = phc.version.map_or(Ok(Version::default()), Version::try_from)?;
        let argon2 = Argon2::new(algorithm, version, Params::try_from(phc)?);
        let (Some(salt), Some(expected)) = (phc.salt, phc.hash) else { return Err(Error::PhcStringField) };
        let mut buffer = [0; 64];
        let salt = salt.decode_b64(&mut buffer)?;
        Ok(self.output(&argon2, password, salt, expected.len())? == expected)
    }

    fn phc(&mut self, password: &[u8], salt: [u8; SALT_BYTES]) -> PasswordHash {
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, self.params.clone());
        let hash = self.output(&argon2, password, &salt, Params::DEFAULT_OUTPUT_LEN);
        let salt = SaltString::encode_b64(&salt).expect("16 bytes are a salt");
        let phc = Phc {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(&self.params).expect("the parameters have names"),
            salt: Some(salt.as_salt()),
            hash: Some(hash.expect("the parameters are in range")),
        };
        PasswordHash(phc.to_string())
    }

    fn output(
        &mut self,
        argon2: &Argon2<'_>,
        password: &[u8],
        salt: &[u8],
        length: usize,
    ) -> Result<Output, Error> {
        let blocks = argon2.params().block_count();
        if self.memory.len() < blocks {
            self.memory.resize(blocks, Block::default());
        }
        let memory = &mut self.memory[..blocks];
        Output::init_with(length, |out| {
            Ok(argon2.hash_password_into_with_memory(password, salt, out, memory)?)
        })
    }
}

impl Hashing {
    /// Starts the thread. It ends when nobody can ask any more.
    pub(crate) fn start() -> io::Result<Self> {
        let (sender, jobs) = sync_channel(WAITING_MAX);
        std::thread::Builder::new().name("passwords".to_owned()).spawn(move || work(&jobs))?;
        Ok(Self::with(Work::Thread(sender)))
    }

    /// Without a thread, and with a hash that is quickly made.
    #[cfg(test)]
    pub(crate) fn in_place() -> Self {
        let params = Params::new(Params::MIN_M_COST, 1, 1, None).expect("they are the least");
        Self::with(Work::InPlace(Mutex::new(Hasher::new(params))))
    }

    fn with(work: Work) -> Self {
        Self(Arc::new(Shared { work, waiting: Mutex::default() }))
    }

    /// The hash of a password.
    pub(super) async fn hash(
        &self,
        from: Address,
        password: Password,
        salt: [u8; SALT_BYTES],
    ) -> Result<PasswordHash, TooMany> {
        self.ask(from, move |hasher| hasher.hash(&password, salt)).await
    }

    /// Whether it is the password with this hash; without a hash it never is, and that takes as long.
    pub(super) async fn verify(
        &self,
        from: Address,
        password: Password,
        hash: Option<PasswordHash>,
    ) -> Result<bool, TooMany> {
        self.ask(from, move |hasher| hasher.verify(&password, hash.as_ref())).await
    }

    async fn ask<T: Send + 'static>(
        &self,
        from: Address,
        work: impl FnOnce(&mut Hasher) -> T + Send + 'static,
    ) -> Result<T, TooMany> {
        let place = self.0.place(from).ok_or(TooMany)?;
        match &self.0.work {
            Work::Thread(jobs) => {
                let (done, answer) = oneshot::channel();
                let job: Job = Box::new(move |hasher| {
                    // Who gave up needs no answer. The place is given back before the answer, so that who has it
                    // has no place any more.
                    let answer = (!done.is_closed()).then(|| work(hasher));
                    drop(place);
                    if let Some(answer) = answer {
                        drop(done.send(answer));
                    }
                });
                jobs.try_send(job).map_err(|_| TooMany)?;
                answer.await.map_err(|_| TooMany)
            }
            #[cfg(test)]
            Work::InPlace(hasher) => {
                let mut hasher = unpoisoned(hasher.lock());
                Ok(work(&mut hasher))
            }
        }
    }
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, HashMap<Address, usize>> {
        unpoisoned(self.waiting.lock())
    }

    /// A place among those who wait, unless the address has as many as it may.
    fn place(self: &Arc<Self>, from: Address) -> Option<Place> {
        let mut waiting = self.waiting();
        let of_address = waiting.entry(from).or_default();
        if *of_address >= WAITING_PER_ADDRESS_MAX {
            return None;
        }
        *of_address += 1;
        Some(Place { shared: Arc::clone(self), from })
    }
}

/// A place among those who wait. To be given back by dropping it.
struct Place {
    shared: Arc<Shared>,
    from: Address,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut waiting = self.shared.waiting();
        if let Some(of_address) = waiting.get_mut(&self.from) {
            *of_address -= 1;
            if *of_address == 0 {
                waiting.remove(&self.from);
            }
        }
    }
}

fn work(jobs: &Receiver<Job>) {
    lower_priority(Priority::Spare);
    let params = Params::new(19 * 1024, 2, 1, None).expect("they are in range");
    let mut hasher = None;
    while let Ok(job) = jobs.recv() {
        // The first one waits for the decoy as well, whatever it asks.
        let hasher = hasher.get_or_insert_with(|| Hasher::new(params.clone()));
        // This one is answered as too many are; the thread serves the others.
        if catch_unwind(AssertUnwindSafe(|| job(hasher))).is_err() {
            tracing::error!("the hash of a password died of a bug");
        }
    }
}

impl fmt::Debug for Hashing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hashing")
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use argon2::PasswordHasher as _;

    use super::*;

    fn address(number: u8) -> Address {
        IpAddr::from([192, 0, 2, number]).into()
    }

    #[tokio::test]
    async fn a_password_is_known_by_its_hash_and_nobody_has_the_decoys() {
        let hashing = Hashing::start().unwrap();
        let password = Password::offered("correct horse");
        let hash = hashing.hash(address(1), password.clone(), [7; SALT_BYTES]).await.unwrap();
        assert!(hash.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "OWASP's parameters");
        let verify = async |text: &str, hash| hashing.verify(address(1), Password::offered(text), hash).await;
        assert_eq!(verify("correct horse", Some(hash.clone())).await, Ok(true));
        assert_eq!(verify("correct hors", Some(hash)).await, Ok(false));
        for (text, hash) in [("decoy", None), ("x", Some(PasswordHash("no hash".to_owned())))] {
            assert_eq!(verify(text, hash).await, Ok(false), "{text}");
        }
        let other = hashing.hash(address(1), password, [8; SALT_BYTES]).await.unwrap();
        assert!(!other.0.is_empty() && hashing.0.waiting().is_empty(), "every place was given back");
    }

    #[test]
    fn hashes_are_those_of_the_library_and_kept_memory_has_no_influence() {
        let params = Params::new(64, 2, 1, None).unwrap();
        let library = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
        let mut hasher = Hasher::new(params);
        for (round, text) in ["correct horse", "a", "correct horse"].into_iter().enumerate() {
            let salt = [round as u8; SALT_BYTES];
            let encoded = SaltString::encode_b64(&salt).unwrap();
            let expected = library.hash_password(text.as_bytes(), &encoded).unwrap().to_string();
            assert_eq!(hasher.hash(&Password::offered(text), salt).0, expected, "{round}");
        }
        // Of other versions: less memory, then more.
        for memory in [32, 256] {
            let other =
                Argon2::new(Algorithm::Argon2i, Version::V0x10, Params::new(memory, 3, 2, None).unwrap());
            let salt = SaltString::encode_b64(&[9; SALT_BYTES]).unwrap();
            let hash = PasswordHash(other.hash_password(b"correct horse", &salt).unwrap().to_string());
            assert!(hasher.verify(&Password::offered("correct horse"), Some(&hash)), "{hash:?}");
            assert!(!hasher.verify(&Password::offered("correct hors"), Some(&hash)), "{hash:?}");
        }
    }

    #[test]
    fn an_address_has_only_so_many_places_and_all_together_too() {
        // Nobody works, so everything waits.
        let (sender, jobs) = sync_channel(WAITING_MAX);
        let hashing = Hashing::with(Work::Thread(sender));
        let ask = |from| {
            use futures_util::FutureExt as _;
            let mut asked = Box::pin(hashing.verify(from, Password::offered("x"), None));
            (asked.as_mut().now_or_never(), asked)
        };
        let mut waiting = Vec::new();
        for number in 0..WAITING_MAX {
            let (answer, asked) = ask(address((number / WAITING_PER_ADDRESS_MAX) as u8));
            assert_eq!(answer, None, "{number}");
            waiting.push(asked);
        }
        assert_eq!(ask(address(0)).0, Some(Err(TooMany)), "its places are taken");
        assert_eq!(ask(address(99)).0, Some(Err(TooMany)), "all places are taken");
        drop(waiting);
        let params = Params::new(Params::MIN_M_COST, 1, 1, None).unwrap();
        let mut hasher = Hasher::new(params);
        jobs.try_iter().for_each(|job| job(&mut hasher));
        assert!(hashing.0.waiting().is_empty(), "what nobody waits for gives its place back");
    }
}
