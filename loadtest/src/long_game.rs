//! A game as long as a bench needs: no position occurs twice, the fifty-move counter never fills,
//! nobody is mated.
//!
//! Pieces move without capturing. When the counter nears its limit a pawn moves, and when no pawn
//! can, a piece is captured. The same seed gives the same game. Invariant: no rule of `fide_online`
//! ends it.

use std::collections::HashSet;

use zeitnot_rules::board::{Move, Position, Role};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::uci;
use zeitnot_rules::verdict::is_dead;

/// After so many plies without a pawn move or a capture one of the two is made.
const QUIET_MAX: u16 = 94;

/// The moves of a game of at most `plies` half-moves, in UCI.
pub(crate) fn moves(seed: u64, plies: usize) -> Vec<String> {
    let mut rng = Rng(seed | 1);
    let mut position = Position::standard();
    let mut occurred = HashSet::from([position.zobrist()]);
    let mut moves = Vec::with_capacity(plies);
    while moves.len() < plies {
        let Some((mv, next)) = choose(&position, &occurred, &mut rng) else { break };
        moves.push(uci::write(mv, &position, Variant::Standard).as_str().to_owned());
        occurred.insert(next.zobrist());
        position = next;
    }
    moves
}

/// A random move among those that shorten the game least.
fn choose(position: &Position, occurred: &HashSet<u64>, rng: &mut Rng) -> Option<(Move, Position)> {
    let mut legal = position.legal_moves();
    rng.shuffle(&mut legal);
    let hurried = position.halfmove_clock() >= QUIET_MAX;
    legal.sort_by_key(|&mv| cost(position, mv, hurried));
    legal.into_iter().find_map(|mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let goes_on = next.has_legal_move() && is_dead(&next).is_none() && next.halfmove_clock() < 100;
        // A check would force the answer, and a forced answer may have to repeat or capture.
        (goes_on && !next.in_check() && !occurred.contains(&next.zobrist())).then_some((mv, next))
    })
}

/// How much a move shortens the game; the least is best.
fn cost(position: &Position, mv: Move, hurried: bool) -> u8 {
    let pawn = position.piece_at(mv.from).is_some_and(|piece| piece.role == Role::Pawn);
    let capture = position.is_capture(mv);
    let double = pawn && mv.from.rank().index().abs_diff(mv.to.rank().index()) == 2;
    match (capture, pawn) {
        _ if mv.promotion.is_some() => 5,
        (true, _) => 4,
        (false, true) if hurried => u8::from(double),
        (false, true) => 3,
        (false, false) => 2,
    }
}

/// Random numbers from a seed (xorshift64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("below a usize")
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_game_is_long_and_never_ends() {
        let seed = 20_261_101;
        let game = moves(seed, 3_000);
        assert!(game.len() >= 2_000, "seed {seed}: only {} plies", game.len());
        let mut position = Position::standard();
        let mut occurred = vec![position.clone()];
        for (ply, text) in game.iter().enumerate() {
            let mv = uci::parse(text, &position, Variant::Standard).unwrap();
            position.play_unchecked(mv);
            assert!(position.has_legal_move() && position.halfmove_clock() < 100, "seed {seed}, ply {ply}");
            assert!(
                !occurred.iter().any(|earlier| position.same_position(earlier)),
                "seed {seed}, ply {ply}"
            );
            occurred.push(position.clone());
        }
    }

    #[test]
    fn the_seed_determines_the_game() {
        assert_eq!(moves(7, 50), moves(7, 50));
        assert_ne!(moves(7, 50), moves(8, 50));
    }
}
