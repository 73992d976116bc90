//! The way to a live game: a [`Seat`] for players' sessions, a [`Spectator`] for spectators'.
//!
//! Nothing here waits. What a session sends is queued for the actor, or rejected because too much
//! waits. What it is told comes through its [`Outbox`] and the game's [`Feed`]. Dropping a place
//! gives it back.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use zeitnot_protocol::{AccountId, CommandId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Micros, Seq};

use super::board_summary::GameSummary;
use super::inputs::{GameInput, Join, Mail, StampedCommand};
use super::mailbox::Mailbox;
use super::{Feed, SeatCommand};
use crate::connections::{ConnectionId, Frame, Member, Outbox, SendError, WakerGroups};
use crate::storage::NodeNumber;
use crate::tasks::Tasks;
use crate::time::ServiceInstant;

/// A live game. Clones are the same game.
#[derive(Clone, Debug)]
pub struct GameHandle(Arc<HandleInner>);

#[derive(Debug)]
struct HandleInner {
    id: GameId,
    players: ByColor<AccountId>,
    feed: Feed,
    summary: GameSummary,
    mailbox: Mailbox<Mail>,
    relay: Arc<WakerGroups>,
    /// Of those in `relay`, how many are other nodes, and how many watch there.
    mirrors: AtomicU32,
    watching_elsewhere: AtomicU32,
    /// Runs what wakes the spectators.
    tasks: Tasks,
    origin: OnceLock<Box<Origin>>,
}

/// What led to a game, as long as this process knows it: for commands that are sent again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Whose command made the challenge, and the id of that command.
    pub made_by: (AccountId, Option<CommandId>),
    /// The finished game that this one is a rematch of.
    pub rematch_of: Option<GameId>,
}

impl GameHandle {
    pub(crate) fn new(
        id: GameId,
        players: ByColor<AccountId>,
        feed: Feed,
        summary: GameSummary,
        tasks: Tasks,
    ) -> Self {
        let (mailbox, relay, origin) = (Mailbox::new(), Arc::default(), OnceLock::new());
        let (mirrors, watching_elsewhere) = (AtomicU32::new(0), AtomicU32::new(0));
        Self(Arc::new(HandleInner {
            id,
            players,
            feed,
            summary,
            mailbox,
            relay,
            mirrors,
            watching_elsewhere,
            tasks,
            origin,
        }))
    }

    /// The game's id.
    pub fn id(&self) -> GameId {
        self.0.id
    }

    /// The players.
    pub fn players(&self) -> ByColor<AccountId> {
        self.0.players
    }

    /// The seat of an account, if it plays here.
    pub fn seat_of(&self, account: AccountId) -> Option<Color> {
        Color::ALL.into_iter().find(|&seat| self.0.players[seat] == account)
    }

    /// What led to the game. `None` after a restart, for a moment when it begins, and where nobody
    /// could ask again.
    pub fn origin(&self) -> Option<&Origin> {
        self.0.origin.get().map(Box::as_ref)
    }

    /// Says once what led to the game.
    pub fn set_origin(&self, origin: Origin) {
        // Without an id nobody can send the same command again: most games keep nothing.
        let is_known = origin.made_by.1.is_some() || origin.rematch_of.is_some();
        if is_known && self.0.origin.set(Box::new(origin)).is_err() {
            tracing::error!(game = %self.0.id, "a game has begun twice");
        }
    }

    /// The game's public events.
    pub fn feed(&self) -> &Feed {
        &self.0.feed
    }

    /// Takes a place at a seat for a connection of its player. The session gets a snapshot, the
    /// presence of the opponent, and `turn` if it is that player's; it has no cursor until then.
    /// `round_trip` is the connection's smoothed one, if it was measured.
    ///
    /// # Errors
    /// When the game is gone, or too much waits for it.
    pub fn join(
        &self,
        seat: Color,
        connection: ConnectionId,
        outbox: Outbox,
        round_trip: Option<Duration>,
    ) -> Result<Seat, SendError> {
        let join = Join { connection, seat, round_trip: round_trip.map(micros) };
        self.0.mailbox.send(Mail::Join { join, outbox })?;
        Ok(Seat { game: self.clone(), connection, color: seat })
    }

    /// Takes a place among the spectators: the session is notified when the feed, the number of
    /// watchers, or a snapshot it waits for is new. It counts as a watcher until the place is
    /// dropped.
    #[must_use]
    pub fn watch(&self, outbox: Outbox) -> Spectator {
        let place = self.0.relay.enter(outbox, &self.0.tasks);
        self.0.mailbox.watchers_changed();
        Spectator { game: self.clone(), place }
    }

    /// Takes a place for the mirror of another node: its inbox is notified as a spectator's is, and asked by fences; it counts
    /// for as many watchers as it says.
    pub(crate) fn mirror(&self, node: NodeNumber, outbox: Outbox) -> MirrorPlace {
        self.0.mirrors.fetch_add(1, Ordering::AcqRel);
        let place = self.0.relay.enter(outbox.clone(), &self.0.tasks);
        let mirror = ConnectionId::of_mirror(node);
        self.0.mailbox.send_reserved(Mail::Mirror { mirror, outbox });
        self.0.mailbox.watchers_changed();
        MirrorPlace { game: self.clone(), mirror, place, watchers: 0 }
    }

    /// How many connections watch, on all nodes.
    pub(crate) fn watching(&self) -> u32 {
        let here = self.0.relay.count().saturating_sub(self.0.mirrors.load(Ordering::Acquire));
        here.saturating_add(self.0.watching_elsewhere.load(Ordering::Acquire))
    }

    /// The game has ended, and its actor need not linger for late readers. Always taken.
    pub(crate) fn let_go(&self) {
        self.0.mailbox.send_reserved(Mail::Input(GameInput::LetGo));
    }

    pub(crate) fn summary(&self) -> &GameSummary {
        &self.0.summary
    }

    pub(crate) fn mailbox(&self) -> &Mailbox<Mail> {
        &self.0.mailbox
    }

    pub(crate) fn relay(&self) -> &WakerGroups {
        &self.0.relay
    }

    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

fn micros(span: Duration) -> Micros {
    Micros(u64::try_from(span.as_micros()).unwrap_or(u64::MAX))
}

/// A connection's place at a seat. Dropping it says that the connection is gone.
#[derive(Debug)]
pub struct Seat {
    game: GameHandle,
    connection: ConnectionId,
    color: Color,
}

impl Seat {
    /// The game.
    pub fn game(&self) -> &GameHandle {
        &self.game
    }

    /// Whose seat it is.
    pub fn color(&self) -> Color {
        self.color
    }

    /// Hands over a command that was read from the socket at `stamp`. The answer comes as a notice:
    /// `Done` or `Rejected`.
    ///
    /// # Errors
    /// When the game is gone (then `Games::send_answer` answers), or too much waits for it.
    pub fn command(&self, stamp: ServiceInstant, command: SeatCommand) -> Result<(), SendError> {
        self.measured_command(stamp, None, command)
    }

    /// The same of a session on another node, which measured how long the turn had gone on.
    pub(super) fn measured_command(
        &self,
        stamp: ServiceInstant,
        took: Option<Micros>,
        command: SeatCommand,
    ) -> Result<(), SendError> {
        let (connection, seat) = (self.connection, self.color);
        let command = StampedCommand { connection, seat, stamp, took, command };
        self.game.0.mailbox.send(Mail::Input(GameInput::Command(command)))
    }

    /// Answers [`NoticeKind::Fence`](crate::connections::NoticeKind::Fence): everything that was read before is
    /// handed over. Always taken.
    pub fn fenced(&self, fence: u32) {
        let fenced = GameInput::Fenced { connection: self.connection, fence };
        self.game.0.mailbox.send_reserved(Mail::Input(fenced));
    }

    /// The smoothed round trip of the connection. Always taken: it comes with a pong, at most every
    /// few seconds.
    pub fn round_trip(&self, smoothed: Duration) {
        let message = GameInput::RoundTrip { connection: self.connection, smoothed: micros(smoothed) };
        self.game.0.mailbox.send_reserved(Mail::Input(message));
    }

    /// Asks for a snapshot, because the cursor fell out of the ring.
    ///
    /// # Errors
    /// When the game is gone, or too much waits for it.
    pub fn resync(&self) -> Result<(), SendError> {
        self.game.0.mailbox.send(Mail::Input(GameInput::Resync { connection: self.connection }))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let leave = GameInput::Leave { connection: self.connection };
        self.game.0.mailbox.send_reserved(Mail::Input(leave));
    }
}

/// A spectator's place. Dropping it ends watching.
#[derive(Debug)]
pub struct Spectator {
    game: GameHandle,
    place: Member,
}

impl Spectator {
    /// The game.
    pub fn game(&self) -> &GameHandle {
        &self.game
    }

    /// A snapshot after which the feed goes on: write it, set the cursor to its seq, pull with the
    /// clock. `None` when it has to be made: the session is notified when it is there, and asks
    /// again.
    #[must_use]
    pub fn snapshot(&self) -> Option<Frame> {
        snapshot(&self.game, &self.place, 0)
    }
}

impl Drop for Spectator {
    fn drop(&mut self) {
        self.game.0.relay.leave(&self.place);
        self.game.0.mailbox.watchers_changed();
    }
}

/// The place of another node. Dropping it gives it back.
#[derive(Debug)]
pub(crate) struct MirrorPlace {
    game: GameHandle,
    mirror: ConnectionId,
    place: Member,
    watchers: u32,
}

impl MirrorPlace {
    /// The game.
    pub(crate) fn game(&self) -> &GameHandle {
        &self.game
    }

    /// So many watch there.
    pub(crate) fn set_watchers(&mut self, count: u32) {
        let elsewhere = &self.game.0.watching_elsewhere;
        elsewhere.fetch_add(count, Ordering::AcqRel);
        elsewhere.fetch_sub(std::mem::replace(&mut self.watchers, count), Ordering::AcqRel);
        self.game.0.mailbox.watchers_changed();
    }

    /// Answers a fence for all sessions there: what they had read in time is handed over.
    pub(crate) fn fenced(&self, fence: u32) {
        let fenced = GameInput::Fenced { connection: self.mirror, fence };
        self.game.0.mailbox.send_reserved(Mail::Input(fenced));
    }

    /// As [`Spectator::snapshot`], of event `since` or a later one: the feed of a mirror may keep less than the game's own, and
    /// has no use for a snapshot from before that.
    #[must_use]
    pub(crate) fn snapshot(&self, since: Seq) -> Option<Frame> {
        snapshot(&self.game, &self.place, since)
    }
}

impl Drop for MirrorPlace {
    fn drop(&mut self) {
        self.set_watchers(0);
        self.game.0.relay.leave(&self.place);
        self.game.0.mirrors.fetch_sub(1, Ordering::AcqRel);
        let leave = GameInput::Leave { connection: self.mirror };
        self.game.0.mailbox.send_reserved(Mail::Input(leave));
        self.game.0.mailbox.watchers_changed();
    }
}

fn snapshot(game: &GameHandle, place: &Member, since: Seq) -> Option<Frame> {
    let kept = || game.feed().snapshot().filter(|snapshot| snapshot.seq() >= since);
    if let Some(snapshot) = kept() {
        return Some(snapshot);
    }
    place.wait_for_snapshot();
    game.0.mailbox.want_snapshot();
    // A snapshot that was made in between has notified nobody.
    kept()
}
