//! The task of a mirror: gives the mirror its inputs, carries out its effects on the game's handle, and has the owner looked
//! for when there is none, or it cannot be heard.
//!
//! Deliberately absent: what is sent, kept and sent again (`cluster::mirror`), and where the owner is (`super`).
//!
//! Invariants: nothing counts but what the present owner says; a mirror that nobody follows ends; whoever follows one that
//! ends before its game is told to come back.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::Notify;
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Micros, Seq};
use zeitnot_rules::notation::fen;

use super::super::actor::Timer;
use super::super::board_summary::BoardSummary;
use super::super::effects::reset_joins;
use super::super::inputs::{GameInput, Mail, StampedCommand};
use super::super::mailbox::{Mailbox, Raised};
use super::super::{ClockReading, GameHandle};
use super::{Across, LOOKS_MAX, LocalGames};
use crate::cluster::mirror::{Mirror, MirrorEffect, MirrorInput};
use crate::cluster::wire::{Clock, FromMirror, FromOwner, GameMessage};
use crate::connections::{ConnectionId, Notice, NoticeKind, Outbox, SendError, send};
use crate::storage::NodeNumber;
use crate::telemetry::metrics;
use crate::time::{ServiceClock, ServiceInstant};

/// A mirror that nobody follows is kept for so long: a session that comes again at once finds it.
const KEPT_FOR: Duration = Duration::from_secs(10);

/// The owner has no link with this node: it is looked for again after so long. Perhaps the link opens; perhaps the node was
/// found dead while storage was asked, or has given the game up, which could not be heard.
const LINK_WAIT: Duration = Duration::from_secs(3);

/// What reaches a mirror from outside its node's sessions.
#[derive(Debug)]
pub(super) enum MirrorMail {
    /// The game is owned there.
    Found(NodeNumber),
    /// It is not played on, for all that can be found out.
    NobodyHasIt,
    /// A node has claimed the game.
    Claimed,
    /// The link with a node is open.
    Opened(NodeNumber),
    /// It is closed.
    Closed(NodeNumber),
    /// The node does not live any more.
    Gone(NodeNumber),
    /// A node says this as the game's owner.
    Said(NodeNumber, FromOwner),
    /// No command waits any more until the game is found here.
    NoCommandWaits,
    /// More was said than waits here, and the rest is lost.
    Overrun,
}

/// How others reach a mirror. Clones are the same mirror.
#[derive(Clone, Debug)]
pub(crate) struct MirrorRef {
    pub(super) handle: GameHandle,
    pub(super) mail: Arc<Mailbox<MirrorMail>>,
    attached: Arc<(AtomicBool, Notify)>,
    /// What is said is lost, until the mirror has started over.
    is_overrun: Arc<AtomicBool>,
    /// The owner is looked for now.
    look: Arc<Notify>,
}

impl MirrorRef {
    pub(super) fn new(handle: GameHandle) -> Self {
        let (attached, is_overrun, look) = (Arc::default(), Arc::default(), Arc::default());
        Self { handle, mail: Arc::new(Mailbox::new()), attached, is_overrun, look }
    }

    /// A node says this as the game's owner. A mirror to which more is said than it takes starts over with its owner.
    pub(super) fn said(&self, node: NodeNumber, said: FromOwner) {
        if self.is_overrun.load(Ordering::Acquire) {
            return;
        }
        if self.mail.send(MirrorMail::Said(node, said)) == Err(SendError::Full)
            && !self.is_overrun.swap(true, Ordering::AcqRel)
        {
            self.mail.send_reserved(MirrorMail::Overrun);
        }
    }

    /// Whether its owner has told once what the game is.
    pub(super) fn is_attached(&self) -> bool {
        self.attached.0.load(Ordering::Acquire)
    }

    /// Ends when [`MirrorRef::is_attached`] does, perhaps.
    pub(in crate::games) async fn until_attached(&self) {
        let notified = self.attached.1.notified();
        if !self.is_attached() {
            notified.await;
        }
    }

    /// A node has claimed the game: its owner is looked for now, unless it is heard; then as soon as it says that it has lost
    /// the game.
    pub(super) fn claimed(&self) {
        self.look.notify_one();
        self.mail.send_reserved(MirrorMail::Claimed);
    }

    pub(super) async fn until_told_to_look(&self) {
        self.look.notified().await;
    }

    fn attach(&self) {
        self.attached.0.store(true, Ordering::Release);
        self.attached.1.notify_waiters();
    }
}

/// The task.
pub(super) struct MirrorTask {
    across: Arc<Across>,
    games: Arc<dyn LocalGames>,
    clock: ServiceClock,
    own: MirrorRef,
    mirror: Mirror,
    outboxes: Vec<(ConnectionId, Outbox)>,
    /// The node that is asked, or that has been asked last.
    owner: Option<NodeNumber>,
    /// The owner is being looked for. If the last one is heard meanwhile, it is asked.
    is_seeking: bool,
    /// How often an owner was found that did not have the game.
    looks: u32,
    /// When the owner is looked for again, unless there is a link with it by then.
    looks_at: Option<ServiceInstant>,
    effects: VecDeque<MirrorEffect>,
    timer: Timer,
    /// When it ends, if nobody follows it until then.
    ends_at: Option<ServiceInstant>,
    now: ServiceInstant,
    is_closed: bool,
}

impl MirrorTask {
    pub(super) fn new(across: Arc<Across>, games: Arc<dyn LocalGames>, own: MirrorRef) -> Self {
        let mirror = Mirror::new(own.handle.feed().head());
        let clock = games.basis().1.clone();
        Self {
            across,
            games,
            clock,
            own,
            mirror,
            outboxes: Vec::new(),
            owner: None,
            is_seeking: false,
            looks: 0,
            looks_at: None,
            effects: VecDeque::new(),
            timer: Timer::default(),
            ends_at: None,
            now: ServiceInstant::default(),
            is_closed: false,
        }
    }

    fn turn(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let (own, mut mail, mut messages) = (self.own.clone(), VecDeque::new(), VecDeque::new());
        own.mail.register(cx.waker());
        own.handle.mailbox().register(cx.waker());
        // Before the messages are taken: whatever waited before is among them.
        let commands_wait = self.across.waiting.has(own.handle.id());
        own.mail.raised();
        let raised = own.handle.mailbox().raised();
        own.mail.take(&mut mail);
        own.handle.mailbox().take(&mut messages);
        // After both were taken, so that no stamp is later.
        self.now = self.clock.now();
        mail.into_iter().for_each(|mail| self.mail(mail));
        messages.into_iter().for_each(|message| self.message(message));
        self.raised(raised);
        if self.mirror.wake().is_some_and(|wake| wake <= self.now) {
            self.input(MirrorInput::Tick);
        }
        if !commands_wait {
            self.input(MirrorInput::AllTaken);
        }
        if self.looks_at.is_some_and(|at| at <= self.now) {
            self.look_for_owner(true);
        }
        self.end_when_nobody_follows();
        if self.is_closed {
            return Poll::Ready(());
        }
        let wake = self.mirror.wake().into_iter().chain(self.ends_at).chain(self.looks_at).min();
        if self.timer.fires(wake, &self.clock, cx) {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    }

    fn mail(&mut self, mail: MirrorMail) {
        match mail {
            MirrorMail::Found(_) | MirrorMail::NobodyHasIt if self.hears_owner() => self.is_seeking = false,
            MirrorMail::Found(node) => {
                self.is_seeking = false;
                self.owner = Some(node);
                if !self.across.is_reached(node) {
                    self.looks_at = Some(self.now + LINK_WAIT);
                    return;
                }
                self.looks += 1;
                if self.looks > LOOKS_MAX {
                    self.close();
                } else {
                    self.input(MirrorInput::LinkOpened);
                }
            }
            MirrorMail::NobodyHasIt => self.close(),
            MirrorMail::Opened(node) if self.owner == Some(node) => {
                self.looks_at = None;
                self.input(MirrorInput::LinkOpened);
            }
            MirrorMail::Closed(node) if self.owner == Some(node) => {
                self.input(MirrorInput::LinkClosed);
                self.looks_at = Some(self.now + LINK_WAIT);
            }
            MirrorMail::Claimed if self.owner.is_some() && !self.hears_owner() => self.look_for_owner(true),
            MirrorMail::Gone(node) if self.owner == Some(node) => {
                self.input(MirrorInput::LinkClosed);
                self.owner = None;
                self.look_for_owner(true);
            }
            MirrorMail::Said(node, said) if self.owner == Some(node) => self.input(MirrorInput::Owner(said)),
            MirrorMail::Overrun => {
                self.own.is_overrun.store(false, Ordering::Release);
                self.input(MirrorInput::LinkClosed);
                if self.hears_owner() {
                    self.input(MirrorInput::LinkOpened);
                }
            }
            MirrorMail::Opened(_)
            | MirrorMail::NoCommandWaits
            | MirrorMail::Closed(_)
            | MirrorMail::Claimed
            | MirrorMail::Gone(_)
            | MirrorMail::Said(..) => {}
        }
    }

    fn message(&mut self, message: Mail) {
        let input = match message {
            Mail::Join { join, outbox } => {
                self.outboxes.push((join.connection, outbox));
                let (connection, seat, round_trip) = (join.connection, join.seat, join.round_trip);
                MirrorInput::Join { connection, seat, round_trip }
            }
            Mail::Input(GameInput::Leave { connection }) => {
                self.outboxes.retain(|(other, _)| *other != connection);
                MirrorInput::Leave { connection }
            }
            Mail::Input(GameInput::Command(StampedCommand { connection, stamp, command, .. })) => {
                let fresh = self.across.entropy.command_id();
                MirrorInput::Command { connection, stamp, id: command.id, command: command.command, fresh }
            }
            Mail::Input(GameInput::Fenced { connection, fence }) => {
                MirrorInput::Fenced { connection, number: fence }
            }
            Mail::Input(GameInput::RoundTrip { connection, smoothed }) => {
                MirrorInput::RoundTrip { connection, smoothed }
            }
            Mail::Input(GameInput::Resync { connection }) => MirrorInput::Resync { connection },
            Mail::Input(GameInput::LetGo) => return self.close(),
            Mail::Input(other) => unreachable!("no session and no registry sends a mirror {other:?}"),
            Mail::Mirror { mirror, .. } => unreachable!("{mirror:?} follows a mirror"),
            #[cfg(test)]
            Mail::Break => panic!("a test broke this mirror"),
        };
        self.input(input);
    }

    fn raised(&mut self, raised: Raised) {
        if raised.watchers_changed {
            self.input(MirrorInput::Watchers(self.own.handle.relay().count()));
        }
        if raised.snapshot_wanted {
            self.input(MirrorInput::SnapshotWanted);
        }
        if raised.stop {
            self.close();
        }
    }

    fn input(&mut self, input: MirrorInput) {
        if self.is_closed {
            return;
        }
        let mut effects = std::mem::take(&mut self.effects);
        self.mirror.handle(input, self.now, &mut effects);
        effects.drain(..).for_each(|effect| self.carry_out(effect));
        self.effects = effects;
    }

    fn carry_out(&mut self, effect: MirrorEffect) {
        let game = &self.own.handle;
        match effect {
            MirrorEffect::Send(said) => self.send(said),
            MirrorEffect::Frame(frame) => game.feed().publish(frame, game.relay().count() > 0),
            MirrorEffect::Skipped(head) => self.skipped(head),
            MirrorEffect::Clock(clock, began) => self.clock(&clock, began),
            MirrorEffect::ClockStarted => {
                game.feed().clock_started();
                game.relay().notify_all();
            }
            MirrorEffect::Watchers(count) => {
                if game.feed().watchers().count != count {
                    game.feed().publish_watchers(count);
                    game.relay().notify_all();
                }
            }
            MirrorEffect::Snapshot(snapshot) => {
                game.feed().keep_snapshot(snapshot);
                game.relay().notify_waiting();
            }
            MirrorEffect::Rated(frame) => {
                game.feed().set_rated(frame);
                game.relay().notify_all();
            }
            MirrorEffect::Attached => {
                self.looks = 0;
                self.games.found_elsewhere(game);
                if let Some(owner) = self.owner {
                    self.across.follow_chat(game.id(), owner);
                }
                self.own.attach();
                // Lines may have come before.
                if self.games.chats().has_chat(game.id()) {
                    self.games.show_chat(game.id());
                }
            }
            MirrorEffect::Tell { connection, after, kind } => self.tell(connection, after, kind),
            MirrorEffect::Lost { comes_back: true } if !game.has_ended() => {
                self.owner = None;
                self.look_for_owner(false);
            }
            MirrorEffect::Lost { .. } => self.close(),
        }
    }

    fn send(&self, said: FromMirror) {
        let Some(owner) = self.owner else { return };
        self.across.send(owner, GameMessage::ToOwner(self.own.handle.id(), said));
    }

    fn tell(&self, connection: ConnectionId, after: Seq, kind: NoticeKind) {
        if matches!(kind, NoticeKind::Rejected { .. }) {
            metrics().commands_rejected.increment(1);
        }
        if let Some((_, outbox)) = self.outboxes.iter().find(|(other, _)| *other == connection) {
            send(outbox, Notice { game: self.own.handle.id(), after, kind });
        }
    }

    fn tell_all(&self, kind: &NoticeKind) {
        self.outboxes.iter().for_each(|(connection, _)| self.tell(*connection, 0, kind.clone()));
    }

    /// Events are missing: whoever has not seen them takes a snapshot.
    fn skipped(&self, head: Seq) {
        self.own.handle.feed().skip_to(head);
        self.tell_all(&NoticeKind::Events);
        self.own.handle.relay().notify_all();
    }

    fn clock(&self, clock: &Clock, began: Option<ServiceInstant>) {
        let game = &self.own.handle;
        let had_ended = game.has_ended();
        if let Ok(position) = fen::parse(&clock.board) {
            let (last, ply_count, has_ended) = (clock.last_move, clock.ply_count, clock.has_ended);
            game.summary().set(BoardSummary { position, last, ply_count, has_ended });
        } else {
            tracing::error!(game = %game.id(), board = clock.board, "the owner's board is none");
        }
        let after_turn = |us| began.map(|began| began + Duration::from_micros(us));
        game.feed().set_clock(ClockReading {
            seq: clock.seq,
            clocks: clock
                .clocks_us
                .map(|(white, black)| ByColor { white: Micros(white), black: Micros(black) }),
            running: clock.running.and_then(|(is_white, zero)| {
                Some((if is_white { Color::White } else { Color::Black }, after_turn(zero)?))
            }),
            base: clock.base,
            began,
            first_move: clock.first_move_us.and_then(after_turn),
        });
        if clock.has_ended && !had_ended {
            self.games.ended_elsewhere(game);
        }
        game.relay().notify_all();
    }

    /// Whether the owner is known, and there is a link with it.
    fn hears_owner(&self) -> bool {
        self.owner.is_some_and(|owner| self.across.is_reached(owner))
    }

    /// Has the owner looked for, unless it is.
    fn look_for_owner(&mut self, at_once: bool) {
        self.looks_at = None;
        if self.own.handle.has_ended() {
            return self.close();
        }
        if !std::mem::replace(&mut self.is_seeking, true) {
            let (across, games) = (Arc::clone(&self.across), Arc::clone(&self.games));
            self.games.basis().2.spawn(across.seek(games, self.own.clone(), at_once));
        }
    }

    fn end_when_nobody_follows(&mut self) {
        if !self.outboxes.is_empty() || self.own.handle.relay().count() > 0 {
            self.ends_at = None;
        } else if *self.ends_at.get_or_insert(self.now + KEPT_FOR) <= self.now {
            self.close();
        }
    }

    /// Nobody is told anything any more: whoever follows a game that goes on comes back.
    fn close(&mut self) {
        if std::mem::replace(&mut self.is_closed, true) {
            return;
        }
        let game = self.own.handle.clone();
        self.send(FromMirror::Detach);
        let goes_on = !game.has_ended();
        self.tell_all(if goes_on { &NoticeKind::Reset } else { &NoticeKind::Gone });
        self.own.mail.close();
        self.own.attached.1.notify_waiters();
        self.across.mirrors.remove_if(&game.id(), |_, mirror| mirror.handle.is_same(&game));
        reset_joins(game.id(), game.mailbox().close());
        game.feed().close(goes_on);
        game.relay().close();
        self.games.mirror_ended(&game);
    }
}

/// A task that has panicked leaves nobody waiting.
impl Drop for MirrorTask {
    fn drop(&mut self) {
        self.close();
    }
}

impl Future for MirrorTask {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.get_mut().turn(cx)
    }
}
