//! HTTP as programs of the Lichess API use it: calls over one connection that is kept, and streams of lines, each over a
//! connection of its own.
//!
//! A call that is not answered is made again, as such programs do: the server must not do it twice.

use std::future::Future;
use std::pin::{Pin, pin};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpSocket;
use tokio::time::timeout;

use crate::endpoint::Endpoint;

const FORM: &str = "application/x-www-form-urlencoded";

/// How long a program waits for an answer before it calls again.
const CALL_TAKES: Duration = Duration::from_secs(10);

/// How often a call is made at most.
const TRIES: u32 = 6;

/// A stream has a line at least every 7 s; programs take one that is silent for so long for broken.
const SILENCE: Duration = Duration::from_secs(15);

type Connection = http1::Connection<TokioIo<tokio::net::TcpStream>, Full<Bytes>>;

/// A connection. It goes on only while something that needs it is waited for.
#[derive(Debug)]
struct Wire {
    sender: SendRequest<Full<Bytes>>,
    /// `None` when it has ended.
    connection: Option<Pin<Box<Connection>>>,
}

impl Wire {
    async fn open(endpoint: &Endpoint) -> Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_nodelay(true)?;
        if let Some(source) = endpoint.source(0) {
            // A port is chosen when it connects, so that connections to other ports do not count.
            socket2::SockRef::from(&socket).set_reuse_address(true)?;
            socket.bind(source)?;
        }
        let stream = socket.connect(endpoint.address).await.context("the server cannot be reached")?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        Ok(Self { sender, connection: Some(Box::pin(connection)) })
    }

    async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>> {
        let answer = self.sender.send_request(request);
        Ok(drive(&mut self.connection, answer).await?)
    }
}

/// Waits for `work`, and lets the connection that it needs go on meanwhile.
async fn drive<T>(connection: &mut Option<Pin<Box<Connection>>>, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    if let Some(running) = connection {
        tokio::select! {
            biased;
            done = &mut work => return done,
            _ = running.as_mut() => {}
        }
        *connection = None;
    }
    work.await
}

/// A program: an account by its token, and the connection for its calls.
#[derive(Debug)]
pub(crate) struct Program<'e> {
    endpoint: &'e Endpoint,
    token: Option<String>,
    wire: Option<Wire>,
    /// How many calls were made again because they had no answer.
    pub(super) again: u64,
}

impl<'e> Program<'e> {
    pub(crate) fn new(endpoint: &'e Endpoint, token: Option<String>) -> Self {
        Self { endpoint, token, wire: None, again: 0 }
    }

    fn request(&self, method: Method, path: &str, accept: &str, form: &str) -> Result<Request<Full<Bytes>>> {
        let mut request = Request::builder().method(method).uri(path).header(HOST, &self.endpoint.host);
        request = request.header(ACCEPT, accept).header(CONTENT_TYPE, FORM);
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        Ok(request.body(Full::new(Bytes::copy_from_slice(form.as_bytes())))?)
    }

    /// Posts, and says whether it was done: the status, and what was answered.
    pub(super) async fn post(&mut self, path: &str) -> Result<(StatusCode, Value)> {
        let (status, body) = self.call(Method::POST, path, "application/json", "").await?;
        Ok((status, serde_json::from_slice(&body).with_context(|| format!("{path}: {status} {body:?}"))?))
    }

    /// The text that is found there.
    pub(crate) async fn get(&mut self, path: &str, accept: &str) -> Result<String> {
        self.text(Method::GET, path, accept, "").await
    }

    /// The text that this body is answered with.
    pub(super) async fn text(
        &mut self,
        method: Method,
        path: &str,
        accept: &str,
        form: &str,
    ) -> Result<String> {
        let (status, body) = self.call(method, path, accept, form).await?;
        let body = String::from_utf8(body.into())?;
        ensure!(status.is_success(), "{path}: {status} {body}");
        Ok(body)
    }

    async fn call(
        &mut self,
        method: Method,
        path: &str,
        accept: &str,
        form: &str,
    ) -> Result<(StatusCode, Bytes)> {
        let mut why = String::new();
        for _ in 0..TRIES {
            let request = self.request(method.clone(), path, accept, form)?;
            match timeout(CALL_TAKES, self.call_once(request)).await {
                // It will pass: the server has more to do than it can.
                Ok(Ok((StatusCode::SERVICE_UNAVAILABLE, body))) => why = format!("503 {body:?}"),
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(error)) => why = format!("{error:#}"),
                Err(_) => why = format!("no answer for {} s", CALL_TAKES.as_secs()),
            }
            self.wire = None;
            self.again += 1;
        }
        bail!("{method} {path} was made {TRIES} times: {why}")
    }

    async fn call_once(&mut self, request: Request<Full<Bytes>>) -> Result<(StatusCode, Bytes)> {
        let wire = match &mut self.wire {
            Some(wire) if !wire.sender.is_closed() => wire,
            wire => wire.insert(Wire::open(self.endpoint).await?),
        };
        drive(&mut wire.connection, wire.sender.ready()).await?;
        let (head, body) = wire.send(request).await?.into_parts();
        let body = drive(&mut wire.connection, body.collect()).await?.to_bytes();
        Ok((head.status, body))
    }

    /// A stream of lines.
    pub(super) async fn stream(&self, method: Method, path: &str, form: &str) -> Result<Lines> {
        let mut wire = Wire::open(self.endpoint).await?;
        let request = self.request(method, path, "application/x-ndjson", form)?;
        let answer =
            timeout(SILENCE, wire.send(request)).await.with_context(|| format!("{path} is silent"))??;
        ensure!(answer.status().is_success(), "{path}: {}", answer.status());
        Ok(Lines { wire, body: answer.into_body(), read: Vec::new() })
    }
}

/// A stream of lines. Dropped, it is closed.
#[derive(Debug)]
pub(super) struct Lines {
    wire: Wire,
    body: Incoming,
    read: Vec<u8>,
}

/// What comes on a stream.
#[derive(Debug)]
pub(super) enum Heard {
    Line(Value),
    /// All was said.
    End,
    /// The stream ended before that.
    BrokenOff,
}

impl Lines {
    /// The next line that is not blank. Nothing is lost when it is not waited for to the end.
    ///
    /// # Errors
    /// When nothing comes for 15 s, or a line is not JSON.
    pub(super) async fn next(&mut self) -> Result<Heard> {
        loop {
            if let Some(end) = self.read.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                if line.trim_ascii().is_empty() {
                    continue;
                }
                return Ok(Heard::Line(serde_json::from_slice(&line)?));
            }
            let frame = timeout(SILENCE, drive(&mut self.wire.connection, self.body.frame()));
            match frame.await.context("a stream is silent")? {
                None => return Ok(Heard::End),
                Some(Err(_)) => return Ok(Heard::BrokenOff),
                Some(Ok(frame)) => self.read.extend(frame.data_ref().into_iter().flatten()),
            }
        }
    }
}
