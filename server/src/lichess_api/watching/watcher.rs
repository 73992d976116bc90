//! One game that is watched: a session of our own protocol without an account, and the streams that it is told to.
//!
//! Deliberately absent: what can be seen of a game (the session decides, as for every client), and channels (`television`).
//!
//! Invariants: a stream is told every position after those that it was opened with, in order, and ends cleanly only when
//! the game has ended; whatever goes wrong ends the watcher, and that breaks its streams off.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::io::DuplexStream;
use tokio::sync::{mpsc, watch};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;
use zeitnot_protocol::{
    ClientMessage, GameId, Hello, History, HistoryRequest, PlyView, ServerMessage, Snapshot, Watch,
    decode_server,
};

use super::past::{Past, PastPly};
use super::{BEAT, CALLS_MAX, Call, IDLE_BEATS, Stream, forget_abandoned};
use crate::lichess_api::LichessApi;
use crate::lichess_api::game_view::{Change, GameView};
use crate::lichess_api::lines::Kind;
use crate::lichess_api::rejection::Rejection;
use crate::lichess_api::words::Source;
use crate::net::Address;
use crate::time::ServiceInstant;

/// Events that wait until the older plies of the game are read.
const HELD_MAX: usize = 1_000;

/// A game as television shows it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct OnAir {
    /// How it is announced.
    pub(super) featured: Value,
    /// How it stands after its last move. `None` before the first: the strictest programs read no position without a move.
    pub(super) shown: Option<Value>,
    pub(super) is_over: bool,
}

impl OnAir {
    fn of(view: &GameView, now: ServiceInstant) -> Self {
        let shown = view.shown(now);
        let shown = shown.last.is_some().then(|| shown.object());
        Self { featured: view.featured(now), shown, is_over: view.outcome.is_some() }
    }
}

/// Why a watcher ends.
#[derive(Debug)]
struct Over;

/// What it knows of its game.
#[derive(Debug)]
struct Game {
    view: GameView,
    plies: Vec<PastPly>,
    on_air: watch::Sender<Arc<OnAir>>,
}

/// A game whose older plies are being read: a snapshot has the last ones only.
#[derive(Debug)]
struct Loading {
    snapshot: Snapshot,
    plies: Vec<PlyView>,
    held: Vec<ServerMessage>,
}

/// One game that is watched.
#[derive(Debug)]
pub(super) struct Watcher {
    api: LichessApi,
    id: GameId,
    calls: mpsc::Receiver<Call>,
    socket: WebSocketStream<DuplexStream>,
    /// Calls that wait until the game is known.
    waiting: Vec<Call>,
    loading: Option<Loading>,
    game: Option<Game>,
    streams: Vec<Stream>,
}

impl Watcher {
    /// Begins to watch a game; what is read for that is read for `address`.
    pub(super) fn start(api: &LichessApi, id: GameId, address: Address) -> mpsc::Sender<Call> {
        let (sender, calls) = mpsc::channel(CALLS_MAX);
        let sessions = &api.sessions;
        let pipe = sessions.spawn_watching(sessions.accounts.addresses.uncounted(address));
        let api = api.clone();
        sessions.tasks.spawn(async move {
            let socket = WebSocketStream::from_raw_socket(pipe, Role::Client, None).await;
            let (waiting, streams) = (Vec::new(), Vec::new());
            let watcher = Self { api, id, calls, socket, waiting, loading: None, game: None, streams };
            watcher.run().await;
        });
        sender
    }

    async fn run(mut self) {
        let clock = self.api.sessions.clock.clone();
        let (mut next_beat, mut idle_beats) = (clock.now() + BEAT, 0);
        if self.say(ClientMessage::Hello(Hello::default())).await.is_err() {
            return;
        }
        loop {
            let done = tokio::select! {
                message = self.socket.next() => match message {
                    Some(Ok(Message::Text(text))) => self.read_message(&text).await,
                    Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Binary(_) | Message::Frame(_))) => Ok(()),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => Err(Over),
                },
                Some(call) = self.calls.recv() => {
                    self.take(call);
                    Ok(())
                }
                () = clock.sleep_until(next_beat) => {
                    next_beat = clock.now() + BEAT;
                    idle_beats = forget_abandoned(&mut self.streams, idle_beats);
                    let is_followed = self.game.as_ref().is_some_and(|game| game.on_air.receiver_count() > 0);
                    if is_followed || !self.waiting.is_empty() {
                        idle_beats = 0;
                    }
                    if idle_beats >= IDLE_BEATS { Err(Over) } else { Ok(()) }
                }
            };
            if done.is_err() {
                return;
            }
        }
    }

    /// Says something. The pipe has room for all that a watcher ever says at a time, so it does not wait.
    async fn say(&mut self, message: ClientMessage) -> Result<(), Over> {
        self.socket.send(Message::text(message.to_text())).await.map_err(|_| Over)
    }

    fn now(&self) -> ServiceInstant {
        self.api.sessions.clock.now()
    }

    /// Takes a call; before the game is known it waits.
    fn take(&mut self, call: Call) {
        let now = self.now();
        let Some(game) = &self.game else {
            if self.waiting.len() < CALLS_MAX {
                self.waiting.push(call);
            }
            return;
        };
        match call {
            Call::Stream { stream, reply } => {
                // Whoever asked may be gone.
                reply.send(Ok(Past::of(&game.view, game.plies.clone()))).ok();
                if game.view.outcome.is_some() {
                    stream.lines.end();
                } else {
                    self.streams.push(stream);
                }
            }
            Call::Follow { reply } => {
                game.on_air.send_replace(Arc::new(OnAir::of(&game.view, now)));
                reply.send(Ok(game.on_air.subscribe())).ok();
            }
        }
    }

    async fn read_message(&mut self, text: &str) -> Result<(), Over> {
        let message = decode_server(text).map_err(|error| {
            tracing::error!(%error, "a watcher cannot read what a session says");
            Over
        })?;
        match message {
            ServerMessage::Welcome(_) => {
                self.say(ClientMessage::Watch(Watch { game: self.id, after: None, id: None })).await
            }
            ServerMessage::Snapshot(snapshot) => self.snapshot(snapshot).await,
            ServerMessage::History(history) => self.history(history).await,
            ServerMessage::Rejected(rejected) => {
                for call in self.waiting.drain(..) {
                    let why = Rejection::of(rejected.code, &rejected.message);
                    match call {
                        Call::Stream { reply, .. } => drop(reply.send(Err(why))),
                        Call::Follow { reply } => drop(reply.send(Err(why))),
                    }
                }
                Err(Over)
            }
            message => self.event(message),
        }
    }

    /// The game as it stands: at first, or because the watcher fell behind.
    async fn snapshot(&mut self, snapshot: Snapshot) -> Result<(), Over> {
        let known = u32::try_from(snapshot.plies.len()).unwrap_or(u32::MAX);
        if snapshot.ply_count > known {
            self.loading = Some(Loading { snapshot, plies: Vec::new(), held: Vec::new() });
            return self.say(older(self.id, 1)).await;
        }
        let plies = snapshot.plies.iter().map(PastPly::from).collect();
        self.know(snapshot, plies);
        Ok(())
    }

    /// Some of the older plies.
    async fn history(&mut self, History { plies, .. }: History) -> Result<(), Over> {
        let Some(loading) = &mut self.loading else { return Ok(()) };
        let first = loading.snapshot.plies.first().ok_or(Over)?.ply;
        let begin = loading.plies.last().map_or(1, |ply| ply.ply + 1);
        loading.plies.extend(plies.into_iter().filter(|ply| (begin..first).contains(&ply.ply)));
        let next = loading.plies.last().map_or(1, |ply| ply.ply + 1);
        if next < first {
            // Nothing new came: so much was taken back that the snapshot is out of date.
            return if next == begin { Err(Over) } else { self.say(older(self.id, next)).await };
        }
        let Some(Loading { snapshot, plies, held }) = self.loading.take() else { return Ok(()) };
        let plies = plies.iter().chain(&snapshot.plies).map(PastPly::from).collect();
        self.know(snapshot, plies);
        held.into_iter().try_for_each(|message| self.event(message))
    }

    /// The game is known as it stands.
    fn know(&mut self, snapshot: Snapshot, plies: Vec<PastPly>) {
        let now = self.now();
        let own_plies = snapshot.plies.clone();
        let mut view = GameView::new(snapshot, &own_plies, Source::Friend, now);
        match self.game.as_mut() {
            Some(game) => {
                std::mem::swap(&mut game.view, &mut view);
                game.plies = plies;
                self.tell(if self.has_ended() { Change::Ended } else { Change::State });
            }
            None => {
                let (on_air, _) = watch::channel(Arc::new(OnAir::of(&view, now)));
                self.game = Some(Game { view, plies, on_air });
            }
        }
        for call in std::mem::take(&mut self.waiting) {
            self.take(call);
        }
    }

    fn has_ended(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.view.outcome.is_some())
    }

    /// An event of the game.
    fn event(&mut self, message: ServerMessage) -> Result<(), Over> {
        if let Some(loading) = &mut self.loading {
            loading.held.push(message);
            return if loading.held.len() > HELD_MAX { Err(Over) } else { Ok(()) };
        }
        let now = self.now();
        let Some(game) = &mut self.game else { return Ok(()) };
        let is_shown = matches!(
            message,
            ServerMessage::Move(_) | ServerMessage::TakenBack(_) | ServerMessage::TimeAdjusted(_)
        );
        match &message {
            ServerMessage::Move(event) => game.plies.push(PastPly {
                uci: event.uci,
                white_ms: event.white_ms,
                black_ms: event.black_ms,
            }),
            ServerMessage::TakenBack(event) => game.plies.truncate(event.ply as usize),
            ServerMessage::Clock(clock) => {
                game.view.set_clock(clock, now);
                return Ok(());
            }
            _ => {}
        }
        let change = game.view.apply(message, now);
        if is_shown || change == Change::Ended {
            self.tell(change);
        }
        Ok(())
    }

    /// Tells all streams how the game stands.
    fn tell(&mut self, change: Change) {
        let now = self.now();
        let Some(game) = &self.game else { return };
        if game.on_air.receiver_count() > 0 {
            game.on_air.send_replace(Arc::new(OnAir::of(&game.view, now)));
        }
        if self.streams.is_empty() {
            return;
        }
        if change != Change::Ended {
            let line = game.view.shown(now).object();
            self.streams.iter().for_each(|stream| stream.lines.push(Kind::Kept, &line));
            return;
        }
        let line = game.view.description();
        for stream in self.streams.drain(..) {
            stream.lines.push(Kind::Kept, &line);
            stream.lines.end();
        }
    }
}

/// Asks for older plies.
fn older(game: GameId, from: u32) -> ClientMessage {
    ClientMessage::History(HistoryRequest { game, from, id: None })
}
