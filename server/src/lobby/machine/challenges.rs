//! The challenges that exist, by id and by account, and the limits on them.
//!
//! Accepting them is in `accepting`.
//!
//! Invariants: an account never has more challenges of its own, nor more to answer or to one other account, than the
//! limits, nor an address more than its share, in all and to one account. The seeks of an account lead to one game at a
//! time.
//!
//! Deliberately absent: who is told what (the machine's commands), and storage.

use std::collections::hash_map::Entry as Place;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use zeitnot_protocol::{AccountId, ChallengeId, Code, GameId, Limits};

use super::Challenge;
use super::rates::Rates;
use crate::accounts::Person;
use crate::net::Address;
use crate::seeded_bugs::bug;
use crate::time::ServiceInstant;

/// The most challenges of all accounts: as many as there may be live games.
const OPEN_MAX: usize = 100_000;

/// Challenges of all accounts at one address, for each connection that it may have: more than people have open, and too
/// few to fill the list of all. One more is rejected with `too_many_challenges`.
const OPEN_PER_ADDRESS: usize = 4;

/// Challenges of all accounts at one address to one account: a quarter of those that an account can have to answer, so
/// that guests of one address do not fill somebody's list. One more is rejected with `too_many_challenges`. Rematches
/// are not among them: their owners have played against that account.
const TO_ONE_PER_ADDRESS: usize = 4;

/// Challenges that one sweep ends at most: the lobby is locked meanwhile. The next sweep goes on.
const SWEPT_MAX: usize = 100;

/// Why a challenge is not open at present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Held {
    /// It is not durable yet, so nobody knows of it.
    UntilDurable,
    /// Its acceptance while its owner is away is not durable yet. It ended at this instant before.
    UntilAcceptanceIsDurable { until: ServiceInstant },
    /// This account has accepted it, and the game is being started.
    AcceptedBy(AccountId),
}

#[derive(Debug)]
struct Entry {
    challenge: Challenge,
    held: Option<Held>,
    /// A seek that was to end while it was being accepted: it ends if its game cannot begin.
    is_withdrawn: bool,
    /// Its number in the order of making.
    number: u64,
    /// Where the command that made it came from; `None` for one of the last run.
    from: Option<Address>,
}

impl Entry {
    /// Whether it is stored as it stands, or need not be.
    fn is_durable(&self) -> bool {
        matches!(self.held, None | Some(Held::AcceptedBy(_)))
    }
}

/// The challenges of one account, each list in the order of making.
#[derive(Debug, Default)]
struct AccountChallenges {
    own: Vec<ChallengeId>,
    addressed: Vec<ChallengeId>,
    /// When the last connection closed, while the account has challenges of its own.
    away_since: Option<ServiceInstant>,
    /// How many games of this account are being started.
    starting: usize,
    /// Whether no game of this account may begin at present: it is becoming another kind of account.
    is_held: bool,
}

impl AccountChallenges {
    fn is_empty(&self) -> bool {
        self.own.is_empty() && self.addressed.is_empty() && self.starting == 0 && !self.is_held
    }
}

/// All challenges, and for which accounts a game is being started.
#[derive(Debug)]
pub(crate) struct Challenges {
    entries: HashMap<ChallengeId, Entry>,
    accounts: HashMap<AccountId, AccountChallenges>,
    /// How many were made from each address.
    addresses: HashMap<Address, usize>,
    /// The seeks by their numbers.
    seeks: BTreeMap<u64, ChallengeId>,
    /// Those that end at an instant, by that instant.
    ends: BTreeSet<(ServiceInstant, ChallengeId)>,
    /// Whether the next sweep is set.
    is_swept: bool,
    /// How many were ever made.
    made: u64,
    rates: Rates,
    limits: Limits,
}

impl Challenges {
    /// No challenges.
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            entries: HashMap::new(),
            accounts: HashMap::new(),
            addresses: HashMap::new(),
            seeks: BTreeMap::new(),
            ends: BTreeSet::new(),
            is_swept: false,
            made: 0,
            rates: Rates::new(&limits),
            limits,
        }
    }

    /// Adds an open challenge that its owner makes at `at`, at the address `from`.
    ///
    /// # Errors
    /// As [`Challenges::add`], also when the address has as many as it may, in all or to this account;
    /// `too_fast` when the owner has made too many lately.
    pub(crate) fn make(
        &mut self,
        challenge: Challenge,
        from: Address,
        at: ServiceInstant,
    ) -> Result<(), Code> {
        self.may_add(&challenge)?;
        let most = self.limits.connections_per_address as usize * OPEN_PER_ADDRESS;
        let open = self.addresses.get(&from).copied().unwrap_or_default();
        if open >= most || self.is_one_too_many(&challenge, from) {
            return Err(Code::TooManyChallenges);
        }
        if !self.rates.may_make(&challenge, at) {
            return Err(Code::TooFast);
        }
        *self.addresses.entry(from).or_default() += 1;
        self.insert(challenge, Some(from));
        Ok(())
    }

    /// Adds an open challenge that was made before.
    ///
    /// # Errors
    /// `own_challenge` when it is addressed to its owner; `already_challenged` when the same owner has
    /// challenged the same account; `too_many_challenges` when one of the two accounts has as many as
    /// it may.
    pub(crate) fn add(&mut self, challenge: Challenge) -> Result<(), Code> {
        self.may_add(&challenge)?;
        self.insert(challenge, None);
        Ok(())
    }

    fn may_add(&self, challenge: &Challenge) -> Result<(), Code> {
        let owner = challenge.owner.account;
        if challenge.to == Some(owner) {
            return Err(Code::OwnChallenge);
        }
        if challenge.to.is_some_and(|to| self.has_challenged(owner, to)) {
            return Err(Code::AlreadyChallenged);
        }
        if self.entries.len() >= OPEN_MAX || self.is_over_a_limit(challenge) {
            return Err(Code::TooManyChallenges);
        }
        Ok(())
    }

    fn insert(&mut self, challenge: Challenge, from: Option<Address>) {
        let (id, owner) = (challenge.id, challenge.owner.account);
        self.accounts.entry(owner).or_default().own.push(id);
        if let Some(other) = challenge.other() {
            self.accounts.entry(other).or_default().addressed.push(id);
        }
        self.made += 1;
        let number = self.made;
        if challenge.seek {
            self.seeks.insert(number, id);
        } else {
            self.ends.insert((challenge.until, id));
        }
        let before =
            self.entries.insert(id, Entry { challenge, held: None, is_withdrawn: false, number, from });
        assert!(before.is_none(), "a challenge's id is drawn once");
    }

    /// Whether `owner` has as many challenges to this account as one may.
    fn has_challenged(&self, owner: AccountId, to: AccountId) -> bool {
        bug!(PairFillsTheList => return false);
        let same = self.own(owner).filter(|own| own.to == Some(to));
        same.count() >= self.limits.challenges_per_pair as usize
    }

    /// Whether `from` has as many challenges to the addressee of this one as an address may.
    fn is_one_too_many(&self, new: &Challenge, from: Address) -> bool {
        let addressed = new.to.and_then(|to| self.accounts.get(&to)).into_iter().flat_map(|of| &of.addressed);
        let same = addressed
            .filter_map(|id| self.entries.get(id))
            .filter(|entry| entry.from == Some(from) && entry.challenge.rematch_of.is_none());
        new.rematch_of.is_none() && same.count() >= TO_ONE_PER_ADDRESS
    }

    fn is_over_a_limit(&self, new: &Challenge) -> bool {
        let most = self.limits.challenges_per_account as usize;
        let own = self.own(new.owner.account).count();
        bug!(OneChallengeTooMany => return own > most);
        let seeks = self.own(new.owner.account).filter(|own| own.seek).count();
        let addressed = new.to.and_then(|to| self.accounts.get(&to)).map_or(0, |of| of.addressed.len());
        own >= most || addressed >= most || new.seek && seeks >= self.limits.seeks_per_account as usize
    }

    /// A challenge that was just added is not durable yet: nobody can accept, see or end it.
    pub(crate) fn hold_until_durable(&mut self, id: ChallengeId) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.held = Some(Held::UntilDurable);
        }
    }

    /// The challenge that the same account made with the same command, or as an offer of the same
    /// rematch, whether it is open or not.
    pub(crate) fn made_before(&self, new: &Challenge) -> Option<ChallengeId> {
        let is_same = |own: &&Challenge| {
            own.command.is_some() && own.command == new.command
                || own.rematch_of.is_some() && own.rematch_of == new.rematch_of
        };
        self.own(new.owner.account).find(is_same).map(|own| own.id)
    }

    /// The rematch of `game` that `by` has offered.
    pub(crate) fn rematch(&self, game: GameId, by: AccountId) -> Option<ChallengeId> {
        self.own(by).find(|own| own.rematch_of == Some(game)).map(|own| own.id)
    }

    fn own(&self, account: AccountId) -> impl Iterator<Item = &Challenge> {
        let ids = self.accounts.get(&account).into_iter().flat_map(|of| &of.own);
        ids.filter_map(|id| self.entries.get(id)).map(|entry| &entry.challenge)
    }

    /// An open challenge.
    pub(crate) fn get(&self, id: ChallengeId) -> Option<&Challenge> {
        self.entries.get(&id).filter(|entry| entry.held.is_none()).map(|entry| &entry.challenge)
    }

    /// A challenge, open or not.
    pub(crate) fn any(&self, id: ChallengeId) -> Option<&Challenge> {
        self.entries.get(&id).map(|entry| &entry.challenge)
    }

    /// The account is this from now on.
    pub(crate) fn changed(&mut self, person: Person) {
        let Some(of) = self.accounts.get(&person.account) else { return };
        for id in of.own.iter().chain(&of.addressed) {
            let Some(Entry { challenge, .. }) = self.entries.get_mut(id) else { continue };
            if challenge.owner.account == person.account {
                challenge.owner = person;
            } else if challenge.accepted_by.is_some() {
                challenge.accepted_by = Some(person);
            }
        }
    }

    fn remove(&mut self, id: ChallengeId) -> Option<Challenge> {
        let Entry { challenge, number, from, .. } = self.entries.remove(&id)?;
        self.seeks.remove(&number);
        self.ends.remove(&(challenge.until, id));
        if let Some(from) = from
            && let Place::Occupied(mut open) = self.addresses.entry(from)
        {
            *open.get_mut() -= 1;
            if *open.get() == 0 {
                open.remove();
            }
        }
        self.change(challenge.owner.account, |of| of.own.retain(|&own| own != id));
        if let Some(other) = challenge.other() {
            self.change(other, |of| of.addressed.retain(|&addressed| addressed != id));
        }
        Some(challenge)
    }

    /// Changes what is kept of an account, and forgets the account when nothing is left.
    fn change(&mut self, account: AccountId, change: impl FnOnce(&mut AccountChallenges)) {
        if let Some(of) = self.accounts.get_mut(&account) {
            change(of);
            if of.is_empty() {
                self.accounts.remove(&account);
            }
        }
    }

    /// Removes a challenge that its owner `by` cancels.
    ///
    /// # Errors
    /// `unknown_challenge`, `not_for_you`.
    pub(crate) fn cancel(&mut self, id: ChallengeId, by: AccountId) -> Result<Challenge, Code> {
        self.remove_if(id, |challenge| challenge.owner.account == by)
    }

    /// Removes a challenge that `by` declines, to whom it is addressed or who has accepted it.
    ///
    /// # Errors
    /// `unknown_challenge`, `not_for_you`.
    pub(crate) fn decline(&mut self, id: ChallengeId, by: AccountId) -> Result<Challenge, Code> {
        self.remove_if(id, |challenge| challenge.other() == Some(by))
    }

    fn remove_if(
        &mut self,
        id: ChallengeId,
        may: impl FnOnce(&Challenge) -> bool,
    ) -> Result<Challenge, Code> {
        if !may(self.get(id).ok_or(Code::UnknownChallenge)?) {
            return Err(Code::NotForYou);
        }
        self.remove(id).ok_or(Code::UnknownChallenge)
    }

    /// The challenges of `account`, then those addressed to it or accepted by it, each in the order of making. One whose
    /// game is being started is among them: it may yet fail. One that is not durable, or not durably accepted, is not: it is
    /// announced when it is.
    pub(crate) fn concerning(&self, account: AccountId) -> impl Iterator<Item = &Challenge> {
        let of = self.accounts.get(&account);
        let ids = of.into_iter().flat_map(|of| of.own.iter().chain(&of.addressed));
        let entries = ids.filter_map(|id| self.entries.get(id));
        entries.filter(|entry| entry.is_durable()).map(|entry| &entry.challenge)
    }

    /// Whether the next sweep must be set: none is, and there are challenges that end. It counts as set then.
    pub(crate) fn begin_sweeps(&mut self) -> bool {
        let begins = !self.is_swept && !self.ends.is_empty();
        self.is_swept |= begins;
        begins
    }

    /// Removes open challenges that have ended by `at`, so many at most. One that is being accepted stays until the outcome
    /// is known.
    pub(crate) fn sweep(&mut self, at: ServiceInstant) -> Vec<Challenge> {
        bug!(NeverExpires => return Vec::new());
        self.is_swept = false;
        let over = self.ends.iter().take_while(|(until, _)| *until <= at).map(|(_, id)| *id);
        let over = over.filter(|id| self.get(*id).is_some()).take(SWEPT_MAX).collect::<Vec<_>>();
        over.into_iter().filter_map(|id| self.remove(id)).collect()
    }

    /// Removes the open challenges of an account that is closed, and those that only it could accept.
    pub(crate) fn remove_of_closed(&mut self, account: AccountId) -> Vec<Challenge> {
        let all = self.concerning(account).map(|challenge| challenge.id).collect();
        self.remove_open(all)
    }

    /// Removes the open challenges of each of the two to the other.
    pub(crate) fn remove_between(&mut self, one: AccountId, other: AccountId) -> Vec<Challenge> {
        let is_between = |challenge: &&Challenge| challenge.concerned().any(|account| account == other);
        let between = self.concerning(one).filter(is_between).map(|challenge| challenge.id).collect();
        self.remove_open(between)
    }

    /// Removes the open seeks of an account. An accepted one stays until it is played or reopened.
    pub(crate) fn remove_open_seeks(&mut self, account: AccountId) -> Vec<Challenge> {
        let own = self.accounts.get(&account).into_iter().flat_map(|of| &of.own);
        for id in own {
            if let Some(entry) = self.entries.get_mut(id) {
                entry.is_withdrawn |= entry.challenge.seek && entry.held.is_some();
            }
        }
        let seeks = self.own(account).filter(|own| own.seek).map(|own| own.id).collect();
        self.remove_open(seeks)
    }

    /// Removes the open rematches with clocks that an account offers. An accepted one stays until it is played or reopened.
    pub(crate) fn remove_open_rematches(&mut self, account: AccountId) -> Vec<Challenge> {
        let is_offer =
            |own: &&Challenge| own.rematch_of.is_some() && own.has_clocks() && own.accepted_by.is_none();
        let offers = self.own(account).filter(is_offer).map(|own| own.id).collect();
        self.remove_open(offers)
    }

    /// Removes those of these that are open.
    fn remove_open(&mut self, ids: Vec<ChallengeId>) -> Vec<Challenge> {
        let removed = ids.into_iter().filter_map(|id| {
            self.get(id)?;
            self.remove(id)
        });
        removed.collect()
    }

    /// Removes a seek that was reopened after it was to end.
    pub(crate) fn remove_withdrawn(&mut self, id: ChallengeId) -> Option<Challenge> {
        let is_over = self.entries.get(&id).is_some_and(|entry| entry.is_withdrawn && entry.held.is_none());
        if is_over { self.remove(id) } else { None }
    }

    /// The open seeks, the newest first.
    pub(crate) fn newest_seeks(&self) -> impl Iterator<Item = &Challenge> {
        self.seeks.values().rev().filter_map(|id| self.get(*id))
    }

    /// How many there are, open or not.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

mod accepting;
#[cfg(test)]
mod tests;
