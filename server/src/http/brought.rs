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
use utoipa::ToSchema;
use zeitnot_protocol::{BestLines, Evaluation, Uci};

use super::account::object_within;
use super::analysis::{WantedPosition, evaluate, plays_nothing, search};
use super::error::ApiError;
use super::guard::Visitor;
use super::route::MOVES_BYTES_MAX;
use super::state::HttpState;
use crate::analysis::Analysis;
use crate::analysis::place::{Place, SIDE_LINE_MAX, Source, WholeGame};
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
    evaluate(analysis.evaluations, move || brought.place()).await
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
    search(analysis.lines, move || brought.place()).await
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
    search(analysis.deeper_lines, move || brought.place()).await
}

/// What is asked about, by somebody who may.
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
        let wanted: BroughtPosition = object_within(body, MOVES_BYTES_MAX).await?;
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
    fn place(self) -> Result<(Place, WholeGame), ApiError> {
        let game = WholeGame::from(&self.game.line()?);
        let ply = self.ply.unwrap_or(game.ply_count() as u32);
        if ply as usize > game.ply_count() {
            return Err(ApiError::BadField("ply"));
        }
        Ok((Place { of: Source::of_brought(&game), ply, moves: self.aside }, game))
    }
}
