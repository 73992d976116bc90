//! The games one session follows, and how far it has written each.
//!
//! One path for public events, whether the session plays or watches: a cursor in the game's feed. What a game says to this
//! session alone waits until the events before it are written. A session that fell behind takes a snapshot and goes on
//! behind it; one that asked for an exact tail gets it from the journal, a chunk at a time as the socket drains.
//!
//! No waiting in here, and no decision about chess: everything is a look at a feed, a message to an actor, or bytes.
//!
//! Invariants: a game is followed once, and as a player whenever the account has a seat in it; nothing of a game is
//! written between the moment its cursor is lost and the snapshot or tail that sets it again, but is held back in order.

mod followed;

use std::time::Duration;

use zeitnot_protocol::{AccountId, CloseCode, Code, CommandId, GameId};

use super::output::Output;
use super::{Outbox, ToSession};
use crate::games::{ConnectionId, GameHandle, Games, Notice, SeatCommand, SendRefused};
use crate::time::{ServiceClock, ServiceInstant};
pub(crate) use followed::refuse;
use followed::{Followed, GoesOn, Place, say};

/// The socket must be closed with this code.
pub(crate) type Closing = CloseCode;

/// What every step needs.
#[derive(Debug)]
pub(crate) struct Surroundings<'a> {
    pub(crate) games: &'a Games,
    pub(crate) clock: &'a ServiceClock,
    pub(crate) output: &'a mut Output,
}

/// The games of one session.
#[derive(Debug)]
pub(crate) struct Following {
    connection: ConnectionId,
    outbox: Outbox<ToSession>,
    followed: Vec<Followed>,
}

impl Following {
    /// No games yet.
    pub(crate) fn new(connection: ConnectionId, outbox: Outbox<ToSession>) -> Self {
        Self { connection, outbox, followed: Vec::new() }
    }

    pub(crate) fn connection(&self) -> ConnectionId {
        self.connection
    }

    pub(crate) fn outbox(&self) -> &Outbox<ToSession> {
        &self.outbox
    }

    fn index(&self, game: GameId) -> Option<usize> {
        self.followed.iter().position(|followed| followed.game == game)
    }

    fn add(&mut self, followed: Followed) -> usize {
        debug_assert!(self.index(followed.game).is_none(), "a game is followed once");
        if self.followed.is_empty() {
            // Most sessions follow one game.
            self.followed.reserve_exact(1);
        }
        self.followed.push(followed);
        self.followed.len() - 1
    }

    fn remove(&mut self, index: usize) {
        self.followed.swap_remove(index);
        if self.followed.is_empty() {
            self.followed = Vec::new();
        }
    }

    /// Leaves all games.
    pub(crate) fn leave_all(&mut self) {
        self.followed = Vec::new();
    }

    /// Takes the account's seat in a game; a snapshot comes by itself. `false` when the account does not play there, or
    /// the game is gone.
    ///
    /// # Errors
    /// When too much waits for the game.
    pub(crate) fn take_seat(
        &mut self,
        game: &GameHandle,
        account: AccountId,
        round_trip: Option<Duration>,
    ) -> Result<bool, Closing> {
        let Some(color) = game.seat_of(account) else { return Ok(false) };
        if self.has_seat(game.id()) {
            return Ok(true);
        }
        match game.join(color, self.connection, self.outbox.clone(), round_trip) {
            Ok(seat) => {
                if let Some(index) = self.index(game.id()) {
                    self.remove(index);
                }
                self.add(Followed::new(game.id(), Place::Seat(seat), 0));
                Ok(true)
            }
            Err(SendRefused::Full) => Err(CloseCode::Overloaded),
            Err(SendRefused::Gone) => Ok(false),
        }
    }

    /// The smoothed round trip of this connection has changed.
    pub(crate) fn round_trip(&self, smoothed: Duration) {
        for followed in &self.followed {
            if let Place::Seat(seat) = &followed.place {
                seat.round_trip(smoothed);
            }
        }
    }

    /// How many games are followed beside the account's own.
    fn watched(&self) -> usize {
        self.followed.iter().filter(|followed| !matches!(followed.place, Place::Seat(_))).count()
    }

    /// Answers `watch`. `account` is the session's, if it has one.
    ///
    /// # Errors
    /// When the socket must be closed.
    pub(crate) fn watch(
        &mut self,
        at: &mut Surroundings<'_>,
        game: GameId,
        after: Option<u32>,
        id: Option<CommandId>,
        watched_max: u32,
    ) -> Result<(), Closing> {
        let index = match self.index(game) {
            Some(index) => index,
            None if self.watched() >= watched_max as usize => {
                refuse(at.output, Some(game), id, Code::TooManyWatched);
                return Ok(());
            }
            None => {
                let place = at.games.get(game).map(|handle| handle.watch(self.outbox.clone()));
                let place = place.map_or(Place::Past, Place::Spectator);
                // Not the publication that is there: a newcomer has not seen that one.
                let watchers = place.feed().map_or(0, |feed| feed.watchers().version.wrapping_sub(1));
                self.add(Followed::new(game, place, watchers))
            }
        };
        let (outbox, followed) = (&self.outbox, &mut self.followed[index]);
        let goes_on = match after {
            Some(after) => followed.exactly_after(at, after, id, outbox),
            None => followed.snapshot(at, id, outbox),
        };
        self.settle(index, goes_on)
    }

    /// Answers `unwatch`: nothing is said, and one's own live game stays.
    pub(crate) fn unwatch(&mut self, game: GameId) {
        if let Some(index) = self.index(game)
            && !matches!(self.followed[index].place, Place::Seat(_))
        {
            self.remove(index);
        }
    }

    /// Hands over a command that was read at `stamp`. `false`: this session has no seat in a live game of that name.
    ///
    /// # Errors
    /// When the socket must be closed.
    pub(crate) fn command(
        &mut self,
        game: GameId,
        stamp: ServiceInstant,
        command: SeatCommand,
    ) -> Result<bool, Closing> {
        let Some(index) = self.index(game) else { return Ok(false) };
        let Place::Seat(seat) = &self.followed[index].place else { return Ok(false) };
        match seat.command(stamp, command) {
            Ok(()) => Ok(true),
            Err(SendRefused::Full) => Err(CloseCode::Overloaded),
            Err(SendRefused::Gone) => {
                self.remove(index);
                Ok(false)
            }
        }
    }

    /// Whether the session has a seat in this game.
    pub(crate) fn has_seat(&self, game: GameId) -> bool {
        self.index(game).is_some_and(|index| matches!(self.followed[index].place, Place::Seat(_)))
    }

    /// Takes what a game says to this session. Events before it are written first.
    ///
    /// # Errors
    /// When the socket must be closed.
    pub(crate) fn notice(&mut self, at: &mut Surroundings<'_>, notice: Notice) -> Result<(), Closing> {
        let Some(index) = self.index(notice.game) else {
            // The answer to a question about its past, or something that no longer matters.
            say(at.output, notice.game, notice.what);
            return Ok(());
        };
        let (outbox, followed) = (&self.outbox, &mut self.followed[index]);
        let goes_on = followed.notice(at, notice.what, outbox);
        self.settle(index, goes_on)
    }

    /// Looks at every feed, as far as there is room. `false` when something is left to do.
    ///
    /// # Errors
    /// When the socket must be closed.
    pub(crate) fn advance(&mut self, at: &mut Surroundings<'_>) -> Result<bool, Closing> {
        let mut index = 0;
        while index < self.followed.len() {
            if !at.output.has_room() {
                return Ok(false);
            }
            let before = self.followed.len();
            let goes_on = self.followed[index].advance(at, &self.outbox);
            self.settle(index, goes_on)?;
            // What was removed was replaced by the last one, which is looked at next.
            index += usize::from(self.followed.len() == before);
        }
        Ok(true)
    }

    fn settle(&mut self, index: usize, goes_on: GoesOn) -> Result<(), Closing> {
        if !goes_on? {
            self.remove(index);
        }
        Ok(())
    }
}

