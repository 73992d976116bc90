//! Games whose players keep building hard positions; a thread of its own moves back and forth in
//! them.
//!
//! It plays quiet moves while there are any, so that the position stays hard and every one needs a
//! new search. A game that ends is started again.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use zeitnot_protocol::{ClientMessage, GameId, PlayMove, ServerMessage, Turn, Uci};
use zeitnot_rules::board::Role;
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::{fen, uci};
use zeitnot_rules::verdict::{Guard, Limits, dead, guard};

use crate::bench::beside;
use crate::endpoint::Endpoint;
use crate::player;
use crate::stopwatch::Stopwatch;
use crate::wire::Socket;

/// The sample of positions in the tests of the rules.
const SAMPLE: &str = include_str!("../../../../rules/tests/data/winnable.csv");

/// How many nodes a position is searched to find out how hard it is.
const NODES: u32 = 200_000;

/// The pause between two moves of a game.
const PAUSE: Duration = Duration::from_millis(500);

/// The numbers of these sockets follow those of the quiet games.
const FIRST_INDEX: usize = 10_000;

/// The hardest positions of a file.
pub(super) struct Positions {
    /// How many positions a server would search.
    pub(super) asked: usize,
    pub(super) hardest: Vec<String>,
}

/// Searches every position of the file and returns those that took longest, the hardest first.
pub(super) fn positions(file: Option<&Path>, count: usize) -> Result<Positions> {
    let text = match file {
        Some(file) => {
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?
        }
        None => SAMPLE.to_owned(),
    };
    let mut fens: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    fens.sort_unstable();
    fens.dedup();
    let mut timed: Vec<(u64, &str)> = fens.into_iter().filter_map(|fen| Some((cost(fen)?, fen))).collect();
    ensure!(timed.len() >= count, "{} positions need a search, {count} are wanted", timed.len());
    timed.sort_unstable();
    let hardest = timed.iter().rev().take(count).map(|(_, fen)| (*fen).to_owned()).collect();
    Ok(Positions { asked: timed.len(), hardest })
}

/// How long a search takes, in microseconds; `None` if a server would not search, or no game can
/// start here.
fn cost(text: &str) -> Option<u64> {
    let position = fen::parse(text).ok()?;
    if !position.has_legal_move() || guard(&position) == Guard::NotDead {
        return None;
    }
    let time = Stopwatch::start();
    let _searched = dead(&position, &Limits::nodes(NODES));
    Some(time.micros())
}

/// The games, played by a thread.
pub(crate) struct HardGames {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Result<u64>>,
}

impl HardGames {
    pub(crate) fn start(endpoint: &Endpoint, fens: &[String]) -> Result<Self> {
        let begin = |(number, fen): (usize, &String)| Game::begin(endpoint, number, fen);
        let games = fens.iter().enumerate().map(begin).collect::<Result<Vec<_>>>()?;
        let is_over = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&is_over);
        let thread = std::thread::Builder::new().name("hard-games".to_owned());
        let thread = thread.spawn(move || play(games, &until)).context("cannot start a thread")?;
        Ok(Self { is_over, thread })
    }

    /// Ends the games and returns the number of moves played.
    pub(crate) fn end(self) -> Result<u64> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| anyhow!("the hard games' thread panicked"))?
    }
}

fn play(mut games: Vec<Game>, is_over: &AtomicBool) -> Result<u64> {
    let mut moves = 0;
    while !is_over.load(Ordering::Relaxed) {
        for game in &mut games {
            game.advance(moves)?;
            moves += 1;
        }
        std::thread::sleep(PAUSE);
    }
    Ok(moves)
}

struct Game {
    fen: String,
    players: [Socket; 2],
    /// The game in progress; `None` when the last one ended before its first move.
    played: Option<(GameId, usize, Turn)>,
}

impl Game {
    fn begin(endpoint: &Endpoint, number: usize, fen: &str) -> Result<Self> {
        let mut players = [
            player::connect(endpoint, FIRST_INDEX + 2 * number, true)?,
            player::connect(endpoint, FIRST_INDEX + 2 * number + 1, true)?,
        ];
        let played =
            beside::start(players.each_mut(), Some(fen)).with_context(|| format!("a game from {fen}"))?;
        Ok(Self { fen: fen.to_owned(), players, played })
    }

    /// Plays a move, or starts another game when the last one has ended.
    fn advance(&mut self, number: u64) -> Result<()> {
        let Some((id, mover, turn)) = self.played.take() else {
            self.played = beside::start(self.players.each_mut(), Some(&self.fen))?;
            return Ok(());
        };
        let on = turn.on;
        let uci = quiet_move(&turn, number).context("a turn without a legal move")?;
        player::send(
            &mut self.players[mover],
            &ClientMessage::Move(PlayMove { game: id, on, uci, id: None }),
        )?;
        let next = beside::receive(&mut self.players[1 - mover], |message| match message {
            ServerMessage::Turn(turn) if turn.game == id && turn.on > on => Some(Some(turn)),
            ServerMessage::Ended(ended) if ended.game == id => Some(None),
            _ => None,
        })?;
        self.played = next.map(|turn| (id, 1 - mover, turn));
        Ok(())
    }
}

/// A move that captures nothing and moves no pawn, a different one each time; any move if there is
/// none.
fn quiet_move(turn: &Turn, number: u64) -> Option<Uci> {
    let position = fen::parse(&turn.fen).ok()?;
    let is_quiet = |text: &&Uci| {
        uci::parse(text.as_str(), &position, Variant::Standard)
            .is_ok_and(|mv| !position.is_capture(mv) && !position.by_role(Role::Pawn).contains(mv.from))
    };
    let quiet: Vec<&Uci> = turn.legal.iter().filter(is_quiet).collect();
    let choice = if quiet.is_empty() { turn.legal.iter().collect() } else { quiet };
    let place = usize::try_from(number.wrapping_mul(7) % choice.len().max(1) as u64).ok()?;
    choice.get(place).copied().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_has_enough_positions_and_the_hardest_are_hard() {
        let Positions { asked, hardest } = positions(None, 20).unwrap();
        assert!(asked >= 20 && hardest.len() == 20);
        let worst = cost(&hardest[0]).unwrap();
        assert!(worst > 1_000, "{worst} µs");
    }

    #[test]
    fn quiet_moves_come_first() {
        let legal = ["e5d6", "e1d1", "e1f1"].map(|text| text.parse().unwrap()).into();
        let turn = Turn {
            game: GameId::from_random(1),
            on: 4,
            fen: "4k3/8/3p4/4P3/8/8/8/4K3 w - - 0 1".to_owned(),
            legal,
            white_ms: None,
            black_ms: None,
        };
        for number in 0..5 {
            assert!(quiet_move(&turn, number).unwrap().as_str().starts_with("e1"));
        }
    }
}
