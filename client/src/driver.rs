//! The one task of a client: moves inputs and effects between the machine, the socket, the clock and the callers.
//!
//! It decides nothing, and never waits for a caller.

use std::collections::{BTreeMap, HashMap};
use std::future::pending;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Notify, mpsc, oneshot};
use zeitnot_protocol::{GameId, Welcome};

use crate::clocks::Clocks;
use crate::inbox::{EventInbox, GameInbox};
use crate::machine::{
    Answer, Delivery, Effect, Ending, Failure, Input, Key, Machine, Moment, Request, Subscriber,
};
use crate::socket::{Address, Incoming, Socket};
use crate::time::Timeline;
use crate::{Error, GameEvent, Identity, Options};

/// How many requests of callers wait for the task; then they wait in their callers.
pub(crate) const REQUESTS_MAX: usize = 64;

/// How long a client that ends waits until its close frame is sent.
const CLOSING: Duration = Duration::from_secs(1);

/// What a caller wants, and where the answer and what follows go.
#[derive(Debug)]
pub(crate) enum Ask {
    Request(Request),
    /// A game, and where its events go.
    Game(GameId, Arc<GameInbox>),
    /// The account's events.
    Events(Arc<EventInbox>),
}

/// Where the answer goes.
pub(crate) type Reply = oneshot::Sender<Result<Answer, Error>>;

/// What callers read without asking.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) timeline: Timeline,
    /// A caller that had no room has some, or has closed its game.
    pub(crate) room: Notify,
    known: Mutex<Known>,
}

/// What is known of the connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) welcome: Option<Arc<Welcome>>,
    pub(crate) token: Option<String>,
    pub(crate) round_trip: Option<Duration>,
    pub(crate) server_epoch: Option<Duration>,
    /// Why the client has stopped.
    pub(crate) end: Option<Error>,
}

impl Shared {
    pub(crate) fn new(options: Options, timeline: Timeline) -> Self {
        Self { options, timeline, room: Notify::new(), known: Mutex::default() }
    }

    pub(crate) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The connection, or the attempt to open one.
enum Line {
    None,
    Opening(Pin<Box<dyn Future<Output = Result<Socket, Failure>> + Send>>),
    Open(Box<Socket>),
}

/// What came over the line.
enum Came {
    Opened(Box<Result<Socket, Failure>>),
    Frame(Incoming),
}

impl Line {
    /// May be dropped at any time: nothing is lost.
    async fn next(&mut self) -> Came {
        match self {
            Self::None => pending().await,
            Self::Opening(opening) => Came::Opened(Box::new(opening.await)),
            Self::Open(socket) => Came::Frame(socket.next().await),
        }
    }
}

/// The task.
pub(crate) struct Driver {
    machine: Machine,
    address: Address,
    shared: Arc<Shared>,
    requests: mpsc::Receiver<(Ask, Reply)>,
    line: Line,
    next_key: Key,
    replies: HashMap<Key, Reply>,
    games: HashMap<GameId, Weak<GameInbox>>,
    subscribers: BTreeMap<Subscriber, Weak<EventInbox>>,
    has_stopped: bool,
}

impl Driver {
    pub(crate) fn new(
        address: Address,
        identity: Identity,
        seed: u64,
        shared: Arc<Shared>,
        requests: mpsc::Receiver<(Ask, Reply)>,
    ) -> Self {
        Self {
            machine: Machine::new(shared.options, identity, seed),
            address,
            shared,
            requests,
            line: Line::None,
            next_key: 0,
            replies: HashMap::new(),
            games: HashMap::new(),
            subscribers: BTreeMap::new(),
            has_stopped: false,
        }
    }

    /// Runs until nobody holds the client any more, or it has stopped.
    pub(crate) async fn run(mut self) {
        while !self.has_stopped {
            let wake = self.machine.wake_at().map(|at| self.shared.timeline.instant(at));
            let timer = async {
                match wake {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => pending().await,
                }
            };
            // Whatever has come is handled before a deadline: a client that was late itself has not lost its server.
            let input = tokio::select! {
                biased;
                asked = self.requests.recv() => match asked {
                    Some((ask, reply)) => self.asked(ask, reply),
                    None => break,
                },
                came = self.line.next() => self.came(came),
                () = self.shared.room.notified() => {
                    self.forget_dropped();
                    Input::Tick
                }
                () = timer => Input::Tick,
            };
            self.handle(input);
            self.look_for_room();
        }
        if let Line::Open(socket) = std::mem::replace(&mut self.line, Line::None) {
            // A server that does not take it is left without.
            drop(tokio::time::timeout(CLOSING, socket.close()).await);
        }
    }

    fn asked(&mut self, ask: Ask, reply: Reply) -> Input {
        self.next_key += 1;
        let key = self.next_key;
        self.replies.insert(key, reply);
        let request = match ask {
            Ask::Request(request) => {
                if let Request::GameOf(_) = request {
                    self.forget_abandoned();
                }
                request
            }
            Ask::Game(game, inbox) => {
                // The one that was open before may have been dropped a moment ago.
                self.forget_dropped();
                self.games.entry(game).or_insert_with(|| Arc::downgrade(&inbox));
                Request::Follow(game)
            }
            Ask::Events(inbox) => {
                self.subscribers.insert(key, Arc::downgrade(&inbox));
                Request::Subscribe(key)
            }
        };
        Input::Request(key, request)
    }

    fn came(&mut self, came: Came) -> Input {
        match came {
            Came::Opened(opened) => match *opened {
                Ok(socket) => {
                    self.line = Line::Open(Box::new(socket));
                    Input::Opened
                }
                Err(failure) => {
                    self.line = Line::None;
                    Input::Failed(failure)
                }
            },
            Came::Frame(Incoming::Message(message)) => Input::Received(message),
            Came::Frame(Incoming::Unreadable(unreadable)) => Input::Unreadable(unreadable),
            Came::Frame(Incoming::Other) => Input::Heard,
            Came::Frame(Incoming::Ended(ending)) => self.ended(ending),
        }
    }

    fn ended(&mut self, ending: Ending) -> Input {
        self.line = Line::None;
        Input::Ended(ending)
    }

    fn now(&self) -> Moment {
        self.shared.timeline.now()
    }

    /// Gives an input to the machine and carries out its effects, and those of the inputs that these lead to.
    fn handle(&mut self, input: Input) {
        let mut inputs = vec![input];
        let mut effects = Vec::new();
        while let Some(input) = inputs.pop() {
            if let Input::Received(message) = &input
                && let Some(game) = GameEvent::game_of(message)
                && let Some(inbox) = self.games.get(&game).and_then(Weak::upgrade)
            {
                let unread = Input::Unread(game, inbox.unread(false));
                self.machine.handle(unread, self.now(), &mut effects);
            }
            self.machine.handle(input, self.now(), &mut effects);
            self.tell_shared();
            for effect in effects.drain(..) {
                inputs.extend(self.perform(effect));
            }
        }
    }

    fn perform(&mut self, effect: Effect) -> Option<Input> {
        match effect {
            Effect::Open => self.line = Line::Opening(Box::pin(Socket::open(self.address.clone()))),
            Effect::Drop => self.drop_line(),
            Effect::Send(message) => {
                if let Line::Open(socket) = &mut self.line {
                    socket.send(&message);
                }
            }
            Effect::Answer(key, answer) => {
                if let Some(reply) = self.replies.remove(&key) {
                    // A caller that no longer waits need not know.
                    drop(reply.send(answer));
                }
            }
            Effect::Game(game, delivery) => return self.deliver(game, delivery),
            Effect::Lost(game, error) => {
                if let Some(inbox) = self.games.remove(&game).and_then(|inbox| inbox.upgrade()) {
                    inbox.end(error);
                }
            }
            Effect::Event(to, event) => {
                let mut overflowed = None;
                let capacity = self.shared.options.event_buffer;
                self.subscribers.retain(|subscriber, inbox| {
                    let Some(inbox) = inbox.upgrade() else { return false };
                    if to.is_none_or(|to| to == *subscriber) && !inbox.push(event.clone(), capacity) {
                        overflowed = Some(Input::Overflowed(*subscriber));
                    }
                    true
                });
                return overflowed;
            }
            Effect::Stopped(error) => {
                self.has_stopped = true;
                self.end(&error);
            }
        }
        None
    }

    /// Nothing more will come.
    fn end(&self, error: &Error) {
        self.shared.known().end.get_or_insert_with(|| error.clone());
        self.games.values().filter_map(Weak::upgrade).for_each(|inbox| inbox.end(error.clone()));
        let subscribers = self.subscribers.values().filter_map(Weak::upgrade);
        subscribers.for_each(|inbox| inbox.end(error.clone()));
    }

    fn deliver(&mut self, game: GameId, delivery: Delivery) -> Option<Input> {
        let Some(inbox) = self.games.get(&game).and_then(Weak::upgrade) else {
            return self.games.remove(&game).map(|_| Input::Dropped(game));
        };
        match delivery {
            Delivery::Event(event) => inbox.push(event),
            Delivery::Clocks(reading) => inbox.set_clocks(Clocks::new(self.shared.timeline, reading)),
        }
        None
    }

    /// Nothing more is sent, and nothing more is read. An open connection of a client that stops is closed with a close frame.
    fn drop_line(&mut self) {
        if !self.machine.has_stopped() {
            self.line = Line::None;
        }
    }

    /// Games that nobody has open any more are no longer followed.
    fn forget_dropped(&mut self) {
        let is_dropped = |inbox: &Weak<GameInbox>| inbox.upgrade().is_none_or(|inbox| inbox.is_closed());
        let dropped: Vec<_> = self.games.extract_if(|_, inbox| is_dropped(inbox)).collect();
        for (game, _) in dropped {
            self.handle(Input::Dropped(game));
        }
    }

    /// Callers that wait no longer for the game of a challenge make room for others.
    fn forget_abandoned(&mut self) {
        let abandoned: Vec<_> = self.replies.extract_if(|_, reply| reply.is_closed()).collect();
        for (key, _) in abandoned {
            self.handle(Input::Abandoned(key));
        }
    }

    /// Tells the machine of callers that had no room and have some.
    fn look_for_room(&mut self) {
        for game in self.machine.full_games() {
            let input = match self.games.get(&game).and_then(Weak::upgrade) {
                Some(inbox) => Input::Unread(game, inbox.unread(true)),
                None => {
                    self.games.remove(&game);
                    Input::Dropped(game)
                }
            };
            self.handle(input);
        }
    }

    fn tell_shared(&self) {
        let mut known = self.shared.known();
        known.round_trip = self.machine.round_trip();
        known.server_epoch = self.machine.server_epoch();
        let boot = known.welcome.as_ref().map(|welcome| welcome.boot);
        if let Some(welcome) = self.machine.welcome()
            && (boot != Some(welcome.boot) || known.token.is_none())
        {
            known.welcome = Some(Arc::new(welcome.clone()));
            known.token = match self.machine.identity() {
                Identity::Token(token) => Some(token.clone()),
                Identity::Guest | Identity::Spectator => None,
            };
        }
    }
}

/// Nobody waits for ever, also if the runtime ends before the client.
impl Drop for Driver {
    fn drop(&mut self) {
        self.end(&Error::Stopped);
    }
}
