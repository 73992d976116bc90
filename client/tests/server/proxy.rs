//! A network between client and server: it delays what passes, is cut, and leads to whatever server there is.
//!
//! What is on the way when it is cut arrives when it is whole again, as after TCP's retransmissions: also on a
//! connection that the client has given up by then.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::server::spawn;

/// How many pieces may be on the way in one direction.
const ON_THE_WAY: usize = 256;

/// The network.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    path: Arc<Path>,
}

struct Path {
    server: Mutex<SocketAddr>,
    delay: Mutex<Duration>,
    is_cut: watch::Sender<bool>,
}

impl Proxy {
    pub(crate) async fn open(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let is_cut = watch::channel(false).0;
        let path = Arc::new(Path { server: Mutex::new(server), delay: Mutex::default(), is_cut });
        let of_listener = Arc::clone(&path);
        spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let path = Arc::clone(&of_listener);
                spawn(async move { drop(path.carry(client).await) });
            }
        });
        Self { address, path }
    }

    pub(crate) fn url(&self) -> String {
        format!("ws://{}", self.address)
    }

    /// New connections lead to this server.
    pub(crate) fn lead_to(&self, server: SocketAddr) {
        *self.path.server.lock().unwrap() = server;
    }

    /// Everything takes so much longer, each way.
    pub(crate) fn delay(&self, delay: Duration) {
        *self.path.delay.lock().unwrap() = delay;
    }

    /// Nothing passes for a time.
    pub(crate) fn cut(&self, time: Duration) {
        self.path.is_cut.send_replace(true);
        let path = Arc::clone(&self.path);
        spawn(async move {
            tokio::time::sleep(time).await;
            path.is_cut.send_replace(false);
        });
    }
}

impl Path {
    /// Waits until the network is whole.
    async fn whole(&self) {
        let mut is_cut = self.is_cut.subscribe();
        drop(is_cut.wait_for(|is_cut| !is_cut).await);
    }

    async fn carry(self: Arc<Self>, client: TcpStream) -> io::Result<()> {
        self.whole().await;
        let address = *self.server.lock().unwrap();
        let server = TcpStream::connect(address).await?;
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
        let up = spawn(Arc::clone(&self).one_way(from_client, to_server));
        let down = spawn(self.one_way(from_server, to_client));
        // When one end has closed, so has the other.
        tokio::select! {
            _ = up => {}
            _ = down => {}
        }
        Ok(())
    }

    async fn one_way(self: Arc<Self>, from: OwnedReadHalf, to: OwnedWriteHalf) -> io::Result<()> {
        let (put, take) = mpsc::channel(ON_THE_WAY);
        let reads = spawn(Arc::clone(&self).read(from, put));
        let written = self.write(take, to).await;
        reads.abort();
        written
    }

    async fn read(
        self: Arc<Self>,
        mut from: OwnedReadHalf,
        put: mpsc::Sender<(Instant, Vec<u8>)>,
    ) -> io::Result<()> {
        let mut buffer = vec![0; 16 * 1024];
        loop {
            let bytes = from.read(&mut buffer).await?;
            let due = now() + *self.delay.lock().unwrap();
            if bytes == 0 || put.send((due, buffer[..bytes].to_vec())).await.is_err() {
                return Ok(());
            }
        }
    }

    async fn write(
        &self,
        mut take: mpsc::Receiver<(Instant, Vec<u8>)>,
        mut to: OwnedWriteHalf,
    ) -> io::Result<()> {
        while let Some((due, piece)) = take.recv().await {
            tokio::time::sleep_until(due).await;
            self.whole().await;
            to.write_all(&piece).await?;
        }
        to.shutdown().await
    }
}

#[expect(clippy::disallowed_methods, reason = "a test's own reading of the clock")]
fn now() -> Instant {
    Instant::now()
}
