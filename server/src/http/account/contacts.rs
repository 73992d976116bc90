//! `/api/account/blocks` and `/api/account/challenge-rules`: with whom an account has nothing to do, and who may challenge
//! it. The answers in JSON.

use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use zeitnot_protocol::AccountId;

use super::acts::AccountRequest;
use super::api::NOT_KEPT;
use super::bodies::{Blocked, BlockedAccount, Rules};
use crate::accounts::{Accounts, shown_name};
use crate::http::error::ApiError;
use crate::storage::Block;

type Answer = Result<Response, ApiError>;

/// Whom the account has blocked.
#[utoipa::path(
    get,
    path = "/api/account/blocks",
    tag = "account",
    responses((status = 200, description = "The accounts, the first one first.", body = Blocked)),
    extensions(("x-codes" = json!(["no_identity", "damaged"]))),
)]
pub(in crate::http) async fn blocks(request: AccountRequest) -> Answer {
    let by = request.known()?.person.account;
    let blocked = shown(&request.accounts, request.accounts.blocks.of(by)).await?;
    Ok(([NOT_KEPT], Json(Blocked { blocked })).into_response())
}

/// These accounts with their names.
pub(super) async fn shown(accounts: &Accounts, of: Vec<AccountId>) -> Result<Vec<BlockedAccount>, ApiError> {
    let mut shown = Vec::with_capacity(of.len());
    for account in of {
        let person = accounts.person(account).await.map_err(ApiError::of_read)?;
        let name = person.map_or_else(|| shown_name(account, None), |person| person.shown_name());
        shown.push(BlockedAccount { account, name });
    }
    Ok(shown)
}

/// Blocks an account: neither gets challenges, pairings or chat of the other any more.
#[utoipa::path(
    put,
    path = "/api/account/blocks/{who}",
    tag = "account",
    params(("who" = String, Path, description = "An account by its id or its name.")),
    responses((status = 204, description = "The account is blocked.")),
    extensions(("x-codes" = json!(["no_identity", "unknown_account", "own_account", "too_many_blocks"]))),
)]
pub(in crate::http) async fn block(
    who: Result<Path<String>, PathRejection>,
    request: AccountRequest,
) -> Answer {
    let block = request.block(who).await?;
    request.accounts.block(block).await?;
    request.lobby.blocked(block);
    Ok((StatusCode::NO_CONTENT, [NOT_KEPT]).into_response())
}

/// Blocks an account no more.
#[utoipa::path(
    delete,
    path = "/api/account/blocks/{who}",
    tag = "account",
    params(("who" = String, Path, description = "An account by its id or its name.")),
    responses((status = 204, description = "The account is not blocked, or not any more.")),
    extensions(("x-codes" = json!(["no_identity", "unknown_account", "own_account"]))),
)]
pub(in crate::http) async fn unblock(
    who: Result<Path<String>, PathRejection>,
    request: AccountRequest,
) -> Answer {
    let block = request.block(who).await?;
    request.accounts.unblock(block).await?;
    request.lobby.unblocked(block);
    Ok((StatusCode::NO_CONTENT, [NOT_KEPT]).into_response())
}

/// Who may challenge the account by name, and to what.
#[utoipa::path(
    get,
    path = "/api/account/challenge-rules",
    tag = "account",
    responses((status = 200, description = "The rules.", body = Rules)),
    extensions(("x-codes" = json!(["no_identity", "damaged"]))),
)]
pub(in crate::http) async fn challenge_rules(request: AccountRequest) -> Answer {
    let rules = request.accounts.challenge_rules(request.known()?.person.account).await?;
    Ok(([NOT_KEPT], Json(Rules::of(&rules))).into_response())
}

/// Sets who may challenge the account by name, and to what.
#[utoipa::path(
    put,
    path = "/api/account/challenge-rules",
    tag = "account",
    operation_id = "set_challenge_rules",
    request_body = Rules,
    responses((status = 204, description = "These are the rules.")),
    extensions(("x-codes" = json!(["no_identity"]))),
)]
pub(in crate::http) async fn set_challenge_rules(request: AccountRequest) -> Answer {
    let account = request.known()?.person.account;
    request.accounts.set_challenge_rules(account, &request.challenge_rules()?).await?;
    Ok((StatusCode::NO_CONTENT, [NOT_KEPT]).into_response())
}

impl AccountRequest {
    /// The account of the request, and the one that its path names.
    async fn block(&self, who: Result<Path<String>, PathRejection>) -> Result<Block, ApiError> {
        let by = self.known()?.person.account;
        let Ok(Path(who)) = who else { return Err(ApiError::UnknownAccount) };
        let found = match who.parse::<AccountId>() {
            Ok(account) => self.accounts.person(account).await,
            Err(_) => self.accounts.by_name(&who).await,
        };
        let whom = found.map_err(ApiError::of_read)?.ok_or(ApiError::UnknownAccount)?.account;
        if whom == by { Err(ApiError::OwnAccount) } else { Ok(Block { by, whom }) }
    }
}
