//! A server for one test.

use std::future::Future;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use zeitnot_server::{Config, RunError, listener, run};

/// Nothing that a test waits for takes this long, on however slow a machine: a search gets what the other tests leave over.
const GUARD: Duration = Duration::from_secs(240);

/// Waits for `what`, but not for ever.
pub(crate) async fn guarded<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(GUARD, future).await {
        Ok(value) => value,
        Err(_) => panic!("waited for {what} in vain"),
    }
}

/// A running server.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    running: Running,
}

/// What runs the server.
enum Running {
    Here(JoinHandle<Result<(), RunError>>),
    Process(Program),
}

/// The program. A test that fails leaves none behind.
struct Program(Child);

impl Program {
    /// Starts it, with the first line that it says: none when it ends before.
    fn start(mut command: Command, data: &Path) -> (Self, String) {
        command
            .args(["--listen", "127.0.0.1:0", "--log", "off", "--no-computer", "--workers", "2", "--data"])
            .arg(data);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        (Self(process), line)
    }
}

/// The program on a database.
fn on(database: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot"));
    command.env("ZEITNOT_CLUSTER", database);
    command
}

/// The same as one of several, which reach each other over the NATS server at `bus`.
fn among(database: &str, bus: &str) -> Command {
    let mut command = on(database);
    command.env("ZEITNOT_BUS", bus);
    command
}

fn trusting(mut command: Command, certificates: &Path) -> Command {
    command.env("SSL_CERT_FILE", certificates);
    command
}

/// The last words of a program that does not start.
fn rejection(command: Command, folder: &Path) -> String {
    let (mut program, line) = Program::start(command, folder);
    assert_eq!(line, "", "it has started");
    let mut last_words = String::new();
    program.0.stderr.take().unwrap().read_to_string(&mut last_words).unwrap();
    assert_eq!(program.0.wait().unwrap().code(), Some(1));
    last_words
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            // It may have ended since.
            drop(self.0.kill());
            drop(self.0.wait());
        }
    }
}

impl TestServer {
    /// One with the standard settings.
    pub(crate) async fn open() -> Self {
        Self::with(Config::for_tests()).await
    }

    /// One whose accounts make challenges and games as often as they like.
    pub(crate) async fn without_rates() -> Self {
        Self::without_rates_in(Config::for_tests()).await
    }

    /// The same with its data in this folder, where admins reach it.
    pub(crate) async fn without_rates_on(data: &Path) -> Self {
        Self::without_rates_in(Config { data: data.to_owned(), ..Config::for_tests() }).await
    }

    async fn without_rates_in(config: Config) -> Self {
        Self::with(Config {
            challenges_per_account_per_minute: 1_000,
            games_per_account_per_minute: 1_000,
            games_per_address_per_minute: 1_000,
            ..config
        })
        .await
    }

    /// One with these settings.
    pub(crate) async fn with(config: Config) -> Self {
        let listener = listener::bind(config.listen).unwrap().listen().unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let running = spawn(run(config, listener, async move {
            // A test that drops its server stops it too.
            drop(stopped.await);
        }));
        Self { address, stop: Some(stop), running: Running::Here(running) }
    }

    /// The program itself, with its data in this folder.
    pub(crate) fn process(data: &Path) -> Self {
        Self::process_by(Command::new(env!("CARGO_BIN_EXE_zeitnot")), data)
    }

    /// The same, with its data in the database at this URL.
    pub(crate) fn process_on(database: &str, folder: &Path) -> Self {
        Self::process_by(on(database), folder)
    }

    /// The same as one of several, which reach each other over the NATS server at `bus`.
    pub(crate) fn process_among(database: &str, bus: &str, folder: &Path) -> Self {
        Self::process_by(among(database, bus), folder)
    }

    /// The same behind a proxy at this machine that it trusts.
    pub(crate) fn process_among_behind_a_proxy(database: &str, bus: &str, folder: &Path) -> Self {
        let mut command = among(database, bus);
        command.env("ZEITNOT_TRUSTED_PROXY", "127.0.0.1");
        Self::process_by(command, folder)
    }

    /// The same, where it trusts the certificates in a file and no others.
    pub(crate) fn process_on_trusting(database: &str, certificates: &Path, folder: &Path) -> Self {
        Self::process_by(trusting(on(database), certificates), folder)
    }

    /// What the program says when it rejects this database.
    pub(crate) fn rejection_of(database: &str, folder: &Path) -> String {
        rejection(on(database), folder)
    }

    /// The same, where it trusts the certificates in a file and no others.
    pub(crate) fn rejection_of_trusting(database: &str, certificates: &Path, folder: &Path) -> String {
        rejection(trusting(on(database), certificates), folder)
    }

    /// The same, where a game comes to rest when nobody has followed it for a second.
    pub(crate) fn process_that_rests(data: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot"));
        command.env("ZEITNOT_REST_AFTER_S", "1");
        Self::process_by(command, data)
    }

    /// The same behind proxies that it trusts, at this machine and elsewhere.
    pub(crate) fn process_behind_a_proxy(data: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot"));
        command.env("ZEITNOT_TRUSTED_PROXY", "127.0.0.1,10.9.8.7");
        Self::process_by(command, data)
    }

    /// The same on a disk that is full when a file has `kib` KiB.
    pub(crate) fn process_with_little_room(data: &Path, kib: u32) -> Self {
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("ulimit -f {kib}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_zeitnot")]);
        Self::process_by(shell, data)
    }

    fn process_by(command: Command, data: &Path) -> Self {
        let (program, line) = Program::start(command, data);
        let address = line.trim_end().strip_prefix("zeitnot listening on http://");
        let address = address.unwrap_or_else(|| panic!("{line:?}")).parse().unwrap();
        Self { address, stop: None, running: Running::Process(program) }
    }

    /// The memory that the program has, in KiB.
    pub(crate) fn resident_kib(&self) -> u64 {
        let Running::Process(process) = &self.running else { panic!("only a process has memory of its own") };
        let status = std::fs::read_to_string(format!("/proc/{}/status", process.0.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Stops the program for a while, or lets it go on.
    pub(crate) fn pause(&self, is_paused: bool) {
        let Running::Process(process) = &self.running else { panic!("only a process can be paused") };
        let signal = if is_paused { Signal::STOP } else { Signal::CONT };
        kill_process(Pid::from_child(&process.0), signal).unwrap();
    }

    /// Kills the program: it can do nothing more.
    pub(crate) fn kill(self) {
        let Running::Process(mut process) = self.running else { panic!("only a process can be killed") };
        process.0.kill().unwrap();
        process.0.wait().unwrap();
    }

    /// Waits until the program has ended by itself: how, and its last words.
    pub(crate) fn died(self) -> (Option<i32>, String) {
        let Running::Process(mut process) = self.running else { panic!("only a process dies") };
        let mut last_words = String::new();
        process.0.stderr.take().unwrap().read_to_string(&mut last_words).unwrap();
        (process.0.wait().unwrap().code(), last_words)
    }

    /// Asks the server to stop, without waiting.
    pub(crate) fn ask_to_stop(&mut self) {
        drop(self.stop.take());
    }

    /// Asks a program to stop, as a supervisor does, without waiting.
    pub(crate) fn terminate(&self) {
        let Running::Process(process) = &self.running else { panic!("only a process has signals") };
        kill_process(Pid::from_child(&process.0), Signal::TERM).unwrap();
    }

    /// Waits until the server has ended.
    pub(crate) async fn ended(mut self) {
        self.ask_to_stop();
        match self.running {
            Running::Here(running) => guarded("the server's end", running).await.unwrap().unwrap(),
            Running::Process(mut process) => {
                kill_process(Pid::from_child(&process.0), Signal::TERM).unwrap();
                assert!(process.0.wait().unwrap().success());
            }
        }
    }

    /// Sends `request` as it is and reads the answer until the end of the stream.
    pub(crate) async fn raw(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut text = String::new();
        guarded("an answer", stream.read_to_string(&mut text)).await.unwrap();
        Answer::read(&text)
    }

    /// `GET`s what is no text: the head of the answer in lower case, and the body.
    pub(crate) async fn bytes(&self, path: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        guarded("an answer", stream.read_to_end(&mut answer)).await.unwrap();
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
        let body = answer.split_off(end + 4);
        (String::from_utf8(answer).unwrap().to_ascii_lowercase(), body)
    }

    /// Asks for `path` with `method`.
    pub(crate) async fn ask(&self, method: &str, path: &str) -> Answer {
        self.ask_with(method, path, &[]).await
    }

    /// Asks for `path` with `method` and more headers.
    pub(crate) async fn ask_with(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let headers = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<String>();
        let head = "HTTP/1.1\r\nHost: test\r\nConnection: close";
        self.raw(&format!("{method} {path} {head}\r\n{headers}\r\n")).await
    }

    /// `GET`s `path`.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path).await
    }
}

#[expect(clippy::disallowed_methods, reason = "a test's own tasks are not the server's")]
pub(crate) fn spawn<F>(task: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    tokio::spawn(task)
}

/// An HTTP response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// In lower case.
    pub(crate) head: String,
    /// The `Set-Cookie` header, as it is.
    pub(crate) set_cookie: Option<String>,
    /// The `Location` header, as it is.
    pub(crate) location: Option<String>,
    pub(crate) body: String,
}

impl Answer {
    fn read(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no HTTP response: {text:?}"));
        let header = |wanted: &str| {
            let named = head.lines().filter_map(|line| line.split_once(": "));
            let mut values = named.filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
            values.next().map(|(_, value)| value.to_owned())
        };
        let (set_cookie, location) = (header("set-cookie"), header("location"));
        Self { status, head: head.to_ascii_lowercase(), set_cookie, location, body: body.to_owned() }
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The `code` in the body.
    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap().to_owned()
    }
}
