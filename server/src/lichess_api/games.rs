//! The calls about games that everybody may read.
//!
//! Deliberately absent: many games in one answer (`many_games`), and how a game is written (`game_text`).

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, header};
use zeitnot_protocol::{Code, GameId};

use super::caller::Visitor;
use super::fields::{Fields, InQuery, List};
use super::game_text::{Form, PGN};
use super::many_games::{self, Finished, GAMES_BY_ID_MAX};
use super::rejection::Rejection;
use super::{Answer, LichessApi};
use crate::accounts::Known;
use crate::archive::{Payer, Turn};
use crate::games::StoredGame;
use crate::storage::{Search, Who};

/// `GET /game/export/{id}`: a game as PGN, or as JSON for a client that says that it takes that.
pub(super) async fn export(
    State(api): State<LichessApi>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
    InQuery(fields): InQuery,
) -> Answer {
    let form = Form::read(&fields, &headers, true)?;
    exported(&api, &visitor, &id, form).await
}

/// The same of a game that is named with a side.
pub(super) async fn export_of_side(
    State(api): State<LichessApi>,
    visitor: Visitor,
    Path((id, _side)): Path<(String, String)>,
    headers: HeaderMap,
    InQuery(fields): InQuery,
) -> Answer {
    let form = Form::read(&fields, &headers, true)?;
    exported(&api, &visitor, &id, form).await
}

/// `GET /api/user/{who}/current-game`: the game that goes on, or else the last one.
pub(super) async fn current(
    State(api): State<LichessApi>,
    visitor: Visitor,
    Path(who): Path<String>,
    headers: HeaderMap,
    InQuery(fields): InQuery,
) -> Answer {
    let form = Form::read(&fields, &headers, true)?;
    let account = api.known_person(&who).await?.account;
    let live = api.sessions.games.live_ids(account).await;
    if let Some(id) = live.into_iter().max_by_key(|id| api.began(*id)) {
        return exported(&api, &visitor, id.as_str(), form).await;
    }
    let search = Search { player: Some(Who::Account(account)), ..Search::default() };
    let mut turn = api.turn(&visitor)?;
    turn.begin().await.map_err(|_| Rejection::unavailable())?;
    let page = api.history.page(search, None, 1).await.map_err(of_read)?;
    let site = visitor.site;
    let made = api.sessions.games.archive().make(move || {
        let last = page.read().next()?;
        Some(form.write(&last, &site))
    });
    let text = made.await.map_err(|_| Rejection::unavailable())?;
    Ok(written(form, text.ok_or_else(|| Rejection::not_found("No game yet"))?))
}

async fn exported(api: &LichessApi, visitor: &Visitor, id: &str, form: Form) -> Answer {
    let unknown = || Rejection::not_found("No such game");
    let id: GameId = id.parse().map_err(|_| unknown())?;
    let mut turn = api.turn(visitor)?;
    turn.begin().await.map_err(|_| Rejection::unavailable())?;
    let stored: StoredGame = api.sessions.games.stored(id).await.map_err(of_read)?;
    let site = visitor.site.clone();
    let made = api.sessions.games.archive().make(move || Some(form.write(&stored.read()?, &site))).await;
    let text = made.map_err(|_| Rejection::unavailable())?;
    Ok(written(form, text.ok_or_else(unknown)?))
}

fn written(form: Form, text: String) -> Response {
    let kind = if form.as_pgn { PGN } else { "application/json" };
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// What a game that cannot be read is to a client.
pub(super) fn of_read(code: Code) -> Rejection {
    match code {
        Code::Damaged | Code::UnknownGame => Rejection::not_found("No such game"),
        _ => Rejection::unavailable(),
    }
}

/// `POST /api/games/export/_ids`: the games of a list, in its order; those that there are not are left out.
pub(super) async fn export_by_id(
    State(api): State<LichessApi>,
    visitor: Visitor,
    headers: HeaderMap,
    InQuery(fields): InQuery,
    List(ids): List,
) -> Answer {
    let form = Form::read(&fields, &headers, false)?;
    let ids = ids.iter().take(GAMES_BY_ID_MAX).filter_map(|id| id.parse().ok()).collect();
    many_games::begin(&api, &visitor, form, ids, None)
}

/// `GET /api/games/user/{who}`: the games of an account.
pub(super) async fn of_user(
    State(api): State<LichessApi>,
    visitor: Visitor,
    Path(who): Path<String>,
    headers: HeaderMap,
    fields: Fields,
) -> Answer {
    let form = Form::read(&fields, &headers, false)?;
    let person = api.known_person(&who).await?;
    let finished = Finished::read(&api, person.account, &fields).await?;
    let mut going_on = Vec::new();
    if fields.flag("ongoing")?.unwrap_or(false) {
        going_on = api.sessions.games.live_ids(person.account).await;
        going_on.sort_by_key(|id| std::cmp::Reverse(api.began(*id)));
    }
    many_games::begin(&api, &visitor, form, going_on.into(), Some(finished))
}

impl LichessApi {
    /// A turn at the archive for a client.
    pub(super) fn turn(&self, visitor: &Visitor) -> Result<Turn, Rejection> {
        let known = visitor.known.as_ref().and_then(|known| known.as_ref().ok());
        let account = known.map(|Known { person, .. }| person.account);
        let turn = self.sessions.games.archive().turn(Payer::of(account, visitor.address), visitor.address);
        turn.map_err(|_| Rejection::unavailable())
    }

    /// When a game that goes on began; one that is at rest comes before all others.
    fn began(&self, id: GameId) -> u64 {
        self.sessions.games.get(id).map_or(0, |game| game.began_unix_ms())
    }
}
