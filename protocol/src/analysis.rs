//! The bodies of the HTTP answers about positions, what the rules say and what a search found, and of the one with a game
//! to replay.

use serde::{Deserialize, Serialize};

use crate::object::is_default;
use crate::{ByColor, Check, GameId, OutcomeView, San, Snapshot, Uci, WireProof, WireReason};

/// The body of `POST /api/analysis/position`: what the rules say of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct PositionAnalysis {
    /// The position after the moves, in FEN.
    pub fen: String,
    /// The moves that led to it.
    pub moves: Vec<NamedMove>,
    /// The legal moves.
    pub legal: Vec<Uci>,
    /// The check that stands on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub check: Option<Check>,
    /// The end that a game has come to here by the Laws alone: by checkmate or stalemate, in a dead position, by the fifth
    /// repetition or after 75 moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub outcome: Option<OutcomeView>,
    /// For what a draw could be claimed: `threefold_repetition`, `fifty_moves`.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<WireReason>>"))]
    pub claims: Vec<WireReason>,
    /// Whether each side can still checkmate.
    pub can_mate: ByColor<CanMate>,
    /// The opening of the last position that has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub opening: Option<Opening>,
}

/// Whether a side can checkmate by any series of legal moves of both sides.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct CanMate {
    /// Whether it can; null when a short search has not decided it.
    pub can: Option<bool>,
    /// What proves it; absent when it is not decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub proof: Option<WireProof>,
}

/// A move in both notations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct NamedMove {
    /// In UCI.
    pub uci: Uci,
    /// In SAN.
    pub san: San,
}

/// An opening.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings, `A00` to `E99`.
    pub eco: String,
    /// Its name in English.
    pub name: String,
    /// After how many plies its position stood.
    pub ply: u32,
}

/// The body of `GET /api/openings?name=`: the openings that have these words in their names, or this code.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FoundOpenings {
    /// At most 20.
    pub openings: Vec<FoundOpening>,
}

/// An opening in a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FoundOpening {
    /// Its code in the Encyclopaedia of Chess Openings, `A00` to `E99`.
    pub eco: String,
    /// Its name in English.
    pub name: String,
    /// The moves that lead to it, in SAN, with spaces.
    pub moves: String,
}

/// The body of `GET /api/games/featured`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FeaturedGame {
    /// A finished game to replay, with all of its plies; null when there is none.
    pub game: Option<Box<Snapshot>>,
}

/// The body of `GET /api/games/{id}/evaluation`: what a search found out about a position of a finished game, or
/// of a line that leaves it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Evaluation {
    /// The game.
    pub game: GameId,
    /// After how many plies of the game the position stood, or `moves` begin.
    pub ply: u32,
    /// The moves from there on that were not played; the position is the one after them.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Uci>>"))]
    pub moves: Vec<Uci>,
    /// The position, in FEN.
    pub fen: String,
    /// What the position is worth for White, in hundredths of a pawn; null where a checkmate was found.
    pub centipawns: Option<i32>,
    /// In how many moves White checkmates, or, below zero, Black; 0 when it is checkmate already. Null where no checkmate
    /// was found.
    pub mate: Option<i32>,
    /// How many plies deep all moves were searched.
    pub depth: u32,
    /// The best moves of both sides, the first one first; empty when there is no legal move.
    pub line: Vec<NamedMove>,
}

/// The body of `GET /api/games/{id}/evaluations`: what is remembered of the positions of a finished game. No search is made
/// for it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct KnownEvaluations {
    /// In the order of the game; empty when nothing is remembered.
    pub evaluations: Vec<Evaluation>,
}

/// The body of `GET /api/games/{id}/lines`: the best moves in a position of a finished game, or of a line that
/// leaves it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct BestLines {
    /// The game.
    pub game: GameId,
    /// After how many plies of the game the position stood, or `moves` begin.
    pub ply: u32,
    /// The moves from there on that were not played; the position is the one after them.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Uci>>"))]
    pub moves: Vec<Uci>,
    /// The position, in FEN.
    pub fen: String,
    /// The best one first; empty when there is no legal move.
    pub lines: Vec<BestLine>,
}

/// One of the best moves in a position, and what follows it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct BestLine {
    /// What the position is worth for White if this is played, as in [`Evaluation`].
    pub centipawns: Option<i32>,
    /// As in [`Evaluation`].
    pub mate: Option<i32>,
    /// How many plies deep it was searched.
    pub depth: u32,
    /// The move, and the best ones of both sides after it.
    pub moves: Vec<NamedMove>,
}
