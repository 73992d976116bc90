//! The bodies of the HTTP answers about players: an account, and the games that it has played.

use serde::{Deserialize, Serialize};

use crate::object::is_default;
use crate::{
    AccountId, ByColor, GameId, NamedMove, Opening, Origin, PlayedOut, PlayerView, RatingStep, TimeControl,
    Uci, WireCategory, WireColor, WireReason, WireScore, WireVariant,
};

/// The body of `GET /api/players/{account or name}`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Player {
    /// The account.
    pub account: AccountId,
    /// The name now.
    pub name: String,
    /// Whether the player is a program.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub bot: bool,
    /// When the account was made, in seconds since 1970; absent of one that nobody has registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub made: Option<u32>,
    /// Whether a connection of the account is open.
    pub here: bool,
    /// Games in progress.
    pub live: Vec<GameId>,
    /// The ratings in the categories in which the account has rated games.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<CategoryRating>>"))]
    pub ratings: Vec<CategoryRating>,
}

/// The body of `GET /api/players?name=`: the players whose names begin so, in the order of their names.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FoundPlayers {
    /// At most 8.
    pub players: Vec<FoundPlayer>,
}

/// A player in a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FoundPlayer {
    /// The account.
    pub account: AccountId,
    /// The name now.
    pub name: String,
    /// Whether the player is a program.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub bot: bool,
    /// Whether a connection of the account is open.
    pub here: bool,
}

/// A player's rating in a category.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct CategoryRating {
    /// The category.
    pub category: WireCategory,
    /// In whole points.
    pub rating: u32,
    /// Whether too little is known of the player to rely on it, by now.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub provisional: bool,
    /// How many rated games there were.
    pub games: u32,
}

/// The body of `GET /api/players/{account or name}/ratings/{category}`: what rated games and corrections of their results
/// have done, the last one first.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct RatingHistory {
    /// At most 50.
    pub changes: Vec<PastRating>,
    /// The `?before=` of the next request; absent after the first change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub next: Option<String>,
}

/// Why a rating has changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RatingCause {
    /// A rated game has ended.
    Game,
    /// An admin has corrected the result of a game.
    Correction,
}

/// What a rated game, or a correction of its result, has done to a player's rating.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct PastRating {
    /// Why it has changed.
    pub cause: RatingCause,
    /// The game.
    pub game: GameId,
    /// The player's side in it.
    pub color: WireColor,
    /// The other player.
    pub opponent: AccountId,
    /// The other player's rating before the game.
    pub opponent_rating: u32,
    /// What the player got: 0 for a loss, 1 for half a point, 2 for a win; absent when the game counts no longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub half_points: Option<u32>,
    /// The rating before the change, in whole points.
    pub before: u32,
    /// The rating after it.
    pub after: u32,
    /// Whether too little was known of the player then to rely on it.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub provisional: bool,
    /// When the game ended or was corrected, in seconds of Unix time.
    pub at: u32,
}

/// The body of `GET /api/games` and of `GET /api/players/{account or name}/games`: finished games, the last one first.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct PlayedGames {
    /// At most 50.
    pub games: Vec<PlayedGame>,
    /// The `?before=` of the next request; absent after the first game ever played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub next: Option<String>,
    /// Whether games are missing because the server still makes the index of an older version's games.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub indexing: bool,
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
    /// How it was played out, if an admin has corrected the result since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub played_out: Option<PlayedOut>,
    /// How many plies stood at the end.
    pub ply_count: u32,
    /// The position on the board at the end, in FEN.
    #[serde(default)]
    pub fen: String,
    /// The last move, if one was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub last: Option<Uci>,
    /// When it began, in seconds of Unix time.
    pub began: u32,
    /// When it ended.
    pub ended: u32,
    /// Whether it counts for ratings.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub rated: bool,
    /// What it did to both ratings, with its corrections, if it changed any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub ratings: Option<ByColor<RatingStep>>,
    /// The opening of its last position that has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub opening: Option<Box<Opening>>,
    /// Whether it was played elsewhere and imported.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub imported: bool,
    /// What is known of it if it was imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub origin: Option<Box<Origin>>,
}

/// A line of many finished games as NDJSON.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct WholeGame {
    /// As in a list.
    #[serde(flatten)]
    pub game: PlayedGame,
    /// The first position as FEN, unless it is the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub start: Option<String>,
    /// The moves in UCI, with spaces between them.
    pub moves: String,
    /// What the mover's clock showed after each move, in milliseconds; empty without clocks.
    pub clocks_ms: Vec<u32>,
}

/// The body of `GET /api/games/count`: how many finished games fit.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct GameCounts {
    /// All that fit.
    pub games: GameCount,
    /// Won by White.
    pub white_wins: GameCount,
    /// Won by Black.
    pub black_wins: GameCount,
    /// Drawn.
    pub draws: GameCount,
    /// Aborted, or with a result of the arbiter's.
    pub others: GameCount,
    /// As in a list.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub indexing: bool,
}

/// The body of `GET /api/games/names?name=`: players without accounts whose names begin so.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FoundNames {
    /// At most 8, each as the player's last game has it.
    pub names: Vec<String>,
}

/// The body of `GET /api/games/moves`: what was played in a position, by finished games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct PlayedMoves {
    /// The games that had the position.
    pub games: GameCounts,
    /// The legal moves after which a game went on, the most frequent first.
    pub moves: Vec<PlayedMove>,
}

/// A move that was played in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct PlayedMove {
    /// The move.
    #[serde(flatten)]
    pub mv: NamedMove,
    /// The games that had the position after it, also those in which it came about by other moves.
    pub games: GameCounts,
}

/// How many: a number, or an object that says that there are more games than are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(untagged)]
pub enum GameCount {
    /// So many.
    Exact(u32),
    /// So many, or more.
    AtLeast {
        /// So many were counted.
        at_least: u32,
    },
}

impl GameCount {
    /// As many as were counted.
    #[must_use]
    pub const fn counted(self) -> u32 {
        match self {
            Self::Exact(games) | Self::AtLeast { at_least: games } => games,
        }
    }
}
