//! The task of the bus: it has the NATS client, publishes what the machine wants published, and hands it
//! what comes.
//!
//! Of async-nats it relies on this: the client keeps what is published in a channel of bounded length, and
//! a `Sink` that says when there is room; it drops what a subscription has no room for and says so; a lost
//! connection is told as `Disconnected` and made again for ever.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use async_nats::message::OutboundMessage;
use async_nats::{Client, ConnectOptions, Event, Message, Subject, Subscriber};
use bytes::Bytes;
use futures_util::{FutureExt as _, SinkExt as _, StreamExt as _};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::machine::To;
use super::{BusOptions, BusUser, CHANGED, Shared};
use crate::cluster::wire::Unreadable;

/// How long a server may take to be connected to, and between two pings, of which two may stay unanswered:
/// a connection that is dead is noticed after three seconds at most.
const WITHIN: Duration = Duration::from_secs(1);
/// The longest wait before a server is tried again: games must go on soon after it is back.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(500);
/// So many payloads wait for this task, each of 64 KiB at most when nodes say much. What comes beyond is
/// lost, which closes its link.
const WAITING_MAX: usize = 1_024;
/// So many are taken in one turn, and what they lead to is published together.
const TURN: usize = 64;
/// The client's own events that wait: a connection makes a few.
const EVENTS_MAX: usize = 64;

/// Why a node has no place on the bus.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConnectError {
    #[error("the bus cannot be connected to")]
    Connect(#[from] async_nats::ConnectError),
    #[error("the bus takes no subscription")]
    Subscribe(#[from] async_nats::SubscribeError),
}

pub(super) struct Task {
    client: Client,
    /// What is for this node, and what is for all.
    own: Subscriber,
    all: Subscriber,
    events: mpsc::Receiver<Event>,
    cluster: String,
    shared: Arc<Shared>,
    user: Arc<dyn BusUser>,
    /// The client has no room.
    is_blocked: bool,
    /// The log says that the bus cannot be reached; each later try says it again.
    is_unreachable: bool,
}

impl Task {
    pub(super) async fn connect(
        options: &BusOptions,
        cluster: &str,
        shared: Arc<Shared>,
        user: Arc<dyn BusUser>,
    ) -> Result<Self, ConnectError> {
        let (me, (sender, events)) = (shared.me, mpsc::channel(EVENTS_MAX));
        let client = with_settings(options.identified())
            .name(format!("zeitnot node {}", me.number.0))
            .event_callback(move |event| {
                let sender = sender.clone();
                // Nobody listens when the server stops.
                async move { drop(sender.send(event).await) }
            })
            .connect(options.addresses())
            .await?;
        let cluster = cluster.to_owned();
        let own = client.subscribe(subject(&cluster, To::Node(me.boot))).await?;
        let all = client.subscribe(subject(&cluster, To::All)).await?;
        Ok(Self { client, own, all, events, cluster, shared, user, is_blocked: false, is_unreachable: false })
    }

    pub(super) async fn run(mut self, stopping: CancellationToken) {
        let shared = Arc::clone(&self.shared);
        loop {
            let wake = shared.machine().wake();
            let changed = poll_fn(|cx| {
                shared.flags.register(cx.waker());
                if shared.flags.take(CHANGED) & CHANGED == 0 { Poll::Pending } else { Poll::Ready(()) }
            });
            tokio::select! {
                () = stopping.cancelled() => return,
                Some(event) = self.events.recv() => self.event(&event),
                Some(message) = self.own.next() => self.datagrams(message),
                Some(message) = self.all.next() => self.announcements(message),
                room = poll_fn(|cx| self.client.poll_ready_unpin(cx)), if self.is_blocked => {
                    if room.is_err() {
                        return tracing::error!("the client of the bus has ended");
                    }
                    self.is_blocked = false;
                }
                () = changed => {}
                () = shared.clock.sleep_until(wake), if !self.is_blocked => {}
            }
            self.turn();
        }
    }

    /// What follows from what has just come, or from the time.
    fn turn(&mut self) {
        let now = self.shared.clock.now();
        self.shared.hand_on(now, &*self.user);
        while !self.is_blocked {
            match poll_fn(|cx| Poll::Ready(self.client.poll_ready_unpin(cx))).now_or_never() {
                Some(Poll::Ready(Ok(()))) => {}
                // An error is met again where room is waited for.
                Some(Poll::Ready(Err(_)) | Poll::Pending) | None => {
                    self.is_blocked = true;
                    return;
                }
            }
            let Some((to, payload)) = self.shared.machine().next(now) else { return };
            self.publish(to, payload);
        }
    }

    fn publish(&mut self, to: To, payload: Bytes) {
        let subject = subject(&self.cluster, to);
        let message = OutboundMessage { subject, reply: None, payload, headers: None };
        if let Err(error) = self.client.start_send_unpin(message) {
            tracing::error!(%error, "the bus takes no payload: the link will be closed");
        }
    }

    fn event(&mut self, event: &Event) {
        let now = self.shared.clock.now();
        match event {
            Event::Connected => {
                tracing::info!("connected to the bus");
                self.is_unreachable = false;
                self.shared.machine().connected(now);
            }
            Event::Disconnected => {
                tracing::warn!("the connection to the bus is lost");
                self.shared.machine().disconnected(now);
            }
            Event::SlowConsumer(_) => tracing::warn!("more comes over the bus than this node takes"),
            Event::ServerError(error) => tracing::warn!(%error, "the bus says that something is wrong"),
            Event::ClientError(error) if !self.is_unreachable => {
                tracing::warn!(%error, "the bus cannot be reached: look after NATS and the addresses of --bus");
                self.is_unreachable = true;
            }
            Event::ClientError(error) => tracing::debug!(%error, "the bus cannot be reached"),
            Event::LameDuckMode | Event::Draining | Event::Closed => {}
        }
    }

    fn datagrams(&mut self, first: Message) {
        let now = self.shared.clock.now();
        let mut machine = self.shared.machine();
        for message in waiting(first, &mut self.own) {
            log_if_unreadable(machine.datagram(&message.payload, now));
        }
    }

    fn announcements(&mut self, first: Message) {
        let now = self.shared.clock.now();
        let mut machine = self.shared.machine();
        for message in waiting(first, &mut self.all) {
            log_if_unreadable(machine.announcement(&message.payload, now));
        }
    }
}

/// A message, and those that wait behind it, as far as one turn takes them.
fn waiting(first: Message, more: &mut Subscriber) -> impl Iterator<Item = Message> {
    std::iter::once(first).chain(std::iter::from_fn(|| more.next().now_or_never().flatten()).take(TURN - 1))
}

fn log_if_unreadable(read: Result<(), Unreadable>) {
    if let Err(error) = read {
        tracing::warn!(%error, "a payload of the bus cannot be read");
    }
}

/// What the bus needs, whoever connects.
fn with_settings(options: ConnectOptions) -> ConnectOptions {
    options
        .retry_on_initial_connect()
        .max_reconnects(None)
        // NATS forwards over one hop: the nodes must be on the same server if they can.
        .retain_servers_order()
        .ignore_discovered_servers()
        .connection_timeout(WITHIN)
        .ping_interval(WITHIN)
        .reconnect_delay_callback(|attempts| {
            let doubled = Duration::from_millis(10) * 2_u32.saturating_pow(attempts.min(10) as u32);
            if attempts <= 1 { Duration::ZERO } else { doubled.min(TRY_AGAIN_AFTER) }
        })
        .subscription_capacity(WAITING_MAX)
}

fn subject(cluster: &str, to: To) -> Subject {
    match to {
        To::Node(boot) => format!("zn.{cluster}.node.{boot}").into(),
        To::All => format!("zn.{cluster}.all").into(),
    }
}
