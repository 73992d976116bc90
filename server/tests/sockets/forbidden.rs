//! Commands that can be read and may not be sent: each is answered with its code and changes nothing.

use serde_json::{Value, json};
use zeitnot_protocol::{Code, ServerMessage};

use super::player::Player;
use super::table::{Table, blitz, ok, turn, with};
use super::test_server::TestServer;

async fn rejected(player: &mut Player, t: &str, d: Value) -> Code {
    player.say(t, with(d, json!({"id": "x"}))).await;
    let (code, id) = player.rejection().await;
    assert_eq!(id.as_deref(), Some("x"), "{t}");
    code
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_player_may_not_do_changes_nothing() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    table.play(&["e2e4", "e7e5"]).await;
    let on = turn(&mut table.white.player, table.game).await.on;
    assert_eq!(on, 3);
    for (t, d, code) in [
        ("move", json!({"on": on, "uci": "e4e6"}), Code::IllegalMove),
        ("move", json!({"on": on, "uci": "e7e5"}), Code::IllegalMove),
        ("move", json!({"on": on, "uci": "e4e5q"}), Code::IllegalMove),
        ("move", json!({"on": 2, "uci": "g1f3"}), Code::Stale),
        ("move", json!({"on": 99, "uci": "g1f3"}), Code::Stale),
        ("accept_draw", json!({"offer": 3}), Code::NoOffer),
        ("decline_draw", json!({"offer": 1}), Code::NoOffer),
        ("claim_draw", json!({"on": on}), Code::NotInProfile),
        ("claim_absence", json!({"result": "win"}), Code::NotAbsent),
        ("abort", json!({}), Code::TooLateToAbort),
        ("offer_takeback", json!({}), Code::NotInProfile),
        ("accept_takeback", json!({"offer": 3}), Code::NoOffer),
        ("give_time", json!({"ms": 15_000}), Code::NotInProfile),
        ("ask_ilc", json!({}), Code::NotInProfile),
    ] {
        assert_eq!(table.white_is_rejected(t, d.clone()).await, code, "{t} {d}");
    }
    table.white.player.say("offer_draw", json!({"game": table.game})).await;
    assert_eq!(ok(&mut table.white.player).await, Some(4));
    assert_eq!(table.white_is_rejected("offer_draw", json!({})).await, Code::AlreadyOffered);

    // Nothing of all that is in the game: the offer is its fourth event, and White is still to move.
    let (mut tab, game) = (table.white.tab(&server).await, table.game);
    let ServerMessage::Snapshot(snapshot) = tab.next().await else { panic!("no snapshot") };
    assert_eq!((snapshot.seq, snapshot.on, snapshot.ply_count), (4, 3, 2));
    assert_eq!(turn(&mut tab, game).await.on, 3);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_ones_own_or_not_there() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let mut third = Player::guest(&server).await;
    let third = &mut third.player;
    let game = table.game;
    assert_eq!(
        rejected(third, "move", json!({"game": game, "on": 1, "uci": "e2e4"})).await,
        Code::NotYourGame
    );
    assert_eq!(rejected(third, "resign", json!({"game": game})).await, Code::NotYourGame);
    let nowhere = json!({"game": "000000000000"});
    assert_eq!(rejected(third, "resign", nowhere.clone()).await, Code::UnknownGame);
    assert_eq!(rejected(third, "watch", nowhere.clone()).await, Code::UnknownGame);
    assert_eq!(rejected(third, "watch", with(nowhere.clone(), json!({"after": 3}))).await, Code::UnknownGame);
    assert_eq!(rejected(third, "history", with(nowhere, json!({"from": 1}))).await, Code::UnknownGame);

    turn(&mut table.white.player, game).await;
    table.black.player.say("move", json!({"game": game, "on": 1, "uci": "e7e5", "id": "x"})).await;
    assert_eq!(table.black.player.rejection().await.0, Code::NotYourTurn);
    table.play_the_rest(game).await;
    assert_eq!(table.white_is_rejected("resign", json!({})).await, Code::GameOver);
    server.ended().await;
}

impl Table {
    /// White, who has read `turn`, moves; Black mates two moves later.
    async fn play_the_rest(&mut self, game: zeitnot_protocol::GameId) {
        super::table::send_move(&mut self.white.player, game, 1, "f2f3").await;
        super::table::play(&mut self.black.player, game, "e7e5").await;
        self.play(&["g2g4", "d8h4"]).await;
        super::table::events_to_the_end(&mut self.black.player).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_phase_of_a_connection_does_not_allow() {
    let server = TestServer::open().await;
    let table = Table::set(&server).await;
    let mut silent = Player::connect(&server).await;
    assert_eq!(rejected(&mut silent, "watch", json!({"game": table.game})).await, Code::HelloFirst);
    silent.say("hello", json!({"token": "not a token"})).await;
    assert_eq!(silent.rejection().await.0, Code::BadToken);
    silent.say("hello", json!({"token": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})).await;
    assert_eq!(silent.rejection().await.0, Code::BadToken);
    silent.say("hello", json!({})).await;
    assert_eq!(silent.welcome().await.account, None);
    assert_eq!(rejected(&mut silent, "create_challenge", blitz()).await, Code::NoAccount);
    assert_eq!(rejected(&mut silent, "resign", json!({"game": table.game})).await, Code::NoAccount);
    silent.say("hello", json!({"guest": true})).await;
    assert_eq!(silent.rejection().await.0, Code::AlreadyIdentified);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_watches_only_so_many_games() {
    let server = TestServer::without_rates().await;
    let mut watcher = Player::watcher(&server).await;
    let (mut white, mut black) = (Player::guest(&server).await, Player::guest(&server).await);
    let mut games = Vec::new();
    for _ in 0..65 {
        if games.len() == 64 {
            (white, black) = (Player::guest(&server).await, Player::guest(&server).await);
        }
        let challenge = super::table::challenge(&mut white.player, blitz()).await;
        games.push(super::table::accept(&mut black.player, &challenge).await);
    }
    for game in &games[..64] {
        watcher.say("watch", json!({"game": game})).await;
    }
    watcher.pong().await;
    assert_eq!(rejected(&mut watcher, "watch", json!({"game": games[64]})).await, Code::TooManyWatched);
    watcher.say("unwatch", json!({"game": games[0]})).await;
    watcher.say("watch", json!({"game": games[64]})).await;
    watcher
        .until(|message| {
            matches!(message, ServerMessage::Snapshot(found) if found.game == games[64]).then_some(())
        })
        .await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_plays_only_so_many_games() {
    let server = TestServer::without_rates().await;
    let (mut white, mut black) = (Player::guest(&server).await, Player::guest(&server).await);
    for _ in 0..64 {
        let challenge = super::table::challenge(&mut white.player, blitz()).await;
        super::table::accept(&mut black.player, &challenge).await;
    }
    let challenge = super::table::challenge(&mut white.player, blitz()).await;
    assert_eq!(
        rejected(&mut black.player, "accept_challenge", json!({"challenge": challenge})).await,
        Code::TooManyGames
    );
    server.ended().await;
}
