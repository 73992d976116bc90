//! Coming back: snapshots, exact tails, history, and games that have ended.

use serde_json::json;
use zeitnot_protocol::{GameId, ServerMessage};

use super::play::assert_consecutive;
use super::player::Player;
use super::table::{Table, events_to_the_end, ok, play, seq, turn};
use super::test_server::TestServer;

/// Reads until `clock`: the public events, and whether a snapshot came.
async fn up_to_clock(player: &mut Player) -> (Vec<ServerMessage>, Option<u32>, u32) {
    let (mut events, mut snapshot) = (Vec::new(), None);
    loop {
        match player.next().await {
            ServerMessage::Clock(clock) => return (events, snapshot, clock.seq),
            ServerMessage::Snapshot(found) => snapshot = Some(found.seq),
            other if seq(&other).is_some() => events.push(other),
            _ => {}
        }
    }
}

/// Plays `plies` half-moves, any that are legal. Which ones is always the same, and they end no game of this file.
async fn wander(table: &mut Table, plies: u32) {
    // A number that decides nothing but which legal move is played.
    let mut number: usize = 7;
    for ply in 0..plies {
        let player = if ply % 2 == 0 { &mut table.white.player } else { &mut table.black.player };
        let turn = turn(player, table.game).await;
        number = number.wrapping_mul(1_103_515_245).wrapping_add(12_345) % 2_147_483_648;
        let uci = turn.legal[(number >> 8) % turn.legal.len()];
        player.say("move", json!({"game": table.game, "on": turn.on, "uci": uci})).await;
        ok(player).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watching_after_an_event_gives_exactly_what_follows() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    table.play(&["e2e4", "e7e5", "g1f3", "b8c6"]).await;
    ok(&mut table.black.player).await;
    for after in 0..=5 {
        let mut spectator = Player::watcher(&server).await;
        spectator.say("watch", json!({"game": table.game, "after": after})).await;
        let (events, snapshot, clock) = up_to_clock(&mut spectator).await;
        assert_eq!((snapshot, clock), (None, 5), "after {after}");
        assert_consecutive(&events, after + 1);
        assert_eq!(events.len() as u32, 5 - after);
        spectator.leave().await;
    }
    let mut spectator = Player::watcher(&server).await;
    spectator.say("watch", json!({"game": table.game, "after": 99})).await;
    assert_eq!(
        up_to_clock(&mut spectator).await.1,
        Some(5),
        "what has not happened is answered by a snapshot"
    );
    play(&mut table.white.player, table.game, "f1b5").await;
    spectator.until(|message| (seq(message) == Some(6)).then_some(())).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_tail_is_exact_too_and_goes_on_live() {
    const PLIES: u32 = 120;
    let server = TestServer::open().await;
    let wanted = json!({"time_control": {"kind": "unlimited"}, "color": "white", "options": {"profile": "fide_board"}});
    let mut table = Table::of(&server, wanted).await;
    wander(&mut table, PLIES).await;
    let mut spectator = Player::watcher(&server).await;
    spectator.say("watch", json!({"game": table.game, "after": 1})).await;
    let (events, snapshot, clock) = up_to_clock(&mut spectator).await;
    assert_eq!((snapshot, clock), (None, PLIES + 1));
    assert_consecutive(&events, 2);
    assert_eq!(events.len() as u32, PLIES);
    wander(&mut table, 2).await;
    spectator.until(|message| (seq(message) == Some(PLIES + 3)).then_some(())).await;

    // A player's own tab may ask for the same.
    let mut tab = table.white.tab(&server).await;
    up_to_clock(&mut tab).await;
    tab.say("watch", json!({"game": table.game, "after": 50})).await;
    let (events, snapshot, _) = up_to_clock(&mut tab).await;
    assert_eq!(snapshot, None);
    assert_consecutive(&events, 51);
    assert_eq!(events.len() as u32, PLIES + 3 - 50);

    history_is_paged(&mut spectator, table.game, PLIES + 2).await;
    server.ended().await;
}

async fn history_is_paged(player: &mut Player, game: GameId, plies: u32) {
    for (from, expected) in [(1, plies.min(200)), (100, plies - 99), (plies, 1), (plies + 1, 0)] {
        player.say("history", json!({"game": game, "from": from})).await;
        let history = player.until(|message| match message {
            ServerMessage::History(history) => Some(history.clone()),
            _ => None,
        });
        let history = history.await;
        assert_eq!((history.from, history.ply_count), (from, plies));
        assert_eq!(history.plies.len() as u32, expected, "from {from}");
        assert!(history.plies.iter().zip(from..).all(|(ply, number)| ply.ply == number));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_who_comes_back_gets_snapshot_clock_and_turn() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    table.play(&["e2e4", "e7e5"]).await;
    ok(&mut table.black.player).await;
    let token = table.white.token.clone();
    table.white.player.leave().await;
    let (mut again, _) = Player::hello(&server, json!({"token": token})).await;
    let (_, snapshot, clock) = up_to_clock(&mut again).await;
    assert_eq!((snapshot, clock), (Some(3), 3));
    assert_eq!(turn(&mut again, table.game).await.on, 3);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_has_ended_can_be_watched_from_anywhere() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    table.play(&["f2f3", "e7e5", "g2g4", "d8h4"]).await;
    events_to_the_end(&mut table.white.player).await;
    let mut spectator = Player::watcher(&server).await;
    spectator.say("watch", json!({"game": table.game})).await;
    assert_eq!(up_to_clock(&mut spectator).await.1, Some(6));
    let mut other = Player::watcher(&server).await;
    other.say("watch", json!({"game": table.game, "after": 3})).await;
    let (events, snapshot, _) = up_to_clock(&mut other).await;
    assert_eq!(snapshot, None);
    assert_consecutive(&events, 4);
    assert_eq!(events.len(), 3);
    server.ended().await;
}
