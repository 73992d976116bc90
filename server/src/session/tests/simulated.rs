//! A session for the simulation: what `task` does around machine, following and output, without a socket or a runtime.
//!
//! One turn of the task in pieces, so that time can pass between them: hear what the server says, take what was read,
//! look at the time. Only tests have it. Deliberately absent: identities are given, and there is no lobby.

use std::net::IpAddr;
use std::task::Waker;

use tokio_tungstenite::tungstenite::Utf8Bytes;
use zeitnot_protocol::{AccountId, BootId, CloseCode, EpochId, Limits, Pong, Scopes, ServerMessage, Welcome};

use crate::accounts::Blocks;
use crate::accounts::Person;
use crate::connections::{ConnectionId, ConnectionRef, Inbox, ToSession};
use crate::games::{Games, Post};
use crate::rate::Rate;
use crate::session::machine::{Bounds, Identified, SessionEffect, SessionInput, SessionMachine};
use crate::session::output::{OUTPUT_BYTES_MAX, Output};
use crate::session::rejection::Rejection;
use crate::session::request::Request;
use crate::session::subscriptions::{GamesContext, Identity, Subscriptions};
use crate::time::{ServiceClock, ServiceInstant};

/// What a client's socket brings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Up {
    /// A text frame.
    Text(String),
    /// A WebSocket pong with this number.
    Pong(u32),
}

/// A session of the simulation: the product's machine and subscriptions, without a task and a socket.
#[derive(Debug)]
pub(crate) struct SimulatedSession {
    machine: SessionMachine,
    bounds: Bounds,
    line: ConnectionRef,
    subscriptions: Subscriptions,
    identity: Identity,
    blocks: Blocks,
    inbox: Inbox,
    waker: Waker,
    output: Output,
    /// What the kernel has taken.
    sent: Vec<u8>,
    /// How much the kernel takes before the other end has read.
    pub(crate) window: usize,
}

impl SimulatedSession {
    /// A connection that came with an identity, or with `hello {}` for one that only watches.
    pub(crate) fn open(
        connection: ConnectionId,
        account: Option<AccountId>,
        at: ServiceInstant,
        waker: Waker,
    ) -> Self {
        let (inbox, bounds) = (Inbox::default(), Bounds::of(&Limits::STANDARD));
        Self {
            machine: SessionMachine::open(at, account.is_some(), &bounds),
            bounds,
            line: ConnectionRef { id: connection, outbox: inbox.outbox() },
            subscriptions: Subscriptions::default(),
            identity: Identity { account, round_trip: None },
            blocks: Blocks::default(),
            inbox,
            waker,
            output: Output::default(),
            sent: Vec::new(),
            window: usize::MAX,
        }
    }

    /// Says who it is: the first thing on a connection that came with an identity.
    pub(crate) fn identified(&mut self, games: &Games, clock: &ServiceClock) -> Result<(), CloseCode> {
        let Some(account) = self.identity.account else { return Ok(()) };
        let identity = Identified {
            who: Person::guest(account),
            proof: None,
            scopes: Scopes::SESSION,
            until: None,
            token: None,
        };
        self.put_in(SessionInput::Identified(Ok(identity)), clock.now(), games, clock)
    }

    /// Tells the session something.
    pub(crate) fn tell(&self, message: ToSession) {
        self.line.outbox.try_send(message).expect("little waits for it");
    }

    /// When the time has to be looked at.
    pub(crate) fn deadline(&self) -> Option<ServiceInstant> {
        self.machine.deadline(&self.bounds)
    }

    /// Whether the socket may be read.
    pub(crate) fn reads(&self) -> bool {
        self.machine.reads() && self.output.has_room()
    }

    /// Whether more could be written if there was room.
    pub(crate) fn is_due(&self) -> bool {
        self.subscriptions.is_due()
    }

    /// Handles what the server tells this session, and pulls from the feeds.
    pub(crate) fn handle_messages(&mut self, games: &Games, clock: &ServiceClock) -> Result<(), CloseCode> {
        // Waking takes the waker, so it is named before every look.
        self.inbox.register(&self.waker);
        let signals = self.inbox.signals();
        if signals.stop {
            return Err(CloseCode::Restart);
        }
        if signals.overflowed {
            return Err(CloseCode::SlowReader);
        }
        if signals.notified {
            self.subscriptions.notified();
        }
        loop {
            if !self.make_room() {
                self.inbox.keep_queued();
                break;
            }
            let Some(message) = self.inbox.pop() else { break };
            let (subscriptions, mut at) = self.context(games, clock);
            match message {
                ToSession::Game(notice) => subscriptions.notice(&mut at, notice)?,
                ToSession::GameStarted { game, reply } => {
                    subscriptions.game_started(&mut at, game, reply)?;
                }
                ToSession::ChatOpened(game) => subscriptions.chat_opened(&at, game),
                ToSession::Posted(answer) => subscriptions.posted(&mut at, &answer),
                ToSession::Text(_) | ToSession::Changed(_) | ToSession::Revoked | ToSession::CutOff => {}
            }
        }
        while self.subscriptions.is_due() && self.make_room() {
            let (subscriptions, mut at) = self.context(games, clock);
            subscriptions.advance(&mut at)?;
        }
        Ok(())
    }

    /// Hands over what was read at `stamp`.
    pub(crate) fn take(
        &mut self,
        read: &Up,
        stamp: ServiceInstant,
        games: &Games,
        clock: &ServiceClock,
    ) -> Result<(), CloseCode> {
        let input = match read {
            Up::Text(text) => SessionInput::Text(Utf8Bytes::from(text.as_str())),
            Up::Pong(number) => SessionInput::Pong { number: *number, kernel: None },
        };
        self.put_in(input, stamp, games, clock)
    }

    /// Looks at the time.
    pub(crate) fn tick(&mut self, games: &Games, clock: &ServiceClock) -> Result<(), CloseCode> {
        let now = clock.now();
        if self.deadline().is_some_and(|deadline| deadline <= now) {
            self.put_in(SessionInput::Tick, now, games, clock)?;
        }
        Ok(())
    }

    /// What goes to the network now.
    pub(crate) fn flush(&mut self) -> Vec<u8> {
        assert!(self.output.waiting().len() <= OUTPUT_BYTES_MAX, "too much waits");
        self.make_room();
        let bytes = self.output.waiting().len().min(self.window);
        self.move_to_kernel(bytes);
        std::mem::take(&mut self.sent)
    }

    /// Whether there are bytes that the kernel does not take yet.
    pub(crate) fn is_held_up(&self) -> bool {
        !self.output.waiting().is_empty()
    }

    fn make_room(&mut self) -> bool {
        if !self.output.has_room() {
            let bytes = self.output.waiting().len().min(self.window);
            self.move_to_kernel(bytes);
        }
        self.output.has_room()
    }

    fn move_to_kernel(&mut self, bytes: usize) {
        self.sent.extend_from_slice(&self.output.waiting()[..bytes]);
        self.output.take(bytes);
        self.window -= bytes;
    }

    fn context<'a>(
        &'a mut self,
        games: &'a Games,
        clock: &'a ServiceClock,
    ) -> (&'a mut Subscriptions, GamesContext<'a>) {
        let (identity, watched_max) = (self.identity, Limits::STANDARD.watched_games);
        let (line, output) = (&self.line, &mut self.output);
        let address = IpAddr::from([127, 0, 0, 1]).into();
        let blocks = &self.blocks;
        let at = GamesContext { games, clock, line, address, identity, watched_max, blocks, output };
        (&mut self.subscriptions, at)
    }

    fn put_in(
        &mut self,
        input: SessionInput,
        at: ServiceInstant,
        games: &Games,
        clock: &ServiceClock,
    ) -> Result<(), CloseCode> {
        let mut effects = Vec::new();
        self.machine.handle(input, at, &self.bounds, &mut effects);
        effects.into_iter().try_for_each(|effect| self.perform(effect, at, games, clock))
    }

    fn perform(
        &mut self,
        effect: SessionEffect,
        stamp: ServiceInstant,
        games: &Games,
        clock: &ServiceClock,
    ) -> Result<(), CloseCode> {
        match effect {
            SessionEffect::Perform(request) => self.act(request, stamp, games, clock)?,
            SessionEffect::Pong(n) => self.output.message(&ServerMessage::Pong(Pong { n, at: 0, ms: 0 })),
            SessionEffect::Reject(rejection) => self.output.message(&rejection.into_message()),
            SessionEffect::Ping(number) => self.output.ping(number),
            SessionEffect::RoundTrip(smoothed) => {
                self.identity.round_trip = Some(smoothed);
                self.subscriptions.round_trip(smoothed);
            }
            SessionEffect::Identify(_) => debug_assert!(false, "identities are given here"),
            SessionEffect::Welcome(_) => self.welcome(games, clock)?,
            SessionEffect::Close(code) => return Err(code),
        }
        Ok(())
    }

    fn act(
        &mut self,
        request: Request,
        stamp: ServiceInstant,
        games: &Games,
        clock: &ServiceClock,
    ) -> Result<(), CloseCode> {
        let identity = self.identity;
        let (subscriptions, mut at) = self.context(games, clock);
        match request {
            Request::Game(request) => subscriptions.act(&mut at, request, stamp),
            Request::Chat(say) => {
                let by =
                    &Person::guest(identity.account.expect("the machine lets only accounts speak")).view();
                let rate = Rate::per_second(1, 5);
                let post = Post { by, room: say.room, text: &say.text, id: say.id, at: stamp, unix: 0, rate };
                if let Err(code) = subscriptions.say(&mut at, say.game, &post) {
                    let rejection = Rejection { id: say.id, game: Some(say.game), code, message: None };
                    at.output.message(&rejection.into_message());
                }
                Ok(())
            }
            Request::LobbyView(_) | Request::Lobby(_) => panic!("there is no lobby here"),
        }
    }

    fn welcome(&mut self, games: &Games, clock: &ServiceClock) -> Result<(), CloseCode> {
        let welcome = Welcome {
            account: self.identity.account,
            name: None,
            token: None,
            boot: BootId::from_random(1),
            epoch: EpochId::from_random(1),
            limits: Limits::STANDARD,
        };
        self.output.message(&ServerMessage::Welcome(welcome));
        let (subscriptions, at) = self.context(games, clock);
        subscriptions.take_seats(&at)
    }
}
