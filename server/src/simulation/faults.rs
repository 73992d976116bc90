//! Which faults a seed has, and how often each strikes: drawn anew for every seed, so that most
//! seeds have few of them and some have many (swarm testing).

use super::dice::Dice;

/// Chances are in a thousand.
#[derive(Clone, Debug)]
pub(super) struct Faults {
    /// The longest way of a frame through the network, in µs.
    pub(super) latency: u64,
    /// A connection is cut, each time somebody sends something.
    pub(super) cut: u32,
    /// A connection that is cut stays open on the server's side.
    pub(super) half_open: u32,
    /// A command is sent twice.
    pub(super) doubled: u32,
    /// A session is held up between reading a frame and handing it over.
    pub(super) stalled: u32,
    /// How long at most, in µs.
    pub(super) stall: u64,
    /// A client stops reading for a while.
    pub(super) slow_reader: u32,
    /// Something else runs between two steps of an actor.
    pub(super) interleaved: u32,
    /// The longest way of a record to the disk, in µs.
    pub(super) disk: u64,
    pub(super) append_failed: u32,
    pub(super) append_conflict: u32,
    pub(super) append_unknown: u32,
    pub(super) read_failed: u32,
    /// Verdicts and readings take a while.
    pub(super) slow_questions: u32,
    /// Before these steps of actors, counted over the whole run, the server is killed.
    pub(super) crashes: Vec<u64>,
    /// At these instants, in µs, the server is killed.
    pub(super) crashes_at: Vec<u64>,
    /// Between these instants, in µs, nobody is there.
    pub(super) nobody: Option<(u64, u64)>,
    /// At these instants the process is stopped for so long, in µs.
    pub(super) pauses: Vec<(u64, u64)>,
}

impl Faults {
    /// No faults.
    pub(super) fn none() -> Self {
        Self {
            latency: 2_000,
            cut: 0,
            half_open: 0,
            doubled: 0,
            stalled: 0,
            stall: 0,
            slow_reader: 0,
            interleaved: 0,
            disk: 3_000,
            append_failed: 0,
            append_conflict: 0,
            append_unknown: 0,
            read_failed: 0,
            slow_questions: 0,
            crashes: Vec::new(),
            crashes_at: Vec::new(),
            nobody: None,
            pauses: Vec::new(),
        }
    }

    /// The faults of a seed, for a run in which they last `length` µs.
    pub(super) fn draw(dice: &mut Dice, length: u64) -> Self {
        let none = Self::none();
        if dice.one_in(20) {
            return none;
        }
        let mut faults = Self {
            latency: *dice.pick(&[200, 5_000, 60_000, 400_000]),
            cut: draw(dice, 40),
            half_open: draw(dice, 1_000),
            doubled: draw(dice, 300),
            stalled: draw(dice, 200),
            stall: *dice.pick(&[500, 40_000, 400_000, 1_900_000, 1_900_000, 5_000_000, 5_000_000]),
            slow_reader: draw(dice, 30),
            interleaved: draw(dice, 1_000),
            disk: *dice.pick(&[200, 20_000, 300_000, 2_000_000]),
            append_failed: draw(dice, 20),
            append_conflict: draw(dice, 20),
            append_unknown: draw(dice, 150),
            read_failed: draw(dice, 300),
            slow_questions: draw(dice, 500),
            ..none
        };
        if dice.one_in(2) {
            faults.crashes = (0..dice.within(1, 3)).map(|_| dice.within(1, 900)).collect();
        }
        if dice.one_in(4) {
            faults.crashes_at = (0..dice.within(1, 2)).map(|_| dice.below(length)).collect();
        }
        if dice.one_in(5) {
            let from = dice.below(length);
            faults.nobody = Some((from, from + dice.pick(&[2_000_000, 8_000_000, 35_000_000])));
        }
        if dice.one_in(3) {
            let stop =
                |dice: &mut Dice| (dice.below(length), *dice.pick(&[30_000, 150_000, 1_000_000, 5_000_000]));
            faults.pauses = (0..dice.within(1, 4)).map(|_| stop(dice)).collect();
        }
        faults
    }
}

/// Half of the seeds do not have a fault at all.
fn draw(dice: &mut Dice, highest: u64) -> u32 {
    if dice.one_in(2) { 0 } else { dice.span(highest) as u32 }
}
