//! Many games in a closed loop: the next move of a game is sent when both players have received all
//! that follows from the last one. One thread, one epoll, hand-written frames.
//!
//! Games can be started and played in parts, because a first move must not come too late.
//!
//! There are two dialects: our protocol, and the small one of the reference `chess_server`.
//! Invariant: [`ClosedLoop::play`] returns only when all its moves were accepted, each answered
//! with exactly the frames of its dialect.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use zeitnot_protocol::GameId;

use crate::stopwatch::Stopwatch;
use crate::wire::{Opcode, Poll, Socket, client_frame_into};

/// The protocol of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// Ours.
    Zeitnot,
    /// `{"t":"move","u":"e2e4"}`, answered to both with a `move`.
    Tiny,
}

impl Dialect {
    /// How many frames follow from a move, to both sockets together. Ours are `move` and `ok` to
    /// the mover, `move` and `turn` to the opponent.
    const fn frames_per_move(self) -> u8 {
        match self {
            Self::Zeitnot => 4,
            Self::Tiny => 2,
        }
    }

    /// Whether a frame is one that follows from a move.
    fn counts(self, text: &[u8]) -> Result<bool> {
        const TYPE: &[u8] = br#"{"t":""#;
        let Some(kind) = text.strip_prefix(TYPE) else { bail!("a frame without a type: {}", shown(text)) };
        let is = |name: &str| kind.starts_with(name.as_bytes()) && kind.get(name.len()) == Some(&b'"');
        if is("move") {
            return Ok(true);
        }
        match self {
            Self::Zeitnot if is("ok") || is("turn") => Ok(true),
            Self::Zeitnot if is("rejected") || is("ended") => {
                bail!("unexpected message: {}", shown(text))
            }
            Self::Tiny if is("err") => bail!("the reference rejected a move: {}", shown(text)),
            Self::Zeitnot | Self::Tiny => Ok(false),
        }
    }
}

/// The beginning of a frame, for error messages.
pub(crate) fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(300)]).into_owned()
}

/// One game.
#[derive(Debug)]
pub(crate) struct Game<'g> {
    /// The indexes of White's and Black's sockets.
    pub(crate) sockets: [usize; 2],
    /// Its id, in our dialect.
    pub(crate) id: Option<GameId>,
    moves: &'g [String],
    ply: usize,
    /// Frames of the last move that were not received yet.
    missing: u8,
}

impl<'g> Game<'g> {
    pub(crate) fn new(sockets: [usize; 2], id: Option<GameId>, moves: &'g [String]) -> Self {
        Self { sockets, id, moves, ply: 0, missing: 0 }
    }
}

/// All games and their sockets.
pub(crate) struct ClosedLoop<'g> {
    dialect: Dialect,
    pub(crate) sockets: Vec<Socket>,
    pub(crate) games: Vec<Game<'g>>,
    /// The games of each socket.
    of_socket: Vec<Vec<usize>>,
    poll: Poll,
    scratch: Vec<u8>,
    frame: Vec<u8>,
    text: Vec<u8>,
}

impl<'g> ClosedLoop<'g> {
    /// With these sockets, and no games yet.
    pub(crate) fn new(dialect: Dialect, sockets: Vec<Socket>) -> Result<Self> {
        let poll = Poll::new()?;
        for (token, socket) in sockets.iter().enumerate() {
            poll.add(socket, token)?;
        }
        let of_socket = vec![Vec::new(); sockets.len()];
        let scratch = vec![0; 64 * 1024];
        Ok(Self {
            dialect,
            sockets,
            games: Vec::new(),
            of_socket,
            poll,
            scratch,
            frame: Vec::new(),
            text: Vec::new(),
        })
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, game: Game<'g>) {
        for socket in game.sockets {
            self.of_socket[socket].push(self.games.len());
        }
        self.games.push(game);
    }

    /// Removes all games.
    pub(crate) fn clear(&mut self) {
        self.of_socket.iter_mut().for_each(Vec::clear);
        self.games.clear();
    }

    /// Makes all sockets nonblocking, or blocking.
    pub(crate) fn set_nonblocking(&mut self, nonblocking: bool) -> Result<()> {
        for socket in &mut self.sockets {
            socket.forget_waiting();
            socket.set_nonblocking(nonblocking)?;
        }
        Ok(())
    }

    /// Plays the games from number `first` on up to ply `last` and returns the number of moves. No
    /// other game may have a move in flight.
    pub(crate) fn play(&mut self, first: usize, last: usize) -> Result<u64> {
        let (mut playing, mut moves) = (0, 0);
        for game in first..self.games.len() {
            let missing = last.saturating_sub(self.games[game].ply);
            if missing > 0 {
                self.send_move(game)?;
                playing += 1;
                moves += missing as u64;
            }
        }
        let mut due = Vec::new();
        while playing > 0 {
            self.read(&mut due)?;
            for game in due.drain(..) {
                if self.games[game].ply == last {
                    playing -= 1;
                } else {
                    self.send_move(game)?;
                }
            }
        }
        Ok(moves)
    }

    /// Reads what was received. Games whose last move is complete are added to `due`.
    fn read(&mut self, due: &mut Vec<usize>) -> Result<()> {
        let ready = self.poll.wait(Duration::from_secs(15))?;
        ensure!(!ready.is_empty(), "the server has not answered for 15 s");
        for &token in ready {
            let (games, of_socket, dialect) = (&mut self.games, &self.of_socket[token], self.dialect);
            let mut fault = None;
            self.sockets[token].read_ready(&mut self.scratch, |text| {
                if let Err(error) = take(dialect, games, of_socket, text, due) {
                    fault.get_or_insert(error);
                }
            })?;
            fault.map_or(Ok(()), Err)?;
        }
        Ok(())
    }

    /// Answers pings for this time and plays nothing.
    pub(crate) fn rest(&mut self, seconds: f64) -> Result<()> {
        let time = Stopwatch::start();
        while time.seconds() < seconds {
            self.answer_pings(Duration::from_millis(50))?;
        }
        Ok(())
    }

    /// Reads what was received, answers pings and discards the rest. Called between games, so that
    /// no connection is closed while thousands of others are served. A blocking socket does not
    /// block here: it is readable.
    pub(crate) fn answer_pings(&mut self, limit: Duration) -> Result<()> {
        for &token in self.poll.wait(limit)? {
            self.sockets[token].read_ready(&mut self.scratch, |_| {})?;
        }
        Ok(())
    }

    fn send_move(&mut self, game: usize) -> Result<()> {
        let game = &mut self.games[game];
        let uci = &game.moves[game.ply];
        self.text.clear();
        match (self.dialect, game.id) {
            (Dialect::Zeitnot, Some(id)) => {
                self.text.extend_from_slice(br#"{"t":"move","d":{"game":""#);
                self.text.extend_from_slice(id.as_str().as_bytes());
                self.text.extend_from_slice(br#"","on":"#);
                // `started` is event 1 and only moves follow: the position before ply n was made by
                // event n.
                self.text.extend_from_slice((game.ply + 1).to_string().as_bytes());
                self.text.extend_from_slice(br#","uci":""#);
                self.text.extend_from_slice(uci.as_bytes());
                self.text.extend_from_slice(br#""}}"#);
            }
            (Dialect::Zeitnot, None) => bail!("a game has no id"),
            (Dialect::Tiny, _) => {
                self.text.extend_from_slice(br#"{"t":"move","u":""#);
                self.text.extend_from_slice(uci.as_bytes());
                self.text.extend_from_slice(br#""}"#);
            }
        }
        self.frame.clear();
        client_frame_into(Opcode::Text, &self.text, &mut self.frame);
        let mover = game.sockets[game.ply % 2];
        game.ply += 1;
        game.missing = self.dialect.frames_per_move();
        Ok(self.sockets[mover].write(&self.frame)?)
    }
}

/// Counts a frame for its game. When the frame completes a move, the next one is due.
fn take(
    dialect: Dialect,
    games: &mut [Game<'_>],
    of_socket: &[usize],
    text: &[u8],
    due: &mut Vec<usize>,
) -> Result<()> {
    if !dialect.counts(text)? {
        return Ok(());
    }
    let number = match *of_socket {
        [only] => only,
        _ => {
            let id = game_of(text).with_context(|| format!("a frame without a game: {}", shown(text)))?;
            let found = of_socket
                .iter()
                .copied()
                .find(|&number| games[number].id.is_some_and(|known| known.as_str().as_bytes() == id));
            found.with_context(|| format!("a frame of an unknown game: {}", shown(text)))?
        }
    };
    let game = &mut games[number];
    game.missing =
        game.missing.checked_sub(1).ok_or_else(|| anyhow!("one frame too many: {}", shown(text)))?;
    if game.missing == 0 {
        due.push(number);
    }
    Ok(())
}

/// The game's id in a frame of our protocol, which is near its beginning.
pub(super) fn game_of(text: &[u8]) -> Option<&[u8]> {
    const KEY: &[u8] = br#""game":""#;
    let start = text.windows(KEY.len()).take(120).position(|part| part == KEY)? + KEY.len();
    text.get(start..start + 12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_distinguished_by_their_type() {
        let ours = |text: &str| Dialect::Zeitnot.counts(text.as_bytes());
        assert!(ours(r#"{"t":"move","d":{}}"#).unwrap());
        assert!(ours(r#"{"t":"ok","d":{}}"#).unwrap());
        assert!(!ours(r#"{"t":"clock","d":{}}"#).unwrap());
        assert!(!ours(r#"{"t":"moved","d":{}}"#).unwrap());
        assert!(ours(r#"{"t":"rejected","d":{"code":"stale"}}"#).is_err());
        assert!(ours("nonsense").is_err());
        assert!(Dialect::Tiny.counts(br#"{"t":"err"}"#).is_err());
        assert!(!Dialect::Tiny.counts(br#"{"t":"new"}"#).unwrap());
    }

    #[test]
    fn a_frame_counts_for_its_own_game() {
        let ids: Vec<GameId> = ["AAAAAAAAAAAA", "BBBBBBBBBBBB"].map(|id| id.parse().unwrap()).into();
        let moves = vec!["e2e4".to_owned()];
        let mut games: Vec<Game<'_>> = ids.iter().map(|&id| Game::new([0, 1], Some(id), &moves)).collect();
        games[1].missing = 2;
        let frame = br#"{"t":"ok","d":{"id":null,"game":"BBBBBBBBBBBB","seq":2}}"#;
        let mut due = Vec::new();
        take(Dialect::Zeitnot, &mut games, &[0, 1], frame, &mut due).unwrap();
        assert!(due.is_empty());
        take(Dialect::Zeitnot, &mut games, &[0, 1], frame, &mut due).unwrap();
        assert_eq!(due, [1]);
        let error = take(Dialect::Zeitnot, &mut games, &[0, 1], frame, &mut due).unwrap_err();
        assert!(error.to_string().contains("one frame too many"), "{error}");
    }
}
