//! Looks after the nodes: one that has ended is started again, and one that was declared dead must end.
//!
//! What no fault explains is a complaint.

use std::time::Duration;

use anyhow::{Result, bail};

use super::harness::{Harness, NODES};
use crate::crash::world::World;
use crate::stopwatch::Stopwatch;

/// With this exit code a node ends that was declared dead.
const DECLARED_DEAD: i32 = 74;

/// How often nodes are looked after.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How often the database is asked who is dead.
const ASK_EVERY: Duration = Duration::from_millis(500);

/// How long a node that was declared dead may go on.
const LEARNS_WITHIN: Duration = Duration::from_secs(20);

/// How long a node may take to stop.
const STOPS_WITHIN: Duration = Duration::from_secs(30);

impl Harness<'_> {
    /// Lets time pass. Nodes that end meanwhile are started again where they can be.
    pub(super) async fn pass(
        &mut self,
        world: &World,
        time: Duration,
        can_start: impl Fn(usize) -> bool,
    ) -> Result<()> {
        let since = Stopwatch::start();
        while since.elapsed() < time {
            self.look_after(world, &can_start).await?;
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(())
    }

    /// Starts nodes again that have ended.
    async fn look_after(&mut self, world: &World, can_start: impl Fn(usize) -> bool) -> Result<()> {
        for place in 0..NODES {
            let node = &mut self.nodes[place];
            if let Some(status) = node.has_ended()? {
                world.places.set_up(place, false);
                let is_explained = self.may_die.contains(&node.number());
                if !is_explained || status.code() != Some(DECLARED_DEAD) {
                    self.wrong.complaints.push(format!("{} ended by itself: {status}", node.name()));
                }
            }
            if !self.nodes[place].is_running() && can_start(place) {
                self.start_node(world, place).await?;
            }
        }
        Ok(())
    }

    /// Waits until a node has ended that was told to stop.
    pub(super) async fn until_stopped(&mut self, place: usize) -> Result<()> {
        let (waiting, node) = (Stopwatch::start(), &mut self.nodes[place]);
        let name = node.name();
        loop {
            if let Some(status) = node.has_ended()? {
                if !status.success() {
                    self.wrong.complaints.push(format!("{name} was told to stop, and ended: {status}"));
                }
                return Ok(());
            }
            if waiting.elapsed() > STOPS_WITHIN {
                let seconds = STOPS_WITHIN.as_secs();
                self.wrong.complaints.push(format!("{name} was told to stop {seconds} s ago and goes on"));
                return node.kill().await;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Waits until all nodes serve, and `is_back` says that clients and games are there again.
    pub(super) async fn recover(
        &mut self,
        world: &World,
        limit: Duration,
        is_back: impl Fn() -> Result<(), String>,
    ) -> Result<()> {
        let (waiting, mut asked) = (Stopwatch::start(), Stopwatch::start());
        let mut dead = self.dead().await?;
        let mut are_dead_since = Stopwatch::start();
        loop {
            self.look_after(world, |_| true).await?;
            if asked.elapsed() > ASK_EVERY {
                asked = Stopwatch::start();
                dead = self.dead().await?;
            }
            if dead.is_empty() {
                are_dead_since = Stopwatch::start();
            } else if are_dead_since.elapsed() > LEARNS_WITHIN {
                self.end(world, &dead).await?;
            }
            let why_not = match is_back() {
                Ok(()) if dead.is_empty() => return Ok(()),
                Ok(()) => "a node that was declared dead has not ended".to_owned(),
                Err(why_not) => why_not,
            };
            if waiting.elapsed() > limit {
                bail!("waited {} s: {why_not}", limit.as_secs());
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// The nodes that serve and were declared dead.
    async fn dead(&mut self) -> Result<Vec<usize>> {
        let rows = self.database.nodes().await?;
        for number in rows.iter().filter(|row| row.is_dead).map(|row| row.number) {
            if self.known_dead.insert(number) && !self.may_die.contains(&number) {
                self.wrong.dead += 1;
                let whose = self.nodes.iter().find(|node| node.number() == number);
                let name = whose.map_or_else(|| format!("number {number}"), super::node::Node::name);
                self.wrong.complaints.push(format!("{name} was declared dead, and no fault had hit it"));
            }
        }
        let is_dead = |place: &usize| {
            let node = &self.nodes[*place];
            node.is_running() && self.known_dead.contains(&node.number())
        };
        Ok((0..NODES).filter(is_dead).collect())
    }

    /// Ends nodes that should have ended long ago.
    async fn end(&mut self, world: &World, dead: &[usize]) -> Result<()> {
        for place in dead.iter().copied() {
            let node = &mut self.nodes[place];
            if node.is_running() {
                let name = node.name();
                let seconds = LEARNS_WITHIN.as_secs();
                self.wrong.complaints.push(format!("{name} was declared dead {seconds} s ago and goes on"));
                world.places.set_up(place, false);
                node.kill().await?;
            }
        }
        Ok(())
    }
}
