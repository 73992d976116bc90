//! A database of an older version is taken forward with the games in it.

use std::path::Path;
use std::sync::Arc;

use zeitnot_protocol::GameId;
use zeitnot_rules::game::Micros;
use zeitnot_test_servers::TestDatabase;

use super::open;
use crate::storage::JournalOffset;
use crate::storage::tests::samples::moved;

/// A row as a version of the format shipped it, in SQL.
fn golden(version: usize, name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/storage/encoding/golden");
    let bytes = std::fs::read(folder.join(format!("v{version}")).join(name)).unwrap();
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("'\\x{digits}'")
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_live_game_of_version_1_goes_on_and_its_turn_is_charged_by_the_heartbeats_of_its_process() {
    let database = TestDatabase::new();
    database.sql(include_str!("../schema/1.sql"));
    // The game of the golden rows, whose start was written 1,234.56789 s after the beginning of the axis.
    let (live, row) = ("4fzVq0aB9kLm".parse::<GameId>().unwrap(), golden(5, "started_online.bin"));
    let seconds = |seconds: u64| seconds * 1_000_000;
    let beats = [1_200, 1_236, 1_237, 1_239, 2_001, 2_099].map(|at| format!("({})", seconds(at))).join(", ");
    database.sql(&format!(
        "INSERT INTO facts VALUES ('schema', '1'); \
         INSERT INTO nodes (boot, version, format, start_us, idle_us, dead) VALUES \
          (gen_random_uuid(), '0', 5, {}, 0, true), (gen_random_uuid(), '0', 5, {}, 0, true); \
         INSERT INTO beats VALUES {beats}; \
         INSERT INTO segments VALUES (1, 0); CREATE TABLE journal_1 PARTITION OF journal FOR VALUES IN (1); \
         INSERT INTO live (game, segment, white, black) VALUES ('{live}', 1, gen_random_uuid(), gen_random_uuid()); \
         INSERT INTO journal VALUES (1, '{live}', 1, {row})",
        seconds(1_000),
        seconds(2_000),
    ));
    let (opened, collected) = open(&database);
    let [found] = opened.found.live[..] else { panic!("{:?}", opened.found) };
    assert_eq!((found.game, found.offset, found.spent), (live, JournalOffset(2), Micros::from_secs(3)));
    assert_eq!(collected.0[&live].len(), 1);
    assert_eq!(opened.store.append(found.offset, Arc::new(moved(live, 2))).await, Ok(JournalOffset(3)));
    assert_eq!(database.sql("SELECT owner FROM live"), "3");
    opened.store.close();
    let (opened, collected) = open(&database);
    assert_eq!(opened.found.live[0].offset, JournalOffset(4));
    assert_eq!(collected.0[&live].len(), 2);
}
