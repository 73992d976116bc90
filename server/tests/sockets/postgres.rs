//! The program on a PostgreSQL database: it is killed and starts again, the database is restarted under it, and everybody
//! plays on. And which databases it does not connect to.
//!
//! These tests are ignored unless `scripts/test cluster` runs them.

use std::path::Path;
use std::process::Command;

use zeitnot_protocol::{ClientMessage, PlayMove, ServerMessage};
use zeitnot_server::time::unix_now_ms;
use zeitnot_test_servers::{OwnServer, TestDatabase, until};

use super::player::Player;
use super::table::{self, Table, accept, blitz, challenge, ok, snapshot, turn};
use super::test_server::TestServer;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn after_a_kill_every_acked_move_stands_and_the_game_goes_on() {
    let (database, folder) = (TestDatabase::new(), tempfile::tempdir().unwrap());
    let mut server = TestServer::process_on(&database.url(), folder.path());
    let Table { game, mut white, mut black } = Table::set(&server).await;
    let mut on = 1;
    for (number, uci) in ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().enumerate() {
        let (mover, other) =
            if number % 2 == 0 { (&mut white, &mut black) } else { (&mut black, &mut white) };
        let id = Some(format!("m{number}").parse().unwrap());
        let played = PlayMove { game, on, uci: uci.parse().unwrap(), id };
        mover.player.tell(ClientMessage::Move(played.clone())).await;
        let seq = ok(&mut mover.player).await.unwrap();
        server.kill();
        server = TestServer::process_on(&database.url(), folder.path());
        mover.player = mover.tab(&server).await;
        other.player = other.tab(&server).await;
        let seen = snapshot(&mut mover.player, game).await;
        assert_eq!((seen.seq, seen.ply_count as usize), (seq, number + 1));
        mover.player.tell(ClientMessage::Move(played)).await;
        assert_eq!(ok(&mut mover.player).await, Some(seq), "sent again it is answered as the first time");
        on = turn(&mut other.player, game).await.on;
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn when_the_database_cuts_every_connection_the_game_goes_on_over_the_same_sockets() {
    let (database, folder) = (TestDatabase::new(), tempfile::tempdir().unwrap());
    let server = TestServer::process_on(&database.url(), folder.path());
    let mut table = Table::set(&server).await;
    for moves in [["e2e4", "e7e5"], ["g1f3", "b8c6"], ["f1b5", "a7a6"]] {
        table.play(&moves).await;
        database.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() \
             AND application_name LIKE 'zeitnot-%'",
        );
    }
    table.play(&["b5a4", "g8f6"]).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn ended_games_accounts_and_challenges_are_there_after_a_stop_and_after_a_kill() {
    let (database, folder) = (TestDatabase::new(), tempfile::tempdir().unwrap());
    let server = TestServer::process_on(&database.url(), folder.path());
    let mut table = Table::set(&server).await;
    table.play(&["f2f3", "e7e5", "g2g4", "d8h4"]).await;
    table::events_to_the_end(&mut table.white.player).await;
    let open = challenge(&mut table.white.player, blitz()).await;
    let paths = [format!("/api/games/{}", table.game), format!("/api/games/{}/pgn", table.game)];
    let mut shown = Vec::new();
    for path in &paths {
        shown.push(server.get(path).await.body);
    }
    server.ended().await;
    let server = TestServer::process_on(&database.url(), folder.path());
    for (path, body) in paths.iter().zip(&shown) {
        assert_eq!(server.get(path).await.body, *body);
    }
    server.kill();
    let server = TestServer::process_on(&database.url(), folder.path());
    table.black.player = table.black.tab(&server).await;
    let second = accept(&mut table.black.player, &open).await;
    server.kill();
    let server = TestServer::process_on(&database.url(), folder.path());
    table.black.player = table.black.tab(&server).await;
    snapshot(&mut table.black.player, second).await;
    assert_eq!(accept(&mut table.black.player, &open).await, second, "accepting again starts no other game");
    server.ended().await;
}

/// Has the program move a folder into a database: whether it did, and what it said.
fn import(folder: &Path, database: &str) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot"));
    let done =
        command.arg("import").arg("--data").arg(folder).args(["--cluster", database]).output().unwrap();
    (done.status.success(), String::from_utf8([done.stdout, done.stderr].concat()).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_game_that_began_in_a_folder_goes_on_in_the_database_that_it_was_moved_to() {
    let (database, folder, other) =
        (TestDatabase::new(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = TestServer::process(folder.path());
    let mut table = Table::set(&server).await;
    table.play(&["e2e4", "e7e5", "g1f3", "b8c6"]).await;
    let on = turn(&mut table.white.player, table.game).await.on;
    let (done, said) = import(folder.path(), &database.url());
    assert!(!done && said.contains("another zeitnot serves from the data folder"), "{said}");
    server.kill();
    let (done, said) = import(folder.path(), &database.url());
    assert!(done && said.contains("accounts: 2\n") && said.contains("live games: 1\n"), "{said}");

    let server = TestServer::process_on(&database.url(), other.path());
    table.white.player = table.white.tab(&server).await;
    table.black.player = table.black.tab(&server).await;
    let seen = snapshot(&mut table.white.player, table.game).await;
    assert_eq!((seen.ply_count, seen.seq), (4, on));
    table.play(&["f1b5", "a7a6", "b5a4", "g8f6"]).await;
    turn(&mut table.white.player, table.game).await;
    server.ended().await;
    let (done, said) = import(folder.path(), &database.url());
    assert!(!done && said.contains("name an empty one"), "{said}");
}

/// What the move of this ply took, in ms.
async fn took(player: &mut Player, ply: u32) -> u64 {
    let took = |message: &ServerMessage| match message {
        ServerMessage::Move(event) if event.ply == ply => event.took.map(u64::from),
        ServerMessage::Rejected(rejected) => panic!("{rejected:?}"),
        _ => None,
    };
    player.until(took).await
}

/// Waits until the server says that no game goes on.
async fn games_stand(server: &TestServer) {
    while server.get("/healthz").await.status != 503 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_restart_of_the_database_costs_no_move_no_socket_and_no_time() {
    let (database, folder) = (OwnServer::new(&[]), tempfile::tempdir().unwrap());
    let server = TestServer::process_on(&database.url(), folder.path());
    let Table { game, mut white, mut black } = Table::set(&server).await;
    table::play(&mut white.player, game, "e2e4").await;
    let mut began = unix_now_ms();
    table::play(&mut black.player, game, "e7e5").await;
    for (how, ply, ours, reply) in [("fast", 3, "g1f3", "b8c6"), ("immediate", 5, "f1c4", "f8c5")] {
        let on = turn(&mut white.player, game).await.on;
        database.stop(how);
        table::send_move(&mut white.player, game, on, ours).await;
        // The server has read the move before the ping.
        white.player.pong().await;
        let thought = unix_now_ms() + 1 - began;
        games_stand(&server).await;
        let restarted = unix_now_ms();
        database.start();
        let charged = took(&mut white.player, ply).await;
        assert!(charged <= thought, "{charged} ms of {thought} ms, {how}");
        began = unix_now_ms();
        table::play(&mut black.player, game, reply).await;
        let charged = took(&mut black.player, ply + 1).await;
        let thought = unix_now_ms() + 1 - restarted;
        assert!(charged <= thought, "{charged} ms of {thought} ms, {how}");
    }
    let mut tab = white.tab(&server).await;
    assert_eq!(snapshot(&mut tab, game).await.ply_count, 6);
    server.ended().await;
}

const CERTIFICATE: &str = include_str!("../../../client/tests/data/localhost.cert.pem");
const KEY: &str = include_str!("../../../client/tests/data/localhost.key.pem");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_database_elsewhere_gets_no_plain_text_unless_the_url_says_so() {
    let (database, folder) = (OwnServer::new(&[]), tempfile::tempdir().unwrap());
    let elsewhere =
        format!("postgres://postgres@db.example.org:{}/postgres?hostaddr=127.0.0.1", database.port());
    let words = TestServer::rejection_of(&elsewhere, folder.path());
    assert!(words.contains("does not support TLS"), "{words}");
    let server = TestServer::process_on(&format!("{elsewhere}&sslmode=disable"), folder.path());
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_database_must_show_a_certificate_that_is_trusted_and_names_it() {
    let (database, folder) = (OwnServer::new(&[]), tempfile::tempdir().unwrap());
    database.encrypt(CERTIFICATE, KEY);
    until(&database.url(), "SHOW ssl", "on");
    let of = |host: &str| {
        format!("postgres://postgres@{host}:{}/postgres?hostaddr=127.0.0.1&sslmode=require", database.port())
    };
    let words = TestServer::rejection_of(&of("localhost"), folder.path());
    assert!(words.contains("invalid peer certificate"), "{words}");
    let trusted = folder.path().join("authorities.pem");
    std::fs::write(&trusted, CERTIFICATE).unwrap();
    let words = TestServer::rejection_of_trusting(&of("db.example.org"), &trusted, folder.path());
    assert!(words.contains("not valid for name"), "{words}");
    let server = TestServer::process_on_trusting(&of("localhost"), &trusted, folder.path());
    let encrypted = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                     WHERE application_name LIKE 'zeitnot-%'";
    assert_eq!(database.sql(encrypted), "t");
    server.ended().await;
}
