//! `/api/openings`: the openings that somebody may mean who types a name.

use axum::Json;
use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use serde::Deserialize;
use zeitnot_protocol::{FoundOpening, FoundOpenings};

use super::error::ApiError;
use crate::openings;

/// The longest text that is looked for: no name of an opening is longer.
const NAME_CHARS_MAX: usize = 100;

/// A part of a name.
#[derive(Debug, Deserialize)]
pub(crate) struct Part {
    name: String,
}

/// The openings that have these words in their names, or this code: the one that is called so, then those whose names begin so.
#[utoipa::path(
    get,
    path = "/api/openings",
    tag = "games",
    operation_id = "find_openings",
    params(("name" = String, Query, description = "A part of a name in English, in large or small letters, with accents or without.", min_length = 2, max_length = 100)),
    responses((status = 200, description = "At most 20.", body = ref("#/components/schemas/FoundOpenings"))),
    extensions(("x-codes" = json!(["bad_parameter"]))),
)]
pub(crate) async fn by_name(
    part: Result<Query<Part>, QueryRejection>,
) -> Result<Json<FoundOpenings>, ApiError> {
    let name = part.ok().map(|Query(Part { name })| name);
    let name = name.filter(|name| (2..=NAME_CHARS_MAX).contains(&name.chars().count()));
    let found = openings::find(&name.ok_or(ApiError::BadParameter("name"))?);
    let openings = found.into_iter().map(|line| FoundOpening {
        eco: line.opening.eco.to_owned(),
        name: line.opening.name.to_owned(),
        moves: line.moves.to_owned(),
    });
    Ok(Json(FoundOpenings { openings: openings.collect() }))
}
