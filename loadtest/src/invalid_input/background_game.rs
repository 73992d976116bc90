//! A game of two well-behaved players in the background: every move is answered, every event
//! arrives in order.

use anyhow::{Context, Result, ensure};
use zeitnot_protocol::{ClientMessage, GameId, MoveEvent, PlayMove, ServerMessage};

use crate::endpoint::Endpoint;
use crate::wire::Socket;
use crate::{long_game, player};

const SEED: u64 = 7;
const PLIES: usize = 6_000;

/// The players' source address differs from that of the senders.
const FIRST_INDEX: usize = 90_000;

/// The game and its moves.
#[derive(Debug)]
pub(super) struct BackgroundGame {
    players: [Socket; 2],
    game: GameId,
    moves: Vec<String>,
    made: usize,
}

impl BackgroundGame {
    pub(super) fn start(endpoint: &Endpoint) -> Result<Self> {
        let mut white = player::connect(endpoint, FIRST_INDEX, true)?;
        let mut black = player::connect(endpoint, FIRST_INDEX + 1, true)?;
        let game = player::start_game(&mut white, &mut black)?;
        Ok(Self { players: [white, black], game, moves: long_game::moves(SEED, PLIES), made: 0 })
    }

    pub(super) fn moves(&self) -> usize {
        self.made
    }

    /// Plays the next move. The mover must receive its event and `ok`, the opponent its event and
    /// `turn`, with the numbers that follow from the moves alone.
    pub(super) fn advance(&mut self) -> Result<()> {
        let text = self.moves.get(self.made).context("it has no moves left: use a smaller --count")?;
        let uci = text.parse().context("a move in UCI")?;
        let on = u32::try_from(self.made + 1).context("too many moves")?;
        let mover = self.made % 2;
        let game = self.game;
        let [white, black] = &mut self.players;
        let (mover, other) = if mover == 0 { (white, black) } else { (black, white) };
        player::send(mover, &ClientMessage::Move(PlayMove { game, on, uci, id: None }))?;
        expect_move(mover, on + 1, text)?;
        player::receive(mover, |message| matches!(message, ServerMessage::Ok(ok) if ok.seq == Some(on + 1)))?;
        expect_move(other, on + 1, text)?;
        player::receive(other, |message| matches!(message, ServerMessage::Turn(turn) if turn.on == on + 1))?;
        self.made += 1;
        Ok(())
    }
}

fn expect_move(socket: &mut Socket, seq: u32, uci: &str) -> Result<()> {
    let received = player::receive(socket, |message| matches!(message, ServerMessage::Move(_)))?;
    let ServerMessage::Move(MoveEvent { seq: number, uci: played, .. }) = received else {
        unreachable!("only a move was wanted")
    };
    ensure!(
        number == seq && played.as_str() == uci,
        "expected event {seq} {uci}, received {number} {played}"
    );
    Ok(())
}
