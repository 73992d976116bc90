//! The program is killed or stopped, starts again from the same folder, and everybody plays on.

use serde_json::json;
use zeitnot_protocol::{ClientMessage, GameId, PlayMove};

use super::player::Player;
use super::table::{self, Table, accept, blitz, challenge, ok, snapshot, turn};
use super::test_server::TestServer;

/// A move with an id.
async fn named(player: &mut Player, game: GameId, on: u32, uci: &str, id: &str) {
    let id = Some(id.parse().unwrap());
    player.tell(ClientMessage::Move(PlayMove { game, on, uci: uci.parse().unwrap(), id })).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_kill_every_acked_move_stands_and_the_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = TestServer::process(folder.path());
    let Table { game, mut white, mut black } = Table::set(&server).await;
    let mut on = 1;
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];
    for (number, uci) in moves.iter().enumerate() {
        let (mover, other) =
            if number % 2 == 0 { (&mut white, &mut black) } else { (&mut black, &mut white) };
        let id = format!("m{number}");
        named(&mut mover.player, game, on, uci, &id).await;
        let seq = ok(&mut mover.player).await.unwrap();
        server.kill();
        server = TestServer::process(folder.path());
        mover.player = mover.tab(&server).await;
        other.player = other.tab(&server).await;
        let seen = snapshot(&mut mover.player, game).await;
        assert_eq!((seen.seq, seen.ply_count as usize), (seq, number + 1));
        // The answer got lost? Sent again it is answered as the first time, by the id alone and by the move alone.
        named(&mut mover.player, game, on, uci, &id).await;
        assert_eq!(ok(&mut mover.player).await, Some(seq));
        table::send_move(&mut mover.player, game, on, uci).await;
        assert_eq!(ok(&mut mover.player).await, Some(seq));
        on = turn(&mut other.player, game).await.on;
        assert_eq!(on, seq);
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ended_games_accounts_and_challenges_are_there_after_a_stop_and_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let mut table = Table::set(&server).await;
    table.play(&["f2f3", "e7e5", "g2g4", "d8h4"]).await;
    let events = table::events_to_the_end(&mut table.white.player).await;
    let open = challenge(&mut table.white.player, blitz()).await;
    let (json, pgn) = (format!("/api/games/{}", table.game), format!("/api/games/{}/pgn", table.game));
    let (shown, written) = (server.get(&json).await.body, server.get(&pgn).await.body);
    server.ended().await;

    let server = TestServer::process(folder.path());
    assert_eq!(server.get(&json).await.body, shown);
    assert_eq!(server.get(&pgn).await.body, written);
    server.kill();

    let server = TestServer::process(folder.path());
    let mut watcher = Player::watcher(&server).await;
    watcher.say("watch", json!({"game": table.game, "after": 1})).await;
    let again = table::events_to_the_end(&mut watcher).await;
    let tail = events.iter().filter(|event| table::seq(event).unwrap() > 1).collect::<Vec<_>>();
    assert_eq!(again.iter().collect::<Vec<_>>()[again.len() - tail.len()..], tail);
    table.black.player = table.black.tab(&server).await;
    let second = accept(&mut table.black.player, &open).await;
    server.kill();

    // The challenge was taken away with the game's start, not sooner or later.
    let server = TestServer::process(folder.path());
    table.black.player = table.black.tab(&server).await;
    snapshot(&mut table.black.player, second).await;
    assert_eq!(accept(&mut table.black.player, &open).await, second, "accepting again starts no other game");
    let mut third = Player::guest(&server).await;
    third.player.say("accept_challenge", json!({"challenge": open})).await;
    assert_eq!(third.player.rejection().await.0, zeitnot_protocol::Code::ChallengeTaken);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_ends_the_program_with_what_to_do_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process_with_little_room(folder.path(), 600);
    let Table { game, mut white, mut black } = Table::set(&server).await;
    let (mut on, mut acked) = (1, 0);
    let moves = ["b1c3", "b8c6", "g1f3", "g8f6", "e2e4", "e7e5", "d2d4", "d7d5"];
    for uci in moves {
        let mover = if acked % 2 == 0 { &mut white } else { &mut black };
        named(&mut mover.player, game, on, uci, &format!("m{acked}")).await;
        on = ok(&mut mover.player).await.unwrap();
        acked += 1;
    }
    // Challenges fill the rest. While somebody reads the database its log cannot begin anew, so it grows however slow
    // they come.
    let reader = rusqlite::Connection::open(folder.path().join("zeitnot.db")).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM archive").unwrap();
    while let Some(challenge) = white.player.challenge_or_end(blitz()).await {
        if white.player.cancel_or_end(&challenge).await.is_none() {
            break;
        }
    }
    let (code, words) = server.died();
    drop(reader);
    assert_eq!(code, Some(74), "{words}");
    assert!(words.contains(folder.path().to_str().unwrap()) && words.contains("start again"), "{words}");
    let server = TestServer::process(folder.path());
    white.player = white.tab(&server).await;
    let seen = snapshot(&mut white.player, game).await;
    assert_eq!((seen.seq, seen.ply_count), (on, acked));
    server.ended().await;
}
