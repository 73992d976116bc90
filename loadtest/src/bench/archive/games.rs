//! Finished games to fill an archive with, as PGN: an opening that many share, then random moves.
//!
//! The same seed gives the same text. Players are drawn so that few play much and most play little.
//!
//! Invariant: every game is legal and ends by resignation or by agreement after [`PLIES`], or at the
//! end that the rules know before that.

use std::io::Write;

use anyhow::Result;
use zeitnot_rules::board::Position;
use zeitnot_rules::game::{Micros, Variant};
use zeitnot_rules::notation::pgn::{self, PgnGame, PgnMove, PgnResult};
use zeitnot_rules::notation::uci;
use zeitnot_rules::verdict::is_dead;

use crate::bench::openings::PLIES;
use crate::rng::Rng;

/// Players by whom the games were played.
pub(super) const PLAYERS: u64 = 20_000;

/// The least and the most half-moves that a game shares with an opening.
const SHARED: (usize, usize) = (4, 24);

/// What both sides have, and get for each move.
const CLOCK: (Micros, Micros) = (Micros(300_000_000), Micros(3_000_000));

/// The name of a player.
pub(super) fn player(number: u64) -> String {
    format!("Player {number}")
}

/// A player by lot: the one with number `n` plays the less, the greater `n` is.
fn any_player(rng: &mut Rng) -> u64 {
    rng.below(PLAYERS).min(rng.below(PLAYERS)).min(rng.below(PLAYERS))
}

/// Writes `count` games.
pub(super) fn write(
    count: usize,
    openings: &[Vec<String>],
    rng: &mut Rng,
    out: &mut dyn Write,
) -> Result<()> {
    for _ in 0..count {
        let text = pgn::write(&game(openings, rng));
        writeln!(out, "{text}")?;
    }
    Ok(())
}

/// One of so many things.
pub(super) fn index(count: usize, rng: &mut Rng) -> usize {
    usize::try_from(rng.below(count as u64)).expect("below a usize")
}

fn game(openings: &[Vec<String>], rng: &mut Rng) -> PgnGame {
    let opening = &openings[index(openings.len(), rng)];
    let shared = SHARED.0 + index(SHARED.1 - SHARED.0 + 1, rng);
    let moves = moves(opening, shared, rng);
    let white = any_player(rng);
    let black = (white + 1 + rng.below(PLAYERS - 1)) % PLAYERS;
    let day = rng.below(5 * 336);
    let date = format!("{}.{:02}.{:02}", 2021 + day / 336, 1 + day / 28 % 12, 1 + day % 28);
    let result = match rng.below(10) {
        0..=4 => PgnResult::WhiteWins,
        5..=8 => PgnResult::BlackWins,
        _ => PgnResult::Draw,
    };
    let tags = [
        ("White", player(white)),
        ("Black", player(black)),
        ("Date", date),
        ("TimeControl", "300+3".to_owned()),
    ];
    PgnGame {
        tags: tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        variant: Variant::Standard,
        start: Position::standard(),
        moves,
        result,
    }
}

/// The first moves of the opening, then random ones.
fn moves(opening: &[String], shared: usize, rng: &mut Rng) -> Vec<PgnMove> {
    let mut position = Position::standard();
    let mut clocks = [CLOCK.0; 2];
    let mut moves = Vec::with_capacity(PLIES);
    while moves.len() < PLIES {
        let legal = position.legal_moves();
        if legal.is_empty() || is_dead(&position).is_some() {
            break;
        }
        let known = opening.get(moves.len()).filter(|_| moves.len() < shared);
        let known = known.and_then(|text| uci::parse(text, &position, Variant::Standard).ok());
        let mv = known.unwrap_or_else(|| legal[index(legal.len(), rng)]);
        position.play_unchecked(mv);
        let clock = &mut clocks[moves.len() % 2];
        let took = rng.between(100_000, 9_000_000).min(clock.0 / 2);
        *clock = Micros(clock.0 - took + CLOCK.1.0);
        moves.push(PgnMove { clock: Some(*clock), ..PgnMove::new(mv) });
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::openings;

    #[test]
    fn the_games_are_legal_and_the_seed_determines_them() {
        let openings = openings::read(None).unwrap();
        let text = |seed| {
            let mut out = Vec::new();
            write(20, &openings, &mut Rng::new(seed), &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let (seed, made) = (15, text(15));
        let games: Vec<_> = pgn::games(&made).map(|game| game.expect("a legal game")).collect();
        assert_eq!(games.len(), 20, "seed {seed}");
        assert!(games.iter().all(|game| game.tag("TimeControl") == Some("300+3")), "seed {seed}");
        assert_eq!(made, text(15));
        assert_ne!(made, text(16));
    }
}
