//! `/api/challenges/{id}`: the challenge that a link leads to.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use zeitnot_protocol::{Challenge, ChallengeId, Code};

use super::error::ApiError;
use crate::lobby::Lobby;

/// The `d` of an open `challenge`. What is not an id is no challenge.
#[utoipa::path(
    get,
    path = "/api/challenges/{id}",
    tag = "challenges",
    params(("id" = String, Path, description = "The id of the challenge.")),
    responses((status = 200, description = "The challenge.", body = ref("#/components/schemas/Challenge"))),
    extensions(("x-codes" = json!(["unknown_challenge", "challenge_expired", "challenge_cancelled", "challenge_declined", "challenge_taken"]))),
)]
pub(crate) async fn challenge(
    State(lobby): State<Arc<Lobby>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Json<Challenge>, ApiError> {
    let id = name.ok().and_then(|Path(name)| name.parse::<ChallengeId>().ok());
    let id = id.ok_or(ApiError::UnknownChallenge)?;
    lobby.view(id).map(Json).ok_or_else(|| match lobby.why_over(id) {
        Code::UnknownChallenge => ApiError::UnknownChallenge,
        why => ApiError::ChallengeOver(why),
    })
}
