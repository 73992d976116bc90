//! Two ends of a link: what they say to each other step by step; and in virtual time, on a bus with
//! every fault, one seed after the other, with a checker of what was sent and taken.

mod steps;
mod world;

use crate::seeded_bugs::{SeededBug, assert_found};
use world::World;

const SEEDS: u64 = 1_000;

#[test]
fn on_a_link_everything_arrives_once_and_in_order_or_it_closes() {
    let mut taken = 0;
    for seed in 0..SEEDS {
        taken += World::new(seed).run().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    assert!(taken > 100 * SEEDS, "only {taken} messages were taken");
}

#[test]
fn a_packet_across_a_gap_and_one_of_an_old_link_are_found() {
    assert_found(SeededBug::IN_LINKS, SEEDS, |seed| World::new(seed).run());
}
