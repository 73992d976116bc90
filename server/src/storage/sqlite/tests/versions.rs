//! A folder of an older version is taken forward with everything in it; names and rematches, which
//! version 1 could not have, are kept.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, params};
use tokio::sync::oneshot::Receiver;
use zeitnot_protocol::{AccountId, ChallengeId, GameId};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::{Event, PlayerName};

use super::harness::{Harness, ONE_SEGMENT, database, guest};
use crate::storage::damage_log::DamageLog;
use crate::storage::sqlite::game_rows::Segment;
use crate::storage::sqlite::requests::Request;
use crate::storage::sqlite::{accounts, archive, rollover, schema, search, search_index, tokens};
use crate::storage::{
    Changed, Grant, KeptToken, NewToken, OpenChallenge, Person, Proved, ReadError, Record, Search,
    TokenDigest, TokenKind, Who,
};
use crate::time::ServiceClock;

const ALICE: AccountId = AccountId::from_u128(7);
const BOB: AccountId = AccountId::from_u128(8);

/// A row as a version of the format shipped it.
fn golden(version: usize, name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/storage/encoding/golden");
    std::fs::read(folder.join(format!("v{version}")).join(name)).unwrap()
}

/// The game of the golden rows.
fn game() -> GameId {
    "4fzVq0aB9kLm".parse().unwrap()
}

/// A database as version 1 made it, with two accounts.
fn first_version(folder: &Path) -> Connection {
    older_version(folder, 1)
}

/// A database as an older version made it. From version 3 on its accounts have wrong checksums.
fn older_version(folder: &Path, version: usize) -> Connection {
    let mut connection = schema::connect(&database(folder)).unwrap();
    schema::migrate(&mut connection, &schema::STEPS[..version]).unwrap();
    rollover::create(&connection, Segment { number: 1, first_id: 1 }).unwrap();
    for (account, token, made) in [(ALICE, [9_u8; 32], 5), (BOB, [8; 32], 6)] {
        let id = account.as_u128().to_be_bytes();
        let sql = "INSERT INTO accounts (account, made_unix_ms) VALUES (?1, ?2)";
        connection.execute(sql, params![id, made]).unwrap();
        connection.execute("INSERT INTO tokens (hash, account) VALUES (?1, ?2)", params![token, id]).unwrap();
    }
    connection
}

fn version(connection: &Connection) -> i64 {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_live_game_and_a_challenge_of_version_1_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let connection = first_version(folder.path());
    let live = game();
    let row = params![1, live.as_bytes(), 1, golden(1, "started_online.bin")];
    connection.execute("INSERT INTO journal_1 VALUES (?1, ?2, ?3, ?4)", row).unwrap();
    let challenge = ChallengeId::from_random(3);
    let sql = "INSERT INTO challenges (challenge, owner, terms) VALUES (?1, ?2, '{}')";
    connection.execute(sql, params![challenge.as_bytes(), ALICE.as_u128().to_be_bytes()]).unwrap();
    drop(connection);

    let harness = Harness::on(folder, ONE_SEGMENT);
    assert_eq!(version(&harness.loaded.committer.connection), schema::STEPS.len() as i64);
    let Event::Started(setup) = &harness.collected.0[&game()][0].events[0] else { panic!("no start") };
    assert_eq!((setup.names, setup.by_lot), (ByColor::default(), false));
    let until_unix_ms = harness.loaded.challenges[0].until_unix_ms;
    let (day_ms, now_ms) = (86_400_000, crate::time::unix_now_ms());
    assert!((now_ms..=now_ms + day_ms).contains(&until_unix_ms), "it has a day from the start");
    let (owner, terms) = (guest(ALICE), "{}".to_owned());
    let kept = OpenChallenge { challenge, owner, terms, rematch_of: None, accepted_by: None, until_unix_ms };
    assert_eq!(harness.loaded.challenges, [kept]);
    let found = tokens::by_token(&harness.loaded.committer.connection, TokenDigest([9; 32])).unwrap();
    assert_eq!(found, Some(Proved { person: guest(ALICE), used_day: 0, grant: Grant::SESSION }));
}

/// An archived game of an older version, which wrote rows in this format: it is read, is among its players' games, and
/// stays as it is.
#[track_caller]
fn check_archived(version: usize, format: usize) {
    let folder = tempfile::tempdir().unwrap();
    let connection = older_version(folder.path(), version);
    let sql = "INSERT INTO archive (game, ended_unix_ms, white, black, score, reason, records) \
               VALUES (?1, 1, ?2, ?3, 1, 1, ?4)";
    let players = [BOB, ALICE].map(|account| account.as_u128().to_be_bytes());
    let (ended, row) = (game(), golden(format, "archived.bin"));
    connection.execute(sql, params![ended.as_bytes(), players[0], players[1], row]).unwrap();
    drop(connection);

    let mut harness = Harness::on(folder, ONE_SEGMENT);
    let first =
        harness.loaded.committer.connection.query_row("SELECT max(id) FROM archive", [], |row| row.get(0));
    assert_eq!(search_index::unindexed(&harness.loaded.committer.connection), first);
    assert!(harness.loaded.committer.has_work(harness.now));
    harness.pass(Duration::from_secs(1));
    harness.run(&mut Vec::new());
    let connection = &harness.loaded.committer.connection;
    assert_eq!(search_index::unindexed(connection), Ok(0));
    let records = archive::get(connection, game()).unwrap().unwrap().unwrap();
    assert_eq!(records.len(), 4);
    let damage = DamageLog::new(ServiceClock::start().unwrap(), ("a test", ""));
    for account in records_players(&records) {
        let search = Search { player: Some(Who::Account(account)), ..Search::default() };
        let found = search::page(connection, &search, None, 9).unwrap();
        let played = archive::games(connection, &damage, &search, &found.ids).unwrap();
        assert_eq!(played.iter().map(|played| played.game).collect::<Vec<_>>(), [game()]);
        assert_eq!(played[0].records, records);
    }
    let stored: Vec<u8> = connection.query_row("SELECT records FROM archive", [], |row| row.get(0)).unwrap();
    assert_eq!(stored, row);
}

/// Who played, by the records.
fn records_players(records: &[Arc<Record>]) -> [AccountId; 2] {
    let Event::Started(setup) = &records[0].events[0] else { panic!("no start") };
    [setup.players.white, setup.players.black].map(AccountId::from_u128)
}

#[test]
fn an_archived_game_of_version_1_is_read_and_is_among_its_players_games() {
    check_archived(1, 1);
}

#[test]
fn an_archived_game_of_version_2_is_read_and_is_among_its_players_games() {
    check_archived(2, 2);
}

#[test]
fn an_archived_game_of_version_5_is_read_and_is_among_its_players_games() {
    check_archived(5, 3);
}

#[test]
fn a_live_game_of_format_3_goes_on_as_a_casual_one() {
    let folder = tempfile::tempdir().unwrap();
    let connection = older_version(folder.path(), 5);
    let live = game();
    let row = params![1, live.as_bytes(), 1, golden(3, "started_by_lot.bin")];
    connection.execute("INSERT INTO journal_1 VALUES (?1, ?2, ?3, ?4)", row).unwrap();
    drop(connection);

    let harness = Harness::on(folder, ONE_SEGMENT);
    let Event::Started(setup) = &harness.collected.0[&game()][0].events[0] else { panic!("no start") };
    assert!(setup.by_lot && !setup.rated && setup.imported.is_none());
    assert_eq!((setup.ratings, setup.bots), (ByColor::default(), ByColor::default()));
}

fn naming(harness: &Harness, account: AccountId, name: &str) -> (Request, Receiver<Option<Changed>>) {
    let (shared, name) = (Arc::clone(&harness.loaded.committer.state.shared), name.parse().unwrap());
    Request::other(move |connection| accounts::rename(connection, &shared, account, name, 0))
}

/// Gives a name in a transaction of its own.
fn rename(harness: &mut Harness, account: AccountId, name: &str) -> Option<u64> {
    let (request, mut answered) = naming(harness, account, name);
    harness.run(&mut vec![request]);
    answered.try_recv().unwrap().map(|changed| changed.number)
}

#[test]
fn a_name_has_one_account_also_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    drop(first_version(folder.path()));
    let mut harness = Harness::on(folder, ONE_SEGMENT);
    assert_eq!(rename(&mut harness, ALICE, "Castle"), Some(1));
    assert_eq!(rename(&mut harness, BOB, "cASTLE"), None);
    assert_eq!(rename(&mut harness, ALICE, "castle"), Some(2), "its own in other letters");

    let mut harness = harness.crash();
    assert_eq!(rename(&mut harness, BOB, "CASTLE"), None);
    let name = |text: &str| text.parse::<PlayerName>().unwrap();
    let alice = Some(Person { name: Some(name("castle")), ..Person::guest(ALICE) });
    let connection = &harness.loaded.committer.connection;
    assert_eq!(accounts::get(connection, ALICE).unwrap(), alice);
    assert_eq!(accounts::by_name(connection, name("CastlE")).unwrap(), alice);
    assert_eq!(accounts::by_name(connection, name("Bishop")).unwrap(), None);

    rename(&mut harness, ALICE, "Bishop").unwrap();
    assert!(rename(&mut harness, BOB, "Castle").is_some(), "it is free again");
}

#[test]
fn a_name_that_is_taken_fails_alone_in_its_transaction() {
    let folder = tempfile::tempdir().unwrap();
    drop(first_version(folder.path()));
    let mut harness = Harness::on(folder, ONE_SEGMENT);
    let (mut requests, mut answers) = (Vec::new(), Vec::new());
    for (account, name) in [(ALICE, "Castle"), (BOB, "castle"), (BOB, "Bishop")] {
        let (request, answered) = naming(&harness, account, name);
        requests.push(request);
        answers.push(answered);
    }
    harness.run(&mut requests);
    let answers = answers.iter_mut().map(|answered| answered.try_recv().unwrap());
    let numbers = answers.map(|changed| changed.map(|changed| changed.number)).collect::<Vec<_>>();
    assert_eq!(numbers, [Some(1), None, Some(2)]);
}

#[test]
fn the_rows_of_an_older_folder_get_their_checksums_and_damage_to_them_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    drop(first_version(folder.path()));
    let harness = Harness::on(folder, ONE_SEGMENT);
    let connection = &harness.loaded.committer.connection;
    let name = |text: &str| text.parse::<PlayerName>().unwrap();
    assert_eq!(accounts::get(connection, ALICE), Ok(Some(guest(ALICE))));
    let (alice, bob) = (ALICE.as_u128().to_be_bytes(), BOB.as_u128().to_be_bytes());
    connection.execute("UPDATE accounts SET name = 'Castle' WHERE account = ?1", [alice]).unwrap();
    connection.execute("UPDATE tokens SET account = ?2 WHERE account = ?1", [bob, alice]).unwrap();
    let damaged = [accounts::get(connection, ALICE), accounts::by_name(connection, name("Castle"))];
    assert!(damaged.iter().all(|found| matches!(found, Err(ReadError::Damaged(_)))), "{damaged:?}");
    for token in [9, 8] {
        let found = tokens::by_token(connection, TokenDigest([token; 32]));
        assert!(matches!(found, Err(ReadError::Damaged(_))), "{found:?}");
    }
    assert_eq!(accounts::get(connection, BOB), Ok(Some(guest(BOB))));
    assert_eq!(tokens::by_token(connection, TokenDigest([7; 32])), Ok(None));
}

#[test]
fn the_accounts_of_version_4_are_guests_and_damage_to_one_is_not_hidden() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = older_version(folder.path(), 2);
    schema::migrate(&mut connection, &schema::STEPS[..4]).unwrap();
    let set = "UPDATE accounts SET name = ?2, name_sum = row_sum(account, ?3) WHERE account = ?1";
    for (account, name, summed) in [(ALICE, "Castle", "Castle"), (BOB, "Bishop", "Rook")] {
        connection.execute(set, params![account.as_u128().to_be_bytes(), name, summed]).unwrap();
    }
    drop(connection);
    let mut harness = Harness::on(folder, ONE_SEGMENT);
    let connection = &harness.loaded.committer.connection;
    let alice = Person { name: "Castle".parse().ok(), ..guest(ALICE) };
    assert_eq!(accounts::get(connection, ALICE), Ok(Some(alice)));
    assert!(matches!(accounts::get(connection, BOB), Err(ReadError::Damaged(_))));
    assert_eq!(rename(&mut harness, BOB, "Knight"), None, "a new sum would hide that the kind is not known");
}

#[test]
fn the_tokens_of_version_7_are_listed_with_the_day_of_their_account_and_damage_is_not_hidden() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = older_version(folder.path(), 2);
    schema::migrate(&mut connection, &schema::STEPS[..7]).unwrap();
    let bob = BOB.as_u128().to_be_bytes();
    connection.execute("UPDATE accounts SET sum = sum + 1 WHERE account = ?1", [bob]).unwrap();
    connection.execute("UPDATE tokens SET sum = sum + 1 WHERE account = ?1", [bob]).unwrap();
    drop(connection);
    let harness = Harness::on(folder, ONE_SEGMENT);
    let connection = &harness.loaded.committer.connection;
    let listed = tokens::list(connection, ALICE).unwrap();
    let expected = NewToken { kind: TokenKind::Session, ..NewToken::shown(TokenDigest([9; 32]), 5) };
    assert_eq!(listed, [KeptToken { token: expected, used_day: 0 }]);
    assert!(matches!(tokens::by_token(connection, TokenDigest([8; 32])), Err(ReadError::Damaged(_))));
    tokens::note_use(connection, ALICE, TokenDigest([9; 32]), 3).unwrap();
    tokens::note_use(connection, BOB, TokenDigest([8; 32]), 3).unwrap();
    assert_eq!(tokens::list(connection, ALICE).unwrap()[0].used_day, 3);
    let seen = |account: AccountId| {
        let key = account.as_u128().to_be_bytes();
        let sql = "SELECT seen_day, sum = row_sum(account, made_unix_ms, seen_day) FROM accounts WHERE account = ?1";
        connection.query_row(sql, [key], |row| Ok((row.get::<_, u32>(0)?, row.get::<_, bool>(1)?))).unwrap()
    };
    assert_eq!((seen(ALICE), seen(BOB)), ((3, true), (0, false)));
}

/// How a query finds its rows.
fn plan(harness: &Harness, sql: &str) -> String {
    let connection = &harness.loaded.committer.connection;
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let nothing = vec![rusqlite::types::Null; statement.parameter_count()];
    let lines = statement.query_map(rusqlite::params_from_iter(nothing), |row| row.get("detail")).unwrap();
    lines.collect::<Result<Vec<String>, _>>().unwrap().join("\n")
}

#[test]
fn names_and_games_are_found_by_their_indexes() {
    let harness = Harness::new(ONE_SEGMENT);
    let by_name = plan(&harness, accounts::BY_NAME);
    assert!(by_name.contains("account_by_name"), "{by_name}");
    let by_prefix = plan(&harness, accounts::BY_PREFIX);
    assert!(by_prefix.contains("SEARCH accounts USING INDEX account_by_name"), "{by_prefix}");
    assert!(!by_prefix.contains("TEMP B-TREE"), "in their order: {by_prefix}");
    assert!(plan(&harness, tokens::BY_TOKEN).contains("tokens USING PRIMARY KEY"), "in the table itself");
    assert!(plan(&harness, tokens::TOKEN_AGAIN).contains("token_again"), "in other pages");
    for (sql, table) in [
        (search::BY_PLAYER, "games_by_player"),
        (search::BY_POSITION, "games_by_position"),
        (search::BY_FACET, "games_by_facet"),
    ] {
        let found = plan(&harness, sql);
        assert!(found.contains(&format!("SEARCH {table} USING PRIMARY KEY")), "{found}");
        assert!(!found.contains("TEMP B-TREE"), "in their order: {found}");
    }
}
