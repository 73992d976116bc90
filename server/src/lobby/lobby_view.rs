//! What the lobby shows, and how two views differ: pure values.
//!
//! Invariants: updates applied in order to a `lobby` give the lobby as it stands, but for the order of
//! the seeks. Neither is ever longer than a frame of ours may be, whatever is offered and played: the
//! newest seeks and the first games are shown, each within its bytes.

use std::collections::HashMap;
use std::io;

use serde::Serialize;
use zeitnot_protocol::{
    Challenge, ChallengeId, CommandId, Limits, LiveGame, LiveGames, Lobby, LobbyNews, PoolView,
};

/// The most bytes of all seeks. Usual ones take 300 each, the longest 2 KiB.
const SEEKS_BYTES: usize = 16 * 1024;

/// The most bytes of all games in progress. Usual ones take 450 each.
const LIVE_BYTES: usize = 12 * 1024;

/// What the lobby shows at one instant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LobbyView {
    /// Oldest first.
    seeks: Vec<Challenge>,
    pools: Vec<PoolView>,
    live: LiveGames,
}

impl LobbyView {
    /// A view of these. `seeks` come newest first, and as many are shown as fit.
    pub(crate) fn new(
        seeks: impl IntoIterator<Item = Challenge>,
        pools: Vec<PoolView>,
        live: LiveGames,
    ) -> Self {
        let mut seeks = within(SEEKS_BYTES, seeks);
        seeks.reverse();
        Self { seeks, pools, live }
    }

    /// The games in progress that it shows.
    pub(crate) fn live(&self) -> &LiveGames {
        &self.live
    }

    /// The whole lobby, as the answer to the command with this id.
    pub(crate) fn lobby(&self, id: Option<CommandId>) -> Lobby {
        Lobby { id, seeks: self.seeks.clone(), pools: self.pools.clone(), live: self.live.clone() }
    }

    /// What has changed since `before`, if anything has.
    pub(crate) fn news_since(&self, before: &Self) -> Option<LobbyNews> {
        let by_id = |view: &Self| -> HashMap<ChallengeId, usize> {
            view.seeks.iter().enumerate().map(|(index, seek)| (seek.challenge, index)).collect()
        };
        let (old, new) = (by_id(before), by_id(self));
        let is_known =
            |seek: &&Challenge| old.get(&seek.challenge).is_some_and(|&i| before.seeks[i] == **seek);
        let gone = before.seeks.iter().map(|seek| seek.challenge).filter(|id| !new.contains_key(id));
        let news = LobbyNews {
            seeks: self.seeks.iter().filter(|seek| !is_known(seek)).cloned().collect(),
            gone: gone.collect(),
            pools: self.pools.iter().filter(|pool| !before.pools.contains(pool)).copied().collect(),
            live: (self.live != before.live).then(|| self.live.clone()),
        };
        (news != LobbyNews::default()).then_some(news)
    }
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
    let fits = |item: &T| match left.checked_sub(length(item) + 1) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    items.into_iter().take_while(fits).collect()
}

/// How long something is on the wire.
fn length(item: &impl Serialize) -> usize {
    struct Counted(usize);
    impl io::Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counted = Counted(0);
    serde_json::to_writer(&mut counted, item).map_or(usize::MAX - 1, |()| counted.0)
}

#[cfg(test)]
mod tests;
