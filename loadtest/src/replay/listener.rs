//! One connection of a replayed game: a client, and the checker of all its messages.

use std::fmt;

use zeitnot_protocol::{ClientMessage, Hello, ServerMessage};

use super::checker::Checker;
use super::script::Script;
use crate::client::{Client, ClientError};
use crate::endpoint::Endpoint;

/// Whose connection it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// White's.
    White,
    /// Black's.
    Black,
    /// A spectator's.
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

/// What is wrong in a replayed game, and which connection received it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The connection.
    pub role: Role,
    /// After how many half-moves.
    pub ply: usize,
    /// The difference, in words.
    pub what: String,
}

/// A connection of the game.
#[derive(Debug)]
pub struct Listener<'s> {
    role: Role,
    client: Client,
    checker: Checker<'s>,
    /// The texts of the game's events, oldest first.
    events: Vec<String>,
}

impl<'s> Listener<'s> {
    /// Connects. Players are new guests.
    ///
    /// # Errors
    /// When the server cannot be reached or sends no welcome.
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

    /// The checker of this connection.
    pub fn checker(&self) -> &Checker<'s> {
        &self.checker
    }

    /// A fault of this connection at the current ply.
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

    /// Receives and checks messages until one is wanted.
    ///
    /// # Errors
    /// The first difference.
    pub async fn until(
        &mut self,
        wanted: impl Fn(&ServerMessage, &Checker<'s>) -> bool,
    ) -> Result<ServerMessage, Fault> {
        loop {
            let received = self.client.next().await.map_err(|error| self.fault(error))?;
            let before = self.checker.seq();
            self.checker.check(&received.message).map_err(|what| self.fault(what))?;
            if self.checker.seq() != before && !matches!(received.message, ServerMessage::Snapshot(_)) {
                self.events.push(received.text);
            }
            if wanted(&received.message, &self.checker) {
                return Ok(received.message);
            }
        }
    }

    /// Receives messages until the event with this number.
    ///
    /// # Errors
    /// As [`Listener::until`].
    pub async fn until_seq(&mut self, seq: u32) -> Result<(), Fault> {
        if self.checker.seq() < seq {
            self.until(|_, checker| checker.seq() >= seq).await?;
        }
        Ok(())
    }

    /// Checks that another connection received the same texts, from the last event backwards. A
    /// connection that learned of the game's start from a snapshot has no `started`.
    ///
    /// # Errors
    /// The first event that differs.
    pub fn same_as(&self, other: &Self) -> Result<(), Fault> {
        let pairs = self.events.iter().rev().zip(other.events.iter().rev());
        for (ours, theirs) in pairs {
            if ours != theirs {
                return Err(self.fault(format!("received {ours} where {} received {theirs}", other.role)));
            }
        }
        if self.events.len().abs_diff(other.events.len()) > 1 {
            let (ours, theirs) = (self.events.len(), other.events.len());
            return Err(self.fault(format!("received {ours} events, {} received {theirs}", other.role)));
        }
        Ok(())
    }

    /// Closes the connection.
    ///
    /// # Errors
    /// When it was lost.
    pub async fn close(self) -> Result<(), Fault> {
        let fault = self.fault("");
        self.client.close().await.map_err(|error| Fault { what: error.to_string(), ..fault })
    }
}
