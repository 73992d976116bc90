//! The answer to a rejected command: what `rejected` repeats of the command, and why.

use zeitnot_protocol::{ClientMessage, Code, CommandId, GameId, Needs, Rejected, ServerMessage};

/// One `rejected`, before it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rejection {
    /// The command's id, if it had one that could be read.
    pub(crate) id: Option<CommandId>,
    /// The game, for a command about one.
    pub(crate) game: Option<GameId>,
    /// Why.
    pub(crate) code: Code,
    /// Why in detail; without it the code's meaning is said.
    pub(crate) message: Option<String>,
}

impl Rejection {
    /// A rejection that says no more than its code.
    pub(crate) const fn plain(id: Option<CommandId>, code: Code) -> Self {
        Self { id, game: None, code, message: None }
    }

    /// A rejection of `message` that says no more than its code.
    pub(crate) fn of(message: &ClientMessage, code: Code) -> Self {
        Self { id: message.id(), game: message.game(), code, message: None }
    }

    /// The rejection of `message` with a token that is not for it.
    pub(crate) fn missing_scope(message: &ClientMessage, needs: Needs) -> Self {
        let text = match needs {
            Needs::Scope(scope) => format!("this needs a token with the scope {scope}"),
            Needs::Session => "this needs a session; no scope is enough".to_owned(),
        };
        Self { message: Some(text), ..Self::of(message, Code::MissingScope) }
    }

    /// The message to the client.
    pub(crate) fn into_message(self) -> ServerMessage {
        let message = self.message.unwrap_or_else(|| self.code.meaning().to_owned());
        ServerMessage::Rejected(Rejected { id: self.id, game: self.game, code: self.code, message })
    }
}
