//! What two people do in an evening, from registering to the game score, over HTTP and the socket, and what a kill leaves
//! of it.

use std::process::Command;

use serde_json::{Value, json};
use zeitnot_protocol::{GameId, Rated, ServerMessage};

use super::accounts::{HERE, post, register};
use super::player::Player;
use super::table::{accept, blitz, play, snapshot, turn, with};
use super::test_server::TestServer;

/// Registers an account, makes a token for a program on it, and connects with that.
pub(crate) async fn arrive(server: &TestServer, name: &str) -> Player {
    let cookie = register(server, name).await;
    let wanted = json!({"name": "A board", "scopes": ["play", "challenge"]});
    let answer = post(server, "tokens", wanted, &[HERE, ("Cookie", &cookie)]).await;
    Player::hello(server, json!({"token": answer.json()["token"]})).await.0
}

pub(crate) async fn rated(player: &mut Player) -> Rated {
    let told = player.until(|message| match message {
        ServerMessage::Rated(rated) => Some(rated.clone()),
        _ => None,
    });
    told.await
}

/// The category, rating and number of games that everybody is shown.
async fn rating(server: &TestServer, name: &str) -> Value {
    server.get(&format!("/api/players/{name}")).await.json()["ratings"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_register_seek_play_rated_draw_play_again_and_find_their_games() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let (mut rook, mut bishop) = (arrive(&server, "Rook").await, arrive(&server, "Bishop").await);
    rook.say("create_challenge", with(blitz(), json!({"seek": true, "rated": true}))).await;
    bishop.say("enter_lobby", json!({})).await;
    let seek = bishop.until(|message| match message {
        ServerMessage::Lobby(lobby) => lobby.seeks.first().map(|seek| seek.challenge.to_string()),
        ServerMessage::LobbyNews(news) => news.seeks.first().map(|seek| seek.challenge.to_string()),
        _ => None,
    });
    let seek = seek.await;
    let first: GameId = accept(&mut bishop, &seek).await;
    for (uci, by_rook) in [("e2e4", true), ("e7e5", false), ("g1f3", true), ("b8c6", false)] {
        play(if by_rook { &mut rook } else { &mut bishop }, first, uci).await;
    }
    turn(&mut rook, first).await;
    rook.say("offer_draw", json!({"game": first})).await;
    let offer = bishop.until(|message| match message {
        ServerMessage::DrawOffered(offered) => Some(offered.seq),
        _ => None,
    });
    let offer = offer.await;
    bishop.say("accept_draw", json!({"game": first, "offer": offer})).await;
    let drawn = rated(&mut rook).await;
    assert_eq!(drawn, rated(&mut bishop).await);
    assert_eq!((drawn.game, drawn.white.after, drawn.black.after), (first, 1_500, 1_500));

    rook.say("offer_rematch", json!({"game": first})).await;
    let offer = bishop.until(|message| match message {
        ServerMessage::Challenge(challenge) => Some(challenge.challenge.to_string()),
        _ => None,
    });
    let offer = offer.await;
    let second: GameId = accept(&mut bishop, &offer).await;
    snapshot(&mut rook, second).await;
    // The colours change.
    play(&mut bishop, second, "d2d4").await;
    play(&mut rook, second, "d7d5").await;
    turn(&mut bishop, second).await;
    bishop.say("resign", json!({"game": second})).await;
    let won = rated(&mut rook).await;
    assert_eq!((won.game, won.black.before), (second, 1_500));
    assert!(won.black.after > 1_500 && won.white.after < 1_500, "{won:?}");
    let shown =
        |rating: u32| json!([{"category": "blitz", "rating": rating, "provisional": true, "games": 2}]);
    let expected = [("Rook", shown(won.black.after)), ("Bishop", shown(won.white.after))];
    server.kill();

    let server = TestServer::process(folder.path());
    for (name, ratings) in &expected {
        assert_eq!(rating(&server, name).await, *ratings, "{name}");
        let history = server.get(&format!("/api/players/{name}/ratings/blitz")).await.json();
        let games: Vec<_> =
            history["changes"].as_array().unwrap().iter().map(|change| &change["game"]).collect();
        assert_eq!(games, [&json!(second), &json!(first)], "each once");
    }
    let found = server.get("/api/games?player=rook&opponent=BISHOP").await.json();
    let found: Vec<_> = found["games"].as_array().unwrap().iter().map(|game| &game["game"]).collect();
    assert_eq!(found, [&json!(second), &json!(first)]);
    let agreed = server.get("/api/games?player=Rook&reason=agreement&moves=e2e4,e7e5").await.json();
    assert_eq!(agreed["games"].as_array().unwrap().len(), 1, "{agreed}");
    let counts = server.get("/api/games/count?player=Rook&rated=true").await.json();
    assert_eq!((&counts["games"], &counts["draws"]), (&json!(2), &json!(1)));
    let score = server.get(&format!("/api/games/{first}/pgn")).await.body;
    for line in
        ["[White \"Rook\"]", "[Black \"Bishop\"]", "[Result \"1/2-1/2\"]", "[Event \"Rated game\"]", "2. Nf3"]
    {
        assert!(score.contains(line), "{line} is not in\n{score}");
    }
    let verify = ["--data", folder.path().to_str().unwrap(), "ratings", "--verify"];
    let verified = Command::new(env!("CARGO_BIN_EXE_zeitnot")).args(verify).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    server.ended().await;
}
