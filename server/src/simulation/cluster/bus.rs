//! A model of NATS: what is published arrives at most once, in the order of its publisher, or is lost, doubled, or so late that
//! others overtake it.
//!
//! Deliberately absent: several servers and what they forward; a slow consumer that is cut off.
//!
//! Invariant: a node that is not connected publishes nothing and is brought nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::mpsc;

use super::lots::{Lot, Lots};
use crate::cluster::by_hand::{Arriving, Published};
use crate::storage::NodeNumber;
use crate::sync::unpoisoned;
use crate::tasks::Tasks;
use crate::time::{ServiceClock, ServiceInstant};

/// Payloads that wait for a node, as a subscription of the NATS client takes them.
const WAITING_MAX: usize = 1_024;
/// Payloads between two nodes.
const FLYING_MAX: usize = 1 << 16;

/// A node as the bus knows it.
#[derive(Debug)]
struct Place {
    place: usize,
    boot: String,
    arriving: mpsc::Sender<Arriving>,
    is_connected: bool,
}

/// A payload on its way.
type Flying = (ServiceInstant, Arriving);

#[derive(Debug, Default)]
struct State {
    nodes: BTreeMap<NodeNumber, Place>,
    ways: BTreeMap<(NodeNumber, NodeNumber), mpsc::Sender<Flying>>,
    /// The places between which all is lost.
    cuts: BTreeSet<(usize, usize)>,
    /// The places that do not reach the bus.
    away: BTreeSet<usize>,
    /// Since when no node reaches it, while some are there.
    away_for_all_since: Option<ServiceInstant>,
}

impl State {
    /// To be called whenever nodes or the places away have changed.
    fn look(&mut self, now: ServiceInstant) {
        let is_away = |place: &Place| self.away.contains(&place.place);
        let is_away_for_all = !self.nodes.is_empty() && self.nodes.values().all(is_away);
        self.away_for_all_since = is_away_for_all.then(|| self.away_for_all_since.unwrap_or(now));
    }
}

/// The bus. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Nats {
    state: Arc<Mutex<State>>,
    lots: Lots,
    clock: ServiceClock,
    tasks: Tasks,
}

impl Nats {
    pub(super) fn new(lots: Lots, clock: ServiceClock, tasks: Tasks) -> Self {
        Self { state: Arc::default(), lots, clock, tasks }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }

    /// A node connects for the first time. What it answers arrives at that node.
    pub(super) fn join(&self, node: NodeNumber, place: usize, boot: String) -> mpsc::Receiver<Arriving> {
        let (arriving, receiver) = mpsc::channel(WAITING_MAX);
        let mut state = self.state();
        state.nodes.insert(node, Place { place, boot, arriving, is_connected: false });
        state.look(self.clock.now());
        drop(state);
        self.connect_again(node);
        receiver
    }

    /// A node is gone.
    pub(super) fn leave(&self, node: NodeNumber) {
        let mut state = self.state();
        state.nodes.remove(&node);
        state.ways.retain(|(from, to), _| *from != node && *to != node);
        state.look(self.clock.now());
    }

    /// A node's client connects, as soon as it reaches the bus.
    fn connect_again(&self, node: NodeNumber) {
        let bus = self.clone();
        self.tasks.spawn(async move {
            loop {
                bus.lots.way(Lot::Bus).await;
                if bus.connects(node) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        });
    }

    /// Whether a node is connected now, or is gone.
    fn connects(&self, node: NodeNumber) -> bool {
        let mut state = self.state();
        let State { nodes, away, .. } = &mut *state;
        let Some(place) = nodes.get_mut(&node) else { return true };
        if away.contains(&place.place) {
            return false;
        }
        place.is_connected = true;
        place.arriving.try_send(Arriving::Connected).ok();
        true
    }

    /// The connections of a place are lost, and are made again.
    pub(super) fn lose(&self, place: usize) {
        let mut state = self.state();
        let mut lost = Vec::new();
        for (node, known) in
            state.nodes.iter_mut().filter(|(_, known)| known.place == place && known.is_connected)
        {
            known.is_connected = false;
            known.arriving.try_send(Arriving::Lost).ok();
            lost.push(*node);
        }
        drop(state);
        lost.into_iter().for_each(|node| self.connect_again(node));
    }

    /// For how long no node has reached the bus, while some are there.
    pub(super) fn away_for_all_for(&self) -> Duration {
        let since = self.state().away_for_all_since;
        since.map_or(Duration::ZERO, |since| self.clock.now().since(since))
    }

    /// Whether a place reaches the bus.
    pub(super) fn set_away(&self, place: usize, is_away: bool) {
        let mut state = self.state();
        if is_away {
            state.away.insert(place)
        } else {
            state.away.remove(&place)
        };
        state.look(self.clock.now());
    }

    /// Whether all is lost between two places.
    pub(super) fn set_cut(&self, one: usize, other: usize, is_cut: bool) {
        let cuts = &mut self.state().cuts;
        let pair = (one.min(other), one.max(other));
        if is_cut {
            cuts.insert(pair)
        } else {
            cuts.remove(&pair)
        };
    }

    /// A node publishes something.
    pub(super) fn publish(&self, from: NodeNumber, published: &Published) {
        let (to, payload) = (published.to.map(|boot| boot.to_string()), published.payload.clone());
        let arriving =
            if to.is_some() { Arriving::Datagram(payload) } else { Arriving::Announcement(payload) };
        let nodes: Vec<NodeNumber> = {
            let state = self.state();
            if !state.nodes.get(&from).is_some_and(|from| from.is_connected) {
                return;
            }
            let is_meant = |place: &Place| to.as_ref().is_none_or(|boot| *boot == place.boot);
            state.nodes.iter().filter(|(_, place)| is_meant(place)).map(|(node, _)| *node).collect()
        };
        for node in nodes {
            self.send(from, node, &arriving);
        }
    }

    fn send(&self, from: NodeNumber, to: NodeNumber, arriving: &Arriving) {
        let faults = self.lots.faults();
        if from != to && self.lots.strikes(faults.bus_lost) {
            return;
        }
        if self.lots.strikes(faults.bus_doubled) {
            self.send_late(from, to, arriving.clone());
        }
        if self.lots.strikes(faults.bus_late) {
            return self.send_late(from, to, arriving.clone());
        }
        let at = self.clock.now() + self.lots.span(Lot::Bus);
        let way = self.state().ways.get(&(from, to)).cloned();
        let way = way.unwrap_or_else(|| self.way(from, to));
        way.try_send((at, arriving.clone())).ok();
    }

    fn send_late(&self, from: NodeNumber, to: NodeNumber, arriving: Arriving) {
        let (bus, late) = (self.clone(), self.lots.dice().span(3_000_000));
        self.tasks.spawn(async move {
            tokio::time::sleep(Duration::from_micros(late)).await;
            bus.arrive(from, to, arriving);
        });
    }

    /// A way on which things stay in order.
    fn way(&self, from: NodeNumber, to: NodeNumber) -> mpsc::Sender<Flying> {
        let (sender, mut flying) = mpsc::channel::<Flying>(FLYING_MAX);
        self.state().ways.insert((from, to), sender.clone());
        let bus = self.clone();
        self.tasks.spawn(async move {
            while let Some((at, arriving)) = flying.recv().await {
                bus.clock.sleep_until(at).await;
                bus.arrive(from, to, arriving);
            }
        });
        sender
    }

    fn arrive(&self, from: NodeNumber, to: NodeNumber, arriving: Arriving) {
        let state = self.state();
        let (Some(sender), Some(receiver)) = (state.nodes.get(&from), state.nodes.get(&to)) else { return };
        let pair = (sender.place.min(receiver.place), sender.place.max(receiver.place));
        let is_lost = state.cuts.contains(&pair) && from != to
            || [sender.place, receiver.place].iter().any(|place| state.away.contains(place));
        if !is_lost && receiver.is_connected {
            receiver.arriving.try_send(arriving).ok();
        }
    }
}
