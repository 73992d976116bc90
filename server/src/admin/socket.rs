//! The socket in the data folder that takes acts of admins, one after the other.
//!
//! A connection sends one line of JSON, an [`AdminAct`], and gets one: `{"done": TEXT}` or `{"error": TEXT}`.
//!
//! Invariants: only the user that the server runs as, and root, may speak; a connection has [`TIMEOUT`] and sends at most
//! [`REQUEST_BYTES_MAX`].

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use std::os::unix::fs::PermissionsExt as _;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio_util::sync::CancellationToken;

use super::{Admin, AdminAct, By};

/// The name of the socket in the data folder.
pub(super) const SOCKET: &str = "admin.sock";

/// The longest line of a request: names, and little else.
const REQUEST_BYTES_MAX: u64 = 4_096;

/// How long an act may take. The next one waits meanwhile.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Makes the socket. One that an earlier server has left is replaced: the caller holds the lock of the folder.
///
/// # Errors
/// When it cannot be made there; a path of more than a hundred bytes is too long for a socket.
pub(crate) fn bind(folder: &Path) -> io::Result<UnixListener> {
    let path = folder.join(SOCKET);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let listener = UnixListener::bind(&path)?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Takes acts until the server stops, and removes the socket. Browsers find the server at `site`.
pub(crate) async fn serve(
    listener: UnixListener,
    admin: Arc<Admin>,
    site: String,
    stopping: CancellationToken,
) {
    take_acts(&listener, &admin, &site, &stopping).await;
    let path = listener.local_addr().ok().and_then(|address| address.as_pathname().map(Path::to_owned));
    if let Some(Err(error)) = path.map(std::fs::remove_file) {
        tracing::warn!(%error, "the socket for admins stays in the data folder");
    }
}

async fn take_acts(listener: &UnixListener, admin: &Admin, site: &str, stopping: &CancellationToken) {
    loop {
        let stream = tokio::select! {
            biased;
            () = stopping.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let served = match stream {
            Ok((stream, _)) => tokio::time::timeout(TIMEOUT, answer(stream, admin, site)).await,
            Err(error) => Ok(Err(error)),
        };
        match served {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "an admin was not answered"),
            Err(_) => tracing::warn!("an admin took too long"),
        }
    }
}

async fn answer(mut stream: UnixStream, admin: &Admin, site: &str) -> io::Result<()> {
    let peer = stream.peer_cred()?.uid();
    if peer != 0 && peer != rustix::process::geteuid().as_raw() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("user {peer} is no admin")));
    }
    let (read, mut write) = stream.split();
    let mut line = String::new();
    BufReader::new(read.take(REQUEST_BYTES_MAX)).read_line(&mut line).await?;
    let done = match serde_json::from_str::<AdminAct>(&line) {
        Ok(act) => admin.perform(act, &By::Console, site).await.map_err(|why| why.to_string()),
        Err(error) => Err(format!("this is no act that this server knows: {error}")),
    };
    let answer = match done {
        Ok(text) => json!({ "done": text }),
        Err(why) => json!({ "error": why }),
    };
    write.write_all(format!("{answer}\n").as_bytes()).await?;
    write.shutdown().await
}
