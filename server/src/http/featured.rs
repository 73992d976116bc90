//! `/api/games/featured`: a finished game that is worth replaying while nobody plays.
//!
//! Invariant: however many ask, the archive is read for it once in [`KEPT_FOR`].

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header;
use zeitnot_protocol::{FeaturedGame, GameId, Limits};
use zeitnot_rules::verdict::Reason;

use super::error::ApiError;
use super::games::shown;
use super::guard::Visitor;
use super::state::Edge;
use crate::archive::Archive;
use crate::games::{Games, History, ReadGame};
use crate::net::Address;
use crate::storage::Search;
use crate::time::ServiceInstant;

/// How long the same game is answered with: whoever looks at the page meanwhile sees it to its end.
const KEPT_FOR: Duration = Duration::from_secs(60);

/// Of so many games that ended last one is chosen: what is read at once for an export.
const LOOKED_AT: usize = 20;

/// A shorter game shows nothing.
const PLIES_MIN: u32 = 20;

/// Without a checkmate a game shows something only if it is as long: many a shorter one was just given up.
const PLIES_WITHOUT_MATE: u32 = 60;

/// The answer while it is kept, and since when.
#[derive(Debug, Default)]
pub(crate) struct Featured(tokio::sync::Mutex<Option<(ServiceInstant, Bytes)>>);

/// A finished game to replay: of those that ended last one that was imported, or ended with a checkmate, or a long one,
/// rather one that was decided.
#[utoipa::path(
    get,
    path = "/api/games/featured",
    tag = "games",
    responses((status = 200, description = "The game, or null.", body = ref("#/components/schemas/FeaturedGame"))),
    extensions(("x-codes" = json!(["damaged"]))),
)]
pub(crate) async fn featured(
    State(edge): State<Arc<Edge>>,
    State(games): State<Games>,
    State(history): State<History>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Response, ApiError> {
    // Whoever comes while one reads waits for what is read.
    let mut kept = edge.featured.0.lock().await;
    let now = edge.clock.now();
    if kept.as_ref().is_none_or(|(since, _)| now.since(*since) >= KEPT_FOR) {
        let game = chosen(&games, &history, &edge.archive, visitor.address).await?;
        let body = serde_json::to_vec(&game).map_err(|_| ApiError::Internal)?;
        *kept = Some((now, body.into()));
    }
    let body = kept.as_ref().map(|(_, body)| body.clone()).unwrap_or_default();
    Ok(([(header::CONTENT_TYPE, "application/json")], Body::from(body)).into_response())
}

async fn chosen(
    games: &Games,
    history: &History,
    archive: &Archive,
    address: Address,
) -> Result<FeaturedGame, ApiError> {
    let _place = archive.enter(address).await?;
    let page = history.page(Search::default(), None, LOOKED_AT).await.map_err(ApiError::of_read)?;
    let best = archive.make(move || best(page.read())).await?;
    let Some(id) = best else { return Ok(FeaturedGame { game: None }) };
    let stored = games.stored(id).await.map_err(ApiError::of_read)?;
    let game = archive.make(move || stored.fold().map(|game| shown(id, &game, &stored.after))).await?;
    Ok(FeaturedGame { game: game.map(Box::new) })
}

/// The best of these games, the first of equals; `None` when none is worth it.
fn best(games: impl Iterator<Item = ReadGame>) -> Option<GameId> {
    let mut best = None;
    for read in games {
        let worth = worth(&read);
        if worth > best.map_or(0, |(worth, _)| worth) {
            best = Some((worth, read.id));
        }
    }
    best.map(|(_, id)| id)
}

/// How much a game is worth looking at; 0: not at all. An answer has all of its plies.
fn worth(read: &ReadGame) -> u32 {
    let plies = read.game.ply_count();
    if !(PLIES_MIN..=Limits::STANDARD.plies_per_frame).contains(&plies) {
        return 0;
    }
    if read.game.setup().imported.is_some() {
        return 4;
    }
    match read.outcome().map(|outcome| outcome.reason) {
        Some(Reason::Checkmate) => 3,
        _ if plies < PLIES_WITHOUT_MATE => 0,
        Some(Reason::Resignation | Reason::FlagFall | Reason::Stalemate | Reason::DeadPosition) => 2,
        Some(
            Reason::Agreement
            | Reason::ThreefoldRepetition
            | Reason::FiftyMoves
            | Reason::FivefoldRepetition
            | Reason::SeventyFiveMoves,
        ) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_rules::board::{ByColor, Color};
    use zeitnot_rules::game::{Event, Game, GameSetup, Profile, TimeControl};
    use zeitnot_rules::verdict::Outcome;

    use super::*;

    fn game(number: u128, plies: u32, outcome: Outcome) -> ReadGame {
        let players = ByColor { white: 1, black: 2 };
        let setup = GameSetup::casual(players, TimeControl::Unlimited, Profile::casual(), 0);
        let mut game = Game::replay(&Game::start(&setup).unwrap());
        for _ in 0..plies {
            let mv = *game.position().legal_moves().first().unwrap();
            game.evolve(&Event::MovePlayed { mv, charge: None });
        }
        game.evolve(&Event::Ended { outcome, charge: None });
        ReadGame::of_game(GameId::from_random(number), game, 0)
    }

    #[test]
    fn a_checkmate_is_better_than_a_resignation_and_a_short_game_is_nothing() {
        let mate = || Outcome::win(Color::White, Reason::Checkmate);
        let resigned = || Outcome::win(Color::White, Reason::Resignation);
        let best = |games: Vec<ReadGame>| best(games.into_iter());
        let id = |number| Some(GameId::from_random(number));
        assert_eq!(best(vec![]), None);
        assert_eq!(best(vec![game(1, PLIES_MIN - 1, mate())]), None);
        assert_eq!(best(vec![game(1, 30, Outcome::draw(Reason::Aborted))]), None);
        assert_eq!(best(vec![game(1, PLIES_WITHOUT_MATE - 1, resigned())]), None, "it was just given up");
        let several = vec![game(1, 60, resigned()), game(2, 30, mate()), game(3, 40, mate())];
        assert_eq!(best(several), id(2), "the last one to end comes first");
        let draw = || Outcome::draw(Reason::Agreement);
        assert_eq!(best(vec![game(1, 60, draw()), game(2, 60, resigned())]), id(2));
    }
}
