//! Who makes the events that a crowd gets: two players of ours in one long game, or the reference's publisher.
//!
//! The publisher of the reference sends the frames that our players heard in an earlier round, byte for byte.

use anyhow::{Result, ensure};
use zeitnot_protocol::GameId;

use super::contest::Side;
use super::lanes::shown;
use super::seat;
use crate::endpoint::Endpoint;
use crate::wire::{Opcode, Socket, client_frame};

/// Sockets of publishers come after those of the crowd.
const FIRST_INDEX: usize = 100_000;

/// Publishes one event after the other.
pub(crate) struct Publisher<'p> {
    sockets: Vec<Socket>,
    published: usize,
    source: Source<'p>,
}

enum Source<'p> {
    /// Moves of ours; `turn` says whether the next one may be made.
    Players {
        game: GameId,
        moves: &'p [String],
        turn: bool,
        frames: Vec<Vec<u8>>,
        record: &'p mut Vec<Vec<u8>>,
    },
    /// Frames to hand on, over and over.
    Frames(&'p [Vec<u8>]),
}

impl<'p> Publisher<'p> {
    /// Connects the publisher. `frames` are filled by ours when it is dropped, and used by the reference.
    pub(crate) fn open(
        side: Side,
        endpoint: &Endpoint,
        moves: &'p [String],
        frames: &'p mut Vec<Vec<u8>>,
    ) -> Result<Self> {
        let (mut sockets, source) = match side {
            Side::Ours => {
                let mut white = seat::open(endpoint, FIRST_INDEX, true)?;
                let mut black = seat::open(endpoint, FIRST_INDEX + 1, true)?;
                let game = seat::start_game(&mut white, &mut black)?;
                let source = Source::Players { game, moves, turn: true, frames: Vec::new(), record: frames };
                (vec![white, black], source)
            }
            Side::Reference => {
                ensure!(!frames.is_empty(), "our own round must come first: its frames are published");
                (vec![Socket::open(endpoint, FIRST_INDEX, None)?], Source::Frames(frames))
            }
        };
        for socket in &mut sockets {
            socket.forget_waiting();
            socket.set_nonblocking(true)?;
        }
        Ok(Self { sockets, published: 0, source })
    }

    pub(crate) fn sockets(&self) -> &[Socket] {
        &self.sockets
    }

    /// The game to watch, if it is one.
    pub(crate) fn game(&self) -> Option<GameId> {
        match self.source {
            Source::Players { game, .. } => Some(game),
            Source::Frames(_) => None,
        }
    }

    /// Whether all moves are made.
    pub(crate) fn is_exhausted(&self) -> bool {
        match &self.source {
            Source::Players { moves, .. } => self.published == moves.len(),
            Source::Frames(_) => false,
        }
    }

    /// Publishes the next event if it may; says whether it did.
    pub(crate) fn publish(&mut self) -> Result<bool> {
        let (socket, text) = match &mut self.source {
            Source::Players { game, moves, turn, .. } => {
                let Some(uci) = moves.get(self.published).filter(|_| *turn) else { return Ok(false) };
                *turn = false;
                let on = self.published + 1;
                let text = format!(r#"{{"t":"move","d":{{"game":"{game}","on":{on},"uci":"{uci}"}}}}"#);
                (self.published % 2, text.into_bytes())
            }
            Source::Frames(frames) => {
                let mut text = b"PUB:".to_vec();
                text.extend_from_slice(&frames[self.published % frames.len()]);
                (0, text)
            }
        };
        self.published += 1;
        self.sockets[socket].write(&client_frame(Opcode::Text, &text))?;
        Ok(true)
    }

    /// Reads what came to a publisher's own socket: our players learn that it is their turn.
    pub(crate) fn hear(&mut self, socket: usize, scratch: &mut [u8]) -> Result<()> {
        let mut refused = None;
        let source = &mut self.source;
        self.sockets[socket].read_ready(scratch, |text| {
            let Source::Players { turn, frames, .. } = source else { return };
            if text.starts_with(br#"{"t":"turn""#) {
                *turn = true;
            } else if socket == 0 && text.starts_with(br#"{"t":"move""#) {
                frames.push(text.to_vec());
            } else if text.starts_with(br#"{"t":"rejected""#) || text.starts_with(br#"{"t":"ended""#) {
                refused = Some(shown(text));
            }
        })?;
        ensure!(refused.is_none(), "a player got {}", refused.unwrap_or_default());
        Ok(())
    }

    /// Which event a frame is, counted from 0; `None` for other frames. Ours says it itself; the reference's frames
    /// are ours again, in a circle, so only their order within it can be told.
    pub(crate) fn event_number(&self, text: &[u8], due: usize) -> Option<usize> {
        let seq = seq_of(text)?;
        match &self.source {
            Source::Players { .. } => Some(seq - 2),
            Source::Frames(frames) => {
                let place = seq - 2;
                Some(if due % frames.len() == place { due } else { place })
            }
        }
    }
}

impl Drop for Publisher<'_> {
    fn drop(&mut self) {
        if let Source::Players { frames, record, .. } = &mut self.source
            && record.is_empty()
        {
            **record = std::mem::take(frames);
        }
    }
}

/// The `seq` of a `move` frame.
fn seq_of(text: &[u8]) -> Option<usize> {
    const HEAD: &[u8] = br#"{"t":"move","d":{"game":"............","seq":"#;
    let kind = &HEAD[..HEAD.iter().position(|&byte| byte == b'.').expect("there is a place for the id")];
    if !text.starts_with(kind) {
        return None;
    }
    let digits = text.get(HEAD.len()..)?;
    let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(&digits[..end]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seq_is_read_where_it_stands() {
        let frame = br#"{"t":"move","d":{"game":"AbCdEfGh0123","seq":417,"ply":416}}"#;
        assert_eq!(seq_of(frame), Some(417));
        assert_eq!(seq_of(br#"{"t":"turn","d":{"game":"AbCdEfGh0123","on":417}}"#), None);
        assert_eq!(seq_of(br#"{"t":"move","d":{"game":"AbCdEfGh0123","seq":"#), None);
    }
}
