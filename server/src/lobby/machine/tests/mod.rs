//! The machine alone under random inputs, with a checker of its own: one seed after the other.
//!
//! `world` stands for the rest of the server and draws what happens next. `checker` sees only inputs
//! and effects, and what the lobby shows. A failure prints its seed.

mod checker;
mod world;

use crate::seeded_bugs::{SeededBug, assert_found};
use world::World;

const SEEDS: u64 = 1_000;
const STEPS: usize = 250;

/// Runs one seed: what the checker found.
fn run(number: u64) -> Result<(), String> {
    let mut world = World::new(number);
    for _ in 0..STEPS {
        world.step()?;
    }
    world.finish()
}

#[test]
fn random_inputs_keep_the_invariants() {
    for number in 0..SEEDS {
        if let Err(error) = run(number) {
            panic!("seed {number}: {error}");
        }
    }
}

#[test]
fn the_checker_finds_every_seeded_bug() {
    assert_found(SeededBug::IN_LOBBY, SEEDS, run);
}
