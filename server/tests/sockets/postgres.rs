//! The program on a PostgreSQL database: it is killed and starts again, the database is restarted under it, and everybody
//! plays on.
//!
//! These tests are ignored unless `scripts/test cluster` runs them.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use zeitnot_protocol::{ClientMessage, PlayMove};

use super::table::{self, Table, accept, blitz, challenge, ok, snapshot, turn};
use super::test_server::TestServer;

/// A database of a test's own, on the server that `scripts/test cluster` has started. It is dropped at the end.
struct Database {
    name: String,
}

fn server() -> String {
    std::env::var("ZEITNOT_POSTGRES_URL").expect("scripts/test cluster starts PostgreSQL")
}

fn sql(url: &str, what: &str) -> String {
    let programs =
        std::env::var("ZEITNOT_POSTGRES_BIN").expect("scripts/test cluster says where PostgreSQL is");
    let mut psql = Command::new(format!("{programs}/psql"));
    let done = psql.args(["-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", what]).output().unwrap();
    assert!(done.status.success(), "{what}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}

impl Database {
    fn new() -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let name = format!("s_{}_{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        sql(&server(), &format!("CREATE DATABASE {name}"));
        Self { name }
    }

    fn url(&self) -> String {
        let server = server();
        format!("{}/{}", server.rsplit_once('/').unwrap().0, self.name)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        sql(&server(), &format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn after_a_kill_every_acked_move_stands_and_the_game_goes_on() {
    let (database, folder) = (Database::new(), tempfile::tempdir().unwrap());
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
    let (database, folder) = (Database::new(), tempfile::tempdir().unwrap());
    let server = TestServer::process_on(&database.url(), folder.path());
    let mut table = Table::set(&server).await;
    for moves in [["e2e4", "e7e5"], ["g1f3", "b8c6"], ["f1b5", "a7a6"]] {
        table.play(&moves).await;
        sql(
            &database.url(),
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
    let (database, folder) = (Database::new(), tempfile::tempdir().unwrap());
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
