//! A client of the protocol over a WebSocket library: messages in and out as types.
//!
//! It decides nothing and keeps nothing but the socket. Unlike [`crate::wire`] it uses framing that
//! is not ours, so it rejects a frame that only our own reader would accept.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use thiserror::Error;
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};
use zeitnot_protocol::{
    ClientMessage, Code, DecodeError, Hello, Limits, SUBPROTOCOL, ServerMessage, Welcome, decode_server,
};

use crate::endpoint::Endpoint;
use crate::stopwatch::Stopwatch;

/// How long a client waits for a frame, unless it is told otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long it looks at least whether there is a frame.
const NOTICES_WITHIN: Duration = Duration::from_millis(1);

/// Why a client cannot go on.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The server cannot be reached.
    #[error("cannot connect: {0}")]
    Connect(#[from] std::io::Error),
    /// The WebSocket failed.
    #[error("the WebSocket failed: {0}")]
    Socket(#[from] Box<tungstenite::Error>),
    /// The server closed the connection.
    #[error("the server closed the connection: {0}")]
    Closed(String),
    /// Nothing was received.
    #[error("nothing was received for a long time")]
    Silence,
    /// A frame that is not text.
    #[error("the server sent a frame that is not text")]
    NotText,
    /// A frame longer than the protocol allows.
    #[error("the server sent a frame of {0} bytes, more than frame_out_bytes allows")]
    TooLong(usize),
    /// A message that cannot be read.
    #[error("cannot read {text}: {error}")]
    Unreadable {
        /// The frame.
        text: String,
        /// Why it cannot be read.
        error: DecodeError,
    },
    /// The server answered `hello` with another message than `welcome`.
    #[error("hello was answered with {0}")]
    NoWelcome(String),
}

impl From<tungstenite::Error> for ClientError {
    fn from(error: tungstenite::Error) -> Self {
        Self::Socket(Box::new(error))
    }
}

/// A message from the server: the frame as it was received, and what it says.
#[derive(Clone, PartialEq, Debug)]
pub struct ReceivedMessage {
    /// The frame's text.
    pub text: String,
    /// The decoded message.
    pub message: ServerMessage,
}

/// An open connection on which `hello` was answered with `welcome`.
#[derive(Debug)]
pub struct Client {
    socket: WebSocketStream<TcpStream>,
    welcome: Welcome,
    patience: Duration,
    /// Since the last frame: a wait that is given up and begun again goes on from there.
    silent: Stopwatch,
}

impl Client {
    /// Connects and sends `hello`. `index` counts the sockets of the process and selects the source
    /// address.
    ///
    /// # Errors
    /// When no server can be reached, or it does not answer with `welcome`.
    pub async fn connect(endpoint: &Endpoint, index: usize, hello: Hello) -> Result<Self, ClientError> {
        let stream = open(endpoint, index).await?;
        let mut request = endpoint.to_string().into_client_request()?;
        request.headers_mut().insert("Sec-WebSocket-Protocol", HeaderValue::from_static(SUBPROTOCOL));
        let longest = Limits::STANDARD.frame_out_bytes as usize;
        let config = WebSocketConfig::default()
            .read_buffer_size(4096)
            .write_buffer_size(0)
            .max_message_size(Some(2 * longest));
        let (mut socket, _) =
            tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?;
        send(&mut socket, &ClientMessage::Hello(hello)).await?;
        let mut silent = Stopwatch::start();
        match next(&mut socket, PATIENCE, &mut silent).await?.message {
            ServerMessage::Welcome(welcome) => Ok(Self { socket, welcome, patience: PATIENCE, silent }),
            other => Err(ClientError::NoWelcome(other.to_text())),
        }
    }

    /// With another time that it waits for a frame, which may be a ping.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The server's `welcome`.
    #[must_use]
    pub fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// Sends a message.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn send(&mut self, message: &ClientMessage) -> Result<(), ClientError> {
        send(&mut self.socket, message).await
    }

    /// The next message. Message types that this version does not know are ignored, as the protocol
    /// demands.
    ///
    /// # Errors
    /// When no frame arrives for 30 s, or for as long as the client was told; when the connection is lost, or a message
    /// cannot be read.
    pub async fn next(&mut self) -> Result<ReceivedMessage, ClientError> {
        next(&mut self.socket, self.patience, &mut self.silent).await
    }

    /// Closes the connection with a close frame.
    ///
    /// # Errors
    /// When it was lost before.
    pub async fn close(mut self) -> Result<(), ClientError> {
        self.socket.close(None).await.map_err(ClientError::from)
    }
}

async fn open(endpoint: &Endpoint, index: usize) -> Result<TcpStream, ClientError> {
    let socket = if endpoint.address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_nodelay(true)?;
    if let Some(source) = endpoint.source(index) {
        socket.bind(source)?;
    }
    Ok(socket.connect(endpoint.address).await?)
}

async fn send(socket: &mut WebSocketStream<TcpStream>, message: &ClientMessage) -> Result<(), ClientError> {
    Ok(socket.send(Message::text(message.to_text())).await?)
}

async fn next(
    socket: &mut WebSocketStream<TcpStream>,
    patience: Duration,
    silent: &mut Stopwatch,
) -> Result<ReceivedMessage, ClientError> {
    loop {
        // What came while this program was busy is there after a moment.
        let left = patience.saturating_sub(silent.elapsed()).max(NOTICES_WITHIN);
        let frame = tokio::time::timeout(left, socket.next()).await.map_err(|_| ClientError::Silence)?;
        *silent = Stopwatch::start();
        let text = match frame {
            None => return Err(ClientError::Closed("without a close frame".to_owned())),
            Some(Err(error)) => return Err(error.into()),
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            Some(Ok(Message::Close(frame))) => {
                let why = frame.map_or_else(|| "no code".to_owned(), |frame| frame.to_string());
                return Err(ClientError::Closed(why));
            }
            Some(Ok(Message::Binary(_) | Message::Frame(_))) => return Err(ClientError::NotText),
        };
        if text.len() > Limits::STANDARD.frame_out_bytes as usize {
            return Err(ClientError::TooLong(text.len()));
        }
        match decode_server(&text) {
            Ok(message) => return Ok(ReceivedMessage { text: text.as_str().to_owned(), message }),
            Err(error) if error.code == Code::UnknownType => {}
            Err(error) => return Err(ClientError::Unreadable { text: text.as_str().to_owned(), error }),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;
    use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
    use zeitnot_protocol::{BootId, EpochId};

    use super::*;

    /// A server that says `welcome` and nothing more.
    #[expect(clippy::result_large_err, reason = "the library's type of a rejected request")]
    async fn silent_server(listener: TcpListener) {
        let (stream, _) = listener.accept().await.unwrap();
        let answer = |_: &Request, mut response: Response| {
            let protocol = HeaderValue::from_static(SUBPROTOCOL);
            response.headers_mut().insert("Sec-WebSocket-Protocol", protocol);
            Ok(response)
        };
        let mut socket = tokio_tungstenite::accept_hdr_async(stream, answer).await.unwrap();
        let welcome = Welcome {
            account: None,
            name: None,
            token: None,
            boot: BootId::from_random(1),
            epoch: EpochId::from_random(1),
            limits: Limits::STANDARD,
        };
        socket.send(Message::text(ServerMessage::Welcome(welcome).to_text())).await.unwrap();
        while socket.next().await.is_some() {}
    }

    async fn looks_away(port: u16) {
        let client = Client::connect(&Endpoint::loopback(port, "/ws"), 0, Hello::default()).await.unwrap();
        let mut client = client.with_patience(Duration::from_millis(200));
        for _ in 0..2_000 {
            tokio::select! {
                biased;
                received = client.next() => {
                    let error = received.unwrap_err();
                    assert!(matches!(error, ClientError::Silence), "{error}");
                    return;
                }
                () = tokio::time::sleep(Duration::from_millis(5)) => {}
            }
        }
        panic!("it waits for ever");
    }

    #[tokio::test]
    async fn whoever_looks_away_again_and_again_gives_a_silent_server_up_all_the_same() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::select! {
            () = looks_away(port) => {}
            () = silent_server(listener) => panic!("the server has ended"),
        }
    }
}
