//! How games end: every result and every reason as one enum value with its article.
//!
//! Only names are here; `after_move` has the order in which the ends of a move are tested.

use crate::board::{Color, Move};

/// The score of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// 1-0.
    WhiteWins,
    /// 0-1.
    BlackWins,
    /// 1/2-1/2.
    Draw,
    /// 0-0, by the arbiter (12.9).
    BothLose,
    /// 1/2-0, by the arbiter (12.9).
    HalfToWhite,
    /// 0-1/2, by the arbiter (12.9).
    HalfToBlack,
    /// The game does not count: aborted.
    NoResult,
}

impl Score {
    /// The score when `color` wins.
    #[must_use]
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// 5.1.1.
    Checkmate,
    /// 5.1.2; a draw if the opponent cannot checkmate.
    Resignation,
    /// 5.2.1.
    Stalemate,
    /// 5.2.2.
    DeadPosition,
    /// 5.2.3, 9.1.
    Agreement,
    /// 6.9; a draw if the opponent cannot checkmate, which has a proof, or by 14E, which has none.
    FlagFall,
    /// 9.2, claimed or automatic by profile.
    ThreefoldRepetition,
    /// 9.3, claimed or automatic by profile.
    FiftyMoves,
    /// 9.6.1, automatic.
    FivefoldRepetition,
    /// 9.6.2, automatic.
    SeventyFiveMoves,
    /// 6.7 and profile: the opponent was absent, and a win or a draw was claimed.
    Abandonment,
    /// Profile: a player aborted before each had moved.
    Aborted,
    /// Profile: a first move took over 30 s.
    FirstMoveLimit,
    /// Our choice: both players were away for 30 days.
    BothAway,
    /// 12.9.
    Arbiter,
}

/// The end of a game.
///
/// ```
/// use zeitnot_rules::board::{Color, Position};
/// use zeitnot_rules::notation::fen;
/// use zeitnot_rules::verdict::{AutomaticDraws, Outcome, Proof, Reason, after_move};
///
/// let automatic = AutomaticDraws { repetitions: 5, quiet_plies: 150 };
/// let once = || 1;
///
/// let mate = fen::parse("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")?;
/// let win = Outcome::win(Color::White, Reason::Checkmate);
/// assert_eq!(after_move(&mate, once, automatic), Some(win));
///
/// let kings = fen::parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1")?;
/// let dead = Outcome { proof: Some(Proof::Material), ..Outcome::draw(Reason::DeadPosition) };
/// assert_eq!(after_move(&kings, once, automatic), Some(dead));
///
/// assert_eq!(after_move(&Position::standard(), once, automatic), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The score.
    pub score: Score,
    /// Why.
    pub reason: Reason,
    /// What proves that a side can or cannot checkmate, where the outcome rests on that.
    pub proof: Option<Proof>,
}

impl Outcome {
    /// The win of `color`.
    #[must_use]
    pub const fn win(color: Color, reason: Reason) -> Self {
        Self { score: Score::win(color), reason, proof: None }
    }

    /// A draw.
    #[must_use]
    pub const fn draw(reason: Reason) -> Self {
        Self { score: Score::Draw, reason, proof: None }
    }
}

/// What proves that a side can or cannot checkmate.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Proof {
    /// The material that is left allows no checkmate.
    Material,
    /// The king cannot be checkmated on any square where it can ever stand: the static test, by
    /// where the pieces can ever go.
    Static,
    /// Every position that can still arise was examined.
    Exhaustive {
        /// How many, without those after which the material or the static test rules out a
        /// checkmate.
        positions: u32,
    },
    /// The winner can checkmate: a line of legal moves by both sides that ends with checkmate.
    Helpmate {
        /// The line from the position on the board; empty when that is checkmate.
        line: Vec<Move>,
    },
}

impl Proof {
    /// The proof of two verdicts together: the one that took more work, with the positions added
    /// up.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Exhaustive { positions: a }, Self::Exhaustive { positions: b }) => {
                Self::Exhaustive { positions: a.saturating_add(b) }
            }
            (searched @ Self::Exhaustive { .. }, _) | (_, searched @ Self::Exhaustive { .. }) => searched,
            (Self::Static, _) | (_, Self::Static) => Self::Static,
            (proof, _) => proof,
        }
    }
}
