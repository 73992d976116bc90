//! What the lobby asks of ratings: how a player's is shown, in the category of a game.
//!
//! Invariant: nothing waits for a read that fails. A game begins, and a player is paired, without the rating.

use std::sync::Arc;

use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::{Category, GameSetup, ShownRating};

use crate::accounts::Person;
use crate::ratings::present;
use crate::storage::RatingStore;
use crate::time::unix_now_ms;

/// A player's rating in a category; `None` for a guest, and when it cannot be read.
pub(super) async fn shown(
    store: &Arc<dyn RatingStore>,
    player: Person,
    category: Category,
) -> Option<ShownRating> {
    if !player.kind.is_registered() {
        return None;
    }
    match store.standings(player.account).await {
        Ok(standings) => {
            let standing =
                standings.iter().find(|(found, _)| *found == category).map(|(_, standing)| standing);
            Some(present(standing, unix_now_ms()).shown())
        }
        Err(error) => {
            tracing::warn!(account = %player.account, %error, "a rating cannot be read");
            None
        }
    }
}

/// The ratings with which two players begin a game.
pub(super) async fn of_game(
    store: &Arc<dyn RatingStore>,
    players: ByColor<Person>,
    setup: &GameSetup,
) -> ByColor<Option<ShownRating>> {
    let category = setup.category();
    ByColor {
        white: shown(store, players.white, category).await,
        black: shown(store, players.black, category).await,
    }
}
