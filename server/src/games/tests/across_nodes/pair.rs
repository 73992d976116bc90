//! The two nodes, the link between them, and sessions that only listen.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::mpsc;
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{GameSetup, Micros};

use super::super::actor::{heard, online, reading_session, settle};
use super::super::table::play;
use crate::cluster::wire::{self, ChatMessage, ChatNews, FromOwner, GameMessage, LinkMessage};
use crate::cluster::{BusEvent, BusUser, Hint, LinkEvent, Node, WhyClosed};
use crate::connections::{ConnectionId, Inbox, NoticeKind};
use crate::entropy::Entropy;
use crate::games::across_nodes::Links;
use crate::games::{GameHandle, Games, Seat, SeatCommand, Spectator};
use crate::storage::{ClaimedGame, GameStore as _, MemoryStore, NodeNumber, Owner};
use crate::sync::unpoisoned;
use crate::tasks::Tasks;
use crate::time::{ServiceClock, ServiceInstant};

pub(super) const A: NodeNumber = NodeNumber(1);
pub(super) const B: NodeNumber = NodeNumber(2);

/// What one node says to the other.
#[derive(Debug)]
enum Sent {
    Message(Bytes),
    Hint(Hint),
}

/// One way of the link: what is sent arrives after a while, in order.
#[derive(Debug)]
struct Way {
    sent: mpsc::Sender<(ServiceInstant, Sent)>,
    clock: ServiceClock,
    is_open: Arc<Mutex<bool>>,
    delay: Duration,
}

impl Links for Way {
    fn send(&self, _to: NodeNumber, message: Bytes) {
        self.say(Sent::Message(message));
    }

    fn announce(&self, hint: Hint) {
        self.say(Sent::Hint(hint));
    }
}

impl Way {
    fn say(&self, said: Sent) {
        if *unpoisoned(self.is_open.lock()) {
            let sent = self.sent.try_send((self.clock.now() + self.delay, said));
            // At a test's end the other node may be gone before.
            assert!(!matches!(sent, Err(mpsc::error::TrySendError::Full(_))));
        }
    }
}

/// A node.
pub(super) struct NodeWorld {
    pub(super) games: Games,
    user: Arc<dyn BusUser>,
}

/// Both.
pub(super) struct Pair {
    pub(super) store: Arc<MemoryStore>,
    pub(super) clock: ServiceClock,
    pub(super) a: NodeWorld,
    pub(super) b: NodeWorld,
    is_open: Arc<Mutex<bool>>,
    /// The games that B has heard that A has given up.
    released: Arc<Mutex<Vec<GameId>>>,
}

/// A player's session, or a spectator's.
pub(super) struct Session<P> {
    inbox: Inbox,
    pub(super) place: P,
}

/// A node whose messages arrive at the other one after `delay`.
fn node(
    number: NodeNumber,
    store: &Arc<MemoryStore>,
    clock: &ServiceClock,
    is_open: &Arc<Mutex<bool>>,
    delay: Duration,
) -> (NodeWorld, mpsc::Receiver<(ServiceInstant, Sent)>) {
    let (sent, arriving) = mpsc::channel(10_000);
    let games = Games::new(Arc::clone(store) as _, clock.clone(), Tasks::default());
    let way = Way { sent, clock: clock.clone(), is_open: Arc::clone(is_open), delay };
    let user = games.connect(number, Arc::new(way), Entropy::from_seed(number.0.into()));
    (NodeWorld { games, user }, arriving)
}

/// Hands over what arrives while the link is open.
fn deliver(
    from: NodeNumber,
    to: &NodeWorld,
    mut arriving: mpsc::Receiver<(ServiceInstant, Sent)>,
    is_open: &Arc<Mutex<bool>>,
    released: &Arc<Mutex<Vec<GameId>>>,
    clock: &ServiceClock,
) {
    let (user, is_open, clock) = (Arc::clone(&to.user), Arc::clone(is_open), clock.clone());
    let released = Arc::clone(released);
    Tasks::default().spawn(async move {
        while let Some((at, said)) = arriving.recv().await {
            clock.sleep_until(at).await;
            if !*unpoisoned(is_open.lock()) {
                continue;
            }
            match said {
                Sent::Message(message) => user.take(BusEvent::Link(from, LinkEvent::Message(message))),
                Sent::Hint(hint) => {
                    if let Hint::Released(games) = &hint {
                        unpoisoned(released.lock()).extend(games);
                    }
                    let node = Node { number: from, boot: uuid::Uuid::from_u128(from.0.into()).into() };
                    user.take(BusEvent::Hint(node, hint));
                }
            }
        }
    });
}

impl Pair {
    /// With an open link, on which a message takes that long.
    pub(super) fn new(delay: Duration) -> Self {
        let (store, clock) = (Arc::new(MemoryStore::default()), ServiceClock::of_runtime());
        let is_open = Arc::new(Mutex::new(false));
        let (a, from_a) = node(A, &store, &clock, &is_open, delay);
        let (b, from_b) = node(B, &store, &clock, &is_open, delay);
        let released = Arc::default();
        deliver(A, &b, from_a, &is_open, &released, &clock);
        deliver(B, &a, from_b, &is_open, &Arc::default(), &clock);
        let pair = Self { store, clock, a, b, is_open, released };
        pair.open_link();
        pair
    }

    pub(super) fn open_link(&self) {
        *unpoisoned(self.is_open.lock()) = true;
        self.a.user.take(BusEvent::Link(B, LinkEvent::Opened));
        self.b.user.take(BusEvent::Link(A, LinkEvent::Opened));
    }

    /// A says this to B's mirror.
    pub(super) fn say_to_mirror(&self, said: FromOwner) {
        let message = wire::message(&LinkMessage::Game(GameMessage::ToMirror(id(), said)));
        self.b.user.take(BusEvent::Link(A, LinkEvent::Message(message)));
    }

    /// A says this to B about a chat.
    pub(super) fn say_of_chat(&self, news: ChatNews) {
        let message = wire::message(&LinkMessage::Chat(ChatMessage { game: id(), news }));
        self.b.user.take(BusEvent::Link(A, LinkEvent::Message(message)));
    }

    /// What is sent from now on is lost, and nobody knows.
    pub(super) fn cut(&self) {
        *unpoisoned(self.is_open.lock()) = false;
    }

    /// What is on its way is lost.
    pub(super) fn close_link(&self) {
        *unpoisoned(self.is_open.lock()) = false;
        let heard = self.clock.now();
        let closed = || LinkEvent::Closed(WhyClosed::Silence, heard);
        self.a.user.take(BusEvent::Link(B, closed()));
        self.b.user.take(BusEvent::Link(A, closed()));
    }

    /// A is found dead by B, which may claim its games.
    pub(super) fn lose_a(&self) {
        self.close_link();
        self.b.user.take(BusEvent::Gone(A));
    }

    /// B is found dead by A.
    pub(super) fn lose_b(&self) {
        self.close_link();
        self.a.user.take(BusEvent::Gone(B));
    }

    /// A game of A's.
    pub(super) async fn game(&self, setup: GameSetup) -> GameHandle {
        let game = self.a.games.create(id(), setup, ByColor::default()).await.unwrap();
        self.store.say_owner(id(), Owner::Other(A));
        game
    }

    /// The game as B has it, asked for as a session asks.
    pub(super) async fn found_at_b(&self) -> GameHandle {
        let (answers, reader) = reading_session();
        let _read = self.b.games.send_snapshot(id(), None, &reader);
        until("the game is found", || heard(&answers) == [NoticeKind::Live]).await;
        self.b.games.get(id()).expect("it was found")
    }

    /// A gives its games up, and B claims the game `late` after it has heard that; how many were given up.
    pub(super) async fn hand_over(&self, late: Duration) -> usize {
        self.hand_over_with_what_is_noted(late, Micros::ZERO).await
    }

    /// The same, when it is noted that the running turn has taken this.
    pub(super) async fn hand_over_with_what_is_noted(&self, late: Duration, spent: Micros) -> usize {
        let claiming = async {
            until("it is given up", || unpoisoned(self.released.lock()).contains(&id())).await;
            tokio::time::sleep(late).await;
            self.claim_with(spent).await;
        };
        tokio::join!(self.a.games.release_all(Duration::from_secs(10)), claiming).0
    }

    /// B has claimed the game.
    pub(super) async fn claim(&self) {
        self.claim_with(Micros::ZERO).await;
    }

    async fn claim_with(&self, spent: Micros) {
        self.store.say_owner(id(), Owner::Own);
        let tail = self.store.tail(id(), 1).await.unwrap();
        let (records, offset) = (tail.records, tail.last);
        self.b.games.play_on(vec![ClaimedGame { game: id(), records, offset, spent }]).await;
    }
}

pub(super) fn id() -> GameId {
    GameId::from_random(1)
}

pub(super) fn account(number: u128) -> AccountId {
    AccountId::from_u128(number)
}

/// Waits, as long as virtual time may take, until something holds.
pub(super) async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..60_000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("never: {what}");
}

impl Session<Seat> {
    pub(super) fn sit(game: &GameHandle, seat: Color, connection: u64) -> Self {
        let inbox = Inbox::default();
        let place = game.join(seat, ConnectionId(connection), inbox.outbox(), None).unwrap();
        Self { inbox, place }
    }

    pub(super) fn send(&self, pair: &Pair, command: SeatCommand) {
        self.place.command(pair.clock.now(), command).unwrap();
    }

    /// Answers the fences that have come.
    pub(super) fn answer_fences(&self) -> usize {
        self.answer_fences_after(|| {})
    }

    /// The same, after each has led to this.
    pub(super) fn answer_fences_after(&self, act: impl Fn()) -> usize {
        let fences: Vec<_> = heard(&self.inbox)
            .into_iter()
            .filter_map(|kind| if let NoticeKind::Fence { number, .. } = kind { Some(number) } else { None })
            .collect();
        for number in &fences {
            act();
            self.place.fenced(*number);
        }
        fences.len()
    }
}

impl Session<Spectator> {
    pub(super) fn watch(game: &GameHandle) -> Self {
        let inbox = Inbox::default();
        let place = game.watch(inbox.outbox());
        Self { inbox, place }
    }
}

impl<P> Session<P> {
    /// What it was told, some time after all that was under way.
    pub(super) async fn heard(&self) -> Vec<NoticeKind> {
        for _ in 0..3 {
            settle().await;
            tokio::time::sleep(Duration::from_millis(400)).await;
        }
        self.heard_now()
    }

    pub(super) fn heard_now(&self) -> Vec<NoticeKind> {
        heard(&self.inbox)
    }

    pub(super) fn was_notified(&self) -> bool {
        self.inbox.signals().notified
    }
}

/// After White's first two moves and Black's first it is Black's turn, whose session is at the other node.
pub(super) async fn blacks_turn(pair: &Pair) -> (GameHandle, GameHandle, Session<Seat>, Session<Seat>) {
    blacks_turn_of(pair, online()).await
}

/// The same in a game of this setup.
pub(super) async fn blacks_turn_of(
    pair: &Pair,
    setup: GameSetup,
) -> (GameHandle, GameHandle, Session<Seat>, Session<Seat>) {
    let at_a = pair.game(setup).await;
    let white = Session::sit(&at_a, Color::White, 1);
    let at_b = pair.found_at_b().await;
    let black = Session::sit(&at_b, Color::Black, 1);
    for (on, mv) in [(1, "e2e4"), (2, "e7e5"), (3, "g1f3")] {
        let mover = if on % 2 == 1 { &white } else { &black };
        mover.send(pair, play(on, mv));
        until("it is known there", || at_b.feed().head() == on + 1).await;
    }
    (at_a, at_b, white, black)
}

/// The texts of a game's events after `cursor`.
pub(super) fn events(game: &GameHandle, cursor: u32) -> Vec<String> {
    let mut frames = Vec::new();
    game.feed().pull(cursor, false, |frame| frames.push(frame.text().to_owned()));
    frames
}
