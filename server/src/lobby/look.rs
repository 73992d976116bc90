//! Looking at the lobby while it has subscribers, and showing them what has changed.
//!
//! Nothing reports to the lobby's view: twice a second one task compares what there is with what was
//! shown before. The games in progress are looked at every other time.
//!
//! Invariant: while there are subscribers exactly one task looks, and otherwise none.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use zeitnot_protocol::Limits;

use super::lobby_view::{LiveView, LobbyView, live_games};
use super::nodes::Across;
use super::shell::Lobby;
use super::subscribers::Subscription;
use crate::connections::Outbox;
use crate::games::GameHandle;

/// How often the lobby is looked at, and so the shortest time between two updates.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(500);

const SEEKS_MAX: usize = Limits::STANDARD.lobby_seeks as usize;
const LIVE_GAMES_MAX: usize = Limits::STANDARD.lobby_live_games as usize;

impl Lobby {
    /// Enters the lobby: the session is woken when there is an update. The lobby is looked at from the
    /// first subscriber on.
    pub(crate) fn enter(self: &Arc<Self>, outbox: Outbox) -> Subscription {
        let tasks = &self.parts.tasks;
        let view = || self.look(&LobbyView::default(), true);
        let (subscription, is_first) = self.subscribers.enter(outbox, tasks, view);
        if is_first {
            tasks.spawn(Arc::clone(self).watch());
        }
        subscription
    }

    /// Looks at the lobby as long as there are subscribers.
    async fn watch(self: Arc<Self>) {
        let mut looks = 0_u32;
        loop {
            let next = self.parts.clock.now() + LOOK_EVERY;
            tokio::select! {
                biased;
                () = self.parts.tasks.stopping().cancelled() => return,
                () = self.parts.clock.sleep_until(next) => {}
            }
            if self.subscribers.is_deserted() {
                return;
            }
            looks = looks.wrapping_add(1);
            let before = self.subscribers.shown();
            let view = self.look(&before, looks.is_multiple_of(2));
            self.subscribers.publish(view, self.parts.clock.now());
        }
    }

    /// What the lobby shows now, if it showed `before`. Without `looks_at_games` the games stay as they
    /// were. A lobby of another node shows what that node has said last.
    pub(super) fn look(&self, before: &LobbyView, looks_at_games: bool) -> LobbyView {
        if let Some(view) = self.elsewhere().and_then(Across::view) {
            return view;
        }
        let live = if looks_at_games { self.live_games(before) } else { before.live.clone() };
        let (machine, now) = (self.machine(), self.parts.clock.now());
        let seeks = machine.newest_seeks().take(SEEKS_MAX).cloned().collect::<Vec<_>>();
        let pools = machine.pools();
        drop(machine);
        let connections = &self.parts.connections;
        let elsewhere = self.nodes.get().map(|across| across.people(|account| connections.is_here(account)));
        let here = connections.people_here() + elsewhere.unwrap_or_default();
        LobbyView::new(seeks.iter().map(|seek| seek.view(None, now)), pools, here, live)
    }

    /// The games in progress that are worth showing, if the lobby showed `before`.
    fn live_games(&self, before: &LobbyView) -> LiveView {
        let games = &self.parts.games;
        let (mut total, best) = games.most_watched(LIVE_GAMES_MAX);
        let mut best = best.iter().map(GameHandle::live_board).collect::<Vec<_>>();
        if let Some(across) = self.nodes.get() {
            for look in across.looks().values() {
                total += look.live.total as usize;
                let new = look
                    .live
                    .games
                    .iter()
                    .filter(|new| best.iter().all(|board| board.game.game != new.game.game));
                let new = new.cloned().collect::<Vec<_>>();
                best.extend(new);
            }
            best.sort_by_key(|board| Reverse(board.game.watchers));
        }
        let shown = before.live.featured;
        let featured = shown.and_then(|game| games.get(game)).filter(|game| !game.has_ended());
        let featured = featured.map(|game| game.live_board());
        let featured = featured.or_else(|| best.iter().find(|board| Some(board.game.game) == shown).cloned());
        live_games(total, &best, featured.as_ref())
    }

    /// The games in progress of this node alone.
    pub(super) fn look_here(&self) -> LobbyView {
        let (total, best) = self.parts.games.most_watched(LIVE_GAMES_MAX);
        let best = best.iter().map(GameHandle::live_board).collect::<Vec<_>>();
        LobbyView::new([], Vec::new(), 0, live_games(total, &best, None))
    }
}
