//! What a client's message about a game leads to: taking a seat, watching, reading, and handing a command over.
//!
//! Deliberately absent: messages that are not about a game.

use std::time::Duration;

use zeitnot_protocol::{AccountId, ClientMessage, CloseCode, Code, GameId};

use super::subscription::{Place, Subscription};
use super::{GamesContext, Subscriptions, reject};
use crate::connections::ConnectionRef;
use crate::connections::Notice;
use crate::games::{GameHandle, SeatCommand};
use crate::time::ServiceInstant;

/// For whom a session acts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity {
    /// The account; `None` for one that only watches.
    pub(crate) account: Option<AccountId>,
    /// The connection's smoothed round trip, if it was measured.
    pub(crate) round_trip: Option<Duration>,
}

/// A message about a game, as it was read.
#[derive(Debug)]
pub(crate) struct GameRequest<'a> {
    pub(crate) message: &'a ClientMessage,
    /// When it was read.
    pub(crate) stamp: ServiceInstant,
    /// How many games a connection may watch.
    pub(crate) watched_max: u32,
}

impl Subscriptions {
    /// Takes the account's seats in all its live games.
    ///
    /// # Errors
    /// When the socket must be closed, also because one of these games is just being taken up again: nobody would tell
    /// this session of it later.
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

    /// A game of the account has ended before this session took its seat: the journal tells of it.
    fn watch_archived(&mut self, game: GameId) {
        if self.index(game).is_none() {
            self.add(Subscription::new(game, Place::Archived, 0));
            self.is_due = true;
        }
    }

    /// Takes the account's seat in a game, or sees what has become of it when its actor is gone already.
    fn sit_or_watch(
        &mut self,
        line: &ConnectionRef,
        game: &GameHandle,
        account: AccountId,
        round_trip: Option<Duration>,
    ) -> Result<(), CloseCode> {
        let sits = self.take_seat(line, game, account, round_trip)?;
        if !sits && game.seat_of(account).is_some() && self.index(game.id()).is_none() {
            // The end of its feed shows whether the game comes back, or is over and told by the journal.
            self.add_spectator(line, game);
            self.is_due = true;
        }
        Ok(())
    }

    /// Acts on a message about a game. `false` when it is about none.
    ///
    /// # Errors
    /// When the socket must be closed.
    pub(crate) fn act(
        &mut self,
        at: &mut GamesContext<'_>,
        identity: Identity,
        request: &GameRequest<'_>,
    ) -> Result<bool, CloseCode> {
        match request.message {
            ClientMessage::Watch(watch) => {
                if self.sit_if_live(at, identity, watch.game)? && watch.after.is_none() {
                    return Ok(true);
                }
                self.watch(at, watch, request.watched_max)?;
            }
            ClientMessage::Unwatch(unwatch) => self.unwatch(unwatch.game),
            ClientMessage::History(history) => self.history(at, history),
            message => {
                let Some((game, command)) = SeatCommand::of(message) else { return Ok(false) };
                self.forward(at, identity, game, request.stamp, command)?;
            }
        }
        Ok(true)
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
            debug_assert!(false, "the machine lets only commands of accounts pass");
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
