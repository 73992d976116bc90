//! What goes wrong around a program, and how games end: copies of one program, a reader that does not read, flags.

use serde_json::Value;
use tokio::net::TcpSocket;
use zeitnot_rules::board::Position;
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::uci;
use zeitnot_rules::verdict::{AutomaticDraws, after_move};

use super::CASUAL;
use super::client::{Ending, Lines, Program};
use crate::test_server::TestServer;

async fn bots(server: &TestServer) -> [Program; 2] {
    [Program::bot(server, "ABot").await, Program::bot(server, "ZBot").await]
}

/// Both play `moves` in turn.
async fn play(server: &TestServer, [white, black]: [&Program; 2], game: &str, moves: &str) {
    for (ply, uci) in moves.split_whitespace().enumerate() {
        let side = if ply % 2 == 0 { white } else { black };
        side.play(server, game, &format!("move/{uci}")).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_end_has_the_status_that_programs_know() {
    let server = TestServer::open().await;
    let [one, other] = bots(&server).await;
    // A clock of a second runs from the second move of a side.
    let (bullet, position) =
        ("&clock.limit=1&clock.increment=0", "&clock.limit=180&variant=fromPosition&fen=");
    let stalemate = format!("{position}7k/8/6K1/8/8/8/8/5Q2+w+-+-+0+1");
    let dead = format!("{position}4k3/8/8/8/8/8/3pK3/8+w+-+-+0+1");
    let fifty = format!("{position}4k3/8/8/8/8/8/8/R3K3+w+-+-+99+80");
    let knights = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let ends = [
        (stalemate.as_str(), "f1f7", "stalemate", None),
        (&dead, "e2d2", "draw", None),
        (&fifty, "a1a2", "draw", None),
        // A program cannot claim: the game does.
        ("&clock.limit=180", knights, "draw", None),
        ("&clock.limit=180", "f2f3 e7e5 g2g4 d8h4", "mate", Some("black")),
        (bullet, "e2e4 e7e5", "outoftime", Some("black")),
        (bullet, "e2e4 e7e5 g1f3", "outoftime", Some("white")),
    ];
    for (number, (terms, moves, status, winner)) in ends.into_iter().enumerate() {
        // In turns, as one account may not challenge so often.
        let (challenger, invited, color) =
            if number % 2 == 0 { (&one, &other, "white") } else { (&other, &one, "black") };
        let terms = format!("rated=false&color={color}{terms}");
        let (game, _) = challenger.plays(&server, invited, &terms).await;
        let mut streams = [one.game(&server, &game).await, other.game(&server, &game).await];
        play(&server, [&one, &other], &game, moves).await;
        for stream in &mut streams {
            let (last, ending) = stream.last().await;
            let state = if last["type"] == "gameFull" { &last["state"] } else { &last };
            let said = (state["status"].as_str(), state["winner"].as_str(), ending);
            assert_eq!(said, (Some(status), winner, Ending::Clean), "{terms} {moves}: {last}");
        }
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_games_at_once_do_not_meet() {
    let server = TestServer::open().await;
    let [one, other] = bots(&server).await;
    let lines = ["e2e4 e7e5 g1f3", "d2d4 d7d5 c2c4", "c2c4 g7g6 b1c3"];
    let mut games = Vec::new();
    for _ in lines {
        let (game, _) = one.plays(&server, &other, &format!("{CASUAL}&color=white")).await;
        games.push((one.game(&server, &game).await, game));
    }
    // Ply by ply, each in all of them.
    for ply in 0..3 {
        for ((_, game), line) in games.iter().zip(lines) {
            let uci = line.split(' ').nth(ply).unwrap();
            let side = if ply % 2 == 0 { &one } else { &other };
            side.play(&server, game, &format!("move/{uci}")).await.ok();
        }
    }
    let playing = other.get(&server, "/api/account/playing").await.json();
    let mine = playing["nowPlaying"].as_array().unwrap();
    assert!(mine.len() == 3 && mine.iter().all(|game| game["isMyTurn"] == true), "{playing}");
    for ((stream, game), line) in games.iter_mut().zip(lines) {
        let state = loop {
            let line = stream.next().await.unwrap();
            let state = if line["type"] == "gameFull" { line["state"].clone() } else { line };
            if state["moves"].as_str().is_some_and(|moves| moves.split(' ').count() == 3) {
                break state;
            }
        };
        assert_eq!(state["moves"], line);
        other.play(&server, game, "resign").await.ok();
        assert_eq!(stream.last().await.0["winner"], "white");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_copies_of_one_bot_play_each_move_once() {
    let server = TestServer::open().await;
    let [one, other] = bots(&server).await;
    let mut copies = [one.events(&server).await, one.events(&server).await];
    let (game, _) = one.plays(&server, &other, &format!("{CASUAL}&color=white")).await;
    for events in &mut copies {
        assert_eq!(events.until("gameStart").await["game"]["gameId"], game.as_str());
    }
    let mut first = one.game(&server, &game).await;
    first.until("gameFull").await;
    let mut second = one.game(&server, &game).await;
    second.until("gameFull").await;
    assert_eq!(first.last().await.1, Ending::Clean, "the newest stream has the game");
    // Both copies think of the same move at once, and then of different ones.
    let (a, b) = tokio::join!(one.play(&server, &game, "move/e2e4"), one.play(&server, &game, "move/e2e4"));
    a.ok();
    b.ok();
    other.play(&server, &game, "move/e7e5").await.ok();
    let (a, b) = tokio::join!(one.play(&server, &game, "move/g1f3"), one.play(&server, &game, "move/b1c3"));
    let mut statuses = [a.status(), b.status()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400], "one of them came second");
    let played = if a.status() == 200 { "g1f3" } else { "b1c3" };
    other.play(&server, &game, "resign").await.ok();
    assert_eq!(second.last().await.0["moves"], format!("e2e4 e7e5 {played}"));
    server.ended().await;
}

/// Moves that end no game and repeat no position.
fn quiet_line(plies: usize) -> Vec<String> {
    let mut position = Position::standard();
    let mut seen = vec![position.clone()];
    let mut line = Vec::new();
    let automatic = AutomaticDraws { repetitions: 3, quiet_plies: 100 };
    for ply in 0..plies {
        let moves = position.legal_moves();
        let next = (0..moves.len()).map(|at| moves[(at + ply * 7) % moves.len()]).find_map(|mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let goes_on = !position.is_capture(mv)
                && !seen.iter().any(|before| before.same_position(&next))
                && after_move(&next, || 1, automatic).is_none();
            goes_on.then_some((mv, next))
        });
        let (mv, next) = next.expect("there is such a move");
        line.push(uci::write(mv, &position, Variant::Standard).to_string());
        position = next;
        seen.push(position.clone());
    }
    line
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_does_not_read_holds_nobody_up_and_hears_the_newest_state() {
    let server = TestServer::open().await;
    let [one, other] = bots(&server).await;
    let (game, _) = one.plays(&server, &other, &format!("{CASUAL}&color=white")).await;
    // It takes next to nothing at a time, so that the server's end fills up.
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(2_048).unwrap();
    let connection = socket.connect(server.address).await.unwrap();
    let mut slow = Lines::over(connection, &format!("/api/bot/game/stream/{game}"), &one.token).await;
    let mut reader = other.game(&server, &game).await;
    reader.until("gameFull").await;
    let line = quiet_line(90);
    for (ply, uci) in line.iter().enumerate() {
        let side = if ply % 2 == 0 { &one } else { &other };
        side.play(&server, &game, &format!("move/{uci}")).await.ok();
        let moves = line[..=ply].join(" ");
        reader.state(|state| state["moves"] == moves).await;
    }
    other.play(&server, &game, "resign").await.ok();
    let (last, ending) = slow.last().await;
    let said = match ending {
        Ending::Clean => last,
        // It was too slow even for that, and opens its stream again.
        Ending::BrokenOff => one.game(&server, &game).await.last().await.0,
    };
    let state: &Value = if said["type"] == "gameFull" { &said["state"] } else { &said };
    assert_eq!((state["moves"].as_str(), state["winner"].as_str()), (Some(&*line.join(" ")), Some("white")));
    server.ended().await;
}
