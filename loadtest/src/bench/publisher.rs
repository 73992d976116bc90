//! Publishes the events that spectators receive, wave by wave: as two of our players in one or more
//! long games, or as the reference's publisher.
//!
//! The reference's publisher sends the frames that our players received in an earlier round, byte
//! for byte, over and over. Invariant: a wave holds one event of each game, all with the same
//! number.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use zeitnot_protocol::GameId;

use super::closed_loop::shown;
use super::comparison::Side;
use crate::endpoint::Endpoint;
use crate::player;
use crate::wire::{Opcode, Poll, Socket, client_frame_into, connect_all};

/// The numbers of the publisher's sockets follow those of the spectators.
const FIRST_INDEX: usize = 100_000;

/// The frames of an earlier round of our server, and the games that they belong to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waves {
    games: Vec<GameId>,
    frames: Vec<Vec<Vec<u8>>>,
}

/// Publishes one wave after another.
pub(crate) struct Publisher<'p> {
    /// Our two players, or the reference's one publisher.
    sockets: Vec<Socket>,
    games: Vec<GameId>,
    /// Waves published.
    published: usize,
    source: Source<'p>,
}

enum Source<'p> {
    /// Moves on our server, the same in every game.
    Players {
        moves: &'p [String],
        /// In how many games the next player has the turn.
        turns: usize,
        /// The frames that White received, by wave.
        received: Vec<Vec<Vec<u8>>>,
        keep: &'p mut Waves,
    },
    /// Frames to publish at the reference.
    Frames(&'p [Vec<Vec<u8>>]),
}

impl<'p> Publisher<'p> {
    /// Connects a publisher of waves of `events` events. Our first round fills `waves`, which the
    /// reference publishes.
    pub(crate) fn open(
        side: Side,
        endpoint: &Endpoint,
        moves: &'p [String],
        events: usize,
        waves: &'p mut Waves,
    ) -> Result<Self> {
        let (mut sockets, games, source) = match side {
            Side::Ours => {
                let mut white = player::connect(endpoint, FIRST_INDEX, true)?;
                let mut black = player::connect(endpoint, FIRST_INDEX + 1, true)?;
                let games: Vec<GameId> =
                    (0..events).map(|_| player::start_game(&mut white, &mut black)).collect::<Result<_>>()?;
                let source = Source::Players { moves, turns: events, received: Vec::new(), keep: waves };
                (vec![white, black], games, source)
            }
            Side::Reference => {
                ensure!(
                    !waves.frames.is_empty(),
                    "our server must be measured first: its frames are published"
                );
                let socket = Socket::open(endpoint, FIRST_INDEX, None)?;
                (vec![socket], waves.games.clone(), Source::Frames(&waves.frames))
            }
        };
        for socket in &mut sockets {
            socket.forget_waiting();
            socket.set_nonblocking(true)?;
        }
        let mut publisher = Self { sockets, games, published: 0, source };
        if side == Side::Ours {
            publisher.play_first_moves()?;
        }
        Ok(publisher)
    }

    /// Plays the first move of each side, so that no first move is late however long the spectators
    /// take to connect.
    fn play_first_moves(&mut self) -> Result<()> {
        let (mut poll, mut scratch) = (Poll::new()?, vec![0; 64 * 1024]);
        for (token, socket) in self.sockets.iter().enumerate() {
            poll.add(socket, token)?;
        }
        for _ in 0..2 {
            self.publish()?;
            while !self.is_ready() {
                let ready = poll.wait(Duration::from_secs(15))?;
                ensure!(!ready.is_empty(), "the first moves have not been answered for 15 s");
                for &token in ready {
                    self.receive(token, &mut scratch)?;
                }
            }
        }
        Ok(())
    }

    /// Opens other connections, while those of the publisher are kept alive.
    pub(crate) fn connect_others(
        &mut self,
        connections: impl IntoIterator<Item = Result<Socket>>,
    ) -> Result<Vec<Socket>> {
        let own = std::mem::take(&mut self.sockets);
        let count = own.len();
        let mut all = connect_all(own, connections)?;
        let others = all.split_off(count);
        self.sockets = all;
        Ok(others)
    }

    pub(crate) fn sockets(&self) -> &[Socket] {
        &self.sockets
    }

    /// The games whose events make a wave.
    pub(crate) fn games(&self) -> &[GameId] {
        &self.games
    }

    /// Whether all moves are made.
    pub(crate) fn is_exhausted(&self) -> bool {
        match &self.source {
            Source::Players { moves, .. } => self.published == moves.len(),
            Source::Frames(_) => false,
        }
    }

    /// Whether the next wave may be published.
    pub(crate) fn is_ready(&self) -> bool {
        match &self.source {
            Source::Players { turns, .. } => *turns == self.games.len(),
            Source::Frames(_) => true,
        }
    }

    /// Publishes the next wave in one write; returns its number of events.
    pub(crate) fn publish(&mut self) -> Result<usize> {
        let wave = self.published;
        let mut bytes = Vec::new();
        let socket = match &mut self.source {
            Source::Players { moves, turns, received, .. } => {
                let uci = moves.get(wave).context("the game has no moves left")?;
                for game in &self.games {
                    let text =
                        format!(r#"{{"t":"move","d":{{"game":"{game}","on":{},"uci":"{uci}"}}}}"#, wave + 1);
                    client_frame_into(Opcode::Text, text.as_bytes(), &mut bytes);
                }
                *turns = 0;
                received.push(Vec::with_capacity(self.games.len()));
                wave % 2
            }
            Source::Frames(frames) => {
                for frame in &frames[wave % frames.len()] {
                    let text = [b"PUB:", frame.as_slice()].concat();
                    client_frame_into(Opcode::Text, &text, &mut bytes);
                }
                0
            }
        };
        self.published += 1;
        self.sockets[socket].write(&bytes)?;
        Ok(self.games.len())
    }

    /// Reads one of the publisher's own sockets.
    pub(crate) fn receive(&mut self, socket: usize, scratch: &mut [u8]) -> Result<()> {
        let mut rejection = None;
        let source = &mut self.source;
        self.sockets[socket].read_ready(scratch, |text| {
            let Source::Players { turns, received, .. } = source else { return };
            if text.starts_with(br#"{"t":"turn""#) {
                *turns += 1;
            } else if let Some((_, seq)) = event(text).filter(|_| socket == 0) {
                if let Some(wave) = seq.checked_sub(2).and_then(|wave| received.get_mut(wave)) {
                    wave.push(text.to_vec());
                }
            } else if text.starts_with(br#"{"t":"rejected""#) || text.starts_with(br#"{"t":"ended""#) {
                rejection = Some(shown(text));
            }
        })?;
        ensure!(rejection.is_none(), "a player received {}", rejection.unwrap_or_default());
        Ok(())
    }

    /// The index of the game whose event this frame is, or `None` when it is no event. The event
    /// must be one of the current wave.
    pub(crate) fn event_of_wave(&self, text: &[u8]) -> Result<Option<usize>> {
        let Some((game, seq)) = event(text) else { return Ok(None) };
        let waves = match &self.source {
            Source::Players { .. } => usize::MAX,
            Source::Frames(frames) => frames.len(),
        };
        // `started` is event 1, so wave 0 makes event 2.
        let due = self.published.checked_sub(1).map(|wave| wave % waves + 2);
        if due != Some(seq) {
            bail!("expected event {due:?}, received {}", shown(text));
        }
        let place = self.games.iter().position(|id| id.as_str().as_bytes() == game);
        place.map(Some).with_context(|| format!("an event of a game that nobody watches: {}", shown(text)))
    }
}

impl Drop for Publisher<'_> {
    fn drop(&mut self) {
        if let Source::Players { received, keep, .. } = &mut self.source
            && keep.frames.is_empty()
        {
            let games = std::mem::take(&mut self.games);
            // The last wave may not have been received completely.
            let whole = received.drain(..).take_while(|wave| wave.len() == games.len()).collect();
            **keep = Waves { games, frames: whole };
        }
    }
}

/// The game and the `seq` of a `move` frame.
fn event(text: &[u8]) -> Option<(&[u8], usize)> {
    let rest = text.strip_prefix(br#"{"t":"move","d":{"game":""#)?;
    let (game, rest) = rest.split_at_checked(12)?;
    let rest = rest.strip_prefix(br#"","seq":"#)?;
    let digits = &rest[..rest.iter().position(|byte| !byte.is_ascii_digit())?];
    Some((game, std::str::from_utf8(digits).ok()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_and_seq_of_a_frame_are_found() {
        let frame = br#"{"t":"move","d":{"game":"AbCdEfGh0123","seq":417,"ply":416}}"#;
        assert_eq!(event(frame), Some((b"AbCdEfGh0123".as_slice(), 417)));
        assert_eq!(event(br#"{"t":"turn","d":{"game":"AbCdEfGh0123","on":417}}"#), None);
        assert_eq!(event(br#"{"t":"move","d":{"game":"AbCdEfGh0123","seq":"#), None);
        assert_eq!(event(br#"{"t":"move","d":{"game":"AbC"#), None);
    }
}
