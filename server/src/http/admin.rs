//! `/api/admin/…`: what admins do, by a token with the scope `admin`.
//!
//! Invariants: whoever asks is an admin with a second factor, which is looked up for each request; a cookie alone is not
//! enough, so no page of a browser can do this.
//!
//! Deliberately absent: the acts (`admin`).

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::account::{NOT_KEPT, body_bytes};
use super::error::ApiError;
use super::guard::Visitor;
use super::state::Edge;
use crate::accounts::{Accounts, Known};
use crate::admin::{Admin, AdminAct, By, SHOWN_MAX};
use crate::net::Origin;
use crate::storage::AuditEntry;

type Answer = Result<Response, ApiError>;

/// What became of an act.
#[derive(Serialize, ToSchema)]
struct AdminDone {
    /// What the admin is told, for people.
    done: String,
}

/// Something that was done.
#[derive(Serialize, ToSchema)]
struct LoggedAct {
    /// In milliseconds since 1970.
    at_ms: u64,
    /// `console`, or the admin's name and account.
    by: String,
    /// The act, as it was sent; a text where it is damaged.
    act: Value,
}

/// What was done, the last act first.
#[derive(Serialize, ToSchema)]
struct AdminLog {
    acts: Vec<LoggedAct>,
}

/// How much of the log.
#[derive(Deserialize)]
pub(super) struct Wanted {
    most: Option<u32>,
}

/// The admin who asks.
async fn admin(accounts: &Accounts, visitor: &Visitor) -> Result<Known, ApiError> {
    let known = visitor.known.ok_or(ApiError::NoIdentity)??;
    accounts.check_admin(known).await?;
    Ok(known)
}

/// Does something that admins do.
#[utoipa::path(
    post,
    path = "/api/admin/acts",
    tag = "admin",
    operation_id = "act_as_admin",
    request_body = AdminAct,
    responses((status = 200, description = "It is done.", body = AdminDone)),
    extensions(("x-codes" = json!(["no_identity", "bad_token", "not_admin", "no_second_factor", "bad_act", "body_too_slow", "unknown_account", "not_registered", "bad_name", "name_taken", "is_admin", "console_only", "not_muted", "bad_network", "not_cut", "too_many_in_force", "unknown_report", "unknown_game", "not_ended", "imported_game", "same_result", "too_many_corrections", "damaged"]))),
)]
pub(super) async fn act(
    State(accounts): State<Arc<Accounts>>,
    State(acts): State<Arc<Admin>>,
    State(edge): State<Arc<Edge>>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Answer {
    let known = admin(&accounts, &visitor).await?;
    if edge.tasks.is_stopping() {
        return Err(ApiError::Unavailable);
    }
    let act: AdminAct = serde_json::from_slice(&body_bytes(body).await?).map_err(|_| ApiError::BadAct)?;
    let site = visitor.site.as_ref().map_or_else(String::new, Origin::to_string);
    // It goes on to the end also when the client does not wait for it.
    let by = By::Admin(known.person);
    let done = edge.tasks.spawn(async move { acts.perform(act, &by, &site).await });
    let done = done.await.map_err(|_| ApiError::Internal)??;
    Ok(([NOT_KEPT], Json(AdminDone { done })).into_response())
}

/// What admins have done.
#[utoipa::path(
    get,
    path = "/api/admin/log",
    tag = "admin",
    operation_id = "admin_log",
    params(("most" = Option<u32>, Query, description = "How many acts; without it, 50.", minimum = 1, maximum = 1_000)),
    responses((status = 200, description = "The last acts, the last one first.", body = AdminLog)),
    extensions(("x-codes" = json!(["no_identity", "bad_token", "not_admin", "no_second_factor", "bad_parameter"]))),
)]
pub(super) async fn log(
    State(accounts): State<Arc<Accounts>>,
    State(acts): State<Arc<Admin>>,
    Extension(visitor): Extension<Visitor>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Answer {
    admin(&accounts, &visitor).await?;
    let Ok(Query(Wanted { most })) = wanted else { return Err(ApiError::BadParameter("most")) };
    let most = most.unwrap_or(50);
    if !(1..=SHOWN_MAX).contains(&most) {
        return Err(ApiError::BadParameter("most"));
    }
    let acts = acts.acts(most).await?.into_iter().map(LoggedAct::from).collect();
    Ok(([NOT_KEPT], Json(AdminLog { acts })).into_response())
}

impl From<AuditEntry> for LoggedAct {
    fn from(AuditEntry { at_unix_ms, by, act }: AuditEntry) -> Self {
        let act = serde_json::from_str(&act).unwrap_or(Value::String(act));
        Self { at_ms: at_unix_ms, by, act }
    }
}
