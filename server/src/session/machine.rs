//! What one connection may send and when, as a pure state machine: `handle(input, at, effects)`.
//!
//! It holds the phases of a connection, the limits on its input, pings and the round trip. A
//! request that needs another part of the server becomes [`SessionEffect::Perform`]; the task that
//! runs the machine carries it out. It uses no sockets, clocks, channels or randomness.
//!
//! Invariants: every frame gets exactly one effect that answers it, passes it on, or closes; after
//! [`SessionEffect::Close`] there is no further effect; while an identity is being looked up, frames wait in order.

use std::time::Duration;

use tokio_tungstenite::tungstenite::Utf8Bytes;
use zeitnot_protocol::{ClientMessage, CloseCode, Code, Hello, Limits, Needs, Scope, Scopes, decode_client};

use super::keepalive::{Keepalive, Timing};
use super::rejection::Rejection;
use super::request::{GameRequest, LobbyViewRequest, Message, Request};
use crate::accounts::{Known, Person, Token, TokenDigest};
use crate::rate::{Allowance, Rate};
use crate::time::ServiceInstant;

/// Something that happened to the connection.
#[derive(Debug)]
pub(crate) enum SessionInput {
    /// A text message.
    Text(Utf8Bytes),
    /// A binary message.
    Binary,
    /// A WebSocket ping of the client, which was answered already.
    Ping,
    /// A WebSocket pong with this number, and the kernel's estimate of the round trip then; `None` where it is not of
    /// the client.
    Pong { number: u32, kernel: Option<Duration> },
    /// This many frames that appear in no message: fragments, and the length of long frames.
    Hidden(u32),
    /// The answer to [`SessionEffect::Identify`].
    Identified(Result<Identified, Code>),
    /// [`SessionMachine::deadline`] has passed.
    Tick,
}

/// Who a connection turned out to be.
#[derive(Debug)]
pub(crate) struct Identified {
    /// The account and its name.
    pub(crate) who: Person,
    /// The token that proved it.
    pub(crate) proof: Option<TokenDigest>,
    /// What that token may be used for.
    pub(crate) scopes: Scopes,
    /// When it expires; `None`: never.
    pub(crate) until: Option<ServiceInstant>,
    /// A new guest's token, to be shown this once.
    pub(crate) token: Option<Token>,
}

impl Identified {
    /// Who a token has proved.
    pub(crate) fn of(Known { person, token, scopes, until }: Known) -> Self {
        Self { who: person, proof: Some(token), scopes, until, token: None }
    }
}

/// Who a connection says it is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Nobody yet: a new guest account is wanted.
    NewGuest,
    /// The owner of this token.
    Token(Box<str>),
}

/// What must be done, in order.
#[derive(Debug)]
pub(crate) enum SessionEffect {
    /// Look the identity up, then give the machine [`SessionInput::Identified`].
    Identify(Claim),
    /// The connection is open: write `welcome`, and take the seats of an account.
    Welcome(Option<Identified>),
    /// Write `pong`.
    Pong(u32),
    /// Write `rejected`.
    Reject(Rejection),
    /// A request that this connection may make. One that only watches makes only reading requests.
    Perform(Request),
    /// Send a WebSocket ping with this number.
    Ping(u32),
    /// The round trip that counts was measured again.
    RoundTrip(Duration),
    /// Close the connection.
    Close(CloseCode),
}

/// What a connection may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SessionPhase {
    /// Nothing before `hello`.
    Silent,
    /// Its identity is being looked up.
    Identifying,
    /// It watches.
    Watching,
    /// It acts for an account.
    Known,
    /// Nothing any more.
    Closed,
}

/// Limits of one connection, from `zeitnot_protocol::Limits`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Frames per second. A connection that is faster is read later.
    pub(crate) frames: Rate,
    /// Frames beyond that rate which one read may bring; more is a flood.
    pub(crate) frames_over: u32,
    /// Unreadable frames that are answered within `bad_frames_window`.
    pub(crate) bad_frames: u32,
    /// See `bad_frames`.
    pub(crate) bad_frames_window: Duration,
    /// Tokens that no account has.
    pub(crate) bad_tokens: u32,
    /// Pings, pongs and the patience before `hello`.
    pub(crate) timing: Timing,
}

impl Bounds {
    /// What `limits` say.
    pub(crate) fn of(limits: &Limits) -> Self {
        Self {
            frames: Rate::per_second(limits.frames_per_second, limits.frames_burst),
            frames_over: limits.frames_over,
            bad_frames: limits.bad_frames,
            bad_frames_window: Duration::from_millis(u64::from(limits.bad_frames_window_ms)),
            bad_tokens: limits.bad_tokens_per_connection,
            timing: Timing::of(limits),
        }
    }
}

/// The state of one connection.
#[derive(Debug)]
pub(crate) struct SessionMachine {
    phase: SessionPhase,
    /// What a known connection may do.
    scopes: Scopes,
    frames: Allowance,
    /// Set while the rate is used up: the socket is read again then.
    paused_until: Option<ServiceInstant>,
    /// The instants of the last unreadable frames, oldest first; made with the first one.
    bad_frames: Vec<ServiceInstant>,
    /// How many tokens came that no account has.
    bad_tokens: u32,
    /// A connection that only watches must say what by then.
    watch_by: Option<ServiceInstant>,
    /// The token that it came in with expires then.
    until: Option<ServiceInstant>,
    /// Frames that came while the identity was being looked up: at most what one turn reads.
    held: Vec<(ServiceInstant, Utf8Bytes)>,
    keepalive: Keepalive,
}

impl SessionMachine {
    /// A connection opened at `at`. One that came with an identity needs no `hello`: [`SessionInput::Identified`] follows.
    pub(crate) fn open(at: ServiceInstant, has_identity: bool, bounds: &Bounds) -> Self {
        Self {
            phase: if has_identity { SessionPhase::Identifying } else { SessionPhase::Silent },
            scopes: Scopes::NONE,
            frames: Allowance::default(),
            paused_until: None,
            bad_frames: Vec::new(),
            bad_tokens: 0,
            watch_by: None,
            until: None,
            held: Vec::new(),
            keepalive: Keepalive::waiting_for_hello(at, bounds.timing),
        }
    }

    /// The next instant at which [`SessionInput::Tick`] has something to do; `None` when closed.
    pub(crate) fn deadline(&self, bounds: &Bounds) -> Option<ServiceInstant> {
        let keepalive = self.keepalive.deadline(bounds.timing);
        let next =
            [self.paused_until, self.watch_by, self.until].into_iter().flatten().fold(keepalive, Ord::min);
        (self.phase != SessionPhase::Closed).then_some(next)
    }

    /// Whether the socket may be read: not while an identity is looked up, so that waiting frames
    /// stay bounded, and not while the rate of frames is used up. A faster client waits and loses
    /// nothing.
    pub(crate) fn reads(&self) -> bool {
        self.phase != SessionPhase::Identifying && self.paused_until.is_none()
    }

    /// Takes one input that happened at `at`.
    pub(crate) fn handle(
        &mut self,
        input: SessionInput,
        at: ServiceInstant,
        bounds: &Bounds,
        effects: &mut Vec<SessionEffect>,
    ) {
        if self.phase == SessionPhase::Closed {
            return;
        }
        match input {
            SessionInput::Text(text) if self.phase == SessionPhase::Identifying => self.held.push((at, text)),
            SessionInput::Text(text) => self.text(&text, at, bounds, effects),
            SessionInput::Binary => {
                if self.admit(at, bounds, effects) {
                    self.bad_frame(Rejection::plain(None, Code::BinaryFrame), at, bounds, effects);
                }
            }
            SessionInput::Ping => {
                self.admit(at, bounds, effects);
            }
            SessionInput::Pong { number, kernel } => {
                if self.admit(at, bounds, effects) {
                    effects.extend(self.keepalive.pong(number, at, kernel).map(SessionEffect::RoundTrip));
                }
            }
            SessionInput::Hidden(frames) => {
                for _ in 0..frames {
                    if !self.admit(at, bounds, effects) {
                        break;
                    }
                }
            }
            SessionInput::Identified(answer) => self.identified(answer, at, bounds, effects),
            SessionInput::Tick => self.tick(at, bounds, effects),
        }
    }

    fn text(&mut self, text: &str, at: ServiceInstant, bounds: &Bounds, effects: &mut Vec<SessionEffect>) {
        if !self.admit(at, bounds, effects) {
            return;
        }
        match decode_client(text) {
            Ok(message) => self.message(message, at, bounds, effects),
            Err(error) => {
                let rejection =
                    Rejection { id: error.id, game: None, code: error.code, message: Some(error.message) };
                self.bad_frame(rejection, at, bounds, effects);
            }
        }
    }

    fn message(
        &mut self,
        message: ClientMessage,
        at: ServiceInstant,
        bounds: &Bounds,
        effects: &mut Vec<SessionEffect>,
    ) {
        if let Some(rejection) = self.access(&message) {
            return effects.push(SessionEffect::Reject(rejection));
        }
        match Message::from(message) {
            Message::Ping(ping) => effects.push(SessionEffect::Pong(ping.n)),
            Message::Hello(hello) => self.hello(hello, at, bounds, effects),
            Message::Request(request) => {
                if starts_watching(&request) {
                    self.watch_by = None;
                }
                effects.push(SessionEffect::Perform(request));
            }
        }
    }

    /// Why this message may not be sent in this phase, or with this token.
    fn access(&self, message: &ClientMessage) -> Option<Rejection> {
        let needs = message.needs();
        match (self.phase, message) {
            (_, ClientMessage::Ping(_) | ClientMessage::Hello(_)) => None,
            (SessionPhase::Known, _) => {
                (!self.scopes.allow(needs)).then(|| Rejection::missing_scope(message, needs))
            }
            (SessionPhase::Watching, message) => {
                (needs != Needs::Scope(Scope::Read)).then(|| Rejection::of(message, Code::NoAccount))
            }
            (SessionPhase::Silent | SessionPhase::Identifying | SessionPhase::Closed, _) => {
                Some(Rejection::of(message, Code::HelloFirst))
            }
        }
    }

    fn hello(&mut self, hello: Hello, at: ServiceInstant, bounds: &Bounds, effects: &mut Vec<SessionEffect>) {
        if self.phase != SessionPhase::Silent {
            return effects.push(SessionEffect::Reject(Rejection::plain(None, Code::AlreadyIdentified)));
        }
        let claim = match (hello.token, hello.guest) {
            (Some(token), _) => Claim::Token(token.into()),
            (None, true) => Claim::NewGuest,
            (None, false) => return self.enter(None, at, bounds, effects),
        };
        self.phase = SessionPhase::Identifying;
        effects.push(SessionEffect::Identify(claim));
    }

    fn identified(
        &mut self,
        answer: Result<Identified, Code>,
        at: ServiceInstant,
        bounds: &Bounds,
        effects: &mut Vec<SessionEffect>,
    ) {
        debug_assert_eq!(self.phase, SessionPhase::Identifying, "nobody asked who this is");
        match answer {
            Ok(identity) => self.enter(Some(identity), at, bounds, effects),
            Err(Code::BadToken) if self.bad_tokens >= bounds.bad_tokens => {
                return self.close(CloseCode::BadTokens, effects);
            }
            Err(code) => {
                self.bad_tokens += u32::from(code == Code::BadToken);
                self.phase = SessionPhase::Silent;
                effects.push(SessionEffect::Reject(Rejection::plain(None, code)));
            }
        }
        for (at, text) in std::mem::take(&mut self.held) {
            self.handle(SessionInput::Text(text), at, bounds, effects);
        }
    }

    /// The connection is open from now on.
    fn enter(
        &mut self,
        identity: Option<Identified>,
        at: ServiceInstant,
        bounds: &Bounds,
        effects: &mut Vec<SessionEffect>,
    ) {
        self.phase = if identity.is_some() { SessionPhase::Known } else { SessionPhase::Watching };
        self.scopes = identity.as_ref().map_or(Scopes::NONE, |identity| identity.scopes);
        self.until = identity.as_ref().and_then(|identity| identity.until);
        self.watch_by = identity.is_none().then(|| at + bounds.timing.hello);
        effects.push(SessionEffect::Welcome(identity));
        effects.push(SessionEffect::Ping(self.keepalive.begin(at, bounds.timing)));
    }

    fn tick(&mut self, at: ServiceInstant, bounds: &Bounds, effects: &mut Vec<SessionEffect>) {
        self.paused_until.take_if(|pause| *pause <= at);
        if self.watch_by.is_some_and(|due| due <= at) {
            return self.close(CloseCode::NoHello, effects);
        }
        if self.until.is_some_and(|until| until <= at) {
            return self.close(CloseCode::Revoked, effects);
        }
        match self.keepalive.tick(at, bounds.timing) {
            Ok(ping) => effects.extend(ping.map(SessionEffect::Ping)),
            Err(code) => self.close(code, effects),
        }
    }

    /// Counts a frame, whatever is in it. Beyond the rate nothing more is read for a while; `false` when so many frames
    /// came at once that the connection is closed.
    fn admit(&mut self, at: ServiceInstant, bounds: &Bounds, effects: &mut Vec<SessionEffect>) -> bool {
        if self.frames.overdraw(at, bounds.frames) > bounds.frames_over {
            self.close(CloseCode::Flood, effects);
            return false;
        }
        let ready = self.frames.ready_at(bounds.frames);
        self.paused_until = (ready > at).then_some(ready);
        true
    }

    /// Answers an unreadable frame, or closes when there were too many.
    fn bad_frame(
        &mut self,
        rejection: Rejection,
        at: ServiceInstant,
        bounds: &Bounds,
        effects: &mut Vec<SessionEffect>,
    ) {
        self.bad_frames.retain(|&then| at.since(then) < bounds.bad_frames_window);
        if self.bad_frames.len() >= bounds.bad_frames as usize {
            return self.close(CloseCode::BadFrames, effects);
        }
        self.bad_frames.push(at);
        effects.push(SessionEffect::Reject(rejection));
    }

    fn close(&mut self, code: CloseCode, effects: &mut Vec<SessionEffect>) {
        self.phase = SessionPhase::Closed;
        effects.push(SessionEffect::Close(code));
    }
}

/// Whether a connection that only watches has said with this what it watches.
fn starts_watching(request: &Request) -> bool {
    matches!(request, Request::Game(GameRequest::Watch(_)) | Request::LobbyView(LobbyViewRequest::Enter(_)))
}
