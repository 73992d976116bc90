//! Correcting the result of a finished game.
//!
//! Deliberately absent: what a correction does to ratings and to searches (`storage`, `ratings`).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use zeitnot_protocol::{Code, GameId, WireScore};
use zeitnot_rules::verdict::Score;

use super::perform::{Admin, NotDone};
use crate::storage::{Corrected, Correction};
use crate::time::unix_now_ms;

/// What a game counts as from now on, as it is written: `1-0`, `0-1`, `1/2-1/2`, the arbiter's `0-0`, `1/2-0` and `0-1/2`
/// (12.9), or `*` for no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameResult(WireScore);

/// The text is no result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a result: 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2 or *")]
pub struct NoGameResult;

impl FromStr for GameResult {
    type Err = NoGameResult;

    fn from_str(text: &str) -> Result<Self, NoGameResult> {
        let text = serde_json::Value::from(text);
        serde_json::from_value(text).map(Self).map_err(|_| NoGameResult)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = serde_json::to_value(self.0).map_err(|_| fmt::Error)?;
        f.write_str(written.as_str().ok_or(fmt::Error)?)
    }
}

impl From<Score> for GameResult {
    fn from(score: Score) -> Self {
        Self(score.into())
    }
}

impl Admin {
    /// Corrects a result. What was played out stays in the records of the game.
    pub(super) async fn correct(&self, text: &str, result: GameResult) -> Result<String, NotDone> {
        let unknown = || NotDone::UnknownGame(text.to_owned());
        let game: GameId = text.parse().map_err(|_| unknown())?;
        let correction = Correction { score: result.0.into(), at_unix_ms: unix_now_ms() };
        let corrected = self.games.correct(&self.history, game, correction).await;
        let corrected = corrected.map_err(|code| match code {
            Code::UnknownGame => unknown(),
            Code::Damaged => NotDone::DamagedGame(game),
            _ => NotDone::Unavailable,
        })?;
        match corrected {
            Corrected::From { score, is_rated } => {
                let was = GameResult::from(score);
                let ratings = if is_rated { "both ratings are changed" } else { "no rating is changed" };
                Ok(format!(
                    "the game {game} counts as {result} from now on, and no more as {was}; {ratings}\n"
                ))
            }
            Corrected::Same => Err(NotDone::SameResult(game, result)),
            Corrected::NotEnded => Err(NotDone::NotEnded(game)),
            Corrected::TooMany => Err(NotDone::TooManyCorrections(game)),
            Corrected::Imported => Err(NotDone::Imported(game)),
            Corrected::Damaged => Err(NotDone::DamagedGame(game)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_read_as_it_is_written() {
        for text in ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "*"] {
            assert_eq!(text.parse::<GameResult>().unwrap().to_string(), text);
        }
        for wrong in ["", "1", "½-½", "1/2", "2-0", "1-0 ", "\"1-0\"", "white"] {
            assert_eq!(wrong.parse::<GameResult>(), Err(NoGameResult), "{wrong}");
        }
    }
}
