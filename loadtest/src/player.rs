//! A player or spectator of our protocol over a raw socket: connects, identifies itself, starts and
//! ends games.
//!
//! Every call blocks until the server has answered. Not for a measured path.

use anyhow::{Context, Result, anyhow, bail};
use zeitnot_protocol::{
    ChallengeCommand, ClientMessage, CreateChallenge, GameCommand, GameId, Hello, Period, SUBPROTOCOL,
    ServerMessage, TimeControl, Watch, Welcome, WireColor, decode_server,
};

use crate::endpoint::Endpoint;
use crate::wire::{Received, Socket, SocketError};

/// The base time of a measured game: long enough that no flag falls while games are idle.
const BASE_MS: u32 = 1_800_000;

/// Opens a connection and sends `hello`: as a new guest, or only to watch.
pub(crate) fn connect(endpoint: &Endpoint, index: usize, guest: bool) -> Result<Socket> {
    connect_as(endpoint, index, Hello { guest, token: None }).map(|(socket, _)| socket)
}

/// Opens a connection and sends this `hello`. Returns the `welcome` too.
pub(crate) fn connect_as(endpoint: &Endpoint, index: usize, hello: Hello) -> Result<(Socket, Welcome)> {
    let mut socket =
        Socket::open(endpoint, index, Some(SUBPROTOCOL)).with_context(|| format!("socket {index}"))?;
    send(&mut socket, &ClientMessage::Hello(hello))?;
    match receive(&mut socket, |message| matches!(message, ServerMessage::Welcome(_)))? {
        ServerMessage::Welcome(welcome) => Ok((socket, welcome)),
        other => Err(anyhow!("hello was answered with {}", other.to_text())),
    }
}

pub(crate) fn send(socket: &mut Socket, message: &ClientMessage) -> Result<()> {
    Ok(socket.send(&message.to_text())?)
}

/// The next message that is wanted; others are skipped, but `rejected` is an error.
pub(crate) fn receive(socket: &mut Socket, wanted: impl Fn(&ServerMessage) -> bool) -> Result<ServerMessage> {
    loop {
        let text = match socket.receive()? {
            Received::Text(text) => text,
            Received::Close(code, reason) => return Err(SocketError::Closed { code, reason }.into()),
            Received::Gone => return Err(SocketError::Gone.into()),
        };
        let message = decode_server(&text).map_err(|error| anyhow!("cannot read {text}: {error}"))?;
        if wanted(&message) {
            return Ok(message);
        }
        if let ServerMessage::Rejected(answer) = message {
            bail!("the server rejected a command: {}, {}", answer.code, answer.message);
        }
    }
}

/// The challenge to a measured game: half an hour each, `fide_online`, standard chess.
pub(crate) fn challenge(color: WireColor) -> CreateChallenge {
    let period = Period { base_ms: BASE_MS, increment_ms: Some(2_000), ..Period::default() };
    let time_control = TimeControl::Clock { periods: vec![period], black_periods: None };
    CreateChallenge { color: Some(color), ..CreateChallenge::with(time_control) }
}

/// Starts a game and waits until White has the turn and Black has joined.
pub(crate) fn start_game(white: &mut Socket, black: &mut Socket) -> Result<GameId> {
    send(white, &ClientMessage::CreateChallenge(challenge(WireColor::White)))?;
    let ServerMessage::Challenge(made) =
        receive(white, |message| matches!(message, ServerMessage::Challenge(_)))?
    else {
        bail!("create_challenge was not answered with challenge");
    };
    send(black, &ClientMessage::AcceptChallenge(ChallengeCommand { challenge: made.challenge, id: None }))?;
    let ServerMessage::Ok(ok) = receive(black, |message| matches!(message, ServerMessage::Ok(_)))? else {
        bail!("accept_challenge was not answered with ok");
    };
    let game = ok.game.context("the ok to accept_challenge names no game")?;
    receive(white, |message| matches!(message, ServerMessage::Turn(turn) if turn.game == game))?;
    Ok(game)
}

/// Resigns for White and waits until both sides were told of the end.
pub(crate) fn end_game(white: &mut Socket, black: &mut Socket, game: GameId) -> Result<()> {
    send(white, &ClientMessage::Resign(GameCommand { game, id: None }))?;
    for socket in [white, black] {
        receive(socket, |message| matches!(message, ServerMessage::Ended(ended) if ended.game == game))?;
    }
    Ok(())
}

/// Watches a game and waits for its snapshot.
pub(crate) fn watch(socket: &mut Socket, game: GameId) -> Result<()> {
    send(socket, &ClientMessage::Watch(Watch { game, after: None, id: None }))?;
    receive(socket, |message| matches!(message, ServerMessage::Snapshot(_)))?;
    Ok(())
}
