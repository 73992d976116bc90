//! What the lobby shows, and how two views differ: pure values.
//!
//! A view has clocks as readings, which stay the same while nobody moves; a message has them as they are when it is
//! written.
//!
//! Invariants: updates applied in order to a `lobby` give the lobby as it stands, but for the order of
//! the seeks. Neither is ever longer than a frame of ours may be, whatever is offered and played: the
//! newest seeks and the first games are shown, each within its bytes.

use std::time::Duration;

use serde::Serialize;
use zeitnot_protocol::{
    Challenge, ChallengeId, CommandId, GameId, Limits, LiveGame, LiveGames, Lobby, LobbyNews, PoolView,
    ServerMessage, decode_server,
};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::Micros;

use crate::games::{ClockReading, LiveBoard};
use crate::time::ServiceInstant;

/// The most bytes of all seeks. Usual ones take 300 each, the longest 2 KiB.
const SEEKS_BYTES: usize = 16 * 1024;

/// The most bytes of all games in progress. Usual ones take 500 each.
const LIVE_BYTES: usize = 12 * 1024;

/// What the clocks of a game take in a message, at most.
const CLOCKS_BYTES: usize = 72;

/// How far two readings of a running clock may be apart that came over a link: a board on a list need not be more exact.
const ON_ITS_WAY: Duration = Duration::from_millis(300);

/// What the lobby shows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LobbyView {
    /// Oldest first.
    seeks: Vec<Challenge>,
    pools: Vec<PoolView>,
    /// How many people are here.
    here: u32,
    pub(super) live: LiveView,
}

/// The games in progress that the lobby shows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LiveView {
    pub(super) total: u32,
    pub(super) featured: Option<GameId>,
    pub(super) games: Vec<LiveBoard>,
}

impl LobbyView {
    /// What the lobby shows now. `seeks` come newest first, and as many are shown as fit.
    pub(crate) fn new(
        seeks: impl IntoIterator<Item = Challenge>,
        pools: Vec<PoolView>,
        here: usize,
        live: LiveView,
    ) -> Self {
        let mut seeks = within(SEEKS_BYTES, seeks, written);
        seeks.reverse();
        Self { seeks, pools, here: u32::try_from(here).unwrap_or(u32::MAX), live }
    }

    /// The whole lobby as a message that is written at `at`.
    pub(crate) fn message(&self, id: Option<CommandId>, at: ServiceInstant) -> Lobby {
        let Self { seeks, pools, here, live } = self.clone();
        Lobby { id, seeks, pools, here, live: live.message(at) }
    }

    /// What another node's lobby shows, from the text of its `lobby` that came at `at`; `before` is what it showed before.
    pub(super) fn read(text: &str, before: &Self, at: ServiceInstant) -> Option<Self> {
        let Ok(ServerMessage::Lobby(Lobby { seeks, pools, here, live, .. })) = decode_server(text) else {
            return None;
        };
        let games = live.games.into_iter().map(|game| before.live.board(game, at)).collect();
        Some(Self {
            seeks,
            pools,
            here,
            live: LiveView { total: live.total, featured: live.featured, games },
        })
    }

    /// Whether a message of it is soon no longer true: a clock runs.
    pub(super) fn has_running_clocks(&self) -> bool {
        let runs = |board: &LiveBoard| board.clocks.is_some_and(|clocks| clocks.running.is_some());
        self.live.games.iter().any(runs)
    }
}

impl LiveView {
    /// A game of another node as it is shown at `at`. A clock that shows what it showed before, but for what was on its way,
    /// has not changed.
    fn board(&self, mut game: LiveGame, at: ServiceInstant) -> LiveBoard {
        let shown = game.white_ms.take().zip(game.black_ms.take());
        let runs = game.running.take().map(Color::from);
        let clocks = shown.map(|(white, black)| {
            let clocks = ByColor {
                white: Micros::from_millis(white.into()),
                black: Micros::from_millis(black.into()),
            };
            let running = runs.map(|seat| (seat, at + Duration::from_micros(clocks[seat].0)));
            ClockReading { seq: 0, clocks: Some(clocks), running, base: 0, began: None, first_move: None }
        });
        let is_same = |before: &&LiveBoard| before.game == game && show_the_same(before.clocks, clocks);
        let before = self.games.iter().find(is_same).map(|before| before.clocks);
        LiveBoard { game, clocks: before.unwrap_or(clocks) }
    }

    fn message(&self, at: ServiceInstant) -> LiveGames {
        let games = self.games.iter().map(|board| board.shown(at)).collect();
        LiveGames { total: self.total, featured: self.featured, games }
    }
}

/// What has changed from one view to the next, if anything has, as a message that is written at `at`.
pub(crate) fn news(before: &LobbyView, after: &LobbyView, at: ServiceInstant) -> Option<LobbyNews> {
    let is_gone = |id: &ChallengeId| after.seeks.iter().all(|seek| seek.challenge != *id);
    let news = LobbyNews {
        seeks: after.seeks.iter().filter(|seek| !before.seeks.contains(seek)).cloned().collect(),
        gone: before.seeks.iter().map(|seek| seek.challenge).filter(is_gone).collect(),
        pools: after.pools.iter().filter(|pool| !before.pools.contains(pool)).copied().collect(),
        here: (after.here != before.here).then_some(after.here),
        live: (after.live != before.live).then(|| after.live.message(at)),
    };
    (news != LobbyNews::default()).then_some(news)
}

/// The games in progress as they are shown: of `games`, best first, as many as fit. `featured` is the
/// game that was featured before: it stays, and is shown whatever its place.
pub(crate) fn live_games(total: usize, games: &[LiveBoard], featured: Option<&LiveBoard>) -> LiveView {
    let Some(featured) = featured.or(games.first()).cloned() else { return LiveView::default() };
    let featured_id = featured.game.game;
    let most = Limits::STANDARD.lobby_live_games as usize;
    let others = games.iter().filter(|board| board.game.game != featured_id).take(most - 1).cloned();
    let bytes = |board: &LiveBoard| written(&board.game) + CLOCKS_BYTES;
    let mut shown = within(LIVE_BYTES, std::iter::once(featured).chain(others), bytes);
    // The featured game got its bytes first, and is put in its place only here.
    let better = games.iter().take_while(|board| board.game.game != featured_id).count();
    let place = better.min(shown.len() - 1);
    shown[..=place].rotate_left(1);
    LiveView { total: u32::try_from(total).unwrap_or(u32::MAX), featured: Some(featured_id), games: shown }
}

/// Whether two readings that came over a link are of clocks that went on.
fn show_the_same(before: Option<ClockReading>, after: Option<ClockReading>) -> bool {
    let Some((before, after)) = before.zip(after) else { return before == after };
    match (before.running, after.running) {
        (Some((one, before_zero)), Some((other, after_zero))) => {
            let rest = |reading: ClockReading| reading.clocks.map(|clocks| clocks[!one]);
            one == other
                && rest(before) == rest(after)
                && u128::from(before_zero.0.abs_diff(after_zero.0)) < ON_ITS_WAY.as_micros()
        }
        _ => before == after,
    }
}

/// How many bytes an item takes on the wire.
fn written<T: Serialize>(item: &T) -> usize {
    serde_json::to_string(item).expect("what is shown can be written").len()
}

/// The first of `items` that are together not longer than `bytes` on the wire.
fn within<T>(bytes: usize, items: impl IntoIterator<Item = T>, length: impl Fn(&T) -> usize) -> Vec<T> {
    let mut left = bytes;
    let fits = |item: &T| {
        let rest = left.checked_sub(length(item) + 1);
        left = rest.unwrap_or_default();
        rest.is_some()
    };
    items.into_iter().take_while(fits).collect()
}

#[cfg(test)]
mod tests;
