//! The games that are played in a bench: text files with one game per line, moves in UCI.
//!
//! Every game is cut to the same number of plies, so that all games of a batch end together.
//! Invariant: none of them has ended by then under `fide_online`; the rules check this when a file
//! is read.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use zeitnot_rules::board::Position;
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::uci;
use zeitnot_rules::verdict::is_dead;

/// 40 games of 80 plies that an engine played against itself.
const OWN: &str = include_str!("../../data/openings.txt");

/// The plies of every game.
pub(crate) const PLIES: usize = 80;

/// Reads the games of a file, or the built-in ones. Shorter games are skipped.
pub(crate) fn read(file: Option<&Path>) -> Result<Vec<Vec<String>>> {
    let (name, text) = match file {
        None => ("the built-in games".to_owned(), OWN.to_owned()),
        Some(path) => {
            let name = path.display().to_string();
            (name.clone(), std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?)
        }
    };
    let mut games = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let moves: Vec<String> = line.split_ascii_whitespace().take(PLIES).map(str::to_owned).collect();
        if moves.len() == PLIES {
            play(&moves).with_context(|| format!("{name}, line {}", number + 1))?;
            games.push(moves);
        }
    }
    ensure!(!games.is_empty(), "{name}: no game has {PLIES} plies");
    Ok(games)
}

fn play(moves: &[String]) -> Result<()> {
    let mut position = Position::standard();
    let mut occurred = vec![position.clone()];
    for (ply, text) in moves.iter().enumerate() {
        let mv = uci::parse(text, &position, Variant::Standard)
            .with_context(|| format!("ply {}: {text}", ply + 1))?;
        position.play_unchecked(mv);
        let before = occurred.iter().filter(|earlier| position.same_position(earlier)).count();
        if !position.has_legal_move()
            || is_dead(&position).is_some()
            || before >= 2
            || position.halfmove_clock() >= 100
        {
            bail!("the game ends at ply {}", ply + 1);
        }
        occurred.push(position.clone());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_games_are_playable() {
        assert_eq!(read(None).unwrap().len(), 40);
    }

    #[test]
    fn a_game_that_ends_too_early_is_rejected() {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].map(str::to_owned);
        let moves: Vec<String> = shuffle.iter().cycle().take(PLIES).cloned().collect();
        assert!(format!("{:#}", play(&moves).unwrap_err()).contains("ends at ply 8"));
        assert!(play(&["e2e5".to_owned()]).is_err());
    }
}
