//! All games that the machine knows: those of the account, and those that a caller has open.
//!
//! Of the account's games it keeps whose turn it is and who is present, so that a caller that opens one later is told.
//! Invariant: at most as many as the account may play at a time, and those that callers have open.

use std::collections::BTreeMap;

use zeitnot_protocol::{GameId, Phase, Presence, Snapshot, TimeControl, Turn};

use super::effects::{Delivery, Effect};
use super::follow::Follow;
use super::{Key, Moment};
use crate::event::{GameEvent, index};

/// How many games of the account are known, twice what the server allows at a time. Further ones are not told.
const OWN_MAX: usize = 128;

/// A game.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// If the account plays it, and it has not ended.
    pub(super) own: Option<Own>,
    pub(super) follow: Option<Follow>,
}

/// A game of the account that is in progress.
#[derive(Debug)]
pub(super) struct Own {
    time_control: TimeControl,
    /// When it began, in seconds of Unix time, if it is not known where it came from.
    appeared: Option<u32>,
    /// On which connection it was shown last.
    shown_on: u32,
    turn: Option<Turn>,
    presence: [Option<Presence>; 2],
}

/// The games.
#[derive(Debug, Default)]
pub(super) struct Games {
    known: BTreeMap<GameId, Known>,
}

impl Games {
    pub(super) fn follow(&mut self, game: GameId) -> Option<&mut Follow> {
        self.known.get_mut(&game)?.follow.as_mut()
    }

    pub(super) fn is_own(&self, game: GameId) -> bool {
        self.known.get(&game).is_some_and(|known| known.own.is_some())
    }

    /// The account's games in progress.
    pub(super) fn own(&self) -> impl Iterator<Item = GameId> {
        self.known.iter().filter(|(_, known)| known.own.is_some()).map(|(game, _)| *game)
    }

    /// The games that callers have open.
    pub(super) fn follows(&mut self) -> impl Iterator<Item = (GameId, &mut Follow)> {
        self.known.iter_mut().filter_map(|(game, known)| Some((*game, known.follow.as_mut()?)))
    }

    /// The games whose callers had no room.
    pub(super) fn full(&self) -> Vec<GameId> {
        let follows = self.known.iter().filter_map(|(game, known)| Some((*game, known.follow.as_ref()?)));
        follows.filter(|(_, follow)| follow.is_full()).map(|(game, _)| game).collect()
    }

    /// A caller opens a game. Whether it may: one at a time.
    pub(super) fn open(&mut self, game: GameId, key: Key) -> bool {
        let known = self.known.entry(game).or_default();
        let is_free = known.follow.is_none();
        if is_free {
            known.follow = Some(Follow::new(game, key));
        }
        is_free
    }

    /// Nobody has a game open any more.
    pub(super) fn close(&mut self, game: GameId) -> Option<Follow> {
        let known = self.known.get_mut(&game)?;
        let follow = known.follow.take();
        if known.own.is_none() {
            self.known.remove(&game);
        }
        follow
    }

    /// A snapshot came on this connection. Whether it shows a game of the account that was not known.
    pub(super) fn snapshot(
        &mut self,
        snapshot: &Snapshot,
        is_own: bool,
        connection: u32,
        is_explained: bool,
        out: &mut Vec<Effect>,
    ) -> bool {
        let is_live = snapshot.state.phase != Phase::Ended;
        let is_new = is_own && is_live && !self.is_own(snapshot.game) && self.own().count() < OWN_MAX;
        if is_new {
            let time_control = snapshot.time_control.clone();
            let appeared = (!is_explained).then_some(snapshot.began);
            let own =
                Own { time_control, appeared, shown_on: connection, turn: None, presence: [None, None] };
            self.known.entry(snapshot.game).or_default().own = Some(own);
        }
        let Some(known) = self.known.get_mut(&snapshot.game) else { return is_new };
        if let Some(own) = &mut known.own {
            own.shown_on = connection;
        }
        let was_told = known.follow.as_mut().is_some_and(|follow| follow.snapshot(snapshot, out));
        if was_told {
            known.tell_presence(snapshot.game, out);
        }
        known.tell_turn(out);
        if !is_live {
            self.ended(snapshot.game);
        }
        is_new
    }

    /// A public event came.
    pub(super) fn event(
        &mut self,
        game: GameId,
        event: &GameEvent,
        written: Moment,
        capacity: usize,
        out: &mut Vec<Effect>,
    ) {
        let (Some(known), Some(seq)) = (self.known.get_mut(&game), event.seq()) else { return };
        if let Some(own) = &mut known.own
            && event.ends_turn()
        {
            own.turn.take_if(|turn| turn.on < seq);
        }
        if let Some(follow) = &mut known.follow {
            follow.event(event, seq, written, capacity, out);
        }
        known.tell_turn(out);
        if matches!(event, GameEvent::Ended(_)) {
            self.ended(game);
        }
    }

    pub(super) fn turn(&mut self, turn: Turn, out: &mut Vec<Effect>) {
        let Some(known) = self.known.get_mut(&turn.game) else { return };
        if let Some(own) = &mut known.own {
            own.turn = Some(turn);
        }
        known.tell_turn(out);
    }

    pub(super) fn presence(&mut self, presence: Presence, out: &mut Vec<Effect>) {
        let Some(known) = self.known.get_mut(&presence.game) else { return };
        if known.follow.is_some() {
            out.push(Effect::Game(presence.game, Delivery::Event(GameEvent::Presence(presence.clone()))));
        }
        if let Some(own) = &mut known.own {
            let place = index(presence.color);
            own.presence[place] = Some(presence);
        }
    }

    /// The account's games that were not shown on this connection are over.
    pub(super) fn settle(&mut self, connection: u32) {
        for known in self.known.values_mut() {
            known.own.take_if(|own| own.shown_on != connection);
        }
        self.known.retain(|_, known| known.own.is_some() || known.follow.is_some());
    }

    /// A game of the account that began at this second of Unix time or later, and of which it is not known where it came
    /// from. It is known from now on.
    pub(super) fn explain(&mut self, since: u64, fits: impl Fn(&TimeControl) -> bool) -> Option<GameId> {
        let own = self.known.iter_mut().filter_map(|(game, known)| Some((game, known.own.as_mut()?)));
        for (game, own) in own {
            if own.appeared.is_some_and(|began| u64::from(began) >= since) && fits(&own.time_control) {
                own.appeared = None;
                return Some(*game);
            }
        }
        None
    }

    /// It is known now where this game came from.
    pub(super) fn explained(&mut self, game: GameId) {
        if let Some(own) = self.known.get_mut(&game).and_then(|known| known.own.as_mut()) {
            own.appeared = None;
        }
    }

    fn ended(&mut self, game: GameId) {
        let Some(known) = self.known.get_mut(&game) else { return };
        known.own = None;
        if known.follow.is_none() {
            self.known.remove(&game);
        }
    }
}

impl Known {
    fn tell_turn(&mut self, out: &mut Vec<Effect>) {
        if let (Some(Own { turn: Some(turn), .. }), Some(follow)) = (&self.own, &mut self.follow) {
            follow.turn(turn, out);
        }
    }

    fn tell_presence(&self, game: GameId, out: &mut Vec<Effect>) {
        let present = self.own.iter().flat_map(|own| own.presence.iter().flatten());
        out.extend(
            present
                .map(|presence| Effect::Game(game, Delivery::Event(GameEvent::Presence(presence.clone())))),
        );
    }
}
