//! The end of a session: the close frame, and the time the other end gets to read it.

use std::future::Future as _;
use std::task::{Context, Poll};
use std::time::Duration;

use zeitnot_protocol::CloseCode;

use super::buffers::Buffers;
use super::task::{End, Life, READS_PER_TURN, Session};
use crate::telemetry::metrics;
use crate::time::ServiceInstant;

/// How long a closed socket is kept for the other end to read the close frame.
const LINGER: Duration = Duration::from_secs(1);

/// How many bytes of late input are discarded: more than any message that was on its way, and less
/// than a second of work for a flood.
const DRAINED_BYTES_MAX: usize = 4 * 1024 * 1024;

impl Session {
    /// Writes the close frame and leaves all subscriptions.
    #[cold]
    pub(super) fn close(&mut self, end: End, buffers: &mut Buffers) {
        match end {
            End::Close(code) => {
                let reason = self.sessions.close_reason(code);
                self.socket.write_close(buffers, code.number(), reason.into());
                self.note_cut(code);
                metrics().connections_closed_by_us.count(&[("code", code.as_str())]);
            }
            End::CloseNumber(number) => {
                self.socket.write_close(buffers, number, "".into());
                metrics().connections_closed_by_us.count(&[("code", "protocol_error")]);
            }
            End::Answered | End::Gone => {}
        }
        buffers.input.forget();
        self.leave();
        self.armed = ServiceInstant::NEVER;
        self.life = Life::Closing { until: self.sessions.clock.now() + LINGER, drained: 0 };
    }

    /// Logs the address of a client that was cut for what it did.
    fn note_cut(&self, code: CloseCode) {
        if matches!(
            code,
            CloseCode::SlowReader
                | CloseCode::BadFrames
                | CloseCode::TooManyConnections
                | CloseCode::Flood
                | CloseCode::BadTokens
        ) {
            let (address, now) = (self.permit.address(), self.sessions.clock.now());
            self.sessions.accounts.addresses.note_limited(address, code.as_str(), now);
        }
    }

    /// Flushes, shuts down the writing half, and discards late input: otherwise the kernel would
    /// reset the connection, and the close frame might never be read.
    #[cold]
    pub(super) fn closing_turn(&mut self, cx: &mut Context<'_>, buffers: &mut Buffers) -> Poll<()> {
        let Life::Closing { until, drained } = &mut self.life else { return Poll::Ready(()) };
        let until = *until;
        match self.socket.poll_flush(cx, &mut buffers.output) {
            Poll::Ready(Err(_)) => return Poll::Ready(()),
            Poll::Ready(Ok(())) => {
                if let Poll::Ready(Err(_)) = self.socket.poll_shutdown(cx) {
                    return Poll::Ready(());
                }
            }
            Poll::Pending => {}
        }
        for _ in 0..READS_PER_TURN {
            match self.socket.poll_fill(cx, &mut buffers.input) {
                Poll::Pending => return self.linger(cx, until),
                Poll::Ready(Ok(0) | Err(_)) => return Poll::Ready(()),
                Poll::Ready(Ok(bytes)) => {
                    buffers.input.forget();
                    *drained += bytes;
                    if *drained > DRAINED_BYTES_MAX {
                        return Poll::Ready(());
                    }
                }
            }
        }
        cx.waker().wake_by_ref();
        self.linger(cx, until)
    }

    fn linger(&mut self, cx: &mut Context<'_>, until: ServiceInstant) -> Poll<()> {
        if self.sessions.clock.now() >= until {
            return Poll::Ready(());
        }
        if self.armed == ServiceInstant::NEVER || self.timer.as_mut().poll(cx).is_ready() {
            self.arm(cx, until);
        }
        Poll::Pending
    }

    /// Leaves games, connections and lobby. It may be called twice.
    pub(super) fn leave(&mut self) {
        self.subscriptions.leave_all();
        self.lobby = None;
        let account = self.who.take().map(|who| who.account);
        let was_last = self.sessions.connections.close(self.line.id, account);
        if let Some(account) = account.filter(|_| was_last) {
            self.sessions.lobby.last_connection_closed(account);
        }
    }
}
