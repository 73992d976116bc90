//! Whole games, seen by both players and a spectator.

use serde_json::json;
use zeitnot_protocol::{ServerMessage, WireColor, WireReason, WireScore};

use super::player::Player;
use super::table::{
    Table, accept, blitz, challenge, events_to_the_end, ok, play, send_move, seq, turn, with,
};
use super::test_server::TestServer;
use zeitnot_server::Config;

/// Checks that events are numbered from `first` on without gaps.
#[track_caller]
pub(crate) fn assert_consecutive(events: &[ServerMessage], first: u32) {
    let seqs = events.iter().filter_map(seq).collect::<Vec<_>>();
    assert_eq!(seqs, (first..first + events.len() as u32).collect::<Vec<_>>());
}

/// As many as a game has room for beside its first event.
const TIMES_GIVEN: usize = 999;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn time_is_given_only_so_often_and_the_game_goes_on() {
    let server = TestServer::with(Config { frames_burst: 4_000, ..Config::for_tests() }).await;
    let mut table = Table::of(&server, with(blitz(), json!({"options": {"profile": "casual"}}))).await;
    let second = json!({"game": table.game, "ms": 1_000});
    for _ in 0..TIMES_GIVEN {
        table.white.player.say("give_time", second.clone()).await;
        ok(&mut table.white.player).await;
    }
    assert_eq!(table.white_is_rejected("give_time", second).await.as_str(), "too_many_offers");
    assert_eq!(table.white_is_rejected("offer_draw", json!({})).await.as_str(), "too_many_offers");
    send_move(&mut table.white.player, table.game, 1, "e2e4").await;
    ok(&mut table.white.player).await;
    table.black.player.say("resign", json!({"game": table.game})).await;
    let events = events_to_the_end(&mut table.white.player).await;
    assert!(matches!(events.last(), Some(ServerMessage::Ended(_))));
    server.ended().await;
}

const SCHOLARS_MATE: [&str; 7] = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_to_mate_is_the_same_for_both_players_and_a_spectator() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let mut spectator = Player::watcher(&server).await;
    spectator.say("watch", json!({"game": table.game})).await;
    let snapshot = spectator.next().await;
    let ServerMessage::Snapshot(snapshot) = snapshot else { panic!("{snapshot:?}") };
    assert_eq!((snapshot.seq, snapshot.on, snapshot.ply_count), (1, 1, 0));
    assert_eq!(snapshot.players.white.account, table.white.account);

    // A player's own events are read when the game is over: they wait on the socket.
    table.play(&SCHOLARS_MATE[..6]).await;
    let last = turn(&mut table.white.player, table.game).await;
    send_move(&mut table.white.player, table.game, last.on, "h5f7").await;

    let seen = events_to_the_end(&mut spectator).await;
    assert_consecutive(&seen, 2);
    let Some(ServerMessage::Ended(ended)) = seen.last() else { panic!("{seen:?}") };
    assert_eq!((ended.outcome.score, ended.outcome.reason), (WireScore::WhiteWins, WireReason::Checkmate));
    let ServerMessage::Move(mate) = &seen[6] else { panic!("{seen:?}") };
    assert_eq!((mate.san.as_str(), mate.ply), ("Qxf7#", 7));
    assert!(mate.check.as_ref().unwrap().mate);
    for player in [&mut table.white.player, &mut table.black.player] {
        let own = events_to_the_end(player).await;
        assert_eq!(
            own[..],
            seen[seen.len() - own.len()..],
            "what a player read last is what the spectator saw"
        );
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acceptance_is_told_in_order_and_the_seats_are_taken() {
    let server = TestServer::without_rates().await;
    let (mut white, mut black) = (Player::guest(&server).await, Player::guest(&server).await);
    let id = challenge(&mut white.player, blitz()).await;
    black.player.say("accept_challenge", json!({"challenge": id, "id": "a1"})).await;
    let names = async |player: &mut Player, count: usize| {
        let mut names = Vec::new();
        for _ in 0..count {
            names.push(serde_json::to_value(player.next().await).unwrap()["t"].as_str().unwrap().to_owned());
        }
        names
    };
    assert_eq!(names(&mut black.player, 4).await, ["challenge_gone", "snapshot", "clock", "ok"]);
    assert_eq!(names(&mut white.player, 3).await, ["challenge_gone", "snapshot", "clock"]);
    // A player who accepts and has White gets `ok` before the first `turn`, however fast the game is.
    for _ in 0..50 {
        let id = challenge(&mut white.player, with(blitz(), json!({"color": "black"}))).await;
        let mut guest = Player::guest(&server).await;
        guest.player.say("accept_challenge", json!({"challenge": id})).await;
        let told = names(&mut guest.player, 5).await;
        assert_eq!(told, ["challenge_gone", "snapshot", "clock", "ok", "presence"]);
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ok_and_turn_come_after_their_event() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let first = turn(&mut table.white.player, table.game).await;
    assert_eq!(first.on, 1);
    send_move(&mut table.white.player, table.game, first.on, "g1f3").await;
    let player = &mut table.white.player;
    loop {
        match player.next().await {
            ServerMessage::Move(event) => assert_eq!(event.seq, 2),
            ServerMessage::Ok(ok) => {
                assert_eq!(ok.seq, Some(2));
                break;
            }
            ServerMessage::Presence(_) | ServerMessage::Watchers(_) => {}
            other => panic!("before the move and its ok: {other:?}"),
        }
    }
    let player = &mut table.black.player;
    let mut has_moved = false;
    let turn = player
        .until(|message| match message {
            ServerMessage::Move(event) => {
                has_moved = event.seq == 2;
                None
            }
            ServerMessage::Turn(turn) => Some(turn.clone()),
            _ => None,
        })
        .await;
    assert!(has_moved, "the move came before the turn");
    assert_eq!((turn.on, turn.legal.len()), (2, 20));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sending_again_is_safe() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let first = turn(&mut table.white.player, table.game).await;
    for _ in 0..3 {
        send_move(&mut table.white.player, table.game, first.on, "e2e4").await;
        assert_eq!(ok(&mut table.white.player).await, Some(2));
    }
    assert_eq!(table.white_is_rejected("move", json!({"on": 1, "uci": "d2d4"})).await.as_str(), "stale");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tabs_of_one_account_both_hear_and_both_may_move() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let mut tab = table.white.tab(&server).await;
    let ServerMessage::Snapshot(snapshot) = tab.next().await else { panic!("the game joins by itself") };
    assert_eq!(snapshot.game, table.game);
    play(&mut tab, table.game, "e2e4").await;
    play(&mut table.black.player, table.game, "e7e5").await;
    for player in [&mut table.white.player, &mut tab] {
        let mut events = Vec::new();
        let turn = player.until(|message| match message {
            ServerMessage::Turn(turn) if turn.on == 3 => Some(turn.clone()),
            other => {
                events.extend(seq(other));
                None
            }
        });
        assert!(!turn.await.legal.is_empty());
        assert_eq!(events, [2, 3]);
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resignation_agreement_and_chess960() {
    let server = TestServer::open().await;
    let chess960 = with(blitz(), json!({"variant": "chess960", "color": "black"}));
    let (mut challenger, mut other) = (Player::guest(&server).await, Player::guest(&server).await);
    let id = challenge(&mut challenger.player, chess960).await;
    let game = accept(&mut other.player, &id).await;
    let first = turn(&mut other.player, game).await;
    send_move(&mut other.player, game, first.on, first.legal[0].as_str()).await;
    turn(&mut challenger.player, game).await;
    challenger.player.say("resign", json!({"game": game})).await;
    let ended = other.player.until(|message| match message {
        ServerMessage::Ended(ended) => Some(ended.clone()),
        _ => None,
    });
    let ended = ended.await;
    assert_eq!((ended.outcome.score, ended.outcome.reason), (WireScore::WhiteWins, WireReason::Resignation));

    let mut table = Table::set(&server).await;
    table.play(&["e2e4", "e7e5"]).await;
    ok(&mut table.black.player).await;
    table.white.player.say("offer_draw", json!({"game": table.game})).await;
    let offer = table.black.player.until(|message| match message {
        ServerMessage::DrawOffered(offer) => Some(offer.clone()),
        _ => None,
    });
    let offer = offer.await;
    assert_eq!(offer.by, WireColor::White);
    table.black.player.say("accept_draw", json!({"game": table.game, "offer": offer.seq})).await;
    let events = events_to_the_end(&mut table.white.player).await;
    let Some(ServerMessage::Ended(ended)) = events.last() else { panic!("{events:?}") };
    assert_eq!(ended.outcome.reason, WireReason::Agreement);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_hear_who_is_there_and_how_many_watch() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let mut spectator = Player::watcher(&server).await;
    spectator.say("watch", json!({"game": table.game})).await;
    let count = |wanted: u32| {
        move |message: &ServerMessage| {
            matches!(message, ServerMessage::Watchers(watchers) if watchers.count == wanted).then_some(())
        }
    };
    table.white.player.until(count(1)).await;
    spectator.until(count(1)).await;
    spectator.say("unwatch", json!({"game": table.game})).await;
    table.white.player.until(count(0)).await;
    assert!(!spectator.pong().await.iter().any(|message| seq(message).is_some()));

    table.black.player.leave().await;
    table
        .white
        .player
        .until(|message| match message {
            ServerMessage::Presence(presence) if !presence.here => {
                assert_eq!(presence.color, WireColor::Black);
                Some(())
            }
            _ => None,
        })
        .await;
    server.ended().await;
}
