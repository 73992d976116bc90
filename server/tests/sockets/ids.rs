//! The `id` of a command that only reads comes back: in `history`, and in the `clock` that ends the answer to `watch`.

use std::path::Path;

use serde_json::{Value, json};
use zeitnot_protocol::{GameId, ServerMessage};

use super::player::Player;
use super::table::{Table, events_to_the_end, ok, with};
use super::test_server::TestServer;

/// The ids that come back before `pong`, as `t` and `id`.
async fn answered(player: &mut Player) -> Vec<(&'static str, String)> {
    let named = |message| match message {
        ServerMessage::History(history) => history.id.map(|id| ("history", id.to_string())),
        ServerMessage::Clock(clock) => clock.id.map(|id| ("clock", id.to_string())),
        ServerMessage::Rejected(rejected) => rejected.id.map(|id| ("rejected", id.to_string())),
        _ => None,
    };
    player.pong().await.into_iter().filter_map(named).collect()
}

/// Watches, and reads up to the `clock` that answers: the seq of the snapshot, and the number of events.
async fn watched(player: &mut Player, game: GameId, fields: Value) -> (Option<u32>, u32) {
    player.say("watch", with(json!({"game": game, "id": "w"}), fields)).await;
    let (mut snapshot, mut events) = (None, 0);
    loop {
        match player.next().await {
            ServerMessage::Snapshot(found) => snapshot = Some(found.seq),
            ServerMessage::Started(_) | ServerMessage::Move(_) | ServerMessage::Ended(_) => events += 1,
            ServerMessage::Clock(clock) if clock.id.is_some() => {
                assert_eq!((clock.game, clock.id.unwrap().as_str()), (game, "w"));
                return (snapshot, events);
            }
            _ => {}
        }
    }
}

/// A server that was started again after a game, which is only in the journal now.
async fn after_a_mate(data: &Path) -> (TestServer, GameId) {
    let server = TestServer::process(data);
    let mut table = Table::set(&server).await;
    table.play(&["f2f3", "e7e5", "g2g4", "d8h4"]).await;
    events_to_the_end(&mut table.white.player).await;
    server.ended().await;
    (TestServer::process(data), table.game)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clock_that_ends_the_answer_to_watch_has_its_id() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    table.play(&["f2f3", "e7e5", "g2g4"]).await;
    ok(&mut table.white.player).await;
    let game = table.game;

    let mut spectator = Player::watcher(&server).await;
    assert_eq!(watched(&mut spectator, game, json!({})).await, (Some(4), 0));
    assert_eq!(watched(&mut spectator, game, json!({})).await, (Some(4), 0), "once more");
    assert_eq!(watched(&mut spectator, game, json!({"after": 0})).await, (None, 4), "from the journal");
    assert_eq!(watched(&mut spectator, game, json!({"after": 3})).await, (None, 1), "from the feed");
    assert_eq!(watched(&mut spectator, game, json!({"after": 4})).await, (None, 0), "nothing is new");
    assert_eq!(watched(&mut spectator, game, json!({"after": 99})).await, (Some(4), 0));

    let mut tab = table.white.tab(&server).await;
    assert_eq!(watched(&mut tab, game, json!({"after": 1})).await.1, 3, "a player");
    assert_eq!(watched(&mut tab, game, json!({})).await, (Some(4), 0));

    table.black.player.say("move", json!({"game": game, "on": 4, "uci": "d8h4"})).await;
    events_to_the_end(&mut table.white.player).await;
    assert_eq!(watched(&mut spectator, game, json!({"after": 4})).await.0, None);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_does_the_clock_of_a_game_that_is_only_in_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let (server, game) = after_a_mate(folder.path()).await;
    for fields in [json!({}), json!({"after": 0}), json!({"after": 99})] {
        let mut spectator = Player::watcher(&server).await;
        let (snapshot, events) = watched(&mut spectator, game, fields.clone()).await;
        assert_eq!(snapshot.is_some(), events == 0, "{fields}");
        assert_eq!(answered(&mut spectator).await, [], "only once");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_histories_can_be_told_apart() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    table.play(&["f2f3", "e7e5"]).await;
    ok(&mut table.black.player).await;
    let mut spectator = Player::watcher(&server).await;
    for (from, id) in [(1, "h1"), (1, "h2"), (2, "h3")] {
        spectator.say("history", json!({"game": table.game, "from": from, "id": id})).await;
    }
    spectator.say("history", json!({"game": table.game, "from": 1})).await;
    let mut ids = Vec::new();
    while ids.len() < 4 {
        let history = spectator.until(|message| match message {
            ServerMessage::History(history) => Some(history.clone()),
            _ => None,
        });
        ids.push(history.await.id.map(|id| id.to_string()));
    }
    assert_eq!(
        ids,
        ["h1", "h2", "h3"].map(|id| Some(id.to_owned())).into_iter().chain([None]).collect::<Vec<_>>()
    );
    server.ended().await;
}

/// A `watch` that still waits when another one of the game comes, or `unwatch`, is rejected; each id comes back once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_that_is_replaced_is_rejected() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    table.play(&["f2f3", "e7e5", "g2g4"]).await;
    ok(&mut table.white.player).await;
    let mut spectator = Player::watcher(&server).await;
    for id in ["w1", "w2"] {
        spectator.say("watch", json!({"game": table.game, "after": 0, "id": id})).await;
    }
    let mut ids = answered(&mut spectator).await;
    while ids.len() < 2 {
        ids.extend(answered(&mut spectator).await);
    }
    assert_eq!(ids[1], ("clock", "w2".to_owned()), "{ids:?}");
    assert!(matches!(ids[0].0, "rejected" | "clock") && ids[0].1 == "w1", "{ids:?}");
    assert_eq!(answered(&mut spectator).await, []);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_watch_of_a_game_that_is_only_in_the_journal_is_answered_once() {
    let folder = tempfile::tempdir().unwrap();
    let (server, game) = after_a_mate(folder.path()).await;
    let mut spectator = Player::watcher(&server).await;
    for fields in [json!({}), json!({"after": 0})] {
        for id in ["w1", "w2", "w3"] {
            spectator.say("watch", with(json!({"game": game, "id": id}), fields.clone())).await;
        }
        let mut ids = Vec::new();
        while ids.len() < 3 {
            ids.extend(answered(&mut spectator).await);
        }
        assert_eq!(ids[2], ("clock", "w3".to_owned()), "{ids:?}");
        assert_eq!([&*ids[0].1, &*ids[1].1], ["w1", "w2"], "{ids:?}");
        assert_eq!(answered(&mut spectator).await, [], "only once");
    }
    server.ended().await;
}
