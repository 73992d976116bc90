//! Requests of accounts over HTTP: registering the guest of a token, and signing in.
//!
//! Each request has a connection of its own, and comes from the loopback address with its number: passwords are limited
//! for each address.
//!
//! Deliberately absent: cookies, and every other route.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;

use crate::endpoint::Endpoint;

/// What every account of this program has for a password.
pub const PASSWORD: &str = "a password of loadtest";

/// How long a rejected registration waits before it is sent again.
const AGAIN_AFTER: Duration = Duration::from_millis(300);

/// How often it is sent at most.
const TRIES: usize = 1_000;

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The header lines, with the status line.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Answer {
    fn read(text: &str) -> Option<Self> {
        let (head, body) = text.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Self { status, head: head.to_owned(), body: body.to_owned() })
    }

    /// Whether it says when to come back.
    #[must_use]
    pub fn has_retry_after(&self) -> bool {
        self.head.lines().any(|line| line.to_ascii_lowercase().starts_with("retry-after:"))
    }
}

/// The loopback address with this number, from 127.1.0.1 on.
#[must_use]
pub fn address(number: usize) -> IpAddr {
    let number = u32::try_from(number % (1 << 22)).expect("below 2^22");
    IpAddr::V4(Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 1, 0, 1)) + number))
}

/// Sends a request with a body from the address with this number.
///
/// # Errors
/// When the server cannot be reached or answers with something else than HTTP.
pub async fn post(
    endpoint: &Endpoint,
    number: usize,
    path: &str,
    token: Option<&str>,
    body: &Value,
) -> Result<Answer> {
    let socket = TcpSocket::new_v4()?;
    // A port is chosen when it connects, so that connections to other ports do not count.
    socket2::SockRef::from(&socket).set_reuse_address(true)?;
    socket.bind(SocketAddr::new(address(number), 0))?;
    let mut stream = socket.connect(endpoint.address).await.context("the server cannot be reached")?;
    let body = body.to_string();
    let authorization = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n{authorization}\
         Content-Length: {}\r\n\r\n{body}",
        endpoint.host,
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let answer = String::from_utf8_lossy(&answer);
    Answer::read(&answer).with_context(|| format!("this is no answer: {answer:?}"))
}

/// Registers the guest of this token under a name, as soon as the server has time for it.
///
/// # Errors
/// When the server rejects it for another reason than its own load.
pub async fn register(endpoint: &Endpoint, number: usize, token: &str, name: &str) -> Result<()> {
    let wanted = json!({"name": name, "password": PASSWORD});
    for _ in 0..TRIES {
        let answer = post(endpoint, number, "/api/account/register", Some(token), &wanted).await?;
        match answer.status {
            201 => return Ok(()),
            429 | 503 => tokio::time::sleep(AGAIN_AFTER).await,
            status => bail!("{name} was not registered: {status} {}", answer.body),
        }
    }
    bail!("{name} was not registered: the server was too busy {TRIES} times")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read() {
        let text = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\n\r\n{\"error\":{}}";
        let answer = Answer::read(text).unwrap();
        assert_eq!((answer.status, answer.body.as_str()), (429, "{\"error\":{}}"));
        assert!(answer.has_retry_after());
        assert!(Answer::read("").is_none());
    }

    #[test]
    fn each_number_has_an_address_of_its_own() {
        assert_eq!(address(0).to_string(), "127.1.0.1");
        assert_eq!(address(255).to_string(), "127.1.1.0");
        assert!(address(usize::MAX).is_loopback());
    }
}
