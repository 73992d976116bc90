//! Which fault comes next: of which kind, on which node, how and for how long. All by lot, from the
//! seed.
//!
//! Deliberately absent: doing it.

use std::fmt;
use std::time::Duration;

use super::proxy::Traffic;
use crate::rng::Rng;

/// How long a node is cut off, in ms: longer than its sockets may stay open.
const CUT_MS: (u64, u64) = (12_000, 15_000);

/// How long the bus is away, in ms.
const BUS_AWAY_MS: (u64, u64) = (500, 8_000);

/// How long the database is away before it is started again or its standby is promoted, in ms.
const DATABASE_AWAY_MS: (u64, u64) = (200, 4_000);

/// For how long an old primary is silent after its standby was promoted, in ms.
const OLD_SILENT_MS: (u64, u64) = (2_000, 6_000);

/// For how long nobody thinks before the fault comes, in ms: some moves are on their way then.
const HURRIED_MS: (u64, u64) = (0, 5);

/// A kind of fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A node is killed, and a new one starts.
    Kill,
    /// A node is stopped, and goes on after 5 s.
    Stop5,
    /// A node is stopped, and goes on after 30 s.
    Stop30,
    /// A node is cut off from the database.
    CutDatabase,
    /// A node is cut off from the bus.
    CutBus,
    /// A node is cut off from both.
    CutBoth,
    /// The NATS server of a node is cut off from those of the others.
    CutRoutes,
    /// The NATS server is killed and started again soon.
    Nats,
    /// The NATS server is killed and started again late.
    Nats20,
    /// PostgreSQL is stopped and started again.
    Postgres,
    /// The primary is stopped, and its standby promoted.
    FailOver,
    /// The standby is promoted while the old primary lives, and that can be reached again.
    Zombie,
    /// One node after the other is replaced.
    Deploy,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Kill,
        Self::Stop5,
        Self::Stop30,
        Self::CutDatabase,
        Self::CutBus,
        Self::CutBoth,
        Self::CutRoutes,
        Self::Nats,
        Self::Nats20,
        Self::Postgres,
        Self::FailOver,
        Self::Zombie,
        Self::Deploy,
    ];

    /// What it is called, also in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Stop5 => "stop5",
            Self::Stop30 => "stop30",
            Self::CutDatabase => "cut-database",
            Self::CutBus => "cut-bus",
            Self::CutBoth => "cut-both",
            Self::CutRoutes => "cut-routes",
            Self::Nats => "nats",
            Self::Nats20 => "nats20",
            Self::Postgres => "postgres",
            Self::FailOver => "fail-over",
            Self::Zombie => "zombie",
            Self::Deploy => "deploy",
        }
    }

    /// Whether the database needs a synchronous standby.
    #[must_use]
    pub const fn needs_standby(self) -> bool {
        matches!(self, Self::FailOver | Self::Zombie)
    }

    /// Whether each node needs a NATS server of its own, with routes between them.
    #[must_use]
    pub const fn needs_routes(self) -> bool {
        matches!(self, Self::CutRoutes)
    }

    /// How long one in a hundred games whose owner was hit may stand, in ms, if its players are elsewhere. `None`: it
    /// depends on how long something was away.
    pub(super) const fn target_ms(self) -> Option<f64> {
        match self {
            Self::Kill
            | Self::Stop5
            | Self::Stop30
            | Self::CutDatabase
            | Self::CutBus
            | Self::CutBoth
            | Self::CutRoutes => Some(5_000.0),
            Self::Deploy => Some(300.0),
            Self::Nats | Self::Nats20 | Self::Postgres | Self::FailOver | Self::Zombie => None,
        }
    }

    /// About how long one takes with all that follows, in seconds.
    pub(super) const fn takes(self) -> f64 {
        match self {
            Self::Kill => 9.0,
            Self::Stop5 => 15.0,
            Self::Stop30 => 40.0,
            Self::CutDatabase | Self::CutBus | Self::CutBoth | Self::CutRoutes | Self::Nats20 => 25.0,
            Self::Nats | Self::Postgres | Self::Deploy => 12.0,
            Self::FailOver | Self::Zombie => 20.0,
        }
    }
}

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// The process of this node is killed.
    Kill {
        /// The node.
        node: usize,
    },
    /// This node is told to stop, and a new one takes its place.
    Replace {
        /// The node.
        node: usize,
    },
    /// The process of this node stands.
    Stop {
        /// The node.
        node: usize,
        /// For how long.
        lasts: Duration,
    },
    /// This node is cut off.
    Cut {
        /// The node.
        node: usize,
        /// Whether from the database.
        database: bool,
        /// Whether from the bus.
        bus: bool,
        /// What becomes of what it sends.
        traffic: Traffic,
        /// For how long.
        lasts: Duration,
    },
    /// The NATS server of this node is cut off from the others.
    CutRoutes {
        /// The node.
        node: usize,
        /// What becomes of what the servers send each other.
        traffic: Traffic,
        /// For how long.
        lasts: Duration,
    },
    /// The NATS server is killed.
    Nats {
        /// For how long it is away.
        away: Duration,
    },
    /// PostgreSQL is stopped.
    Postgres {
        /// As by a crash; else it ends its connections in order.
        crashes: bool,
        /// For how long it is away.
        away: Duration,
    },
    /// The primary is stopped for ever, and its standby promoted.
    FailOver {
        /// As by a crash; else it ends its connections in order.
        crashes: bool,
        /// How long it takes until the standby is promoted.
        away: Duration,
    },
    /// The standby is promoted while the primary cannot be reached.
    Zombie {
        /// How long after that it can be reached again.
        silent: Duration,
    },
}

/// One fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// For how long nobody thinks before it comes.
    pub hurried: Duration,
    /// What is done.
    pub act: Act,
}

impl Plan {
    /// Fault `number` of this kind, from 0 on, of a cluster with so many nodes.
    #[must_use]
    pub fn draw(kind: Kind, number: u64, nodes: usize, rng: &mut Rng) -> Self {
        let hurried = rng.millis(HURRIED_MS.0, HURRIED_MS.1);
        let by_lot = rng.below(nodes as u64);
        let next = if kind == Kind::Deploy { number % nodes as u64 } else { by_lot };
        let node = usize::try_from(next).expect("a small number");
        let one_of_two = rng.in_100(50);
        let traffic = if one_of_two { Traffic::Silent } else { Traffic::Closed };
        let mut between = |range: (u64, u64)| rng.millis(range.0, range.1);
        let act = match kind {
            Kind::Kill => Act::Kill { node },
            Kind::Stop5 => Act::Stop { node, lasts: Duration::from_secs(5) },
            Kind::Stop30 => Act::Stop { node, lasts: Duration::from_secs(30) },
            Kind::CutDatabase | Kind::CutBus | Kind::CutBoth => Act::Cut {
                node,
                database: kind != Kind::CutBus,
                bus: kind != Kind::CutDatabase,
                traffic,
                lasts: between(CUT_MS),
            },
            Kind::CutRoutes => Act::CutRoutes { node, traffic, lasts: between(CUT_MS) },
            Kind::Nats20 => Act::Nats { away: Duration::from_secs(20) },
            Kind::Nats => Act::Nats { away: between(BUS_AWAY_MS) },
            Kind::Postgres => Act::Postgres { crashes: one_of_two, away: between(DATABASE_AWAY_MS) },
            Kind::FailOver => Act::FailOver { crashes: one_of_two, away: between(DATABASE_AWAY_MS) },
            Kind::Zombie => Act::Zombie { silent: between(OLD_SILENT_MS) },
            Kind::Deploy => Act::Replace { node },
        };
        Self { hurried, act }
    }
}

impl Act {
    /// The node that it hits.
    #[must_use]
    pub const fn node(self) -> Option<usize> {
        match self {
            Self::Kill { node }
            | Self::Replace { node }
            | Self::Stop { node, .. }
            | Self::Cut { node, .. }
            | Self::CutRoutes { node, .. } => Some(node),
            Self::Nats { .. } | Self::Postgres { .. } | Self::FailOver { .. } | Self::Zombie { .. } => None,
        }
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = |crashes| if crashes { "crashes" } else { "stops" };
        let cut = |traffic| if traffic == Traffic::Closed { "by resets" } else { "in silence" };
        let secs = |time: Duration| format!("{:.1} s", time.as_secs_f64());
        match *self {
            Self::Kill { node } => write!(f, "node {} killed", node + 1),
            Self::Replace { node } => write!(f, "node {} replaced", node + 1),
            Self::Stop { node, lasts } => write!(f, "node {} stopped for {}", node + 1, secs(lasts)),
            Self::Cut { node, database, bus, traffic, lasts } => {
                let from = match (database, bus) {
                    (true, false) => "the database",
                    (false, true) => "the bus",
                    _ => "database and bus",
                };
                write!(f, "node {} cut off from {from} {} for {}", node + 1, cut(traffic), secs(lasts))
            }
            Self::CutRoutes { node, traffic, lasts } => {
                write!(f, "routes of NATS of node {} cut {} for {}", node + 1, cut(traffic), secs(lasts))
            }
            Self::Nats { away } => write!(f, "NATS killed, away for {}", secs(away)),
            Self::Postgres { crashes, away } => {
                write!(f, "PostgreSQL {}, away for {}", how(crashes), secs(away))
            }
            Self::FailOver { crashes, away } => {
                write!(f, "the primary {}, its standby promoted after {}", how(crashes), secs(away))
            }
            Self::Zombie { silent } => {
                write!(f, "the standby promoted, the old primary back after {}", secs(silent))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plans(kind: Kind, seed: u64) -> Vec<Plan> {
        let mut rng = Rng::new(seed);
        (0..60).map(|number| Plan::draw(kind, number, 3, &mut rng)).collect()
    }

    #[test]
    fn the_seed_determines_the_plan() {
        for kind in Kind::ALL {
            assert_eq!(plans(kind, 7), plans(kind, 7));
            assert_ne!(plans(kind, 7), plans(kind, 8), "{}", kind.name());
        }
    }

    #[test]
    fn every_node_is_hit_and_every_way_is_taken() {
        let nodes: Vec<_> = plans(Kind::Kill, 1).iter().filter_map(|plan| plan.act.node()).collect();
        assert!((0..3).all(|node| nodes.contains(&node)) && nodes.iter().all(|node| *node < 3));
        let nodes = plans(Kind::Deploy, 1).into_iter().filter_map(|plan| plan.act.node());
        assert!(nodes.eq([0, 1, 2].into_iter().cycle().take(60)), "a deploy takes them in turn");
        let silent = |plan: &&Plan| matches!(plan.act, Act::Cut { traffic: Traffic::Silent, .. });
        let silent = plans(Kind::CutBoth, 1).iter().filter(silent).count();
        assert!((10..50).contains(&silent), "{silent}");
        let crashes = |plan: &&Plan| matches!(plan.act, Act::Postgres { crashes: true, .. });
        let crashes = plans(Kind::Postgres, 1).iter().filter(crashes).count();
        assert!((10..50).contains(&crashes), "{crashes}");
    }

    #[test]
    fn a_cut_is_from_what_its_name_says() {
        let of = |kind| match plans(kind, 1)[0].act {
            Act::Cut { database, bus, .. } => (database, bus),
            other => panic!("{other}"),
        };
        assert_eq!(of(Kind::CutDatabase), (true, false));
        assert_eq!(of(Kind::CutBus), (false, true));
        assert_eq!(of(Kind::CutBoth), (true, true));
    }

    #[test]
    fn faults_are_said_in_words() {
        let act = Act::Cut {
            node: 1,
            database: true,
            bus: true,
            traffic: Traffic::Silent,
            lasts: Duration::from_millis(12_340),
        };
        assert_eq!(act.to_string(), "node 2 cut off from database and bus in silence for 12.3 s");
        assert_eq!(Act::Kill { node: 0 }.to_string(), "node 1 killed");
    }
}
