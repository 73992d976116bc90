//! The one task of a session: a future that takes a turn whenever something happened.
//!
//! A turn handles, in this order, the messages in its queue, the feeds, a pending identity, the
//! socket and the timer, and writes everything that follows from them in one call at its end. So
//! messages to this player come before the frames of a crowd, and both come before more input. The
//! future is written by hand instead of with `select!`, because every source wakes the same task
//! and an idle connection must be small.
//!
//! Deliberately absent: what a client may send (`machine`), what is written of games
//! (`subscriptions`).
//!
//! Invariants: every message of a read is handed over before the turn ends, so a fence can be
//! answered at any time; a turn reads at most [`READS_PER_TURN`] times, then other tasks run.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::DuplexStream;
use tokio::net::TcpStream;
use tokio::time::Sleep;
use zeitnot_protocol::{CloseCode, Code, Name, ServerMessage};

use super::buffers::Buffers;
use super::decoder::{Broken, Incoming};
use super::machine::{Identified, SessionInput, SessionMachine};
use super::output::Output;
use super::sessions::Sessions;
use super::socket::{FarEnd, Socket};
use super::stream::Stream;
use super::subscriptions::{GamesContext, LobbyView, Subscriptions};
use crate::accounts::{Known, Person};
use crate::connections::{ConnectionRef, Inbox, ToSession};
use crate::net::Permit;
use crate::telemetry::metrics;
use crate::time::ServiceInstant;

/// Reads from the socket in one turn. A client that sends more than this has its next turn after the
/// others.
pub(super) const READS_PER_TURN: usize = 4;

/// RFC 6455, 7.4.1: the other end broke the protocol.
const PROTOCOL_ERROR: u16 = 1002;

/// The look-up of the identity, while it is pending.
pub(super) type Identifying = Pin<Box<dyn Future<Output = Result<Identified, Code>> + Send>>;

/// One connection.
pub(super) struct Session {
    pub(super) sessions: Arc<Sessions>,
    pub(super) permit: Arc<Permit>,
    pub(super) machine: SessionMachine,
    pub(super) line: ConnectionRef,
    pub(super) subscriptions: Subscriptions,
    /// What it shows of the lobby; `None` while it is not there.
    pub(super) lobby: Option<Box<LobbyView>>,
    /// The account that it acts for, as others see it.
    pub(super) who: Option<Person>,
    pub(super) identifying: Option<Identifying>,
    pub(super) round_trip: Option<Duration>,
    pub(super) socket: Socket,
    inbox: Inbox,
    /// Whether HTTP had read beyond the request.
    has_read_ahead: bool,
    pub(super) life: Life,
    pub(super) timer: Pin<Box<Sleep>>,
    /// What the timer is set to; [`ServiceInstant::NEVER`] when it has fired.
    pub(super) armed: ServiceInstant,
    /// Echoes every message instead of speaking the protocol: see `echo`.
    #[cfg(test)]
    pub(super) echoes: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Life {
    Open,
    /// Nothing more is written. What was written is flushed, and input is discarded until the other
    /// end closes too, at the latest at `until`.
    Closing {
        until: ServiceInstant,
        /// How many bytes were discarded: bounded by `DRAINED_BYTES_MAX`.
        drained: usize,
    },
}

/// Why a session ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// We close with this code.
    Close(CloseCode),
    /// We close with this code of RFC 6455.
    CloseNumber(u16),
    /// The other end closed; its close frame is answered.
    Answered,
    /// The connection is gone.
    Gone,
}

impl From<CloseCode> for End {
    fn from(code: CloseCode) -> Self {
        Self::Close(code)
    }
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        tracing::debug!(%error, "a connection broke");
        Self::Gone
    }
}

impl From<Broken> for End {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::TooBig => Self::Close(CloseCode::TooBig),
            Broken::NotUtf8 => Self::Close(CloseCode::NotUtf8),
            Broken::Protocol => Self::CloseNumber(PROTOCOL_ERROR),
        }
    }
}

impl Sessions {
    /// Starts the session of an upgraded connection. `known` is the account it came with, `read_ahead` what HTTP had
    /// read beyond the request.
    pub(crate) fn spawn(
        self: &Arc<Self>,
        stream: TcpStream,
        far_end: FarEnd,
        read_ahead: &[u8],
        permit: Arc<Permit>,
        known: Option<Known>,
    ) {
        let socket = self.socket(Stream::Tcp(stream), far_end, read_ahead);
        self.tasks.spawn(open(self, socket, !read_ahead.is_empty(), permit, known));
    }

    /// Starts the session of a part of this process that speaks for an account. What comes back is the client's end of the
    /// WebSocket, after its upgrade. The line to the player behind that part is not measured.
    pub(crate) fn spawn_in_process(self: &Arc<Self>, permit: Arc<Permit>, known: Known) -> DuplexStream {
        let (ours, theirs) = Stream::pipe();
        let socket = self.socket(ours, FarEnd::Proxy, &[]);
        self.tasks.spawn(open(self, socket, false, permit, Some(known)));
        theirs
    }

    /// The same for a part of this process that only watches: it says hello as every client does.
    pub(crate) fn spawn_watching(self: &Arc<Self>, permit: Permit) -> DuplexStream {
        let (ours, theirs) = Stream::pipe();
        let socket = self.socket(ours, FarEnd::Proxy, &[]);
        self.tasks.spawn(open(self, socket, false, Arc::new(permit), None));
        theirs
    }

    fn socket(&self, stream: Stream, far_end: FarEnd, read_ahead: &[u8]) -> Socket {
        Socket::new(stream, far_end, read_ahead, self.settings.limits.frame_in_bytes as usize)
    }
}

/// A session at its start.
pub(super) fn open(
    sessions: &Arc<Sessions>,
    socket: Socket,
    has_read_ahead: bool,
    permit: Arc<Permit>,
    known: Option<Known>,
) -> Session {
    let inbox = Inbox::default();
    let connection = sessions.connections.open(&inbox.outbox(), permit.address());
    // Looked at after it is listed: either the cut finds the session, or the session finds the cut.
    if sessions.accounts.addresses.cuts.hold(permit.address().ip()) {
        inbox.outbox().try_send(ToSession::CutOff).ok();
    }
    let now = sessions.clock.now();
    let identifying: Option<Identifying> =
        known.map(|known| Box::pin(std::future::ready(Ok(Identified::of(known)))) as Identifying);
    let machine = SessionMachine::open(now, identifying.is_some(), &sessions.settings.bounds);
    let armed = machine.deadline(&sessions.settings.bounds).unwrap_or(now);
    metrics().connections.increment(1);
    metrics().connections_opened.increment(1);
    Session {
        machine,
        line: ConnectionRef { id: connection, outbox: inbox.outbox() },
        subscriptions: Subscriptions::default(),
        lobby: None,
        who: None,
        identifying,
        round_trip: None,
        socket,
        inbox,
        has_read_ahead,
        life: Life::Open,
        timer: Box::pin(tokio::time::sleep_until(sessions.clock.timer_for(armed))),
        armed,
        permit,
        sessions: Arc::clone(sessions),
        #[cfg(test)]
        echoes: false,
    }
}

impl Future for Session {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let session = self.get_mut();
        session.inbox.register(cx.waker());
        Buffers::with(|buffers| {
            session.socket.begin(&mut buffers.output);
            let turn = session.turn(cx, buffers);
            session.socket.end(&buffers.output);
            turn
        })
    }
}

impl Session {
    /// The subscriptions, and what their steps need.
    pub(super) fn games<'a>(
        &'a mut self,
        output: &'a mut Output,
    ) -> (&'a mut Subscriptions, GamesContext<'a>) {
        let (identity, sessions) = (self.identity(), &self.sessions);
        let watched_max = sessions.settings.limits.watched_games;
        let (games, clock, line) = (&sessions.games, &sessions.clock, &self.line);
        let (address, blocks) = (self.permit.address(), &sessions.accounts.blocks);
        let context = GamesContext { games, clock, line, address, identity, watched_max, blocks, output };
        (&mut self.subscriptions, context)
    }

    fn turn(&mut self, cx: &mut Context<'_>, buffers: &mut Buffers) -> Poll<()> {
        if self.life == Life::Open {
            let end = match self.open_turn(cx, buffers) {
                Ok(()) => self.flush(cx, &mut buffers.output),
                end @ Err(_) => end,
            };
            match end {
                Ok(()) => return self.rearm_timer(cx),
                Err(End::Gone) => return Poll::Ready(()),
                // The game goes on elsewhere, and so does the session.
                Err(End::Close(CloseCode::GameReset)) if self.sessions.connections.turns_away() => {
                    self.close(End::Close(CloseCode::Restart), buffers);
                }
                Err(end) => self.close(end, buffers),
            }
        }
        self.closing_turn(cx, buffers)
    }

    fn flush(&mut self, cx: &mut Context<'_>, output: &mut Output) -> Result<(), End> {
        match self.socket.poll_flush(cx, output) {
            Poll::Ready(Err(error)) => return Err(error.into()),
            // There was no room for all that is due, and now there is.
            Poll::Ready(Ok(())) if self.subscriptions.is_due() || self.lobby_is_due() => {
                cx.waker().wake_by_ref();
            }
            Poll::Ready(Ok(())) | Poll::Pending => {}
        }
        Ok(())
    }

    fn open_turn(&mut self, cx: &mut Context<'_>, buffers: &mut Buffers) -> Result<(), End> {
        let signals = self.inbox.signals();
        if signals.stop {
            return Err(End::Close(CloseCode::Restart));
        }
        if signals.overflowed {
            return Err(End::Close(CloseCode::SlowReader));
        }
        if signals.queued {
            self.handle_messages(cx, &mut buffers.output)?;
        }
        if signals.notified {
            self.subscriptions.notified();
            self.lobby_notified();
        }
        self.pull_feeds(cx, &mut buffers.output)?;
        self.poll_identity(cx, buffers)?;
        self.read(cx, buffers)?;
        self.check_deadlines(cx, buffers)
    }

    /// Whether more may be written; if not, what is there is flushed first.
    fn make_room(&mut self, cx: &mut Context<'_>, output: &mut Output) -> Result<bool, End> {
        if output.has_room() {
            return Ok(true);
        }
        match self.socket.poll_flush(cx, output) {
            Poll::Ready(Ok(())) => Ok(true),
            Poll::Ready(Err(error)) => Err(error.into()),
            Poll::Pending => Ok(output.has_room()),
        }
    }

    /// Handles the queued messages, as long as there is room for what they lead to.
    fn handle_messages(&mut self, cx: &mut Context<'_>, output: &mut Output) -> Result<(), End> {
        while self.make_room(cx, output)? {
            let Some(message) = self.inbox.pop() else { return Ok(()) };
            match message {
                ToSession::Game(notice) => {
                    let (subscriptions, mut at) = self.games(output);
                    subscriptions.notice(&mut at, notice)?;
                }
                ToSession::GameStarted { game, reply } => {
                    let (subscriptions, mut at) = self.games(output);
                    subscriptions.game_started(&mut at, game, reply)?;
                }
                ToSession::ChatOpened(game) => {
                    let (subscriptions, at) = self.games(output);
                    subscriptions.chat_opened(&at, game);
                }
                ToSession::Posted(answer) => {
                    let (subscriptions, mut at) = self.games(output);
                    subscriptions.posted(&mut at, &answer);
                }
                ToSession::Text(text) => output.text(&text),
                ToSession::Changed(person) => {
                    self.who = Some(person);
                    output.message(&ServerMessage::Name(Name { name: person.shown_name() }));
                }
                ToSession::Revoked => return Err(End::Close(CloseCode::Revoked)),
                ToSession::CutOff => return Err(End::Close(CloseCode::CutOff)),
            }
        }
        self.inbox.keep_queued();
        Ok(())
    }

    fn pull_feeds(&mut self, cx: &mut Context<'_>, output: &mut Output) -> Result<(), End> {
        while self.subscriptions.is_due() && self.make_room(cx, output)? {
            let (subscriptions, mut at) = self.games(output);
            subscriptions.advance(&mut at)?;
        }
        if self.lobby_is_due() && self.make_room(cx, output)? {
            self.write_lobby(output);
        }
        Ok(())
    }

    fn poll_identity(&mut self, cx: &mut Context<'_>, buffers: &mut Buffers) -> Result<(), End> {
        // A rejected client may try again; its next try may be among the frames that waited.
        while let Some(identifying) = &mut self.identifying {
            let Poll::Ready(answer) = identifying.as_mut().poll(cx) else { return Ok(()) };
            self.identifying = None;
            let now = self.sessions.clock.now();
            self.identified(answer, now, buffers)?;
        }
        Ok(())
    }

    fn read(&mut self, cx: &mut Context<'_>, buffers: &mut Buffers) -> Result<(), End> {
        if std::mem::take(&mut self.has_read_ahead) {
            self.handle_frames(buffers)?;
            self.poll_identity(cx, buffers)?;
        }
        for _ in 0..READS_PER_TURN {
            if !self.machine.reads() || !self.make_room(cx, &mut buffers.output)? {
                return Ok(());
            }
            match self.socket.poll_fill(cx, &mut buffers.input) {
                Poll::Pending => return Ok(()),
                Poll::Ready(Ok(0)) => return Err(End::Gone),
                Poll::Ready(Ok(_)) => self.handle_frames(buffers)?,
                Poll::Ready(Err(error)) => return Err(error.into()),
            }
            self.poll_identity(cx, buffers)?;
        }
        cx.waker().wake_by_ref();
        Ok(())
    }

    /// Handles all frames of one read. Each gets the stamp of that read.
    fn handle_frames(&mut self, buffers: &mut Buffers) -> Result<(), End> {
        let stamp = self.sessions.clock.now();
        let mut frames = 0;
        let taken = loop {
            let came = self.socket.next(buffers);
            #[cfg(test)]
            let came =
                if self.echoes { super::tests::echo::instead(came, &mut buffers.output) } else { came };
            let input = match came {
                None => break Ok(()),
                Some(Ok(Incoming::Text(text))) => SessionInput::Text(text),
                Some(Ok(Incoming::Binary(_))) => SessionInput::Binary,
                Some(Ok(Incoming::Ping)) => SessionInput::Ping,
                // An unsolicited pong counts as number 0.
                Some(Ok(Incoming::Pong(payload))) => {
                    let number = <[u8; 4]>::try_from(&payload[..]).map_or(0, u32::from_be_bytes);
                    SessionInput::Pong { number, kernel: self.socket.kernel_round_trip() }
                }
                Some(Ok(Incoming::Hidden(hidden))) => SessionInput::Hidden(hidden),
                Some(Ok(Incoming::Closed)) => break Err(End::Answered),
                Some(Err(broken)) => break Err(broken.into()),
            };
            frames += if let SessionInput::Hidden(hidden) = input { u64::from(hidden) } else { 1 };
            if let Err(end) = self.handle(input, stamp, buffers) {
                break Err(end);
            }
        };
        metrics().frames_in.increment(frames);
        taken
    }

    /// Gives an input to the machine and carries out its effects.
    pub(super) fn handle(
        &mut self,
        input: SessionInput,
        at: ServiceInstant,
        buffers: &mut Buffers,
    ) -> Result<(), End> {
        let mut effects = std::mem::take(&mut buffers.effects);
        self.machine.handle(input, at, &self.sessions.settings.bounds, &mut effects);
        let done = effects.drain(..).try_for_each(|effect| self.perform(effect, at, &mut buffers.output));
        buffers.effects = effects;
        done
    }

    fn check_deadlines(&mut self, cx: &mut Context<'_>, buffers: &mut Buffers) -> Result<(), End> {
        if self.timer.as_mut().poll(cx).is_ready() {
            self.armed = ServiceInstant::NEVER;
            let was_reading = self.machine.reads();
            self.handle(SessionInput::Tick, self.sessions.clock.now(), buffers)?;
            if self.machine.reads() && !was_reading {
                cx.waker().wake_by_ref();
            }
        }
        Ok(())
    }

    /// Arms the timer for the next deadline if it is armed for a later one. A timer that fires too
    /// early is armed again then: most deadlines move away, and a timer that is not touched costs
    /// nothing.
    fn rearm_timer(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(deadline) = self.machine.deadline(&self.sessions.settings.bounds)
            && deadline < self.armed
        {
            self.arm(cx, deadline);
        }
        Poll::Pending
    }

    pub(super) fn arm(&mut self, cx: &mut Context<'_>, at: ServiceInstant) {
        self.armed = at;
        self.timer.as_mut().reset(self.sessions.clock.timer_for(at));
        if self.timer.as_mut().poll(cx).is_ready() {
            cx.waker().wake_by_ref();
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.leave();
        metrics().connections.decrement(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound on an idle connection is 6 KiB without the kernel's share; its task is the largest
    /// part.
    #[test]
    fn a_session_is_small() {
        let bytes = size_of::<Session>();
        assert!(bytes <= 1024, "{bytes} bytes");
    }
}
