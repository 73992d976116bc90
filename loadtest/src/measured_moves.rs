//! Moves of long games on a measured path: the frame of the next one, and how many were accepted.
//!
//! Deliberately absent: when a move falls due, and what is timed. Nothing here blocks.
//!
//! Invariant: every move is accepted; `rejected` or the end of a game is an error.

use anyhow::{Context as _, Result, bail};
use zeitnot_protocol::{ClientMessage, GameId, PlayMove};

use crate::wire::{Opcode, Socket, client_frame};

/// The frame of the move after `made` half-moves of a game that is played by `moves`.
pub(crate) fn next_frame(game: GameId, made: usize, moves: &[String]) -> Result<Vec<u8>> {
    let text = moves.get(made).context("the games have no moves left: use fewer --rounds")?;
    let uci = text.parse().context("a move in UCI")?;
    let message = ClientMessage::Move(PlayMove { game, on: u32::try_from(made + 1)?, uci, id: None });
    Ok(client_frame(Opcode::Text, message.to_text().as_bytes()))
}

/// Reads what a player's socket has now: how many `ok` came.
pub(crate) fn read_oks(socket: &mut Socket, scratch: &mut [u8]) -> Result<usize> {
    let (mut oks, mut rejection) = (0, None);
    socket.read_ready(scratch, |text| {
        if text.starts_with(br#"{"t":"ok""#) {
            oks += 1;
        } else if text.starts_with(br#"{"t":"rejected""#) || text.starts_with(br#"{"t":"ended""#) {
            rejection = Some(String::from_utf8_lossy(text).into_owned());
        }
    })?;
    match rejection {
        Some(rejection) => bail!("a player received {rejection}"),
        None => Ok(oks),
    }
}
