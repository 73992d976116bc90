//! One game of a match: two thinkers, an opening, and nodes or clocks.
//!
//! The rules decide how it ends; draws that can be claimed are claimed. A thinker that plays an illegal
//! move, fails, or oversteps its time has lost. Deliberately absent: adjudication.

use std::time::Duration;

use thiserror::Error;
use zeitnot_rules::board::{ByColor, Color, Move};
use zeitnot_rules::verdict::{AutomaticDraws, Reason, Score};

use crate::line::Line;
use crate::stopwatch::Stopwatch;

/// Draws that a player may claim end a game of a match.
const CLAIMED: AutomaticDraws = AutomaticDraws { repetitions: 3, quiet_plies: 100 };

/// What a player may spend on a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// This many positions.
    Nodes(u64),
    /// This long.
    Time(Duration),
    /// The time on the clocks.
    Clocks {
        /// What both sides have left.
        left: ByColor<Duration>,
        /// What each move adds.
        increment: Duration,
    },
}

/// A player of a match.
pub(super) trait Thinker {
    /// Forgets the game before and begins one with this seed.
    fn begin(&mut self, seed: u64) -> Result<(), ThinkerError>;

    /// The move that it plays.
    fn choose(&mut self, line: &Line, budget: Budget) -> Result<Move, ThinkerError>;
}

/// Why a player has no move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct ThinkerError(pub String);

/// Why a game of a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules.
    Rules(Reason),
    /// The loser's time was up.
    Time,
    /// The loser played a move that is not legal.
    Illegal(String),
    /// The loser failed.
    Failed(ThinkerError),
}

/// How the clocks of a match are set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// No clocks: so many positions a move.
    Nodes(u64),
    /// Time for the game, and what each move adds.
    Clock {
        /// What a side begins with.
        base: Duration,
        /// What each move adds.
        increment: Duration,
    },
}

/// A game that was played.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) line: Line,
    /// The winner, if any.
    pub(super) winner: Option<Color>,
    pub(super) ending: Ending,
    /// The mover's clock after each move of the players; empty without clocks.
    pub(super) clocks: Vec<Duration>,
}

/// Both clocks of a game.
struct Clocks {
    left: ByColor<Duration>,
    increment: Duration,
}

impl Clocks {
    /// Charges a move; `false` if the time was up.
    fn charge(&mut self, by: Color, took: Duration) -> bool {
        match self.left[by].checked_sub(took) {
            Some(left) if !left.is_zero() => {
                self.left[by] = left + self.increment;
                true
            }
            _ => false,
        }
    }
}

/// Plays a game to its end.
pub(super) fn play(opening: &Line, players: &mut ByColor<&mut dyn Thinker>, control: Control) -> Played {
    let mut line = opening.clone();
    let mut clocks = match control {
        Control::Nodes(_) => None,
        Control::Clock { base, increment } => Some(Clocks { left: ByColor::both(base), increment }),
    };
    let mut readings = Vec::new();
    loop {
        if let Some(outcome) = line.outcome(CLAIMED) {
            let winner = match outcome.score {
                Score::WhiteWins => Some(Color::White),
                Score::BlackWins => Some(Color::Black),
                _ => None,
            };
            return Played { line, winner, ending: Ending::Rules(outcome.reason), clocks: readings };
        }
        let by = line.position().side_to_move();
        if let Err(ending) = turn(&mut line, players[by], control, clocks.as_mut()) {
            return Played { line, winner: Some(!by), ending, clocks: readings };
        }
        readings.extend(clocks.as_ref().map(|clocks| clocks.left[by]));
    }
}

/// One move of a player; an error is how it lost.
fn turn(
    line: &mut Line,
    player: &mut dyn Thinker,
    control: Control,
    clocks: Option<&mut Clocks>,
) -> Result<(), Ending> {
    let by = line.position().side_to_move();
    let budget = match (control, &clocks) {
        (_, Some(clocks)) => Budget::Clocks { left: clocks.left, increment: clocks.increment },
        (Control::Nodes(nodes), None) => Budget::Nodes(nodes),
        (Control::Clock { base, increment }, None) => Budget::Clocks { left: ByColor::both(base), increment },
    };
    let watch = Stopwatch::start();
    let chosen = player.choose(line, budget);
    let took = watch.elapsed();
    let mv = chosen.map_err(Ending::Failed)?;
    if clocks.is_some_and(|clocks| !clocks.charge(by, took)) {
        return Err(Ending::Time);
    }
    line.play(mv).map_err(|_| Ending::Illegal(format!("{}{}", mv.from, mv.to)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeitnot_rules::board::Position;
    use zeitnot_rules::game::Variant;
    use zeitnot_rules::notation::uci;

    /// Plays moves from a list, then fails.
    struct Script(std::vec::IntoIter<&'static str>);

    impl Thinker for Script {
        fn begin(&mut self, _: u64) -> Result<(), ThinkerError> {
            Ok(())
        }

        fn choose(&mut self, line: &Line, _: Budget) -> Result<Move, ThinkerError> {
            let text = self.0.next().ok_or_else(|| ThinkerError("no more moves".to_owned()))?;
            let legal = uci::parse(text, line.position(), Variant::Standard);
            legal.or_else(|_| {
                Ok(Move::new(text[..2].parse().expect("a square"), text[2..].parse().expect("a square")))
            })
        }
    }

    fn played(white: Vec<&'static str>, black: Vec<&'static str>, control: Control) -> Played {
        let start = Line::new(Position::standard(), Variant::Standard);
        let (mut white, mut black) = (Script(white.into_iter()), Script(black.into_iter()));
        play(&start, &mut ByColor { white: &mut white, black: &mut black }, control)
    }

    const NODES: Control = Control::Nodes(1);

    #[test]
    fn a_checkmate_ends_the_game() {
        let game = played(vec!["f2f3", "g2g4"], vec!["e7e5", "d8h4"], NODES);
        assert_eq!((game.winner, game.ending), (Some(Color::Black), Ending::Rules(Reason::Checkmate)));
    }

    #[test]
    fn a_claimable_draw_is_claimed() {
        let knights = |there, back| [there, back].into_iter().cycle().take(4).collect();
        let game = played(knights("g1f3", "f3g1"), knights("g8f6", "f6g8"), NODES);
        assert_eq!((game.winner, game.ending), (None, Ending::Rules(Reason::ThreefoldRepetition)));
    }

    #[test]
    fn an_illegal_move_and_a_failure_lose() {
        let game = played(vec!["e2e5"], vec![], NODES);
        assert_eq!((game.winner, game.ending), (Some(Color::Black), Ending::Illegal("e2e5".to_owned())));
        let game = played(vec!["e2e4"], vec![], NODES);
        assert_eq!(game.winner, Some(Color::White));
        assert!(matches!(game.ending, Ending::Failed(_)));
    }

    #[test]
    fn time_that_is_up_loses_before_the_move_counts() {
        let control = Control::Clock { base: Duration::ZERO, increment: Duration::ZERO };
        let game = played(vec!["e2e4"], vec![], control);
        assert_eq!((game.winner, game.ending), (Some(Color::Black), Ending::Time));
        assert!(game.line.moves().is_empty());
    }

    #[test]
    fn an_increment_is_added_after_each_move() {
        let mut clocks =
            Clocks { left: ByColor::both(Duration::from_secs(10)), increment: Duration::from_secs(2) };
        assert!(clocks.charge(Color::White, Duration::from_secs(3)));
        assert_eq!(clocks.left, ByColor { white: Duration::from_secs(9), black: Duration::from_secs(10) });
        assert!(!clocks.charge(Color::White, Duration::from_secs(9)));
    }
}
