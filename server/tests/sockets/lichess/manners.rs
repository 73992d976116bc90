//! What lichess-bot and BotLi do, which cannot be part of this repository: the same calls in the same order, and the same
//! conclusions from what comes.

use serde_json::Value;

use super::client::{Ending, Lines, Program};
use super::{CASUAL, RATED};
use crate::test_server::TestServer;

/// A player as BotLi keeps one: it applies only the last move of each state, and must stay in step.
struct Applied {
    moves: Vec<String>,
}

impl Applied {
    fn take(&mut self, state: &Value) {
        let moves: Vec<&str> = state["moves"].as_str().unwrap().split_whitespace().collect();
        match moves.len() {
            more if more == self.moves.len() + 1 => self.moves.push(moves[more - 1].to_owned()),
            fewer if fewer < self.moves.len() => self.moves.truncate(fewer),
            _ => {}
        }
        assert_eq!(self.moves, moves, "out of step");
    }
}

/// Two programs at a board, each with the game's stream.
struct Board {
    game: String,
    players: [Program; 2],
    streams: [Lines; 2],
    applied: [Applied; 2],
}

impl Board {
    /// The first of `programs` challenges the second one.
    async fn set(server: &TestServer, programs: [Program; 2], terms: &str) -> Self {
        let [one, other] = programs;
        let (game, white) = one.plays(server, &other, terms).await;
        let players = if one.name == white { [one, other] } else { [other, one] };
        let mut streams = [players[0].game(server, &game).await, players[1].game(server, &game).await];
        for stream in &mut streams {
            let full: Value = serde_json::from_str(&stream.first_chunk().await).unwrap();
            assert_eq!((&full["type"], &full["state"]["status"]), (&"gameFull".into(), &"started".into()));
            assert_eq!(full["white"]["name"], players[0].name);
        }
        let applied = [0, 1].map(|_| Applied { moves: Vec::new() });
        Self { game, players, streams, applied }
    }

    /// A side makes a move; each stream then has the state.
    async fn play(&mut self, server: &TestServer, side: usize, uci: &str) {
        let plies = self.applied[side].moves.len() + 1;
        self.players[side].play(server, &self.game, &format!("move/{uci}")).await.ok();
        self.see(|state| plies_of(state) == plies).await;
    }

    /// The stream of a side breaks, and the program opens it again. It goes on from the whole game, as it does after
    /// everything that it may have missed.
    async fn opens_again(&mut self, server: &TestServer, side: usize) {
        self.streams[side] = self.players[side].game(server, &self.game).await;
        let full: Value = serde_json::from_str(&self.streams[side].first_chunk().await).unwrap();
        let moves = full["state"]["moves"].as_str().unwrap().split_whitespace().map(str::to_owned);
        self.applied[side].moves = moves.collect();
    }

    /// Reads each stream until a state is as it is waited for.
    async fn see(&mut self, is_as_expected: impl Fn(&Value) -> bool) {
        for (stream, applied) in self.streams.iter_mut().zip(&mut self.applied) {
            stream
                .state(|state| {
                    applied.take(state);
                    is_as_expected(state)
                })
                .await;
        }
    }

    /// The last state of each stream, which ends cleanly.
    async fn ends(&mut self, status: &str, winner: Option<&str>) {
        for stream in &mut self.streams {
            let (last, ending) = stream.last().await;
            assert_eq!(ending, Ending::Clean);
            assert_eq!((last["status"].as_str(), last["winner"].as_str()), (Some(status), winner), "{last}");
        }
    }
}

/// How many moves were made until a state.
fn plies_of(state: &Value) -> usize {
    state["moves"].as_str().unwrap().split_whitespace().count()
}

async fn bots(server: &TestServer) -> [Program; 2] {
    [Program::bot(server, "ABot").await, Program::bot(server, "ZBot").await]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_greet_play_repeat_themselves_and_hear_the_end() {
    let server = TestServer::open().await;
    let mut board = Board::set(&server, bots(&server).await, RATED).await;
    // The greeting comes before the first move, into both rooms, and must be answered with "ok".
    for player in &board.players {
        for room in ["player", "spectator"] {
            let path = format!("/api/bot/game/{}/chat", board.game);
            player.post(&server, &path, &format!("room={room}&text=Good+luck")).await.ok();
        }
    }
    board.play(&server, 0, "f2f3").await;
    // No answer came within two seconds: the same call again, which changes nothing.
    board.players[0].play(&server, &board.game, "move/f2f3").await.ok();
    board.play(&server, 1, "e7e5").await;
    board.players[1].play(&server, &board.game, "move/e7e5").await.ok();
    let late = board.players[0].play(&server, &board.game, "move/f2f3").await;
    assert_eq!(late.status(), 400, "after the answer it is another move");
    board.players[0].play(&server, &board.game, "move/g2g4?offeringDraw=true").await.ok();
    board.see(|state| plies_of(state) == 3 && state["wdraw"] == true).await;
    board.players[1].play(&server, &board.game, "move/d8h4").await.ok();
    board.ends("mate", Some("black")).await;
    let finished = board.players[0].events(&server).await;
    assert_eq!(finished.status, 200);
    let over = board.players[0].play(&server, &board.game, "move/e2e4").await.rejected();
    assert_eq!(over, (400, "Not your turn, or game already over".to_owned()));
    let again = board.players[0].game(&server, &board.game).await.last().await;
    assert_eq!((again.0["state"]["status"].as_str(), again.1), (Some("mate"), Ending::Clean));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_take_back_and_agree_and_flags_go_from_the_next_state() {
    let server = TestServer::open().await;
    let mut board = Board::set(&server, bots(&server).await, CASUAL).await;
    board.play(&server, 0, "e2e4").await;
    board.play(&server, 1, "e7e5").await;
    board.players[1].play(&server, &board.game, "takeback/yes").await.ok();
    board.see(|state| state["btakeback"] == true).await;
    board.players[0].play(&server, &board.game, "takeback/yes").await.ok();
    board.see(|state| plies_of(state) == 1).await;
    assert_eq!(board.applied[0].moves, ["e2e4"]);
    board.play(&server, 1, "c7c5").await;
    board.players[0].play(&server, &board.game, "draw/yes").await.ok();
    board.see(|state| state["wdraw"] == true).await;
    board.players[0].play(&server, &board.game, "draw/yes").await.ok();
    board.players[1].play(&server, &board.game, "draw/no").await.ok();
    board.see(|state| state["wdraw"].is_null()).await;
    board.players[1].play(&server, &board.game, "takeback/no").await.ok();
    board.players[1].play(&server, &board.game, "resign").await.ok();
    board.ends("resign", Some("white")).await;
    server.ended().await;
}

/// A wrong claim offers a draw (Article 9.5.3), and the game goes on: the clock runs, moves and answers are taken.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_claim_of_a_draw_ends_nothing() {
    let server = TestServer::open().await;
    let mut board = Board::set(&server, bots(&server).await, CASUAL).await;
    board.play(&server, 0, "e2e4").await;
    board.play(&server, 1, "e7e5").await;
    board.players[0].play(&server, &board.game, "claim-draw").await.ok();
    board.see(|state| state["wdraw"] == true).await;
    board.play(&server, 0, "g1f3").await;
    assert_eq!(board.applied[1].moves, ["e2e4", "e7e5", "g1f3"]);
    board.players[1].play(&server, &board.game, "draw/yes").await.ok();
    board.ends("draw", None).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_whose_streams_break_in_mid_game_stay_in_step() {
    let server = TestServer::open().await;
    let mut board = Board::set(&server, bots(&server).await, CASUAL).await;
    board.play(&server, 0, "e2e4").await;
    board.play(&server, 1, "e7e5").await;
    board.opens_again(&server, 0).await;
    assert_eq!(board.applied[0].moves, ["e2e4", "e7e5"]);
    board.play(&server, 0, "g1f3").await;
    // While the stream is gone, the opponent moves and a move is taken back.
    drop(std::mem::replace(&mut board.streams[0], board.players[0].events(&server).await));
    board.players[1].play(&server, &board.game, "move/b8c6").await.ok();
    board.players[1].play(&server, &board.game, "takeback/yes").await.ok();
    board.players[0].agrees(&server, &board.game, "takeback").await;
    board.opens_again(&server, 0).await;
    board.opens_again(&server, 1).await;
    assert_eq!(board.applied[0].moves, ["e2e4", "e7e5", "g1f3"]);
    board.play(&server, 1, "g8f6").await;
    // The stream of events tells of the game whenever it is opened.
    let mut events = board.players[1].events(&server).await;
    assert_eq!(events.until("gameStart").await["game"]["gameId"], board.game);
    board.players[1].play(&server, &board.game, "resign").await.ok();
    board.ends("resign", Some("white")).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resignation_that_the_opponent_could_not_win_is_a_draw_and_before_the_moves_nothing() {
    let server = TestServer::open().await;
    let [one, other] = bots(&server).await;
    let terms = "clock.limit=180&clock.increment=0&color=white&variant=fromPosition&fen=4k3/8/8/8/8/8/4P3/4K3+w+-+-+0+1";
    let (game, _) = one.plays(&server, &other, terms).await;
    let mut stream = one.game(&server, &game).await;
    one.play(&server, &game, "move/e1d1").await.ok();
    other.play(&server, &game, "move/e8d8").await.ok();
    one.play(&server, &game, "resign").await.ok();
    let (last, ending) = stream.last().await;
    assert_eq!(
        (last["status"].as_str(), &last["winner"], ending),
        (Some("draw"), &Value::Null, Ending::Clean)
    );
    let (game, _) = one.plays(&server, &other, CASUAL).await;
    let mut stream = other.game(&server, &game).await;
    one.play(&server, &game, "resign").await.ok();
    assert_eq!(stream.last().await.0["status"], "aborted");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_breaks_its_streams_off_and_programs_come_back_to_their_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let mut board = Board::set(&server, bots(&server).await, RATED).await;
    board.play(&server, 0, "e2e4").await;
    let mut events = board.players[1].events(&server).await;
    events.until("gameStart").await;
    server.kill();
    let Board { game, players, mut streams, .. } = board;
    for stream in &mut streams {
        assert_eq!(stream.last().await.1, Ending::BrokenOff, "a clean end would mean that the game is over");
    }
    assert_eq!(events.last().await.1, Ending::BrokenOff);
    let server = TestServer::process(folder.path());
    let mut events = players[1].events(&server).await;
    let start = events.until("gameStart").await;
    assert_eq!((start["game"]["id"].as_str(), &start["game"]["isMyTurn"]), (Some(&*game), &true.into()));
    let mut stream = players[1].game(&server, &game).await;
    assert_eq!(stream.until("gameFull").await["state"]["moves"], "e2e4");
    players[1].play(&server, &game, "move/c7c5").await.ok();
    stream.state(|state| state["moves"] == "e2e4 c7c5").await;
    players[0].play(&server, &game, "resign").await.ok();
    assert_eq!(stream.last().await.0["winner"], "black");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_challenge_again_is_the_same_one_and_an_accepted_one_stays_accepted() {
    let server = TestServer::open().await;
    let [one, other] = bots(&server).await;
    let body = r#"{"rated":false,"clock.limit":180,"clock.increment":2,"color":"white","fen":null}"#;
    let make = || one.post_as(&server, "/api/challenge/zbot", "application/json", body);
    let (first, second) = (make().await.json(), make().await.json());
    assert_eq!(first["id"], second["id"]);
    assert_eq!((&first["finalColor"], &first["color"]), (&"white".into(), &"white".into()));
    let id = first["id"].as_str().unwrap();
    for _ in 0..2 {
        other.post(&server, &format!("/api/challenge/{id}/accept/"), "").await.ok();
    }
    // Not yet played: "cancel" aborts it.
    one.post(&server, &format!("/api/challenge/{id}/cancel"), "").await.ok();
    assert_eq!(one.game(&server, id).await.last().await.0["state"]["status"], "aborted");
    server.ended().await;
}
