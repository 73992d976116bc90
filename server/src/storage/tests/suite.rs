//! What every store promises, over each implementation.
//!
//! A test gets a [`Subject`]: a store, and what it takes to hold its writes back, to make one fail,
//! and to open it again.

macro_rules! over_every_store {
    ($($test:ident)*) => {
        mod sqlite {
            $(#[tokio::test] async fn $test() { super::$test(super::Subject::sqlite()).await; })*
        }

        mod memory {
            $(#[tokio::test] async fn $test() { super::$test(super::Subject::memory()).await; })*
        }

        mod postgres {
            $(#[tokio::test] #[ignore = "needs PostgreSQL: scripts/test cluster"]
            async fn $test() { super::$test(super::Subject::postgres()).await; })*
        }
    };
}

mod corrections;
mod registered;

use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use tempfile::TempDir;
use zeitnot_protocol::{AccountId, ChallengeId, GameId};
use zeitnot_rules::game::{Category, Micros, PlayerName, Seq};
use zeitnot_test_servers::{TestDatabase, until};

use super::samples::{Collected, ended, epoch, game, moved, rest_mark, started, started_rated};
use crate::ratings::Glicko;
use crate::storage::postgres::tests::open as open_database;
use crate::storage::sqlite::{DataFolder, Fatal, SegmentSettings, SqliteStore};
use crate::storage::{
    AppendError, Block, BotMade, Changed, Fault, HANDLED_KEPT_MS, JournalOffset, Kind as AccountKind,
    MemoryStore, NewToken, OpenChallenge, Opened, PasswordHash, Person, Points, Record, Registered,
    Registration, Report, Standing, Store, TokenDigest, Which,
};
use crate::time::{ServiceClock, ServiceInstant};

const ALICE: AccountId = AccountId::from_u128(1);
const BOB: AccountId = AccountId::from_u128(2);

/// When games come to rest.
const AT: ServiceInstant = ServiceInstant(1_000_000);

/// Long enough for an append that nothing holds back.
const A_WHILE: Duration = Duration::from_millis(200);

enum Kind {
    Sqlite(TempDir),
    Memory(Arc<MemoryStore>),
    Postgres(TestDatabase),
}

/// A store under test.
struct Subject {
    store: Arc<dyn Store>,
    kind: Kind,
}

fn open_folder(path: &std::path::Path) -> (Opened, Collected) {
    let folder = DataFolder::take(path).unwrap();
    let fatal = Fatal::with(folder.path(), |_| {});
    // Small segments, so that live games are carried forward.
    let segments = SegmentSettings { rows: 20, carried_per_commit: 1 };
    let (clock, mut collected) = (ServiceClock::start().unwrap(), Collected::default());
    (
        SqliteStore::open(folder, segments, &Glicko, fatal, &clock, epoch(1), &mut collected).unwrap(),
        collected,
    )
}

impl Subject {
    fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { store: open_folder(folder.path()).0.store, kind: Kind::Sqlite(folder) }
    }

    fn memory() -> Self {
        let store = Arc::new(MemoryStore::rating_with(&Glicko));
        Self { store: Arc::clone(&store) as _, kind: Kind::Memory(store) }
    }

    fn postgres() -> Self {
        let database = TestDatabase::new();
        Self { store: open_database(&database).0.store, kind: Kind::Postgres(database) }
    }

    /// Holds the next append back until the returned function is called.
    fn hold(&self) -> Box<dyn FnOnce() + '_> {
        match &self.kind {
            Kind::Sqlite(folder) => {
                // Another writer has the database.
                let other = Connection::open(folder.path().join("zeitnot.db")).unwrap();
                other.execute_batch("BEGIN IMMEDIATE").unwrap();
                Box::new(move || other.execute_batch("ROLLBACK").unwrap())
            }
            Kind::Memory(store) => {
                store.inject([Some(Fault::Delayed)]);
                Box::new(|| store.release())
            }
            Kind::Postgres(database) => {
                let held = database.hold("LOCK TABLE journal IN SHARE MODE");
                Box::new(move || held.release())
            }
        }
    }

    /// Appends a record with an answer that never comes, and gives back a store that works again.
    async fn append_into_the_unknown(self, after: JournalOffset, record: Record) -> Self {
        match &self.kind {
            Kind::Sqlite(folder) => {
                let other = Connection::open(folder.path().join("zeitnot.db")).unwrap();
                // The writer waits for this transaction, and then does not find the table.
                other.execute_batch("BEGIN IMMEDIATE; ALTER TABLE journal_1 RENAME TO away").unwrap();
                let append = self.store.append(after, Arc::new(record));
                other.execute_batch("COMMIT").unwrap();
                assert_eq!(append.await, Err(AppendError::Unknown));
                other.execute_batch("ALTER TABLE away RENAME TO journal_1").unwrap();
                self.reopen().0
            }
            Kind::Memory(store) => {
                store.inject([Some(Fault::UnknownLost)]);
                let answer = self.store.append(after, Arc::new(record)).await;
                assert_eq!(answer, Err(AppendError::Unknown));
                self
            }
            Kind::Postgres(database) => {
                // The process gives up while PostgreSQL still waits to insert, and the next one ends that.
                let held = database.hold("LOCK TABLE journal IN SHARE MODE");
                let append = self.store.append(after, Arc::new(record));
                let waits = "wait_event_type = 'Lock' AND datname = current_database()";
                let waiting = format!("SELECT count(*) FROM pg_stat_activity WHERE {waits}");
                until(&database.url(), &waiting, "1");
                let pid = database.sql(&format!("SELECT pid FROM pg_stat_activity WHERE {waits}"));
                self.store.close();
                assert_eq!(append.await, Err(AppendError::Unknown));
                let url = database.url();
                // The next one writes, too, before it serves.
                let releasing = std::thread::spawn(move || {
                    until(&url, &format!("SELECT count(*) FROM pg_stat_activity WHERE pid = {pid}"), "0");
                    held.release();
                });
                let subject = self.reopen().0;
                releasing.join().unwrap();
                subject
            }
        }
    }

    /// The process ends and another one starts: what is found then. `None`: nothing survives.
    fn restart(self) -> Option<(Self, Opened, Collected)> {
        if let Kind::Memory(_) = &self.kind {
            return None;
        }
        let (subject, opened, collected) = self.reopened();
        Some((subject, opened, collected))
    }

    fn reopen(self) -> (Self, Collected) {
        let (subject, _, collected) = self.reopened();
        (subject, collected)
    }

    fn reopened(self) -> (Self, Opened, Collected) {
        let Self { store, kind } = self;
        store.close();
        drop(store);
        let (opened, collected) = match &kind {
            Kind::Sqlite(folder) => open_folder(folder.path()),
            Kind::Postgres(database) => open_database(database),
            Kind::Memory(_) => panic!("a store in memory is not opened again"),
        };
        (Self { store: Arc::clone(&opened.store), kind }, opened, collected)
    }

    async fn append(&self, after: JournalOffset, record: Record) -> JournalOffset {
        self.store.append(after, Arc::new(record)).await.unwrap()
    }

    /// A game with so many moves.
    async fn play(&self, id: GameId, moves: Seq) -> JournalOffset {
        let mut offset = self.append(JournalOffset::NONE, started(id)).await;
        for seq in 2..=moves + 1 {
            offset = self.append(offset, moved(id, seq)).await;
        }
        offset
    }

    async fn records(&self, id: GameId, from: Seq) -> Vec<Record> {
        let tail = self.store.tail(id, from).await.unwrap();
        tail.records.iter().map(|record| Record::clone(record)).collect()
    }
}

fn name(text: &str) -> PlayerName {
    text.parse().unwrap()
}

async fn an_append_names_the_record_that_it_follows(subject: Subject) {
    let first = subject.append(JournalOffset::NONE, started(game(1))).await;
    let second = subject.append(first, moved(game(1), 2)).await;
    assert!(second > first && first > JournalOffset::NONE);
    for (after, record) in [(JournalOffset::NONE, started(game(1))), (first, moved(game(1), 2))] {
        let answer = subject.store.append(after, Arc::new(record)).await;
        assert_eq!(answer, Err(AppendError::Conflict), "after {after:?}");
    }
    let unknown_game = subject.store.append(first, Arc::new(moved(game(2), 2))).await;
    assert_eq!(unknown_game, Err(AppendError::Conflict));
    assert_eq!(subject.records(game(1), 1).await, [started(game(1)), moved(game(1), 2)]);
    assert_eq!(subject.store.tail(game(1), 3).await.unwrap().last, second);
    assert_eq!(subject.store.tail(game(2), 1).await.unwrap().last, JournalOffset::NONE);
}

async fn an_append_whose_answer_is_dropped_is_written(subject: Subject) {
    drop(subject.store.append(JournalOffset::NONE, Arc::new(started(game(1)))));
    subject.store.flush().await.unwrap();
    assert_eq!(subject.records(game(1), 1).await, [started(game(1))]);
}

async fn a_delayed_append_shows_nothing_before_it_is_answered(subject: Subject) {
    let first = subject.append(JournalOffset::NONE, started(game(1))).await;
    let release = subject.hold();
    let mut append = subject.store.append(first, Arc::new(moved(game(1), 2)));
    assert!(tokio::time::timeout(A_WHILE, &mut append).await.is_err());
    assert_eq!(subject.records(game(1), 2).await, []);
    release();
    append.await.unwrap();
    assert_eq!(subject.records(game(1), 2).await, [moved(game(1), 2)]);
}

async fn after_an_unknown_append_the_tail_tells(subject: Subject) {
    let first = subject.append(JournalOffset::NONE, started(game(1))).await;
    let subject = subject.append_into_the_unknown(first, moved(game(1), 2)).await;
    let tail = subject.store.tail(game(1), 2).await.unwrap();
    assert_eq!(tail.records.len(), 0, "this one was lost");
    assert!(tail.last >= first, "it may have been claimed");
    subject.append(tail.last, moved(game(1), 2)).await;
}

async fn a_game_is_the_same_live_carried_and_ended(subject: Subject) {
    for number in 1..=3 {
        let offset = subject.play(game(number), 30).await;
        assert_eq!(subject.records(game(number), 30).await, [30, 31].map(|seq| moved(game(number), seq)));
        if number != 2 {
            subject.append(offset, ended(game(number), 32)).await;
        }
    }
    for number in [1, 3] {
        let tail = subject.store.tail(game(number), 1).await.unwrap();
        assert!(tail.has_ended());
        let sizes = tail.records.iter().map(|record| record.first_seq).collect::<Vec<_>>();
        assert_eq!(sizes, (1..=32).collect::<Vec<_>>());
        assert_eq!(subject.records(game(number), 32).await, [ended(game(number), 32)]);
    }
}

async fn a_game_at_rest_is_read_and_takes_nothing_until_it_is_woken(subject: Subject) {
    let (store, mark) = (Arc::clone(&subject.store), rest_mark());
    let last = subject.play(game(1), 3).await;
    assert_eq!(
        store.rest(game(1), JournalOffset::NONE, mark, AT).await,
        Ok(false),
        "not after its last record"
    );
    assert_eq!(store.rest(game(2), JournalOffset::NONE, mark, AT).await, Ok(false), "it is not there");
    assert_eq!(store.rest(game(1), last, mark, AT).await, Ok(true));
    assert_eq!(store.rest(game(1), last, mark, AT).await, Ok(false), "it rests");
    assert_eq!(subject.records(game(1), 3).await, [3, 4].map(|seq| moved(game(1), seq)));
    assert_eq!(store.tail(game(1), 9).await.unwrap().last, last);
    let append = store.append(last, Arc::new(moved(game(1), 5))).await;
    assert_eq!(append, Err(AppendError::Conflict));

    let woken = store.wake(game(1), AT + A_WHILE).await.unwrap().unwrap();
    assert_eq!((woken.records.len(), woken.offset, woken.mark), (4, last, mark));
    assert_eq!(woken.rested, Micros(A_WHILE.as_micros() as u64));
    assert_eq!(store.wake(game(1), AT + A_WHILE).await, Ok(None), "it is awake");
    subject.append(last, moved(game(1), 5)).await;
    assert_eq!(subject.records(game(1), 1).await.len(), 5);
}

async fn games_at_rest_are_due_in_their_order(subject: Subject) {
    for (number, since) in [(1, 30), (2, 10), (3, 20)] {
        let last = subject.play(game(number), 1).await;
        let at = AT + Duration::from_secs(since);
        assert_eq!(subject.store.rest(game(number), last, rest_mark(), at).await, Ok(true));
    }
    // Each has an hour.
    let due = async |after: u64, most: usize| {
        let until = AT + Duration::from_secs(3_600 + after);
        subject.store.due_games(until, most).await.unwrap()
    };
    assert_eq!(due(9, 9).await, []);
    assert_eq!(due(20, 9).await, [game(2), game(3)]);
    assert_eq!(due(99, 2).await, [game(2), game(3)]);
    subject.store.wake(game(2), AT).await.unwrap();
    assert_eq!(due(99, 9).await, [game(3), game(1)]);
}

async fn an_account_is_proved_by_its_token_until_that_is_revoked(subject: Subject) {
    let (store, token) = (&subject.store, TokenDigest([7; 32]));
    store.create_account(ALICE, NewToken::shown(token, 5)).await.unwrap();
    let alice = Some(Person::guest(ALICE));
    let proved = store.account_by_token(token).await.unwrap();
    assert_eq!(proved.map(|proved| proved.person), alice);
    assert_eq!(store.account_by_token(TokenDigest([8; 32])).await, Ok(None));
    assert_eq!(store.account(ALICE).await, Ok(alice));
    assert_eq!(store.account(BOB).await, Ok(None));
    assert_eq!(store.revoke_tokens(BOB, Which::One(token)).await, Ok(Vec::new()), "it is not Bob's");
    assert_eq!(store.revoke_tokens(ALICE, Which::One(token)).await, Ok(vec![token]));
    assert_eq!(store.account_by_token(token).await, Ok(None));
    assert_eq!(store.account(ALICE).await, Ok(alice), "the account stays");
}

async fn a_name_has_one_account_and_an_account_one_name(subject: Subject) {
    let store = &subject.store;
    for (account, token) in [(ALICE, 1), (BOB, 2)] {
        store.create_account(account, NewToken::shown(TokenDigest([token; 32]), 5)).await.unwrap();
    }
    let first = store.rename(ALICE, name("Castle"), 0).await.unwrap().unwrap();
    assert_eq!(store.rename(BOB, name("CASTLE"), 0).await, Ok(None), "it is taken");
    let second = store.rename(ALICE, name("castle"), 0).await.unwrap().unwrap();
    assert!(second.number > first.number, "the case may change");
    let alice = Some(Person { name: Some(name("castle")), ..Person::guest(ALICE) });
    assert_eq!(Some(second.person), alice);
    assert_eq!(store.account_by_name(name("CastlE")).await, Ok(alice));
    let proved = store.account_by_token(TokenDigest([1; 32])).await.unwrap();
    assert_eq!(proved.map(|proved| proved.person), alice);
    store.rename(ALICE, name("Bishop"), 0).await.unwrap().unwrap();
    assert_eq!(store.account_by_name(name("Castle")).await, Ok(None));
    assert!(store.rename(BOB, name("Castle"), 0).await.unwrap().is_some(), "it is free again");
}

async fn names_are_found_by_their_beginning_in_their_order(subject: Subject) {
    let store = &subject.store;
    for (n, text) in
        ["castle", "Castor", "CAST-8", "Cast_9", "cat", "Bishop", "Caste"].into_iter().enumerate()
    {
        let account = AccountId::from_u128(900 + n as u128);
        let token = NewToken::shown(TokenDigest([n as u8; 32]), 5);
        store.create_account(account, token).await.unwrap();
        store.rename(account, name(text), 0).await.unwrap().unwrap();
    }
    let found = async |prefix: &str, most: usize| {
        let people = store.accounts_by_prefix(name(prefix), most).await.unwrap();
        people.into_iter().map(|person| person.name.unwrap().as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("cASt", 8).await, ["CAST-8", "Cast_9", "Caste", "castle", "Castor"]);
    assert_eq!(found("cast", 2).await, ["CAST-8", "Cast_9"], "the first ones");
    assert_eq!(found("castle", 8).await, ["castle"], "a whole name too");
    assert_eq!(found("castles", 8).await, [""; 0]);
}

/// Registers an account that is a guest.
async fn register(store: &Arc<dyn Store>, account: AccountId, text: &str) -> Changed {
    let token = NewToken::shown(TokenDigest([9; 32]), 5);
    let password = PasswordHash("hash".to_owned());
    let registration = Registration {
        account,
        is_new: false,
        name: name(text),
        password,
        token,
        replaces: None,
        ended: None,
    };
    let registered = store.register(registration).await.unwrap();
    let Registered::As(changed, _) = registered else { panic!("{registered:?}") };
    changed
}

async fn a_kind_is_of_the_account_whatever_its_name_and_later_changes_have_higher_numbers(subject: Subject) {
    let store = &subject.store;
    store.create_account(ALICE, NewToken::shown(TokenDigest([1; 32]), 5)).await.unwrap();
    let named = store.rename(ALICE, name("Castle"), 0).await.unwrap().unwrap();
    let registered = register(store, ALICE, "Castle").await;
    let BotMade::As(bot) = store.make_bot(ALICE).await.unwrap() else { panic!("no bot") };
    let alice = Person { account: ALICE, kind: AccountKind::Bot, name: Some(name("Castle")) };
    assert_eq!(bot.person, alice);
    let again = store.rename(ALICE, name("Rook"), 0).await.unwrap().unwrap();
    let alice = Person { name: Some(name("Rook")), ..alice };
    assert_eq!(again.person, alice);
    let numbers = [named, registered, bot, again].map(|changed| changed.number);
    assert!(numbers.is_sorted_by(|one, other| one < other), "{numbers:?}");
    for found in [store.account(ALICE), store.account_by_name(name("rook"))] {
        assert_eq!(found.await, Ok(Some(alice)));
    }
}

/// The standings of an account in blitz, the only category of these games.
async fn standing(store: &Arc<dyn Store>, account: AccountId) -> Option<Standing> {
    let standings = store.standings(account).await.unwrap();
    assert!(standings.len() <= 1, "{standings:?}");
    standings.first().map(|(category, standing)| {
        assert_eq!(*category, Category::Blitz);
        *standing
    })
}

async fn a_rated_game_changes_both_ratings_with_its_last_record(subject: Subject) {
    let store = Arc::clone(&subject.store);
    let mut offset = subject.append(JournalOffset::NONE, started_rated(game(1))).await;
    for seq in [2, 3] {
        offset = subject.append(offset, moved(game(1), seq)).await;
    }
    assert_eq!((standing(&store, ALICE).await, store.rating_changes(game(1)).await), (None, Ok(None)));
    let end = ended(game(1), 4);
    let after = subject.append(offset, end.clone()).await;
    let again = store.append(offset, Arc::new(end)).await;
    assert_eq!(again, Err(AppendError::Conflict), "the end comes once, after {after:?}");

    let changes = store.rating_changes(game(1)).await.unwrap().unwrap();
    let (alice, bob) = (standing(&store, ALICE).await.unwrap(), standing(&store, BOB).await.unwrap());
    assert_eq!((alice.rating, bob.rating), (changes.white.after, changes.black.after));
    assert_eq!((alice.games, alice.number, bob.games), (1, 1, 1));
    assert!(changes.white.after.points > changes.white.before.points, "White has won");
    assert!(changes.black.after.points < changes.black.before.points);
    let [event] = store.rating_history(BOB, Category::Blitz, None, 9).await.unwrap()[..] else {
        panic!("one")
    };
    assert_eq!((event.game, event.opponent, event.points), (game(1), ALICE, Some(Points::Loss)));
    assert_eq!((event.change, event.opponent_rating), (changes.black, changes.white.before));
    assert_eq!(event.standing(), bob);
    store.create_account(ALICE, NewToken::shown(TokenDigest([1; 32]), 5)).await.unwrap();
    register(&store, ALICE, "Castle").await;
    assert_eq!(store.make_bot(ALICE).await, Ok(BotMade::HasRatedGames));
}

async fn a_game_that_does_not_count_changes_no_rating(subject: Subject) {
    let over = subject.play(game(1), 9).await;
    subject.append(over, ended(game(1), 11)).await;
    let short = subject.append(JournalOffset::NONE, started_rated(game(2))).await;
    let short = subject.append(short, moved(game(2), 2)).await;
    subject.append(short, ended(game(2), 3)).await;
    for id in [game(1), game(2), game(3)] {
        assert_eq!(subject.store.rating_changes(id).await, Ok(None));
    }
    assert_eq!(standing(&subject.store, ALICE).await, None);
}

async fn the_history_of_a_rating_is_read_from_its_end(subject: Subject) {
    for number in 1..=5 {
        let mut offset = subject.append(JournalOffset::NONE, started_rated(game(number))).await;
        for seq in [2, 3] {
            offset = subject.append(offset, moved(game(number), seq)).await;
        }
        subject.append(offset, ended(game(number), 4)).await;
    }
    let store = &subject.store;
    let page = async |before, most| store.rating_history(ALICE, Category::Blitz, before, most).await.unwrap();
    let newest = page(None, 2).await;
    assert_eq!(newest.iter().map(|event| event.game).collect::<Vec<_>>(), [game(5), game(4)]);
    let older = page(Some(newest[1].number), 9).await;
    assert_eq!(older.iter().map(|event| event.number).collect::<Vec<_>>(), [3, 2, 1]);
    let all = [newest, older].concat();
    for pair in all.windows(2) {
        let (later, earlier) = (pair[0].change.before, pair[1].change.after);
        assert_eq!((later.points, later.volatility), (earlier.points, earlier.volatility));
        assert!(later.deviation >= earlier.deviation, "it grows between games");
    }
    assert_eq!(store.rating_history(ALICE, Category::Rapid, None, 9).await, Ok(Vec::new()));
}

/// A store in memory says that nothing survives: [`Subject::restart`].
async fn what_survives_a_restart(subject: Subject) {
    let store = &subject.store;
    store.create_account(ALICE, NewToken::shown(TokenDigest([1; 32]), 5)).await.unwrap();
    store.rename(ALICE, name("Castle"), 0).await.unwrap();
    register(store, ALICE, "Castle").await;
    store.make_bot(ALICE).await.unwrap();
    let alice = Person { account: ALICE, kind: AccountKind::Bot, name: Some(name("Castle")) };
    store.create_account(BOB, NewToken::shown(TokenDigest([2; 32]), 5)).await.unwrap();
    let bob = Person::guest(BOB);
    let block = Block { by: ALICE, whom: BOB };
    for kept in [block, Block { by: BOB, whom: ALICE }, block] {
        store.block(kept).await.unwrap();
    }
    let report = |about, text: &str| Report {
        number: 0,
        at_unix_ms: 1_000,
        by: Some(BOB),
        about,
        game: Some(game(9)),
        reason: "spam".to_owned(),
        text: text.to_owned(),
        lines: "[{\"n\":3}]".to_owned(),
        handled_unix_ms: None,
    };
    assert_eq!(store.add_report(report(ALICE, "one")).await, Ok(Some(1)));
    assert_eq!(store.add_report(report(ALICE, "two")).await, Ok(Some(2)));
    assert_eq!(store.handle_report(1, 2_000).await, Ok(true));
    assert_eq!(store.handle_report(1, 3_000).await, Ok(false));
    assert_eq!(store.handle_report(9, 3_000).await, Ok(false));
    assert_eq!(store.handle_report(u64::MAX, 3_000).await, Ok(false));
    let second = Report { number: 2, ..report(ALICE, "two") };
    assert_eq!(store.waiting_reports(9).await, Ok(vec![second.clone()]));
    // What was handled long ago goes with the next one.
    let late = Report { at_unix_ms: 2_000 + HANDLED_KEPT_MS, ..report(ALICE, "three") };
    assert_eq!(store.add_report(late.clone()).await, Ok(Some(3)));
    let reports = vec![second, Report { number: 3, ..late }];
    assert_eq!(store.reports_by(BOB).await, Ok(reports.clone()));
    store.unblock(Block { by: BOB, whom: ALICE }).await.unwrap();
    store.set_challenge_rules(ALICE, "{\"from\":\"nobody\"}".to_owned()).await.unwrap();
    for settings in ["{\"board\":\"blue\"}", "{\"board\": \"green\"}"] {
        store.set_settings(ALICE, settings.to_owned()).await.unwrap();
        assert_eq!(store.settings(ALICE).await.unwrap().as_deref(), Some(settings));
    }
    assert_eq!(store.settings(BOB).await, Ok(None));
    let [played, accepted, open, closed] = [1, 2, 3, 4].map(ChallengeId::from_random);
    let challenge = |challenge| OpenChallenge {
        challenge,
        owner: alice,
        terms: "{}".to_owned(),
        rematch_of: Some(game(9)),
        accepted_by: None,
        until_unix_ms: 1_800_000_000_000,
    };
    for id in [played, accepted, open, closed] {
        store.open_challenge(challenge(id)).await.unwrap();
    }
    let accepted =
        OpenChallenge { accepted_by: Some(bob), until_unix_ms: 1_900_000_000_000, ..challenge(accepted) };
    store.open_challenge(accepted.clone()).await.unwrap();
    store.close_challenge(closed).await.unwrap();
    // The first record of a game removes the challenge with the game's id.
    let offset = subject.play(GameId::from(played), 2).await;
    let over = subject.play(game(4), 0).await;
    subject.append(over, ended(game(4), 2)).await;
    let mut rated = subject.append(JournalOffset::NONE, started_rated(game(5))).await;
    for seq in [2, 3] {
        rated = subject.append(rated, moved(game(5), seq)).await;
    }
    subject.append(rated, ended(game(5), 4)).await;
    let (stands, changes) = (standing(store, ALICE).await, store.rating_changes(game(5)).await);
    assert!(stands.is_some());

    let Some((subject, opened, collected)) = subject.restart() else { return };
    assert_eq!(opened.epoch, epoch(1));
    assert_eq!(opened.challenges, [accepted, challenge(open)], "in the order of making");
    assert_eq!((opened.found.set_aside, opened.blocks), (Vec::new(), vec![block]));
    assert_eq!(subject.store.reports_by(BOB).await, Ok(reports));
    let rules = subject.store.challenge_rules(ALICE).await.unwrap();
    assert_eq!(rules.as_deref(), Some("{\"from\":\"nobody\"}"));
    let settings = subject.store.settings(ALICE).await.unwrap();
    assert_eq!(settings.as_deref(), Some("{\"board\": \"green\"}"), "as they were written");
    let [found] = opened.found.live[..] else { panic!("{:?}", opened.found.live) };
    assert_eq!(found.game, GameId::from(played));
    assert!(found.offset >= offset, "it may have been claimed");
    assert_eq!(collected.0[&GameId::from(played)].len(), 3);
    assert_eq!(subject.records(game(4), 1).await.len(), 2);
    assert_eq!(standing(&subject.store, ALICE).await, stands);
    assert_eq!(subject.store.rating_changes(game(5)).await, changes);
    let proved = subject.store.account_by_token(TokenDigest([1; 32])).await.unwrap();
    assert_eq!(proved.map(|proved| proved.person), Some(alice));
    subject.append(found.offset, moved(GameId::from(played), 4)).await;
}

async fn a_closed_store_takes_nothing_that_must_last(subject: Subject) {
    let first = subject.append(JournalOffset::NONE, started(game(1))).await;
    if let Kind::Memory(_) = &subject.kind {
        return;
    }
    subject.store.close();
    let append = subject.store.append(first, Arc::new(moved(game(1), 2))).await;
    assert!(matches!(append, Err(AppendError::Failed(_))), "{append:?}");
    assert!(subject.store.flush().await.is_err());
    assert!(subject.store.account(ALICE).await.is_err());
}

over_every_store! {
    an_append_names_the_record_that_it_follows
    an_append_whose_answer_is_dropped_is_written
    a_delayed_append_shows_nothing_before_it_is_answered
    after_an_unknown_append_the_tail_tells
    a_game_is_the_same_live_carried_and_ended
    a_game_at_rest_is_read_and_takes_nothing_until_it_is_woken
    games_at_rest_are_due_in_their_order
    an_account_is_proved_by_its_token_until_that_is_revoked
    a_name_has_one_account_and_an_account_one_name
    names_are_found_by_their_beginning_in_their_order
    a_kind_is_of_the_account_whatever_its_name_and_later_changes_have_higher_numbers
    a_rated_game_changes_both_ratings_with_its_last_record
    a_game_that_does_not_count_changes_no_rating
    the_history_of_a_rating_is_read_from_its_end
    what_survives_a_restart
    a_closed_store_takes_nothing_that_must_last
}
