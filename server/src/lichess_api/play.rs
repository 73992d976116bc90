//! The calls of a player about a game: the same for boards and for bots.

use axum::Json;
use axum::extract::{MatchedPath, Path, State};
use axum::response::IntoResponse as _;
use axum::routing::{MethodRouter, get, post};
use serde::Deserialize;
use zeitnot_protocol::{ChatRoom, GameId, Uci};

use super::agent::{Act, Call};
use super::caller::Caller;
use super::fields::{Fields, flag};
use super::lines::lines;
use super::rejection::Rejection;
use super::{Answer, LichessApi, ok};

/// The longest line of a chat, in characters. The rest is left out.
const CHAT_CHARS_MAX: usize = 140;

/// The calls, by their paths after `/api/board/game/` and `/api/bot/game/`.
pub(super) fn calls() -> Vec<(&'static str, MethodRouter<LichessApi>)> {
    vec![
        ("stream/{id}", get(stream)),
        ("{id}/move/{uci}", post(play_move)),
        ("{id}/chat", post(say).get(chat)),
        ("{id}/abort", post(abort)),
        ("{id}/resign", post(resign)),
        ("{id}/draw/{answer}", post(draw)),
        ("{id}/takeback/{answer}", post(takeback)),
        ("{id}/claim-victory", post(claim_victory)),
        ("{id}/claim-draw", post(claim_draw)),
        ("{id}/berserk", post(berserk)),
    ]
}

/// The game that a path names, and what else stands in it.
#[derive(Debug, Deserialize)]
pub(super) struct InPath {
    id: String,
    #[serde(default)]
    uci: String,
    #[serde(default)]
    answer: String,
    #[serde(default)]
    seconds: String,
}

impl InPath {
    fn game(&self) -> Result<GameId, Rejection> {
        self.id.parse().map_err(|_| Rejection::not_found("No such game"))
    }

    fn answer(&self) -> Result<bool, Rejection> {
        flag(&self.answer).ok_or_else(|| Rejection::bad_request("the answer is yes or no"))
    }
}

/// Who calls, for a path of boards or of bots.
async fn act(api: &LichessApi, caller: &Caller, matched: &MatchedPath, game: GameId, act: Act) -> Answer {
    caller.may_play(matched.as_str().starts_with("/api/bot/"))?;
    api.ask(caller, |reply| Call::Act { game, act, reply }).await?;
    Ok(ok())
}

/// `stream/{id}`.
async fn stream(
    State(api): State<LichessApi>,
    caller: Caller,
    matched: MatchedPath,
    Path(path): Path<InPath>,
) -> Answer {
    caller.may_play(matched.as_str().starts_with("/api/bot/"))?;
    let game = path.game()?;
    let (lines, reader) = lines();
    api.ask(&caller, |reply| Call::Game { game, lines, reply }).await?;
    Ok(reader.at(api.stream_place(&caller)?).into_response(false))
}

/// `{id}/move/{uci}`.
async fn play_move(
    State(api): State<LichessApi>,
    caller: Caller,
    matched: MatchedPath,
    Path(path): Path<InPath>,
    fields: Fields,
) -> Answer {
    let uci: Uci =
        path.uci.parse().map_err(|_| Rejection::bad_request(format!("Invalid UCI: {}", path.uci)))?;
    let offers_draw = fields.flag("offeringDraw")?.unwrap_or(false);
    act(&api, &caller, &matched, path.game()?, Act::Move { uci, offers_draw }).await
}

/// `{id}/chat`: a line, which is answered with "ok" whatever becomes of it.
async fn say(
    State(api): State<LichessApi>,
    caller: Caller,
    matched: MatchedPath,
    Path(path): Path<InPath>,
    fields: Fields,
) -> Answer {
    let room = match fields.text("room") {
        Some("spectator") => ChatRoom::Spectators,
        _ => ChatRoom::Players,
    };
    let text = fields.text("text").unwrap_or_default().chars().take(CHAT_CHARS_MAX).collect();
    act(&api, &caller, &matched, path.game()?, Act::Say(room, text)).await
}

/// `{id}/chat`: the lines of the players.
async fn chat(State(api): State<LichessApi>, caller: Caller, Path(path): Path<InPath>) -> Answer {
    let game = path.game()?;
    Ok(Json(api.ask(&caller, |reply| Call::Chat { game, reply }).await?).into_response())
}

async fn abort(
    State(api): State<LichessApi>,
    caller: Caller,
    matched: MatchedPath,
    Path(path): Path<InPath>,
) -> Answer {
    act(&api, &caller, &matched, path.game()?, Act::Abort).await
}

async fn resign(
    State(api): State<LichessApi>,
    caller: Caller,
    matched: MatchedPath,
    Path(path): Path<InPath>,
) -> Answer {
    act(&api, &caller, &matched, path.game()?, Act::Resign).await
}

async fn draw(
    State(api): State<LichessApi>,
    caller: Caller,
    matched: MatchedPath,
    Path(path): Path<InPath>,
) -> Answer {
    act(&api, &caller, &matched, path.game()?, Act::Draw(path.answer()?)).await
}

async fn takeback(
    State(api): State<LichessApi>,
    caller: Caller,
    matched: MatchedPath,
    Path(path): Path<InPath>,
) -> Answer {
    act(&api, &caller, &matched, path.game()?, Act::Takeback(path.answer()?)).await
}

async fn claim_victory(
    State(api): State<LichessApi>,
    caller: Caller,
    matched: MatchedPath,
    Path(path): Path<InPath>,
) -> Answer {
    act(&api, &caller, &matched, path.game()?, Act::ClaimVictory).await
}

async fn claim_draw(
    State(api): State<LichessApi>,
    caller: Caller,
    matched: MatchedPath,
    Path(path): Path<InPath>,
) -> Answer {
    act(&api, &caller, &matched, path.game()?, Act::ClaimDraw).await
}

async fn berserk() -> Rejection {
    Rejection::bad_request("Cannot berserk")
}

/// `/api/round/{id}/add-time/{seconds}`.
pub(super) async fn add_time(
    State(api): State<LichessApi>,
    caller: Caller,
    matched: MatchedPath,
    Path(path): Path<InPath>,
) -> Answer {
    let seconds = path.seconds.parse().map_err(|_| Rejection::bad_request("seconds are a whole number"))?;
    act(&api, &caller, &matched, path.game()?, Act::AddTime(seconds)).await
}
