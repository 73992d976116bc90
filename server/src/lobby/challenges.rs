//! The open challenges, as a plain state machine: who offered what to whom, and who may accept.
//!
//! What is offered is opaque here. No clocks, randomness or channels: ids and instants are passed in, and the one who
//! runs it tells the people concerned.
//!
//! Invariants: a challenge is accepted at most once: from [`Challenges::reserve`] on nobody else can accept or cancel
//! it, until it is taken away or put back. An account never has more open challenges than the limit, nor more
//! addressed to it. However many games are started at once, nobody gets more than are left. A seek, a challenge that is
//! listed for anybody, leads to one game of its owner at a time, and ends with its owner's next game or last connection.

use std::collections::{BTreeMap, HashMap};

use zeitnot_protocol::{AccountId, ChallengeId, Code, CommandId, GameId};
use zeitnot_rules::game::PlayerName;

use crate::accounts::Person;
use crate::time::ServiceInstant;

/// One challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Offer<T> {
    /// Its name.
    pub(crate) id: ChallengeId,
    /// Who offers.
    pub(crate) by: AccountId,
    /// The name that the one who offers has now, if any.
    pub(crate) name: Option<PlayerName>,
    /// Who alone may accept; `None`: anybody.
    pub(crate) to: Option<AccountId>,
    /// The id of the command that made it.
    pub(crate) command: Option<CommandId>,
    /// The finished game that it offers a rematch of.
    pub(crate) rematch_of: Option<GameId>,
    /// Whether it is listed in the lobby.
    pub(crate) seek: bool,
    /// What is offered.
    pub(crate) terms: T,
}

impl<T> Offer<T> {
    /// Who offers, as others see it.
    pub(crate) fn owner(&self) -> Person {
        Person { account: self.by, name: self.name }
    }
}

#[derive(Debug)]
struct Entry<T> {
    offer: Offer<T>,
    /// For whom: a game of it is being started.
    reserved: Option<AccountId>,
    /// When it was made, counted in challenges.
    number: u64,
}

/// The challenges of one account, in the order in which they were made.
#[derive(Debug, Default)]
struct Of {
    own: Vec<ChallengeId>,
    addressed: Vec<ChallengeId>,
    /// Since when the account has no connection; only kept while it has challenges of its own.
    away: Option<ServiceInstant>,
    /// Games that are being started with this account.
    starting: usize,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Challenges<T> {
    entries: HashMap<ChallengeId, Entry<T>>,
    accounts: HashMap<AccountId, Of>,
    /// Those that are listed, by their numbers.
    seeks: BTreeMap<u64, ChallengeId>,
    /// How many were ever made.
    made: u64,
    per_account: usize,
    seeks_per_account: usize,
}

impl<T: Clone> Challenges<T> {
    /// No challenges. At most `per_account` from one account, `seeks_per_account` of them listed, and as many to one.
    pub(crate) fn new(per_account: usize, seeks_per_account: usize) -> Self {
        Self {
            entries: HashMap::new(),
            accounts: HashMap::new(),
            seeks: BTreeMap::new(),
            made: 0,
            per_account,
            seeks_per_account,
        }
    }

    /// Opens a challenge.
    ///
    /// # Errors
    /// `own_challenge` when it is addressed to its owner, `too_many_challenges` when one of the two has as many as
    /// it may.
    pub(crate) fn create(&mut self, offer: Offer<T>) -> Result<(), Code> {
        if offer.to == Some(offer.by) {
            return Err(Code::OwnChallenge);
        }
        let open = |account, list: fn(&Of) -> &Vec<ChallengeId>| {
            self.accounts.get(&account).map_or(0, |of| list(of).len())
        };
        if open(offer.by, |of| &of.own) >= self.per_account
            || offer.to.is_some_and(|to| open(to, |of| &of.addressed) >= self.per_account)
        {
            return Err(Code::TooManyChallenges);
        }
        let seeks = self.own(offer.by).filter(|own| own.seek).count();
        if offer.seek && seeks >= self.seeks_per_account {
            return Err(Code::TooManyChallenges);
        }
        self.accounts.entry(offer.by).or_default().own.push(offer.id);
        if let Some(to) = offer.to {
            self.accounts.entry(to).or_default().addressed.push(offer.id);
        }
        self.made += 1;
        let number = self.made;
        if offer.seek {
            self.seeks.insert(number, offer.id);
        }
        let before = self.entries.insert(offer.id, Entry { offer, reserved: None, number });
        assert!(before.is_none(), "a challenge's id is drawn once");
        Ok(())
    }

    /// The challenge that the same account has made before with the same command, or as an offer of the same rematch,
    /// reserved or not.
    pub(crate) fn made_before(&self, offer: &Offer<T>) -> Option<&Offer<T>> {
        self.own(offer.by).find(|own| {
            own.command.is_some() && own.command == offer.command
                || own.rematch_of.is_some() && own.rematch_of == offer.rematch_of
        })
    }

    /// The rematch of `game` that `by` has offered.
    pub(crate) fn rematch(&self, game: GameId, by: AccountId) -> Option<&Offer<T>> {
        self.own(by).find(|own| own.rematch_of == Some(game))
    }

    fn own(&self, account: AccountId) -> impl Iterator<Item = &Offer<T>> {
        let ids = self.accounts.get(&account).into_iter().flat_map(|of| &of.own);
        ids.filter_map(|id| self.entries.get(id)).map(|entry| &entry.offer)
    }

    /// An open challenge.
    pub(crate) fn get(&self, id: ChallengeId) -> Option<&Offer<T>> {
        self.entries.get(&id).filter(|entry| entry.reserved.is_none()).map(|entry| &entry.offer)
    }

    /// Whether a game of this challenge, which `by` has accepted, is being started.
    pub(crate) fn is_accepted_by(&self, id: ChallengeId, by: AccountId) -> bool {
        self.entries.get(&id).is_some_and(|entry| entry.reserved == Some(by))
    }

    /// The account has another name from now on.
    pub(crate) fn renamed(&mut self, account: AccountId, name: PlayerName) {
        let Some(of) = self.accounts.get(&account) else { return };
        for id in &of.own {
            if let Some(entry) = self.entries.get_mut(id) {
                entry.offer.name = Some(name);
            }
        }
    }

    /// Takes a challenge for `by`, who wants to play it. Then either [`Challenges::remove`] or
    /// [`Challenges::put_back`] follows. `games_left` says how many more games an account may have.
    ///
    /// # Errors
    /// `unknown_challenge`, `own_challenge`, `not_for_you`, `too_many_games`.
    pub(crate) fn reserve(
        &mut self,
        id: ChallengeId,
        by: AccountId,
        games_left: impl Fn(AccountId) -> usize,
    ) -> Result<Offer<T>, Code> {
        let offer = self.get(id).ok_or(Code::UnknownChallenge)?.clone();
        if offer.by == by {
            return Err(Code::OwnChallenge);
        }
        if offer.to.is_some_and(|to| to != by) {
            return Err(Code::NotForYou);
        }
        // A seek ends with its owner's next game, and that is being started.
        if offer.seek && self.is_starting(offer.by) {
            return Err(Code::UnknownChallenge);
        }
        self.start([offer.by, by], games_left)?;
        self.entries.get_mut(&id).expect("it was there a few lines ago").reserved = Some(by);
        Ok(offer)
    }

    /// A game of these players is being started. [`Challenges::started`] follows, by itself behind
    /// [`Challenges::reserve`].
    ///
    /// # Errors
    /// `too_many_games`.
    pub(crate) fn start(
        &mut self,
        players: [AccountId; 2],
        games_left: impl Fn(AccountId) -> usize,
    ) -> Result<(), Code> {
        let starting = |account| self.accounts.get(account).map_or(0, |of| of.starting);
        if players.iter().any(|account| starting(account) >= games_left(*account)) {
            return Err(Code::TooManyGames);
        }
        for account in players {
            self.accounts.entry(account).or_default().starting += 1;
        }
        Ok(())
    }

    /// A game of these players has begun, or could not begin.
    pub(crate) fn started(&mut self, players: [AccountId; 2]) {
        for account in players {
            self.forget(account, |of| of.starting -= 1);
        }
    }

    /// Whether a game of this account is being started.
    pub(crate) fn is_starting(&self, account: AccountId) -> bool {
        self.accounts.get(&account).is_some_and(|of| of.starting > 0)
    }

    /// The game that `by` had reserved a challenge for could not be started: the challenge is open again. Says since when
    /// its owner is away, if it is: then [`Challenges::expire`] is due.
    pub(crate) fn put_back(&mut self, id: ChallengeId, by: AccountId) -> Option<(AccountId, ServiceInstant)> {
        let entry = self.entries.get_mut(&id).expect("nobody else may remove a reserved challenge");
        assert_eq!(entry.reserved, Some(by), "only a reserved challenge is put back");
        entry.reserved = None;
        let owner = entry.offer.by;
        self.started([owner, by]);
        self.accounts.get(&owner).and_then(|of| Some((owner, of.away?)))
    }

    /// The game that `by` had reserved a challenge for has begun: the challenge is no more.
    pub(crate) fn played(&mut self, id: ChallengeId, by: AccountId) {
        let offer = self.remove(id).expect("nobody else may remove a reserved challenge");
        self.started([offer.by, by]);
    }

    fn remove(&mut self, id: ChallengeId) -> Option<Offer<T>> {
        let Entry { offer, number, .. } = self.entries.remove(&id)?;
        self.seeks.remove(&number);
        self.forget(offer.by, |of| of.own.retain(|&own| own != id));
        if let Some(to) = offer.to {
            self.forget(to, |of| of.addressed.retain(|&addressed| addressed != id));
        }
        Some(offer)
    }

    fn forget(&mut self, account: AccountId, change: impl FnOnce(&mut Of)) {
        if let Some(of) = self.accounts.get_mut(&account) {
            change(of);
            if of.own.is_empty() && of.addressed.is_empty() && of.starting == 0 {
                self.accounts.remove(&account);
            }
        }
    }

    /// Withdraws a challenge of `by`.
    ///
    /// # Errors
    /// `unknown_challenge`, `not_for_you`.
    pub(crate) fn cancel(&mut self, id: ChallengeId, by: AccountId) -> Result<Offer<T>, Code> {
        self.take(id, |offer| offer.by == by)
    }

    /// Declines a challenge that is addressed to `by`.
    ///
    /// # Errors
    /// `unknown_challenge`, `not_for_you`.
    pub(crate) fn decline(&mut self, id: ChallengeId, by: AccountId) -> Result<Offer<T>, Code> {
        self.take(id, |offer| offer.to == Some(by))
    }

    fn take(&mut self, id: ChallengeId, may: impl FnOnce(&Offer<T>) -> bool) -> Result<Offer<T>, Code> {
        if !may(self.get(id).ok_or(Code::UnknownChallenge)?) {
            return Err(Code::NotForYou);
        }
        Ok(self.remove(id).expect("it was there a line ago"))
    }

    /// What `account` has open and what is addressed to it, each in the order of making; also what is being accepted, which
    /// may be put back.
    pub(crate) fn concerning(&self, account: AccountId) -> Vec<Offer<T>> {
        let Some(of) = self.accounts.get(&account) else { return Vec::new() };
        let ids = of.own.iter().chain(&of.addressed);
        ids.filter_map(|id| self.entries.get(id)).map(|entry| entry.offer.clone()).collect()
    }

    /// The account has a connection again.
    pub(crate) fn owner_is_here(&mut self, account: AccountId) {
        if let Some(of) = self.accounts.get_mut(&account) {
            of.away = None;
        }
    }

    /// The account's last connection closed. `true` when it has challenges, so that [`Challenges::expire`] is due after
    /// the grace.
    pub(crate) fn owner_left(&mut self, account: AccountId, at: ServiceInstant) -> bool {
        let Some(of) = self.accounts.get_mut(&account).filter(|of| !of.own.is_empty()) else { return false };
        of.away = Some(at);
        true
    }

    /// Takes away the challenges of an account that left at `left` and has not come back since. Reserved ones stay:
    /// they are being played.
    pub(crate) fn expire(&mut self, account: AccountId, left: ServiceInstant) -> Vec<Offer<T>> {
        if self.accounts.get(&account).is_none_or(|of| of.away != Some(left)) {
            return Vec::new();
        }
        self.remove_open(account, |_| true)
    }

    /// Takes away the seeks of an account that left, or whose next game begins. One that is being accepted stays.
    pub(crate) fn withdraw_seeks(&mut self, account: AccountId) -> Vec<Offer<T>> {
        self.remove_open(account, |offer| offer.seek)
    }

    fn remove_open(&mut self, owner: AccountId, which: impl Fn(&Offer<T>) -> bool) -> Vec<Offer<T>> {
        let Some(of) = self.accounts.get(&owner) else { return Vec::new() };
        let wanted = of.own.iter().copied().filter(|id| self.get(*id).is_some_and(&which));
        let wanted = wanted.collect::<Vec<_>>();
        wanted.into_iter().filter_map(|id| self.remove(id)).collect()
    }

    /// The open seeks, the newest first.
    pub(crate) fn newest_seeks(&self) -> impl Iterator<Item = &Offer<T>> {
        let entries = self.seeks.values().rev().map(|id| &self.entries[id]);
        entries.filter(|entry| entry.reserved.is_none()).map(|entry| &entry.offer)
    }

    /// How many are open.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
#[path = "challenges_tests.rs"]
mod tests;
