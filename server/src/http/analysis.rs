//! `/api/analysis/position`, `/api/games/{id}/evaluation` and `/api/games/{id}/lines`: what the rules say of any position,
//! and what the computer thinks of a finished game's.
//!
//! Invariant: of a game that is still played, and of a position without a game, nothing is evaluated: whoever plays
//! elsewhere on this server could ask.

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use zeitnot_protocol::{BestLines, Evaluation, GameId, PositionAnalysis};
use zeitnot_rules::board::Position;
use zeitnot_rules::game::{Game, Variant};
use zeitnot_rules::notation::fen;

use super::account::body_bytes_within;
use super::error::ApiError;
use super::games::{Name, id_of};
use super::guard::Visitor;
use super::route::MOVES_BYTES_MAX;
use crate::analysis::best_lines::{StopWhenDropped, best_lines};
use crate::analysis::position::{MOVES_MAX, analyse, played};
use crate::analysis::{Analysis, evaluation::evaluate};
use crate::games::Games;

/// A position, by the moves that led to it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WantedPosition {
    /// The first position, in FEN; without it that of a game of standard chess.
    #[serde(default)]
    start: Option<String>,
    /// Whether castling is written as in Chess960.
    #[serde(default)]
    chess960: bool,
    /// The moves from there on, in UCI or SAN.
    #[serde(default)]
    #[schema(max_items = 1000)]
    moves: Vec<String>,
}

/// What the rules say of a position: what is legal, whether it is over, who can still checkmate.
#[utoipa::path(
    post,
    path = "/api/analysis/position",
    tag = "analysis",
    operation_id = "analyse_position",
    request_body = WantedPosition,
    responses((status = 200, description = "What the rules say.", body = ref("#/components/schemas/PositionAnalysis"))),
    extensions(("x-codes" = json!(["bad_fen", "illegal_move"]))),
)]
pub(super) async fn position(
    State(analysis): State<Analysis>,
    body: Body,
) -> Result<Json<PositionAnalysis>, ApiError> {
    let bytes = body_bytes_within(body, MOVES_BYTES_MAX).await?;
    // An array would be read as the fields in their order.
    let fields: Map<String, Value> = serde_json::from_slice(&bytes).map_err(|_| ApiError::BadBody)?;
    let wanted: WantedPosition = serde_json::from_value(fields.into()).map_err(|_| ApiError::BadBody)?;
    if wanted.moves.len() > MOVES_MAX {
        return Err(ApiError::BadField("moves"));
    }
    let variant = if wanted.chess960 { Variant::Chess960 } else { Variant::Standard };
    let analyse = move || {
        let start = wanted.start.as_deref().map_or_else(|| Ok(Position::standard()), fen::parse);
        let line = played(start.map_err(ApiError::BadFen)?, variant, &wanted.moves);
        line.map(|line| analyse(&line)).map_err(ApiError::BadMove)
    };
    analysis.positions.make(analyse).await?.map(Json)
}

/// Which position of a game.
#[derive(Debug, Deserialize)]
pub(super) struct Place {
    ply: Option<u32>,
}

/// What the computer thinks of a position of a finished game.
#[utoipa::path(
    get,
    path = "/api/games/{id}/evaluation",
    tag = "analysis",
    operation_id = "evaluate_position",
    params(
        ("id" = String, Path, description = "The id of the game."),
        ("ply" = Option<u32>, Query, description = "After how many plies; without it after the last one.", minimum = 0),
    ),
    responses((status = 200, description = "What it is worth, and the best line.", body = ref("#/components/schemas/Evaluation"))),
    extensions(("x-codes" = json!(["unknown_game", "not_ended", "bad_parameter", "damaged"]))),
)]
pub(super) async fn evaluation(
    State(games): State<Games>,
    State(analysis): State<Analysis>,
    Extension(visitor): Extension<Visitor>,
    name: Name,
    place: Result<Query<Place>, QueryRejection>,
) -> Result<Json<Evaluation>, ApiError> {
    let (id, ply) = (id_of(name)?, ply_of(place)?);
    if let Some(known) = ply.and_then(|ply| analysis.known.find(&(id, ply))) {
        return Ok(Json(known));
    }
    let game = ended(&games, id, &visitor).await?;
    let ply = ply.unwrap_or(game.ply_count());
    let evaluations = analysis.evaluations.clone();
    let evaluation = evaluations.make(move || evaluate(&analysis, id, &game, ply)).await?;
    evaluation.map(Json).ok_or(ApiError::BadParameter("ply"))
}

/// The best moves in a position of a finished game, after a longer search.
#[utoipa::path(
    get,
    path = "/api/games/{id}/lines",
    tag = "analysis",
    operation_id = "best_lines",
    params(
        ("id" = String, Path, description = "The id of the game."),
        ("ply" = Option<u32>, Query, description = "After how many plies; without it after the last one.", minimum = 0),
    ),
    responses((status = 200, description = "At most three moves, the best one first, with what follows each.", body = ref("#/components/schemas/BestLines"))),
    extensions(("x-codes" = json!(["unknown_game", "not_ended", "bad_parameter", "damaged"]))),
)]
pub(super) async fn lines(
    State(games): State<Games>,
    State(analysis): State<Analysis>,
    Extension(visitor): Extension<Visitor>,
    name: Name,
    place: Result<Query<Place>, QueryRejection>,
) -> Result<Json<BestLines>, ApiError> {
    let (id, ply) = (id_of(name)?, ply_of(place)?);
    if let Some(known) = ply.and_then(|ply| analysis.known_lines.find(&(id, ply))) {
        return Ok(Json(known));
    }
    let game = ended(&games, id, &visitor).await?;
    let ply = ply.unwrap_or(game.ply_count());
    let (asked, places) = (StopWhenDropped::default(), analysis.lines.clone());
    let stop = asked.0.clone();
    let lines = places.make(move || best_lines(&analysis, id, &game, ply, &stop)).await?;
    lines.map(Json).ok_or(ApiError::BadParameter("ply"))
}

fn ply_of(place: Result<Query<Place>, QueryRejection>) -> Result<Option<u32>, ApiError> {
    place.map(|Query(Place { ply })| ply).map_err(|_| ApiError::BadParameter("ply"))
}

/// A game that is over.
async fn ended(games: &Games, id: GameId, visitor: &Visitor) -> Result<Game, ApiError> {
    let game = games.read(id, visitor.address).await.map_err(ApiError::of_read)?;
    game.ok_or(ApiError::UnknownGame)
        .and_then(|game| if game.is_over() { Ok(game) } else { Err(ApiError::NotEnded) })
}
