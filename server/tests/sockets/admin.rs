//! What whoever runs a server does with `zeitnot admin` while it runs.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::json;
use zeitnot_protocol::{CloseCode, ServerMessage};

use super::accounts::{HERE, PASSWORD, cookie, me, post, register, send};
use super::player::Player;
use super::test_server::TestServer;

/// Runs `zeitnot admin` on a folder.
pub(crate) async fn admin(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot"));
    command.arg("--data").arg(folder).arg("admin").args(arguments);
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// What it prints when it was done.
pub(crate) async fn done(folder: &Path, arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = admin(folder, arguments).await;
    assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// What it says when it was not done.
pub(crate) async fn not_done(folder: &Path, arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = admin(folder, arguments).await;
    assert_eq!((status.code(), stdout), (Some(1), Vec::new()), "{arguments:?}");
    String::from_utf8(stderr).unwrap()
}

/// The token of a program of the account of a cookie.
async fn program(server: &TestServer, cookie: &str) -> Player {
    let answer = post(server, "tokens", json!({"name": "A board"}), &[HERE, ("Cookie", cookie)]).await;
    Player::hello(server, json!({"token": answer.json()["token"]})).await.0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_admin_resets_renames_and_closes_and_all_of_it_is_logged() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let first = register(&server, "Castle").await;

    let link = done(folder.path(), &["reset", "castle"]).await;
    let (site, code) = link.trim_end().split_once("/sign-in?name=Castle&code=").unwrap();
    assert_eq!(site, format!("http://{}", server.address));
    let page = server.get(&format!("/sign-in?name=Castle&code={code}")).await;
    assert!(page.body.contains(code) && page.body.contains("<details open>"), "{page:?}");
    let form = async |body: &str| {
        send(&server, "/sign-in", "application/x-www-form-urlencoded", body, &[HERE]).await
    };
    let answer = form(&form_of(code)).await;
    assert_eq!(answer.status, 303, "{answer:?}");
    let second = cookie(&answer);
    assert_eq!((me(&server, &first).await.status, me(&server, &second).await.status), (401, 200));
    assert_eq!(form(&form_of(code)).await.status, 403, "it works once");
    let old = post(&server, "sign-in", json!({"name": "Castle", "password": PASSWORD}), &[HERE]).await;
    assert_eq!(old.code(), "wrong_password");

    let mut player = program(&server, &second).await;
    assert_eq!(
        done(folder.path(), &["rename", "Castle", "Bishop"]).await,
        "Castle is called Bishop from now on\n"
    );
    let told = player.until(|message| match message {
        ServerMessage::Name(name) => Some(name.name.clone()),
        _ => None,
    });
    assert_eq!(told.await, "Bishop");
    assert!(not_done(folder.path(), &["rename", "Bishop", "admin"]).await.contains("kept for the server"));
    assert!(
        not_done(folder.path(), &["close", "Castle"]).await.contains("no account has the name \"Castle\"")
    );
    assert_eq!(done(folder.path(), &["close", "bishop"]).await, "the account of Bishop is closed\n");
    assert_eq!(player.closed().await, CloseCode::Revoked);
    assert_eq!(me(&server, &second).await.status, 401);

    let log = done(folder.path(), &["log"]).await;
    let acts: Vec<_> = log.lines().map(|line| line.split("  ").skip(1).collect::<Vec<_>>()).collect();
    let expected = [
        r#"{"act":"close","name":"bishop"}"#,
        r#"{"act":"close","name":"Castle"}"#,
        r#"{"act":"rename","name":"Bishop","new":"admin"}"#,
        r#"{"act":"rename","name":"Castle","new":"Bishop"}"#,
        r#"{"act":"reset","name":"castle"}"#,
    ];
    assert_eq!(acts, expected.map(|act| vec!["console", act]), "{log}");
    assert_eq!(done(folder.path(), &["log", "--most", "1"]).await.lines().count(), 1);
    server.ended().await;
    assert!(!folder.path().join("admin.sock").exists());
    assert!(not_done(folder.path(), &["log"]).await.contains("no server serves from"));
}

/// What the form of a link sends.
fn form_of(code: &str) -> String {
    format!("name=Castle&code={code}&new_password=another+horse+battery")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_act_is_answered_and_a_server_that_was_killed_leaves_nothing_in_the_way() {
    use std::io::{Read as _, Write as _};
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::net::UnixStream;

    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    server.get("/healthz").await;
    let socket = folder.path().join("admin.sock");
    assert_eq!(std::fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o600);
    let long = "x".repeat(5_000);
    for wrong in
        ["", "[]", r#"{"act":"shutdown"}"#, r#"{"act":"close"}"#, r#"{"act":"log","most":1,"x":1}"#, &long]
    {
        let mut stream = UnixStream::connect(&socket).unwrap();
        // A server that has read enough may have closed it.
        drop(stream.write_all(format!("{wrong}\n").as_bytes()));
        let mut answer = String::new();
        if stream.read_to_string(&mut answer).is_ok() {
            assert!(answer.contains("this is no act that this server knows"), "{wrong}: {answer}");
        }
    }
    server.kill();
    let server = TestServer::process(folder.path());
    server.get("/healthz").await;
    assert_eq!(done(folder.path(), &["log"]).await, "");
    let guest = Player::guest(&server).await;
    let name = format!("{}", guest.account);
    assert!(not_done(folder.path(), &["reset", &name]).await.contains("no account has the name"));
    server.ended().await;
}
