//! The calls about events, challenges and seeks.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use zeitnot_protocol::{
    ChallengeId, CreateChallenge, GameOptions, Period, TimeControl, WireColor, WireProfile, WireVariant,
};

use super::agent::Call;
use super::caller::Caller;
use super::fields::Fields;
use super::lines::lines;
use super::rejection::Rejection;
use super::words::Decline;
use super::{Answer, LichessApi, ok};
use crate::accounts::Kind;

/// A clock begins with so much at least.
const BASE_LEAST_MS: u32 = 3_000;

/// Games that are listed at most.
const PLAYING_MAX: usize = 50;

/// `GET /api/stream/event`.
pub(super) async fn events(State(api): State<LichessApi>, caller: Caller) -> Answer {
    let (lines, reader) = lines();
    api.agent(&caller)?.make(Call::Events { lines })?;
    Ok(reader.at(api.stream_place(&caller)?).into_response(true))
}

/// `GET /api/account/playing`.
pub(super) async fn playing(State(api): State<LichessApi>, caller: Caller, fields: Fields) -> Answer {
    let mut playing = api.ask(&caller, |reply| Call::Playing { reply }).await?;
    let most = fields.whole("nb")?.map_or(PLAYING_MAX, |most| usize::try_from(most).unwrap_or(PLAYING_MAX));
    if let Some(games) = playing["nowPlaying"].as_array_mut() {
        games.truncate(most.min(PLAYING_MAX));
    }
    Ok(Json(playing).into_response())
}

/// `GET /api/challenge`.
pub(super) async fn list(State(api): State<LichessApi>, caller: Caller) -> Answer {
    Ok(Json(api.ask(&caller, |reply| Call::Challenges { reply }).await?).into_response())
}

/// `GET /api/challenge/{id}/show`.
pub(super) async fn show(State(api): State<LichessApi>, caller: Caller, Path(id): Path<String>) -> Answer {
    let challenge = challenge_id(&id)?;
    Ok(Json(api.ask(&caller, |reply| Call::Challenge { challenge, reply }).await?).into_response())
}

/// `POST /api/challenge/{who}`: challenges somebody.
pub(super) async fn create(
    State(api): State<LichessApi>,
    caller: Caller,
    Path(who): Path<String>,
    fields: Fields,
) -> Answer {
    caller.may_challenge()?;
    if matches!(who.as_str(), "ai" | "open") {
        return Err(not_served_here());
    }
    let to = api.known_person(&who).await?;
    let limit = fields.number("clock.limit")?;
    let time_control = match (limit, fields.number("clock.increment")?, fields.whole("days")?) {
        (Some(limit_s), increment_s, _) => clock(limit_s, increment_s.unwrap_or(0.0), "clock.limit")?,
        (None, _, Some(days)) => by_days(days)?,
        (None, _, None) => TimeControl::Unlimited,
    };
    let is_rated = fields.flag("rated")?.unwrap_or(false);
    let me = api.sessions.connections.latest(caller.known.person);
    if is_rated && (me.kind == Kind::Bot) != (to.kind == Kind::Bot) {
        return Err(Rejection::bad_field("rated", "a game between a person and a bot is never rated here"));
    }
    let wanted = CreateChallenge { to: Some(to.account), ..terms(&fields, time_control, is_rated)? };
    let keeps_alive = fields.flag("keepAliveStream")?.unwrap_or(false);
    let (writing, reader) = lines();
    let keep_alive = keeps_alive.then_some(writing);
    let make = |reply| Call::Create { wanted: Box::new(wanted), keep_alive, reply };
    let made = api.ask(&caller, make).await?;
    if keeps_alive {
        Ok(reader.at(api.stream_place(&caller)?).into_response(false))
    } else {
        Ok(Json(made).into_response())
    }
}

/// The terms of a challenge or a seek.
fn terms(fields: &Fields, time_control: TimeControl, is_rated: bool) -> Result<CreateChallenge, Rejection> {
    let variant = match fields.text("variant").unwrap_or("standard") {
        "standard" | "fromPosition" => WireVariant::Standard,
        "chess960" => WireVariant::Chess960,
        other => return Err(Rejection::bad_field("variant", format!("{other} is not played here"))),
    };
    let color = match fields.text("color").unwrap_or("random") {
        "white" => Some(WireColor::White),
        "black" => Some(WireColor::Black),
        "random" => None,
        other => return Err(Rejection::bad_field("color", format!("{other} is no color"))),
    };
    let fen = fields.text("fen").map(str::to_owned);
    if fields.text("variant") == Some("fromPosition") && fen.is_none() {
        return Err(Rejection::bad_field("fen", "this variant needs a position"));
    }
    // A rated game has exact verdicts; a casual one has takebacks.
    let profile = if is_rated { WireProfile::FideOnline } else { WireProfile::Casual };
    let options = GameOptions { profile, ..GameOptions::default() };
    let wanted = CreateChallenge::with(time_control);
    Ok(CreateChallenge { color, variant, fen, options, rated: is_rated, ..wanted })
}

fn clock(limit_s: f64, increment_s: f64, field: &str) -> Result<TimeControl, Rejection> {
    // A client that wants more is told by the rules what there is.
    let ms = |seconds: f64| {
        let ms = (seconds * 1_000.0).round();
        if (0.0..4e9).contains(&ms) {
            Ok(ms as u32)
        } else {
            Err(Rejection::bad_field(field, "this is too long"))
        }
    };
    let (base_ms, increment_ms) = (ms(limit_s)?, ms(increment_s)?);
    let base_ms = if base_ms == 0 { increment_ms.max(BASE_LEAST_MS) } else { base_ms };
    let period =
        Period { base_ms, increment_ms: (increment_ms > 0).then_some(increment_ms), ..Period::default() };
    Ok(TimeControl::Clock { periods: vec![period], black_periods: None })
}

fn by_days(days: u64) -> Result<TimeControl, Rejection> {
    let days = u32::try_from(days).map_err(|_| Rejection::bad_field("days", "these are too many"))?;
    Ok(TimeControl::Days { days })
}

/// `POST /api/challenge/{id}/accept`.
pub(super) async fn accept(State(api): State<LichessApi>, caller: Caller, Path(id): Path<String>) -> Answer {
    caller.may_challenge()?;
    let challenge = challenge_id(&id)?;
    api.ask(&caller, |reply| Call::Accept { challenge, reply }).await?;
    Ok(ok())
}

/// `POST /api/challenge/{id}/decline`.
pub(super) async fn decline(
    State(api): State<LichessApi>,
    caller: Caller,
    Path(id): Path<String>,
    fields: Fields,
) -> Answer {
    caller.may_challenge()?;
    let challenge = challenge_id(&id)?;
    let decline = Decline::of_word(fields.text("reason").unwrap_or_default());
    api.ask(&caller, |reply| Call::Decline { challenge, decline, reply }).await?;
    Ok(ok())
}

/// `POST /api/challenge/{id}/cancel`.
pub(super) async fn cancel(State(api): State<LichessApi>, caller: Caller, Path(id): Path<String>) -> Answer {
    caller.may_challenge()?;
    let challenge = challenge_id(&id)?;
    api.ask(&caller, |reply| Call::Cancel { challenge, reply }).await?;
    Ok(ok())
}

fn challenge_id(text: &str) -> Result<ChallengeId, Rejection> {
    text.parse().map_err(|_| Rejection::not_found("No such challenge"))
}

/// `POST /api/board/seek`: looks for an opponent as long as the answer is read.
pub(super) async fn seek(State(api): State<LichessApi>, caller: Caller, fields: Fields) -> Answer {
    caller.may_play(false)?;
    let is_rated = fields.flag("rated")?.unwrap_or(false);
    let time_control = match (fields.number("time")?, fields.whole("days")?) {
        (Some(minutes), _) => clock(minutes * 60.0, fields.number("increment")?.unwrap_or(0.0), "time")?,
        (None, Some(days)) => by_days(days)?,
        (None, None) => return Err(Rejection::bad_field("time", "a seek has a time in minutes, or days")),
    };
    let mut wanted = terms(&fields, time_control, is_rated)?;
    if let Some((least, most)) = fields.text("ratingRange").and_then(|range| range.split_once('-')) {
        let read = |text: &str| text.trim().parse::<u32>().map_err(|_| bad_range());
        (wanted.rating_min, wanted.rating_max) = (Some(read(least)?), Some(read(most)?));
    }
    let (lines, reader) = lines();
    api.agent(&caller)?.make(Call::Seek { wanted: Box::new(wanted), lines })?;
    Ok(reader.at(api.stream_place(&caller)?).into_response(true))
}

fn bad_range() -> Rejection {
    Rejection::bad_field("ratingRange", "this is no range of ratings, as 1500-1800")
}

/// A call that this server does not serve.
pub(super) async fn not_served() -> Response {
    not_served_here().into_response()
}

fn not_served_here() -> Rejection {
    Rejection::bad_request("not served here")
}
