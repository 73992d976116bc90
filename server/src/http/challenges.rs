//! `/api/challenges/{id}`: the challenge that a link leads to.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use zeitnot_protocol::{Challenge, ChallengeId, Code};

use super::error::ApiError;
use crate::lobby::Lobby;

/// The body of the answer about a challenge that has ended: an error, and the terms as far as they are remembered.
#[derive(Serialize)]
struct Over {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    challenge: Option<Challenge>,
}

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
) -> Response {
    let Some(id) = name.ok().and_then(|Path(name)| name.parse::<ChallengeId>().ok()) else {
        return ApiError::UnknownChallenge.into_response();
    };
    match lobby.known(id).await {
        (None, open) => open.map(Json).ok_or(ApiError::UnknownChallenge).into_response(),
        (Some(Code::UnknownChallenge), _) => ApiError::UnknownChallenge.into_response(),
        (Some(Code::Unavailable), _) => ApiError::Unavailable.into_response(),
        (Some(why), challenge) => {
            let error = ApiError::ChallengeOver(why);
            let body = Json(Over { code: error.code(), message: error.to_string(), challenge });
            (error.status(), body).into_response()
        }
    }
}
