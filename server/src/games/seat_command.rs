//! A player's command in the rules' terms, made of a client's message.
//!
//! Deliberately absent: whether a move is legal, which depends on the position that it is about.

use zeitnot_protocol::{ClientMessage, CommandId, GameId};
use zeitnot_rules::board::Move;
use zeitnot_rules::game::{AbsenceWish, Command, Micros};

/// A command from one of the players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatCommand {
    /// The client's own name for it.
    pub id: Option<CommandId>,
    /// What is asked for. Its moves are as the client wrote them: `Game::decide` knows both
    /// spellings of castling.
    pub command: Command,
}

impl SeatCommand {
    /// The game and the command in a client's message; `None` when the message is no command of a
    /// player.
    #[must_use]
    pub fn of(message: &ClientMessage) -> Option<(GameId, Self)> {
        let (game, id, command) = match message {
            ClientMessage::Move(m) => (m.game, m.id, Command::PlayMove { on: m.on, mv: m.uci.into() }),
            ClientMessage::ClaimDraw(m) => {
                (m.game, m.id, Command::ClaimDraw { on: m.on, intended: m.uci.map(Move::from) })
            }
            ClientMessage::Resign(m) => (m.game, m.id, Command::Resign),
            ClientMessage::OfferDraw(m) => (m.game, m.id, Command::OfferDraw),
            ClientMessage::Abort(m) => (m.game, m.id, Command::Abort),
            ClientMessage::OfferTakeback(m) => (m.game, m.id, Command::OfferTakeback),
            ClientMessage::AskIlc(m) => (m.game, m.id, Command::AskIlc),
            ClientMessage::AcceptDraw(m) => (m.game, m.id, Command::AcceptDraw { offer: m.offer }),
            ClientMessage::DeclineDraw(m) => (m.game, m.id, Command::DeclineDraw { offer: m.offer }),
            ClientMessage::AcceptTakeback(m) => (m.game, m.id, Command::AcceptTakeback { offer: m.offer }),
            ClientMessage::DeclineTakeback(m) => (m.game, m.id, Command::DeclineTakeback { offer: m.offer }),
            ClientMessage::ClaimAbsence(m) => {
                let wish = AbsenceWish::from(m.result);
                (m.game, m.id, Command::ClaimAbsence { wish })
            }
            ClientMessage::GiveTime(m) => {
                let amount = Micros::from_millis(u64::from(m.ms));
                (m.game, m.id, Command::GiveTime { amount })
            }
            ClientMessage::Hello(_)
            | ClientMessage::Watch(_)
            | ClientMessage::Unwatch(_)
            | ClientMessage::History(_)
            | ClientMessage::CreateChallenge(_)
            | ClientMessage::AcceptChallenge(_)
            | ClientMessage::CancelChallenge(_)
            | ClientMessage::DeclineChallenge(_)
            | ClientMessage::OfferRematch(_)
            | ClientMessage::SetName(_)
            | ClientMessage::EnterLobby(_)
            | ClientMessage::LeaveLobby(_)
            | ClientMessage::JoinPool(_)
            | ClientMessage::LeavePool(_)
            | ClientMessage::Say(_)
            | ClientMessage::Ping(_) => return None,
        };
        Some((game, Self { id, command }))
    }
}
