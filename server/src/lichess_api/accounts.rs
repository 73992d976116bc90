//! The calls about tokens and accounts.

use std::collections::HashSet;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use http::header;
use serde_json::{Map, Value, json};
use zeitnot_protocol::{AccountId, Needs, Scope};

use super::caller::{Caller, Visitor};
use super::fields::{Fields, List, of_list};
use super::people;
use super::rejection::Rejection;
use super::words;
use super::{Answer, LichessApi, ok};
use crate::accounts::{AccountError, Kind, Person};

/// Tokens that one call may ask about.
const TOKENS_MAX: usize = 1_000;

/// Accounts that one call may ask about.
const USERS_MAX: usize = 300;

/// Bots that are listed at most.
const BOTS_MAX: usize = 300;

/// `POST /api/token/test`: whose tokens these are. The call's own token does not matter: clients show the one they ask about.
pub(super) async fn test_tokens(
    State(api): State<LichessApi>,
    visitor: Visitor,
    List(tokens): List,
) -> Answer {
    let mut found = Map::new();
    for text in tokens.into_iter().take(TOKENS_MAX) {
        let known = api.sessions.accounts.by_token(&text, visitor.address).await;
        let shown = match known {
            Ok(Some(known)) => {
                let name = known.person.shown_name();
                let until = known.until.map(|until| unix_ms_of(&api, until));
                let user = people::id(known.person.account, &name);
                json!({ "userId": user, "scopes": words::scopes(known.scopes), "expires": until })
            }
            Ok(None) => Value::Null,
            Err(_) => return Err(Rejection::unavailable()),
        };
        found.insert(text, shown);
    }
    Ok(Json(Value::Object(found)).into_response())
}

fn unix_ms_of(api: &LichessApi, until: crate::time::ServiceInstant) -> u64 {
    let left = until.since(api.sessions.clock.now()).as_millis();
    crate::time::unix_now_ms().saturating_add(u64::try_from(left).unwrap_or(u64::MAX))
}

/// `GET /api/account`: the caller.
pub(super) async fn account(State(api): State<LichessApi>, caller: Caller) -> Answer {
    let person = api.sessions.connections.latest(caller.known.person);
    Ok(Json(api.whole_user(person, &caller.site).await?).into_response())
}

/// `POST /api/bot/account/upgrade`: the caller is a bot from now on.
pub(super) async fn upgrade(State(api): State<LichessApi>, caller: Caller) -> Answer {
    if !caller.known.scopes.allow(Needs::Scope(Scope::Bot)) {
        return Err(Rejection::missing_scope("bot:play"));
    }
    let known = caller.known;
    if known.person.kind == Kind::Bot {
        return Ok(ok());
    }
    let lobby = &api.sessions.lobby;
    let Some(_held) = lobby.hold(known.person.account) else {
        return Err(Rejection::bad_request("a game of yours has not ended"));
    };
    let made = api.sessions.accounts.become_bot(known, |person| lobby.changed(person)).await;
    match made {
        Ok(_) => Ok(ok()),
        Err(AccountError::HasRatedGames) => {
            Err(Rejection::bad_request("only an account that has not played a rated game can become a bot"))
        }
        Err(AccountError::IsAdmin) => Err(Rejection::bad_request("an admin's account is no bot's")),
        Err(AccountError::NotRegistered) => {
            Err(Rejection::bad_request("only a registered account becomes a bot"))
        }
        Err(_) => Err(Rejection::unavailable()),
    }
}

/// `GET /api/user/{who}`.
pub(super) async fn user(State(api): State<LichessApi>, visitor: Visitor, Path(who): Path<String>) -> Answer {
    let person = api.known_person(&who).await?;
    Ok(Json(api.whole_user(person, &visitor.site).await?).into_response())
}

/// `POST /api/users`: those that there are, in the order in which they are asked for.
pub(super) async fn users(State(api): State<LichessApi>, visitor: Visitor, List(names): List) -> Answer {
    let (people, here) = found(&api, &names).await?;
    let mut users = Vec::new();
    for person in people {
        users.push(api.user(person, here.contains(&person.account), &visitor.site).await?);
    }
    Ok(Json(users).into_response())
}

/// The accounts of these names, and which of them are here.
async fn found(api: &LichessApi, names: &[String]) -> Result<(Vec<Person>, HashSet<AccountId>), Rejection> {
    let mut people = Vec::new();
    for name in names.iter().take(USERS_MAX) {
        people.extend(api.person(name).await?);
    }
    let accounts = people.iter().map(|person| person.account).collect::<Vec<_>>();
    let here = api.sessions.lobby.who_is_here(&accounts).await;
    Ok((people, here))
}

/// `GET /api/users/status`: who is there, and who plays.
pub(super) async fn status(State(api): State<LichessApi>, fields: Fields) -> Answer {
    let games = &api.sessions.games;
    let with_ids = fields.flag("withGameIds")?.unwrap_or(false);
    let (people, here) = found(&api, &of_list(fields.text("ids").unwrap_or_default())).await?;
    let mut users = Vec::new();
    for person in people {
        let name = person.shown_name();
        let mut user = Map::new();
        user.insert("id".to_owned(), people::id(person.account, &name).into());
        user.insert("name".to_owned(), name.into());
        if person.kind == Kind::Bot {
            user.insert("title".to_owned(), "BOT".into());
        }
        // Clients take the mere presence of a flag for yes.
        if here.contains(&person.account) {
            user.insert("online".to_owned(), true.into());
        }
        if let Some(game) = games.live_ids(person.account).await.first() {
            user.insert("playing".to_owned(), true.into());
            if with_ids {
                user.insert("playingId".to_owned(), game.as_str().into());
            }
        }
        users.push(Value::Object(user));
    }
    Ok(Json(users).into_response())
}

/// `GET /api/bot/online`: bots that are connected, a line each.
pub(super) async fn bots_online(State(api): State<LichessApi>, visitor: Visitor, fields: Fields) -> Answer {
    let most = fields.whole("nb")?.map_or(BOTS_MAX, |most| usize::try_from(most).unwrap_or(BOTS_MAX));
    let mut text = String::new();
    for account in api.sessions.lobby.bots_here(most.min(BOTS_MAX)).await {
        let person = api.sessions.accounts.person(account).await.map_err(|_| Rejection::unavailable())?;
        let Some(person) = person.filter(|person| person.kind == Kind::Bot) else { continue };
        text.push_str(&api.user(person, true, &visitor.site).await?.to_string());
        text.push('\n');
    }
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], text).into_response())
}

/// `GET /__ping`: that the server is there.
pub(super) async fn ping() -> Response {
    ok()
}
