//! The tags that say how much time a game gave and how it ended.
//!
//! Tags that are not in the standard: Delay (and WhiteDelay, BlackDelay), Reason, Score.

use super::PgnResult;
use crate::board::{ByColor, Color};
use crate::game::{Bonus, Micros, Period, TimeControl};
use crate::verdict::{Outcome, Reason, Score};

/// The tags of a time control.
///
/// TimeControl lists the periods, `40/6000+30:20/3000+30:900+30` in seconds, with a `d` after a
/// delay (`300+5d`); `1/259200` is three days a move, `-` no clock. Delay says which kind of delay
/// it is, `simple` or `bronstein`, or lists the kinds by period where they differ. When the two
/// sides differ, WhiteTimeControl, BlackTimeControl, WhiteDelay and BlackDelay stand for these.
#[must_use]
pub fn time_control_tags(time_control: &TimeControl) -> Vec<(&'static str, String)> {
    match time_control {
        TimeControl::Unlimited => vec![("TimeControl", "-".to_owned())],
        TimeControl::DaysPerMove { days } => {
            vec![("TimeControl", format!("1/{}", u32::from(*days) * 24 * 3600))]
        }
        TimeControl::Clock(clocks) if clocks.white == clocks.black => {
            clock_tags(&clocks.white, "TimeControl", "Delay")
        }
        TimeControl::Clock(clocks) => {
            let names = ByColor {
                white: ("WhiteTimeControl", "WhiteDelay"),
                black: ("BlackTimeControl", "BlackDelay"),
            };
            Color::ALL
                .into_iter()
                .flat_map(|color| clock_tags(&clocks[color], names[color].0, names[color].1))
                .collect()
        }
    }
}

fn clock_tags(
    periods: &[Period],
    control_name: &'static str,
    delay_name: &'static str,
) -> Vec<(&'static str, String)> {
    let control = periods.iter().map(period).collect::<Vec<_>>().join(":");
    let mut tags = vec![(control_name, control)];
    tags.extend(delay(periods).map(|delay| (delay_name, delay)));
    tags
}

fn period(period: &Period) -> String {
    let moves = period.moves.map_or_else(String::new, |moves| format!("{moves}/"));
    let base = seconds(period.base);
    let bonus = match period.bonus {
        Bonus::None => String::new(),
        Bonus::Increment(amount) => format!("+{}", seconds(amount)),
        Bonus::SimpleDelay(amount) | Bonus::Bronstein(amount) => format!("+{}d", seconds(amount)),
    };
    format!("{moves}{base}{bonus}")
}

/// The kind of delay, if any period has one.
fn delay(periods: &[Period]) -> Option<String> {
    let kinds: Vec<&str> = periods
        .iter()
        .map(|period| match period.bonus {
            Bonus::None | Bonus::Increment(_) => "none",
            Bonus::SimpleDelay(_) => "simple",
            Bonus::Bronstein(_) => "bronstein",
        })
        .collect();
    let mut delays = kinds.iter().filter(|kind| **kind != "none");
    let first = delays.next()?;
    Some(if delays.all(|kind| kind == first) { (*first).to_owned() } else { kinds.join(":") })
}

/// Seconds, with as many decimals as are needed.
fn seconds(span: Micros) -> String {
    let (whole, fraction) = (span.0 / 1_000_000, span.0 % 1_000_000);
    if fraction == 0 {
        whole.to_string()
    } else {
        format!("{whole}.{fraction:06}").trim_end_matches('0').to_owned()
    }
}

/// The tags of an ending; `None` for a game in progress.
///
/// Termination is one of the standard's words. Reason is the exact reason. Score is for the scores
/// that the Result tag cannot express: the arbiter's `0-0`, `1/2-0` and `0-1/2` (12.9).
#[must_use]
pub fn ending_tags(outcome: Option<&Outcome>) -> Vec<(&'static str, String)> {
    let Some(outcome) = outcome else { return vec![("Termination", "unterminated".to_owned())] };
    let mut tags = vec![
        ("Termination", termination(outcome.reason).to_owned()),
        ("Reason", reason(outcome.reason).to_owned()),
    ];
    let score = SCORES.iter().find(|(score, _)| *score == outcome.score).map(|(_, text)| *text);
    tags.extend(score.map(|score| ("Score", score.to_owned())));
    tags
}

/// An ending in words, with the names of the tags' values.
///
/// ```
/// use zeitnot_rules::board::Color;
/// use zeitnot_rules::notation::pgn::ending_text;
/// use zeitnot_rules::verdict::{Outcome, Reason};
///
/// assert_eq!(ending_text(&Outcome::win(Color::White, Reason::FlagFall)), "1-0, flag fall");
/// ```
#[must_use]
pub fn ending_text(outcome: &Outcome) -> String {
    let special = SCORES.iter().find(|(score, _)| *score == outcome.score).map(|(_, text)| *text);
    let score = special.unwrap_or_else(|| PgnResult::of(Some(outcome)).token());
    format!("{score}, {}", reason(outcome.reason))
}

const fn termination(reason: Reason) -> &'static str {
    match reason {
        Reason::FlagFall => "time forfeit",
        Reason::Abandonment | Reason::BothAway => "abandoned",
        Reason::Arbiter => "adjudication",
        Reason::Aborted | Reason::FirstMoveLimit => "unterminated",
        Reason::Checkmate
        | Reason::Resignation
        | Reason::Stalemate
        | Reason::DeadPosition
        | Reason::Agreement
        | Reason::ThreefoldRepetition
        | Reason::FiftyMoves
        | Reason::FivefoldRepetition
        | Reason::SeventyFiveMoves => "normal",
    }
}

fn reason(reason: Reason) -> &'static str {
    REASONS.iter().find(|(known, _)| *known == reason).map_or("", |(_, text)| *text)
}

/// The scores that PGN has no token for, in the Score tag.
pub(super) const SCORES: [(Score, &str); 3] =
    [(Score::BothLose, "0-0"), (Score::HalfToWhite, "1/2-0"), (Score::HalfToBlack, "0-1/2")];

/// All reasons, in the Reason tag.
pub(super) const REASONS: [(Reason, &str); 15] = [
    (Reason::Checkmate, "checkmate"),
    (Reason::Resignation, "resignation"),
    (Reason::Stalemate, "stalemate"),
    (Reason::DeadPosition, "dead position"),
    (Reason::Agreement, "agreement"),
    (Reason::FlagFall, "flag fall"),
    (Reason::ThreefoldRepetition, "threefold repetition"),
    (Reason::FiftyMoves, "fifty moves"),
    (Reason::FivefoldRepetition, "fivefold repetition"),
    (Reason::SeventyFiveMoves, "seventy-five moves"),
    (Reason::Abandonment, "abandonment"),
    (Reason::Aborted, "aborted"),
    (Reason::FirstMoveLimit, "first-move limit"),
    (Reason::BothAway, "both players away"),
    (Reason::Arbiter, "arbiter"),
];
