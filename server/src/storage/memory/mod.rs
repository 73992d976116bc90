//! A store in memory: all that it keeps is gone with the process.
//!
//! `accounts` keeps accounts, names and tokens, `archive` what games that have ended are found by, `ratings` what rated
//! games have done, `restrictions` what admins put in force and what is reported to them, and `faults` is what tests put in the way of an
//! append. The store keeps no challenges and notes no turns: only a later process would read them.
//!
//! Invariant: every answer is there when it is asked for, but that of an append that a test delays.

mod accounts;
mod archive;
#[cfg(test)]
mod faults;
mod ratings;
mod restrictions;

use std::collections::VecDeque;
use std::future::ready;
use std::sync::{Arc, Mutex};

use dashmap::DashMap;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;
use zeitnot_protocol::{AccountId, ChallengeId, GameId};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::{Category, Micros, PlayerName, Seq};

use super::authorization::CodesInMemory;
use super::correcting::{Accepted, accept};
use super::{
    AccountFacts, AccountStore, AdminStore, Append, AppendAnswer, AppendError, ArchiveStore, AuditEntry,
    AuditStore, AuthorizationStore, Block, BotMade, ChallengeStore, Changed, CodeDigest, ContactStore,
    Corrected, Correction, Counts, Credential, CredentialStore, Cut, Day, EndedGame, FactorSecret,
    FinishedGame, FoundPage, GameFacts, GameStore, Granted, JournalOffset, KeptToken, Mute, NewToken,
    OpenChallenge, PasswordHash, Person, Proved, Rater, RatingChange, RatingEvent, RatingStore, Reading,
    Record, Registered, Registration, Report, ReportStore, RestMark, RestrictionStore, Search, SecondFactor,
    SecondFactorStore, Standing, Store, Tail, TokenDigest, TokenMade, TurnTime, Which, WokenGame, Writing,
};
use restrictions::InForce;

#[cfg(test)]
use crate::storage::Owner;
use crate::sync::unpoisoned;
use crate::time::ServiceInstant;
use accounts::Accounts;
use archive::Archive;
#[cfg(test)]
pub(crate) use faults::Fault;
use ratings::Ratings;

/// The acts of admins that are kept, each with a name or two.
const AUDIT_MAX: usize = 1_000;

/// A store in memory. It never forgets a record, so it grows with the games that are played.
#[derive(Debug, Default)]
pub struct MemoryStore {
    games: DashMap<GameId, Vec<Arc<Record>>>,
    archive: Archive,
    /// The corrections of each game that has any, in their order.
    corrections: DashMap<GameId, Vec<Correction>>,
    /// The games at rest: since when, and where they stood.
    resting: DashMap<GameId, (ServiceInstant, RestMark)>,
    accounts: Accounts,
    ratings: Ratings,
    /// What admins have done, in its order.
    audit: Mutex<VecDeque<AuditEntry>>,
    in_force: InForce,
    codes: CodesInMemory,
    #[cfg(test)]
    faults: faults::Faults,
    #[cfg(test)]
    reads: faults::Reads,
}

impl MemoryStore {
    /// An empty one, in which games that end change ratings as `rater` says.
    #[must_use]
    pub fn rating_with(rater: &'static dyn Rater) -> Self {
        Self { ratings: Ratings::with(rater), ..Self::default() }
    }

    fn keep(&self, after: JournalOffset, record: Arc<Record>) -> AppendAnswer {
        let mut records = self.games.entry(record.game).or_default();
        if records.len() as u64 != after.0 || self.resting.contains_key(&record.game) {
            return Err(AppendError::Conflict);
        }
        debug_assert_eq!(record.first_seq, records.last().map_or(1, |last| last.last_seq() + 1));
        let (game, has_ended) = (record.game, record.ends_game());
        records.push(record);
        if has_ended {
            self.note_finished(game, &records);
            self.ratings.note(game, &records);
        }
        Ok(JournalOffset(records.len() as u64))
    }

    fn woken(&self, game: GameId, at: ServiceInstant) -> Option<WokenGame> {
        let (_, (since, mark)) = self.resting.remove(&game)?;
        let records = self.games.get(&game)?.clone();
        let offset = JournalOffset(records.len() as u64);
        let rested = Micros(at.0.saturating_sub(since.0));
        Some(WokenGame { records, offset, mark, rested })
    }

    fn note_finished(&self, game: GameId, records: &[Arc<Record>]) {
        if let Some(ended) = EndedGame::of(records, None) {
            let at = ended_unix_ms(ended.setup.began_unix_ms, records);
            self.archive.add(game, at, GameFacts::of_ended(&ended));
        }
    }

    fn finished_game(&self, (place, game, ended_unix_ms): archive::Found) -> Option<FinishedGame> {
        let records = self.games.get(&game)?.clone();
        let (correction, ratings) = (self.correction(game), self.ratings.changes(game));
        Some(FinishedGame { place, game, ended_unix_ms, records, correction, ratings })
    }

    fn correction(&self, game: GameId) -> Option<Correction> {
        self.corrections.get(&game)?.last().copied()
    }

    /// Corrects a result. The game's records are held meanwhile, so that two corrections are made one after the other.
    fn correct_now(&self, game: GameId, to: Correction) -> Corrected {
        let Some(records) = self.games.get_mut(&game) else { return Corrected::NotEnded };
        let from = self.correction(game);
        let mut corrections = self.corrections.entry(game).or_default();
        let Accepted { was, is } = match accept(&records, from, corrections.len(), to) {
            Ok(accepted) => accepted,
            Err(why) => return why,
        };
        let is_rated = self.ratings.correct(game, &records, to);
        self.archive.change(game, GameFacts::of_ended(&is).facet);
        corrections.push(to);
        Corrected::From { score: was.outcome.score, is_rated }
    }
}

/// When a game ended that began then: the store has no clock, and counts the time of the game.
fn ended_unix_ms(began_unix_ms: u64, records: &[Arc<Record>]) -> u64 {
    began_unix_ms.saturating_add(records.last().map_or(0, |last| last.at.0 / 1_000))
}

/// An answer that is there already.
fn now<T: Send + 'static, E: Send + 'static>(answer: Result<T, E>) -> BoxFuture<'static, Result<T, E>> {
    ready(answer).boxed()
}

impl GameStore for MemoryStore {
    fn append(&self, after: JournalOffset, record: Arc<Record>) -> Append {
        #[cfg(test)]
        if let Some(append) = self.append_with_fault(after, &record) {
            return append;
        }
        Append::answered(self.keep(after, record))
    }

    fn note_turn(&self, _: GameId, _: TurnTime) {}

    fn stop_turns(&self) {}

    fn rest(&self, game: GameId, after: JournalOffset, mark: RestMark, at: ServiceInstant) -> Writing<bool> {
        let records = self.games.get(&game);
        let is_last = records.is_some_and(|records| {
            records.len() as u64 == after.0 && !records.last().is_some_and(|last| last.ends_game())
        });
        let rests = is_last && self.resting.insert(game, (at, mark)).is_none();
        now(Ok(rests))
    }

    fn wake(&self, game: GameId, at: ServiceInstant) -> Writing<Option<WokenGame>> {
        now(Ok(self.woken(game, at)))
    }

    fn due_games(&self, until: ServiceInstant, most: usize) -> Reading<Vec<GameId>> {
        let due = |(since, mark): &(ServiceInstant, RestMark)| since.0 + mark.due.since(mark.at).0;
        let mut due: Vec<_> = self.resting.iter().map(|entry| (due(entry.value()), *entry.key())).collect();
        due.retain(|(due, _)| *due <= until.0);
        due.sort_unstable();
        now(Ok(due.into_iter().take(most).map(|(_, game)| game).collect()))
    }

    fn tail(&self, game: GameId, from: Seq) -> Reading<Tail> {
        #[cfg(test)]
        self.count_read();
        now(Ok(match self.games.get(&game) {
            None => Tail { records: Vec::new(), last: JournalOffset::NONE, correction: None },
            Some(records) => {
                let first = records.partition_point(|record| record.last_seq() < from);
                Tail {
                    records: records[first..].to_vec(),
                    last: JournalOffset(records.len() as u64),
                    correction: self.correction(game),
                }
            }
        }))
    }

    fn rating_changes(&self, game: GameId) -> Reading<Option<ByColor<RatingChange>>> {
        now(Ok(self.ratings.changes(game)))
    }

    #[cfg(test)]
    fn release(&self, games: Vec<GameId>) -> Writing<()> {
        games.into_iter().for_each(|game| self.say_owner(game, Owner::Nobody));
        now(Ok(()))
    }

    #[cfg(test)]
    fn set_aside(&self, game: GameId, why: String) -> Writing<()> {
        self.note_set_aside(game, why);
        now(Ok(()))
    }

    #[cfg(test)]
    fn is_shared(&self) -> bool {
        self.has_other_owners()
    }

    #[cfg(test)]
    fn owner(&self, game: GameId) -> Reading<Option<Owner>> {
        now(Ok(self.said_owner(game)))
    }

    #[cfg(test)]
    fn live_of(&self, account: AccountId) -> Reading<Vec<GameId>> {
        now(Ok(self.said_games_of(account)))
    }

    fn writing_since(&self) -> Option<ServiceInstant> {
        None
    }
}

impl RatingStore for MemoryStore {
    fn standings(&self, account: AccountId) -> Reading<Vec<(Category, Standing)>> {
        now(Ok(self.ratings.standings(account)))
    }

    fn rating_history(
        &self,
        account: AccountId,
        category: Category,
        before: Option<u64>,
        most: usize,
    ) -> Reading<Vec<RatingEvent>> {
        now(Ok(self.ratings.history(account, category, before, most)))
    }
}

impl ArchiveStore for MemoryStore {
    fn correct(&self, game: GameId, correction: Correction) -> Writing<Corrected> {
        now(Ok(self.correct_now(game, correction)))
    }

    fn search(&self, search: Search, before: Option<u64>, most: usize) -> Reading<FoundPage> {
        let (found, are_more) = self.archive.search(&search, before, most);
        let next = found.last().filter(|_| are_more).map(|(place, ..)| *place);
        let games = found.into_iter().filter_map(|found| self.finished_game(found)).collect();
        now(Ok(FoundPage { games, next, is_indexing: false }))
    }

    fn count(&self, search: Search) -> Reading<Counts> {
        now(Ok(self.archive.count(&search)))
    }

    fn names_by_prefix(&self, prefix: String, most: usize) -> Reading<Vec<String>> {
        now(Ok(self.archive.names_by_prefix(&prefix, most)))
    }
}

impl AccountStore for MemoryStore {
    fn create_account(&self, account: AccountId, token: NewToken) -> Writing<()> {
        now(self.accounts.all().create(account, token))
    }

    fn account(&self, account: AccountId) -> Reading<Option<Person>> {
        now(Ok(self.accounts.all().get(account)))
    }

    fn account_by_token(&self, token: TokenDigest) -> Reading<Option<Proved>> {
        now(Ok(self.accounts.all().by_token(token)))
    }

    fn account_by_name(&self, name: PlayerName) -> Reading<Option<Person>> {
        now(Ok(self.accounts.all().by_name(name)))
    }

    fn accounts_by_prefix(&self, prefix: PlayerName, most: usize) -> Reading<Vec<Person>> {
        now(Ok(self.accounts.all().by_prefix(prefix, most)))
    }

    fn rename(&self, account: AccountId, name: PlayerName, today: Day) -> Writing<Option<Changed>> {
        now(Ok(self.accounts.all().rename(account, name, today)))
    }

    fn make_bot(&self, account: AccountId) -> Writing<BotMade> {
        let has_rated_games = !self.ratings.standings(account).is_empty();
        now(Ok(self.accounts.all().make_bot(account, has_rated_games)))
    }

    fn keep_api_token(&self, account: AccountId, token: NewToken) -> Writing<TokenMade> {
        now(Ok(self.accounts.all().keep_api_token(account, token)))
    }

    fn revoke_tokens(&self, account: AccountId, which: Which) -> Writing<Vec<TokenDigest>> {
        now(Ok(self.accounts.all().revoke(account, &which)))
    }

    fn tokens(&self, account: AccountId) -> Reading<Vec<KeptToken>> {
        now(Ok(self.accounts.all().tokens(account)))
    }

    fn note_use(&self, account: AccountId, token: TokenDigest, today: Day) -> Writing<()> {
        self.accounts.all().note_use(account, token, today);
        now(Ok(()))
    }
}

impl AuditStore for MemoryStore {
    fn note_act(&self, entry: AuditEntry) -> Writing<()> {
        let mut audit = unpoisoned(self.audit.lock());
        audit.push_back(entry);
        if audit.len() > AUDIT_MAX {
            audit.pop_front();
        }
        now(Ok(()))
    }

    fn acts(&self, most: usize) -> Reading<Vec<AuditEntry>> {
        now(Ok(unpoisoned(self.audit.lock()).iter().rev().take(most).cloned().collect()))
    }
}

impl CredentialStore for MemoryStore {
    fn register(&self, registration: Registration) -> Writing<Registered> {
        now(self.accounts.all().register(registration))
    }

    fn credential_by_name(&self, name: PlayerName) -> Reading<Option<Credential>> {
        let all = self.accounts.all();
        now(Ok(all.by_name(name).and_then(|person| all.credential(person.account))))
    }

    fn credential(&self, account: AccountId) -> Reading<Option<Credential>> {
        now(Ok(self.accounts.all().credential(account)))
    }

    fn sign_in(
        &self,
        account: AccountId,
        verified: PasswordHash,
        token: NewToken,
        replaces: Option<TokenDigest>,
    ) -> Writing<Option<Vec<TokenDigest>>> {
        now(Ok(self.accounts.all().sign_in(account, &verified, token, replaces)))
    }

    fn change_password(
        &self,
        account: AccountId,
        verified: PasswordHash,
        password: PasswordHash,
        at_unix_ms: u64,
        kept: TokenDigest,
    ) -> Writing<Option<Vec<TokenDigest>>> {
        now(Ok(self.accounts.all().change_password(account, &verified, password, at_unix_ms, kept)))
    }

    fn set_recovery_codes(&self, account: AccountId, codes: Vec<CodeDigest>) -> Writing<()> {
        self.accounts.all().set_recovery_codes(account, codes);
        now(Ok(()))
    }

    fn set_reset_code(&self, account: AccountId, code: CodeDigest, until_unix_ms: u64) -> Writing<()> {
        self.accounts.all().set_reset_code(account, code, until_unix_ms);
        now(Ok(()))
    }

    fn recover(
        &self,
        account: AccountId,
        code: CodeDigest,
        password: PasswordHash,
        token: NewToken,
    ) -> Writing<Option<Vec<TokenDigest>>> {
        now(Ok(self.accounts.all().recover(account, code, password, token)))
    }

    fn close_account(
        &self,
        account: AccountId,
        verified: Option<PasswordHash>,
    ) -> Writing<Option<(Changed, Vec<TokenDigest>)>> {
        let closed = self.accounts.all().close(account, verified.as_ref());
        if closed.is_some() {
            self.in_force.unmute(account);
            self.in_force.forget_reporter(account);
        }
        now(Ok(closed))
    }

    fn facts(&self, account: AccountId) -> Reading<Option<AccountFacts>> {
        let facts = self.accounts.all().facts(account);
        let muted_until_unix_ms = self.in_force.muted_until(account);
        now(Ok(facts.map(|facts| AccountFacts { muted_until_unix_ms, ..facts })))
    }
}

impl SecondFactorStore for MemoryStore {
    fn second_factor(&self, account: AccountId) -> Reading<Option<SecondFactor>> {
        now(Ok(self.accounts.all().second_factor(account)))
    }

    fn begin_second_factor(&self, account: AccountId, secret: FactorSecret) -> Writing<bool> {
        now(Ok(self.accounts.all().begin_second_factor(account, secret)))
    }

    fn use_second_factor(
        &self,
        account: AccountId,
        secret: FactorSecret,
        step: u64,
        at_unix_ms: u64,
    ) -> Writing<bool> {
        now(Ok(self.accounts.all().use_second_factor(account, secret, step, at_unix_ms)))
    }

    fn remove_second_factor(&self, account: AccountId) -> Writing<bool> {
        now(Ok(self.accounts.all().remove_second_factor(account)))
    }

    fn has_recovery_code(&self, account: AccountId, code: CodeDigest, at_unix_ms: u64) -> Reading<bool> {
        now(Ok(self.accounts.all().has_recovery_code(account, code, at_unix_ms)))
    }

    fn use_recovery_code(&self, account: AccountId, code: CodeDigest) -> Writing<bool> {
        now(Ok(self.accounts.all().use_recovery_code(account, code)))
    }
}

impl AuthorizationStore for MemoryStore {
    fn keep_code(&self, code: TokenDigest, granted: Granted, at_unix_ms: u64) -> Writing<bool> {
        now(Ok(self.codes.keep(code, granted, at_unix_ms)))
    }

    fn take_code(&self, code: TokenDigest, at_unix_ms: u64) -> Writing<Option<Granted>> {
        now(Ok(self.codes.take(code, at_unix_ms)))
    }
}

impl AdminStore for MemoryStore {
    fn is_admin(&self, account: AccountId) -> Reading<bool> {
        now(Ok(self.accounts.all().is_admin(account)))
    }

    fn grant_admin(&self, account: AccountId, _: u64) -> Writing<bool> {
        now(Ok(self.accounts.all().grant_admin(account)))
    }

    fn withdraw_admin(&self, account: AccountId) -> Writing<Option<Vec<TokenDigest>>> {
        now(Ok(self.accounts.all().withdraw_admin(account)))
    }
}

/// Blocks are in memory anyhow, and end with the process.
impl ContactStore for MemoryStore {
    fn block(&self, _: Block) -> Writing<()> {
        now(Ok(()))
    }

    fn unblock(&self, _: Block) -> Writing<()> {
        now(Ok(()))
    }

    fn set_challenge_rules(&self, account: AccountId, rules: String) -> Writing<()> {
        self.accounts.all().set_challenge_rules(account, rules);
        now(Ok(()))
    }

    fn challenge_rules(&self, account: AccountId) -> Reading<Option<String>> {
        now(Ok(self.accounts.all().challenge_rules(account)))
    }

    fn set_settings(&self, account: AccountId, settings: String) -> Writing<()> {
        self.accounts.all().set_settings(account, settings);
        now(Ok(()))
    }

    fn settings(&self, account: AccountId) -> Reading<Option<String>> {
        now(Ok(self.accounts.all().settings(account)))
    }
}

impl ReportStore for MemoryStore {
    fn add_report(&self, report: Report) -> Writing<Option<u64>> {
        now(Ok(self.in_force.add_report(report)))
    }

    fn waiting_reports(&self, most: usize) -> Reading<Vec<Report>> {
        let reports = self.in_force.reports(|report| report.handled_unix_ms.is_none());
        now(Ok(reports.into_iter().take(most).collect()))
    }

    fn reports_by(&self, account: AccountId) -> Reading<Vec<Report>> {
        now(Ok(self.in_force.reports(|report| report.by == Some(account))))
    }

    fn handle_report(&self, number: u64, at_unix_ms: u64) -> Writing<bool> {
        now(Ok(self.in_force.handle_report(number, at_unix_ms)))
    }
}

impl RestrictionStore for MemoryStore {
    fn mute(&self, mute: Mute, at_unix_ms: u64) -> Writing<bool> {
        now(Ok(self.in_force.mute(mute, at_unix_ms)))
    }

    fn unmute(&self, account: AccountId) -> Writing<bool> {
        now(Ok(self.in_force.unmute(account)))
    }

    fn cut(&self, cut: Cut, at_unix_ms: u64) -> Writing<bool> {
        now(Ok(self.in_force.cut(cut, at_unix_ms)))
    }

    fn uncut(&self, network: String) -> Writing<bool> {
        now(Ok(self.in_force.uncut(&network)))
    }
}

impl ChallengeStore for MemoryStore {
    fn open_challenge(&self, _: OpenChallenge) -> Writing<()> {
        now(Ok(()))
    }

    fn close_challenge(&self, _: ChallengeId) -> Writing<()> {
        now(Ok(()))
    }
}

impl Store for MemoryStore {
    fn flush(&self) -> Writing<()> {
        now(Ok(()))
    }

    fn deliver(&self, _: CancellationToken) -> BoxFuture<'static, ()> {
        ready(()).boxed()
    }

    fn close(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_oldest_acts_of_admins_are_forgotten() {
        let store = MemoryStore::default();
        for at_unix_ms in 0..=AUDIT_MAX as u64 {
            let entry = AuditEntry { at_unix_ms, by: String::new(), act: String::new() };
            store.note_act(entry).await.unwrap();
        }
        let acts = store.acts(usize::MAX).await.unwrap();
        assert_eq!((acts.len(), acts[AUDIT_MAX - 1].at_unix_ms), (AUDIT_MAX, 1));
    }
}
