//! The real server, in this process.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::mpsc::sync_channel;
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;
use zeitnot_loadtest::endpoint::Endpoint;
use zeitnot_server::Config;

/// A server on a thread of its own, until it is dropped.
pub(crate) struct TestServer {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn start() -> Self {
        Self::with(Config {
            connections_per_address: 1_000,
            guests_per_address_per_minute: 1_000,
            ..Config::for_tests()
        })
    }

    /// One with these settings.
    pub(crate) fn with(config: Config) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let (report, address) = sync_channel(1);
        let thread = thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener =
                    tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
                report.send(listener.local_addr().expect("it is bound")).expect("the test waits for it");
                let stopped = async { drop(stopped.await) };
                zeitnot_server::run(config, listener, stopped).await.expect("the server runs");
            });
        });
        let address = address.recv().expect("the server comes up");
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    /// Where it listens.
    pub(crate) fn endpoint(&self) -> Endpoint {
        Endpoint::loopback(self.address.port(), "/ws")
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
            && !thread::panicking()
        {
            panic!("the server panicked");
        }
    }
}
