//! Bytes: the address, the WebSocket, and frames as messages.
//!
//! Deliberately absent: every decision. What could not be opened is told as what it means for the next attempt.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::{HeaderValue, Response, Uri};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Message};
use zeitnot_protocol::{ClientMessage, CommandId, Limits, SUBPROTOCOL, ServerMessage, decode_server};

use crate::Error;
use crate::machine::{Ending, Failure, Unreadable};
use crate::transport::{Tls, Transport};

/// No frame of the server is longer; an answer of a later version may be.
const LONGEST: usize = 4 * Limits::STANDARD.frame_out_bytes as usize;

/// How long to wait where the server has too much to do and does not say for how long.
const LATER: Duration = Duration::from_secs(5);

/// Where a server is.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    url: String,
    host: String,
    port: u16,
    /// For `wss://`.
    tls: Option<Tls>,
}

impl Address {
    /// Reads `ws://host:port` or `wss://host:port`, with or without `/ws`.
    ///
    /// # Errors
    /// When it is not such a URL, or there is no TLS.
    pub(crate) fn read(url: &str) -> Result<Self, Error> {
        let is_encrypted = url.trim_start().starts_with("wss:");
        Self::read_with(url, if is_encrypted { Tls::of_the_system() } else { Err(Error::NoTls) })
    }

    /// The same with these certificates for `wss://`.
    pub(crate) fn read_with(url: &str, tls: Result<Tls, Error>) -> Result<Self, Error> {
        let bad = |reason| Error::BadUrl { url: url.to_owned(), reason };
        let uri: Uri = url.parse().map_err(|_| bad("it cannot be read"))?;
        let (scheme, port, tls) = match uri.scheme_str() {
            Some("ws") => ("ws", 80, None),
            Some("wss") => ("wss", 443, Some(tls?)),
            _ => return Err(bad("it does not begin with ws:// or wss://")),
        };
        let authority = uri.authority().ok_or_else(|| bad("it names no host"))?;
        if authority.as_str().contains('@') {
            return Err(bad("it has a user; a token is given as Identity::Token"));
        }
        let host = authority.host();
        let path = match uri.path_and_query().map_or("/", |path| path.as_str()) {
            "/" => "/ws",
            path => path,
        };
        Ok(Self {
            url: format!("{scheme}://{authority}{path}"),
            host: host.trim_start_matches('[').trim_end_matches(']').to_owned(),
            port: authority.port_u16().unwrap_or(port),
            tls,
        })
    }
}

/// What came.
#[derive(Debug)]
pub(crate) enum Incoming {
    Message(Box<ServerMessage>),
    Unreadable(Unreadable),
    /// A frame that is no message.
    Other,
    Ended(Ending),
}

/// An open connection. What is sent waits in it until the system takes it.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: WebSocketStream<Box<dyn Transport>>,
    /// Bounded by the machine, which sends at a pace and gives a silent connection up.
    out: VecDeque<Message>,
    is_flushed: bool,
}

impl Socket {
    /// Opens a connection.
    ///
    /// # Errors
    /// What a failure means for the next attempt.
    pub(crate) async fn open(address: Address) -> Result<Self, Failure> {
        let lost = |why: String| Failure::Again { why, not_before: Duration::ZERO };
        let tcp = TcpStream::connect((&*address.host, address.port)).await;
        let tcp = tcp.map_err(|error| lost(error.to_string()))?;
        // A move is a small frame that must not wait for the next one.
        tcp.set_nodelay(true).map_err(|error| lost(error.to_string()))?;
        let transport: Box<dyn Transport> = match &address.tls {
            None => Box::new(tcp),
            Some(tls) => tls.encrypt(&address.host, tcp).await.map_err(|error| lost(error.to_string()))?,
        };
        let mut request = address.url.into_client_request().map_err(|error| failure(&error))?;
        request.headers_mut().insert("Sec-WebSocket-Protocol", HeaderValue::from_static(SUBPROTOCOL));
        let config = WebSocketConfig::default().write_buffer_size(0).max_message_size(Some(LONGEST));
        let upgraded = tokio_tungstenite::client_async_with_config(request, transport, Some(config)).await;
        let (stream, _) = upgraded.map_err(|error| failure(&error))?;
        Ok(Self { stream, out: VecDeque::new(), is_flushed: true })
    }

    pub(crate) fn send(&mut self, message: &ClientMessage) {
        self.out.push_back(Message::text(message.to_text()));
    }

    /// What comes next. Meanwhile what waits is sent. It may be dropped at any time: nothing is lost.
    pub(crate) async fn next(&mut self) -> Incoming {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// Closes the connection with a close frame.
    pub(crate) async fn close(mut self) {
        // A connection that is broken by now needs no close frame.
        drop(self.stream.close(None).await);
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Incoming> {
        if self.poll_send(cx).is_err() {
            return Poll::Ready(Incoming::Ended(Ending::default()));
        }
        self.stream.poll_next_unpin(cx).map(|frame| match frame {
            Some(Ok(Message::Text(text))) => read(&text),
            Some(Ok(Message::Close(frame))) => Incoming::Ended(ending(frame)),
            Some(Ok(_)) => Incoming::Other,
            Some(Err(_)) | None => Incoming::Ended(Ending::default()),
        })
    }

    fn poll_send(&mut self, cx: &mut Context<'_>) -> Result<(), tungstenite::Error> {
        while !self.out.is_empty() {
            match self.stream.poll_ready_unpin(cx) {
                Poll::Ready(ready) => ready?,
                Poll::Pending => return Ok(()),
            }
            if let Some(message) = self.out.pop_front() {
                self.stream.start_send_unpin(message)?;
                self.is_flushed = false;
            }
        }
        if !self.is_flushed
            && let Poll::Ready(flushed) = self.stream.poll_flush_unpin(cx)
        {
            flushed?;
            self.is_flushed = true;
        }
        Ok(())
    }
}

fn read(text: &str) -> Incoming {
    match decode_server(text) {
        Ok(message) => Incoming::Message(Box::new(message)),
        Err(error) => Incoming::Unreadable(unreadable(text, error.id)),
    }
}

/// What can be read of a message of a later version: which command it answers, and which event it is.
fn unreadable(text: &str, id: Option<CommandId>) -> Unreadable {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let (t, d) = (&value["t"], &value["d"]);
    let id = id.or_else(|| d["id"].as_str()?.parse().ok());
    let game = d["game"].as_str().and_then(|game| game.parse().ok());
    let seq = d["seq"].as_u64().and_then(|seq| u32::try_from(seq).ok());
    let is_event = !matches!(t.as_str(), Some("ok" | "rejected" | "clock" | "snapshot"));
    Unreadable { id, event: game.zip(seq).filter(|_| is_event) }
}

fn ending(frame: Option<CloseFrame>) -> Ending {
    let Some(frame) = frame else { return Ending::default() };
    Ending { number: Some(frame.code.into()), reason: serde_json::from_str(&frame.reason).ok() }
}

fn failure(error: &tungstenite::Error) -> Failure {
    match error {
        tungstenite::Error::Http(response) => rejected(response),
        error => Failure::Again { why: error.to_string(), not_before: Duration::ZERO },
    }
}

/// The server rejected the upgrade: it says why, and sometimes for how long.
fn rejected(response: &Response<Option<Vec<u8>>>) -> Failure {
    let status = response.status();
    let body: Value =
        serde_json::from_slice(response.body().as_deref().unwrap_or_default()).unwrap_or_default();
    let message = body["message"].as_str().unwrap_or("it did not say why").to_owned();
    let may_pass = matches!(status.as_u16(), 408 | 429) || status.is_server_error();
    if !may_pass {
        return Failure::ForGood(Error::Upgrade { status: status.as_u16(), message });
    }
    let seconds = response.headers().get("Retry-After").and_then(|value| value.to_str().ok()?.parse().ok());
    let why = format!("status {}: {message}", status.as_u16());
    Failure::Again { why, not_before: seconds.map_or(LATER, Duration::from_secs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad(url: &str) -> bool {
        matches!(Address::read(url), Err(Error::BadUrl { .. }))
    }

    #[test]
    fn an_address_is_a_host_a_port_and_a_path() {
        let read = |url| Address::read(url).unwrap();
        for (url, host, port, whole) in [
            ("ws://127.0.0.1:8080", "127.0.0.1", 8080, "ws://127.0.0.1:8080/ws"),
            ("ws://127.0.0.1:8080/ws", "127.0.0.1", 8080, "ws://127.0.0.1:8080/ws"),
            ("ws://[::1]:99/", "::1", 99, "ws://[::1]:99/ws"),
            ("ws://chess.example.org/a/ws", "chess.example.org", 80, "ws://chess.example.org/a/ws"),
        ] {
            let address = read(url);
            assert_eq!((&*address.host, address.port, &*address.url), (host, port, whole));
        }
        assert!(bad("http://127.0.0.1") && bad("127.0.0.1:8080") && bad("") && bad("ws://a:b@c/"));
    }

    fn answer(status: u16, retry_after: Option<&str>) -> Failure {
        let body = Some(br#"{"code":"c","message":"Because."}"#.to_vec());
        let mut response = Response::builder().status(status);
        if let Some(seconds) = retry_after {
            response = response.header("Retry-After", seconds);
        }
        rejected(&response.body(body).unwrap())
    }

    #[test]
    fn a_rejected_upgrade_is_tried_again_when_it_may_pass_and_not_before_the_server_said() {
        for (status, retry_after, wanted) in
            [(429, None, LATER), (503, Some("2"), Duration::from_secs(2)), (502, Some("soon"), LATER)]
        {
            let Failure::Again { why, not_before } = answer(status, retry_after) else { panic!("{status}") };
            assert_eq!((why, not_before), (format!("status {status}: Because."), wanted));
        }
        for status in [400, 401, 403, 404, 426, 301] {
            let Failure::ForGood(error) = answer(status, None) else { panic!("{status}") };
            assert_eq!(error, Error::Upgrade { status, message: "Because.".to_owned() });
        }
    }

    #[test]
    fn of_a_later_versions_message_the_id_and_the_event_are_read() {
        let Incoming::Unreadable(read) = read(r#"{"t":"adjourned","d":{"game":"4fzVq0aB9kLm","seq":7}}"#)
        else {
            panic!("there is no such message")
        };
        assert_eq!((read.id, read.event), (None, Some(("4fzVq0aB9kLm".parse().unwrap(), 7))));
        let text = r#"{"t":"rejected","d":{"id":"a-1","game":"4fzVq0aB9kLm","code":"new","message":"m"}}"#;
        let Incoming::Unreadable(read) = super::read(text) else { panic!("there is no such code") };
        assert_eq!((read.id.unwrap().as_str(), read.event), ("a-1", None));
    }
}
