//! `/api/players/{account or name}`: a player, and the games that the player has finished.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use zeitnot_protocol::{AccountId, Player};

use super::error::ApiError;
use crate::accounts::{Accounts, Person};
use crate::archive::Archive;
use crate::connections::Connections;
use crate::games::Games;

/// What stands in the path, if it is text.
type Name = Result<Path<String>, PathRejection>;

/// Where a page of games begins.
#[derive(Debug, Deserialize)]
pub(crate) struct Page {
    before: Option<String>,
}

/// Finds an account by its id or its name.
async fn find(accounts: &Accounts, name: Name) -> Result<Person, ApiError> {
    let Ok(Path(name)) = name else { return Err(ApiError::UnknownAccount) };
    let found = match name.parse::<AccountId>() {
        Ok(account) => accounts.person(account).await,
        Err(_) => accounts.by_name(&name).await,
    };
    found.map_err(|_| ApiError::Unavailable)?.ok_or(ApiError::UnknownAccount)
}

/// The account and its name, whether it has a connection, and its live games.
pub(crate) async fn player(
    State(accounts): State<Arc<Accounts>>,
    State(connections): State<Arc<Connections>>,
    State(games): State<Games>,
    name: Name,
) -> Result<Json<Player>, ApiError> {
    let person = find(&accounts, name).await?;
    let account = person.account;
    let (here, live) = (connections.is_here(account), games.live_ids(account));
    Ok(Json(Player { account, name: person.shown_name(), here, live }))
}

/// The games that have ended, the last one first.
pub(crate) async fn games(
    State(accounts): State<Arc<Accounts>>,
    State(games): State<Games>,
    State(archive): State<Archive>,
    name: Name,
    page: Result<Query<Page>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Ok(Query(Page { before })) = page else { return Err(ApiError::BadCursor) };
    let before = before.map(|text| text.parse::<u64>()).transpose().map_err(|_| ApiError::BadCursor)?;
    let person = find(&accounts, name).await?;
    let page = games.played(person.account, before).await.map_err(ApiError::of_read)?;
    Ok(archive.make(move || Json(page.view()).into_response()).await?)
}
