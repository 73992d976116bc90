//! A client of the protocol: one WebSocket through a library, messages in and out as types.
//!
//! It decides nothing and keeps nothing but the socket. What differs from [`crate::wire`]: the framing is not ours, so
//! a frame that only our own reader would take is found out here.

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

/// How long a client waits for a message that must come.
const PATIENCE: Duration = Duration::from_secs(30);

/// What goes wrong between a client and a server.
#[derive(Debug, Error)]
pub enum ClientError {
    /// No connection.
    #[error("cannot connect: {0}")]
    Connect(#[from] std::io::Error),
    /// The WebSocket broke.
    #[error("the socket broke: {0}")]
    Socket(#[from] Box<tungstenite::Error>),
    /// The server closed the connection.
    #[error("the server closed the connection: {0}")]
    Closed(String),
    /// Nothing came.
    #[error("nothing came for {} s", PATIENCE.as_secs())]
    Silence,
    /// A frame that is not text.
    #[error("a frame that is not text came")]
    NotText,
    /// A frame longer than the protocol allows.
    #[error("a frame of {0} bytes came, more than frame_out_bytes allows")]
    TooLong(usize),
    /// A message that cannot be read.
    #[error("cannot read {text}: {error}")]
    Unreadable {
        /// The frame.
        text: String,
        /// What is wrong with it.
        error: DecodeError,
    },
    /// Something else came in place of `welcome`.
    #[error("hello was answered with {0}")]
    NoWelcome(String),
}

impl From<tungstenite::Error> for ClientError {
    fn from(error: tungstenite::Error) -> Self {
        Self::Socket(Box::new(error))
    }
}

/// A message as it came: the text, and what it says.
#[derive(Clone, PartialEq, Debug)]
pub struct ReceivedMessage {
    /// The frame's text.
    pub text: String,
    /// What it says.
    pub message: ServerMessage,
}

/// An open connection that has said `hello`.
#[derive(Debug)]
pub struct Client {
    socket: WebSocketStream<TcpStream>,
    welcome: Welcome,
}

impl Client {
    /// Connects and says `hello`. `index` counts the sockets of the process, for their source addresses.
    ///
    /// # Errors
    /// When there is no server, or it does not answer with `welcome`.
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
        match next(&mut socket).await?.message {
            ServerMessage::Welcome(welcome) => Ok(Self { socket, welcome }),
            other => Err(ClientError::NoWelcome(other.to_text())),
        }
    }

    /// What the server said first.
    #[must_use]
    pub fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// Sends a message.
    ///
    /// # Errors
    /// When the connection is gone.
    pub async fn send(&mut self, message: &ClientMessage) -> Result<(), ClientError> {
        send(&mut self.socket, message).await
    }

    /// The next message. Types that this version does not know are passed over, as the protocol asks.
    ///
    /// # Errors
    /// When none comes for 30 s, the connection is gone, or a message cannot be read.
    pub async fn next(&mut self) -> Result<ReceivedMessage, ClientError> {
        next(&mut self.socket).await
    }

    /// Closes the connection in order.
    ///
    /// # Errors
    /// When it broke before.
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

async fn next(socket: &mut WebSocketStream<TcpStream>) -> Result<ReceivedMessage, ClientError> {
    loop {
        let frame = tokio::time::timeout(PATIENCE, socket.next()).await.map_err(|_| ClientError::Silence)?;
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
