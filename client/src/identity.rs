//! Who a client is.
//!
//! Deliberately absent: where a token is kept. That is for the program.

use std::fmt;

use zeitnot_protocol::Hello;

/// Who a client says it is when it connects.
#[derive(Clone, PartialEq, Eq)]
pub enum Identity {
    /// A new guest account. Its token is at [`Client::token`](crate::Client::token): a program that keeps it comes
    /// back as the same account. Reconnects use it by themselves.
    Guest,
    /// The account of this token: a guest's, or an API token that the owner of an account has made for a program,
    /// with scopes. A bot needs `play`, and `challenge` to create and to accept challenges.
    Token(String),
    /// Nobody: the connection only watches. The server closes one that does nothing for 10 s, so the client stays
    /// without a connection until there is something to watch.
    Spectator,
}

impl Identity {
    pub(crate) fn hello(&self) -> Hello {
        match self {
            Self::Guest => Hello { guest: true, token: None },
            Self::Token(token) => Hello { guest: false, token: Some(token.clone()) },
            Self::Spectator => Hello::default(),
        }
    }
}

/// A token is a secret, so it is not shown.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Guest => "Guest",
            Self::Token(_) => "Token(…)",
            Self::Spectator => "Spectator",
        })
    }
}
