//! A client: connects, says, hears.

use futures_util::{SinkExt as _, StreamExt as _};
use http::Request;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::protocol::frame::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};
use zeitnot_protocol::{
    AccountId, ClientMessage, CloseCode, CloseReason, Code, ServerMessage, Welcome, decode_server,
};

use super::test_server::{TestServer, guarded};

/// An upgrade request to `/ws`, for more headers.
pub(crate) fn upgrade(server: &TestServer) -> http::request::Builder {
    Request::builder()
        .uri(format!("ws://{}/ws", server.address))
        .header("Host", server.address.to_string())
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Version", "13")
        .header("Sec-WebSocket-Key", generate_key())
}

/// A masked frame (RFC 6455, 5.2) with a mask of zeros, of a short payload, for what no library sends.
pub(crate) fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    [&[first, 0x80 | u8::try_from(payload.len()).unwrap(), 0, 0, 0, 0], payload].concat()
}

/// One connection.
pub(crate) struct Player {
    socket: WebSocketStream<TcpStream>,
}

impl Player {
    /// Connects and says nothing.
    pub(crate) async fn connect(server: &TestServer) -> Self {
        Self::connect_with(server, upgrade(server)).await.unwrap()
    }

    /// Connects with this request.
    pub(crate) async fn connect_with(
        server: &TestServer,
        request: http::request::Builder,
    ) -> Result<Self, Box<Error>> {
        let stream = TcpStream::connect(server.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let connecting = client_async(request.body(()).unwrap(), stream);
        let (socket, _) = guarded("the upgrade", connecting).await.map_err(Box::new)?;
        Ok(Self { socket })
    }

    /// Connects and says `hello`.
    pub(crate) async fn hello(server: &TestServer, hello: Value) -> (Self, Welcome) {
        let mut player = Self::connect(server).await;
        player.say("hello", hello).await;
        let welcome = player.welcome().await;
        (player, welcome)
    }

    /// A new guest.
    pub(crate) async fn guest(server: &TestServer) -> Guest {
        let (player, welcome) = Self::hello(server, json!({"guest": true})).await;
        Guest { player, account: welcome.account.unwrap(), token: welcome.token.unwrap() }
    }

    /// One that only watches.
    pub(crate) async fn watcher(server: &TestServer) -> Self {
        Self::hello(server, json!({})).await.0
    }

    /// Sends a text frame.
    pub(crate) async fn send_text(&mut self, text: impl Into<String>) {
        self.send(Message::Text(text.into().into())).await;
    }

    /// Sends anything.
    pub(crate) async fn send(&mut self, message: Message) {
        self.try_send(message).await.unwrap();
    }

    /// Sends anything on a connection that may be closed by now.
    pub(crate) async fn try_send(&mut self, message: Message) -> Result<(), Box<Error>> {
        guarded("room to send", self.socket.send(message)).await.map_err(Box::new)
    }

    /// Sends a message.
    pub(crate) async fn say(&mut self, t: &str, d: Value) {
        self.send_text(json!({"t": t, "d": d}).to_string()).await;
    }

    /// Sends a typed message.
    pub(crate) async fn tell(&mut self, message: ClientMessage) {
        self.send_text(message.to_text()).await;
    }

    /// The next frame, or how the connection ended.
    async fn frame(&mut self) -> Result<Message, Option<CloseFrame>> {
        guarded("a frame", async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(frame))) => return Err(frame),
                    Some(Ok(frame)) => return Ok(frame),
                    Some(Err(_)) | None => return Err(None),
                }
            }
        })
        .await
    }

    /// The next message.
    pub(crate) async fn next(&mut self) -> ServerMessage {
        match self.frame().await {
            Ok(Message::Text(text)) => {
                decode_server(&text).unwrap_or_else(|error| panic!("{error} in {text}"))
            }
            other => panic!("instead of a message: {other:?}"),
        }
    }

    /// The first message, or `None` when the connection is closed instead.
    pub(crate) async fn first(&mut self) -> Option<ServerMessage> {
        match self.frame().await {
            Ok(Message::Text(text)) => Some(decode_server(&text).unwrap()),
            Ok(other) => panic!("{other:?}"),
            Err(_) => None,
        }
    }

    /// The next message that `wanted` makes something of. Others are thrown away.
    pub(crate) async fn until<T>(&mut self, mut wanted: impl FnMut(&ServerMessage) -> Option<T>) -> T {
        loop {
            let message = self.next().await;
            if let Some(found) = wanted(&message) {
                return found;
            }
        }
    }

    /// Makes a challenge: its id, or `None` when the connection ends instead.
    pub(crate) async fn challenge_or_end(&mut self, wanted: Value) -> Option<String> {
        let text = json!({"t": "create_challenge", "d": wanted}).to_string();
        self.try_send(Message::Text(text.into())).await.ok()?;
        self.until_or_end(|message| match message {
            ServerMessage::Challenge(challenge) => Some(challenge.challenge.to_string()),
            _ => None,
        })
        .await
    }

    /// Cancels a challenge: `None` when the connection ends instead.
    pub(crate) async fn cancel_or_end(&mut self, challenge: &str) -> Option<()> {
        let text = json!({"t": "cancel_challenge", "d": {"challenge": challenge}}).to_string();
        self.try_send(Message::Text(text.into())).await.ok()?;
        self.until_or_end(|message| matches!(message, ServerMessage::Ok(_)).then_some(())).await
    }

    async fn until_or_end<T>(&mut self, mut wanted: impl FnMut(&ServerMessage) -> Option<T>) -> Option<T> {
        loop {
            let Ok(Message::Text(text)) = self.frame().await else { return None };
            if let Some(found) = wanted(&decode_server(&text).unwrap()) {
                return Some(found);
            }
        }
    }

    pub(crate) async fn welcome(&mut self) -> Welcome {
        match self.next().await {
            ServerMessage::Welcome(welcome) => welcome,
            other => panic!("{other:?}"),
        }
    }

    /// The next rejection: its code and the id it repeats.
    pub(crate) async fn rejection(&mut self) -> (Code, Option<String>) {
        self.until(|message| match message {
            ServerMessage::Rejected(rejected) => {
                assert!(!rejected.message.is_empty());
                Some((rejected.code, rejected.id.map(|id| id.to_string())))
            }
            _ => None,
        })
        .await
    }

    /// Asks for a `pong` and waits for it: everything said before was answered. Gives what came first.
    pub(crate) async fn pong(&mut self) -> Vec<ServerMessage> {
        self.say("ping", json!({"n": 4_000_000_001_u32})).await;
        let mut before = Vec::new();
        loop {
            match self.next().await {
                ServerMessage::Pong(pong) if pong.n == 4_000_000_001 => return before,
                other => before.push(other),
            }
        }
    }

    /// Reads and answers this many WebSocket pings.
    pub(crate) async fn hear_pings(&mut self, count: usize) {
        let mut heard = 0;
        while heard < count {
            match guarded("a ping", self.socket.next()).await {
                Some(Ok(Message::Ping(_))) => heard += 1,
                Some(Ok(Message::Text(_))) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Reads until the connection is closed: the code and the text of the reason.
    pub(crate) async fn close_frame(&mut self) -> (u16, String) {
        loop {
            match self.frame().await {
                Ok(_) => {}
                Err(Some(frame)) => return (frame.code.into(), frame.reason.to_string()),
                Err(None) => panic!("the connection ended without a close frame"),
            }
        }
    }

    /// Reads until the server closes the connection with one of its codes, and checks the reason.
    pub(crate) async fn closed(&mut self) -> CloseCode {
        let (number, text) = self.close_frame().await;
        let code = CloseCode::from_number(number).unwrap_or_else(|| panic!("{number} {text}"));
        let reason: CloseReason =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(reason.code, code);
        assert_eq!(reason.retry_ms.is_some(), code.come_back(), "{text}");
        code
    }

    /// Closes the connection as a client does.
    pub(crate) async fn leave(mut self) {
        self.socket.close(None).await.unwrap();
        while self.frame().await.is_ok() {}
    }

    /// Stops reading and answering, and keeps the stream open.
    pub(crate) fn freeze(self) -> TcpStream {
        self.socket.into_inner()
    }

    /// The bare stream.
    pub(crate) fn stream(&mut self) -> &mut TcpStream {
        self.socket.get_mut()
    }
}

/// A connection of a guest account, with its token.
pub(crate) struct Guest {
    pub(crate) player: Player,
    pub(crate) account: AccountId,
    pub(crate) token: String,
}

impl Guest {
    /// Another connection of the same account, after its `welcome`.
    pub(crate) async fn tab(&self, server: &TestServer) -> Player {
        let (player, welcome) = Player::hello(server, json!({"token": self.token})).await;
        assert_eq!(welcome.account, Some(self.account));
        assert_eq!(welcome.token, None, "a token is shown once");
        player
    }
}
