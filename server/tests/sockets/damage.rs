//! A data folder that is not as it was written: everybody is told the truth about it, and what is in order is served.

use std::path::Path;
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusqlite::Connection;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use zeitnot_protocol::Code;

use super::player::Player;
use super::table::{self, Table};
use super::test_server::TestServer;

fn database(folder: &Path) -> std::path::PathBuf {
    folder.join("zeitnot.db")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_game_is_said_to_be_damaged_whatever_is_asked_of_it_and_the_others_are_served() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let mut games = Vec::new();
    for _ in 0..2 {
        let mut table = Table::set(&server).await;
        table.play(&["f2f3", "e7e5", "g2g4", "d8h4"]).await;
        table::events_to_the_end(&mut table.white.player).await;
        games.push(table);
    }
    server.ended().await;
    let game = games[0].game;
    let connection = Connection::open(database(folder.path())).unwrap();
    let flip = "UPDATE archive SET records = CAST(substr(records, 1, 20) || x'00' || substr(records, 22) AS BLOB) WHERE game = ?1";
    assert_eq!(connection.execute(flip, [game.as_bytes()]).unwrap(), 1);
    drop(connection);

    let server = TestServer::process(folder.path());
    let mut player = games[0].white.tab(&server).await;
    for (message, body) in [
        ("watch", json!({"game": game, "after": 1})),
        ("watch", json!({"game": game})),
        ("history", json!({"game": game, "from": 1})),
        ("resign", json!({"game": game})),
    ] {
        player.say(message, body.clone()).await;
        assert_eq!(player.rejection().await.0, Code::Damaged, "{message} {body}");
    }
    for path in [format!("/api/games/{game}"), format!("/api/games/{game}/pgn")] {
        let answer = server.get(&path).await;
        assert_eq!((answer.status, answer.code().as_str()), (500, "damaged"), "{path}");
    }
    let played = server.get(&format!("/api/players/{}/games", games[0].white.account)).await;
    assert_eq!(played.json()["games"], json!([]), "it is left out");

    let game = games[1].game;
    player.say("watch", json!({"game": game, "after": 0})).await;
    table::events_to_the_end(&mut player).await;
    assert_eq!(server.get(&format!("/api/games/{game}")).await.status, 200);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_whose_page_is_damaged_is_not_called_bad() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let (first, second) = (Player::guest(&server).await, Player::guest(&server).await);
    server.ended().await;
    let sound = std::fs::read(database(folder.path())).unwrap();
    let digest = Sha256::digest(URL_SAFE_NO_PAD.decode(&first.token).unwrap());
    let places = sound.windows(digest.len()).enumerate().filter(|(_, bytes)| *bytes == digest.as_slice());
    let places: Vec<usize> = places.map(|(place, _)| place).collect();
    assert_eq!(places.len(), 3, "in the table, once more, and among those of the account");

    let mut unavailable = 0;
    for place in places {
        let mut damaged = sound.clone();
        // The last bit: the order of the rows stays, so other tokens are found.
        damaged[place + digest.len() - 1] ^= 1;
        std::fs::write(database(folder.path()), &damaged).unwrap();
        let server = TestServer::process(folder.path());
        let bearer = format!("Bearer {}", first.token);
        let answer = server.ask_with("GET", "/api/me", &[("Authorization", &bearer)]).await;
        let mut player = Player::connect(&server).await;
        player.say("hello", json!({"token": first.token})).await;
        if answer.status == 200 {
            assert_eq!(player.welcome().await.account, Some(first.account));
        } else {
            unavailable += 1;
            assert_eq!((answer.status, answer.code().as_str()), (503, "unavailable"));
            assert_eq!(player.rejection().await.0, Code::Unavailable);
        }
        assert!(second.tab(&server).await.pong().await.is_empty(), "the other one is served");
        player = Player::connect(&server).await;
        player.say("hello", json!({"token": URL_SAFE_NO_PAD.encode([7; 32])})).await;
        assert_eq!(player.rejection().await.0, Code::BadToken);
        server.ended().await;
    }
    assert_eq!(unavailable, 1);
}

/// Runs `zeitnot check`: its exit code and what it says.
fn check(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_zeitnot")).arg("check").args(arguments).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_names_what_is_damaged_and_saves_the_rest_also_while_a_server_runs() {
    let (folder, saved) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = folder.path().to_str().unwrap();
    let server = TestServer::process(folder.path());
    let Table { game: live, mut white, .. } = Table::set(&server).await;
    let mut table = Table::set(&server).await;
    table.play(&["f2f3", "e7e5", "g2g4", "d8h4"]).await;
    table::events_to_the_end(&mut table.white.player).await;
    table::play(&mut white.player, live, "e2e4").await;
    table::ok(&mut white.player).await;
    let (code, said) = check(&[path]);
    assert_eq!(code, Some(0), "{said}");
    for line in ["finished games: 1", "live games: 1", "tokens: 4", "Everything is in order."] {
        assert!(said.contains(line), "{line} is missing in {said}");
    }
    server.ended().await;

    let connection = Connection::open(database(folder.path())).unwrap();
    let spoil = "UPDATE archive SET white = black; \
                 UPDATE accounts SET made_unix_ms = 7 WHERE account = (SELECT min(account) FROM accounts)";
    connection.execute_batch(spoil).unwrap();
    drop(connection);
    let into = saved.path().join("data");
    let (code, said) = check(&[path, "--save", into.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{said}");
    for line in ["DAMAGED, accounts: 1", "DAMAGED, finished games: 1", &table.game.to_string(), "\"Damage\""]
    {
        assert!(said.contains(line), "{line} is missing in {said}");
    }
    let server = TestServer::process(&into);
    let mut player = white.tab(&server).await;
    assert_eq!(table::snapshot(&mut player, live).await.ply_count, 1);
    assert_eq!(server.get(&format!("/api/games/{}", table.game)).await.status, 404);
    server.ended().await;
    assert_eq!(check(&[into.to_str().unwrap()]).0, Some(0));

    std::fs::write(database(folder.path()), "no database").unwrap();
    let (code, said) = check(&[path]);
    assert!(code == Some(3) && said.contains("cannot be read at all"), "{said}");
    let (code, said) = check(&[saved.path().to_str().unwrap()]);
    assert!(code == Some(3) && said.contains("holds no database"), "{said}");
}
