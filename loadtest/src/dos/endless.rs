//! Games that go on as long as the server lets them: two guests each, who move as fast as they are answered.
//!
//! A game that ends is followed by the next one. The server may end it while the next move is on its way to it; that
//! move is answered with `game_over`. Invariant: no move is illegal, so any other rejection is an error.

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
    /// Whether the last move is not answered yet.
    in_flight: bool,
    is_over: bool,
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
            let mut game = Game { id, sockets, made: 0, in_flight: false, is_over: false };
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
            let was_in_flight = game.in_flight;
            game.read(scratch)?;
            let is_accepted = was_in_flight && !game.in_flight && !game.is_over;
            self.accepted += u64::from(is_accepted);
            game.made += usize::from(is_accepted);
            if !game.in_flight && (game.is_over || game.made == self.moves.len()) {
                game.begin_again()?;
            }
            if !game.in_flight {
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

    /// Notes what came: the answer to the move in flight, and the end.
    fn read(&mut self, scratch: &mut [u8]) -> Result<()> {
        let mover = self.made % 2;
        let (id, mut rejection) = (self.id.to_string(), None);
        let of_this_game = |text: &[u8]| text.windows(id.len()).any(|part| part == id.as_bytes());
        for (side, socket) in self.sockets.iter_mut().enumerate() {
            socket.read_ready(scratch, |text| {
                self.is_over |= text.starts_with(br#"{"t":"ended""#) && of_this_game(text);
                if text.starts_with(br#"{"t":"rejected""#) {
                    rejection = Some(String::from_utf8_lossy(text).into_owned());
                    self.in_flight = false;
                } else if side == mover && text.starts_with(br#"{"t":"ok""#) {
                    self.in_flight = false;
                }
            })?;
        }
        let Some(rejection) = rejection else { return Ok(()) };
        if !rejection.contains(r#""code":"game_over""#) {
            bail!("an endless game was rejected: {rejection}");
        }
        self.is_over = true;
        Ok(())
    }

    fn play(&mut self, moves: &[String]) -> Result<()> {
        let on = u32::try_from(self.made + 1)?;
        let uci = moves[self.made].parse()?;
        let message = ClientMessage::Move(PlayMove { game: self.id, on, uci, id: None }).to_text();
        self.in_flight = true;
        Ok(self.sockets[self.made % 2].write(&client_frame(Opcode::Text, message.as_bytes()))?)
    }

    fn begin_again(&mut self) -> Result<()> {
        self.set_nonblocking(false)?;
        let [white, black] = &mut self.sockets;
        if !self.is_over {
            player::end_game(white, black, self.id)?;
        }
        self.id = player::start_game(white, black)?;
        (self.made, self.is_over) = (0, false);
        self.set_nonblocking(true)
    }
}
