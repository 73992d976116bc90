//! `/api/games/{id}`: a game as JSON and as PGN, live or ended.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use http::header;
use zeitnot_protocol::{GameId, Snapshot};
use zeitnot_rules::game::Game;

use super::error::ApiError;
use super::pgn;
use crate::games::{self, Games};

/// What stands in the path, if it is text.
type Name = Result<Path<String>, PathRejection>;

/// Reads a game by the text of its id. What is not an id is not a game.
async fn read(games: &Games, name: Name) -> Result<(GameId, Game), ApiError> {
    let Ok(Path(name)) = name else { return Err(ApiError::UnknownGame) };
    let id: GameId = name.parse().map_err(|_| ApiError::UnknownGame)?;
    match games.read(id).await {
        Ok(Some(game)) => Ok((id, game)),
        Ok(None) => Err(ApiError::UnknownGame),
        Err(error) => {
            tracing::error!(%error, %id, "a game cannot be read");
            Err(ApiError::Unavailable)
        }
    }
}

/// The `d` of a `snapshot`.
pub(crate) async fn snapshot(State(games): State<Games>, name: Name) -> Result<Json<Snapshot>, ApiError> {
    let (id, game) = read(&games, name).await?;
    Ok(Json(games::snapshot(id, &game)))
}

/// The game in export format.
pub(crate) async fn pgn(State(games): State<Games>, name: Name) -> Result<impl IntoResponse, ApiError> {
    let (id, game) = read(&games, name).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("inline; filename=\"{id}.pgn\"")),
    ];
    Ok((headers, pgn::write(id, &game)))
}
