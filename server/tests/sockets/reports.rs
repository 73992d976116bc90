//! Reports about other accounts, from the chat of a game to the admin.

use std::process::Command;

use serde_json::{Value, json};
use zeitnot_protocol::{GameId, ServerMessage};

use super::player::{Guest, Player};
use super::table::{accept, blitz, challenge, snapshot};
use super::test_server::{Answer, TestServer};

async fn report(server: &TestServer, by: &Guest, wanted: Value) -> Answer {
    let (body, token) = (wanted.to_string(), &by.token);
    let head = format!(
        "POST /api/reports HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAuthorization: Bearer {token}"
    );
    server.raw(&format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len())).await
}

fn admin(folder: &std::path::Path, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot"));
    let output = command.arg("--data").arg(folder).arg("admin").args(arguments).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_holds_the_lines_as_they_were_said() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let (mut one, mut two) = (Player::guest(&server).await, Player::guest(&server).await);
    let mut watcher = Player::guest(&server).await;
    let id = challenge(&mut one.player, blitz()).await;
    let game: GameId = accept(&mut two.player, &id).await;
    watcher.player.say("watch", json!({"game": game})).await;
    snapshot(&mut watcher.player, game).await;
    for (by_two, text) in [(true, "You \"lost\""), (false, "Please"), (true, "Again")] {
        let player = if by_two { &mut two.player } else { &mut one.player };
        player.say("say", json!({"game": game, "room": "players", "text": text})).await;
        let is_said = |message: &ServerMessage| match message {
            ServerMessage::Said(said) if said.text == text => Some(()),
            _ => None,
        };
        player.until(is_said).await;
    }
    let about = |lines: &[u32]| json!({"who": two.account, "reason": "insults", "text": "See\nlines", "game": game, "room": "players", "lines": lines});
    let kept = report(&server, &one, about(&[1, 2, 7])).await;
    assert_eq!((kept.status, kept.json()), (201, json!({"number": 1, "lines": 1})), "{kept:?}");
    let kept = report(&server, &watcher, about(&[1, 3])).await;
    assert_eq!(
        kept.json(),
        json!({"number": 2, "lines": 0}),
        "who cannot read the room reports no line of it"
    );

    for (wrong, status, code) in [
        (json!({"who": two.account, "reason": "rude"}), 400, "bad_body"),
        (json!({"who": "Nobody", "reason": "spam"}), 404, "unknown_account"),
        (json!({"who": one.account, "reason": "spam"}), 400, "own_account"),
        (json!({"who": two.account, "reason": "spam", "text": "x".repeat(1_001)}), 400, "bad_field"),
        (about(&[0; 21]), 400, "bad_field"),
        (json!({"who": two.account, "reason": "spam", "lines": [1]}), 400, "bad_field"),
    ] {
        let answer = report(&server, &one, wrong.clone()).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{wrong}");
    }

    let (ok, shown) = admin(folder.path(), &["reports"]);
    assert!(ok && shown.lines().count() == 5, "{shown}");
    assert!(shown.contains("insults, in game ") && shown.contains("  says \"See\\nlines\"\n"), "{shown}");
    assert!(shown.contains("  line 1: \"You \\\"lost\\\"\"\n") && !shown.contains("Please"), "{shown}");
    assert_eq!(admin(folder.path(), &["handled", "1"]), (true, "report 1 is handled\n".to_owned()));
    let (ok, why) = admin(folder.path(), &["handled", "1"]);
    assert!(!ok && why.contains("no report 1 waits"), "{why}");
    let bearer = format!("Bearer {}", one.token);
    let export = server.ask_with("GET", "/api/account/export", &[("Authorization", &bearer)]).await.json();
    assert_eq!(
        (&export["reports"][0]["number"], &export["reports"][0]["handled"]),
        (&json!(1), &json!(true))
    );
    let (_, log) = admin(folder.path(), &["log"]);
    assert!(log.contains("handled") && !log.contains("\"reports\""), "{log}");
    server.ended().await;
}
