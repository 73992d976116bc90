//! The bodies of the HTTP answers about players: an account, and the games that it has played.

use serde::{Deserialize, Serialize};

use crate::{AccountId, ByColor, GameId, PlayerView, TimeControl, WireReason, WireScore, WireVariant};

/// The body of `GET /api/players/{account or name}`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Player {
    /// The account.
    pub account: AccountId,
    /// The name now.
    pub name: String,
    /// Whether a connection of the account is open.
    pub here: bool,
    /// Games in progress.
    pub live: Vec<GameId>,
}

/// The body of `GET /api/players/{account or name}/games`: finished games, the last one first.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct PlayedGames {
    /// At most 50.
    pub games: Vec<PlayedGame>,
    /// The `?before=` of the next request; absent after the first game ever played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub next: Option<String>,
}

/// A finished game in a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct PlayedGame {
    /// The game.
    pub game: GameId,
    /// The players, by the names that they had when the game began.
    pub players: ByColor<PlayerView>,
    /// Standard or Chess960.
    pub variant: WireVariant,
    /// The clocks' rules.
    pub time_control: TimeControl,
    /// The score.
    pub score: WireScore,
    /// Why.
    pub reason: WireReason,
    /// How many plies stood at the end.
    pub ply_count: u32,
    /// When it began, in seconds of Unix time.
    pub began: u32,
    /// When it ended.
    pub ended: u32,
}
