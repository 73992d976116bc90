//! The sessions of another node that follow a game here.
//!
//! What they send is handed to the game as it comes. What they are told is pulled from the game's feed and from an inbox for
//! each seat, as a session here pulls it, and goes to their node in the same order.
//!
//! Deliberately absent: what the sessions are, and keeping anything for a link that is lost: then the remote sessions leave, and
//! come again with all that was not answered.
//!
//! Invariants: `Attached` is the first thing that is said; events come without gaps, or with another `Attached`; what a seat is
//! told comes after the events before it; a stamp is never later than the arrival.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Micros, Seq};
use zeitnot_rules::notation::fen;

use super::super::handle::MirrorPlace;
use super::super::inputs::{GameInput, Mail};
use super::super::{ClockDue, ClockReading, Feed, GameHandle, Pull, Seat, SeatCommand};
use super::Across;
use crate::cluster::TurnStarts;
use crate::cluster::wire::{
    Act, Attach, Attached, Clock, FrameText, FromMirror, FromOwner, GameMessage, SentCommand, SentNotice,
    TakenSeat,
};
use crate::connections::{ConnectionId, Inbox, Notice, NoticeKind, SendError, Signals, ToSession};
use crate::storage::NodeNumber;
use crate::sync::unpoisoned;
use crate::time::{ServiceClock, ServiceInstant};

/// No event has this number.
const NO_POSITION: Seq = 0;

/// The remote sessions of one node at one game.
#[derive(Debug)]
pub(super) struct RemoteSessions {
    game: GameHandle,
    node: NodeNumber,
    /// `None` after they have left.
    state: Mutex<Option<State>>,
}

#[derive(Debug)]
struct State {
    place: MirrorPlace,
    /// Where the feed's news and fences arrive, and everything else that the task is to look at.
    inbox: Inbox,
    seats: Vec<RemoteSeat>,
    /// The last event that was said; that of the mirror before `Attached`.
    cursor: Seq,
    is_attached: bool,
    starts: TurnStarts,
    told: Told,
    wants_snapshot: bool,
    /// What seats are told, from a moment in which not even `Attached` could be said.
    held: VecDeque<(u64, Notice)>,
    /// A fence that is to be passed on: its number, and its deadline.
    fence: Option<(u32, ServiceInstant)>,
}

/// A seat of a remote session.
#[derive(Debug)]
struct RemoteSeat {
    connection: u64,
    seat: Seat,
    inbox: Inbox,
    /// The last stamp of its commands that is known.
    last: ServiceInstant,
}

/// What the mirror knows.
#[derive(Debug, Default)]
struct Told {
    clock: Option<ClockReading>,
    clock_starts: u32,
    watchers: u32,
    rated: bool,
}

/// Whether there is more to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// When something is new.
    Wait,
    /// The game is in the middle of saying something.
    Soon,
    /// Nothing comes any more.
    Ended,
}

impl RemoteSessions {
    /// They arrive with all that `attach` says, at `now`. [`RemoteSessions::run`] is to be started.
    pub(super) fn arrive(
        game: GameHandle,
        node: NodeNumber,
        attach: Attach,
        now: ServiceInstant,
    ) -> Arc<Self> {
        let inbox = Inbox::default();
        let mut place = game.mirror(node, inbox.outbox());
        place.set_watchers(attach.watchers);
        let mut state = State {
            place,
            inbox,
            seats: Vec::new(),
            cursor: attach.head,
            is_attached: false,
            starts: TurnStarts::default(),
            told: Told::default(),
            wants_snapshot: false,
            held: VecDeque::new(),
            fence: None,
        };
        // Their commands may be about the turn that runs.
        if let Some(ClockReading { base, began: Some(began), .. }) = game.feed().clock() {
            state.starts.begin_here(base, began);
        }
        attach.seats.into_iter().for_each(|taken| state.join(&game, node, taken));
        for command in attach.again {
            state.command(command, now);
        }
        Arc::new(Self { game, node, state: Mutex::new(Some(state)) })
    }

    fn state(&self) -> MutexGuard<'_, Option<State>> {
        unpoisoned(self.state.lock())
    }

    /// Takes what their node says, at `now`.
    pub(super) fn take(&self, said: FromMirror, now: ServiceInstant) {
        let mut state = self.state();
        let Some(state) = state.as_mut() else { return };
        match said {
            FromMirror::Join(taken) => state.join(&self.game, self.node, taken),
            FromMirror::Leave(connection) => state.seats.retain(|seat| seat.connection != connection),
            FromMirror::Command(command) => state.command(command, now),
            FromMirror::Watchers(count) => state.place.set_watchers(count),
            FromMirror::SnapshotWanted => state.wants_snapshot = true,
            FromMirror::Fenced(number) => state.place.fenced(number),
            FromMirror::RoundTrip { connection, us } => {
                state.at(connection, |seat| seat.round_trip(std::time::Duration::from_micros(us)));
            }
            FromMirror::Resync(connection) => {
                // A full mailbox is met again: the session falls behind, and asks once more.
                state.at(connection, |seat| {
                    seat.resync().ok();
                });
            }
            // They are a coming and a going of all.
            FromMirror::Attach(_) | FromMirror::Detach => {}
        }
        // The task looks at what is new.
        state.inbox.outbox().notify();
    }

    /// Their node is lost. All that it had sent before `complete` has come.
    pub(super) fn lose(&self, complete: ServiceInstant) {
        let lost = GameInput::NodeLost { node: self.node, complete };
        self.game.mailbox().send_reserved(Mail::Input(lost));
        self.leave();
    }

    /// They leave all at once.
    pub(super) fn leave(&self) {
        if let Some(state) = self.state().take() {
            state.inbox.outbox().notify();
        }
    }

    /// Tells them what happens in the game, until they leave or nothing happens any more.
    pub(super) async fn run(self: Arc<Self>, across: Arc<Across>, clock: ServiceClock) {
        poll_fn(|cx| self.turn(&across, &clock, cx)).await;
    }

    fn turn(&self, across: &Arc<Across>, clock: &ServiceClock, cx: &mut Context<'_>) -> Poll<()> {
        let (mut guard, mut says) = (self.state(), VecDeque::new());
        let Some(state) = guard.as_mut() else { return Poll::Ready(()) };
        state.register(cx);
        let next = state.advance(&self.game, clock.now(), &mut says);
        // Under the lock, so that what is said stays in order.
        for said in says {
            across.send(self.node, GameMessage::ToMirror(self.game.id(), said));
        }
        match next {
            Next::Wait => Poll::Pending,
            Next::Soon => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            Next::Ended => {
                drop(guard);
                self.leave();
                across.remote_sessions.remove_if(&(self.node, self.game.id()), |_, remote_sessions| {
                    std::ptr::eq(&**remote_sessions, self)
                });
                Poll::Ready(())
            }
        }
    }
}

impl State {
    fn join(&mut self, game: &GameHandle, node: NodeNumber, taken: TakenSeat) {
        let TakenSeat { connection, white, round_trip_us } = taken;
        let color = if white { Color::White } else { Color::Black };
        let (inbox, round_trip) = (Inbox::default(), round_trip_us.map(std::time::Duration::from_micros));
        match game.join(color, ConnectionId::elsewhere(node, connection), inbox.outbox(), round_trip) {
            Ok(seat) => {
                let last = ServiceInstant::default();
                self.seats.push(RemoteSeat { connection, seat, inbox, last });
            }
            Err(SendError::Full) => self.silence(connection),
            // The task says that the game is not here any more.
            Err(SendError::Closed) => {}
        }
    }

    fn command(&mut self, sent: SentCommand, now: ServiceInstant) {
        let SentCommand { connection, start, since_us, age_us, id, act } = sent;
        let Some(seat) = self.seats.iter_mut().find(|seat| seat.connection == connection) else { return };
        let stamp = self.starts.stamp((start, since_us), age_us, now, &mut seat.last);
        // A move, or a claim with one, that was read on the turn that it is about.
        let took = match act {
            Act::Move { on, .. } | Act::ClaimDraw { on, intended: Some(_) } if on == start.base => {
                Some(Micros(since_us))
            }
            _ => None,
        };
        let command = SeatCommand { id, command: act.into() };
        if seat.seat.measured_command(stamp, took, command) == Err(SendError::Full) {
            self.silence(connection);
        }
    }

    fn at(&self, connection: u64, act: impl FnOnce(&Seat)) {
        if let Some(seat) = self.seats.iter().find(|seat| seat.connection == connection) {
            act(&seat.seat);
        }
    }

    /// The game cannot take what a connection says: it is to close.
    fn silence(&mut self, connection: u64) {
        self.seats.retain(|seat| seat.connection != connection);
        let game = self.place.game().id();
        self.held.push_back((connection, Notice { game, after: 0, kind: NoticeKind::Silent }));
    }

    fn register(&self, cx: &Context<'_>) {
        self.inbox.register(cx.waker());
        self.seats.iter().for_each(|seat| seat.inbox.register(cx.waker()));
        // Everything is looked at in any case.
        let Signals { .. } = self.inbox.signals();
    }

    /// Says what is new, in the order in which a session here would write it.
    fn advance(&mut self, game: &GameHandle, now: ServiceInstant, says: &mut VecDeque<FromOwner>) -> Next {
        let feed = game.feed();
        // What was published before the end is pulled, and then the game is left.
        let is_closed = feed.is_closed();
        let rated = feed.rated().filter(|_| !self.told.rated).cloned();
        self.take_notices();
        let mut next = self.pull(game, now, says);
        if !self.is_attached {
            return if is_closed { end(game, says) } else { next };
        }
        for (connection, Notice { after, kind, .. }) in std::mem::take(&mut self.held) {
            if let Some(notice) = SentNotice::of(&kind) {
                says.push_back(FromOwner::Tell { connection, after, notice });
            }
        }
        if let Some((number, due)) = self.fence.take() {
            // It travels as the time from when the turn began here.
            let (base, began) = self.told.clock.map_or((0, None), |clock| (clock.base, clock.began));
            let since_us = due.0.saturating_sub(began.unwrap_or(due).0);
            says.push_back(FromOwner::Fence { number, base, since_us });
        }
        if self.wants_snapshot
            && let Some(snapshot) = self.place.snapshot(self.cursor)
        {
            self.wants_snapshot = false;
            says.push_back(FromOwner::Snapshot((&snapshot).into()));
        }
        let watchers = feed.watchers();
        if self.told.watchers != watchers.version {
            self.told.watchers = watchers.version;
            says.push_back(FromOwner::Watchers(watchers.count));
        }
        if let Some(rated) = rated {
            self.told.rated = true;
            says.push_back(FromOwner::Rated((&rated).into()));
        }
        if is_closed {
            next = end(game, says);
        }
        next
    }

    /// Takes what the seats are told, and the fence for all of them. A connection that is told more than it takes is to close.
    fn take_notices(&mut self) {
        while let Some(told) = self.inbox.pop() {
            if let ToSession::Game(Notice { kind: NoticeKind::Fence { number, due }, .. }) = told {
                self.fence = Some((number, due));
            }
        }
        let mut overflowed = Vec::new();
        for seat in &self.seats {
            if seat.inbox.signals().overflowed {
                overflowed.push(seat.connection);
            }
            while let Some(told) = seat.inbox.pop() {
                if let ToSession::Game(notice) = told {
                    self.held.push_back((seat.connection, notice));
                }
            }
        }
        overflowed.into_iter().for_each(|connection| self.silence(connection));
    }

    /// Says the events after the cursor, and the clocks when they have changed.
    fn pull(&mut self, game: &GameHandle, now: ServiceInstant, says: &mut VecDeque<FromOwner>) -> Next {
        let feed = game.feed();
        let clock_starts = feed.clock_starts();
        let mut frames = Vec::new();
        match feed.pull(self.cursor, true, |frame| frames.push(FrameText::from(frame))) {
            // The mirror has read in storage what is about to be published here.
            Pull::UpToDate => Next::Wait,
            Pull::Fell => match feed.clock() {
                Some(face) => self.attached(game, face, None, now, says),
                None => Next::Soon,
            },
            Pull::Frames { cursor, clock: ClockDue::Now(face) } if !self.is_attached => {
                debug_assert_eq!(cursor, face.seq, "a clock is of the last event");
                self.attached(game, face, Some(frames), now, says)
            }
            Pull::Frames { .. } if !self.is_attached => Next::Soon,
            Pull::Frames { cursor, clock } => {
                self.cursor = cursor;
                says.extend(frames.into_iter().map(FromOwner::Frame));
                let ClockDue::Now(face) = clock else { return Next::Soon };
                if self.told.clock != Some(face) {
                    // Of a turn that goes on after it stood, what it had taken before counts, too.
                    let goes_on = self.told.clock.is_some_and(|before| before.base == face.base);
                    let clock = self.clock(game, face, if goes_on { Some(now) } else { face.began });
                    says.push_back(FromOwner::Clock(clock));
                }
                if std::mem::replace(&mut self.told.clock_starts, clock_starts) != clock_starts {
                    says.push_back(FromOwner::ClockStarted);
                }
                Next::Wait
            }
        }
    }

    fn attached(
        &mut self,
        game: &GameHandle,
        face: ClockReading,
        frames: Option<Vec<FrameText>>,
        now: ServiceInstant,
        says: &mut VecDeque<FromOwner>,
    ) -> Next {
        let feed: &Feed = game.feed();
        let watchers = feed.watchers();
        (self.cursor, self.is_attached, self.told) = (face.seq, true, Told::default());
        self.told.watchers = watchers.version;
        self.told.clock_starts = feed.clock_starts();
        let clock = self.clock(game, face, Some(now));
        let (head, watchers) = (face.seq, watchers.count);
        let said = self.starts.begin_here(NO_POSITION, now);
        says.push_back(FromOwner::Attached(Attached { head, frames, watchers, clock, said }));
        Next::Wait
    }

    /// The clocks as they travel. A turn that has just begun begins on the other node when this arrives, so what was on the
    /// way is charged to nobody; of one that had begun before, the time until `told` counts.
    fn clock(&mut self, game: &GameHandle, face: ClockReading, told: Option<ServiceInstant>) -> Clock {
        self.told.clock = Some(face);
        let start = face.began.map(|began| self.starts.begin_here(face.base, began));
        let since_turn = |at: ServiceInstant| at.since(face.began.unwrap_or(at)).as_micros() as u64;
        let board = game.summary().board();
        Clock {
            seq: face.seq,
            base: face.base,
            turn: start.zip(told.map(since_turn)),
            clocks_us: face.clocks.map(|clocks| (clocks.white.0, clocks.black.0)),
            running: face.running.map(|(seat, zero)| (seat == Color::White, since_turn(zero))),
            first_move_us: face.first_move.map(since_turn),
            board: fen::write(&board.position),
            last_move: board.last,
            ply_count: board.ply_count,
            has_ended: board.has_ended,
        }
    }
}

/// The game has no actor here any more. One that goes on is looked for by the mirror.
fn end(game: &GameHandle, says: &mut VecDeque<FromOwner>) -> Next {
    says.push_back(FromOwner::Closed { comes_back: !game.has_ended() });
    Next::Ended
}
