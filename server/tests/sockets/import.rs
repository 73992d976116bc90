//! Games that were played elsewhere: imported by the program while no server runs, then served as others.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::test_server::TestServer;

pub(crate) const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/elsewhere.pgn");

pub(crate) fn import(data: &Path, file: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot"));
    command.arg("import").arg(file).arg("--data").arg(data).output().unwrap()
}

/// The events of the games that a search finds.
async fn found(server: &TestServer, query: &str) -> Vec<String> {
    let answer = server.get(&format!("/api/games?{query}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let games = answer.json()["games"].as_array().unwrap().clone();
    games.iter().map(|game| game["origin"]["event"].as_str().unwrap().to_owned()).collect()
}

async fn first(server: &TestServer, query: &str) -> Value {
    server.get(&format!("/api/games?{query}")).await.json()["games"][0].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn imported_games_are_found_and_served_without_accounts() {
    let data = tempfile::tempdir().unwrap();
    let done = import(data.path(), GAMES);
    let said = String::from_utf8(done.stdout).unwrap();
    assert_eq!(
        (done.status.code(), &*said),
        (Some(0), "Games read: 5. Imported: 5. Already there: 0. Rejected: 0.\n")
    );
    let server = TestServer::process(data.path());

    let (championship, blitz, broadcast) = ("62nd ch-RUS HL w", "Rated blitz game", "Broadcast");
    let (freestyle, study) = ("Freestyle", "Endgame study");
    // The newest game first, by the day on which it was played.
    let cases: &[(&str, &[&str])] = &[
        ("imported=true", &[blitz, championship, broadcast, freestyle, study]),
        ("imported=false", &[]),
        ("player=carlsen,%20MAGNUS", &[broadcast]),
        ("player=Carlsen,Magnus&color=black", &[]),
        ("player=%C5%BDALNIERIUS,%20p&opponent=Spassky,%20Boris%20V", &[freestyle]),
        ("player=%C3%A9lan%20%22the%22%20knight&result=0-1", &[blitz]),
        ("player=ROOK_and_roll", &[blitz]),
        ("player=ROOK_and_roll&imported=true", &[blitz]),
        ("player=Carlsen", &[]),
        ("moves=d2d4,d7d5,c2c4", &[broadcast]),
        ("fen=r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R%20b%20KQkq%20-%203%203", &[blitz]),
        ("reason=flag_fall", &[blitz]),
        ("category=chess960", &[freestyle]),
        ("rated=true", &[]),
        ("until=2020-01-01", &[]),
    ];
    for (query, events) in cases {
        assert_eq!(found(&server, query).await, *events, "{query}");
    }

    let listed = first(&server, "category=blitz").await;
    let nobody = "00000000-0000-0000-0000-000000000000";
    assert_eq!(
        listed["players"],
        json!({
            "white": {"account": nobody, "name": "Rook_And_Roll"},
            "black": {"account": nobody, "name": "\u{c9}lan \"the\" Knight", "rating": 1623, "bot": true},
        })
    );
    assert_eq!((&listed["began"], &listed["imported"]), (&json!(1_795_266_855), &json!(true)));
    let id = listed["game"].as_str().unwrap();
    let game = server.get(&format!("/api/games/{id}")).await.json();
    let origin = json!({
        "event": blitz, "site": "https://chess.example/abcdefgh", "date": "2026.11.21", "round": "-",
    });
    assert_eq!((&game["origin"], &game["players"]), (&origin, &listed["players"]));
    assert_eq!((&game["imported"], &game["rated"]), (&json!(true), &Value::Null));
    let clocks: Vec<_> =
        game["plies"].as_array().unwrap().iter().map(|ply| (&ply["white_ms"], &ply["took"])).collect();
    let (unknown, three_minutes) = (json!(null), json!(180_000));
    assert_eq!(clocks[0], (&three_minutes, &json!(2_000)));
    assert_eq!(clocks[2], (&unknown, &unknown), "no comment states it");
    assert_eq!(clocks[3].0, &three_minutes, "White's last known one");
    let pgn = server.get(&format!("/api/games/{id}/pgn")).await.body;
    for line in [
        "[Site \"https://chess.example/abcdefgh\"]",
        "[WhiteElo \"1500?\"]",
        "[Termination \"Time forfeit\"]",
    ] {
        assert!(pgn.contains(line), "{line} in {pgn}");
    }

    let rejected = import(data.path(), GAMES);
    let why = String::from_utf8(rejected.stderr).unwrap();
    assert_eq!(rejected.status.code(), Some(1));
    assert!(why.contains("another zeitnot serves from the data folder") && why.contains("stop it"), "{why}");
    server.ended().await;
    let bad = data.path().join("bad.pgn");
    std::fs::write(&bad, "[Event \"a\"]\n\n1. e4 e5 *\n").unwrap();
    let done = import(data.path(), bad.to_str().unwrap());
    let said = String::from_utf8(done.stdout).unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(said.contains("Rejected: 1.\n  line 1: it has no result\n"), "{said}");
    assert_eq!(import(data.path(), "/nowhere.pgn").status.code(), Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_of_imported_games_are_found_by_how_their_names_begin() {
    let data = tempfile::tempdir().unwrap();
    assert!(import(data.path(), GAMES).status.success());
    let server = TestServer::process(data.path());
    let names = async |name: &str| server.get(&format!("/api/games/names?name={name}")).await;
    assert_eq!(names("carlsen,%20M").await.json(), json!({"names": ["Carlsen, Magnus"]}));
    assert_eq!(names("ca").await.json(), json!({"names": ["Carlsen, Magnus"]}));
    assert_eq!(names("%C3%89LAN").await.json(), json!({"names": ["Élan \"the\" Knight"]}));
    assert_eq!(names("magnus").await.json(), json!({"names": []}));
    for bad in ["c".to_owned(), "c%20".to_owned(), "x".repeat(101), String::new()] {
        let answer = names(&bad).await;
        assert_eq!((answer.status, &*answer.code()), (400, "bad_parameter"), "{bad}");
    }
    server.ended().await;
}
