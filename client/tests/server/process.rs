//! A server that can be killed: this test program once more, which serves a data folder until it is killed.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use zeitnot_server::{Config, listener, run};

/// The environment variable that names the data folder.
const DATA: &str = "ZEITNOT_CLIENT_TEST_DATA";

const LISTENS: &str = "the server listens on ";

/// The process. It is killed when the test drops it.
pub(crate) struct ServerProcess {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl ServerProcess {
    /// Starts a server on this folder, and waits until it listens.
    pub(crate) fn start(data: &Path) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["process::serves_until_it_is_killed", "--exact", "--ignored", "--nocapture"]);
        let mut child = command.env(DATA, data).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.find_map(|line| line.unwrap().split_once(LISTENS)?.1.parse().ok());
        let address = address.expect("it says where it listens");
        Self { child, address }
    }

    /// Kills it: it can do nothing more.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // It may have been killed before.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it is the server of other tests"]
async fn serves_until_it_is_killed() {
    let Some(data) = std::env::var_os(DATA) else { return };
    let config = Config { data: data.into(), ..Config::for_tests() };
    let listener = listener::bind(config.listen).unwrap().listen().unwrap();
    println!("{LISTENS}{}", listener.local_addr().unwrap());
    run(config, listener, std::future::pending()).await.unwrap();
}
