//! `POST /api/analysis/evaluation`, `/lines` and `/lines/deeper`: what the computer thinks of a finished game that was played
//! elsewhere. Whoever asks brings it along, with its result.
//!
//! Deliberately absent: games of this server (`analysis`). Nothing of a game that was brought along is kept but what was found
//! out about its positions lately.
//!
//! Invariant: whoever asks has an account and plays no game here, also for the positions of the game itself: nobody but them says
//! that it is over.

use axum::Json;
use axum::extract::{Extension, FromRef as _, FromRequest, FromRequestParts as _, Request, State};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use zeitnot_bot::Line;
use zeitnot_protocol::{BestLines, Evaluation, Uci};

use super::account::body_bytes_within;
use super::analysis::{WantedPosition, no_such_place, plays_nothing};
use super::error::ApiError;
use super::guard::Visitor;
use super::route::MOVES_BYTES_MAX;
use super::state::HttpState;
use crate::analysis::Analysis;
use crate::analysis::best_lines::{LineSearches, StopWhenDropped};
use crate::analysis::place::{Place, SIDE_LINE_MAX, Source};
use crate::games::Games;

/// A position of a game that was played elsewhere.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BroughtPosition {
    /// The first position, in FEN; without it that of a game of standard chess.
    #[serde(default)]
    start: Option<String>,
    /// Whether castling is written as in Chess960.
    #[serde(default)]
    chess960: bool,
    /// All moves of the game, in UCI or SAN.
    #[schema(max_items = 1000)]
    moves: Vec<String>,
    /// How it ended: `1-0`, `0-1` or `1/2-1/2`.
    #[serde(default)]
    #[schema(required)]
    result: String,
    /// After how many plies of the game; without it after the last one.
    #[serde(default)]
    #[schema(minimum = 0)]
    ply: Option<u32>,
    /// After which moves from there on that were not played, in UCI.
    #[serde(default)]
    #[schema(max_items = 100)]
    aside: Vec<String>,
}

/// What the computer thinks of a position of a finished game that was played elsewhere, or of a line that leaves it.
#[utoipa::path(
    post,
    path = "/api/analysis/evaluation",
    tag = "analysis",
    operation_id = "evaluate_brought_position",
    request_body = BroughtPosition,
    responses((status = 200, description = "What it is worth, and the best line.", body = ref("#/components/schemas/Evaluation"))),
    extensions(("x-codes" = json!(["bad_field", "bad_fen", "illegal_move", "no_identity", "has_live_games"]))),
)]
pub(super) async fn evaluation(
    State(analysis): State<Analysis>,
    brought: Brought,
) -> Result<Json<Evaluation>, ApiError> {
    let (places, evaluations) = (analysis.evaluations.places.clone(), analysis.evaluations);
    let evaluate = move || {
        let (place, whole) = brought.place()?;
        evaluations.evaluate(place, &whole).map_err(no_such_place)
    };
    places.make(evaluate).await?.map(Json)
}

/// The best moves in a position of such a game, or of a line that leaves it, after a longer search.
#[utoipa::path(
    post,
    path = "/api/analysis/lines",
    tag = "analysis",
    operation_id = "best_lines_of_brought_position",
    request_body = BroughtPosition,
    responses((status = 200, description = "At most three moves, the best one first, with what follows each.", body = ref("#/components/schemas/BestLines"))),
    extensions(("x-codes" = json!(["bad_field", "bad_fen", "illegal_move", "no_identity", "has_live_games"]))),
)]
pub(super) async fn lines(
    State(analysis): State<Analysis>,
    brought: Brought,
) -> Result<Json<BestLines>, ApiError> {
    lines_of(analysis.lines, brought).await
}

/// The same after the longest search, for whoever asks for more of a position: of four times as many positions.
#[utoipa::path(
    post,
    path = "/api/analysis/lines/deeper",
    tag = "analysis",
    operation_id = "deeper_lines_of_brought_position",
    request_body = BroughtPosition,
    responses((status = 200, description = "As of `lines`.", body = ref("#/components/schemas/BestLines"))),
    extensions(("x-codes" = json!(["bad_field", "bad_fen", "illegal_move", "no_identity", "has_live_games"]))),
)]
pub(super) async fn deeper_lines(
    State(analysis): State<Analysis>,
    brought: Brought,
) -> Result<Json<BestLines>, ApiError> {
    lines_of(analysis.deeper_lines, brought).await
}

/// A request that is given up ends its search.
async fn lines_of(searches: LineSearches, brought: Brought) -> Result<Json<BestLines>, ApiError> {
    let (search, places) = (StopWhenDropped::default(), searches.places.clone());
    let stop = search.0.clone();
    let find = move || {
        let (place, whole) = brought.place()?;
        searches.best_lines(place, &whole, &stop).map_err(no_such_place)
    };
    places.make(find).await?.map(Json)
}

/// What somebody asks about who may.
pub(super) struct Brought {
    game: WantedPosition,
    ply: Option<u32>,
    aside: Vec<Uci>,
}

impl FromRequest<HttpState> for Brought {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &HttpState) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let visitor = Extension::<Visitor>::from_request_parts(&mut parts, state).await;
        let Extension(visitor) = visitor.map_err(|_| ApiError::Internal)?;
        plays_nothing(&Games::from_ref(state), &visitor).await?;
        let bytes = body_bytes_within(body, MOVES_BYTES_MAX).await?;
        // An array would be read as the fields in their order.
        let fields: Map<String, Value> = serde_json::from_slice(&bytes).map_err(|_| ApiError::BadBody)?;
        let wanted: BroughtPosition = serde_json::from_value(fields.into()).map_err(|_| ApiError::BadBody)?;
        let BroughtPosition { start, chess960, moves, result, ply, aside } = wanted;
        // A game that is not over can be one that is being played.
        if !["1-0", "0-1", "1/2-1/2"].contains(&&*result) {
            return Err(ApiError::BadField("result"));
        }
        let game = WantedPosition { start, chess960, moves };
        game.has_few_moves()?;
        let aside: Result<Vec<Uci>, _> = aside.iter().map(|text| text.parse()).collect();
        let aside = aside.ok().filter(|aside| aside.len() <= SIDE_LINE_MAX);
        Ok(Self { game, ply, aside: aside.ok_or(ApiError::BadField("aside"))? })
    }
}

impl Brought {
    /// The position, and the whole game.
    fn place(self) -> Result<(Place, Line), ApiError> {
        let whole = self.game.line()?;
        let ply = self.ply.unwrap_or(whole.moves().len() as u32);
        if ply as usize > whole.moves().len() {
            return Err(ApiError::BadField("ply"));
        }
        Ok((Place { of: Source::of_brought(&whole), ply, moves: self.aside }, whole))
    }
}
