//! Two nodes in virtual time, on one store and with a link between them, and the lobby of one of them for both.

mod commands;
mod next_owner;
mod places;
mod shown;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::mpsc;
use zeitnot_protocol::{
    AccountId, ChallengeCommand, ChallengeId, CommandId, CreateChallenge, GameId, JoinPool, PoolId,
    TimeControl, Waiting,
};

use crate::cluster::wire::{self, FromLobby, LinkMessage, LobbyMessage};
use crate::cluster::{BusEvent, BusUser, Hint, LinkEvent, Router, WhyClosed};
use crate::entropy::Entropy;
use crate::games::Links;
use crate::lobby::LobbyRequest;
use crate::lobby::tests::{Tab, Told};
use crate::server::Server;
use crate::storage::{MemoryStore, NodeNumber, TakenLobby};

const BLITZ: PoolId = PoolId::ThreePlusTwo;
const NUMBERS: [NodeNumber; 2] = [NodeNumber(1), NodeNumber(2)];

/// One way of the link: what is sent arrives in order, or is lost.
#[derive(Debug)]
struct Way {
    sent: mpsc::Sender<Bytes>,
    is_open: Arc<AtomicBool>,
}

impl Links for Way {
    fn send(&self, _to: NodeNumber, message: Bytes) {
        if self.is_open.load(Ordering::Relaxed) {
            // At a test's end the other node may be gone before.
            assert!(!matches!(self.sent.try_send(message), Err(mpsc::error::TrySendError::Full(_))));
        }
    }

    fn announce(&self, _: Hint) {}
}

struct Node {
    server: Server,
    user: Arc<dyn BusUser>,
    /// What it sends arrives.
    is_heard: Arc<AtomicBool>,
}

/// Two nodes, of which none has the lobby.
struct Pair {
    nodes: [Node; 2],
    store: Arc<MemoryStore>,
}

fn node(store: &Arc<MemoryStore>, number: NodeNumber) -> (Node, mpsc::Receiver<Bytes>) {
    let (sent, arriving) = mpsc::channel(10_000);
    let server = Server::among_others(Arc::clone(store), number.0.into());
    let is_heard = Arc::new(AtomicBool::new(false));
    let way: Arc<dyn Links> = Arc::new(Way { sent, is_open: Arc::clone(&is_heard) });
    let entropy = Entropy::from_seed(100 + u64::from(number.0));
    let games = server.sessions.games.connect(number, Arc::clone(&way), entropy);
    let lobby = server.sessions.lobby.connect(way);
    (Node { server, user: Arc::new(Router { games, lobby }), is_heard }, arriving)
}

impl Pair {
    /// The link is open.
    fn new() -> Self {
        let store = Arc::new(MemoryStore::default());
        let (a, from_a) = node(&store, NUMBERS[0]);
        let (b, from_b) = node(&store, NUMBERS[1]);
        for (from, to, mut arriving) in [(NUMBERS[0], &b, from_a), (NUMBERS[1], &a, from_b)] {
            let user = Arc::clone(&to.user);
            to.server.sessions.tasks.spawn(async move {
                while let Some(message) = arriving.recv().await {
                    user.take(BusEvent::Link(from, LinkEvent::Message(message)));
                }
            });
        }
        let pair = Self { nodes: [a, b], store };
        pair.open_link();
        pair
    }

    /// The first node has the lobby.
    async fn with_lobby() -> Self {
        let pair = Self::new();
        pair.take(0, 1);
        after(10).await;
        pair
    }

    fn take(&self, node: usize, epoch: u64) {
        let taken = TakenLobby { epoch, challenges: Vec::new() };
        self.nodes[node].server.sessions.lobby.take(&taken);
    }

    fn open_link(&self) {
        self.nodes.iter().for_each(|node| node.is_heard.store(true, Ordering::Relaxed));
        self.nodes[0].user.take(BusEvent::Link(NUMBERS[1], LinkEvent::Opened));
        self.nodes[1].user.take(BusEvent::Link(NUMBERS[0], LinkEvent::Opened));
    }

    fn close_link(&self) {
        self.nodes.iter().for_each(|node| node.is_heard.store(false, Ordering::Relaxed));
        let closed = |node: &Node, other| {
            let heard = node.server.sessions.clock.now();
            node.user.take(BusEvent::Link(other, LinkEvent::Closed(WhyClosed::Silence, heard)));
        };
        closed(&self.nodes[0], NUMBERS[1]);
        closed(&self.nodes[1], NUMBERS[0]);
    }

    /// A connection of a new account, as a session enters.
    fn tab(&self, node: usize, number: u128) -> Tab {
        self.entered(node, Tab::of(&self.nodes[node].server, number))
    }

    fn entered(&self, node: usize, tab: Tab) -> Tab {
        let (account, connection) = (tab.requester.person.account, tab.requester.connection);
        self.nodes[node].server.sessions.lobby.connected(account, connection, tab.requester.address);
        tab
    }

    fn leaves(&self, node: usize, tab: &Tab) {
        let (account, connection) = (tab.requester.person.account, tab.requester.connection);
        let sessions = &self.nodes[node].server.sessions;
        if sessions.connections.close(connection, Some(account)) {
            sessions.lobby.last_connection_closed(account);
        }
    }

    async fn ask(&self, node: usize, tab: &Tab, wanted: LobbyRequest) {
        self.ask_at_once(node, tab, wanted);
        after(10).await;
    }

    /// Nothing else happens meanwhile.
    fn ask_at_once(&self, node: usize, tab: &Tab, wanted: LobbyRequest) {
        self.nodes[node].server.sessions.lobby.ask(tab.requester.clone(), wanted);
    }

    /// The second node hears that the first one has the lobby, over a new link, and nothing else happens meanwhile.
    fn hears_of_the_lobby(&self) {
        self.nodes.iter().for_each(|node| node.is_heard.store(true, Ordering::Relaxed));
        self.nodes[1].user.take(BusEvent::Link(NUMBERS[0], LinkEvent::Opened));
        self.nodes[1].user.take(says(NUMBERS[0], LobbyMessage::FromOwner(FromLobby::Here { epoch: 1 })));
    }

    fn seeks(&self, node: usize) -> usize {
        self.nodes[node].server.sessions.lobby.machine().newest_seeks().count()
    }

    fn waiting(&self, node: usize) -> u32 {
        self.nodes[node].server.sessions.lobby.machine().pools().iter().map(|pool| pool.waiting).sum()
    }

    fn waiting_in(&self, node: usize, wanted: PoolId) -> u32 {
        let pools = self.nodes[node].server.sessions.lobby.machine().pools();
        pools.iter().filter(|pool| pool.pool == wanted).map(|pool| pool.waiting).sum()
    }
}

/// A message of a node, as it comes over the bus.
fn says(node: NodeNumber, message: LobbyMessage) -> BusEvent {
    BusEvent::Link(node, LinkEvent::Message(wire::message(&LinkMessage::Lobby(message))))
}

async fn after(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

fn id(text: &str) -> Option<CommandId> {
    Some(text.parse().unwrap())
}

fn seek(own: Option<CommandId>) -> LobbyRequest {
    LobbyRequest::Create(CreateChallenge {
        seek: true,
        id: own,
        ..CreateChallenge::with(TimeControl::Unlimited)
    })
}

fn challenge(to: AccountId, own: Option<CommandId>) -> LobbyRequest {
    let to = Some(to);
    LobbyRequest::Create(CreateChallenge { to, id: own, ..CreateChallenge::with(TimeControl::Unlimited) })
}

fn accept(challenge: ChallengeId) -> LobbyRequest {
    LobbyRequest::Accept(ChallengeCommand { challenge, id: id("accept") })
}

fn join() -> LobbyRequest {
    join_in(BLITZ)
}

fn join_in(pool: PoolId) -> LobbyRequest {
    LobbyRequest::JoinPool(JoinPool { pool, id: None })
}

fn waits(pool: Option<PoolId>) -> Told {
    Told::Waiting(Waiting { pool, game: None })
}

fn shown(tab: &Tab) -> ChallengeId {
    match tab.heard()[..] {
        [Told::Challenge(id)] => id,
        ref other => panic!("{other:?}"),
    }
}

fn begun(tab: &Tab) -> GameId {
    let heard = tab.heard();
    let begun = heard.iter().find_map(|told| if let Told::Begun(game) = told { Some(*game) } else { None });
    begun.unwrap_or_else(|| panic!("{heard:?}"))
}
