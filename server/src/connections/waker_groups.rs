//! Waking a crowd: the sessions that subscribe to one thing, in groups, and a task for each group that notifies them.
//!
//! The publisher raises a flag of each group, one atomic operation each, and goes on. So the size of a crowd delays
//! neither the players of its game nor any other game. While the server is overloaded a crowd is notified once a second.
//!
//! Invariants: a subscriber is in exactly one group until it leaves; a group that got empty ends; after each notification,
//! and after the close, every member is notified at least once.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use super::Outbox;
use crate::sync::{WakeFlags, unpoisoned};
use crate::tasks::{Overload, Tasks};

/// How many sessions one task notifies: about 50 µs of work, then other tasks get their turn.
const GROUP_SIZE: usize = 256;

const NEWS: u8 = 1;
const SNAPSHOT: u8 = 1 << 1;
const MEMBER_LEFT: u8 = 1 << 2;
const CLOSED: u8 = 1 << 3;

#[derive(Debug)]
struct Subscriber {
    key: u64,
    outbox: Outbox,
    /// Waits for a snapshot.
    waits: bool,
}

#[derive(Debug, Default)]
struct Group {
    flags: WakeFlags,
    members: Mutex<Vec<Subscriber>>,
}

impl Group {
    /// Waits until a flag is up, and lowers all but `CLOSED`.
    async fn raised(&self) -> u8 {
        poll_fn(|cx| {
            self.flags.register(cx.waker());
            match self.flags.take(NEWS | SNAPSHOT | MEMBER_LEFT) {
                0 => Poll::Pending,
                flags => Poll::Ready(flags),
            }
        })
        .await
    }

    fn notify(&self, flags: u8) {
        for member in unpoisoned(self.members.lock()).iter_mut() {
            if flags & (NEWS | CLOSED) != 0 || flags & SNAPSHOT != 0 && member.waits {
                member.outbox.notify();
            }
            if flags & SNAPSHOT != 0 {
                member.waits = false;
            }
        }
    }
}

/// All subscribers of one thing: the spectators of a game, the readers of a chat, or those who have entered the lobby.
#[derive(Debug, Default)]
pub struct WakerGroups {
    groups: Mutex<Vec<Arc<Group>>>,
    count: AtomicU32,
    keys: AtomicU64,
    closed: AtomicBool,
}

/// A subscriber's place in a group. To be given back with [`WakerGroups::leave`].
#[derive(Debug)]
pub struct Member {
    group: Arc<Group>,
    key: u64,
}

impl WakerGroups {
    /// How many subscribe.
    pub(crate) fn count(&self) -> u32 {
        self.count.load(Ordering::Acquire)
    }

    /// Adds a subscriber. To be given back with [`WakerGroups::leave`].
    pub(crate) fn enter(self: &Arc<Self>, outbox: Outbox, tasks: &Tasks) -> Member {
        let key = self.keys.fetch_add(1, Ordering::Relaxed);
        let mut groups = unpoisoned(self.groups.lock());
        // The groups' lock is held until the member is in, so that no group ends in between.
        let with_room = groups.iter().find(|group| unpoisoned(group.members.lock()).len() < GROUP_SIZE);
        let group = match with_room {
            Some(group) => Arc::clone(group),
            None => {
                let group = Arc::new(Group::default());
                groups.push(Arc::clone(&group));
                tasks.spawn(run(Arc::clone(self), Arc::clone(&group), Arc::clone(tasks.overload())));
                group
            }
        };
        unpoisoned(group.members.lock()).push(Subscriber { key, outbox, waits: false });
        self.count.fetch_add(1, Ordering::AcqRel);
        if self.closed.load(Ordering::Acquire) {
            group.flags.raise(CLOSED);
        }
        Member { group, key }
    }

    /// Removes a subscriber.
    pub(crate) fn leave(&self, member: &Member) {
        let mut members = unpoisoned(member.group.members.lock());
        if let Some(index) = members.iter().position(|other| other.key == member.key) {
            members.swap_remove(index);
            self.count.fetch_sub(1, Ordering::AcqRel);
        }
        let is_empty = members.is_empty();
        drop(members);
        if is_empty {
            member.group.flags.raise(MEMBER_LEFT);
        }
    }

    /// Notifies every subscriber.
    pub(crate) fn notify_all(&self) {
        self.raise(NEWS);
    }

    /// Notifies the subscribers that wait for a snapshot.
    pub(crate) fn notify_waiting(&self) {
        self.raise(SNAPSHOT);
    }

    /// Notifies every subscriber for the last time.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.raise(CLOSED);
    }

    fn raise(&self, flag: u8) {
        if self.count() == 0 && flag != CLOSED {
            return;
        }
        for group in unpoisoned(self.groups.lock()).iter() {
            group.flags.raise(flag);
        }
    }

    /// Removes a group from the list if it is empty or closed. Whether it was.
    fn ends(&self, group: &Arc<Group>, is_closed: bool) -> bool {
        let mut groups = unpoisoned(self.groups.lock());
        let ends = is_closed || unpoisoned(group.members.lock()).is_empty();
        if ends {
            groups.retain(|other| !Arc::ptr_eq(other, group));
        }
        ends
    }
}

impl Member {
    /// Asks to be notified when a snapshot is there.
    pub(crate) fn wait_for_snapshot(&self) {
        let mut members = unpoisoned(self.group.members.lock());
        if let Some(member) = members.iter_mut().find(|member| member.key == self.key) {
            member.waits = true;
        }
    }
}

/// The task of one group.
async fn run(groups: Arc<WakerGroups>, group: Arc<Group>, overload: Arc<Overload>) {
    loop {
        let flags = group.raised().await;
        // A crowd reads what happens meanwhile in one go.
        overload.crowd_turn().await;
        group.notify(flags);
        if groups.ends(&group, flags & CLOSED != 0) {
            return;
        }
    }
}
