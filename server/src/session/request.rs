//! What a client's message asks, and of which part of the server: decided once, when it was decoded.
//!
//! Deliberately absent: whether this connection may ask it (`machine`), and the answer (`effects`).

use zeitnot_protocol::{
    ClientMessage, GameId, GameRef, Hello, HistoryRequest, LobbyCommand, Ping, Say, Watch,
};
use zeitnot_rules::board::Move;
use zeitnot_rules::game::{AbsenceWish, Command, Micros};

use crate::games::SeatCommand;
use crate::lobby::LobbyRequest;

/// A message by who answers it.
#[derive(Debug)]
pub(crate) enum Message {
    /// The machine, with `pong`.
    Ping(Ping),
    /// The machine, which then knows who this is.
    Hello(Hello),
    /// Another part of the server.
    Request(Request),
}

/// What the server is asked for.
#[derive(Debug)]
pub(crate) enum Request {
    /// About a game.
    Game(GameRequest),
    /// A line for a chat.
    Chat(Say),
    /// To begin or to stop showing the lobby.
    LobbyView(LobbyViewRequest),
    /// A command of an account that is about no game.
    Lobby(LobbyRequest),
}

/// About a game.
#[derive(Debug)]
pub(crate) enum GameRequest {
    Watch(Watch),
    Unwatch(GameRef),
    History(HistoryRequest),
    /// A player's command.
    Command(GameId, SeatCommand),
}

/// About what a session shows of the lobby.
#[derive(Debug)]
pub(crate) enum LobbyViewRequest {
    Enter(LobbyCommand),
    Leave(LobbyCommand),
}

impl From<ClientMessage> for Message {
    fn from(message: ClientMessage) -> Self {
        let lobby = |request| Self::Request(Request::Lobby(request));
        let view = |request| Self::Request(Request::LobbyView(request));
        let game = |request| Self::Request(Request::Game(request));
        let command = |game, id, command| {
            Self::Request(Request::Game(GameRequest::Command(game, SeatCommand { id, command })))
        };
        match message {
            ClientMessage::Ping(ping) => Self::Ping(ping),
            ClientMessage::Hello(hello) => Self::Hello(hello),
            ClientMessage::Say(say) => Self::Request(Request::Chat(say)),

            ClientMessage::Watch(watch) => game(GameRequest::Watch(watch)),
            ClientMessage::Unwatch(unwatch) => game(GameRequest::Unwatch(unwatch)),
            ClientMessage::History(history) => game(GameRequest::History(history)),

            ClientMessage::EnterLobby(wanted) => view(LobbyViewRequest::Enter(wanted)),
            ClientMessage::LeaveLobby(wanted) => view(LobbyViewRequest::Leave(wanted)),

            ClientMessage::CreateChallenge(wanted) => lobby(LobbyRequest::Create(wanted)),
            ClientMessage::AcceptChallenge(wanted) => lobby(LobbyRequest::Accept(wanted)),
            ClientMessage::CancelChallenge(wanted) => lobby(LobbyRequest::Cancel(wanted)),
            ClientMessage::DeclineChallenge(wanted) => lobby(LobbyRequest::Decline(wanted)),
            ClientMessage::OfferRematch(wanted) => lobby(LobbyRequest::OfferRematch(wanted)),
            ClientMessage::JoinPool(wanted) => lobby(LobbyRequest::JoinPool(wanted)),
            ClientMessage::LeavePool(wanted) => lobby(LobbyRequest::LeavePool(wanted)),
            ClientMessage::SetName(wanted) => lobby(LobbyRequest::SetName(wanted)),

            ClientMessage::Move(m) => command(m.game, m.id, Command::PlayMove { on: m.on, mv: m.uci.into() }),
            ClientMessage::ClaimDraw(m) => {
                command(m.game, m.id, Command::ClaimDraw { on: m.on, intended: m.uci.map(Move::from) })
            }
            ClientMessage::Resign(m) => command(m.game, m.id, Command::Resign),
            ClientMessage::OfferDraw(m) => command(m.game, m.id, Command::OfferDraw),
            ClientMessage::AcceptDraw(m) => command(m.game, m.id, Command::AcceptDraw { offer: m.offer }),
            ClientMessage::DeclineDraw(m) => command(m.game, m.id, Command::DeclineDraw { offer: m.offer }),
            ClientMessage::Abort(m) => command(m.game, m.id, Command::Abort),
            ClientMessage::OfferTakeback(m) => command(m.game, m.id, Command::OfferTakeback),
            ClientMessage::AcceptTakeback(m) => {
                command(m.game, m.id, Command::AcceptTakeback { offer: m.offer })
            }
            ClientMessage::DeclineTakeback(m) => {
                command(m.game, m.id, Command::DeclineTakeback { offer: m.offer })
            }
            ClientMessage::AskIlc(m) => command(m.game, m.id, Command::AskIlc),
            ClientMessage::ClaimAbsence(m) => {
                command(m.game, m.id, Command::ClaimAbsence { wish: AbsenceWish::from(m.result) })
            }
            ClientMessage::GiveTime(m) => {
                let amount = Micros::from_millis(u64::from(m.ms));
                command(m.game, m.id, Command::GiveTime { amount })
            }
        }
    }
}
