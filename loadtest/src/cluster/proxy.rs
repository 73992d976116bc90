//! TCP proxies between a node and what it needs: PostgreSQL or NATS. Each can be cut.
//!
//! All of them run on one thread of their own, so that clients that are busy in this program hold
//! nothing up that a node sends.
//!
//! A cut is one of two. In silence nothing passes in either direction, no connection ends, and what
//! was sent goes on when the cut is over: the network is gone. A closed proxy ends all connections
//! and takes none: somebody answers, but not the server.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener as StdListener};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context as _, Result};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Handle};
use tokio::sync::{oneshot, watch};

/// How much is read at once.
const BUFFER: usize = 64 * 1024;

/// What becomes of what is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Traffic {
    /// It is passed on.
    Flows,
    /// It waits, and so do new connections.
    Silent,
    /// All connections end, and so do new ones.
    Closed,
}

/// The thread of all proxies. They end with it.
#[derive(Debug)]
pub struct ProxyThread {
    handle: Handle,
    end: Option<oneshot::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

/// A proxy. It lasts as long as its thread.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    traffic: watch::Sender<Traffic>,
    target: watch::Sender<SocketAddr>,
}

impl ProxyThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start() -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (end, ended) = oneshot::channel();
        let run = move || {
            // Nothing is ever sent: it ends when the sender is dropped.
            drop(runtime.block_on(ended));
        };
        let thread = std::thread::Builder::new().name("proxies".to_owned()).spawn(run);
        let thread = Some(thread.context("cannot start a thread")?);
        Ok(Self { handle, end: Some(end), thread })
    }

    /// A proxy on a free port, in front of this server.
    ///
    /// # Errors
    /// When no port is free.
    pub fn proxy(&self, server: SocketAddr) -> Result<Proxy> {
        let listener = StdListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (traffic, of_traffic) = watch::channel(Traffic::Flows);
        let (target, of_target) = watch::channel(server);
        let _in_runtime = self.handle.enter();
        let listener = TcpListener::from_std(listener)?;
        self.handle.spawn(accept(listener, of_traffic, of_target));
        Ok(Proxy { address, traffic, target })
    }
}

impl Drop for ProxyThread {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

impl Proxy {
    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on this becomes of what is sent.
    pub fn set(&self, traffic: Traffic) {
        self.traffic.send_replace(traffic);
    }

    /// New connections lead to this server.
    pub fn lead_to(&self, server: SocketAddr) {
        self.target.send_replace(server);
    }
}

async fn accept(
    listener: TcpListener,
    traffic: watch::Receiver<Traffic>,
    target: watch::Receiver<SocketAddr>,
) {
    let mut open = FuturesUnordered::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(()) = open.next() => continue,
        };
        match accepted {
            Ok((client, _)) => open.push(connection(client, traffic.clone(), target.clone())),
            // Such as too many open files.
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}

/// A connection, until either side ends it or the proxy is closed.
async fn connection(
    client: TcpStream,
    mut traffic: watch::Receiver<Traffic>,
    target: watch::Receiver<SocketAddr>,
) {
    let mut until = traffic.clone();
    let closed = async move { until.wait_for(|traffic| *traffic == Traffic::Closed).await.is_ok() };
    let passed = async {
        flows(&mut traffic).await?;
        let to = *target.borrow();
        let server = TcpStream::connect(to).await?;
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        tokio::try_join!(
            forward(from_client, to_server, traffic.clone()),
            forward(from_server, to_client, traffic),
        )?;
        io::Result::Ok(())
    };
    tokio::select! {
        _ = closed => {}
        // Who ended it is told by the end of the other connection.
        _ = passed => {}
    }
}

/// Waits while there is silence.
async fn flows(traffic: &mut watch::Receiver<Traffic>) -> io::Result<()> {
    let flows = traffic.wait_for(|traffic| *traffic == Traffic::Flows).await;
    flows.map(|_| ()).map_err(|_| io::ErrorKind::ConnectionAborted.into())
}

/// Passes on what comes in one direction, and its end.
async fn forward(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut traffic: watch::Receiver<Traffic>,
) -> io::Result<()> {
    let mut bytes = vec![0; BUFFER];
    loop {
        flows(&mut traffic).await?;
        let count = tokio::select! {
            biased;
            _ = traffic.changed() => continue,
            count = from.read(&mut bytes) => count?,
        };
        if count == 0 {
            return to.shutdown().await;
        }
        to.write_all(&bytes[..count]).await?;
    }
}
