//! Answers the pings of open connections while others are still being opened.
//!
//! Opening thousands of connections one after the other takes longer than a server waits for a pong
//! when the machine is slow or busy. So those that are open are read by a thread of their own until
//! all are there. Everything they receive meanwhile, except pings, is thrown away.
//!
//! Invariant: an open connection is read however long the opening of the next one takes.

use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use super::{Poll, Socket};

/// How long the thread waits for a readable socket before it takes over the ones that were opened
/// meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How many opened connections may wait for the thread.
const HANDED_OVER_MAX: usize = 64;

/// Opens connections one after the other, and keeps them and those in `open` alive until the last
/// one is there.
///
/// Returns all of them, nonblocking, first `open` and then the new ones in their order.
///
/// # Errors
/// When a connection cannot be opened, or one that was open is lost.
pub(crate) fn connect_all(
    open: Vec<Socket>,
    connections: impl IntoIterator<Item = Result<Socket>>,
) -> Result<Vec<Socket>> {
    let (hand_over, opened) = sync_channel(HANDED_OVER_MAX);
    let keeper = thread::Builder::new()
        .name("keep-alive".to_owned())
        .spawn(move || keep_alive(&opened))
        .context("cannot start a thread")?;
    for socket in open.into_iter().map(Ok).chain(connections) {
        if hand_over.send(socket?).is_err() {
            break; // The thread has ended with an error.
        }
    }
    drop(hand_over);
    keeper.join().map_err(|_| anyhow!("the thread that answers pings panicked"))?
}

/// Reads the connections that were handed over, until no more can come.
fn keep_alive(opened: &Receiver<Socket>) -> Result<Vec<Socket>> {
    let (mut poll, mut sockets, mut scratch) = (Poll::new()?, Vec::new(), vec![0; 64 * 1024]);
    loop {
        match opened.try_recv() {
            Ok(mut socket) => {
                socket.forget_waiting();
                socket.set_nonblocking(true)?;
                poll.add(&socket, sockets.len())?;
                sockets.push(socket);
                continue;
            }
            Err(TryRecvError::Disconnected) => return Ok(sockets),
            Err(TryRecvError::Empty) => {}
        }
        for &token in poll.wait(LOOK_EVERY)? {
            sockets[token]
                .read_ready(&mut scratch, |_| {})
                .with_context(|| format!("connection {} was lost while others were opened", token + 1))?;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    use super::*;
    use crate::endpoint::Endpoint;

    const SWITCHED: &[u8] =
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    fn accept(listener: &TcpListener) -> TcpStream {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.extend(byte);
        }
        stream
    }

    /// The server completes the second upgrade only after the first connection has answered its
    /// ping.
    #[test]
    fn an_open_connection_answers_pings_while_the_next_one_is_being_opened() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = Endpoint::loopback(listener.local_addr().unwrap().port(), "/ws");
        let server = thread::spawn(move || {
            let mut first = accept(&listener);
            first.write_all(SWITCHED).unwrap();
            let mut second = accept(&listener);
            first.write_all(&[0x89, 0]).unwrap();
            let mut pong = [0; 6];
            first.read_exact(&mut pong).unwrap();
            second.write_all(SWITCHED).unwrap();
            (pong, first, second)
        });
        let open = |index| Ok(Socket::open(&endpoint, index, None)?);
        let sockets = connect_all(Vec::new(), (0..2).map(open)).unwrap();
        let (pong, ..) = server.join().unwrap();
        assert_eq!((sockets.len(), pong[0]), (2, 0x8a));
    }

    #[test]
    fn a_connection_that_is_lost_meanwhile_is_an_error() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = Endpoint::loopback(listener.local_addr().unwrap().port(), "/ws");
        let server = thread::spawn(move || {
            let mut first = accept(&listener);
            first.write_all(SWITCHED).unwrap();
            let mut second = accept(&listener);
            first.write_all(&[0x88, 2, 0x0f, 0xa2]).unwrap();
            // The client's end of it: the keeper has read the close frame.
            let end = first.read(&mut [0]);
            second.write_all(SWITCHED).unwrap();
            end.is_ok_and(|count| count > 0)
        });
        let open = |index| Ok(Socket::open(&endpoint, index, None)?);
        let error = connect_all(Vec::new(), (0..2).map(open)).unwrap_err();
        assert!(!server.join().unwrap());
        assert!(format!("{error:#}").contains("connection 1 was lost while others were opened"), "{error:#}");
    }
}
