//! Turns of the sessions' tasks: what comes from the network, what the server says, and time spent
//! in between.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Waker;

use zeitnot_protocol::{AccountId, CloseCode};

use super::World;
use super::actor::WakeFlag;
use super::world::What;
use crate::connections::ConnectionId;
use crate::seeded_bugs::SeededBug;
use crate::seeded_bugs::is_seeded;
use crate::session::tests::simulated::{SimulatedSession, Up};
use crate::time::ServiceInstant;

/// A session with its socket.
#[derive(Debug)]
pub(super) struct Session {
    session: SimulatedSession,
    account: Option<AccountId>,
    pub(super) wake_flag: Arc<WakeFlag>,
    unread: VecDeque<Up>,
    /// The other end has closed.
    is_at_end: bool,
    /// What was read and is not handed over yet: the task does nothing else meanwhile.
    in_hand: Option<(ServiceInstant, Vec<Up>)>,
    has_begun: bool,
    is_scheduled: bool,
    armed: u64,
}

impl World {
    pub(super) fn schedule_session(&mut self, connection: ConnectionId, wait: u64) {
        let boot = self.boots;
        let Some(session) = self.process().sessions.get_mut(&connection) else { return };
        if !std::mem::replace(&mut session.is_scheduled, true) {
            self.after(wait, What::Session { boot, connection });
        }
    }

    /// A connection is accepted.
    pub(super) fn opens(&mut self, connection: ConnectionId, account: Option<AccountId>) {
        let wake_flag = Arc::new(WakeFlag::default());
        let process = self.process();
        let waker = Waker::from(Arc::clone(&wake_flag));
        let session = SimulatedSession::open(connection, account, process.service(), waker);
        let session = Session {
            session,
            account,
            wake_flag,
            unread: VecDeque::new(),
            is_at_end: false,
            in_hand: None,
            has_begun: false,
            is_scheduled: false,
            armed: u64::MAX,
        };
        process.sessions.insert(connection, session);
        self.schedule_session(connection, 10);
    }

    /// A frame has come to the server's kernel.
    pub(super) fn arrives(&mut self, connection: ConnectionId, up: Up) {
        if !self.wires[&connection].is_open_up || self.process.is_none() {
            return;
        }
        if let Some(session) = self.process().sessions.get_mut(&connection) {
            session.unread.push_back(up);
            let wait = self.jitter();
            self.schedule_session(connection, wait);
        }
    }

    /// The server's kernel has heard that the other end closed.
    pub(super) fn ends_up(&mut self, connection: ConnectionId) {
        if self.process.is_none() {
            return;
        }
        if let Some(session) = self.process().sessions.get_mut(&connection) {
            session.is_at_end = true;
            self.schedule_session(connection, 1);
        }
    }

    /// One turn of a session's task.
    pub(super) fn session_turn(&mut self, connection: ConnectionId) {
        self.draw_manner();
        let runtime = self.process().runtime.handle().clone();
        let _guard = runtime.enter();
        let Some(mut session) = self.process().sessions.remove(&connection) else { return };
        session.is_scheduled = false;
        if session.in_hand.is_some() {
            if is_seeded(SeededBug::FenceBeforeHandOver) {
                let process = self.process();
                // A bug: what concerns the game goes first, and what was read waits.
                if session.session.handle_messages(&process.games, &process.clock).is_err() {
                    return self.ends(connection, session, Some(CloseCode::GameReset));
                }
            }
            self.process().sessions.insert(connection, session);
            return;
        }
        let done = self.take_turn(connection, &mut session);
        self.turn_is_over(connection, session, done);
    }

    fn take_turn(&mut self, connection: ConnectionId, session: &mut Session) -> Result<(), CloseCode> {
        let process = self.process.as_mut().expect("the server runs");
        let (games, clock) = (&process.games, &process.clock);
        if !std::mem::replace(&mut session.has_begun, true) {
            session.session.identified(games, clock)?;
        }
        session.session.handle_messages(games, clock)?;
        if session.session.reads() && !session.unread.is_empty() {
            let stamp = clock.now();
            let frames: Vec<Up> = session.unread.drain(..).collect();
            for frame in &frames {
                if let Up::Text(text) = frame {
                    self.checker.read(connection, session.account, stamp, text);
                }
            }
            session.in_hand = Some((stamp, frames));
            if !self.is_healing && self.dice.permille(self.faults.stalled) {
                self.checker.coverage.hit("fault: stalled session");
                let longest = self.faults.stall;
                let is_short = self.dice.one_in(2);
                let wait = if is_short { self.dice.span(longest) } else { self.dice.below(longest) };
                let boot = self.boots;
                self.after(wait, What::HandOver { boot, connection });
                return Ok(());
            }
            self.hand_over(session)?;
        }
        let process = self.process.as_mut().expect("the server runs");
        session.session.tick(&process.games, &process.clock)
    }

    fn hand_over(&mut self, session: &mut Session) -> Result<(), CloseCode> {
        let process = self.process.as_mut().expect("the server runs");
        let Some((stamp, frames)) = session.in_hand.take() else { return Ok(()) };
        frames.iter().try_for_each(|frame| session.session.take(frame, stamp, &process.games, &process.clock))
    }

    /// A session that was held up goes on.
    pub(super) fn note_resumed_turn(&mut self, connection: ConnectionId) {
        let runtime = self.process().runtime.handle().clone();
        let _guard = runtime.enter();
        let Some(mut session) = self.process().sessions.remove(&connection) else { return };
        let done = self.hand_over(&mut session);
        self.turn_is_over(connection, session, done);
        self.schedule_session(connection, 1);
    }

    fn turn_is_over(&mut self, connection: ConnectionId, mut session: Session, done: Result<(), CloseCode>) {
        if session.in_hand.is_none() && !self.is_healing && self.dice.permille(self.faults.slow_reader) {
            self.checker.coverage.hit("fault: slow reader");
            session.session.window = self.dice.below(3_000) as usize;
            let (wait, boot) = (self.dice.span(8_000_000), self.boots);
            self.after(wait, What::Unblock { boot, connection });
        }
        let bytes = if session.in_hand.is_none() { session.session.flush() } else { Vec::new() };
        self.send_down(connection, bytes);
        match done {
            Err(code) => return self.ends(connection, session, Some(code)),
            Ok(()) if session.is_at_end && session.unread.is_empty() && session.in_hand.is_none() => {
                return self.ends(connection, session, None);
            }
            Ok(()) => {}
        }
        let has_more = !session.session.is_held_up()
            && (session.session.is_due() || session.session.reads() && !session.unread.is_empty());
        let is_free = session.in_hand.is_none();
        let deadline = session.session.deadline();
        let now = self.process().service();
        let at = deadline.map(|deadline| self.now + deadline.0.saturating_sub(now.0));
        if let Some(at) = at.filter(|at| *at < session.armed || session.armed <= self.now) {
            session.armed = at;
            let boot = self.boots;
            self.at(at.max(self.now + 1), What::SessionTimer { boot, connection });
        }
        self.process().sessions.insert(connection, session);
        if has_more && is_free {
            self.schedule_session(connection, 5);
        }
    }

    /// A session ends.
    fn ends(&mut self, connection: ConnectionId, session: Session, code: Option<CloseCode>) {
        if let Some(code) = code {
            self.checker.coverage.hit(&format!("closed: {}", code.as_str()));
            self.checker.nothing_more_comes_from(connection);
        }
        self.close_down(connection);
        drop(session);
    }

    pub(super) fn unblock(&mut self, connection: ConnectionId) {
        if let Some(session) = self.process().sessions.get_mut(&connection) {
            session.session.window = usize::MAX;
            self.schedule_session(connection, 1);
        }
    }
}
