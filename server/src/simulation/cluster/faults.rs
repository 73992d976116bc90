//! What goes wrong in a run with several nodes, and when: drawn anew for every seed, so that most seeds have few faults and
//! some have many.

use crate::simulation::dice::Dice;

/// Something that happens at an instant. Nodes are named by their places; spans are in µs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Happening {
    /// The node is killed.
    Kill(usize),
    /// The node is stopped for so long.
    Stop(usize, u64),
    /// What goes between the node and the bus is lost for so long, and nobody is told at first.
    BusAway(usize, u64),
    /// What goes between the two nodes over the bus is lost for so long.
    BusCut(usize, usize, u64),
    /// The bus is away for all.
    AllBusAway(u64),
    /// The node's connection to the bus is lost, and is made again at once.
    Reconnect(usize),
    /// The node does not reach the database for so long.
    DatabaseCut(usize, u64),
    /// Connections of the node to the database are lost, and are made again.
    ConnectionsLost(usize),
    /// The server of the database is away for so long.
    DatabaseAway(u64),
    /// The primary is lost, and the standby is promoted after so long.
    FailOver(u64),
    /// The old primary comes back alone.
    OldPrimary,
}

impl Happening {
    /// For how long.
    pub(super) fn lasts(self) -> u64 {
        match self {
            Self::Kill(_) | Self::Reconnect(_) | Self::ConnectionsLost(_) | Self::OldPrimary => 0,
            Self::Stop(_, us)
            | Self::BusAway(_, us)
            | Self::BusCut(_, _, us)
            | Self::AllBusAway(us)
            | Self::DatabaseCut(_, us)
            | Self::DatabaseAway(us)
            | Self::FailOver(us) => us,
        }
    }
}

/// Chances are in a thousand, spans the longest in µs.
#[derive(Clone, Debug)]
pub(super) struct Faults {
    pub(super) database: u64,
    /// A connection to the database is lost, each time something goes over it.
    pub(super) database_lost: u32,
    /// The same, when a transaction of several statements is to be committed.
    pub(super) commit_lost: u32,
    pub(super) disk: u64,
    pub(super) replication: u64,
    pub(super) cancelled_wait: u32,
    pub(super) bus: u64,
    pub(super) bus_lost: u32,
    pub(super) bus_doubled: u32,
    /// So late that others overtake it.
    pub(super) bus_late: u32,
    pub(super) client: u64,
    /// A client's connection is lost, each time it sends something.
    pub(super) client_cut: u32,
    /// A task is held up before a turn.
    pub(super) stalled: u32,
    pub(super) stall: u64,
    /// In their order.
    pub(super) happenings: Vec<(u64, Happening)>,
}

impl Faults {
    fn none() -> Self {
        Self {
            database: 2_000,
            database_lost: 0,
            commit_lost: 0,
            disk: 2_000,
            replication: 2_000,
            cancelled_wait: 0,
            bus: 2_000,
            bus_lost: 0,
            bus_doubled: 0,
            bus_late: 0,
            client: 2_000,
            client_cut: 0,
            stalled: 0,
            stall: 0,
            happenings: Vec::new(),
        }
    }

    /// Those of a seed in which they last `length` µs, among so many nodes.
    pub(super) fn draw(dice: &mut Dice, length: u64, nodes: usize) -> Self {
        let none = Self::none();
        if dice.one_in(20) {
            return none;
        }
        let mut faults = Self {
            database: *dice.pick(&[500, 4_000, 4_000, 40_000]),
            database_lost: draw(dice, 4),
            disk: *dice.pick(&[500, 4_000, 4_000, 60_000]),
            replication: *dice.pick(&[500, 4_000, 4_000, 60_000, 700_000]),
            cancelled_wait: draw(dice, 60),
            bus: *dice.pick(&[500, 4_000, 40_000, 200_000]),
            bus_lost: draw(dice, 20),
            bus_doubled: draw(dice, 60),
            bus_late: draw(dice, 20),
            client: *dice.pick(&[500, 10_000, 100_000]),
            client_cut: draw(dice, 30),
            stalled: draw(dice, 100),
            stall: *dice.pick(&[2_000, 20_000, 200_000]),
            ..none
        };
        if dice.one_in(5) {
            return faults;
        }
        for _ in 0..dice.within(1, 5) {
            let happening = happening(dice, nodes);
            faults.happenings.push((dice.below(length), happening));
        }
        faults.happenings.sort_by_key(|(at, _)| *at);
        faults
    }

    /// The same with lost commits, for some seeds. They have lots of their own: those of other faults stay what they are.
    pub(super) fn with_lost_commits(self, dice: &mut Dice) -> Self {
        let commit_lost = if dice.one_in(3) { dice.within(10, 300) as u32 } else { 0 };
        Self { commit_lost, ..self }
    }
}

fn happening(dice: &mut Dice, nodes: usize) -> Happening {
    let node = dice.below(nodes as u64) as usize;
    let other = dice.below(nodes as u64) as usize;
    let short = *dice.pick(&[300_000, 1_000_000, 2_500_000, 4_000_000]);
    let long = *dice.pick(&[1_000_000, 4_000_000, 9_000_000, 14_000_000]);
    match dice.below(15) {
        0..=2 => Happening::Kill(node),
        3 | 4 => Happening::Stop(node, if dice.one_in(2) { short } else { long }),
        5 => Happening::BusAway(node, long),
        6 => Happening::BusCut(node, other, long),
        7 => Happening::AllBusAway(long),
        8 => Happening::Reconnect(node),
        9 | 10 => Happening::DatabaseCut(node, long),
        11 => Happening::ConnectionsLost(node),
        12 => Happening::DatabaseAway(long),
        13 => Happening::FailOver(short),
        _ => Happening::OldPrimary,
    }
}

/// Half of the seeds do not have a fault at all.
fn draw(dice: &mut Dice, highest: u64) -> u32 {
    if dice.one_in(2) { 0 } else { dice.span(highest) as u32 }
}
