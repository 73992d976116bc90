//! When a bot accepts a draw, claims one, or resigns, and how soon it moves.
//!
//! Pure: what it thinks of its position in, what it does out.

use std::time::Duration;

use zeitnot_client::protocol::WireProfile;
use zeitnot_rules::verdict::{CLAIM_QUIET_PLIES, CLAIM_REPETITIONS};

use crate::line::Line;
use crate::search::Score;

/// So far behind, a draw is gladly accepted.
const WORSE: i32 = -60;

/// So near to nothing, a draw is accepted late in a game.
const EVEN: i32 = 20;

/// From so many plies on a game is late.
const LATE_PLIES: usize = 80;

/// So many of its own turns in a row a bot must be lost before it resigns.
const LOST_TURNS: u32 = 4;

/// Whether an offered draw is accepted. `score` is what the bot last thought of its position.
pub(super) fn accepts_draw(score: Option<Score>, line: &Line) -> bool {
    let Some(score) = score.map(Score::centipawns) else { return false };
    let late = line.moves().len() >= LATE_PLIES || line.position().halfmove_clock() >= 40;
    score <= WORSE || score <= EVEN && late
}

/// A claim that would be right, if the bot wants a draw: for the position on the board, or for the one
/// after its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// For the position on the board.
    OnBoard,
    /// With the move that is about to be played.
    WithMove,
}

/// Whether to claim a draw on this turn. `after` is the game with the move that the bot has chosen.
pub(super) fn claim(profile: WireProfile, score: Option<Score>, line: &Line, after: &Line) -> Option<Claim> {
    let wanted = score.is_some_and(|score| score.centipawns() <= 0);
    // Under these rules the game is drawn without a claim.
    if !wanted || matches!(profile, WireProfile::FideOnline | WireProfile::Casual) {
        return None;
    }
    if is_claimable(line) {
        return Some(Claim::OnBoard);
    }
    is_claimable(after).then_some(Claim::WithMove)
}

fn is_claimable(line: &Line) -> bool {
    line.position().halfmove_clock() >= CLAIM_QUIET_PLIES || line.occurrences() >= CLAIM_REPETITIONS
}

/// How long a move takes at least; `left` is what the bot has on its clock.
pub(super) fn pause(longest: Duration, left: Option<Duration>) -> Duration {
    left.map_or(longest, |left| longest.min(left / 100))
}

/// Counts how long a bot has been lost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hope {
    /// Below this score in centipawns it is lost; `None`: it never resigns.
    pub(super) resign_below: Option<i32>,
    lost_turns: u32,
}

impl Hope {
    pub(super) const fn new(resign_below: Option<i32>) -> Self {
        Self { resign_below, lost_turns: 0 }
    }

    /// Notes what the bot thinks of its position on its turn; whether it resigns.
    pub(super) fn is_gone(&mut self, score: Option<Score>) -> bool {
        let lost = match (self.resign_below, score) {
            (Some(limit), Some(score)) => score.centipawns() < limit,
            _ => false,
        };
        self.lost_turns = if lost { self.lost_turns + 1 } else { 0 };
        self.lost_turns >= LOST_TURNS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeitnot_rules::board::Position;
    use zeitnot_rules::game::Variant;
    use zeitnot_rules::notation::fen;

    fn score(centipawns: i32) -> Option<Score> {
        Some(Score::from_centipawns(centipawns))
    }

    fn start() -> Line {
        Line::new(Position::standard(), Variant::Standard)
    }

    #[test]
    fn a_draw_is_accepted_when_behind_and_late_when_even() {
        assert!(!accepts_draw(None, &start()));
        assert!(!accepts_draw(score(0), &start()));
        assert!(accepts_draw(score(-100), &start()));
        let late = fen::parse("4k3/8/8/8/8/8/8/R3K3 w - - 60 90").expect("a position");
        let late = Line::new(late, Variant::Standard);
        assert!(accepts_draw(score(0), &late));
        assert!(!accepts_draw(score(300), &late));
    }

    #[test]
    fn a_claim_is_made_only_when_it_is_right_and_wanted() {
        let mut line = start();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
            line.play_uci(text).expect("legal");
        }
        let mut after = line.clone();
        after.play_uci("f6g8").expect("legal");
        let claim = |profile, centipawns| claim(profile, score(centipawns), &line, &after);
        assert_eq!(claim(WireProfile::FideBoard, -10), Some(Claim::WithMove));
        assert_eq!(claim(WireProfile::UsChess, 0), Some(Claim::WithMove));
        assert_eq!(claim(WireProfile::FideBoard, 50), None);
        assert_eq!(claim(WireProfile::Casual, -10), None);
        assert_eq!(claim(WireProfile::FideOnline, -10), None);
        let stands = super::claim(WireProfile::FideBoard, score(0), &after, &after);
        assert_eq!(stands, Some(Claim::OnBoard));
    }

    #[test]
    fn a_bot_resigns_only_after_it_was_lost_for_some_turns() {
        let mut hope = Hope::new(Some(-900));
        let scores = [-950, -950, -950, -100, -950, -950, -950];
        assert!(scores.iter().all(|&lost| !hope.is_gone(score(lost))));
        assert!(hope.is_gone(score(-1_000)));
        let mut stubborn = Hope::new(None);
        assert!((0..100).all(|_| !stubborn.is_gone(score(-20_000))));
    }

    #[test]
    fn a_move_takes_its_time_unless_the_clock_is_short() {
        let longest = Duration::from_millis(600);
        let left = |seconds| pause(longest, Some(Duration::from_secs(seconds))).as_millis();
        assert_eq!([left(300), left(60), left(10), left(0)], [600, 600, 100, 0]);
        assert_eq!(pause(longest, None), longest);
    }
}
