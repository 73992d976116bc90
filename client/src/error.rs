//! What can go wrong.
//!
//! Deliberately absent: a lost connection. The client comes back by itself, and only what ends that is an error.

use std::time::Duration;

use thiserror::Error;
use zeitnot_protocol::{CloseCode, Code, DeclineReason};

/// Why something failed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The URL is not one of a Zeitnot server.
    #[error("{url:?} is not the URL of a server: {reason}")]
    BadUrl {
        /// What was given.
        url: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The URL begins with `wss:` and this client was built without TLS.
    #[error("wss:// needs the feature `tls` of zeitnot-client")]
    NoTls,
    /// The URL begins with `wss:` and this machine has no certificates to trust.
    #[error("there are no certificates for wss://: {0}")]
    NoCertificates(String),
    /// No connection within [`Options::connect_timeout`](crate::Options::connect_timeout).
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// The server rejected the upgrade to a WebSocket, and would do so again.
    #[error("the server rejected the connection with status {status}: {message}")]
    Upgrade {
        /// The HTTP status.
        status: u16,
        /// The server's words.
        message: String,
    },
    /// The server rejected the command, or the token. Nothing has changed.
    #[error("{code:?}: {message}")]
    Rejected {
        /// The reason, for programs.
        code: Code,
        /// The reason, for people.
        message: String,
    },
    /// The server closed the connection for good: the same would happen again. The client has stopped.
    #[error("the server closed the connection for good with {number}{}", name(*code))]
    Closed {
        /// The number of the close frame.
        number: u16,
        /// Its meaning, if this version knows it.
        code: Option<CloseCode>,
    },
    /// No answer came within [`Options::command_timeout`](crate::Options::command_timeout), and the command is not
    /// sent again. It may have taken effect.
    #[error("no answer came in {} s", after.as_secs())]
    TimedOut {
        /// How long the client waited.
        after: Duration,
    },
    /// So many commands wait for an answer that sending them again would no longer be safe: see
    /// [`Client`](crate::Client#sending-again).
    #[error("too many commands wait for an answer")]
    TooManyUnanswered,
    /// The command is longer than the server reads. It was not sent.
    #[error("the command has {bytes} bytes; the server reads {most}")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// The server's data were restored from a copy while the command waited: what it was about may never have
    /// happened. It may have taken effect before.
    #[error("the server's data were restored from a copy")]
    Restored,
    /// The client has this game open already: [`Client::game`](crate::Client::game) gives one [`Game`](crate::Game)
    /// at a time.
    #[error("this game is open already")]
    AlreadyOpen,
    /// The challenge is gone and no game has come of it.
    #[error("the challenge is gone{}", declined.map(|reason| format!(": declined ({reason:?})")).unwrap_or_default())]
    ChallengeGone {
        /// Why it was declined, if it was.
        declined: Option<DeclineReason>,
    },
    /// The answer is one that this version of the protocol does not know. What became of the command is not known.
    #[error("the server's answer is of a later version")]
    Unreadable,
    /// [`Client::close`](crate::Client::close) was called, or the runtime that the client ran on is gone.
    #[error("the client was closed")]
    Stopped,
}

impl Error {
    /// The server's code, if this is a rejection.
    #[must_use]
    pub const fn code(&self) -> Option<Code> {
        match self {
            Self::Rejected { code, .. } => Some(*code),
            _ => None,
        }
    }
}

fn name(code: Option<CloseCode>) -> String {
    code.map(|code| format!(" {}: {}", code.as_str(), code.meaning())).unwrap_or_default()
}
