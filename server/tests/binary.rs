//! The `zeitnot` program itself: what it prints, how it ends.
#![expect(clippy::unwrap_used, reason = "all of this is test code")]

use std::fs::{File, TryLockError};
use std::io::{BufRead as _, BufReader, ErrorKind, PipeWriter, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, prlimit};

fn zeitnot(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot"));
    command.env("ZEITNOT_NO_COMPUTER", "true");
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
    for (workers, signal) in [("1", Signal::TERM), ("2", Signal::INT), ("1", Signal::HUP)] {
        let (child, address) = start(&["--workers", workers]);
        assert!(get(&address, "/healthz").starts_with("HTTP/1.1 200"));
        let output = stop(child, signal);
        assert!(output.status.success(), "{output:?}");
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(log.contains("stopped"), "{log}");
    }
}

/// Starts it with a port for its metrics: the process, its address, and that of the metrics.
fn start_with_metrics(arguments: &[&str]) -> (Child, String, String) {
    let arguments =
        [&["--listen", "127.0.0.1:0", "--data", ":memory:", "--metrics-listen", "127.0.0.1:0"], arguments];
    let mut child = zeitnot(&arguments.concat()).spawn().unwrap();
    let (address, metrics) = addresses(&mut child);
    (child, address, metrics)
}

/// The addresses that it prints: that of the server, and that of its metrics.
fn addresses(child: &mut Child) -> (String, String) {
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines().map(Result::unwrap);
    let mut address = |before: &str, after: &str| {
        let line = lines.next().unwrap();
        line.strip_prefix(before)
            .and_then(|line| line.strip_suffix(after))
            .unwrap_or_else(|| panic!("{line}"))
            .to_owned()
    };
    let metrics = address("zeitnot metrics on http://", "/metrics");
    let address = address("zeitnot listening on http://", "");
    (address, metrics)
}

#[test]
fn metrics_have_a_port_of_their_own() {
    let (child, address, metrics) = start_with_metrics(&[]);
    assert!(get(&address, "/metrics").starts_with("HTTP/1.1 404"), "not on the public port");
    assert!(get(&address, "/api/games/000000000000").starts_with("HTTP/1.1 404"));
    let figures = get(&metrics, "/metrics");
    assert!(figures.starts_with("HTTP/1.1 200"), "{figures}");
    for line in [
        "zeitnot_games_live 0",
        "zeitnot_http_answers_total{route=\"/api/games/{id}\",status=\"4xx\"} 1",
        "zeitnot_http_answers_total{route=\"other\",status=\"4xx\"} 1",
        "zeitnot_connections_rejected_total 0",
    ] {
        assert!(figures.lines().any(|found| found == line), "{line} is missing in {figures}");
    }
    let value = |name: &str| -> f64 {
        let line = figures.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
        line.unwrap_or_else(|| panic!("{name} is missing in {figures}")).parse().unwrap()
    };
    assert!(value("zeitnot_resident_bytes") > 1e6 && value("zeitnot_open_files") > 3.0, "{figures}");
    assert!(value("zeitnot_backup_age_seconds").is_nan(), "there is no schedule");
    assert!(figures.contains("zeitnot_build_info{version="), "{figures}");
    assert!(get(&metrics, "/healthz").starts_with("HTTP/1.1 200"));
    assert!(get(&metrics, "/api/guest").starts_with("HTTP/1.1 404"), "and nothing else is there");

    let taken =
        zeitnot(&["--listen", "127.0.0.1:0", "--data", ":memory:", "--metrics-listen", &metrics]).output();
    let taken = taken.unwrap();
    let text = String::from_utf8(taken.stderr).unwrap();
    assert_eq!(taken.status.code(), Some(1));
    assert!(
        text.contains(&format!("cannot listen on {metrics} for the metrics"))
            && text.contains("--metrics-listen"),
        "{text}"
    );
    assert!(stop(child, Signal::TERM).status.success());
}

#[test]
fn an_address_that_is_limited_is_logged_once_and_as_json_if_wanted() {
    let arguments = ["--log-format", "json", "--http-cost-per-minute", "20"];
    let (child, address, metrics) = start_with_metrics(&arguments);
    assert!(get(&address, "/api/games/000000000000").starts_with("HTTP/1.1 404"));
    for _ in 0..3 {
        assert!(get(&address, "/api/games/000000000000").starts_with("HTTP/1.1 429"));
    }
    let figures = get(&metrics, "/metrics");
    let limited = "zeitnot_http_answers_total{route=\"/api/games/{id}\",status=\"4xx\"} 4";
    assert!(figures.lines().any(|line| line == limited), "{figures}");
    let log = String::from_utf8(stop(child, Signal::TERM).stderr).unwrap();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let limited: Vec<_> = lines.iter().filter(|line| line["code"] == "too_many_requests").collect();
    assert_eq!(limited.len(), 1, "{log}");
    assert_eq!((&limited[0]["address"], &limited[0]["level"]), (&"127.0.0.1".into(), &"WARN".into()));
    assert!(lines.iter().any(|line| line["message"] == "stopped"), "{log}");
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
fn a_backup_of_a_running_server_starts_elsewhere_and_a_newer_folder_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (server, _) = start_with(&["--data", &path("data")]);
    let made = zeitnot(&["backup", &path("copy.db"), "--data", &path("data")]).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let again = zeitnot(&["--data", &path("data"), "backup", &path("copy.db")]).output().unwrap();
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8(again.stderr).unwrap().contains("exists"));
    stop(server, Signal::TERM);
    let mode = |name: &str| std::fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("copy.db"), mode("data")), (0o600, 0o700), "nobody else reads them");
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

#[test]
fn nobody_connects_before_the_folder_was_judged() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let database = rusqlite::Connection::open(path("zeitnot.db")).unwrap();
    // The server waits for this lock when it has its address.
    database.execute_batch("PRAGMA journal_mode = WAL; BEGIN EXCLUSIVE").unwrap();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut server =
        zeitnot(&["--listen", &address, "--data", folder.path().to_str().unwrap()]).spawn().unwrap();
    let has_begun = || {
        std::thread::sleep(Duration::from_millis(10));
        let lock = File::open(path("zeitnot.lock"));
        lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
    };
    assert!((0..1_000).any(|_| has_begun()));
    assert!(TcpStream::connect(&address).is_err(), "somebody listens");
    drop(database);
    let mut line = String::new();
    BufReader::new(server.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, format!("zeitnot listening on http://{address}\n"));
    TcpStream::connect(&address).unwrap();
    assert!(stop(server, Signal::TERM).status.success());
}

#[test]
fn a_start_on_a_full_disk_says_once_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("strace")
        .args(["-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64"])
        .args(["-e", "inject=pwrite64:error=ENOSPC", env!("CARGO_BIN_EXE_zeitnot")])
        .args(["--listen", "127.0.0.1:0", "--log", "warn", "--data"])
        .arg(folder.path().join("data"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.matches("full").count(), 1, "{said}");
    assert!(said.contains("Free some space on that disk, then start again"), "{said}");
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

/// Starts the server with this stderr, makes its disk fail, and says how it ended.
///
/// The disk fails by `RLIMIT_FSIZE`, lowered while the server runs: with SIGXFSZ ignored, every write past the limit gets
/// EFBIG. The limit holds for a log in a file as well, like a full disk.
fn ended_by_its_disk(stderr: impl Into<Stdio>, before_it_fails: impl FnOnce()) -> ExitStatus {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new("sh")
        .args(["-c", r#"trap "" XFSZ; exec "$0" "$@""#, env!("CARGO_BIN_EXE_zeitnot")])
        .args(["--listen", "127.0.0.1:0", "--workers", "1", "--data"])
        .arg(folder.path().join("data"))
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("zeitnot listening on http://").unwrap().to_owned();
    before_it_fails();
    let maximum = getrlimit(Resource::Fsize).maximum;
    prlimit(Some(Pid::from_child(&child)), Resource::Fsize, Rlimit { current: Some(4_096), maximum })
        .unwrap();
    let mut asking = TcpStream::connect(&address).unwrap();
    asking.write_all(format!("POST /api/guest HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).unwrap();
    for _ in 0..2_000 {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
    panic!("the server survives its dead disk");
}

#[test]
fn a_dead_disk_ends_it_with_74_and_why() {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let status = ended_by_its_disk(writer, || {});
    assert_eq!(status.code(), Some(74));
    let mut said = String::new();
    reader.read_to_string(&mut said).unwrap();
    assert!(said.contains("zeitnot: the data folder ") && said.contains("then start again"), "{said}");
}

#[test]
fn a_dead_disk_ends_it_with_a_stderr_on_a_full_device() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    assert_eq!(ended_by_its_disk(full, || {}).code(), Some(74));
}

#[test]
fn a_dead_disk_ends_it_with_a_log_on_the_same_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    std::fs::write(&path, [b'\n'; 8_192]).unwrap();
    let log = |path: &Path| File::options().append(true).open(path).unwrap();
    assert_eq!(ended_by_its_disk(log(&path), || {}).code(), Some(74));
    assert!(!std::fs::read_to_string(&path).unwrap().contains("failed while"), "the log's disk was full");
}

#[test]
fn a_dead_disk_ends_it_with_a_stderr_that_is_closed() {
    let (reader, writer) = std::io::pipe().unwrap();
    let status = ended_by_its_disk(writer, || drop(reader));
    assert_eq!(status.code(), Some(74));
}

#[test]
fn a_dead_disk_ends_it_with_a_stderr_that_nobody_reads() {
    let (reader, writer) = std::io::pipe().unwrap();
    let mut ours = writer.try_clone().unwrap();
    let status = ended_by_its_disk(writer, || fill(&mut ours));
    assert_eq!(status.code(), Some(74));
    drop(reader);
}

#[test]
fn a_log_that_nobody_reads_holds_up_neither_the_start_nor_the_stop() {
    let (reader, writer) = std::io::pipe().unwrap();
    fill(&mut writer.try_clone().unwrap());
    let mut child =
        zeitnot(&["--listen", "127.0.0.1:0", "--data", ":memory:", "--metrics-listen", "127.0.0.1:0"])
            .stderr(writer)
            .spawn()
            .unwrap();
    let (address, metrics) = addresses(&mut child);
    assert!(get(&address, "/healthz").starts_with("HTTP/1.1 200"));
    assert!(get(&metrics, "/metrics").contains("zeitnot_log_lines_lost_total 0"));
    assert!(stop(child, Signal::TERM).status.success());
    drop(reader);
}

/// Makes guests until one is not answered: from then on the disk hangs.
fn make_guests_until_the_disk_hangs(address: &str) {
    let request = format!("POST /api/guest HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    for _ in 0..200 {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        match stream.read(&mut [0; 1_024]) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return,
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the disk does not hang");
}

/// The disk hangs: from its 40th on, every sync of a thread takes ten minutes. A start needs fewer.
#[test]
fn a_hung_disk_is_not_healthy_and_holds_up_no_stop_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new("strace")
        .args(["-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync"])
        .args(["-e", "inject=fsync,fdatasync:delay_enter=600s:when=40+"])
        .args([
            env!("CARGO_BIN_EXE_zeitnot"),
            "--listen",
            "127.0.0.1:0",
            "--metrics-listen",
            "127.0.0.1:0",
            "--guests-per-address-per-minute",
            "1000",
        ])
        .args([
            "--new-connections-per-address-per-minute",
            "10000",
            "--http-cost-per-minute",
            "100000",
            "--data",
        ])
        .arg(folder.path().join("data"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (address, metrics) = addresses(&mut child);
    assert!(get(&address, "/healthz").starts_with("HTTP/1.1 200"));
    make_guests_until_the_disk_hangs(&address);
    let unhealthy = (0..400).find_map(|_| {
        std::thread::sleep(Duration::from_millis(50));
        let answer = get(&address, "/healthz");
        answer.starts_with("HTTP/1.1 503").then_some(answer)
    });
    assert!(unhealthy.unwrap().contains("not_ready"));
    let metrics = get(&metrics, "/metrics");
    let oldest =
        metrics.lines().find_map(|line| line.strip_prefix("zeitnot_oldest_append_seconds ")).unwrap();
    assert!(oldest.parse::<f64>().unwrap() >= 4.0, "{oldest}");

    let of_process = |file: &str| std::fs::read_to_string(format!("/proc/{}/{file}", child.id())).unwrap();
    let status = of_process("status");
    let tracer =
        status.lines().find_map(|line| line.strip_prefix("TracerPid:")).unwrap().trim().parse().unwrap();
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    // The state of a process stands after its name in parentheses.
    let has_ended = (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        of_process("stat").contains(") Z ")
    });
    if !has_ended {
        kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    }
    // It would keep the process from us while it delays one of its threads.
    kill_process(Pid::from_raw(tracer).unwrap(), Signal::KILL).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(75), "{output:?}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("zeitnot: the stop hangs"));
}

/// Writes until the pipe takes no octet more; the next writer blocks.
fn fill(pipe: &mut PipeWriter) {
    let flags = fcntl_getfl(&*pipe).unwrap();
    fcntl_setfl(&*pipe, flags | OFlags::NONBLOCK).unwrap();
    for piece in [&[b'.'; 4_096][..], b"."] {
        while pipe.write_all(piece).map_or_else(|error| error.kind() != ErrorKind::WouldBlock, |()| true) {}
    }
    fcntl_setfl(&*pipe, flags).unwrap();
}

#[test]
fn backups_by_schedule_are_made_beside_the_games_and_a_restart_does_not_make_another_at_once() {
    let (data, backups) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let to = backups.path().join("new");
    let arguments = ["--data", data.path().to_str().unwrap(), "--backup-to", to.to_str().unwrap()];
    let (mut child, _) = start_with(&arguments);
    let log = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(log.into_iter().any(|line| line.contains("a backup is made and checked")), "it is logged");
    stop(child, Signal::TERM);
    let files = || -> Vec<_> { std::fs::read_dir(&to).unwrap().map(|file| file.unwrap().path()).collect() };
    let made = files();
    assert_eq!(made.len(), 1);
    assert_eq!(std::fs::metadata(&made[0]).unwrap().permissions().mode() & 0o777, 0o600);
    let checked = zeitnot(&["check", made[0].to_str().unwrap()]).output().unwrap();
    assert!(checked.status.success(), "{checked:?}");

    let (child, address) = start_with(&arguments);
    assert!(get(&address, "/healthz").starts_with("HTTP/1.1 200"));
    assert!(stop(child, Signal::TERM).status.success());
    assert_eq!(files(), made);
}

#[test]
fn the_doctor_has_a_verdict_for_each_thing_and_says_what_to_do() {
    let (child, taken) = start(&[]);
    let data = tempfile::tempdir().unwrap();
    let output =
        zeitnot(&["--listen", &taken, "--data", data.path().to_str().unwrap(), "doctor"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    for line in
        ["versions: zeitnot", "open files:", "memory:", "space:", "disk: a sync takes", "clock:", "port:"]
    {
        assert!(said.contains(line), "{line} is missing in {said}");
    }
    assert_eq!(output.status.code(), Some(1), "the port is taken: {said}");
    assert!(said.contains("LOOK  port:") && said.contains("all is well"), "{said}");
    assert!(std::fs::read_dir(data.path()).unwrap().next().is_none(), "it leaves nothing");
    stop(child, Signal::TERM);
}
