//! `/api/games/{id}`: a game as JSON and as PGN, live or ended.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, State};
use axum::response::{IntoResponse as _, Response};
use http::header;
use zeitnot_protocol::{GameId, Snapshot};
use zeitnot_rules::game::Game;

use super::error::ApiError;
use super::guard::Visitor;
use crate::archive::Archive;
use crate::games::{self, Aftermath, Games};
use crate::openings;

/// What stands in the path, if it is text.
pub(super) type Name = Result<Path<String>, PathRejection>;

/// The id that stands in the path.
pub(super) fn id_of(name: Name) -> Result<GameId, ApiError> {
    let Ok(Path(name)) = name else { return Err(ApiError::UnknownGame) };
    name.parse().map_err(|_| ApiError::UnknownGame)
}

/// Reads a game by the text of its id, and lets the archive's thread make an answer of it. What is not an id is not a
/// game.
async fn answer(
    games: &Games,
    archive: &Archive,
    name: Name,
    make: impl FnOnce(GameId, &Game, &Aftermath) -> Response + Send + 'static,
) -> Result<Response, ApiError> {
    let id = id_of(name)?;
    let stored = games.stored(id).await.map_err(ApiError::of_read)?;
    let made = archive.make(move || stored.fold().map(|game| make(id, &game, &stored.after))).await?;
    made.ok_or(ApiError::UnknownGame)
}

/// The `d` of a `snapshot`.
#[utoipa::path(
    get,
    path = "/api/games/{id}",
    tag = "games",
    params(("id" = String, Path, description = "The id of the game.")),
    responses((status = 200, description = "The game.", body = ref("#/components/schemas/Snapshot"))),
    extensions(("x-codes" = json!(["unknown_game", "damaged"]))),
)]
pub(crate) async fn snapshot(
    State(games): State<Games>,
    State(archive): State<Archive>,
    name: Name,
) -> Result<Response, ApiError> {
    let make = |id, game: &Game, after: &Aftermath| Json(shown(id, game, after)).into_response();
    answer(&games, &archive, name, make).await
}

/// A game as it is shown over HTTP, with its opening.
pub(super) fn shown(id: GameId, game: &Game, after: &Aftermath) -> Snapshot {
    let found = openings::of_line(&game.setup().start, game.moves().map(|played| played.mv));
    let opening = found.map(|(opening, ply)| Box::new(opening.shown(ply)));
    Snapshot { opening, ..games::snapshot_with(id, game, after) }
}

/// The game in export format.
#[utoipa::path(
    get,
    path = "/api/games/{id}/pgn",
    tag = "games",
    params(("id" = String, Path, description = "The id of the game.")),
    responses((status = 200, description = "The game.", body = String, content_type = "application/x-chess-pgn")),
    extensions(("x-codes" = json!(["unknown_game", "damaged"]))),
)]
pub(crate) async fn pgn(
    State(games): State<Games>,
    State(archive): State<Archive>,
    Extension(Visitor { site, .. }): Extension<Visitor>,
    name: Name,
) -> Result<Response, ApiError> {
    let make = move |id: GameId, game: &Game, after: &Aftermath| {
        let headers = [
            (header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8".to_owned()),
            (header::CONTENT_DISPOSITION, format!("inline; filename=\"{id}.pgn\"")),
        ];
        (headers, games::pgn(id, game, after.correction, site.as_ref())).into_response()
    };
    answer(&games, &archive, name, make).await
}
