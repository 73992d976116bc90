//! What the rules do for every half-move that a client sends: the path that `half_move` measures.
//!
//! UCI is read and its legality checked, the move played with its hash, the history searched for
//! repetition, the automatic ends of a `fide_online` game tested, and SAN written. Clocks, offers
//! and the wire are not in it.

use zeitnot_rules::board::{Move, Position};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::{san, uci};
use zeitnot_rules::verdict::{AutomaticDraws, Fingerprint, after_move, occurrences};

/// The games of a text: one a line, moves in UCI, from the standard start position.
pub(crate) fn games(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split_whitespace().collect()).collect()
}

/// How many half-moves the games have.
pub(crate) fn half_moves(games: &[Vec<&str>]) -> usize {
    games.iter().map(Vec::len).sum()
}

/// Takes all games down the path and returns a number that depends on all that was found out.
///
/// # Panics
/// When a move is not legal.
pub(crate) fn walk(games: &[Vec<&str>]) -> usize {
    games.iter().map(|game| walk_game(game)).sum()
}

const AUTOMATIC: AutomaticDraws = AutomaticDraws { repetitions: 3, quiet_plies: 100 };

fn walk_game(game: &[&str]) -> usize {
    let mut position = Position::standard();
    let mut anchor = position.clone();
    let mut moves: Vec<Move> = Vec::with_capacity(128);
    let mut stood = Vec::with_capacity(128);
    stood.push(Fingerprint::of(&position));
    let mut found = 0;
    for text in game {
        let mv = uci::parse(text, &position, Variant::Standard).expect("the games are legal");
        let before = position.clone();
        position.play_unchecked(mv);
        let replay = || (anchor.clone(), moves.iter().copied());
        let outcome = after_move(&position, || occurrences(&stood, replay, &position), AUTOMATIC);
        if position.halfmove_clock() == 0 {
            anchor = position.clone();
            moves.clear();
            stood.clear();
        } else {
            moves.push(mv);
        }
        stood.push(Fingerprint::of(&position));
        found += usize::from(outcome.is_some()) + san::write_after(mv, &before, &position).as_str().len();
    }
    found
}
