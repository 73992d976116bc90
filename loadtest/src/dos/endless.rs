//! Games that go on as long as the server lets them: two guests each, who move as fast as they are answered.
//!
//! A game that ends is followed by the next one. Invariant: no move is illegal, so a rejection is an error.

use anyhow::{Result, bail};
use zeitnot_protocol::{ClientMessage, GameId, PlayMove};

use crate::endpoint::Endpoint;
use crate::player;
use crate::wire::{Opcode, Socket, client_frame};

/// The number of the first socket: its address differs from those of other attackers and of players.
const FIRST_INDEX: usize = 400_000;
/// The next socket with another address.
const NEXT_INDEX: usize = 8_000;

/// The games, in their order.
pub(super) struct Endless<'s> {
    moves: &'s [String],
    games: Vec<Game>,
    /// Moves that were accepted, in all games.
    pub(super) accepted: u64,
}

struct Game {
    id: GameId,
    sockets: [Socket; 2],
    made: usize,
}

impl<'s> Endless<'s> {
    /// Starts so many games, each from an address of its own, with the first move on its way.
    pub(super) fn begin(endpoint: &Endpoint, count: usize, moves: &'s [String]) -> Result<Self> {
        let mut games = Vec::with_capacity(count);
        for number in 0..count {
            let index = FIRST_INDEX + number * NEXT_INDEX;
            let connect = |side| player::connect(endpoint, index + side, true);
            let mut sockets = [connect(0)?, connect(1)?];
            let [white, black] = &mut sockets;
            let id = player::start_game(white, black)?;
            let mut game = Game { id, sockets, made: 0 };
            game.set_nonblocking(true)?;
            game.play(moves)?;
            games.push(game);
        }
        Ok(Self { moves, games, accepted: 0 })
    }

    pub(super) fn ids(&self) -> Vec<GameId> {
        self.games.iter().map(|game| game.id).collect()
    }

    /// Reads what came, and answers each accepted move with the next one.
    pub(super) fn turn(&mut self, scratch: &mut [u8]) -> Result<()> {
        for game in &mut self.games {
            let mover = game.made % 2;
            let (mut is_accepted, mut is_over, mut rejection) = (false, false, None);
            for (side, socket) in game.sockets.iter_mut().enumerate() {
                socket.read_ready(scratch, |text| {
                    is_accepted |= side == mover && text.starts_with(br#"{"t":"ok""#);
                    is_over |= text.starts_with(br#"{"t":"ended""#);
                    if text.starts_with(br#"{"t":"rejected""#) {
                        rejection = Some(String::from_utf8_lossy(text).into_owned());
                    }
                })?;
            }
            if let Some(rejection) = rejection.filter(|_| !is_over) {
                bail!("an endless game was rejected: {rejection}");
            }
            if is_over || game.made + 1 == self.moves.len() {
                game.begin_again(is_over)?;
                game.play(self.moves)?;
            } else if is_accepted {
                self.accepted += 1;
                game.made += 1;
                game.play(self.moves)?;
            }
        }
        Ok(())
    }
}

impl Game {
    fn set_nonblocking(&self, nonblocking: bool) -> Result<()> {
        Ok(self.sockets.iter().try_for_each(|socket| socket.set_nonblocking(nonblocking))?)
    }

    fn play(&mut self, moves: &[String]) -> Result<()> {
        let on = u32::try_from(self.made + 1)?;
        let uci = moves[self.made].parse()?;
        let message = ClientMessage::Move(PlayMove { game: self.id, on, uci, id: None }).to_text();
        Ok(self.sockets[self.made % 2].write(&client_frame(Opcode::Text, message.as_bytes()))?)
    }

    fn begin_again(&mut self, is_over: bool) -> Result<()> {
        self.set_nonblocking(false)?;
        let [white, black] = &mut self.sockets;
        if !is_over {
            player::end_game(white, black, self.id)?;
        }
        self.id = player::start_game(white, black)?;
        self.made = 0;
        self.set_nonblocking(true)
    }
}
