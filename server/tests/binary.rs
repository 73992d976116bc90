//! The `zeitnot` program itself: what it prints, how it ends.
#![expect(clippy::unwrap_used, reason = "all of this is test code")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};

fn zeitnot(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts it on a free port: the process and its address.
fn start(arguments: &[&str]) -> (Child, String) {
    start_with(&[&["--data", ":memory:"], arguments].concat())
}

fn start_with(arguments: &[&str]) -> (Child, String) {
    let mut child = zeitnot(&[&["--listen", "127.0.0.1:0"], arguments].concat()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("zeitnot listening on http://");
    let address = address.unwrap_or_else(|| panic!("{line:?}")).to_owned();
    (child, address)
}

fn stop(child: Child, signal: Signal) -> Output {
    kill_process(Pid::from_child(&child), signal).unwrap();
    child.wait_with_output().unwrap()
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .write_all(format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n").as_bytes())
        .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn it_says_where_it_listens_serves_and_ends_on_a_signal() {
    for (workers, signal) in [("1", Signal::TERM), ("2", Signal::INT)] {
        let (child, address) = start(&["--workers", workers]);
        assert!(get(&address, "/healthz").starts_with("HTTP/1.1 200"));
        let output = stop(child, signal);
        assert!(output.status.success(), "{output:?}");
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(log.contains("stopped"), "{log}");
    }
}

#[test]
fn a_port_in_use_ends_it_with_what_to_do() {
    let (child, address) = start(&[]);
    let output = zeitnot(&["--listen", &address]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains(&format!("zeitnot: {address} is in use")) && text.contains("--listen"), "{text}");
    assert_eq!(output.stdout, b"");
    stop(child, Signal::TERM);
}

#[test]
fn settings_come_from_the_environment_too() {
    let mut child = zeitnot(&["--data", ":memory:"])
        .env("ZEITNOT_LISTEN", "127.0.0.1:0")
        .env("ZEITNOT_LOG", "error")
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("zeitnot listening on http://127.0.0.1:"), "{line}");
    let output = stop(child, Signal::TERM);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "nothing went wrong, so nothing is logged");
}

#[test]
fn a_bad_flag_is_explained() {
    let output = zeitnot(&["--workers", "none"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("--workers"));
    let output = zeitnot(&["--log", "a=b=c"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("--log"));
}

#[test]
fn a_second_server_is_kept_out_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let (first, _) = start_with(&["--data", data]);
    let output = zeitnot(&["--listen", "127.0.0.1:0", "--data", data]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains(&format!("another zeitnot serves from the data folder {data}")), "{text}");
    assert_eq!(output.stdout, b"", "it never said that it listens");
    // Killed, it leaves nothing that keeps the next one out.
    stop(first, Signal::KILL);
    let (next, _) = start_with(&["--data", data]);
    assert!(stop(next, Signal::TERM).status.success());
}

#[test]
fn a_backup_of_a_running_server_starts_elsewhere_and_a_newer_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (server, _) = start_with(&["--data", &path("data")]);
    let made = zeitnot(&["backup", &path("copy.db"), "--data", &path("data")]).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let again = zeitnot(&["--data", &path("data"), "backup", &path("copy.db")]).output().unwrap();
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8(again.stderr).unwrap().contains("exists"));
    stop(server, Signal::TERM);
    std::fs::create_dir(path("restored")).unwrap();
    std::fs::rename(path("copy.db"), path("restored/zeitnot.db")).unwrap();
    let (restored, address) = start_with(&["--data", &path("restored")]);
    assert!(get(&address, "/healthz").starts_with("HTTP/1.1 200"));
    assert!(stop(restored, Signal::TERM).status.success());

    let database = rusqlite::Connection::open(path("restored/zeitnot.db")).unwrap();
    database.pragma_update(None, "user_version", 1_000).unwrap();
    database.close().unwrap();
    let output = zeitnot(&["--listen", "127.0.0.1:0", "--data", &path("restored")]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("was written by a newer zeitnot"), "{text}");
}

/// One exchange over HTTP, read up to its end, or up to `until` where the connection stays open.
fn exchange(address: &str, request: &[u8], until: Option<&str>) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request).unwrap();
    let (mut bytes, mut octet) = (Vec::new(), [0]);
    while stream.read(&mut octet).unwrap() == 1 {
        bytes.push(octet[0]);
        if until.is_some_and(|until| bytes.ends_with(until.as_bytes())) {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A masked text frame with a mask of zeros.
fn frame(text: &str) -> Vec<u8> {
    assert!(text.len() <= 125);
    [&[0x81, 0x80 | text.len() as u8, 0, 0, 0, 0], text.as_bytes()].concat()
}

/// Everything that can be logged is, and tokens go every way they can: none is in the log.
#[test]
fn no_token_is_ever_logged() {
    const UPGRADE: &str = "GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                           Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let (child, address) = start(&["--workers", "1", "--log", "trace"]);
    let host = format!("Host: {address}\r\n");
    let upgrade = |headers: &str, hello: &str| {
        let request = format!("{UPGRADE}{host}{headers}\r\n");
        let frames = if hello.is_empty() { Vec::new() } else { frame(hello) };
        exchange(&address, &[request.as_bytes(), &frames].concat(), Some("\"limits\""))
    };
    let ask = |method: &str, path: &str, headers: &str| {
        let request = format!("{method} {path} HTTP/1.1\r\n{host}Connection: close\r\n{headers}\r\n");
        exchange(&address, request.as_bytes(), None)
    };

    let welcome = upgrade("", r#"{"t":"hello","d":{"guest":true}}"#);
    let native = welcome.split("\"token\":\"").nth(1).unwrap()[..43].to_owned();
    let made = ask("POST", "/api/guest", "");
    let browsers = made.split("zeitnot=").nth(1).unwrap()[..43].to_owned();
    let wrong = "W".repeat(43);

    let origin = format!("Origin: http://{address}\r\n");
    for token in [&native, &browsers] {
        assert!(upgrade("", &format!(r#"{{"t":"hello","d":{{"token":"{token}"}}}}"#)).contains("welcome"));
        assert!(upgrade(&format!("Authorization: Bearer {token}\r\n"), "").contains("welcome"));
        assert!(upgrade(&format!("Cookie: zeitnot={token}\r\n{origin}"), "").contains("welcome"));
        assert!(ask("GET", "/api/me", &format!("Authorization: Bearer {token}\r\n")).contains(" 200 "));
        assert!(ask("POST", "/api/guest", &format!("Cookie: zeitnot={token}\r\n{origin}")).contains(" 200 "));
        assert!(ask("POST", "/api/guest", &format!("Cookie: zeitnot={token}\r\n")).contains(" 403 "));
        // Where tokens have no business: they may be somebody's all the same.
        ask("GET", &format!("/api/me?token={token}"), &format!("Authorization: {token}\r\n"));
        ask("GET", &format!("/{token}"), &format!("X-Forwarded-For: {token}\r\nOrigin: {token}\r\n"));
        exchange(&address, format!("GET /{token} nonsense\r\n\r\n").as_bytes(), None);
    }
    assert!(ask("GET", "/api/me", &format!("Authorization: Bearer {wrong}\r\n")).contains(" 401 "));
    assert!(ask("DELETE", "/api/guest", &format!("Authorization: Bearer {native}\r\n")).contains(" 204 "));
    assert!(
        ask("DELETE", "/api/guest", &format!("Cookie: zeitnot={browsers}\r\n{origin}")).contains(" 204 ")
    );

    let log = String::from_utf8(stop(child, Signal::TERM).stderr).unwrap();
    assert!(log.contains("stopped") && log.contains("DEBUG"), "nothing was logged: {log}");
    for token in [&native, &browsers, &wrong] {
        let at = log.find(token.as_str());
        assert_eq!(at, None, "in {:?}", at.map(|at| &log[at.saturating_sub(300)..at]));
    }
}
