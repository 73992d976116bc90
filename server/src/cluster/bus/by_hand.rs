//! A place on a bus that a simulation stands in for: what `task` does with a NATS client, with channels.
//!
//! Deliberately absent: the client, and so how it connects and what its own queues lose.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use bytes::Bytes;
use tokio::sync::mpsc;

use super::machine::To;
use super::{Bus, BusUser, CHANGED, Shared};
use crate::cluster::node::Boot;

/// What the bus brings a node.
#[derive(Clone, Debug)]
pub(crate) enum Arriving {
    Connected,
    Lost,
    Datagram(Bytes),
    Announcement(Bytes),
}

/// What a node publishes: for one other, or for all.
#[derive(Clone, Debug)]
pub(crate) struct Published {
    pub(crate) to: Option<Boot>,
    pub(crate) payload: Bytes,
}

impl Bus {
    /// Takes what arrives and publishes, until nothing arrives any more.
    pub(crate) async fn serve_by_hand(
        self,
        user: Arc<dyn BusUser>,
        mut arriving: mpsc::Receiver<Arriving>,
        mut publish: impl FnMut(Published) + Send,
    ) {
        let shared = &*self.0;
        loop {
            let wake = shared.machine().wake();
            let changed = poll_fn(|cx| {
                shared.flags.register(cx.waker());
                if shared.flags.take(CHANGED) & CHANGED == 0 { Poll::Pending } else { Poll::Ready(()) }
            });
            tokio::select! {
                biased;
                arrived = arriving.recv() => match arrived {
                    Some(arrived) => shared.arrived(arrived),
                    None => return,
                },
                () = changed => {}
                () = shared.clock.sleep_until(wake) => {}
            }
            let now = shared.clock.now();
            shared.hand_on(now, &*user);
            loop {
                let next = shared.machine().next(now);
                let Some((to, payload)) = next else { break };
                let to = if let To::Node(boot) = to { Some(boot) } else { None };
                publish(Published { to, payload });
            }
        }
    }
}

impl Shared {
    fn arrived(&self, arrived: Arriving) {
        let (mut machine, now) = (self.machine(), self.clock.now());
        let read = match arrived {
            Arriving::Connected => {
                machine.connected(now);
                Ok(())
            }
            Arriving::Lost => {
                machine.disconnected(now);
                Ok(())
            }
            Arriving::Datagram(payload) => machine.datagram(&payload, now),
            Arriving::Announcement(payload) => machine.announcement(&payload, now),
        };
        read.expect("nodes of one version read each other");
    }
}
