//! Reads of the archive: few at a time, by turns, and what is made of them by a thread of low priority.
//!
//! A whole game, its PGN or a page of games takes the processor longer than a hundred moves. On the threads that serve
//! games each of them would delay every move behind it, so here a bounded number is read at once, and one thread that
//! yields to all others, and takes its share of a core at most, makes the answers. Requests over HTTP and sessions wait
//! in one queue, in which addresses take turns: whoever asks for much waits longer, and nobody else does. Moves do not
//! come here, nor identities. Analyses have places and threads of their own ([`Archive::beside`]).
//!
//! Invariants: at most [`ARCHIVE_READS_MAX`] read or make an answer; of requests [`REQUESTS_WAITING_MAX`] wait, at most
//! [`REQUESTS_PER_PAYER_MAX`] of one payer and [`REQUESTS_PER_ADDRESS_MAX`] of one address; in all [`WAITING_MAX`].

mod queue;

use std::hash::Hash;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use dashmap::DashMap;
use tokio::sync::{Semaphore, oneshot};
use zeitnot_protocol::{AccountId, Code};

use crate::net::Address;
use crate::process::{CoreShare, Priority, lower_priority};
use crate::sync::unpoisoned;
use crate::time::ServiceClock;
use queue::FairQueue;

/// Those that read the archive at once: one is read while another's answer is made. Further ones wait.
const ARCHIVE_READS_MAX: usize = 2;

/// Requests that wait for that; one more gets 503 with `Retry-After`. A request waits a few milliseconds for each.
const REQUESTS_WAITING_MAX: usize = 64;

/// Requests of one address or account that read or wait; one more gets 429. A browser has six connections. So nobody
/// takes all places from the others.
const REQUESTS_PER_PAYER_MAX: u32 = 8;

/// Requests of one address that read or wait, whatever accounts pay for them; one more gets 429. It is three times what
/// one payer has, so that people who share an address have some each, and new accounts give nobody much more.
const REQUESTS_PER_ADDRESS_MAX: u32 = 3 * REQUESTS_PER_PAYER_MAX;

/// All that wait, sessions too: one for every socket of a process. One more is rejected with `unavailable`.
const WAITING_MAX: usize = 32_768;

/// How long a request waits, at most: then 503 with `Retry-After` tells more than silence. A session waits until it is
/// its turn, because its client hears all else meanwhile.
const REQUEST_WAIT_MAX: Duration = Duration::from_secs(2);

/// Answers that wait to be made. A request that was given up leaves its answer here until the thread comes to it.
const ANSWERS_WAITING_MAX: usize = 4 * ARCHIVE_READS_MAX;

type Job = Box<dyn FnOnce() + Send>;

/// Who pays for a read: what it costs, and how many there are at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Payer {
    /// The account whose token was shown: many people may share an address.
    Account(AccountId),
    /// Whoever asks from this address.
    Address(Address),
}

impl Payer {
    /// Who pays for a request of this account, if its token named one, from this address.
    pub(crate) fn of(account: Option<AccountId>, address: Address) -> Self {
        account.map_or(Self::Address(address), Self::Account)
    }
}

/// Why nothing is read now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Busy {
    /// This payer, or its address, has as many reads as it may.
    Payer,
    /// Too many wait, or waited too long.
    Archive,
    /// The answer died of a bug.
    Died,
}

impl From<Busy> for Code {
    /// What a session is told. That its address reads much is told by the wait.
    fn from(_: Busy) -> Self {
        Self::Unavailable
    }
}

/// The places of those who read, and the thread that makes their answers. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Archive(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    queue: Mutex<FairQueue<Address, oneshot::Sender<Place>>>,
    requests_waiting: Semaphore,
    by_payer: DashMap<Payer, u32>,
    by_address: DashMap<Address, u32>,
    /// The way to the thread; `None`: answers are made where they are asked for.
    jobs: Option<SyncSender<Job>>,
}

/// A place among those who read. Dropped, it is the next one's.
#[derive(Debug)]
pub(crate) struct Place(Archive);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.pass_on();
    }
}

/// A request that reads, or will. It counts for its payer and its address until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    archive: Archive,
    payer: Payer,
    address: Address,
    place: Option<Place>,
}

impl Turn {
    /// Takes a place among those who read, after a wait if need be.
    pub(crate) async fn begin(&mut self) -> Result<(), Busy> {
        self.place = Some(self.archive.enter_soon(self.address).await?);
        Ok(())
    }

    /// Gives the place back until it begins again.
    pub(crate) fn pause(&mut self) {
        self.place = None;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        give_back(&self.archive.0.by_payer, &self.payer);
        give_back(&self.archive.0.by_address, &self.address);
    }
}

/// Counts one more of a key, unless it has as many as it may.
fn take<K: Eq + Hash>(counts: &DashMap<K, u32>, key: K, most: u32) -> bool {
    let mut count = counts.entry(key).or_default();
    let has_room = *count < most;
    *count += u32::from(has_room);
    has_room
}

/// Counts one less of a key, which is forgotten with its last one.
fn give_back<K: Eq + Hash>(counts: &DashMap<K, u32>, key: &K) {
    counts.remove_if_mut(key, |_, count| {
        *count -= 1;
        *count == 0
    });
}

impl Archive {
    /// Starts the thread of the archive's answers. It ends with the last user of this value.
    pub(crate) fn start(clock: ServiceClock) -> io::Result<Self> {
        Self::beside("archive-answers", clock)
    }

    /// Places and a thread of this name for other answers that take long, in which addresses take turns in the same way.
    pub(crate) fn beside(thread: &str, clock: ServiceClock) -> io::Result<Self> {
        let (jobs, todo) = sync_channel(ANSWERS_WAITING_MAX);
        std::thread::Builder::new().name(thread.to_owned()).spawn(move || work(&todo, clock))?;
        Ok(Self::with(Some(jobs)))
    }

    /// Without a thread: for tests and simulations.
    pub(crate) fn in_place() -> Self {
        Self::with(None)
    }

    fn with(jobs: Option<SyncSender<Job>>) -> Self {
        Self(Arc::new(Shared {
            queue: Mutex::new(FairQueue::new(ARCHIVE_READS_MAX)),
            requests_waiting: Semaphore::new(REQUESTS_WAITING_MAX),
            by_payer: DashMap::new(),
            by_address: DashMap::new(),
            jobs,
        }))
    }

    fn queue(&self) -> MutexGuard<'_, FairQueue<Address, oneshot::Sender<Place>>> {
        unpoisoned(self.0.queue.lock())
    }

    /// A turn for one more request from `address`, if that and its payer have few others.
    pub(crate) fn turn(&self, payer: Payer, address: Address) -> Result<Turn, Busy> {
        if !take(&self.0.by_address, address, REQUESTS_PER_ADDRESS_MAX) {
            return Err(Busy::Payer);
        }
        if !take(&self.0.by_payer, payer, REQUESTS_PER_PAYER_MAX) {
            give_back(&self.0.by_address, &address);
            return Err(Busy::Payer);
        }
        Ok(Turn { archive: self.clone(), payer, address, place: None })
    }

    /// A place for a session, which asks for one at a time, when it is its turn.
    pub(crate) async fn enter(&self, address: Address) -> Result<Place, Busy> {
        let coming = {
            let mut queue = self.queue();
            if queue.take_free() {
                return Ok(Place(self.clone()));
            }
            if queue.count() >= WAITING_MAX {
                queue.retain(|waits| !waits.is_closed());
            }
            if queue.count() >= WAITING_MAX {
                return Err(Busy::Archive);
            }
            let (place, coming) = oneshot::channel();
            queue.push(address, place);
            coming
        };
        coming.await.map_err(|_| Busy::Archive)
    }

    /// A place, if one is free now: for what is done without if need be.
    pub(crate) fn enter_if_free(&self) -> Option<Place> {
        self.queue().take_free().then(|| Place(self.clone()))
    }

    /// A place for a request, which does not wait for long.
    async fn enter_soon(&self, address: Address) -> Result<Place, Busy> {
        if self.queue().take_free() {
            return Ok(Place(self.clone()));
        }
        let _waiting = self.0.requests_waiting.try_acquire().map_err(|_| Busy::Archive)?;
        tokio::time::timeout(REQUEST_WAIT_MAX, self.enter(address)).await.unwrap_or(Err(Busy::Archive))
    }

    /// Gives a place to the next one who still waits.
    fn pass_on(&self) {
        loop {
            let next = self.queue().next();
            let Some(next) = next else { return };
            // Whoever stops waiting just now gives the place back by dropping it.
            if !next.is_closed() {
                return drop(next.send(Place(self.clone())));
            }
        }
    }

    /// Lets the thread make an answer.
    pub(crate) async fn make<T: Send + 'static>(
        &self,
        make: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let Some(jobs) = &self.0.jobs else {
            return catch_unwind(AssertUnwindSafe(make)).map_err(|_| Busy::Died);
        };
        let (done, made) = oneshot::channel();
        let job = move || {
            // Nobody waits any more for what was given up.
            if !done.is_closed() {
                drop(done.send(make()));
            }
        };
        jobs.try_send(Box::new(job)).map_err(|_| Busy::Archive)?;
        made.await.map_err(|_| Busy::Died)
    }
}

fn work(jobs: &Receiver<Job>, clock: ServiceClock) {
    lower_priority(Priority::Spare);
    let mut share = CoreShare::new(clock);
    while let Ok(job) = jobs.recv() {
        // This one request is answered with an error; the thread serves the others.
        if catch_unwind(AssertUnwindSafe(job)).is_err() {
            let thread = std::thread::current();
            tracing::error!(thread = thread.name(), "an answer died of a bug");
        }
        share.rest();
    }
}

#[cfg(test)]
mod tests {
    use tokio::task::JoinHandle;

    use super::*;

    fn address(number: u8) -> Address {
        std::net::IpAddr::from([192, 0, 2, number]).into()
    }

    fn payer(account: u128) -> Payer {
        Payer::Account(AccountId::from_u128(account))
    }

    #[expect(clippy::disallowed_methods, reason = "a test's own tasks are not the server's")]
    fn start<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        tokio::spawn(task)
    }

    fn request(archive: &Archive, from: u8) -> JoinHandle<Result<Place, Busy>> {
        let archive = archive.clone();
        start(async move { archive.enter_soon(address(from)).await })
    }

    async fn all_places(archive: &Archive) -> Vec<Place> {
        let mut places = Vec::new();
        for _ in 0..ARCHIVE_READS_MAX {
            places.push(archive.enter(address(0)).await.unwrap());
        }
        places
    }

    #[tokio::test(start_paused = true)]
    async fn few_read_at_once_some_wait_and_the_others_are_told_to_come_again() {
        let archive = Archive::in_place();
        let mut places = all_places(&archive).await;
        let mut waiting: Vec<_> = (0..REQUESTS_WAITING_MAX).map(|_| request(&archive, 1)).collect();
        tokio::task::yield_now().await;
        assert_eq!(archive.enter_soon(address(2)).await.unwrap_err(), Busy::Archive, "without a wait");
        drop(places.pop());
        let first = waiting.remove(0).await.unwrap();
        assert!(first.is_ok(), "a place that is given back is the next one's");
        for waited in waiting {
            assert_eq!(waited.await.unwrap().unwrap_err(), Busy::Archive, "after the wait");
        }
        assert_eq!(archive.0.requests_waiting.available_permits(), REQUESTS_WAITING_MAX);
        drop((places, first));
        assert_eq!(all_places(&archive).await.len(), ARCHIVE_READS_MAX, "all places are free again");
    }

    #[tokio::test(start_paused = true)]
    async fn who_asks_for_little_does_not_wait_behind_who_asks_for_much() {
        let archive = Archive::in_place();
        let places = all_places(&archive).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let asks = |from: u8| {
            let (archive, order) = (archive.clone(), Arc::clone(&order));
            start(async move {
                let _place = archive.enter(address(from)).await.unwrap();
                order.lock().unwrap().push(from);
            })
        };
        let mut tasks: Vec<_> = (0..60).map(|_| asks(1)).collect();
        tokio::task::yield_now().await;
        tasks.push(asks(2));
        tokio::task::yield_now().await;
        drop(places);
        for task in tasks {
            task.await.unwrap();
        }
        let at = order.lock().unwrap().iter().position(|from| *from == 2);
        assert!(at.is_some_and(|at| at <= ARCHIVE_READS_MAX), "{at:?}");
    }

    #[tokio::test]
    async fn who_is_gone_has_no_turn_and_takes_no_place_with_it() {
        let archive = Archive::in_place();
        let places = all_places(&archive).await;
        let gone = request(&archive, 1);
        let there = request(&archive, 2);
        tokio::task::yield_now().await;
        gone.abort();
        assert!(gone.await.is_err());
        drop(places);
        assert!(there.await.unwrap().is_ok());
        assert_eq!(all_places(&archive).await.len(), ARCHIVE_READS_MAX);
    }

    #[tokio::test]
    async fn one_payer_has_few_turns_and_leaves_the_others_to_others() {
        let archive = Archive::in_place();
        let mut turns: Vec<_> =
            (0..REQUESTS_PER_PAYER_MAX).map(|_| archive.turn(payer(1), address(1)).unwrap()).collect();
        assert_eq!(archive.turn(payer(1), address(1)).unwrap_err(), Busy::Payer);
        assert_eq!(archive.turn(payer(1), address(2)).unwrap_err(), Busy::Payer, "wherever it is");
        assert!(archive.turn(payer(2), address(1)).is_ok());
        turns[0].begin().await.unwrap();
        turns.remove(0);
        turns.push(archive.turn(payer(1), address(1)).unwrap());
        assert!(archive.turn(payer(1), address(1)).is_err());
        drop(turns);
        assert!(archive.0.by_payer.is_empty() && archive.0.by_address.is_empty(), "nobody is remembered");
        assert_eq!(all_places(&archive).await.len(), ARCHIVE_READS_MAX);
    }

    #[tokio::test]
    async fn new_accounts_give_an_address_only_so_many_turns() {
        let archive = Archive::in_place();
        let all: Vec<_> =
            (0..1_000).filter_map(|account| archive.turn(payer(account), address(1)).ok()).collect();
        assert_eq!(all.len(), REQUESTS_PER_ADDRESS_MAX as usize);
        assert!(archive.turn(Payer::Address(address(1)), address(1)).is_err());
        assert!(archive.turn(payer(0), address(2)).is_ok(), "the account has others left elsewhere");
        drop(all);
        assert!(archive.0.by_payer.is_empty() && archive.0.by_address.is_empty(), "nobody is remembered");
    }

    #[tokio::test]
    async fn an_answer_that_dies_is_an_error_and_the_next_one_is_made() {
        for archive in [Archive::start(ServiceClock::start().unwrap()).unwrap(), Archive::in_place()] {
            assert_eq!(archive.make(|| panic!("a bug")).await, Err::<(), _>(Busy::Died));
            assert_eq!(archive.make(|| 7).await, Ok(7));
        }
    }
}
