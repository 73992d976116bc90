//! One socket of a replayed game: a client, and the checker of all it hears.

use std::fmt;

use zeitnot_protocol::{ClientMessage, Hello, ServerMessage};

use super::checker::Checker;
use super::script::Script;
use crate::client::{Client, ClientError};
use crate::endpoint::Endpoint;

/// Whose socket it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// White's.
    White,
    /// Black's.
    Black,
    /// One who only watches.
    Spectator,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White's socket",
            Self::Black => "Black's socket",
            Self::Spectator => "the spectator's socket",
        })
    }
}

/// What is wrong in a replayed game, and where it was heard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// By whom.
    pub role: Role,
    /// After how many half-moves.
    pub ply: usize,
    /// What.
    pub what: String,
}

/// A socket of the game.
#[derive(Debug)]
pub struct Listener<'s> {
    role: Role,
    client: Client,
    checker: Checker<'s>,
    /// The texts of the game's events, oldest first: those with a seq.
    events: Vec<String>,
}

impl<'s> Listener<'s> {
    /// Connects. Players are new guests.
    ///
    /// # Errors
    /// When there is no server or no welcome.
    pub async fn connect(
        endpoint: &Endpoint,
        index: usize,
        role: Role,
        script: &'s Script,
    ) -> Result<Self, ClientError> {
        let hello = Hello { guest: role != Role::Spectator, token: None };
        let client = Client::connect(endpoint, index, hello).await?;
        Ok(Self { role, client, checker: Checker::new(script), events: Vec::new() })
    }

    /// What it has made out so far.
    pub fn checker(&self) -> &Checker<'s> {
        &self.checker
    }

    /// A fault of this socket, here and now.
    pub fn fault(&self, what: impl fmt::Display) -> Fault {
        Fault { role: self.role, ply: self.checker.ply(), what: what.to_string() }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// When the connection is gone.
    pub async fn send(&mut self, message: &ClientMessage) -> Result<(), Fault> {
        self.client.send(message).await.map_err(|error| self.fault(error))
    }

    /// Hears messages until one is wanted. Each is checked, wanted or not.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub async fn until(
        &mut self,
        wanted: impl Fn(&ServerMessage, &Checker<'s>) -> bool,
    ) -> Result<ServerMessage, Fault> {
        loop {
            let heard = self.client.next().await.map_err(|error| self.fault(error))?;
            let before = self.checker.seq();
            self.checker.hear(&heard.message).map_err(|what| self.fault(what))?;
            if self.checker.seq() != before && !matches!(heard.message, ServerMessage::Snapshot(_)) {
                self.events.push(heard.text);
            }
            if wanted(&heard.message, &self.checker) {
                return Ok(heard.message);
            }
        }
    }

    /// Hears messages until the event of that number was heard.
    ///
    /// # Errors
    /// As [`Listener::until`].
    pub async fn until_seq(&mut self, seq: u32) -> Result<(), Fault> {
        if self.checker.seq() < seq {
            self.until(|_, checker| checker.seq() >= seq).await?;
        }
        Ok(())
    }

    /// The same events in the same words: compares with another listener, from the last event back. One who learned of
    /// the game's beginning from a snapshot has no `started`.
    ///
    /// # Errors
    /// The first event that differs.
    pub fn same_as(&self, other: &Self) -> Result<(), Fault> {
        let pairs = self.events.iter().rev().zip(other.events.iter().rev());
        for (ours, theirs) in pairs {
            if ours != theirs {
                return Err(self.fault(format!("heard {ours} where {} heard {theirs}", other.role)));
            }
        }
        if self.events.len().abs_diff(other.events.len()) > 1 {
            let (ours, theirs) = (self.events.len(), other.events.len());
            return Err(self.fault(format!("heard {ours} events, {} heard {theirs}", other.role)));
        }
        Ok(())
    }

    /// Closes the connection.
    ///
    /// # Errors
    /// When it broke.
    pub async fn close(self) -> Result<(), Fault> {
        let fault = self.fault("");
        self.client.close().await.map_err(|error| Fault { what: error.to_string(), ..fault })
    }
}
