//! `/api/reports`: what somebody reports about another account, for the admins of the server.
//!
//! The lines of a chat are copied as they were said, because no chat is kept: nothing in a request is taken for one.
//!
//! Deliberately absent: reading reports (`admin`).

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use zeitnot_protocol::{AccountId, ChatRoom, GameId};

use super::account::{NOT_KEPT, body_bytes};
use super::error::ApiError;
use super::guard::Visitor;
use crate::accounts::{Accounts, ReportReason};
use crate::games::Games;
use crate::storage::Report;
use crate::time::unix_now_ms;

/// Letters of what a reporter says.
const TEXT_CHARS_MAX: usize = 1_000;

/// Lines of a chat in one report.
const LINES_MAX: usize = 20;

/// What is reported.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WantedReport {
    /// The account, by its id or its name.
    who: String,
    /// `cheating`, `insults`, `spam` or `other`.
    #[schema(value_type = String, pattern = "^(cheating|insults|spam|other)$")]
    reason: ReportReason,
    /// What there is to say about it.
    #[serde(default)]
    #[schema(max_length = 1000)]
    text: String,
    /// The game that it is about.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    game: Option<GameId>,
    /// The room in which the lines were said: `players` or `spectators`.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^(players|spectators)$")]
    room: Option<ChatRoom>,
    /// The numbers of the lines, of those that the account said in the game's chat and that are still there.
    #[serde(default)]
    #[schema(max_items = 20)]
    lines: Vec<u32>,
}

/// A report that was kept.
#[derive(Serialize, ToSchema)]
struct KeptReport {
    /// Its number, from 1.
    number: u64,
    /// How many lines it holds.
    lines: usize,
}

/// Reports an account to the admins.
#[utoipa::path(
    post,
    path = "/api/reports",
    tag = "account",
    operation_id = "report",
    request_body = WantedReport,
    responses((status = 201, description = "The report is kept.", body = KeptReport)),
    extensions(("x-codes" = json!(["no_identity", "bad_token", "bad_body", "bad_field", "body_too_slow", "unknown_account", "own_account", "too_many_attempts", "too_many_reports"]))),
)]
pub(super) async fn report(
    State(accounts): State<Arc<Accounts>>,
    State(games): State<Games>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Response, ApiError> {
    let by = visitor.known.ok_or(ApiError::NoIdentity)??.person.account;
    let wanted: WantedReport =
        serde_json::from_slice(&body_bytes(body).await?).map_err(|_| ApiError::BadBody)?;
    if wanted.text.chars().count() > TEXT_CHARS_MAX {
        return Err(ApiError::BadField("text"));
    }
    if wanted.lines.len() > LINES_MAX
        || !wanted.lines.is_empty() && (wanted.game, wanted.room) == (None, None)
    {
        return Err(ApiError::BadField("lines"));
    }
    let found = match wanted.who.parse::<AccountId>() {
        Ok(account) => accounts.person(account).await,
        Err(_) => accounts.by_name(&wanted.who).await,
    };
    let about = found.map_err(ApiError::of_read)?.ok_or(ApiError::UnknownAccount)?.account;
    if about == by {
        return Err(ApiError::OwnAccount);
    }
    let lines = lines(&games, &wanted, about, by);
    let report = Report {
        number: 0,
        at_unix_ms: unix_now_ms(),
        by: Some(by),
        about,
        game: wanted.game,
        reason: wanted.reason.as_str().to_owned(),
        text: wanted.text,
        lines: format!("[{}]", lines.join(",")),
        handled_unix_ms: None,
    };
    let number = accounts.report(report, visitor.address).await?;
    let kept = KeptReport { number, lines: lines.len() };
    Ok((StatusCode::CREATED, [NOT_KEPT], Json(kept)).into_response())
}

/// Those of the wanted lines that the reported account has said, and the reporter may read.
fn lines(games: &Games, wanted: &WantedReport, about: AccountId, by: AccountId) -> Vec<String> {
    let (Some(game), Some(room)) = (wanted.game, wanted.room) else { return Vec::new() };
    let Some(chat) = games.chat(game) else { return Vec::new() };
    let mut lines = Vec::new();
    if chat.has_news(room, 0, chat.is_player(by)) {
        let _read = chat.pull(room, 0, |line, author| {
            if author == about && wanted.lines.contains(&line.seq()) {
                lines.extend(said(line.text()));
            }
            true
        });
    }
    lines
}

/// What a message says, without its frame.
fn said(message: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow)]
        d: &'a RawValue,
    }
    let Message { d } = serde_json::from_str(message).ok()?;
    Some(d.get().to_owned())
}
