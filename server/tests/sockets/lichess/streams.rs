//! Streams: who ends them and how, and their bounds.

use super::CASUAL;
use super::client::{Ending, Lines, Program};
use crate::test_server::TestServer;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_newest_stream_of_a_game_wins_and_the_older_one_ends_cleanly() {
    let server = TestServer::open().await;
    let (one, other) = (Program::board(&server, "Castle").await, Program::board(&server, "Knight").await);
    let (game, _) = one.plays(&server, &other, CASUAL).await;
    let mut older = one.game(&server, &game).await;
    older.until("gameFull").await;
    let mut newer = one.game(&server, &game).await;
    newer.until("gameFull").await;
    assert_eq!(older.last().await.1, Ending::Clean);
    one.play(&server, &game, "abort").await.ok();
    assert_eq!(newer.last().await.0["status"], "aborted");
    let stranger = Program::board(&server, "Bishop").await;
    assert_eq!(stranger.game(&server, &game).await.status, 404);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_nine_event_streams_of_a_token_the_oldest_is_broken_off() {
    let server = TestServer::open().await;
    let one = Program::board(&server, "Castle").await;
    let mut streams = Vec::new();
    for _ in 0..9 {
        let mut stream = one.events(&server).await;
        assert_eq!(stream.first_chunk().await, "\n", "it shows at once that it is open");
        streams.push(stream);
    }
    assert_eq!(streams.remove(0).last().await.1, Ending::BrokenOff);
    let other = Program::board(&server, "Knight").await;
    other.post(&server, "/api/challenge/castle", CASUAL).await;
    for stream in &mut streams {
        assert_eq!(stream.until("challenge").await["challenge"]["challenger"]["id"], "knight");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_token_breaks_its_streams_off() {
    let server = TestServer::open().await;
    let one = Program::board(&server, "Castle").await;
    let mut events = one.events(&server).await;
    events.first_chunk().await;
    let bearer = format!("Bearer {}", one.token);
    let answer = server.ask_with("POST", "/api/account/sign-out", &[("Authorization", &bearer)]).await;
    assert_eq!(answer.status, 204, "{answer:?}");
    assert_eq!(events.last().await.1, Ending::BrokenOff);
    assert_eq!(one.get(&server, "/api/account").await.rejected(), (401, "No such token".to_owned()));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_challenge_lives_as_long_as_its_stream() {
    let server = TestServer::open().await;
    let (one, other) = (Program::bot(&server, "ABot").await, Program::bot(&server, "ZBot").await);
    let mut events = other.events(&server).await;
    for (end, done) in [("decline", "declined"), ("accept", "accepted")] {
        let terms = format!("{CASUAL}&keepAliveStream=true");
        let mut stream = Lines::post(&server, "/api/challenge/zbot", &one.token, &terms).await;
        let id = stream.next().await.unwrap()["id"].as_str().unwrap().to_owned();
        assert_eq!(events.until("challenge").await["challenge"]["id"], id.as_str());
        other.post(&server, &format!("/api/challenge/{id}/{end}"), "reason=later").await.ok();
        let (last, ending) = stream.last().await;
        assert_eq!((last["done"].as_str(), ending), (Some(done), Ending::Clean));
    }
    let (one, other) = (Program::bot(&server, "CBot").await, Program::bot(&server, "DBot").await);
    let mut events = other.events(&server).await;
    let terms = format!("{CASUAL}&keepAliveStream=true");
    let mut stream = Lines::post(&server, "/api/challenge/dbot", &one.token, &terms).await;
    stream.next().await.unwrap();
    events.until("challenge").await;
    drop(stream);
    events.until("challengeCanceled").await;
    server.ended().await;
}
