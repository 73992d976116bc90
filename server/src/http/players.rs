//! `/api/players`: players by the beginning of a name; and below it one of them, the games that the player has finished, and
//! what became of the ratings.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use zeitnot_protocol::{
    AccountId, CategoryRating, FoundPlayer, FoundPlayers, PastRating, Player, RatingCause, RatingHistory,
    WireCategory,
};
use zeitnot_rules::game::{Category, PlayerName};

use super::error::ApiError;
use crate::accounts::{Accounts, Kind, Person};
use crate::archive::Archive;
use crate::games::{Games, History};
use crate::lobby::Lobby;
use crate::ratings::present;
use crate::storage::{
    self, Points, RatingChange, RatingEvent, RatingStore, ReadError, Search, Standing, Who,
};
use crate::time::unix_now_ms;

/// The most games of one page.
const PAGE: usize = 50;

/// What stands in the path, if it is text.
type Name = Result<Path<String>, PathRejection>;

/// Where a page of games begins.
#[derive(Debug, Deserialize)]
pub(crate) struct Page {
    before: Option<String>,
}

/// The cursor of a page; `None` for the first page.
fn cursor(page: Result<Query<Page>, QueryRejection>) -> Result<Option<u64>, ApiError> {
    let Ok(Query(Page { before })) = page else { return Err(ApiError::BadCursor) };
    before.map(|text| text.parse()).transpose().map_err(|_| ApiError::BadCursor)
}

/// The most players that are found by a part of a name: as many as a list of suggestions shows.
const FOUND_MAX: usize = 8;

/// How a name begins.
#[derive(Debug, Deserialize)]
pub(crate) struct Beginning {
    name: String,
}

/// The players whose names begin so, in the order of their names.
#[utoipa::path(
    get,
    path = "/api/players",
    tag = "players",
    operation_id = "find_players",
    params(("name" = String, Query, description = "How the name begins, in large or small letters.", pattern = "^[A-Za-z][A-Za-z0-9_-]{1,19}$")),
    responses((status = 200, description = "At most 8.", body = ref("#/components/schemas/FoundPlayers"))),
    extensions(("x-codes" = json!(["bad_parameter"]))),
)]
pub(crate) async fn by_prefix(
    State(accounts): State<Arc<Accounts>>,
    State(lobby): State<Arc<Lobby>>,
    beginning: Result<Query<Beginning>, QueryRejection>,
) -> Result<Json<FoundPlayers>, ApiError> {
    let name = beginning.ok().and_then(|Query(Beginning { name })| name.parse::<PlayerName>().ok());
    let prefix = name.ok_or(ApiError::BadParameter("name"))?;
    let found = accounts.by_prefix(prefix, FOUND_MAX).await.map_err(|_| ApiError::Unavailable)?;
    let here = lobby.who_is_here(&found.iter().map(|person| person.account).collect::<Vec<_>>()).await;
    let players = found.into_iter().map(|person| FoundPlayer {
        account: person.account,
        name: person.shown_name(),
        bot: person.kind == Kind::Bot,
        here: here.contains(&person.account),
    });
    Ok(Json(FoundPlayers { players: players.collect() }))
}

/// Finds an account by its id or its name.
async fn find(accounts: &Accounts, name: Name) -> Result<Person, ApiError> {
    let Ok(Path(name)) = name else { return Err(ApiError::UnknownAccount) };
    let found = match name.parse::<AccountId>() {
        Ok(account) => accounts.person(account).await,
        Err(_) => accounts.by_name(&name).await,
    };
    found.map_err(|_| ApiError::Unavailable)?.ok_or(ApiError::UnknownAccount)
}

/// The account and its name, whether it has a connection, its live games, and its ratings.
#[utoipa::path(
    get,
    path = "/api/players/{who}",
    tag = "players",
    params(("who" = String, Path, description = "An account by its id or its name.")),
    responses((status = 200, description = "The player.", body = ref("#/components/schemas/Player"))),
    extensions(("x-codes" = json!(["unknown_account", "damaged"]))),
)]
pub(crate) async fn player(
    State(accounts): State<Arc<Accounts>>,
    State(lobby): State<Arc<Lobby>>,
    State(games): State<Games>,
    State(ratings): State<Arc<dyn RatingStore>>,
    name: Name,
) -> Result<Json<Player>, ApiError> {
    let person = find(&accounts, name).await?;
    let account = person.account;
    let standings = ratings.standings(account).await.map_err(|error| of_ratings(&error))?;
    let now = unix_now_ms();
    let rating = |(category, standing): &(Category, Standing)| {
        let present = present(Some(standing), now);
        CategoryRating {
            category: (*category).into(),
            rating: present.whole_points(),
            provisional: present.is_provisional(),
            games: standing.games,
        }
    };
    let ratings = standings.iter().map(rating).collect();
    let here = lobby.who_is_here(&[account]).await.contains(&account);
    let live = games.live_ids(account).await;
    let bot = person.kind == Kind::Bot;
    let made = person.made_unix_ms().filter(|_| person.kind.is_registered());
    let made = made.and_then(|at| u32::try_from(at / 1_000).ok());
    Ok(Json(Player { account, name: person.shown_name(), bot, made, here, live, ratings }))
}

/// What rated games have done to a player's rating in a category, the last one first.
#[utoipa::path(
    get,
    path = "/api/players/{who}/ratings/{category}",
    tag = "players",
    params(("who" = String, Path, description = "An account by its id or its name."), ("category" = String, Path, description = "A name of a category."), ("before" = Option<String>, Query, description = "The `next` of the page before.", pattern = "^[0-9]{1,19}$")),
    responses((status = 200, description = "At most 50 changes.", body = ref("#/components/schemas/RatingHistory"))),
    extensions(("x-codes" = json!(["unknown_account", "not_found", "bad_cursor", "damaged"]))),
)]
pub(crate) async fn ratings(
    State(accounts): State<Arc<Accounts>>,
    State(ratings): State<Arc<dyn RatingStore>>,
    path: Result<Path<(String, String)>, PathRejection>,
    page: Result<Query<Page>, QueryRejection>,
) -> Result<Json<RatingHistory>, ApiError> {
    let Ok(Path((name, category))) = path else { return Err(ApiError::UnknownAccount) };
    let category = Category::ALL.into_iter().find(|known| WireCategory::from(*known).as_str() == category);
    let category = category.ok_or(ApiError::NotFound)?;
    let before = cursor(page)?;
    let account = find(&accounts, Ok(Path(name))).await?.account;
    let read = ratings.rating_history(account, category, before, CHANGES + 1).await;
    Ok(Json(page_of(read.map_err(|error| of_ratings(&error))?)))
}

/// A page of changes, of which one more was read to know whether there is another page.
fn page_of(mut events: Vec<RatingEvent>) -> RatingHistory {
    let is_last = events.len() <= CHANGES;
    events.truncate(CHANGES);
    let next = events.last().filter(|_| !is_last).map(|event| event.number.to_string());
    RatingHistory { changes: events.iter().map(past).collect(), next }
}

/// The most changes of one page.
const CHANGES: usize = 50;

fn past(event: &RatingEvent) -> PastRating {
    let RatingChange { before, after } = event.change;
    PastRating {
        cause: match event.cause {
            storage::RatingCause::Game => RatingCause::Game,
            storage::RatingCause::Correction => RatingCause::Correction,
        },
        game: event.game,
        color: event.color.into(),
        opponent: event.opponent,
        opponent_rating: event.opponent_rating.whole_points(),
        half_points: event.points.map(|points| match points {
            Points::Loss => 0,
            Points::Draw => 1,
            Points::Win => 2,
        }),
        before: before.whole_points(),
        after: after.whole_points(),
        provisional: after.is_provisional(),
        at: u32::try_from(event.at_unix_ms / 1_000).unwrap_or(u32::MAX),
    }
}

fn of_ratings(error: &ReadError) -> ApiError {
    match error {
        ReadError::Unavailable(_) => ApiError::Unavailable,
        ReadError::Damaged(_) => ApiError::Damaged,
    }
}

/// The games that have ended, the last one first.
#[utoipa::path(
    get,
    path = "/api/players/{who}/games",
    tag = "players",
    operation_id = "games_of_player",
    params(("who" = String, Path, description = "An account by its id or its name."), ("before" = Option<String>, Query, description = "The `next` of the page before.", pattern = "^[0-9]{1,19}$")),
    responses((status = 200, description = "At most 50 games.", body = ref("#/components/schemas/PlayedGames"))),
    extensions(("x-codes" = json!(["unknown_account", "bad_cursor", "damaged"]))),
)]
pub(crate) async fn games(
    State(accounts): State<Arc<Accounts>>,
    State(history): State<History>,
    State(archive): State<Archive>,
    name: Name,
    page: Result<Query<Page>, QueryRejection>,
) -> Result<Response, ApiError> {
    let before = cursor(page)?;
    let person = find(&accounts, name).await?;
    let search = Search { player: Some(Who::Account(person.account)), ..Search::default() };
    let page = history.page(search, before, PAGE).await.map_err(ApiError::of_read)?;
    Ok(archive.make(move || Json(page.view()).into_response()).await?)
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::GameId;
    use zeitnot_rules::board::Color;

    use super::*;
    use crate::storage::Rating;

    #[test]
    fn a_page_of_changes_ends_and_the_next_goes_on() {
        let rating = Rating { points: 1_499_500, deviation: 110_001, volatility: 60_000_000 };
        let event = |number| RatingEvent {
            number,
            cause: storage::RatingCause::Correction,
            game: GameId::from_random(number.into()),
            color: Color::White,
            opponent: AccountId::from_u128(2),
            opponent_rating: rating,
            points: Some(Points::Draw),
            change: RatingChange { before: rating, after: Rating { deviation: 110_000, ..rating } },
            games: 7,
            at_unix_ms: 1_999,
        };
        let events: Vec<_> = (1..=CHANGES as u64 + 1).rev().map(event).collect();
        let page = page_of(events.clone());
        assert_eq!((page.changes.len(), page.next.as_deref()), (CHANGES, Some("2")));
        let rest = page_of(events[CHANGES..].to_vec());
        assert_eq!((rest.changes.len(), rest.next), (1, None));
        let change = rest.changes[0];
        assert_eq!((change.cause, change.before, change.at), (RatingCause::Correction, 1_500, 1));
        assert_eq!((change.half_points, change.provisional), (Some(1), false));
    }
}
