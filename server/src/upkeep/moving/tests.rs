//! A folder that has some of everything, before and after it is moved.

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;
use zeitnot_protocol::{AccountId, ChallengeId, GameId, Scope, Scopes};
use zeitnot_rules::game::{Category, Micros};
use zeitnot_rules::verdict::Score;
use zeitnot_test_servers::TestDatabase;

use super::{MoveError, move_in};
use crate::entropy::Entropy;
use crate::ratings::Glicko;
use crate::storage::postgres::{ClusterUrl, OpenError};
use crate::storage::sqlite::{self, database_in};
use crate::storage::tests::samples::{
    Collected, ended, epoch, game, moved, rest_mark, started, started_rated,
};
use crate::storage::{
    self, AuditEntry, Block, CodeDigest, Correction, Cut, FactorSecret, Grant, JournalOffset, Location, Mute,
    NewToken, Nodes, OpenChallenge, Opened, PasswordHash, Record, Registration, Report, Search, Store,
    TokenDigest, TokenKind, TurnTime,
};
use crate::time::{ServiceClock, ServiceInstant};

const ALICE: AccountId = AccountId::from_u128(1);
const BOB: AccountId = AccountId::from_u128(2);
const CAROL: AccountId = AccountId::from_u128(3);
const DAVE: AccountId = AccountId::from_u128(4);
const EVERYBODY: [AccountId; 4] = [ALICE, BOB, CAROL, DAVE];
/// Games that have ended, one that is live, one whose turn stands, and two at rest.
const GAMES: u128 = 8;
const LIVE: u128 = 5;
const STANDS: u128 = 6;
const RESTS: u128 = 7;
const SPENT: Micros = Micros::from_secs(5);
/// How far apart two games come to rest.
const APART_US: u64 = 600_000_000;
const HOUR_US: u64 = 3_600_000_000;

fn open(location: Location<'_>) -> (Opened, Collected) {
    let (clock, mut collected) = (ServiceClock::start().unwrap(), Collected::default());
    let opened = storage::open(location, &Glicko, &clock, epoch(1), &mut collected).unwrap();
    (opened, collected)
}

fn url(database: &TestDatabase) -> ClusterUrl {
    database.url().parse().unwrap()
}

fn open_database(database: &TestDatabase) -> (Opened, Collected) {
    open(Location::Database(&url(database), Entropy::from_os().node_boot(), Nodes::One))
}

fn import(folder: &Path, database: &TestDatabase) -> Result<String, MoveError> {
    let boot = Entropy::from_os().node_boot();
    let moving = || move_in(folder, &url(database), boot, &mut Collected::default());
    // It blocks, as the program does then.
    let moved = std::thread::scope(|scope| scope.spawn(moving).join().unwrap());
    moved.map(|moved| moved.to_string())
}

fn token(number: u8, kind: TokenKind, grant: Grant) -> NewToken {
    let label = format!("Browser {number}");
    NewToken { digest: TokenDigest([number; 32]), kind, made_unix_ms: 8_640_000_005, label, grant }
}

fn registration(account: AccountId, name: &str, number: u8) -> Registration {
    let token = token(number, TokenKind::Session, Grant::SESSION);
    let (name, password) = (name.parse().unwrap(), PasswordHash(format!("hash of {number}")));
    Registration { account, is_new: true, name, password, token, replaces: None, ended: None }
}

/// Accounts of all kinds, and all that is kept about them.
async fn people(store: &Arc<dyn Store>) {
    store.register(registration(ALICE, "Alice", 1)).await.unwrap();
    store.create_account(BOB, token(2, TokenKind::Session, Grant::SESSION)).await.unwrap();
    store.rename(BOB, "Bob".parse().unwrap(), 100).await.unwrap().unwrap();
    store.register(registration(CAROL, "Carol", 3)).await.unwrap();
    store.make_bot(CAROL).await.unwrap();
    store.register(registration(DAVE, "Dave", 4)).await.unwrap();
    store.close_account(DAVE, None).await.unwrap().unwrap();
    let grant = Grant { scopes: Scopes::NONE.with(Scope::Play), until_unix_ms: Some(9_000_000_000) };
    store.keep_api_token(ALICE, token(5, TokenKind::Api, grant)).await.unwrap();
    store.note_use(ALICE, TokenDigest([1; 32]), 105).await.unwrap();
    store.set_recovery_codes(ALICE, vec![CodeDigest([6; 32]), CodeDigest([7; 32])]).await.unwrap();
    store.set_reset_code(CAROL, CodeDigest([8; 32]), 9_000_000_000).await.unwrap();
    store.begin_second_factor(ALICE, FactorSecret([9; 20])).await.unwrap();
    store.use_second_factor(ALICE, FactorSecret([9; 20]), 7, 70).await.unwrap();
    store.begin_second_factor(CAROL, FactorSecret([10; 20])).await.unwrap();
    store.grant_admin(ALICE, 9).await.unwrap();
    for at_unix_ms in [1, 2] {
        let entry = AuditEntry { at_unix_ms, by: "console".to_owned(), act: "{\"a\":1}".to_owned() };
        store.note_act(entry).await.unwrap();
    }
    store.mute(Mute { account: BOB, until_unix_ms: 99 }, 1).await.unwrap();
    store.cut(Cut { network: "192.0.2.0/24".to_owned(), until_unix_ms: 99 }, 1).await.unwrap();
    store.block(Block { by: ALICE, whom: BOB }).await.unwrap();
    store.set_challenge_rules(ALICE, "{\"from\":\"nobody\"}".to_owned()).await.unwrap();
    store.set_settings(BOB, "{\"board\":\"blue\"}".to_owned()).await.unwrap();
    for (text, about, of) in [("one", ALICE, Some(game(1))), ("zwei – 二", CAROL, None)] {
        let report = Report {
            number: 0,
            at_unix_ms: 1_000,
            by: Some(BOB),
            about,
            game: of,
            reason: "spam".to_owned(),
            text: text.to_owned(),
            lines: "[]".to_owned(),
            handled_unix_ms: None,
        };
        store.add_report(report).await.unwrap().unwrap();
    }
    store.handle_report(1, 2_000).await.unwrap();
    let (alice, bob) = (store.account(ALICE).await.unwrap().unwrap(), store.account(BOB).await.unwrap());
    for (number, accepted_by, rematch_of) in [(1, None, None), (2, bob, Some(game(2)))] {
        let challenge = OpenChallenge {
            challenge: ChallengeId::from_random(number),
            owner: alice,
            terms: "{}".to_owned(),
            rematch_of,
            accepted_by,
            until_unix_ms: 1_800_000_000_000,
        };
        store.open_challenge(challenge).await.unwrap();
    }
}

/// Plays a game to its fourth record.
async fn play(store: &Arc<dyn Store>, first: Record) -> JournalOffset {
    let id = first.game;
    let mut after = store.append(JournalOffset::NONE, Arc::new(first)).await.unwrap();
    for seq in 2..=4 {
        after = store.append(after, Arc::new(moved(id, seq))).await.unwrap();
    }
    after
}

/// Games in every state.
async fn games(store: &Arc<dyn Store>) {
    for number in 1..=4 {
        let first = if number <= 3 { started_rated(game(number)) } else { started(game(number)) };
        let last = play(store, first).await;
        store.append(last, Arc::new(ended(game(number), 5))).await.unwrap();
    }
    for (number, score) in [(1, Score::BlackWins), (4, Score::Draw), (1, Score::Draw)] {
        store.correct(game(number), Correction { score, at_unix_ms: 1_763_000_100_000 }).await.unwrap();
    }
    for number in LIVE..=GAMES {
        let last = play(store, started(game(number))).await;
        if number >= RESTS {
            let at = ServiceInstant(APART_US * number as u64);
            assert_eq!(store.rest(game(number), last, rest_mark(), at).await, Ok(true));
        }
    }
    for number in [LIVE, STANDS] {
        store.note_turn(game(number), TurnTime::Stands { spent: SPENT });
    }
    store.flush().await.unwrap();
}

/// All that the trait says of an account, as text.
async fn about(store: &Arc<dyn Store>, account: AccountId) -> Vec<String> {
    let mut said = vec![
        format!("{:?}", store.account(account).await.unwrap()),
        format!("{:?}", store.tokens(account).await.unwrap()),
        format!("{:?}", store.credential(account).await.unwrap()),
        format!(
            "{:?}",
            store.credential(account).await.unwrap().and_then(|found| found.password).map(|hash| hash.0)
        ),
        format!("{:?}", store.facts(account).await.unwrap()),
        format!("{:?}", store.is_admin(account).await.unwrap()),
        format!("{:?}", store.challenge_rules(account).await.unwrap()),
        format!("{:?}", store.settings(account).await.unwrap()),
        format!("{:?}", store.reports_by(account).await.unwrap()),
        format!("{:?}", store.standings(account).await.unwrap()),
    ];
    let factor = store.second_factor(account).await.unwrap();
    said.push(format!("{:?}", factor.map(|factor| (factor.secret.0, factor.set_unix_ms, factor.used_step))));
    for category in Category::ALL {
        said.push(format!("{:?}", store.rating_history(account, category, None, 99).await.unwrap()));
    }
    for code in 6..=8 {
        for at in [0, 9_000_000_000] {
            said.push(format!(
                "{:?}",
                store.has_recovery_code(account, CodeDigest([code; 32]), at).await.unwrap()
            ));
        }
    }
    said
}

/// All that the trait says.
async fn everything(opened: &Opened) -> Vec<String> {
    let store = &opened.store;
    let mut said = Vec::new();
    for account in EVERYBODY {
        said.extend(about(store, account).await);
    }
    for number in 1..=5 {
        said.push(format!("{:?}", store.account_by_token(TokenDigest([number; 32])).await.unwrap()));
    }
    for number in 1..=GAMES + 1 {
        let tail = store.tail(game(number), 1).await.unwrap();
        said.push(format!("{:?} {:?}", tail.records, tail.correction));
        said.push(format!("{:?}", store.rating_changes(game(number)).await.unwrap()));
    }
    said.push(format!("{:?}", store.acts(9).await.unwrap()));
    said.push(format!("{:?}", store.waiting_reports(9).await.unwrap()));
    let of_alice = Search { player: Some(storage::Who::Account(ALICE)), ..Search::default() };
    for search in [Search::default(), of_alice] {
        said.push(format!("{:?}", store.search(search.clone(), None, 9).await.unwrap()));
        said.push(format!("{:?}", store.count(search).await.unwrap()));
    }
    let Opened { found, challenges, restrictions, blocks, .. } = opened;
    let live: Vec<_> = found.live.iter().map(|found| (found.game, found.spent)).collect();
    said.push(format!("{live:?} {:?} {:?}", found.resting, found.set_aside));
    said.push(format!("{challenges:?} {restrictions:?} {blocks:?}"));
    said
}

async fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (opened, _) = open(Location::Folder(folder.path()));
    people(&opened.store).await;
    games(&opened.store).await;
    opened.store.close();
    drop(opened);
    // A game that was set aside at an earlier start.
    let sql = "INSERT INTO set_aside VALUES (1, x'00ff', 1, x'0102')";
    sqlite::connect(&database_in(folder.path())).unwrap().execute_batch(sql).unwrap();
    folder
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_folder_is_the_same_in_postgresql_and_its_games_go_on() {
    let (folder, database) = (folder().await, TestDatabase::new());
    let (opened, live_before) = open(Location::Folder(folder.path()));
    let before = everything(&opened).await;
    opened.store.close();
    drop(opened);

    let said = import(folder.path(), &database).unwrap();
    for line in
        ["accounts: 4", "tokens: 4", "finished games: 4", "live games: 2", "games at rest: 2", "reports: 2"]
    {
        assert!(said.lines().any(|said| said == line), "{line}: {said}");
    }
    assert_eq!(database.sql("SELECT game, seq, record FROM set_aside"), "\\x00ff|1|\\x0102");
    let (opened, live_after) = open_database(&database);
    for (before, after) in before.iter().zip(everything(&opened).await) {
        assert_eq!(*before, after);
    }
    assert_eq!(live_before, live_after);

    let (store, found) = (&opened.store, &opened.found.live[..]);
    let live = found.iter().find(|found| found.game == game(LIVE)).unwrap();
    assert_eq!((live.offset, live.spent), (JournalOffset(5), SPENT), "its four records, and the claim");
    let fifth = store.append(live.offset, Arc::new(moved(game(LIVE), 5))).await.unwrap();
    store.append(fifth, Arc::new(ended(game(LIVE), 6))).await.unwrap();
    assert!(store.tail(game(LIVE), 1).await.unwrap().has_ended());
    let woken = store.wake(game(RESTS), ServiceInstant(60_000_000)).await.unwrap().unwrap();
    assert_eq!((woken.offset, woken.mark), (JournalOffset(4), rest_mark()));
    let newest = store.search(Search::default(), None, 9).await.unwrap();
    let order: Vec<_> = newest.games.iter().map(|found| found.game).collect();
    assert_eq!(order, [LIVE, 4, 3, 2, 1].map(game), "ends go on where they were");
    let report = store.reports_by(BOB).await.unwrap().remove(0);
    assert_eq!(store.add_report(report).await, Ok(Some(3)), "and so do numbers");
}

/// When the first game at rest is due, and what its turn has taken there when it is woken a minute after the start.
async fn rested(store: &Arc<dyn Store>) -> (Vec<GameId>, Micros) {
    // The next one is not due for as long again, however long the process before this one took.
    let at = APART_US * RESTS as u64 + HOUR_US + APART_US / 10;
    let due = store.due_games(ServiceInstant(at), 9).await.unwrap();
    let woken = store.wake(game(RESTS), ServiceInstant(at)).await.unwrap().unwrap();
    (due, woken.rested)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn turns_of_games_at_rest_go_on_in_postgresql_as_in_the_folder() {
    let (folder, copy, database) = (folder().await, tempfile::tempdir().unwrap(), TestDatabase::new());
    for file in std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
        std::fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
    }
    import(folder.path(), &database).unwrap();
    let (in_folder, _) = open(Location::Folder(copy.path()));
    let (in_database, _) = open_database(&database);
    let expected = rested(&in_folder.store).await;
    assert_eq!(expected.0, [game(RESTS)]);
    assert_eq!(rested(&in_database.store).await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn what_cannot_be_moved_into_postgresql_as_a_whole_is_not_moved() {
    let (folder, database) = (folder().await, TestDatabase::new());
    let (opened, _) = open(Location::Folder(folder.path()));
    let rejected = import(folder.path(), &database);
    assert!(matches!(rejected, Err(MoveError::Folder(sqlite::OpenError::InUse { .. }))), "{rejected:?}");
    opened.store.close();
    drop(opened);
    let rejected = import(Path::new("/nonexistent"), &database);
    assert!(matches!(rejected, Err(MoveError::NoDatabase(_))), "{rejected:?}");

    let change = |sql: &str| {
        let mut folder = sqlite::connect(&database_in(folder.path())).unwrap();
        sqlite::migrate(&mut folder, sqlite::STEPS).unwrap();
        folder.execute_batch(sql).unwrap();
    };
    change("UPDATE audit SET by = 'nobody'");
    let rejected = import(folder.path(), &database);
    assert!(matches!(rejected, Err(MoveError::Damaged(_))), "{rejected:?}");
    assert_eq!(database.sql("SELECT to_regclass('accounts') IS NULL"), "t", "nothing was begun");

    // PostgreSQL has no such text.
    change(
        "UPDATE audit SET by = 'console' || char(0), sum = row_sum(at_unix_ms, 'console' || char(0), act)",
    );
    let rejected = import(folder.path(), &database);
    assert!(matches!(rejected, Err(MoveError::Database(OpenError::Failed(_)))), "{rejected:?}");
    assert_eq!(database.sql("SELECT count(*) FROM accounts"), "0", "nothing is left of it");

    change("UPDATE audit SET by = 'console', sum = row_sum(at_unix_ms, 'console', act)");
    import(folder.path(), &database).unwrap();
    let rejected = import(folder.path(), &database);
    assert!(matches!(rejected, Err(MoveError::Database(OpenError::NotEmpty))), "{rejected:?}");
}
