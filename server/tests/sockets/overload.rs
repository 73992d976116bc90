//! More to do than the machine can: games go on, everybody else waits or is told to come again.

use std::time::Duration;

use zeitnot_server::Config;

use super::table::Table;
use super::test_server::{TestServer, guarded, spawn};

/// Clients at once: more than pass in the two seconds that they wait. One address may have 256.
const CLIENTS: usize = 240;

#[tokio::test]
async fn games_go_on_while_others_are_told_to_come_again() {
    let server = TestServer::with(Config { scheduling_delay_max_ms: 1, ..Config::for_tests() }).await;
    let mut table = Table::set(&server).await;
    // On this one thread nobody gets a turn before this task has had its own.
    let busy = spawn(async {
        loop {
            std::thread::sleep(Duration::from_millis(50));
            tokio::task::yield_now().await;
        }
    });
    let asking = futures_util::future::join_all((0..CLIENTS).map(|_| server.get("/robots.txt")));
    let playing = async {
        table.play(&["e2e4", "e7e5"]).await;
        assert_eq!(server.get("/healthz").await.status, 200, "a check is not held back");
    };
    let (answers, ()) = guarded("answers and moves", async { tokio::join!(asking, playing) }).await;
    busy.abort();
    let (passed, others): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert!(!passed.is_empty() && !others.is_empty(), "{} of {CLIENTS} passed", passed.len());
    for answer in others {
        assert_eq!((answer.status, answer.code().as_str()), (503, "unavailable"));
        assert!(answer.head.contains("\r\nretry-after: 2\r\n"), "{}", answer.head);
    }
    server.ended().await;
}
