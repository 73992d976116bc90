//! The calls of those who watch. They need no token.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use http::HeaderMap;
use serde_json::{Map, Value, json};
use zeitnot_rules::board::Color;

use super::channels::{self, BEST, CHANNELS};
use super::{Call, Stream};
use crate::games::{self, GameHandle};
use crate::lichess_api::caller::Visitor;
use crate::lichess_api::fields::InQuery;
use crate::lichess_api::game_text::Form;
use crate::lichess_api::lines::{LinesReader, lines};
use crate::lichess_api::rejection::Rejection;
use crate::lichess_api::{Answer, LichessApi, many_games, people};

/// Games of a channel that are listed when a call does not say how many.
const GAMES: u64 = 10;

/// The most of them.
const GAMES_MAX: u64 = 30;

fn new_stream(api: &LichessApi, visitor: &Visitor) -> Result<(Stream, LinesReader), Rejection> {
    let sessions = &api.sessions;
    let place = visitor.place(&sessions.accounts.addresses, sessions.clock.now())?;
    let (lines, reader) = lines();
    Ok((Stream { lines, place }, reader))
}

/// `GET /api/stream/game/{id}`: the positions of a game from its first one to its end, with its description before and
/// behind.
pub(in crate::lichess_api) async fn stream(
    State(api): State<LichessApi>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Answer {
    let id = id.parse().map_err(|_| Rejection::not_found("No such game"))?;
    let (stream, reader) = new_stream(&api, &visitor)?;
    let past = api.watched(id, visitor.address, |reply| Call::Stream { stream, reply }).await?;
    Ok(reader.into_response_after(past))
}

/// `GET /api/tv/feed`: the best game, and the next one when it has ended.
pub(in crate::lichess_api) async fn feed(State(api): State<LichessApi>, visitor: Visitor) -> Answer {
    feed_of(&api, &visitor, BEST)
}

/// `GET /api/tv/{channel}/feed`: the same of one kind of games.
pub(in crate::lichess_api) async fn channel_feed(
    State(api): State<LichessApi>,
    visitor: Visitor,
    Path(channel): Path<String>,
) -> Answer {
    feed_of(&api, &visitor, known(&channel)?)
}

fn known(channel: &str) -> Result<&'static str, Rejection> {
    channels::named(channel).ok_or_else(|| Rejection::not_found("No such channel"))
}

fn feed_of(api: &LichessApi, visitor: &Visitor, channel: &'static str) -> Result<Response, Rejection> {
    let (stream, reader) = new_stream(api, visitor)?;
    api.tune_in(channel, stream)?;
    Ok(reader.into_response(true))
}

/// `GET /api/tv/channels`: the first game of each channel that has one, by its player with the higher rating.
pub(in crate::lichess_api) async fn current_games(State(api): State<LichessApi>) -> Answer {
    let mut shown = Map::new();
    for channel in CHANNELS {
        if let Some(game) = channels::games_of(&api.sessions.games, channel, 1).first() {
            shown.insert(channel.to_owned(), by_its_best_player(game));
        }
    }
    Ok(Json(Value::Object(shown)).into_response())
}

fn by_its_best_player(game: &GameHandle) -> Value {
    let setup = game.setup();
    let rating = |seat: Color| setup.ratings[seat].map_or(0, |shown| shown.rating);
    let seat = if rating(Color::Black) > rating(Color::White) { Color::Black } else { Color::White };
    let zeitnot_protocol::ByColor { white, black } = games::players(setup);
    let player = if seat == Color::White { white } else { black };
    let mut user = json!({ "id": people::id(player.account, &player.name), "name": player.name });
    if player.bot {
        user["title"] = "BOT".into();
    }
    let color = if seat == Color::White { "white" } else { "black" };
    json!({ "user": user, "rating": people::rating(&player), "gameId": game.id(), "color": color })
}

/// `GET /api/tv/{channel}`: the games of a channel that go on.
pub(in crate::lichess_api) async fn best_ongoing(
    State(api): State<LichessApi>,
    visitor: Visitor,
    Path(channel): Path<String>,
    headers: HeaderMap,
    InQuery(fields): InQuery,
) -> Answer {
    let form = Form::read(&fields, &headers, false)?;
    let most = fields.whole("nb")?.unwrap_or(GAMES).clamp(1, GAMES_MAX);
    let most = usize::try_from(most).unwrap_or(1);
    let games = channels::games_of(&api.sessions.games, known(&channel)?, most);
    many_games::begin(&api, &visitor, form, games.iter().map(GameHandle::id).collect(), None)
}
