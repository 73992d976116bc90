//! Who wakes a crowd: spectators' sessions in groups, and a task for each group that rings them.
//!
//! The actor pokes the groups, one atomic operation each, and goes on. So what a crowd costs is not in the way of the
//! players of its game, nor of any other game.
//!
//! Invariants: a spectator is in exactly one group until its [`Place`] is dropped; a group that got empty ends; after a
//! poke, and after the end of the feed, every member is rung at least once.

use std::future::poll_fn;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use futures_util::task::AtomicWaker;

use crate::session::{Outbox, ToSession};
use crate::tasks::Tasks;

/// How many sessions one task rings: about 50 µs of work, then other tasks get their turn.
const GROUP_SIZE: usize = 256;

const NEWS: u8 = 1;
const SNAPSHOT: u8 = 1 << 1;
const LOOK: u8 = 1 << 2;
const CLOSED: u8 = 1 << 3;

#[derive(Debug)]
struct Member {
    key: u64,
    outbox: Outbox<ToSession>,
    /// Waits for a snapshot.
    waits: bool,
}

#[derive(Debug, Default)]
struct Group {
    waker: AtomicWaker,
    flags: AtomicU8,
    members: Mutex<Vec<Member>>,
}

fn unpoisoned<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing in a critical section of this file panics but by running out of memory.
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Group {
    fn raise(&self, flag: u8) {
        if self.flags.fetch_or(flag, Ordering::AcqRel) & flag == 0 {
            self.waker.wake();
        }
    }

    /// Waits for a poke.
    async fn poked(&self) -> u8 {
        poll_fn(|cx| {
            self.waker.register(cx.waker());
            match self.flags.fetch_and(CLOSED, Ordering::AcqRel) {
                0 => Poll::Pending,
                flags => Poll::Ready(flags),
            }
        })
        .await
    }

    fn ring(&self, flags: u8) {
        for member in unpoisoned(&self.members).iter_mut() {
            if flags & (NEWS | CLOSED) != 0 || flags & SNAPSHOT != 0 && member.waits {
                member.outbox.ring();
            }
            if flags & SNAPSHOT != 0 {
                member.waits = false;
            }
        }
    }
}

/// The spectators of one game, or those who have entered the lobby.
#[derive(Debug, Default)]
pub(crate) struct Relay {
    groups: Mutex<Vec<Arc<Group>>>,
    count: AtomicU32,
    keys: AtomicU64,
    closed: AtomicU8,
}

/// A spectator's place in a group.
#[derive(Debug)]
pub(crate) struct Place {
    group: Arc<Group>,
    key: u64,
}

impl Relay {
    /// How many watch.
    pub(crate) fn count(&self) -> u32 {
        self.count.load(Ordering::Acquire)
    }

    /// Adds a spectator. To be given back with [`Relay::leave`].
    pub(crate) fn enter(self: &Arc<Self>, outbox: Outbox<ToSession>, tasks: &Tasks) -> Place {
        let key = self.keys.fetch_add(1, Ordering::Relaxed);
        let mut groups = unpoisoned(&self.groups);
        // The groups' lock is held until the member is in, so that no group ends in between.
        let with_room = groups.iter().find(|group| unpoisoned(&group.members).len() < GROUP_SIZE);
        let group = match with_room {
            Some(group) => Arc::clone(group),
            None => {
                let group = Arc::new(Group::default());
                groups.push(Arc::clone(&group));
                tasks.spawn(run(Arc::clone(self), Arc::clone(&group)));
                group
            }
        };
        unpoisoned(&group.members).push(Member { key, outbox, waits: false });
        self.count.fetch_add(1, Ordering::AcqRel);
        if self.closed.load(Ordering::Acquire) != 0 {
            group.raise(CLOSED);
        }
        Place { group, key }
    }

    /// Takes a spectator out.
    pub(crate) fn leave(&self, place: &Place) {
        let mut members = unpoisoned(&place.group.members);
        if let Some(index) = members.iter().position(|member| member.key == place.key) {
            members.swap_remove(index);
            self.count.fetch_sub(1, Ordering::AcqRel);
        }
        let is_empty = members.is_empty();
        drop(members);
        if is_empty {
            place.group.raise(LOOK);
        }
    }

    /// Rings everybody.
    pub(crate) fn news(&self) {
        self.poke(NEWS);
    }

    /// Rings those who wait for a snapshot.
    pub(super) fn snapshot_is_there(&self) {
        self.poke(SNAPSHOT);
    }

    /// Rings everybody for the last time.
    pub(super) fn close(&self) {
        self.closed.store(1, Ordering::Release);
        self.poke(CLOSED);
    }

    fn poke(&self, flag: u8) {
        if self.count() == 0 && flag != CLOSED {
            return;
        }
        for group in unpoisoned(&self.groups).iter() {
            group.raise(flag);
        }
    }

    /// Takes a group off the list if it is empty, or if its time is over.
    fn ends(&self, group: &Arc<Group>, is_closed: bool) -> bool {
        let mut groups = unpoisoned(&self.groups);
        let ends = is_closed || unpoisoned(&group.members).is_empty();
        if ends {
            groups.retain(|other| !Arc::ptr_eq(other, group));
        }
        ends
    }
}

impl Place {
    /// Asks to be rung when a snapshot is there.
    pub(super) fn wait_for_snapshot(&self) {
        let mut members = unpoisoned(&self.group.members);
        if let Some(member) = members.iter_mut().find(|member| member.key == self.key) {
            member.waits = true;
        }
    }
}

/// The task of one group.
async fn run(relay: Arc<Relay>, group: Arc<Group>) {
    loop {
        let flags = group.poked().await;
        group.ring(flags);
        if relay.ends(&group, flags & CLOSED != 0) {
            return;
        }
    }
}
