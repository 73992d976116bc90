//! On a node that has not the lobby: which commands of its sessions are not answered, and what they were shown.
//!
//! When the lobby is lost with its node, the commands are rejected, and the sessions are told what of that is gone once the next
//! one has told what is still there.
//!
//! Invariant: a command is answered once, under the id that its client gave it, if any.

use std::collections::{HashMap, HashSet};

use zeitnot_protocol::{AccountId, ChallengeId, CommandId, PoolId, ServerMessage};

use crate::connections::ConnectionId;
use crate::lobby::machine::Request;

/// Commands of one connection that are not answered. A client sends a few.
pub(crate) const OPEN_MAX: usize = 16;

/// What an account is shown of the lobby, beside what everybody sees.
#[derive(Debug, Default)]
struct Shown {
    /// The open challenges from it and to it.
    challenges: HashSet<ChallengeId>,
    /// Those that the node that has the lobby now has told of.
    again: HashSet<ChallengeId>,
    place: Place,
}

/// Where an account waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// As its sessions were told last.
    Told(Option<PoolId>),
    /// Its place is gone with a lobby, and its sessions do not know. It is to wait there in the next one.
    Lost(Option<PoolId>),
}

impl Default for Place {
    fn default() -> Self {
        Self::Told(None)
    }
}

/// Where an account is to wait whose place is gone; without a pool it is only to be told where it waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lobby) struct WantedPlace(pub(in crate::lobby) Option<PoolId>);

#[derive(Debug, Default)]
pub(in crate::lobby) struct Away {
    /// The requests by their connections, and by the ids under which they were handed on.
    open: HashMap<ConnectionId, Vec<(CommandId, Request)>>,
    shown: HashMap<AccountId, Shown>,
    /// Accounts with commands that were rejected because the lobby was lost: a game of theirs may have begun.
    unsure: HashSet<AccountId>,
    /// Counts the lobbies that have begun to tell what is there.
    begun: u64,
}

impl Away {
    /// A request is handed on under this id. `false` when too many of its connection are not answered.
    pub(in crate::lobby) fn hand_on(&mut self, request: Request, id: CommandId) -> bool {
        let open = self.open.entry(request.connection).or_default();
        let has_room = open.len() < OPEN_MAX;
        if has_room {
            open.push((id, request));
        }
        has_room
    }

    /// Something is decided about where the account waits: a place that is lost is not asked for again, only what holds now.
    pub(in crate::lobby) fn settle(&mut self, account: AccountId) {
        if let Some(shown) = self.shown.get_mut(&account)
            && let Place::Lost(again) = &mut shown.place
        {
            *again = None;
        }
    }

    /// A game of the account has begun: its place is gone, and if nobody tells its sessions so, they are to ask.
    pub(in crate::lobby) fn plays(&mut self, account: AccountId) {
        if let Some(shown) = self.shown.get_mut(&account)
            && shown.place != Place::Told(None)
        {
            shown.place = Place::Lost(None);
        }
    }

    /// The sessions of an account are told where it waits.
    pub(in crate::lobby) fn waits(&mut self, account: AccountId, pool: Option<PoolId>) {
        if let Some(shown) = self.shown.get_mut(&account) {
            shown.place = Place::Told(pool);
        }
    }

    /// The request that was handed on under this id is answered: it.
    pub(in crate::lobby) fn answered(&mut self, connection: ConnectionId, id: CommandId) -> Option<Request> {
        let open = self.open.get_mut(&connection)?;
        let index = open.iter().position(|(other, _)| *other == id)?;
        let (_, request) = open.swap_remove(index);
        if open.is_empty() {
            self.open.remove(&connection);
        }
        Some(request)
    }

    /// Gives an answer the id that the client gave its command.
    pub(in crate::lobby) fn answers(&mut self, connection: ConnectionId, message: &mut ServerMessage) {
        let id = match message {
            ServerMessage::Ok(answer) => &mut answer.id,
            ServerMessage::Rejected(answer) => &mut answer.id,
            ServerMessage::Challenge(answer) => &mut answer.id,
            _ => return,
        };
        if let Some(request) = id.and_then(|id| self.answered(connection, id)) {
            *id = request.id;
        }
    }

    /// Sessions here are told this: some of `account`, or of those that it concerns.
    pub(in crate::lobby) fn shows(
        &mut self,
        account: Option<AccountId>,
        message: &ServerMessage,
        is_here: impl Fn(AccountId) -> bool,
    ) {
        match (message, account) {
            (ServerMessage::Challenge(challenge), _) => {
                for account in [Some(challenge.by.account), challenge.to].into_iter().flatten() {
                    if is_here(account) {
                        let shown = self.shown.entry(account).or_default();
                        shown.challenges.insert(challenge.challenge);
                        shown.again.insert(challenge.challenge);
                    }
                }
            }
            (ServerMessage::ChallengeGone(gone), Some(account)) => {
                if let Some(shown) = self.shown.get_mut(&account) {
                    shown.challenges.remove(&gone.challenge);
                    shown.again.remove(&gone.challenge);
                }
            }
            (ServerMessage::Waiting(waiting), Some(account)) if is_here(account) => {
                self.shown.entry(account).or_default().place = Place::Told(waiting.pool);
            }
            _ => {}
        }
    }

    /// The account has no connection here any more.
    pub(in crate::lobby) fn left(&mut self, account: AccountId) {
        self.shown.remove(&account);
        self.unsure.remove(&account);
    }

    /// The node with the lobby is lost: the requests that it has not answered.
    pub(in crate::lobby) fn lose(&mut self) -> Vec<Request> {
        let open: Vec<_> = self.open.drain().flat_map(|(_, open)| open).map(|(_, request)| request).collect();
        self.unsure.extend(open.iter().map(|request| request.by.account));
        open
    }

    /// Another lobby begins to tell what is there: the accounts whose places are gone with the last one, and the number of
    /// this beginning.
    pub(in crate::lobby) fn begin(&mut self) -> (Vec<AccountId>, u64) {
        self.begun += 1;
        let lost = self.shown.iter_mut().filter_map(|(account, shown)| {
            shown.again.clear();
            if let Place::Told(Some(pool)) = shown.place {
                shown.place = Place::Lost(Some(pool));
            }
            matches!(shown.place, Place::Lost(_)).then_some(*account)
        });
        (lost.collect(), self.begun)
    }

    /// What is to be asked for an account whose sessions do not know that its place is gone; nothing if another lobby has begun
    /// since that `beginning`.
    pub(in crate::lobby) fn lost(&self, account: AccountId, beginning: u64) -> Option<WantedPlace> {
        let shown = self.shown.get(&account).filter(|_| self.begun == beginning)?;
        if let Place::Lost(again) = shown.place { Some(WantedPlace(again)) } else { None }
    }

    /// It has told all: the challenges that are gone, and the accounts of which games may have begun.
    pub(in crate::lobby) fn has_told_all(&mut self) -> (Vec<(AccountId, ChallengeId)>, HashSet<AccountId>) {
        let mut gone = Vec::new();
        for (account, shown) in &mut self.shown {
            gone.extend(shown.challenges.difference(&shown.again).map(|challenge| (*account, *challenge)));
            shown.challenges.clone_from(&shown.again);
        }
        let mut unsure = std::mem::take(&mut self.unsure);
        unsure.extend(gone.iter().map(|(account, _)| *account));
        (gone, unsure)
    }
}

#[cfg(test)]
mod tests;
