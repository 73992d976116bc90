//! What a client's message about a game leads to: taking a seat, watching, reading, and handing a command over.
//!
//! Deliberately absent: messages that are not about a game.

use std::time::Duration;

use zeitnot_protocol::{AccountId, CloseCode, Code, GameId};

use super::journal_reads::AccountCommand;
use super::subscription::{Place, Subscription};
use super::{GamesContext, Subscriptions, reject};
use crate::connections::Notice;
use crate::games::SeatCommand;
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
    /// When the socket must be closed.
    pub(crate) fn take_seats(&mut self, at: &GamesContext<'_>) -> Result<(), CloseCode> {
        self.chats.account = at.identity.account;
        let Some(account) = at.identity.account else { return Ok(()) };
        let known = at.games.unended_of(account);
        at.games.tell_of_unknown(account, known.clone(), &at.line.outbox);
        known.into_iter().try_for_each(|game| self.sit_or_watch(at, game))
    }

    /// A game of the account has started: takes the seat. `reply` is for the connection that asked for the game, and is
    /// written after the game's first event.
    ///
    /// # Errors
    /// When the socket must be closed.
    pub(crate) fn game_started(
        &mut self,
        at: &mut GamesContext<'_>,
        game: GameId,
        reply: Option<Notice>,
    ) -> Result<(), CloseCode> {
        if at.identity.account.is_some() {
            self.sit_or_watch(at, game)?;
        }
        reply.map_or(Ok(()), |reply| self.notice(at, reply))
    }

    /// Takes the account's seat in a game. If the game has no actor, or the actor has ended, watches to see
    /// what became of the game: it is over and read from the journal, or the seat is taken once it is
    /// recovered.
    fn sit_or_watch(&mut self, at: &GamesContext<'_>, game: GameId) -> Result<(), CloseCode> {
        let handle = at.games.get(game);
        if let Some(handle) = &handle
            && self.take_seat(at, handle)?
        {
            return Ok(());
        }
        if self.index(game).is_none() {
            match handle {
                Some(handle) => self.add_spectator(at.line, &handle),
                None => self.add(Subscription::new(game, Place::Archived, 0)),
            };
            self.is_due = true;
        }
        Ok(())
    }

    /// Acts on a request about a game, read at `stamp`.
    ///
    /// # Errors
    /// When the socket must be closed.
    pub(crate) fn act(
        &mut self,
        at: &mut GamesContext<'_>,
        request: GameRequest,
        stamp: ServiceInstant,
    ) -> Result<(), CloseCode> {
        match request {
            GameRequest::Watch(watch) => {
                let sits = self.sit_if_live(at, watch.game)?;
                match self.index(watch.game).filter(|_| sits && watch.after.is_none()) {
                    // The snapshot comes by itself.
                    Some(index) => self.answer_with_clock(at.output, index, watch.id),
                    None => self.watch(at, &watch)?,
                }
            }
            GameRequest::Unwatch(unwatch) => self.unwatch(at, unwatch.game),
            GameRequest::History(history) => self.history(at, &history),
            GameRequest::Command(game, command) => self.forward(at, game, stamp, command)?,
        }
        Ok(())
    }

    /// Takes the account's seat in a live game that this session does not follow yet. `true` when it did now.
    fn sit_if_live(&mut self, at: &GamesContext<'_>, game: GameId) -> Result<bool, CloseCode> {
        if self.has_seat(game) {
            return Ok(false);
        }
        at.games.get(game).map_or(Ok(false), |handle| self.take_seat(at, &handle))
    }

    /// Hands a player's command to its game.
    fn forward(
        &mut self,
        at: &mut GamesContext<'_>,
        game: GameId,
        stamp: ServiceInstant,
        command: SeatCommand,
    ) -> Result<(), CloseCode> {
        let Some(account) = at.identity.account else {
            reject(at.output, Some(game), command.id, Code::NoAccount);
            return Ok(());
        };
        if self.command(game, stamp, command.clone())? {
            return Ok(());
        }
        // The game began a moment ago, or it is somebody else's, or it has ended.
        if self.sit_if_live(at, game)? && self.command(game, stamp, command.clone())? {
            return Ok(());
        }
        match at.games.get(game) {
            Some(handle) if handle.seat_of(account).is_none() => {
                reject(at.output, Some(game), command.id, Code::NotYourGame);
            }
            Some(_) | None => {
                let waits = at.games.command_waits(game);
                self.answer(at, game, AccountCommand { account, stamp, command, waits });
            }
        }
        Ok(())
    }
}
