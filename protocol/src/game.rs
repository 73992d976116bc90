//! The parts of messages: sides, rules, players, plies, states and outcomes.
//!
//! Times are milliseconds in a `u32`: 49 days, more than any clock can hold. The rules give these
//! values their meaning; `convert` turns them into the values of the rules and back.

use serde::{Deserialize, Serialize};

use crate::object::{self, is_default};
use crate::{AccountId, San, Uci, WireBonus, WireSquare};

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WireColor {
    /// White.
    White,
    /// Black.
    Black,
}

/// Standard chess or Chess960.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WireVariant {
    /// Standard chess, possibly from a given position.
    #[default]
    Standard,
    /// Chess960: castling is written as the king's square, then its rook's.
    Chess960,
}

/// A kind of games that share a rating: Chess960 at any speed, else the speed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WireCategory {
    /// Under 3 minutes: the time at the start and 40 times what a move gives.
    Bullet,
    /// Under 8 minutes.
    Blitz,
    /// Under 25 minutes.
    Rapid,
    /// 25 minutes and more.
    Classical,
    /// Days per move.
    Correspondence,
    /// Chess960 at any speed.
    Chess960,
}

impl WireCategory {
    /// As on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
            Self::Chess960 => "chess960",
        }
    }
}

/// One value a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ByColor<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

/// A profile's name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WireProfile {
    /// FIDE Online regulations: draws by count are automatic.
    #[default]
    FideOnline,
    /// FIDE Laws over the board: draws are claimed.
    FideBoard,
    /// US Chess rules.
    UsChess,
    /// Friendly play with takebacks.
    Casual,
}

/// How insufficient losing chances are handled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WireIlc {
    /// Not at all.
    #[default]
    Off,
    /// With `fide_board` only, and not in blitz: if declined, 5 s a move for both and 2 min to the
    /// opponent.
    FideIii4,
    /// With `us_chess` only: if declined, a 5 s delay is set and the requester's time is halved.
    Us14h,
}

/// The rules of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(default)]
pub struct GameOptions {
    /// Which rules.
    #[serde(deserialize_with = "object::plain_or_default")]
    pub profile: WireProfile,
    /// Insufficient losing chances.
    #[serde(deserialize_with = "object::plain_or_default")]
    pub ilc: WireIlc,
    /// With `fide_board`: how many moves a player must have made before a first draw offer; 0 for
    /// no such rule.
    #[serde(deserialize_with = "object::plain_or_default")]
    pub no_draw_offer_before_move: u32,
}

/// A player as others see one.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct PlayerView {
    /// The account.
    pub account: AccountId,
    /// The name to show.
    pub name: String,
    /// The rating in the category of the game or the challenge, in whole points; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rating: Option<u32>,
    /// Whether too little is known of the player to rely on the rating.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub provisional: bool,
    /// Whether the player is a program.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub bot: bool,
}

impl PlayerView {
    /// A player without a rating.
    #[must_use]
    pub const fn unrated(account: AccountId, name: String) -> Self {
        Self { account, name, rating: None, provisional: false, bot: false }
    }
}

/// What is known of a game that was played elsewhere and imported, as its PGN had it. What is not known is absent.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Origin {
    /// The event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub event: Option<String>,
    /// Where it was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub site: Option<String>,
    /// The day, as `1972.07.11`, with `?` for digits that are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub date: Option<String>,
    /// The round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub round: Option<String>,
}

/// A half-move that was played and still stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct PlyView {
    /// 1 for the game's first.
    pub ply: u32,
    /// The move in UCI.
    pub uci: Uci,
    /// The move in SAN.
    pub san: San,
    /// White's clock after the move, in ms, rounded up; null without a clock.
    pub white_ms: Option<u32>,
    /// Black's.
    pub black_ms: Option<u32>,
    /// What the move took, in ms, rounded down; null without a clock.
    pub took: Option<u32>,
    /// How much of it was forgiven for the network, in ms, rounded down; null without a clock.
    pub credit: Option<u32>,
}

/// A check.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Check {
    /// Where the king in check stands.
    pub king: WireSquare,
    /// Where the pieces that give it stand: one or two.
    pub checkers: Vec<WireSquare>,
    /// Whether there are two.
    pub double: bool,
    /// Whether it is checkmate.
    pub mate: bool,
}

/// The phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It is being played.
    Playing,
    /// A flag fell, a player resigned or an absence was claimed: the clocks have stopped, and
    /// `ended` brings the verdict.
    Deciding,
    /// It has ended.
    Ended,
}

/// What is open on the board.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct StateView {
    /// The phase of the game.
    pub phase: Phase,
    /// The check that stands on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub check: Option<Check>,
    /// The open draw offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub draw_offer: Option<OfferView>,
    /// How many plies stood on the board when each side last offered a draw, if one has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub draw_offered_at: Option<ByColor<Option<u32>>>,
    /// The open takeback offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub takeback_offer: Option<TakebackOfferView>,
    /// What each move gives since a remedy for insufficient losing chances, in place of the time
    /// control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub remedy: Option<ByColor<WireBonus>>,
    /// How the game ended, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub outcome: Option<OutcomeView>,
}

/// An open draw offer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct OfferView {
    /// The side that offers.
    pub by: WireColor,
    /// The offer's seq. An answer names it as `offer`.
    pub seq: u32,
    /// Whether it came with `ask_ilc`. Declining it, by `decline_draw` or with a move, then brings
    /// the remedy.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub ilc: bool,
}

/// An open takeback offer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct TakebackOfferView {
    /// The side that asks.
    pub by: WireColor,
    /// The offer's seq. An answer names it as `offer`.
    pub seq: u32,
    /// How many plies it would take back: 1 or 2.
    pub plies: u32,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct OutcomeView {
    /// The score.
    pub score: WireScore,
    /// Why.
    pub reason: WireReason,
    /// What proves that a side can or cannot checkmate, where the outcome rests on that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub proof: Option<WireProof>,
    /// How the game was played out, if an admin has corrected the result since; never in `ended`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub played_out: Option<PlayedOut>,
}

/// How a game was played out whose result was corrected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct PlayedOut {
    /// The score then.
    pub score: WireScore,
    /// Why.
    pub reason: WireReason,
    /// When it was corrected, in seconds of Unix time.
    pub corrected: u32,
}

/// The score of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub enum WireScore {
    /// White wins.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black wins.
    #[serde(rename = "0-1")]
    BlackWins,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Both lose, by the arbiter.
    #[serde(rename = "0-0")]
    BothLose,
    /// White half a point, Black none, by the arbiter.
    #[serde(rename = "1/2-0")]
    HalfToWhite,
    /// Black half a point, White none, by the arbiter.
    #[serde(rename = "0-1/2")]
    HalfToBlack,
    /// The game does not count.
    #[serde(rename = "*")]
    NoResult,
}

/// Why a game ended, with the article of the Laws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WireReason {
    /// 5.1.1.
    Checkmate,
    /// 5.1.2; a draw if the opponent cannot checkmate.
    Resignation,
    /// 5.2.1.
    Stalemate,
    /// 5.2.2.
    DeadPosition,
    /// 9.1.
    Agreement,
    /// 6.9 or 14E; a draw if the opponent cannot checkmate.
    FlagFall,
    /// 9.2.
    ThreefoldRepetition,
    /// 9.3.
    FiftyMoves,
    /// 9.6.1.
    FivefoldRepetition,
    /// 9.6.2.
    SeventyFiveMoves,
    /// The opponent was absent, and a win or a draw was claimed.
    Abandonment,
    /// A player aborted before each had moved.
    Aborted,
    /// A first move took too long.
    FirstMoveLimit,
    /// Both players were away for 30 days.
    BothAway,
    /// 12.9.
    Arbiter,
}

/// What proves that a side can or cannot checkmate.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WireProof {
    /// The material that is left allows no checkmate.
    Material,
    /// No king can ever stand where it could be checkmated.
    Static,
    /// Every position that can still arise was examined.
    Exhaustive {
        /// How many.
        positions: u32,
    },
    /// The winner could still checkmate: legal moves of both sides from the position on the board
    /// that end with checkmate. Empty if there are such moves, but too many to be shown.
    Helpmate(Vec<Uci>),
}

/// What is claimed against an absent opponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DrawOrWin {
    /// A draw.
    Draw,
    /// The win; a draw if the claimant cannot checkmate.
    Win,
}

/// Why a clock was changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AdjustmentCause {
    /// The opponent gave it.
    #[serde(rename = "gift")]
    GiveTime {
        /// The side that gave it.
        by: WireColor,
    },
    /// A draw was claimed wrongly.
    WrongClaim {
        /// The side that had claimed.
        by: WireColor,
    },
    /// The arbiter's act.
    Arbiter,
}
