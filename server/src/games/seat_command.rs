//! A player's command as the game takes it: moves still as they were written, because only the game knows the position
//! that they are about.

use zeitnot_protocol::{ClientMessage, CommandId, GameId, Uci};
use zeitnot_rules::game::{AbsenceWish, Command, Micros, Seq};

/// A command from one of the players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatCommand {
    /// The client's own name for it.
    pub id: Option<CommandId>,
    /// What is asked for.
    pub act: Act,
}

/// What a player asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// Plays a move.
    Move {
        /// The event that made the position it is about.
        on: Seq,
        /// As the client wrote it.
        uci: Uci,
    },
    /// Claims a draw.
    ClaimDraw {
        /// The event that made the position it is about.
        on: Seq,
        /// The intended move, as the client wrote it.
        uci: Option<Uci>,
    },
    /// Everything that needs no position to be understood. Never `PlayMove` or `ClaimDraw`.
    Plain(Command),
}

impl SeatCommand {
    /// The game and the command in a client's message; `None` when the message is no command of a player.
    #[must_use]
    pub fn of(message: &ClientMessage) -> Option<(GameId, Self)> {
        let (game, id, act) = match message {
            ClientMessage::Move(m) => (m.game, m.id, Act::Move { on: m.on, uci: m.uci }),
            ClientMessage::ClaimDraw(m) => (m.game, m.id, Act::ClaimDraw { on: m.on, uci: m.uci }),
            ClientMessage::Resign(m) => (m.game, m.id, Act::Plain(Command::Resign)),
            ClientMessage::OfferDraw(m) => (m.game, m.id, Act::Plain(Command::OfferDraw)),
            ClientMessage::Abort(m) => (m.game, m.id, Act::Plain(Command::Abort)),
            ClientMessage::OfferTakeback(m) => (m.game, m.id, Act::Plain(Command::OfferTakeback)),
            ClientMessage::AskIlc(m) => (m.game, m.id, Act::Plain(Command::AskIlc)),
            ClientMessage::AcceptDraw(m) => {
                (m.game, m.id, Act::Plain(Command::AcceptDraw { offer: m.offer }))
            }
            ClientMessage::DeclineDraw(m) => {
                (m.game, m.id, Act::Plain(Command::DeclineDraw { offer: m.offer }))
            }
            ClientMessage::AcceptTakeback(m) => {
                (m.game, m.id, Act::Plain(Command::AcceptTakeback { offer: m.offer }))
            }
            ClientMessage::DeclineTakeback(m) => {
                (m.game, m.id, Act::Plain(Command::DeclineTakeback { offer: m.offer }))
            }
            ClientMessage::ClaimAbsence(m) => {
                let wish = AbsenceWish::from(m.result);
                (m.game, m.id, Act::Plain(Command::ClaimAbsence { wish }))
            }
            ClientMessage::GiveTime(m) => {
                let amount = Micros::from_millis(u64::from(m.ms));
                (m.game, m.id, Act::Plain(Command::GiveTime { amount }))
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
        Some((game, Self { id, act }))
    }
}
