//! Random games for the property tests.

use proptest::prelude::*;
use zeitnot_rules::board::{Move, Position};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::fen;

/// A random game: where it began, and its moves.
#[derive(Clone, Debug)]
pub(crate) struct Playout {
    pub(crate) variant: Variant,
    pub(crate) start: Position,
    pub(crate) moves: Vec<Move>,
}

/// Starts from which random play soon promotes, castles, captures en passant, gives check and
/// disambiguates.
const STARTS: [&str; 9] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "8/pppppppp/4k3/8/8/4K3/PPPPPPPP/8 b - - 11 42",
    "kn6/pp6/2QQQ3/2Q1Q3/2QQQ3/8/8/7K w - - 0 1",
    "7k/8/1N1N1N2/8/1N1N1N2/B1B5/8/B1B1R1RK w - - 0 1",
    "rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 3",
    "4k3/8/8/8/8/8/8/4K3 w - - 149 65535",
];

/// Games of standard chess, from the start position and from others, and of Chess960.
pub(crate) fn playouts() -> impl Strategy<Value = Playout> {
    let start = prop_oneof![
        2 => Just((Variant::Standard, Position::standard())),
        4 => (0..STARTS.len()).prop_map(|nth| (Variant::Standard, fen::parse(STARTS[nth]).expect("a position"))),
        4 => (0_u16..960).prop_map(|number| (Variant::Chess960, Position::chess960(number))),
    ];
    (start, prop::collection::vec(any::<u16>(), 0..120)).prop_map(|((variant, start), choices)| {
        let mut position = start.clone();
        let mut moves = Vec::new();
        for choice in choices {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[usize::from(choice) % legal.len()];
            position.play_unchecked(mv);
            moves.push(mv);
        }
        Playout { variant, start, moves }
    })
}

impl Playout {
    /// Every position of the game, the first and the last too.
    pub(crate) fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start.clone()];
        for &mv in &self.moves {
            let mut position = positions[positions.len() - 1].clone();
            position.play_unchecked(mv);
            positions.push(position);
        }
        positions
    }
}
