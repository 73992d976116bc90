//! Two programs on one PostgreSQL database, with a NATS server between them: players and spectators of a game on different
//! nodes, and a node or the NATS server that is killed.
//!
//! These tests are ignored unless `scripts/test cluster` runs them.

use std::path::Path;

use serde_json::json;
use tempfile::TempDir;
use zeitnot_protocol::{ClientMessage, CloseCode, GameId, PlayMove, Presence, ServerMessage, WireColor};
use zeitnot_test_servers::{NatsServer, TestDatabase};

use super::chat::{said, say};
use super::player::Player;
use super::table::{Table, events_to_the_end, ok, play, send_move, seq, snapshot, turn};
use super::test_server::TestServer;

/// What two nodes need.
pub(crate) struct Cluster {
    database: TestDatabase,
    pub(crate) nats: NatsServer,
    folders: [TempDir; 2],
}

impl Cluster {
    pub(crate) fn start() -> Self {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        Self { database: TestDatabase::new(), nats: NatsServer::start(""), folders }
    }

    /// Where admins reach a node.
    pub(crate) fn folder(&self, number: usize) -> &Path {
        self.folders[number].path()
    }

    pub(crate) fn node(&self, number: usize) -> TestServer {
        self.node_on(number, &self.nats)
    }

    fn node_on(&self, number: usize, nats: &NatsServer) -> TestServer {
        TestServer::process_among(&self.database.url(), &nats.url(), self.folder(number))
    }

    /// The same behind a proxy at this machine that it trusts.
    pub(crate) fn node_behind_a_proxy(&self, number: usize) -> TestServer {
        TestServer::process_among_behind_a_proxy(&self.database.url(), &self.nats.url(), self.folder(number))
    }
}

/// Whether a player is there, as the next `presence` says.
async fn is_here(player: &mut Player, color: WireColor) -> Presence {
    player
        .until(|message| match message {
            ServerMessage::Presence(presence) if presence.color == color => Some(presence.clone()),
            _ => None,
        })
        .await
}

/// The answer to a command, and whose clock runs after its event, as the first `clock` of it says: they come in either order.
async fn answer_and_clock(player: &mut Player, seq: u32) -> (Option<u32>, Option<WireColor>) {
    let (mut answer, mut running) = (None, None);
    player
        .until(|message| {
            match message {
                ServerMessage::Ok(ok) => answer = Some(ok.seq),
                ServerMessage::Clock(clock) if clock.seq == seq => running = running.or(Some(clock.running)),
                ServerMessage::Rejected(rejected) => panic!("{rejected:?}"),
                _ => {}
            }
            answer.zip(running)
        })
        .await
}

/// Follows a game until so many events have come: them.
async fn follow(watcher: &mut Player, count: usize) -> Vec<u32> {
    let mut events = Vec::new();
    while events.len() < count {
        events.extend(seq(&watcher.next().await));
    }
    events
}

/// Waits until this node reaches the lobby of all.
pub(crate) async fn until_there_is_a_lobby(node: &TestServer) {
    while node.get("/api/challenges/4fzVq0aB9kLm").await.status == 503 {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
}

/// Black says one thing and White another, and both hear both, as lines `n` and the next one.
async fn chat_about(table: &mut Table, black_says: &str, white_says: &str, n: u32) {
    let (game, white, black) = (table.game, &mut table.white.player, &mut table.black.player);
    say(black, game, "players", black_says).await;
    for player in [&mut *black, &mut *white] {
        let line = said(player).await;
        assert_eq!((line.n, &*line.text), (n, black_says));
    }
    ok(black).await;
    say(white, game, "players", white_says).await;
    for player in [&mut *white, &mut *black] {
        let line = said(player).await;
        assert_eq!((line.n, &*line.text), (n + 1, white_says));
    }
    ok(white).await;
}

/// A game that this node owns.
async fn table(node: &TestServer) -> Table {
    until_there_is_a_lobby(node).await;
    Table::set(node).await
}

/// A game that `a` owns: White has moved there, and it is Black's turn at `b`; its id, and what Black's move is on.
async fn apart(a: &TestServer, b: &TestServer) -> (Table, GameId, u32) {
    let mut table = table(a).await;
    table.black.player = table.black.tab(b).await;
    let game = table.game;
    play(&mut table.white.player, game, "e2e4").await;
    let on = turn(&mut table.black.player, game).await.on;
    (table, game, on)
}

async fn watch(player: &mut Player, game: GameId) {
    player.say("watch", json!({"game": game})).await;
    snapshot(player, game).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL and NATS: scripts/test cluster"]
async fn players_of_one_game_are_on_two_nodes_over_postgresql_and_nats() {
    let cluster = Cluster::start();
    let (a, b) = (cluster.node(0), cluster.node(1));
    let mut table = table(&a).await;
    table.black.player = table.black.tab(&b).await;
    let game = table.game;
    assert_eq!(snapshot(&mut table.black.player, game).await.seq, 1);
    let mut watcher = Player::watcher(&b).await;
    watch(&mut watcher, game).await;
    table.play(&["e2e4", "e7e5", "g1f3", "b8c6"]).await;
    assert_eq!(follow(&mut watcher, 4).await, [2, 3, 4, 5]);
    turn(&mut table.white.player, game).await;
    table.white.player.say("offer_draw", json!({"game": game})).await;
    table.black.player.until(|message| matches!(message, ServerMessage::DrawOffered(_)).then_some(())).await;
    table.black.player.say("decline_draw", json!({"game": game, "offer": 6})).await;
    ok(&mut table.black.player).await;
    chat_about(&mut table, "hello", "good luck", 1).await;
    // Black goes, and comes again to the same node.
    let placeholder = Player::connect(&b).await;
    std::mem::replace(&mut table.black.player, placeholder).leave().await;
    assert!(!is_here(&mut table.white.player, WireColor::Black).await.here);
    table.black.player = table.black.tab(&b).await;
    assert!(is_here(&mut table.white.player, WireColor::Black).await.here);
    snapshot(&mut table.black.player, game).await;
    table.black.player.say("resign", json!({"game": game})).await;
    for player in [&mut table.white.player, &mut table.black.player, &mut watcher] {
        assert!(!events_to_the_end(player).await.is_empty());
    }
    chat_about(&mut table, "good game", "thanks", 3).await;
    a.ended().await;
    b.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL and NATS: scripts/test cluster"]
async fn after_the_kill_of_its_owner_a_game_goes_on_over_the_same_socket_over_postgresql_and_nats() {
    let cluster = Cluster::start();
    let (a, b) = (cluster.node(0), cluster.node(1));
    let (mut table, game, on) = apart(&a, &b).await;
    let mut watcher = Player::watcher(&b).await;
    watch(&mut watcher, game).await;
    a.kill();
    // Nobody is told that anything has happened: the move is answered when the other node has claimed the game.
    send_move(&mut table.black.player, game, on, "e7e5").await;
    assert_eq!(ok(&mut table.black.player).await, Some(3));
    let again = PlayMove { game, on, uci: "e7e5".parse().unwrap(), id: None };
    table.black.player.tell(ClientMessage::Move(again)).await;
    assert_eq!(ok(&mut table.black.player).await, Some(3), "it was played once");
    assert_eq!(follow(&mut watcher, 1).await, [3]);
    table.white.player = table.white.tab(&b).await;
    table.play(&["g1f3", "b8c6", "f1b5", "a7a6"]).await;
    assert_eq!(follow(&mut watcher, 4).await, [4, 5, 6, 7]);
    // A node that starts anew takes over nothing that is played on.
    let a = cluster.node(0);
    table.white.player = table.white.tab(&a).await;
    table.play(&["b5a4", "g8f6"]).await;
    turn(&mut table.white.player, game).await;
    table.white.player.say("resign", json!({"game": game})).await;
    events_to_the_end(&mut table.black.player).await;
    a.ended().await;
    b.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL and NATS: scripts/test cluster"]
async fn a_node_that_stops_gives_its_games_to_another_one_over_postgresql_and_nats() {
    let cluster = Cluster::start();
    let (a, b) = (cluster.node(0), cluster.node(1));
    let (mut table, game, on) = apart(&a, &b).await;
    let mut watcher = Player::watcher(&b).await;
    watch(&mut watcher, game).await;
    a.terminate();
    assert_eq!(table.white.player.closed().await, CloseCode::Restart, "and not for the sake of the game");
    // Whoever is connected to the other node has noticed nothing.
    send_move(&mut table.black.player, game, on, "e7e5").await;
    assert_eq!(ok(&mut table.black.player).await, Some(3));
    assert_eq!(follow(&mut watcher, 1).await, [3]);
    table.white.player = table.white.tab(&b).await;
    table.play(&["g1f3", "b8c6"]).await;
    a.ended().await;
    turn(&mut table.white.player, game).await;
    table.white.player.say("resign", json!({"game": game})).await;
    events_to_the_end(&mut table.black.player).await;
    b.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL and NATS: scripts/test cluster"]
async fn a_node_that_the_others_do_not_hear_gives_its_games_to_them_over_postgresql_and_nats() {
    let cluster = Cluster::start();
    let mut elsewhere = NatsServer::start("");
    let b = cluster.node_on(1, &elsewhere);
    let mut table = table(&b).await;
    table.play(&["e2e4", "e7e5"]).await;
    // While no node reaches the bus, nobody gives up.
    elsewhere.kill();
    let a = cluster.node(0);
    assert_eq!(table.white.player.closed().await, CloseCode::Restart);
    assert_eq!(table.black.player.closed().await, CloseCode::Restart);
    // It has the lobby of both, so it ends, and the other one has it.
    assert_eq!(b.died().0, Some(74));
    (table.white.player, table.black.player) = (table.white.tab(&a).await, table.black.tab(&a).await);
    table.play(&["g1f3", "b8c6"]).await;
    until_there_is_a_lobby(&a).await;
    a.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL and NATS: scripts/test cluster"]
async fn a_game_outlives_the_bus_and_the_node_of_a_player_over_postgresql_and_nats() {
    let mut cluster = Cluster::start();
    let (a, b) = (cluster.node(0), cluster.node(1));
    let (mut table, game, on) = apart(&a, &b).await;
    cluster.nats.kill();
    // The owner cannot be reached, and no socket is closed for that.
    send_move(&mut table.black.player, game, on, "e7e5").await;
    cluster.nats.start_again();
    assert_eq!(ok(&mut table.black.player).await, Some(3));
    play(&mut table.white.player, game, "g1f3").await;
    let on = turn(&mut table.black.player, game).await.on;
    b.kill();
    // Nobody sees Black leave: the clock stands until Black is found elsewhere.
    table.black.player = table.black.tab(&a).await;
    send_move(&mut table.black.player, game, on, "b8c6").await;
    assert_eq!(ok(&mut table.black.player).await, Some(5));
    table.white.player.say("resign", json!({"game": game})).await;
    events_to_the_end(&mut table.black.player).await;
    a.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL and NATS: scripts/test cluster"]
async fn an_owner_that_was_paused_for_too_long_ends_and_confirms_nothing_over_postgresql_and_nats() {
    let cluster = Cluster::start();
    let (a, b) = (cluster.node(0), cluster.node(1));
    let (mut table, game, on) = apart(&a, &b).await;
    a.pause(true);
    send_move(&mut table.black.player, game, on, "e7e5").await;
    // White has a connection that looks open, and does not know.
    assert!(is_here(&mut table.black.player, WireColor::White).await.here);
    let (answer, running) = answer_and_clock(&mut table.black.player, 3).await;
    assert_eq!(answer, Some(3), "the other node plays the game on");
    assert_eq!(running, None, "White's clock stands");
    // What the owner of before reads after the pause leads to nothing.
    send_move(&mut table.white.player, game, 3, "g1f3").await;
    a.pause(false);
    assert_eq!(a.died().0, Some(74));
    table.white.player = table.white.tab(&b).await;
    let after = snapshot(&mut table.white.player, game).await;
    assert_eq!(after.seq, 3, "nothing of it counts");
    send_move(&mut table.white.player, game, 3, "d2d4").await;
    assert_eq!(ok(&mut table.white.player).await, Some(4));
    b.ended().await;
}

/// The id of a challenge to anybody.
async fn offer(player: &mut Player, more: serde_json::Value) -> String {
    let mut wanted = json!({"time_control": {"kind": "unlimited"}, "color": "white"});
    wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    player.say("create_challenge", wanted).await;
    challenge_shown(player).await
}

async fn challenge_shown(player: &mut Player) -> String {
    player
        .until(|message| match message {
            ServerMessage::Challenge(challenge) => Some(challenge.challenge.to_string()),
            _ => None,
        })
        .await
}

/// The first event of a game that has begun for the player.
async fn begun(player: &mut Player) -> GameId {
    player
        .until(|message| match message {
            ServerMessage::Snapshot(snapshot) => Some(snapshot.game),
            _ => None,
        })
        .await
}

/// Joins a pool, as often as there is no lobby.
async fn join(player: &mut Player) {
    loop {
        player.say("join_pool", json!({"pool": "3+2"})).await;
        let is_in = player
            .until(|message| match message {
                ServerMessage::Waiting(waiting) => Some(waiting.pool.is_some()),
                ServerMessage::Rejected(_) => Some(false),
                _ => None,
            })
            .await;
        if is_in {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL and NATS: scripts/test cluster"]
async fn players_of_two_nodes_meet_in_one_lobby_which_outlives_its_node_over_postgresql_and_nats() {
    let cluster = Cluster::start();
    let (a, b) = (cluster.node(0), cluster.node(1));
    let (mut alice, mut bob) = (Player::guest(&a).await.player, Player::guest(&b).await.player);
    join(&mut bob).await;
    join(&mut alice).await;
    assert_eq!(begun(&mut alice).await, begun(&mut bob).await);
    // Of a lobby that is gone with its node the challenge is still open, and who waits waits on.
    let mut carol = Player::guest(&b).await.player;
    let open = offer(&mut carol, json!({})).await;
    let mut dora = Player::guest(&b).await.player;
    join(&mut dora).await;
    a.kill();
    let mut erik = Player::guest(&b).await.player;
    join(&mut erik).await;
    assert_eq!(begun(&mut dora).await, begun(&mut erik).await);
    let mut fred = Player::guest(&b).await.player;
    fred.say("accept_challenge", json!({"challenge": open})).await;
    assert_eq!(begun(&mut carol).await.to_string(), open);
    b.ended().await;
}
