//! Whether the result of a game may be corrected, and how scores are numbered in rows of corrections.
//!
//! Deliberately absent: what a correction does to ratings (`rating`), and writing it (`sqlite`, `postgres`, `memory`).

use std::sync::Arc;

use zeitnot_rules::verdict::Score;

use super::correction::{CORRECTIONS_MAX, Corrected, Correction};
use super::encoding::result_tags;
use super::record::{EndedGame, Record};

/// A correction that may be made: the game as it counts now, and as it counts then.
#[derive(Debug)]
pub(super) struct Accepted<'a> {
    pub(super) was: EndedGame<'a>,
    pub(super) is: EndedGame<'a>,
}

/// Decides about a correction of a game with these records, of which `from` is the last of `count` corrections.
///
/// # Errors
/// Why nothing is corrected.
pub(super) fn accept(
    records: &[Arc<Record>],
    from: Option<Correction>,
    count: usize,
    to: Correction,
) -> Result<Accepted<'_>, Corrected> {
    let (Some(was), Some(is)) = (EndedGame::of(records, from), EndedGame::of(records, Some(to))) else {
        return Err(Corrected::NotEnded);
    };
    if was.setup.imported.is_some() {
        return Err(Corrected::Imported);
    }
    if was.outcome.score == to.score {
        return Err(Corrected::Same);
    }
    if count >= CORRECTIONS_MAX {
        return Err(Corrected::TooMany);
    }
    Ok(Accepted { was, is })
}

/// The number of a correction's score, as in the archive.
pub(super) fn score_tag(correction: Correction) -> u8 {
    result_tags(correction.outcome()).0
}

/// The score of a number; `None` when no correction has it.
pub(super) fn score_of(tag: u8) -> Option<Score> {
    Correction::outcomes().find(|outcome| result_tags(outcome).0 == tag).map(|outcome| outcome.score)
}
