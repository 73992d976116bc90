//! What the tags of a game that was read say: how much time there was, and how the game ended. The
//! inverse of `tags`, and more tolerant.

use thiserror::Error;

use super::clock;
use super::reader::ImportedGame;
use super::result::PgnResult;
use super::tags::{REASONS, SCORES};
use crate::board::{ByColor, Color, Position};
use crate::game::{Bonus, Micros, Period, TimeControl};
use crate::verdict::{
    AutomaticDraws, CLAIM_QUIET_PLIES, CLAIM_REPETITIONS, Outcome, Reason, Score, after_move,
};

/// The TimeControl tag cannot be read, or nobody can play so here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[error("the time control cannot be read")]
pub struct UnreadableTimeControl;

const SECONDS_PER_DAY: u64 = 24 * 3600;

impl ImportedGame {
    /// The time control of the tags that [`time_control_tags`](super::time_control_tags) writes.
    /// Without any, or when it is unknown (`?`), there is no clock. `1/86400` is a day a move, and a
    /// delay without a kind is a simple one.
    ///
    /// # Errors
    /// When a tag cannot be read, or says what cannot be played here.
    pub fn time_control(&self) -> Result<TimeControl, UnreadableTimeControl> {
        let both = self.tag("TimeControl");
        let sides = ByColor {
            white: (self.tag("WhiteTimeControl").or(both), self.tag("WhiteDelay")),
            black: (self.tag("BlackTimeControl").or(both), self.tag("BlackDelay")),
        };
        let sides = sides.map(|(control, delay)| (control, delay.or_else(|| self.tag("Delay"))));
        if Color::ALL.into_iter().all(|seat| sides[seat].0.is_none_or(|text| is_no_clock(text.trim()))) {
            return Ok(TimeControl::Unlimited);
        }
        let read = both.filter(|_| sides.white == sides.black).and_then(|text| days(text.trim()));
        let read = read.or_else(|| {
            let [white, black] = Color::ALL.map(|seat| periods(sides[seat].0?.trim(), sides[seat].1));
            Some(TimeControl::Clock(ByColor { white: white?, black: black? }))
        });
        read.filter(|control| control.validate().is_ok()).ok_or(UnreadableTimeControl)
    }

    /// How the game ended: as the tags of [`ending_tags`](super::ending_tags) say, or else as result,
    /// Termination and the last position suggest. A win without a reason is a resignation, a draw an
    /// agreement. `last` is the last position, and `occurrences` how often it has stood.
    #[must_use]
    pub fn outcome(&self, last: &Position, occurrences: u16) -> Outcome {
        let score = self.score();
        let named = self
            .tag("Reason")
            .and_then(|name| REASONS.iter().find(|(_, text)| *text == name).map(|(reason, _)| *reason));
        let automatic = AutomaticDraws { repetitions: CLAIM_REPETITIONS, quiet_plies: CLAIM_QUIET_PLIES };
        let on_board = after_move(last, || occurrences, automatic);
        if let Some(reason) = named {
            let same = on_board.filter(|found| found.score == score && found.reason == reason);
            return Outcome { score, reason, proof: same.and_then(|found| found.proof) };
        }
        let is_finished = !last.has_legal_move();
        match on_board {
            // The board says it all, also where the result is missing.
            Some(found) if is_finished && (found.score == score || score == Score::NoResult) => found,
            on_board => {
                let on_board = on_board.filter(|found| found.score == score);
                let reason = self.stated_reason(score).or(on_board.as_ref().map(|found| found.reason));
                let proof =
                    on_board.filter(|found| Some(found.reason) == reason).and_then(|found| found.proof);
                Outcome { score, reason: reason.unwrap_or_else(|| usual_reason(score)), proof }
            }
        }
    }

    fn score(&self) -> Score {
        let named = self.tag("Score").and_then(|name| SCORES.iter().find(|(_, text)| *text == name));
        match (self.result, named) {
            (PgnResult::WhiteWins, _) => Score::WhiteWins,
            (PgnResult::BlackWins, _) => Score::BlackWins,
            (PgnResult::Draw, _) => Score::Draw,
            (PgnResult::Unknown, Some((score, _))) => *score,
            (PgnResult::Unknown, None) => Score::NoResult,
        }
    }

    /// What Termination says, in the words of the standard and of other programs.
    fn stated_reason(&self, score: Score) -> Option<Reason> {
        let text = self.tag("Termination")?.to_ascii_lowercase();
        let says = |word: &str| text.contains(word);
        if score == Score::NoResult {
            return None;
        }
        if says("time forfeit") || says("on time") {
            Some(Reason::FlagFall)
        } else if says("abandoned") {
            Some(Reason::Abandonment)
        } else if says("adjudication") || says("rules infraction") {
            Some(Reason::Arbiter)
        } else {
            None
        }
    }
}

/// Why a game usually ends so.
const fn usual_reason(score: Score) -> Reason {
    match score {
        Score::WhiteWins | Score::BlackWins => Reason::Resignation,
        Score::Draw => Reason::Agreement,
        Score::NoResult => Reason::Aborted,
        Score::BothLose | Score::HalfToWhite | Score::HalfToBlack => Reason::Arbiter,
    }
}

fn is_no_clock(text: &str) -> bool {
    matches!(text, "" | "-" | "?")
}

/// `1/259200`.
fn days(text: &str) -> Option<TimeControl> {
    let seconds = clock::number(text.strip_prefix("1/")?)?;
    let days = u8::try_from(seconds / SECONDS_PER_DAY).ok()?;
    let is_days = seconds > 0 && seconds.is_multiple_of(SECONDS_PER_DAY);
    is_days.then_some(TimeControl::DaysPerMove { days })
}

fn periods(control: &str, delay: Option<&str>) -> Option<Vec<Period>> {
    let kinds: Vec<&str> = delay.map_or_else(Vec::new, |kinds| kinds.split(':').collect());
    let parts: Vec<&str> = control.split(':').take(TimeControl::PERIODS_MAX + 1).collect();
    let kind = |nth| if kinds.len() == 1 { kinds.first() } else { kinds.get(nth) };
    parts.into_iter().enumerate().map(|(nth, part)| period(part, kind(nth).copied())).collect()
}

fn period(text: &str, kind: Option<&str>) -> Option<Period> {
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(u16::try_from(clock::number(moves)?).ok()?), time),
        None => (None, text),
    };
    let (base, bonus) = match time.split_once('+') {
        Some((base, bonus)) => (base, Some(bonus)),
        None => (time, None),
    };
    let bonus = match bonus.map(|bonus| (bonus, bonus.strip_suffix('d'))) {
        None => Bonus::None,
        Some((_, Some(delay))) if kind == Some("bronstein") => Bonus::Bronstein(seconds(delay)?),
        Some((_, Some(delay))) => Bonus::SimpleDelay(seconds(delay)?),
        Some((increment, None)) => Bonus::Increment(seconds(increment)?),
    };
    Some(Period { moves, base: seconds(base)?, bonus })
}

fn seconds(text: &str) -> Option<Micros> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let whole = clock::number(whole)?.checked_mul(1_000_000)?;
    whole.checked_add(clock::micros(fraction)?).map(Micros)
}
