//! The simulation: one seed is one whole run of clients, sessions, actors, journal and time, on one
//! thread.
//!
//! What runs is what runs in service: the actors' machine and what surrounds it, feeds, relays,
//! sessions' machine and following, readers of the journal, the arithmetic of the service clock.
//! What is simulated is the world around them: people, the network, the disk, the scheduler, and a
//! hand on the power switch. Everything is drawn from the seed: no clock is read, no thread is
//! started, and nothing depends on the order of a hash.
//!
//! A run has two phases. First things go wrong, as [`faults::Faults`] were drawn. Then everything
//! heals, and every game must come to its end, every command to its answer, and every client to the
//! last event. An independent [`checker`] looks on all the time. `cargo test` runs 2,000 seeds;
//! `search` runs as many as are wanted.
//!
//! Deliberately absent: sockets and the framing of what clients send, identities, the lobby; other nodes, which `cluster` has.

mod actor;
mod actors;
mod acts;
mod appends;
mod checker;
mod cluster;
mod coverage;
mod dice;
mod disk;
mod faults;
mod network;
mod person;
mod populate;
mod process;
mod rest;
mod sessions;
mod setup;
mod tests;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::seeded_bugs::{SeededBug, Seeding};
use checker::{Complaint, Fault};
use coverage::Coverage;
use world::World;

/// What a run came to.
#[derive(Debug)]
pub(super) struct Run {
    complaint: Option<Complaint>,
    coverage: Coverage,
    /// Of everything that happened.
    hash: u64,
    events: u64,
}

/// Runs a seed, with a bug seeded or none.
fn run(seed: u64, bug: Option<SeededBug>) -> Run {
    let _seeding = Seeding::with(bug);
    let mut world = World::new(seed);
    let panicked = catch_unwind(AssertUnwindSafe(|| world.run())).err();
    let mut complaint = world.checker.complaint().cloned();
    if let Some(panic) = panicked.filter(|_| complaint.is_none()) {
        let text = panic.downcast_ref::<String>().cloned();
        let detail = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        complaint = Some(Complaint { fault: Fault::Panicked, detail: detail.unwrap_or_default() });
    }
    Run {
        complaint,
        hash: world.hash,
        events: world.events,
        coverage: std::mem::take(&mut world.checker.coverage),
    }
}
