//! A program that knows the Lichess API: an account with a token, calls, and streams that are read line by line.

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use crate::accounts::{self, register};
use crate::programs::token;
use crate::test_server::{Answer, TestServer, guarded};

const FORM: &str = "application/x-www-form-urlencoded";

/// An account and its token.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) token: String,
    is_bot: bool,
}

impl Program {
    /// A program that plays for a person.
    pub(super) async fn board(server: &TestServer, name: &'static str) -> Self {
        let cookie = register(server, name).await;
        let token = token(server, &cookie, &["play", "challenge", "bot"]).await;
        Self { name, token, is_bot: false }
    }

    /// A program that plays as a bot.
    pub(super) async fn bot(server: &TestServer, name: &'static str) -> Self {
        let program = Self { is_bot: true, ..Self::board(server, name).await };
        program.post(server, "/api/bot/account/upgrade", "").await.ok();
        program
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    pub(super) async fn get(&self, server: &TestServer, path: &str) -> Called {
        Called(server.ask_with("GET", path, &[("Authorization", &self.bearer())]).await)
    }

    /// Posts a form.
    pub(super) async fn post(&self, server: &TestServer, path: &str, form: &str) -> Called {
        self.post_as(server, path, FORM, form).await
    }

    pub(super) async fn post_as(&self, server: &TestServer, path: &str, kind: &str, body: &str) -> Called {
        let headers = [("Authorization", self.bearer())];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        Called(accounts::send(server, path, kind, body, &headers).await)
    }

    /// A call about a game.
    pub(super) async fn play(&self, server: &TestServer, game: &str, what: &str) -> Called {
        self.post(server, &format!("{}{game}/{what}", self.games()), "").await
    }

    /// Says yes to what the opponent has offered. A yes that comes before the offer is another offer, and rejected.
    pub(super) async fn agrees(&self, server: &TestServer, game: &str, offer: &str) {
        let yes = format!("{offer}/yes");
        guarded("an agreement", async { while self.play(server, game, &yes).await.status() != 200 {} }).await;
    }

    fn games(&self) -> &'static str {
        if self.is_bot { "/api/bot/game/" } else { "/api/board/game/" }
    }

    /// The stream of events.
    pub(super) async fn events(&self, server: &TestServer) -> Lines {
        Lines::open(server, "/api/stream/event", &self.token).await
    }

    /// The stream of a game.
    pub(super) async fn game(&self, server: &TestServer, game: &str) -> Lines {
        Lines::open(server, &format!("{}stream/{game}", self.games()), &self.token).await
    }

    /// Challenges `other`, which accepts: the game's id, and the name of White.
    pub(super) async fn plays(
        &self,
        server: &TestServer,
        other: &Self,
        terms: &str,
    ) -> (String, &'static str) {
        let made = self.post(server, &format!("/api/challenge/{}", other.name), terms).await.json();
        let id = made["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        other.post(server, &format!("/api/challenge/{id}/accept"), "").await.ok();
        let is_white = made["finalColor"] == "white";
        (id, if is_white { self.name } else { other.name })
    }
}

/// What a call was answered.
#[derive(Debug)]
pub(super) struct Called(Answer);

impl Called {
    #[track_caller]
    pub(super) fn ok(&self) {
        assert_eq!((self.0.status, self.json()["ok"].as_bool()), (200, Some(true)), "{self:?}");
    }

    /// The status, and the text of the rejection, which is JSON.
    #[track_caller]
    pub(super) fn rejected(&self) -> (u16, String) {
        assert!(self.0.head.contains("content-type: application/json"), "{self:?}");
        let error = self.json()["error"].clone();
        (self.0.status, error.as_str().map_or_else(|| error.to_string(), str::to_owned))
    }

    pub(super) fn json(&self) -> Value {
        self.0.json()
    }

    pub(super) fn status(&self) -> u16 {
        self.0.status
    }
}

/// A stream of lines: chunked, and read as it comes.
pub(super) struct Lines {
    stream: BufReader<TcpStream>,
    pub(super) status: u16,
}

/// How a stream ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    Clean,
    BrokenOff,
}

impl Lines {
    pub(super) async fn open(server: &TestServer, path: &str, token: &str) -> Self {
        Self::over(TcpStream::connect(server.address).await.unwrap(), path, token).await
    }

    /// A stream for whoever asks, without a token.
    pub(super) async fn watch(server: &TestServer, path: &str) -> Self {
        Self::of(server, &format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n")).await
    }

    /// A stream for the client of a proxy, who shows a token or none.
    pub(super) async fn forwarded(
        server: &TestServer,
        path: &str,
        client: &str,
        program: Option<&Program>,
    ) -> Self {
        let token =
            program.map_or_else(String::new, |program| format!("Authorization: {}\r\n", program.bearer()));
        let head = format!("GET {path} HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: {client}");
        Self::of(server, &format!("{head}\r\n{token}\r\n")).await
    }

    /// The stream that a form is answered with.
    pub(super) async fn post(server: &TestServer, path: &str, token: &str, form: &str) -> Self {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {token}\r\nContent-Type: {FORM}"
        );
        Self::of(server, &format!("{head}\r\nContent-Length: {}\r\n\r\n{form}", form.len())).await
    }

    async fn of(server: &TestServer, request: &str) -> Self {
        Self::on(TcpStream::connect(server.address).await.unwrap(), request).await
    }

    /// Over a connection of the caller's own.
    pub(super) async fn over(stream: TcpStream, path: &str, token: &str) -> Self {
        Self::on(
            stream,
            &format!("GET {path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {token}\r\n\r\n"),
        )
        .await
    }

    async fn on(stream: TcpStream, request: &str) -> Self {
        let mut stream = BufReader::new(stream);
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut lines = Self { stream, status: 0 };
        let first = lines.head_line().await;
        lines.status = first.split(' ').nth(1).unwrap().parse().unwrap();
        while !lines.head_line().await.trim().is_empty() {}
        lines
    }

    async fn head_line(&mut self) -> String {
        let mut line = String::new();
        guarded("a line of a head", self.stream.read_line(&mut line)).await.unwrap();
        line
    }

    /// The next chunk; how the stream ended if there is none.
    async fn chunk(&mut self) -> Result<String, Ending> {
        let mut size = String::new();
        let read = guarded("a chunk", self.stream.read_line(&mut size)).await;
        if !matches!(read, Ok(1..)) {
            return Err(Ending::BrokenOff);
        }
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        let mut bytes = vec![0; size + 2];
        if guarded("the rest of a chunk", self.stream.read_exact(&mut bytes)).await.is_err() {
            return Err(Ending::BrokenOff);
        }
        bytes.truncate(size);
        if size == 0 { Err(Ending::Clean) } else { Ok(String::from_utf8(bytes).unwrap()) }
    }

    /// The next line that is not blank. Each chunk is one line.
    pub(super) async fn next(&mut self) -> Result<Value, Ending> {
        loop {
            let chunk = self.chunk().await?;
            assert!(
                chunk.ends_with('\n') && !chunk.contains('\r') && chunk.lines().count() == 1,
                "{chunk:?}"
            );
            if chunk != "\n" {
                return Ok(serde_json::from_str(&chunk).unwrap());
            }
        }
    }

    /// The next line of this type; lines of other types are left out.
    pub(super) async fn until(&mut self, kind: &str) -> Value {
        loop {
            let line = self.next().await.unwrap_or_else(|ending| panic!("{ending:?} before {kind}"));
            if line["type"] == kind {
                return line;
            }
        }
    }

    /// The next state of the game that is as it is waited for. A state may be told more than once.
    pub(super) async fn state(&mut self, mut is_as_expected: impl FnMut(&Value) -> bool) {
        while !is_as_expected(&self.until("gameState").await) {}
    }

    /// The last line, and how the stream ended.
    pub(super) async fn last(&mut self) -> (Value, Ending) {
        let mut last = Value::Null;
        loop {
            match self.next().await {
                Ok(line) => last = line,
                Err(ending) => return (last, ending),
            }
        }
    }

    /// The first chunk, as it is.
    pub(super) async fn first_chunk(&mut self) -> String {
        self.chunk().await.unwrap()
    }
}
