//! The id and the game of a client's message, whatever its type.

use crate::{ClientMessage, CommandId, GameId};

impl ClientMessage {
    /// The id that the answer carries, if there is one.
    #[must_use]
    pub fn id(&self) -> Option<CommandId> {
        self.subject().0
    }

    /// The game that it is about, if it is about one.
    #[must_use]
    pub fn game(&self) -> Option<GameId> {
        self.subject().1
    }

    fn subject(&self) -> (Option<CommandId>, Option<GameId>) {
        match self {
            Self::Hello(_) | Self::Ping(_) => (None, None),
            Self::Watch(m) => (m.id, Some(m.game)),
            Self::Unwatch(m) => (None, Some(m.game)),
            Self::History(m) => (m.id, Some(m.game)),
            Self::Move(m) => (m.id, Some(m.game)),
            Self::Resign(m)
            | Self::OfferDraw(m)
            | Self::Abort(m)
            | Self::OfferTakeback(m)
            | Self::AskIlc(m)
            | Self::OfferRematch(m) => (m.id, Some(m.game)),
            Self::AcceptDraw(m)
            | Self::DeclineDraw(m)
            | Self::AcceptTakeback(m)
            | Self::DeclineTakeback(m) => (m.id, Some(m.game)),
            Self::ClaimDraw(m) => (m.id, Some(m.game)),
            Self::ClaimAbsence(m) => (m.id, Some(m.game)),
            Self::GiveTime(m) => (m.id, Some(m.game)),
            Self::Say(m) => (m.id, Some(m.game)),
            Self::CreateChallenge(m) => (m.id, None),
            Self::AcceptChallenge(m) | Self::CancelChallenge(m) => (m.id, None),
            Self::DeclineChallenge(m) => (m.id, None),
            Self::SetName(m) => (m.id, None),
            Self::EnterLobby(m) | Self::LeaveLobby(m) | Self::LeavePool(m) => (m.id, None),
            Self::JoinPool(m) => (m.id, None),
        }
    }
}
