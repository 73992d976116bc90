//! `/api/analysis/position`, `/api/games/{id}/evaluation`, `/evaluations`, `/lines` and `/lines/deeper`: what the rules say of any
//! position, and what the computer thinks of a finished game's.
//!
//! Deliberately absent: finished games that were played elsewhere (`brought`).
//!
//! Invariant: of a game that is still played, and of a position without a game, nothing is evaluated: whoever plays
//! elsewhere on this server could ask.

use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, FromRef as _, FromRequestParts, Path, Query, State};
use http::request::Parts;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use zeitnot_bot::Line;
use zeitnot_protocol::{BestLines, Evaluation, GameId, KnownEvaluations, PositionAnalysis, Uci};
use zeitnot_rules::board::Position;
use zeitnot_rules::game::{Game, Variant};
use zeitnot_rules::notation::fen;

use super::account::object_within;
use super::error::ApiError;
use super::games::{Name, id_of};
use super::guard::Visitor;
use super::route::MOVES_BYTES_MAX;
use super::state::HttpState;
use crate::analysis::Analysis;
use crate::analysis::best_lines::{LineSearches, StopWhenDropped};
use crate::analysis::evaluation::Evaluations;
use crate::analysis::place::{NoSuchPlace, Place, SIDE_LINE_MAX, Source, WholeGame};
use crate::analysis::position::{MOVES_MAX, analyse, played};
use crate::games::Games;
use crate::net::Address;

/// A position, by the moves that led to it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WantedPosition {
    /// The first position, in FEN; without it that of a game of standard chess.
    #[serde(default)]
    pub(super) start: Option<String>,
    /// Whether castling is written as in Chess960.
    #[serde(default)]
    pub(super) chess960: bool,
    /// The moves from there on, in UCI or SAN.
    #[serde(default)]
    #[schema(max_items = 1000)]
    pub(super) moves: Vec<String>,
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
    let wanted: WantedPosition = object_within(body, MOVES_BYTES_MAX).await?;
    wanted.has_few_moves()?;
    analysis.positions.make(move || wanted.line().map(|line| analyse(&line))).await?.map(Json)
}

impl WantedPosition {
    /// Whether the moves are few enough to be played.
    pub(super) fn has_few_moves(&self) -> Result<(), ApiError> {
        if self.moves.len() > MOVES_MAX { Err(ApiError::BadField("moves")) } else { Ok(()) }
    }

    /// Plays the moves.
    pub(super) fn line(&self) -> Result<Line, ApiError> {
        let variant = if self.chess960 { Variant::Chess960 } else { Variant::Standard };
        let start = self.start.as_deref().map_or_else(|| Ok(Position::standard()), fen::parse);
        played(start.map_err(ApiError::BadFen)?, variant, &self.moves).map_err(ApiError::BadMove)
    }
}

/// Which position of a game.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct WantedPlace {
    /// After how many plies; without it after the last one.
    #[param(minimum = 0)]
    ply: Option<u32>,
    /// After which moves from there on, in UCI, with commas between them: at most 100. Whoever asks shows who they are, and plays no game.
    #[param(max_length = 599)]
    moves: Option<String>,
}

/// What the computer thinks of a position of a finished game, or of a line that leaves it.
#[utoipa::path(
    get,
    path = "/api/games/{id}/evaluation",
    tag = "analysis",
    operation_id = "evaluate_position",
    params(("id" = String, Path, description = "The id of the game."), WantedPlace),
    responses((status = 200, description = "What it is worth, and the best line.", body = ref("#/components/schemas/Evaluation"))),
    extensions(("x-codes" = json!(["unknown_game", "not_ended", "bad_parameter", "illegal_move", "no_identity", "has_live_games", "damaged"]))),
)]
pub(super) async fn evaluation(
    State(analysis): State<Analysis>,
    request: PlaceRequest,
) -> Result<Json<Evaluation>, ApiError> {
    if let Some(known) = request.place().and_then(|place| analysis.evaluations.known(&place)) {
        return Ok(Json(known));
    }
    let (place, game) = request.of_ended().await?;
    evaluate(analysis.evaluations, move || Ok((place, WholeGame::from(&game)))).await
}

/// What the computer thinks of a position, which the thread finds out with its game.
pub(super) async fn evaluate(
    evaluations: Evaluations,
    find: impl FnOnce() -> Result<(Place, WholeGame), ApiError> + Send + 'static,
) -> Result<Json<Evaluation>, ApiError> {
    let places = evaluations.places.clone();
    let evaluate = move || {
        let (place, game) = find()?;
        evaluations.evaluate(place, &game).map_err(no_such_place)
    };
    places.make(evaluate).await?.map(Json)
}

/// What is remembered of the positions of a finished game: whoever looks at it after others need not ask for each again.
#[utoipa::path(
    get,
    path = "/api/games/{id}/evaluations",
    tag = "analysis",
    operation_id = "known_evaluations",
    params(("id" = String, Path, description = "The id of the game.")),
    responses((status = 200, description = "What is remembered, in the order of the game.", body = ref("#/components/schemas/KnownEvaluations"))),
    extensions(("x-codes" = json!(["unknown_game", "not_ended", "damaged"]))),
)]
pub(super) async fn evaluations(
    State(games): State<Games>,
    State(analysis): State<Analysis>,
    Extension(visitor): Extension<Visitor>,
    name: Name,
) -> Result<Json<KnownEvaluations>, ApiError> {
    let id = id_of(name)?;
    let game = ended(&games, id, visitor.address).await?;
    Ok(Json(KnownEvaluations { evaluations: analysis.evaluations.known_of(id, game.ply_count()) }))
}

/// The best moves in a position of a finished game, or of a line that leaves it, after a longer search.
#[utoipa::path(
    get,
    path = "/api/games/{id}/lines",
    tag = "analysis",
    operation_id = "best_lines",
    params(("id" = String, Path, description = "The id of the game."), WantedPlace),
    responses((status = 200, description = "At most three moves, the best one first, with what follows each.", body = ref("#/components/schemas/BestLines"))),
    extensions(("x-codes" = json!(["unknown_game", "not_ended", "bad_parameter", "illegal_move", "no_identity", "has_live_games", "damaged"]))),
)]
pub(super) async fn lines(
    State(analysis): State<Analysis>,
    request: PlaceRequest,
) -> Result<Json<BestLines>, ApiError> {
    lines_of(analysis.lines, request).await
}

/// The same after the longest search, for whoever asks for more of a position: of four times as many positions.
#[utoipa::path(
    get,
    path = "/api/games/{id}/lines/deeper",
    tag = "analysis",
    operation_id = "deeper_lines",
    params(("id" = String, Path, description = "The id of the game."), WantedPlace),
    responses((status = 200, description = "As of `lines`.", body = ref("#/components/schemas/BestLines"))),
    extensions(("x-codes" = json!(["unknown_game", "not_ended", "bad_parameter", "illegal_move", "no_identity", "has_live_games", "damaged"]))),
)]
pub(super) async fn deeper_lines(
    State(analysis): State<Analysis>,
    request: PlaceRequest,
) -> Result<Json<BestLines>, ApiError> {
    lines_of(analysis.deeper_lines, request).await
}

/// What these searches find, or found lately.
async fn lines_of(searches: LineSearches, request: PlaceRequest) -> Result<Json<BestLines>, ApiError> {
    if let Some(known) = request.place().and_then(|place| searches.known.find(&place)) {
        return Ok(Json(known));
    }
    let (place, game) = request.of_ended().await?;
    search(searches, move || Ok((place, WholeGame::from(&game)))).await
}

/// The best lines in a position, which the thread finds out with its game. A request that is given up ends its search.
pub(super) async fn search(
    searches: LineSearches,
    find: impl FnOnce() -> Result<(Place, WholeGame), ApiError> + Send + 'static,
) -> Result<Json<BestLines>, ApiError> {
    let (search, places) = (StopWhenDropped::default(), searches.places.clone());
    let stop = search.0.clone();
    let search_lines = move || {
        let (place, game) = find()?;
        searches.best_lines(place, &game, &stop).map_err(no_such_place)
    };
    places.make(search_lines).await?.map(Json)
}

/// What is asked about: without a ply the last position of the game.
pub(super) struct PlaceRequest {
    games: Games,
    address: Address,
    game: GameId,
    ply: Option<u32>,
    moves: Vec<Uci>,
}

impl FromRequestParts<HttpState> for PlaceRequest {
    type Rejection = ApiError;

    /// Reads a request, of somebody who may make it.
    async fn from_request_parts(parts: &mut Parts, state: &HttpState) -> Result<Self, ApiError> {
        let Extension(visitor) =
            Extension::<Visitor>::from_request_parts(parts, state).await.map_err(|_| ApiError::Internal)?;
        let name: Name = Path::from_request_parts(parts, state).await;
        let wanted = Query::from_request_parts(parts, state).await;
        let Query(WantedPlace { ply, moves }) = wanted.map_err(|_| ApiError::BadParameter("ply"))?;
        let moves = read_side_line(moves.as_deref().unwrap_or(""))?;
        let games = Games::from_ref(state);
        if !moves.is_empty() {
            plays_nothing(&games, &visitor).await?;
        }
        Ok(Self { games, address: visitor.address, game: id_of(name)?, ply, moves })
    }
}

impl PlaceRequest {
    /// The position, where it is known without the game.
    fn place(&self) -> Option<Place> {
        self.ply.map(|ply| Place { of: Source::Here(self.game), ply, moves: self.moves.clone() })
    }

    /// The position with its game, which is over.
    async fn of_ended(self) -> Result<(Place, Game), ApiError> {
        let game = ended(&self.games, self.game, self.address).await?;
        let ply = self.ply.unwrap_or(game.ply_count());
        Ok((Place { of: Source::Here(self.game), ply, moves: self.moves }, game))
    }
}

/// A game, which is over.
async fn ended(games: &Games, game: GameId, address: Address) -> Result<Game, ApiError> {
    let game = games.read(game, address).await.map_err(ApiError::of_read)?;
    let game = game.ok_or(ApiError::UnknownGame)?;
    if game.is_over() { Ok(game) } else { Err(ApiError::NotEnded) }
}

fn no_such_place(why: NoSuchPlace) -> ApiError {
    match why {
        NoSuchPlace::Ply => ApiError::BadParameter("ply"),
        NoSuchPlace::Moves(why) => ApiError::BadMove(why),
    }
}

/// Reads moves in UCI with commas between them.
fn read_side_line(text: &str) -> Result<Vec<Uci>, ApiError> {
    let bad = ApiError::BadParameter("moves");
    let moves = text.split(',').filter(|_| !text.is_empty()).take(SIDE_LINE_MAX + 1);
    let moves: Vec<Uci> = moves.map(|text| text.parse().map_err(|_| bad)).collect::<Result<_, _>>()?;
    if moves.len() > SIDE_LINE_MAX { Err(bad) } else { Ok(moves) }
}

/// Whoever plays gets no help: a line that leaves a game can be that of the one they play.
pub(super) async fn plays_nothing(games: &Games, visitor: &Visitor) -> Result<(), ApiError> {
    let account = visitor.known.ok_or(ApiError::NoIdentity)??.person.account;
    let plays = !games.unended_of(account).is_empty()
        || !games.unknown_of(account).await.map_err(|_| ApiError::Unavailable)?.is_empty();
    if plays { Err(ApiError::HasLiveGames) } else { Ok(()) }
}
