//! Games of which the owner, the players and the spectators are on different nodes.
//!
//! On a node that does not own a game a *mirror* stands in for its actor, behind the same handle. At the owner the sessions of
//! that node are *remote sessions*: they take seats and watch as if they were here. What passes between the two goes over the
//! link of their nodes, or from hand to hand when the node has claimed a game of which it had a mirror.
//!
//! | file | what it decides |
//! |---|---|
//! | `mirror_task` | what becomes visible of a game that another node owns |
//! | `remote_sessions` | what a game here hears from the sessions of another node, and what those are told |
//! | `chats` | where a line of a chat is posted, and which nodes hear it |
//! | `waiting_commands` | which games have to be found for commands that were read here |
//! | `released` | which games this node gives up |
//!
//! Deliberately absent: the bus and its links, and what a mirror keeps and sends again (`cluster`); who owns a game
//! (`storage`).
//!
//! Invariants: nothing here waits; a mirror listens to one owner at a time; a game has at most one mirror on a node, and one
//! group of remote sessions from a node.

pub(super) mod chats;
mod mirror_task;
mod released;
mod remote_sessions;
mod waiting_commands;

use std::fmt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use bytes::Bytes;
use dashmap::{DashMap, DashSet};
use tokio::sync::Notify;
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::ByColor;

use super::board_summary::{BoardSummary, GameSummary, last_move};
use super::clock_reading::ClockReading;
use super::inputs::{GameInput, Mail};
use super::replay::ReplayedGame;
use super::{Feed, GameHandle};
use crate::cluster::wire::{self, FromMirror, FromOwner, GameMessage, LinkMessage};
use crate::cluster::{Bus, BusEvent, BusUser, Hint, LinkEvent};
use crate::entropy::Entropy;
use crate::storage::{GameStore, NodeNumber, Owner, Tail};
use crate::tasks::Tasks;
use crate::time::{ServiceClock, ServiceInstant};
use chats::SharedChats;
pub(crate) use chats::{ChatBegun, LocalChats};
use mirror_task::{MirrorMail, MirrorRef, MirrorTask};
pub(super) use released::Releasing;
use remote_sessions::RemoteSessions;
pub(crate) use waiting_commands::WaitingCommand;
use waiting_commands::WaitingCommands;

/// From one look for the owner of a game to the next.
pub(super) const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// Looks: 15 s, in which a dead node is found dead and its games are claimed.
pub(super) const LOOKS_MAX: u32 = 30;

/// How this node reaches others. What cannot be sent is lost, and its link is closed then.
pub(crate) trait Links: fmt::Debug + Send + Sync {
    /// Queues a message.
    fn send(&self, to: NodeNumber, message: Bytes);

    /// Tells all nodes, if it gets there.
    fn announce(&self, hint: Hint);
}

impl Links for Bus {
    fn send(&self, to: NodeNumber, message: Bytes) {
        if Self::send(self, to, message).is_err() {
            tracing::debug!(node = %to, "a message for a node without a link is not sent");
        }
    }

    fn announce(&self, hint: Hint) {
        Self::announce(self, hint);
    }
}

/// The registry, as mirrors and remote sessions know it.
pub(crate) trait LocalGames: LocalChats + fmt::Debug + Send + Sync {
    /// What everything here uses.
    fn basis(&self) -> (&Arc<dyn GameStore>, &ServiceClock, &Tasks);

    /// A game with an actor here.
    fn actor_of(&self, game: GameId) -> Option<GameHandle>;

    /// A game of another node can be followed here.
    fn found_elsewhere(&self, mirror: &GameHandle);

    /// The end of a game that another node owns is durable.
    fn ended_elsewhere(&self, mirror: &GameHandle);

    /// A game has ended according to storage, and the node that had it tells nobody: an actor here does, for a while.
    fn tell_end(self: Arc<Self>, ended: ReplayedGame);

    /// A mirror has ended.
    fn mirror_ended(&self, mirror: &GameHandle);
}

/// What this node mirrors, and which sessions of other nodes follow games here.
#[derive(Debug)]
pub(crate) struct Across {
    own: NodeNumber,
    links: Arc<dyn Links>,
    entropy: Entropy,
    games: Weak<dyn LocalGames>,
    mirrors: DashMap<GameId, MirrorRef>,
    remote_sessions: DashMap<(NodeNumber, GameId), Arc<RemoteSessions>>,
    /// The nodes with which there is a link.
    open: DashSet<NodeNumber>,
    /// Games at which there were remote sessions from a node that was lost, until the node is heard again or found dead.
    lost: DashSet<(NodeNumber, GameId)>,
    pub(super) chats: SharedChats,
    waiting: WaitingCommands,
    /// Games that were given up here and that nobody is known to have claimed, and whoever waits for that.
    unclaimed: DashSet<GameId>,
    are_claimed: Notify,
}

impl Across {
    pub(super) fn new(
        own: NodeNumber,
        links: Arc<dyn Links>,
        entropy: Entropy,
        games: Weak<dyn LocalGames>,
    ) -> Arc<Self> {
        Arc::new(Self {
            own,
            links,
            entropy,
            games,
            mirrors: DashMap::new(),
            remote_sessions: DashMap::new(),
            open: DashSet::new(),
            lost: DashSet::new(),
            chats: SharedChats::new(),
            waiting: WaitingCommands::default(),
            unclaimed: DashSet::new(),
            are_claimed: Notify::new(),
        })
    }

    /// The mirror of a game, once its owner has told what it is.
    pub(super) fn mirror(&self, game: GameId) -> Option<GameHandle> {
        let mirror = self.mirrors.get(&game)?;
        mirror.is_attached().then(|| mirror.handle.clone())
    }

    /// A mirror of a game that this node owns, or another one: made now if there is none. `tail` is all of the game as storage
    /// has it.
    pub(super) fn attach(
        self: &Arc<Self>,
        games: Arc<dyn LocalGames>,
        game: GameId,
        owner: NodeNumber,
        tail: &Tail,
    ) -> Option<MirrorRef> {
        if let Some(mirror) = self.mirrors.get(&game) {
            return Some(mirror.clone());
        }
        let stored = ReplayedGame::fold(tail)?;
        match self.mirrors.entry(game) {
            dashmap::Entry::Occupied(mirror) => Some(mirror.get().clone()),
            dashmap::Entry::Vacant(place) => {
                let tasks = games.basis().2.clone();
                let mirror = place.insert(MirrorRef::new(handle_of(&stored, &tasks))).clone();
                tasks.spawn(MirrorTask::new(Arc::clone(self), games, mirror.clone()));
                mirror.mail.send_reserved(MirrorMail::Found(owner));
                Some(mirror)
            }
        }
    }

    /// Whether a game is mirrored here, or is about to be.
    pub(super) fn has_mirror(&self, game: GameId) -> bool {
        self.mirrors.contains_key(&game)
    }

    /// Whether there is a link with another node.
    pub(super) fn reaches_others(&self) -> bool {
        !self.open.is_empty()
    }

    /// Tells all nodes, if it gets there.
    pub(super) fn announce(&self, hint: Hint) {
        self.links.announce(hint);
    }

    /// These games are given up. Others before them that nobody is known to have claimed are awaited no longer.
    pub(super) fn await_claims(&self, games: &[GameId]) {
        self.unclaimed.clear();
        for game in games {
            self.unclaimed.insert(*game);
        }
    }

    /// Ends when all of them are claimed.
    pub(super) async fn until_claimed(&self) {
        loop {
            let notified = self.are_claimed.notified();
            if self.unclaimed.is_empty() {
                return;
            }
            notified.await;
        }
    }

    /// These games are claimed, by this node or by another one: their mirrors look for them now.
    pub(super) fn claimed(&self, games: &[GameId]) {
        for game in games {
            self.unclaimed.remove(game);
            if let Some(mirror) = self.mirrors.get(game) {
                mirror.claimed();
            }
        }
        self.are_claimed.notify_waiters();
    }

    /// Every mirror is to end: the server stops.
    pub(super) fn stop(&self) {
        self.mirrors.iter().for_each(|mirror| mirror.handle.mailbox().stop());
    }

    fn is_reached(&self, node: NodeNumber) -> bool {
        node == self.own || self.open.contains(&node)
    }

    fn send(self: &Arc<Self>, to: NodeNumber, message: GameMessage) {
        if to == self.own {
            self.message(to, message);
        } else {
            self.links.send(to, wire::message(&LinkMessage::Game(message)));
        }
    }

    fn message(self: &Arc<Self>, from: NodeNumber, message: GameMessage) {
        match message {
            GameMessage::ToMirror(game, said) => {
                if let Some(mirror) = self.mirrors.get(&game) {
                    mirror.said(from, said);
                }
            }
            GameMessage::ToOwner(game, FromMirror::Attach(attach)) => {
                self.leave(from, game);
                let handle = self.games.upgrade().and_then(|games| games.actor_of(game).zip(Some(games)));
                match handle {
                    Some((handle, games)) => {
                        let (_, clock, tasks) = games.basis();
                        let remote_sessions = RemoteSessions::arrive(handle, from, attach, clock.now());
                        self.remote_sessions.insert((from, game), Arc::clone(&remote_sessions));
                        tasks.spawn(remote_sessions.run(Arc::clone(self), clock.clone()));
                    }
                    None => self.send(from, GameMessage::ToMirror(game, FromOwner::NotHere)),
                }
            }
            GameMessage::ToOwner(game, FromMirror::Detach) => {
                self.leave(from, game);
                self.chat_left(from, game);
            }
            GameMessage::ToOwner(game, said) => {
                let remote_sessions = self
                    .remote_sessions
                    .get(&(from, game))
                    .map(|remote_sessions| Arc::clone(&remote_sessions));
                if let Some((remote_sessions, games)) = remote_sessions.zip(self.games.upgrade()) {
                    remote_sessions.take(said, games.basis().1.now());
                }
            }
        }
    }

    /// The remote sessions of a node leave a game.
    fn leave(&self, node: NodeNumber, game: GameId) {
        if let Some((_, remote_sessions)) = self.remote_sessions.remove(&(node, game)) {
            remote_sessions.leave();
        }
    }

    fn opened(&self, node: NodeNumber) {
        // Before anybody posts there.
        self.chats_opened(node);
        self.open.insert(node);
        self.tell_mirrors(|| MirrorMail::Opened(node));
        self.settled(node);
    }

    /// All that the node had sent before `complete` has come.
    fn closed(&self, node: NodeNumber, complete: ServiceInstant) {
        self.open.remove(&node);
        self.tell_mirrors(|| MirrorMail::Closed(node));
        self.chats_closed(node);
        for game in in_order(self.remote_sessions.iter().map(|entry| *entry.key()), node) {
            if let Some((_, remote_sessions)) = self.remote_sessions.remove(&(node, game)) {
                self.lost.insert((node, game));
                remote_sessions.lose(complete);
            }
        }
    }

    /// A node is heard again, or found dead: games await those who were there no longer than for a while.
    fn settled(&self, node: NodeNumber) {
        let Some(games) = self.games.upgrade() else { return };
        for game in in_order(self.lost.iter().map(|lost| *lost), node) {
            self.lost.remove(&(node, game));
            if let Some(handle) = games.actor_of(game) {
                handle.mailbox().send_reserved(Mail::Input(GameInput::NodeSettled(node)));
            }
        }
    }

    fn tell_mirrors(&self, mail: impl Fn() -> MirrorMail) {
        let mut mirrors: Vec<_> = self.mirrors.iter().map(|mirror| mirror.clone()).collect();
        mirrors.sort_unstable_by_key(|mirror| mirror.handle.id());
        mirrors.iter().for_each(|mirror| mirror.mail.send_reserved(mail()));
    }

    /// Looks for the owner of a game that has a mirror, until there is one, and tells the mirror.
    async fn seek(self: Arc<Self>, games: Arc<dyn LocalGames>, mirror: MirrorRef, at_once: bool) {
        let (game, (store, clock, tasks)) = (mirror.handle.id(), games.basis());
        let mut looks = u32::from(!at_once);
        while looks <= LOOKS_MAX && !tasks.is_stopping() {
            if looks > 0 {
                tokio::select! {
                    biased;
                    () = clock.sleep_until(clock.now() + LOOK_AGAIN) => {}
                    () = mirror.until_told_to_look() => {}
                }
            }
            let found = match store.owner(game).await {
                Ok(Some(Owner::Other(node))) => Some(node),
                // Once it is claimed, it has an actor a moment later.
                Ok(Some(Owner::Own)) => games.actor_of(game).map(|_| self.own),
                Ok(Some(Owner::Nobody)) => None,
                // Whoever follows it comes back, and wakes it.
                Ok(Some(Owner::Rests)) => break,
                Ok(None) => match ReplayedGame::read(store, game).await {
                    // The node that wrote its end has told nobody.
                    Ok(Some(stored)) if stored.game.has_ended() => {
                        Arc::clone(&games).tell_end(stored);
                        Some(self.own)
                    }
                    Ok(_) => break,
                    Err(error) => {
                        tracing::warn!(%game, %error, "how a game ended cannot be read yet");
                        None
                    }
                },
                Err(error) => {
                    tracing::warn!(%game, %error, "the owner of a game is not known yet");
                    // While the database is away everybody waits.
                    looks = 0;
                    None
                }
            };
            if let Some(node) = found {
                return mirror.mail.send_reserved(MirrorMail::Found(node));
            }
            looks += 1;
        }
        mirror.mail.send_reserved(MirrorMail::NobodyHasIt);
    }
}

/// The node's [`Across`], as the bus knows it.
#[derive(Debug)]
pub(super) struct FromBus(pub(super) Arc<Across>);

impl BusUser for FromBus {
    fn take(&self, event: BusEvent) {
        let across = &self.0;
        match event {
            BusEvent::Link(node, LinkEvent::Opened) => across.opened(node),
            BusEvent::Link(node, LinkEvent::Closed(why, complete)) => {
                tracing::info!(%node, ?why, "the link with a node is closed");
                across.closed(node, complete);
            }
            BusEvent::Link(node, LinkEvent::Message(bytes)) => match wire::read(&bytes) {
                Ok(LinkMessage::Game(message)) => across.message(node, message),
                Ok(LinkMessage::Chat(message)) => across.take_of_chat(node, message),
                Ok(LinkMessage::Lobby(_)) => {
                    tracing::warn!(%node, "a message of another node is not about games");
                }
                Err(error) => tracing::warn!(%node, %error, "a message of another node cannot be read"),
            },
            BusEvent::Gone(node) => {
                across.chats_gone(node);
                across.tell_mirrors(|| MirrorMail::Gone(node));
                across.settled(node);
            }
            BusEvent::Hint(_, Hint::Claimed(games)) => across.claimed(&games),
            // The database says the same with the next look, and the bus takes the other one for itself.
            BusEvent::Hint(..) | BusEvent::NamedDead => {}
        }
    }
}

/// The games of these that are of a node, in the same order however they are kept: what is done with them can be repeated.
fn in_order(of_nodes: impl Iterator<Item = (NodeNumber, GameId)>, node: NodeNumber) -> Vec<GameId> {
    let mut games: Vec<_> = of_nodes.filter(|(of, _)| *of == node).map(|(_, game)| game).collect();
    games.sort_unstable();
    games
}

/// The handle of a mirror: of a game as storage has it, whose clocks stand until the owner has told how they are.
fn handle_of(stored: &ReplayedGame, tasks: &Tasks) -> GameHandle {
    let game = &stored.game;
    let players = ByColor::from_fn(|seat| AccountId::from_u128(game.setup().players[seat]));
    let board = BoardSummary::of(game, last_move(game));
    let summary = GameSummary::new(Arc::clone(game.setup()), board);
    let feed = Feed::new(game.seq(), ClockReading::standing(game));
    GameHandle::new(stored.id, players, feed, summary, tasks.clone())
}
