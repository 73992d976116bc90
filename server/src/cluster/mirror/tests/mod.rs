//! A mirror step by step; and with a model of the owner behind a link over a bus with faults, one seed
//! after the other.

mod owner;
mod steps;
mod world;

use crate::seeded_bugs::{SeededBug, assert_found};
use world::World;

const SEEDS: u64 = 300;

#[test]
fn every_command_has_one_effect_and_one_answer() {
    let mut answers = 0;
    for seed in 0..SEEDS {
        answers += World::new(seed).run().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    assert!(answers > 50 * SEEDS, "only {answers} commands were answered");
}

#[test]
fn a_command_without_an_id_that_is_sent_again_is_found() {
    assert_found(SeededBug::IN_MIRRORS, SEEDS, |seed| World::new(seed).run());
}
