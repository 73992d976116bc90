//! A store in memory: all that it keeps is gone with the process.
//!
//! `records` keeps games and has the faults that tests inject, `accounts` keeps accounts, names and
//! tokens. The store implements the trait with both. It keeps no challenges and notes no turns:
//! only a later process would read them.
//!
//! Invariant: every answer is there when it is asked for, but that of an append with an injected
//! delay.

mod accounts;
mod records;

use std::future::ready;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;
use zeitnot_protocol::{AccountId, ChallengeId, GameId};
use zeitnot_rules::game::{PlayerName, Seq};

use super::{
    Append, FinishedGame, JournalOffset, OpenChallenge, Person, Reading, Record, Store, Tail, TokenDigest,
    TurnTime, Writing,
};
use accounts::Accounts;
pub use records::Fault;
use records::Records;

/// A store in memory. It never forgets a record, so it grows with the games that are played.
#[derive(Debug, Default)]
pub struct MemoryStore {
    records: Records,
    accounts: Accounts,
}

impl MemoryStore {
    /// Lets the appends to come go wrong, one after the other; `None` lets one go right.
    pub fn inject(&self, faults: impl IntoIterator<Item = Option<Fault>>) {
        self.records.inject(faults);
    }

    /// Keeps and answers what was delayed.
    pub fn release(&self) {
        self.records.release();
    }

    /// About how many bytes the records take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.records.bytes()
    }
}

/// An answer that is there already.
fn now<T: Send + 'static, E: Send + 'static>(answer: Result<T, E>) -> BoxFuture<'static, Result<T, E>> {
    ready(answer).boxed()
}

impl Store for MemoryStore {
    fn append(&self, after: JournalOffset, record: Arc<Record>) -> Append {
        self.records.append(after, record)
    }

    fn note_turn(&self, _: GameId, _: TurnTime) {}

    fn stop_turns(&self) {}

    fn tail(&self, game: GameId, from: Seq) -> Reading<Tail> {
        now(Ok(self.records.tail(game, from)))
    }

    fn finished_games(
        &self,
        account: AccountId,
        before: Option<u64>,
        most: usize,
    ) -> Reading<Vec<FinishedGame>> {
        now(Ok(self.records.finished_games(account, before, most)))
    }

    fn create_account(&self, account: AccountId, token: TokenDigest, _created_unix_ms: u64) -> Writing<()> {
        now(self.accounts.create(account, token))
    }

    fn account(&self, account: AccountId) -> Reading<Option<Person>> {
        now(Ok(self.accounts.get(account)))
    }

    fn account_by_token(&self, token: TokenDigest) -> Reading<Option<Person>> {
        now(Ok(self.accounts.by_token(token)))
    }

    fn account_by_name(&self, name: PlayerName) -> Reading<Option<Person>> {
        now(Ok(self.accounts.by_name(name)))
    }

    fn rename(&self, account: AccountId, name: PlayerName) -> Writing<Option<u64>> {
        now(Ok(self.accounts.rename(account, name)))
    }

    fn revoke_token(&self, token: TokenDigest) -> Writing<()> {
        self.accounts.revoke_token(token);
        now(Ok(()))
    }

    fn open_challenge(&self, _: OpenChallenge) -> Writing<()> {
        now(Ok(()))
    }

    fn close_challenge(&self, _: ChallengeId) -> Writing<()> {
        now(Ok(()))
    }

    fn flush(&self) -> Writing<()> {
        now(Ok(()))
    }

    fn deliver(&self, _: CancellationToken) -> BoxFuture<'static, ()> {
        ready(()).boxed()
    }

    fn close(&self) {}
}
