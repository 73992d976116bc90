//! Accepting a challenge: who may, the games that are being started, and what waits for an owner who is away.
//!
//! Invariants: a challenge is accepted by one account at most. Nobody else can accept or end it from
//! [`Challenges::begin`] until it is played or reopened, or from [`Challenges::accept_for_later`] until that is durable.
//! However many games are being started at once, nobody gets more games than they may have.

use std::time::Duration;

use zeitnot_protocol::{AccountId, ChallengeId, Code};

use super::{Challenges, Entry, Held};
use crate::accounts::Person;
use crate::lobby::machine::Challenge;
use crate::seeded_bugs::bug;
use crate::time::ServiceInstant;

impl Challenges {
    /// A challenge that `by` may accept at `at`; or one that was accepted while its owner was away, if `by` is one of the
    /// two.
    ///
    /// # Errors
    /// `unknown_challenge`, `challenge_expired`, `challenge_taken`, `own_challenge`, `not_for_you`.
    pub(crate) fn acceptable(
        &self,
        id: ChallengeId,
        by: AccountId,
        at: ServiceInstant,
    ) -> Result<&Challenge, Code> {
        let open = || {
            bug!(AcceptedTwice => return self.any(id));
            self.get(id)
        };
        let challenge = open().ok_or(Code::UnknownChallenge)?;
        let owner = challenge.owner.account;
        if challenge.is_over(at) {
            return Err(Code::ChallengeExpired);
        }
        if let Some(accepter) = challenge.accepted_by {
            let is_one_of_them = [owner, accepter.account].contains(&by);
            return if is_one_of_them { Ok(challenge) } else { Err(Code::ChallengeTaken) };
        }
        if owner == by {
            return Err(Code::OwnChallenge);
        }
        if challenge.to.is_some_and(|to| to != by) {
            return Err(Code::NotForYou);
        }
        Ok(challenge)
    }

    /// Whether the game of a challenge would have clocks that run against its owner, who is away.
    pub(crate) fn waits_for_its_owner(&self, challenge: &Challenge, at: ServiceInstant) -> bool {
        let grace = Duration::from_millis(self.limits.challenge_grace_ms.into());
        challenge.has_clocks() && self.is_away(challenge.owner.account, grace, at)
    }

    /// `by` has accepted a challenge while its owner was away: it is open until `until` from now on. [`Challenges::kept`]
    /// follows.
    ///
    /// # Errors
    /// `too_many_challenges` when `by` has as many to answer as one may.
    pub(crate) fn accept_for_later(
        &mut self,
        id: ChallengeId,
        by: Person,
        until: ServiceInstant,
    ) -> Result<Challenge, Code> {
        let most = self.limits.challenges_per_account as usize;
        let open = self.get(id).ok_or(Code::UnknownChallenge)?;
        let others = self.accounts.get(&by.account).map_or(0, |of| of.addressed.len());
        if open.to.is_none() && others >= most {
            return Err(Code::TooManyChallenges);
        }
        let before = open.until;
        self.set_accepted(id, Some(by), until);
        let entry = self.entries.get_mut(&id).ok_or(Code::UnknownChallenge)?;
        entry.held = Some(Held::UntilAcceptanceIsDurable { until: before });
        Ok(entry.challenge.clone())
    }

    /// The challenge, or its acceptance, is durable, and so it is open; or it is gone, or not accepted, and nobody was told
    /// of it.
    pub(crate) fn kept(&mut self, id: ChallengeId, is_durable: bool) {
        let held = self.entries.get_mut(&id).and_then(|entry| entry.held.take());
        match held {
            _ if is_durable => {}
            Some(Held::UntilAcceptanceIsDurable { until }) => self.set_accepted(id, None, until),
            _ => drop(self.remove(id)),
        }
    }

    fn set_accepted(&mut self, id: ChallengeId, accepted_by: Option<Person>, until: ServiceInstant) {
        let Some(Entry { challenge, .. }) = self.entries.get_mut(&id) else { return };
        self.ends.remove(&(challenge.until, id));
        self.ends.insert((until, id));
        let before = challenge.other();
        (challenge.accepted_by, challenge.until) = (accepted_by, until);
        let after = challenge.other();
        if before != after {
            if let Some(other) = before {
                self.change(other, |of| of.addressed.retain(|&addressed| addressed != id));
            }
            if let Some(other) = after {
                self.accounts.entry(other).or_default().addressed.push(id);
            }
        }
    }

    /// The challenges of `account`, or accepted by it, that wait for both to be connected.
    pub(crate) fn waiting_for_both(&self, account: AccountId) -> Vec<Challenge> {
        let waiting = self.concerning(account).filter(|challenge| challenge.accepted_by.is_some());
        waiting.filter(|challenge| self.get(challenge.id).is_some()).cloned().collect()
    }

    /// The game of an open challenge, which `by` has accepted, is being started. [`Challenges::played`] or
    /// [`Challenges::reopen`] follows. `games_left` says how many more games an account may have.
    ///
    /// # Errors
    /// `unavailable`, `unknown_challenge`, `too_many_games`.
    pub(crate) fn begin(
        &mut self,
        challenge: &Challenge,
        by: AccountId,
        games_left: impl Fn(AccountId) -> usize,
    ) -> Result<(), Code> {
        let owner = challenge.owner.account;
        if self.is_held(owner) || self.is_held(by) {
            return Err(Code::Unavailable);
        }
        // A seek ends with its owner's next game, and that game is being started.
        if challenge.seek && self.is_starting(owner) {
            return Err(Code::UnknownChallenge);
        }
        self.begin_start([owner, by], games_left)?;
        if let Some(entry) = self.entries.get_mut(&challenge.id) {
            entry.held = Some(Held::AcceptedBy(by));
        }
        Ok(())
    }

    /// A game of these players is being started. [`Challenges::end_start`] follows, or what ends an
    /// acceptance.
    ///
    /// # Errors
    /// `too_many_games`.
    pub(crate) fn begin_start(
        &mut self,
        players: [AccountId; 2],
        games_left: impl Fn(AccountId) -> usize,
    ) -> Result<(), Code> {
        let starting = |account| {
            bug!(StartsNotCounted => return 0);
            self.accounts.get(account).map_or(0, |of| of.starting)
        };
        if players.iter().any(|account| starting(account) >= games_left(*account)) {
            return Err(Code::TooManyGames);
        }
        for account in players {
            self.accounts.entry(account).or_default().starting += 1;
        }
        Ok(())
    }

    /// The game of these players has begun, or it could not begin.
    pub(crate) fn end_start(&mut self, players: [AccountId; 2]) {
        for account in players {
            self.change(account, |of| of.starting -= 1);
        }
    }

    /// Whether a game of this account is being started, or none may begin.
    pub(crate) fn is_starting(&self, account: AccountId) -> bool {
        self.accounts.get(&account).is_some_and(|of| of.starting > 0 || of.is_held)
    }

    /// Lets no game of this account begin until [`Challenges::release`]. `false` when one is being started, or the account
    /// is held already.
    pub(crate) fn hold(&mut self, account: AccountId) -> bool {
        let is_free = !self.is_starting(account);
        if is_free {
            self.accounts.entry(account).or_default().is_held = true;
        }
        is_free
    }

    /// See [`Challenges::hold`].
    pub(crate) fn release(&mut self, account: AccountId) {
        self.change(account, |of| of.is_held = false);
    }

    fn is_held(&self, account: AccountId) -> bool {
        self.accounts.get(&account).is_some_and(|of| of.is_held)
    }

    /// The game of an accepted challenge could not be started: the challenge is open again.
    pub(crate) fn reopen(&mut self, id: ChallengeId) {
        let entry = self.entries.get_mut(&id).expect("nobody else may remove an accepted challenge");
        let Some(Held::AcceptedBy(by)) = entry.held.take() else { panic!("nobody has accepted it") };
        let owner = entry.challenge.owner.account;
        self.end_start([owner, by]);
    }

    /// The game of an accepted challenge has begun: the challenge is gone.
    pub(crate) fn played(&mut self, id: ChallengeId) -> Challenge {
        let held = self.entries.get(&id).and_then(|entry| entry.held);
        let Some(Held::AcceptedBy(by)) = held else { panic!("nobody has accepted it") };
        let challenge = self.remove(id).expect("it was there two lines ago");
        self.end_start([challenge.owner.account, by]);
        challenge
    }

    /// The account has a connection again.
    pub(crate) fn owner_returned(&mut self, account: AccountId) {
        if let Some(of) = self.accounts.get_mut(&account) {
            of.away_since = None;
        }
    }

    /// The account's last connection closed.
    pub(crate) fn owner_left(&mut self, account: AccountId, at: ServiceInstant) {
        if let Some(of) = self.accounts.get_mut(&account).filter(|of| !of.own.is_empty()) {
            // A challenge that becomes durable after its owner left tells of it again.
            of.away_since.get_or_insert(at);
        }
    }

    /// Whether the owner of challenges has had no connection for this long.
    pub(crate) fn is_away(&self, owner: AccountId, grace: Duration, at: ServiceInstant) -> bool {
        bug!(OwnerNeverAway => return false);
        let away_since = self.accounts.get(&owner).and_then(|of| of.away_since);
        away_since.is_some_and(|left| at.since(left) >= grace)
    }
}
