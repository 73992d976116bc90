//! The public events of a game.
//!
//! Each event has the next `seq` of its game and is the same for all clients. A client that has
//! every event from 1 on knows the game.

use serde::{Deserialize, Serialize};

use crate::object::is_default;
use crate::{
    AdjustmentCause, ByColor, Check, DrawOrWin, GameId, GameOptions, OutcomeView, PlayerView, PlyView, San,
    TimeControl, Uci, WireBonus, WireColor, WireVariant,
};

/// `started`: the game began.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Started {
    /// The game.
    pub game: GameId,
    /// Always 1.
    pub seq: u32,
    /// Standard or Chess960.
    pub variant: WireVariant,
    /// The first position, in FEN.
    pub fen: String,
    /// The players.
    pub players: ByColor<PlayerView>,
    /// The clocks' rules.
    pub time_control: TimeControl,
    /// The game's rules.
    pub options: GameOptions,
    /// White's clock in ms; null without one.
    pub white_ms: Option<u32>,
    /// Black's.
    pub black_ms: Option<u32>,
    /// When the game began, in seconds of Unix time.
    pub began: u32,
    /// Whether it counts for ratings.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub rated: bool,
    /// Whether it was played elsewhere and imported.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub imported: bool,
}

/// `move`: a move was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct MoveEvent {
    /// The game.
    pub game: GameId,
    /// This event's number, and the `on` of the next move.
    pub seq: u32,
    /// 1 for the game's first half-move.
    pub ply: u32,
    /// The move in UCI.
    pub uci: Uci,
    /// The move in SAN.
    pub san: San,
    /// The position after it.
    pub fen: String,
    /// The check it gives, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub check: Option<Check>,
    /// White's clock after the move, in ms, rounded up; null without a clock.
    pub white_ms: Option<u32>,
    /// Black's.
    pub black_ms: Option<u32>,
    /// What the move took, in ms, rounded down; null without a clock.
    pub took: Option<u32>,
    /// How much of it was forgiven for the network, in ms, rounded down; null without a clock.
    pub credit: Option<u32>,
}

/// The ply as a snapshot or a history shows it.
impl From<&MoveEvent> for PlyView {
    fn from(event: &MoveEvent) -> Self {
        let MoveEvent { ply, uci, san, white_ms, black_ms, took, credit, .. } = *event;
        Self { ply, uci, san, white_ms, black_ms, took, credit }
    }
}

/// An event with the side that acted as its only field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ByEvent {
    /// The game.
    pub game: GameId,
    /// This event's number.
    pub seq: u32,
    /// The side that acted.
    pub by: WireColor,
}

/// `draw_claimed`: a draw was claimed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct DrawClaimed {
    /// The game.
    pub game: GameId,
    /// This event's number.
    pub seq: u32,
    /// The side that claimed.
    pub by: WireColor,
    /// The intended move in UCI, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub uci: Option<Uci>,
    /// Whether the claim was right; then `ended` follows. If not, the next events say what it led
    /// to.
    pub right: bool,
}

/// `absence_claimed`: an absence was claimed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct AbsenceClaimed {
    /// The game.
    pub game: GameId,
    /// This event's number.
    pub seq: u32,
    /// The side that claimed.
    pub by: WireColor,
    /// What was claimed.
    pub result: DrawOrWin,
    /// White's clock in ms.
    pub white_ms: Option<u32>,
    /// Black's.
    pub black_ms: Option<u32>,
}

/// `takeback_offered`: a takeback was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct TakebackOffered {
    /// The game.
    pub game: GameId,
    /// This event's number.
    pub seq: u32,
    /// The side that asked.
    pub by: WireColor,
    /// How many plies it would take back.
    pub plies: u32,
}

/// `taken_back`: moves were taken back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct TakenBack {
    /// The game.
    pub game: GameId,
    /// This event's number, and the `on` of the next move.
    pub seq: u32,
    /// How many plies were taken back.
    pub plies: u32,
    /// The ply the game stands at now; 0 at its start.
    pub ply: u32,
    /// The position now.
    pub fen: String,
    /// White's clock in ms.
    pub white_ms: Option<u32>,
    /// Black's.
    pub black_ms: Option<u32>,
}

/// `time_adjusted`: clocks were changed by an act.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct TimeAdjusted {
    /// The game.
    pub game: GameId,
    /// This event's number.
    pub seq: u32,
    /// Why.
    pub cause: AdjustmentCause,
    /// White's clock as of the start of the turn, in ms; a `clock` follows.
    pub white_ms: Option<u32>,
    /// Black's.
    pub black_ms: Option<u32>,
}

/// `ilc_remedied`: the request was declined, and the remedy took effect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct IlcRemedied {
    /// The game.
    pub game: GameId,
    /// This event's number.
    pub seq: u32,
    /// The side that had asked.
    pub by: WireColor,
    /// What every later move gives.
    pub bonus: ByColor<WireBonus>,
    /// White's clock in ms.
    pub white_ms: Option<u32>,
    /// Black's.
    pub black_ms: Option<u32>,
}

/// `flag_fell` or `resigned`: the clocks have stopped, and `ended` follows with the verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct StoppedBy {
    /// The game.
    pub game: GameId,
    /// This event's number.
    pub seq: u32,
    /// Whose flag, or who resigned.
    pub by: WireColor,
    /// White's clock in ms.
    pub white_ms: Option<u32>,
    /// Black's.
    pub black_ms: Option<u32>,
}

/// `ended`: the game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Ended {
    /// The game.
    pub game: GameId,
    /// This event's number, the game's last.
    pub seq: u32,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: OutcomeView,
    /// White's final clock in ms.
    pub white_ms: Option<u32>,
    /// Black's.
    pub black_ms: Option<u32>,
}
