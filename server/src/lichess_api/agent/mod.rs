//! The part of the server that speaks for an account whose programs know the Lichess API only.
//!
//! An agent is a client of our own protocol, inside the process: it has a session as every client has one, and its account is
//! connected through it. Calls become commands, messages become the lines of streams. An agent starts with the first call of
//! a token and ends some time after the last one, when no stream is open.
//!
//! | file | what it is |
//! |---|---|
//! | `calls` | what a call asks of the agent, and the commands that it becomes |
//! | `messages` | what the server says, and the lines that it becomes |
//! | `followed` | the games, challenges and streams of an agent |
//! | `seeking` | seeks: somebody else's, one's own, and the pool of that time |
//!
//! Deliberately absent: every decision about a game or a challenge. They are made where they are made for all clients.
//!
//! Invariants: whatever goes wrong between agent and server ends the agent, and that breaks its streams off: their readers
//! come back, to another agent, and find everything as it stands. A call that was not answered may be made again.

mod calls;
mod followed;
mod messages;
mod seeking;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::DuplexStream;
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;
use zeitnot_protocol::{
    AccountId, ChallengeId, ClientMessage, CommandId, GameId, Ping, ServerMessage, decode_server,
};

use super::LichessApi;
use super::caller::Caller;
use super::lines::Lines;
use super::rejection::Rejection;
use super::words::Source;
use crate::accounts::Kind;
use crate::time::ServiceInstant;
use calls::Pending;
pub(super) use calls::{Act, Call, Reply};
use followed::{Followed, KnownChallenge};
use messages::AllLoading;
use seeking::Seeking;

/// Calls that wait for an agent. One more is told to come back.
const CALLS_MAX: usize = 256;

/// Commands that wait for the session. An agent that has more ends: its session takes none.
const COMMANDS_MAX: usize = 512;

/// How often an agent looks at what has no message: readers that are gone, claims that may be made.
const BEAT: Duration = Duration::from_secs(1);

/// How long an agent outlives the last call: as long as a challenge waits for an owner who is away.
const IDLE_AFTER: Duration = Duration::from_secs(30);

/// How long an agent may take to know how everything stands.
const READY_WITHIN: Duration = Duration::from_secs(5);

/// The ping whose answer says that all challenges were told.
const FIRST_PING: Ping = Ping { n: 1 };

/// The way to an agent.
#[derive(Clone, Debug)]
pub(super) struct AgentHandle(mpsc::Sender<Call>);

impl AgentHandle {
    /// Starts the agent of a caller's token.
    pub(super) fn start(api: &LichessApi, caller: &Caller) -> Result<Self, Rejection> {
        let (sender, calls) = mpsc::channel(CALLS_MAX);
        let sessions = &api.sessions;
        let permit = api.places.of(caller, &sessions.accounts.addresses, sessions.clock.now())?;
        let socket = sessions.spawn_in_process(permit, caller.known_to_session());
        let agent = Agent::new(api.clone(), caller, calls);
        api.sessions.tasks.spawn(agent.run(socket));
        Ok(Self(sender))
    }

    /// Whether the agent has ended.
    pub(super) fn is_over(&self) -> bool {
        self.0.is_closed()
    }

    /// Makes a call; it may have to wait until the agent knows how everything stands.
    pub(super) fn make(&self, call: Call) -> Result<(), Rejection> {
        self.0.try_send(call).map_err(|_| Rejection::unavailable())
    }
}

/// An agent.
#[derive(Debug)]
struct Agent {
    api: LichessApi,
    account: AccountId,
    kind: Kind,
    /// Its name at present.
    name: String,
    /// Where its caller finds the server.
    site: String,
    calls: mpsc::Receiver<Call>,
    commands: mpsc::Sender<ClientMessage>,
    /// What the task that writes commands takes.
    to_write: Option<mpsc::Receiver<ClientMessage>>,
    games: HashMap<GameId, Followed>,
    /// Calls about games that it does not know yet, by the command that asks for them.
    asked: HashMap<CommandId, (GameId, Vec<Call>)>,
    loading: AllLoading,
    /// Where games come from that were not told of yet, or go on.
    sources: HashMap<GameId, Source>,
    challenges: HashMap<ChallengeId, KnownChallenge>,
    pending: HashMap<CommandId, Pending>,
    event_streams: Vec<Lines>,
    seeking: Vec<Seeking>,
    last_call: ServiceInstant,
    /// Whether all challenges were told.
    is_welcome: bool,
}

/// Why an agent ends.
#[derive(Debug)]
struct Over;

impl Agent {
    fn new(api: LichessApi, caller: &Caller, calls: mpsc::Receiver<Call>) -> Self {
        let (commands, to_write) = mpsc::channel(COMMANDS_MAX);
        let last_call = api.sessions.clock.now();
        Self {
            account: caller.known.person.account,
            kind: caller.known.person.kind,
            name: caller.known.person.shown_name(),
            site: caller.site.clone(),
            api,
            calls,
            commands,
            to_write: Some(to_write),
            games: HashMap::new(),
            asked: HashMap::new(),
            loading: AllLoading::new(),
            sources: HashMap::new(),
            challenges: HashMap::new(),
            pending: HashMap::new(),
            event_streams: Vec::new(),
            seeking: Vec::new(),
            last_call,
            is_welcome: false,
        }
    }

    async fn run(mut self, socket: DuplexStream) {
        let socket = WebSocketStream::from_raw_socket(socket, Role::Client, None).await;
        let (mut writing, mut reading) = socket.split();
        let Some(mut to_write) = self.to_write.take() else { return };
        // A task of its own, so that neither end waits for the other one to read.
        self.api.sessions.tasks.spawn(async move {
            while let Some(command) = to_write.recv().await {
                if writing.send(Message::text(command.to_text())).await.is_err() {
                    return;
                }
            }
            writing.close().await.ok();
        });
        let clock = self.api.sessions.clock.clone();
        let ready_until = clock.now() + READY_WITHIN;
        let mut next_beat = clock.now() + BEAT;
        loop {
            let takes_calls = self.is_ready() || clock.now() >= ready_until;
            let done = tokio::select! {
                message = reading.next() => match message {
                    Some(Ok(Message::Text(text))) => self.read_message(&text).await,
                    Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Binary(_) | Message::Frame(_))) => Ok(()),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => Err(Over),
                },
                Some(call) = self.calls.recv(), if takes_calls => {
                    self.last_call = clock.now();
                    self.take(call).await
                }
                () = clock.sleep_until(next_beat) => {
                    next_beat = clock.now() + BEAT;
                    self.beat()
                }
            };
            if done.is_err() {
                return;
            }
        }
    }

    /// Whether all challenges and all its games were told.
    fn is_ready(&self) -> bool {
        self.is_welcome
            && self
                .api
                .sessions
                .games
                .unended_of(self.account)
                .iter()
                .all(|game| self.games.contains_key(game))
    }

    async fn read_message(&mut self, text: &str) -> Result<(), Over> {
        let message = decode_server(text).map_err(|error| {
            tracing::error!(%error, "an agent cannot read what a session says");
            Over
        })?;
        match message {
            ServerMessage::Welcome(_) => self.command(ClientMessage::Ping(FIRST_PING)),
            ServerMessage::Pong(_) => {
                self.is_welcome = true;
                Ok(())
            }
            message => self.handle(message).await,
        }
    }

    /// Sends a command.
    fn command(&self, command: ClientMessage) -> Result<(), Over> {
        self.commands.try_send(command).map_err(|_| Over)
    }

    /// The id of a command that nobody else gives.
    fn command_id(&self) -> CommandId {
        let random = self.api.sessions.entropy.challenge_id();
        random.as_str().parse().expect("twelve letters and digits are an id")
    }

    fn now(&self) -> ServiceInstant {
        self.api.sessions.clock.now()
    }

    /// What comes with time alone.
    fn beat(&mut self) -> Result<(), Over> {
        self.event_streams.retain(|lines| !lines.is_abandoned());
        self.watch_presence();
        self.withdraw_abandoned()?;
        let is_open = !self.event_streams.is_empty()
            || !self.seeking.is_empty()
            || self.challenges.values().any(|challenge| challenge.keep_alive.is_some())
            || self.games.values().any(|game| game.lines.is_some());
        if is_open {
            self.last_call = self.last_call.max(self.now());
            return Ok(());
        }
        let is_idle = self.now() >= self.last_call + IDLE_AFTER && self.pending.is_empty();
        // Calls that come from now on find that it has ended, and start another one.
        if is_idle { Err(Over) } else { Ok(()) }
    }
}
