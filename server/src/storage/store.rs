//! The seam between the server and all that it keeps.
//!
//! It is one trait for each part of the server that keeps something, so that each is handed what it needs; [`Store`] is all
//! of them.
//!
//! Deliberately absent: where and how anything is kept, and how a store is opened
//! ([`open`](crate::storage::open)).

use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;
use zeitnot_protocol::{AccountId, ChallengeId, GameId};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::{Category, PlayerName, Seq};

use super::account::{Changed, OpenChallenge, Person, TokenDigest};
use super::append::Append;
use super::audit::AuditEntry;
use super::authorization::Granted;
use super::contact::Block;
use super::correction::{Corrected, Correction};
use super::credentials::{
    AccountFacts, BotMade, CodeDigest, Credential, Day, KeptToken, NewToken, PasswordHash, Proved,
    Registered, Registration, TokenMade, Which,
};
use super::nodes::Owner;
use super::rating::{RatingChange, RatingEvent, Standing};
use super::record::{JournalOffset, Record, RestMark, Tail, TurnTime, WokenGame};
use super::report::Report;
use super::restriction::{Cut, Mute};
use super::search::{Counts, FoundPage, Search};
use super::second_factor::{FactorSecret, SecondFactor};
use crate::time::ServiceInstant;

/// Why there is no answer to a read. It never means that what was asked for is not there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// The store cannot be read now. That says nothing about what is in it.
    #[error("the store cannot be read: {0}")]
    Unavailable(String),
    /// What is kept is not as it was written, so reading again does not help. The store has logged it.
    #[error("what is kept is damaged: {0}")]
    Damaged(String),
}

/// The store did not confirm a write. It is unknown whether it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the store takes nothing now: {0}")]
pub struct WriteError(pub &'static str);

/// The answer to a read.
pub type Reading<T> = BoxFuture<'static, Result<T, ReadError>>;

/// The answer to a write: durable when it is `Ok`.
pub type Writing<T> = BoxFuture<'static, Result<T, WriteError>>;

/// Keeps all that a server keeps: records of games and their archive, accounts with names and
/// tokens, their ratings, open challenges.
///
/// Durable means: what was answered survives whatever this store promises to survive. A write is
/// asked for when the call returns, also when its answer is dropped, and writes are written in the
/// order in which they were asked for.
pub trait Store: GameStore + ArchiveStore + AccountStore + RatingStore + ChallengeStore + AuditStore {
    /// Answers when everything that was asked for before is durable.
    fn flush(&self) -> Writing<()>;

    /// A task that delivers the answers of this store until `stopping`. It is to be spawned on the
    /// runtime that waits for the answers: without it they come too, but each at the price of
    /// waking a task from a foreign thread.
    fn deliver(&self, stopping: CancellationToken) -> BoxFuture<'static, ()>;

    /// Writes what waits and takes nothing more. Blocks for that long.
    fn close(&self);
}

/// Keeps the records of games: of live games, of games at rest, and of those that have ended.
pub trait GameStore: fmt::Debug + Send + Sync + 'static {
    /// Appends a record after the one at `after`, which must be the game's last
    /// ([`JournalOffset::NONE`] for the first). The first record of a game removes the challenge
    /// with the game's id: both happen or neither.
    fn append(&self, after: JournalOffset, record: Arc<Record>) -> Append;

    /// Notes what the running turn of a game has taken, when it is interrupted or goes on. A
    /// process that recovers the game after a crash charges it by this. Without the note it charges
    /// too little, never too much.
    fn note_turn(&self, game: GameId, time: TurnTime);

    /// The server begins to stop: from this call on the running turns are charged nothing.
    fn stop_turns(&self);

    /// Puts a live game to rest, at `at`: its records and `mark` leave the journal, and nothing can
    /// be appended before it is woken. `false` when the game is not live, or its last record is not
    /// the one at `after`; then nothing changes.
    fn rest(&self, game: GameId, after: JournalOffset, mark: RestMark, at: ServiceInstant) -> Writing<bool>;

    /// Wakes a game at rest, at `at`: from here on its records are appended to again. `None` when
    /// it does not rest, or cannot be read; the store has logged that.
    fn wake(&self, game: GameId, at: ServiceInstant) -> Writing<Option<WokenGame>>;

    /// The games at rest that are due at `until` or before, the earliest first, at most `most`.
    fn due_games(&self, until: ServiceInstant, most: usize) -> Reading<Vec<GameId>>;

    /// The records of a game, live or ended, with events of seq `from` and later. An unknown game
    /// has none.
    fn tail(&self, game: GameId, from: Seq) -> Reading<Tail>;

    /// All records of a game, live or ended, for somebody who looks at it: no game goes on with them, so a store may let
    /// this wait for all else.
    fn history(&self, game: GameId) -> Reading<Tail> {
        self.tail(game, 1)
    }

    /// What the end of a game has done to both ratings, with its corrections; `None` when it has changed none.
    fn rating_changes(&self, game: GameId) -> Reading<Option<ByColor<RatingChange>>>;

    /// Whether other processes play games of this store, too.
    fn is_shared(&self) -> bool {
        false
    }

    /// Where a live game is that this process does not play. A store from which one process serves knows of none.
    fn owner(&self, game: GameId) -> Reading<Option<Owner>> {
        let _ = game;
        std::future::ready(Ok(None)).boxed()
    }

    /// Answers when it is certain that no other process had taken over this one's games when this was called. Without an
    /// answer that is not known. A store that no other process can serve from has nothing to find out.
    fn confirm(&self) -> Writing<()> {
        std::future::ready(Ok(())).boxed()
    }

    /// The live games of an account, whoever plays them. A store from which one process serves leaves that to the process.
    fn live_of(&self, account: AccountId) -> Reading<Vec<GameId>> {
        let _ = account;
        std::future::ready(Ok(Vec::new())).boxed()
    }

    /// Notes that a live game cannot be played on, and why: from here on it is nobody's. A store from which one process serves
    /// does so at its start.
    fn set_aside(&self, game: GameId, why: String) -> Writing<()> {
        let _ = (game, why);
        std::future::ready(Ok(())).boxed()
    }

    /// Gives up live games that nothing is under way of, so that other processes claim them. A store from which one process
    /// serves has no others.
    fn release(&self, games: Vec<GameId>) -> Writing<()> {
        let _ = games;
        std::future::ready(Ok(())).boxed()
    }

    /// Since when it has been writing what it writes now; `None` while it writes nothing. The oldest write that is not
    /// answered has waited at least since then.
    fn writing_since(&self) -> Option<ServiceInstant>;
}

/// Finds games that have ended, and corrects their results.
pub trait ArchiveStore: fmt::Debug + Send + Sync + 'static {
    /// Corrects the result of a game that has ended here: the correction, what it does to both ratings, and what the game is
    /// found by, all or nothing. The records of the game stay as they are.
    fn correct(&self, game: GameId, correction: Correction) -> Writing<Corrected>;

    /// The games that fit, the last one to end first, at most `most`. With `before` only those with a lower
    /// [`FinishedGame::place`](super::FinishedGame).
    fn search(&self, search: Search, before: Option<u64>, most: usize) -> Reading<FoundPage>;

    /// How many games fit.
    fn count(&self, search: Search) -> Reading<Counts>;

    /// The first players without accounts, in the order of their names, whose names begin so: names as those of
    /// [`Who::named`](super::Who::named), at most `most`.
    fn names_by_prefix(&self, prefix: String, most: usize) -> Reading<Vec<String>>;
}

/// Keeps accounts, their names and their tokens.
pub trait AccountStore:
    CredentialStore
    + SecondFactorStore
    + AuthorizationStore
    + AdminStore
    + RestrictionStore
    + ContactStore
    + ReportStore
{
    /// Keeps a new guest, made when its token was.
    fn create_account(&self, account: AccountId, token: NewToken) -> Writing<()>;

    /// An account; `None` when there is none with this id.
    fn account(&self, account: AccountId) -> Reading<Option<Person>>;

    /// The account of a token; `None` when no account has it.
    fn account_by_token(&self, token: TokenDigest) -> Reading<Option<Proved>>;

    /// The account of a name, whatever the case of its letters; `None` when no account has it.
    fn account_by_name(&self, name: PlayerName) -> Reading<Option<Person>>;

    /// The first accounts, in the order of their names, whose names begin so, whatever the case of the letters: at most
    /// `most`. Damaged ones are left out.
    fn accounts_by_prefix(&self, prefix: PlayerName, most: usize) -> Reading<Vec<Person>>;

    /// Gives an account a name in place of the one it had. The answer is `None` when another
    /// account has that name in whatever case, or had it when it was closed. A guest who was not
    /// seen for [`NAME_KEPT_DAYS`](super::NAME_KEPT_DAYS) before `today` has it no longer.
    fn rename(&self, account: AccountId, name: PlayerName, today: Day) -> Writing<Option<Changed>>;

    /// Makes a registered account a bot, if it has played no rated game and is no admin.
    fn make_bot(&self, account: AccountId) -> Writing<BotMade>;

    /// Keeps an API token of a registered account, one with the scope `admin` only of an admin, and forgets those that had expired when it was made.
    fn keep_api_token(&self, account: AccountId, token: NewToken) -> Writing<TokenMade>;

    /// Forgets tokens of an account: they prove nothing any more. The answer is which.
    fn revoke_tokens(&self, account: AccountId, which: Which) -> Writing<Vec<TokenDigest>>;

    /// The tokens of an account, the one that was used last first.
    fn tokens(&self, account: AccountId) -> Reading<Vec<KeptToken>>;

    /// Notes that a token of an account was used on this day.
    fn note_use(&self, account: AccountId, token: TokenDigest, today: Day) -> Writing<()>;
}

/// Keeps what admins have done.
pub trait AuditStore: fmt::Debug + Send + Sync + 'static {
    /// Notes an act.
    fn note_act(&self, entry: AuditEntry) -> Writing<()>;

    /// The last acts, the last one first, at most `most`.
    fn acts(&self, most: usize) -> Reading<Vec<AuditEntry>>;
}

/// Keeps what accounts are signed in with. Each write is whole or nothing.
pub trait CredentialStore: fmt::Debug + Send + Sync + 'static {
    /// Makes an account a registered one.
    fn register(&self, registration: Registration) -> Writing<Registered>;

    /// The account of a name, whatever the case of its letters, with its password.
    fn credential_by_name(&self, name: PlayerName) -> Reading<Option<Credential>>;

    /// The password of an account; `None` when there is no such account.
    fn credential(&self, account: AccountId) -> Reading<Option<Credential>>;

    /// Keeps one more token of an account whose password is still `verified`, and forgets the one
    /// that it `replaces`, and the oldest beyond [`SESSIONS_MAX`](super::SESSIONS_MAX). The answer is
    /// which were forgotten; `None` when the password is another one by now.
    fn sign_in(
        &self,
        account: AccountId,
        verified: PasswordHash,
        token: NewToken,
        replaces: Option<TokenDigest>,
    ) -> Writing<Option<Vec<TokenDigest>>>;

    /// Sets another password in place of `verified`, and forgets all tokens but `kept`. The answer
    /// is which; `None` when the password is another one by now.
    fn change_password(
        &self,
        account: AccountId,
        verified: PasswordHash,
        password: PasswordHash,
        at_unix_ms: u64,
        kept: TokenDigest,
    ) -> Writing<Option<Vec<TokenDigest>>>;

    /// Keeps these recovery codes in place of all that the account had.
    fn set_recovery_codes(&self, account: AccountId, codes: Vec<CodeDigest>) -> Writing<()>;

    /// Keeps a recovery code that ends at an instant, in place of another such one.
    fn set_reset_code(&self, account: AccountId, code: CodeDigest, until_unix_ms: u64) -> Writing<()>;

    /// Uses a recovery code up: sets a password, forgets all tokens and keeps this one. The answer
    /// is which were forgotten; `None` when the account has no such code.
    fn recover(
        &self,
        account: AccountId,
        code: CodeDigest,
        password: PasswordHash,
        token: NewToken,
    ) -> Writing<Option<Vec<TokenDigest>>>;

    /// Closes a registered account whose password is still `verified`, whatever it is without one: forgets its tokens, its password, its
    /// codes and its name, which nobody is given again. The answer is what it is now, and which
    /// tokens were forgotten; `None` when the password is another one by now.
    fn close_account(
        &self,
        account: AccountId,
        verified: Option<PasswordHash>,
    ) -> Writing<Option<(Changed, Vec<TokenDigest>)>>;

    /// What else is kept about an account; `None` when there is no such account.
    fn facts(&self, account: AccountId) -> Reading<Option<AccountFacts>>;
}

/// Keeps the second factors of accounts.
pub trait SecondFactorStore: fmt::Debug + Send + Sync + 'static {
    /// The second factor of an account, also one that is not confirmed.
    fn second_factor(&self, account: AccountId) -> Reading<Option<SecondFactor>>;

    /// Keeps a second factor that is not confirmed, in place of another such one. `false` when the account has one that is
    /// confirmed, or is not registered.
    fn begin_second_factor(&self, account: AccountId, secret: FactorSecret) -> Writing<bool>;

    /// Uses the code of a time step, which confirms a second factor that was not. `false` when the secret is another one by
    /// now, or a code of this step or of a later one was used.
    fn use_second_factor(
        &self,
        account: AccountId,
        secret: FactorSecret,
        step: u64,
        at_unix_ms: u64,
    ) -> Writing<bool>;

    /// Forgets the second factor of an account; whether there was one.
    fn remove_second_factor(&self, account: AccountId) -> Writing<bool>;

    /// Whether the account has this recovery code, its owner's or one that ends after this instant.
    fn has_recovery_code(&self, account: AccountId, code: CodeDigest, at_unix_ms: u64) -> Reading<bool>;

    /// Uses a recovery code of the owner's up; `false` when the account has no such code.
    fn use_recovery_code(&self, account: AccountId, code: CodeDigest) -> Writing<bool>;
}

/// Keeps what owners have granted programs, until these show their codes.
pub trait AuthorizationStore: fmt::Debug + Send + Sync + 'static {
    /// Keeps what is granted for this code, for [`CODE_LASTS_MS`](super::CODE_LASTS_MS) from this instant on. Of an account that
    /// has [`CODES_PER_ACCOUNT_MAX`](super::CODES_PER_ACCOUNT_MAX) the oldest goes. `false` when there are
    /// [`CODES_MAX`](super::CODES_MAX).
    fn keep_code(&self, code: TokenDigest, granted: Granted, at_unix_ms: u64) -> Writing<bool>;

    /// Forgets a code; the answer is what was granted for it, if it was still good at this instant.
    fn take_code(&self, code: TokenDigest, at_unix_ms: u64) -> Writing<Option<Granted>>;
}

/// Keeps which accounts are admins.
pub trait AdminStore: fmt::Debug + Send + Sync + 'static {
    /// Whether the account is an admin.
    fn is_admin(&self, account: AccountId) -> Reading<bool>;

    /// Makes the account an admin; `false` when it is not that of a registered person.
    fn grant_admin(&self, account: AccountId, at_unix_ms: u64) -> Writing<bool>;

    /// Makes the account an admin no more, and forgets its tokens with the scope `admin`. The answer is which; `None` when
    /// there was nothing to take away.
    fn withdraw_admin(&self, account: AccountId) -> Writing<Option<Vec<TokenDigest>>>;
}

/// Keeps what admins put in force until an instant. It is read at a start only: see [`Opened`](crate::storage::Opened). What
/// other nodes change comes as a [`Change`](super::Change).
pub trait RestrictionStore: fmt::Debug + Send + Sync + 'static {
    /// Keeps a mute, in place of another one of the account, and forgets those that are over at this instant; `false` when
    /// there are [`MUTES_MAX`](super::MUTES_MAX) others.
    fn mute(&self, mute: Mute, at_unix_ms: u64) -> Writing<bool>;

    /// Forgets the mute of an account; whether there was one.
    fn unmute(&self, account: AccountId) -> Writing<bool>;

    /// Keeps a cut, in place of another one of the network, and forgets those that are over at this instant; `false` when
    /// there are [`CUTS_MAX`](super::CUTS_MAX) others.
    fn cut(&self, cut: Cut, at_unix_ms: u64) -> Writing<bool>;

    /// Forgets the cut of a network; whether there was one.
    fn uncut(&self, network: String) -> Writing<bool>;
}

/// Keeps who has blocked whom, which is read at a start only (see [`Opened`](crate::storage::Opened); what other nodes change
/// comes as a [`Change`](super::Change)), who may challenge an account, and its settings.
pub trait ContactStore: fmt::Debug + Send + Sync + 'static {
    /// Keeps a block; the same one again changes nothing.
    fn block(&self, block: Block) -> Writing<()>;

    /// Forgets a block, if there is one.
    fn unblock(&self, block: Block) -> Writing<()>;

    /// Keeps the rules of an account for challenges, in place of others.
    fn set_challenge_rules(&self, account: AccountId, rules: String) -> Writing<()>;

    /// The rules of an account for challenges, if it has set any.
    fn challenge_rules(&self, account: AccountId) -> Reading<Option<String>>;

    /// Keeps the settings of an account, in place of others.
    fn set_settings(&self, account: AccountId, settings: String) -> Writing<()>;

    /// The settings of an account, if it has any.
    fn settings(&self, account: AccountId) -> Reading<Option<String>>;
}

/// Keeps what accounts report about others. Those that were handled go after a while.
pub trait ReportStore: fmt::Debug + Send + Sync + 'static {
    /// Keeps a report. The answer is its number; `None` when as many as there may be ([`REPORTS_MAX`](super::REPORTS_MAX))
    /// wait.
    fn add_report(&self, report: Report) -> Writing<Option<u64>>;

    /// The reports that wait, the oldest first, at most `most`.
    fn waiting_reports(&self, most: usize) -> Reading<Vec<Report>>;

    /// The reports of an account, the oldest first.
    fn reports_by(&self, account: AccountId) -> Reading<Vec<Report>>;

    /// Says that a report was handled; whether it waited.
    fn handle_report(&self, number: u64, at_unix_ms: u64) -> Writing<bool>;
}

/// Keeps the ratings of accounts. They change only by the record that ends a game and by a correction of its result, in the
/// same transaction.
pub trait RatingStore: fmt::Debug + Send + Sync + 'static {
    /// Where an account stands in each category in which it has rated games.
    fn standings(&self, account: AccountId) -> Reading<Vec<(Category, Standing)>>;

    /// The changes of an account's rating in a category, the last one first, at most `most`. With `before` only those
    /// with a lower [`RatingEvent::number`].
    fn rating_history(
        &self,
        account: AccountId,
        category: Category,
        before: Option<u64>,
        most: usize,
    ) -> Reading<Vec<RatingEvent>>;
}

/// Keeps open challenges. They are read at a start only: see [`Opened`](crate::storage::Opened).
pub trait ChallengeStore: fmt::Debug + Send + Sync + 'static {
    /// Keeps an open challenge as it is now: in place of what was kept of it, if it was kept.
    fn open_challenge(&self, challenge: OpenChallenge) -> Writing<()>;

    /// Removes a challenge.
    fn close_challenge(&self, challenge: ChallengeId) -> Writing<()>;
}
