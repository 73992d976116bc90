//! A server for one test.

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use zeitnot_client::{Client, Identity};
use zeitnot_server::{Config, listener, run};

/// Nothing that a test waits for takes this long, on however slow a machine.
const GUARD: Duration = Duration::from_secs(60);

/// Waits for `what`, but not for ever.
pub(crate) async fn guarded<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(GUARD, future).await {
        Ok(value) => value,
        Err(_) => panic!("waited for {what} in vain"),
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

/// A server in this process. It stops when the test drops it.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    _stop: oneshot::Sender<()>,
}

impl TestServer {
    pub(crate) async fn open() -> Self {
        let config = Config::for_tests();
        let listener = listener::bind(config.listen).unwrap().listen().unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        spawn(run(config, listener, async move { drop(stopped.await) }));
        Self { address, _stop: stop }
    }

    pub(crate) fn url(&self) -> String {
        format!("ws://{}", self.address)
    }

    pub(crate) async fn guest(&self) -> Client {
        guarded("welcome", Client::connect(&self.url(), Identity::Guest)).await.unwrap()
    }
}
