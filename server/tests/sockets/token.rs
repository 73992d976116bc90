//! `zeitnot token`: beside a server, and without one.

use std::path::Path;
use std::process::{Command, Output};

use super::accounts::register;
use super::player::Player;
use super::test_server::TestServer;

/// Runs `zeitnot token` on a folder.
async fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot"));
    command.arg("--data").arg(folder).arg("token").args(arguments);
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// The token that it prints, alone.
async fn token(folder: &Path, arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = run(folder, arguments).await;
    assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    let text = String::from_utf8(stdout).unwrap();
    let token = text.trim_end().to_owned();
    assert_eq!((token.len(), text), (43, format!("{token}\n")), "a script takes it as it is");
    token
}

/// What it says when there is no token.
async fn rejected(folder: &Path, arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = run(folder, arguments).await;
    assert_eq!((status.code(), stdout), (Some(1), Vec::new()), "{arguments:?}");
    String::from_utf8(stderr).unwrap()
}

/// Name and title of the account of a token.
async fn whose(server: &TestServer, token: &str) -> (String, bool) {
    let bearer = format!("Bearer {token}");
    let account = server.ask_with("GET", "/api/account", &[("Authorization", &bearer)]).await.json();
    (account["username"].as_str().unwrap_or_default().to_owned(), account["title"] == "BOT")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_made_beside_a_server_and_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let first = token(folder.path(), &["--name", "ZBot", "--bot"]).await;
    let plain = token(folder.path(), &["--name", "Castle"]).await;
    let server = TestServer::process(folder.path());
    assert_eq!(whose(&server, &first).await, ("ZBot".to_owned(), true));
    assert_eq!(whose(&server, &plain).await, ("Castle".to_owned(), false));
    let second = token(folder.path(), &["--name", "zbot", "--bot"]).await;
    assert_eq!(whose(&server, &second).await, ("ZBot".to_owned(), true), "the account is the same");
    let new = token(folder.path(), &["--name", "Rival", "--bot"]).await;
    let tested = format!("{new},{plain}");
    let tested = super::accounts::send(&server, "/api/token/test", "text/plain", &tested, &[]).await.json();
    for token in [&new, &plain] {
        assert_eq!(tested[token]["scopes"], "board:play,bot:play,challenge:read,challenge:write");
    }
    token(folder.path(), &["--name", "Castle", "--bot"]).await;
    assert!(whose(&server, &plain).await.1, "an account that there is becomes a bot");
    let log = super::admin::done(folder.path(), &["log"]).await;
    assert!(log.contains(r#"{"act":"token","name":"Rival","bot":true}"#) && !log.contains(&new), "{log}");

    let mut guest = Player::guest(&server).await;
    guest.player.say("set_name", serde_json::json!({"name": "Pawn"})).await;
    super::table::ok(&mut guest.player).await;
    for (name, why) in
        [("Pawn", "a guest plays under the name"), ("no name", "letters"), ("Guest-1", "guests")]
    {
        let said = rejected(folder.path(), &["--name", name]).await;
        assert!(said.contains(why), "{name}: {said}");
    }
    register(&server, "Knight").await;
    for _ in 0..32 {
        token(folder.path(), &["--name", "Knight"]).await;
    }
    assert!(rejected(folder.path(), &["--name", "Knight"]).await.contains("revoke"));
    server.ended().await;
    assert!(rejected(Path::new(":memory:"), &["--name", "ZBot"]).await.contains("temporary"));
}
