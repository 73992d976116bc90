//! The parts of the lobby: pools, games in progress, chat rooms, reasons to decline.
//!
//! A seek is a challenge that is listed in the lobby: [`CreateChallenge`](crate::CreateChallenge)
//! creates both. Deliberately absent: which players are paired; the server decides that.

use serde::{Deserialize, Serialize};

use crate::object::is_default;
use crate::{
    ByColor, Challenge, ChallengeId, CommandId, GameId, PlayerView, TimeControl, Uci, WireColor, WireVariant,
};

macro_rules! pools {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $minutes:literal, $seconds:literal;)+) => {
        /// A quick pairing pool: its minutes and its seconds a move. Standard chess by
        /// `fide_online`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
        pub enum PoolId {
            $($(#[doc = $doc])+ #[serde(rename = $text)] $name,)+
        }

        impl PoolId {
            /// All pools, fastest first.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// As on the wire: minutes, a plus sign, seconds a move.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// Minutes at the start, and seconds for each move.
            #[must_use]
            pub const fn clock(self) -> (u32, u32) {
                match self {
                    $(Self::$name => ($minutes, $seconds),)+
                }
            }
        }
    };
}

pools! {
    /// One minute.
    OneMinute = "1+0", 1, 0;
    /// Two minutes, one second a move.
    TwoPlusOne = "2+1", 2, 1;
    /// Three minutes.
    ThreeMinutes = "3+0", 3, 0;
    /// Three minutes, two seconds a move.
    ThreePlusTwo = "3+2", 3, 2;
    /// Five minutes.
    FiveMinutes = "5+0", 5, 0;
    /// Five minutes, three seconds a move.
    FivePlusThree = "5+3", 5, 3;
    /// Ten minutes.
    TenMinutes = "10+0", 10, 0;
    /// Ten minutes, five seconds a move.
    TenPlusFive = "10+5", 10, 5;
    /// A quarter of an hour, ten seconds a move.
    FifteenPlusTen = "15+10", 15, 10;
    /// Half an hour.
    ThirtyMinutes = "30+0", 30, 0;
    /// Half an hour, twenty seconds a move.
    ThirtyPlusTwenty = "30+20", 30, 20;
}

/// How many accounts wait in a pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct PoolView {
    /// The pool.
    pub pool: PoolId,
    /// Accounts that wait in it.
    pub waiting: u32,
}

/// A game in progress, as a small board shows it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct LiveGame {
    /// The game.
    pub game: GameId,
    /// The players.
    pub players: ByColor<PlayerView>,
    /// Standard or Chess960.
    pub variant: WireVariant,
    /// The clocks' rules.
    pub time_control: TimeControl,
    /// Whether it counts for ratings.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub rated: bool,
    /// The position on the board, in FEN.
    pub fen: String,
    /// The last move, if one was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub last: Option<Uci>,
    /// How many plies were played.
    pub ply_count: u32,
    /// How many connections watch it.
    pub watchers: u32,
    /// White's clock when the message was written, in ms, rounded up; absent without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub white_ms: Option<u32>,
    /// Black's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub black_ms: Option<u32>,
    /// Whose clock runs, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub running: Option<WireColor>,
}

/// The games in progress that the lobby shows.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct LiveGames {
    /// How many games are in progress in all.
    pub total: u32,
    /// The game to show large; it stays the same until it ends. Absent when no game is in progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub featured: Option<GameId>,
    /// At most 12, the featured one among them: most watched first, then newest.
    pub games: Vec<LiveGame>,
}

/// `lobby`: the lobby as it stands, the answer to `enter_lobby`. Comes again when a client has
/// missed news.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Lobby {
    /// The id of the `enter_lobby` this answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
    /// The newest open seeks, at most 50, oldest first.
    pub seeks: Vec<Challenge>,
    /// All pools.
    pub pools: Vec<PoolView>,
    /// How many people are here: accounts with a connection, without bots.
    #[serde(default)]
    pub here: u32,
    /// Games in progress.
    pub live: LiveGames,
}

/// `lobby_news`: what changed in the lobby, at most twice a second.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct LobbyNews {
    /// New seeks.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Challenge>>"))]
    pub seeks: Vec<Challenge>,
    /// Seeks that are gone. Some of them may be unknown to the client.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<ChallengeId>>"))]
    pub gone: Vec<ChallengeId>,
    /// Pools in which the number of waiting accounts has changed.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<PoolView>>"))]
    pub pools: Vec<PoolView>,
    /// How many people are here, if that has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub here: Option<u32>,
    /// The games in progress, if something changed in them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub live: Option<LiveGames>,
}

/// A chat room of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChatRoom {
    /// The two players.
    Players,
    /// All spectators, and the players too when the game is over.
    Spectators,
}

/// Why a challenge is declined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DeclineReason {
    /// No, without a reason.
    #[default]
    No,
    /// Not now.
    Later,
    /// Too little time to think.
    TooFast,
    /// Too much.
    TooSlow,
    /// Other clocks, please.
    OtherTimeControl,
    /// Standard chess instead of Chess960 or a given position, or the other way round.
    OtherVariant,
    /// Other rules, please.
    OtherRules,
    /// The other colour, please.
    OtherColor,
}
