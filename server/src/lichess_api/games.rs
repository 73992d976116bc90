//! The calls about games that everybody may read.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::IntoResponse as _;
use http::{HeaderMap, header};
use zeitnot_protocol::{Code, GameId};

use super::caller::Visitor;
use super::game_json;
use super::rejection::Rejection;
use super::{Answer, LichessApi};
use crate::games;

/// The type of games as PGN.
const PGN: &str = "application/x-chess-pgn";

/// `GET /game/export/{id}`: a game as PGN, or as JSON for a client that says that it takes that.
pub(super) async fn export(
    State(api): State<LichessApi>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Answer {
    exported(&api, &visitor, &id, &headers).await
}

/// The same of a game that is named with a side.
pub(super) async fn export_of_side(
    State(api): State<LichessApi>,
    visitor: Visitor,
    Path((id, _side)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    exported(&api, &visitor, &id, &headers).await
}

async fn exported(api: &LichessApi, visitor: &Visitor, id: &str, headers: &HeaderMap) -> Answer {
    let unknown = || Rejection::not_found("No such game");
    let id: GameId = id.parse().map_err(|_| unknown())?;
    let accepts = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let wants_json = accepts.contains("application/json");
    let games = &api.sessions.games;
    let unavailable = |_| Rejection::unavailable();
    let _place = games.archive().enter(visitor.address).await.map_err(unavailable)?;
    let stored = games.stored(id).await.map_err(|code| match code {
        Code::Damaged | Code::UnknownGame => unknown(),
        _ => Rejection::unavailable(),
    })?;
    let make = move || {
        let game = stored.fold()?;
        Some(if wants_json {
            Json(game_json::of(id, &game, &stored.after)).into_response()
        } else {
            let text = games::pgn(id, &game, stored.after.correction);
            ([(header::CONTENT_TYPE, PGN)], text).into_response()
        })
    };
    let made = games.archive().make(make).await.map_err(|_| Rejection::unavailable())?;
    made.ok_or_else(unknown)
}
