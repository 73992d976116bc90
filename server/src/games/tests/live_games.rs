//! What a small board shows of a game as it goes on, and which games are worth a look.

use std::sync::Arc;

use zeitnot_protocol::GameId;
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Command, Profile};
use zeitnot_rules::notation::fen;

use super::Table;
use super::table::{blitz, plain, play, setup};
use crate::connections::{ConnectionId, Inbox};
use crate::games::board_summary::BoardSummary;
use crate::games::{GameHandle, Games};
use crate::storage::MemoryStore;
use crate::tasks::Tasks;
use crate::time::ServiceClock;

fn table() -> Table {
    let mut table = Table::new(&setup(Profile::casual(), blitz()));
    table.join(1, Color::White);
    table.join(2, Color::Black);
    table
}

fn played(table: &mut Table, moves: &[&str]) {
    for (number, uci) in moves.iter().enumerate() {
        table.play(1 + (number % 2) as u64, uci);
    }
}

fn last(board: &BoardSummary) -> Option<&str> {
    board.last.as_ref().map(|uci| uci.as_str())
}

#[test]
fn a_board_shows_the_last_position_and_move() {
    let mut table = table();
    assert_eq!((last(&table.board), table.board.ply_count), (None, 0));
    played(&mut table, &["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"]);
    assert_eq!((last(&table.board), table.board.ply_count), (Some("e1g1"), 7));
    let board = fen::write(&table.board.position);
    assert_eq!(board, "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4");
    assert!(!table.board.has_ended);
    table.send(2, plain(Command::Resign));
    assert!(table.board.has_ended);
}

#[test]
fn behind_a_takeback_it_shows_the_move_before() {
    let mut table = table();
    played(&mut table, &["e2e4", "e7e5", "g1f3"]);
    table.send(1, plain(Command::OfferTakeback));
    let offer = table.machine.game().open_takeback().unwrap().seq;
    table.send(2, plain(Command::AcceptTakeback { offer }));
    assert_eq!((last(&table.board), table.board.ply_count), (Some("e7e5"), 2));
}

#[test]
fn a_recovered_game_shows_what_it_showed() {
    let mut table = table();
    played(&mut table, &["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"]);
    let before = table.board.clone();
    assert_eq!(table.recovered(std::time::Duration::from_secs(9)).board, before);
}

fn games() -> Games {
    Games::new(Arc::new(MemoryStore::default()), ServiceClock::of_runtime(), Tasks::default())
}

/// A game that began so many seconds later.
async fn begun(games: &Games, number: u128, later: u64) -> GameHandle {
    let mut setup = setup(Profile::fide_online(), blitz());
    setup.began_unix_ms += later * 1_000;
    games.create(GameId::from_random(number), setup, ByColor::default()).await.unwrap()
}

fn ids(games: &[GameHandle]) -> Vec<GameId> {
    games.iter().map(GameHandle::id).collect()
}

async fn settle() {
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
}

#[tokio::test(start_paused = true)]
async fn the_most_watched_come_first_then_the_newest() {
    let games = games();
    let mut handles = Vec::new();
    for number in 0..20 {
        handles.push(begun(&games, number, (number % 10) as u64).await);
    }
    let inbox = Inbox::default();
    let mut watching = vec![handles[3].watch(inbox.outbox())];
    settle().await;
    watching.extend([handles[4].watch(inbox.outbox()), handles[4].watch(inbox.outbox())]);
    settle().await;
    let (total, first) = games.most_watched(4);
    assert_eq!(total, 20);
    let expected = [4, 3].map(GameId::from_random);
    assert_eq!(ids(&first)[..2], expected);
    let newest = [9, 19].map(GameId::from_random);
    assert!(ids(&first)[2..].iter().all(|id| newest.contains(id)), "{first:?}");
    assert_eq!(first[0].live_game().watchers, 2);
    assert_eq!(games.most_watched(100).1.len(), 20);
}

#[tokio::test(start_paused = true)]
async fn a_game_that_has_ended_is_not_in_progress() {
    let games = games();
    let (one, other) = (begun(&games, 1, 0).await, begun(&games, 2, 1).await);
    let inbox = Inbox::default();
    let seat = one.join(Color::White, ConnectionId(1), inbox.outbox(), None).unwrap();
    seat.command(ServiceClock::of_runtime().now(), play(1, "e2e4")).unwrap();
    settle().await;
    assert_eq!(one.live_game().ply_count, 1);
    assert_eq!(one.live_game().last.unwrap().as_str(), "e2e4");
    let (total, shown) = games.most_watched(12);
    assert_eq!((total, ids(&shown)), (2, vec![other.id(), one.id()]));
    seat.command(ServiceClock::of_runtime().now(), plain(Command::Resign)).unwrap();
    settle().await;
    assert!(games.get(one.id()).is_some(), "it is kept for a while");
    let (total, shown) = games.most_watched(12);
    assert_eq!((total, ids(&shown)), (1, vec![other.id()]));
}

/// Not a promise but a figure: `cargo test --release -- --ignored --nocapture ten_thousand_games`.
#[tokio::test]
#[ignore = "a measurement"]
#[expect(clippy::disallowed_methods, reason = "a measurement reads the machine's clock")]
async fn ten_thousand_games_are_looked_at() {
    let games = games();
    for number in 0..10_000 {
        begun(&games, number, number as u64).await;
    }
    let began = std::time::Instant::now();
    for _ in 0..100 {
        let (total, first) = games.most_watched(12);
        assert_eq!((total, first.len()), (10_000, 12));
        assert!(first.iter().map(GameHandle::live_game).all(|game| game.ply_count == 0));
    }
    println!("a look at 10,000 games: {} us", began.elapsed().as_micros() / 100);
}
