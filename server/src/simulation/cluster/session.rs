//! The task of a session: the real machine and subscriptions, between the two ends of a connection.
//!
//! Deliberately absent: sockets, and a client that does not read.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Weak;
use std::task::{Context, Poll};

use tokio::time::Sleep;
use zeitnot_protocol::{AccountId, CloseCode};

use super::client::{Connection, ServerEnd};
use super::world::World;
use crate::connections::ConnectionId;
use crate::games::Games;
use crate::session::tests::simulated::{SimulatedSession, Up};
use crate::simulation::person::next_frame;
use crate::time::{ServiceClock, ServiceInstant};

/// A session with its end of a connection.
pub(super) struct SessionTask {
    id: ConnectionId,
    account: Option<AccountId>,
    games: Games,
    clock: ServiceClock,
    end: ServerEnd,
    session: Option<SimulatedSession>,
    timer: Option<(ServiceInstant, Pin<Box<Sleep>>)>,
    is_at_end: bool,
    /// What was written and is not looked at.
    written: Vec<u8>,
}

impl SessionTask {
    pub(super) fn new(
        id: ConnectionId,
        account: Option<AccountId>,
        games: Games,
        clock: ServiceClock,
        end: ServerEnd,
    ) -> Self {
        let (session, timer) = (None, None);
        Self { id, account, games, clock, end, session, timer, is_at_end: false, written: Vec::new() }
    }

    /// Runs until the connection ends, or the session ends it.
    pub(super) async fn watched_by(mut self, world: Weak<World>, connection: Connection) {
        let why = poll_fn(|cx| self.turn(&world, connection, cx)).await;
        if let Some(world) = world.upgrade() {
            world.checker().closed(connection);
            world.trace(&format!("{connection} is closed: {why:?}"));
        }
    }

    fn turn(
        &mut self,
        world: &Weak<World>,
        connection: Connection,
        cx: &mut Context<'_>,
    ) -> Poll<Option<CloseCode>> {
        let Some(world) = world.upgrade() else { return Poll::Ready(None) };
        match self.try_turn(&world, connection, cx) {
            Ok(()) if self.is_at_end => Poll::Ready(None),
            Ok(()) => Poll::Pending,
            Err(code) => Poll::Ready(Some(code)),
        }
    }

    fn try_turn(
        &mut self,
        world: &World,
        connection: Connection,
        cx: &mut Context<'_>,
    ) -> Result<(), CloseCode> {
        let (games, clock) = (&self.games, &self.clock);
        let session = match &mut self.session {
            Some(session) => session,
            none => {
                let session = SimulatedSession::open(self.id, self.account, clock.now(), cx.waker().clone());
                let session = none.insert(session);
                session.identified(games, clock)?;
                session
            }
        };
        let done = session.handle_messages(games, clock).and_then(|()| {
            while session.reads() {
                match self.end.up.poll_recv(cx) {
                    Poll::Ready(Some(up)) => {
                        if let Up::Text(text) = &up {
                            world.checker().read(connection, self.account, world.clock.now(), text);
                        }
                        session.take(&up, clock.now(), games, clock)?;
                    }
                    Poll::Ready(None) => {
                        self.is_at_end = true;
                        break;
                    }
                    Poll::Pending => break,
                }
            }
            session.handle_messages(games, clock)?;
            session.tick(games, clock)
        });
        let bytes = session.flush();
        if !bytes.is_empty() {
            self.written.extend_from_slice(&bytes);
            while let Some((is_ping, payload)) = next_frame(&mut self.written) {
                if !is_ping {
                    world.checker().written(connection, world.clock.now(), &payload);
                }
            }
            // A client that is gone hears nothing.
            self.end.down.try_send(bytes).ok();
        }
        done?;
        if session.is_due() && !session.is_held_up() {
            cx.waker().wake_by_ref();
        }
        self.arm(cx);
        Ok(())
    }

    fn arm(&mut self, cx: &mut Context<'_>) {
        let Some(deadline) = self.session.as_ref().and_then(SimulatedSession::deadline) else { return };
        if self.timer.as_ref().is_none_or(|(armed, _)| *armed != deadline) {
            let sleep = tokio::time::sleep_until(self.clock.timer_for(deadline));
            self.timer = Some((deadline, Box::pin(sleep)));
        }
        if let Some((_, sleep)) = &mut self.timer
            && sleep.as_mut().poll(cx).is_ready()
        {
            self.timer = None;
            cx.waker().wake_by_ref();
        }
    }
}
