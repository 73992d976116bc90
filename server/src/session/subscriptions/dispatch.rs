//! What a client's message about a game leads to: taking a seat, watching, reading, and handing a command over.
//!
//! Deliberately absent: messages that are not about a game.

use std::time::Duration;

use zeitnot_protocol::{AccountId, CloseCode, Code, GameId};

use super::subscription::{Place, Subscription};
use super::{GamesContext, Subscriptions, reject};
use crate::connections::ConnectionRef;
use crate::connections::Notice;
use crate::games::{GameHandle, SeatCommand};
use crate::session::request::GameRequest;
use crate::time::ServiceInstant;

/// The identity that a session acts for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity {
    /// The account; `None` for one that only watches.
    pub(crate) account: Option<AccountId>,
    /// The connection's smoothed round trip, if it was measured.
    pub(crate) round_trip: Option<Duration>,
}

impl Subscriptions {
    /// Takes the account's seats in all its live games.
    ///
    /// # Errors
    /// When the socket must be closed, also because one of these games is just being recovered: the
    /// session would not be told of it later.
    pub(crate) fn take_seats(&mut self, at: &GamesContext<'_>, identity: Identity) -> Result<(), CloseCode> {
        self.chats.account = identity.account;
        let Some(account) = identity.account else { return Ok(()) };
        for game in at.games.unended_of(account) {
            let game = at.games.get(game).ok_or(CloseCode::GameReset)?;
            self.sit_or_watch(at.line, &game, account, identity.round_trip)?;
        }
        Ok(())
    }

    /// A game of the account has started: takes the seat. `reply` is for the connection that asked for the game, and is
    /// written after the game's first event.
    ///
    /// # Errors
    /// When the socket must be closed, also because the game is being recovered.
    pub(crate) fn game_started(
        &mut self,
        at: &mut GamesContext<'_>,
        identity: Identity,
        game: GameId,
        reply: Option<Notice>,
    ) -> Result<(), CloseCode> {
        if let Some(account) = identity.account {
            match at.games.get(game) {
                Some(handle) => self.sit_or_watch(at.line, &handle, account, identity.round_trip)?,
                None if at.games.unended_of(account).contains(&game) => return Err(CloseCode::GameReset),
                None => self.watch_archived(game),
            }
        }
        reply.map_or(Ok(()), |reply| self.notice(at, reply))
    }

    /// A game of the account ended before this session took its seat: the journal has it.
    fn watch_archived(&mut self, game: GameId) {
        if self.index(game).is_none() {
            self.add(Subscription::new(game, Place::Archived, 0));
            self.is_due = true;
        }
    }

    /// Takes the account's seat in a game; if the actor has ended, watches to see what became of
    /// the game.
    fn sit_or_watch(
        &mut self,
        line: &ConnectionRef,
        game: &GameHandle,
        account: AccountId,
        round_trip: Option<Duration>,
    ) -> Result<(), CloseCode> {
        let sits = self.take_seat(line, game, account, round_trip)?;
        if !sits && game.seat_of(account).is_some() && self.index(game.id()).is_none() {
            // The end of its feed shows whether the game is recovered, or is over and read from the
            // journal.
            self.add_spectator(line, game);
            self.is_due = true;
        }
        Ok(())
    }

    /// Acts on a request about a game, read at `stamp`. A connection watches at most `watched_max` games.
    ///
    /// # Errors
    /// When the socket must be closed.
    pub(crate) fn act(
        &mut self,
        at: &mut GamesContext<'_>,
        identity: Identity,
        request: GameRequest,
        stamp: ServiceInstant,
        watched_max: u32,
    ) -> Result<(), CloseCode> {
        match request {
            GameRequest::Watch(watch) => {
                let sits = self.sit_if_live(at, identity, watch.game)?;
                match self.index(watch.game).filter(|_| sits && watch.after.is_none()) {
                    // The snapshot comes by itself.
                    Some(index) => self.answer_with_clock(at.output, index, watch.id),
                    None => self.watch(at, &watch, watched_max)?,
                }
            }
            GameRequest::Unwatch(unwatch) => self.unwatch(at.output, unwatch.game),
            GameRequest::History(history) => self.history(at, &history),
            GameRequest::Command(game, command) => self.forward(at, identity, game, stamp, command)?,
        }
        Ok(())
    }

    /// Takes the account's seat in a live game that this session does not follow yet. `true` when it did now.
    fn sit_if_live(
        &mut self,
        at: &GamesContext<'_>,
        identity: Identity,
        game: GameId,
    ) -> Result<bool, CloseCode> {
        let Some(account) = identity.account.filter(|_| !self.has_seat(game)) else { return Ok(false) };
        match at.games.get(game) {
            Some(handle) => self.take_seat(at.line, &handle, account, identity.round_trip),
            None => Ok(false),
        }
    }

    /// Hands a player's command to its game.
    fn forward(
        &mut self,
        at: &mut GamesContext<'_>,
        identity: Identity,
        game: GameId,
        stamp: ServiceInstant,
        command: SeatCommand,
    ) -> Result<(), CloseCode> {
        let Some(account) = identity.account else {
            reject(at.output, Some(game), command.id, Code::NoAccount);
            return Ok(());
        };
        if self.command(game, stamp, command.clone())? {
            return Ok(());
        }
        // The game began a moment ago, or it is somebody else's, or it has ended.
        if self.sit_if_live(at, identity, game)? && self.command(game, stamp, command.clone())? {
            return Ok(());
        }
        match at.games.get(game) {
            Some(handle) if handle.seat_of(account).is_none() => {
                reject(at.output, Some(game), command.id, Code::NotYourGame);
            }
            Some(_) | None => self.answer(at, game, account, command),
        }
        Ok(())
    }
}
