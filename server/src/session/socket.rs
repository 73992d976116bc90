//! One WebSocket on one stream: what its decoder reads, and bytes written as they are.
//!
//! tungstenite parses, unmasks, checks UTF-8 and keeps the closing handshake; it works on memory only (`decoder`). This
//! wrapper moves the bytes: one read and one write call a turn, whatever the number of messages in them. Frames that
//! were encoded once for a whole crowd are appended to the same output, so everything leaves in the order it was
//! written.
//!
//! Deliberately absent: what a message means, limits on messages, timers.
//!
//! Invariant: between two turns a session holds no output unless the kernel would not take it.

use std::io;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::ReadBuf;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::buffers::{Buffers, ReadBuffer};
use super::decoder::{Broken, Decoder, Incoming};
use super::output::{OUTPUT_BYTES_MAX, Output};
use super::stream::Stream;
use crate::telemetry::metrics;

/// What the kernel is asked to buffer for a client that does not read: more than the longest snapshot, and with
/// [`OUTPUT_BYTES_MAX`] at most 128 KiB. The kernel takes twice that, with its own records.
const SEND_BUFFER_BYTES: usize = 24 * 1024;

/// Who is at the other end of the TCP connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FarEnd {
    /// The client.
    Client,
    /// A trusted proxy; what the kernel knows of the line is not of the client.
    Proxy,
}

/// The WebSocket of one session.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: Stream,
    far_end: FarEnd,
    decoder: Decoder,
    /// What the last turn could not write.
    backlog: Output,
}

impl Socket {
    /// A socket after its upgrade. `read_ahead` is what HTTP had read beyond the request.
    pub(crate) fn new(stream: Stream, far_end: FarEnd, read_ahead: &[u8], message_bytes_max: usize) -> Self {
        if let Err(error) = stream.bound_send_buffer(SEND_BUFFER_BYTES) {
            tracing::debug!(%error, "a connection went before it was set up");
        }
        let decoder = Decoder::new(read_ahead, message_bytes_max);
        Self { stream, far_end, decoder, backlog: Output::default() }
    }

    /// The kernel's estimate of the round trip to the client, if the kernel has one.
    pub(crate) fn kernel_round_trip(&self) -> Option<Duration> {
        match self.far_end {
            FarEnd::Client => self.stream.round_trip(),
            FarEnd::Proxy => None,
        }
    }

    /// Begins a turn: what is still to be written comes before anything new.
    pub(crate) fn begin(&mut self, output: &mut Output) {
        if !self.backlog.is_empty() {
            std::mem::swap(&mut self.backlog, output);
        }
    }

    /// Ends a turn: keeps what could not be written.
    pub(crate) fn end(&mut self, output: &Output) {
        // The echo of the unit tests writes longer messages.
        debug_assert!(cfg!(test) || output.waiting().len() <= OUTPUT_BYTES_MAX, "too much waits");
        self.backlog = if output.is_empty() { Output::default() } else { output.rest() };
    }

    /// Writes a close frame (RFC 6455, 5.5.1). Nothing may be written after it.
    pub(crate) fn write_close(&mut self, buffers: &mut Buffers, code: u16, reason: Utf8Bytes) {
        self.decoder.write_close(buffers, code, reason);
    }

    /// Takes what the kernel has, once. `Ready(Ok(0))` is the end of the stream.
    pub(crate) fn poll_fill(
        &mut self,
        cx: &mut Context<'_>,
        input: &mut ReadBuffer,
    ) -> Poll<io::Result<usize>> {
        let mut room = ReadBuf::new(input.room());
        ready!(self.stream.poll_read(cx, &mut room))?;
        let bytes = room.filled().len();
        let readable = self.decoder.arrived(room.filled());
        metrics().bytes_in.increment(bytes as u64);
        input.filled(readable);
        Poll::Ready(Ok(bytes))
    }

    /// See [`Decoder::next`].
    pub(crate) fn next(&mut self, buffers: &mut Buffers) -> Option<Result<Incoming, Broken>> {
        self.decoder.next(buffers)
    }

    /// Writes as much as the kernel takes. `Ready(Ok(()))` when nothing is left.
    pub(crate) fn poll_flush(&mut self, cx: &mut Context<'_>, output: &mut Output) -> Poll<io::Result<()>> {
        while !output.is_empty() {
            let bytes = ready!(self.stream.poll_write(cx, output.waiting()))?;
            if bytes == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            metrics().bytes_out.increment(bytes as u64);
            output.take(bytes);
        }
        Poll::Ready(Ok(()))
    }

    /// Says to the kernel that nothing more will be written.
    pub(crate) fn poll_shutdown(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use socket2::SockRef;
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    #[tokio::test]
    async fn who_does_not_read_costs_at_most_128_kib() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (client, accepted) =
            tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        let stream = Stream::Tcp(accepted.unwrap().0);
        let Socket { stream: Stream::Tcp(stream), .. } = Socket::new(stream, FarEnd::Client, &[], 4_096)
        else {
            panic!("it stays what it was");
        };
        let kernel = SockRef::from(&stream).send_buffer_size().unwrap();
        assert!(kernel + OUTPUT_BYTES_MAX <= 128 * 1024, "{kernel} bytes in the kernel");
        drop(client.unwrap());
    }
}
