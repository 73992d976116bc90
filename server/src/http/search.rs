//! `/api/games`: the games that have ended, searched, counted, as many of them as wanted in one answer, what was played in a
//! position, and the names of players without accounts.
//!
//! Deliberately absent: how they are found (`storage`), and what is wanted (`search_query`).
//!
//! Invariant: while a client reads what it was sent, no game is read for it, and it has no place at the archive.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use futures_util::stream;
use http::{HeaderMap, header};
use serde::Deserialize;
use zeitnot_protocol::{FoundNames, GameCounts, PlayedMoves};
use zeitnot_rules::game::Tags;

use super::error::ApiError;
use super::guard::Visitor;
use super::search_query::{
    OfExport, OfPage, OfPosition, OfSearch, Pairs, Wanted, accepted, content_type, position,
};
use crate::accounts::Accounts;
use crate::archive::{Archive, Payer, Turn};
use crate::games::{ExportFormat, History};
use crate::net::Origin;
use crate::storage::Search;

/// Games that are read at once for an answer with many: some hundred KiB.
const GAMES_PER_CHUNK: usize = 20;

/// The most names that are found by how they begin: as many as a list of suggestions shows.
const NAMES_MAX: usize = 8;

/// A page of the games that fit, the last one first; or, for whom accepts that instead, all of them.
#[utoipa::path(
    get,
    path = "/api/games",
    tag = "games",
    params(OfSearch, OfPage),
    responses((status = 200, description = "A page of games, or all of them whole.", content(
            (ref("#/components/schemas/PlayedGames") = "application/json"),
            (String = "application/x-chess-pgn"),
            (String = "application/x-ndjson"),
        ))),
    extensions(("x-codes" = json!(["bad_cursor", "bad_parameter", "unknown_parameter", "damaged"]))),
)]
pub(crate) async fn search(
    State(accounts): State<Arc<Accounts>>,
    State(history): State<History>,
    State(archive): State<Archive>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    pairs: Pairs,
) -> Result<Response, ApiError> {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    if let Some(format) = accept.and_then(accepted) {
        let wanted = Wanted::read(&accounts, pairs, Wanted::OF_EXPORT).await?;
        return Export::begin(history, archive, &visitor, wanted, format);
    }
    let Wanted { search, before, limit, .. } = Wanted::read(&accounts, pairs, Wanted::OF_PAGE).await?;
    let page = history.page(search, before, limit).await.map_err(ApiError::of_read)?;
    Ok(archive.make(move || Json(page.view()).into_response()).await?)
}

/// How many games fit, by their results.
#[utoipa::path(
    get,
    path = "/api/games/count",
    tag = "games",
    params(OfSearch),
    responses((status = 200, description = "How many.", body = ref("#/components/schemas/GameCounts"))),
    extensions(("x-codes" = json!(["bad_parameter", "unknown_parameter", "damaged"]))),
)]
pub(crate) async fn count(
    State(accounts): State<Arc<Accounts>>,
    State(history): State<History>,
    pairs: Pairs,
) -> Result<Json<GameCounts>, ApiError> {
    let Wanted { search, .. } = Wanted::read(&accounts, pairs, Wanted::OF_COUNT).await?;
    let counts = history.count(search).await.map_err(ApiError::of_read)?;
    Ok(Json(counts))
}

/// How the name of somebody without an account begins.
#[derive(Debug, Deserialize)]
pub(crate) struct Beginning {
    name: String,
}

/// The players without accounts whose names begin so: those of imported games.
#[utoipa::path(
    get,
    path = "/api/games/names",
    tag = "games",
    operation_id = "find_names",
    params(("name" = String, Query, description = "How the name begins, in large or small letters, with or without its white space.", min_length = 2, max_length = 100)),
    responses((status = 200, description = "At most 8, in the order of their letters.", body = ref("#/components/schemas/FoundNames"))),
    extensions(("x-codes" = json!(["bad_parameter", "damaged"]))),
)]
pub(crate) async fn names(
    State(history): State<History>,
    beginning: Result<Query<Beginning>, QueryRejection>,
) -> Result<Json<FoundNames>, ApiError> {
    let name = beginning.ok().map(|Query(Beginning { name })| name);
    let name = name.filter(|name| (2..=Tags::VALUE_CHARS_MAX).contains(&name.trim().chars().count()));
    let name = name.ok_or(ApiError::BadParameter("name"))?;
    let names = history.names_by_prefix(&name, NAMES_MAX).await.map_err(ApiError::of_read)?;
    Ok(Json(FoundNames { names }))
}

/// Which moves were played in a position, and how the games ended.
#[utoipa::path(
    get,
    path = "/api/games/moves",
    tag = "games",
    operation_id = "played_moves",
    params(OfPosition),
    responses((status = 200, description = "The moves, the most frequent first.", body = ref("#/components/schemas/PlayedMoves"))),
    extensions(("x-codes" = json!(["bad_parameter", "unknown_parameter", "damaged"]))),
)]
pub(crate) async fn played_moves(
    State(history): State<History>,
    pairs: Pairs,
) -> Result<Json<PlayedMoves>, ApiError> {
    let moves = history.played_moves(position(pairs)?).await.map_err(ApiError::of_read)?;
    Ok(Json(moves))
}

/// The games that fit, whole.
#[utoipa::path(
    get,
    path = "/api/games/export",
    tag = "games",
    operation_id = "export_games",
    params(OfSearch, OfExport),
    responses((status = 200, description = "The games, whole. A line of NDJSON is a `WholeGame`.", content(
            (String = "application/x-chess-pgn"),
            (String = "application/x-ndjson"),
        ))),
    extensions(("x-codes" = json!(["bad_cursor", "bad_parameter", "unknown_parameter", "damaged"]))),
)]
pub(crate) async fn export(
    State(accounts): State<Arc<Accounts>>,
    State(history): State<History>,
    State(archive): State<Archive>,
    Extension(visitor): Extension<Visitor>,
    pairs: Pairs,
) -> Result<Response, ApiError> {
    let wanted = Wanted::read(&accounts, pairs, Wanted::OF_EXPORT).await?;
    let format = wanted.format;
    Export::begin(history, archive, &visitor, wanted, format)
}

/// An answer with many games, while it is being made.
struct Export {
    history: History,
    archive: Archive,
    turn: Turn,
    search: Search,
    before: Option<u64>,
    format: ExportFormat,
    /// Our origin as the client knows it.
    site: Option<Origin>,
    /// How many more games are wanted; 0: it has come to its end.
    left: usize,
}

impl Export {
    fn begin(
        history: History,
        archive: Archive,
        visitor: &Visitor,
        wanted: Wanted,
        format: ExportFormat,
    ) -> Result<Response, ApiError> {
        let account = visitor.known.and_then(Result::ok).map(|known| known.person.account);
        let turn = archive.turn(Payer::of(account, visitor.address), visitor.address)?;
        let Wanted { search, before, games, .. } = wanted;
        let site = visitor.site.clone();
        let export = Self { history, archive, turn, search, before, format, site, left: games };
        let chunks = stream::try_unfold(export, |mut export| async move {
            Ok::<_, ApiError>(export.chunk().await?.map(|chunk| (chunk, export)))
        });
        Ok(([(header::CONTENT_TYPE, content_type(format))], Body::from_stream(chunks)).into_response())
    }

    /// The next games, as text; `None` at the end.
    async fn chunk(&mut self) -> Result<Option<Bytes>, ApiError> {
        while self.left > 0 {
            self.turn.begin().await?;
            let most = self.left.min(GAMES_PER_CHUNK);
            let page = self.history.page(self.search.clone(), self.before, most).await;
            let page = page.map_err(ApiError::of_read)?;
            self.before = page.next();
            self.left = if self.before.is_some() { self.left - page.count() } else { 0 };
            let (format, site) = (self.format, self.site.clone());
            let text = self.archive.make(move || page.written(format, site.as_ref())).await?;
            self.turn.pause();
            if !text.is_empty() {
                return Ok(Some(text.into()));
            }
        }
        Ok(None)
    }
}
