//! Buses on a real NATS server: in order, after kills and freezes of the server, and only with the
//! password.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::NamedTempFile;
use zeitnot_test_servers::NatsServer;

use super::super::{Bus, BusEvent, BusOptions, BusUser};
use crate::cluster::link::LinkEvent;
use crate::cluster::node::Node;
use crate::cluster::wire::Hint;
use crate::cluster::wire::samples::node;
use crate::storage::NodeNumber;
use crate::sync::unpoisoned;
use crate::tasks::Tasks;
use crate::time::ServiceClock;

/// How long a test waits for what must happen.
const PATIENCE: Duration = Duration::from_secs(30);

/// What one node was told.
#[derive(Debug, Default)]
struct Recorder(Mutex<Recorded>);

#[derive(Debug, Default)]
struct Recorded {
    /// By the node that the link is with: how often it opened and closed, and the messages since then.
    opened: HashMap<NodeNumber, usize>,
    closed: HashMap<NodeNumber, usize>,
    messages: HashMap<NodeNumber, Vec<Bytes>>,
    hints: Vec<Hint>,
}

impl BusUser for Recorder {
    fn take(&self, event: BusEvent) {
        let mut recorded = unpoisoned(self.0.lock());
        match event {
            BusEvent::Link(node, LinkEvent::Opened) => {
                *recorded.opened.entry(node).or_default() += 1;
                recorded.messages.insert(node, Vec::new());
            }
            BusEvent::Link(node, LinkEvent::Closed(..)) => *recorded.closed.entry(node).or_default() += 1,
            BusEvent::Link(node, LinkEvent::Message(message)) => {
                recorded.messages.entry(node).or_default().push(message);
            }
            BusEvent::Hint(_, hint) => recorded.hints.push(hint),
            BusEvent::Gone(_) => {}
            BusEvent::NamedDead => panic!("the bus takes it for itself"),
        }
    }
}

struct Member {
    me: Node,
    bus: Bus,
    recorder: Arc<Recorder>,
}

impl Member {
    async fn join(cluster: &str, number: u32, options: &BusOptions, tasks: &Tasks) -> Self {
        let (me, recorder) = (node(number), Arc::new(Recorder::default()));
        let (user, clock) = (Arc::clone(&recorder), ServiceClock::start().unwrap());
        let bus = Bus::new(me, clock);
        bus.connect(options, cluster, user, tasks).await.unwrap();
        bus.set_nodes(&(1..=3).map(node).collect::<Vec<_>>());
        Self { me, bus, recorder }
    }

    fn recorded<T>(&self, look: impl FnOnce(&Recorded) -> T) -> T {
        let recorded = unpoisoned(self.recorder.0.lock());
        look(&recorded)
    }

    /// Whether its last link with each of the others is open.
    fn has_links(&self, others: usize) -> bool {
        self.recorded(|recorded| {
            let is_open = |node| recorded.opened[node] > recorded.closed.get(node).copied().unwrap_or(0);
            recorded.opened.keys().filter(|node| is_open(node)).count() == others
        })
    }
}

fn options(server: &NatsServer, credentials: Option<&Path>) -> BusOptions {
    BusOptions::new(vec![server.url().parse().unwrap()], credentials, false).unwrap()
}

/// Lets it stand still, or go on.
fn freeze(server: &NatsServer, stands: bool) {
    let pid = Pid::from_raw(server.id().try_into().unwrap()).unwrap();
    kill_process(pid, if stands { Signal::STOP } else { Signal::CONT }).unwrap();
}

async fn members(server: &NatsServer, tasks: &Tasks) -> Vec<Member> {
    let mut members = Vec::new();
    for number in 1..=3 {
        members.push(Member::join("test", number, &options(server, None), tasks).await);
    }
    until("all have links", || members.iter().all(|member| member.has_links(2))).await;
    members
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    let waiting = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("it never came that {what}"));
}

fn message(from: Node, number: usize) -> Bytes {
    // Now and then one that has a packet of its own.
    let padding = if number % 100 == 99 { 100_000 } else { number % 700 };
    Bytes::from(format!("{} {number} {}", from.number.0, "x".repeat(padding)))
}

/// Everybody sends so many messages to everybody else, and all of them arrive in order.
async fn exchange(members: &[Member], count: usize) {
    let before = |to: &Member, from: NodeNumber| to.recorded(|recorded| recorded.messages[&from].len());
    let mut expected = Vec::new();
    for from in members {
        for to in members.iter().filter(|to| to.me != from.me) {
            expected.push((from, to, before(to, from.me.number)));
        }
    }
    for number in 0..count {
        for (from, to, _) in &expected {
            from.bus.send(to.me.number, message(from.me, number)).unwrap();
        }
        if number % 200 == 0 {
            tokio::task::yield_now().await;
        }
    }
    until("all messages are there", || {
        expected.iter().all(|(from, to, begin)| before(to, from.me.number) >= begin + count)
    })
    .await;
    for (from, to, begin) in expected {
        let arrived = to.recorded(|recorded| recorded.messages[&from.me.number][begin..].to_vec());
        let sent: Vec<_> = (0..count).map(|number| message(from.me, number)).collect();
        assert!(arrived == sent, "from {:?} to {:?}", from.me, to.me);
    }
}

#[tokio::test]
#[ignore = "needs a NATS server: scripts/test cluster"]
async fn nats_carries_everything_in_order_between_all_nodes() {
    let (server, tasks) = (NatsServer::start(""), Tasks::default());
    let members = members(&server, &tasks).await;
    exchange(&members, 1_000).await;
    assert!(members.iter().all(|member| member.recorded(|recorded| recorded.closed.is_empty())));
    tasks.stop();
    tasks.ended().await;
}

#[tokio::test]
#[ignore = "needs a NATS server: scripts/test cluster"]
async fn nats_brings_heartbeats_and_hints_to_all() {
    let (server, tasks) = (NatsServer::start(""), Tasks::default());
    let members = members(&server, &tasks).await;
    let hear_all = |member: &Member| {
        let heard = member.bus.heard();
        heard.reaches_bus && heard.nodes.len() == 2
    };
    until("all hear all", || members.iter().all(hear_all)).await;
    let hint = Hint::Claimed(Vec::new());
    members[0].bus.announce(hint.clone());
    until("the others got the hint", || {
        members[1..].iter().all(|member| member.recorded(|recorded| recorded.hints == [hint.clone()]))
    })
    .await;
    members[0].bus.database_answered(&[members[1].me.boot]);
    members[1].bus.named_dead().await;
    assert!([0, 2].map(|other| members[other].bus.named_dead().now_or_never()) == [None, None]);
    assert!(members[0].recorded(|recorded| recorded.hints.is_empty()));
    tasks.stop();
    tasks.ended().await;
}

#[tokio::test]
#[ignore = "needs a NATS server: scripts/test cluster"]
async fn nats_that_was_killed_is_connected_to_again_and_links_open_anew() {
    let (mut server, tasks) = (NatsServer::start(""), Tasks::default());
    let members = members(&server, &tasks).await;
    for _ in 0..2 {
        exchange(&members, 50).await;
        server.kill();
        until("all links are closed", || members.iter().all(|member| member.has_links(0))).await;
        until("nobody hears anybody", || {
            members
                .iter()
                .all(|member| !member.bus.heard().reaches_bus && member.bus.heard().nodes.is_empty())
        })
        .await;
        assert!(members[0].bus.send(NodeNumber(2), Bytes::new()).is_err());
        server.start_again();
        until("all have links again", || members.iter().all(|member| member.has_links(2))).await;
    }
    exchange(&members, 50).await;
    tasks.stop();
    tasks.ended().await;
}

#[tokio::test]
#[ignore = "needs a NATS server: scripts/test cluster"]
async fn nats_that_stands_still_closes_links_and_its_late_packets_count_for_nothing() {
    let (server, tasks) = (NatsServer::start(""), Tasks::default());
    let members = members(&server, &tasks).await;
    exchange(&members, 50).await;
    freeze(&server, true);
    for to in [NodeNumber(1), NodeNumber(3)] {
        members[1].bus.send(to, Bytes::from_static(b"late")).unwrap();
    }
    until("all links are closed", || members.iter().all(|member| member.has_links(0))).await;
    freeze(&server, false);
    until("all have links again", || members.iter().all(|member| member.has_links(2))).await;
    exchange(&members, 50).await;
    let is_late = |recorded: &Recorded| recorded.messages.values().flatten().any(|message| message == "late");
    assert!(members.iter().all(|member| !member.recorded(is_late)));
    tasks.stop();
    tasks.ended().await;
}

#[tokio::test]
#[ignore = "needs a NATS server: scripts/test cluster"]
async fn nats_with_a_password_takes_only_who_has_it() {
    let users = "authorization { users: [ { user: zn, password: secret, permissions: { \
                 publish: [\"zn.>\"], subscribe: [\"zn.>\", \"_INBOX.>\"] } } ] }";
    let (server, tasks) = (NatsServer::start(users), Tasks::default());
    let mut credentials = Vec::new();
    for line in ["zn:secret", "zn:wrong"] {
        let mut file = NamedTempFile::new().unwrap();
        writeln!(file, "{line}").unwrap();
        credentials.push(file);
    }
    let one = Member::join("test", 1, &options(&server, Some(credentials[0].path())), &tasks).await;
    let two = Member::join("test", 2, &options(&server, Some(credentials[0].path())), &tasks).await;
    let three = Member::join("test", 3, &options(&server, Some(credentials[1].path())), &tasks).await;
    until("those with the password have a link", || one.has_links(1) && two.has_links(1)).await;
    until("they hear each other", || one.bus.heard().nodes == [NodeNumber(2)]).await;
    assert!(three.has_links(0) && !three.bus.heard().reaches_bus);
    tasks.stop();
    tasks.ended().await;
}

#[tokio::test]
#[ignore = "needs a NATS server: scripts/test cluster"]
async fn nats_keeps_clusters_apart() {
    let (server, tasks) = (NatsServer::start(""), Tasks::default());
    let one = Member::join("one", 1, &options(&server, None), &tasks).await;
    let other = Member::join("other", 2, &options(&server, None), &tasks).await;
    let same = Member::join("one", 3, &options(&server, None), &tasks).await;
    until("those of one cluster have a link", || one.has_links(1) && same.has_links(1)).await;
    until("the other is alone", || other.bus.heard().reaches_bus).await;
    assert!(other.has_links(0) && other.bus.heard().nodes.is_empty());
    tasks.stop();
    tasks.ended().await;
}
