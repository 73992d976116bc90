//! What the lobby shows, and how two views differ: pure values.
//!
//! Invariants: updates applied in order to a `lobby` give the lobby as it stands, but for the order of
//! the seeks. Neither is ever longer than a frame of ours may be, whatever is offered and played: the
//! newest seeks and the first games are shown, each within its bytes.

use serde::Serialize;
pub(crate) use zeitnot_protocol::Lobby as LobbyView;
use zeitnot_protocol::{Challenge, ChallengeId, Limits, LiveGame, LiveGames, LobbyNews, PoolView};

/// The most bytes of all seeks. Usual ones take 300 each, the longest 2 KiB.
const SEEKS_BYTES: usize = 16 * 1024;

/// The most bytes of all games in progress. Usual ones take 450 each.
const LIVE_BYTES: usize = 12 * 1024;

/// What the lobby shows now. `seeks` come newest first, and as many are shown as fit.
pub(crate) fn view(
    seeks: impl IntoIterator<Item = Challenge>,
    pools: Vec<PoolView>,
    live: LiveGames,
) -> LobbyView {
    let mut seeks = within(SEEKS_BYTES, seeks);
    seeks.reverse();
    LobbyView { id: None, seeks, pools, live }
}

/// What has changed from one view to the next, if anything has.
pub(crate) fn news(before: &LobbyView, after: &LobbyView) -> Option<LobbyNews> {
    let is_gone = |id: &ChallengeId| after.seeks.iter().all(|seek| seek.challenge != *id);
    let news = LobbyNews {
        seeks: after.seeks.iter().filter(|seek| !before.seeks.contains(seek)).cloned().collect(),
        gone: before.seeks.iter().map(|seek| seek.challenge).filter(is_gone).collect(),
        pools: after.pools.iter().filter(|pool| !before.pools.contains(pool)).copied().collect(),
        live: (after.live != before.live).then(|| after.live.clone()),
    };
    (news != LobbyNews::default()).then_some(news)
}

/// The games in progress as they are shown: of `games`, best first, as many as fit. `featured` is the
/// game that was featured before: it stays, and is shown whatever its place.
pub(crate) fn live_games(total: usize, games: &[LiveGame], featured: Option<&LiveGame>) -> LiveGames {
    let Some(featured) = featured.or(games.first()).cloned() else { return LiveGames::default() };
    let most = Limits::STANDARD.lobby_live_games as usize;
    let others = games.iter().filter(|game| game.game != featured.game).take(most - 1).cloned();
    let mut shown = within(LIVE_BYTES, std::iter::once(featured.clone()).chain(others));
    // The featured game got its bytes first, and is put in its place only here.
    let better = games.iter().take_while(|game| game.game != featured.game).count();
    let place = better.min(shown.len() - 1);
    shown[..=place].rotate_left(1);
    LiveGames { total: u32::try_from(total).unwrap_or(u32::MAX), featured: Some(featured.game), games: shown }
}

/// The first of `items` that are together not longer than `bytes` on the wire.
fn within<T: Serialize>(bytes: usize, items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut left = bytes;
    let fits = |item: &T| {
        let text = serde_json::to_string(item).expect("what is shown can be written");
        let rest = left.checked_sub(text.len() + 1);
        left = rest.unwrap_or_default();
        rest.is_some()
    };
    items.into_iter().take_while(fits).collect()
}

#[cfg(test)]
mod tests;
