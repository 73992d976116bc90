//! The cluster under test: PostgreSQL, NATS and the nodes, each broken as the plan says.
//!
//! Deliberately absent: clients, when a fault comes, and what becomes of nodes that end ([`super::supervisor`]).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;
use rustix::process::Signal;
use zeitnot_protocol::GameId;

use super::database::Database;
use super::nats::Nats;
use super::node::Node;
use super::plan::{Act, Kind};
use super::proxy::{ProxyThread, Traffic};
use crate::crash::pauses::Hit;
use crate::crash::world::World;
use crate::endpoint::Endpoint;
use crate::report::Recorder;

/// How many nodes there are.
pub(super) const NODES: usize = 3;

/// What is wrong with the nodes, apart from the games.
#[derive(Debug, Default)]
pub(super) struct Wrong {
    /// In words.
    pub(super) complaints: Vec<String>,
    /// Nodes that were declared dead although no fault had hit them.
    pub(super) dead: u64,
}

/// All servers.
#[derive(Debug)]
pub(super) struct Harness<'r> {
    // Nodes end before what they need.
    pub(super) nodes: Vec<Node>,
    nats: Nats,
    pub(super) database: Database,
    _proxies: ProxyThread,
    recorder: &'r Recorder,
    /// Numbers of nodes that a fault has hit.
    pub(super) may_die: BTreeSet<u32>,
    pub(super) known_dead: BTreeSet<u32>,
    pub(super) wrong: Wrong,
    /// When everything was there again that games need, in µs since the test began.
    pub(super) mended: u64,
}

impl<'r> Harness<'r> {
    /// Starts everything but the nodes. Their folders and logs are in `home`.
    pub(super) async fn start(
        kind: Kind,
        (binary, nats): (PathBuf, Option<&Path>),
        home: &Path,
        recorder: &'r Recorder,
    ) -> Result<Self> {
        let database = Database::start(kind.needs_standby()).await?;
        let proxies = ProxyThread::start()?;
        let nats = Nats::start(if kind.needs_routes() { NODES } else { 1 }, home, nats, &proxies)?;
        recorder.watch_pid("NATS", nats.of(0).pid());
        let needs = (&database, &nats, &proxies);
        let node = |place| Node::new(place, binary.clone(), home.to_owned(), needs);
        let nodes = (0..NODES).map(node).collect::<Result<Vec<_>>>()?;
        Ok(Self {
            nodes,
            nats,
            database,
            _proxies: proxies,
            recorder,
            may_die: BTreeSet::new(),
            known_dead: BTreeSet::new(),
            wrong: Wrong::default(),
            mended: 0,
        })
    }

    /// Where the nodes listen.
    pub(super) fn endpoints(&self) -> Vec<Endpoint> {
        self.nodes.iter().map(Node::endpoint).collect()
    }

    /// Starts all nodes, one after the other.
    pub(super) async fn start_all(&mut self) -> Result<()> {
        for node in &mut self.nodes {
            node.start(&self.database, self.recorder).await?;
        }
        Ok(())
    }

    /// The same. Clients may connect when all are there.
    pub(super) async fn start_nodes(&mut self, world: &World) -> Result<()> {
        self.start_all().await?;
        (0..NODES).for_each(|place| world.places.set_up(place, true));
        Ok(())
    }

    pub(super) async fn start_node(&mut self, world: &World, place: usize) -> Result<()> {
        self.nodes[place].start(&self.database, self.recorder).await?;
        world.places.set_up(place, true);
        Ok(())
    }

    /// Which node owns each live game. A game whose owner is none of ours is left out.
    pub(super) async fn owners(&self) -> Result<BTreeMap<GameId, usize>> {
        let place_of = |number| self.nodes.iter().position(|node| node.number() == number);
        let owners = self.database.owners().await?;
        Ok(owners.into_iter().filter_map(|(game, number)| Some((game, place_of(number)?))).collect())
    }

    /// How a fault hits a game that this node owns and whose players are connected to these.
    pub(super) fn hit(act: Act, owner: usize, players: [Option<usize>; 2]) -> Hit {
        let with_player = |node| players.contains(&Some(node));
        match act {
            Act::Kill { node }
            | Act::Replace { node }
            | Act::Stop { node, .. }
            | Act::Cut { node, .. }
            | Act::CutRoutes { node, .. } => match (owner == node, with_player(node)) {
                (true, false) => Hit::Owner,
                (true, true) => Hit::OwnerAndPlayer,
                (false, true) => Hit::Player,
                (false, false) => Hit::Nothing,
            },
            Act::Nats { .. } if players.iter().any(|place| *place != Some(owner)) => Hit::Apart,
            Act::Nats { .. } => Hit::Nothing,
            Act::Postgres { .. } | Act::FailOver { .. } | Act::Zombie { .. } => Hit::Everybody,
        }
    }

    /// From now on this fault may end connections and nodes.
    pub(super) fn expect(&mut self, world: &World, act: Act) {
        if let Some(place) = act.node() {
            world.places.set_hit(place, true);
            self.may_die.insert(self.nodes[place].number());
        }
    }

    /// Breaks what is to be broken, and mends it when its time has come.
    pub(super) async fn act(&mut self, world: &World, act: Act) -> Result<()> {
        self.break_and_mend(world, act).await?;
        if !matches!(act, Act::Zombie { .. }) {
            self.mended = world.now();
        }
        Ok(())
    }

    async fn break_and_mend(&mut self, world: &World, act: Act) -> Result<()> {
        match act {
            Act::Kill { node } => {
                world.places.set_up(node, false);
                self.nodes[node].kill().await?;
                self.start_node(world, node).await
            }
            Act::Replace { node } => {
                self.nodes[node].signal(Signal::TERM)?;
                world.places.set_up(node, false);
                self.until_stopped(node).await?;
                self.start_node(world, node).await
            }
            Act::Stop { node, lasts } => {
                self.nodes[node].signal(Signal::STOP)?;
                self.pass(world, lasts, |_| true).await?;
                self.nodes[node].signal(Signal::CONT)
            }
            Act::Cut { node, database, bus, traffic, lasts } => {
                self.cut(node, (database, bus), traffic);
                self.pass(world, lasts, |place| place != node).await?;
                self.cut(node, (database, bus), Traffic::Flows);
                Ok(())
            }
            Act::CutRoutes { node, traffic, lasts } => {
                self.nats.set_routes(node, traffic);
                self.pass(world, lasts, |place| place != node).await?;
                self.nats.set_routes(node, Traffic::Flows);
                Ok(())
            }
            Act::Nats { away } => {
                self.nats.of_mut(0).kill()?;
                self.pass(world, away, |_| false).await?;
                self.nats.of_mut(0).start_again()?;
                self.recorder.watch_pid("NATS", self.nats.of(0).pid());
                Ok(())
            }
            Act::Postgres { crashes, away } => {
                self.database.stop(crashes).await?;
                self.pass(world, away, |_| false).await?;
                self.database.start_again().await
            }
            Act::FailOver { crashes, away } => {
                self.database.stop(crashes).await?;
                self.pass(world, away, |_| false).await?;
                self.database.promote().await
            }
            Act::Zombie { silent } => {
                let old = self.database.primary_slot();
                self.nodes.iter().for_each(|node| node.set_slot(old, Traffic::Silent));
                self.database.promote().await?;
                // The old one is no help when it comes back.
                self.mended = world.now();
                self.pass(world, silent, |_| false).await?;
                self.nodes.iter().for_each(|node| node.set_slot(old, Traffic::Flows));
                Ok(())
            }
        }
    }

    fn cut(&self, node: usize, (database, bus): (bool, bool), traffic: Traffic) {
        if database {
            self.nodes[node].set_database(traffic);
        }
        if bus {
            self.nodes[node].set_bus(traffic);
        }
    }

    /// Gives the database a new standby after it was promoted.
    pub(super) async fn repair(&mut self, act: Act) -> Result<()> {
        if matches!(act, Act::FailOver { .. } | Act::Zombie { .. }) {
            self.database.add_standby().await?;
            let slot = 1 - self.database.primary_slot();
            self.nodes.iter().try_for_each(|node| node.lead_slot(slot, &self.database))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_node_hits_the_games_that_it_owns_and_those_whose_players_it_has() {
        let act = Act::Kill { node: 1 };
        let hit = |owner, white, black| Harness::hit(act, owner, [Some(white), Some(black)]);
        assert_eq!(hit(1, 0, 2), Hit::Owner);
        assert_eq!(hit(1, 0, 1), Hit::OwnerAndPlayer);
        assert_eq!(hit(0, 1, 0), Hit::Player);
        assert_eq!(hit(0, 2, 0), Hit::Nothing);
        assert_eq!(Harness::hit(act, 1, [None, None]), Hit::Owner);
    }

    #[test]
    fn the_bus_hits_games_over_several_nodes_and_the_database_all() {
        let away = Duration::from_secs(1);
        let hit = |act, white, black| Harness::hit(act, 0, [Some(white), Some(black)]);
        assert_eq!(hit(Act::Nats { away }, 0, 0), Hit::Nothing);
        assert_eq!(hit(Act::Nats { away }, 0, 1), Hit::Apart);
        assert_eq!(hit(Act::Postgres { crashes: true, away }, 0, 0), Hit::Everybody);
    }
}
