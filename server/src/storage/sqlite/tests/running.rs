//! The store with its threads.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};

use zeitnot_protocol::{AccountId, ChallengeId};

use super::harness::{Collected, Harness, ONE_SEGMENT, ended, epoch, game, guest, moved, started};
use crate::storage::sqlite::accounts;
use crate::storage::sqlite::queue::Queue;
use crate::storage::sqlite::readers::{Job, Reads};
use crate::storage::sqlite::requests::Request;
use crate::storage::sqlite::writer::{WAITING_MAX, Writer};
use crate::storage::sqlite::{DataFolder, Fatal, SegmentSettings, SqliteStore};
use crate::storage::{
    Append, AppendError, EffectWatch, JournalOffset, NewToken, NoRatings, Opened, TokenDigest,
};
use crate::time::ServiceClock;

fn open(path: &std::path::Path, segment_rows: u64) -> (Opened, Collected) {
    let folder = DataFolder::take(path).unwrap();
    let fatal = Fatal::with(folder.path(), |message| panic!("{message}"));
    let segments = SegmentSettings { rows: segment_rows, carried_per_commit: 4 };
    let mut collected = Collected::default();
    let opened = SqliteStore::open(
        folder,
        segments,
        &NoRatings,
        fatal,
        &ServiceClock::start().unwrap(),
        epoch(1),
        &mut collected,
    )
    .unwrap();
    (opened, collected)
}

#[tokio::test]
async fn what_was_answered_is_there_again_and_a_stop_empties_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let (Opened { store, .. }, _) = open(folder.path(), 50);
    let mut offset = store.append(JournalOffset::NONE, Arc::new(started(game(1)))).await.unwrap();
    store.append(JournalOffset::NONE, Arc::new(started(game(2)))).await.unwrap();
    for seq in 2..=200 {
        offset = store.append(offset, Arc::new(moved(game(1), seq))).await.unwrap();
    }
    store.append(JournalOffset(1), Arc::new(ended(game(2), 2))).await.unwrap();
    let conflict = store.append(JournalOffset(7), Arc::new(moved(game(1), 8))).await;
    assert_eq!(conflict, Err(AppendError::Conflict));
    store.create_account(AccountId::from_u128(5), NewToken::shown(TokenDigest([1; 32]), 7)).await.unwrap();
    let tail = store.tail(game(1), 199).await.unwrap();
    assert_eq!((tail.records.len(), tail.last), (2, offset));
    let over = store.tail(game(2), 1).await.unwrap();
    assert_eq!(over.records.len(), 2);
    store.close();
    let after = store.append(offset, Arc::new(moved(game(1), 201))).await;
    assert!(matches!(after, Err(AppendError::Failed(_))), "{after:?}");
    let log = std::fs::metadata(folder.path().join("zeitnot.db-wal")).map_or(0, |file| file.len());
    assert_eq!(log, 0);
    drop(store);

    let (Opened { store, found, .. }, collected) = open(folder.path(), 50);
    assert_eq!(found.live.len(), 1);
    assert_eq!(collected.0[&game(1)].len(), 200);
    let proved = store.account_by_token(TokenDigest([1; 32])).await.unwrap();
    assert_eq!(proved.map(|proved| proved.person), Some(guest(AccountId::from_u128(5))));
    assert_eq!(store.account(AccountId::from_u128(6)).await, Ok(None));
    store.append(found.live[0].offset, Arc::new(moved(game(1), 201))).await.unwrap();
    store.flush().await.unwrap();
}

#[tokio::test]
async fn the_log_stays_short_under_a_burst() {
    const GAMES: u128 = 256;
    let folder = tempfile::tempdir().unwrap();
    let (Opened { store, .. }, _) = open(folder.path(), 30_000);
    let log = folder.path().join("zeitnot.db-wal");
    let mut longest = 0;
    let mut written = 0_u64;
    for round in 0..400 {
        let appends: Vec<Append> = (0..GAMES)
            .map(|number| match round {
                0 => store.append(JournalOffset::NONE, Arc::new(started(game(number)))),
                _ => store.append(JournalOffset(round), Arc::new(moved(game(number), round as u32 + 1))),
            })
            .collect();
        for append in appends {
            append.await.unwrap();
            written += 1;
        }
        longest = longest.max(std::fs::metadata(&log).unwrap().len());
    }
    assert!(longest < 64 << 20, "{longest} bytes for {written} records");
    store.close();
    drop(store);
    let (_, collected) = open(folder.path(), 30_000);
    assert!(collected.0.values().all(|records| records.len() == 400));
}

#[test]
fn a_bug_in_a_thread_of_the_journal_ends_the_process_too() {
    let said = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&said);
    let fatal = Fatal::with(std::path::Path::new("here"), move |message| {
        hears.lock().unwrap().push(message.to_owned());
    });
    assert!(fatal.guard("writing", || Ok(())));
    assert_eq!(said.lock().unwrap().len(), 0);
    assert!(!fatal.guard("writing", || panic!("a test's own bug")));
    assert!(said.lock().unwrap()[0].contains("a bug struck while writing the data folder here"));
}

/// Holds up the writer's thread, which answers by itself while no task delivers its answers.
struct HoldsUp {
    reached: SyncSender<()>,
    goes_on: Mutex<Receiver<()>>,
}

impl Wake for HoldsUp {
    fn wake(self: Arc<Self>) {
        self.reached.send(()).ok();
        self.goes_on.lock().unwrap().recv().ok();
    }
}

#[tokio::test]
async fn a_full_queue_holds_appends_up_and_loses_none() {
    let folder = tempfile::tempdir().unwrap();
    let (Opened { store, .. }, _) = open(folder.path(), 30_000);
    let offset = store.append(JournalOffset::NONE, Arc::new(started(game(1)))).await.unwrap();
    let ((reached, is_reached), (go_on, waits)) = (sync_channel(1), sync_channel::<()>(0));
    let holds_up = Waker::from(Arc::new(HoldsUp { reached, goes_on: Mutex::new(waits) }));
    let mut held = store.flush();
    while held.as_mut().poll(&mut Context::from_waker(&holds_up)).is_ready() {
        held = store.flush();
    }
    is_reached.recv().unwrap();

    let write = |number: usize| store.close_challenge(ChallengeId::from_random(number as u128));
    (0..WAITING_MAX).for_each(|number| drop(write(number)));
    assert!(write(0).await.is_err(), "the queue is full");
    let moves = store.append(offset, Arc::new(moved(game(1), 2)));
    let begun: Vec<Append> =
        (2..300).map(|number| store.append(JournalOffset::NONE, Arc::new(started(game(number))))).collect();
    drop(go_on);
    assert_eq!(moves.await, Ok(JournalOffset(2)));
    for append in begun {
        assert_eq!(append.await, Ok(JournalOffset(1)));
    }
    held.await.unwrap();
    assert!(write(0).await.is_ok(), "there is room again");
    store.close();
    drop(store);
    assert_eq!(open(folder.path(), 30_000).1.0.len(), 299);
}

/// The end is said once, nothing is answered after it, and what waits is unknown.
#[tokio::test]
async fn a_full_disk_ends_the_process_before_anything_more_is_said() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1))]);
    let crate::storage::sqlite::open::Loaded { committer, start, .. } = harness.loaded;
    let pages: i64 = committer.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    committer.connection.pragma_update(None, "max_page_count", pages).unwrap();
    let said = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&said);
    let fatal =
        Fatal::with(harness.folder.path(), move |message| hears.lock().unwrap().push(message.to_owned()));
    let queue = Arc::new(Queue::new(100));
    let writer = Writer {
        committer,
        queue: Arc::clone(&queue),
        clock: ServiceClock::start().unwrap(),
        start,
        restart_wanted: Arc::new(AtomicBool::new(false)),
        fatal,
    };
    let thread = writer.start().unwrap();
    let mut seq = 2;
    loop {
        let (answer, _, append) = Append::waiting();
        let (after, record) = (JournalOffset(u64::from(seq) - 1), Arc::new(moved(game(1), seq)));
        if queue.push(Request::Append { after, record, answer, effect: EffectWatch::default() }).is_err() {
            break;
        }
        match append.await {
            Ok(_) => assert!(said.lock().unwrap().is_empty()),
            Err(error) => {
                assert_eq!(error, AppendError::Unknown);
                break;
            }
        }
        seq += 1;
    }
    thread.join().unwrap();
    let said = said.lock().unwrap();
    assert_eq!(said.len(), 1, "{said:?}");
    let folder = harness.folder.path().to_str().unwrap();
    assert!(said[0].contains(folder) && said[0].contains("Free some space"), "{said:?}");
}

#[tokio::test]
async fn an_account_is_found_while_every_reader_of_games_is_busy() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path(), 50));
    let reads = Reads::new();
    let threads = reads.start(&folder.path().join("zeitnot.db"), &ServiceClock::start().unwrap()).unwrap();
    let (free_them, waits) = std::sync::mpsc::sync_channel::<()>(0);
    let waits = Arc::new(Mutex::new(waits));
    for _ in 0..16 {
        let waits = Arc::clone(&waits);
        let job: Job = Box::new(move |_| assert!(waits.lock().unwrap().recv().is_err()));
        assert!(reads.games.push(job).is_ok());
    }
    let (found, is_found) = tokio::sync::oneshot::channel();
    let job: Job = Box::new(move |connection| {
        found.send(accounts::get(connection, AccountId::from_u128(5)).unwrap()).unwrap();
    });
    assert!(reads.accounts.push(job).is_ok());
    assert_eq!(is_found.await, Ok(None));
    drop(free_them);
    reads.close();
    for thread in threads {
        thread.join().unwrap();
    }
}
