//! Looking at the lobby while it has subscribers, and showing them what has changed.
//!
//! Nothing reports to the lobby's view: twice a second one task compares what there is with what was
//! shown before. The games in progress are looked at every other time.
//!
//! Invariant: while there are subscribers exactly one task looks, and otherwise none.

use std::sync::Arc;
use std::time::Duration;

use zeitnot_protocol::Limits;

use super::lobby_view::{LiveView, LobbyView, live_games};
use super::shell::Lobby;
use super::subscribers::Subscription;
use crate::connections::Outbox;
use crate::games::GameHandle;

/// How often the lobby is looked at, and so the shortest time between two updates.
const LOOK_EVERY: Duration = Duration::from_millis(500);

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
    /// were.
    fn look(&self, before: &LobbyView, looks_at_games: bool) -> LobbyView {
        let live = if looks_at_games { self.live_games(before) } else { before.live.clone() };
        let (machine, now) = (self.machine(), self.parts.clock.now());
        let seeks = machine.newest_seeks().take(SEEKS_MAX).cloned().collect::<Vec<_>>();
        let pools = machine.pools();
        drop(machine);
        let here = self.parts.connections.people_here();
        LobbyView::new(seeks.iter().map(|seek| seek.view(None, now)), pools, here, live)
    }

    /// The games in progress that are worth showing, if the lobby showed `before`.
    fn live_games(&self, before: &LobbyView) -> LiveView {
        let games = &self.parts.games;
        let featured = before.live.featured.and_then(|game| games.get(game));
        let featured = featured.filter(|game| !game.has_ended()).map(|game| game.live_board());
        let (total, best) = games.most_watched(LIVE_GAMES_MAX);
        let best = best.iter().map(GameHandle::live_board).collect::<Vec<_>>();
        live_games(total, &best, featured.as_ref())
    }
}
